// Reads texts as JSON strings, one a line, and prints what @babel/parser makes of each: a tree without parentheses and
// places, or null. The plugins are the arguments: `jsx`, `typescript`.
const { parse } = require("@babel/parser");
const plugins = process.argv.slice(2);
const unsaid = new Set(["start", "end", "loc", "extra", "errors", "comments", "range", "leadingComments", "trailingComments", "innerComments"]);
const bare = (key, value) => (unsaid.has(key) ? undefined : value);

const tree = (text) => {
  try {
    return JSON.stringify(parse(text, { sourceType: "module", plugins, allowReturnOutsideFunction: true }), bare);
  } catch {
    return null;
  }
};

require("readline")
  .createInterface({ input: process.stdin })
  .on("line", (line) => console.log(JSON.stringify(tree(JSON.parse(line)))));
