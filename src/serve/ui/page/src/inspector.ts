// The right side: the node at the cursor, with selectors that find it, its attributes, and the tree around it.

import { copy, count, h, svg } from "./dom";
import type { Inspected, TreeNode } from "./engine";
import { List } from "./list";

export interface InspectorActions {
  use(selector: string): void;
  select(node: TreeNode): void;
  hover(node: TreeNode | null): void;
  /** Shows who calls it, where that is known. */
  calls?(symbol: string): void;
}

function copyIcon(): Element {
  return svg("svg", { width: 13, height: 13, viewBox: "0 0 16 16", class: "icon" }, svg("rect", { x: 5, y: 5, width: 9, height: 9, rx: 2 }), svg("path", { d: "M11 5V4a2 2 0 0 0-2-2H4a2 2 0 0 0-2 2v5a2 2 0 0 0 2 2h1" }));
}

export class Inspector {
  readonly element: HTMLElement;
  private readonly head = h("div", { class: "node-head" });
  private readonly proposals = h("div", { class: "proposals", role: "list" });
  private readonly attributes = h("dl", { class: "attributes" });
  private readonly tree: List<TreeNode>;
  private chosen = -1;

  constructor(private readonly actions: InspectorActions) {
    this.tree = new List<TreeNode>({
      height: 24,
      label: "Syntax tree",
      open: (node) => actions.select(node),
      row: (node) => {
        const indent = h("span", { class: "indent" });
        indent.style.width = `${Math.min(node.level, 14) * 10}px`;
        const row = h("div", { class: node.node === this.chosen ? "chosen" : "", title: `${node.type} ${node.start_line}:${node.start_col}` }, indent,
          node.field ? h("span", { class: "field" }, `${node.field}:`) : null, h("span", { class: "type" }, node.type),
          h("span", { class: "text" }, node.text));
        row.addEventListener("mouseenter", () => actions.hover(node));
        row.addEventListener("mouseleave", () => actions.hover(null));
        return row;
      },
    });
    this.element = h("aside", { class: "inspector", "aria-label": "Node" },
      this.head,
      h("div", { class: "part" }, h("h2", {}, "Selectors that find it"), this.proposals),
      h("div", { class: "part grows" }, h("h2", {}, "Syntax tree"), this.tree.element),
      h("details", { class: "part", open: true }, h("summary", {}, "Attributes"), this.attributes));
    this.clear();
  }

  clear(message = "Click in the code to see its syntax, and selectors that find it."): void {
    this.head.replaceChildren(h("p", { class: "hint" }, message));
    this.element.classList.add("empty");
  }

  show(found: Inspected): void {
    this.element.classList.remove("empty");
    this.chosen = found.node;
    const node = found.nodes.find(({ node }) => node === found.node)!;
    const qualname = found.attributes.find(([name]) => name === "qualname")?.[1][0];
    const isCallable = found.kinds.includes("function") || found.kinds.includes("class");
    this.head.replaceChildren(
      h("div", { class: "title" }, h("strong", {}, node.type), h("span", { class: "place" }, `${node.start_line}:${node.start_col} – ${node.end_line}:${node.end_col}`)),
      h("div", { class: "kinds" }, ...found.kinds.filter((kind) => kind !== "node").map((kind) => h("button", { class: "chip", title: `Search for ${kind}`, onclick: () => this.actions.use(kind) }, kind)),
        qualname && isCallable && this.actions.calls ? h("button", { class: "chip action", onclick: () => this.actions.calls?.(qualname) }, "Calls ⇄") : null));
    this.proposals.replaceChildren(...found.proposals.map(({ selector, matches }) =>
      h("div", { class: matches === 1 ? "proposal exact" : "proposal", role: "listitem" },
        h("button", { class: "use", title: "Search with it", onclick: () => this.actions.use(selector) }, h("code", {}, selector)),
        h("span", { class: "matches", title: matches === 1 ? "Finds this node alone in the file" : `Finds ${matches} nodes in the file` }, matches === 1 ? "only this" : count(matches)),
        h("button", { class: "copy", title: "Copy", "aria-label": `Copy ${selector}`, onclick: () => void copy(selector, "Selector copied") }, copyIcon()))));
    this.attributes.replaceChildren(...found.attributes.filter(([name]) => name !== "text" || node.text.length < 60).flatMap(([name, values]) => [
      h("dt", {}, name), h("dd", { title: values.join(", ") }, values.join(", "))]));
    this.tree.set(found.nodes);
    this.tree.select(found.nodes.indexOf(node));
  }
}
