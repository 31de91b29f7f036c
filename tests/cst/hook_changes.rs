//! Reports of a hook about an edit: new errors, and changed definitions.

use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use cst::agent::hook::{Caller, Setting, answer};
use cst::agent::journal::Entry;
use cst::engine::{CommandOutput, CommandRunner, Memory, ProgramCall};
use cst::language::Language;
use insta::assert_snapshot;
use serde_json::{Value, json};

/// No other programs.
struct Nothing;

impl CommandRunner for Nothing {
    fn run(&self, _call: &ProgramCall<'_>) -> io::Result<CommandOutput> {
        Err(io::ErrorKind::NotFound.into())
    }
}

/// The report about an edit of a file, and its line in the journal.
fn judged(path: &str, before: &str, after: &str) -> (Option<String>, Option<Entry>) {
    let files = Memory::default();
    files.write(format!("/work/{path}"), after);
    let setting = Setting {
        files: &files,
        programs: &Nothing,
        working_directory: "/work".into(),
        home: None,
        variable: &|_| None,
        end: Instant::now() + Duration::from_secs(60),
    };
    let event = json!({
        "cwd": "/work", "hook_event_name": "PostToolUse", "tool_name": "Edit", "tool_input": {"file_path": path},
        "tool_response": {"originalFile": before},
    });
    let answer = answer(Caller::ClaudeCode, None, event.to_string().as_bytes(), &setting);
    let answer: Value = serde_json::from_str(&answer).expect("the answer is JSON");
    let text = answer["hookSpecificOutput"]["additionalContext"].as_str().map(str::to_owned);
    let journal = files.paths().into_iter().find(|path| path.extension().is_some_and(|extension| extension == "jsonl"));
    let line = journal.and_then(|journal| files.bytes(journal));
    (text, line.map(|line| serde_json::from_slice(&line).expect("the line is an entry")))
}

/// The definitions that an edit of Python changed, with the parts that did: `~f[body] +g`.
fn changes(before: &str, after: &str) -> String {
    changes_in("a.py", before, after)
}

fn changes_in(path: &str, before: &str, after: &str) -> String {
    let (_, entry) = judged(path, before, after);
    let row = |changed: &cst::agent::journal::Changed| {
        let word = serde_json::to_value(changed.change).expect("it is a word");
        let parts = if changed.fields.is_empty() { String::new() } else { format!("[{}]", changed.fields.join(" ")) };
        format!("{} {} {}{parts}", word.as_str().unwrap_or_default(), changed.kind, changed.qualname)
    };
    entry.expect("an edit is written down").changed.iter().map(row).collect::<Vec<_>>().join("\n")
}

/// The report about an edit of Python.
fn said(before: &str, after: &str) -> String {
    judged("a.py", before, after).0.unwrap_or_default()
}

const SHOP: &str = "\
LIMIT = 10

class Shop:
    size = 3

    def open(self, at):
        return at + 1

    def close(self):
        return self.size

def main():
    return Shop()
";

#[test]
fn the_errors_are_told_with_what_changed() {
    assert_snapshot!(said(SHOP, &SHOP.replace("at + 1", "(at + 1")), @r"
    cst: this edit left a.py with a syntax error that was not there before.
      a.py:7:9: unexpected `return (at + 1` in Shop.open
    Changed: ~Shop.open
    Fix it before going on, or run: cst check a.py
    ");
    let two = SHOP.replace("at + 1", "(at + 1").replace("return Shop()", "return Shop(");
    assert_snapshot!(said(SHOP, &two), @r"
    cst: this edit left a.py with 2 syntax errors that were not there before.
      a.py:7:9: unexpected `return (at + 1` in Shop.open
      a.py:13:5: unexpected `return Shop(` in main
    Changed: ~Shop.open ~main
    Fix it before going on, or run: cst check a.py
    ");
}

#[test]
fn what_was_wrong_before_is_not_told() {
    let broken = SHOP.replace("at + 1", "(at + 1");
    // The error is at another place, in a renamed definition, and something else changed.
    assert_eq!(said(&broken, &format!("import os\n\n\n{broken}")), "");
    assert_eq!(said(&broken, &broken.replace("Shop", "Store")), "");
    assert_eq!(said(&broken, &broken.replace("LIMIT = 10", "LIMIT = 20")), "");
    assert_eq!(said(&broken, SHOP), "");
    // Another one of the same kind is reported, at its place.
    let twice = "def f():\n    x = )\n    y = 1\n";
    assert_snapshot!(said(twice, &format!("{twice}    x = )\n")), @r"
    cst: this edit left a.py with a syntax error that was not there before.
      a.py:4:5: unexpected `x = )` in f
    Changed: ~f
    Fix it before going on, or run: cst check a.py
    ");
}

/// If the parser can make nothing of a file, the error begins and ends elsewhere after any edit; that is not a new
/// error.
#[test]
fn a_file_that_is_broken_stays_so_without_a_word() {
    let said = |path: &str, before: &str, after: &str| judged(path, before, after).0.unwrap_or_default();
    assert_eq!(said("a.rs", "fn f() {\n", "// note\nfn f() {\n"), "");
    let open = "use std::io;\n\nfn a() -> i32 {\n    1\n}\n\nfn f() {\n    let x = 1;\n";
    assert_eq!(said("a.rs", open, &open.replace("io", "fs")), "");
    for line in ["//! Doc\n", "#![allow(x)]\n", "// Copyright\n"] {
        assert_eq!(said("a.rs", open, &format!("{line}{open}")), "", "{line}");
    }
    let cut = "        else:\n    return scan_once\n";
    assert_eq!(said("a.py", cut, &format!("{cut}# note\n")), "");
    // New errors are reported there, too.
    assert!(said("a.rs", "fn a() -> i32 {\n    1\n}\n", "fn a() -> i32 {\n    1 + ;\n}\n").contains("a.rs:2"));
    assert!(said("a.py", "def f():\n    return (1\n", "def f():\n    return [1\n").contains("`return [1`"));
}

#[test]
fn what_stands_in_strings_counts_and_so_does_what_is_missing() {
    assert_eq!(
        changes("def f(x):\n    return ','.join(x)\n", "def f(x):\n    return ';'.join(x)\n"),
        "changed function f[body]"
    );
    assert_eq!(changes("def f():\n    return ' a'\n", "def f():\n    return 'a'\n"), "changed function f[body]");
    assert_eq!(changes_in("a.c", "int f() { return 1; }\n", "int f() { return 1 }\n"), "changed function f[body]");
}

#[test]
fn a_text_is_never_too_long() {
    let definition = |index: usize| format!("def {}_{index}():\n    return 1\n\n", "long_name".repeat(20));
    let sound: String = (0..40).map(definition).collect();
    let broken = sound.replace("return 1", "return )(");
    let text = said(&sound, &broken);
    assert!(text.chars().count() <= 600, "{}", text.chars().count());
    let (head, tail) = (text.lines().next(), text.lines().last());
    assert!(head.is_some_and(|line| line.starts_with("cst: this edit left a.py with ")), "{text}");
    assert_eq!(tail, Some("Fix it before going on, or run: cst check a.py"));
    assert!(text.contains(" more"), "{text}");
    let path = format!("{}/a.py", "folder".repeat(60));
    let text = judged(&path, "x = 1\n", "x = (\n").0.expect("the file is broken");
    assert!(text.chars().count() <= 600 && text.contains("folder/a.py:1:1: unexpected"), "{text}");
}

#[test]
fn definitions_come_and_go() {
    let more = format!("{SHOP}\ndef more():\n    pass\n");
    assert_snapshot!(changes(SHOP, &more), @"added function more");
    assert_snapshot!(changes(&more, SHOP), @"removed function more");
    assert_snapshot!(changes("", SHOP), @r"
    added variable LIMIT
    added class Shop
    added method Shop.open
    added method Shop.close
    added function main
    ");
}

#[test]
fn what_changed_is_told_by_its_parts() {
    assert_snapshot!(changes(SHOP, &SHOP.replace("at + 1", "at + 2")), @"changed method Shop.open[body]");
    assert_snapshot!(changes(SHOP, &SHOP.replace("(self, at)", "(self, at, to=1)")), @"changed method Shop.open[parameters]");
    assert_snapshot!(changes(SHOP, &SHOP.replace("size = 3", "size = 4")), @"changed class Shop[body]");
    assert_snapshot!(changes(SHOP, &SHOP.replace("class Shop:", "class Shop(Base):")), @"changed class Shop[superclasses]");
    assert_snapshot!(changes(SHOP, &SHOP.replace("    def close", "    @cached\n    def close")), @"changed method Shop.close[decorator]");
    assert_snapshot!(changes(SHOP, &SHOP.replace("LIMIT = 10", "LIMIT: int = 11")), @"changed variable LIMIT[: type right]");
    // White space is nothing of theirs; how lines nest is.
    assert_snapshot!(changes(SHOP, &SHOP.replace("at + 1", "at  +  1").replace("\n\n", "\n\n\n")), @"");
    let loop_ = "def f(x):\n    for y in x:\n        g()\n    h()\n";
    assert_snapshot!(changes(loop_, &loop_.replace("    h()", "        h()")), @"changed function f[body]");
}

#[test]
fn renamed_and_moved_definitions_are_known() {
    assert_snapshot!(changes(SHOP, &SHOP.replace("def open", "def start")), @"renamed method Shop.start[name]");
    // Nested definitions move with it, and are not reported.
    assert_snapshot!(changes(SHOP, &SHOP.replace("class Shop", "class Store")), @"renamed class Store[name]");
    let close = "    def close(self):\n        return self.size\n\n";
    let out = SHOP.replace(close, "");
    assert_snapshot!(changes(SHOP, &format!("{out}\nclass Door:\n{close}")), @r"
    added class Door
    moved method Door.close
    ");
    assert_snapshot!(changes(SHOP, &format!("{close}{out}").replace("    def close(self):\n        ", "def close(self):\n    ")), @"moved function close");
    let main = "def main():\n    return Shop()\n";
    assert_snapshot!(changes(SHOP, &format!("{main}\n{}", SHOP.replace(main, ""))), @"moved function main");
    // All is written with other indentation, and nothing moved.
    assert_snapshot!(changes(SHOP, &SHOP.replace("    ", "  ")), @"");
}

#[test]
fn overloads_are_told_apart() {
    let java = "class A {\n  void f(int x) { a(); }\n  void f(long x) { b(); }\n}\n";
    assert_snapshot!(changes_in("A.java", java, &java.replace("b()", "c()")), @"changed method A.f[body]");
    assert_snapshot!(changes_in("A.java", java, &java.replace("  void f(int x) { a(); }\n", "")), @"removed method A.f");
}

#[test]
fn line_ends_are_no_change() {
    let windows = SHOP.replace('\n', "\r\n").replace("at + 1", "at + 2");
    assert_snapshot!(changes(SHOP, &windows), @"changed method Shop.open[body]");
}

/// In every first-class language: a broken definition is reported, and a renamed one is not.
#[test]
fn every_language_is_judged() {
    let languages = [
        "python",
        "javascript",
        "typescript",
        "rust",
        "go",
        "c",
        "cpp",
        "java",
        "csharp",
        "php",
        "ruby",
        "swift",
        "kotlin",
        "scala",
        "objc",
        "bash",
    ];
    for name in languages {
        let language = Language::named(name).expect("the language is there");
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("selectors").join(name);
        let entries = std::fs::read_dir(folder).expect("the language has a folder").flatten();
        let sample =
            entries.map(|entry| entry.path()).find(|path| path.file_stem().is_some_and(|stem| stem == "sample"));
        let sample = sample.expect("the language has a sample");
        let path = sample.file_name().expect("a file has a name").to_string_lossy().into_owned();
        let source = std::fs::read_to_string(&sample).expect("a sample is text");
        let tree = cst::parse(&source, language.name()).expect("a sample can be parsed");
        let definitions =
            cst::outline::outline(&tree, &cst::outline::Options::default()).expect("the outline is sound");
        let is_function = |definition: &&cst::outline::Definition| {
            ["function", "method"].contains(&definition.kind) && tree.name_node(definition.node).is_some()
        };
        let definition = definitions.iter().find(is_function).expect("a sample has functions");
        let node = tree.name_node(definition.node).expect("it has a name");
        let (start, end) = (tree.span(node).start(), tree.span(node).end());
        let broken = format!("{}(({}", &source[..end], &source[end..]);
        let (text, entry) = judged(&path, &source, &broken);
        let text = text.unwrap_or_else(|| panic!("{name}: nothing is said of a broken `{}`", definition.qualname));
        assert!(text.starts_with(&format!("cst: this edit left {path} with ")), "{name}: {text}");
        let entry = entry.expect("it is written down");
        assert!(!entry.parse_ok && !entry.new_errors.is_empty(), "{name}: {entry:?}");
        assert_eq!(entry.language, name);
        assert!(entry.changed.len() < 4, "{name}: {:?}", entry.changed);
        let healthy = format!("{}other{}", &source[..start], &source[end..]);
        let (text, entry) = judged(&path, &source, &healthy);
        assert_eq!(text, None, "{name}");
        let changed = &entry.expect("it is written down").changed;
        assert!(changed.iter().any(|changed| changed.qualname.contains("other")), "{name}: {changed:?}");
    }
}
