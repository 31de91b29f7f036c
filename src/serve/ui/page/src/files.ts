// The left side: the files as a tree, and the outline of the one that is open.

import { count, h } from "./dom";
import type { Definition, ListedFile } from "./engine";
import { List } from "./list";

interface FolderRow {
  folder: string;
  level: number;
  size: number;
}

interface FileRow {
  file: ListedFile;
  level: number;
}

type TreeRow = FolderRow | FileRow;

export class FileTree {
  readonly element: HTMLElement;
  private files: ListedFile[] = [];
  private readonly folded = new Set<string>();
  private hits = new Map<string, number>();
  private open = "";
  readonly filter = h("input", { type: "search", placeholder: "Filter files", "aria-label": "Filter files", oninput: () => this.build() });
  readonly list: List<TreeRow>;

  constructor(private readonly show: (path: string) => void) {
    this.list = new List<TreeRow>({
      height: 26,
      label: "Files",
      row: (row) => this.row(row),
      open: (row) => this.choose(row),
      key: (event, row) => {
        if (!("folder" in row) || (event.key !== "ArrowLeft" && event.key !== "ArrowRight")) return false;
        if (this.folded.has(row.folder) === (event.key === "ArrowRight")) this.choose(row);
        return true;
      },
    });
    this.element = h("section", { class: "files", "aria-label": "Files" }, h("div", { class: "bar" }, this.filter), this.list.element);
  }

  set(files: ListedFile[]): void {
    this.files = files;
    // Of many folders only the first level is open.
    if (files.length > 400) {
      for (const { path } of files) {
        const parts = path.split("/");
        for (let end = 1; end < parts.length; end++) this.folded.add(parts.slice(0, end).join("/"));
      }
    }
    this.build();
  }

  mark(hits: Map<string, number>): void {
    this.hits = hits;
    this.list.refresh();
  }

  current(path: string): void {
    this.open = path;
    const parts = path.split("/");
    let changed = false;
    for (let end = 1; end < parts.length; end++) changed = this.folded.delete(parts.slice(0, end).join("/")) || changed;
    if (changed) this.build();
    const index = this.list.items.findIndex((row) => "file" in row && row.file.path === path);
    if (index >= 0) this.list.select(index);
    this.list.refresh();
  }

  private choose(row: TreeRow): void {
    if ("file" in row) return this.show(row.file.path);
    if (!this.folded.delete(row.folder)) this.folded.add(row.folder);
    this.build(true);
  }

  private build(keep = false): void {
    const wanted = this.filter.value.trim().toLowerCase();
    const rows: TreeRow[] = [];
    const files = wanted ? this.files.filter(({ path }) => path.toLowerCase().includes(wanted)) : this.files;
    const sizes = new Map<string, number>();
    for (const { path } of files) {
      for (let end = path.indexOf("/"); end >= 0; end = path.indexOf("/", end + 1)) {
        sizes.set(path.slice(0, end), (sizes.get(path.slice(0, end)) ?? 0) + 1);
      }
    }
    // Folders before files, each by name.
    const key = (path: string) => path.split("/").map((part, at, all) => (at < all.length - 1 ? "0" : "1") + part.toLowerCase()).join("/");
    const sorted = files.map((file) => ({ file, key: key(file.path) })).sort((a, b) => (a.key < b.key ? -1 : 1));
    let last: string[] = [];
    for (const { file } of sorted) {
      const parts = file.path.split("/");
      const folders = parts.slice(0, -1);
      let level = 0, hidden = false;
      for (; level < folders.length; level++) {
        const folder = folders.slice(0, level + 1).join("/");
        const isNew = last.length <= level || last.slice(0, level + 1).join("/") !== folder;
        if (isNew && !hidden) rows.push({ folder, level, size: sizes.get(folder) ?? 0 });
        if (!wanted && this.folded.has(folder)) hidden = true;
      }
      last = folders;
      if (!hidden) rows.push({ file, level });
    }
    this.list.set(rows, keep);
  }

  private row(row: TreeRow): HTMLElement {
    const indent = h("span", { class: "indent" });
    indent.style.width = `${row.level * 12}px`;
    if ("folder" in row) {
      const isOpen = !this.folded.has(row.folder) || this.filter.value !== "";
      const name = row.folder.split("/").pop()!;
      return h("div", { class: "folder", title: row.folder }, indent, h("span", { class: isOpen ? "twist open" : "twist" }, "›"), h("span", { class: "label" }, name), h("small", {}, count(row.size)));
    }
    const { path, language } = row.file;
    const hits = this.hits.get(path);
    const element = h("div", { class: path === this.open ? "file open" : "file", title: language ? `${path} (${language})` : path }, indent,
      h("span", { class: language ? "dot" : "dot plain" }), h("span", { class: "label" }, path.split("/").pop()!), hits ? h("span", { class: "hits" }, count(hits)) : null);
    if (language) element.querySelector<HTMLElement>(".dot")!.style.setProperty("--hue", String(hue(language)));
    return element;
  }
}

/** A colour for a name, always the same. */
export function hue(name: string): number {
  let hash = 7;
  for (const char of name) hash = (hash * 31 + char.charCodeAt(0)) % 997;
  // Red is for errors.
  return 40 + ((hash * 137) % 280);
}

export class Outline {
  readonly element: HTMLElement;
  private readonly list: List<Definition>;

  constructor(open: (definition: Definition) => void) {
    this.list = new List<Definition>({
      height: 24,
      label: "Outline",
      open,
      row: (definition) => {
        const indent = h("span", { class: "indent" });
        indent.style.width = `${definition.depth * 12}px`;
        return h("div", { title: definition.signature }, indent, h("span", { class: `badge k-${definition.kind}`, title: definition.kind }, definition.kind[0]!.toUpperCase()), h("span", { class: "label" }, definition.name), h("small", {}, String(definition.start_line)));
      },
    });
    this.element = h("section", { class: "outline", "aria-label": "Outline" }, h("h2", {}, "Outline"), this.list.element);
  }

  set(definitions: Definition[]): void {
    this.list.set(definitions);
    this.element.classList.toggle("empty", definitions.length === 0);
  }

  get names(): string[] {
    return this.list.items.map(({ name }) => name);
  }
}
