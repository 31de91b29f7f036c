// The page: puts the parts together.

import { count, debounce, h, plural, prose, toast } from "./dom";
import {
  type Definition, type Engine, type Explained, explained, type Files, type Found, HttpEngine, type Inspected, type Query,
  type Row, type ShownFile, type TreeNode,
} from "./engine";
import { Completion, type Word } from "./complete";
import { FileTree, Outline } from "./files";
import { Graph } from "./graph";
import { Inspector } from "./inspector";
import { problemOf } from "./problem";
import { Results } from "./results";
import { Rewrite } from "./rewrite";
import { Treemap } from "./treemap";
import { Viewer } from "./viewer";

/** The most matches that are kept. */
const MOST = 200_000;
/** How long after the last key a search begins, in milliseconds. */
const PAUSE = 220;

type View = "code" | "rewrite" | "graph" | "map";
const VIEWS: [View, string][] = [["code", "Code"], ["rewrite", "Rewrite"], ["graph", "Calls"], ["map", "Map"]];
type Pane = "files" | "main" | "node";

const SIGNS: Record<string, string[]> = { "": ["kinds", "types"], ":": ["pseudo-classes", "named"], "[": ["attributes"], ".": ["fields"] };
const WHAT: Record<string, string> = { kinds: "kind", types: "type", "pseudo-classes": "pseudo-class", named: "named selector", attributes: "attribute", fields: "field" };

function start(engine: Engine, files: Files): void {
  const nonce = document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')!.content;
  let mode: "selector" | "pattern" = "selector";
  let searching: AbortController | null = null;
  let asked = "";
  let inspecting = 0;
  let words: Record<string, string[]> = {};
  let wordsOf: string | null = null;

  // The field above.
  const field = h("input", { id: "query", class: "code-field", spellcheck: "false", autocomplete: "off", autocapitalize: "off", "aria-label": "Selector or pattern", "aria-describedby": "problem" });
  const modes = h("div", { class: "segmented", role: "group", "aria-label": "What the field has" },
    ...(["selector", "pattern"] as const).map((name) => h("button", { "data-mode": name, onclick: () => setMode(name) }, name === "selector" ? "Selector" : "Pattern")));
  const languages = [...new Set(files.files.flatMap(({ language }) => (language ? [language] : [])))].sort();
  const language = h("select", { id: "language", "aria-label": "Language", onchange: () => search() }, h("option", { value: "" }, "All languages"), ...languages.map((name) => h("option", { value: name }, name)));
  const problem = h("div", { id: "problem", role: "alert", hidden: true });
  const steps = h("div", { class: "steps", "aria-label": "Steps" });
  const bar = h("div", { class: "progress", role: "presentation" });

  const show = {
    file: null as ShownFile | null,
    async open(path: string, place?: { line: number; col: number }, focus = false, match?: Row): Promise<void> {
      setView("code");
      if (show.file?.path !== path) {
        try {
          const file = await engine.ask<ShownFile>("file", { path });
          show.file = file;
          viewer.show(file);
          setView("code");
          title.textContent = path;
          showErrors(file);
          tree.current(path);
          inspector.clear();
          void outlineOf(file);
          void wordsFor(file.language);
        } catch (error) {
          toast(explained(error));
          return;
        }
      }
      showMarks();
      if (place) viewer.go(place.line, place.col, focus, !match);
      else if (focus) viewer.focus();
      if (place && match) void inspect(place, match);
      setPane("main");
      remember();
    },
  };

  const viewer = new Viewer(nonce, (line, col) => void inspect({ line, col }));
  const tree = new FileTree((path) => void show.open(path));
  const outline = new Outline((definition: Definition) => void show.open(show.file!.path, { line: definition.start_line, col: columnOf(definition) }));
  const inspector = new Inspector({
    use: (selector) => {
      setMode("selector");
      field.value = selector;
      search();
      setPane("main");
    },
    select: (node) => {
      viewer.markNode(node);
      void inspect({ node: node.node });
    },
    hover: (node) => viewer.markNode(node ?? lastNode),
    calls: (symbol) => {
      setView("graph");
      setPane("main");
      graph.show(symbol);
    },
  });
  const results = new Results((row) => void show.open(row.path, { line: row.start_line, col: row.start_col }, false, row));
  const rewrite = new Rewrite(engine, files.writes, {
    query: currentQuery,
    language: () => language.value,
    changed: () => {
      const path = show.file?.path;
      show.file = null;
      if (path) void engine.ask<ShownFile>("file", { path }).then((file) => { show.file = file; viewer.show(file); showErrors(file); showMarks(); });
      search();
    },
  });
  const graph = new Graph(engine, (path, line, col) => void show.open(path, { line, col }, true));
  const treemap = new Treemap((path) => void show.open(path));
  let lastNode: TreeNode | null = null;

  function columnOf(definition: Definition): number {
    const line = show.file?.text.split("\n")[definition.start_line - 1] ?? "";
    return Math.max(1, line.indexOf(definition.name) + 1);
  }

  async function outlineOf(file: ShownFile): Promise<void> {
    outline.set([]);
    if (!file.language) return;
    try {
      const { files: [found] } = await engine.ask<{ files: { definitions: Definition[] }[] }>("outline", { targets: [{ path: file.path }] });
      if (show.file === file) outline.set(found?.definitions ?? []);
    } catch {
      // The code is shown all the same.
    }
  }

  async function wordsFor(name: string): Promise<void> {
    if (wordsOf === name) return;
    wordsOf = name;
    try {
      const reading = name ? { reading: { language: name } } : {};
      words = (await engine.ask<Explained>("explain", { selector: "*", ...reading })).words;
      completion.refresh();
    } catch {
      wordsOf = null;
    }
  }

  /** Shows the node at a place; of those around it the one that a match is, since several may begin there. */
  async function inspect(place: { line?: number; col?: number; node?: number }, match?: Row): Promise<void> {
    const file = show.file;
    if (!file?.language) return;
    const turn = ++inspecting;
    try {
      const found = await engine.ask<Inspected>("inspect", { path: file.path, ...place });
      if (turn !== inspecting || show.file !== file) return;
      const isMatch = (node: TreeNode) => match && node.type === match.type && node.start_line === match.start_line && node.start_col === match.start_col && node.end_line === match.end_line && node.end_col === match.end_col;
      const matched = found.nodes.find(isMatch);
      if (matched && matched.node !== found.node) return inspect({ node: matched.node });
      inspector.show(found);
      lastNode = found.nodes.find(({ node }) => node === found.node) ?? null;
      viewer.markNode(lastNode);
    } catch (error) {
      if (turn === inspecting) inspector.clear((error as Error).message);
    }
  }

  function currentQuery(): Query {
    const text = field.value.trim();
    if (!text) return {};
    return mode === "pattern" ? { pattern: text } : { selector: text };
  }

  function setMode(name: "selector" | "pattern"): void {
    mode = name;
    for (const button of modes.querySelectorAll("button")) button.setAttribute("aria-pressed", String(button.dataset["mode"] === name));
    field.placeholder = name === "selector" ? "Selector, as  class > method:has(return)" : "Pattern: code with holes, as  print($X, $$$REST)";
  }

  /** What is searched, in one text. */
  function question(): string {
    return [mode, field.value.trim(), language.value].join("\n");
  }

  // A search: the matches as they come, then how many nodes each step left.
  function search(): void {
    searching?.abort();
    const abort = (searching = new AbortController());
    const query = currentQuery();
    asked = question();
    problem.hidden = true;
    field.removeAttribute("aria-invalid");
    steps.replaceChildren(query.selector || query.pattern ? h("span", { class: "counting" }, "Searching …") : "");
    hits.clear();
    results.begin(query, language.value);
    remember();
    if (!query.selector && !query.pattern) {
      bar.className = "progress";
      tree.mark(hits);
      treemap.mark(hits);
      showMarks();
      results.say("Write a selector or a pattern, or click in the code.");
      return;
    }
    const began = performance.now();
    bar.className = "progress on";
    const reading = { unordered: true, ...(language.value ? { language: language.value } : {}) };
    const updateHits = () => {
      tree.mark(hits);
      treemap.mark(hits);
      showMarks();
    };
    let shown = 0;
    const said = (done: string) => results.say(`${plural(results.all.length, "match", "matches")}${done}`);
    const seconds = () => (performance.now() - began) / 1000;
    engine.stream<Found>("find", { ...query, source_lines: true, limit: MOST, reading }, {
      rows: (rows) => {
        results.add(rows);
        for (const { path } of rows) hits.set(path, (hits.get(path) ?? 0) + 1);
        said(" …");
        if (performance.now() - shown > 400) {
          shown = performance.now();
          updateHits();
        }
      },
      progress: ({ done, total }) => said(` · ${count(done)}${total ? ` of ${count(total)}` : ""} files …`),
    }, abort.signal).then((found) => {
      if (abort.signal.aborted) return;
      bar.className = "progress";
      results.end();
      updateHits();
      results.summary(found.total, found.files.matched, seconds(), found.truncated);
      results.note(found, (path) => void show.open(path));
      return explain(query, abort.signal);
    }).catch((error: unknown) => {
      if (abort.signal.aborted) return;
      bar.className = "progress";
      results.say("");
      steps.replaceChildren();
      fail(error);
    });
  }

  /** How many nodes each step left: in the open file at once, then in all files. */
  async function explain(query: Query, signal: AbortSignal): Promise<void> {
    steps.replaceChildren(h("span", { class: "counting" }, "Counting the nodes that each step leaves …"));
    const reading = language.value ? { reading: { language: language.value } } : {};
    const answer = await engine.stream<Explained>("explain", { ...query, target: ".", ...reading }, {}, signal);
    if (signal.aborted) return;
    steps.replaceChildren(...answer.steps.map(({ step, nodes }) =>
      h("span", { class: nodes === 0 ? "step none" : "step", title: answer.read_as }, h("code", {}, step.replaceAll("`", "")), h("b", {}, nodes === undefined ? "" : count(nodes)))));
  }

  function fail(error: unknown): void {
    results.say(error instanceof Error ? error.message.split("\n")[0]! : String(error));
    // Enter went on to the matches; what is to be done is in the field.
    if (document.activeElement === results.list.element) field.focus();
    problem.replaceChildren(...problemOf(error, mode === "selector"));
    problem.className = "error";
    problem.hidden = false;
    field.setAttribute("aria-invalid", "true");
  }

  /** The syntax errors of the open file, beside its name. */
  function showErrors({ errors = [] }: ShownFile): void {
    const [first] = errors;
    flaws.hidden = !first;
    if (!first) return;
    flaws.textContent = errors.length === 1 ? "1 syntax error" : `${count(errors.length)} syntax errors`;
    flaws.title = `Line ${first.start_line}: ${first.what}. Matches near it may be missing.`;
    flaws.onclick = () => {
      setView("code");
      viewer.go(first.start_line, first.start_col, true);
    };
  }

  const hits = new Map<string, number>();

  function showMarks(): void {
    if (!show.file) return;
    const path = show.file.path;
    const rows: Row[] = hits.get(path) ? results.all.filter((row) => row.path === path) : [];
    rows.sort((a, b) => a.start_line - b.start_line || a.start_col - b.start_col);
    viewer.marks(rows, results.current);
  }

  // The parts of the page.
  const title = h("span", { class: "file-title" }, "");
  const flaws = h("button", { class: "flaws", hidden: true });
  const tabs = h("div", { class: "tabs", role: "tablist" }, ...VIEWS.map(([name, label], index) =>
    h("button", { role: "tab", id: `tab-${name}`, "aria-controls": `view-${name}`, title: `Alt+${index + 1}`, onclick: () => setView(name) }, label)));
  tabs.addEventListener("keydown", (event) => {
    const index = VIEWS.findIndex(([name]) => name === view);
    const move = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!move) return;
    setView(VIEWS[(index + move + VIEWS.length) % VIEWS.length]![0]);
    document.getElementById(`tab-${view}`)!.focus();
  });
  const empty = h("div", { class: "welcome" },
    h("h1", {}, "Find code by its syntax"),
    h("p", {}, `${plural(files.files.length, "file")} in ${languages.length === 1 ? languages[0]! : plural(languages.length, "language")}. Try one of these, or open a file and click.`),
    h("div", { class: "examples" }, ...["function[lines>50]", "class > method", "call[args>4]", "function:not([doc])", "try", "comment[text*=\"TODO\"]"].map((example) =>
      h("button", { onclick: () => { setMode("selector"); field.value = example; search(); field.focus(); } }, h("code", {}, example)))));
  const code = h("section", { class: "code view", "aria-label": "Code" }, empty, viewer.element);
  const views: Record<View, HTMLElement> = { code, rewrite: rewrite.element, graph: graph.element, map: treemap.element };
  for (const [name, element] of Object.entries(views)) {
    element.id = `view-${name}`;
    element.setAttribute("role", "tabpanel");
  }
  let view: View = "code";

  function setView(name: View): void {
    view = name;
    for (const [other, element] of Object.entries(views)) element.hidden = other !== name;
    for (const [other] of VIEWS) {
      const tab = document.getElementById(`tab-${other}`) ?? tabs.querySelector(`#tab-${other}`)!;
      tab.setAttribute("aria-selected", String(other === name));
      tab.setAttribute("tabindex", other === name ? "0" : "-1");
    }
    empty.hidden = !!show.file;
    viewer.element.hidden = !show.file;
    title.hidden = name !== "code";
    flaws.hidden = name !== "code" || !show.file?.errors?.length;
    document.body.dataset["view"] = name;
  }

  function setPane(name: Pane): void {
    document.body.dataset["pane"] = name;
    for (const button of panes.querySelectorAll("button")) button.setAttribute("aria-pressed", String(button.dataset["pane"] === name));
  }

  const panes = h("nav", { class: "panes", "aria-label": "Parts of the page" },
    ...([["files", "Files"], ["main", "Code"], ["node", "Node"]] as const).map(([name, label]) => h("button", { "data-pane": name, onclick: () => setPane(name) }, label)));

  const help = h("dialog", { class: "help" }, h("h2", {}, "Keys"), h("dl", {}, ...[
    ["/", "to the field"], ["Ctrl+Space", "complete"], ["Tab", "take the first completion, or the one marked"], ["Enter", "take the one marked"], ["Enter", "search, open"], ["n  N", "next, previous match"], ["↑ ↓ j k", "move in a list"],
    ["Space", "pick a file in a preview"], ["Alt+1 … 4", "Code, Rewrite, Calls, Map"], ["f  m  e  i", "files, matches, code, node"], ["Ctrl+F", "find text in the code"], ["?", "this help"], ["Esc", "back to the code"],
  ].flatMap(([keys, what]) => [h("dt", {}, h("kbd", {}, keys!)), h("dd", {}, what!)])), h("form", { method: "dialog" }, h("button", { class: "primary" }, "Close")));

  const header = h("header", {},
    h("div", { class: "brand" }, h("img", { src: "icon.svg", alt: "", width: 26, height: 26 }), h("strong", {}, "cst")),
    modes, h("div", { class: "query-box" }, field, problem), language,
    h("span", { class: files.writes ? "lock writes" : "lock", title: files.writes ? "Rewrites can be applied" : "Start with `cst ui --write` to apply rewrites" }, files.writes ? "can write" : "read-only"),
    h("button", { class: "round", title: "Keys (?)", "aria-label": "Keys", onclick: () => help.showModal() }, "?"));
  const split = h("div", { class: "split", role: "separator", "aria-orientation": "horizontal", "aria-label": "Height of the matches", tabindex: 0 });
  const main = h("main", {}, h("div", { class: "tab-bar" }, tabs, title, flaws), h("div", { class: "views" }, ...Object.values(views)), split, results.element);
  document.body.append(header, h("div", { class: "under" }, steps), bar, h("div", { class: "columns-3" }, h("div", { class: "side" }, tree.element, outline.element), main, inspector.element), panes, help);

  const resize = (height: number) => main.style.setProperty("--results", `${Math.max(60, Math.min(main.clientHeight - 160, height))}px`);
  split.addEventListener("pointerdown", (event) => {
    split.setPointerCapture(event.pointerId);
    const move = (moved: PointerEvent) => resize(main.getBoundingClientRect().bottom - moved.clientY);
    split.addEventListener("pointermove", move);
    split.addEventListener("pointerup", () => split.removeEventListener("pointermove", move), { once: true });
  });
  split.addEventListener("keydown", (event) => {
    if (event.key === "ArrowUp" || event.key === "ArrowDown") resize(results.element.clientHeight + (event.key === "ArrowUp" ? 40 : -40));
  });

  const completion = new Completion(field, {
    after: (sign): Word[] => {
      const listed = (SIGNS[sign] ?? []).flatMap((group) => (words[group] ?? []).map((text) => ({ text: text.replace(/^:/, ""), what: WHAT[group]! })));
      if (sign === "#") {
        const names = new Set([...outline.names, ...results.all.slice(0, 2000).flatMap(({ name }) => (name ? [name] : []))]);
        return [...names].map((text) => ({ text, what: "name" }));
      }
      return listed;
    },
  }, () => mode === "selector");
  // Enter may have asked it already.
  const searchSoon = debounce(PAUSE, () => {
    if (asked !== question()) search();
  });
  field.addEventListener("input", searchSoon);
  field.addEventListener("completed", search);
  field.addEventListener("keydown", (event) => {
    if (completion.isOpen && event.key !== "Enter") return;
    if (event.key === "Enter") {
      completion.close();
      search();
      results.list.element.focus();
    } else if (event.key === "ArrowDown") {
      event.preventDefault();
      results.list.element.focus();
    } else if (event.key === "Escape") viewer.focus();
  });

  document.addEventListener("keydown", (event) => {
    if (event.altKey && /^[1-4]$/.test(event.key)) {
      event.preventDefault();
      const [name] = VIEWS[Number(event.key) - 1]!;
      setView(name);
      if (name === "rewrite") rewrite.template.focus();
      if (name === "graph") graph.field.focus();
      return;
    }
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input,select,textarea,dialog")) return;
    const run: Record<string, () => void> = {
      "/": () => { field.focus(); field.select(); },
      "?": () => help.showModal(),
      n: () => results.step(1),
      N: () => results.step(-1),
      f: () => { setPane("files"); tree.list.element.focus(); },
      m: () => { setPane("main"); results.list.element.focus(); },
      e: () => { setPane("main"); setView("code"); viewer.focus(); },
      i: () => { setPane("node"); inspector.element.querySelector<HTMLElement>("button")?.focus(); },
      Escape: () => viewer.focus(),
    };
    const action = run[event.key];
    if (action) {
      event.preventDefault();
      action();
    }
  });

  // What is open is kept in the part of the address that the program never sees.
  function remember(): void {
    const state = new URLSearchParams();
    if (field.value) state.set(mode, field.value);
    if (language.value) state.set("language", language.value);
    if (show.file) state.set("file", show.file.path);
    history.replaceState(null, "", `#${state}`);
  }

  setMode("selector");
  setView("code");
  setPane("main");
  tree.set(files.files);
  treemap.set(files.files);
  const state = new URLSearchParams(location.hash.slice(1));
  if (state.has("pattern")) setMode("pattern");
  field.value = state.get(mode) ?? "";
  language.value = state.get("language") ?? "";
  const opened = state.get("file");
  search();
  void wordsFor("");
  if (opened && files.files.some(({ path }) => path === opened)) void show.open(opened);
  else field.focus();
}

const engine = new HttpEngine();
engine.ask<Files>("files", {}).then((files) => {
  start(engine, files);
  document.body.dataset["ready"] = "true";
}, (error: Error) => document.body.append(h("p", { class: "fatal" }, prose(explained(error)))));
