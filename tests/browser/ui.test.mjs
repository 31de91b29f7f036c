// The page of `cst ui` in a real browser. CST is the program, CHROMIUM the browser, SHOTS a folder for pictures (none otherwise).
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import puppeteer from "puppeteer-core";

const PROGRAM = process.env.CST ?? "target/debug/cst";
const BROWSER = process.env.CHROMIUM ?? "/usr/bin/chromium";
const SHOTS = process.env.SHOTS;

const SHOP = `import os


class Shop:
    """A shop."""

    def open(self, name):
        print(name)
        return os.path.exists(name)

    def close(self):
        print("closed", self.open("x"))
`;
const MANY = 40000;

let folder, browser, program, page;
const problems = [];

async function serve(where, ...options) {
  const child = spawn(PROGRAM, ["ui", "--no-open", "--state", join(folder, "state"), ...options, where], { stdio: ["ignore", "pipe", "inherit"] });
  const url = await new Promise((resolve, reject) => {
    child.stdout.once("data", (data) => resolve(String(data).trim()));
    child.once("exit", (code) => reject(new Error(`cst ui ended with ${code}`)));
  });
  return { child, url };
}

async function open(url, { width = 1440, height = 900, scheme = "light" } = {}) {
  const opened = await browser.newPage();
  opened.on("pageerror", (error) => problems.push(String(error)));
  opened.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  await opened.setViewport({ width, height });
  await opened.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  await opened.goto(url);
  await opened.waitForSelector("body[data-ready]");
  return opened;
}

async function shoot(name, on = page) {
  if (SHOTS) await on.screenshot({ path: join(SHOTS, `${name}.png`) });
}

async function until(what, holds, on = page, ...values) {
  try {
    await on.waitForFunction(holds, { timeout: 20000 }, ...values);
  } catch {
    await shoot("failed", on);
    assert.fail(`${what} did not happen`);
  }
}

/** Clicks where an element is now, as a person would: rows are drawn again at any time. */
async function press(selector, on = page) {
  await until(`${selector} to be there`, (selector) => document.querySelector(selector), on, selector);
  const { x, y } = await on.$eval(selector, (element) => {
    element.scrollIntoView({ block: "nearest" });
    const { x, y, width, height } = element.getBoundingClientRect();
    return { x: x + width / 2, y: y + height / 2 };
  });
  await on.mouse.click(x, y);
}

const text = (selector, on = page) => on.$eval(selector, (element) => element.textContent);

async function ask(selector, on = page) {
  await on.focus("#query");
  await on.$eval("#query", (field) => field.select());
  await on.type("#query", selector);
  await on.keyboard.press("Enter");
  await until(`an answer to ${selector}`, () => / s$/.test(document.querySelector(".results .status").textContent) || !document.querySelector("#problem").hidden, on);
}

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "cst-ui-"));
  const project = join(folder, "project");
  mkdirSync(join(project, "src"), { recursive: true });
  writeFileSync(join(project, "src/shop.py"), SHOP);
  writeFileSync(join(project, "src/other.py"), "from shop import Shop\n\nprint('other')\nShop().open('a')\n");
  writeFileSync(join(project, "main.js"), "function main() { return 1; }\n");
  const many = join(folder, "many");
  mkdirSync(many);
  for (let file = 0; file < 40; file++) writeFileSync(join(many, `f${file}.py`), "call(1)\n".repeat(MANY / 40));
  program = await serve(project, "--write");
  browser = await puppeteer.launch({ executablePath: BROWSER, args: ["--no-sandbox", "--disable-gpu"] });
  page = await open(program.url);
});

after(async () => {
  await browser?.close();
  program?.child.kill();
  rmSync(folder, { recursive: true, force: true });
});

test("it opens and lists the files", async () => {
  const rows = await page.$$eval(".files .row .label", (rows) => rows.map((row) => row.textContent));
  assert.deepEqual(rows, ["src", "other.py", "shop.py", "main.js"]);
  assert.equal(await text(".lock"), "can write");
  const paint = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime);
  console.log(`first paint after ${Math.round(paint)} ms`);
  await shoot("welcome");
});

test("a search shows its matches, and a click opens one", async () => {
  await ask("class > method");
  assert.match(await text(".results .status"), /^2 matches in 1 file/);
  await press(".results .row[data-index='1']");
  await until("the match", () => document.querySelector(".cm-content .match.current")?.textContent.startsWith("def") ?? false);
  assert.equal(await text(".file-title"), "src/shop.py");
  await until("the steps", () => document.querySelectorAll(".step").length === 2);
  assert.deepEqual(await page.$$eval(".step b", (counts) => counts.map((count) => count.textContent)), ["1", "2"]);
  await shoot("match");
});

test("matches are below the heading of their file, with the match marked in its line", async () => {
  await ask("call#print");
  const rows = await page.$$eval(".results .row", (rows) => rows.map((row) => row.className.split(" ")[0]));
  assert.deepEqual(rows, ["group-row", "match-row", "group-row", "match-row", "match-row"]);
  assert.deepEqual(await page.$$eval(".group-row .c-path", (paths) => paths.map((path) => path.textContent)), ["src/other.py", "src/shop.py"]);
  assert.deepEqual(await page.$$eval(".group-row .hits", (counts) => counts.map((count) => count.textContent)), ["1", "2"]);
  assert.deepEqual(await page.$$eval(".match-row mark", (marks) => marks.map((mark) => mark.textContent)), ["print('other')", "print(name)", 'print("closed", self.open("x"))']);
  await shoot("by-file");
  await press(".group-row");
  await until("the folded file", () => document.querySelectorAll(".match-row").length === 2);
  await press(".group-row");
  await until("the file again", () => document.querySelectorAll(".match-row").length === 3);
  // Steps pass over the headings, and so does Enter.
  await page.keyboard.press("n");
  await until("the first", () => document.querySelector(".file-title").textContent === "src/other.py");
  await page.keyboard.press("n");
  await until("the next", () => document.querySelector(".file-title").textContent === "src/shop.py");
  await press(".results [aria-pressed=true]");
  await until("a table", () => !document.querySelector(".group-row"));
  await press(".results .bar button");
  await until("the headings", () => document.querySelectorAll(".group-row").length === 2);
});

test("an error has a caret and a hint", async () => {
  await ask("class > fucntion");
  await until("the error", () => !document.querySelector("#problem").hidden);
  const lines = (await text("#problem pre")).split("\n");
  assert.equal(lines[0], "class > fucntion");
  assert.equal(lines[1], "        ^^^^^^^^ did you mean `function`?");
  await shoot("error");
});

test("a click in the code proposes selectors, and one of them finds the node alone", async () => {
  await press(".files .row[data-index='2']");
  await until("the code", () => document.querySelector(".cm-content")?.textContent.includes("class Shop") ?? false);
  const place = await page.evaluate(() => {
    const walker = document.createTreeWalker(document.querySelector(".cm-content"), NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const at = node.data.indexOf("exists");
      if (at < 0) continue;
      const range = document.createRange();
      range.setStart(node, at + 2);
      range.setEnd(node, at + 3);
      const { x, y, height } = range.getBoundingClientRect();
      return { x, y: y + height / 2 };
    }
  });
  await page.mouse.click(place.x, place.y);
  await until("the proposals", () => document.querySelector(".node-head strong")?.textContent === "identifier" && document.querySelector(".proposal.exact"));
  await shoot("node");
  const found = await page.$eval(".proposal.exact code", (code) => code.textContent);
  await page.click(".proposal.exact .use");
  await until("its search", () => / s$/.test(document.querySelector(".results .status").textContent));
  assert.equal(await page.$eval("#query", (field) => field.value), found);
  assert.match(await text(".results .status"), /^1 match in 1 file/);
});

test("completion offers kinds, attributes and pseudo-classes", async () => {
  await page.focus("#query");
  await page.$eval("#query", (field) => field.select());
  await page.type("#query", "func");
  await until("a completion", () => [...document.querySelectorAll(".option span")].some((word) => word.textContent === "function"));
  await shoot("completion");
  await page.keyboard.press("Tab");
  await page.type("#query", ":firs");
  await until("a pseudo-class", () => [...document.querySelectorAll(".option span")].some((word) => word.textContent === "first-child"));
  await page.keyboard.press("Escape");
});

test("Enter takes the completion that is marked, and a whole word as it is", async () => {
  const shown = await open(program.url);
  await shown.focus("#query");
  await shown.type("#query", "func");
  await until("a completion", () => document.querySelector(".option[aria-selected=true]")?.textContent.startsWith("function"), shown);
  await shown.keyboard.press("Enter");
  assert.equal(await shown.$eval("#query", (field) => field.value), "function");
  await until("its matches", () => document.querySelectorAll(".match-row").length === 3, shown);
  await shown.type("#query", " call");
  await until("no completion is marked", () => !document.querySelector(".completion:not([hidden]) .option[aria-selected=true]"), shown);
  await shown.keyboard.press("Enter");
  await until("the list has the focus", () => document.activeElement.getAttribute("aria-label") === "Matches", shown);
  await until("its matches", () => document.querySelectorAll(".match-row").length === 4, shown);
  // Enter once more opens the first match, and the node beside it is the match.
  await shown.keyboard.press("Enter");
  await until("the match and its node", () => document.querySelector(".match.current")?.textContent.startsWith("print") && document.querySelector(".node-head strong")?.textContent === "call", shown);
  await shown.close();
});

test("a half-typed selector moves nothing", async () => {
  const shown = await open(`${program.url}#selector=call`);
  const places = () => shown.$$eval(".tab-bar, .results, .inspector", (parts) => parts.map((part) => JSON.stringify(part.getBoundingClientRect())));
  await until("matches", () => document.querySelectorAll(".match-row").length > 3, shown);
  const before = await places();
  await shown.$eval("#query", (field) => field.select());
  await shown.type("#query", "function[nam");
  await until("a completion", () => document.querySelector(".option"), shown);
  await until("an error", () => document.querySelector("#query").getAttribute("aria-invalid"), shown);
  assert.deepEqual(await places(), before);
  assert.equal(await shown.$eval("#problem", (problem) => problem.offsetHeight), 0, "the completion says more");
  // Enter without the completion asks for it as it is.
  await shown.keyboard.press("Escape");
  await shown.keyboard.press("Enter");
  await until("an error", () => !document.querySelector("#problem").hidden && document.querySelector("#query").getAttribute("aria-invalid"), shown);
  assert.deepEqual(await places(), before);
  await until("the field has the focus again", () => document.activeElement.id === "query", shown);
  assert.ok(await shown.$eval("#problem", (problem) => problem.offsetHeight > 0), "it can be read");
  await shown.close();
});

test("what was not searched is said, and syntax errors are marked", async () => {
  const odd = join(folder, "odd");
  mkdirSync(join(odd, "a/rather/long/path/of/folders/that/no/column/has/room/for"), { recursive: true });
  writeFileSync(join(odd, "broken.py"), "print(1)\n\ndef f(:\n    print(2)\n");
  writeFileSync(join(odd, "latin.py"), Buffer.from("# coding: latin-1\nprint('caf\xe9')\n", "latin1"));
  writeFileSync(join(odd, "unknown.py"), Buffer.from("print('caf\xe9')\n", "latin1"));
  writeFileSync(join(odd, "a/rather/long/path/of/folders/that/no/column/has/room/for/name.py"), "\n".repeat(1233) + "print(3)\n");
  const other = await serve(odd);
  const shown = await open(`${other.url}#selector=${encodeURIComponent("call#print")}`);
  await until("the notes", () => document.querySelectorAll(".notes summary").length === 2, shown);
  const notes = await shown.$$eval(".notes summary", (notes) => notes.map((note) => note.textContent));
  assert.match(notes[0], /^1 file not searched/);
  assert.match(notes[1], /^1 file with syntax errors/);
  await shown.$eval(".notes details:last-of-type", (details) => (details.open = true));
  await shoot("notes", shown);
  // The file and the line of a place can be read, however long the path is.
  const cut = await shown.$$eval(".c-path .base, .c-path .line", (parts) => parts.filter((part) => part.scrollWidth > part.clientWidth).map((part) => part.textContent));
  assert.deepEqual(cut, []);
  await press(".notes .link", shown);
  await until("the mark", () => document.querySelector(".error-line") && document.querySelector(".flaws")?.textContent.includes("syntax error"), shown);
  assert.match(await shown.$eval(".error-line", (line) => line.textContent), /def f/);
  await shoot("syntax-error", shown);
  const at = await shown.$$eval(".match-row", (rows) => rows.find((row) => row.textContent.includes("latin.py")).dataset.index);
  await press(`.results .row[data-index='${at}']`, shown);
  await until("the file", () => document.querySelector(".cm-content")?.textContent.includes("caf\u00e9"), shown);
  await until("no mark", () => document.querySelector(".flaws").hidden, shown);
  await shown.close();
  other.child.kill();
});

test("a program that has ended is said", async () => {
  const other = await serve(join(folder, "project"));
  const shown = await browser.newPage();
  await shown.goto(other.url);
  await shown.waitForSelector("body[data-ready]");
  other.child.kill();
  await new Promise((resolve) => other.child.once("exit", resolve));
  await shown.type("#query", "call");
  await shown.keyboard.press("Enter");
  await until("the error", () => /the program does not answer/.test(document.querySelector("#problem").textContent) && /start cst ui again/.test(document.querySelector("#problem").textContent), shown);
  await shown.close();
});

test("a rewrite is previewed, applied to the files picked, and undone", async () => {
  await page.click("[data-mode=pattern]");
  await ask("print($$$X)");
  await page.click("#tab-rewrite");
  await page.type(".rewrite .code-field", "log.info($$$X)");
  await page.keyboard.press("Enter");
  await until("the preview", () => document.querySelectorAll(".changed").length === 2);
  assert.equal(readFileSync(join(folder, "project/src/shop.py"), "utf8"), SHOP);
  await until("the diff", () => document.querySelectorAll(".diff .new mark").length > 0);
  await shoot("rewrite");
  // One of the two files is left out.
  await press(".changed[data-index='0'] input");
  await until("the choice", () => document.querySelector(".rewrite .danger").textContent === "Apply to 1 file");
  await page.click(".rewrite .danger");
  await until("the write", () => document.querySelector(".toast button"));
  assert.equal(readFileSync(join(folder, "project/src/shop.py"), "utf8"), SHOP.replaceAll("print(", "log.info("));
  assert.match(readFileSync(join(folder, "project/src/other.py"), "utf8"), /print\('other'\)/);
  await page.click(".toast button");
  await until("the undo", () => /restored/.test(document.querySelector(".rewrite .status").textContent));
  assert.equal(readFileSync(join(folder, "project/src/shop.py"), "utf8"), SHOP);
});

/** A page of its own with the results of a selector, on the tab for rewrites. */
async function rewriting(selector) {
  const shown = await open(`${program.url}#selector=${encodeURIComponent(selector)}`);
  await shown.click("#tab-rewrite");
  return shown;
}

async function preview(template, on) {
  await on.focus(".rewrite .code-field");
  await on.$eval(".rewrite .code-field", (field) => field.select());
  await on.type(".rewrite .code-field", template);
  await on.keyboard.press("Enter");
}

const listed = (template, files, on) =>
  until(`the preview of ${template}`, (template, files) => {
    const command = document.querySelector(".rewrite .command");
    return command?.textContent.includes(template) && document.querySelectorAll(".changed").length === files;
  }, on, template, files);

test("the answer to an earlier question does not replace a later one", async () => {
  const shown = await rewriting("call");
  const held = [];
  await shown.setRequestInterception(true);
  shown.on("request", (request) => {
    if (request.postData()?.includes("AAA()")) held.push(request);
    else void request.continue();
  });
  await preview("AAA()", shown);
  for (let tries = 0; !held.length && tries < 100; tries++) await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(held.length, 1);
  await ask("call#print", shown);
  await shown.click("#tab-rewrite");
  await preview("BBB()", shown);
  await listed("BBB()", 2, shown);
  // The earlier question is answered now, if anybody still waits for that.
  await Promise.all(held.map((request) => request.continue().catch(() => {})));
  await new Promise((resolve) => setTimeout(resolve, 1000));
  assert.match(await text(".rewrite .status", shown), /^3 places in 2 files/);
  const diff = await text(".rewrite .diff-pane", shown);
  assert.ok(diff.includes("BBB()") && !diff.includes("AAA()"), diff);
  await press(".rewrite .danger", shown);
  await until("the write", () => document.querySelector(".toast button"), shown);
  assert.equal(readFileSync(join(folder, "project/src/shop.py"), "utf8"), SHOP.replace("print(name)", "BBB()").replace('print("closed", self.open("x"))', "BBB()"));
  await press(".toast button", shown);
  await until("the undo", () => /restored/.test(document.querySelector(".rewrite .status").textContent), shown);
  await shown.close();
});

test("only what was shown is written", async () => {
  const shop = join(folder, "project/src/shop.py");
  const shown = await rewriting("call#print");
  await preview("BBB()", shown);
  await listed("BBB()", 2, shown);
  writeFileSync(shop, `${SHOP}print("unseen")\n`);
  await press(".rewrite .danger", shown);
  await until("the preview once more", () => /Nothing was written: src\/shop\.py has changed/.test(document.querySelector(".rewrite .status").textContent), shown);
  await listed("BBB()", 2, shown);
  assert.equal(readFileSync(shop, "utf8"), `${SHOP}print("unseen")\n`);
  assert.match(await text(".rewrite .status", shown), /4 places in 2 files/);
  await shoot("changed-since", shown);
  await press(".rewrite .danger", shown);
  await until("the write", () => document.querySelector(".toast button"), shown);
  assert.equal(readFileSync(shop, "utf8").match(/BBB\(\)/g).length, 3);
  await press(".toast button", shown);
  await until("the undo", () => /restored/.test(document.querySelector(".rewrite .status").textContent), shown);
  writeFileSync(shop, SHOP);
  await shown.close();
});

test("a rewrite can be undone after the page was loaded again", async () => {
  const shop = join(folder, "project/src/shop.py");
  const shown = await rewriting("call#print");
  await preview("BBB()", shown);
  await listed("BBB()", 2, shown);
  await press(".rewrite .danger", shown);
  await until("the write", () => document.querySelector(".toast button"), shown);
  await shown.reload();
  await shown.waitForSelector("body[data-ready]");
  await shown.click("#tab-rewrite");
  await until("the button", () => [...document.querySelectorAll(".rewrite .bar button")].some((button) => button.textContent === "Undo" && !button.hidden), shown);
  assert.notEqual(readFileSync(shop, "utf8"), SHOP);
  await shown.$$eval(".rewrite .bar button", (buttons) => buttons.find((button) => button.textContent === "Undo").click());
  await until("the undo", () => /restored/.test(document.querySelector(".rewrite .status").textContent), shown);
  assert.equal(readFileSync(shop, "utf8"), SHOP);
  // A template that gives no code says why at once.
  await preview("def (", shown);
  await until("the reason", () => document.querySelector(".rewrite .status .error")?.textContent.length > 10, shown);
  await shoot("refused", shown);
  await shown.close();
});

test("the calls of a function are drawn", async () => {
  await page.click("#tab-graph");
  await page.$eval(".graph .code-field", (field) => (field.value = "Shop.open"));
  await page.click(".graph .primary");
  await until("the drawing", () => document.querySelectorAll(".call").length >= 3);
  const names = await page.$$eval(".call .name", (names) => names.map((name) => name.textContent));
  assert.equal(names[0], "Shop.open");
  assert.ok(names.includes("Shop.close"), String(names));
  await shoot("calls");
  await page.click("#tab-map");
  await until("the map", () => document.querySelectorAll(".leaf").length === 3);
});

test("a question about calls ends the one before it, and can be stopped", async () => {
  const shown = await open(program.url);
  await shown.click("#tab-graph");
  await shown.setRequestInterception(true);
  const held = [], ended = [];
  shown.on("request", (request) => {
    if (request.postData()?.includes('"calls"') && held.length < 4) held.push(request);
    else void request.continue();
  });
  shown.on("requestfailed", (request) => ended.push(request));
  await shown.type(".graph .code-field", "Shop.close");
  await shown.keyboard.press("Enter");
  for (let tries = 0; held.length < 2 && tries < 100; tries++) await new Promise((resolve) => setTimeout(resolve, 50));
  await shown.click(".graph .primary");
  for (let tries = 0; (held.length < 4 || ended.length < 2) && tries < 100; tries++) await new Promise((resolve) => setTimeout(resolve, 50));
  assert.deepEqual([held.length, ended.length], [4, 2]);
  assert.ok(ended.every((request) => held.slice(0, 2).includes(request)));
  await shown.$$eval(".graph .bar button", (buttons) => buttons.find((button) => button.textContent === "Stop").click());
  for (let tries = 0; ended.length < 4 && tries < 100; tries++) await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(ended.length, 4);
  assert.equal(await text(".graph .status", shown), "Stopped.");
  await shown.click(".graph .primary");
  await until("the drawing", () => document.querySelectorAll(".call").length >= 2, shown);
  await shown.close();
});

test("the keyboard alone searches, opens, inspects and previews", async () => {
  const alone = await open(program.url);
  await alone.keyboard.press("Escape");
  await alone.evaluate(() => document.activeElement.blur());
  await alone.keyboard.press("/");
  await alone.keyboard.type("call");
  await until("matches", () => document.querySelectorAll(".match-row").length > 3, alone);
  await alone.keyboard.press("Enter");
  await until("the list has the focus", () => document.activeElement.getAttribute("aria-label") === "Matches", alone);
  await alone.keyboard.press("ArrowDown");
  await until("the code of a match", () => document.querySelector(".match.current"), alone);
  await until("its node", () => document.querySelector(".proposal.exact"), alone);
  await alone.keyboard.press("i");
  await until("the node has the focus", () => document.querySelector(".inspector").contains(document.activeElement), alone);
  await alone.keyboard.press("e");
  await until("the code has the focus", () => document.activeElement.classList.contains("cm-content"), alone);
  await alone.keyboard.press("?");
  await until("the help", () => document.querySelector("dialog.help").open, alone);
  await alone.keyboard.press("Escape");
  await alone.keyboard.down("Alt");
  await alone.keyboard.press("2");
  await alone.keyboard.up("Alt");
  await until("the template has the focus", () => document.activeElement.closest(".rewrite"), alone);
  await alone.keyboard.type("$0");
  await alone.keyboard.press("Enter");
  await until("an answer", () => /nothing would change|place/.test(document.querySelector(".rewrite .status").textContent), alone);
  await alone.close();
});

test("it follows the colours of the system, and narrow windows", async () => {
  const colours = {};
  for (const scheme of ["light", "dark"]) {
    for (const width of [1440, 420]) {
      const shown = await open(`${program.url}#selector=call&file=src%2Fshop.py`, { scheme, width, height: 820 });
      await until("the code", () => document.querySelector(".cm-content .match"), shown);
      colours[scheme] = await shown.evaluate(() => getComputedStyle(document.body).backgroundColor);
      assert.ok(await shown.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing reaches beyond the window");
      if (width === 420) {
        await shown.click(".panes [data-pane=files]");
        await until("the files", () => document.querySelector(".files").offsetWidth > 300, shown);
        await shown.click(".panes [data-pane=main]");
      }
      await shoot(`${scheme}-${width}`, shown);
      await shown.close();
    }
  }
  assert.notEqual(colours.light, colours.dark);
});

test("without leave to write nothing can be applied", async () => {
  const other = await serve(join(folder, "project"));
  const shown = await open(`${other.url}#pattern=${encodeURIComponent("print($$$X)")}`);
  assert.equal(await text(".lock", shown), "read-only");
  await shown.click("#tab-rewrite");
  await shown.type(".rewrite .code-field", "log($$$X)");
  await shown.keyboard.press("Enter");
  await until("the preview", () => document.querySelectorAll(".changed").length === 2, shown);
  assert.ok(await shown.$eval(".rewrite .danger", (button) => button.disabled));
  await shown.close();
  other.child.kill();
});

test("40,000 matches do not freeze it", async () => {
  const other = await serve(join(folder, "many"));
  const shown = await open(other.url);
  await shown.evaluate(() => {
    window.longest = 0;
    let last = performance.now();
    const tick = () => {
      const now = performance.now();
      window.longest = Math.max(window.longest, now - last);
      last = now;
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  });
  const began = Date.now();
  await ask("call", shown);
  await until("all matches", () => /^40,000 matches in 40 files/.test(document.querySelector(".results .status").textContent), shown);
  const took = Date.now() - began;
  assert.ok((await shown.$$(".match-row")).length < 60, "only the visible rows are in the document");
  await shown.focus(".results .list");
  await shown.keyboard.press("End");
  // Below the headings of 40 files.
  await until("the last match", () => document.querySelector(".match-row[aria-selected=true]")?.getAttribute("aria-posinset") === String(40000 + 40), shown);
  const longest = Math.round(await shown.evaluate(() => window.longest));
  console.log(`40,000 matches after ${took} ms, longest frame ${longest} ms`);
  await shown.close();
  other.child.kill();
});

test("the browser reported no error", () => assert.deepEqual(problems, []));
