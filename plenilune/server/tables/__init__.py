"""Live tables: what may happen at one, who watches it, its clocks, its past, and the lobby."""
