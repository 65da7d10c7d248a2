"""Fair dice: fixed by the seed, known to nobody before, checkable by everybody after."""

import hashlib
import hmac
from collections import Counter

import pytest

from plenilune import BadSetting, Match
from plenilune.core import dice
from plenilune.core.dice import Dice


def test_a_pick_is_the_published_formula() -> None:
    """HMAC-SHA256 of `ply.attempt` under the seed, as a number, modulo how many outcomes there are."""
    number = int(hmac.new(b"moonlight", b"12.0", hashlib.sha256).hexdigest(), 16)
    assert Dice("moonlight").pick(12, range(6)) == number % 6


def test_with_nonces_the_key_is_the_published_formula() -> None:
    """HMAC-SHA256 of the word `nonces` and the nonces, under the seed, in hexadecimal, takes the place of the seed."""
    nonces = ["00" * 16, "ff" * 16]
    key = hmac.new(b"moonlight", f"nonces {nonces[0]} {nonces[1]}".encode(), hashlib.sha256).hexdigest()
    assert Dice("moonlight", nonces).key == key
    assert Dice("moonlight", nonces).pick(12, range(6)) == Dice(key).pick(12, range(6))
    assert Dice("moonlight", nonces[::-1]).key != key
    assert Dice("moonlight", nonces).commitment == Dice("moonlight").commitment


@pytest.mark.parametrize("nonce", ["", "ff", "FF" * 16, "0" * 33, "g" * 32])
def test_a_nonce_is_128_bits_in_one_spelling(nonce: str) -> None:
    with pytest.raises(BadSetting, match="a nonce is 32 hexadecimal digits"):
        Dice("moonlight", [nonce])


def test_the_commitment_is_the_seeds_sha256() -> None:
    assert Dice("moonlight").commitment == hashlib.sha256(b"moonlight").hexdigest()


def test_all_outcomes_are_equally_likely() -> None:
    counts = Counter(Dice(str(seed)).pick(ply, range(6)) for seed in range(20) for ply in range(300))
    assert sum((n - 1000) ** 2 / 1000 for n in counts.values()) < 20.5  # chi-square, 5 degrees: p = 0.001


def test_numbers_that_would_favour_some_outcomes_are_rolled_again(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = {"0": 2**256 - 1, "1": 7}
    monkeypatch.setattr(dice, "_number", lambda key, ply, attempt: numbers[str(attempt)])
    assert Dice("x").pick(0, range(6)) == 1


@pytest.mark.parametrize("seed", ["", " x", "x ", "two\nlines", "tab\t", 7])
def test_a_seed_is_one_line_of_text(seed: str) -> None:
    with pytest.raises(BadSetting, match="a seed is a line of text"):
        Match("moon-leap", 2, seed)
