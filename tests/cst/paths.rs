//! File names that aren't UTF-8: shown in quotes as git does, without loss, and taken so.
#![cfg(unix)]

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use cst::engine::{path_text, unquoted};
use serde_json::Value;

use super::cli::{Place, Run, ended};

const SHOWN: &str = r#""bad\377.py""#;

fn name() -> &'static OsStr {
    OsStr::from_bytes(b"bad\xff.py")
}

fn new_place() -> Place {
    let place = Place::new();
    std::fs::write(place.path("").join(name()), "def f():\n    pass\n").expect("the file can be written");
    place.write("good.py", "def f():\n    pass\n");
    place
}

fn text(place: &Place) -> String {
    std::fs::read_to_string(place.path("").join(name())).expect("the file is there")
}

/// Runs with the awkward name among the words.
fn run(place: &Place, before: &[&str], after: &[&str]) -> Run {
    let mut command = place.command(before);
    command.arg(name()).args(after);
    ended(command, None)
}

/// All values of `path` in an answer.
fn paths(answer: &Value) -> Vec<String> {
    match answer {
        Value::Object(fields) => fields
            .iter()
            .flat_map(|(key, value)| match value.as_str() {
                Some(path) if key == "path" => vec![path.to_owned()],
                _ => paths(value),
            })
            .collect(),
        Value::Array(values) => values.iter().flat_map(paths).collect(),
        _ => Vec::new(),
    }
}

#[test]
fn a_name_that_is_not_utf_8_is_searched_and_written() {
    let place = new_place();
    let find = place.run(&["find", "function#f", "--json"]).expect(0).json();
    assert_eq!(paths(&find), [SHOWN, "good.py"]);
    place.run(&["index", "."]).expect(0);
    let again = place.run(&["find", "function#f", "--json"]).expect(0).json();
    assert_eq!(paths(&again), [SHOWN, "good.py"]);
    let rewritten = place.run(&["rewrite", "function#f > identifier", "h", ".", "--write", "--json"]).expect(0).json();
    assert_eq!((rewritten["applied"].as_u64(), paths(&rewritten).len()), (Some(2), 2), "{rewritten}");
    assert!(text(&place).contains("def h()") && place.read("good.py").contains("def h()"));
    let listed = place.run(&["undo", "--list", "--json"]).expect(0).json();
    assert_eq!(listed["transactions"][0]["files"][0], SHOWN);
    place.run(&["undo", "--last"]).expect(0);
    assert!(text(&place).contains("def f()") && place.read("good.py").contains("def f()"));

    let preview = place.run(&["rewrite", "function#f > identifier", "h", "."]).expect(0).stdout;
    assert!(preview.contains("--- \"a/bad\\377.py\"\n+++ \"b/bad\\377.py\"\n"), "{preview}");
    let applied = {
        std::fs::write(place.path("p.diff"), &preview).expect("it can be written");
        std::process::Command::new("git").args(["apply", "p.diff"]).current_dir(place.path("")).status()
    };
    assert!(applied.is_ok_and(|status| status.success()), "git takes the diff");
    assert!(text(&place).contains("def h()"));
}

#[test]
fn a_name_that_is_not_utf_8_is_named_on_the_command_line() {
    let place = new_place();
    let commands: [(&[&str], &[&str]); 6] = [
        (&["find", "function#f"], &["--json"]),
        (&["show"], &["function#f", "--json"]),
        (&["outline"], &["--json"]),
        (&["check"], &["--json"]),
        (&["explain", "function#f"], &["--json"]),
        (&["chunk"], &["--json"]),
    ];
    for (before, after) in commands {
        let named = run(&place, before, after).expect(0);
        let quoted = place.run(&[before, &[SHOWN], after].concat()).expect(0);
        assert_eq!(named.stdout, quoted.stdout, "{before:?}");
    }
    run(&place, &["modify"], &["rename", "function#f", "g", "--write"]).expect(0);
    assert!(text(&place).contains("def g()"));
    place.run(&["undo", "--last"]).expect(0);
    assert!(text(&place).contains("def f()"));

    let loaded = run(&place, &["load"], &["--json"]).expect(0).json();
    assert_eq!(loaded["trees"][0]["path"], SHOWN);
    let tree = loaded["trees"][0]["tree_id"].as_str().expect("it has an id");
    place.run(&["modify", tree, "rename", "function#f", "h"]).expect(0);
    let saved = place.run(&["save", tree, "--backup", "--json"]).expect(0).json();
    assert_eq!(saved["saved"][0]["path"], SHOWN);
    assert!(text(&place).contains("def h()"));
    let kept = place.run(&["backups", SHOWN, "--json"]).expect(0).json();
    let backup = kept["backups"][0]["backup"].as_str().unwrap_or_else(|| panic!("{kept}"));
    place.run(&["backups", "--restore", backup]).expect(0);
    assert!(text(&place).contains("def f()"));

    let missing = run(&place, &["find", "function#f", "good.py"], &["--language", "no"]).expect(2);
    assert!(missing.stderr.contains("no"), "{}", missing.stderr);
}

#[test]
fn quoting_loses_nothing() {
    let mut cases: Vec<Vec<u8>> =
        [&b"\""[..], b"\"a\"", b"\"a\\", b"a\xff\"\\\n\t\x01\x7f", b"\xc3\xa9\xff", b"d\xff/e", b"\xed\xa0\x80"]
            .iter()
            .map(|bytes| bytes.to_vec())
            .collect();
    cases.extend((1..=255).filter(|byte| *byte != b'/').map(|byte| vec![b'"', byte, 0xfe]));
    for bytes in &cases {
        let path = PathBuf::from(OsString::from_vec(bytes.clone()));
        let shown = path_text(&path);
        assert_eq!(unquoted(&shown), Some(path), "{shown}");
        assert!(!shown.contains('\u{fffd}') && !shown.chars().any(char::is_control), "{shown:?}");
    }
    assert!(cases.len() > 250);
    for plain in ["a.py", "caf\u{e9}.py", "a\"b", "a\\b", ""] {
        assert_eq!(path_text(Path::new(plain)), plain);
        assert_eq!(unquoted(plain), None);
    }
    for wrong in ["\"", "\"a", "\"\\9\"", "\"\\37\"", "\"a\"b\"", "\"\\x\""] {
        assert_eq!(unquoted(wrong), None, "{wrong}");
    }
    assert_eq!(path_text(Path::new(name())), SHOWN);
}

#[test]
fn a_name_with_control_characters_is_quoted() {
    for (name, quoted) in
        [("a\nb.py", "\"a\\nb.py\""), ("a\u{1b}[31m.py", "\"a\\033[31m.py\""), ("a\tb\r.py", "\"a\\tb\\015.py\"")]
    {
        let place = Place::new();
        place.write(name, "f(1)\n");
        let found = place.run(&["find", "call", "."]).stdout;
        assert!(found.starts_with(&format!("{quoted}:1:1")), "{found:?}");
        assert_eq!(place.run(&["find", "call", ".", "-l", "-0"]).stdout, format!("{name}\0"));
        assert_eq!(place.run(&["find", "call", quoted]).status, 0, "it is named so");
        let json = place.run(&["find", "call", ".", "--json"]).stdout;
        let json: Value = serde_json::from_str(&json).expect("JSON");
        assert_eq!(json["matches"][0]["path"], name, "JSON has its own way");
        let diff = place.run(&["rewrite", "-p", "f($A)", "g($A)", "."]).stdout;
        assert!(!diff.contains(name), "{diff:?}");
        assert_eq!(place.run(&["rewrite", "-p", "f($A)", "g($A)", ".", "--write"]).status, 0);
        assert_eq!(place.read(name), "g(1)\n");
        let listed = place.run(&["undo", "--list"]).stdout;
        assert!(!listed.contains(name), "{listed:?}");
        assert_eq!(place.run(&["undo", "--last"]).status, 0);
        assert_eq!(place.read(name), "f(1)\n");
    }
}
