// Completion in the selector field: kinds, types, attributes, pseudo-classes, fields and names.

import { h } from "./dom";

export interface Word {
  text: string;
  what: string;
}

export interface Words {
  /** After this character these words may follow; `""` for the start of a step. */
  after(sign: string): Word[];
}

const SHOWN = 12;

/** How well a word fits what was typed: 0 is best; -1 not at all. */
function rank(word: string, typed: string): number {
  const lower = word.toLowerCase(), part = typed.toLowerCase();
  if (lower === part) return 0;
  if (lower.startsWith(part)) return 1;
  const inner = lower.indexOf(part);
  if (inner > 0) return "_-:.".includes(lower[inner - 1]!) ? 2 : 3;
  return -1;
}

export class Completion {
  private readonly popup = h("div", { class: "completion", role: "listbox", id: "completion", hidden: true });
  private words: Word[] = [];
  /** The entry that Enter takes; -1 while Enter means what is written. */
  private at = -1;
  /** Whether something was typed that could be completed. */
  private isTyping = false;
  private from = 0;

  constructor(private readonly field: HTMLInputElement, private readonly source: Words, private readonly isOn: () => boolean) {
    field.setAttribute("role", "combobox");
    field.setAttribute("aria-autocomplete", "list");
    field.setAttribute("aria-controls", "completion");
    field.setAttribute("aria-expanded", "false");
    field.after(this.popup);
    field.addEventListener("input", () => {
      this.isTyping = true;
      this.update();
    });
    field.addEventListener("blur", () => setTimeout(() => this.close(), 150));
    field.addEventListener("keydown", (event) => this.key(event));
  }

  get isOpen(): boolean {
    return !this.popup.hidden;
  }

  /** Offers words that were not known yet when the last key was typed. */
  refresh(): void {
    if (this.isTyping && !this.isOpen && document.activeElement === this.field) this.update();
  }

  close(): void {
    this.popup.hidden = true;
    this.field.setAttribute("aria-expanded", "false");
    this.field.removeAttribute("aria-activedescendant");
  }

  private update(forced = false): void {
    const before = this.field.value.slice(0, this.field.selectionStart ?? 0);
    const found = /(^|[\s>+~<,(/:[.#@$])([\w-]*)$/.exec(before);
    const quotes = (before.match(/(?<!\\)"/g) ?? []).length;
    if (!this.isOn() || !found || quotes % 2 || (!forced && found[2] === "" && !":[#.".includes(found[1] || " "))) return this.close();
    const sign = ":[#.".includes(found[1] || " ") ? found[1]! : "";
    const typed = found[2]!;
    this.from = before.length - typed.length;
    const ranked = this.source.after(sign).map((word) => ({ word, rank: rank(word.text, typed) }));
    this.words = ranked.filter(({ rank }) => rank >= 0).sort((a, b) => a.rank - b.rank || a.word.text.length - b.word.text.length)
      .slice(0, SHOWN).map(({ word }) => word);
    if (!this.words.length || (this.words.length === 1 && this.words[0]!.text === typed)) return this.close();
    // The start of a word is no selector yet, so Enter completes it. A whole word and a name of the user's own stay what they are.
    const isWhole = sign === "#" || typed === "" || ranked.some(({ rank }) => rank === 0);
    this.at = isWhole ? -1 : 0;
    this.draw();
  }

  private draw(): void {
    this.popup.replaceChildren(...this.words.map((word, index) =>
      h("div", {
        class: "option", role: "option", id: `completion-${index}`, "aria-selected": String(index === this.at),
        onmousedown: (event: Event) => { event.preventDefault(); this.take(index); },
      }, h("span", {}, word.text), h("small", {}, word.what))));
    this.popup.hidden = false;
    this.field.setAttribute("aria-expanded", "true");
    if (this.at >= 0) this.field.setAttribute("aria-activedescendant", `completion-${this.at}`);
    else this.field.removeAttribute("aria-activedescendant");
  }

  private take(index: number): void {
    const word = this.words[index];
    if (!word) return;
    const end = this.field.selectionStart ?? this.field.value.length;
    const open = word.text.indexOf("(");
    this.field.setRangeText(word.text, this.from, end, "end");
    if (open >= 0) this.field.setSelectionRange(this.from + open + 1, this.from + word.text.length - 1);
    this.close();
    this.field.dispatchEvent(new CustomEvent("completed"));
  }

  private key(event: KeyboardEvent): void {
    if (event.key === " " && event.ctrlKey) {
      event.preventDefault();
      this.update(true);
      return;
    }
    if (event.key === "Enter" || event.key === "Escape") this.isTyping = false;
    if (!this.isOpen) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const length = this.words.length;
      this.at = event.key === "ArrowDown" ? (this.at + 1) % length : (this.at <= 0 ? length : this.at) - 1;
      this.draw();
    } else if (event.key === "Tab") this.take(Math.max(0, this.at));
    else if (event.key === "Enter" && this.at >= 0) this.take(this.at);
    else if (event.key === "Escape") this.close();
    else return;
    event.preventDefault();
    // The field's own keys are not meant.
    event.stopImmediatePropagation();
  }
}
