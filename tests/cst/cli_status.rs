//! Exit statuses: 0 done or found; 1 nothing found, nothing to change, a check failed; 2 an error, of single files too.

use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use serde_json::{Value, json};

use crate::cli::{Place, Run, ended};

const SCRIPT: &str =
    "name = \"s\"\nlanguage = \"python\"\n[[step]]\nselect = \"identifier[text=old]\"\nreplace = \"new\"\n";

/// A place with a file for each situation.
fn place() -> Place {
    let place = Place::new();
    place.write("a.py", "def f():\n    return old\n");
    place.write("b.py", "def g():\n    pass\n");
    place.write("broken.py", "def f(:\n");
    place.write("latin.py", "x = 1\n");
    std::fs::write(place.path("latin.py"), b"x = '\xe9'\n").unwrap();
    place.write("README", "words\n");
    place.write("LICENSE", "words\n");
    place.write("s.toml", SCRIPT);
    place.write("t.toml", "name = \"t\"\nlanguage = \"python\"\n[[step]]\nselect = \"pass\"\nreplace = \"...\"\n\n[[test]]\nname = \"x\"\nbefore = \"pass\\n\"\nafter = \"...\\n\"\n");
    place
}

#[track_caller]
fn status(place: &Place, words: &str, expected: i32) -> Run {
    let words: Vec<&str> = words.split_whitespace().collect();
    let run = place.run(&words);
    assert_eq!(run.status, expected, "cst {}\nstdout: {}\nstderr: {}", words.join(" "), run.stdout, run.stderr);
    run
}

#[test]
fn every_command_ends_as_documented() {
    let place = place();
    let rows = [
        // Found or done, nothing found, a missing file among others, an unreadable one among others, only a missing
        // file, wrong arguments.
        ("find identifier#old a.py", 0),
        ("find identifier#old b.py", 1),
        ("find identifier#old a.py gone.py", 2),
        ("find identifier#old gone.py a.py -q", 2),
        ("find identifier#old latin.py", 2),
        ("find identifier#old a.py latin.py", 2),
        ("find identifier#old gone.py", 2),
        ("find identifier#old gone.py lost.py", 2),
        ("find identifier#old a.py broken.py", 0),
        ("find identifier#old a.py README LICENSE", 0),
        ("find identifier#old b.py README", 1),
        ("find nosuchkind a.py", 2),
        ("find -c identifier#old a.py", 0),
        ("find -c identifier#old b.py", 1),
        ("find -l identifier#old a.py b.py", 0),
        ("find -q identifier#old a.py b.py", 0),
        ("find -q identifier#old b.py", 1),
        ("refs g .", 1),
        ("refs nosuch .", 2),
        ("symbols f .", 0),
        ("symbols nosuch .", 1),
        ("callers g .", 1),
        ("callees g .", 1),
        ("refs f .", 2),
        ("search f", 0),
        ("search nosuchword", 1),
        ("search kind:function", 2),
        ("map", 0),
        ("map --focus nosuch", 2),
        ("unused", 0),
        ("unused nosuch", 2),
        ("impact --symbol f", 2),
        ("refactor rename a.py::f new_f", 0),
        ("refactor rename nosuch x", 2),
        ("refactor rename a.py::f class", 2),
        ("check a.py", 0),
        ("check broken.py", 1),
        ("check broken.py gone.py", 2),
        ("check a.py gone.py", 2),
        ("check a.py latin.py", 2),
        ("check a.py README", 0),
        ("check -q broken.py", 1),
        ("outline a.py", 0),
        ("outline a.py gone.py", 2),
        ("outline a.py latin.py", 2),
        ("outline broken.py", 0),
        ("outline gone.py", 2),
        ("chunk a.py", 0),
        ("chunk a.py gone.py", 2),
        ("chunk gone.py", 2),
        ("show a.py function#f", 0),
        ("show a.py function#nope", 2),
        ("show gone.py", 2),
        ("explain function a.py", 0),
        ("explain function gone.py", 2),
        ("index .", 0),
        ("index --clear .", 0),
        ("index gone .", 2),
        ("index --cache .", 2),
        ("load a.py", 0),
        ("load a.py gone.py", 2),
        ("load --tree a.py", 2),
        ("modify a.py rename function#f h", 0),
        ("modify a.py rename function#f f", 1),
        ("modify a.py rename function#f f --write", 1),
        ("modify a.py rename function#f h --check", 1),
        ("modify a.py rename function#f f --check", 0),
        ("modify a.py rename function#nope h", 2),
        ("modify gone.py rename function#nope h", 2),
        ("rewrite identifier#old new a.py", 0),
        ("rewrite identifier#old new b.py", 1),
        ("rewrite identifier#old old a.py", 1),
        ("rewrite identifier#old new b.py --write", 1),
        ("rewrite identifier#old new a.py --check", 1),
        ("rewrite identifier#old new b.py --check", 0),
        ("rewrite identifier#old new a.py gone.py", 2),
        ("rewrite identifier#old new a.py latin.py --check", 2),
        ("rewrite identifier#old new gone.py", 2),
        ("run s.toml a.py", 0),
        ("run s.toml b.py", 1),
        ("run s.toml b.py --write", 1),
        ("run s.toml a.py --check", 1),
        ("run s.toml b.py --check", 0),
        ("run s.toml a.py gone.py", 2),
        ("run gone.toml a.py", 2),
        ("test t.toml", 0),
        ("test gone.toml", 2),
        ("undo 00000000", 2),
        ("redo 00000000", 2),
        ("diff 00000000", 2),
        ("save 00000000", 2),
        ("drop 00000000", 2),
        ("backups", 1),
        ("journal", 1),
        ("languages", 0),
        ("languages python --selectors", 0),
        ("languages klingon", 2),
        ("completions bash", 0),
        ("completions bash --json", 2),
        ("man find", 0),
        ("man nope", 2),
        ("man --state x", 2),
        ("mcp --json", 2),
        ("rpc --jsonl", 2),
        ("agent list", 0),
        ("agent list --state x", 2),
        ("help nope", 2),
        ("nope", 2),
        ("find -Q x", 2),
    ];
    for (words, expected) in rows {
        status(&place, words, expected);
    }
    assert!(rows.len() > 80);
    // What can't be changed stays as it is.
    assert_eq!(place.read("a.py"), "def f():\n    return old\n");
}

#[test]
fn lists_and_differences_of_trees() {
    let place = place();
    status(&place, "trees", 1);
    let tree = place.load("a.py");
    status(&place, "trees", 0);
    status(&place, &format!("diff {tree}"), 1);
    status(&place, &format!("modify {tree} rename function#f h"), 0);
    let changed = status(&place, &format!("diff {tree} -q"), 0);
    assert_eq!((changed.stdout.as_str(), changed.stderr.as_str()), ("", ""));
    let dropped = status(&place, &format!("drop {tree} --jsonl"), 0).json();
    assert_eq!(dropped["dropped"], true);
}

#[test]
fn one_missing_file_does_not_stop_the_others() {
    let place = place();
    let found = status(&place, "find identifier#old gone.py a.py", 2);
    assert!(found.stdout.contains("a.py:2:12: "), "{}", found.stdout);
    assert!(found.stderr.contains("error: gone.py: no file or folder `gone.py`"), "{}", found.stderr);
    let answer = status(&place, "find identifier#old gone.py a.py --json", 2).json();
    assert_eq!((&answer["total"], &answer["schema"]), (&1.into(), &1.into()));
    assert_eq!(answer["files"]["skipped"][0]["error"]["code"], "not_found");
    let checked = status(&place, "check README LICENSE broken.py", 1);
    assert!(
        checked.stderr.contains("skipped 2 files in an unrecognised language: README, LICENSE"),
        "{}",
        checked.stderr
    );
    assert!(checked.stderr.lines().count() == 2, "{}", checked.stderr);
    let written = status(&place, "rewrite identifier#old new a.py gone.py -U", 2);
    assert!(place.read("a.py").contains("return new"), "{}", written.stderr);
}

#[test]
fn unreadable_files_are_errors() {
    let place = place();
    place.write("dir/ok.py", "old\n");
    place.write("dir/no.py", "old\n");
    let no = place.path("dir/no.py");
    std::fs::set_permissions(&no, std::fs::Permissions::from_mode(0o000)).unwrap();
    // A privileged user reads everything.
    let expected = if std::fs::read(&no).is_ok() { 0 } else { 2 };
    status(&place, "find identifier#old dir", expected);
    status(&place, "check dir", expected);
}

#[test]
fn programs_get_objects_alone() {
    let place = place();
    let tree = place.load("b.py");
    for words in [
        "find identifier a.py b.py",
        "find -l identifier a.py b.py",
        "find -c identifier a.py b.py",
        "outline a.py b.py",
        "chunk a.py b.py",
        "check broken.py a.py",
        "explain function a.py",
        "show a.py function#f",
        "load a.py",
        "trees",
        "languages",
        "index .",
        "rewrite identifier#old new a.py",
        "run s.toml a.py",
        "test t.toml",
        "modify a.py rename function#f h",
        "find nosuchkind a.py",
        "find --nosuchoption",
        "journal",
        "agent list",
    ] {
        let mut words: Vec<&str> = words.split(' ').collect();
        let mut command = words.clone();
        command.push("--json");
        let whole: Value = place.run(&command).json();
        assert!(whole.is_object(), "{words:?}");
        assert_eq!(whole["schema"], 1, "{words:?}: {whole}");
        words.push("--jsonl");
        let lines = place.run(&words).stdout;
        for line in lines.lines() {
            let row: Value = serde_json::from_str(line).unwrap_or_else(|_| panic!("{words:?}: {line}"));
            assert!(row.is_object(), "{words:?}: {line}");
        }
    }
    let dropped = place.run(&["drop", &tree, "--json"]).expect(0).json();
    assert_eq!(dropped["schema"], 1);
    let counted = status(&place, "find -c identifier a.py --json", 0).json();
    assert!(counted.get("truncated").is_none() && counted["total"].as_u64() > Some(0), "{counted}");
    let paths = status(&place, "find -l identifier a.py b.py --json", 0).json();
    assert_eq!(paths["paths"], serde_json::json!(["a.py", "b.py"]));
    assert_eq!(status(&place, "find -l -0 identifier a.py b.py", 0).stdout, "a.py\0b.py\0");
    for file in 0..60 {
        place.write(&format!("many/m{file:02}.py"), "def f(): pass\n");
    }
    let outlined = status(&place, "outline many --json", 0).json();
    assert_eq!(outlined["files"].as_array().unwrap().len(), 60);
    let shown = status(&place, "outline many", 0).stdout;
    assert!(shown.contains("10 more files (only 50 shown: narrow the path, or raise --max-files)"), "{shown}");
}

#[test]
fn wrong_options_say_what_to_write_instead() {
    let place = place();
    for (words, tip) in [
        ("check - --name app.py", "--stdin-filename app.py"),
        ("find class - --name app.py", "--stdin-filename app.py"),
        ("outline --kinds class a.py", "--kind class,function"),
        ("outline --format cline a.py", "--as text|cline"),
        ("outline --limit 5 .", "--max-files N"),
        ("chunk --count bytes a.py", "--unit tokens|bytes"),
        ("find -Z 3 call .", "`cst help find` lists the options"),
        ("find --lang python call .", "-t python"),
        ("help fnd", "find"),
        ("languages kotlinn", "`kotlin`"),
    ] {
        let run = status(&place, words, 2);
        assert!(run.stderr.contains(tip), "cst {words}: {}", run.stderr);
        assert!(!run.stderr.contains("as a value"), "cst {words}: {}", run.stderr);
    }
}

#[test]
fn lines_for_editors_and_for_people() {
    let place = place();
    place.write("c.py", "x = call('some text', 1)\nimport sys, re\n");
    let found = status(&place, "find --vimgrep call c.py", 0);
    assert_eq!(found.stdout, "c.py:1:5:x = call('some text', 1)\n");
    let found = status(&place, "find string c.py", 0);
    assert!(found.stdout.starts_with("c.py:1:10: string  'some text'  n"), "{}", found.stdout);
    let found = status(&place, "find import c.py", 0);
    assert!(found.stdout.contains("import  sys, re  "), "{}", found.stdout);
    let limited = status(&place, "find --limit 1 * c.py", 0);
    assert!(limited.stderr.contains("listed, --limit reached"), "{}", limited.stderr);
}

/// Runs git in the place.
fn git(place: &Place, words: &[&str]) {
    let fixed = ["-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "init.defaultBranch=main"];
    let mut command = Command::new("git");
    command.args(fixed).args(words).current_dir(place.path(""));
    command
        .stdin(std::process::Stdio::null())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped());
    let run = ended(command, None);
    assert_eq!(run.status, 0, "git {words:?}: {}", run.stderr);
}

#[test]
fn git_chooses_the_files() {
    let place = Place::new();
    for name in ["sub/a.py", "b.py", "c.py", "gone.py"] {
        place.write(name, "def f(): pass\n");
    }
    git(&place, &["init", "-q"]);
    git(&place, &["add", "."]);
    git(&place, &["commit", "-q", "-m", "one"]);
    let found = |words: &str| {
        let mut files: Vec<String> = status(&place, words, 0).stdout.lines().map(str::to_owned).collect();
        files.sort();
        files
    };
    status(&place, "find -l function --since HEAD", 1);
    status(&place, "find -l function --staged", 1);
    place.write("sub/a.py", "def f(): return 1\n");
    place.write("b.py", "def f(): return 2\n");
    place.write("new file.py", "def f(): return 3\n");
    std::fs::remove_file(place.path("gone.py")).unwrap();
    git(&place, &["add", "b.py", "gone.py"]);
    assert_eq!(found("find -l function --staged"), ["b.py"]);
    assert_eq!(found("find -l function --since HEAD"), ["b.py", "new file.py", "sub/a.py"]);
    assert_eq!(found("find -l function --since HEAD sub c.py"), ["sub/a.py"]);
    status(&place, "check --since main", 0);
    status(&place, "rewrite return pass --staged --check", 1);
    let outlined = status(&place, "outline --staged", 0).stdout;
    assert!(outlined.starts_with("b.py") && !outlined.contains("sub/a.py"), "{outlined}");
    let wrong = status(&place, "find function --since nope", 2);
    assert!(wrong.stderr.contains("git knows no revision `nope`"), "{}", wrong.stderr);
    status(&place, "find function --since=--output=x", 2);
    let mut inside = place.command(&["find", "-l", "function", "--since", "HEAD"]);
    inside.current_dir(place.path("sub"));
    assert_eq!(ended(inside, None).expect(0).stdout, "a.py\n");
}

#[test]
fn definitions_of_named_selectors_can_be_looked_at() {
    let place = place();
    let explained = status(&place, "explain :test -t rust", 0);
    assert!(explained.stdout.contains("  :test = "), "{}", explained.stdout);
    assert!(explained.stdout.contains("(rust)"), "{}", explained.stdout);
    let listed = status(&place, "languages python --selectors", 0);
    assert!(listed.stdout.contains("  :dunder = ") && !listed.stdout.contains("rust"), "{}", listed.stdout);
    let completions = status(&place, "completions bash", 0).stdout;
    assert!(completions.contains("typescript"), "languages are completed");
}

#[test]
fn an_index_is_measured_and_removed() {
    let place = Place::new();
    place.write("a.py", "def f(): pass\n");
    let made = status(&place, "index . --json", 0).json();
    assert!(made["bytes"].as_u64() > Some(0), "{made}");
    let cleared = status(&place, "index --clear .", 0);
    assert!(cleared.stderr.contains("index removed, "), "{}", cleared.stderr);
    assert_eq!(status(&place, "index --clear . --json", 0).json()["bytes"], 0);
}

#[test]
fn mistakes_in_selectors_and_patterns_are_named_briefly() {
    let place = place();
    let said = |words: &[&str]| place.run(words).expect(2).stderr;
    assert!(said(&["find", "function:has('async')", "a.py"]).contains("`:has(* >> 'async')`"));
    assert!(said(&["find", "function:is(call, list).value", "a.py"]).contains("`*.value` before `:`"));
    for pattern in ["f($X", "class $X", "if $A then", ")"] {
        let short = said(&["find", "-p", pattern, "a.py"]);
        assert!(short.starts_with("error: the pattern is not code in python\n"), "{short}");
        assert!(short.lines().count() <= 7 && !short.contains("cst0"), "{short}");
        let full = said(&["explain", "-p", pattern, "-t", "python"]);
        assert!(full.contains("\n  as "), "{full}");
    }
    let long = format!("function{}:nope{}", "[lines>1]".repeat(20), "[lines>2]".repeat(20));
    let shown = said(&["find", &long, "a.py"]);
    let line = shown.lines().nth(1).unwrap().trim();
    assert!(line.starts_with('…') && line.ends_with('…'), "{shown}");
    let caret = shown.lines().nth(2).unwrap().find('^').unwrap();
    let named = shown.lines().nth(1).unwrap().chars().skip(caret).take(4).collect::<String>();
    assert_eq!(named, "nope", "{shown}");
}

/// As in ripgrep: files that are not text are skipped by rule in folders, and counted; named ones are an error.
#[test]
fn files_that_are_no_text_are_skipped_in_folders() {
    let place = Place::new();
    place.write("d/a.py", "x = 1\n");
    std::fs::write(place.path("d/nul.py"), b"x = 1\n\0\0").unwrap();
    std::fs::write(place.path("d/latin.py"), b"x = '\xe9'\n").unwrap();
    let rows = [
        ("find assign d", 0),
        ("find assign#y d", 1),
        ("check d", 0),
        ("outline d", 0),
        ("chunk d", 0),
        ("rewrite -p x=1 x=2 d", 0),
        ("index d", 0),
        ("find assign d/nul.py", 2),
        ("find assign d/latin.py", 2),
        ("find assign d/a.py d/nul.py", 2),
        ("check d/nul.py", 2),
        ("find assign d --encoding rubbish", 2),
    ];
    for (words, expected) in rows {
        let run = status(&place, words, expected);
        if expected < 2 {
            let said = "skipped 2 files, binary or in an unknown encoding: d/latin.py, d/nul.py";
            assert!(run.stderr.contains(said), "{words}: {}", run.stderr);
        }
    }
    let json = status(&place, "find assign d --json", 0).json();
    let skipped = json["files"]["skipped"].as_array().unwrap();
    assert_eq!(skipped.len(), 2);
    assert!(
        skipped.iter().all(|row| row["by_rule"] == true && row["error"]["code"] == "unsupported_encoding"),
        "{json}"
    );
}

#[test]
fn forgetting_nothing_is_done() {
    let place = Place::new();
    for words in ["backups --keep 1", "backups --keep 1 --json", "backups --keep 0 --jsonl"] {
        status(&place, words, 0);
    }
    status(&place, "backups --json", 1);
}

#[test]
fn a_selector_asks_for_the_path() {
    let place = Place::new();
    place.write("d/a_test.py", "def f(): pass\n");
    place.write("d/b.py", "def f(): pass\n");
    let rows = [
        ("find module[path$=_test.py] d", "d/a_test.py:1:1"),
        ("find module[path$=_test.py] d/a_test.py", "d/a_test.py:1:1"),
        ("find module[path$=_test.py] d/a_test.py d/b.py", "d/a_test.py:1:1"),
        ("find module[path^=d/] d/a_test.py", "d/a_test.py:1:1"),
    ];
    for (words, expected) in rows {
        let run = status(&place, words, 0);
        assert!(run.stdout.starts_with(expected) && run.stdout.lines().count() == 1, "{words}: {}", run.stdout);
    }
    let inside = place.run(&["find", "function:in(module[path=\"d/b.py\"])", "d", "-l"]).expect(0);
    assert_eq!(inside.stdout, "d/b.py\n");
    let changed = place.run(&["rewrite", "module[path$=_test.py] identifier#f", "g", "d", "--write"]).expect(0);
    assert!(
        place.read("d/a_test.py").contains("def g") && place.read("d/b.py").contains("def f"),
        "{}",
        changed.stderr
    );
    let tree = place.run(&["load", "d/b.py"]).expect(0).stdout;
    let id = tree.split_whitespace().next().unwrap();
    place.run(&["find", "module[path$=\"b.py\"]", id]).expect(0);
    place.run(&["find", "module[path$=\"a.py\"]", id]).expect(1);
    status(&place, "index d", 0);
    status(&place, "find module[path$=_test.py] d", 0);
}

#[test]
fn what_changes_nothing_says_so() {
    let place = Place::new();
    place.write("a.py", "def f(): pass\n");
    for words in [
        "modify a.py rename function#f f --write",
        "modify a.py rename function#f f",
        "modify a.py rename function#f f --dry-run",
    ] {
        let run = status(&place, words, 1);
        let said = format!("{}{}", run.stdout, run.stderr);
        assert!(said.contains("nothing changes") && !said.contains("--write"), "{words}: {said}");
    }
    place.write("t.toml", "name = \"t\"\nlanguage = \"python\"\n\n[[step]]\nselect = \"identifier#f\"\nreplace = \"g\"\n\n[[test]]\nname = \"one\"\nbefore = \"f\\n\"\nafter = \"g\\n\"\n");
    let run = status(&place, "test t.toml --filter two --filter three", 1);
    assert!(run.stderr.contains("no test has `two` or `three` in its name"), "{}", run.stderr);
}

#[test]
fn every_form_is_shown_of_several_files() {
    let place = Place::new();
    place.write("d/a.py", "def f(x):\n    return x\n");
    place.write("d/b.py", "def g():\n    pass\n");
    for words in ["show d function --as signature", "show d/a.py d/b.py function --as signature"] {
        let run = status(&place, words, 0);
        let lines: Vec<&str> = run.stdout.lines().map(str::trim).collect();
        assert_eq!(
            lines,
            ["d/a.py:1:1: function  f  n1", "def f(x)", "d/b.py:1:1: function  g  n1", "def g()"],
            "{words}"
        );
    }
    let run = status(&place, "show -N d/a.py d/b.py 2-2", 0);
    assert_eq!(run.stdout, "    return x\n\n    pass\n");
    let run = status(&place, "show d function --parents --json", 0);
    let shown: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(shown["nodes"].as_array().unwrap().len(), 2);
    assert!(shown["nodes"][1]["parents"].is_array());
    status(&place, "show d class --as tree", 1);
    assert!(status(&place, "show d 1-2", 2).stderr.contains("is a folder"));
}

#[test]
fn notes_name_the_first_lines_alone() {
    let place = Place::new();
    let uses = "x.get()\n".repeat(40);
    place.write("a.py", &format!("class A:\n    def get(self): pass\n\n\n{uses}"));
    let run = status(&place, "modify a.py rename method#get fetch --references file", 0);
    assert!(run.stderr.contains("in line 5, 6, 7, 8, 9, 10, 11, 12, 13, 14 and 30 more"), "{}", run.stderr);
}

#[test]
fn wrong_words_are_answered_with_the_right_ones() {
    let place = Place::new();
    place.write("a.py", "def f(): pass\ndef g(): pass\n");
    let rows = [
        ("help nope", "`cst help` lists the commands"),
        ("nope", "`cst help` lists the commands"),
        ("help fnd", "did you mean `find`"),
        ("outlin a.py", "did you mean `outline`"),
        ("help modify renam", "did you mean `rename`"),
        ("help agent instal", "did you mean `install`"),
        ("find function --include *.py", "`-g GLOB`"),
        ("find function -C 3 a.py", "`--code`"),
        ("find function a.py --zzzz", "`cst help find` lists the options"),
        ("find function a.py --lang python", "--language python"),
        ("find function a.py --hiden", "'--hidden'"),
    ];
    for (words, expected) in rows {
        let run = status(&place, words, 2);
        assert!(run.stderr.contains(expected), "{words}: {}", run.stderr);
    }
    let run = status(&place, "find function a.py --require-one", 2);
    assert!(run.stderr.contains("narrow the selector") && !run.stderr.contains("--all"), "{}", run.stderr);
}

/// What is wrong with the words of a command, for programs: the same fields as every error, made of what clap found.
#[test]
fn wrong_words_are_errors_for_programs_too() {
    let place = Place::new();
    let cases: &[(&[&str], &str, &str)] = &[
        (&["find", "class", "--codee"], "unexpected argument '--codee' found", "a similar argument exists: '--code'"),
        (
            &["show", "app.py", "--as", "coed"],
            "invalid value 'coed' for '--as <FORM>' [possible values: code, tree, signature, json, dot]",
            "a similar value exists: 'code'",
        ),
        (&["rewrite"], "the following required arguments were not provided", "`cst help COMMAND` has examples"),
        (&["fnd", "class"], "unrecognized subcommand 'fnd'", "did you mean `find`?"),
        (&["find", "class", "--limit", "many"], "invalid value 'many' for '--limit", "`cst help COMMAND`"),
        (&["find", "class", "--limit"], "a value is required for '--limit", "`cst help COMMAND`"),
        (
            &["rewrite", "a", "b", "--write", "--check"],
            "the argument '--write' cannot be used with '--check'",
            "`cst help COMMAND`",
        ),
        (&["outline", "--lang", "python"], "unexpected argument '--lang' found", "`-t python` or `--language python`"),
    ];
    for (words, message, hint) in cases {
        let refused = place.run(&[*words, &["--json"]].concat()).expect(2).json();
        assert_eq!((&refused["schema"], &refused["error"]["code"]), (&json!(1), &json!("bad_request")), "{refused}");
        let starts = |field: &str, with: &str| refused["error"][field].as_str().is_some_and(|is| is.starts_with(with));
        assert!(starts("message", message) && starts("hint", hint), "{words:?}: {refused}");
    }
}

/// `--json` gives one object that begins with the version of its shape, whatever is asked and however it ends.
#[test]
fn each_answer_has_the_version_of_its_shape() {
    let place = place();
    place.run(&["load", "a.py"]).expect(0);
    let asked = [
        "find identifier#old a.py",
        "find -c identifier#old a.py",
        "find -l identifier#old a.py",
        "find nosuchkind a.py",
        "find class --nosuchoption",
        "outline a.py",
        "chunk a.py",
        "show a.py function#f",
        "show gone.py",
        "check broken.py",
        "index .",
        "explain function a.py",
        "load a.py",
        "modify a.py rename function#f h",
        "rewrite identifier#old new a.py",
        "run s.toml a.py",
        "test t.toml",
        "trees",
        "undo --list",
        "undo --last",
        "backups",
        "languages python",
        "trust --list",
        "journal",
        "agent list",
        "agent status",
    ];
    for words in asked {
        let words: Vec<&str> = words.split_whitespace().chain(["--json"]).collect();
        let run = place.run(&words);
        assert!(run.stdout.starts_with("{\"schema\":1,"), "{words:?}: {}{}", run.stdout, run.stderr);
        assert_eq!(run.stdout.lines().count(), 1, "{words:?}");
    }
}
