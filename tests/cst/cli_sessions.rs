//! Edits and sessions on the command line, end to end.

use std::process::Command;

use super::cli::{Place, sample, standard_module};

mod files {
    use super::{Command, Place};

    const RENAME: &[&str] = &["modify", "shop.py", "rename", "class#Colour", "Color"];

    #[test]
    fn a_preview_shows_the_diff_and_writes_nothing() {
        let place = Place::with_sample();
        let before = place.read("shop.py");
        for more in [&[][..], &["--dry-run"], &["--preview"]] {
            let run = place.run(&[RENAME, more].concat()).expect(0);
            assert!(run.stdout.starts_with("--- a/shop.py\n+++ b/shop.py\n@@ "), "{}", run.stdout);
            assert!(run.stdout.contains("\n-class Colour(Enum):\n+class Color(Enum):\n"), "{}", run.stdout);
            assert!(run.stderr.contains("1 operation applied"), "{}", run.stderr);
            assert_eq!(place.read("shop.py"), before);
        }
    }

    #[test]
    fn git_takes_the_diff_and_makes_what_write_makes() {
        let (shown, written) = (Place::with_sample(), Place::with_sample());
        shown.write("change.diff", &shown.run(RENAME).expect(0).stdout);
        let applied = Command::new("git").args(["apply", "change.diff"]).current_dir(shown.path("")).status();
        let Ok(applied) = applied else {
            assert!(std::env::var_os("CI").is_none(), "there is no git");
            println!("skipped: there is no git");
            return;
        };
        assert!(applied.success());
        let run = written.run(&[RENAME, &["--write"]].concat()).expect(0);
        assert!(run.stdout.contains("written: shop.py"), "{}", run.stdout);
        assert_eq!(shown.read("shop.py"), written.read("shop.py"));
    }

    #[test]
    fn json_says_what_was_done() {
        let place = Place::with_sample();
        let preview = place.run(&[RENAME, &["--json"]].concat()).expect(0).json();
        assert_eq!((&preview["applied"], &preview["written"]), (&1.into(), &false.into()));
        assert!(preview["diff"].as_str().is_some_and(|diff| diff.contains("+class Color(Enum):")));
        let done = place.run(&[RENAME, &["--json", "--write"]].concat()).expect(0).json();
        assert_eq!(done["written"], true);
        let row = &done["operations"][0];
        assert_eq!((&row["op"], &row["nodes"][0]["qualname"]), (&"rename".into(), &"Color".into()));
        assert_eq!(done["changed_ranges"][0]["start_line"], row["nodes"][0]["start_line"]);
    }

    #[test]
    fn a_preview_that_would_change_nothing() {
        let place = Place::with_sample();
        let run = place.run(&["modify", "shop.py", "ensure-import", "import asyncio"]).expect(1);
        assert_eq!(run.stdout, "");
        place.run(&["modify", "shop.py", "ensure-import", "import asyncio", "--json"]).expect(1);
    }

    #[test]
    fn code_comes_from_anywhere() {
        let method = "def area(self):\n    return 0\n";
        let check = |words: &[&str], input: &str| {
            let place = Place::with_sample();
            place.write("method.py", method);
            let insert = ["modify", "shop.py", "insert", "last", "class#Point"];
            place.feed(&[&insert[..], words, &["--write"]].concat(), input).expect(0);
            let text = place.read("shop.py");
            assert!(text.contains("    y: int = 0\n\n    def area(self):\n        return 0\n"), "{text}");
        };
        check(&[method], "");
        check(&["@method.py"], "");
        check(&["-"], method);
    }

    #[test]
    fn a_decorated_definition_is_no_file_name() {
        let place = Place::with_sample();
        let code = "@property\ndef area(self):\n    return 0";
        place.run(&["modify", "shop.py", "insert", "last", "class#Point", code, "--write"]).expect(0);
        assert!(place.read("shop.py").contains("    @property\n    def area(self):\n        return 0\n"));
    }

    #[test]
    fn a_batch_is_made_or_refused_as_a_whole() {
        let place = Place::with_sample();
        let before = place.read("shop.py");
        let good = r#"{"op": "rename", "target": "class#Colour", "to": "Color"}"#;
        let bad = r#"{"op": "replace", "target": "class#Point", "code": "class ("}"#;
        let refused =
            place.feed(&["modify", "shop.py", "--write", "--ops", "-", "--json"], &format!("[{good}, {bad}]"));
        let error = refused.expect(2).json()["error"].clone();
        assert_eq!(error["code"], "would_break_syntax");
        assert!(error["message"].as_str().is_some_and(|message| message.starts_with("not applied")), "{error}");
        assert_eq!(place.read("shop.py"), before);
        let wrong = r#"{"op": "rename", "target": "class#Colour", "too": "Color"}"#;
        let refused =
            place.feed(&["modify", "shop.py", "--ops", "-", "--json"], &format!("[{good}, {wrong}]")).expect(2);
        assert_eq!(refused.json()["error"]["operation"], 1);
        place.write("batch.json", &format!(r#"{{"operations": [{good}]}}"#));
        place.run(&["modify", "shop.py", "--write", "--ops", "batch.json"]).expect(0);
        assert!(place.read("shop.py").contains("class Color(Enum):"));
    }

    #[test]
    fn what_is_refused() {
        let place = Place::with_sample();
        let check = |words: &[&str], code: &str| {
            let before = place.read("shop.py");
            let run = place.run(&[&["modify", "shop.py", "--write", "--json"], words].concat()).expect(2);
            assert_eq!(run.error(), code, "{words:?}");
            assert_eq!(place.read("shop.py"), before);
        };
        check(&["delete", "class"], "ambiguous");
        check(&["delete", "class#Nobody"], "no_match");
        check(&["delete", "n999999"], "unknown_node");
        check(&["replace", "class#Point", "def ("], "would_break_syntax");
        check(&["delete", "class", "--all", "--expect", "1"], "expect_count");
    }

    #[test]
    fn standard_input_is_edited_and_shown() {
        let place = Place::new();
        let words = ["modify", "-", "--stdin-filename", "a.py", "rename", "function#f", "g"];
        let run = place.feed(&words, "def f(): pass\n").expect(0);
        assert!(run.stdout.contains("-def f(): pass\n+def g(): pass\n"), "{}", run.stdout);
    }
}

mod sessions {
    use super::{Place, sample, standard_module};

    /// Loads, finds, changes, looks, steps back and forth, saves.
    fn check(file: &std::path::Path, class: &str) {
        let place = Place::new();
        std::fs::copy(file, place.path("module.py")).expect("the file can be copied");
        let before = place.read("module.py");
        let loaded = place.run(&["load", "module.py"]).expect(0);
        let columns: Vec<&str> = loaded.stdout.trim_end().split("  ").collect();
        let [id, "module.py", "python", lines, nodes, "0"] = columns[..] else { panic!("{columns:?}") };
        assert_eq!(lines.parse::<usize>().expect("a number"), before.lines().count());
        assert!(nodes.parse::<usize>().is_ok_and(|nodes| nodes > 1_000));
        let id = &id[..id.len()];

        let selector = format!("class#{class}");
        let found = place.run(&["find", &selector, id]).expect(0).stdout;
        let node = found.trim_end().rsplit("  ").next().expect("an id stands last").to_owned();
        let renamed = place.run(&["modify", id, "rename", &node, "Renamed"]).expect(0);
        assert!(renamed.stdout.starts_with("rename  class  Renamed  "), "{}", renamed.stdout);
        assert!(renamed.stdout.contains("staged"), "{}", renamed.stdout);
        assert_eq!(place.read("module.py"), before);

        let difference = place.run(&["diff", id]).expect(0).stdout;
        assert!(difference.contains("--- a/module.py\n+++ b/module.py\n"), "{difference}");
        assert!(difference.contains("+class Renamed"), "{difference}");
        let listed = place.run(&["trees"]).expect(0).stdout;
        assert!(listed.contains(id) && listed.contains("  unsaved  "), "{listed}");

        place.run(&["undo", id]).expect(0);
        assert_eq!(place.run(&["diff", id]).expect(1).stdout, "");
        place.run(&["redo", id]).expect(0);
        assert_eq!(place.run(&["diff", id]).expect(0).stdout, difference);
        let again = place.run(&["find", "class#Renamed", id]).expect(0).stdout;
        assert!(again.trim_end().ends_with(&format!("  {node}")), "{again}");

        let saved = place.run(&["save", id]).expect(0);
        assert!(saved.stdout.contains("module.py  written  "), "{}", saved.stdout);
        let after = place.read("module.py");
        assert_eq!(after, before.replacen(&format!("class {class}"), "class Renamed", 1));
        place.run(&["drop", id]).expect(0);
        assert_eq!(place.run(&["trees"]).expect(1).stdout, "");
    }

    #[test]
    fn of_the_sample() {
        check(&sample(), "Colour");
    }

    #[test]
    fn of_a_real_module() {
        match standard_module("argparse.py") {
            Some(path) => check(&path, "HelpFormatter"),
            None => {
                assert!(std::env::var_os("CI").is_none(), "there is no Python");
                println!("skipped: there is no Python");
            }
        }
    }

    #[test]
    fn nobody_loses_work() {
        let place = Place::with_sample();
        let id = place.load("shop.py");
        place.run(&["modify", &id, "rename", "class#Colour", "Color"]).expect(0);
        let theirs = format!("{}# theirs\n", place.read("shop.py"));
        place.write("shop.py", &theirs);
        assert_eq!(place.run(&["save", &id, "--json"]).expect(2).error(), "file_changed");
        assert_eq!(place.read("shop.py"), theirs);
        let merged = place.run(&["save", &id, "--merge"]).expect(0);
        assert!(merged.stdout.contains("  merged  "), "{}", merged.stdout);
        let text = place.read("shop.py");
        assert!(text.contains("class Color(Enum)") && text.ends_with("# theirs\n"));
    }

    #[test]
    fn a_backup_comes_back() {
        let place = Place::with_sample();
        let before = place.read("shop.py");
        let id = place.load("shop.py");
        place.run(&["modify", &id, "delete", "class#Point"]).expect(0);
        place.run(&["save", &id, "--backup"]).expect(0);
        assert_ne!(place.read("shop.py"), before);
        let listed = place.run(&["backups", "--json"]).expect(0).json();
        let backup = listed["backups"][0]["backup"].as_str().expect("an id").to_owned();
        place.run(&["backups", "--restore", &backup]).expect(0);
        assert_eq!(place.read("shop.py"), before);
    }

    #[test]
    fn a_tree_goes_by_its_first_characters() {
        let place = Place::with_sample();
        let id = place.load("shop.py");
        let whole = place.run(&["find", "class", &id]).expect(0).stdout;
        assert_eq!(place.run(&["find", "class", &id[..12]]).expect(0).stdout, whole);
        assert_eq!(place.run(&["find", "class", "--tree", &id[..12]]).expect(0).stdout, whole);
        let json = place.run(&["find", "class", &id, "--json"]).expect(0).json();
        assert_eq!((&json["tree_id"], &json["revision"]), (&id.into(), &0.into()));
    }

    #[test]
    fn a_state_folder_of_ones_own() {
        let place = Place::with_sample();
        let state = place.path("elsewhere");
        let state = state.to_str().expect("it is utf-8");
        place.run(&["load", "shop.py", "--state", state]).expect(0);
        assert_eq!(place.run(&["trees", "--state", state]).expect(0).stdout.lines().count(), 1);
        assert_eq!(place.run(&["trees"]).expect(1).stdout, "");
    }

    #[test]
    #[cfg(unix)]
    fn the_users_folders_are_those_of_xdg() {
        let place = Place::with_sample();
        let home = place.path("home");
        std::fs::create_dir(&home).expect("the folder can be made");
        let run = |variable: &str, folder: &str| {
            let mut command = place.command(&["load", "shop.py"]);
            command.env_remove("CST_STATE").env_remove("CST_CACHE").env("HOME", &home);
            command.env_remove("XDG_CACHE_HOME").env_remove("XDG_STATE_HOME").env(variable, folder);
            super::super::cli::ended(command, None).expect(0);
        };
        // A path that is not absolute does not count.
        run("XDG_STATE_HOME", "relative");
        assert!(home.join(".local/state/cst").is_dir());
        run("XDG_STATE_HOME", place.path("elsewhere").to_str().expect("it is utf-8"));
        assert!(place.path("elsewhere/cst").is_dir());
    }

    #[test]
    fn a_file_that_ends_in_a_long_character() {
        let place = Place::new();
        place.write("end.py", "x = 1\n# caf\u{e9}");
        let run = place.run(&["load", "end.py"]).expect(0);
        assert!(run.stdout.contains("  end.py  python  2  "), "{}", run.stdout);
    }

    #[test]
    fn a_broken_file_loads_and_says_where() {
        let place = Place::new();
        place.write("broken.py", "def f():\n    return (1\n");
        let run = place.run(&["load", "broken.py"]).expect(0);
        assert_eq!(run.stdout.lines().count(), 1);
        assert!(run.stderr.starts_with("broken.py:"), "{}", run.stderr);
    }
}
