// A session with `cst rpc` as any client would hold it, and what has to be seen at each step.
//
// `request(method, params)` comes from a JSON-RPC client of npm's; it resolves to the result, or throws an error with the
// response's `code` and `data`. Each check is a line of JSON on standard output, which run.py collects.

const fs = require("fs");
const path = require("path");
const { spawn } = require("child_process");

const SOURCE = `"""A server."""


class Server:
    def handle(self, request):
        return request.answer()

    def close(self):
        pass


def main():
    Server().handle(None)
`;

const options = Object.fromEntries(process.argv.slice(2).map((word) => word.replace(/^--/, "").split(/=(.*)/s, 2)));

function check(name, held, detail) {
  process.stdout.write(JSON.stringify({ check: name, held: Boolean(held), detail: held ? undefined : detail }) + "\n");
}

async function attempt(name, steps) {
  try {
    await steps();
  } catch (error) {
    check(name, false, { thrown: String(error && error.message), code: error && error.code, data: error && error.data });
  }
}

async function refusal(request, method, params) {
  try {
    return { result: await request(method, params) };
  } catch (error) {
    return { code: error.code, message: error.message, data: error.data || {} };
  }
}

// The program, in a store of its own unless one is given.
function start(more = []) {
  const environment = { ...process.env, CST_STATE: path.join(options.folder, "state") };
  const child = spawn(options.cst, ["rpc", ...more], {
    cwd: options.folder,
    env: environment,
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.ended = new Promise((resolve) => child.on("exit", (code, signal) => resolve(code === null ? signal : code)));
  child.stdin.on("error", () => {});
  return child;
}

async function session(request) {
  const file = path.join(options.folder, "app.py");
  fs.writeFileSync(file, SOURCE);
  let tree, node;
  await attempt("load", async () => {
    const { trees } = await request("load", { paths: [file], outline: true });
    tree = trees[0].tree_id;
    check(
      "load",
      trees.length === 1 && trees[0].language === "python" && trees[0].errors.length === 0 && trees[0].outline,
      trees,
    );
  });
  await attempt("find", async () => {
    const found = await request("find", { selector: "method#handle", targets: [tree] });
    node = found.matches[0].node_id;
    check("find", found.total === 1 && found.matches[0].qualname === "Server.handle" && found.tree_id === tree, found);
  });
  await attempt("show", async () => {
    const shown = await request("show", { target: tree, nodes: [node], as: "code" });
    check("show", shown.nodes[0].code.startsWith("def handle(self, request):"), shown);
  });
  await attempt("modify", async () => {
    const done = await request("modify", { target: tree, operations: [{ op: "rename", target: node, to: "serve" }] });
    const staged = fs.readFileSync(file, "utf8") === SOURCE;
    check("modify", done.applied === 1 && done.written === false && staged && done.diff === undefined, done);
  });
  await attempt("ids survive", async () => {
    const found = await request("find", { selector: "method#serve", targets: [tree] });
    check("ids survive", found.total === 1 && found.matches[0].node_id === node && found.revision > 0, found);
  });
  const names = async () =>
    (await request("find", { selector: "class > method", targets: [tree] })).matches.map((row) => row.name);
  await attempt("undo", async () => {
    await request("undo", { tree_ids: [tree] });
    check("undo", (await names()).join() === "handle,close", await names());
  });
  await attempt("redo", async () => {
    await request("redo", { tree_ids: [tree] });
    check("redo", (await names()).join() === "serve,close", await names());
  });
  await attempt("diff", async () => {
    const { trees } = await request("diff", { tree_ids: [tree] });
    check("diff", trees[0].diff.includes("-    def handle(") && trees[0].diff.includes("+    def serve("), trees);
  });
  await attempt("save", async () => {
    const { saved } = await request("save", { tree_ids: [tree] });
    check("save", saved[0].written && fs.readFileSync(file, "utf8") === SOURCE.replace("def handle", "def serve"), saved);
  });
  await attempt("trees", async () => {
    const { trees } = await request("trees", {});
    check(
      "trees",
      trees.some((row) => row.tree_id === tree && !row.unsaved),
      trees,
    );
  });
  await refusals(request, tree, file);
  await attempt("drop", async () => {
    const { dropped } = await request("drop", { tree_ids: [tree] });
    const gone = await refusal(request, "show", { target: tree, nodes: [node] });
    check("drop", dropped.length === 1 && gone.code === -32000 && gone.data.code === "unknown_tree", { dropped, gone });
  });
}

async function refusals(request, tree, file) {
  const refused = async (name, method, params, holds) =>
    attempt(name, async () => {
      const gone = await refusal(request, method, params);
      check(name, holds(gone), gone);
    });
  const engine = (code) => (gone) => gone.code === -32000 && gone.data.code === code;
  await refused("unknown method", "fnid", {}, (gone) => gone.code === -32601 && gone.message.includes("find"));
  await refused(
    "unknown field",
    "find",
    { selectr: "class" },
    (gone) => gone.code === -32602 && gone.message.includes("selector"),
  );
  await refused("wrong type", "find", { selector: 3 }, (gone) => gone.code === -32602);
  await refused("by position", "find", ["class"], (gone) => gone.code === -32602);
  await refused("broken selector", "find", { selector: "class >", targets: [tree] }, engine("selector_syntax"));
  await refused("no such file", "load", { paths: ["missing.py"] }, engine("not_found"));
  await refused("no such node", "show", { target: tree, nodes: ["n99999"] }, engine("unknown_node"));
  await refused(
    "unknown operation",
    "modify",
    { target: tree, operations: [{ op: "rename", target: "method#close", to: "end" }, { op: "nmae" }] },
    (gone) => gone.code === -32000 && gone.data.code === "bad_request" && gone.data.operation === 1,
  );
  await refused(
    "ambiguous",
    "modify",
    { target: tree, operations: [{ op: "delete", target: "method" }] },
    (gone) => engine("ambiguous")(gone) && gone.data.candidates.length === 2,
  );
  await refused(
    "breaks syntax",
    "modify",
    { target: tree, operations: [{ op: "replace", target: "method#close", code: "def close(:" }] },
    engine("would_break_syntax"),
  );
  await attempt("a file by its path", async () => {
    const before = fs.readFileSync(file, "utf8");
    const operations = [{ op: "rename", target: "method#close", to: "shut" }];
    const shown = await request("modify", { target: file, operations, diff: true });
    const unwritten = fs.readFileSync(file, "utf8") === before && !shown.written && shown.diff.includes("+    def shut");
    const written = await request("modify", { target: file, operations, write: true });
    check("a file by its path", unwritten && written.written && fs.readFileSync(file, "utf8").includes("def shut"), {
      shown,
      written,
    });
  });
}

// Every method of the OpenRPC document that only reads is known by that name.
async function discovery(request) {
  await attempt("rpc.discover", async () => {
    const document = await request("rpc.discover", {});
    const names = document.methods.map((method) => method.name);
    const expected = [
      "load",
      "find",
      "show",
      "modify",
      "rewrite",
      "run",
      "test",
      "undo",
      "redo",
      "diff",
      "save",
      "drop",
      "trees",
      "languages",
      "outline",
      "chunk",
      "check",
      "explain",
    ];
    const missing = expected.filter((name) => !names.includes(name));
    check("rpc.discover", document.openrpc && missing.length === 0, { missing, openrpc: document.openrpc });
    if (options.openrpc) fs.writeFileSync(options.openrpc, JSON.stringify(document, null, 1));
  });
}

module.exports = { options, check, attempt, refusal, start, session, discovery };
