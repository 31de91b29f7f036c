//! The command line, end to end: the program is run, in a folder and with a session store of its own.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// What a run of the program left.
struct Run {
    status: i32,
    stdout: String,
    stderr: String,
}

impl Run {
    /// The object that it printed.
    fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error} in {:?}", self.stdout))
    }

    /// The code of the error that it printed.
    fn error(&self) -> String {
        self.json()["error"]["code"].as_str().expect("an error has a code").to_owned()
    }

    /// The run, if it ended so.
    #[track_caller]
    fn expect(self, status: i32) -> Run {
        assert_eq!(self.status, status, "\nstdout: {}\nstderr: {}", self.stdout, self.stderr);
        self
    }
}

/// A folder to work in, with a store of its own.
struct Place {
    folder: TempDir,
    state: TempDir,
}

impl Place {
    fn new() -> Place {
        let made = || tempfile::tempdir().expect("a temporary folder can be made");
        Place { folder: made(), state: made() }
    }

    /// A place with the sample of Python as `shop.py`.
    fn with_sample() -> Place {
        let place = Place::new();
        std::fs::copy(sample(), place.path("shop.py")).expect("the sample can be copied");
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("a file has a folder")).expect("the folder can be made");
        std::fs::write(path, text).expect("the file can be written");
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).expect("the file is text")
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cst"));
        command.args(arguments).current_dir(self.folder.path()).env("CST_STATE", self.state.path());
        for variable in ["COLUMNS", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
            command.env_remove(variable);
        }
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn run(&self, arguments: &[&str]) -> Run {
        ended(self.command(arguments), None)
    }

    /// Runs with something on standard input.
    fn feed(&self, arguments: &[&str], input: &str) -> Run {
        ended(self.command(arguments), Some(input))
    }

    /// Loads a file and gives its tree's id.
    fn load(&self, name: &str) -> String {
        let loaded = self.run(&["load", name, "--json"]).expect(0).json();
        loaded["trees"][0]["tree_id"].as_str().expect("a tree has an id").to_owned()
    }
}

fn ended(mut command: Command, input: Option<&str>) -> Run {
    if input.is_some() {
        command.stdin(Stdio::piped());
    }
    let mut child = command.spawn().expect("the program starts");
    if let Some(input) = input {
        // The program may end before it has read all.
        let _ = child.stdin.take().expect("it was piped").write_all(input.as_bytes());
    }
    let output = child.wait_with_output().expect("the program ends");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("the output is utf-8");
    Run {
        status: output.status.code().expect("no signal ended it"),
        stdout: text(output.stdout),
        stderr: text(output.stderr),
    }
}

fn sample() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("selectors/python/sample.py")
}

/// A module of Python's standard library, where there is a Python.
fn standard_module(name: &str) -> Option<PathBuf> {
    let question = "import sysconfig; print(sysconfig.get_paths()['stdlib'])";
    let answer = Command::new("python3").args(["-c", question]).output().ok()?;
    let folder = PathBuf::from(String::from_utf8(answer.stdout).ok()?.trim());
    Some(folder.join(name)).filter(|path| path.is_file())
}

mod help {
    use super::{Place, Run};

    fn shown(arguments: &[&str]) -> Run {
        Place::new().run(arguments).expect(0)
    }

    /// Compares with the file in `snapshots/`.
    fn check(name: &str, arguments: &[&str]) {
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path("../../snapshots");
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.bind(|| insta::assert_snapshot!(name, shown(arguments).stdout));
    }

    const COMMANDS: &[&str] = &[
        "find", "outline", "show", "check", "explain", "load", "modify", "undo", "redo", "diff", "save", "trees", "drop",
        "backups", "languages", "completions", "man",
    ];

    #[test]
    fn of_every_command() {
        check("help", &["--help"]);
        for command in COMMANDS {
            check(&format!("help-{command}"), &[command, "--help"]);
        }
    }

    #[test]
    fn alone_it_shows_help() {
        assert_eq!(shown(&[]).stdout, shown(&["-h"]).stdout);
    }

    #[test]
    fn every_command_is_tested() {
        let help = shown(&["--help"]).stdout;
        let listed = help.split("Commands:").nth(1).and_then(|rest| rest.split("\n\n").next()).unwrap_or_default();
        let listed = listed.lines().filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help");
        assert_eq!(listed.collect::<Vec<_>>(), COMMANDS);
    }

    #[test]
    fn completions_and_manual() {
        for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
            assert!(shown(&["completions", shell]).stdout.contains("replace-range"), "{shell}");
        }
        assert!(shown(&["man"]).stdout.contains(".TH cst 1"));
        assert!(shown(&["man", "find"]).stdout.contains(".TH cst-find 1"));
    }
}
