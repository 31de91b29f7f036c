// Bundles src/main.ts into page.js. Its first line is the hash of all sources, which the test suite compares.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

const here = new URL(".", import.meta.url);
const names = readdirSync(new URL("src/", here)).filter((name) => name.endsWith(".ts")).sort();
const hash = createHash("sha256");
for (const name of names) {
  hash.update(`${name}\n`);
  hash.update(readFileSync(new URL(`src/${name}`, here)));
}
hash.update("package.json\n");
hash.update(readFileSync(new URL("package.json", here)));
const result = await build({
  entryPoints: [new URL("src/main.ts", here).pathname],
  bundle: true,
  minify: true,
  format: "iife",
  target: ["es2022"],
  legalComments: "none",
  write: false,
});
const banner = `// cst ui ${hash.digest("hex")}\n// Contains CodeMirror (MIT), Copyright (C) by Marijn Haverbeke and others.\n`;
writeFileSync(new URL("page.js", here), banner + result.outputFiles[0].text);
