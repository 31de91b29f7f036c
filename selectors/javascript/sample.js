#!/usr/bin/env node
"use strict";

import "./polyfills.js";
import React, { useState, useEffect as onEffect } from "react";
import * as path from "node:path";
import defaults from "./defaults.json" with { type: "json" };

const fs = require("fs");
var { join, sep: separator } = require("path");
require("./register");

export { Stack as Pile, range, total as sum } from "./collections.js";
export { total as delete } from "./totals.js";
export * from "./errors.js";
export * as shapes from "./shapes.js";

const MAX_RETRIES = 3;
export const VERSION = "1.4.0", HOST = 'localhost';
let [first, , ...others] = [1, 2, 3];
let cursor;
var legacy = 0xff;

/** A store of values. */
class Store extends EventTarget {
  #items = new Map();
  static shared = null;
  limit = 10;
  onChange = (event) => {
    this.dispatchEvent(event);
  };
  static create = async function (limit) {
    return new Store(limit);
  };
  Entry = class {
    key;
  };

  static {
    Store.shared = new Store();
  }

  /**
   * Makes a store.
   *
   * @param {number} limit How many values it holds.
   */
  constructor(limit = 10, { strict = false, name: label } = {}, ...rest) {
    super();
    this.limit = limit;
    this.label = label;
  }

  get size() {
    return this.#items.size;
  }

  set size(value) {
    throw new RangeError(`the size can't be set to ${value}`);
  }

  static get empty() {
    return new Store(0);
  }

  @bound
  @logged("debug", { level: 2 })
  async load(url) {
    // The response is read at once.
    const response = await fetch(url);
    if (!response.ok) {
      throw new HttpError(response.status);
    } else if (response.status === 204) {
      return null;
    }
    return response.json();
  }

  *[Symbol.iterator]() {
    for (const [key, value] of this.#items) {
      yield [key, value];
    }
    yield* this.others();
  }

  "quoted name"() {}

  #prune() {
    delete this.cache;
  }

  static async *pages(url) {
    for await (const page of follow(url)) yield page;
  }

  dispatchEvent(event) {
    return super.dispatchEvent(event);
  }
}

@sealed
export class HttpError extends Error {}

const Queue = class NamedQueue extends Store {};

/**
 * Adds numbers.
 *
 * @deprecated Use `sum`.
 */
function total(a, b = 1, ...more) {
  let result = a + b;
  for (let i = 0; i < more.length; i++) {
    result += more[i];
  }
  for (const key in defaults) {
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

function* count(from) {
  while (true) yield from++;
}

export async function retry(task, times = MAX_RETRIES) {
  try {
    return await task();
  } catch (error) {
    if (times === 0) throw error;
    return retry(task, times - 1);
  } finally {
    cursor = undefined;
  }
}

export default function main(argv) {
  function usage() {
    console.log("usage: %s", path.basename(argv[1]));
  }
  const parse = (text) => JSON.parse(text);
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

const square = (x) => x * x;
const twice = x => x * 2;
const wrapped = (function () {});
const compose = (f, g) => async (...args) => f(await g(...args));
const factorial = function inner(n) {
  return n < 2 ? 1 : n * inner(n - 1);
};
const ids = function* () {
  let id = 0;
  yield id++;
};

const handlers = {
  timeout: 1_000,
  VERSION,
  open(event) {
    debugger;
  },
  async close() {},
  get state() {
    return null;
  },
  set state(value) {},
  click: function (event) {
    event.preventDefault();
  },
  "key-down": ({ code }) => code,
  [`on${VERSION}`]: () => {},
  Panel: class {
    open() {}
  },
  ...defaults,
};

Store.prototype.clear = function () {
  this.size ||= 0;
};
module.exports = { Store, square };
exports.twice = twice;
exports.parse = function parseText(text) {
  return text?.trim()?.[0] ?? void 0;
};
exports.Item = class {};

(function () {
  with (Math) {
    legacy = max(1, 2);
  }
  label: {
    legacy++, legacy--;
  }
})();

if (import.meta.url) {
  const { run } = await import("./run.js");
  run(/^--(\w+)$/gi, true, !false, typeof legacy, -legacy, [first, ...others], 10n, this);
}

const query = sql`select ${cursor} from users`;
<!-- an old comment

export function useCounter(start) {
  const [value, setValue] = useState(start);
  onEffect(() => setValue(start), [start]);
  return { value, increment: () => setValue((old) => old + 1) };
}

/** Shows a number. */
export const Counter = ({ start, ...props }) => {
  const { value, increment } = useCounter(start);
  return (
    <>
      <p className="value" data-start={start}>
        Value: {value} &amp; more
      </p>
      <Button.Primary onClick={increment} {...props} />
    </>
  );
};

class Panel extends React.Component {
  render() {
    return <svg:rect width="10" />;
  }
}

function render() {
  using handle = open();
  const element = React.createElement(Panel);
  ;
  return element;
}

describe("Store", () => {
  it.each([1, 2])("holds %d", async function (size) {
    expect(new Store(size).limit).toBe(size);
  });
});
