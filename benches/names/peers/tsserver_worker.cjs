// Renames by TypeScript's language service: a JSON line each of files, path, line, column and name; answers the files, or null.
const readline = require("node:readline");
const ts = require(process.env.TYPESCRIPT || "typescript");

const options = {
  strict: true, allowJs: true, checkJs: false, target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler, lib: ["lib.es2022.d.ts"], types: [],
};
const registry = ts.createDocumentRegistry();
let version = 0;

function rename({ files, path, line, column, name }) {
  // The registry knows files by their name and version.
  version += 1;
  const root = Object.keys(files).filter((file) => /\.[mc]?[jt]s$/.test(file)).map((file) => "/w/" + file);
  const host = {
    getScriptFileNames: () => root, getScriptVersion: (file) => (file.startsWith("/w/") ? String(version) : "1"), getCurrentDirectory: () => "/w", getCompilationSettings: () => options,
    getScriptSnapshot: (file) => {
      const text = file.startsWith("/w/") ? files[file.slice(3)] : ts.sys.readFile(file);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getDefaultLibFileName: (some) => ts.getDefaultLibFilePath(some),
    fileExists: (file) => (file.startsWith("/w/") ? file.slice(3) in files : ts.sys.fileExists(file)),
    readFile: (file) => (file.startsWith("/w/") ? files[file.slice(3)] : ts.sys.readFile(file)), directoryExists: (folder) => folder === "/w" || folder === "/" || folder === "/w/" || ts.sys.directoryExists(folder),
  };
  const service = ts.createLanguageService(host, registry);
  const lines = files[path].split("\n");
  const at = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0) + column - 1;
  const preferences = { providePrefixAndSuffixTextForRename: true, allowRenameOfImportPath: false };
  if (!service.getRenameInfo("/w/" + path, at, preferences).canRename) return null;
  const found = service.findRenameLocations("/w/" + path, at, false, false, preferences);
  if (!found) return null;
  const after = { ...files };
  for (const { fileName, textSpan, prefixText = "", suffixText = "" } of [...found].sort((a, b) => b.textSpan.start - a.textSpan.start)) {
    const file = fileName.slice(3);
    if (!(file in after)) return null;
    after[file] = after[file].slice(0, textSpan.start) + prefixText + name + suffixText + after[file].slice(textSpan.start + textSpan.length);
  }
  service.dispose();
  return after;
}

(async () => {
  for await (const text of readline.createInterface({ input: process.stdin })) {
    let answer = null;
    try { answer = rename(JSON.parse(text)); } catch {}
    process.stdout.write(JSON.stringify(answer) + "\n");
  }
})();
