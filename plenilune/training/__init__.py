"""Programs that make the weights the games ship with. Nothing that plays imports them."""
