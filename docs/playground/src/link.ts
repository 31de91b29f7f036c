// The state of the page in the part of its address that no server sees: JSON in base64, compressed if that is shorter.

export type Mode = "selector" | "pattern" | "rule";

export interface State {
  language: string;
  mode: Mode;
  query: string;
  template: string;
  rule: string;
  code: string;
}

/** The most that a link may unpack to. */
const LONGEST = 4 << 20;

const MODES: Record<string, Mode> = { s: "selector", p: "pattern", r: "rule" };

function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));
}

async function through(bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream): Promise<Uint8Array<ArrayBuffer>> {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(parts as BlobPart[]).arrayBuffer());
    length += value.length;
    if (length > LONGEST) throw new Error("the link is too long");
    parts.push(value);
  }
}

export async function toHash({ language, mode, query, template, rule, code }: State): Promise<string> {
  // Short keys, and nothing that is empty.
  const kept = Object.entries({ l: language, m: mode[0], q: query, t: template, r: rule, c: code }).filter(([, value]) => value);
  const plain = new TextEncoder().encode(JSON.stringify(Object.fromEntries(kept)));
  const packed = await through(plain, new CompressionStream("deflate-raw"));
  return packed.length < plain.length ? `#z=${toBase64(packed)}` : `#j=${toBase64(plain)}`;
}

/** The state of a link; `null` if there is none, or the link is damaged. */
export async function fromHash(hash: string): Promise<State | null> {
  const found = /^#([zj])=([\w-]+)$/.exec(hash);
  if (!found) return null;
  try {
    const bytes = fromBase64(found[2]!);
    const plain = found[1] === "z" ? await through(bytes, new DecompressionStream("deflate-raw")) : bytes;
    const read = JSON.parse(new TextDecoder().decode(plain)) as Record<string, unknown>;
    const text = (key: string) => (typeof read[key] === "string" ? read[key] : "");
    return { language: text("l"), mode: MODES[text("m")] ?? "selector", query: text("q"), template: text("t"), rule: text("r"), code: text("c") };
  } catch {
    return null;
  }
}
