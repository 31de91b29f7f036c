//! Files with syntax errors in requests over many files: who changes files says which had errors, as who searches does.

use cst::engine::{Engine, Request};
use serde_json::{Value, json};

use crate::cli::Place;
use crate::mcp::{call, said_in};
use crate::rpc::host;

/// A file with a syntax error after a match, and a sound one.
fn place() -> Place {
    let place = Place::new();
    place.write("a.py", "def f():\n    old(3)\n\n\ndef g(:\n    pass\n");
    place.write("sound.py", "old(4)\n");
    place
        .write("s.toml", "name = \"s\"\nlanguage = \"python\"\n[[step]]\nselect = \"call#old\"\nreplace = \"new()\"\n");
    place
}

const WARNING: &str = "warning: a.py: syntax errors; matches near them may be missing";

#[test]
fn who_changes_files_names_those_with_errors() {
    let place = place();
    let commands: [&[&str]; 8] = [
        &["find", "call#old", "."],
        &["rewrite", "-p", "old($A)", "new($A)", "."],
        &["rewrite", "-p", "old($A)", "new($A)", "a.py"],
        &["rewrite", "-p", "old($A)", "new($A)", ".", "--jsonl"],
        &["rewrite", "-p", "old($A)", "new($A)", ".", "--check"],
        &["run", "s.toml", "."],
        &["modify", "a.py", "sub", "call#old", "old", "new"],
        &["refactor", "rename", "a.py::f", "b", "--leave-undetermined"],
    ];
    for words in commands {
        let run = place.run(words);
        assert!(run.status < 2, "{words:?}: {}", run.stderr);
        assert_eq!(run.stderr.matches(WARNING).count(), 1, "{words:?}: {}", run.stderr);
        if words.contains(&"--jsonl") || words[0] == "find" {
            continue;
        }
        let json = place.run(&[words, &["--json"]].concat()).json();
        assert_eq!(json["with_errors"], json!(["a.py"]), "{words:?}: {json}");
    }
    // With --write, too. Files without errors are not named, and neither is one that an edit repairs.
    let written = place.run(&["rewrite", "-p", "old($A)", "new($A)", ".", "--write"]).expect(0);
    assert!(written.stderr.contains(WARNING), "{}", written.stderr);
    let sound = place.run(&["rewrite", "-p", "new($A)", "old($A)", "sound.py", "--json"]).expect(0).json();
    assert_eq!(sound["with_errors"], Value::Null);
    place.write("half.py", "f(1\n");
    let repaired = place.run(&["modify", "half.py", "sub", "module", "1", "1)", "--json"]).expect(0).json();
    assert_eq!(repaired["with_errors"], Value::Null, "{repaired}");
}

#[test]
fn many_are_one_line() {
    let place = place();
    for number in 0..7 {
        place.write(&format!("b{number}.py"), "old(1)\n\n\ndef g(:\n    pass\n");
    }
    for words in [&["find", "call#old", "."][..], &["rewrite", "call#old", "new()", "."]] {
        let run = place.run(words).expect(0);
        let warnings: Vec<&str> = run.stderr.lines().filter(|line| line.starts_with("warning")).collect();
        let expected = "warning: 8 files with syntax errors; matches near them may be missing: \
                        a.py, b0.py, b1.py, b2.py, b3.py and 3 more (-v lists them)";
        assert_eq!(warnings, [expected], "{words:?}");
        let all = place.run(&[words, &["-v"]].concat()).expect(0);
        assert_eq!(all.stderr.lines().filter(|line| line.starts_with("warning")).count(), 8, "{}", all.stderr);
    }
}

#[test]
fn other_programs_get_them_too() {
    let engine = Engine::new(host());
    let ask = |method: &str, params: Value| {
        let request: Request =
            serde_json::from_value(json!({"method": method, "params": params})).expect("well formed");
        serde_json::to_value(engine.handle(request).expect("it is answered")).expect("plain data")
    };
    let text = json!({"text": "f(1)\ng(\n", "name": "t.py"});
    let answer = ask("rewrite", json!({"selector": "call#f", "template": "h()", "targets": [text]}));
    assert_eq!(answer["with_errors"], json!(["t.py"]), "{answer}");
    let said = said_in(
        host(),
        &[call("rewrite", json!({"selector": "call", "template": "h()", "targets": [text], "dry_run": true}))],
    );
    assert!(said.contains("1 file with syntax errors: t.py"), "{said}");
}
