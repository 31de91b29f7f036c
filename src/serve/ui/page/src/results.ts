// The matches of a search: a table that sorts, filters and exports.

import { copy, count, download, h, perFrame, plural, prose, shownPath } from "./dom";
import type { Found, Query, Row } from "./engine";
import { List } from "./list";

type Column = "path" | "name" | "kind" | "lines";

const NAMES: Record<Column, string> = { path: "Place", name: "Name", kind: "Kind", lines: "Lines" };

function value(row: Row, column: Column): string | number {
  switch (column) {
    case "path": return row.path;
    case "name": return row.qualname ?? row.name ?? "";
    case "kind": return row.kind;
    case "lines": return row.end_line - row.start_line + 1;
  }
}

const byPlace = (a: Row, b: Row) => (a.path === b.path ? a.start_line - b.start_line || a.start_col - b.start_col : a.path < b.path ? -1 : 1);

/** How much of a line is shown before a match. */
const BEFORE = 40;
/** How many files a note lists. */
const LISTED = 200;

/** A word in quotes for a shell. */
export function shell(word: string): string {
  return /^[\w./:=@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

function csv(rows: readonly Row[]): string {
  const cell = (text: string | number) => (/[",\n\r]/.test(String(text)) ? `"${String(text).replaceAll('"', '""')}"` : String(text));
  const columns = ["path", "start_line", "start_col", "end_line", "end_col", "kind", "type", "name", "qualname", "source_line"] as const;
  return [columns.join(","), ...rows.map((row) => columns.map((column) => cell(row[column] ?? "")).join(","))].join("\r\n") + "\r\n";
}

/** The heading of the matches in a file. */
interface Group {
  group: string;
  matches: number;
}

type Entry = Group | Row;

/** The line of a match with the match marked, as far as it is on that line. */
function markedLine(row: Row): (string | HTMLElement)[] {
  const line = row.source_line ?? "";
  const letters = [...line];
  const start = line.startsWith("…") ? 1 : row.start_col - 1;
  const end = row.end_line === row.start_line ? start + row.end_col - row.start_col : letters.length;
  const before = letters.slice(0, start).join("").trimStart();
  // What is far to the right would not be seen.
  const cut = before.length > BEFORE ? `…${before.slice(-BEFORE)}` : before;
  return [cut, h("mark", {}, letters.slice(start, end).join("").trimEnd()), letters.slice(end).join("").trimEnd()];
}

export class Results {
  readonly element: HTMLElement;
  all: Row[] = [];
  query: Query = {};
  language = "";
  current: Row | null = null;
  private shown: readonly Row[] = [];
  private sort: { column: Column; down: boolean } | null = null;
  readonly filter = h("input", { type: "search", placeholder: "Filter matches", "aria-label": "Filter matches", oninput: () => this.arrange() });
  private readonly status = h("span", { class: "status", role: "status", "aria-live": "polite" });
  private readonly head = h("div", { class: "columns", role: "row" });
  private readonly notes = h("div", { class: "notes", hidden: true });
  private readonly grouping = h("button", { "aria-pressed": "true", title: "One heading for the matches of a file", onclick: () => this.group(!this.isGrouped) }, "By file");
  private isGrouped = true;
  private readonly folded = new Set<string>();
  readonly list: List<Entry>;
  private readonly later = perFrame(() => this.arrange(true));

  constructor(open: (row: Row) => void) {
    this.list = new List<Entry>({
      height: 26,
      label: "Matches",
      follows: (entry) => !("group" in entry),
      open: (entry) => {
        if ("group" in entry) return this.fold(entry.group);
        this.current = entry;
        open(entry);
      },
      key: (event, entry) => {
        if (!("group" in entry) || (event.key !== "ArrowLeft" && event.key !== "ArrowRight")) return false;
        if (this.folded.has(entry.group) === (event.key === "ArrowRight")) this.fold(entry.group);
        return true;
      },
      row: (row) => "group" in row ? h("div", { class: "group-row", title: row.group },
        h("span", { class: this.folded.has(row.group) ? "twist" : "twist open" }, "›"), h("span", { class: "c-path" }, ...shownPath(row.group)), h("span", { class: "hits" }, count(row.matches)))
      : h("div", { class: "match-row" },
        h("span", { class: "c-path", title: `${row.path}:${row.start_line}:${row.start_col}` }, ...shownPath(row.path), h("span", { class: "line" }, `:${row.start_line}`)),
        h("span", { class: "c-name", title: row.qualname ?? row.name ?? "" }, row.qualname ?? row.name ?? "–"),
        h("span", { class: "c-kind" }, h("span", { class: `kind k-${row.kind}` }, row.kind)),
        h("span", { class: "c-lines" }, String(row.end_line - row.start_line + 1)),
        h("code", { class: "c-code" }, ...markedLine(row))),
    });
    const button = (label: string, title: string, run: () => void) => h("button", { title, onclick: run }, label);
    this.element = h("section", { class: "results", "aria-label": "Matches" },
      h("div", { class: "bar" }, this.status, this.filter, this.grouping,
        button("JSON", "Save the matches shown as JSON", () => download("matches.json", "application/json", JSON.stringify(this.shown, null, 1))),
        button("CSV", "Save the matches shown as CSV", () => download("matches.csv", "text/csv", csv(this.shown))),
        button("Copy command", "Copy the command line that finds the same", () => void copy(this.command(), "Command copied"))),
      this.notes, this.head, this.list.element);
    this.heads();
  }

  command(): string {
    const words = ["cst", "find"];
    if (this.query.pattern !== undefined) words.push("-p", shell(this.query.pattern));
    else words.push(shell(this.query.selector ?? ""));
    if (this.language) words.push("--language", this.language);
    words.push(".");
    return words.join(" ");
  }

  begin(query: Query, language: string): void {
    this.query = query;
    this.language = language;
    this.all = [];
    this.folded.clear();
    this.current = null;
    this.say("");
    this.notes.hidden = true;
    this.arrange();
  }

  add(rows: Row[]): void {
    for (const row of rows) this.all.push(row);
    this.later();
  }

  end(): void {
    // They come as they are found; in the end they are in the order of their places.
    this.all.sort(byPlace);
    this.arrange(true);
  }

  say(text: string): void {
    this.status.textContent = text;
  }

  /** Says what is missing from the matches, and near misses where there are none. */
  note(found: Found, open: (path: string) => void): void {
    const skipped = found.files.skipped ?? [], broken = found.files.with_errors ?? [];
    // A file in an unrecognised language has no syntax to be searched.
    const unread = skipped.filter(({ error, by_rule }) => !(by_rule && error.code === "unsupported_language"));
    const listed = (summary: string, rows: HTMLElement[]) => h("details", {}, h("summary", {}, summary), h("ul", {}, ...rows.slice(0, LISTED)),
      rows.length > LISTED ? h("p", { class: "muted" }, `and ${count(rows.length - LISTED)} more`) : null);
    const link = (path: string) => h("button", { class: "link", onclick: () => open(path) }, path);
    const near = !found.total && found.near?.length ? h("p", {}, prose(`Nothing matches. Nearest: ${found.near[0]}`)) : null;
    this.notes.replaceChildren(...[
      near,
      unread.length ? listed(`${plural(unread.length, "file")} not searched`, unread.map(({ path, error }) => h("li", {}, `${path}: `, prose(error.message)))) : null,
      broken.length ? listed(`${plural(broken.length, "file")} with syntax errors: matches near them may be missing`, broken.map((path) => h("li", {}, link(path)))) : null,
    ].filter((note) => note !== null));
    this.notes.hidden = !this.notes.childElementCount;
  }

  private heads(): void {
    this.head.replaceChildren(...(Object.keys(NAMES) as Column[]).map((column) => {
      const arrow = this.sort?.column === column ? (this.sort.down ? " ↓" : " ↑") : "";
      return h("button", { class: `c-${column}`, title: `Sort by ${NAMES[column].toLowerCase()}`, onclick: () => this.sortBy(column) }, NAMES[column] + arrow);
    }), h("span", { class: "c-code" }, "Code"));
  }

  private sortBy(column: Column): void {
    const first = { column, down: column === "lines" };
    if (this.sort?.column !== column) this.sort = first;
    else if (this.sort.down === first.down) this.sort = { column, down: !first.down };
    else this.sort = null;
    this.heads();
    this.arrange();
  }

  private arrange(keep = false): void {
    const wanted = this.filter.value.toLowerCase();
    let rows: Row[] = this.all;
    if (wanted) rows = rows.filter((row) => `${row.path} ${row.qualname ?? row.name ?? ""} ${row.kind} ${row.source_line ?? ""}`.toLowerCase().includes(wanted));
    if (this.sort) {
      const { column, down } = this.sort;
      const order = down ? -1 : 1;
      rows = [...rows].sort((a, b) => {
        const [first, second] = [value(a, column), value(b, column)];
        return first < second ? -order : first > second ? order : byPlace(a, b);
      });
    }
    this.shown = rows;
    const isGrouped = this.isGrouped && !this.sort;
    this.element?.classList.toggle("grouped", isGrouped);
    const entries = isGrouped ? this.grouped(rows) : rows === this.all ? this.all.slice(0) : rows;
    this.list.set(entries, keep);
    if (this.current) {
      const index = entries.indexOf(this.current);
      if (index >= 0) this.list.at = index;
    }
  }

  /** The rows below the headings of their files, in the order in which the files came. */
  private grouped(rows: readonly Row[]): Entry[] {
    const files = new Map<string, Row[]>();
    for (const row of rows) {
      const known = files.get(row.path);
      if (known) known.push(row);
      else files.set(row.path, [row]);
    }
    const entries: Entry[] = [];
    for (const [path, found] of files) {
      entries.push({ group: path, matches: found.length });
      if (!this.folded.has(path)) for (const row of found) entries.push(row);
    }
    return entries;
  }

  private group(on: boolean): void {
    this.isGrouped = on;
    this.sort = null;
    this.grouping.setAttribute("aria-pressed", String(on));
    this.heads();
    this.arrange();
  }

  private fold(path: string): void {
    if (!this.folded.delete(path)) this.folded.add(path);
    const { at } = this.list;
    this.arrange(true);
    this.list.select(at);
  }

  step(by: number): void {
    if (!this.shown.length) return;
    const { items } = this.list;
    let at = this.list.at + by;
    while (items[at] && "group" in items[at]!) at += by;
    const row = items[at];
    if (!row || "group" in row) return;
    this.list.select(at);
    this.current = row;
    this.list["options"].open(row, at);
  }

  summary(matches: number, files: number, seconds: number, truncated: boolean): void {
    this.say(`${count(matches)}${truncated ? "+" : ""} ${matches === 1 ? "match" : "matches"} in ${count(files)} ${files === 1 ? "file" : "files"} · ${seconds.toFixed(seconds < 1 ? 2 : 1)} s`);
  }
}
