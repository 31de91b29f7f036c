//! The journal: what hooks wrote down, read by `cst journal`.

use std::thread;

use crate::hook::{BROKEN, CommandOutput, Project, SOUND, said};

fn journal(project: &Project, words: &[&str]) -> CommandOutput {
    let words: Vec<&str> = ["journal"].iter().chain(words).copied().collect();
    said(project.command(&words), b"")
}

/// A project with a few edits.
fn edited() -> Project {
    let project = Project::new();
    project.write("a.py", BROKEN);
    project.edited("a.py", Some(SOUND));
    project.write("lib/b.py", "class B:\n    def get(self): pass\n");
    project.edited("lib/b.py", Some("class B:\n    def get(self): return 1\n"));
    let event = serde_json::json!({
        "session_id": "g-1", "cwd": project.path, "hook_event_name": "AfterTool", "tool_name": "replace",
        "tool_input": {"file_path": "a.py"},
        "tool_response": {"returnDisplay": {"originalContent": SOUND}},
    });
    project.hook(&["gemini"], event.to_string().as_bytes());
    project
}

/// The output without times.
fn lines(said: &CommandOutput) -> Vec<String> {
    said.stdout.lines().map(|line| line.split_once("  ").map_or("", |(_, rest)| rest).to_owned()).collect()
}

#[test]
fn an_edit_is_a_line() {
    let project = edited();
    let said = journal(&project, &[]);
    assert_eq!(said.status, Some(0));
    insta::assert_snapshot!(lines(&said).join("\n"), @r"
    claude-code  Edit  a.py  ~f  2:5: unexpected `return (1`
    claude-code  Edit  lib/b.py  ~B.get
    gemini  replace  a.py  ~f  2:5: unexpected `return (1`
    ");
}

#[test]
fn what_is_asked_for_is_shown() {
    let project = edited();
    let cases: &[(&[&str], usize)] = &[
        (&["--agent", "gemini"], 1),
        (&["--agent", "claude-code"], 2),
        (&["--session", "g-"], 1),
        (&["--path", "a.py"], 2),
        (&["--path", "./lib"], 1),
        (&["--path", "lib/b.py", "--agent", "gemini"], 0),
        (&["--qualname", "B"], 1),
        (&["--qualname", "B.get"], 1),
        (&["--qualname", "get"], 0),
        (&["--broken"], 2),
        (&["--path", "."], 3),
    ];
    for (words, count) in cases {
        let said = journal(&project, words);
        assert_eq!(lines(&said).len(), *count, "{words:?}: {said:?}");
        assert_eq!(said.status, Some(i32::from(*count == 0)), "{words:?}");
    }
}

#[test]
fn programs_read_it_too() {
    let project = edited();
    let said = journal(&project, &["--json"]);
    let object: serde_json::Value = serde_json::from_str(&said.stdout).expect("it is JSON");
    assert_eq!(object["total"], 3);
    assert_eq!(object["entries"].as_array(), Some(&project.journal()));
    let said = journal(&project, &["--jsonl"]);
    let entries: Vec<serde_json::Value> =
        said.stdout.lines().map(|line| serde_json::from_str(line).expect("it is JSON")).collect();
    assert_eq!(entries, project.journal());
}

#[test]
fn lines_that_are_none_are_told() {
    let project = edited();
    let folder = project.path.join(".cst/journal");
    let file = std::fs::read_dir(&folder).expect("it is there").flatten().next().expect("it has a file").path();
    let text = std::fs::read_to_string(&file).expect("it is text");
    let cut = text.replacen("{\"v\":1", "{\"v\":", 1);
    std::fs::write(&file, format!("{cut}\n\n{{\"v\":1,\"ts\":\"2026")).expect("it can be written");
    let said = journal(&project, &[]);
    assert_eq!((said.status, said.stdout.lines().count()), (Some(0), 2));
    let notes: Vec<&str> = said.stderr.lines().collect();
    assert!(notes.len() == 2 && notes[0].contains(":1: skipped: ") && notes[1].contains(":6: skipped: "), "{notes:?}");
    let object: serde_json::Value = serde_json::from_str(&journal(&project, &["--json"]).stdout).expect("it is JSON");
    assert_eq!((object["total"].as_u64(), object["skipped"].as_array().map(Vec::len)), (Some(2), Some(2)));
}

#[test]
fn without_a_journal_there_is_nothing() {
    let project = Project::without_git();
    let said = journal(&project, &[]);
    assert_eq!((said.status, said.stdout.as_str()), (Some(1), ""));
    assert!(said.stderr.contains("no journal here"), "{said:?}");
    assert_eq!(journal(&project, &["--json"]).status, Some(1));
}

#[test]
fn several_hooks_write_at_once() {
    let project = Project::new();
    project.write("a.py", BROKEN);
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| (0..4).for_each(|_| _ = project.edited("a.py", Some(SOUND))));
        }
    });
    assert_eq!(project.journal().len(), 32);
}
