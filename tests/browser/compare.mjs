// Compares the playground's answers with the program's on real files.
//
//   CST=target/release/cst node tests/browser/compare.mjs LANGUAGE FOLDER [MOST]
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { library, place } from "./library.mjs";

const [language, folder, most = "300"] = process.argv.slice(2);
const program = process.env.CST ?? "target/release/cst";
const ENDS = { python: ["py"], javascript: ["js", "mjs"], typescript: ["ts"], tsx: ["tsx"], rust: ["rs"], go: ["go"], java: ["java"], c: ["c"], cpp: ["cpp", "cc", "hpp"], csharp: ["cs"], php: ["php"], ruby: ["rb"], kotlin: ["kt"], swift: ["swift"], scala: ["scala"], bash: ["sh"], lua: ["lua"], html: ["html"], css: ["css"], json: ["json"], yaml: ["yml", "yaml"], toml: ["toml"] };
const SELECTORS = ["function", "call", "class > method", "function:has(return)", "identifier:nth(3)", "function:not([doc])", "call[args>2]", "*[depth=4]"];

function* walk(path) {
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const inner = join(path, entry.name);
    if (entry.isDirectory()) yield* walk(inner);
    else if (entry.isFile() && ENDS[language].some((end) => entry.name.endsWith(`.${end}`)) && statSync(inner).size < 200_000) yield inner;
  }
}

const all = [...walk(folder)].sort();
const step = Math.max(1, Math.floor(all.length / Number(most)));
const texts = new Map();
for (const path of all.filter((_, at) => at % step === 0).slice(0, Number(most))) {
  try {
    texts.set(path, new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(path)));
  } catch {
    // The page has texts only, and no other encodings.
  }
}

const { link } = await library();
let linked = link(language);
let answers = 0, matches = 0, differ = 0;
// Code in other languages in it is searched by the program only.
for (const selector of SELECTORS.map((selector) => `${selector}[language=${language}]`)) {
  let said;
  try {
    said = execFileSync(program, ["find", "--json", "--language", language, selector, "--from0", "-"], { input: [...texts.keys()].join("\0"), encoding: "utf8", maxBuffer: 1 << 29, stdio: ["pipe", "pipe", "ignore"] });
  } catch (error) {
    if (error.status === 2) throw error;
    said = error.stdout;
  }
  const theirs = group(JSON.parse(said).matches);
  for (const [path, text] of texts) {
    let ours;
    try {
      const opened = linked.call("open", { text, language, path });
      const answer = opened.error ? opened : linked.call("find", { selector });
      // A file that is too large or too deep has no matches in both.
      ours = (answer.result?.matches ?? []).map(place);
    } catch (error) {
      ours = [`panic: ${error.message}`];
      linked = link(language);
    }
    const there = (theirs.get(path) ?? []).map(place);
    answers++;
    matches += ours.length;
    const at = ours.findIndex((one, at) => one !== there[at]);
    if (at < 0 && ours.length === there.length) continue;
    if (++differ <= 10) console.log(`${path}: ${selector}: ${ours.length} and ${there.length} matches: ${ours[at]} and ${there[at < 0 ? ours.length : at]}`);
  }
}
console.log(`${language}: ${texts.size} files, ${answers} answers, ${matches} matches; ${differ} differ`);
process.exitCode = differ ? 1 : 0;

function group(rows) {
  const groups = new Map();
  for (const row of rows) {
    const known = groups.get(row.path);
    if (known) known.push(row);
    else groups.set(row.path, [row]);
  }
  return groups;
}
