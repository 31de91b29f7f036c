// A line a message: `cst rpc` driven by json-rpc-2.0 of npm's. Besides the session: batches, notifications, ids, order, what
// other processes see, and what no client sends that is in its right mind.

const readline = require("readline");
const { JSONRPCClient } = require("json-rpc-2.0");
const { options, check, attempt, start, session, discovery } = require("./session.cjs");

function connect() {
  const child = start();
  const client = new JSONRPCClient((message) => void child.stdin.write(JSON.stringify(message) + "\n"));
  const told = [];
  readline.createInterface({ input: child.stdout }).on("line", (line) => {
    const message = JSON.parse(line);
    if (message.method) told.push(message);
    else client.receive(message);
  });
  return { child, client, told, request: (method, params) => client.request(method, params) };
}

// All that the program answers to these bytes, and how it ends.
async function answers(bytes) {
  const child = start();
  let output = "";
  child.stdout.on("data", (data) => (output += data));
  child.stdin.end(bytes);
  const status = await child.ended;
  return {
    status,
    messages: output
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line)),
  };
}

async function batches({ client, request }) {
  await attempt("batch", async () => {
    const call = (id, method, params) => ({ jsonrpc: "2.0", id, method, params });
    const outline = call("a", "outline", { targets: ["app.py"] });
    const replies = await client.requestAdvanced([call(0, "languages"), outline, call(1.5, "nothing"), call(7, "trees")]);
    const byId = (id) => replies.find((reply) => reply.id === id) || {};
    check(
      "batch",
      replies.length === 4 && byId(0).result && byId("a").result.files && byId(1.5).error.code === -32601 && byId(7).result,
      replies,
    );
  });
  await attempt("notification", async () => {
    const { trees } = await request("load", { paths: ["app.py"] });
    client.notify("drop", { tree_ids: [trees[0].tree_id] });
    const left = (await request("trees", {})).trees.map((row) => row.tree_id);
    check("notification", !left.includes(trees[0].tree_id), left);
  });
  await attempt("order", async () => {
    const { trees } = await request("load", { text: "def f():\n    return 0\n", language: "python" });
    const target = trees[0].tree_id;
    const steps = Array.from({ length: 20 }, (_, index) => [
      request("modify", { target, operations: [{ op: "replace", target: "integer", code: String(index + 1) }] }),
      request("find", { selector: "integer", targets: [target], code: true }),
    ]);
    const seen = (await Promise.all(steps.flat())).filter((result) => result.matches).map((found) => found.matches[0].code);
    check("order", seen.join() === steps.map((_, index) => index + 1).join(), seen);
  });
}

async function processes(first) {
  await attempt("another process", async () => {
    const { trees } = await first.request("load", { paths: ["app.py"] });
    const second = connect();
    const target = trees[0].tree_id;
    await second.request("modify", { target, operations: [{ op: "rename", target: "class#Server", to: "Host" }] });
    const found = await first.request("find", { selector: "class#Host", targets: [target] });
    second.child.kill("SIGKILL");
    await second.child.ended;
    const third = connect();
    const undone = await third.request("undo", { tree_ids: [target] });
    const back = await first.request("find", { selector: "class#Server", targets: [target] });
    third.child.stdin.end();
    check("another process", found.total === 1 && back.total === 1 && (await third.child.ended) === 0, {
      found,
      undone,
      back,
    });
  });
}

// Both edit one tree at the same time: no edit may be lost, and stepping back through all of them ends where they began.
async function atOnce() {
  await attempt("two processes at once", async () => {
    const [one, other] = [connect(), connect()];
    const { trees } = await one.request("load", { text: "def first():\n    pass\n", language: "python" });
    const target = trees[0].tree_id;
    const insert = (connection, name) => {
      const code = `def ${name}():\n    pass`;
      return connection.request("modify", {
        target,
        operations: [{ op: "insert", target: "module", position: "last", code }],
      });
    };
    const edits = Array.from({ length: 20 }, (_, index) => [insert(one, `a${index}`), insert(other, `b${index}`)]);
    await Promise.all(edits.flat());
    const count = async () => (await other.request("find", { selector: "function", targets: [target] })).total;
    const all = await count();
    for (let step = 0; step < 40; step++) await (step % 2 ? one : other).request("undo", { tree_ids: [target] });
    check("two processes at once", all === 41 && (await count()) === 1, { all, left: await count() });
    one.child.stdin.end();
    other.child.stdin.end();
  });
}

async function standard() {
  const one = async (name, bytes, holds) =>
    attempt(name, async () => {
      const said = await answers(bytes);
      check(name, said.status === 0 && holds(said.messages), said);
    });
  const error = (code) => (messages) => messages.length === 1 && messages[0].id === null && messages[0].error.code === code;
  const ping = '{"jsonrpc":"2.0","id":0,"method":"languages"}';
  const answered = (messages) =>
    messages.length === 1 && messages[0].id === 0 && messages[0].result && messages[0].jsonrpc === "2.0";
  await one("parse error", '{"jsonrpc": "2.0", "method"\n', error(-32700));
  await one("invalid request", "1\n", error(-32600));
  await one(
    "no method",
    '{"jsonrpc":"2.0","id":3}\n',
    (messages) => messages.length === 1 && messages[0].error.code === -32600,
  );
  await one("empty batch", "[]\n", error(-32600));
  await one(
    "batch of nothing",
    "[1,2]\n",
    (m) => m.length === 1 && m[0].length === 2 && m[0].every((r) => r.error.code === -32600 && r.id === null),
  );
  await one(
    "batch of notifications",
    '[{"jsonrpc":"2.0","method":"trees"},{"jsonrpc":"2.0","method":"nothing"}]\n',
    (m) => m.length === 0,
  );
  await one(
    "notification unknown",
    '{"jsonrpc":"2.0","method":"nothing","params":{}}\n',
    (messages) => messages.length === 0,
  );
  await one(
    "id null",
    '{"jsonrpc":"2.0","id":null,"method":"languages"}\n',
    (m) => m.length === 1 && m[0].id === null && m[0].result,
  );
  await one("id is an object", '{"jsonrpc":"2.0","id":{},"method":"languages"}\n', error(-32600));
  await one("mark and blank lines", "\ufeff" + ping + "\n\n  \r\n", answered);
  await one("last line without an end", ping, answered);
  await one("carriage return", ping + "\r\n", answered);
  await one("no text", Buffer.from([0xff, 0xfe, 0x0a]), error(-32700));
  await one(
    "after an error",
    "nonsense\n" + ping + "\n",
    (messages) => messages.length === 2 && answered(messages.slice(1)),
  );
  await one("nothing", "", (messages) => messages.length === 0);
  await one("cancel of nothing", '{"jsonrpc":"2.0","method":"$/cancel","params":{"id":77}}\n' + ping + "\n", answered);
  await one(
    "a long line",
    JSON.stringify({
      jsonrpc: "2.0",
      id: 0,
      method: "load",
      params: { text: "x = 1\n".repeat(200000), language: "python" },
    }) + "\n",
    answered,
  );
}

async function main() {
  const connection = connect();
  await discovery(connection.request);
  await session(connection.request);
  await batches(connection);
  await processes(connection);
  await atOnce();
  connection.child.stdin.end();
  check("end of input", (await connection.child.ended) === 0);
  await standard();
}

main();
