"""The command line: `main.py` parses it, and every command has a file of its own."""
