#!/usr/bin/env node
// Builds the playground into docs/playground/site: static files for any server.
//
//   docs/playground/build.mjs [--languages python,go] [--page]
//
// `--languages` builds only some grammars, `--page` only the page, over what is there. It needs Rust with the target
// wasm32-unknown-unknown, clang (another one: CLANG=…), and Node with npm.
import { execFile, execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { LANGUAGES } from "./languages.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "../..");
const site = join(here, "site");
const crate = join(root, "bindings/wasm");
const pages = join(root, "src/serve/ui/page");
const target = "wasm32-unknown-unknown";
const clang = process.env.CLANG ?? "clang";
const options = parseArgs({ options: { languages: { type: "string" }, page: { type: "boolean" } } }).values;
const wanted = options.languages?.split(",");
const languages = LANGUAGES.filter(({ name }) => !wanted || wanted.includes(name));

const output = (program, args, more = {}) => execFileSync(program, args, { encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "inherit"], ...more });
const lines = (text) => text.split("\n").filter((line) => line.startsWith("{")).map((line) => JSON.parse(line));

/** The packages of the grammars: where Cargo keeps them. */
function packages() {
  const features = [...new Set(LANGUAGES.map(({ name }) => (name === "tsx" ? "typescript" : name)))].join(",");
  const metadata = JSON.parse(output("cargo", ["metadata", "--format-version", "1", "--locked", "--manifest-path", join(root, "Cargo.toml"),
    "--filter-platform", target, "--no-default-features", "--features", features]));
  return new Map(metadata.packages.map(({ name, manifest_path }) => [name, dirname(manifest_path)]));
}

/** The library as a module, and the folder in which the build script of `cst-languages` leaves the data of all languages. */
function core() {
  const told = lines(output("cargo", ["build", "--release", "--locked", "--target", target, "--manifest-path", join(crate, "Cargo.toml"), "--message-format", "json-render-diagnostics"],
    { env: { CC_wasm32_unknown_unknown: clang, ...process.env } }));
  const script = told.find(({ reason, package_id }) => reason === "build-script-executed" && /selectors|cst-languages/.test(package_id));
  const artifact = told.find(({ reason, target }) => reason === "compiler-artifact" && target.name === "cst_engine_wasm");
  return { wasm: artifact.filenames.find((name) => name.endsWith(".wasm")), data: script.out_dir };
}

/** A number as WebAssembly writes it. */
function leb(number) {
  const bytes = [];
  for (; number > 127; number >>>= 7) bytes.push((number & 127) | 128);
  return Buffer.from([...bytes, number]);
}

/** A section of a module that engines skip. */
function section(name, content) {
  const body = Buffer.concat([leb(Buffer.byteLength(name)), Buffer.from(name), content]);
  return Buffer.concat([Buffer.from([0]), leb(body.length), body]);
}

const run = promisify(execFile);

/** A grammar as a module that is linked when it is loaded, with the language's data in a section. */
async function grammar(language, { found, data, linker, work }) {
  const home = found.get(language.package);
  const folder = join(home, language.folder ?? "", "src");
  const symbol = language.symbol ?? `tree_sitter_${language.name}`;
  const sources = ["parser.c", "scanner.c"].filter((name) => existsSync(join(folder, name)));
  const objects = sources.map((name) => join(work, `${language.name}-${name}.o`));
  // Position-independent code for WebAssembly is that of Emscripten; of its library nothing is used.
  const flags = ["--target=wasm32-unknown-emscripten", "-fPIC", "-fvisibility=hidden", "-Oz", "-mbulk-memory", "-std=c11", "-w", "-DNDEBUG", "-Dstatic_assert=_Static_assert",
    "-include", "stddef.h", "-I", join(found.get("tree-sitter-language"), "wasm/include"), "-I", folder, "-c"];
  // The sources of a version never change, so what was linked from them is kept.
  const key = createHash("sha256").update(JSON.stringify([clang, flags])).digest("hex").slice(0, 10);
  const linked = join(work, `${language.name}-${key}.wasm`);
  if (!existsSync(linked)) {
    for (const [at, source] of sources.entries()) await run(clang, [...flags, join(folder, source), "-o", objects[at]]);
    await run(linker, ["-flavor", "wasm", "-shared", "--experimental-pic", "--no-entry", "--allow-undefined", "--strip-all", `--export=${symbol}`, ...objects, "-o", linked]);
  }
  const text = (path) => (existsSync(path) ? readFileSync(path, "utf8") : "");
  const selectors = join(root, "selectors", language.name);
  const known = {
    name: language.name,
    head: text(join(data, `${language.name}.head.json`)),
    whole: text(join(data, `${language.name}.json`)),
    node_types: text(join(folder, "node-types.json")),
    named: text(join(selectors, "named.sel")),
    outline: text(join(selectors, "outline.toml")),
  };
  return Buffer.concat([readFileSync(linked), section("cst.symbol", Buffer.from(symbol)), section("cst.language", Buffer.from(JSON.stringify(known)))]);
}

/** As gzip does. The library, which everybody loads, is made seven per cent smaller by zopfli, where it is installed: it takes its time. */
function compress(bytes, path) {
  if (path) {
    writeFileSync(path, bytes);
    const { status, stdout } = spawnSync("zopfli", ["-c", path], { maxBuffer: 1 << 28 });
    if (status === 0) return stdout;
  }
  return gzipSync(bytes, { level: 9 });
}

/** Writes a file under a name that changes with its content, so that browsers may keep it. */
function keep(name, ending, content) {
  const hash = createHash("sha256").update(content).digest("hex").slice(0, 10);
  for (const old of readdirSync(site)) if (old.startsWith(`${name}.`) && old.endsWith(ending)) rmSync(join(site, old));
  const file = `${name}.${hash}${ending}`;
  writeFileSync(join(site, file), content);
  return file;
}

async function modules() {
  const { wasm, data } = core();
  const host = /host: (.*)/.exec(output("rustc", ["-vV"]))[1];
  const linker = join(output("rustc", ["--print", "sysroot"]).trim(), "lib/rustlib", host, "bin/rust-lld");
  const work = join(crate, "target/grammars");
  mkdirSync(work, { recursive: true });
  const sizes = [];
  // Compressed here, so that it does not depend on the server.
  const write = (name, bytes) => {
    const small = compress(bytes, name === "core" ? join(work, "core.packed") : null);
    sizes.push([name, bytes.length, small.length]);
    return { file: keep(name, ".wasm.gz", small), bytes: small.length };
  };
  const manifest = { core: write("core", readFileSync(wasm)), languages: [] };
  const found = packages();
  const waiting = languages.entries();
  const built = new Map();
  const worker = async () => {
    for (const [, language] of waiting) built.set(language.name, await grammar(language, { found, data, linker, work }));
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
  for (const { name, label } of languages) manifest.languages.push({ name, label, ...write(name, built.get(name)) });
  writeFileSync(join(site, "modules.json"), JSON.stringify(manifest));
  const kib = (bytes) => (bytes / 1024).toFixed(0).padStart(7);
  console.log(`${"module".padEnd(12)}  ${"KiB".padStart(7)}  ${"gzip".padStart(7)}  with core`);
  for (const [name, bytes, small] of sizes) console.log(`${name.padEnd(12)}  ${kib(bytes)}  ${kib(small)}  ${kib(small + (name === "core" ? 0 : sizes[0][2]))}`);
}

async function page() {
  if (!existsSync(join(pages, "node_modules/esbuild"))) output("npm", ["ci", "--silent", "--no-audit", "--no-fund", "--prefix", pages]);
  const { build } = await import(join(pages, "node_modules/esbuild/lib/main.js"));
  const manifest = readFileSync(join(site, "modules.json"), "utf8");
  const bundle = async (entry, define = {}) => {
    const { outputFiles } = await build({
      entryPoints: [join(here, "src", entry)], bundle: true, minify: true, format: "iife", target: ["es2022"], legalComments: "none", write: false, define,
      nodePaths: [join(pages, "node_modules")],
    });
    return outputFiles[0].text;
  };
  const notice = "// Contains CodeMirror (MIT), Copyright (C) by Marijn Haverbeke and others.\n";
  const worker = keep("worker", ".js", await bundle("worker.ts"));
  const script = keep("page", ".js", notice + (await bundle("main.ts", { MANIFEST: manifest, WORKER: JSON.stringify(worker) })));
  const style = keep("page", ".css", readFileSync(join(pages, "page.css"), "utf8") + readFileSync(join(here, "playground.css"), "utf8"));
  copyFileSync(join(pages, "icon.svg"), join(site, "icon.svg"));
  const nonce = createHash("sha256").update(script + style).digest("base64url").slice(0, 22);
  const values = { SCRIPT: script, STYLE: style, NONCE: nonce, CORE: JSON.parse(manifest).core.file };
  writeFileSync(join(site, "index.html"), readFileSync(join(here, "index.html"), "utf8").replace(/\{\{(\w+)\}\}/g, (_, name) => values[name]));
}

mkdirSync(site, { recursive: true });
if (!options.page) await modules();
await page();
console.log(`the playground is in ${site}`);
