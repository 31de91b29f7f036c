// The packages as they are published: packed with the program that CST names, installed into an empty folder without a network.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL("..", import.meta.url));
const TARGETS = {
  "linux-x64": "x86_64-unknown-linux-musl",
  "linux-arm64": "aarch64-unknown-linux-musl",
  "darwin-x64": "x86_64-apple-darwin",
  "darwin-arm64": "aarch64-apple-darwin",
};
const platform = `${process.platform}-${process.arch}`;
const target = TARGETS[platform];

function run(command, words, options = {}) {
  const ran = spawnSync(command, words, { encoding: "utf8", maxBuffer: 1 << 28, timeout: 300_000, ...options });
  assert.equal(ran.error, undefined);
  return ran;
}

/** Waits for a condition, ten seconds at most. */
async function until(condition) {
  for (let turn = 0; turn < 200 && !condition(); turn += 1) await new Promise((resolve) => setTimeout(resolve, 50));
  assert.ok(condition());
}

describe("installed from its tarballs", { skip: target ? false : `${platform} has no program here` }, () => {
  let folder;
  let install;
  let packages;
  const npm = (words, options) => run("npm", [...words, "--offline", "--no-audit", "--no-fund"], { cwd: install, ...options });
  const cst = (words, options) => run(join(install, "node_modules/.bin/cst"), words, { cwd: install, ...options });

  before(() => {
    folder = mkdtempSync(join(tmpdir(), "cst-npm-"));
    process.env.CST_STATE = join(folder, "state");
    const programs = join(folder, "programs", target);
    mkdirSync(programs, { recursive: true });
    copyFileSync(resolve(process.env.CST), join(programs, "cst"));
    // A program with debug symbols takes a minute to pack; without strip, it does.
    spawnSync("strip", [join(programs, "cst")]);
    const packed = run(process.execPath, ["pack.mjs", join(folder, "programs"), join(folder, "out")], { cwd: here });
    assert.equal(packed.status, 0, packed.stderr);
    assert.equal(run(process.execPath, ["pack.mjs", "--all", join(folder, "none"), join(folder, "none")], { cwd: here }).status, 1, "with --all, all must be there");
    packages = readdirSync(join(folder, "out")).map((name) => join(folder, "out", name));
    assert.equal(packages.length, 2, packages.join());
    install = join(folder, "empty");
    mkdirSync(install);
    const installed = npm(["install", ...packages]);
    assert.equal(installed.status, 0, installed.stderr);
    writeFileSync(join(install, "a b.py"), "class A:\n    def f(self):\n        return g(1)\n");
  });
  after(() => rmSync(folder, { recursive: true }));

  test("nothing runs at installation, and the licences are there", () => {
    for (const name of ["cst-engine", `@cst-engine/${platform}`]) {
      const manifest = JSON.parse(readFileSync(join(install, "node_modules", name, "package.json"), "utf8"));
      assert.deepEqual([manifest.scripts, manifest.dependencies], [undefined, undefined]);
      assert.ok(readdirSync(join(install, "node_modules", name)).includes("LICENSE-MIT"));
    }
    const manifest = JSON.parse(readFileSync(join(install, "node_modules/cst-engine/package.json"), "utf8"));
    assert.equal(Object.keys(manifest.optionalDependencies).length, 5);
    assert.deepEqual(new Set(Object.values(manifest.optionalDependencies)), new Set([manifest.version]));
  });

  test("npx runs it, by both names", () => {
    for (const name of ["cst", "cst-engine"]) {
      const found = run("npx", ["--offline", name, "find", "class > method", "a b.py"], { cwd: install });
      assert.deepEqual([found.status, found.stdout], [0, "a b.py:2:5: method  A.f  n6\n"], found.stderr);
    }
  });

  test("exit statuses, words with spaces, standard input", () => {
    assert.equal(cst(["find", "call#nothing"]).status, 1);
    assert.equal(cst(["find", "clas["]).status, 2);
    assert.equal(cst(["find", "method#f", "a b.py", "-q"]).status, 0);
    assert.match(cst(["find", "-p", "g($X)", "a b.py"]).stdout, /^a b\.py:3:16/);
    assert.equal(cst(["find", "call", "-", "-t", "python", "--count"], { input: "f(g(1))\n" }).stdout.trim(), "2");
  });

  test("a pipe that is closed ends it quietly", () => {
    writeFileSync(join(install, "many.py"), "f(1)\n".repeat(200_000));
    const piped = run("bash", ["-c", `set -o pipefail; "${join(install, "node_modules/.bin/cst")}" find call many.py | head -n 1`], { cwd: install });
    assert.deepEqual([piped.stdout, piped.stderr], ["many.py:1:1: call  f  n2\n", ""]);
    rmSync(join(install, "many.py"));
  });

  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    test(`${signal} reaches the program`, { skip: process.platform !== "linux" }, async () => {
      const child = spawn(join(install, "node_modules/.bin/cst"), ["pipe"], { stdio: ["pipe", "pipe", "inherit"] });
      const ended = once(child, "exit");
      child.stdin.write('{"id":1,"path":"a.py","text":"f(1)","selector":"call"}\n');
      await once(child.stdout, "data");
      const program = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").trim();
      assert.match(program, /^\d+$/);
      child.kill(signal);
      assert.deepEqual(await ended, [null, signal], "it ends as the program does");
      await until(() => {
        try {
          return /\) Z /.test(readFileSync(`/proc/${program}/stat`, "utf8"));
        } catch {
          return true;
        }
      });
    });
  }

  test("a missing package says what to do, and a variable names another program", () => {
    const path = join(install, `node_modules/@cst-engine/${platform}`);
    const program = join(`${path}-away`, "cst");
    renameSync(path, `${path}-away`);
    const missing = cst(["--version"]);
    assert.equal(missing.status, 2);
    assert.match(missing.stderr, new RegExp(`^error: the package @cst-engine/${platform}, .* is not installed\nhint: .*--omit=optional.*CST_BINARY_PATH\n$`));
    const given = cst(["--version"], { env: { ...process.env, CST_BINARY_PATH: program } });
    assert.match(given.stdout, /^cst \d/);
    const wrong = cst(["--version"], { env: { ...process.env, CST_BINARY_PATH: "/not/there" } });
    assert.deepEqual([wrong.status, wrong.stderr], [2, "error: CST_BINARY_PATH names '/not/there', which is not there\n"]);
    const broken = cst(["--version"], { env: { ...process.env, CST_BINARY_PATH: join(install, "a b.py") } });
    assert.equal(broken.status, 2);
    assert.match(broken.stderr, /cannot be started/);
    renameSync(`${path}-away`, path);
  });

  test("the examples of docs/npm.md run", () => {
    const page = readFileSync(join(here, "../../docs/npm.md"), "utf8");
    const blocks = [...page.matchAll(/```js\n(import [^]*?)```/g)].map((found) => found[1]);
    assert.equal(blocks.length, 2);
    const project = join(install, "project");
    mkdirSync(join(project, "src"), { recursive: true });
    mkdirSync(join(project, "test"));
    writeFileSync(join(project, "src/cart.js"), "export class Cart {\n  total() {\n    console.log(1);\n  }\n}\nif (a.b.hasOwnProperty('x')) f();\n");
    writeFileSync(join(project, "test/cart.js"), "import { Cart } from '../src/cart.js';\nassert.equal(new Cart().total(), 1);\n");
    const [first, second] = blocks.map((text, number) => {
      writeFileSync(join(project, `${number}.mjs`), text);
      return run(process.execPath, [`${number}.mjs`], { cwd: project });
    });
    assert.deepEqual([first.status, first.stderr], [0, ""]);
    assert.match(first.stdout, /^src\/cart\.js:3 console\.log\(1\)\n/);
    assert.match(first.stdout, /^\+assert\.strictEqual\(new Cart\(\)\.total\(\), 1\);$/m);
    assert.match(readFileSync(join(project, "src/cart.js"), "utf8"), /^ {2}sum\(\) \{$/m);
    assert.deepEqual([second.status, second.stdout, second.stderr], [0, "1 calls in 1 files\n", ""]);
    assert.match(readFileSync(join(project, "src/cart.js"), "utf8"), /if \(Object\.hasOwn\(a\.b, 'x'\)\) f\(\);/);
  });

  test("the API runs, and its types are right", () => {
    writeFileSync(join(install, "use.mjs"), `
      import { open } from "cst-engine/node";
      const cst = await open();
      for await (const match of cst.matches({ selector: "class > method", targets: ["a b.py"] })) console.log(match.qualname);
    `);
    assert.deepEqual(run(process.execPath, ["use.mjs"], { cwd: install }).stdout, "A.f\n");
    writeFileSync(join(install, "use.mts"), `
      import { open, RequestError, type NodeRow } from "cst-engine/node";
      await using cst = await open({ root: "." });
      const names: (string | null | undefined)[] = [];
      for await (const match of cst.matches({ selector: "class > method" })) names.push(match.qualname);
      const rows: NodeRow[] = (await cst.find({ selector: "call" })).matches;
      try {
        await cst.rewrite({ pattern: "g($X)", template: "h($X)", on_error: "skip" }, { signal: AbortSignal.timeout(1000) });
        // @ts-expect-error: the template is missing
        await cst.rewrite({ pattern: "g($X)" });
        // @ts-expect-error: there is no such value
        await cst.rewrite({ pattern: "g($X)", template: "h($X)", on_error: "carry_on" });
      } catch (error) {
        if (error instanceof RequestError) console.log(error.code === "no_match", error.hint, rows, names);
      }
    `);
    const options = { strict: true, noEmit: true, module: "node16", target: "es2022", lib: ["es2022", "esnext.disposable"], skipLibCheck: false };
    writeFileSync(join(install, "tsconfig.json"), JSON.stringify({
      compilerOptions: { ...options, types: ["node"], typeRoots: [join(here, "node_modules/@types")] }, files: ["use.mts"],
    }));
    const checked = run(join(here, "node_modules/.bin/tsc"), ["-p", "."], { cwd: install });
    assert.deepEqual([checked.status, checked.stdout], [0, ""]);
  });
});
