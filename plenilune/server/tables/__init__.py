"""Live tables: what may happen at one, who watches it, its clocks, its history, and the lobby."""
