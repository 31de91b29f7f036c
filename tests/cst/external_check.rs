//! The external check: what a configured program newly complains of refuses an edit.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use cst::engine::{Engine, Machine, Memory, Programs, Request, Said, Silent, Surroundings};
use serde_json::{Value, json};

/// A program that complains of each line with `bad`, with the line's number and, as ruff does, an excerpt and a sum.
/// What it was asked to run is kept.
#[derive(Default)]
struct Complainer {
    asked: Mutex<Vec<(Vec<String>, PathBuf)>>,
    /// Says so by its exit status.
    strict: bool,
    fails: Option<io::ErrorKind>,
    killed: bool,
}

impl Programs for Complainer {
    fn run(&self, words: &[String], folder: &Path, input: &[u8], _: Duration) -> io::Result<Said> {
        self.asked.lock().expect("nothing panics while it is held").push((words.to_vec(), folder.to_owned()));
        if let Some(kind) = self.fails {
            return Err(kind.into());
        }
        let text = String::from_utf8_lossy(input).into_owned();
        let bad: Vec<String> = (1..)
            .zip(text.lines())
            .filter(|(_, line)| line.contains("bad"))
            .map(|(number, line)| format!("-:{number}:1: no `{}`\n  |\n{number} | {line} # {number}\n", line.trim()))
            .collect();
        let sum = match bad.len() {
            0 => "All checks passed!".to_owned(),
            1 => "Found 1 error.".to_owned(),
            count => format!("Found {count} errors."),
        };
        let status = if self.killed { None } else { Some(i32::from(self.strict && !bad.is_empty())) };
        Ok(Said { output: format!("{}{sum}\n", bad.concat()).into_bytes(), status })
    }
}

const CONFIGURATION: &str = "[check]\npython = \"checker '-a b' c\\\\ d \\\"e\\\"\"\n";

/// What an engine in `/p/deep` answers to one operation on `/p/a.py`.
fn modify(programs: Arc<Complainer>, files: &[(&str, &str)], source: &str, change: Value) -> Value {
    let memory = Memory::default();
    memory.write("/p/a.py", source);
    files.iter().for_each(|(path, text)| memory.write(*path, *text));
    let engine = Engine::new(Surroundings {
        files: Arc::new(memory),
        programs,
        working_directory: PathBuf::from("/p/deep"),
        state: None,
        cache: None,
        cache_limit: None,
        configuration: Some(PathBuf::from("/home/cst")),
        observer: Arc::new(Silent),
    });
    ask(&engine, "/p/a.py", change)
}

fn ask(engine: &Engine, path: &str, change: Value) -> Value {
    let mut params = json!({"target": {"path": path}});
    params.as_object_mut().expect("it is one").extend(change.as_object().expect("it is one").clone());
    let request: Request = serde_json::from_value(json!({"method": "modify", "params": params})).expect("well formed");
    match engine.handle(request) {
        Ok(response) => serde_json::to_value(response).expect("a response is plain data"),
        Err(error) => error.to_json(),
    }
}

fn replaced(target: &str, code: &str) -> Value {
    json!({"operations": [{"op": "replace", "target": target, "code": code}]})
}

fn strict() -> Arc<Complainer> {
    Arc::new(Complainer { strict: true, ..Complainer::default() })
}

#[track_caller]
fn refused(answer: &Value, code: &str, words: &[&str]) {
    let error = &answer["error"];
    assert_eq!(error["code"], code, "{answer}");
    let message = error["message"].as_str().expect("an error has a message");
    words.iter().for_each(|word| assert!(message.contains(word), "no `{word}` in {message}"));
}

#[track_caller]
fn applied(answer: &Value) {
    assert_eq!(answer["applied"], 1, "{answer}");
}

#[test]
fn only_new_complaints_refuse() {
    let files = [("/p/.cst/config.toml", CONFIGURATION)];
    let source = "bad_one = 0\nbad_two = 0\nx = 1\n";
    for programs in [strict, Arc::default] {
        let answer = |change| modify(programs(), &files, source, change);
        refused(
            &answer(replaced("integer[text='1']", "bad_three")),
            "would_break_syntax",
            &["not applied: `checker '-a b' c\\ d \"e\"` newly says: -:3:1: no `x = bad_three`"],
        );
        // What moves, what is quoted and how many there are is nothing new.
        applied(&answer(replaced("assignment#x", "x = [\n    2,\n]")));
        applied(&answer(json!({"operations": [
            {"op": "insert", "target": "assignment#bad_one", "position": "before", "code": "y = 1"}]})));
        applied(&answer(json!({"operations": [{"op": "delete", "target": "assignment#bad_one"}]})));
        // The same complaint twice is one more.
        refused(&answer(replaced("assignment#x", "bad_two = 0")), "would_break_syntax", &["no `bad_two = 0`"]);
    }
    let answer = modify(strict(), &files, "bad = 1\n", replaced("assignment", "good = 1"));
    applied(&answer);
}

#[test]
fn it_can_be_allowed() {
    let files = [("/p/.cst/config.toml", CONFIGURATION)];
    let programs = strict();
    let mut change = replaced("integer", "bad");
    change["allow"] = json!(["syntax"]);
    applied(&modify(programs.clone(), &files, "x = 1\n", change));
    assert!(programs.asked.lock().expect("nothing panicked").is_empty(), "what is allowed isn't asked for");
}

#[test]
fn the_projects_command_wins() {
    let asked = |files: &[(&str, &str)]| {
        let programs = strict();
        applied(&modify(programs.clone(), files, "x = 1\n", replaced("integer", "2")));
        let asked = programs.asked.lock().expect("nothing panicked").clone();
        asked.first().map(|(words, folder)| (words.join("|"), folder.to_string_lossy().into_owned()))
    };
    let of_user = ("/home/cst/config.toml", "[check]\npython = 'theirs'\n");
    let found = |words: &str, folder: &str| Some((words.to_owned(), folder.to_owned()));
    assert_eq!(asked(&[]), None);
    assert_eq!(asked(&[of_user]), found("theirs", "/p/deep"));
    assert_eq!(asked(&[of_user, ("/p/.cst/config.toml", CONFIGURATION)]), found("checker|-a b|c d|e", "/p"));
    assert_eq!(asked(&[of_user, ("/p/.cst/config.toml", "")]), found("theirs", "/p/deep"));
    assert_eq!(asked(&[of_user, ("/p/.cst/config.toml", "[check]\npython = ''\n")]), None);
    let nearer = ("/p/deep/.cst/config.toml", "[check]\npython = 'nearer'\n");
    assert_eq!(asked(&[nearer, ("/p/.cst/config.toml", CONFIGURATION)]), found("nearer", "/p/deep"));
}

#[test]
fn a_program_that_does_not_answer_is_an_error() {
    let files = [("/p/.cst/config.toml", CONFIGURATION)];
    let answer = |programs: Complainer| modify(Arc::new(programs), &files, "x = 1\n", replaced("integer", "2"));
    let failing = |kind| Complainer { fails: Some(kind), ..Complainer::default() };
    refused(
        &answer(failing(io::ErrorKind::NotFound)),
        "bad_request",
        &["no program `checker`", "config.toml", "line 2"],
    );
    refused(&answer(failing(io::ErrorKind::TimedOut)), "bad_request", &["longer than 10 seconds", "config.toml"]);
    let killed = Complainer { killed: true, ..Complainer::default() };
    refused(&answer(killed), "bad_request", &["signal", "config.toml"]);
}

#[test]
fn a_wrong_configuration_is_an_error() {
    let refuses = |configuration: &str, words: &[&str], hint: &str| {
        let files = [("/p/.cst/config.toml", configuration)];
        let answer = modify(strict(), &files, "x = 1\n", replaced("integer", "2"));
        refused(&answer, "bad_request", words);
        let found = answer["error"]["hint"].as_str().unwrap_or_default();
        assert!(found.contains(hint), "{answer}");
    };
    refuses("# c\n[chek]\n", &["unknown key `chek`", "line 2", "config.toml"], "`check`");
    refuses("[check]\n\npyton = 'a'\n", &["`pyton`", "line 3"], "`python`");
    refuses("check = 1\n", &["`check` is a table", "line 1"], "");
    refuses("[check]\npython = 1\n", &["a check is a command", "line 2"], "string");
    refuses("[check]\npython = 'a \"b'\n", &["isn't closed", "line 2"], "");
    refuses("[check]\npython = \n", &["line 2", "config.toml"], "");
}

#[test]
#[cfg(unix)]
fn a_script_of_the_project_is_run() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::TempDir::new().expect("a temporary folder");
    let write = |path: &str, text: &str| {
        fs::write(folder.path().join(path), text).expect("it can be written");
    };
    fs::create_dir(folder.path().join(".cst")).expect("a folder");
    write("a.py", "x = 1\nbad = 1\n");
    write("complain.sh", "#!/bin/sh\ngrep -n bad >&2\n[ $? = 1 ]\n");
    let mode = fs::Permissions::from_mode(0o755);
    fs::set_permissions(folder.path().join("complain.sh"), mode).expect("the mode can be set");
    let engine = Engine::new(Surroundings {
        files: Arc::new(cst::engine::Disk),
        programs: Arc::new(Machine),
        working_directory: folder.path().to_owned(),
        state: None,
        cache: None,
        cache_limit: None,
        configuration: None,
        observer: Arc::new(Silent),
    });
    let path = folder.path().join("a.py").to_string_lossy().into_owned();
    write(".cst/config.toml", "[check]\npython = './complain.sh'\n");
    let message = "not applied: `./complain.sh` newly says: 1:x = bad";
    refused(&ask(&engine, &path, replaced("assignment#x >> integer", "bad")), "would_break_syntax", &[message]);
    applied(&ask(&engine, &path, replaced("assignment#x >> integer", "2")));
    write(".cst/config.toml", "[check]\npython = './nowhere.sh'\n");
    refused(&ask(&engine, &path, replaced("assignment#x >> integer", "2")), "bad_request", &["no program"]);
}

#[test]
#[cfg(unix)]
fn a_program_that_never_ends_is_ended() {
    let words = ["sh", "-c", "while :; do :; done"].map(str::to_owned);
    let folder = std::env::temp_dir();
    let said = Machine.run(&words, &folder, b"", Duration::ZERO);
    assert_eq!(said.expect_err("it has no time").kind(), io::ErrorKind::TimedOut);
    // One that doesn't read what it is given is none of these.
    let words = ["sh", "-c", "echo a; echo b >&2; exit 3"].map(str::to_owned);
    let input = vec![b'x'; 1 << 20];
    let said = Machine.run(&words, &folder, &input, Duration::from_secs(60)).expect("it ends");
    assert_eq!(said, Said { output: b"a\nb\n".to_vec(), status: Some(3) });
}
