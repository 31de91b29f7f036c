// The classes and interfaces of JavaScript, browsers and node: name, bases and members, separated by tabs. Classes of node have the
// module before their name: `events.EventEmitter`.
const path = require("path");
const ts = require(path.resolve(process.argv[2]));
const found = new Map();
const entry = (name) => found.get(name) ?? found.set(name, { bases: new Set(), members: new Set() }).get(name);

const fs = require("fs");
const folder = path.dirname(require.resolve(path.resolve(process.argv[2])));
for (const name of fs.readdirSync(folder).filter((name) => /^lib\.(?!scripthost|webworker).*\.d\.ts$/.test(name))) {
  const file = ts.createSourceFile(name, fs.readFileSync(path.join(folder, name), "utf8"), ts.ScriptTarget.Latest, true);
  ts.forEachChild(file, (node) => {
    if (!ts.isInterfaceDeclaration(node) && !ts.isClassDeclaration(node)) return;
    const { bases, members } = entry(node.name.text);
    for (const clause of node.heritageClauses ?? []) for (const type of clause.types) bases.add(type.expression.getText(file));
    for (const member of node.members) if (member.name && (ts.isIdentifier(member.name) || ts.isStringLiteral(member.name))) members.add(member.name.text);
  });
}

// What exists at run time, private names among it.
const seen = new Map();
function add(name, value) {
  if (seen.has(value)) return void (name !== seen.get(value) && entry(name).bases.add(seen.get(value)));
  seen.set(value, name);
  const { bases, members } = entry(name);
  const objects = new Set(Object.getOwnPropertyNames(Object.prototype));
  const own = (object) => Object.getOwnPropertyNames(object ?? {}).forEach((key) => objects.has(key) || /^\d|\s/.test(key) || members.add(key));
  own(value.prototype);
  own(Object.fromEntries(Object.getOwnPropertyNames(value).filter((key) => !["length", "name", "prototype", "arguments", "caller"].includes(key)).map((key) => [key, 1])));
  if (/^(events|stream)\b|Error$|^(Event|EventTarget|Map|Set|URL)$/.test(name)) try {
    own(new value());
  } catch {}
  const above = Object.getPrototypeOf(value.prototype ?? {})?.constructor;
  if (typeof above === "function" && above !== Object && above !== value) {
    if (!seen.has(above)) add(above.name, above);
    bases.add(seen.get(above));
  }
}
process.removeAllListeners("warning").on("warning", () => {});
const isClass = (value) => typeof value === "function" && /^[A-Z]/.test(value.name) && value.prototype;
for (const name of Object.getOwnPropertyNames(globalThis)) {
  const value = Object.getOwnPropertyDescriptor(globalThis, name).value;
  if (isClass(value) && value !== Object && value !== Function) add(name, value);
}
for (const module of require("module").builtinModules.filter((name) => !name.startsWith("_") && !/^(trace_events|inspector|wasi|test|sys)/.test(name))) {
  const exported = require(module);
  if (isClass(exported)) add(module, exported);
  for (const [name, value] of Object.entries(exported)) if (isClass(value) && value.name) add(`${module}.${name}`, value);
}
for (const [name, { bases, members }] of found) console.log([name, [...bases].filter((base) => base !== name && /^[\w./]+$/.test(base)).join(" "), [...members].sort().join(" "), "."].join("\t"));
process.exit(0);
