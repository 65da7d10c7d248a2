"""What a seat may not know: the cards in other hands (RULES 9)."""

from __future__ import annotations

from typing import Any

from plenilune.core.engine import below, rule
from plenilune.core.record import OVER
from plenilune.games.via_nebula.state import (
    BUILT,
    CARDS,
    CONTRACTS,
    DO_CRAFTSMAN,
    DO_DEAL,
    DO_PLAN,
    DO_TURN_UP,
    HAND,
    IN_DECK,
    MOST_WORDS,
    PRIVATES,
    UNDEALT,
    UNKNOWN,
    State,
)


@rule
def hide(s: State, viewer: int) -> None:
    """RULES 9: the viewer cannot tell what is in other hands from what is in the deck or undealt."""
    if s.to_play == OVER:  # RULES 9.6
        return
    for card in range(CARDS):
        at = s.card_at[card]
        in_other_hand = HAND <= at < BUILT and at != HAND + viewer
        if in_other_hand and card == s.card:  # RULES 9.1: a card is revealed by the build that names it
            continue
        if in_other_hand or at == IN_DECK or at == UNDEALT:  # noqa: SIM109
            s.card_at[card] = UNKNOWN


@rule
def resample(s: State, viewer: int, rng: Any) -> None:
    for seat in range(s.seats):
        draw(s, seat, s.players[seat].plans, 0, CONTRACTS, rng)
        draw(s, seat, s.players[seat].privates, CONTRACTS, CARDS, rng)
    for card in range(CARDS):
        if s.card_at[card] == UNKNOWN:
            s.card_at[card] = IN_DECK if card < CONTRACTS else UNDEALT


@rule
def draw(s: State, seat: int, held: int, first: int, end: int, rng: Any) -> None:
    """Cards from `first` on that are nowhere to be seen go into the hand until it holds so many of them."""
    unseen = 0
    for card in range(first, end):
        if s.card_at[card] == HAND + seat:
            held -= 1
        elif s.card_at[card] == UNKNOWN:
            unseen += 1
    while held > 0:
        pick = below(rng, unseen)
        for card in range(first, end):
            if s.card_at[card] == UNKNOWN:
                if pick == 0:
                    s.card_at[card] = HAND + seat
                    break
                pick -= 1
        held, unseen = held - 1, unseen - 1


@rule
def known(s: State, action: int, seat: int) -> int:
    """How many words of the action's text the seat may read (RULES 9.4)."""
    if DO_DEAL <= action < DO_TURN_UP and (action - DO_DEAL) // PRIVATES != seat:
        return 1
    if DO_PLAN <= action < DO_CRAFTSMAN and s.mover != seat:
        return 0
    return MOST_WORDS
