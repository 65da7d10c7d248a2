"""Links one relocatable object of LLVM's into a WebAssembly module that needs nothing from outside.

An object file is a module already. What is missing are addresses: where its memory, its data and its stack lie. The
format is described in the WebAssembly specification, binary format, and in its tool conventions, `Linking.md`.

The stack is at the bottom of the memory: a stack that overflows leaves the memory, which is a trap, and overwrites no
data. Then comes the data; the memory from `__heap_base` on is free for the caller.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

STACK = 1 << 16  # bytes
PAGE = 1 << 16  # the unit in which memory grows
MAGIC = b"\0asm\1\0\0\0"
CUSTOM, TYPES, IMPORTS, FUNCTIONS, TABLES, MEMORY, GLOBALS, EXPORTS, _, _, CODE, DATA, DATA_COUNT = range(13)
FUNCTION, TABLE, MEMORY_KIND, GLOBAL = range(4)  # what can be imported and exported
SEGMENT_INFO, SYMBOL_TABLE = 5, 8  # parts of the section `linking`
DATA_SYMBOL = 1  # every other kind that occurs has an index
UNDEFINED, EXPLICIT_NAME = 0x10, 0x40  # flags of symbols
# Relocations: what is to be written, and how.
FUNCTION_INDEX, ADDRESS, SIGNED_ADDRESS, WORD_ADDRESS, TYPE_INDEX, GLOBAL_INDEX = 0, 3, 4, 5, 6, 7
I32, CONSTANT, END = b"\x7f", b"\x41", b"\x0b"  # a type, and instructions
FIXED, VARIABLE = b"\0", b"\1"


class LinkError(Exception):
    """The object holds something that no rule should need."""


@dataclass
class Symbol:
    kind: int
    index: int  # of a function, a global …; of data, the segment
    name: str
    defined: bool
    offset: int = 0  # of data, in its segment


@dataclass
class Segment:
    address: int
    start: int  # in the object's data section
    size: int


@dataclass
class Object:
    sections: dict[int, bytearray]
    custom: dict[str, bytes]
    symbols: list[Symbol] = field(default_factory=list)
    alignments: list[int] = field(default_factory=list)  # of the segments, as powers of two


class Reader:
    def __init__(self, content: bytes | bytearray, at: int = 0) -> None:
        self.content, self.at = content, at

    @property
    def done(self) -> bool:
        return self.at >= len(self.content)

    def byte(self) -> int:
        self.at += 1
        return self.content[self.at - 1]

    def take(self, size: int) -> bytes:
        self.at += size
        return bytes(self.content[self.at - size : self.at])

    def number(self) -> int:
        """Unsigned LEB128."""
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    def signed(self) -> int:
        """Signed LEB128."""
        start = self.at
        value, bits = self.number(), 7 * (self.at - start)
        return value - (1 << bits) if value >> (bits - 1) else value

    def text(self) -> str:
        return self.take(self.number()).decode()


def link(content: bytes, exports: dict[str, str]) -> bytes:
    """The module that exports these functions: names in the object, by the names that callers use."""
    read = parse(content)
    segments, heap = place(read)
    relocate(read, "reloc.CODE", CODE, segments)
    relocate(read, "reloc.DATA", DATA, segments)
    return MAGIC + b"".join(sections(read, exports, segments, heap))


# Reading


def parse(content: bytes) -> Object:
    if content[: len(MAGIC)] != MAGIC:
        raise LinkError("this is not a WebAssembly object")
    read, reader = Object({}, {}), Reader(content, len(MAGIC))
    while not reader.done:
        kind, body = reader.byte(), reader.take(reader.number())
        if kind == CUSTOM:
            inner = Reader(body)
            name = inner.text()
            read.custom[name] = body[inner.at :]
        else:
            read.sections[kind] = bytearray(body)
    check_imports(Reader(read.sections.get(IMPORTS, bytearray(b"\0"))))
    for kind, part in linking_parts(Reader(read.custom["linking"])):
        if kind == SEGMENT_INFO:
            read.alignments = list(alignments(part))
        elif kind == SYMBOL_TABLE:
            read.symbols = list(symbols(part))
    return read


def check_imports(reader: Reader) -> None:
    """Memory, stack pointer and perhaps an empty table are made here; a function could only come from outside."""
    for _ in range(reader.number()):
        reader.text()
        name, kind = reader.text(), reader.byte()
        if kind == FUNCTION:
            raise LinkError(f"the rules call {name!r}, which no module has")
        if kind == GLOBAL:
            if name != "__stack_pointer":
                raise LinkError(f"the rules use the global {name!r}")
            reader.take(2)
        else:
            if kind == TABLE:
                reader.byte()
            has_most = reader.byte() & 1
            for _ in range(1 + has_most):
                reader.number()


def linking_parts(reader: Reader) -> Iterator[tuple[int, Reader]]:
    if (version := reader.number()) != 2:
        raise LinkError(f"version {version} of the object format")
    while not reader.done:
        kind, body = reader.byte(), reader.take(reader.number())
        yield kind, Reader(body)


def alignments(reader: Reader) -> Iterator[int]:
    for _ in range(reader.number()):
        reader.text()
        yield reader.number()
        reader.number()  # flags


def symbols(reader: Reader) -> Iterator[Symbol]:
    for _ in range(reader.number()):
        kind, flags = reader.byte(), reader.number()
        defined = not flags & UNDEFINED
        if kind == DATA_SYMBOL:
            name, segment, offset = reader.text(), 0, 0
            if defined:
                segment, offset, _ = reader.number(), reader.number(), reader.number()
            yield Symbol(kind, segment, name, defined, offset)
        else:
            index = reader.number()
            named = kind != 3 and (defined or flags & EXPLICIT_NAME)  # 3: a section
            yield Symbol(kind, index, reader.text() if named else "", defined)


# Addresses


def place(read: Object) -> tuple[list[Segment], int]:
    """The segments of data one after the other above the stack, and the first address after them."""
    segments, at = [], STACK
    reader = Reader(read.sections.get(DATA, bytearray(b"\0")))
    for alignment in read.alignments[: reader.number()]:
        if reader.take(2) != FIXED + CONSTANT:
            raise LinkError("data without an address")
        reader.signed()
        reader.take(len(END))
        size, at = reader.number(), aligned(at, 1 << alignment)
        segments.append(Segment(at, reader.at, size))
        reader.take(size)
        at += size
    return segments, aligned(at, 16)


def aligned(at: int, to: int) -> int:
    return -(-at // to) * to


def relocate(read: Object, table: str, section: int, segments: Sequence[Segment]) -> None:
    """Write what the table says into the section."""
    reader = Reader(read.custom.get(table, b"\0\0"))
    reader.number()  # which section: its name says it too
    for _ in range(reader.number()):
        kind, offset, index = reader.byte(), reader.number(), reader.number()
        addend = reader.signed() if kind in (ADDRESS, SIGNED_ADDRESS, WORD_ADDRESS) else 0
        if kind == TYPE_INDEX:
            write(read.sections[section], offset, padded(index))
        elif kind in (FUNCTION_INDEX, GLOBAL_INDEX):
            write(read.sections[section], offset, padded(read.symbols[index].index))
        elif kind in (ADDRESS, SIGNED_ADDRESS):  # below 2³¹, so the same signed and unsigned
            write(read.sections[section], offset, padded(address(read.symbols[index], segments) + addend))
        elif kind == WORD_ADDRESS:
            write(read.sections[section], offset, struct.pack("<I", address(read.symbols[index], segments) + addend))
        else:
            raise LinkError(f"relocation {kind} of {read.symbols[index].name!r}")


def address(symbol: Symbol, segments: Sequence[Segment]) -> int:
    if not symbol.defined:
        raise LinkError(f"the rules use {symbol.name!r}, which no module has")
    return segments[symbol.index].address + symbol.offset


def write(section: bytearray, offset: int, content: bytes) -> None:
    section[offset : offset + len(content)] = content


# Writing


def sections(read: Object, exports: dict[str, str], segments: Sequence[Segment], heap: int) -> Iterator[bytes]:
    functions = {symbol.name: symbol.index for symbol in read.symbols if symbol.kind == FUNCTION and symbol.defined}
    stack_pointer = I32 + VARIABLE + CONSTANT + signed(STACK) + END
    heap_base = I32 + FIXED + CONSTANT + signed(heap) + END
    offered = [(text("memory"), MEMORY_KIND, 0), (text("__heap_base"), GLOBAL, 1)]
    offered += [(text(name), FUNCTION, functions[symbol]) for name, symbol in exports.items()]
    yield section(TYPES, read.sections[TYPES])
    yield section(FUNCTIONS, read.sections[FUNCTIONS])
    yield section(MEMORY, vector([FIXED + number(-(-heap // PAGE))]))
    yield section(GLOBALS, vector([stack_pointer, heap_base]))
    yield section(EXPORTS, vector([name + bytes([kind]) + number(index) for name, kind, index in offered]))
    if segments:
        yield section(DATA_COUNT, number(len(segments)))
    yield section(CODE, read.sections[CODE])
    if segments:
        yield section(DATA, vector([data(segment, read.sections[DATA]) for segment in segments]))


def data(segment: Segment, content: bytearray) -> bytes:
    stored = bytes(content[segment.start : segment.start + segment.size])
    return FIXED + CONSTANT + signed(segment.address) + END + number(segment.size) + stored


def section(kind: int, body: bytes | bytearray) -> bytes:
    return bytes([kind]) + number(len(body)) + bytes(body)


def vector(items: Sequence[bytes]) -> bytes:
    return number(len(items)) + b"".join(items)


def text(name: str) -> bytes:
    return number(len(name.encode())) + name.encode()


def number(value: int) -> bytes:
    """Unsigned LEB128."""
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def signed(value: int) -> bytes:
    """Signed LEB128, of what is not negative."""
    out = bytearray()
    while value >= 0x40:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def padded(value: int) -> bytes:
    """Unsigned LEB128 in five bytes, the room that an object leaves for what is not known yet."""
    return bytes(value >> 7 * i & 0x7F | (0x80 if i < 4 else 0) for i in range(5))
