// What the page asks of an engine. Everything goes through this interface, so that the engine may also run in the page.

export interface Row {
  path: string;
  type: string;
  kind: string;
  name?: string;
  qualname?: string;
  start_line: number;
  start_col: number;
  end_line: number;
  end_col: number;
  source_line?: string;
}

export interface ListedFile {
  path: string;
  bytes: number;
  language?: string;
}

export interface Files {
  files: ListedFile[];
  writes: boolean;
  version: string;
}

export interface ShownFile {
  path: string;
  language: string;
  text: string;
  spans: number[];
  classes: string[];
  /** Its first syntax errors. */
  errors?: ShownError[];
}

export interface ShownError {
  start_line: number;
  start_col: number;
  end_line: number;
  end_col: number;
  what: string;
}

export interface TreeNode {
  node: number;
  level: number;
  type: string;
  kind: string;
  field?: string;
  text: string;
  start_line: number;
  start_col: number;
  end_line: number;
  end_col: number;
}

export interface Inspected {
  node: number;
  nodes: TreeNode[];
  kinds: string[];
  attributes: [string, string[]][];
  proposals: { selector: string; matches: number }[];
}

export interface Definition {
  name: string;
  kind: string;
  qualname: string;
  signature: string;
  start_line: number;
  end_line: number;
  depth: number;
}

/** A file that was not searched, and why. */
export interface Skipped {
  path: string;
  error: { code: string; message: string };
  /** A rule of the search left it out, and nothing failed. */
  by_rule?: boolean;
}

export interface Found {
  total: number;
  truncated: boolean;
  near?: string[];
  files: { searched: number; matched: number; skipped?: Skipped[]; with_errors?: string[] };
}

export interface Explained {
  read_as: string;
  steps: { step: string; nodes?: number }[];
  near: string[];
  words: Record<string, string[]>;
}

export interface ChangedFile {
  path: string;
  matches: number;
  applied: number;
  /** The start of the hash of its new content. */
  revision?: string;
  diff?: string;
  notes?: string[];
  error?: { message: string; hint?: string };
}

export interface Changes {
  files: ChangedFile[];
  matches: number;
  applied: number;
  written: boolean;
  transaction?: string;
  searched: number;
  near?: string[];
}

/** A write that can be undone. */
export interface Transaction {
  transaction: string;
  request?: string;
  time: string;
  files: string[];
}

export interface CallNode {
  qualname: string;
  kind: string;
  path: string;
  line: number;
  col: number;
  is_cycle?: boolean;
  calls?: CallNode[];
}

export interface Calls {
  root: CallNode;
  candidates: number;
  undetermined: number;
}

export interface ErrorData {
  code?: string;
  hint?: string;
  path?: string;
  [key: string]: unknown;
}

export class EngineError extends Error {
  constructor(message: string, readonly data: ErrorData) {
    super(message);
  }
}

/** An error in words, with what to do about it. */
export function explained(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return error instanceof EngineError && error.data.hint ? `${message}: ${String(error.data.hint)}` : message;
}

/** What is said when nothing answers. */
function silent(): EngineError {
  return new EngineError("the program does not answer", { code: "no_program", hint: "start `cst ui` again and open the address that it prints" });
}

/** A selector or a code pattern. */
export interface Query {
  selector?: string;
  pattern?: string;
}

export interface Progress {
  done: number;
  total: number | null;
  message?: string;
}

export interface Listener {
  rows?(rows: Row[]): void;
  progress?(progress: Progress): void;
}

export interface Engine {
  ask<T>(method: string, params: object): Promise<T>;
  /** A long request: rows and progress as they come. */
  stream<T>(method: string, params: object, listener: Listener, signal?: AbortSignal): Promise<T>;
}

interface Answer<T> {
  result?: T;
  error?: { message: string; data?: ErrorData };
}

function settle<T>(answer: Answer<T>): T {
  if (answer.error) throw new EngineError(answer.error.message, answer.error.data ?? {});
  return answer.result as T;
}

/** The engine of the program that served the page. The page's address has the token. */
export class HttpEngine implements Engine {
  private async post(path: string, method: string, params: object, signal?: AbortSignal): Promise<Response> {
    const asked = fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
      signal: signal ?? null,
    });
    const response = await asked.catch((error: unknown) => {
      throw signal?.aborted ? error : silent();
    });
    if (!response.ok) throw new EngineError(`the program answered ${response.status}`, { hint: "start `cst ui` again" });
    return response;
  }

  async ask<T>(method: string, params: object): Promise<T> {
    return settle<T>(await (await this.post("rpc", method, params)).json());
  }

  async stream<T>(method: string, params: object, listener: Listener, signal?: AbortSignal): Promise<T> {
    const response = await this.post("stream", method, params, signal);
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        throw signal?.aborted ? error : silent();
      });
      if (done) throw silent();
      const lines = (rest + value).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        if (line === "") continue;
        const part = JSON.parse(line) as { rows?: Row[]; progress?: Progress } & Answer<T>;
        if (part.rows) listener.rows?.(part.rows);
        else if (part.progress) listener.progress?.(part.progress);
        else {
          await reader.cancel();
          return settle<T>(part);
        }
      }
    }
  }
}
