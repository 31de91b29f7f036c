//! Servers read and write inside of their root alone.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use cst::engine::{Disk, Engine, Host, Request};
use serde_json::{Value, json};
use tempfile::TempDir;

/// A root, and folders next to it.
struct Folders {
    folder: TempDir,
}

const SECRET: &str = "secret = 1\n";
const OWN: &str = "own = 1\n";

impl Folders {
    #[cfg(unix)]
    fn new() -> Folders {
        use std::os::unix::fs::symlink;
        let folder = TempDir::new().expect("a temporary folder");
        let folders = Folders { folder };
        for (path, text) in [
            ("root/own.py", OWN),
            ("root/sub/own.py", OWN),
            ("root/.git/HEAD", ""),
            ("outside/secret.py", SECRET),
            ("outside/.git/HEAD", ""),
            ("root-beside/secret.py", SECRET),
        ] {
            let path = folders.path(path);
            fs::create_dir_all(path.parent().expect("it has one")).expect("a folder");
            fs::write(path, text).expect("it can be written");
        }
        let link = |to: &str, from: &str| symlink(to, folders.path(from)).expect("a link");
        link("../outside/secret.py", "root/file.py");
        link("../outside", "root/folder");
        link("../outside/new.py", "root/dangling.py");
        link("own.py", "root/inside.py");
        link("sub", "root/inner");
        link("folder", "root/twice");
        folders
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    /// An engine in `root`, with the sessions of all.
    fn engine(&self, root: Option<&str>) -> Engine {
        Engine::new(Host {
            files: Arc::new(Disk),
            root: root.map(|root| self.path(root)),
            state: Some(self.path("state")),
            cache: Some(self.path("cache")),
            ..Host::at(self.path(root.unwrap_or("root")))
        })
    }
}

fn ask(engine: &Engine, method: &str, params: Value) -> Value {
    let request: Request = serde_json::from_value(json!({"method": method, "params": params})).expect("well formed");
    match engine.handle(request) {
        Ok(response) => serde_json::to_value(response).expect("a response is plain data"),
        Err(error) => error.to_json(),
    }
}

fn code(answer: &Value) -> &str {
    answer["error"]["code"].as_str().unwrap_or("none")
}

#[test]
#[cfg(unix)]
fn what_leads_out_is_refused() {
    let folders = Folders::new();
    let engine = folders.engine(Some("root"));
    let absolute = |path: &str| folders.path(path).to_string_lossy().into_owned();
    let outside = [
        "../outside/secret.py".to_owned(),
        "../root-beside/secret.py".to_owned(),
        "sub/../../outside/secret.py".to_owned(),
        "../outside/missing.py".to_owned(),
        "file.py".to_owned(),
        "folder/secret.py".to_owned(),
        "folder/missing.py".to_owned(),
        "twice/secret.py".to_owned(),
        "inner/../../outside/secret.py".to_owned(),
        "dangling.py".to_owned(),
        absolute("outside/secret.py"),
        absolute("root/../outside/secret.py"),
        absolute("root/folder/secret.py"),
        "/etc/passwd".to_owned(),
        "/etc/missing".to_owned(),
        "..".to_owned(),
        "/".to_owned(),
        "folder".to_owned(),
    ];
    let replace = json!([{"op": "replace", "target": "integer", "code": "2"}]);
    let mut asked = 0;
    for path in &outside {
        let target = json!({"path": path});
        let asks = [
            ("find", json!({"selector": "*", "targets": [target]})),
            ("show", json!({"target": target, "nodes": ["module"]})),
            ("outline", json!({"targets": [target]})),
            ("check", json!({"targets": [target]})),
            ("chunk", json!({"targets": [target]})),
            ("load", json!({"paths": [path]})),
            ("modify", json!({"target": target, "operations": replace, "write": true})),
            ("rewrite", json!({"selector": "integer", "template": "2", "targets": [target], "write": true})),
            ("run", json!({"script": path, "targets": ["own.py"], "write": true})),
            ("index", json!({"targets": [target]})),
        ];
        for (method, params) in asks {
            let answer = ask(&engine, method, params.clone());
            assert_eq!(code(&answer), "outside_root", "{method} {path}: {answer}");
            assert!(!answer.to_string().contains("secret = 1"), "{answer}");
            asked += 1;
        }
    }
    assert!(asked >= 150, "only {asked}");
    for path in ["outside/secret.py", "root-beside/secret.py"] {
        assert_eq!(fs::read_to_string(folders.path(path)).expect("it is there"), SECRET);
    }
    assert!(!folders.path("outside/new.py").exists());
    // What stays inside works, whichever way it is named.
    let root = folders.path("root");
    let inside =
        ["own.py", "inside.py", "inner/own.py", "sub/../own.py", "./own.py", root.to_str().expect("it is UTF-8")];
    for path in inside {
        let found = ask(&engine, "find", json!({"selector": "identifier", "targets": [{"path": path}]}));
        assert!(found["total"].as_u64().is_some_and(|total| total > 0), "{path}: {found}");
        assert!(!found.to_string().contains("secret"), "{path}: {found}");
    }
    for path in ["inside.py", "inner/own.py"] {
        let edit = json!({"target": {"path": path}, "operations": replace, "write": true});
        assert_eq!(ask(&engine, "modify", edit)["written"], true);
    }
    assert_eq!(fs::read_to_string(folders.path("root/own.py")).expect("it is there"), "own = 2\n");
    assert!(folders.path("root/inside.py").is_symlink());
    // The walk of a folder leaves links alone.
    let rewritten =
        ask(&engine, "rewrite", json!({"selector": "integer", "template": "3", "targets": ["."], "write": true}));
    assert_eq!(rewritten["searched"], 2, "{rewritten}");
    // Without a root all of it can be reached.
    let free = folders.engine(None);
    let found = ask(&free, "find", json!({"selector": "identifier", "targets": [{"path": "folder/secret.py"}]}));
    assert_eq!(found["total"], 1, "{found}");
}

#[test]
#[cfg(unix)]
fn a_refused_write_leaves_nothing_pending() {
    let folders = Folders::new();
    fs::write(folders.path("root/parts.py"), "class One: pass\n\n\nclass Two: pass\n").expect("a file");
    let before = || {
        let mut all: Vec<PathBuf> = ["root", "outside"]
            .iter()
            .flat_map(|folder| fs::read_dir(folders.path(folder)).expect("it is there").flatten())
            .map(|entry| entry.path())
            .collect();
        all.sort();
        all
    };
    let files = before();
    for params in [
        json!({"kind": "move_file", "symbol": "own.py", "to": "folder/moved.py"}),
        json!({"kind": "move_file", "symbol": "own.py", "to": "folder/new/moved.py"}),
        json!({"kind": "move", "symbol": "parts.One", "to": "folder/moved.py"}),
        json!({"kind": "create_file", "symbol": "folder/made.py", "code": "x = 1\n"}),
        json!({"kind": "move_file", "symbol": "own.py", "to": "own.py/moved.py"}),
    ] {
        let mut params = params;
        params["write"] = true.into();
        let answer = ask(&folders.engine(Some("root")), "refactor", params.clone());
        assert!(code(&answer) != "none", "{params}: {answer}");
        assert!(!answer.to_string().contains("rolling back failed"), "{params}: {answer}");
        assert_eq!(before(), files, "{params}");
        assert!(!folders.path("state/unfinished").exists(), "{params}: a write is pending");
    }
    let edit = json!([{"op": "replace", "target": "integer", "code": "2"}]);
    let written =
        ask(&folders.engine(Some("root")), "modify", json!({"target": "own.py", "operations": edit, "write": true}));
    assert_eq!(written["written"], true, "{written}");
}

#[test]
#[cfg(unix)]
fn other_projects_trees_are_not_there() {
    let folders = Folders::new();
    let (own, other) = (folders.engine(Some("root")), folders.engine(Some("outside")));
    let load = |engine: &Engine, params: Value| {
        ask(engine, "load", params)["trees"][0]["tree_id"].as_str().expect("an id").to_owned()
    };
    let of_file = load(&other, json!({"paths": ["secret.py"]}));
    let of_text = load(&other, json!({"text": "secret = 2\n", "name": "text.py"}));
    let mine = load(&own, json!({"text": "own = 2\n", "name": "text.py"}));
    let listed = ask(&own, "trees", json!({}));
    let ids: Vec<&Value> = listed["trees"].as_array().expect("a list").iter().map(|tree| &tree["tree_id"]).collect();
    assert_eq!(ids, [&json!(mine)]);
    let replace = json!([{"op": "replace", "target": "integer", "code": "9"}]);
    let mut asked = 0;
    // The beginning is a time and a count, which another tree may have, too.
    for tree in [&of_file, &of_text, &of_file[..of_file.len() - 1].to_owned()] {
        let target = json!({"tree_id": tree});
        let asks = [
            ("find", json!({"selector": "*", "targets": [target]})),
            ("show", json!({"target": target, "nodes": ["module"]})),
            ("modify", json!({"target": target, "operations": replace})),
            ("rewrite", json!({"selector": "integer", "template": "9", "targets": [target]})),
            ("save", json!({"tree_ids": [tree], "force": true})),
            ("diff", json!({"tree_ids": [tree]})),
            ("undo", json!({"tree_ids": [tree]})),
            ("redo", json!({"tree_ids": [tree]})),
            ("drop", json!({"tree_ids": [tree]})),
        ];
        for (method, params) in asks {
            let answer = ask(&own, method, params);
            assert_eq!(code(&answer), "unknown_tree", "{method}: {answer}");
            asked += 1;
        }
    }
    assert_eq!(asked, 27);
    // What another project saved isn't this one's to take back, or to put back.
    ask(&other, "modify", json!({"target": {"tree_id": of_file}, "operations": replace}));
    let saved = ask(&other, "save", json!({"tree_ids": [of_file], "backup": true}));
    let transaction = &saved["transaction"];
    assert!(transaction.is_string(), "{saved}");
    assert_eq!(code(&ask(&own, "undo", json!({"transaction": transaction}))), "not_found");
    let backup = &saved["saved"][0]["backup"];
    assert_eq!(ask(&own, "backups", json!({}))["backups"], json!([]));
    assert_eq!(code(&ask(&own, "backups", json!({"restore": backup}))), "not_found");
    assert_eq!(fs::read_to_string(folders.path("outside/secret.py")).expect("it is there"), "secret = 9\n");
    // Their own servers, and those that may do it all, see them.
    assert_eq!(ask(&other, "trees", json!({}))["trees"].as_array().map(Vec::len), Some(2));
    assert_eq!(ask(&folders.engine(None), "trees", json!({}))["trees"].as_array().map(Vec::len), Some(3));
}

/// The programs, with the root that they choose themselves.
#[test]
#[cfg(unix)]
fn the_root_is_the_repository() {
    use std::io::Write;
    use std::process::{Command, Stdio};
    let folders = Folders::new();
    let find = |words: &[&str], folder: &str, path: &str| {
        let mut process = Command::new(env!("CARGO_BIN_EXE_cst"))
            .args(words)
            .current_dir(folders.path(folder))
            .env("CST_STATE", folders.path("state"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        let request = match words[0] {
            "rpc" => {
                json!({"jsonrpc": "2.0", "id": 1, "method": "find", "params": {"selector": "identifier", "targets": [{"path": path}]}})
            }
            _ => {
                json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "find", "arguments": {"selector": "identifier", "path": path}}})
            }
        };
        // One that refuses its words reads nothing.
        let _ = writeln!(process.stdin.take().expect("it is piped"), "{request}");
        let output = process.wait_with_output().expect("it ends");
        let said = String::from_utf8(output.stdout).expect("it is UTF-8");
        match (
            output.status.code(),
            said.contains("is outside of the root"),
            said.contains("1 match") || said.contains("\"total\":1"),
        ) {
            (Some(0), true, false) => "refused",
            (Some(0), false, true) => "found",
            _ => "failed",
        }
    };
    for server in ["rpc", "mcp"] {
        assert_eq!(find(&[server], "root/sub", "../own.py"), "found");
        assert_eq!(find(&[server], "root/sub", "../../outside/secret.py"), "refused");
        assert_eq!(find(&[server], "root-beside", "secret.py"), "found");
        assert_eq!(find(&[server], "root-beside", "../outside/secret.py"), "refused");
        assert_eq!(find(&[server, "--root", "."], "root/sub", "../own.py"), "refused");
        assert_eq!(find(&[server, "--root", "../outside"], "root", "../outside/secret.py"), "found");
        assert_eq!(find(&[server, "--allow-outside"], "root", "folder/secret.py"), "found");
        assert_eq!(find(&[server, "--allow-outside", "--root", "."], "root", "own.py"), "failed");
        assert_eq!(find(&[server, "--root", "own.py"], "root", "own.py"), "failed");
    }
}
