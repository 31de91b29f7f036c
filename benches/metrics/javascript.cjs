// Compares the numbers of JavaScript functions with those of ESLint and eslint-plugin-sonarjs.
//
//   npm install eslint eslint-plugin-sonarjs @typescript-eslint/parser
//   node benches/metrics/javascript.cjs target/release/cst FILE...
//
// Prints how many functions have the same number, and the first differences.
"use strict";
const { execFileSync } = require("child_process");
const fs = require("fs");
const { createRequire } = require("module");
const { resolve } = require("path");
const here = createRequire(`${process.cwd()}/`);
const { Linter } = here("eslint");
const sonarjs = here("eslint-plugin-sonarjs");
const parser = here("@typescript-eslint/parser");

const [cst, ...files] = process.argv.slice(2);
const options = { encoding: "utf8", maxBuffer: 1 << 30 };
let answer;
try {
  answer = execFileSync(cst, ["metrics", "--json", "--", ...files], options);
} catch (error) {
  answer = error.stdout;
}
const functions = new Map();
for (const row of JSON.parse(answer).functions) {
  const path = resolve(row.path);
  if (!functions.has(path)) functions.set(path, []);
  functions.get(path).push(row);
}

function messagesOf(path, source) {
  const isTyped = /\.[mc]?tsx?$/.test(path);
  for (const sourceType of ["module", "script"]) {
    const languageOptions = isTyped ? { parser, sourceType } : { ecmaVersion: "latest", sourceType, parserOptions: { ecmaFeatures: { jsx: true } } };
    const rules = { complexity: ["error", 0], "sonarjs/cognitive-complexity": ["error", 0] };
    const config = { files: ["**/*.jsx", "**/*.ts", "**/*.tsx"], plugins: { sonarjs }, languageOptions, linterOptions: { noInlineConfig: true }, rules };
    const filename = isTyped ? (path.endsWith("x") ? "a.tsx" : "a.ts") : "a.jsx";
    const messages = new Linter({ configType: "flat" }).verify(source, [config], { filename });
    if (!messages.some(message => message.fatal)) return messages;
  }
  return null;
}

// The innermost function around a place.
function around(rows, line, column) {
  const begins = row => row.start_line < line || (row.start_line === line && row.start_col <= column);
  const inside = rows.filter(row => begins(row) && row.end_line >= line);
  return inside.reduce((best, row) => (!best || row.start_line > best.start_line || (row.start_line === best.start_line && row.start_col >= best.start_col) ? row : best), null);
}

const counts = { complexity: [0, 0], cognitive: [0, 0] };
const different = [];
const compare = (measure, path, row, theirs) => {
  counts[measure][1] += 1;
  if (row && row[measure] === theirs) counts[measure][0] += 1;
  else different.push(`${measure} ${path}:${row?.start_line}: ${theirs}, here ${row?.[measure]}`);
};
for (const path of files) {
  const messages = messagesOf(path, fs.readFileSync(path, "utf8"));
  if (!messages) continue;
  const rows = functions.get(resolve(path)) ?? [];
  const cognitive = new Map();
  for (const { ruleId, message, line, column } of messages) {
    const row = around(rows, line, column);
    if (ruleId === "complexity" && !message.startsWith("Class")) compare("complexity", path, row, Number(/complexity of (\d+)/.exec(message)[1]));
    if (ruleId === "sonarjs/cognitive-complexity") cognitive.set(row, Number(/from (\d+) to/.exec(message)[1]));
  }
  // What is not reported is 0.
  rows.forEach(row => compare("cognitive", path, row, cognitive.get(row) ?? 0));
}
for (const [measure, [same, total]] of Object.entries(counts)) {
  console.log(`${measure.padEnd(11)} ${same} of ${total}  ${((100 * same) / Math.max(1, total)).toFixed(2)} %`);
}
different.slice(0, 10).forEach(line => console.log(line));
