// Runs lists of JavaScript programs, a JSON line each, as modules in contexts of their own; answers lists of [status, output].
const readline = require("node:readline");
const path = require("node:path").posix;
const vm = require("node:vm");

async function run(files, main) {
  const out = [];
  const context = vm.createContext({ console: { log: (...parts) => out.push(parts.map(String).join(" ")) } });
  const modules = new Map();
  const load = (specifier, from) => {
    let name = path.join(path.dirname(from), specifier);
    for (const end of ["", ".js", ".mjs", "/index.js"]) if (name + end in files) { name += end; break; }
    if (!(name in files)) throw new Error("no module");
    if (!modules.has(name)) {
      modules.set(name, new vm.SourceTextModule(files[name], {
        context, identifier: name,
        importModuleDynamically: async (text) => {
          const found = load(text, name);
          await ready(found);
          return found;
        },
      }));
    }
    return modules.get(name);
  };
  const ready = async (found) => {
    if (found.status === "unlinked") await found.link((text, referencing) => load(text, referencing.identifier));
    await found.evaluate({ timeout: 3000 });
  };
  try {
    const task = ready(load("./" + main, main));
    let timer;
    await Promise.race([task, new Promise((_, no) => { timer = setTimeout(() => no(new Error("late")), 4000); })]).finally(() => clearTimeout(timer));
  } catch (error) {
    out.push("error " + (error && error.name) + " " + String(error && error.message).slice(0, 120));
    return [1, out.join("\n")];
  }
  return [0, out.join("\n")];
}

module.exports = { run };
process.on("unhandledRejection", () => {});
if (require.main === module) {
  (async () => {
    for await (const line of readline.createInterface({ input: process.stdin })) {
      const answers = [];
      for (const files of JSON.parse(line)) answers.push(await run(files, "main.mjs"));
      process.stdout.write(JSON.stringify(answers) + "\n");
    }
  })();
}
