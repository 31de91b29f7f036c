//! A repository makes nothing run: what it configures counts once its user has trusted it, as long as it stays as it was.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::cli::{Place, Run, ended};

/// A project whose check leaves a file behind when it runs.
struct Project {
    place: Place,
}

const CHECK: &str = "[check]\npython = \"sh -c 'cat >/dev/null; echo ran >> ran.txt'\"\n";

impl Project {
    /// A repository with the check.
    fn new() -> Project {
        let place = Place::new();
        fs::create_dir(place.path(".git")).expect("a folder");
        place.write("a.py", "def f():\n    return 1\n");
        place.write("deep/b.py", "def f():\n    return 1\n");
        place.write(".cst/config.toml", CHECK);
        private(&place.path(".cst"), 0o755);
        private(&place.path(".cst/config.toml"), 0o644);
        Project { place }
    }

    /// Whether the check ran since this was last asked.
    fn ran(&self) -> bool {
        let here = ["ran.txt", "deep/ran.txt"].map(|name| self.place.path(name));
        here.iter().any(|path| fs::remove_file(path).is_ok())
    }

    fn cst(&self, words: &[&str]) -> Run {
        self.place.run(words)
    }

    fn in_folder(&self, folder: &str, words: &[&str]) -> Run {
        let mut command = self.place.command(words);
        command.current_dir(self.place.path(folder));
        ended(command, None)
    }

    /// An edit that is written, and changes something each time.
    fn edit(&self, number: u32) -> Run {
        self.cst(&["modify", "a.py", "--write", "replace", "integer", &number.to_string()]).expect(0)
    }
}

#[cfg(unix)]
fn private(path: &Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("the mode can be set");
}

#[cfg(not(unix))]
fn private(_path: &Path, _mode: u32) {}

const NOTE: &str = "`.cst/config.toml` is not trusted, so its check of python does not run";

#[test]
fn a_check_is_inert_until_it_is_trusted() {
    let project = Project::new();
    let run = project.edit(2);
    assert!(!project.ran());
    assert_eq!(run.stderr.lines().filter(|line| line.starts_with(NOTE)).count(), 1, "{}", run.stderr);
    let trusted = project.cst(&["trust"]).expect(0);
    assert!(trusted.stdout.contains("trusted\n  python: sh -c"), "{}", trusted.stdout);
    let run = project.edit(3);
    assert!(project.ran() && !run.stderr.contains("trust"), "{}", run.stderr);
    // From a folder of the project it is the same file.
    let run = project.in_folder("deep", &["modify", "b.py", "--write", "replace", "integer", "4"]).expect(0);
    assert!(project.ran() && !run.stderr.contains("trust"), "{}", run.stderr);
    let list = project.cst(&["trust", "--list", "--json"]).expect(0).json();
    assert_eq!(list["files"][0]["state"], "trusted");
    assert_eq!(list["files"][0]["checks"][0]["language"], "python");
    // A changed file is inert again, and this is reported.
    project.place.write(".cst/config.toml", &format!("{CHECK}\n"));
    let run = project.edit(5);
    assert!(!project.ran());
    assert!(run.stderr.starts_with("`.cst/config.toml` changed since it was trusted"), "{}", run.stderr);
    assert_eq!(project.cst(&["trust", "--list", "--json"]).expect(0).json()["files"][0]["state"], "changed");
    project.cst(&["trust"]).expect(0);
    project.edit(6);
    assert!(project.ran());
    project.cst(&["trust", "--revoke"]).expect(0);
    project.edit(7);
    assert!(!project.ran());
    assert_eq!(project.cst(&["trust", "--list", "--json"]).expect(1).json(), json!({"schema": 1, "files": []}));
    assert_eq!(project.cst(&["trust", "--revoke", "--json"]).expect(2).error(), "not_found");
    // An edit of what it doesn't configure has nothing to say.
    project.place.write("a.js", "let a = 1\n");
    let run = project.cst(&["modify", "a.js", "--write", "replace", "number", "2"]).expect(0);
    assert!(!run.stderr.contains("trust"), "{}", run.stderr);
}

#[test]
fn previews_run_nothing() {
    let project = Project::new();
    project.cst(&["trust"]).expect(0);
    let previews: [&[&str]; 6] = [
        &["modify", "a.py", "replace", "integer", "2"],
        &["modify", "a.py", "--dry-run", "replace", "integer", "2"],
        &["rewrite", "integer", "2", "."],
        &["rewrite", "integer", "2", ".", "--dry-run"],
        &["find", "integer", "."],
        &["outline", "."],
    ];
    for words in previews {
        let run = project.cst(words).expect(0);
        assert!(!project.ran(), "{words:?}");
        assert!(!run.stderr.contains("trust"), "{}", run.stderr);
    }
    let tree = project.cst(&["load", "a.py", "--json"]).expect(0).json()["trees"][0]["tree_id"].clone();
    let tree = tree.as_str().expect("an id");
    project.cst(&["modify", tree, "--dry-run", "replace", "integer", "2"]).expect(0);
    assert!(!project.ran());
    project.cst(&["modify", tree, "replace", "integer", "2"]).expect(0);
    assert!(project.ran(), "a tree is edited");
    project.cst(&["rewrite", "integer", "3", ".", "--write", "--allow", "syntax"]).expect(0);
    assert!(!project.ran(), "it is left out where that is allowed");
    project.cst(&["rewrite", "integer", "4", ".", "--write"]).expect(0);
    assert!(project.ran());
}

/// What the servers answer to edits, with the check trusted or not.
#[test]
fn servers_keep_to_the_same_rules() {
    let project = Project::new();
    let modify = |write: bool, number: u32| {
        let operation = json!({"op": "replace", "target": "integer", "code": number.to_string()});
        json!({"target": {"path": "a.py"}, "operations": [operation], "write": write})
    };
    let edit = |dry_run: bool, number: u32| {
        let operation = json!({"op": "replace", "target": "integer", "code": number.to_string()});
        json!({"name": "edit", "arguments": {"path": "a.py", "operations": [operation], "dry_run": dry_run}})
    };
    let rewrite = |write: bool, number: u32| json!({"selector": "integer", "template": number.to_string(), "targets": ["."], "write": write});
    let asks: [(&str, &str, Value, bool); 7] = [
        ("rpc", "modify", modify(false, 11), false),
        ("rpc", "modify", modify(true, 12), true),
        ("rpc", "rewrite", rewrite(false, 13), false),
        ("rpc", "rewrite", rewrite(true, 14), true),
        ("mcp", "tools/call", edit(true, 15), false),
        ("mcp", "tools/call", edit(false, 16), true),
        ("rpc", "find", json!({"selector": "integer"}), false),
    ];
    for is_trusted in [false, true] {
        if is_trusted {
            project.cst(&["trust"]).expect(0);
        }
        for (server, method, params, writes) in &asks {
            let mut params = params.clone();
            if is_trusted {
                // Something changes again.
                let text = params.to_string().replace("\"1", "\"2");
                params = serde_json::from_str(&text).expect("it is JSON");
            }
            let answer = served(&project, server, method, &params);
            assert!(answer["error"].is_null() && answer["result"]["isError"] != true, "{answer}");
            assert_eq!(project.ran(), is_trusted && *writes, "{server} {method} {params}");
            let says_so = answer.to_string().contains(NOTE);
            assert_eq!(says_so, !is_trusted && *writes, "{server} {method}: {answer}");
        }
    }
}

/// The answer of a server to one request.
fn served(project: &Project, server: &str, method: &str, params: &Value) -> Value {
    use std::io::Write;
    let mut process = Command::new(env!("CARGO_BIN_EXE_cst"))
        .arg(server)
        .current_dir(project.place.path("."))
        .env("CST_STATE", project.place.configuration())
        .env("XDG_CONFIG_HOME", project.place.configuration())
        .env("CST_CACHE", project.place.cache())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let request = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
    let mut input = process.stdin.take().expect("it is piped");
    writeln!(input, "{request}").expect("it reads");
    drop(input);
    let output = process.wait_with_output().expect("it ends");
    serde_json::from_slice(&output.stdout).expect("one answer")
}

#[test]
fn above_the_repository_nothing_counts() {
    let project = Project::new();
    // Another repository inside of it, and a folder without any.
    project.place.write("inner/.git/HEAD", "");
    project.place.write("inner/c.py", "x = 1\n");
    let run = project.in_folder("inner", &["modify", "c.py", "--write", "replace", "integer", "2"]).expect(0);
    assert!(!project.ran() && !run.stderr.contains("trust"), "{}", run.stderr);
    assert_eq!(project.in_folder("inner", &["trust", "--json"]).expect(2).error(), "not_found");
    fs::remove_dir(project.place.path(".git")).expect("it is empty");
    let run = project.in_folder("deep", &["modify", "b.py", "--write", "replace", "integer", "2"]).expect(0);
    assert!(!project.ran() && !run.stderr.contains("trust"), "{}", run.stderr);
    assert_eq!(project.in_folder("deep", &["trust", "--json"]).expect(2).error(), "not_found");
    // Named selectors too.
    project.place.write(".cst/selectors/python.sel", ":mine = function\n");
    project.in_folder("deep", &["find", ":mine", "b.py"]).expect(2);
    project.cst(&["find", ":mine", "a.py"]).expect(0);
}

#[test]
#[cfg(unix)]
fn what_others_may_write_is_not_trusted() {
    let project = Project::new();
    let file = project.place.path(".cst/config.toml");
    let folder = project.place.path(".cst");
    let root = project.place.path(".");
    let edit = |number| {
        let run = project.edit(number);
        assert!(!project.ran());
        run.stderr
    };
    for (number, (path, mode)) in
        [(&file, 0o664), (&file, 0o646), (&folder, 0o775), (&folder, 0o757), (&root, 0o775)].into_iter().enumerate()
    {
        use std::os::unix::fs::PermissionsExt;
        let before = fs::metadata(path).expect("it is there").permissions().mode() & 0o777;
        project.cst(&["trust"]).expect(0);
        private(path, mode);
        let said = edit(10 + number as u32);
        assert!(said.contains("cannot be trusted (others may write"), "{said}");
        assert_eq!(project.cst(&["trust", "--json"]).expect(2).error(), "bad_request");
        private(path, before);
    }
    // A file that belongs to somebody else: only root can change the owner.
    project.cst(&["trust"]).expect(0);
    if std::os::unix::fs::chown(&file, Some(65534), None).is_ok() {
        let said = edit(20);
        assert!(said.contains("belongs to another user"), "{said}");
        std::os::unix::fs::chown(&file, Some(0), None).expect("it could before");
        std::os::unix::fs::chown(&folder, Some(65534), None).expect("it could before");
        assert!(edit(21).contains("`.cst` belongs to another user"));
        std::os::unix::fs::chown(&folder, Some(0), None).expect("it could before");
    }
    // A FIFO is an error, and isn't waited for.
    fs::remove_file(&file).expect("it is there");
    assert!(Command::new("mkfifo").arg(&file).status().expect("it runs").success());
    project.cst(&["modify", "a.py", "--write", "replace", "integer", "30"]).expect(2);
    fs::create_dir(project.place.path(".cst/selectors")).expect("a folder");
    assert!(
        Command::new("mkfifo")
            .arg(project.place.path(".cst/selectors/python.sel"))
            .status()
            .expect("it runs")
            .success()
    );
    project.cst(&["find", "integer", "a.py"]).expect(2);
    fs::remove_file(project.place.path(".cst/selectors/python.sel")).expect("it is there");
    // Nor is a list that others may write worth anything.
    fs::remove_file(&file).expect("it is there");
    project.place.write(".cst/config.toml", CHECK);
    private(&file, 0o644);
    project.cst(&["trust"]).expect(0);
    private(&project.place.configuration().join("trusted.json"), 0o666);
    project.cst(&["modify", "a.py", "--write", "replace", "integer", "31"]).expect(2);
    assert!(!project.ran());
}

#[test]
fn the_users_own_check_needs_no_trust() {
    let project = Project::new();
    fs::remove_file(project.place.path(".cst/config.toml")).expect("it is there");
    project.place.configure("cst/config.toml", CHECK);
    project.edit(2);
    assert!(project.ran());
    // An untrusted project file does not override the user's.
    project.place.write(".cst/config.toml", "[check]\npython = \"\"\n");
    let run = project.edit(3);
    assert!(project.ran() && run.stderr.contains(NOTE), "{}", run.stderr);
    project.cst(&["trust"]).expect(0);
    project.edit(4);
    assert!(!project.ran(), "the project switches it off");
}

#[test]
fn named_selectors_of_the_project_are_told() {
    let project = Project::new();
    project
        .place
        .write(".cst/selectors/python.sel", "# ours\n:named = function:inner\n:inner = [name=f]\n:other = class\n");
    let expected = json!([
        {"name": ":inner", "definition": ":inner = [name=f]", "path": ".cst/selectors/python.sel"},
        {"name": ":named", "definition": ":named = function:inner", "path": ".cst/selectors/python.sel"},
    ]);
    let words: [&[&str]; 5] = [
        &["find", ":named", ".", "--json"],
        &["find", ":named", "a.py", "--json"],
        &["explain", ":named", "a.py", "--json"],
        &["rewrite", ":named > identifier.name", "g", ".", "--json"],
        &["modify", "a.py", "--json", "rename", ":named", "g"],
    ];
    let mut checked = 0;
    for words in words {
        let run = project.cst(words).expect(0);
        assert_eq!(run.json()["selectors"], expected, "{words:?}: {}", run.stdout);
        checked += 1;
    }
    assert_eq!(checked, 5);
    let run = project.cst(&["explain", ":named", "a.py"]).expect(0);
    assert!(run.stdout.contains(":named: :named = function:inner in .cst/selectors/python.sel"), "{}", run.stdout);
    let run = project.cst(&["find", ":named", "."]).expect(0);
    assert!(run.stderr.contains(".cst/selectors/python.sel defines :named = function:inner"), "{}", run.stderr);
    // Those of the request are known to who asks, and go first.
    let run = project.cst(&["find", ":named", ".", "--json", "--define", ":named = function"]).expect(0);
    assert!(run.json()["selectors"].is_null());
    let find = json!({"name": "find", "arguments": {"selector": ":named"}});
    let answer = served(&project, "mcp", "tools/call", &find);
    let text = answer["result"]["content"][0]["text"].as_str().expect("it is text");
    assert!(text.contains(".cst/selectors/python.sel defines :named = function:inner"), "{text}");
    let answer = served(&project, "rpc", "find", &json!({"selector": ":named"}));
    assert_eq!(answer["result"]["selectors"], expected);
}
