// Renames by TypeScript's language service: a request a line, an answer a line. The argument is the folder of the package.
const ts = require(process.argv[2]);

const options = { allowJs: true, noResolve: true, noLib: true, jsx: ts.JsxEmit.Preserve, target: ts.ScriptTarget.Latest };
const files = new Map();
let version = 0;
const service = ts.createLanguageService({
  getCompilationSettings: () => options,
  getScriptFileNames: () => [...files.keys()],
  getScriptVersion: name => String(files.get(name)?.version ?? 0),
  getScriptSnapshot: name => files.has(name) ? ts.ScriptSnapshot.fromString(files.get(name).text) : undefined,
  getCurrentDirectory: () => "/",
  getDefaultLibFileName: () => "/lib.d.ts",
  fileExists: name => files.has(name),
  readFile: name => files.get(name)?.text,
});

require("readline").createInterface({ input: process.stdin }).on("line", line => {
  const request = JSON.parse(line);
  const name = "/" + request.name;
  if (files.get(name)?.text !== request.text) {
    files.clear();
    files.set(name, { text: request.text, version: ++version });
  }
  let answer;
  try {
    const places = service.findRenameLocations(name, request.offset, false, false, { providePrefixAndSuffixTextForRename: true });
    answer = places
      ? {
          edits: places.filter(place => place.fileName === name).map(({ textSpan, prefixText = "", suffixText = "" }) =>
            [
              textSpan.start,
              textSpan.start + textSpan.length,
              prefixText + (request.text[textSpan.start] === "#" ? "#" : "") + request.to + suffixText,
            ]),
        }
      : { error: service.getRenameInfo(name, request.offset).localizedErrorMessage ?? "no places" };
  } catch (error) {
    answer = { error: String(error).split("\n")[0] };
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
});
