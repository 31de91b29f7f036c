// Code that can be edited. Highlighting and marks come from the engine a moment later, and move along with what is typed until then.

import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { search, searchKeymap } from "@codemirror/search";
import { EditorState, RangeSetBuilder, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, drawSelection, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers, placeholder } from "@codemirror/view";
import type { ShownError } from "../../../src/serve/ui/page/src/engine";
import { type Place, cursorOf, errorMarks, matchMarkAt, nodeMarkAt, offsetOf, rangeOf } from "../../../src/serve/ui/page/src/marks";

/** What the engine says of a text. */
export interface Shown {
  language: string;
  spans: number[];
  classes: string[];
  errors: ShownError[];
}

export interface EditorOptions {
  nonce: string;
  label: string;
  placeholder?: string;
  changed(text: string): void;
  moved?(line: number, col: number): void;
}

/** A set of decorations that the page replaces, and that moves with the text. */
function replaced() {
  const set = StateEffect.define<DecorationSet>();
  const field = StateField.define<DecorationSet>({
    create: () => Decoration.none,
    update(decorations, transaction) {
      for (const effect of transaction.effects) if (effect.is(set)) return effect.value;
      return decorations.map(transaction.changes);
    },
    provide: (field) => EditorView.decorations.from(field),
  });
  return { set, field };
}

export class Editor {
  readonly element = document.createElement("div");
  private readonly view: EditorView;
  private readonly tokens = replaced();
  private readonly errors = replaced();
  private readonly matches = replaced();
  private readonly node = replaced();
  private quiet = false;

  constructor(private readonly options: EditorOptions) {
    this.element.className = "viewer";
    this.view = new EditorView({
      parent: this.element,
      state: EditorState.create({
        doc: "",
        extensions: [
          EditorView.cspNonce.of(options.nonce),
          EditorView.contentAttributes.of({ "aria-label": options.label, spellcheck: "false", autocapitalize: "off" }),
          lineNumbers(), highlightActiveLine(), highlightActiveLineGutter(), drawSelection(), history(), search({ top: true }),
          placeholder(options.placeholder ?? ""),
          // Tab leaves the code, so that the page can be used with the keyboard alone.
          keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap]),
          this.tokens.field, this.errors.field, this.matches.field, this.node.field,
          EditorView.updateListener.of((update) => {
            if (update.docChanged && !this.quiet) options.changed(this.text);
            if (update.selectionSet && !this.quiet && !update.docChanged) this.tell();
          }),
        ],
      }),
    });
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  get cursor(): { line: number; col: number } {
    return cursorOf(this.view.state);
  }

  /** Replaces the text; the user can undo it. */
  replace(text: string): void {
    if (text === this.text) return;
    this.quiet = true;
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text }, selection: { anchor: 0 }, scrollIntoView: true });
    this.quiet = false;
  }

  private tell(): void {
    const { line, col } = this.cursor;
    this.options.moved?.(line, col);
  }

  show({ spans, classes, errors }: Shown): void {
    const marks = classes.map((name) => Decoration.mark({ class: `tok-${name}` }));
    const builder = new RangeSetBuilder<Decoration>();
    const { state } = this.view;
    for (let index = 0, end = 0; index < spans.length; index += 3) {
      const start = end + spans[index]!;
      end = start + spans[index + 1]!;
      if (end > start && end <= state.doc.length) builder.add(start, end, marks[spans[index + 2]!]!);
    }
    const wrong = errorMarks(state, errors.map((error) => [rangeOf(error, state), error.what]));
    this.view.dispatch({ effects: [this.tokens.set.of(builder.finish()), this.errors.set.of(wrong)] });
  }

  marks(rows: Place[], current: Place | null): void {
    const { state } = this.view;
    const ranges = rows.map((row) => ({ range: rangeOf(row, state), isCurrent: row === current })).filter(({ range }) => range.to > range.from);
    const marks = ranges.map(({ range, isCurrent }) => matchMarkAt(range, isCurrent, state));
    this.view.dispatch({ effects: this.matches.set.of(Decoration.set(marks, true)) });
  }

  markNode(node: Place | null): void {
    const { state } = this.view;
    this.view.dispatch({ effects: this.node.set.of(Decoration.set(node ? nodeMarkAt(rangeOf(node, state), state) : [])) });
  }

  /** Moves to a place; its node is not asked for if `tells` is false. */
  go(line: number, col: number, focus = false, tells = true): void {
    const offset = offsetOf(line, col, this.view.state);
    this.quiet = true;
    this.view.dispatch({ selection: { anchor: offset }, effects: EditorView.scrollIntoView(offset, { y: "center" }) });
    this.quiet = false;
    if (tells) this.tell();
    if (focus) this.view.focus();
  }

  focus(): void {
    this.view.focus();
  }
}
