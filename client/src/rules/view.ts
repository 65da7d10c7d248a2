/** Reads a view out of the memory of compiled rules, by the layout that is made from its declaration. */
import type { Kind, NumberType, ViewLayout } from "./manifest";

export type Read = (data: DataView, at: number) => unknown;
export type View = Readonly<Record<string, unknown>>;

const NUMBERS: Readonly<Record<NumberType, (data: DataView, at: number) => number>> = {
  i8: (data, at) => data.getInt8(at),
  u8: (data, at) => data.getUint8(at),
  i16: (data, at) => data.getInt16(at, true),
  u16: (data, at) => data.getUint16(at, true),
  i32: (data, at) => data.getInt32(at, true),
  u32: (data, at) => data.getUint32(at, true),
  i64: (data, at) => Number(data.getBigInt64(at, true)),
  f32: (data, at) => data.getFloat32(at, true),
  f64: (data, at) => data.getFloat64(at, true),
};
const COUNT = 2; // bytes; they say how many items follow

export function numberReader(type: NumberType): (data: DataView, at: number) => number {
  return NUMBERS[type];
}

/** What reads a record of this layout: made once, so that reading looks up nothing. */
export function viewReader({ fields }: ViewLayout): (data: DataView, at: number) => View {
  const parts = fields.map(({ name, offset, kind }) => ({ name, offset, read: reader(kind) }));
  return (data, at) => {
    const made: Record<string, unknown> = {};
    for (const { name, offset, read } of parts) made[name] = read(data, at + offset);
    return made;
  };
}

function reader(kind: Kind): Read {
  switch (kind.is) {
    case "number":
      return NUMBERS[kind.type];
    case "flag":
      return (data, at) => data.getUint8(at) !== 0;
    case "entry": {
      const { table } = kind;
      return kind.type === "u8" ? (data, at) => table[data.getUint8(at)] : (data, at) => table[data.getUint16(at, true)];
    }
    case "constant":
      return () => kind.value;
    case "part":
      return viewReader(kind.layout);
    case "items": {
      const list = listReader(reader(kind.item), kind.size);
      return (data, at) => list(data, at, kind.length);
    }
    case "several": {
      const list = listReader(reader(kind.item), kind.size);
      return (data, at) => list(data, at + COUNT, data.getUint16(at, true));
    }
    case "optional": {
      const item = reader(kind.item);
      return (data, at) => (data.getUint16(at, true) ? item(data, at + COUNT) : null);
    }
    case "counts":
      return countsReader(kind.words, NUMBERS[kind.type], kind.size);
  }
}

function listReader(item: Read, size: number): (data: DataView, at: number, length: number) => unknown[] {
  return (data, at, length) => {
    const made = new Array<unknown>(length);
    for (let i = 0; i < length; i++, at += size) made[i] = item(data, at);
    return made;
  };
}

function countsReader(words: readonly string[], count: Read, size: number): Read {
  return (data, at) => {
    const made: Record<string, unknown> = {};
    if (data.getUint16(at, true)) words.forEach((word, i) => (made[word] = count(data, at + COUNT + i * size)));
    return made;
  };
}
