//! The servers as processes: what a kill leaves, an interrupt, several on one session store.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

/// A server and both ends of its pipes.
struct Server {
    process: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    asked: u32,
}

impl Server {
    fn start(command: &str, folder: &Path) -> Server {
        let mut process = Command::new(env!("CARGO_BIN_EXE_cst"))
            .arg(command)
            .current_dir(folder)
            .env("CST_STATE", folder.join("state"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let input = process.stdin.take();
        let output = BufReader::new(process.stdout.take().expect("it is piped"));
        Server { process, input, output, asked: 0 }
    }

    fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.asked += 1;
        let message = json!({"jsonrpc": "2.0", "id": self.asked, "method": method, "params": params});
        let input = self.input.as_mut().expect("the input is open");
        writeln!(input, "{message}").expect("it reads");
        let mut line = String::new();
        self.output.read_line(&mut line).expect("it answers");
        let answer: Value = serde_json::from_str(&line).expect("the answer is JSON");
        assert_eq!(answer["id"], self.asked, "{answer}");
        answer["result"].clone()
    }

    /// The answer of a tool.
    fn call(&mut self, name: &str, arguments: &Value) -> String {
        let result = self.ask("tools/call", &json!({"name": name, "arguments": arguments}));
        result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{result}")).to_owned()
    }

    /// Closes its input; its exit status.
    fn end(mut self) -> Option<i32> {
        drop(self.input.take());
        self.process.wait().expect("it can be waited for").code()
    }

    fn kill(mut self) {
        self.process.kill().expect("it can be killed");
        self.process.wait().expect("it can be waited for");
    }
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder can be made");
    std::fs::write(folder.path().join("a.py"), "def f():\n    return 1\n").expect("it can be written");
    folder
}

#[test]
fn what_was_staged_is_there_after_a_kill() {
    let folder = folder();
    let mut server = Server::start("mcp", folder.path());
    server.call("session", &json!({"action": "load", "path": "a.py"}));
    let rename = json!([{"op": "rename", "target": "function", "to": "g"}]);
    let staged = server.call("edit", &json!({"tree_id": "a.py", "operations": rename}));
    assert!(staged.contains("staged"), "{staged}");
    server.kill();
    let mut next = Server::start("mcp", folder.path());
    assert!(next.call("session", &json!({"action": "list"})).contains("revision 1  unsaved"));
    assert!(next.call("session", &json!({"action": "save", "path": "a.py"})).contains("written"));
    assert_eq!(std::fs::read_to_string(folder.path().join("a.py")).unwrap(), "def g():\n    return 1\n");
    assert_eq!(next.end(), Some(0));
}

#[test]
#[cfg(unix)]
fn an_interrupt_is_the_clients() {
    let folder = folder();
    let mut server = Server::start("mcp", folder.path());
    assert_eq!(server.ask("ping", &json!({})), json!({}));
    let sent = Command::new("kill").args(["-INT", &server.process.id().to_string()]).status();
    assert!(sent.expect("kill is there").success());
    assert_eq!(server.ask("ping", &json!({})), json!({}));
    assert_eq!(server.end(), Some(0));
}

#[test]
fn several_share_the_session_store() {
    let folder = folder();
    let (mut first, mut second) = (Server::start("rpc", folder.path()), Server::start("rpc", folder.path()));
    let tree = first.ask("load", &json!({"paths": ["a.py"]}))["trees"][0]["tree_id"].clone();
    let insert = |code: &str| json!({"target": tree, "operations": [{"op": "insert", "target": "module", "position": "last", "code": code}]});
    // Each edit is made to what the other left.
    for number in 0..10 {
        let server = if number % 2 == 0 { &mut first } else { &mut second };
        assert_eq!(server.ask("modify", &insert(&format!("x{number} = 1")))["revision"], number + 1);
    }
    // At the same time, none is lost either.
    let edits = std::thread::scope(|scope| {
        let both = [&mut first, &mut second].map(|server| {
            let insert = &insert;
            scope.spawn(move || {
                (0..10)
                    .map(|_| server.ask("modify", &insert("y = 1"))["revision"].as_u64().unwrap())
                    .collect::<Vec<_>>()
            })
        });
        both.map(|edits| edits.join().unwrap()).concat()
    });
    let mut revisions = edits.clone();
    revisions.sort_unstable();
    assert_eq!(revisions, (11..31).collect::<Vec<_>>());
    let found = second.ask("find", &json!({"selector": "assignment", "targets": [tree]}));
    assert_eq!(found["total"], 30);
    assert_eq!((first.end(), second.end()), (Some(0), Some(0)));
}

#[test]
fn a_bare_id_is_refused_after_a_restart_too() {
    let folder = folder();
    let delete = json!({"path": "a.py", "operations": [{"op": "delete", "target": "n1"}]});
    let mut server = Server::start("mcp", folder.path());
    // The ids of this file were never shown; the client has them from elsewhere.
    let mut preview = delete.clone();
    preview["dry_run"] = true.into();
    assert!(server.call("edit", &preview).starts_with("1 operation applied"));
    assert!(server.call("find", &json!({"selector": "function", "path": "a.py"})).contains("  n1\n"));
    server.kill();
    std::fs::write(folder.path().join("a.py"), "x = 1\n\n\ndef f():\n    return 1\n").expect("it can be written");
    let mut next = Server::start("mcp", folder.path());
    let refused = next.call("edit", &delete);
    assert!(refused.starts_with("stale_file"), "{refused}");
    assert_eq!(next.end(), Some(0));
}

/// Two that write the same file by its path: an edit is in the file, or it was refused.
#[test]
fn what_was_written_by_path_is_not_lost() {
    let folder = folder();
    let mut servers = [Server::start("rpc", folder.path()), Server::start("rpc", folder.path())];
    let written: usize = std::thread::scope(|scope| {
        let both: Vec<_> = servers
            .iter_mut()
            .enumerate()
            .map(|(place, server)| {
                scope.spawn(move || {
                    let insert = |number: usize| json!([{"op": "insert", "target": "module", "position": "last", "code": format!("x{place}_{number} = 1")}]);
                    let write = |number| json!({"target": "a.py", "write": true, "operations": insert(number)});
                    (0..25).filter(|&number| server.ask("modify", &write(number))["written"] == true).count()
                })
            })
            .collect();
        both.into_iter().map(|edits| edits.join().unwrap()).sum()
    });
    let text = std::fs::read_to_string(folder.path().join("a.py")).unwrap();
    assert_eq!(text.lines().filter(|line| line.starts_with('x')).count(), written);
    assert!(written >= 25, "{written}");
    servers.into_iter().for_each(|server| assert_eq!(server.end(), Some(0)));
}
