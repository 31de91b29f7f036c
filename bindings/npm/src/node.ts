/// <reference lib="esnext.disposable" />

import { Connection } from "./connection.js";
import { programPath } from "./program.js";
import { type FindRequest, type Methods, type NodeRow, type RequestOptions, Requests } from "./protocol.js";

export { CstError, ProgramError, ProtocolError, RequestError } from "./errors.js";
export { programPath } from "./program.js";
export type * from "./protocol.js";

export interface OpenOptions {
  /** The folder to read and write in; without it, the repository around the working directory, or that directory. */
  root?: string;
  /** Reads and writes outside of the root, too. */
  allowOutside?: boolean;
  /** The working directory of the program, which its paths start from; without it, that of this process. */
  cwd?: string;
  /** Where loaded trees, their edits and backups are kept; without it, the user's folder, which the program `cst` has, too. */
  state?: string;
  /** The program; without it, that of `programPath()`. */
  program?: string;
  /** The variables of the program; without it, those of this process. */
  env?: NodeJS.ProcessEnv;
}

export interface MatchesOptions extends RequestOptions {
  /** How many matches one request asks for; 1,000 without it. */
  pageSize?: number;
}

/**
 * A program `cst rpc` that answers requests. Requests take effect in the order of their calls, and need not wait for each other.
 * Node ends while it is open, if nothing else is to be done.
 */
export class Session extends Requests {
  /** @internal */
  constructor(private readonly connection: Connection) {
    super();
  }

  /** Sends a request: what each of the other methods does. */
  request<M extends keyof Methods>(method: M, params: Methods[M]["params"], options?: RequestOptions): Promise<Methods[M]["result"]> {
    return this.connection.request(method, params, options) as Promise<Methods[M]["result"]>;
  }

  /**
   * The matches of `find`, page by page. Files that change between two pages are searched as they are then: the matches of the file
   * in which a page ended are listed again, if it changed.
   */
  async *matches(params: FindRequest, { pageSize = 1000, ...options }: MatchesOptions = {}): AsyncGenerator<NodeRow, void, undefined> {
    let left = params.limit ?? Number.POSITIVE_INFINITY;
    let cursor = params.cursor;
    while (left > 0) {
      const page = { ...params, limit: Math.min(left, pageSize), ...(cursor == null ? {} : { cursor }) };
      const found = await this.find(page, options);
      yield* found.matches;
      left -= found.matches.length;
      if (!found.truncated || !found.cursor) return;
      cursor = found.cursor;
    }
  }

  /** Waits for the answers of all requests, then ends the program. */
  close(): Promise<void> {
    return this.connection.close();
  }

  /** Ends the program at once. Requests that wait are rejected. */
  kill(): Promise<void> {
    return this.connection.kill();
  }
}

export interface Session {
  [Symbol.asyncDispose](): Promise<void>;
}

// Node has it since 18.18.
if (Symbol.asyncDispose) {
  Object.defineProperty(Session.prototype, Symbol.asyncDispose, {
    value(this: Session) {
      return this.close();
    },
  });
}

/**
 * Starts the program.
 *
 * @throws {ProgramError} `not_installed`, `not_started`
 */
export async function open(options: OpenOptions = {}): Promise<Session> {
  const words = ["rpc"];
  if (options.root !== undefined) words.push("--root", options.root);
  if (options.allowOutside) words.push("--allow-outside");
  if (options.state !== undefined) words.push("--state", options.state);
  const place = { ...(options.cwd === undefined ? {} : { cwd: options.cwd }), ...(options.env === undefined ? {} : { env: options.env }) };
  return new Session(await Connection.start(options.program ?? programPath(), words, place));
}
