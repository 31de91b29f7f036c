"use strict";

import "reflect-metadata";
import type { Request, Response } from "./http";
import { Injectable, Inject as inject, type Provider } from "./di";
import React, { useState, useEffect as onEffect } from "react";
import defaults, { type Shape } from "./defaults";
import * as path from "node:path";
import fs = require("fs");
import Level = logging.Level;

const legacy = require("./legacy");
require("./register");

export type { Provider } from "./di";
export { Stack as Pile, range } from "./collections";
export * from "./errors";
export * as shapes from "./shapes";

const MAX_RETRIES = 3;
export const VERSION: string = "1.4.0", HOST = 'localhost';
let [first, , ...others]: number[] = [1, 2, 3];
let cursor: Cursor | undefined;
var counter = 0xff;
declare const BUILD: string;
declare function require(id: string): any;

/** A key of a store. */
export type Key = string | symbol;
type Options<T = unknown> = {
  readonly strict?: boolean;
  name: string;
  check(value: T): boolean;
  compare: (a: T, b: T) => number;
};
type Handlers = { [K in Key as `on${string & K}`]?: (...args: any[]) => void };
type Element<T> = T extends (infer U)[] ? U : never;
type Defaults = typeof defaults;
type Pair = [name: string, value?: number, ...rest: boolean[]];

/** Whatever can be closed. */
export interface Closable extends Disposable, AsyncDisposable {
  readonly closed: boolean;
  close(force?: boolean): Promise<void>;
  new (limit: number): Closable;
  (value: string): void;
  [key: string]: unknown;
}

export enum Color {
  Red,
  Green = "green",
  "dark-blue" = 1 << 2,
}

interface Channel<in A, out B, in C, in out D> {
  send(value: A, other: C): B | D;
}

const enum Direction { Up, Down }

declare module "virtual:config" {
  const config: Record<string, string>;
  export default config;
}

declare global {
  interface Window {
    store: Store<unknown>;
  }
}

export namespace Shapes.Round {
  export const PI = 3.14;

  export function area(radius: number): number {
    return PI * radius ** 2;
  }

  export class Circle {}
}

/** A store of values. */
@Injectable({ scope: "root" })
export abstract class Store<T extends object, K = Key> extends Base<T> implements Closable, Iterable<T> {
  #items = new Map<K, T>();
  static shared: Store<any> | null = null;
  private readonly limit: number = 10;
  protected abstract label: string;
  @Input() name!: string;
  declare cache?: WeakMap<object, T>;
  override hidden = false;
  onChange = (event: Event): void => {
    this.emit(event);
  };
  create = async function (limit: number) {
    return limit;
  };
  Entry = class<V> {
    value?: V;
  };

  static {
    Store.shared = null;
  }

  /**
   * Makes a store.
   *
   * @param http Where values are loaded from.
   */
  constructor(
    @inject(Http) private readonly http: Http,
    protected options: Options<T> = {},
    { strict = false, name: label }: Partial<Options> = {},
    ...rest: unknown[]
  ) {
    super();
  }

  get size(): number {
    return this.#items.size;
  }

  set size(value: number) {
    throw new RangeError(`the size can't be set to ${value}`);
  }

  abstract open(mode: "read" | "write"): void;

  find(key: K): T | undefined;
  find(key: K, fallback: T): T;
  find(key: K, fallback?: T): T | undefined {
    return this.#items.get(key) ?? fallback;
  }

  @Get("/items/:id")
  @Auth()
  protected async load<R>(this: Store<T>, id: string): Promise<R> {
    // The response is read at once.
    const response = (await fetch(id)) as Response;
    if (!response.ok) {
      throw new HttpError(response.status);
    } else if (response.status === 204) {
      return null!;
    }
    return response.json<R>();
  }

  *[Symbol.iterator](): Iterator<T> {
    for (const [, value] of this.#items) {
      yield value;
    }
  }

  "quoted name"() {}

  #prune() {
    delete this.cache;
  }

  static async *pages(url: string) {
    for await (const page of follow(url)) yield page;
  }

  override emit(event: Event) {
    return super.emit(event);
  }
}

export class HttpError extends Error {
  constructor(public status: number) {
    super();
  }
}

const Queue = class NamedQueue<T> extends Store<T> {};

/**
 * Adds numbers.
 *
 * @deprecated Use `sum`.
 */
function total(a: number, b = 1, ...more: number[]): number {
  let result = a + b;
  for (let i = 0; i < more.length; i++) {
    result += more[i]!;
  }
  for (const key in legacy) {
    if (key === "skip") continue;
    result -= -1;
  }
  while (true) {
    break;
  }
  do {
    result = Math.min(result, MAX_RETRIES);
  } while (result > 10);
  return result;
}

function format(value: string): string;
function format(value: number, digits?: number): string;
function format(value: unknown, digits = 2): string {
  return String(value as string);
}

function isString(value: unknown): value is string {
  return typeof value === "string";
}

const isNumber = (value: unknown): value is number => typeof value === "number";

export function assert(value: unknown): asserts value {}

function* count(from: number): Generator<number> {
  while (true) yield from++;
}

export async function retry<T>(task: () => Promise<T>, times: number = MAX_RETRIES): Promise<T> {
  try {
    return await task();
  } catch (error: unknown) {
    if (times === 0) throw error;
    return retry(task, times - 1);
  } finally {
    cursor = undefined;
  }
}

export default function main(argv: readonly string[]) {
  function usage() {
    console.log("usage: %s", path.basename(argv[1]));
  }
  const parse = (text: string) => JSON.parse(text);
  outer: for (const word of argv) {
    switch (word) {
      case "--help":
        usage();
        break outer;
      default:
        parse(word);
    }
  }
}

const square = (x: number): number => x * x;
const twice = x => x * 2;
const wrapped = (function () {});
const identity = <T,>(value: T): T => value;
const compose = (f: Fn, g: Fn) => async (...args: unknown[]) => f(await g(...args));
const factorial = function inner(n: number): number {
  return n < 2 ? 1 : n * inner(n - 1);
};
const ids = function* () {
  let id = 0;
  yield id++;
};
const palette = { red: "#f00" } satisfies Record<string, string>;

const handlers = {
  timeout: 1_000,
  VERSION,
  open(event: Event) {
    debugger;
  },
  async close() {},
  get state() {
    return null;
  },
  set state(value) {},
  click: function (event: Event) {
    event.preventDefault();
  },
  "key-down": ({ code }: KeyboardEvent) => code,
  [`on${VERSION}`]: () => {},
  Panel: class {
    open() {}
  },
  ...palette,
};

Store.prototype.clear = function () {
  this.size ||= 0;
};
exports.twice = twice;
module.exports = { square };
exports.Item = class {};

(function () {
  with (Math) {
    counter = max(1, 2);
  }
  label: {
    counter++, counter--;
  }
  ;
})();

if (import.meta.url) {
  const { run } = await import("./run.js");
  run(/^--(\w+)$/gi, true, !false, -counter, [first, ...others], 10n, this, first?.[0]?.name, make?.(null));
  const list = new Array<string>;
  const make = identity<string>;
}

/** Counts. */
export function useCounter(start: number) {
  const [value, setValue] = useState<number>(start);
  onEffect(() => setValue(start), [start]);
  return { value, increment: () => setValue((old) => old + 1) };
}

interface CounterProps extends React.PropsWithChildren {
  start?: number;
  label: React.ReactNode;
}

/** Shows a number. */
export const Counter: React.FC<CounterProps> = ({ start = 0, ...props }) => {
  const { value, increment } = useCounter(start);
  return (
    <>
      <p className="value" data-start={start}>
        Value: {value} &amp; more
      </p>
      <Button.Primary onClick={increment} {...props} />
      <List<string> items={["a"]}></List>
    </>
  );
};

class Panel extends React.Component<CounterProps> {
  render() {
    return <svg:rect width="10" />;
  }
}

const query = sql`select ${cursor} from users`;
<!-- an old comment

describe("Store", () => {
  it.each([1, 2])("holds %d", async function (size) {
    expect(new HttpError(size).status).toBe(size);
  });
});
