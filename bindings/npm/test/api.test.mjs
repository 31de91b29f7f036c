// The API, on the program that CST names.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { CstError, ProgramError, ProtocolError, RequestError, open } from "../lib/node.js";

const SHOP = `class Shop:
    def open(self):
        return self.door.open()

    def close(self):
        print("closed")
`;
const RULE = `[[rule]]
id = "no-print"
languages = ["python"]
severity = "error"
message = "no print"
select = "call#print"
`;
const program = process.env.CST;
assert.ok(program, "CST is the program to test");

describe("a session", () => {
  let folder;
  let cst;
  const session = (more = {}) => open({ program, cwd: folder, root: folder, state: join(folder, "state"), ...more });

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "cst-node-"));
    writeFileSync(join(folder, "shop.py"), SHOP);
    writeFileSync(join(folder, "main.py"), "from shop import Shop\n\nshop = Shop()\nshop.open()\nprint(shop)\n");
    writeFileSync(join(folder, "many.py"), Array.from({ length: 25 }, (_, number) => `f(${number})\n`).join(""));
    writeFileSync(join(folder, "rules.toml"), RULE);
    cst = await session();
  });
  after(async () => {
    await cst.close();
    rmSync(folder, { recursive: true });
  });

  test("finds", async () => {
    const found = await cst.find({ selector: "class > method", targets: ["shop.py"] });
    assert.deepEqual(found.matches.map((match) => match.qualname), ["Shop.open", "Shop.close"]);
    assert.equal(found.schema, 1);
    assert.equal(found.total, 2);
  });

  test("iterates over all matches, page by page", async () => {
    const request = { selector: "call#f", targets: ["."] };
    for (const pageSize of [1, 7, 25, 1000]) {
      const lines = [];
      for await (const match of cst.matches(request, { pageSize })) lines.push(match.start_line);
      assert.deepEqual(lines, Array.from({ length: 25 }, (_, number) => number + 1), `pages of ${pageSize}`);
    }
    const few = [];
    for await (const match of cst.matches({ ...request, limit: 12 }, { pageSize: 5 })) few.push(match);
    assert.equal(few.length, 12);
    // A loop that is left early asks for no further page.
    for await (const match of cst.matches(request, { pageSize: 2 })) {
      assert.equal(match.path, "many.py");
      break;
    }
    for await (const _ of cst.matches({ selector: "call#nothing" })) assert.fail("nothing is found");
  });

  test("previews, writes and undoes a rewrite", async () => {
    const request = { pattern: "print($X)", template: "log($X)", targets: ["shop.py"] };
    const preview = await cst.rewrite(request);
    assert.match(preview.files[0].diff, /^\+ {8}log\("closed"\)$/m);
    assert.equal(readFileSync(join(folder, "shop.py"), "utf8"), SHOP);
    const written = await cst.rewrite({ ...request, write: true });
    assert.equal(readFileSync(join(folder, "shop.py"), "utf8"), SHOP.replace("print", "log"));
    await cst.undo({ transaction: written.transaction });
    assert.equal(readFileSync(join(folder, "shop.py"), "utf8"), SHOP);
  });

  test("says who refers to a symbol", async () => {
    const { references } = await cst.refs({ symbol: "Shop.open" });
    assert.ok(references.some((row) => row.path === "main.py" && row.line === 4), JSON.stringify(references));
  });

  test("loads, modifies and saves a tree", async () => {
    const { trees } = await cst.load({ paths: ["shop.py"] });
    const target = trees[0].tree_id;
    await cst.modify({ target, operations: [{ op: "rename", target: "method#close", to: "shut" }] });
    assert.equal(readFileSync(join(folder, "shop.py"), "utf8"), SHOP, "it is not saved yet");
    await cst.save({ tree_ids: [target] });
    assert.match(readFileSync(join(folder, "shop.py"), "utf8"), /def shut\(self\)/);
    writeFileSync(join(folder, "shop.py"), SHOP);
    await cst.drop({ tree_ids: [target] });
  });

  test("scans by rules", async () => {
    const { findings } = await cst.scan({ targets: ["."], rules: ["rules.toml"] });
    assert.deepEqual(findings.map((finding) => `${finding.path}:${finding.start_line}`), ["main.py:5", "shop.py:6"]);
  });

  test("answers many requests at once, each with its own answer", async () => {
    const counts = Array.from({ length: 5000 }, (_, number) => number % 26);
    const answers = await Promise.all(counts.map((limit) => cst.find({ selector: "call#f", targets: ["many.py"], limit })));
    assert.deepEqual(answers.map((answer) => answer.matches.length), counts.map((limit) => Math.min(limit, 25)));
  });

  test("texts of all sizes and scripts come through", async () => {
    const text = `x = "${"ü😀\\u2028\\n".repeat(200_000)}"\n`;
    const { trees } = await cst.load({ text, language: "python" });
    const shown = await cst.show({ target: trees[0].tree_id, max_chars: 10_000_000 });
    assert.equal(shown.nodes[0].code.trimEnd(), text.trimEnd());
    await assert.rejects(cst.load({ text: "x = '\ud800'", language: "python" }), (error) => error instanceof ProtocolError && /surrogate/.test(error.message));
    await cst.load({ text: "x = '\\\\ud800'", language: "python" });
    await assert.rejects(cst.load({ text: "x".repeat(65 << 20), language: "python" }), /larger than 64 MiB/);
  });

  test("errors say what, where, and what to do", async () => {
    await assert.rejects(cst.find({ selector: "clas > method", targets: ["shop.py"] }), (error) => {
      assert.ok(error instanceof RequestError && error instanceof CstError && error instanceof Error);
      assert.equal(error.name, "RequestError");
      assert.equal(error.code, "unknown_type");
      assert.match(error.hint, /class/);
      assert.match(error.message, /\nhint: /);
      assert.deepEqual(error.span, { start: 0, end: 4 });
      assert.equal(error.method, "find");
      return true;
    });
    await assert.rejects(cst.load({ paths: ["not-there.py"] }), { code: "not_found" });
    await assert.rejects(cst.find({ targets: ["../outside"], selector: "call" }), { code: "outside_root" });
    await assert.rejects(cst.request("find", { selectr: "call" }), (error) => {
      assert.ok(error instanceof ProtocolError);
      assert.equal(error.number, -32602);
      assert.match(error.message, /selector/);
      return true;
    });
    await assert.rejects(cst.request("fnd", {}), { number: -32601 });
  });

  test("a signal cancels what waits or runs", async () => {
    const aborted = AbortSignal.abort(new Error("before"));
    await assert.rejects(cst.find({ selector: "call" }, { signal: aborted }), /before/);
    // Many of them, so that most still wait when they are cancelled.
    const controller = new AbortController();
    const waiting = Array.from({ length: 2000 }, () => cst.outline({ targets: ["."] }, { signal: controller.signal }));
    const other = cst.find({ selector: "call#f", targets: ["many.py"], limit: 3 });
    controller.abort();
    const results = await Promise.allSettled(waiting);
    const cancelled = results.filter((result) => result.status === "rejected");
    assert.ok(cancelled.length > 0);
    for (const { reason } of cancelled) assert.equal(reason.name, "AbortError");
    assert.equal((await other).matches.length, 3, "others go on");
    await cst.find({ selector: "call#f", targets: ["many.py"] }, { signal: AbortSignal.timeout(60_000) });
  });

  test("a program that dies rejects all that waits", async () => {
    const dying = await session();
    const pid = await new Promise((resolve) => resolve(dying.connection.child.pid));
    const waiting = Array.from({ length: 500 }, () => dying.outline({ targets: ["."] }));
    process.kill(pid, "SIGKILL");
    const results = await Promise.allSettled(waiting);
    const failed = results.filter((result) => result.status === "rejected");
    assert.ok(failed.length > 0);
    for (const { reason } of failed) {
      assert.ok(reason instanceof ProgramError);
      assert.deepEqual([reason.code, reason.signal], ["exited", "SIGKILL"]);
    }
    await assert.rejects(dying.find({ selector: "call" }), { code: "exited" });
    await dying.close();
  });

  test("close answers what waits, kill does not", async () => {
    const closing = await session();
    const answer = closing.find({ selector: "call#f", targets: ["many.py"] });
    await closing.close();
    assert.equal((await answer).total, 25);
    await assert.rejects(closing.find({ selector: "call" }), { code: "closed" });
    await closing.close();
    const killed = await session();
    const lost = Promise.allSettled(Array.from({ length: 500 }, () => killed.outline({ targets: ["."] })));
    await killed.kill();
    assert.ok((await lost).some((result) => result.status === "rejected" && result.reason.code === "closed"));
  });

  test("await using closes it", { skip: !Symbol.asyncDispose }, async () => {
    const used = await session();
    await used[Symbol.asyncDispose]();
    await assert.rejects(used.find({ selector: "call" }), { code: "closed" });
  });

  test("programs that cannot be started", async () => {
    await assert.rejects(open({ program: join(folder, "not-there") }), (error) => error instanceof ProgramError && error.code === "not_started");
    await assert.rejects(open({ program, root: join(folder, "not-there") }).then((one) => one.trees()), (error) => {
      assert.equal(error.code, "exited");
      assert.match(error.message, /not-there/, "it says what the program said");
      return true;
    });
  });

  test("Node ends when nothing is to be done, and not before", () => {
    const script = (text) =>
      spawnSync(process.execPath, ["--input-type=module", "-e", `import { open } from ${JSON.stringify(new URL("../lib/node.js", import.meta.url).href)};\n${text}`], {
        encoding: "utf8",
        timeout: 60_000,
        cwd: folder,
        env: { ...process.env, CST_BINARY_PATH: program, CST_STATE: join(folder, "state") },
      });
    const left = script(`const cst = await open(); console.log((await cst.find({ selector: "call#f", targets: ["many.py"] })).total);`);
    assert.deepEqual([left.status, left.stdout, left.stderr], [0, "25\n", ""]);
    const pending = script(`const cst = await open(); cst.find({ selector: "call#f", targets: ["many.py"] }).then((found) => console.log(found.total));`);
    assert.deepEqual([pending.status, pending.stdout], [0, "25\n"]);
  });

  test("progress of a long request", { timeout: 120_000 }, async () => {
    const { path, count } = await (async () => {
      const count = 400;
      const path = mkdtempSync(join(folder, "large-"));
      const text = Array.from({ length: 800 }, (_, number) => `def f${number}(a):\n    return g(a, ${number})\n`).join("");
      for (let number = 0; number < count; number += 1) writeFileSync(join(path, `m${number}.py`), text);
      return { path, count };
    })();
    const seen = [];
    const found = await cst.find({ selector: "call#g", targets: [path], limit: 0, reading: { threads: 1 } }, { onProgress: (progress) => seen.push(progress) });
    assert.equal(found.total, count * 800);
    assert.ok(seen.length > 0, "a search of over a second reports its progress");
    assert.ok(seen.every((progress) => progress.done <= (progress.total ?? Number.POSITIVE_INFINITY)));
    rmSync(path, { recursive: true });
  });
});
