"""A game's actions: one table gives every action its number, its text and its parts."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import NamedTuple

from plenilune.core.errors import UnknownAction

HIDDEN = "?"  # stands in a text for a word the reader may not know


class Action(NamedTuple):
    verb: str
    parts: tuple[int, ...]  # the place of each word among its verb's words


class ActionSpace:
    """Verbs, and after each verb its words: every combination is one action, numbered without holes.

    >>> space = ActionSpace(take=(("1", "2", "3"), ("a1", "a2")), rest=())
    >>> space.size, space.text(3), space.parse("take 2 a2"), space["rest"]
    (7, 'take 2 a2', 3, 6)

    A word may itself be several tokens, where not every combination of them exists:

    >>> ActionSpace(swap=(("1 2", "2 3"),)).texts
    ('swap 1 2', 'swap 2 3')
    """

    def __init__(self, **verbs: tuple[Sequence[str], ...]) -> None:
        self.verbs = {verb.strip("_").replace("_", "-"): words for verb, words in verbs.items()}
        self.starts: dict[str, int] = {}
        self._actions: list[Action] = []
        for verb, words in self.verbs.items():
            self.starts[verb] = len(self._actions)
            choices = itertools.product(*(range(len(w)) for w in words))
            self._actions += (Action(verb, parts) for parts in choices)
        self.texts = tuple(self._text(action) for action in self._actions)
        self._numbers = {text: number for number, text in enumerate(self.texts)}

    @property
    def size(self) -> int:
        return len(self.texts)

    def __getitem__(self, verb: str) -> int:
        """The number of the verb's first action."""
        return self.starts[verb]

    def split(self, number: int) -> Action:
        return self._actions[number]

    def text(self, number: int, known: int | None = None) -> str:
        """The action's text, for a reader who may know only the first `known` of its words.

        >>> ActionSpace(deal=(("1", "2"), ("sun", "star"))).text(2, known=1)
        'deal 2 ?'
        """
        if known is None:
            return self.texts[number]
        verb, parts = self.split(number)
        words = [w[p] for w, p in zip(self.verbs[verb], parts, strict=True)]
        return " ".join([verb, *words[:known], *[HIDDEN] * len(words[known:])])

    def parse(self, text: str) -> int:
        """The action's number; spaces around its words do not matter."""
        number = self._numbers.get(" ".join(text.split())) if isinstance(text, str) else None
        if number is None:
            raise UnknownAction(f"no such action: {text!r}")
        return number

    def _text(self, action: Action) -> str:
        return " ".join([action.verb, *(w[p] for w, p in zip(self.verbs[action.verb], action.parts, strict=True))])
