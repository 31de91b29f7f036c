//! Edits through the engine: revisions, undo, saving; what fails leaves everything as it was.

use cst::engine::{Operation, Request};
use serde_json::{Value, json};

use crate::engine::{APP, Bench};

#[test]
fn a_tree_is_modified_in_revisions_and_its_file_is_left_alone() {
    let bench = Bench::new(&[("app.py", APP)]);
    let tree = bench.load("app.py");
    let operation = json!({"op": "replace", "target": "n35", "code": "def get(self):\n    return 2"});
    let modify = |extra: Value| {
        let mut params = json!({"target": tree, "operations": [operation]});
        params.as_object_mut().expect("an object").extend(extra.as_object().expect("an object").clone());
        bench.ask("modify", params)
    };
    let dry = modify(json!({"dry_run": true}));
    assert_eq!((&dry["revision"], &dry["written"]), (&json!(0), &json!(false)));
    assert_eq!(bench.ask("diff", json!({"tree_ids": [tree]}))["trees"][0]["diff"], "");
    let done = modify(json!({"diff": true}));
    assert_eq!(done["revision"], 1);
    assert_eq!((&done["applied"], &done["written"]), (&json!(1), &json!(false)));
    assert_eq!(done["operations"][0]["nodes"][0]["node_id"], "n35", "a node replaced by one node keeps its id");
    assert_eq!(done["changed_ranges"], json!([{"start_line": 7, "end_line": 8}]));
    assert_eq!(done["diff"], dry["diff"]);
    assert!(done["diff"].as_str().is_some_and(|diff| diff.starts_with("--- a/app.py\n+++ b/app.py\n@@")), "{done}");
    assert_eq!(bench.text("app.py"), APP);
    assert_eq!(bench.ask("trees", json!({}))["trees"][0]["unsaved"], true);
    let saved = bench.ask("save", json!({"tree_ids": [tree]}));
    assert_eq!((&saved["saved"][0]["written"], &saved["saved"][0]["path"]), (&json!(true), &json!("app.py")));
    assert_eq!(bench.text("app.py"), APP.replace("return 1", "return 2"));
    assert_eq!(bench.ask("trees", json!({}))["trees"][0]["unsaved"], false);
    assert_eq!(bench.ids(&tree, "class, function"), bench.ids(&tree, "class, function"));
    assert_eq!(bench.ids(&tree, "function#get"), [("n35".to_owned(), "Server.get".to_owned())]);
}

#[test]
fn undo_and_redo_step_through_the_revisions() {
    let bench = Bench::new(&[("app.py", APP)]);
    let tree = bench.load("app.py");
    let before = bench.ids(&tree, "node");
    for name in ["one", "two"] {
        let add =
            json!({"op": "insert", "target": "module", "position": "last", "code": format!("def {name}(): pass")});
        bench.ask("modify", json!({"target": tree, "operations": [add]}));
    }
    let two = bench.ids(&tree, "function#two");
    let undone = bench.ask("undo", json!({"tree_ids": [tree]}));
    assert_eq!((&undone["revision"], &undone["removed"][0]), (&json!(1), &json!(two[0].0)));
    bench.ask("undo", json!({"tree_ids": [tree]}));
    assert_eq!(bench.ids(&tree, "node"), before);
    assert_eq!(bench.refuse("undo", json!({"tree_ids": [tree]})).0, "bad_request");
    bench.ask("redo", json!({"tree_ids": [tree]}));
    bench.ask("redo", json!({"tree_ids": [tree]}));
    assert_eq!(bench.ids(&tree, "function#two"), two, "an id comes back with its node");
    assert_eq!(bench.refuse("redo", json!({"tree_ids": [tree]})).0, "bad_request");
    // An edit after an undo begins a branch of its own, with numbers that were never given.
    bench.ask("undo", json!({"tree_ids": [tree]}));
    let add = json!({"op": "insert", "target": "module", "position": "last", "code": "def three(): pass"});
    assert_eq!(bench.ask("modify", json!({"target": tree, "operations": [add]}))["revision"], 3);
    let three = bench.ids(&tree, "function#three");
    assert_ne!(three[0].0, two[0].0);
    let gone = bench.ask("show", json!({"target": tree, "nodes": [two[0].0]}));
    assert_eq!(gone["error"]["code"], "stale_node");
    assert!(gone["error"]["message"].as_str().is_some_and(|message| message.contains("undone")), "{gone}");
}

#[test]
fn a_node_that_is_gone_says_what_removed_it() {
    let bench = Bench::new(&[("app.py", APP)]);
    let tree = bench.load("app.py");
    let inner = bench.ids(&tree, "function#get return")[0].0.clone();
    bench.ask("modify", json!({"target": tree, "operations": [{"op": "insert", "target": "function#free", "position": "before", "code": "x = 1"}]}));
    let operations =
        json!([{"op": "rename", "target": "function#free", "to": "libre"}, {"op": "delete", "target": "function#get"}]);
    let done = bench.ask("modify", json!({"target": tree, "operations": operations}));
    assert_eq!(done["removed"], json!(["n35"]), "{done}");
    let gone = bench.ask("show", json!({"target": tree, "nodes": [inner]}));
    let message = gone["error"]["message"].as_str().unwrap_or_default();
    assert_eq!(gone["error"]["code"], "stale_node");
    assert!(message.contains("`Server.get`") && message.contains("`delete` (operation 1) of revision 2"), "{message}");
    assert_eq!(gone["error"]["candidates"][0]["qualname"], "Server");
    let (code, message) =
        bench.refuse("modify", json!({"target": tree, "operations": [{"op": "delete", "target": inner}]}));
    assert_eq!(code, "stale_node");
    assert!(message.starts_with("not applied") && message.contains("revision 2"), "{message}");
}

#[test]
fn a_batch_is_all_or_nothing() {
    let bench = Bench::new(&[("app.py", APP)]);
    let tree = bench.load("app.py");
    let good = json!({"op": "delete", "target": "function#free"});
    let cases = [
        (json!([good, {"op": "delete", "target": "function#nope"}]), "no_match", Some(1)),
        (json!([good, {"op": "delete", "target": "function"}]), "ambiguous", Some(1)),
        (json!([good, {"op": "replace", "target": "n35", "code": "def ("}]), "would_break_syntax", Some(1)),
        (json!([good, {"op": "replace", "target": "n47.name", "code": "libre"}]), "conflict", Some(1)),
        (
            json!([good, {"op": "sub", "target": "n35", "find": "(", "replace": "", "regex": true}]),
            "bad_regex",
            Some(1),
        ),
        (json!([good, {"op": "delete", "target": "n99999"}]), "unknown_node", Some(1)),
        (json!([]), "bad_request", None),
    ];
    for (operations, code, number) in cases {
        for target in [tree.as_str(), "app.py"] {
            let request = json!({"target": target, "operations": operations, "write": target == "app.py"});
            let answer = bench.ask("modify", request.clone());
            assert_eq!(answer["error"]["code"], code, "{operations}: {answer}");
            assert_eq!(answer["error"]["operation"].as_u64(), number, "{answer}");
            let (_, message) = bench.refuse("modify", request);
            assert!(message.starts_with("not applied"), "{message}");
        }
    }
    let trees = bench.ask("trees", json!({}));
    assert_eq!((&trees["trees"][0]["revision"], &trees["trees"][0]["unsaved"]), (&json!(0), &json!(false)));
}

/// A malformed operation is refused before anything is looked up, and the error says what is expected.
#[test]
fn wrong_operations_are_named() {
    let cases = [
        (json!("delete"), "an operation is an object with `op`"),
        (json!({"target": "n1"}), "the operation has no `op`; one of `replace`, `replace_range`, `insert`"),
        (json!({"op": "delte", "target": "n1"}), "unknown operation `delte`; did you mean `delete`?"),
        (json!({"op": "chop"}), "unknown operation `chop`; one of `replace`, `replace_range`"),
        (
            json!({"op": "delete", "target": "n1", "colour": 1}),
            "`delete`: unknown field `colour`; `delete` has the fields",
        ),
        (json!({"op": "delete", "targt": "n1"}), "`delete`: unknown field `targt`; did you mean `target`?"),
        (json!({"op": "delete"}), "`delete`: `target` is missing"),
        (json!({"op": "delete", "target": 1}), "`delete`: `target` is not a string"),
        (json!({"op": "delete", "target": "n1", "all": "yes"}), "`delete`: `all` is not true or false"),
        (
            json!({"op": "delete", "target": "n1", "match_index": -1}),
            "`delete`: `match_index` is not a number of 0 or more",
        ),
        (
            json!({"op": "delete", "target": "n1", "extent": "fully"}),
            "`delete`: unknown extent `fully`; did you mean `full`?",
        ),
        (json!({"op": "replace", "target": "n1"}), "`replace`: `code` is missing"),
        (
            json!({"op": "replace", "target": "n1", "code": "", "code_lines": []}),
            "`replace`: `code` and `code_lines` exclude",
        ),
        (
            json!({"op": "replace", "target": "n1", "code_lines": "x"}),
            "`replace`: `code_lines` is not a list of strings",
        ),
        (
            json!({"op": "insert", "target": "n1", "code": ""}),
            "`insert`: `position` is missing; one of `before`, `after`",
        ),
        (
            json!({"op": "ensure_import", "code": "", "all": true}),
            "`ensure_import`: unknown field `all`; `ensure_import` has",
        ),
    ];
    for (operation, message) in cases {
        let error = Operation::read(&operation).expect_err("the operation is malformed");
        let hint = error.details.hint.as_ref().map(|hint| format!("; {hint}")).unwrap_or_default();
        assert!(format!("{error}{hint}").starts_with(message), "{operation}: {error}{hint}");
        // As a part of a request, with its place in the list.
        let fields = json!({"target": "a.py", "operations": [{"op": "unwrap", "target": "n1"}, operation]});
        let unread = Request::read("modify", fields.as_object().expect("an object").clone()).expect_err("it is wrong");
        assert!(unread.to_string().starts_with(&format!("`operations[1]`: {message}")), "{unread}");
    }
    // Lines are code, and what is written as JSON is read as it was.
    let lines = json!({"op": "replace", "target": "n1", "code_lines": ["if x:", "    y"], "all": true});
    let operation = Operation::read(&lines).unwrap();
    assert_eq!(operation.edit.code().map(String::as_str), Some("if x:\n    y"));
    assert_eq!(Operation::read(&json!(operation)).unwrap(), operation);
}

#[test]
fn several_matches_are_meant_only_when_said() {
    let bench = Bench::new(&[("app.py", APP)]);
    let modify = |operation: Value, extra: Value| {
        let mut params = json!({"target": "app.py", "operations": [operation], "dry_run": true});
        params.as_object_mut().expect("an object").extend(extra.as_object().expect("an object").clone());
        bench.ask("modify", params)
    };
    let sub = json!({"op": "sub", "target": "class function", "find": "self", "replace": "this"});
    assert_eq!(modify(sub.clone(), json!({}))["error"]["code"], "ambiguous");
    assert_eq!(modify(sub.clone(), json!({"all": true}))["applied"], 2);
    assert_eq!(modify(sub.clone(), json!({"all": true, "expect_count": 2}))["applied"], 2);
    assert_eq!(modify(sub.clone(), json!({"all": true, "expect_count": 3}))["error"]["code"], "expect_count");
    let mut second = sub.clone();
    second["match_index"] = json!(1);
    assert_eq!(modify(second.clone(), json!({}))["changed_ranges"], json!([{"start_line": 7, "end_line": 7}]));
    second["match_index"] = json!(2);
    assert_eq!(modify(second, json!({}))["error"]["code"], "no_match");
}

#[test]
fn a_file_is_written_only_when_said() {
    let bench = Bench::new(&[("app.py", APP)]);
    let operations = json!([{"op": "delete", "target": "function#free"}]);
    let shown = bench.ask("modify", json!({"target": "app.py", "operations": operations}));
    assert!(shown["diff"].is_string() && shown["written"] == false, "{shown}");
    let dry =
        bench.ask("modify", json!({"target": "app.py", "operations": operations, "write": true, "dry_run": true}));
    assert_eq!(dry["written"], false);
    assert_eq!(bench.text("app.py"), APP);
    let done =
        bench.ask("modify", json!({"target": "app.py", "operations": operations, "write": true, "backup": true}));
    assert_eq!(done["written"], true);
    assert!(!bench.text("app.py").contains("free"));
    assert_eq!(bench.files.paths().len(), 1, "nothing is left beside the file");
    let revision = bench.ask("show", json!({"target": "app.py"}))["revision"].clone();
    assert_eq!(done["revision"], revision);
    let restored = bench.ask("backups", json!({"restore": done["backup"]}));
    assert_eq!(restored["restored"]["path"], "app.py");
    assert_eq!(bench.text("app.py"), APP);
    assert_eq!(bench.ask("backups", json!({"paths": ["app.py"]}))["backups"].as_array().map(Vec::len), Some(2));
}

#[test]
fn saving_never_loses_what_somebody_wrote() {
    let bench = Bench::new(&[("app.py", APP)]);
    let tree = bench.load("app.py");
    bench.ask(
        "modify",
        json!({"target": tree, "operations": [{"op": "rename", "target": "function#free", "to": "libre"}]}),
    );
    let theirs = APP.replace("import os", "import os  # theirs");
    bench.files.write("/p/app.py", theirs.as_str());
    let refused = bench.ask("save", json!({"tree_ids": [tree]}));
    assert_eq!(refused["error"]["code"], "file_changed");
    assert_eq!(refused["error"]["merge"]["conflicts"], 0);
    assert!(refused["error"]["merge"]["diff"].as_str().is_some_and(|diff| diff.contains("+def libre")), "{refused}");
    assert_eq!(bench.text("app.py"), theirs);
    let before = bench.ids(&tree, "class, function");
    let merged = bench.ask("save", json!({"tree_ids": [tree], "merge": true}));
    assert_eq!(merged["saved"][0]["merged"], true, "{merged}");
    assert_eq!(bench.text("app.py"), theirs.replace("free", "libre"));
    assert_eq!(bench.ids(&tree, "class, function"), before, "ids outlive a merge");
    assert_eq!(bench.ask("diff", json!({"tree_ids": [tree]}))["trees"][0]["diff"], "");
    // The same line changed twice.
    bench.ask(
        "modify",
        json!({"target": tree, "operations": [{"op": "rename", "target": "function#libre", "to": "mine"}]}),
    );
    bench.files.write("/p/app.py", theirs.replace("free", "yours"));
    let refused = bench.ask("save", json!({"tree_ids": [tree], "merge": true}));
    assert_eq!(
        (&refused["error"]["code"], &refused["error"]["merge"]["conflicts"]),
        (&json!("file_changed"), &json!(1))
    );
    bench.ask("save", json!({"tree_ids": [tree], "force": true, "backup": true}));
    assert!(bench.text("app.py").contains("def mine"));
    bench.files.remove("/p/app.py");
    bench.ask(
        "modify",
        json!({"target": tree, "operations": [{"op": "rename", "target": "function#mine", "to": "last"}]}),
    );
    assert_eq!(bench.refuse("save", json!({"tree_ids": [tree]})).0, "file_changed");
    assert_eq!(bench.ask("save", json!({"tree_ids": [tree], "force": true}))["saved"][0]["written"], true);
    assert!(bench.text("app.py").contains("def last"));
}

#[test]
fn saving_several_is_all_or_nothing_and_can_be_undone() {
    let bench = Bench::new(&[("a.py", "x = 1\n"), ("b.py", "y = 1\n")]);
    let trees: Vec<String> = ["a.py", "b.py"].iter().map(|path| bench.load(path)).collect();
    for tree in &trees {
        bench.ask(
            "modify",
            json!({"target": tree, "operations": [{"op": "sub", "target": "module", "find": "1", "replace": "2"}]}),
        );
    }
    bench.files.write("/p/b.py", "y = 3\n");
    assert_eq!(bench.refuse("save", json!({"tree_ids": trees})).0, "file_changed");
    bench.files.write_read_only("/p/b.py", "y = 1\n");
    assert_eq!(bench.refuse("save", json!({"tree_ids": trees})).0, "read_only");
    assert_eq!(bench.text("a.py"), "x = 1\n");
    bench.files.write("/p/b.py", "y = 1\n");
    let saved = bench.ask("save", json!({"tree_ids": trees}));
    assert_eq!((bench.text("a.py"), bench.text("b.py")), ("x = 2\n".to_owned(), "y = 2\n".to_owned()));
    let undone = bench.ask("undo", json!({"transaction": saved["transaction"]}));
    assert_eq!(undone["restored"], json!(["a.py", "b.py"]), "{undone}");
    assert_eq!((bench.text("a.py"), bench.text("b.py")), ("x = 1\n".to_owned(), "y = 1\n".to_owned()));
    assert_eq!(bench.ask("trees", json!({}))["trees"][0]["unsaved"], true, "the tree has what its file lost");
    assert_eq!(bench.refuse("undo", json!({"transaction": saved["transaction"]})).0, "not_found");
    let twice = bench.load("a.py");
    assert_eq!(bench.refuse("save", json!({"tree_ids": [trees[0], twice]})).0, "conflict");
}

#[test]
fn awkward_files_keep_every_byte_that_isnt_edited() {
    /// Name, encoding if it must be named, bytes before and after.
    type Case = (&'static str, Option<&'static str>, &'static [u8], &'static [u8]);
    let cases: [Case; 7] = [
        ("crlf", None, b"a = 1\r\nb = 1\r\n", b"a = 2\r\nb = 1\r\n"),
        ("cr", None, b"a = 1\rb = 1", b"a = 2\rb = 1"),
        ("mark", None, b"\xef\xbb\xbfa = 1\n", b"\xef\xbb\xbfa = 2\n"),
        ("utf16", None, b"\xff\xfea\0 \0=\0 \x001\0\n\0", b"\xff\xfea\0 \0=\0 \x002\0\n\0"),
        ("latin", Some("latin1"), b"a = 1 # \xe9\n", b"a = 2 # \xe9\n"),
        ("feed", None, b"a = 1\n\x0c\nb = '\xe2\x80\xa8'\n", b"a = 2\n\x0c\nb = '\xe2\x80\xa8'\n"),
        ("open", None, b"a = 1", b"a = 2"),
    ];
    let operations = json!([{"op": "replace", "target": "integer:first", "code": "2"}]);
    for (name, encoding, before, after) in cases {
        let bench = Bench::new(&[]);
        let path = format!("{name}.py");
        let reading = encoding.map_or(json!({}), |encoding| json!({"encoding": encoding}));
        bench.files.write(format!("/p/{path}"), before);
        let request = json!({"target": path, "operations": operations, "write": true, "reading": reading});
        assert_eq!(bench.ask("modify", request)["written"], true, "{name}");
        assert_eq!(bench.files.bytes(format!("/p/{path}")).as_deref(), Some(after), "{name} by path");
        bench.files.write(format!("/p/{path}"), before);
        let loaded = bench.ask("load", json!({"paths": [path], "reading": reading}));
        let tree = loaded["trees"][0]["tree_id"].clone();
        bench.ask("modify", json!({"target": tree, "operations": operations}));
        bench.ask("save", json!({"tree_ids": [tree]}));
        assert_eq!(bench.files.bytes(format!("/p/{path}")).as_deref(), Some(after), "{name} by tree");
        let undo = bench.ask("undo", json!({"tree_ids": [tree]}));
        assert_eq!(undo["revision"], 0, "{undo}");
        bench.ask("save", json!({"tree_ids": [tree]}));
        assert_eq!(bench.files.bytes(format!("/p/{path}")).as_deref(), Some(before), "{name} undone");
    }
    let bench = Bench::new(&[("empty.py", "")]);
    assert_eq!(bench.ask("load", json!({"paths": ["empty.py"]}))["trees"][0]["lines"], 0);
    assert_eq!(bench.ask("find", json!({"selector": "function", "targets": ["empty.py"]}))["total"], 0);
    let hint = bench.ask("find", json!({"selector": "function", "targets": ["latin.py"]}));
    assert_eq!(hint["error"]["code"], "not_found");
    bench.files.write("/p/latin.py", b"# -*- coding: latin-1 -*-\nx = '\xe9'\n".to_vec());
    let hint = bench.ask("load", json!({"paths": ["latin.py"]}));
    assert!(hint["error"]["hint"].as_str().is_some_and(|hint| hint.contains("latin-1")), "{hint}");
    let unwritable = json!([{"op": "sub", "target": "module", "find": "x", "replace": "\u{4e2d}"}]);
    let request =
        json!({"target": "latin.py", "operations": unwritable, "write": true, "reading": {"encoding": "latin1"}});
    assert_eq!(bench.refuse("modify", request).0, "unsupported_encoding");
}
