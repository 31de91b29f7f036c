// Rewriting: a template, the changes side by side, which files, apply, undo.

import { count, h, plural, prose, shownPath, toast } from "./dom";
import { type ChangedFile, type Changes, type Engine, EngineError, explained, type Progress, type Query, type Transaction } from "./engine";
import { sideBySide } from "./diff";
import { List } from "./list";
import { shell } from "./results";

export interface RewriteActions {
  query(): Query;
  language(): string;
  changed(): void;
}

/** What was asked when the button or Enter was pressed, whatever the fields hold by now. */
interface Asked {
  query: Query;
  template: string;
  language: string;
}

export class Rewrite {
  readonly element: HTMLElement;
  readonly template = h("input", { class: "code-field", placeholder: "Template: code with $NAME, $$$NAME, and $0 for the whole match", "aria-label": "Template", spellcheck: "false", autocomplete: "off" });
  private readonly preview = h("button", { class: "primary", onclick: () => void this.ask() }, "Preview");
  private readonly apply = h("button", { class: "danger", disabled: true, onclick: () => void this.write() }, "Apply");
  private readonly undo = h("button", { hidden: true, onclick: () => void this.revert() }, "Undo");
  private readonly status = h("div", { class: "status", role: "status" });
  private readonly diff = h("div", { class: "diff-pane", tabindex: 0, "aria-label": "Changes" });
  private readonly list: List<ChangedFile>;
  private readonly body: HTMLElement;
  private files: ChangedFile[] = [];
  private left = new Set<string>();
  private transaction = "";
  /** What the listed files answer. */
  private asked: Asked | null = null;
  /** The number of the last question or write: the answers of earlier ones are not shown. */
  private turn = 0;
  /** Why the files are listed again. */
  private why: string | undefined;
  private running: AbortController | null = null;

  constructor(private readonly engine: Engine, private readonly writes: boolean, private readonly actions: RewriteActions) {
    this.list = new List<ChangedFile>({
      height: 28,
      label: "Changed files; space picks",
      follows: () => true,
      open: (file) => this.show(file),
      key: (event, file) => {
        if (event.key !== " ") return false;
        this.pick(file);
        return true;
      },
      row: (file) => h("div", { class: "changed", title: file.path },
        h("input", { type: "checkbox", tabindex: -1, "aria-label": `Change ${file.path}`, checked: !this.left.has(file.path) && !file.error, disabled: !!file.error, onchange: () => this.pick(file) }),
        h("span", { class: "label" }, ...shownPath(file.path)), h("span", { class: file.error ? "hits bad" : "hits" }, file.error ? "!" : count(file.applied))),
    });
    this.template.addEventListener("keydown", (event) => {
      if (event.key === "Enter") void this.ask();
    });
    this.body = h("div", { class: "rewrite-body" }, this.list.element, this.diff);
    this.element = h("section", { class: "rewrite view", "aria-label": "Rewrite" },
      h("div", { class: "bar" }, this.template, this.preview, this.apply, this.undo), this.status, this.body);
    if (!writes) this.apply.title = "Start the page with `cst ui --write` to change files";
    this.explain();
    if (writes) void this.findLast();
  }

  /** The last rewrite of this folder can be undone also after the page was loaded again. */
  private async findLast(): Promise<void> {
    const { turn } = this;
    try {
      const { transactions } = await this.engine.ask<{ transactions: Transaction[] }>("transactions", {});
      const last = transactions.find(({ request }) => request !== "undo");
      if (turn !== this.turn || last?.request !== "rewrite" || this.transaction) return;
      this.offerUndo(last.transaction, `Undo the rewrite of ${plural(last.files.length, "file")}, ${new Date(last.time).toLocaleString()}`);
    } catch {
      // Nothing was written yet.
    }
  }

  private offerUndo(transaction: string, title = ""): void {
    this.transaction = transaction;
    this.undo.hidden = !transaction;
    this.undo.title = title;
  }

  private explain(): void {
    this.body.hidden = true;
    this.status.replaceChildren(prose("What the field above finds is replaced by the template. With the pattern `print($X)` and the template `log($X)`, `print(a)` becomes `log(a)`. Nothing changes before you apply it."));
  }

  private request({ query, template, language }: Asked): object {
    return { ...query, template, on_error: "skip", ...(language ? { reading: { language } } : {}) };
  }

  async ask(): Promise<void> {
    const query = this.actions.query();
    if (!query.selector && !query.pattern) {
      this.status.textContent = "Write a selector or a pattern in the field above first.";
      return;
    }
    await this.look({ query, template: this.template.value, language: this.actions.language() });
  }

  /** Ends what runs, and begins something whose answer will be the one to show. */
  private begin(): { turn: number; signal: AbortSignal } {
    this.running?.abort();
    this.running = new AbortController();
    return { turn: ++this.turn, signal: this.running.signal };
  }

  /** Shows what a rewrite would change; `why` says why it is shown again. */
  private async look(asked: Asked, why?: string): Promise<void> {
    const { turn, signal } = this.begin();
    // What is listed answers an earlier question.
    this.files = [];
    this.asked = null;
    this.body.hidden = true;
    this.preview.disabled = true;
    this.apply.disabled = true;
    this.apply.textContent = "Apply";
    this.status.textContent = "Searching …";
    try {
      const progress = ({ done, total }: Progress) => {
        if (turn === this.turn) this.status.textContent = `${count(done)}${total ? ` of ${count(total)}` : ""} files`;
      };
      const changes = await this.engine.stream<Changes>("rewrite", this.request(asked), { progress }, signal);
      if (turn !== this.turn) return;
      this.asked = asked;
      this.why = why;
      this.files = changes.files.filter((file) => file.diff || file.error);
      this.left = new Set(this.files.filter((file) => file.error).map((file) => file.path));
      this.body.hidden = !this.files.length;
      this.list.set(this.files);
      this.diff.replaceChildren();
      if (this.files.length) {
        this.list.select(0);
        this.show(this.files[0]!);
      }
      this.tally(changes);
    } catch (error) {
      if (turn === this.turn) this.fail(error);
    } finally {
      if (turn === this.turn) this.preview.disabled = false;
    }
  }

  private fail(error: unknown): void {
    const { message, data } = error instanceof EngineError ? error : { message: String(error), data: {} as EngineError["data"] };
    this.status.replaceChildren(h("div", { class: "error" }, h("pre", {}, message), data.hint ? h("p", {}, prose(String(data.hint))) : null));
  }

  private tally(changes?: Changes): void {
    const chosen = this.files.filter((file) => !this.left.has(file.path));
    const places = chosen.reduce((sum, file) => sum + file.applied, 0);
    this.apply.textContent = chosen.length ? `Apply to ${plural(chosen.length, "file")}` : "Apply";
    this.apply.disabled = !this.writes || !chosen.length;
    const refused = chosen.length ? undefined : this.files.find(({ error }) => error)?.error;
    if (refused) {
      const hint = refused.hint ? h("p", {}, prose(refused.hint)) : null;
      const more = this.files.length > 1 ? h("p", {}, `${plural(this.files.length - 1, "other file is", "other files are")} left out, too.`) : null;
      this.status.replaceChildren(this.why ? h("p", { class: "error" }, this.why) : "", h("div", { class: "error" }, h("p", {}, prose(`${this.files[0]!.path} is left out: ${refused.message.split("\n")[0]}`)), hint, more));
      return;
    }
    if (!this.files.length) {
      const near = changes?.near?.[0];
      this.status.replaceChildren(this.why ? h("p", { class: "error" }, this.why) : "", changes && changes.matches ? `${plural(changes.matches, "match", "matches")}, and nothing would change` : "Nothing matches", near ? h("span", {}, "; ", prose(near)) : "");
      return;
    }
    const command = ["cst", "rewrite", this.asked!.query.pattern !== undefined ? `-p ${shell(this.asked!.query.pattern)}` : shell(this.asked!.query.selector ?? ""), shell(this.asked!.template)].join(" ");
    this.status.replaceChildren(this.why ? h("p", { class: "error" }, this.why) : "", `${plural(places, "place")} in ${plural(chosen.length, "file")}`, this.left.size ? `, ${count(this.left.size)} left out` : "", h("code", { class: "command", title: "The same at the command line" }, command), this.writes ? "" : h("span", { class: "muted" }, "read-only: start with ", h("code", {}, "cst ui --write"), " to apply"));
  }

  private pick(file: ChangedFile): void {
    if (file.error) return;
    if (!this.left.delete(file.path)) this.left.add(file.path);
    this.list.refresh();
    this.tally();
  }

  private show(file: ChangedFile): void {
    const notes = (file.notes ?? []).map((note) => h("p", { class: "muted" }, note));
    this.diff.replaceChildren(h("h3", {}, file.path), ...notes, file.error ? h("pre", { class: "error refusal" }, file.error.message) : sideBySide(file.diff ?? ""));
    this.diff.scrollTop = 0;
  }

  private async write(): Promise<void> {
    const asked = this.asked;
    if (!asked) return;
    const chosen = this.files.filter((file) => !this.left.has(file.path));
    const { turn } = this.begin();
    this.preview.disabled = true;
    this.apply.disabled = true;
    try {
      const targets = chosen.map(({ path }) => ({ path }));
      // What is written is what is shown, or nothing is.
      const expect_revisions = Object.fromEntries(chosen.map(({ path, revision }) => [path, revision ?? ""]));
      const reading = { as_in_folders: true, ...(asked.language ? { language: asked.language } : {}) };
      const changes = await this.engine.stream<Changes>("rewrite", { ...this.request(asked), targets, expect_revisions, reading, on_error: "stop", write: true }, {});
      this.offerUndo(changes.transaction ?? "");
      const message = `${plural(changes.applied, "place")} in ${plural(changes.files.length, "file")} changed`;
      toast(message, this.transaction ? { label: "Undo", run: () => void this.revert() } : undefined);
      this.actions.changed();
      if (turn !== this.turn) return;
      this.files = [];
      this.body.hidden = true;
      this.status.textContent = `${message}.`;
    } catch (error) {
      if (turn !== this.turn) return toast(explained(error));
      if (error instanceof EngineError && error.data.code === "file_changed") {
        const file = error.data.path ?? "a file";
        return this.look(asked, `Nothing was written: ${file} has changed since. These are the changes to the files as they are now.`);
      }
      this.fail(error);
      this.apply.disabled = false;
    } finally {
      if (turn === this.turn) this.preview.disabled = false;
    }
  }

  private async revert(): Promise<void> {
    try {
      const undone = await this.engine.ask<{ restored: string[] }>("undo", { transaction: this.transaction });
      this.offerUndo("");
      document.querySelector(".toast")?.remove();
      this.status.textContent = `${plural(undone.restored.length, "file")} restored.`;
      this.actions.changed();
    } catch (error) {
      this.fail(error);
    }
  }
}
