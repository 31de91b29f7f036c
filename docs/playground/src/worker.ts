// The worker: the library, and the grammars that were picked. Questions are answered in their order.

import { Linked } from "./linked";

/** What the page asks. */
export interface Question {
  id: number;
  language: string;
  /** The files of the library and of the grammar. */
  files: [string, string];
  /** Those of them that the worker does not have yet. */
  modules?: Record<string, ArrayBuffer>;
  /** The text that the question is about, if it is not the one of the question before. */
  text?: { text: string; path: string };
  method: string;
  params: object;
}

const GZIP = 0x8b1f;
const modules = new Map<string, Promise<WebAssembly.Module>>();
const languages = new Map<string, Linked>();

async function compile(bytes: ArrayBuffer): Promise<WebAssembly.Module> {
  // Some servers take it for a file that the browser is to unpack, and it has done so.
  const isPacked = new DataView(bytes).getUint16(0, true) === GZIP;
  return WebAssembly.compile(isPacked ? await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer() : bytes);
}

async function answer({ language, files, text, method, params }: Question): Promise<object> {
  const [core, grammar] = await Promise.all(files.map((file) => modules.get(file)!));
  let linked = languages.get(language);
  if (!linked) languages.set(language, (linked = new Linked(core!, grammar!)));
  try {
    if (text) {
      const opened = linked.call("open", { ...text, language });
      if (opened.error || method === "open") return opened;
    }
    return linked.call(method, params);
  } catch (error) {
    // After a panic an instance is of no use.
    languages.delete(language);
    throw error;
  }
}

let last = Promise.resolve();
onmessage = ({ data: question }: MessageEvent<Question>) => {
  for (const [file, bytes] of Object.entries(question.modules ?? {})) modules.set(file, compile(bytes));
  last = last.then(async () => {
    try {
      postMessage({ id: question.id, ...(await answer(question)) });
    } catch (error) {
      const isPanic = error instanceof WebAssembly.RuntimeError;
      const data = isPanic ? { hint: "please report it, with the link to this page" } : {};
      postMessage({ id: question.id, error: { message: isPanic ? `internal error: ${error.message}` : String(error instanceof Error ? error.message : error), data } });
    }
  });
};
