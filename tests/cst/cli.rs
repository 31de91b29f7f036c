//! The command line, end to end: the program is run, in a folder and with a session store of its own.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// What a run of the program left.
pub(super) struct Run {
    pub(super) status: i32,
    pub(super) stdout: String,
    pub(super) stderr: String,
}

impl Run {
    /// The object that it printed.
    pub(super) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error} in {:?}", self.stdout))
    }

    /// The code of the error that it printed.
    pub(super) fn error(&self) -> String {
        self.json()["error"]["code"].as_str().expect("an error has a code").to_owned()
    }

    /// The run, if it ended so.
    #[track_caller]
    pub(super) fn expect(self, status: i32) -> Run {
        assert_eq!(self.status, status, "\nstdout: {}\nstderr: {}", self.stdout, self.stderr);
        self
    }
}

/// A folder to work in, with a store of its own.
pub(super) struct Place {
    folder: TempDir,
    state: TempDir,
}

impl Place {
    pub(super) fn new() -> Place {
        let made = || tempfile::tempdir().expect("a temporary folder can be made");
        Place { folder: made(), state: made() }
    }

    /// A place with the sample of Python as `shop.py`.
    pub(super) fn with_sample() -> Place {
        let place = Place::new();
        std::fs::copy(sample(), place.path("shop.py")).expect("the sample can be copied");
        place
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Where the user's own configuration is.
    pub(super) fn configuration(&self) -> PathBuf {
        self.state.path().to_owned()
    }

    /// Where indexes are kept.
    pub(super) fn cache(&self) -> PathBuf {
        self.state.path().join("cache")
    }

    pub(super) fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("a file has a folder")).expect("the folder can be made");
        std::fs::write(path, text).expect("the file can be written");
    }

    /// Writes a file of the user's configuration.
    pub(super) fn configure(&self, name: &str, text: &str) {
        let path = self.state.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a file has a folder")).expect("the folder can be made");
        std::fs::write(path, text).expect("the file can be written");
    }

    pub(super) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).expect("the file is text")
    }

    pub(super) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cst"));
        command
            .args(arguments)
            .current_dir(self.folder.path())
            .env("CST_STATE", self.state.path())
            .env("CST_CACHE", self.cache())
            .env("XDG_CONFIG_HOME", self.state.path());
        for variable in ["COLUMNS", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
            command.env_remove(variable);
        }
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    pub(super) fn run(&self, arguments: &[&str]) -> Run {
        ended(self.command(arguments), None)
    }

    /// Runs with something on standard input.
    pub(super) fn feed(&self, arguments: &[&str], input: &str) -> Run {
        ended(self.command(arguments), Some(input))
    }

    /// Loads a file and gives its tree's id.
    pub(super) fn load(&self, name: &str) -> String {
        let loaded = self.run(&["load", name, "--json"]).expect(0).json();
        loaded["trees"][0]["tree_id"].as_str().expect("a tree has an id").to_owned()
    }
}

pub(super) fn ended(mut command: Command, input: Option<&str>) -> Run {
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

pub(super) fn sample() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("selectors/python/sample.py")
}

/// A module of Python's standard library, where there is a Python.
pub(super) fn standard_module(name: &str) -> Option<PathBuf> {
    let question = "import sysconfig; print(sysconfig.get_paths()['stdlib'])";
    let Ok(answer) = Command::new("python3").args(["-c", question]).output() else {
        assert!(std::env::var_os("CI").is_none(), "there is no Python");
        return None;
    };
    let folder = PathBuf::from(String::from_utf8(answer.stdout).ok()?.trim());
    Some(folder.join(name)).filter(|path| path.is_file())
}

mod finding {
    use super::{BufRead, BufReader, Place, Value};

    #[test]
    fn a_line_a_match_and_the_count_beside() {
        let place = Place::with_sample();
        let run = place.run(&["find", "class#Colour", "shop.py"]).expect(0);
        let line = run.stdout.trim_end();
        let (front, id) = line.rsplit_once("  ").expect("columns are two spaces apart");
        assert_eq!(front, "shop.py:38:1: class  Colour");
        assert!(id.starts_with('n') && id[1..].parse::<u32>().is_ok(), "{id}");
        assert_eq!(run.stderr, "1 match\n");
    }

    #[test]
    fn over_folders_ids_are_given_when_asked_for() {
        let place = Place::with_sample();
        place.write("inner/other.py", "def f():\n    pass\n");
        let plain = place.run(&["find", "function#f"]).expect(0);
        assert_eq!(plain.stdout, "inner/other.py:1:1: function  f\n");
        assert_eq!(plain.stderr, "1 match in 1 of 2 files\n");
        let with_ids = place.run(&["find", "function#f", "--ids"]).expect(0);
        let tree = place.run(&["find", "function#f", "inner/other.py"]).expect(0);
        assert_eq!(with_ids.stdout, tree.stdout);
    }

    #[test]
    fn json_has_the_promised_fields() {
        let place = Place::with_sample();
        let found = place.run(&["find", "class#Item@c > method#slug", "shop.py", "--json", "--code"]).expect(0).json();
        let row = &found["matches"][0];
        for (field, value) in [("path", "shop.py"), ("type", "function_definition"), ("kind", "method")] {
            assert_eq!(row[field], value, "{row}");
        }
        assert_eq!(row["qualname"], "Item.slug");
        assert_eq!(row["name"], "slug");
        assert_eq!(row["code"], "def slug(self): return self.name.lower() or \"none\"");
        assert_eq!(row["start_line"], row["end_line"]);
        assert_eq!(row["start_col"], 5);
        assert!(row["captures"]["c"]["text"].as_str().expect("text").starts_with("class Item"));
        assert_eq!((&found["total"], &found["truncated"]), (&Value::from(1), &Value::from(false)));
        assert_eq!(found["files"]["searched"], 1);
        assert_eq!(found["files"]["with_errors"], Value::from(Vec::<String>::new()));
    }

    #[test]
    fn json_lines_are_the_matches() {
        let place = Place::with_sample();
        let lines = place.run(&["find", "class", "shop.py", "--jsonl"]).expect(0);
        let names: Vec<Value> = lines.stdout.lines().map(|line| serde_json::from_str(line).expect("json")).collect();
        let listed = place.run(&["find", "class", "shop.py", "--json"]).expect(0).json();
        assert_eq!(Value::from(names), listed["matches"]);
    }

    #[test]
    fn standard_input_is_a_file() {
        let place = Place::new();
        let source = "class A:\n    def get(self): pass\n";
        let named = place.feed(&["find", "class > function", "-", "--stdin-filename", "app.py"], source).expect(0);
        assert!(named.stdout.starts_with("app.py:2:5: method  A.get  n"), "{}", named.stdout);
        let told = place.feed(&["find", "class > function", "-", "--language", "python"], source).expect(0);
        assert!(told.stdout.starts_with("-:2:5: method  A.get  n"), "{}", told.stdout);
        let nameless = place.feed(&["find", "class", "-"], source).expect(2);
        assert!(nameless.stderr.contains("--stdin-filename") && nameless.stderr.contains("-t"), "{}", nameless.stderr);
    }

    #[test]
    fn simple_filters_stand_for_a_selector() {
        let place = Place::with_sample();
        let check = |filters: &[&str], selector: &str| {
            let filtered = place.run(&[&["find", "shop.py"], filters].concat()).expect(0);
            assert_eq!(filtered.stdout, place.run(&["find", selector, "shop.py"]).expect(0).stdout);
        };
        check(&["--kind", "method"], "method");
        check(&["--type", "call", "--name", "print"], "[type='call']#print");
        check(&["--qualname", "Shop.find", "--kind", "function"], "function[qualname='Shop.find']");
        check(&["--lines", "1-60", "--kind", "class"], "class:lines(1-60)");
        let source = "def app(): pass\ndef main(): pass\n";
        let both = ["find", "-", "--stdin-filename", "a.py", "--name", "main", "--kind", "function"];
        assert!(place.feed(&both, source).expect(0).stdout.starts_with("a.py:2:1: function  main  n"));
    }

    #[test]
    fn a_selector_from_a_file() {
        let place = Place::with_sample();
        place.write("query.txt", "/* classes */\nclass#Item\n");
        let run = place.run(&["find", "-f", "query.txt", "shop.py"]).expect(0);
        assert_eq!(run.stdout, place.run(&["find", "class#Item", "shop.py"]).expect(0).stdout);
    }

    #[test]
    fn counts_files_and_limits() {
        let place = Place::with_sample();
        place.write("b.py", "def g(): pass\n");
        let all = place.run(&["find", "function"]).expect(0).stdout.lines().count();
        let count = place.run(&["find", "function", "--count"]).expect(0);
        assert_eq!(count.stdout, format!("{all}\n"));
        assert_eq!(place.run(&["find", "function", "--files"]).expect(0).stdout, "b.py\nshop.py\n");
        let limited = place.run(&["find", "function", "--limit", "2"]).expect(0);
        assert_eq!(limited.stdout.lines().count(), 2);
        assert!(
            limited.stderr.contains("2 matches listed, --limit reached; 1 file not searched")
                || limited.stderr.contains("2 of "),
            "{}",
            limited.stderr
        );
    }

    #[test]
    fn nothing_found_is_an_answer() {
        let place = Place::with_sample();
        let run = place.run(&["find", "class#Nobody", "shop.py"]).expect(1);
        assert_eq!(run.stdout, "");
        assert!(run.stderr.starts_with("nothing found in 1 file\nnear: shop.py:"), "{}", run.stderr);
        let json = place.run(&["find", "class#Nobody", "shop.py", "--json"]).expect(1).json();
        assert_eq!(json["total"], 0);
    }

    #[test]
    fn one_is_required() {
        let place = Place::with_sample();
        place.run(&["find", "class#Item", "shop.py", "--require-one"]).expect(0);
        assert_eq!(place.run(&["find", "class", "shop.py", "--require-one", "--json"]).expect(2).error(), "ambiguous");
        assert_eq!(
            place.run(&["find", "class#No", "shop.py", "--require-one", "--json"]).expect(2).error(),
            "no_match"
        );
    }

    #[test]
    fn definitions_of_ones_own() {
        let place = Place::with_sample();
        let run = place.run(&["find", "--define", ":quiet = class:not([doc])", ":quiet", "shop.py"]).expect(0);
        assert_eq!(run.stdout, place.run(&["find", "class:not([doc])", "shop.py"]).expect(0).stdout);
    }

    #[test]
    fn what_cannot_be_read_is_said() {
        let place = Place::with_sample();
        // Files that cannot match are not parsed, so their errors are not reported.
        place.write("broken.py", "def f(:\n    # class Item\n");
        std::fs::write(place.path("latin.py"), b"# caf\xe9\n").expect("the file can be written");
        place.write("notes.xyz", "hello\n");
        let run = place.run(&["find", "class#Item"]).expect(0);
        assert_eq!(run.stdout.lines().count(), 1);
        for said in [
            "warning: broken.py",
            "skipped 1 file, binary or in an unknown encoding: latin.py",
            "1 match in 1 of 2 files",
        ] {
            assert!(run.stderr.contains(said), "no {said} in {}", run.stderr);
        }
        let files = place.run(&["find", "class#Item", "--json"]).expect(0).json()["files"].clone();
        assert_eq!(files["with_errors"][0], "broken.py");
        assert_eq!(files["skipped"][0]["path"], "latin.py");
        let told = place.run(&["find", "comment", "latin.py", "--encoding", "latin1", "--code"]).expect(0);
        assert!(told.stdout.contains("# café"), "{}", told.stdout);
    }

    #[test]
    fn a_closed_pipe_ends_it_quietly() {
        let place = Place::new();
        place.write("long.py", &"value = [1, 2, 3]\n".repeat(2_000));
        for arguments in [["find", "*", "long.py"], ["show", "long.py", "--as=tree"], ["find", "*", "--jsonl"]] {
            let mut child = place.command(&arguments).spawn().expect("the program starts");
            let mut line = String::new();
            let mut stdout = BufReader::new(child.stdout.take().expect("it was piped"));
            stdout.read_line(&mut line).expect("it prints something");
            drop(stdout);
            let output = child.wait_with_output().expect("the program ends");
            assert_eq!(output.status.code(), Some(0), "{arguments:?}");
            assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments:?}");
            assert!(!line.is_empty());
        }
    }

    #[test]
    fn colour_is_for_who_wants_it() {
        let place = Place::with_sample();
        let has_colour = |arguments: &[&str]| {
            let words = [&["find", "class", "shop.py"], arguments].concat();
            place.run(&words).expect(0).stdout.contains('\u{1b}')
        };
        assert!(!has_colour(&[]));
        assert!(!has_colour(&["--color", "never"]));
        assert!(has_colour(&["--color", "always"]));
        assert!(!has_colour(&["--json", "--color", "always"]));
    }
}

mod mistakes {
    use super::Place;

    /// The output must contain all of these.
    #[track_caller]
    fn check(arguments: &[&str], said: &[&str]) {
        let place = Place::with_sample();
        let run = place.run(arguments).expect(2);
        assert_eq!(run.stdout, "");
        for words in said {
            assert!(run.stderr.contains(words), "no {words:?} in:\n{}", run.stderr);
        }
        let run = place.run(&[&["--json"], arguments].concat()).expect(2);
        let error = run.json()["error"].clone();
        assert!(error["message"].as_str().is_some_and(|message| !message.is_empty()), "{error}");
        assert_eq!(error["written"], false);
    }

    #[test]
    fn a_word_that_is_nearly_right() {
        check(&["fnd", "class"], &["'fnd'", "`find`"]);
        check(&["find", "class", "--jsn"], &["'--json'"]);
        check(&["modify", "shop.py", "rplace", "n3", "x"], &["`replace`"]);
        check(&["modify", "shop.py", "insert", "bfore", "n3", "x"], &["'before'"]);
    }

    #[test]
    fn a_selector_with_a_slip() {
        check(
            &["find", "class > function:frist", "shop.py"],
            &[
                "error: unknown pseudo-class `:frist`\n  class > function:frist\n                   ^^^^^ did you mean `:first`?",
            ],
        );
        check(&["find", "fucntion", "shop.py"], &["`fucntion`", "^^^^^^^^", "`function`"]);
        check(&["find", "class >", "shop.py"], &["error: ", "class >"]);
    }

    #[test]
    fn words_in_the_wrong_order_or_without_quotes() {
        check(&["find", "shop.py", "class"], &["`shop.py` is a path", "cst find 'class' shop.py"]);
        check(&["find", "class", "function:first", "shop.py"], &["quote", "'class function:first' shop.py"]);
    }

    #[test]
    fn what_is_missing() {
        check(&["find"], &["selector", "hint: "]);
        check(&["find", "class", "nowhere.py"], &["nowhere.py"]);
        check(&["show", "nowhere.py"], &["nowhere.py"]);
        check(&["modify", "shop.py"], &["what to do with `shop.py` is missing", "--ops"]);
        check(&["modify", "shop.py", "replace", "class#Item", "@nothing"], &["no file `nothing`", "space"]);
        check(&["modify", "shop.py", "--ops", "nothing.json"], &["no file `nothing.json`"]);
        check(&["load"], &["<FILE>"]);
        check(&["save", "0123456789"], &["0123456789"]);
    }

    #[test]
    fn a_folder_where_a_file_is_meant() {
        let place = Place::with_sample();
        place.write("inner/a.py", "x = 1\n");
        for arguments in [&["load", "inner"][..], &["show", "inner"], &["modify", "inner", "delete", "n1"]] {
            let run = place.run(&[&["--json"], arguments].concat()).expect(2);
            assert_eq!(run.error(), "bad_request", "{arguments:?}");
        }
    }
}

mod looking {
    use super::Place;

    #[test]
    fn a_node_with_its_code() {
        let place = Place::with_sample();
        let run = place.run(&["show", "shop.py", "class#Colour"]).expect(0);
        let lines: Vec<&str> = run.stdout.lines().collect();
        assert!(lines[0].starts_with("shop.py:38:1: class  Colour  n"), "{}", lines[0]);
        assert_eq!(lines[1], "  38  class Colour(Enum):");
        assert_eq!(lines[2], "  39      \"\"\"Colours that an item may have.\"\"\"");
        let inner = place.run(&["show", "shop.py", "class#Item > method#slug"]).expect(0);
        assert!(
            inner.stdout.lines().nth(1).is_some_and(|line| line.contains("      def slug(self)")),
            "{}",
            inner.stdout
        );
    }

    #[test]
    fn other_forms() {
        let place = Place::with_sample();
        let tree = place.run(&["show", "shop.py", "class#Colour", "--as", "tree", "--depth", "2"]).expect(0);
        assert!(tree.stdout.contains("class_definition") && tree.stdout.contains("name"), "{}", tree.stdout);
        let dot = place.run(&["show", "shop.py", "class#Colour", "--as", "dot"]).expect(0);
        assert!(dot.stdout.starts_with("digraph"), "{}", dot.stdout);
        let json = place.run(&["show", "shop.py", "class#Colour", "--as", "json"]).expect(0);
        assert!(json.json().is_object());
        let signature = place.run(&["show", "shop.py", "method#parse", "--as", "signature"]).expect(0);
        assert!(signature.stdout.contains("def parse(text, /, sep=\",\", *, strict)"), "{}", signature.stdout);
    }

    #[test]
    fn a_place() {
        let place = Place::with_sample();
        let run = place.run(&["show", "shop.py", "--at", "39"]).expect(0);
        assert!(run.stdout.contains("parents:") && run.stdout.contains("class  Colour"), "{}", run.stdout);
    }

    #[test]
    fn an_outline() {
        let place = Place::with_sample();
        let run = place.run(&["outline", "shop.py"]).expect(0);
        assert!(run.stdout.starts_with("shop.py  (python, "), "{}", run.stdout);
        assert!(run.stdout.contains("class Colour(Enum)"));
        let plain = place.run(&["outline", "shop.py", "--no-ids"]).expect(0);
        assert_eq!(plain.stdout.lines().count(), run.stdout.lines().count());
        for (plain, full) in plain.stdout.lines().zip(run.stdout.lines()) {
            assert!(full.starts_with(plain), "{plain:?} {full:?}");
            assert!(plain.len() < full.len() || plain.starts_with("shop.py"), "{plain:?}");
        }
        place.write("b.py", "def g(): pass\n");
        let limited = place.run(&["outline", "--max-files", "1"]).expect(0);
        assert!(limited.stdout.ends_with("1 more file (only 1 shown: narrow the path, or raise --max-files)\n"));
        let cline = place.run(&["outline", "b.py", "--as", "cline"]).expect(0);
        assert_eq!(cline.stdout, "b.py\n|----\n│def g(): pass\n|----\n");
    }

    #[test]
    fn syntax_errors() {
        let place = Place::with_sample();
        let sound = place.run(&["check"]).expect(0);
        assert_eq!((sound.stdout.as_str(), sound.stderr.as_str()), ("", "no syntax error in 1 file\n"));
        place.write("broken.py", "def f():\n    return (1\n");
        let broken = place.run(&["check"]).expect(1);
        assert!(broken.stdout.starts_with("broken.py:"), "{}", broken.stdout);
        let json = place.run(&["check", "--json"]).expect(1).json();
        assert_eq!(json["files"][0]["path"], "broken.py");
        assert_eq!(json["total"], broken.stdout.lines().count());
    }

    #[test]
    fn how_a_selector_was_read() {
        let place = Place::with_sample();
        let run = place.run(&["explain", "class > function[name^=\"fetch\"]", "shop.py"]).expect(0);
        assert!(run.stdout.starts_with("read as: "), "{}", run.stdout);
        let json = place.run(&["explain", "class > function", "shop.py", "--json"]).expect(0).json();
        assert!(json["steps"].as_array().is_some_and(|steps| steps.len() == 2), "{json}");
    }

    #[test]
    fn languages() {
        let place = Place::new();
        let run = place.run(&["languages"]).expect(0);
        assert!(run.stdout.lines().any(|line| line.starts_with("python  .py ")), "{}", run.stdout);
        let json = place.run(&["languages", "--json"]).expect(0).json();
        let rows = json["languages"].as_array().expect("rows");
        let python = rows.iter().find(|row| row["name"] == "python").expect("Python is built in");
        assert!(python["kinds"].as_array().is_some_and(|kinds| kinds.iter().any(|kind| kind == "class")));
    }
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
        "find",
        "outline",
        "chunk",
        "show",
        "check",
        "metrics",
        "duplicates",
        "symbols",
        "refs",
        "callers",
        "callees",
        "hierarchy",
        "deps",
        "search",
        "map",
        "impact",
        "unused",
        "index",
        "explain",
        "load",
        "modify",
        "rewrite",
        "refactor",
        "run",
        "scan",
        "rules",
        "test",
        "undo",
        "redo",
        "diff",
        "save",
        "trees",
        "drop",
        "backups",
        "languages",
        "trust",
        "rpc",
        "mcp",
        "pipe",
        #[cfg(feature = "ui")]
        "ui",
        "agent",
        "hook",
        "journal",
        "completions",
        "man",
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

    /// The words that fish offers after a line; asked only where there is one.
    fn offered_by_fish(script: &str, line: &str) -> Option<Vec<String>> {
        let asked = format!("{script}\ncomplete -C '{line}'");
        let fish = std::process::Command::new("fish").args(["--no-config", "-c", &asked]).output().ok()?;
        let words = String::from_utf8_lossy(&fish.stdout);
        Some(words.lines().filter_map(|line| line.split('\t').next()).map(str::to_owned).collect())
    }

    #[test]
    fn fish_offers_values_and_no_files() {
        let script = shown(&["completions", "fish"]).stdout;
        for (condition, value) in [("completions", "zsh"), ("man", "find")] {
            let line = format!("complete -c cst -n \"__fish_cst_using_subcommand {condition}\" -f -a \"{value}\"");
            assert!(script.contains(&line), "{line}");
        }
        assert!(script.contains("        set -e cmd[-1]\n"), "a value before the command is completed");
        for (line, word) in [
            ("cst completions ", "zsh"),
            ("cst --color ", "never"),
            ("cst --color always fi", "find"),
            ("cst find --color ", "never"),
            ("cst man fin", "find"),
        ] {
            let Some(offered) = offered_by_fish(&script, line) else { return };
            assert!(offered.iter().any(|offered| offered == word), "{line}: {offered:?}");
            assert!(
                !offered.iter().any(|offered| offered.contains('/') || offered.contains(".toml")),
                "{line}: {offered:?}"
            );
        }
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
