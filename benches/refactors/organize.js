// Compares which imports `cst refactor organize-imports` and TypeScript's own `organizeImports` remove.
//
//     node benches/refactors/organize.js TYPESCRIPT CST CLONE
//
// TYPESCRIPT is the folder of the package `typescript`. The clone is copied, and every other statement that is not an import is deleted
// from each file, so that many imports have no use. Then both organize the imports of the copy.

const fs = require("fs");
const os = require("os");
const path = require("path");
const { spawnSync } = require("child_process");

const [typescript, cst, clone] = process.argv.slice(2).map((argument) => path.resolve(argument));
const ts = require(path.join(typescript, "lib/typescript.js"));
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "organize-"));
const files = [];

function copy(from, to) {
  for (const entry of fs.readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (entry.isDirectory() && entry.name !== "node_modules" && !entry.name.startsWith(".")) {
      copy(source, target);
    } else if (/\.tsx?$/.test(entry.name) && !entry.name.endsWith(".d.ts")) {
      fs.mkdirSync(to, { recursive: true });
      fs.writeFileSync(target, cut(fs.readFileSync(source, "utf8"), source));
      files.push(target);
    }
  }
}

function isImport(statement) {
  return ts.isImportDeclaration(statement) || ts.isImportEqualsDeclaration(statement);
}

function cut(text, name) {
  const others = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true).statements.filter((one) => !isImport(one));
  const dropped = others.filter((_, index) => index % 2 === 0).reverse();
  return dropped.reduce((text, one) => text.slice(0, one.getFullStart()) + text.slice(one.getEnd()), text);
}

function imported(text) {
  const names = new Set();
  const file = ts.createSourceFile("a.tsx", text, ts.ScriptTarget.Latest, true);
  const add = (node) => {
    const names_a_local = ts.isImportSpecifier(node) || ts.isNamespaceImport(node) || ts.isImportClause(node) || ts.isImportEqualsDeclaration(node);
    if (names_a_local && node.name) names.add(node.name.text);
    ts.forEachChild(node, add);
  };
  file.statements.filter(isImport).forEach(add);
  return names;
}

copy(clone, folder);
const before = new Map(files.map((file) => [file, fs.readFileSync(file, "utf8")]));
const settings = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler, jsx: ts.JsxEmit.React };
const service = ts.createLanguageService({
  fileExists: ts.sys.fileExists,
  readFile: ts.sys.readFile,
  readDirectory: ts.sys.readDirectory,
  directoryExists: ts.sys.directoryExists,
  getDirectories: ts.sys.getDirectories,
  getScriptFileNames: () => files,
  getScriptVersion: () => "1",
  getScriptSnapshot: (file) => (fs.existsSync(file) ? ts.ScriptSnapshot.fromString(fs.readFileSync(file, "utf8")) : undefined),
  getCurrentDirectory: () => folder,
  getCompilationSettings: () => settings,
  getDefaultLibFileName: ts.getDefaultLibFilePath,
});
const theirs = new Map();
for (const file of files) {
  const changes = service.organizeImports({ type: "file", fileName: file, mode: "All" }, {}, {}).flatMap((change) => change.textChanges);
  const edit = (text, { span, newText }) => text.slice(0, span.start) + newText + text.slice(span.start + span.length);
  theirs.set(file, imported([...changes].sort((one, two) => two.span.start - one.span.start).reduce(edit, before.get(file))));
}
const run = spawnSync(cst, ["refactor", "organize-imports", "--write"], { cwd: folder, encoding: "utf8" });
if (run.status > 1) throw new Error(run.stderr);
const again = spawnSync(cst, ["refactor", "organize-imports"], { cwd: folder, encoding: "utf8" });
let [same, removed, more, fewer] = [0, 0, 0, 0];
for (const file of files) {
  const [old, ours] = [imported(before.get(file)), imported(fs.readFileSync(file, "utf8"))];
  const gone = [...old].filter((name) => !theirs.get(file).has(name));
  const wrong = [...old].filter((name) => !ours.has(name) && theirs.get(file).has(name));
  const left = gone.filter((name) => ours.has(name));
  removed += gone.length;
  more += wrong.length;
  fewer += left.length;
  same += wrong.length + left.length === 0 ? 1 : 0;
  if (wrong.length + left.length) console.log(path.relative(folder, file), "only cst:", wrong, "only TypeScript:", left);
}
console.log(`${files.length} files, ${same} with the same names removed; TypeScript removes ${removed}, of which cst leaves ${fewer}; cst removes ${more} more`);
console.log(again.stdout.trim() ? "a second run changes something" : "a second run changes nothing");
fs.rmSync(folder, { recursive: true });
