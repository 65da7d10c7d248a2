"""A stored match in the form of a `.match` file."""

from __future__ import annotations

from collections.abc import Sequence

from plenilune.replay import Replay, standard_headers
from plenilune.server.storage.rows import Entry, MatchRow, SeatRow


def replay(
    row: MatchRow, seed: str, seats: Sequence[SeatRow], entries: Sequence[Entry], scores: Sequence[int] = ()
) -> Replay:
    nonces = [nonce.nonce for nonce in row.nonces]
    headers = standard_headers(row.game, row.rules, row.components, len(seats), row.options, seed, nonces, scores)
    if resigned := [str(seat.seat + 1) for seat in seats if seat.resigned]:
        headers["resigned"] = " ".join(resigned)
    return Replay(headers, [entry.text for entry in entries])
