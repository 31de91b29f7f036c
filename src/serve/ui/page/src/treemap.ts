// The files as areas: how large they are, in which language, and how many matches they have.

import { count, h, svg } from "./dom";
import type { ListedFile } from "./engine";
import { hue } from "./files";

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

const MOST = 1500;
/** How many languages the legend has. */
const LANGUAGES = 8;

/** A name in a box, cut at its edges. */
function named(box: Box, name: string, kind: string, bottom: number): SVGElement {
  return svg("svg", { x: box.x, y: box.y, width: Math.max(0, box.width - 3), height: box.height }, svg("text", { x: 4, y: bottom, class: kind }, name));
}

/** Divides a box among sizes, in descending order, so that the parts are near to squares. */
function squarify<T>(items: { item: T; size: number }[], box: Box, take: (item: T, box: Box) => void): void {
  let rest = items, { x, y, width, height } = box;
  let total = items.reduce((sum, { size }) => sum + size, 0);
  while (rest.length && total > 0) {
    const side = Math.min(width, height), scale = (width * height) / total;
    const worst = (sizes: number[]) => {
      const sum = sizes.reduce((a, b) => a + b, 0) * scale;
      const thick = sum / side;
      return Math.max(...[sizes[0]!, sizes[sizes.length - 1]!].map((size) => {
        const long = (size * scale) / thick;
        return Math.max(long / thick, thick / long);
      }));
    };
    const row: number[] = [rest[0]!.size];
    while (row.length < rest.length && worst([...row, rest[row.length]!.size]) <= worst(row)) row.push(rest[row.length]!.size);
    const sum = row.reduce((a, b) => a + b, 0), thick = (sum * scale) / side;
    let at = 0;
    for (let index = 0; index < row.length; index++) {
      const long = (row[index]! / sum) * side;
      take(rest[index]!.item, width >= height ? { x, y: y + at, width: thick, height: long } : { x: x + at, y, width: long, height: thick });
      at += long;
    }
    if (width >= height) [x, width] = [x + thick, width - thick];
    else [y, height] = [y + thick, height - thick];
    rest = rest.slice(row.length);
    total -= sum;
  }
}

export class Treemap {
  readonly element: HTMLElement;
  private readonly canvas = h("div", { class: "map-canvas" });
  private readonly status = h("div", { class: "status" });
  private readonly legend = h("div", { class: "legend" });
  private readonly colour = h("select", { "aria-label": "Colour", onchange: () => this.draw() }, h("option", { value: "language" }, "Colour: language"), h("option", { value: "matches" }, "Colour: matches"));
  private files: ListedFile[] = [];
  private hits = new Map<string, number>();

  constructor(private readonly open: (path: string) => void) {
    this.element = h("section", { class: "map view", "aria-label": "Map" }, h("div", { class: "bar" }, this.status, this.legend, this.colour), this.canvas);
    new ResizeObserver(() => this.draw()).observe(this.canvas);
  }

  set(files: ListedFile[]): void {
    this.files = files;
    this.draw();
  }

  mark(hits: Map<string, number>): void {
    this.hits = hits;
    if (this.colour.value === "matches") this.draw();
  }

  private draw(): void {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (!width || !height) return;
    const known = this.files.filter((file) => file.language && file.bytes);
    const shown = [...known].sort((a, b) => b.bytes - a.bytes).slice(0, MOST);
    const folders = new Map<string, ListedFile[]>();
    for (const file of shown) {
      const folder = file.path.includes("/") ? file.path.slice(0, file.path.lastIndexOf("/")) : ".";
      folders.set(folder, [...(folders.get(folder) ?? []), file]);
    }
    const size = (files: ListedFile[]) => files.reduce((sum, { bytes }) => sum + bytes, 0);
    const most = Math.max(1, ...this.hits.values());
    const byMatches = this.colour.value === "matches";
    const parts: SVGElement[] = [];
    const outer = [...folders].map(([folder, files]) => ({ item: { folder, files }, size: size(files) })).sort((a, b) => b.size - a.size);
    squarify(outer, { x: 0, y: 0, width, height }, ({ folder, files }, box) => {
      const label = box.width > 60 && box.height > 40 ? 16 : 0;
      const inner = { x: box.x + 1, y: box.y + 1 + label, width: Math.max(0, box.width - 2), height: Math.max(0, box.height - 2 - label) };
      const fits = Math.floor(box.width / 6.8);
      if (label) parts.push(named({ ...box, height: label }, folder.length > fits ? `…${folder.slice(folder.length - fits + 1)}` : folder, "folder-name", 12));
      squarify(files.map((file) => ({ item: file, size: file.bytes })), inner, (file, box) => {
        const hits = this.hits.get(file.path) ?? 0;
        const rect = svg("rect", { x: box.x, y: box.y, width: Math.max(0, box.width - 1), height: Math.max(0, box.height - 1), rx: 2, class: byMatches ? "leaf by-matches" : "leaf", onclick: () => this.open(file.path) },
          svg("title", {}, `${file.path}\n${count(Math.ceil(file.bytes / 1024))} KiB, ${file.language}${hits ? `, ${count(hits)} matches` : ""}`));
        rect.style.setProperty("--hue", String(hue(file.language!)));
        rect.style.setProperty("--tone", `${(hue(folder) % 17) - 8}%`);
        if (byMatches) rect.style.setProperty("--heat", String(hits ? 0.25 + 0.75 * Math.sqrt(hits / most) : 0));
        parts.push(rect);
        const name = file.path.split("/").pop()!;
        if (box.width > 44 && box.height > 18) parts.push(named(box, name, "file-name", 13));
      });
    });
    const left = known.length - shown.length;
    this.status.textContent = `${count(known.length)} files, ${count(Math.round(size(known) / 1024))} KiB${left ? `; the ${count(MOST)} largest are drawn` : ""}`;
    const bytes = new Map<string, number>();
    for (const file of known) bytes.set(file.language!, (bytes.get(file.language!) ?? 0) + file.bytes);
    const largest = [...bytes].sort((a, b) => b[1] - a[1]).slice(0, byMatches ? 0 : LANGUAGES);
    this.legend.replaceChildren(...largest.map(([language]) => {
      const dot = h("span", { class: "dot" });
      dot.style.setProperty("--hue", String(hue(language)));
      return h("span", {}, dot, language);
    }));
    this.canvas.replaceChildren(svg("svg", { width, height, role: "img", "aria-label": "Sizes of files" }, ...parts));
  }
}
