"""Attacks a server the way a stranger would: `python -m benchmarks.attackers [--server URL] [--each N] [--seconds N]`.

Each attacker is a hostile client with a loopback address of its own, and counts what it attempted, what was refused,
and how often it did the harm that it is after. Meanwhile bystanders (`bystanders.py`) measure what an honest person
notices. Without `--server` a new server is attacked, with its default limits.
"""
