"""`plenilune admin`: what operators do, from the command line.

Keys are made and revoked in the database. Everything else is asked of the running server, with an operator's key: the
one in PLENILUNE_OPERATOR_KEY, or, on the server's own machine, one that this command keeps in the data folder.
"""

from plenilune.commands.admin.parser import add

__all__ = ["add"]
