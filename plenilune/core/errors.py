"""What can be refused. Every message is one sentence for the caller; a refusal changes nothing."""


class Refusal(ValueError):
    """Something was asked for that cannot be done."""


class UnknownGame(Refusal):
    """No game has this name."""


class BadGame(Refusal):
    """A game's folder holds no game that works."""


class BadSetting(Refusal):
    """A match cannot be set up like this: the seats, an option or the seed is wrong."""


class UnknownAction(Refusal):
    """The text names no action of this game."""


class IllegalAction(Refusal):
    """The action exists but may not be taken now."""


class BadReplay(Refusal):
    """A saved match that cannot be what it says; the message names the line."""


class BadComponents(Refusal):
    """A component table that makes no sense; the message names the file and the line."""


class BadCache(Refusal):
    """The folder for compiled rules cannot be written."""
