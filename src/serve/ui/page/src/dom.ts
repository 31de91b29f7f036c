// Elements, and small things with them.

type Child = Node | string | null | undefined | false;
type Props = Record<string, unknown>;

function fill(element: Element, props: Props, children: Child[]): void {
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value as EventListener);
    else if (name === "value") (element as HTMLInputElement).value = String(value);
    else if (name === "checked") (element as HTMLInputElement).checked = true;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) if (child) element.append(child);
}

export function h<K extends keyof HTMLElementTagNameMap>(tag: K, props: Props = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  fill(element, props, children);
  return element;
}

export function svg(tag: string, props: Props = {}, ...children: Child[]): SVGElement {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  fill(element, props, children);
  return element;
}

export function debounce(ms: number, work: () => void): () => void {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = window.setTimeout(work, ms);
  };
}

/** Work that is done at most once in a frame. */
export function perFrame(work: () => void): () => void {
  let waits = false;
  return () => {
    if (waits) return;
    waits = true;
    requestAnimationFrame(() => {
      waits = false;
      work();
    });
  };
}

let toastTimer = 0;

export function toast(message: string, action?: { label: string; run: () => void }): void {
  document.querySelector(".toast")?.remove();
  clearTimeout(toastTimer);
  const element = h("div", { class: "toast", role: "status" }, h("span", {}, message));
  if (action) {
    element.append(h("button", { onclick: () => { element.remove(); action.run(); } }, action.label));
  }
  document.body.append(element);
  toastTimer = window.setTimeout(() => element.remove(), action ? 12000 : 3000);
}

export async function copy(text: string, what = "Copied"): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(what);
  } catch {
    toast("The browser does not allow copying here");
  }
}

export function count(number: number): string {
  return number.toLocaleString("en-US");
}

export function plural(number: number, one: string, many = `${one}s`): string {
  return `${count(number)} ${number === 1 ? one : many}`;
}

/** A path of which the file's name stays whole: the folders are cut at their start. */
export function shownPath(path: string): HTMLElement[] {
  const slash = path.lastIndexOf("/") + 1;
  // In an element of its own the folders read from left to right, though what does not fit is cut on the left.
  const folders = h("span", { class: "dir" }, h("bdi", {}, path.slice(0, slash)));
  return [folders, h("span", { class: "base" }, path.slice(slash))];
}

/** A text with the parts of code that are in backticks. */
export function prose(text: string): DocumentFragment {
  const fragment = document.createDocumentFragment();
  text.split("`").forEach((part, at) => fragment.append(at % 2 ? h("code", {}, part) : part));
  return fragment;
}

export function download(name: string, kind: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: kind }));
  const link = h("a", { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}
