//! Rules of style with exceptions. `style_exceptions.txt` counts the exceptions of each file, and no count may grow. A line of it is
//! `rule count path`.
//!
//! `UPDATE_STYLE=1 cargo test --features all style::` writes the list anew, if no rule has more exceptions than before: after some were
//! mended, or files with them moved.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use regex::Regex;

/// How many exceptions a file has.
type Counts = BTreeMap<(&'static str, String), usize>;

/// A rule: what it is called in the list, what to do instead, and the places where a file breaks it.
struct Rule {
    name: &'static str,
    instead: &'static str,
    /// The lines, counted from 1, of a file with its name.
    find: fn(&str, &Source) -> Vec<usize>,
}

const RULES: &[Rule] = &[
    Rule { name: "tuple-parameter", instead: "make the parameters a struct, or two", find: tuple_parameters },
    Rule { name: "mod-with-logic", instead: "a mod.rs has modules, re-exports and docs alone", find: items_of_mod },
    Rule {
        name: "participle",
        instead: "name a function that acts by a verb: `write`, not `written`",
        find: participles,
    },
    Rule { name: "what-doc", instead: "say it by a noun, or by a verb: not `What …`", find: what_docs },
    Rule { name: "many-bools", instead: "more than three bools are an enum, or a set", find: many_bools },
];

/// Words that end in `ed` and are no participles.
const ALLOWED: &[&str] =
    &["bed", "embed", "exceed", "feed", "hundred", "indeed", "need", "proceed", "seed", "speed", "succeed"];

/// A file: its text, and the same with comments blanked out.
struct Source {
    text: String,
    code: String,
}

impl Source {
    fn new(text: &str) -> Source {
        let comments = pattern(r"(?m)^(\s*)//.*$");
        Source { text: text.to_owned(), code: comments.replace_all(text, "$1").into_owned() }
    }

    fn line(&self, at: usize) -> usize {
        self.code[..at].matches('\n').count() + 1
    }

    /// The functions: where the name is, the name, the parameters, and what is between them and the body.
    fn functions(&self) -> Vec<Function<'_>> {
        let head = pattern(r"\bfn (\w+)");
        let mut functions = Vec::new();
        for found in head.captures_iter(&self.code) {
            let (start, end) = (found.get(1).expect("a name").start(), found.get(0).expect("all of it").end());
            // Generic parameters may have parentheses themselves: `fn f<F: Fn(usize)>(…)`.
            let (mut angles, mut open) = (0, None);
            let bytes = self.code.as_bytes();
            for at in end..bytes.len() {
                match bytes[at] {
                    b'<' => angles += 1,
                    b'>' if bytes[at - 1] != b'-' => angles -= 1,
                    b'(' if angles == 0 => {
                        open = Some(at);
                        break;
                    }
                    b'{' | b';' if angles == 0 => break,
                    _ => {}
                }
            }
            let Some(open) = open else { continue };
            let mut depth = 0;
            let close = self.code[open..].char_indices().find(|(_, sign)| {
                depth += match sign {
                    '(' => 1,
                    ')' => -1,
                    _ => 0,
                };
                depth == 0
            });
            let Some(close) = close.map(|(at, _)| open + at) else { continue };
            let rest = &self.code[close + 1..];
            let body = rest.find(['{', ';']).unwrap_or(rest.len());
            functions.push(Function {
                start,
                name: &self.code[start..end],
                open,
                parameters: &self.code[open..close],
                result: &rest[..body],
            });
        }
        functions
    }
}

/// The head of a function.
struct Function<'s> {
    start: usize,
    name: &'s str,
    /// Where the parameters begin.
    open: usize,
    parameters: &'s str,
    result: &'s str,
}

/// A pattern, compiled once.
pub(super) fn pattern(pattern: &'static str) -> Regex {
    static KNOWN: Mutex<BTreeMap<&str, Regex>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().expect("all patterns are well-formed");
    known.entry(pattern).or_insert_with(|| Regex::new(pattern).expect("the pattern is well-formed")).clone()
}

/// Parameters such as `(line, col): (usize, usize)`.
fn tuple_parameters(_: &str, source: &Source) -> Vec<usize> {
    let tuple = pattern(r"[(,]\s*\((?:\s*(?:mut |ref |&)*\w+\s*,?)+\)\s*:\s*&?(?:'\w+ )?(?:mut )?\(");
    let functions = source.functions();
    let found = functions.iter().flat_map(|function| {
        tuple.find_iter(function.parameters).map(|found| source.line(function.open + found.end())).collect::<Vec<_>>()
    });
    found.collect()
}

/// The items of a `mod.rs` that are neither modules nor imports.
fn items_of_mod(path: &str, source: &Source) -> Vec<usize> {
    if !path.ends_with("/mod.rs") {
        return Vec::new();
    }
    let item = pattern(
        r"(?m)^(?:pub(?:\([^)]*\))? )?(?:const |unsafe |async )*(?:fn|struct|enum|union|impl|const|static|trait|type|macro_rules!)\b",
    );
    item.find_iter(&source.code).map(|found| source.line(found.start())).collect()
}

/// Functions that change something or may fail, and are named `written` or `is written` in place of `write`.
fn participles(_: &str, source: &Source) -> Vec<usize> {
    let predicate = ["is_", "has_", "was_", "can_", "are_", "may_"];
    let acts = |function: &&Function<'_>| {
        function.parameters.contains("&mut ") || function.result.trim_start().starts_with("-> Result<")
    };
    let is_one = |function: &&Function<'_>| {
        let last = function.name.rsplit('_').next().unwrap_or_default();
        last.ends_with("ed")
            && !ALLOWED.contains(&last)
            && !predicate.iter().any(|word| function.name.starts_with(word))
    };
    source.functions().iter().filter(is_one).filter(acts).map(|function| source.line(function.start)).collect()
}

/// Comments of items that begin with `What`.
fn what_docs(_: &str, source: &Source) -> Vec<usize> {
    let is_doc = |line: &str| ["///", "//!"].iter().any(|mark| line.trim_start().starts_with(mark));
    let begins = |line: &str| {
        let line = line.trim_start();
        ["/// What ", "/// What's ", "//! What "].iter().any(|mark| line.starts_with(mark))
    };
    let lines: Vec<&str> = source.text.lines().collect();
    let first = |number: &usize| number.checked_sub(1).is_none_or(|before| !is_doc(lines[before]));
    (0..lines.len()).filter(|&number| begins(lines[number])).filter(first).map(|number| number + 1).collect()
}

/// Structs with more than three fields that are `bool`.
fn many_bools(_: &str, source: &Source) -> Vec<usize> {
    let head = pattern(r"(?m)^( *)(?:pub(?:\([^)]*\))? )?struct \w+[^;{]*\{$");
    let field = pattern(r"(?m)^ *(?:pub(?:\([^)]*\))? )?\w+: bool,");
    let found = head.captures_iter(&source.code).filter(|found| {
        let whole = found.get(0).expect("all of it");
        let end = format!("\n{}}}", &found[1]);
        let body = &source.code[whole.end()..];
        let body = &body[..body.find(&end).unwrap_or(body.len())];
        field.find_iter(body).count() > 3
    });
    found.map(|found| source.line(found.get(0).expect("all of it").start())).collect()
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn list() -> PathBuf {
    root().join("tests/cst/style_exceptions.txt")
}

fn rust_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of the source").flatten() {
        let path = entry.path();
        if path.is_dir() {
            rust_files(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// The exceptions that are allowed.
fn allowed() -> Counts {
    let text = fs::read_to_string(list()).unwrap_or_default();
    let read = |line: &str| {
        let [rule, count, path] = line.split(' ').collect::<Vec<_>>()[..] else { panic!("`{line}` is no exception") };
        let rule = RULES.iter().find(|known| known.name == rule).unwrap_or_else(|| panic!("no rule `{rule}`"));
        ((rule.name, path.to_owned()), count.parse().expect("a number"))
    };
    text.lines().map(read).collect()
}

#[test]
fn exceptions_only_become_fewer() {
    let mut files = Vec::new();
    rust_files(&root().join("src"), &mut files);
    assert!(files.len() > 300, "src was not found");
    let (mut counts, mut places) = (Counts::new(), BTreeMap::new());
    for file in files {
        let path = file.strip_prefix(root()).expect("it lies in the project").to_string_lossy().replace('\\', "/");
        let source = Source::new(&fs::read_to_string(&file).expect("source is utf-8"));
        for rule in RULES {
            let lines = (rule.find)(&path, &source);
            if !lines.is_empty() {
                counts.insert((rule.name, path.clone()), lines.len());
                places.insert((rule.name, path.clone()), lines);
            }
        }
    }
    let allowed = allowed();
    let sum = |counts: &Counts, rule: &str| -> usize {
        counts.iter().filter(|((name, _), _)| *name == rule).map(|(_, count)| count).sum()
    };
    if std::env::var_os("UPDATE_STYLE").is_some() {
        for rule in RULES {
            let (old, new) = (sum(&allowed, rule.name), sum(&counts, rule.name));
            assert!(new <= old || old == 0, "{}: {new} exceptions, {old} before; {}", rule.name, rule.instead);
        }
        let line = |((rule, path), count): (&(&str, String), &usize)| format!("{rule} {count} {path}\n");
        fs::write(list(), counts.iter().map(line).collect::<String>()).expect("the list is writable");
        return;
    }
    let mut wrong = Vec::new();
    for (key, count) in &counts {
        let most = allowed.get(key).copied().unwrap_or(0);
        if *count > most {
            let instead = RULES.iter().find(|rule| rule.name == key.0).map_or("", |rule| rule.instead);
            wrong.push(format!("{} {}: {count} in lines {:?}, {most} allowed: {instead}", key.0, key.1, places[key]));
        }
    }
    assert!(wrong.is_empty(), "new exceptions from the rules of style:\n  {}", wrong.join("\n  "));
    let fewer = allowed.iter().filter(|(key, most)| counts.get(*key).copied().unwrap_or(0) < **most);
    let fewer: Vec<String> = fewer.map(|((rule, path), _)| format!("{rule} {path}")).collect();
    assert!(
        fewer.is_empty(),
        "fewer exceptions than listed; UPDATE_STYLE=1 shortens the list:\n  {}",
        fewer.join("\n  ")
    );
}

#[test]
fn each_rule_finds_what_breaks_it() {
    let check = |path: &str, text: &str| -> Vec<(&str, Vec<usize>)> {
        let source = Source::new(text);
        let found = RULES.iter().map(|rule| (rule.name, (rule.find)(path, &source)));
        found.filter(|(_, lines)| !lines.is_empty()).collect()
    };
    let breaks =
        |text: &str, name: &str, line: usize| assert_eq!(check("src/a.rs", text), [(name, vec![line])], "{text}");
    let keeps = |text: &str| assert!(check("src/a.rs", text).is_empty(), "{text}");
    breaks("fn f((a, b): (usize, usize)) {}\n", "tuple-parameter", 1);
    breaks("fn f<F: Fn(usize) -> bool>(\n    f: F,\n    (a, mut b): &(usize, usize),\n) {}\n", "tuple-parameter", 3);
    keeps("fn f(a: (usize, usize)) { g(|(a, b): (usize, usize)| a); }\n");
    breaks("fn changed(text: &mut String) {}\n", "participle", 1);
    breaks("fn is_it() {}\nfn file_staged(\n    path: &str,\n) -> Result<(), Error> {\n}\n", "participle", 2);
    keeps("fn need(text: &mut String) {}\nfn is_changed(text: &mut String) {}\nfn changed(text: &str) -> String {}\n");
    breaks("/// What it is.\nstruct A;\n", "what-doc", 1);
    keeps("/// A thing.\n/// What it is.\nstruct A;\n// What it does.\n");
    let bools = |count: usize| format!("struct A {{\n{}}}\n", "    pub a: bool,\n".repeat(count));
    breaks(&bools(4), "many-bools", 1);
    keeps(&bools(3));
    assert_eq!(check("src/a/mod.rs", "mod b;\npub use b::B;\npub(super) fn f() {}\n"), [("mod-with-logic", vec![3])]);
    assert!(check("src/a/mod.rs", "//! Docs.\n\nmod b;\npub use b::B;\n").is_empty());
    assert!(check("src/a.rs", "pub(super) fn f() {}\n").is_empty());
}
