// The playground in a real browser, from a server of this test that has nothing but its files. CHROMIUM is the browser, CST the program
// with which its answers are compared, SHOTS a folder for pictures (none otherwise). docs/playground/build.mjs is run before.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { after, before, test } from "node:test";
import puppeteer from "puppeteer-core";
import { ROOT, SITE, library, place } from "./library.mjs";

const PROGRAM = process.env.CST ?? "target/debug/cst";
const BROWSER = process.env.CHROMIUM ?? "/usr/bin/chromium";
const SHOTS = process.env.SHOTS;
const TYPES = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml" };

/** A mobile connection as the browser's own tools have it ("Fast 4G"), which do not slow down a worker: so the server does. */
const FAST_4G = { bytes: 9_000_000 / 8, latency: 165 };

let server, address, browser, page;
let isSlow = false;
const problems = [], requests = new Set();

async function open(hash = "", { width = 1440, height = 900, scheme = "light", context = browser } = {}) {
  const opened = await context.newPage();
  opened.on("pageerror", (error) => problems.push(String(error)));
  opened.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  opened.on("request", (request) => requests.add(new URL(request.url()).origin));
  await opened.setViewport({ width, height });
  await opened.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  await opened.goto(`${address}/some/folder/${hash}`);
  await opened.waitForSelector("body[data-ready]");
  await settled(opened);
  return opened;
}

async function shoot(name, on = page) {
  if (SHOTS) await on.screenshot({ path: join(SHOTS, `${name}.png`) });
}

async function until(what, holds, on = page, ...values) {
  try {
    await on.waitForFunction(holds, { timeout: 30000 }, ...values);
  } catch {
    await shoot("failed", on);
    assert.fail(`${what} did not happen`);
  }
}

/** All that was asked is answered. */
const settled = (on = page) => until("an answer", () => document.body.dataset.turn && document.querySelector(".progress")?.className === "progress", on);

async function write(selector, value, on = page) {
  const turn = await on.evaluate(() => document.body.dataset.turn);
  await on.focus(selector);
  await on.$eval(selector, (field) => field.select());
  if (value) await on.keyboard.type(value);
  else await on.keyboard.press("Backspace");
  await until("a new answer", (turn) => document.body.dataset.turn !== turn, on, turn);
  // The last key counts.
  await new Promise((resolve) => setTimeout(resolve, 200));
  await settled(on);
}

async function press(selector, on = page) {
  await until(`${selector} to be there`, (selector) => document.querySelector(selector), on, selector);
  await on.click(selector);
}

async function pick(language, on = page) {
  const turn = await on.evaluate(() => document.body.dataset.turn);
  await on.select("#language", language);
  await until("a new answer", (turn) => document.body.dataset.turn !== turn, on, turn);
  await settled(on);
}

async function example(name, on = page) {
  const value = await on.$$eval("#examples option", (options, name) => options.find((option) => option.textContent === name)?.value, name);
  assert.ok(value, `there is an example "${name}"`);
  const turn = await on.evaluate(() => document.body.dataset.turn);
  await on.select("#examples", value);
  await until("a new answer", (turn) => document.body.dataset.turn !== turn, on, turn);
  await settled(on);
}

const text = (selector, on = page) => on.$eval(selector, (element) => element.textContent);

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Sends a file; over the slow connection in small parts, for which all requests wait in turn. */
let line = Promise.resolve();
async function send(response, content) {
  if (!isSlow) return response.end(content);
  await pause(FAST_4G.latency);
  for (let at = 0; at < content.length; at += 4096) {
    const part = content.subarray(at, at + 4096);
    await (line = line.then(() => wait(part.length)));
    response.write(part);
  }
  response.end();
}

/** Timers are too coarse for single parts: what one waits too long the next ones wait less. */
let due = 0;
async function wait(bytes) {
  const now = performance.now();
  due = Math.max(due, now - 20) + (bytes / FAST_4G.bytes) * 1000;
  if (due > now) await pause(due - now);
}

before(async () => {
  server = createServer((request, response) => {
    // Somewhere below the root: nothing in the page may depend on where it is.
    const name = new URL(request.url, "http://here").pathname.replace(/^\/some\/folder\//, "") || "index.html";
    if (!readdirSync(SITE).includes(name)) return response.writeHead(404).end();
    response.writeHead(200, { "Content-Type": TYPES[extname(name)] ?? "application/octet-stream" });
    void send(response, readFileSync(join(SITE, name)));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${server.address().port}`;
  browser = await puppeteer.launch({ executablePath: BROWSER, args: ["--no-sandbox", "--disable-gpu"] });
  page = await open();
});

after(async () => {
  await browser?.close();
  server?.close();
});

test("it opens with an example and its matches", async () => {
  assert.equal(await page.$eval("#language", (select) => select.value), "python");
  assert.match(await text("#tab-matches"), /^Matches \d+$/);
  assert.ok((await page.$$("main .cm-content .match")).length > 0);
  await shoot("playground-light-1440");
});

test("a selector finds, and a click shows the node that was found", async () => {
  await write("#query", "class > method:has(return)");
  assert.equal(await text(".results .status"), "1 match");
  assert.deepEqual(await page.$$eval(".step b", (counts) => counts.map((count) => count.textContent)), ["1", "1"]);
  await press(".answers .row[data-index='0']");
  await until("the node", () => document.querySelector(".node-head strong")?.textContent === "function_definition");
  const proposals = await page.$$eval(".proposal .use code", (codes) => codes.map((code) => code.textContent));
  assert.ok(proposals.length > 2, proposals.join("\n"));
  await press(".proposal.exact .use");
  await until("its match alone", () => document.querySelector(".results .status").textContent === "1 match");
});

test("an error in a selector has a caret and a hint", async () => {
  await write("#query", "class > fucntion");
  await page.focus("#query");
  const lines = (await text("#problem pre")).split("\n");
  assert.equal(lines[0], "class > fucntion");
  assert.equal(lines[1], "        ^^^^^^^^ did you mean `function`?");
  await shoot("playground-error");
});

test("a pattern is rewritten, and the change can be applied", async () => {
  await example("Replace print by a logger");
  assert.match(await text(".change .summary"), /^3 of 3 matches changed/);
  assert.ok((await page.$$eval(".diff td.new", (cells) => cells.map((cell) => cell.textContent))).some((line) => line.includes('logging.info("sold", item, count)')));
  await shoot("playground-rewrite");
  const turn = await page.evaluate(() => document.body.dataset.turn);
  await press(".results .primary");
  await until("a new answer", (turn) => document.body.dataset.turn !== turn, page, turn);
  await settled();
  assert.match(await text(".results .status"), /^No match/);
  assert.match(await text("main .cm-content"), /logging\.info\("opening", name\)/);
});

test("a rule shows its findings, with message and fix; so does one in YAML", async () => {
  await page.close();
  page = await open();
  await example("A rule with a fix");
  assert.match(await text("#tab-matches"), /^Findings \d/);
  const messages = await page.$$eval(".finding .label", (labels) => labels.map((label) => label.textContent));
  assert.ok(messages.some((message) => message.includes("prints: use the logger")), messages.join("\n"));
  await press("#tab-change");
  assert.ok((await page.$$(".diff td.new")).length > 0);
  await shoot("playground-rule");
  await example("A rule of ast-grep");
  assert.deepEqual(await page.$$eval(".finding .label", (labels) => labels.map((label) => label.textContent)), ["compare with None by identity"]);
});

test("a rule that is wrong says where", async () => {
  await press(".rules .cm-content");
  await page.keyboard.down("Control");
  await page.keyboard.press("a");
  await page.keyboard.up("Control");
  const turn = await page.evaluate(() => document.body.dataset.turn);
  await page.keyboard.type('[[rule]]\nid = "x"\nmessage = "m"\nselect = "fucntion"\nlanguage = "python"\n');
  await until("a new answer", (turn) => document.body.dataset.turn !== turn, page, turn);
  await until("the complaint", () => document.querySelector(".complaints")?.textContent.includes("fucntion"));
  await settled();
  assert.match(await text(".complaints"), /did you mean `?function`?/);
});

test("a link has the whole state", async () => {
  await page.select("#language", "python");
  await example("Replace print by a logger");
  await press("#share");
  await until("the link", () => /^#[zj]=/.test(location.hash));
  const shown = async (on) => [await text("main .cm-content", on), await on.$eval("#query", (field) => field.value), await on.$eval("#template", (field) => field.value), await text(".change .summary", on)];
  const here = await shown(page);
  const there = await open(await page.evaluate(() => location.hash));
  assert.deepEqual(await shown(there), here);
  await there.close();
  const damaged = await open("#z=AAAA");
  assert.match(await text(".toast", damaged), /damaged/);
  await damaged.close();
});

test("the keyboard is enough", async () => {
  await page.close();
  page = await open();
  await page.focus("#query");
  await write("#query", "call");
  await page.focus("#query");
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowDown");
  await until("a node", () => document.activeElement?.getAttribute("aria-label") === "Matches" && document.querySelector(".match.current"));
  await page.keyboard.press("Escape");
  assert.ok(await page.evaluate(() => document.activeElement.classList.contains("cm-content")));
  // Tab leaves the code.
  await page.keyboard.press("Tab");
  assert.ok(await page.evaluate(() => !document.activeElement.closest(".cm-editor")));
});

test("what is typed in the code counts at once", async () => {
  await write("#query", "function#added");
  await press("main .cm-content");
  await page.keyboard.down("Control");
  await page.keyboard.press("End");
  await page.keyboard.up("Control");
  await page.keyboard.type("\n\ndef added(): pass\n");
  await until("the match", () => document.querySelector(".results .status").textContent === "1 match");
});

test("every language has examples that find something, and answers as the program does", { timeout: 600000 }, async () => {
  const { languages, link, sampleOf } = await library();
  assert.ok(languages.length >= 8);
  let compared = 0;
  for (const language of languages) {
    const linked = link(language);
    const { code, path, examples } = sampleOf(language);
    const files = [[path, code], ...readdirSync(join(ROOT, "selectors", language)).filter((name) => name.startsWith("sample.")).map((name) => [name, readFileSync(join(ROOT, "selectors", language, name), "utf8")])];
    for (const [path, text] of files) {
      const opened = linked.call("open", { text, language, path });
      assert.ok(opened.result, JSON.stringify(opened));
      // Code in other languages in it is searched by the program only.
      const selectors = [...["function", "*:has(> *)", "*[depth=3]"].map((selector) => ({ selector: `${selector}[language=${language}]` })), ...examples.filter(({ mode }) => mode !== "rule").map(({ mode, query }) => (mode === "pattern" ? { pattern: query } : { selector: query }))];
      for (const query of selectors) {
        const ours = linked.call("find", query);
        const words = query.pattern === undefined ? [query.selector] : ["-p", query.pattern];
        let theirs;
        try {
          theirs = JSON.parse(execFileSync(PROGRAM, ["find", "--json", "--language", language, ...words, "-"], { input: text, encoding: "utf8", stdio: ["pipe", "pipe", "pipe"], maxBuffer: 1 << 28 })).matches;
        } catch (error) {
          theirs = error.status === 1 ? [] : null;
        }
        assert.ok(ours.result && theirs, `${language}: ${path}: ${JSON.stringify(query)}: ${JSON.stringify(ours.error)}`);
        const [here, there] = [ours.result.matches.map(place), theirs.map(place)];
        const differs = here.find((one, at) => one !== there[at]) ?? there[here.length];
        assert.ok(differs === undefined, `${language}: ${path}: ${JSON.stringify(query)}: ${here.length} and ${there.length} matches; ${differs}`);
        compared += theirs?.length ?? 0;
      }
    }
    // The examples are about the first text.
    linked.call("open", { text: code, language, path });
    for (const { name, mode, query, template, rule } of examples) {
      if (rule !== undefined) {
        const { result } = linked.call("scan", { rules: rule });
        assert.ok(result?.findings.length && !result.problems.length, `${language}: ${name}: ${JSON.stringify(result?.problems)}`);
        continue;
      }
      const asked = mode === "pattern" ? { pattern: query } : { selector: query };
      const found = linked.call("find", asked);
      assert.ok(found.result?.matches.length, `${language}: ${name} finds nothing: ${JSON.stringify(found.error)}`);
      if (template !== undefined) {
        const { result, error } = linked.call("rewrite", { ...asked, template });
        assert.ok(result?.applied, `${language}: ${name}: ${JSON.stringify(error)}`);
      }
    }
  }
  console.log(`${compared} matches in ${languages.length} languages are those of the program`);
  assert.ok(compared > 5000);
});

test("every language can be picked", { timeout: 300000 }, async () => {
  await page.close();
  page = await open();
  const names = await page.$$eval("#language option", (options) => options.map((option) => option.value));
  for (const name of names) {
    if (name !== "python") await pick(name);
    assert.match(await text(".results .status"), /^\d+ match/, name);
  }
});

test("it is there in time over a slow connection", async () => {
  const context = await browser.createBrowserContext();
  const slow = await context.newPage();
  await slow.setViewport({ width: 1440, height: 900 });
  isSlow = true;
  const begun = performance.now();
  await slow.goto(`${address}/some/folder/`);
  await slow.waitForFunction(() => document.querySelectorAll(".cm-content .match").length > 0, { timeout: 60000, polling: 50 });
  const answered = performance.now() - begun;
  const paint = await slow.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0].startTime);
  isSlow = false;
  console.log(`Fast 4G (9 Mbit/s, 165 ms): first paint after ${Math.round(paint)} ms, first answer after ${Math.round(answered)} ms`);
  await context.close();
});

test("narrow, wide and dark", async () => {
  for (const [width, height] of [[400, 800], [1440, 900], [1920, 1080]]) {
    for (const scheme of ["light", "dark"]) {
      const seen = await open("", { width, height, scheme });
      const overflow = await seen.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(overflow <= 0, `${width} px: ${overflow} px too wide`);
      await seen.click(".cm-line:nth-child(14)");
      await until("a node", () => document.querySelector(".node-head strong"), seen);
      await shoot(`playground-${width}-${scheme}`, seen);
      if (width === 400) {
        await press(".panes [data-pane=node]", seen);
        await shoot(`playground-${width}-${scheme}-node`, seen);
      }
      await example("Replace print by a logger", seen);
      if (width === 400) await press(".panes [data-pane=main]", seen);
      await shoot(`playground-${width}-${scheme}-rewrite`, seen);
      await example("A rule with a fix", seen);
      await shoot(`playground-${width}-${scheme}-rule`, seen);
      await seen.close();
    }
  }
});

test("nothing was asked of any other server, and nothing went wrong", () => {
  assert.deepEqual([...requests], [address]);
  assert.deepEqual(problems, []);
});
