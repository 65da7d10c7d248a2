"""Makes numba generate WebAssembly instead of machine code, in a process that does nothing else.

LLVM, which numba brings along, has a wasm32 target. `take_over` puts it in the place of the machine's own; whatever is
compiled afterwards can be linked into a module, and cannot be called.

These patches are apart from those of `core/numba_patches.py`, because they would break a process that plays. They too
use numba's internals, so pyproject.toml bounds its version from above. To raise the bound, run `tests/wasm`:
`test_target.py` fails if a patch no longer works, or is no longer needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import llvmlite.binding as llvm
from llvmlite import ir
from numba import _dynfunc, types
from numba.core import caching, callconv, cgutils, codegen, cpu
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target

from plenilune.core.numba_patches import array_over

TRIPLE = "wasm32-unknown-unknown"
FEATURES = "+bulk-memory,+bulk-memory-opt,+sign-ext,+nontrapping-fptoint,+mutable-globals"  # every browser since 2021
EXPORT = "export."  # before the names of the functions that a module offers
SEARCH = "simulate"  # the exported function that everything else waits for
POINTER, LENGTH, INTEGER, REAL = ir.IntType(8).as_pointer(), ir.IntType(32), ir.IntType(32), ir.DoubleType()


class Library(codegen.CPUCodeLibrary):  # type: ignore[misc]
    """Functions as LLVM's code for wasm32, which is optimised once, when all are together."""

    def _optimize_functions(self, module: Any) -> None:
        module.data_layout = self._codegen._data_layout

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        self._ensure_finalized()
        return 0


class Codegen(codegen.CPUCodegen):  # type: ignore[misc]
    """Must know the wasm32 data layout before anything is compiled: the layout of structures depends on it."""

    _library_class = Library

    def _init(self, module: Any) -> None:
        self._tm = machine()
        self._tm_features = FEATURES
        self._target_data = self._tm.target_data
        self._data_layout = str(self._target_data)

    def _create_empty_module(self, name: str) -> ir.Module:
        module = ir.Module(cgutils.normalize_ir_text(name))
        module.triple = TRIPLE
        if self._data_layout:
            module.data_layout = self._data_layout
        return module

    def _add_module(self, module: Any) -> None:
        pass

    def magic_tuple(self) -> tuple[str, ...]:
        return TRIPLE, FEATURES


def machine() -> Any:
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    target = llvm.Target.from_triple(TRIPLE)
    return target.create_target_machine(cpu="generic", features=FEATURES, opt=3, reloc="static", codemodel="default")


def _do_nothing(*arguments: Any, **options: Any) -> None:
    """In the place of what a module does not need."""


def _trap(self: Any, builder: Any, *what: Any, **where: Any) -> None:
    """In the place of an exception: nobody could catch it."""
    trap = builder.module.declare_intrinsic("llvm.trap", (), ir.FunctionType(ir.VoidType(), []))
    builder.call(trap, [])
    builder.unreachable()


def _name_without_code(self: Any, library: Any, description: Any, environment: Any) -> Any:
    """Something to know the function by."""
    library._ensure_finalized()
    name = description.qualname.split(".")[-1]
    return _dynfunc.make_function(description.lookup_module(), name, "", 1, environment, (library,))


def _refuse_address(self: Any, builder: Any, address: int, info: str) -> Any:
    if info == "CPUDispatcher":  # a function as a value: it is named, never used
        return cgutils.get_null_value(self.get_value_type(types.voidptr))
    raise TypeError(f"a rule uses something of this process: {info}")


class Patch(NamedTuple):
    """What an attribute inside numba is replaced by."""

    owner: Any
    name: str
    value: Any


PATCHES = {
    "the code generator": Patch(codegen, "JITCPUCodegen", Codegen),
    "a trap in the place of an exception": Patch(callconv.CPUCallConv, "return_user_exc", _trap),
    "no wrapper for Python": Patch(cpu.CPUContext, "create_cpython_wrapper", _do_nothing),
    "no wrapper for C": Patch(cpu.CPUContext, "create_cfunc_wrapper", _do_nothing),
    "a name without code": Patch(cpu.CPUContext, "get_executable", _name_without_code),
    "no address of this process": Patch(cpu.CPUContext, "add_dynamic_addr", _refuse_address),
    "nothing kept on disk": Patch(caching.FunctionCache, "save_overload", _do_nothing),
}


def take_over() -> None:
    """From here on, rules are compiled for WebAssembly. Call it before any rule is compiled."""
    for patch in PATCHES.values():
        setattr(*patch)


class Exports:
    """Collects functions for a module, each under a plain name and with parameters that any caller can give."""

    def __init__(self, name: str) -> None:
        self._context = cpu_target.target_context
        self._context.refresh()
        cpu_target.typing_context.refresh()
        assert isinstance(self._context.codegen(), Codegen), "call take_over() first"
        self._library = self._context.codegen().create_library(name)
        self._wrappers = self._library.create_ir_module("exports")
        self.parameters: dict[str, list[str]] = {}  # of each function, in order

    def add(self, name: str, f: Any, arguments: tuple[Any, ...]) -> None:
        f.compile(arguments)
        compiled = f.overloads[arguments]
        self._library.add_linking_library(compiled.library)
        names = f.py_func.__code__.co_varnames
        given = [p for argument, kind in zip(names, arguments, strict=False) for p in parameters(kind, argument)]
        self.parameters[name] = [parameter for parameter, _ in given]
        self._wrap(EXPORT + name, compiled, arguments, [kind for _, kind in given])

    def _wrap(self, name: str, compiled: Any, arguments: tuple[Any, ...], given: list[Any]) -> None:
        """A function that calls the compiled one."""
        convention, returned = self._context.call_conv, compiled.signature.return_type
        kind = convention.get_function_type(returned, arguments)
        callee = ir.Function(self._wrappers, kind, compiled.fndesc.llvm_func_name)
        result = ir.VoidType() if returned == types.none else INTEGER
        wrapper = ir.Function(self._wrappers, ir.FunctionType(result, given), name)
        builder = ir.IRBuilder(wrapper.append_basic_block())
        values, made = iter(wrapper.args), []
        for argument in arguments:
            made.append(self._argument(builder, argument, values))
        _, out = convention.call_function(builder, callee, returned, arguments, made)  # the status: no error
        if returned == types.none:
            builder.ret_void()
        else:
            builder.ret(builder.trunc(out, INTEGER) if out.type.width > INTEGER.width else out)

    def _argument(self, builder: Any, kind: Any, values: Any) -> Any:
        if isinstance(kind, types.BaseTuple):
            return self._context.make_tuple(builder, kind, [self._argument(builder, k, values) for k in kind.types])
        if isinstance(kind, types.Array):
            return self._array(builder, kind, next(values), next(values))
        if isinstance(kind, types.Record):
            return builder.bitcast(next(values), self._context.get_value_type(kind))
        return next(values) if isinstance(kind, types.Float) else builder.sext(next(values), ir.IntType(64))

    def _array(self, builder: Any, kind: Any, start: Any, length: Any) -> Any:
        return array_over(self._context, builder, kind, start, [builder.sext(length, ir.IntType(64))])

    def object_file(self) -> bytes:
        """All of it, optimised, as one relocatable object."""
        self._library.add_ir_module(self._wrappers)
        with global_compiler_lock:
            self._library.finalize()
        module = self._library._final_module
        for item in (*module.functions, *module.global_variables):
            if not item.name.startswith(EXPORT) and not (item.is_declaration and item.linkage != llvm.Linkage.common):
                item.linkage = "internal"
        keep_small(module)
        made_for, options = machine(), llvm.create_pipeline_tuning_options(speed_level=3)
        options.loop_vectorization = options.slp_vectorization = False  # wasm32 has no vectors without SIMD
        passes = llvm.create_pass_builder(made_for, options)
        passes.getModulePassManager().run(module, passes)
        module.verify()
        compiled: bytes = made_for.emit_object(module)
        return compiled


def keep_small(module: Any) -> None:
    """Have what no search calls compiled for size: nobody waits for it, and everybody loads it."""
    calls = {function.name: set(called(function)) for function in module.functions}
    searched = reached(calls, EXPORT + SEARCH)
    for function in module.functions:
        if function.name not in searched and not function.is_declaration:
            for attribute in ("optsize", "minsize"):
                function.add_function_attribute(attribute)


def called(function: Any) -> Iterator[str]:
    for block in function.blocks:
        for instruction in block.instructions:
            if instruction.opcode == "call":
                yield list(instruction.operands)[-1].name


def reached(calls: Mapping[str, Iterable[str]], start: str) -> set[str]:
    """The function, all that it calls, and those that are called by them in turn."""
    found, waiting = set[str](), [start]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting.extend(calls.get(name, ()))
    return found


def parameters(kind: Any, name: str) -> list[tuple[str, Any]]:
    """The parameters that stand for one argument, by name: of an array a pointer and a length."""
    if isinstance(kind, types.BaseTuple):
        parts = zip(kind.fields, kind.types, strict=True)
        return [p for field, part in parts for p in parameters(part, f"{name}.{field}")]
    if isinstance(kind, types.Array):
        return [(name, POINTER), (f"{name}.length", LENGTH)]
    if isinstance(kind, types.Record):
        return [(name, POINTER)]
    return [(name, REAL if isinstance(kind, types.Float) else INTEGER)]
