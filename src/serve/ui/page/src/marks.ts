// Places in an editor, and what is marked there: matches, a node, syntax errors.

import type { EditorState, Range as Marked } from "@codemirror/state";
import { Decoration, type DecorationSet } from "@codemirror/view";

export interface Range {
  from: number;
  to: number;
}

/** Lines and columns from 1; columns count characters, not UTF-16 units. */
export interface Place {
  start_line: number;
  start_col: number;
  end_line: number;
  end_col: number;
}

export function offsetOf(line: number, col: number, { doc }: EditorState): number {
  if (line > doc.lines) return doc.length;
  const { from, to, text } = doc.line(Math.max(1, line));
  const head = text.slice(0, (col - 1) * 2);
  const units = /[\ud800-\udfff]/.test(head) ? [...text].slice(0, col - 1).join("").length : col - 1;
  return Math.min(to, from + units);
}

export function rangeOf(place: Place, state: EditorState): Range {
  return { from: offsetOf(place.start_line, place.start_col, state), to: offsetOf(place.end_line, place.end_col, state) };
}

/** The line and the column of the cursor. */
export function cursorOf({ selection, doc }: EditorState): { line: number; col: number } {
  const head = selection.main.from;
  const line = doc.lineAt(head);
  return { line: line.number, col: [...line.text.slice(0, head - line.from)].length + 1 };
}

const matchMark = Decoration.mark({ class: "match" });
const currentMark = Decoration.mark({ class: "match current" });
/** A match of several lines is marked less, so that it can still be read. */
const longMark = Decoration.mark({ class: "match long" });
const longCurrentMark = Decoration.mark({ class: "match current long" });
const nodeMark = Decoration.mark({ class: "node-mark" });

/** The mark of a match. */
export function matchMarkAt(match: Range, isCurrent: boolean, { doc }: EditorState): Marked<Decoration> {
  const isLong = doc.lineAt(match.from).to < Math.min(match.to, doc.length);
  return (isLong ? (isCurrent ? longCurrentMark : longMark) : isCurrent ? currentMark : matchMark).range(match.from, Math.min(match.to, doc.length));
}

/** The mark of a node that is on one line. */
export function nodeMarkAt(node: Range, { doc }: EditorState): Marked<Decoration>[] {
  return node.to > node.from && doc.lineAt(node.from).to >= node.to ? [nodeMark.range(node.from, Math.min(node.to, doc.length))] : [];
}

/** The syntax errors of a file: what is wrong is said when the pointer is on it. */
export function errorMarks(state: EditorState, ranges: [Range, string][]): DecorationSet {
  const lines = new Set<number>();
  const marks = ranges.flatMap(([{ from, to }, what]) => {
    const line = state.doc.lineAt(from);
    // Something that is missing has no length, and what is skipped may go on for pages.
    const end = Math.max(Math.min(to, line.to), Math.min(from + 1, line.to));
    const start = end > from ? from : Math.max(line.from, from - 1);
    const isNew = !lines.has(line.from);
    lines.add(line.from);
    return [
      ...(isNew ? [Decoration.line({ class: "error-line", attributes: { title: what } }).range(line.from)] : []),
      ...(end > start ? [Decoration.mark({ class: "error-mark", attributes: { title: what } }).range(start, end)] : []),
    ];
  });
  return Decoration.set(marks, true);
}
