"""Every patch of numba and numba-cuda that runs while games are played, and every use of their internals.

One other module does this: `wasm/target.py` has numba generate WebAssembly, in a process that does nothing else.

None of this is a public interface, so pyproject.toml bounds the versions from above. To raise a bound, run
`tests/test_numba_patches.py`: each test fails if what is done here no longer works, or is no longer needed. What is
done for numba-cuda is tested in `tests/rl/test_cuda.py`.
"""

from __future__ import annotations

import functools
import hashlib
import math
import secrets
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np
from numba import types
from numba.core import cgutils, event
from numba.core.bytecode import FunctionIdentity
from numba.core.cpu import CPUContext
from numba.extending import intrinsic
from numba.np import arrayobj, numpy_support

F = TypeVar("F", bound=Callable[..., Any])

# numba tells compiled functions of one name apart by counting them, from 1 in each process. So code kept on disk by two
# processes could call each other's functions, one game's for another's (numba#10486). Random ids differ.
FunctionIdentity._unique_ids = iter(lambda: secrets.randbits(64), None)


def compiled(f: F, cache: Path, inlined: bool = False) -> F:
    """The function, compiled when it is first called and kept in the folder `cache`."""
    numba.config.CACHE_DIR = str(cache)  # numba has no such argument; it reads this while it decorates f
    # `_nrt=False`: rules allocate nothing, so no references need be counted; counting takes a seventh of a search.
    options = {"forceinline": True} if inlined else {}
    return numba.njit(cache=True, nogil=True, _nrt=False, **options)(f)  # type: ignore[no-any-return]


def stack_array(shape: tuple[int, ...], dtype: Any) -> Callable[[], Any]:
    """What `engine.stack_array` gives compiled code. numba allocates arrays on the heap only, where they would have to
    be counted; this builds an array's structure around a stack allocation."""
    array = types.Array(numba.from_dtype(np.dtype(dtype)), len(shape), "C")

    def typed(typing: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            data = cgutils.alloca_once(builder, context.get_data_type(array.dtype), size=math.prod(shape))
            return array_over(context, builder, array, data, shape)

        return array(), codegen

    made: Callable[[], Any] = intrinsic(typed)
    return made


def array_over(context: Any, builder: Any, kind: types.Array, data: Any, shape: Sequence[Any]) -> Any:
    """An array as compiled code has it, contiguous, over data that are there already. How long its first dimension is
    may be known only when the code runs."""

    def number(n: int) -> Any:
        return context.get_constant(types.intp, n)

    made, itemsize = arrayobj.make_array(kind)(context, builder), dtype_of(kind.dtype).itemsize
    arrayobj.populate_array(
        made,
        data=builder.bitcast(data, made.data.type),
        shape=[number(n) if isinstance(n, int) else n for n in shape],
        strides=[number(itemsize * math.prod(shape[axis + 1 :])) for axis in range(len(shape))],
        itemsize=number(itemsize),
        meminfo=None,
    )
    return made._getvalue()


LINE = 64  # bytes that a processor fetches at once
FEW_LINES = 16  # one after another, it fetches so many unasked


def fetched(typing: Any, array: Any, i: Any) -> Any:
    """What `engine.fetch` is in compiled code; nothing on a GPU, where other threads play while one waits."""

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        size = dtype_of(array.dtype).itemsize
        if size <= FEW_LINES * LINE or not isinstance(context, CPUContext):
            return context.get_dummy_value()
        from llvmlite import ir

        def number(n: int) -> Any:
            return ir.Constant(ir.IntType(32), n)

        pointer = ir.IntType(8).as_pointer()
        shape = ir.FunctionType(ir.VoidType(), [pointer, *[ir.IntType(32)] * 3])
        prefetch = cgutils.get_or_insert_function(builder.module, shape, "llvm.prefetch.p0i8")
        data = builder.bitcast(arrayobj.make_array(array)(context, builder, arguments[0]).data, pointer)
        first = builder.mul(arguments[1], context.get_constant(types.intp, size))
        for at in range(0, size, LINE):
            place = builder.gep(data, [builder.add(first, context.get_constant(types.intp, at))])
            builder.call(prefetch, [place, number(1), number(3), number(1)])  # to write, to keep near, data
        return context.get_dummy_value()

    return types.void(array, types.intp), codegen


fetch = intrinsic(fetched)


def dtype_of(kind: types.Type) -> np.dtype[Any]:
    """The numpy type of a record's type or a number's; the way back from `numba.from_dtype`, which is public."""
    dtype: np.dtype[Any] = numpy_support.as_dtype(kind)
    return dtype


# What threads tell each other while they run compiled code, in an array of int64 that they share. What one thread wrote
# before it stored or changed a number is seen by whoever reads that number afterwards.


@intrinsic  # type: ignore[untyped-decorator]
def atomic_load(typing: Any, array: Any, index: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.load_atomic(place_in(context, builder, signature, arguments), "acquire", 8)

    return types.int64(array, index), codegen


@intrinsic  # type: ignore[untyped-decorator]
def atomic_store(typing: Any, array: Any, index: Any, value: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        builder.store_atomic(arguments[2], place_in(context, builder, signature, arguments), "release", 8)
        return context.get_dummy_value()

    return types.none(array, index, types.int64), codegen


def atomic_change(operation: str) -> Any:
    """A function that changes array[index] by a value, as LLVM's atomicrmw does, and returns what was there before."""

    def typed(typing: Any, array: Any, index: Any, value: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.atomic_rmw(
                operation, place_in(context, builder, signature, arguments), arguments[2], "seq_cst"
            )

        return types.int64(array, index, types.int64), codegen

    return intrinsic(typed)


def place_in(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """Where array[index] is, of the first two arguments."""
    array = arrayobj.make_array(signature.args[0])(context, builder, arguments[0])
    return cgutils.get_item_pointer(context, builder, signature.args[0], array, [arguments[1]])


@intrinsic  # type: ignore[untyped-decorator]
def yield_processor(typing: Any) -> Any:
    """Let another thread run on this processor, if one waits for it."""

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        from llvmlite import ir

        name = "SwitchToThread" if sys.platform == "win32" else "sched_yield"
        function = cgutils.get_or_insert_function(builder.module, ir.FunctionType(ir.IntType(32), []), name)
        builder.call(function, [])
        return context.get_dummy_value()

    return types.none(), codegen


@contextmanager
def compilations_counted(report: Callable[[int], None]) -> Iterator[None]:
    """Report how many functions have been compiled, at the beginning and the end of each."""
    done = 0

    def on_start(*_: Any) -> None:
        report(done)

    def on_end(*_: Any) -> None:
        nonlocal done
        done += 1
        report(done)

    with ExitStack() as listening:
        for events, kind in ((event, "numba:compile"), (sys.modules.get(CUDA_EVENTS), "numba-cuda:compile")):
            if events:
                count = type("Count", (events.Listener,), {"on_start": on_start, "on_end": on_end})
                listening.enter_context(events.install_listener(kind, count()))
        yield


# Graphics processors. numba-cuda is imported only where one is asked for.

CUDA_EVENTS = "numba.cuda.core.event"
GLOBAL_MEMORY = 1


@functools.cache
def cuda_module() -> Any:
    """`numba.cuda` as numba-cuda has it, with tables where they have room."""
    if not hasattr(np, "row_stack"):  # numpy 2.5 has none; numba-cuda 0.30 looks for it
        np.row_stack = np.vstack
    from numba import cuda

    if not cuda_is_simulated():
        from numba.cuda.target import CUDATargetContext

        CUDATargetContext.make_constant_array = table
    return cuda


def cuda_is_simulated() -> bool:
    from numba.cuda.core import config

    return bool(config.ENABLE_CUDASIM)


def compiled_for_cuda(f: F, cache: Path) -> F:
    """The function as a kernel, compiled when it is first launched and kept in the folder `cache`."""
    from numba.cuda.core import config

    config.CACHE_DIR = str(cache)
    # Without optimization while linking, what runs is the PTX that the tests have looked at.
    options = {} if cuda_is_simulated() else {"lto": False}
    return cuda_module().jit(f, cache=True, **options)  # type: ignore[no-any-return]


def table(context: Any, builder: Any, kind: Any, array: Any) -> Any:
    """What compiled code reads of an array that a rule names. numba-cuda puts it into constant memory, once for each
    function that reads it: that is 64 kB in all, and slow where the threads of a warp read different places. Here it
    is in global memory, and there once."""
    from llvmlite import ir

    array = np.ascontiguousarray(array)
    name = f"table_{hashlib.sha256(array.tobytes()).hexdigest()}"
    place = builder.module.globals.get(name)
    if place is None:
        value = ir.Constant(ir.ArrayType(ir.IntType(8), array.nbytes), bytearray(array.tobytes()))
        place = ir.GlobalVariable(builder.module, value.type, name, addrspace=GLOBAL_MEMORY)
        place.linkage, place.global_constant, place.initializer, place.align = "linkonce_odr", True, value, 16
    anywhere = builder.addrspacecast(place, ir.IntType(8).as_pointer(), "generic")
    return array_over(context, builder, kind, anywhere, array.shape)


@contextmanager
def compiling_for(capability: tuple[int, int]) -> Iterator[None]:
    """Compile for GPUs of this compute capability, where there may be none."""
    from numba.cuda import dispatcher

    found, device = dispatcher.get_current_device, type("Device", (), {"compute_capability": capability})
    dispatcher.get_current_device = lambda: device
    try:
        yield
    finally:
        dispatcher.get_current_device = found


def ptx(kernel: Any, arguments: tuple[Any, ...], capability: tuple[int, int]) -> str:
    """The kernel for arguments of such types, as the assembly code of NVIDIA's GPUs."""
    with compiling_for(capability):
        signature = types.void(*map(numba.typeof, arguments))
        code, _ = cuda_module().compile(kernel.py_func, signature, device=False, abi="numba", cc=capability)
    return str(code)
