// Checks and runs lists of TypeScript programs, a JSON line each: all of a list in one program of the compiler, in folders of their own.
// The compiler is the folder in $TYPESCRIPT, else the module `typescript`. Answers lists of [status, output].
const readline = require("node:readline");
const path = require("node:path").posix;
const ts = require(process.env.TYPESCRIPT || "typescript");
const { run } = require("./javascript_worker.cjs");

const options = {
  strict: true, target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler, lib: ["lib.es2022.d.ts"], types: [],
  skipLibCheck: true, experimentalDecorators: false, moduleDetection: ts.ModuleDetectionKind.Force,
};
const folder = path.dirname(ts.getDefaultLibFilePath(options));
const libs = new Map();
const CONSOLE = "declare const console: { log(...parts: unknown[]): void };\n";

function check(programs) {
  const files = new Map([["/console.d.ts", CONSOLE]]);
  programs.forEach((program, at) => { for (const name in program) files.set(`/p${at}/${name}`, program[name]); });
  const host = {
    fileExists: (name) => files.has(name) || (name.startsWith(folder) && ts.sys.fileExists(name)),
    readFile: (name) => files.get(name) ?? ts.sys.readFile(name),
    directoryExists: (name) => name === "/" || [...files.keys()].some((file) => file.startsWith(name + "/")),
    getSourceFile: (name, version) => {
      if (files.has(name)) return ts.createSourceFile(name, files.get(name), version, true);
      if (!libs.has(name)) {
        const text = ts.sys.readFile(name);
        libs.set(name, text === undefined ? undefined : ts.createSourceFile(name, text, version, true));
      }
      return libs.get(name);
    },
    getDefaultLibFileName: () => ts.getDefaultLibFilePath(options), getDefaultLibLocation: () => folder, writeFile: () => {}, getCurrentDirectory: () => "/",
    getCanonicalFileName: (name) => name, useCaseSensitiveFileNames: () => true, getNewLine: () => "\n", getDirectories: () => [],
  };
  const roots = [...files.keys()];
  const program = ts.createProgram(roots, options, host);
  return programs.map((files, at) => {
    const complaints = [];
    const out = {};
    for (const name in files) {
      const source = program.getSourceFile(`/p${at}/${name}`);
      for (const found of [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)]) {
        complaints.push(`TS${found.code} ${ts.flattenDiagnosticMessageText(found.messageText, " ").slice(0, 120)}`);
      }
      if (!complaints.length) program.emit(source, (file, text) => { if (file.endsWith(".js")) out[file.slice(`/p${at}/`.length)] = text; });
    }
    return { complaints, out };
  });
}

(async () => {
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const answers = [];
    for (const { complaints, out } of check(JSON.parse(line))) {
      answers.push(complaints.length ? [1, complaints.slice(0, 3).join("\n")] : await run(out, "main.js"));
    }
    process.stdout.write(JSON.stringify(answers) + "\n");
  }
})();
