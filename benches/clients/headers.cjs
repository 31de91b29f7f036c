// Content-Length before each message: `cst rpc --framing headers` driven by vscode-jsonrpc of npm's. Besides the session:
// calling a long search off, and being told how far one is.

const rpc = require("vscode-jsonrpc/node");
const { options, check, attempt, refusal, start, session, discovery } = require("./session.cjs");

function connect() {
  const child = start(["--framing", "headers"]);
  const sender = { sendCancellation: (connection, id) => connection.sendNotification("$/cancel", { id }), cleanup() {} };
  const strategy = { sender, receiver: rpc.CancellationReceiverStrategy.Message };
  const connection = rpc.createMessageConnection(
    new rpc.StreamMessageReader(child.stdout),
    new rpc.StreamMessageWriter(child.stdin),
    rpc.NullLogger,
    { cancellationStrategy: strategy },
  );
  const told = [];
  connection.onNotification("$/progress", (...params) => told.push({ at: Date.now(), ...params[0] }));
  connection.listen();
  return { child, connection, told, request: (...words) => connection.sendRequest(...words) };
}

// Finds something that takes a while, over a folder that takes longer than a second.
const LONG = { selector: "function:has(return):not(:has(call)) integer", targets: [options.corpus], limit: 1 };

async function long({ request, told }) {
  if (!options.corpus) return;
  await attempt("progress", async () => {
    const begun = Date.now();
    const found = await request("find", { ...LONG, limit: 100000 });
    const took = Date.now() - begun;
    const grows = told.every((step, index) => index === 0 || step.done >= told[index - 1].done);
    const rate = told.length / (took / 1000);
    const first = told.length ? told[0].at - begun : undefined;
    const held =
      took > 1500 &&
      told.length > 0 &&
      grows &&
      first >= 900 &&
      rate <= 10.5 &&
      told.every((step) => step.total >= step.done);
    check("progress", held, { took, steps: told.length, rate, first, example: told[0], files: found.files.searched });
  });
  await attempt("cancel", async () => {
    const source = new rpc.CancellationTokenSource();
    const begun = Date.now();
    const refused = refusal((method, params) => request(method, params, source.token), "find", { ...LONG, limit: 100000 });
    setTimeout(() => source.cancel(), 300);
    const gone = await refused;
    check("cancel", gone.code === -32800 && Date.now() - begun < 1500, { gone, took: Date.now() - begun });
    const waiting = new rpc.CancellationTokenSource();
    const running = new rpc.CancellationTokenSource();
    const long = refusal((method, params) => request(method, params, running.token), "find", { ...LONG, limit: 100000 });
    const behind = refusal((method, params) => request(method, params, waiting.token), "languages", {});
    waiting.cancel();
    running.cancel();
    const ends = [await long, await behind];
    check(
      "cancel of what waits",
      ends.every((end) => end.code === -32800),
      ends,
    );
    const { languages } = await request("languages", {});
    check("after a cancel", languages.length > 10, languages);
  });
}

async function main() {
  const connection = connect();
  await discovery(connection.request);
  await session(connection.request);
  await long(connection);
  connection.child.stdin.end();
  check("end of input", (await connection.child.ended) === 0);
}

main();
