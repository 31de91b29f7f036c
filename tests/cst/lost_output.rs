//! Output that cannot be written: a full disk is an error, a reader that has gone is none. For every command.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Write;
use std::process::Stdio;
use std::sync::Mutex;

use crate::cli::Place;

/// A call of each command that prints something in some format; `TREE` is an edited tree of `a.py`. The second is its standard
/// input.
const CALLS: &[(&str, &str)] = &[
    ("--help", ""),
    ("--version", ""),
    ("find function .", ""),
    ("find -l function .", ""),
    ("find -c function .", ""),
    ("find nosuchkind .", ""),
    ("find --nosuchoption", ""),
    ("outline .", ""),
    ("chunk .", ""),
    ("show a.py function#f", ""),
    ("check broken.py", ""),
    ("symbols f", ""),
    ("refs f", ""),
    ("callers f", ""),
    ("callees g", ""),
    ("hierarchy A", ""),
    ("deps .", ""),
    ("search f", ""),
    ("map", ""),
    ("impact --symbol f", ""),
    ("unused", ""),
    ("index .", ""),
    ("explain function a.py", ""),
    ("load a.py", ""),
    ("modify a.py rename function#f h", ""),
    ("modify a.py rename function#f h --write", ""),
    ("rewrite identifier#old new .", ""),
    ("rewrite identifier#old new . --write", ""),
    ("rewrite identifier#old new . --interactive", "y\ny\n"),
    ("refactor rename a.py::f h", ""),
    ("run s.toml .", ""),
    ("scan --select function .", ""),
    ("rules convert r.yml", ""),
    ("metrics .", ""),
    ("duplicates .", ""),
    ("test s.toml", ""),
    ("undo TREE", ""),
    ("undo --list", ""),
    ("redo TREE", ""),
    ("diff TREE", ""),
    ("save TREE", ""),
    ("trees", ""),
    ("drop TREE", ""),
    ("backups", ""),
    ("languages", ""),
    ("trust --list", ""),
    ("rpc", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"trees\"}\n"),
    ("mcp", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n"),
    ("pipe call", "{\"id\":1,\"path\":\"a.py\",\"text\":\"f()\"}\n"),
    #[cfg(feature = "ui")]
    ("ui --no-open .", ""),
    ("agent list", ""),
    ("agent status", ""),
    ("agent print generic", ""),
    ("agent install cursor --dry-run", ""),
    ("hook claude-code", "{}"),
    ("journal", ""),
    ("completions bash", ""),
    ("man", ""),
    ("man find", ""),
    ("help find", ""),
];

const FORMATS: [&str; 3] = ["", "--json", "--jsonl"];

/// How a run ended.
struct Ended {
    status: Option<i32>,
    stdout: usize,
    stderr: String,
}

/// Runs a call in a place of its own.
fn run(words: &str, format: &str, input: &str, stdout: Stdio) -> Ended {
    let place = Place::new();
    place.write("a.py", "def f():\n    return old\n\ndef g():\n    return f()\n\nclass A: pass\n");
    place.write("b.py", "from a import f\n\nold(f())\n");
    place.write("broken.py", "def h(:\n");
    place.write("s.toml", "name = \"s\"\nlanguage = \"python\"\n[[step]]\nselect = \"identifier[text=old]\"\nreplace = \"new\"\n\n[[test]]\nname = \"x\"\nbefore = \"old\\n\"\nafter = \"new\\n\"\n");
    place.write("r.yml", "id: r\nlanguage: python\nrule: {pattern: old}\n");
    let mut tree = String::new();
    if words.contains("TREE") {
        tree = place.load("a.py");
        place.run(&["modify", &tree, "rename", "function#f", "h"]).expect(0);
    }
    if words.starts_with("redo") {
        place.run(&["undo", &tree]).expect(0);
    }
    let words = format!("{words} {format}").replace("TREE", &tree);
    let mut command = place.command(&words.split_whitespace().collect::<Vec<_>>());
    command.env("HOME", place.configuration());
    let mut child = command.stdin(Stdio::piped()).stdout(stdout).spawn().expect("the program starts");
    // The program may end before it has read all.
    _ = child.stdin.take().expect("it is piped").write_all(input.as_bytes());
    if words.starts_with("ui") && child.stdout.is_some() {
        // It serves until it is ended.
        std::thread::sleep(std::time::Duration::from_millis(500));
        child.kill().expect("it runs");
    }
    let output = child.wait_with_output().expect("the program ends");
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    Ended { status: output.status.code(), stdout: output.stdout.len(), stderr }
}

/// What is printed by a call whose output can be written, and its status: run once for all tests here.
fn run_as_usual(words: &'static str, format: &'static str, input: &str) -> (usize, Option<i32>) {
    type Call = (&'static str, &'static str);
    static ENDED: Mutex<BTreeMap<Call, (usize, Option<i32>)>> = Mutex::new(BTreeMap::new());
    let mut ended = ENDED.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    *ended.entry((words, format)).or_insert_with(|| {
        let ended = run(words, format, input, Stdio::piped());
        (ended.stdout, ended.status)
    })
}

/// The commands that `cst help` lists.
fn commands() -> BTreeSet<String> {
    let help = Place::new().run(&["help"]).expect(0).stdout;
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let named = listed.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    named.filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect()
}

#[test]
fn every_command_is_tried() {
    let tried: BTreeSet<String> =
        CALLS.iter().filter_map(|(words, _)| words.split(' ').next()).map(str::to_owned).collect();
    let known = commands();
    assert!(known.len() > 40, "{known:?}");
    assert_eq!(known.difference(&tried).collect::<Vec<_>>(), Vec::<&String>::new());
}

#[test]
fn a_full_disk_is_an_error() {
    for (words, input) in CALLS {
        let mut printed = 0;
        for format in FORMATS {
            let (stdout, _) = run_as_usual(words, format, input);
            if stdout == 0 {
                continue;
            }
            printed += 1;
            let full = File::options().write(true).open("/dev/full").expect("the system has it");
            let ended = run(words, format, input, full.into());
            // Agents take any other status for a failure of the edit.
            let expected = if words.starts_with("hook") { 0 } else { 2 };
            assert_eq!(ended.status, Some(expected), "cst {words} {format}: {}", ended.stderr);
            let said = ended.stderr.matches("error: cannot write: ").count();
            assert_eq!(said, 1, "cst {words} {format}: {}", ended.stderr);
        }
        assert!(printed > 0, "cst {words} prints nothing");
    }
}

#[test]
fn a_reader_that_has_gone_is_no_error() {
    for (words, input) in CALLS {
        for format in FORMATS {
            let (stdout, status) = run_as_usual(words, format, input);
            if stdout == 0 {
                continue;
            }
            let (reader, writer) = std::io::pipe().expect("a pipe can be made");
            drop(reader);
            let ended = run(words, format, input, writer.into());
            // Arguments that are wrong are an error, whoever reads.
            let is_wrong = ended.status == Some(2) && status == Some(2);
            assert!(ended.status == Some(0) || is_wrong, "cst {words} {format}: {}", ended.stderr);
            assert!(!ended.stderr.contains("cannot write"), "cst {words} {format}: {}", ended.stderr);
        }
    }
}

#[test]
fn what_does_not_fit_is_said() {
    let place = Place::new();
    place.write("long.py", &"value = [1, 2, 3]\n".repeat(2_000));
    for words in [["find", "*", "."], ["find", "*", "--jsonl"], ["chunk", ".", "--jsonl"], ["outline", ".", "--jsonl"]]
    {
        let full = File::options().write(true).open("/dev/full").expect("the system has it");
        let mut command = place.command(&words);
        let output = command.stdout(full).output().expect("the program ends");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{words:?}: {said}");
        assert!(said.contains("error: cannot write: No space left on device"), "{words:?}: {said}");
    }
}
