// Who calls a function, and what it calls, as a drawing: callers left, callees right.

import { count, h, svg } from "./dom";
import { type CallNode, type Calls, type Engine, explained, type Progress } from "./engine";

const WIDTH = 190, HEIGHT = 38, GAP = 10, STEP = 250, MOST = 40;

interface Drawn {
  node: CallNode;
  x: number;
  y: number;
  level: number;
  parent: Drawn | null;
}

export class Graph {
  readonly element: HTMLElement;
  readonly field = h("input", { class: "code-field", placeholder: "Function, as Server.handle", "aria-label": "Function", spellcheck: "false" });
  private readonly depth = h("select", { "aria-label": "Levels", onchange: () => void this.ask() }, h("option", { value: "1" }, "1 level"), h("option", { value: "2" }, "2 levels"), h("option", { value: "3" }, "3 levels"));
  private readonly status = h("div", { class: "status", role: "status" }, "Pick a function in the code, then “Calls”, or write its name.");
  private readonly canvas = h("div", { class: "graph-canvas" });
  private readonly stop = h("button", { hidden: true, onclick: () => this.end() }, "Stop");
  private asking: AbortController | null = null;

  constructor(private readonly engine: Engine, private readonly open: (path: string, line: number, col: number) => void) {
    this.field.addEventListener("keydown", (event) => {
      if (event.key === "Enter") void this.ask();
      if (event.key === "Escape") this.end();
    });
    this.element = h("section", { class: "graph view", "aria-label": "Calls" },
      h("div", { class: "bar" }, this.field, this.depth, h("button", { class: "primary", onclick: () => void this.ask() }, "Draw"), this.stop), this.status, this.canvas);
  }

  show(symbol: string): void {
    this.field.value = symbol;
    void this.ask();
  }

  /** Ends what runs. */
  private end(): void {
    if (!this.asking) return;
    this.asking.abort();
    this.asking = null;
    this.stop.hidden = true;
    this.status.textContent = "Stopped.";
  }

  /** Draws the calls; a question that still runs is ended, and its answer is not shown. */
  async ask(): Promise<void> {
    const symbol = this.field.value.trim();
    if (!symbol) return;
    this.asking?.abort();
    const asking = (this.asking = new AbortController());
    this.status.textContent = "Searching …";
    this.stop.hidden = false;
    this.canvas.replaceChildren();
    const depth = Number(this.depth.value);
    const progress = ({ done, total, message }: Progress) => {
      if (this.asking === asking) this.status.textContent = `${message ?? "searching"}: ${count(done)}${total ? ` of ${count(total)}` : ""} files …`;
    };
    const calls = (more: object) => this.engine.stream<Calls>("calls", { symbol, depth, ...more }, { progress }, asking.signal);
    try {
      const [callers, callees] = await Promise.all([calls({}), calls({ callees: true })]);
      if (this.asking !== asking) return;
      const unsure = callers.candidates + callers.undetermined;
      this.status.textContent = `${count(callers.root.calls?.length ?? 0)} callers, ${count(callees.root.calls?.length ?? 0)} callees${unsure ? `; ${count(unsure)} more calls may be of it` : ""}`;
      this.draw(callers.root, callees.root);
    } catch (error) {
      if (this.asking === asking) this.status.textContent = explained(error);
    } finally {
      // One of the two may still run when the other has failed.
      asking.abort();
      if (this.asking === asking) {
        this.asking = null;
        this.stop.hidden = true;
      }
    }
  }

  private draw(callers: CallNode, callees: CallNode): void {
    const drawn: Drawn[] = [];
    let more = 0;
    // A leaf takes a row; a node is in the middle of those below it.
    const place = (root: CallNode, direction: number): { height: number; root: Drawn } => {
      let row = 0;
      const visit = (node: CallNode, level: number, parent: Drawn | null): Drawn => {
        const own: Drawn = { node, x: direction * level * STEP, y: 0, level, parent };
        const calls = node.calls ?? [];
        more += Math.max(0, calls.length - MOST);
        const below = calls.slice(0, MOST).map((call) => visit(call, level + 1, own));
        own.y = below.length ? (below[0]!.y + below[below.length - 1]!.y) / 2 : row++ * (HEIGHT + GAP);
        if (level) drawn.push(own);
        return own;
      };
      const placed = visit(root, 0, null);
      return { height: row * (HEIGHT + GAP), root: placed };
    };
    const left = place(callers, -1), start = drawn.length, right = place(callees, 1);
    const height = Math.max(left.height, right.height, HEIGHT + GAP);
    const shift = (part: Drawn[], by: number) => part.forEach((one) => (one.y += by));
    shift(drawn.slice(0, start), height / 2 - left.root.y);
    shift(drawn.slice(start), height / 2 - right.root.y);
    const root: Drawn = { node: callers, x: 0, y: height / 2, level: 0, parent: null };
    const all = [root, ...drawn];
    // The sides are centred on the root, so they may reach above and below.
    const top = Math.min(...all.map(({ y }) => y)) - 20, bottom = Math.max(...all.map(({ y }) => y)) + HEIGHT + 20;
    const levels = (side: number) => Math.max(0, ...all.filter(({ x }) => Math.sign(x) === side).map(({ level }) => level));
    const minX = -levels(-1) * STEP - 20, maxX = levels(1) * STEP + WIDTH + 20;
    const edges = drawn.map((one) => {
      const parent = one.parent?.level ? one.parent : root;
      const [from, to] = one.x < 0 ? [one, parent] : [parent, one];
      const [x1, y1, x2, y2] = [from.x + WIDTH, from.y + HEIGHT / 2, to.x, to.y + HEIGHT / 2];
      return svg("path", { class: "edge", d: `M${x1} ${y1}C${x1 + 40} ${y1} ${x2 - 40} ${y2} ${x2} ${y2}`, "marker-end": "url(#arrow)" });
    });
    const cut = (text: string, most: number) => (text.length > most ? `…${text.slice(1 - most)}` : text);
    const nodes = all.map(({ node, x, y, level }) => {
      const go = () => this.open(node.path, node.line, node.col);
      return svg("g", { class: `call ${level ? "" : "root"} k-${node.kind}`, transform: `translate(${x} ${y})`, tabindex: 0, role: "link", "aria-label": `${node.qualname}, ${node.path}:${node.line}`, onclick: go, onkeydown: (event: KeyboardEvent) => event.key === "Enter" && go() },
        svg("title", {}, `${node.qualname}\n${node.path}:${node.line}`),
        svg("rect", { width: WIDTH, height: HEIGHT, rx: 8 }),
        svg("text", { x: 10, y: 16, class: "name" }, cut(node.qualname, 25) + (node.is_cycle ? " ↻" : "")),
        svg("text", { x: 10, y: 30, class: "path" }, cut(`${node.path}:${node.line}`, 29)));
    });
    const drawing = svg("svg", { viewBox: `${minX} ${top} ${maxX - minX} ${bottom - top}`, width: maxX - minX, height: bottom - top, role: "group", "aria-label": "Call graph" },
      svg("defs", {}, svg("marker", { id: "arrow", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" }, svg("path", { d: "M0 0L8 4L0 8z", class: "arrow" }))),
      ...edges, ...nodes);
    this.canvas.replaceChildren(drawing);
    if (more) this.canvas.append(h("p", { class: "muted" }, `${count(more)} more are not drawn`));
    this.canvas.scrollTo({ left: -minX - this.canvas.clientWidth / 2 + WIDTH / 2, top: root.y - top - this.canvas.clientHeight / 2 });
  }
}
