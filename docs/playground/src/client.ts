// Asks the worker. A question about a text carries it if the worker does not have it yet.

import { EngineError, type ErrorData } from "../../../src/serve/ui/page/src/engine";
import type { Question } from "./worker";

export interface Module {
  file: string;
  bytes: number;
}

export interface Manifest {
  core: Module;
  languages: (Module & { name: string; label: string })[];
}

/** How long an answer may take once the files are there, in milliseconds. */
const LONGEST = 30_000;
/** How long a question may take that nobody waits for any more. */
const OUTDATED = 1_000;

interface Waiting {
  resolve(result: unknown): void;
  reject(error: EngineError): void;
  since: number;
}

interface Reply {
  id: number;
  result?: unknown;
  error?: { message: string; data?: ErrorData };
}

export class Client {
  private worker: Worker;
  private readonly waiting = new Map<number, Waiting>();
  private last = 0;
  private loaded = new Set<string>();
  /** The files that were fetched, and those that the worker has. */
  private readonly files = new Map<string, Promise<ArrayBuffer>>();
  private known = new Set<string>();
  /** The text that the worker has, with its language. */
  private sent = "";
  private document = { language: "", path: "", text: "" };

  constructor(private readonly manifest: Manifest, private readonly script: string) {
    this.worker = this.start();
  }

  private start(): Worker {
    const worker = new Worker(this.script);
    worker.onmessage = ({ data }: MessageEvent<Reply>) => {
      const waiting = this.waiting.get(data.id);
      this.waiting.delete(data.id);
      if (!waiting) return;
      if (data.error) {
        // What is open there after an error is not certain.
        this.sent = "";
        waiting.reject(new EngineError(data.error.message, data.error.data ?? {}));
      } else {
        this.loaded.add(this.document.language);
        waiting.resolve(data.result);
      }
    };
    worker.onerror = (event) => this.restart(event.message || "the worker cannot be started", "reload the page");
    return worker;
  }

  /** The bytes of a file. They are fetched here, where the browser has begun with it before the page's script was there. */
  private fetch(file: string): Promise<ArrayBuffer> {
    let loading = this.files.get(file);
    if (!loading) {
      loading = fetch(file).then((response) => {
        if (!response.ok) throw new EngineError(`${file}: ${response.status} ${response.statusText}`, { hint: "reload the page" });
        return response.arrayBuffer();
      }, () => {
        throw new EngineError("the language cannot be loaded", { hint: "look at the connection, and try again" });
      });
      // What failed may be tried again.
      loading.catch(() => this.files.delete(file));
      this.files.set(file, loading);
    }
    return loading;
  }

  private restart(message: string, hint: string): void {
    this.worker.terminate();
    this.sent = "";
    this.known.clear();
    for (const { reject } of this.waiting.values()) reject(new EngineError(message, { hint }));
    this.waiting.clear();
    this.worker = this.start();
  }

  /** Ends what takes long and is outdated. */
  supersede(): void {
    const now = performance.now();
    const isLoading = !this.loaded.has(this.document.language);
    if (!isLoading && [...this.waiting.values()].some(({ since }) => now - since > OUTDATED)) this.restart("cancelled", "");
  }

  /** The text that is asked about from now on. */
  open(language: string, path: string, text: string): void {
    this.document = { language, path, text };
  }

  get isLoaded(): boolean {
    return this.loaded.has(this.document.language);
  }

  async ask<T>(method: string, params: object): Promise<T> {
    const { language, path, text } = this.document;
    const grammar = this.manifest.languages.find(({ name }) => name === language)!;
    const names: [string, string] = [this.manifest.core.file, grammar.file];
    const bytes = await Promise.all(names.map((name) => this.fetch(name)));
    const id = ++this.last;
    const question: Question = { id, language, files: names, method, params };
    const unknown = names.map((name, at) => [name, bytes[at]!] as const).filter(([name]) => !this.known.has(name));
    if (unknown.length) question.modules = Object.fromEntries(unknown);
    for (const [name] of unknown) this.known.add(name);
    const key = [language, path, text].join("\n");
    if (key !== this.sent || method === "open") question.text = { text, path };
    this.sent = key;
    return new Promise<T>((resolve, reject) => {
      this.waiting.set(id, { resolve: resolve as (result: unknown) => void, reject, since: performance.now() });
      setTimeout(() => {
        if (this.waiting.has(id)) this.restart(`no answer after ${LONGEST / 1000} seconds`, "narrow the selector, or shorten the code");
      }, LONGEST);
      this.worker.postMessage(question);
    });
  }
}
