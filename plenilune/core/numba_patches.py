"""Every use of numba's internals, and every patch of them.

None of this is numba's public interface, so pyproject.toml bounds numba's version from above. To raise the bound, run
`tests/test_numba_patches.py`: each test fails if what is done here no longer works, or is no longer needed.
"""

from __future__ import annotations

import math
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np
from numba import types
from numba.core import cgutils, event
from numba.core.bytecode import FunctionIdentity
from numba.extending import intrinsic
from numba.np import arrayobj, numpy_support

F = TypeVar("F", bound=Callable[..., Any])

# numba tells compiled functions of one name apart by counting them, from 1 in each process. So code kept on disk by two
# processes could call each other's functions, one game's for another's (numba#10486). Random ids differ.
FunctionIdentity._unique_ids = iter(lambda: secrets.randbits(64), None)


def compiled(f: F, cache: Path) -> F:
    """The function, compiled when it is first called and kept in the folder `cache`."""
    numba.config.CACHE_DIR = str(cache)  # numba has no such argument; it reads this while it decorates f
    # `_nrt=False`: rules allocate nothing, so no references need be counted; counting takes a seventh of a search.
    return numba.njit(cache=True, nogil=True, _nrt=False)(f)  # type: ignore[no-any-return]


def stack_array(shape: tuple[int, ...], dtype: Any) -> Callable[[], Any]:
    """What `engine.stack_array` gives compiled code. numba allocates arrays on the heap only, where they would have to
    be counted; this builds an array's structure around a stack allocation."""
    array = types.Array(numba.from_dtype(np.dtype(dtype)), len(shape), "C")
    sizes = (*shape, np.dtype(dtype).itemsize)

    def typed(typing: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            def number(n: int) -> Any:
                return context.get_constant(types.intp, n)

            made = arrayobj.make_array(array)(context, builder)
            arrayobj.populate_array(
                made,
                data=cgutils.alloca_once(builder, context.get_data_type(array.dtype), size=math.prod(shape)),
                shape=[number(n) for n in shape],
                strides=[number(math.prod(sizes[axis + 1 :])) for axis in range(len(shape))],
                itemsize=number(sizes[-1]),
                meminfo=None,
            )
            return made._getvalue()

        return array(), codegen

    made: Callable[[], Any] = intrinsic(typed)
    return made


def dtype_of(record: types.Record) -> np.dtype[Any]:
    """The numpy type of a record's type; the way back from `numba.from_dtype`, which is public."""
    dtype: np.dtype[Any] = numpy_support.as_dtype(record)
    return dtype


@contextmanager
def compilations_counted(report: Callable[[int], None]) -> Iterator[None]:
    """Report how many functions have been compiled, at the beginning and the end of each."""

    class Count(event.Listener):  # type: ignore[misc]
        done = 0

        def on_start(self, _: Any) -> None:
            report(self.done)

        def on_end(self, _: Any) -> None:
            self.done += 1
            report(self.done)

    with event.install_listener("numba:compile", Count()):
        yield
