"""The command line of the attackers."""

from __future__ import annotations

import argparse
import resource
import sys

import msgspec
import uvloop
from rich.console import Console

from benchmarks import attackers
from benchmarks.attackers.harness import attack, kinds, only_attack, server


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.attackers", description=attackers.__doc__)
    parser.add_argument("--server", default="", help="its address; a new one if there is none")
    parser.add_argument("--each", type=int, default=2, help="how many of each kind")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--kinds", default="", help="only these, with commas between them")
    parser.add_argument("--json", action="store_true", help="attack only, and print what came of it for programs")
    asked = parser.parse_args()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    if asked.json:
        chosen = [kind for kind in kinds() if not asked.kinds or kind.kind() in asked.kinds.split(",")]
        sys.stdout.buffer.write(
            msgspec.json.encode(uvloop.run(attack(asked.server, asked.each, asked.seconds, chosen)))
        )
        return
    with server(asked.server) as url:
        uvloop.run(only_attack(url, asked.each, asked.seconds, asked.kinds)).show(Console())


if __name__ == "__main__":
    main()
