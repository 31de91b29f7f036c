// Errors as the terminal shows them: the selector, carets under the place, and the hint.

import { h, prose } from "./dom";
import { EngineError } from "./engine";

/** What is shown of an error; `withPlace` if the user wrote the selector that it is about. */
export function problemOf(error: unknown, withPlace: boolean): HTMLElement[] {
  if (!(error instanceof EngineError)) return [h("p", {}, String(error))];
  const { span, selector, hint } = error.data as { span?: { start: number; end: number }; selector?: string; hint?: string };
  if (span && selector && withPlace) {
    // Spans are in bytes.
    const bytes = new TextEncoder().encode(selector);
    const characters = (end: number) => [...new TextDecoder().decode(bytes.slice(0, end))].length;
    const start = characters(span.start), width = Math.max(1, characters(span.end) - start);
    return [h("p", {}, prose(error.message)), h("pre", {}, `${selector}\n${" ".repeat(start)}`, h("span", { class: "caret" }, "^".repeat(width)), hint ? h("span", { class: "caret-hint" }, ` ${hint}`) : null)];
  }
  const [first, ...more] = error.message.split("\n");
  return [h("p", {}, prose(first!)), ...(more.length ? [h("pre", {}, more.join("\n"))] : []), ...(hint ? [h("p", { class: "caret-hint" }, prose(hint))] : [])];
}
