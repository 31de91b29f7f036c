import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { CstError, ProgramError, ProtocolError, RequestError } from "./errors.js";
import type { EngineError, Progress, RequestOptions } from "./protocol.js";

/** What `cst rpc` takes for one message. */
const MAX_MESSAGE = 64 * 1024 * 1024;
const CANCELLED = -32800;
const CANNOT = -32000;
const INVALID_PARAMS = -32602;
/** How much of standard error is kept, for the message about a program that ended. */
const KEPT = 4096;
/** A surrogate without its other half, as JSON.stringify writes it. */
const LONE_SURROGATE = /(?<!\\)(?:\\\\)*\\ud[89a-f][0-9a-f]{2}/;

interface Pending {
  method: string;
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
  onProgress: ((progress: Progress) => void) | undefined;
  signal: AbortSignal | undefined;
}

/** The requests that a signal cancels: a signal of a thousand requests has one listener. */
interface Cancelled {
  ids: Set<number>;
  listener: () => void;
}

interface Message {
  id?: number | null;
  method?: string;
  params?: { id: number; done: number; total: number | null; message: string };
  result?: unknown;
  error?: { code: number; message: string; data?: EngineError };
}

/** A running program, and the requests that wait for its answers. While none waits, it does not keep Node running. */
export class Connection {
  private readonly pending = new Map<number, Pending>();
  private readonly signals = new Map<AbortSignal, Cancelled>();
  private next = 1;
  /** The parts of a line whose end has not come. */
  private parts: Buffer[] = [];
  private stderr = "";
  private isClosing = false;
  /** Whether it keeps Node running. */
  private holds = true;
  private ended: ProgramError | undefined;
  private readonly exited: Promise<void>;

  private constructor(private readonly child: ChildProcessWithoutNullStreams) {
    child.stdout.on("data", (chunk: Buffer) => this.read(chunk));
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.stderr = (this.stderr + text).slice(-KEPT);
    });
    // Its end is reported by `close`.
    child.stdin.on("error", () => {});
    this.exited = new Promise((resolve) => {
      // After `exit`, and after all of its output.
      child.once("close", (code, signal) => {
        this.end(code, signal);
        resolve();
      });
    });
    this.hold();
  }

  /** @throws {ProgramError} `not_started` */
  static async start(program: string, words: string[], options: { cwd?: string; env?: NodeJS.ProcessEnv }): Promise<Connection> {
    const child = spawn(program, words, { ...options, stdio: "pipe", windowsHide: true });
    try {
      await once(child, "spawn");
    } catch (cause) {
      throw new ProgramError("not_started", `'${program}' cannot be started: ${cause instanceof Error ? cause.message : cause}`, { cause });
    }
    return new Connection(child);
  }

  request(method: string, params: unknown, { signal, onProgress }: RequestOptions = {}): Promise<unknown> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      if (this.ended) throw this.ended;
      if (this.isClosing) throw new ProgramError("closed", "the session is closed");
      const id = this.next++;
      const text = JSON.stringify({ jsonrpc: "2.0", id, method, params });
      if (LONE_SURROGATE.test(text)) throw new ProtocolError(INVALID_PARAMS, `${method}: a text has half of a surrogate pair`);
      if (Buffer.byteLength(text) > MAX_MESSAGE) throw new ProtocolError(INVALID_PARAMS, `${method}: the request is larger than 64 MiB`);
      this.pending.set(id, { method, resolve, reject, onProgress, signal });
      if (signal) this.listen(signal, id);
      this.hold();
      this.child.stdin.write(`${text}\n`);
    });
  }

  /** Answers what waits, then ends the program. */
  async close(): Promise<void> {
    this.isClosing = true;
    this.hold();
    if (!this.ended) this.child.stdin.end();
    await this.exited;
  }

  /** Ends the program at once; what waits is rejected. */
  async kill(): Promise<void> {
    this.isClosing = true;
    this.hold();
    this.child.kill("SIGKILL");
    await this.exited;
  }

  private send(message: unknown): void {
    if (!this.ended) this.child.stdin.write(`${JSON.stringify(message)}\n`);
  }

  private read(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      this.parts.push(chunk.subarray(start, end));
      const line = Buffer.concat(this.parts).toString("utf8");
      this.parts = [];
      start = end + 1;
      if (line) this.answer(JSON.parse(line) as Message);
    }
    if (start < chunk.length) this.parts.push(chunk.subarray(start));
  }

  private answer(message: Message): void {
    if (message.method === "$/progress" && message.params) {
      const { id, ...progress } = message.params;
      this.pending.get(id)?.onProgress?.(progress);
      return;
    }
    const error = message.error;
    if (message.id === null || message.id === undefined) {
      // The program could not read a message, so nobody knows whose answer it is.
      if (error) this.rejectAll(new ProtocolError(error.code, error.message));
      return;
    }
    const waiting = this.take(message.id);
    if (!waiting) return;
    if (!error) {
      waiting.resolve(message.result);
    } else if (error.code === CANCELLED) {
      waiting.reject(waiting.signal?.aborted ? waiting.signal.reason : new CstError("cancelled", error.message));
    } else if (error.code === CANNOT && error.data) {
      waiting.reject(new RequestError(waiting.method, error.data));
    } else {
      waiting.reject(new ProtocolError(error.code, `${waiting.method}: ${error.message}`));
    }
  }

  private take(id: number): Pending | undefined {
    const waiting = this.pending.get(id);
    if (!waiting) return undefined;
    this.pending.delete(id);
    if (waiting.signal) this.ignore(waiting.signal, id);
    this.hold();
    return waiting;
  }

  private listen(signal: AbortSignal, id: number): void {
    let cancelled = this.signals.get(signal);
    if (!cancelled) {
      const ids = new Set<number>();
      const listener = () => {
        for (const id of ids) this.send({ jsonrpc: "2.0", method: "$/cancel", params: { id } });
      };
      cancelled = { ids, listener };
      this.signals.set(signal, cancelled);
      signal.addEventListener("abort", listener, { once: true });
    }
    cancelled.ids.add(id);
  }

  private ignore(signal: AbortSignal, id: number): void {
    const cancelled = this.signals.get(signal);
    if (!cancelled) return;
    cancelled.ids.delete(id);
    if (cancelled.ids.size === 0) {
      signal.removeEventListener("abort", cancelled.listener);
      this.signals.delete(signal);
    }
  }

  private end(exitCode: number | null, signal: string | null): void {
    const how = signal ? `was ended by ${signal}` : `ended with the exit status ${exitCode}`;
    const said = this.stderr.trim();
    this.ended = this.isClosing
      ? new ProgramError("closed", "the session is closed", { exitCode, signal })
      : new ProgramError("exited", `the program ${how}${said ? `: ${said}` : ""}`, { exitCode, signal });
    this.rejectAll(this.ended);
  }

  private rejectAll(error: CstError): void {
    for (const id of [...this.pending.keys()]) this.take(id)?.reject(error);
  }

  /** Keeps Node running while a request waits, and only then. */
  private hold(): void {
    const holds = this.pending.size > 0 || this.isClosing;
    if (this.ended || holds === this.holds) return;
    this.holds = holds;
    const how = holds ? "ref" : "unref";
    this.child[how]();
    for (const stream of [this.child.stdin, this.child.stdout, this.child.stderr]) {
      // They are sockets, which the types do not say.
      (stream as unknown as { ref?(): void; unref?(): void })[how]?.();
    }
  }
}
