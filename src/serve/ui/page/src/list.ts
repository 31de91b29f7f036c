// A list of which only the visible rows are in the document. Arrow keys move, Enter opens.

import { h, perFrame } from "./dom";

let lists = 0;

export interface ListOptions<T> {
  height: number;
  label: string;
  row(item: T, index: number): HTMLElement;
  open(item: T, index: number): void;
  /** Whether moving with the keys to an item opens it, too. */
  follows?(item: T): boolean;
  key?(event: KeyboardEvent, item: T, index: number): boolean;
}

export class List<T> {
  readonly element: HTMLElement;
  private readonly spacer = h("div", { class: "spacer" });
  private readonly id = `list${++lists}`;
  items: readonly T[] = [];
  at = -1;
  /** What a key asked for before there was an item. */
  private awaited: "move" | "open" | null = null;
  private readonly redraw = perFrame(() => this.draw());

  constructor(private readonly options: ListOptions<T>) {
    this.element = h("div", { class: "list", role: "listbox", tabindex: 0, "aria-label": options.label }, this.spacer);
    this.element.addEventListener("scroll", this.redraw, { passive: true });
    this.element.addEventListener("keydown", (event) => this.key(event));
    this.element.addEventListener("blur", () => (this.awaited = null));
    this.element.addEventListener("focus", () => {
      if (this.at < 0 && this.items.length && this.element.matches(":focus-visible")) this.select(this.first());
    });
    this.element.addEventListener("click", (event) => {
      // By its place: the row may have been drawn again since the button went down.
      const { top } = this.spacer.getBoundingClientRect();
      const index = Math.floor((event.clientY - top) / options.height);
      if (index < 0 || index >= this.items.length || (event.target as Element).closest("input,button")) return;
      this.select(index);
      this.options.open(this.items[index]!, index);
    });
    new ResizeObserver(this.redraw).observe(this.element);
  }

  set(items: readonly T[], keep = false): void {
    this.items = items;
    // At once, so that a row can be scrolled to.
    this.spacer.style.height = `${items.length * this.options.height}px`;
    if (!keep) {
      this.at = -1;
      this.element.scrollTop = 0;
    }
    if (items.length && this.awaited === "move") this.move(1);
    else if (items.length && this.awaited === "open") this.openCurrent();
    else if (items.length && this.at < 0 && document.activeElement === this.element) this.select(this.first());
    this.redraw();
  }

  private move(by: number): void {
    this.awaited = this.items.length ? null : "move";
    if (this.awaited) return;
    this.select(this.at + by);
    const item = this.items[this.at]!;
    if (this.options.follows?.(item)) this.options.open(item, this.at);
  }

  /** The first item that is not a heading of others. */
  private first(): number {
    const { follows } = this.options;
    return follows ? Math.max(0, this.items.findIndex((item) => follows(item))) : 0;
  }

  /** Opens the item at hand, or else the first one. */
  private openCurrent(): void {
    this.awaited = this.items.length ? null : "open";
    if (this.awaited) return;
    if (this.at < 0) this.select(this.first());
    this.options.open(this.items[this.at]!, this.at);
  }

  refresh(): void {
    this.redraw();
  }

  select(index: number): void {
    this.at = Math.max(0, Math.min(this.items.length - 1, index));
    const top = this.at * this.options.height;
    const { scrollTop, clientHeight } = this.element;
    if (top < scrollTop) this.element.scrollTop = top;
    else if (top + this.options.height > scrollTop + clientHeight) this.element.scrollTop = top + this.options.height - clientHeight;
    this.redraw();
  }

  private key(event: KeyboardEvent): void {
    if (event.target !== this.element || event.ctrlKey || event.metaKey || event.altKey) return;
    const item = this.items[this.at];
    if (item !== undefined && this.options.key?.(event, item, this.at)) {
      event.preventDefault();
      return;
    }
    const page = Math.max(1, Math.floor(this.element.clientHeight / this.options.height) - 1);
    const moves: Record<string, number> = {
      ArrowDown: 1, j: 1, ArrowUp: -1, k: -1, PageDown: page, PageUp: -page, Home: -this.items.length, End: this.items.length,
    };
    const move = moves[event.key];
    if (move !== undefined) {
      event.preventDefault();
      this.move(move);
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.openCurrent();
    }
  }

  private draw(): void {
    const { height, row } = this.options;
    const first = Math.max(0, Math.floor(this.element.scrollTop / height) - 4);
    const last = Math.min(this.items.length, Math.ceil((this.element.scrollTop + this.element.clientHeight) / height) + 4);
    const rows: HTMLElement[] = [];
    for (let index = first; index < last; index++) {
      const element = row(this.items[index]!, index);
      element.classList.add("row");
      element.dataset["index"] = String(index);
      element.setAttribute("role", "option");
      element.setAttribute("aria-setsize", String(this.items.length));
      element.setAttribute("aria-posinset", String(index + 1));
      element.setAttribute("aria-selected", String(index === this.at));
      element.id = `${this.id}-${index}`;
      element.style.top = `${index * height}px`;
      element.style.height = `${height}px`;
      rows.push(element);
    }
    this.spacer.replaceChildren(...rows);
    if (this.at >= first && this.at < last) this.element.setAttribute("aria-activedescendant", `${this.id}-${this.at}`);
    else this.element.removeAttribute("aria-activedescendant");
  }
}
