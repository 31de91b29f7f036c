//! The session store: what one process holds another finds, and two at once lose nothing.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;

use cst::engine::{Commands, Disk, Engine, Host, Request, Silent, SystemCommands};
use serde_json::{Value, json};
use tempfile::TempDir;

/// A folder of files, and a folder for the store next to it.
struct Place {
    folder: TempDir,
}

/// Simulates a process: an engine that opens the store for itself.
struct Process {
    engine: Engine,
}

impl Place {
    fn new(files: &[(&str, &str)]) -> Place {
        let place = Place { folder: TempDir::new().expect("a temporary folder") };
        fs::create_dir(place.files()).expect("a folder");
        for (path, source) in files {
            fs::write(place.files().join(path), source).expect("a file");
        }
        place
    }

    fn files(&self) -> PathBuf {
        self.folder.path().join("files")
    }

    fn state(&self) -> PathBuf {
        self.folder.path().join("state")
    }

    fn process(&self) -> Process {
        let engine = Engine::new(Host {
            files: Arc::new(Disk),
            programs: Arc::new(SystemCommands),
            working_directory: self.files(),
            root: None,
            state: Some(self.state()),
            cache: None,
            cache_limit: None,
            commands: Commands::Any,
            configuration: None,
            observer: Arc::new(Silent),
        });
        Process { engine }
    }

    fn text(&self, path: &str) -> String {
        fs::read_to_string(self.files().join(path)).expect("the file is there")
    }

    /// Names in the folder of files.
    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.files()).expect("the folder is there");
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect()
    }
}

impl Process {
    fn ask(&self, method: &str, params: Value) -> Value {
        let request: Request =
            serde_json::from_value(json!({"method": method, "params": params})).expect("the request is well formed");
        match self.engine.handle(request) {
            Ok(response) => serde_json::to_value(response).expect("a response is plain data"),
            Err(error) => error.to_json(),
        }
    }

    fn load(&self, paths: &[&str]) -> Vec<String> {
        let loaded = self.ask("load", json!({"paths": paths}));
        let trees = loaded["trees"].as_array().unwrap_or_else(|| panic!("{loaded}"));
        trees.iter().map(|tree| tree["tree_id"].as_str().expect("an id").to_owned()).collect()
    }

    /// All ids of a tree with what they name.
    fn nodes(&self, tree: &str) -> Vec<(String, String, u64)> {
        let found = self.ask("find", json!({"selector": "*", "targets": [tree]}));
        let rows = found["matches"].as_array().unwrap_or_else(|| panic!("{found}"));
        let row = |row: &Value| {
            let word = |field: &str| row[field].as_str().unwrap_or_default().to_owned();
            (word("node_id"), word("type"), row["start_line"].as_u64().unwrap_or(0))
        };
        rows.iter().map(row).collect()
    }
}

#[test]
fn a_tree_outlives_its_process() {
    let place = Place::new(&[("app.py", "def f():\n    return 1\n\n\ndef g():\n    pass\n")]);
    let tree = place.process().load(&["app.py"]).remove(0);
    let edit = |operations: Value| place.process().ask("modify", json!({"target": tree, "operations": operations}));
    edit(json!([{"op": "insert", "target": "function#f", "position": "before", "code": "import os"}]));
    let nodes = place.process().nodes(&tree);
    edit(json!([{"op": "delete", "target": "function#g"}]));
    let kept: Vec<_> = place.process().nodes(&tree);
    assert!(kept.iter().all(|node| nodes.contains(node)), "{kept:?}");
    place.process().ask("save", json!({"tree_ids": [tree]}));
    assert_eq!(place.text("app.py"), "import os\n\n\ndef f():\n    return 1\n");
    assert_eq!(place.process().nodes(&tree), kept, "ids outlive the save");
    let undone = place.process().ask("undo", json!({"tree_ids": [tree]}));
    assert_eq!(undone["revision"], 1);
    assert_eq!(place.process().nodes(&tree), nodes, "ids come back with their nodes, in any process");
    let gone = edit(json!([{"op": "delete", "target": "n9999"}]));
    assert_eq!(gone["error"]["code"], "unknown_node");
}

#[test]
fn two_at_once_lose_nothing() {
    const EDITS: usize = 12;
    let place = Place::new(&[("app.py", "x = 0\n")]);
    let tree = place.process().load(&["app.py"]).remove(0);
    std::thread::scope(|scope| {
        for worker in 0..2 {
            let (place, tree) = (&place, &tree);
            scope.spawn(move || {
                for number in 0..EDITS {
                    // Every edit by a process of its own.
                    let code = format!("w{worker}_{number} = 1");
                    let add = json!({"op": "insert", "target": "module", "position": "last", "code": code});
                    let done = place.process().ask("modify", json!({"target": tree, "operations": [add]}));
                    assert_eq!(done["applied"], 1, "{done}");
                }
            });
        }
    });
    let process = place.process();
    assert_eq!(process.ask("trees", json!({}))["trees"][0]["revision"], 2 * EDITS);
    process.ask("save", json!({"tree_ids": [tree]}));
    let text = place.text("app.py");
    for (worker, number) in (0..2).flat_map(|worker| (0..EDITS).map(move |number| (worker, number))) {
        assert!(text.contains(&format!("w{worker}_{number} = 1")), "{text}");
    }
    let ids: Vec<String> = process.nodes(&tree).into_iter().map(|node| node.0).collect();
    let mut unique = ids.clone();
    unique.sort();
    unique.dedup();
    assert_eq!(unique.len(), ids.len());
}

#[test]
fn what_isnt_used_for_a_week_goes_unless_it_is_unsaved() {
    let place = Place::new(&[("a.py", "x = 1\n"), ("b.py", "x = 1\n"), ("c.py", "x = 1\n")]);
    let trees = place.process().load(&["a.py", "b.py", "c.py"]);
    let edit = json!([{"op": "sub", "target": "module", "find": "1", "replace": "2"}]);
    place.process().ask("modify", json!({"target": trees[1], "operations": edit}));
    let database = rusqlite::Connection::open(place.state().join("store.db")).expect("the store is there");
    let older = "UPDATE tree SET used = used - 8 * 24 * 60 * 60 WHERE path NOT LIKE '%c.py'";
    assert_eq!(database.execute(older, []).expect("the statement is right"), 2);
    let listed = place.process().ask("trees", json!({}));
    let left: Vec<&str> =
        listed["trees"].as_array().into_iter().flatten().filter_map(|tree| tree["path"].as_str()).collect();
    assert_eq!(left, ["b.py", "c.py"]);
}

#[test]
fn a_grammar_that_reads_the_text_otherwise_never_lends_ids_to_other_nodes() {
    let place = Place::new(&[("a.py", "x = 1\ny = 2\n")]);
    let tree = place.process().load(&["a.py"]).remove(0);
    let before: Vec<String> = place.process().nodes(&tree).into_iter().map(|node| node.0).collect();
    let database = rusqlite::Connection::open(place.state().join("store.db")).expect("the store is there");
    database.execute("UPDATE revision SET shape = 'another'", []).expect("the statement is right");
    let after: Vec<String> = place.process().nodes(&tree).into_iter().map(|node| node.0).collect();
    assert_eq!(before.len(), after.len());
    assert!(before.iter().all(|id| !after.contains(id)), "{before:?} {after:?}");
    let again: Vec<String> = place.process().nodes(&tree).into_iter().map(|node| node.0).collect();
    assert_eq!(after, again, "the new numbers are written down");
    let gone = place.process().ask("show", json!({"target": tree, "nodes": [before[0]]}));
    assert_eq!(gone["error"]["code"], "stale_node");
}

#[cfg(unix)]
#[test]
fn saving_keeps_mode_and_follows_links() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let place = Place::new(&[("real.py", "x = 1\n"), ("locked.py", "x = 1\n")]);
    let (real, link) = (place.files().join("real.py"), place.files().join("link.py"));
    fs::set_permissions(&real, fs::Permissions::from_mode(0o750)).expect("the mode is set");
    symlink("real.py", &link).expect("a link");
    let edit = json!([{"op": "sub", "target": "module", "find": "1", "replace": "2"}]);
    let process = place.process();
    let tree = process.load(&["link.py"]).remove(0);
    process.ask("modify", json!({"target": tree, "operations": edit}));
    process.ask("save", json!({"tree_ids": [tree]}));
    assert_eq!(place.text("real.py"), "x = 2\n");
    assert!(fs::symlink_metadata(&link).expect("the link is there").is_symlink());
    assert_eq!(fs::metadata(&real).expect("the file is there").permissions().mode() & 0o777, 0o750);
    let written = process.ask("modify", json!({"target": "link.py", "operations": [{"op": "sub", "target": "module", "find": "2", "replace": "3"}], "write": true}));
    assert_eq!(written["written"], true, "{written}");
    assert!(fs::symlink_metadata(&link).expect("the link is there").is_symlink());
    assert_eq!(place.text("real.py"), "x = 3\n");

    let locked = place.files().join("locked.py");
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o444)).expect("the mode is set");
    let refused = process.ask("modify", json!({"target": "locked.py", "operations": edit, "write": true}));
    assert_eq!(refused["error"]["code"], "read_only");
    assert_eq!(place.text("locked.py"), "x = 1\n");
    assert_eq!(
        process.ask("find", json!({"selector": "module", "targets": ["."]}))["total"],
        2,
        "links are not walked"
    );
    let mut names = place.names();
    names.sort();
    assert_eq!(names, ["link.py", "locked.py", "real.py"], "nothing is left beside the files");

    let fifo = place.files().join("pipe.py");
    assert!(Command::new("mkfifo").arg(&fifo).status().is_ok_and(|status| status.success()));
    assert_eq!(process.ask("load", json!({"paths": ["pipe.py"]}))["error"]["code"], "bad_request");
    assert_eq!(process.ask("find", json!({"selector": "module"}))["total"], 2, "a FIFO is not waited for");
}
