// Links the grammar of a language to the library when it is loaded: both are modules of WebAssembly that share a memory and a table of
// functions. What a grammar needs is in its section `dylink.0`, as in the conventions for dynamic linking of WebAssembly.

interface Core extends WebAssembly.Exports {
  memory: WebAssembly.Memory;
  __indirect_function_table: WebAssembly.Table;
  calloc(count: number, bytes: number): number;
  cst_room(bytes: number): number;
  cst_add(grammar: number, address: number, bytes: number): number;
  cst_call(address: number, bytes: number): number;
  cst_panicked(): number;
}

interface Needs {
  memory: number;
  /** Two to the power of this. */
  alignment: number;
  table: number;
}

function needs(module: WebAssembly.Module): Needs {
  const bytes = new Uint8Array(WebAssembly.Module.customSections(module, "dylink.0")[0]!);
  let at = 0;
  const number = (): number => {
    let value = 0, shift = 0, byte;
    do {
      byte = bytes[at++]!;
      value |= (byte & 127) << shift;
      shift += 7;
    } while (byte & 128);
    return value >>> 0;
  };
  while (at < bytes.length) {
    const kind = number(), size = number();
    if (kind === 1) return { memory: number(), alignment: number(), table: number() };
    at += size;
  }
  return { memory: 0, alignment: 0, table: 0 };
}

function section(module: WebAssembly.Module, name: string): Uint8Array {
  return new Uint8Array(WebAssembly.Module.customSections(module, name)[0]!);
}

interface Answer {
  result?: unknown;
  error?: { message: string; data?: object };
}

/** What a scanner calls when there is no memory left. */
const OUT_OF_MEMORY = {
  fwrite: () => 0,
  exit: () => {
    throw new WebAssembly.RuntimeError("out of memory");
  },
};

/** An instance of the library with one language. */
export class Linked {
  private readonly core: Core;

  constructor(core: WebAssembly.Module, grammar: WebAssembly.Module) {
    this.core = new WebAssembly.Instance(core, {}).exports as Core;
    const { memory, __indirect_function_table: table } = this.core;
    const { memory: size, alignment, table: functions } = needs(grammar);
    const unit = 2 ** alignment;
    // Zeros, as a program finds what it does not initialise.
    const address = Math.ceil(this.core.calloc(1, size + unit) / unit) * unit;
    const constant = (value: number) => new WebAssembly.Global({ value: "i32", mutable: false }, value);
    const env = { ...OUT_OF_MEMORY, ...this.core, __memory_base: constant(address), __table_base: constant(table.grow(functions)), memory, __indirect_function_table: table };
    const linked = new WebAssembly.Instance(grammar, { env }).exports as Record<string, () => void>;
    linked["__wasm_apply_data_relocs"]?.();
    linked["__wasm_call_ctors"]?.();
    const index = table.grow(1);
    table.set(index, linked[new TextDecoder().decode(section(grammar, "cst.symbol"))]);
    const added = this.asked(() => this.core.cst_add(index, ...this.write(section(grammar, "cst.language"))));
    if (added.error) throw new Error(added.error.message);
  }

  private write(bytes: Uint8Array): [number, number] {
    const address = this.core.cst_room(bytes.length);
    new Uint8Array(this.core.memory.buffer, address, bytes.length).set(bytes);
    return [address, bytes.length];
  }

  private read(address: number): string {
    const { buffer } = this.core.memory;
    const length = new DataView(buffer).getUint32(address, true);
    return new TextDecoder().decode(new Uint8Array(buffer, address + 4, length));
  }

  call(method: string, params: object): Answer {
    return this.asked(() => this.core.cst_call(...this.write(new TextEncoder().encode(JSON.stringify({ method, params })))));
  }

  private asked(ask: () => number): Answer {
    try {
      return JSON.parse(this.read(ask())) as Answer;
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError)) throw error;
      const message = this.read(this.core.cst_panicked());
      throw new WebAssembly.RuntimeError(message || error.message);
    }
  }
}
