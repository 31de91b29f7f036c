// A unified diff shown side by side.

import { h } from "./dom";

interface Side {
  line: number;
  text: string;
}

interface Pair {
  left: Side | null;
  right: Side | null;
  hunk?: string;
}

export function pairs(diff: string): Pair[] {
  const rows: Pair[] = [];
  let removed: Side[] = [], added: Side[] = [];
  let left = 0, right = 0;
  const settle = () => {
    for (let index = 0; index < Math.max(removed.length, added.length); index++) rows.push({ left: removed[index] ?? null, right: added[index] ?? null });
    removed = [];
    added = [];
  };
  let inHunk = false;
  for (const line of diff.split("\n")) {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@(.*)$/.exec(line);
    if (hunk) {
      settle();
      inHunk = true;
      left = Number(hunk[1]);
      right = Number(hunk[2]);
      rows.push({ left: null, right: null, hunk: line });
    } else if (!inHunk || line === "" || line.startsWith("\\")) continue;
    else if (line.startsWith("-")) removed.push({ line: left++, text: line.slice(1) });
    else if (line.startsWith("+")) added.push({ line: right++, text: line.slice(1) });
    else {
      settle();
      rows.push({ left: { line: left++, text: line.slice(1) }, right: { line: right++, text: line.slice(1) } });
    }
  }
  settle();
  return rows;
}

/** The text with the part in which two lines differ marked. */
function marked(text: string, other: string | undefined): (Node | string)[] {
  if (other === undefined || other === text) return [text];
  let start = 0;
  while (start < text.length && text[start] === other[start]) start++;
  let end = 0;
  while (end < Math.min(text.length, other.length) - start && text[text.length - 1 - end] === other[other.length - 1 - end]) end++;
  return [text.slice(0, start), h("mark", {}, text.slice(start, text.length - end)), text.slice(text.length - end)];
}

const SHOWN = 4000;

export function sideBySide(diff: string): HTMLElement {
  const rows = pairs(diff);
  const cell = (side: Side | null, other: Side | null, kind: string) => [
    h("td", { class: "number" }, side ? String(side.line) : ""),
    h("td", { class: side ? (other && other.text === side.text ? "same" : kind) : "none" }, ...(side ? marked(side.text, other?.text) : [])),
  ];
  const body = h("tbody", {}, ...rows.slice(0, SHOWN).map(({ left, right, hunk }) =>
    hunk ? h("tr", { class: "hunk" }, h("td", { colspan: 4 }, hunk)) : h("tr", {}, ...cell(left, right, "old"), ...cell(right, left, "new"))));
  const table = h("table", { class: "diff" }, h("colgroup", {}, h("col", { class: "number" }), h("col"), h("col", { class: "number" }), h("col")), body);
  if (rows.length > SHOWN) table.append(h("caption", {}, `${rows.length - SHOWN} more lines are not shown`));
  return table;
}
