// The playground: the code, what is asked about it, and the answers, which follow what is typed.

import { Completion, type Word } from "../../../src/serve/ui/page/src/complete";
import { sideBySide } from "../../../src/serve/ui/page/src/diff";
import { copy, count, debounce, h, plural, prose, toast } from "../../../src/serve/ui/page/src/dom";
import { type Definition, type Inspected, type Query, type Row, type TreeNode, explained } from "../../../src/serve/ui/page/src/engine";
import { Outline } from "../../../src/serve/ui/page/src/files";
import { Inspector } from "../../../src/serve/ui/page/src/inspector";
import { List } from "../../../src/serve/ui/page/src/list";
import { problemOf } from "../../../src/serve/ui/page/src/problem";
import { Client, type Manifest } from "./client";
import { Editor, type Shown } from "./editor";
import { type Example, sampleOf } from "./examples";
import { type Mode, type State, fromHash, toHash } from "./link";

declare const MANIFEST: Manifest;
declare const WORKER: string;

interface Match extends Row {
  captures?: { name: string; text: string }[];
}

interface Found {
  matches: Match[];
  read_as: string;
  steps: { step: string; nodes: number }[];
  near: string[];
}

interface Changed {
  text: string;
  diff: string;
  applied: number;
}

interface Rewritten extends Changed {
  matches: number;
  notes: string[];
}

interface Finding extends Match {
  rule: string;
  severity: string;
  message: string;
  note?: string;
  url?: string;
  ignored: boolean;
  diff?: string;
}

interface Scanned {
  findings: Finding[];
  problems: { message: string; data: { hint?: string } }[];
  fixed: string;
  diff: string;
  applied: number;
}

/** How long after the last key a question is asked, in milliseconds. */
const PAUSE = 120;
/** From how many characters on a link is said to be long. */
const LONG_LINK = 8000;

type Tab = "matches" | "change" | "outline";
const MODES: [Mode, string, string][] = [
  ["selector", "Selector", "Finds nodes by kind, name, place and what they contain"],
  ["pattern", "Pattern", "Finds code by code with holes"],
  ["rule", "Rule", "Rules in TOML, or in ast-grep's YAML"],
];
const HINTS: Record<Mode, string> = { selector: "Selector, as  class > method:has(return)", pattern: "Pattern: code with holes, as  print($X, $$$REST)", rule: "" };
const SIGNS: Record<string, string[]> = { "": ["kinds", "types"], ":": ["pseudo-classes", "named"], "[": ["attributes"], ".": ["fields"] };
const WHAT: Record<string, string> = { kinds: "kind", types: "type", "pseudo-classes": "pseudo-class", named: "named selector", attributes: "attribute", fields: "field" };

async function start(): Promise<void> {
  const nonce = document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')!.content;
  const client = new Client(MANIFEST, WORKER);
  const isKnown = (name: string) => MANIFEST.languages.some((language) => language.name === name);
  const linked = await fromHash(location.hash);
  const first = MANIFEST.languages[0]!.name;
  const state: State = linked && isKnown(linked.language) ? linked : { language: first, mode: "selector", query: sampleOf(first).examples[0]!.query ?? "", template: "", rule: "", code: sampleOf(first).code };

  let turn = 0;
  let words: Record<string, string[]> = {};
  let wordsOf = "";
  let rows: (Match | Finding)[] = [];
  let current: Match | Finding | null = null;
  let changed: Changed | null = null;
  let lastNode: TreeNode | null = null;
  let tab: Tab = "matches";

  // What is asked.
  const language = h("select", { id: "language", "aria-label": "Language", onchange: () => pick(language.value) }, ...MANIFEST.languages.map(({ name, label }) => h("option", { value: name }, label)));
  const examples = h("select", { id: "examples", "aria-label": "Examples", onchange: () => {
    const chosen = sampleOf(state.language).examples[Number(examples.value)];
    examples.value = "";
    if (chosen) use(chosen);
  } });
  const modes = h("div", { class: "segmented", role: "group", "aria-label": "What is asked" },
    ...MODES.map(([name, label, title]) => h("button", { "data-mode": name, title, onclick: () => { setMode(name); update(); } }, label)));
  const field = h("input", { id: "query", class: "code-field", spellcheck: "false", autocomplete: "off", autocapitalize: "off", "aria-label": "Selector or pattern", "aria-describedby": "problem", oninput: () => { state.query = field.value; later(); } });
  const template = h("input", { id: "template", class: "code-field", spellcheck: "false", autocomplete: "off", autocapitalize: "off", "aria-label": "Rewrite to", placeholder: "Rewrite to, as  log($X)",
    oninput: () => { state.template = template.value; if (template.value) setTab("change"); later(); } });
  const removes = h("input", { type: "checkbox", id: "removes", onchange: () => { state.template = ""; if (removes.checked) setTab("change"); update(); } });
  const problem = h("div", { id: "problem", role: "alert", hidden: true });
  const steps = h("div", { class: "steps", "aria-label": "Steps" });
  const bar = h("div", { class: "progress", role: "presentation" });

  const code = new Editor({
    nonce, label: "Code",
    changed: (text) => { state.code = text; later(); },
    moved: (line, col) => void inspect({ line, col }),
  });
  const rule = new Editor({
    nonce, label: "Rules", placeholder: "[[rule]] in TOML, or a rule of ast-grep in YAML",
    changed: (text) => { state.rule = text; later(); },
  });
  const complaints = h("div", { class: "complaints", role: "alert", hidden: true });

  const inspector = new Inspector({
    use: (selector) => {
      setMode("selector");
      field.value = state.query = selector;
      setTab("matches");
      update();
      setPane("main");
    },
    select: (node) => {
      code.markNode(node);
      void inspect({ node: node.node });
    },
    hover: (node) => code.markNode(node ?? lastNode),
  });

  // The answers.
  const list = new List<Match | Finding>({
    height: 28,
    label: "Matches",
    follows: () => true,
    open: (row) => {
      current = row;
      mark();
      code.go(row.start_line, row.start_col, false, false);
      void inspect({ line: row.start_line, col: row.start_col }, row);
      detail(row);
    },
    row: (row) => "rule" in row
      ? h("div", { class: row.ignored ? "finding ignored" : "finding", title: row.message }, h("span", { class: `severity ${row.severity}` }, row.severity), h("span", { class: "place" }, `${row.start_line}:${row.start_col}`), h("span", { class: "label" }, ...pieces(row.message)), h("small", {}, row.rule))
      : h("div", { class: "found" }, h("span", { class: "place" }, `${row.start_line}:${row.start_col}`), h("span", { class: `kind k-${row.kind}` }, row.kind), h("span", { class: "c-name" }, row.qualname ?? row.name ?? ""), h("code", { class: "c-code" }, row.source_line?.trim() ?? "")),
  });
  const about = h("div", { class: "about", hidden: true });
  const status = h("span", { class: "status", role: "status", "aria-live": "polite" });
  const change = h("div", { class: "change" });
  const apply = h("button", { class: "primary", hidden: true, title: "Puts the result into the code", onclick: () => {
    if (!changed) return;
    code.replace(changed.text);
    state.code = changed.text;
    toast("Applied; Ctrl+Z in the code takes it back");
    update();
  } }, "Apply to the code");
  const outline = new Outline((definition) => code.go(definition.start_line, Math.max(1, lineOf(definition.start_line).indexOf(definition.name) + 1), true));
  const tabs: Record<Tab, HTMLElement> = { matches: h("div", { class: "answers" }, list.element, about), change, outline: outline.element };
  const tabButtons = h("div", { class: "tabs", role: "tablist" }, ...(Object.keys(tabs) as Tab[]).map((name, index) =>
    h("button", { role: "tab", id: `tab-${name}`, "aria-controls": `panel-${name}`, title: `Alt+${index + 1}`, onclick: () => setTab(name) })));
  tabButtons.addEventListener("keydown", (event) => {
    const names = Object.keys(tabs) as Tab[];
    const move = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!move) return;
    setTab(names[(names.indexOf(tab) + move + names.length) % names.length]!);
    document.getElementById(`tab-${tab}`)!.focus();
  });
  for (const [name, element] of Object.entries(tabs)) {
    element.id = `panel-${name}`;
    element.setAttribute("role", "tabpanel");
  }

  function lineOf(number: number): string {
    return state.code.split("\n")[number - 1] ?? "";
  }

  function pieces(text: string): (string | HTMLElement)[] {
    return text.split("`").map((part, at) => (at % 2 ? h("code", {}, part) : part));
  }

  function setTab(name: Tab): void {
    tab = name;
    for (const [other, element] of Object.entries(tabs)) {
      element.hidden = other !== name;
      const button = document.getElementById(`tab-${other}`) ?? tabButtons.querySelector(`#tab-${other}`)!;
      button.setAttribute("aria-selected", String(other === name));
      button.setAttribute("tabindex", other === name ? "0" : "-1");
    }
    apply.hidden = name !== "change" || !changed?.applied;
  }

  function label(name: Tab, text: string): void {
    tabButtons.querySelector(`#tab-${name}`)!.textContent = text;
  }

  function setMode(name: Mode): void {
    state.mode = name;
    document.body.dataset["mode"] = name;
    for (const button of modes.querySelectorAll("button")) button.setAttribute("aria-pressed", String(button.dataset["mode"] === name));
    field.placeholder = HINTS[name];
    if (name === "rule" && !state.rule) {
      const example = sampleOf(state.language).examples.find(({ mode }) => mode === "rule");
      state.rule = example?.rule ?? `[[rule]]\nid = "my-rule"\nlanguage = "${state.language}"\nmessage = "what is wrong"\nselect = 'function'\n`;
      rule.replace(state.rule);
    }
    list.element.setAttribute("aria-label", name === "rule" ? "Findings" : "Matches");
  }

  function setPane(name: string): void {
    document.body.dataset["pane"] = name;
    for (const button of panes.querySelectorAll("button")) button.setAttribute("aria-pressed", String(button.dataset["pane"] === name));
  }

  function offer(): void {
    examples.replaceChildren(h("option", { value: "" }, "Examples"), ...sampleOf(state.language).examples.map(({ name }, index) => h("option", { value: index }, name)));
    examples.value = "";
  }

  function pick(name: string): void {
    const isSample = state.code === sampleOf(state.language).code || state.code.trim() === "";
    state.language = name;
    language.value = name;
    offer();
    if (isSample) {
      const sample = sampleOf(name);
      state.code = sample.code;
      code.replace(sample.code);
      use(sample.examples[0]!);
    } else update();
  }

  function use(example: Example): void {
    const sample = sampleOf(state.language);
    if (state.code.trim() === "") code.replace((state.code = sample.code));
    state.query = example.query ?? state.query;
    state.template = example.template ?? "";
    removes.checked = example.template === "";
    if (example.rule !== undefined) rule.replace((state.rule = example.rule));
    field.value = state.query;
    template.value = state.template;
    setMode(example.mode ?? "selector");
    setTab(example.template === undefined ? "matches" : "change");
    update();
  }

  const query = (): Query => (state.mode === "pattern" ? { pattern: state.query } : { selector: state.query });
  const rewrites = () => state.mode !== "rule" && (state.template !== "" || removes.checked);

  /** Asks everything anew. */
  function update(): void {
    const now = ++turn;
    client.supersede();
    client.open(state.language, sampleOf(state.language).path, state.code);
    remember();
    bar.className = "progress on";
    if (!client.isLoaded) {
      const { bytes } = MANIFEST.languages.find(({ name }) => name === state.language)!;
      say(`Loading ${language.selectedOptions[0]?.textContent ?? state.language} (${count(Math.round(bytes / 1024))} KiB) …`);
    }
    void answer(now).catch((error: unknown) => {
      if (now === turn) fail(error);
    }).finally(() => {
      if (now === turn) {
        bar.className = "progress";
        document.body.dataset["turn"] = String(now);
      }
    });
  }
  const later = debounce(PAUSE, update);

  async function answer(now: number): Promise<void> {
    const shown = await client.ask<Shown>("open", {});
    if (now !== turn) return;
    code.show(shown);
    flaws(shown);
    void known();
    const text = state.mode === "rule" ? state.rule : state.query;
    if (!text.trim()) {
      settle([], null, state.mode === "rule" ? "Write a rule, or take an example." : "Write a selector or a pattern, take an example, or click in the code.");
      steps.replaceChildren();
    } else if (state.mode === "rule") await scan(now);
    else await find(now);
    if (now !== turn) return;
    const definitions = await client.ask<Definition[]>("outline", {});
    if (now !== turn) return;
    outline.set(definitions);
    label("outline", `Outline ${definitions.length || ""}`);
    const { line, col } = code.cursor;
    if (lastNode) await inspect({ line, col });
  }

  async function find(now: number): Promise<void> {
    const found = await client.ask<Found>("find", query());
    if (now !== turn) return;
    problem.hidden = true;
    field.removeAttribute("aria-invalid");
    steps.replaceChildren(...found.steps.map(({ step, nodes }) => h("span", { class: nodes === 0 ? "step none" : "step", title: found.read_as }, h("code", {}, step.replaceAll("`", "")), h("b", {}, count(nodes)))));
    const near = found.near.length ? ` Nearest: ${found.near[0]}` : "";
    settle(found.matches, null, found.matches.length ? plural(found.matches.length, "match", "matches") : `No match.${near}`);
    if (!rewrites()) return;
    try {
      const rewritten = await client.ask<Rewritten>("rewrite", { ...query(), template: state.template });
      if (now !== turn) return;
      showChange(rewritten, `${count(rewritten.applied)} of ${plural(rewritten.matches, "match", "matches")} changed`, rewritten.notes);
    } catch (error) {
      if (now === turn) change.replaceChildren(h("div", { class: "error padded" }, ...problemOf(error, false)));
    }
  }

  async function scan(now: number): Promise<void> {
    steps.replaceChildren();
    problem.hidden = true;
    const scanned = await client.ask<Scanned>("scan", { rules: state.rule });
    if (now !== turn) return;
    complain(scanned.problems);
    const counted = scanned.findings.filter(({ ignored }) => !ignored).length;
    settle(scanned.findings, null, plural(counted, "finding"));
    showChange({ ...scanned, text: scanned.fixed }, scanned.applied ? `${plural(scanned.applied, "finding")} fixed` : "No fix changes the code");
  }

  function complain(problems: Scanned["problems"]): void {
    complaints.hidden = !problems.length;
    complaints.replaceChildren(...problems.map(({ message, data }) => {
      const [first, ...more] = message.split("\n");
      return h("div", { class: "error padded" }, h("p", {}, prose(first!)), more.length ? h("pre", {}, more.join("\n")) : null, data.hint ? h("p", { class: "caret-hint" }, prose(data.hint)) : null);
    }));
  }

  function settle(found: (Match | Finding)[], now: Match | Finding | null, text: string): void {
    rows = found;
    current = now;
    list.set(rows);
    changed = null;
    apply.hidden = true;
    about.hidden = true;
    label("matches", `${state.mode === "rule" ? "Findings" : "Matches"} ${rows.length || ""}`);
    label("change", state.mode === "rule" ? "Fixes" : "Rewrite");
    change.replaceChildren(h("p", { class: "hint" }, state.mode === "rule" ? "What the fixes of the rules change is shown here." : "Write what the matches become, with $NAME for what a pattern's hole matched, @NAME captured, or $0 for the whole."));
    mark();
    say(text);
    if (state.mode !== "rule") complain([]);
  }

  function showChange(next: Changed, text: string, notes: string[] = []): void {
    changed = next;
    label("change", `${state.mode === "rule" ? "Fixes" : "Rewrite"} ${next.applied || ""}`);
    apply.hidden = tab !== "change" || !next.applied;
    change.replaceChildren(h("p", { class: "summary" }, text, ...notes.map((note) => h("span", { class: "muted" }, ` · ${note}`))), next.diff ? sideBySide(next.diff) : "");
  }

  function detail(row: Match | Finding): void {
    const captures = row.captures ?? [];
    const finding = "rule" in row ? row : null;
    about.hidden = !captures.length && !finding;
    about.replaceChildren(
      ...(finding ? [h("p", {}, ...pieces(finding.message)), finding.note ? h("p", { class: "muted" }, ...pieces(finding.note)) : null, finding.url ? h("p", {}, h("a", { href: finding.url, rel: "noreferrer", target: "_blank" }, finding.url)) : null] : []).filter((element) => element !== null),
      captures.length ? h("dl", { class: "attributes" }, ...captures.flatMap(({ name, text }) => [h("dt", {}, `$${name}`), h("dd", { title: text }, h("code", {}, text))])) : "",
      finding?.diff ? sideBySide(finding.diff) : "");
  }

  function mark(): void {
    code.marks(rows, current);
  }

  function say(text: string): void {
    status.replaceChildren(prose(text));
  }

  function fail(error: unknown): void {
    if (explained(error) === "cancelled") return;
    rows = [];
    list.set(rows);
    mark();
    steps.replaceChildren();
    label("matches", state.mode === "rule" ? "Findings" : "Matches");
    say(error instanceof Error ? error.message.split("\n")[0]! : String(error));
    const shown = problemOf(error, state.mode === "selector");
    if (state.mode === "rule") {
      complaints.hidden = false;
      complaints.replaceChildren(h("div", { class: "error padded" }, ...shown));
      return;
    }
    problem.className = "error";
    problem.replaceChildren(...shown);
    problem.hidden = false;
    field.setAttribute("aria-invalid", "true");
  }

  const wrong = h("button", { class: "flaws", hidden: true });
  function flaws({ errors }: Shown): void {
    const [first] = errors;
    wrong.hidden = !first;
    if (!first) return;
    wrong.textContent = plural(errors.length, "syntax error");
    wrong.title = `Line ${first.start_line}: ${first.what}. Matches near it may be missing.`;
    wrong.onclick = () => code.go(first.start_line, first.start_col, true);
  }

  let inspecting = 0;
  /** Shows the node at a place; of those around it the one that a match is. */
  async function inspect(place: { line?: number; col?: number; node?: number }, match?: Match): Promise<void> {
    const mine = ++inspecting;
    try {
      const found = await client.ask<Inspected>("inspect", { path: "", line: 0, col: 0, ...place });
      if (mine !== inspecting) return;
      const isMatch = (node: TreeNode) => match && node.type === match.type && node.start_line === match.start_line && node.start_col === match.start_col && node.end_line === match.end_line && node.end_col === match.end_col;
      const matched = found.nodes.find(isMatch);
      if (matched && matched.node !== found.node) return await inspect({ node: matched.node });
      inspector.show(found);
      lastNode = found.nodes.find(({ node }) => node === found.node) ?? null;
      code.markNode(lastNode);
    } catch (error) {
      if (mine === inspecting) inspector.clear(explained(error));
    }
  }

  /** The words for the completion. */
  async function known(): Promise<void> {
    const name = state.language;
    if (wordsOf === name) return;
    wordsOf = name;
    try {
      words = await client.ask<Record<string, string[]>>("words", {});
      completion.refresh();
    } catch {
      wordsOf = "";
    }
  }

  const remember = debounce(200, () => {
    void toHash(state).then((hash) => history.replaceState(null, "", hash));
  });

  async function share(): Promise<void> {
    const hash = await toHash(state);
    history.replaceState(null, "", hash);
    await copy(location.href, hash.length > LONG_LINK ? `Link copied: ${count(hash.length)} characters, too long for some programs` : "Link copied");
  }

  // The parts of the page.
  const panes = h("nav", { class: "panes", "aria-label": "Parts of the page" }, ...([["rule", "Rule"], ["main", "Code"], ["node", "Node"]] as const).map(([name, label]) =>
    h("button", { "data-pane": name, onclick: () => setPane(name) }, label)));
  const help = h("dialog", { class: "help" }, h("h2", {}, "Keys"), h("dl", {}, ...[
    ["/", "to the field"], ["Ctrl+Space", "complete"], ["Tab  Enter", "take a completion"], ["Enter", "to the matches"], ["↑ ↓ j k", "move in a list"], ["n  N", "next, previous match"],
    ["Alt+1 … 3", "Matches, Rewrite, Outline"], ["m  e  i", "matches, code, node"], ["Ctrl+F", "find text in the code"], ["?", "this help"], ["Esc", "to the code"],
  ].flatMap(([keys, what]) => [h("dt", {}, h("kbd", {}, keys!)), h("dd", {}, what!)])),
  h("p", { class: "muted" }, "Everything runs in this page; the code is sent nowhere. The link has all of it."),
  h("form", { method: "dialog" }, h("button", { class: "primary" }, "Close")));

  const header = document.querySelector("header")!;
  header.classList.remove("first");
  header.append(language, examples, h("span", { class: "spring" }),
    h("button", { id: "share", title: "Copies a link that has the code and the question", onclick: () => void share() }, "Copy link"),
    h("button", { class: "round", title: "Keys (?)", "aria-label": "Keys", onclick: () => help.showModal() }, "?"));
  const question = h("div", { class: "question" }, modes,
    h("div", { class: "query-box" }, field, problem), h("span", { class: "arrow" }, "→"), h("div", { class: "template-box" }, template), h("label", { class: "removes", title: "Rewrites to nothing" }, removes, "remove"),
    h("p", { class: "rule-hint muted" }, "TOML with [[rule]], or a rule of ast-grep in YAML"));
  const split = h("div", { class: "split", role: "separator", "aria-orientation": "horizontal", "aria-label": "Height of the answers", tabindex: 0 });
  const main = h("main", {}, h("div", { class: "tab-bar" }, h("strong", { class: "part-title" }, "Code"), wrong), h("div", { class: "views" }, h("section", { class: "code view", "aria-label": "Code" }, code.element)), split,
    h("section", { class: "results", "aria-label": "Answers" }, h("div", { class: "tab-bar" }, tabButtons, status, apply), ...Object.values(tabs)));
  const rules = h("section", { class: "rules", "aria-label": "Rules" }, h("div", { class: "tab-bar" }, h("strong", { class: "part-title" }, "Rules")), rule.element, complaints);
  document.body.append(question, h("div", { class: "under" }, steps), bar, h("div", { class: "columns-3" }, rules, main, inspector.element), panes, help);

  const resize = (height: number) => main.style.setProperty("--results", `${Math.max(60, Math.min(main.clientHeight - 160, height))}px`);
  split.addEventListener("pointerdown", (event) => {
    split.setPointerCapture(event.pointerId);
    const move = (moved: PointerEvent) => resize(main.getBoundingClientRect().bottom - moved.clientY);
    split.addEventListener("pointermove", move);
    split.addEventListener("pointerup", () => split.removeEventListener("pointermove", move), { once: true });
  });
  split.addEventListener("keydown", (event) => {
    const step = event.key === "ArrowUp" ? 40 : event.key === "ArrowDown" ? -40 : 0;
    if (step) resize(main.querySelector(".results")!.clientHeight + step);
  });

  const completion = new Completion(field, {
    after: (sign): Word[] => sign === "#"
      ? outline.names.map((text) => ({ text, what: "name" }))
      : (SIGNS[sign] ?? []).flatMap((group) => (words[group] ?? []).map((text) => ({ text: text.replace(/^:/, ""), what: WHAT[group]! }))),
  }, () => state.mode === "selector");
  field.addEventListener("completed", () => { state.query = field.value; update(); });
  field.addEventListener("keydown", (event) => {
    if (completion.isOpen && event.key !== "Enter") return;
    if (event.key === "Enter" || event.key === "ArrowDown") {
      event.preventDefault();
      completion.close();
      if (problem.hidden) list.element.focus();
    } else if (event.key === "Escape") code.focus();
  });

  const step = (by: number) => {
    if (!rows.length) return;
    setTab("matches");
    const at = (list.at + by + rows.length) % rows.length;
    list.select(at);
    list.element.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" }));
  };
  document.addEventListener("keydown", (event) => {
    if (event.altKey && /^[1-3]$/.test(event.key)) {
      event.preventDefault();
      setTab((Object.keys(tabs) as Tab[])[Number(event.key) - 1]!);
      return;
    }
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input,select,textarea,dialog,.cm-editor")) return;
    const actions: Record<string, () => void> = {
      "/": () => { field.focus(); field.select(); },
      "?": () => help.showModal(),
      n: () => step(1),
      N: () => step(-1),
      m: () => { setPane("main"); setTab("matches"); list.element.focus(); },
      e: () => { setPane("main"); code.focus(); },
      i: () => { setPane("node"); inspector.element.querySelector<HTMLElement>("button")?.focus(); },
      Escape: () => code.focus(),
    };
    const action = actions[event.key];
    if (action) {
      event.preventDefault();
      action();
    }
  });

  function restore(next: State): void {
    Object.assign(state, next);
    language.value = state.language;
    field.value = state.query;
    template.value = state.template;
    removes.checked = false;
    code.replace(state.code);
    rule.replace(state.rule);
    offer();
    setMode(state.mode);
    setTab(state.template && state.mode !== "rule" ? "change" : "matches");
    update();
  }
  window.addEventListener("hashchange", () => void fromHash(location.hash).then((next) => {
    if (next && isKnown(next.language)) restore(next);
  }));

  setPane("main");
  restore({ ...state });
  if (location.hash.length > 1 && !linked) toast("The link is damaged; this is an example");
  document.body.dataset["ready"] = "true";
}

void start();
