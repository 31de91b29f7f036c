import type { Candidate, EngineError, ErrorCode, PlaceRow } from "./protocol.js";

/** All errors of this package. `code` says which kind. */
export class CstError extends Error {
  /** A word that programs can compare; the codes of `RequestError` are listed in docs/formats.md. */
  readonly code: string;
  /** What to do about it. */
  readonly hint: string | undefined;

  constructor(code: string, message: string, hint?: string, options?: ErrorOptions) {
    super(hint ? `${message}\nhint: ${hint}` : message, options);
    this.code = code;
    this.hint = hint;
  }

  override get name(): string {
    return this.constructor.name;
  }
}

/** The request was understood and cannot be done; nothing was written. */
export class RequestError extends CstError {
  declare readonly code: ErrorCode;
  /** The request. */
  readonly method: string;
  /** The message alone, without place and hint. */
  readonly reason: string;
  readonly path: string | undefined;
  /** From 1. */
  readonly line: number | undefined;
  /** The place in the selector, as bytes of it. */
  readonly span: { start: number; end: number } | undefined;
  readonly selector: string | undefined;
  /** The operation of a batch, from 0. */
  readonly operation: number | undefined;
  /** Nodes that may have been meant. */
  readonly candidates: Candidate[];
  /** The places that prevent a refactor. */
  readonly places: PlaceRow[];
  /** All that the program said. */
  readonly data: EngineError;

  constructor(method: string, data: EngineError) {
    const place = data.path ? `${data.path}${data.line ? `:${data.line}` : ""}: ` : "";
    super(data.code, `${place}${data.message}`, data.hint ?? undefined);
    this.method = method;
    this.reason = data.message;
    this.path = data.path ?? undefined;
    this.line = data.line ?? undefined;
    this.span = data.span;
    this.selector = data.selector ?? undefined;
    this.operation = data.operation ?? undefined;
    this.candidates = data.candidates ?? [];
    this.places = data.places ?? [];
    this.data = data;
  }
}

/** What was sent is not a request: a method or a field that the program does not know, a value of another type, a message that is too large. */
export class ProtocolError extends CstError {
  /** The number that JSON-RPC has for it. */
  readonly number: number;

  constructor(number: number, message: string) {
    super("protocol", message);
    this.number = number;
  }
}

/** The program is not there, cannot be started, or has ended. */
export class ProgramError extends CstError {
  declare readonly code: "not_installed" | "not_started" | "exited" | "closed";
  /** The exit status, if it ended by itself. */
  readonly exitCode: number | null;
  /** The signal that ended it. */
  readonly signal: string | null;

  constructor(
    code: "not_installed" | "not_started" | "exited" | "closed",
    message: string,
    { hint, cause, exitCode = null, signal = null }: { hint?: string; cause?: unknown; exitCode?: number | null; signal?: string | null } = {},
  ) {
    super(code, message, hint, cause === undefined ? undefined : { cause });
    this.exitCode = exitCode;
    this.signal = signal;
  }
}
