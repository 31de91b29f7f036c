//! Questions about a project read the unsaved trees of the session in place of their files.

use std::process::Command;

use serde_json::{Value, json};

use crate::cli::Place;
use crate::symbols::Project;

const FILES: &[(&str, &str)] = &[
    ("base.py", "class Base:\n    def run(self):\n        return 1\n\n\ndef helper():\n    return 2\n"),
    (
        "use.py",
        "from base import Base, helper\n\n\ndef first():\n    return helper()\n\n\nclass Own(Base):\n    pass\n",
    ),
    ("other.py", "def third():\n    return 3\n"),
];

/// `use.py` after an edit: a new import, a call and a class more, and everything further down.
const EDITED: &str = "import other\nfrom base import Base, helper\n\n\ndef first():\n    helper()\n    return helper()\n\n\nclass Own(Base):\n    def run(self):\n        return other.third()\n\n\nclass Zebra(Own):\n    pass\n";

/// A project whose `use.py` is loaded and edited, and the tree's id.
fn edited() -> (Project, String) {
    let project = Project::new(FILES);
    let loaded = project.ask("load", &json!({"paths": ["use.py"]})).expect("loaded");
    let tree = loaded["trees"][0]["tree_id"].as_str().expect("an id").to_owned();
    edit(&project, &tree, FILES[1].1, EDITED);
    (project, tree)
}

fn edit(project: &Project, tree: &str, old: &str, new: &str) {
    let edit = json!({"op": "sub", "target": "module", "find": old.trim_end(), "replace": new.trim_end()});
    project.ask("modify", &json!({"target": tree, "operations": [edit]})).expect("edited");
}

/// What a request answers with the unsaved tree, and without it: the rows below a key, each by some of its fields.
#[track_caller]
fn both(project: &Project, method: &str, params: &Value, row: &dyn Fn(&Value) -> Vec<String>) -> [Vec<String>; 2] {
    let ask = |saved: bool| {
        let mut params = params.clone();
        params["reading"] = json!({"saved": saved});
        let answer = project.ask(method, &params).unwrap_or_else(|error| panic!("{method}: {error}"));
        let unsaved = answer.get("unsaved").and_then(Value::as_u64).unwrap_or(0);
        assert_eq!(unsaved, u64::from(!saved), "{method} says how many trees it read: {answer}");
        row(&answer)
    };
    [ask(false), ask(true)]
}

/// The rows of an answer as text.
fn rows(answer: &Value, key: &str, fields: &[&str]) -> Vec<String> {
    let text = |row: &Value| {
        let words =
            fields.iter().map(|field| row[*field].as_str().map_or_else(|| row[*field].to_string(), str::to_owned));
        words.collect::<Vec<_>>().join(" ")
    };
    answer[key].as_array().unwrap_or_else(|| panic!("a list `{key}`: {answer}")).iter().map(text).collect()
}

#[test]
fn every_question_reads_unsaved_trees() {
    let (project, _) = edited();
    let check = |method: &str, params: Value, key: &str, fields: &[&str], unsaved: &[&str], saved: &[&str]| {
        let [with, without] = both(&project, method, &params, &|answer| rows(answer, key, fields));
        assert_eq!(with, unsaved, "{method} {params}");
        assert_eq!(without, saved, "{method} {params}, saved");
    };
    let place = &["path", "line", "role"];
    check(
        "refs",
        json!({"symbol": "helper"}),
        "references",
        place,
        &["base.py 6 definition", "use.py 2 import", "use.py 6 call", "use.py 7 call"],
        &["base.py 6 definition", "use.py 1 import", "use.py 5 call"],
    );
    // A place is one in the tree.
    let [with, _] = [0, 1].map(|_| project.ask("refs", &json!({"symbol": "use.py:6:5"})).expect("the call"));
    assert_eq!(with["symbols"][0]["qualname"], "helper");
    check("symbols", json!({"query": "Zeb"}), "symbols", &["qualname", "line"], &["Zebra 15"], &[]);
    let row = &["qualname", "line"];
    check("hierarchy", json!({"symbol": "Base"}), "below", row, &["Own 10", "Zebra 15"], &["Own 8"]);
    let callers = |answer: &Value| rows(&answer["root"], "calls", &["qualname", "lines"]);
    let [with, without] = {
        let ask = |saved: bool| project.ask("calls", &json!({"symbol": "helper", "reading": {"saved": saved}}));
        [ask(false).expect("calls"), ask(true).expect("calls")]
    };
    assert_eq!((callers(&with), callers(&without)), (vec!["first [6,7]".to_owned()], vec!["first [5]".to_owned()]));
    assert_eq!(with["unsaved"], 1);
    let imports = |answer: &Value| {
        let files = answer["files"].as_array().expect("files").iter().filter(|file| file["path"] == "use.py");
        files.flat_map(|file| rows(file, "imports", &["path"])).collect()
    };
    let found = both(&project, "deps", &json!({}), &imports);
    assert_eq!(found, [vec!["base.py".to_owned(), "other.py".to_owned()], vec!["base.py".to_owned()]]);
    let row = &["qualname"];
    check("unused", json!({}), "unused", row, &["first", "Zebra"], &["Base.run", "third", "first", "Own"]);
    check("search", json!({"query": "zebra"}), "results", &["qualname", "line"], &["Zebra 15"], &[]);
    let names = |answer: &Value| {
        let files = answer["files"].as_array().expect("files").iter();
        let mut names: Vec<String> = files.flat_map(|file| rows(file, "definitions", &["signature"])).collect();
        names.retain(|name| name.contains("Zebra"));
        names
    };
    assert_eq!(both(&project, "map", &json!({}), &names), [vec!["class Zebra(Own)".to_owned()], vec![]]);
    let row = &["qualname", "lines"];
    check(
        "impact",
        json!({"symbols": ["helper"]}),
        "affected",
        row,
        &["use [2]", "first [6,7]"],
        &["use [1]", "first [5]"],
    );
}

#[test]
fn selectors_ask_about_unsaved_trees() {
    let (project, tree) = edited();
    let lines = |answer: &Value| rows(answer, "matches", &["path", "start_line"]);
    let found = both(&project, "find", &json!({"selector": "call:to(helper)", "targets": ["."]}), &lines);
    assert_eq!(found, [vec!["use.py 6", "use.py 7"], vec!["use.py 5"]]);
    // A file without the name on the disk is looked at, too.
    let found = both(&project, "find", &json!({"selector": "call:to(third)", "targets": ["."]}), &lines);
    assert_eq!(found, [vec!["use.py 12"], vec![]]);
    let found = both(&project, "find", &json!({"selector": "class:extends(Base)", "targets": ["use.py"]}), &lines);
    assert_eq!(found, [vec!["use.py 10", "use.py 15"], vec!["use.py 8"]]);
    let of_tree = project.ask("find", &json!({"selector": "method:overrides", "targets": [tree]})).expect("a tree");
    assert_eq!(lines(&of_tree), ["use.py 11"]);
    // A rewrite of a file changes the file.
    let rewrite = json!({"selector": "call:to(helper)", "template": "helper(1)", "targets": ["."], "dry_run": true});
    let answer = project.ask("rewrite", &rewrite).expect("a rewrite");
    assert_eq!(answer["matches"], 1, "{answer}");
    let rewrite = json!({"selector": "call:to(helper)", "template": "helper(1)", "targets": [tree], "dry_run": true});
    assert_eq!(project.ask("rewrite", &rewrite).expect("a rewrite")["matches"], 2);
}

#[test]
fn a_tree_without_edits_or_outside_changes_nothing() {
    let project = Project::new(FILES);
    let refs = |project: &Project| project.ask("refs", &json!({"symbol": "helper", "targets": ["."]})).expect("refs");
    let before = refs(&project);
    project.ask("load", &json!({"paths": ["use.py"]})).expect("loaded");
    let text = json!({"text": "helper()\n", "name": "use.py", "language": "python"});
    project.ask("load", &text).expect("loaded");
    assert_eq!(refs(&project), before);
    assert_eq!(before.get("unsaved"), None);
    // Undone edits do not count.
    let loaded = project.ask("load", &json!({"paths": ["other.py"]})).expect("loaded");
    let first = loaded["trees"][0]["tree_id"].as_str().expect("an id").to_owned();
    edit(&project, &first, FILES[2].1, "from base import helper\n\nhelper()\n");
    assert_eq!(refs(&project)["counts"]["certain"], 5);
    project.ask("undo", &json!({"tree_ids": [first]})).expect("undone");
    assert_eq!(refs(&project), before);
}

#[test]
fn the_command_line_reads_its_session_and_keeps_only_files() {
    let place = Place::new();
    for (path, text) in FILES {
        place.write(path, text);
    }
    let git = |words: &[&str]| {
        let identity = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main"];
        let status = Command::new("git").args(identity).args(words).current_dir(place.path("")).status();
        assert!(status.expect("git is there").success(), "{words:?}");
    };
    git(&["init", "-q"]);
    git(&["add", "."]);
    git(&["commit", "-q", "-m", "one"]);
    place.run(&["index"]).expect(0);
    let tree = place.load("use.py");
    place
        .run(&["modify", &tree, "replace", "function#first", "def second():\n    return helper() + helper()"])
        .expect(0);
    for cache in [&[][..], &["--no-cache"]] {
        let count = |words: &[&str]| {
            let said = place.run(&[&["refs", "helper", "--count"], words, cache].concat()).expect(0);
            said.stdout.split(',').next().unwrap_or_default().to_owned()
        };
        assert_eq!((count(&[]), count(&["--saved"])), ("helper: 4 certain".to_owned(), "helper: 3 certain".to_owned()));
        let said = place.run(&[&["search", "second"], cache].concat()).expect(0);
        assert!(said.stdout.contains("use.py:4:5"), "{}", said.stdout);
        assert!(said.stderr.contains("1 unsaved tree read in place of its file"), "{}", said.stderr);
        let said = place.run(&[&["search", "second", "--saved"], cache].concat());
        assert!(!said.stdout.contains("second") && !said.stderr.contains("unsaved"), "{}", said.stdout);
    }
    // The revision's text is compared with the tree's.
    let said = place.run(&["impact", "--json"]).expect(0).json();
    let changed = |answer: &Value| rows(answer, "changed", &["qualname", "change"]);
    assert_eq!(changed(&said), ["second added", "first removed"]);
    place.run(&["impact", "--saved"]).expect(1);
    let said = place.run(&["find", "call:to(helper)", "--count"]).expect(0);
    assert_eq!(said.stdout.trim(), "2");
    let said = place.run(&["find", "call:to(helper)", "--count", "--saved"]).expect(0);
    assert_eq!(said.stdout.trim(), "1");
}
