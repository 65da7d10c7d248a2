"""How fast the games are as environments on a GPU, beside the same rules on this machine's cores, in the same run.

    python -m benchmarks.gpu              # rates
    python -m benchmarks.gpu --compare    # whether the GPU gives the bytes that the CPU gives
    python -m benchmarks.gpu --kernels    # registers and spills, for NVIDIA's GPUs since Hopper; needs none

Games may be named. A rate counts random play: choosing, the step, masks and observations.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from benchmarks.environments import KINDS
from plenilune import BadSetting
from plenilune.rl import Batch
from plenilune.rl.batch import require_numba_cuda
from plenilune.rl.settings import ACTIONS

MANY = (1 << 10, 1 << 13, 1 << 16, 1 << 18, 1 << 20)  # matches at once on the GPU
ON_CPU = 1 << 14  # matches at once on the CPU
COPIED = 1 << 16  # where copying to numpy is measured
SECONDS = 2.0
HOPPER = (9, 0)
NO_ASSEMBLER = (
    "there is neither ptxas, which NVIDIA's CUDA toolkit has, nor nvJitLink, which pip install 'plenilune[cuda]' brings"
)
LINKER = re.compile(
    r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads.*?Used (\d+) reg", re.S
)
COMPARED, STEPS = 300, 150


class Kernel(NamedTuple):
    """What a thread of a compiled kernel needs."""

    registers: int
    stack: int  # bytes
    spilled: int  # bytes written to memory and read again because registers ran out


def kernel(ptx: str) -> Kernel:
    """Have the assembly code made into machine code, and read its report."""
    (target,) = re.findall(r"^\.target (\w+)", ptx, re.M)
    said = LINKER.search(assembled(ptx, target))
    assert said, "the report says nothing of registers"
    stack, stored, loaded, registers = map(int, said.groups())
    return Kernel(registers, stack, stored + loaded)


def assembled(ptx: str, target: str) -> str:
    """What NVIDIA's assembler tells of the kernel: the one in nvJitLink, otherwise `ptxas`."""
    from cuda.core import Linker, LinkerOptions, ObjectCode

    try:
        linker = Linker(ObjectCode.from_ptx(ptx.encode()), options=LinkerOptions(arch=target, verbose=True))
    except RuntimeError as error:  # nvJitLink is not found
        if ptxas := shutil.which("ptxas"):
            return by_ptxas(ptxas, ptx, target)
        raise BadSetting(NO_ASSEMBLER) from error
    linker.link("cubin")
    return str(linker.get_info_log())


def by_ptxas(ptxas: str, ptx: str, target: str) -> str:
    with tempfile.NamedTemporaryFile("w", suffix=".ptx") as source:
        source.write(ptx)
        source.flush()
        arguments = [ptxas, "--verbose", f"--gpu-name={target}", "--output-file", os.devnull, source.name]
        done = subprocess.run(arguments, capture_output=True, text=True)
    if done.returncode:
        raise BadSetting(f"ptxas refuses the kernel: {(done.stderr or done.stdout).strip()}")
    return done.stdout + done.stderr


def assembly(game: str, seats: int, **how: Any) -> str:
    require_numba_cuda()
    from plenilune.rl import cuda

    player = Batch(game, seats, 1, **how)._player
    return cuda.assembly(player.rules, player.lanes, player.shown, HOPPER)


def rate(batch: Batch) -> float:
    """Decisions a second."""
    for _ in range(3):
        batch.step(batch.sample())
    done, began = 0, time.perf_counter()
    while (spent := time.perf_counter() - began) < SECONDS:
        batch.step(batch.sample())
        done += batch.n
    return done / spent


def rates(game: str) -> Iterator[tuple[str, int, float]]:
    """Where, how many matches at once, and decisions a second."""
    how: dict[str, Any] = {"seats": 2, "actions": KINDS[game], "views": True}
    cores = os.cpu_count() or 1
    yield "CPU, one core", 1024, rate(Batch(game, n=1024, **how))
    yield f"CPU, {cores} threads", ON_CPU, rate(Batch(game, n=ON_CPU, threads=cores, **how))
    for n in MANY:
        yield "GPU", n, rate(Batch(game, n=n, device="cuda", **how))
    yield "GPU, copies", COPIED, rate(Batch(game, n=COPIED, device="cuda", **{**how, "views": False}))


def outputs(batch: Batch, steps: int = STEPS) -> Iterator[tuple[str, str]]:
    """Digests of everything that a batch gives out in random play: the same on every device."""
    for step in range(steps):
        shown = batch.step(batch.sample())
        for name, array in zip(shown._fields, shown, strict=True):
            if array is not None:
                yield f"step {step}, {name}", digest(host(array).tobytes())
    yield "observe", digest(host(batch.observe(batch.seats - 1)).tobytes())
    saved = batch.save()
    yield "save", digest(saved)
    batch.reset(seed=5, mask=np.arange(batch.n) % 3 == 0)
    yield "reset", digest(batch.save())
    yield "restore", digest(host(batch.restore(saved).legal).tobytes())
    wrong = np.full(batch.n, -7)
    try:
        batch.step(wrong)
    except ValueError as refusal:
        yield "refusal", str(refusal)
    yield "nothing was played", digest(batch.save())


def host(array: Any) -> Any:
    return array if isinstance(array, np.ndarray) else np.ascontiguousarray(array.copy_to_host())


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


def compare(game: str) -> Iterator[tuple[str, int]]:
    """How many outputs are the same on a GPU as on the CPU, by configuration; the first that differs is an error."""
    for observe in ("tokens", "planes", "state"):
        for actions in ACTIONS:
            for views, autoreset in ((False, "next"), (True, "same")):
                how: dict[str, Any] = {"observe": observe, "actions": actions, "autoreset": autoreset, "views": views}
                batches = [
                    Batch(game, 2, COMPARED, 3, most_steps=70, device=device, **how) for device in ("cpu", "cuda")
                ]
                pairs = list(zip(*map(outputs, batches), strict=True))
                for (what, ours), (_, theirs) in pairs:
                    assert ours == theirs, f"{game}, {how}: {what} differs"
                yield f"{observe}, {actions}, autoreset {autoreset}", len(pairs)


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.gpu", description=__doc__, add_help=False)
    parser.add_argument("games", nargs="*", choices=[*KINDS, []])
    parser.add_argument("--compare", action="store_true")
    parser.add_argument("--kernels", action="store_true")
    given = parser.parse_args(arguments)
    try:
        for game in given.games or KINDS:
            if given.kernels:
                show_kernels(game)
            elif given.compare:
                for what, count in compare(game):
                    print(f"{game}, {what}: {count} outputs are the same", flush=True)
            else:
                show_rates(game)
    except BadSetting as refusal:
        print(f"Nothing was measured: {refusal}.")


def show_kernels(game: str) -> None:
    for observe in ("tokens", "planes", "nothing"):
        found = kernel(assembly(game, 2, actions=KINDS[game], observe=observe))
        print(
            f"{game}, {observe}: {found.registers} registers, stack {found.stack}, spilled {found.spilled}", flush=True
        )


def show_rates(game: str) -> None:
    began = time.perf_counter()
    Batch(game, 2, 1, device="cuda", actions=KINDS[game])
    from plenilune.rl import cuda

    print(f"{game}: ready after {time.perf_counter() - began:.1f} s", flush=True)
    newest = list(cuda.play.overloads.values())[-1]
    print(f"  {newest.regs_per_thread} registers and {newest.local_mem_per_thread} bytes of local memory for a thread")
    for where, n, speed in rates(game):
        print(
            f"  {where:<16}{n:>10,} at once {speed / 1e6:>10.2f} million decisions/s"
            f" {n / speed * 1e6:>12,.0f} µs a step"
        )


if __name__ == "__main__":
    main(sys.argv[1:])
