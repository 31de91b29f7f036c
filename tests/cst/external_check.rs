//! The external check: what a configured program newly complains of refuses an edit.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use cst::engine::{
    CommandOutput, CommandRunner, Commands, Engine, Host, Memory, ProgramCall, Request, Silent, SystemCommands,
};
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

impl CommandRunner for Complainer {
    fn run(&self, call: &ProgramCall<'_>) -> io::Result<CommandOutput> {
        let asked = (call.words.to_vec(), call.folder.to_owned());
        self.asked.lock().expect("nothing panics while it is held").push(asked);
        if let Some(kind) = self.fails {
            return Err(kind.into());
        }
        let text = String::from_utf8_lossy(call.input).into_owned();
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
        Ok(CommandOutput { output: format!("{}{sum}\n", bad.concat()).into_bytes(), status })
    }
}

const CONFIGURATION: &str = "[check]\npython = \"checker '-a b' c\\\\ d \\\"e\\\"\"\n";

/// What an engine in `/p/deep` answers to one operation on `/p/a.py`, which it writes. The project's configuration is trusted.
fn modify(programs: Arc<Complainer>, files: &[(&str, &str)], source: &str, change: Value) -> Value {
    let memory = Memory::default();
    memory.write("/p/a.py", source);
    memory.write("/p/.git/HEAD", "");
    files.iter().for_each(|(path, text)| memory.write(*path, *text));
    let engine = Engine::new(Host {
        files: Arc::new(memory),
        programs,
        working_directory: PathBuf::from("/p/deep"),
        root: None,
        state: None,
        cache: None,
        cache_limit: None,
        commands: Commands::Any,
        configuration: Some(PathBuf::from("/home/cst")),
        observer: Arc::new(Silent),
    });
    let is_of_project = |(path, _): &(&str, &str)| path.contains("/.cst/");
    if files.iter().any(is_of_project)
        && let Err(error) = engine.trust(Path::new("."))
    {
        return error.to_json();
    }
    ask(&engine, "/p/a.py", change)
}

fn ask(engine: &Engine, path: &str, change: Value) -> Value {
    let mut params = json!({"target": {"path": path}, "write": true});
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
        // Moved lines, quoted code and other counts are not new complaints.
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
    assert!(programs.asked.lock().expect("nothing panicked").is_empty(), "what is allowed is not asked for");
}

#[test]
fn many_complaints_are_shown_from_both_ends() {
    let source = "x = 1\n";
    let code =
        (0..6).map(|number| format!("bad{} = {number}\n", ["a", "b", "c", "d", "e", "f"][number])).collect::<String>();
    let files = [("/p/.cst/config.toml", CONFIGURATION)];
    let answer = modify(Arc::new(Complainer::default()), &files, source, replaced("assign", code.trim_end()));
    let message = answer["error"]["message"].as_str().unwrap_or_default();
    let shown: Vec<&str> = ["bada", "badb", "badc", "badd", "bade", "badf", "2 more", "Found"]
        .into_iter()
        .filter(|word| message.contains(word))
        .collect();
    assert_eq!(shown, ["bada", "badb", "bade", "badf", "2 more", "Found"], "{message}");
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
    refuses("[check]\npython = 'a \"b'\n", &["unclosed", "line 2"], "");
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
    let engine = Engine::new(Host {
        files: Arc::new(cst::engine::Disk),
        programs: Arc::new(SystemCommands),
        working_directory: folder.path().to_owned(),
        root: None,
        state: None,
        cache: None,
        cache_limit: None,
        commands: Commands::Any,
        configuration: None,
        observer: Arc::new(Silent),
    });
    let path = folder.path().join("a.py").to_string_lossy().into_owned();
    write(".cst/config.toml", "[check]\npython = './complain.sh'\n");
    engine.trust(Path::new(".")).expect("it can be trusted");
    let message = "not applied: `./complain.sh` newly says: 1:x = bad";
    refused(&ask(&engine, &path, replaced("assignment#x >> integer", "bad")), "would_break_syntax", &[message]);
    applied(&ask(&engine, &path, replaced("assignment#x >> integer", "2")));
    write(".cst/config.toml", "[check]\npython = './nowhere.sh'\n");
    engine.trust(Path::new(".")).expect("it can be trusted");
    refused(&ask(&engine, &path, replaced("assignment#x >> integer", "3")), "bad_request", &["no program"]);
}

#[test]
fn a_text_is_checked_once() {
    let files = Memory::default();
    files.write("/p/.git/HEAD", "");
    files.write("/p/.cst/config.toml", CONFIGURATION);
    files.write("/p/a.py", "x = 0\n");
    let programs = strict();
    let host = Host::at("/p");
    let engine = Engine::new(Host { files: Arc::new(files), programs: programs.clone(), ..host });
    engine.trust(Path::new("/p")).expect("it can be trusted");
    for number in 1..=5 {
        applied(&ask(&engine, "/p/a.py", replaced("integer", &number.to_string())));
        // The text before the first edit, then the one after each: the text before the next was checked already.
        assert_eq!(programs.asked.lock().expect("nothing panicked").len(), 1 + number);
    }
    // A refusal that relies on an earlier result is checked again.
    refused(&ask(&engine, "/p/a.py", replaced("integer", "bad")), "would_break_syntax", &["no `x = bad`"]);
    assert_eq!(programs.asked.lock().expect("nothing panicked").len(), 8);
}

/// Runs a line of the shell.
#[cfg(unix)]
fn shell(
    line: &str,
    input: &[u8],
    deadline: Duration,
    most: usize,
    is_cancelled: &(dyn Fn() -> bool + Sync),
) -> io::Result<CommandOutput> {
    let words = ["sh", "-c", line].map(str::to_owned);
    let folder = std::env::temp_dir();
    let call = ProgramCall::new(&words, &folder, deadline).with_input(input).with_most_output(most);
    SystemCommands.run(&call.cancelled_by(is_cancelled))
}

/// How many processes run that have this word among their arguments.
#[cfg(target_os = "linux")]
fn running(word: &str) -> usize {
    let entries = fs::read_dir("/proc").expect("it is there").flatten();
    let holds = |entry: &fs::DirEntry| {
        let bytes = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let is_zombie = fs::read_to_string(entry.path().join("stat")).is_ok_and(|stat| stat.contains(") Z "));
        !is_zombie && String::from_utf8_lossy(&bytes).contains(word)
    };
    entries.filter(holds).count()
}

#[cfg(target_os = "linux")]
#[track_caller]
fn gone(word: &str) {
    let start = std::time::Instant::now();
    while running(word) > 0 {
        assert!(start.elapsed() < Duration::from_secs(20), "`{word}` still runs");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
#[cfg(unix)]
fn a_program_that_never_ends_is_ended() {
    let never = || false;
    let said = shell("while :; do :; done", b"", Duration::ZERO, 1 << 20, &never);
    assert_eq!(said.expect_err("it has no time").kind(), io::ErrorKind::TimedOut);
    // One that doesn't read what it is given is none of these.
    let input = vec![b'x'; 1 << 20];
    let minute = Duration::from_secs(60);
    let said = shell("echo a; echo b >&2; exit 3", &input, minute, 1 << 20, &never).expect("it ends");
    assert_eq!(said, CommandOutput { output: b"a\nb\n".to_vec(), status: Some(3) });
    // Nor a program that writes before it has read everything.
    let said = shell("cat; cat >&2", &input, minute, 4 << 20, &never).expect("it ends");
    assert_eq!((said.output.len(), said.status), (1 << 20, Some(0)));
    let said = shell("yes", b"", minute, 1 << 20, &never);
    assert_eq!(said.expect_err("it says too much").kind(), io::ErrorKind::FileTooLarge);
}

/// The arguments are numbers that no other process sleeps for.
#[test]
#[cfg(target_os = "linux")]
fn what_a_program_started_is_ended_with_it() {
    use std::sync::atomic::{AtomicBool, Ordering};
    let never = || false;
    let minute = Duration::from_secs(60);
    let said = shell("sleep 98761 & sleep 98761", b"", Duration::from_millis(300), 1 << 20, &never);
    assert_eq!(said.expect_err("it takes too long").kind(), io::ErrorKind::TimedOut);
    gone("98761");
    let said = shell("sleep 98762 & yes", b"", minute, 1 << 20, &never);
    assert_eq!(said.expect_err("it says too much").kind(), io::ErrorKind::FileTooLarge);
    gone("98762");
    let cancelled = AtomicBool::new(false);
    let is_cancelled = || cancelled.load(Ordering::Relaxed);
    let started = std::time::Instant::now();
    std::thread::scope(|scope| {
        let call = scope.spawn(|| shell("sleep 98763 & sleep 98763", b"", minute, 1 << 20, &is_cancelled));
        while running("98763") == 0 {
            assert!(started.elapsed() < minute, "it never started");
            std::thread::sleep(Duration::from_millis(5));
        }
        cancelled.store(true, Ordering::Relaxed);
        let said = call.join().expect("it does not panic");
        assert_eq!(said.expect_err("it is cancelled").kind(), io::ErrorKind::Interrupted);
    });
    assert!(started.elapsed() < minute / 2, "it ran on");
    gone("98763");
    // A finished program does not wait for its children that keep its output open.
    let said = shell("echo a; sleep 98764 & exit 0", b"", minute, 1 << 20, &never).expect("it ends");
    assert_eq!(said, CommandOutput { output: b"a\n".to_vec(), status: Some(0) });
    gone("98764");
}

/// What Ctrl-C does: the terminal sends it to the program alone, since the check is in a group of its own.
#[test]
#[cfg(target_os = "linux")]
fn an_interrupt_ends_the_check_too() {
    // A program that a shell has started in the background ignores Ctrl-C, and so do those that it starts.
    let status = fs::read_to_string("/proc/self/status").expect("Linux has it");
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).expect("it is listed").trim();
    if u64::from_str_radix(ignored, 16).expect("a mask") & 1 << (2 - 1) != 0 {
        eprintln!("Ctrl-C is ignored here, so that nothing was interrupted");
        return;
    }
    let folder = tempfile::TempDir::new().expect("a temporary folder");
    let write = |path: &str, text: &str| fs::write(folder.path().join(path), text).expect("it can be written");
    fs::create_dir(folder.path().join(".cst")).expect("a folder");
    write(".cst/config.toml", "[check]\npython = 'sh -c \"sleep 98765 & sleep 98765\"'\n");
    write("a.py", "x = 1\n");
    let cst = |words: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_cst"));
        command.args(words).current_dir(folder.path()).env("CST_STATE", folder.path().join("state"));
        command.stdout(std::process::Stdio::null());
        command
    };
    assert!(cst(&["trust"]).status().expect("it runs").success());
    let mut edit = cst(&["modify", "a.py", "--write", "replace", "integer", "2"]).spawn().expect("it starts");
    let started = std::time::Instant::now();
    while running("98765") < 2 {
        assert!(started.elapsed() < Duration::from_secs(60), "the check never started");
        std::thread::sleep(Duration::from_millis(5));
    }
    let sent = std::process::Command::new("kill").args(["-INT", &edit.id().to_string()]).status();
    assert!(sent.expect("kill is there").success());
    let status = edit.wait().expect("it ends");
    assert_eq!(std::os::unix::process::ExitStatusExt::signal(&status), Some(2));
    gone("98765");
    assert_eq!(fs::read_to_string(folder.path().join("a.py")).expect("it is there"), "x = 1\n");
}
