// The code: CodeMirror, read-only. Highlighting comes from the engine's tree, so it is the same for all languages.

import { EditorState, RangeSetBuilder, StateEffect, StateField } from "@codemirror/state";
import {
  Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate, drawSelection, highlightActiveLine,
  highlightActiveLineGutter, keymap, lineNumbers,
} from "@codemirror/view";
import { openSearchPanel, search, searchKeymap } from "@codemirror/search";
import type { Row, ShownFile } from "./engine";
import { type Place, type Range, cursorOf, errorMarks, matchMarkAt, nodeMarkAt, offsetOf, rangeOf } from "./marks";

interface Marks {
  matches: Range[];
  current: number;
  node: Range | null;
}

const setMarks = StateEffect.define<Partial<Marks>>();

const marksField = StateField.define<Marks>({
  create: () => ({ matches: [], current: -1, node: null }),
  update(marks, transaction) {
    let changed = marks;
    for (const effect of transaction.effects) if (effect.is(setMarks)) changed = { ...changed, ...effect.value };
    return changed;
  },
});

/** The first place of a sorted list at which a test holds. */
function firstOf(length: number, holds: (index: number) => boolean): number {
  let low = 0, high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function highlighting(file: ShownFile) {
  const length = file.spans.length / 3;
  const starts = new Uint32Array(length), ends = new Uint32Array(length), kinds = new Uint8Array(length);
  for (let index = 0, end = 0; index < length; index++) {
    starts[index] = end + file.spans[index * 3]!;
    end = ends[index] = starts[index]! + file.spans[index * 3 + 1]!;
    kinds[index] = file.spans[index * 3 + 2]!;
  }
  const marks = file.classes.map((name) => Decoration.mark({ class: `tok-${name}` }));
  const build = (view: EditorView): DecorationSet => {
    const builder = new RangeSetBuilder<Decoration>();
    for (const { from, to } of view.visibleRanges) {
      for (let index = firstOf(length, (at) => ends[at]! > from); index < length && starts[index]! < to; index++) {
        builder.add(starts[index]!, Math.min(ends[index]!, view.state.doc.length), marks[kinds[index]!]!);
      }
    }
    return builder.finish();
  };
  return ViewPlugin.fromClass(
    class {
      decorations: DecorationSet;
      constructor(view: EditorView) {
        this.decorations = build(view);
      }
      update(update: ViewUpdate) {
        if (update.viewportChanged || update.docChanged) this.decorations = build(update.view);
      }
    },
    { decorations: (plugin) => plugin.decorations },
  );
}

const marking = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    constructor(view: EditorView) {
      this.decorations = this.build(view);
    }
    update(update: ViewUpdate) {
      if (update.viewportChanged || update.transactions.length) this.decorations = this.build(update.view);
    }
    build(view: EditorView): DecorationSet {
      const { matches, current, node } = view.state.field(marksField);
      const ranges = [];
      for (const { from, to } of view.visibleRanges) {
        // Matches may lie in each other, so their ends are not sorted; those that begin far above are few.
        for (let index = 0; index < matches.length && matches[index]!.from < to; index++) {
          const match = matches[index]!;
          if (match.to > from && match.to > match.from) {
            ranges.push(matchMarkAt(match, index === current, view.state));
          }
        }
      }
      if (node) ranges.push(...nodeMarkAt(node, view.state));
      return Decoration.set(ranges, true);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

export class Viewer {
  readonly element = document.createElement("div");
  private view: EditorView | null = null;
  file: ShownFile | null = null;
  private errors: DecorationSet | null = null;
  private quiet = false;

  constructor(private readonly nonce: string, private readonly moved: (line: number, col: number) => void) {
    this.element.className = "viewer";
  }

  show(file: ShownFile): void {
    this.file = file;
    this.errors = null;
    const state = EditorState.create({
      doc: file.text,
      extensions: [
        EditorState.lineSeparator.of("\n"),
        EditorState.readOnly.of(true),
        EditorView.cspNonce.of(this.nonce),
        EditorView.contentAttributes.of({ "aria-label": `code of ${file.path}`, tabindex: "0" }),
        lineNumbers(),
        highlightActiveLine(),
        highlightActiveLineGutter(),
        drawSelection(),
        search({ top: true }),
        keymap.of(searchKeymap),
        marksField,
        EditorView.decorations.of((view) => this.errors ?? (this.errors = errorMarks(view.state, (file.errors ?? []).map((error) => [rangeOf(error, view.state), error.what])))),
        highlighting(file),
        marking,
        EditorView.updateListener.of((update) => {
          if (update.selectionSet && !this.quiet) this.tell();
        }),
      ],
    });
    if (this.view) this.view.setState(state);
    else this.view = new EditorView({ state, parent: this.element });
  }

  private tell(): void {
    const { line, col } = cursorOf(this.view!.state);
    this.moved(line, col);
  }

  marks(rows: Row[], current: Row | null): void {
    if (!this.view) return;
    const { state } = this.view;
    this.view.dispatch({
      effects: setMarks.of({ matches: rows.map((row) => rangeOf(row, state)), current: current ? rows.indexOf(current) : -1 }),
    });
  }

  markNode(row: Place | null): void {
    this.view?.dispatch({ effects: setMarks.of({ node: row && rangeOf(row, this.view.state) }) });
  }

  /** Moves to a place, and asks for its node once; not at all if `tells` is false. */
  go(line: number, col: number, focus = false, tells = true): void {
    if (!this.view) return;
    const offset = offsetOf(line, col, this.view.state);
    this.quiet = true;
    this.view.dispatch({ selection: { anchor: offset }, effects: EditorView.scrollIntoView(offset, { y: "center" }) });
    this.quiet = false;
    if (tells) this.tell();
    if (focus) this.view.focus();
  }

  focus(): void {
    this.view?.focus();
  }

  find(): void {
    if (this.view) openSearchPanel(this.view);
  }
}
