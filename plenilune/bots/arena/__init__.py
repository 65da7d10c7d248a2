"""The arena: bots play each other on the same dice, and are rated by their results.

Matches come in sets. A set has one seed for the dice and is played once for every seating: with two seats both ways
round, with more seats one copy of the first bot against copies of the second, at every seat in turn. The dice of a set
favour both sides equally (common random numbers), so a set, not a match, is one observation for the intervals.
"""

from plenilune.bots.arena.command import CHART, MATCHES, PIXELS, TABLE, Tally, main
from plenilune.bots.arena.match import Result, code, play, play_all, warm_up
from plenilune.bots.arena.plan import Fixture, Plan, check, fixtures, pairs, schedule, seatings
from plenilune.bots.arena.results import belonging, from_line, recover, to_line
from plenilune.bots.arena.tables import Report, Sets, Sheet, complete_sets, markdown, report

__all__ = [
    "CHART",
    "MATCHES",
    "PIXELS",
    "TABLE",
    "Fixture",
    "Plan",
    "Report",
    "Result",
    "Sets",
    "Sheet",
    "Tally",
    "belonging",
    "check",
    "code",
    "complete_sets",
    "fixtures",
    "from_line",
    "main",
    "markdown",
    "pairs",
    "play",
    "play_all",
    "recover",
    "report",
    "schedule",
    "seatings",
    "to_line",
    "warm_up",
]
