// The library of the playground outside of a browser: the same modules, linked by the same code.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";

export const ROOT = new URL("../../", import.meta.url).pathname;
export const SITE = join(ROOT, "docs/playground/site");

/** The function that links a language, of the site that was built. */
export async function library() {
  const { build } = await import(join(ROOT, "src/serve/ui/page/node_modules/esbuild/lib/main.js"));
  const folder = mkdtempSync(join(tmpdir(), "cst-playground-"));
  const bundle = async (entry) => {
    const { outputFiles } = await build({ entryPoints: [join(ROOT, "docs/playground/src", entry)], bundle: true, format: "esm", write: false });
    const file = join(folder, `${entry}.mjs`);
    writeFileSync(file, outputFiles[0].text);
    return import(pathToFileURL(file).href);
  };
  const { Linked } = await bundle("linked.ts");
  const { sampleOf } = await bundle("examples.ts");
  rmSync(folder, { recursive: true });
  const { core, languages } = JSON.parse(readFileSync(join(SITE, "modules.json"), "utf8"));
  const module = ({ file }) => new WebAssembly.Module(gunzipSync(readFileSync(join(SITE, file))));
  const compiled = module(core);
  const link = (name) => new Linked(compiled, module(languages.find((language) => language.name === name)));
  return { languages: languages.map(({ name }) => name), link, sampleOf };
}

/** What a search is compared by. */
export function place({ type, kind, name, qualname, start_line, start_col, end_line, end_col, start_byte, end_byte }) {
  return [type, kind, name ?? "", qualname ?? "", start_line, start_col, end_line, end_col, start_byte, end_byte].join("\t");
}
