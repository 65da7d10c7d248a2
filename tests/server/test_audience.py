"""What the watchers of a table are sent, without a server."""

from __future__ import annotations

from functools import partial
from typing import Any

import msgspec
import pytest

from plenilune.server.storage.rows import Person
from plenilune.server.tables import shown
from plenilune.server.tables.audience import Audience, Watcher
from plenilune.server.tables.shown import TableView
from tests.server.attempts import Attempts
from tests.server.deciding import ADA, BEN, CAROL, a_table


def test_all_who_have_no_seat_are_sent_the_same_bytes_which_are_made_once(
    attempts: Attempts, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A player who connects again and again would otherwise cost as much for each guest who watches."""
    view = TableView(a_table(ADA, BEN, host="carol"), [], [], None, True)
    here, sent = Audience(view), dict[str, bytes]()
    for person in [ADA, CAROL, *(Person(f"guest {number}", "Eve") for number in range(50)), None]:
        name = person.id if person else "nobody"
        here.welcome(view, Watcher(person, partial(sent.__setitem__, name)), None, None)
    asked, info = [], shown.info

    def counted(*arguments: Any) -> Any:
        asked.append(arguments)
        return info(*arguments)

    monkeypatch.setattr(shown, "info", counted)
    here.publish(view)
    assert len(asked) == 3  # for Ada, who has a seat; for Carol, whose table it is; for all others
    assert len({said for name, said in sent.items() if name not in ("ada", "carol")}) == 1
    tables = {name: msgspec.json.decode(said)["table"] for name, said in sent.items()}
    assert [tables[name]["mine"] for name in ("ada", "carol", "nobody")] == [[0], [], []]
    assert [tables[name]["am_host"] for name in ("ada", "carol", "nobody")] == [False, True, False]
    attempts.add(50)
