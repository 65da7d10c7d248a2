/** A compiled module with memory of its own: where things lie in it, and what it exports. */
import type { Manifest } from "./manifest";

export type Call = (...values: number[]) => number;

const PAGE = 65536;
const ALIGNED = 16; // bytes; every type of number and vector may lie there

export class Module {
  private readonly functions: Readonly<Record<string, unknown>>;
  private readonly memory: WebAssembly.Memory;
  private top: number; // what lies below is in use
  private whole: Uint8Array;
  private seenAs: DataView;

  constructor(
    readonly compiled: WebAssembly.Module,
    readonly manifest: Manifest,
  ) {
    this.functions = new WebAssembly.Instance(compiled).exports;
    this.memory = this.functions["memory"] as WebAssembly.Memory;
    this.top = Math.ceil(Number((this.functions["__heap_base"] as WebAssembly.Global).value) / ALIGNED) * ALIGNED;
    this.whole = new Uint8Array(this.memory.buffer);
    this.seenAs = new DataView(this.memory.buffer);
  }

  /** The memory as it is now; do not keep it across an `allocate`, which may replace it. */
  get bytes(): Uint8Array {
    return this.whole;
  }

  get data(): DataView {
    return this.seenAs;
  }

  /** The address of so many bytes, all zero. Throws a RangeError if there is no room for them. */
  allocate(size: number): number {
    this.reserve(size);
    const start = this.top;
    this.top = Math.ceil((start + size) / ALIGNED) * ALIGNED;
    return start;
  }

  /** Have room for so much, or throw a RangeError. */
  reserve(size: number): void {
    const missing = Math.ceil((this.top + size - this.memory.buffer.byteLength) / PAGE);
    if (missing <= 0) return;
    this.memory.grow(missing);
    this.whole = new Uint8Array(this.memory.buffer);
    this.seenAs = new DataView(this.memory.buffer);
  }

  has(name: string): boolean {
    return name in this.manifest.exports;
  }

  /** An exported function; its parameters are those of the Python function, in order. */
  call(name: string): Call {
    if (!this.has(name)) throw new TypeError(`${this.manifest.game} has no ${name}`);
    return this.functions[name] as Call;
  }

  /** What to pass to a function that takes many things, from the names of its parameters. */
  ordered(name: string, values: Readonly<Record<string, number>>): number[] {
    return (this.manifest.exports[name] ?? []).map((parameter) => {
      const value = values[parameter];
      if (value === undefined) throw new TypeError(`${name} takes ${parameter}`);
      return value;
    });
  }
}
