// Makes src/protocol.ts from the OpenRPC document that `cst rpc` gives.
//
//     node generate.mjs PROGRAM

import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";

const REF = "#/components/schemas/";
const file = new URL("src/protocol.ts", import.meta.url);
const [program] = process.argv.slice(2);

const discover = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "rpc.discover" });
const ran = spawnSync(program, ["rpc"], { input: `${discover}\n`, encoding: "utf8", maxBuffer: 1 << 26 });
if (ran.status !== 0) throw new Error(`${program} rpc: ${ran.error ?? ran.stderr}`);
const document = JSON.parse(ran.stdout).result;

/** The keywords that are read. Another one may say something that a type does not: then this program must learn it. */
const KNOWN = new Set([
  "$ref", "type", "properties", "required", "items", "anyOf", "oneOf", "allOf", "const", "additionalProperties", "description",
  "prefixItems",
  // No type of TypeScript says these.
  "format", "minimum", "default", "minItems", "maxItems",
]);

function comment(text, indent) {
  if (!text) return "";
  const lines = text.replaceAll("*/", "*\\/").split("\n").map((line) => line.trim());
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join("")}${indent} */\n`;
}

function union(types) {
  return [...new Set(types)].join(" | ");
}

function inner(schema, indent) {
  const text = type(schema, indent);
  return /[|&]/.test(text) && !text.startsWith("{") ? `(${text})` : text;
}

function object(schema, indent) {
  const deeper = `${indent}  `;
  const required = new Set(schema.required ?? []);
  const fields = Object.entries(schema.properties ?? {});
  if (fields.length === 0) {
    if (schema.additionalProperties === false) return "Record<string, never>";
    const values = schema.additionalProperties;
    return `Record<string, ${values && values !== true ? type(values, indent) : "unknown"}>`;
  }
  const text = fields.map(([name, field]) => {
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
    return `${comment(field.description, deeper)}${deeper}${key}${required.has(name) ? "" : "?"}: ${type(field, deeper)};\n`;
  });
  return `{\n${text.join("")}${indent}}`;
}

/** The type of values that a schema allows. */
function type(schema, indent = "") {
  if (schema === true) return "unknown";
  for (const keyword of Object.keys(schema)) {
    if (!KNOWN.has(keyword)) throw new Error(`the keyword \`${keyword}\` of a schema is not known`);
  }
  if (schema.$ref) return schema.$ref.slice(REF.length);
  if ("const" in schema) return JSON.stringify(schema.const);
  if (schema.allOf) return schema.allOf.map((part) => inner(part, indent)).join(" & ");
  const either = schema.anyOf ?? schema.oneOf;
  if (either) return union(either.map((part) => type(part, indent)));
  const types = [schema.type ?? []].flat();
  if (types.length === 0) return schema.properties ? object(schema, indent) : "unknown";
  return union(types.map((name) => {
    switch (name) {
      case "integer": return "number";
      case "array":
        if (schema.prefixItems) return `[${schema.prefixItems.map((item) => type(item, indent)).join(", ")}]`;
        return `${inner(schema.items ?? true, indent)}[]`;
      case "object": return object(schema, indent);
      default: return name;
    }
  }));
}

/** An object with its keys in order, to compare. */
function ordered(value) {
  if (Array.isArray(value)) return value.map(ordered);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, inner]) => [key, ordered(inner)]));
}

const camel = (name) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
const pascal = (name) => camel(`_${name}`);

const schemas = document.components.schemas;
let text = "// Made by generate.mjs from the OpenRPC document of `cst rpc`.\n";
for (const [name, schema] of Object.entries(schemas)) {
  const { description, ...rest } = schema;
  const made = type(rest);
  text += `\n${comment(description, "")}`;
  // Only an interface is named in the messages of the compiler.
  const isObject = rest.type === "object" && made.startsWith("{");
  text += isObject ? `export interface ${name} ${made}\n` : `export type ${name} = ${made};\n`;
}

let methods = "";
let functions = "";
for (const method of document.methods) {
  const params = `${pascal(method.name)}Request`;
  const result = type(method.result.schema.allOf[0]);
  const required = method.params.filter((param) => param.required).map((param) => param.name);
  const listed = Object.fromEntries(method.params.map((param) => [param.name, param.schema]));
  // The request's schema and the list of parameters must be one thing.
  const { properties = {}, required: needed = [] } = schemas[params];
  const fields = [listed, properties].map((side) => JSON.stringify(ordered(Object.fromEntries(Object.entries(side).map(([name, field]) => [name, type(field)])))));
  if (fields[0] !== fields[1] || JSON.stringify([...required].sort()) !== JSON.stringify([...needed].sort())) {
    throw new Error(`the parameters of \`${method.name}\` are not those of ${params}`);
  }
  methods += `${comment(method.summary, "  ")}  ${method.name}: { params: ${params}; result: ${result} };\n`;
  functions += `\n${comment(method.summary, "  ")}`;
  functions += `  ${camel(method.name)}(params: ${params}${required.length ? "" : " = {}"}, options?: RequestOptions): Promise<${result}> {\n`;
  functions += `    return this.request("${method.name}", params, options);\n  }\n`;
}
text += `
/** The requests: what each takes, and what it gives. */
export interface Methods {
${methods}}

/** How far a request is that takes over a second. \`total\` is null if it is not known. */
export interface Progress {
  done: number;
  total: number | null;
  message: string;
}

export interface RequestOptions {
  /**
   * Cancels the request. Then the promise is rejected with the reason of the signal; it is fulfilled all the same if the request
   * had already changed something.
   */
  signal?: AbortSignal;
  /** Called while the request runs, ten times a second at most. */
  onProgress?: (progress: Progress) => void;
}

/** A method for each request. */
export abstract class Requests {
  abstract request<M extends keyof Methods>(method: M, params: Methods[M]["params"], options?: RequestOptions): Promise<Methods[M]["result"]>;
${functions}}
`;

writeFileSync(file, text);
