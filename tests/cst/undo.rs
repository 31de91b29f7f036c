//! Undoing what was written: every write is a transaction with an id.

use serde_json::Value;

use super::cli::Place;

const OLD: &str = "x = f(1)\n";

/// The transactions that are listed: id, request, files.
fn listed(place: &Place) -> Vec<(String, String, Vec<String>)> {
    let answer = place.run(&["undo", "--list", "--json"]);
    let answer = answer.json();
    let word = |value: &Value| value.as_str().expect("it is a word").to_owned();
    let row = |row: &Value| {
        let files = row["files"].as_array().into_iter().flatten().map(word).collect();
        (word(&row["transaction"]), word(&row["request"]), files)
    };
    answer["transactions"].as_array().expect("they are listed").iter().map(row).collect()
}

fn new_place() -> Place {
    let place = Place::new();
    ["a.py", "b.py", "c.py"].iter().for_each(|name| place.write(name, OLD));
    place
}

fn texts(place: &Place) -> [String; 3] {
    ["a.py", "b.py", "c.py"].map(|name| place.read(name))
}

#[test]
fn every_write_can_be_undone() {
    let place = new_place();
    let script = "name = 'g'\nlanguage = 'python'\n\n[[step]]\nselect = 'call:like(\"f($A)\")'\nreplace = 'g($A)'\n";
    place.write("script.toml", script);
    let tree = place.load("a.py");
    place.run(&["modify", &tree, "sub", "module", "1", "2"]).expect(0);
    /// The command, the request that it is listed as, the files that it writes.
    type Case<'a> = (&'a [&'a str], &'a str, &'a [&'a str]);
    let save = ["save", &tree, "--backup", "--json"];
    let cases: [Case<'_>; 4] = [
        (&["modify", "a.py", "sub", "module", "1", "3", "--write", "--json"], "modify", &["a.py"]),
        (&["rewrite", "-p", "f($A)", "h($A)", ".", "--write", "--json"], "rewrite", &["a.py", "b.py", "c.py"]),
        (&["run", "script.toml", ".", "--write", "--json"], "run", &["a.py", "b.py", "c.py"]),
        (&save, "save", &["a.py"]),
    ];
    for (command, request, files) in cases {
        let answer = place.run(command).expect(0).json();
        let id = answer["transaction"].as_str().unwrap_or_else(|| panic!("{request}: {answer}"));
        assert_ne!(texts(&place), [OLD; 3]);
        let (listed_id, listed_request, listed_files) = listed(&place).remove(0);
        assert_eq!((listed_id.as_str(), listed_request.as_str()), (id, request));
        assert_eq!(listed_files, files, "{request}");
        let undone = place.run(&["undo", "--transaction", id, "--json"]).expect(0).json();
        assert_eq!(undone["restored"].as_array().map(Vec::len), Some(files.len()), "{undone}");
        assert_eq!(texts(&place), [OLD; 3], "{request}");
        assert!(listed(&place).iter().all(|row| row.0 != id), "it can be undone once");
        // An undo is a write, too.
        let redo = undone["undone_by"].as_str().unwrap_or_else(|| panic!("{undone}"));
        place.run(&["undo", "--transaction", redo]).expect(0);
        assert_ne!(texts(&place), [OLD; 3], "{request}");
        let again = listed(&place).remove(0);
        assert_eq!(again.1, "undo");
        place.run(&["undo", "--transaction", &again.0]).expect(0);
        assert_eq!(texts(&place), [OLD; 3], "{request}");
    }
    place.write("a.py", "y = 2\n");
    let backup =
        place.run(&["backups", "--json"]).expect(0).json()["backups"][0]["backup"].as_str().unwrap().to_owned();
    let restored = place.run(&["backups", "--restore", &backup, "--json"]).expect(0).json();
    assert_eq!(place.read("a.py"), OLD);
    place.run(&["undo", "--transaction", restored["transaction"].as_str().expect("it has an id")]).expect(0);
    assert_eq!(place.read("a.py"), "y = 2\n");

    let shown = place.run(&["modify", "a.py", "sub", "module", "2", "3", "--write"]).expect(0);
    let id = listed(&place).remove(0).0;
    assert!(shown.stdout.contains(&format!("cst undo --transaction {id}")), "{}", shown.stdout);
}

#[test]
fn the_last_and_those_before() {
    let place = new_place();
    let change = |name: &str, find: &str, replace: &str| {
        place.run(&["modify", name, "sub", "module", find, replace, "--write"]).expect(0);
    };
    place.run(&["undo", "--last", "--json"]).expect(2);
    change("a.py", "1", "2");
    change("b.py", "1", "2");
    change("a.py", "2", "3");
    let new = "x = f(2)\n";
    place.run(&["undo", "--last"]).expect(0);
    assert_eq!(texts(&place), [new, new, OLD]);
    place.run(&["undo", "--last"]).expect(0);
    assert_eq!(texts(&place), [new, OLD, OLD]);
    place.run(&["undo", "--last"]).expect(0);
    assert_eq!(texts(&place), [OLD; 3]);
    assert_eq!(place.run(&["undo", "--last", "--json"]).expect(2).error(), "not_found");

    // What was written elsewhere isn't the last here.
    change("a.py", "1", "2");
    place.write("inner/d.py", OLD);
    let inner = |arguments: &[&str]| {
        let mut command = place.command(arguments);
        command.current_dir(place.path("inner"));
        super::cli::ended(command, None)
    };
    assert_eq!(inner(&["undo", "--last", "--json"]).expect(2).error(), "not_found");
    inner(&["undo", "--list"]).expect(1);
    inner(&["modify", "d.py", "sub", "module", "1", "5", "--write"]).expect(0);
    place.run(&["undo", "--last"]).expect(0);
    assert_eq!(place.read("inner/d.py"), OLD, "the folder below is here, too");
    place.run(&["undo", "--last"]).expect(0);
    assert_eq!(texts(&place), [OLD; 3]);
}

#[test]
fn files_that_changed_since_are_left_out_where_that_is_asked_for() {
    let place = new_place();
    let rewritten = place.run(&["rewrite", "-p", "f($A)", "g($A)", ".", "--write", "--json"]).expect(0).json();
    let id = rewritten["transaction"].as_str().expect("it has an id");
    place.write("b.py", "y = 3\n");
    std::fs::remove_file(place.path("c.py")).expect("it is there");
    let refused = place.run(&["undo", "--transaction", id, "--json"]).expect(2);
    assert_eq!(refused.error(), "file_changed");
    assert!(refused.stdout.contains("--skip-changed"), "{}", refused.stdout);
    assert_eq!(place.read("a.py"), "x = g(1)\n");
    let words = place.run(&["undo", "--transaction", id]).expect(2).stderr;
    assert!(words.contains("--skip-changed"), "{words}");
    let undone = place.run(&["undo", "--transaction", id, "--skip-changed", "--json"]).expect(0).json();
    assert_eq!(undone["restored"], serde_json::json!(["a.py"]));
    let skipped: Vec<&str> =
        undone["skipped"].as_array().into_iter().flatten().filter_map(|row| row["path"].as_str()).collect();
    assert_eq!(skipped, ["b.py", "c.py"]);
    assert_eq!((place.read("a.py").as_str(), place.read("b.py").as_str()), (OLD, "y = 3\n"));
    assert!(!place.path("c.py").exists());
    // The others can be undone once they are what was written again.
    assert_eq!(listed(&place).iter().find(|row| row.0 == id).map(|row| row.2.len()), Some(2));
    place.write("b.py", "x = g(1)\n");
    place.run(&["undo", "--transaction", id, "--skip-changed"]).expect(0);
    assert_eq!(place.read("b.py"), OLD);
    place.run(&["undo", "--transaction", id, "--skip-changed"]).expect(1);
}

#[test]
fn ids_by_their_start() {
    let place = new_place();
    for name in ["a.py", "b.py"] {
        place.run(&["modify", name, "sub", "module", "1", "2", "--write", "--backup"]).expect(0);
    }
    let kept = place.run(&["backups", "--json"]).expect(0).json();
    let backups: Vec<&str> =
        kept["backups"].as_array().into_iter().flatten().filter_map(|row| row["backup"].as_str()).collect();
    let transactions: Vec<String> = listed(&place).into_iter().map(|row| row.0).collect();
    let refused = |arguments: &[&str], code: &str| {
        let run = place.run(&[arguments, &["--json"]].concat()).expect(2);
        assert_eq!(run.error(), code, "{arguments:?}: {}", run.stdout);
    };
    for (command, ids) in [
        (["backups", "--restore"], backups.clone()),
        (["undo", "--transaction"], transactions.iter().map(String::as_str).collect()),
    ] {
        let with = |id: &str| [command[0].to_owned(), command[1].to_owned(), id.to_owned()];
        let refused = |id: &str, code: &str| refused(&with(id).each_ref().map(String::as_str), code);
        refused("", "bad_request");
        refused(&ids[0][..5], "bad_request");
        // Two of one minute begin alike.
        refused(&ids[0][..6], "ambiguous");
        refused("zzzzzz", "not_found");
        // The file of the newest one is restored by the first command.
        let words = with(&ids[usize::from(command[0] == "undo")][..34]);
        place.run(&words.each_ref().map(String::as_str)).expect(0);
    }
    place.run(&["backups", "--keep", "0"]).expect(0);
    assert!(place.run(&["backups", "--json"]).expect(1).json()["backups"].as_array().is_some_and(Vec::is_empty));
    assert!(listed(&place).is_empty());
}

/// What is dropped, or expires, is in no file of the store.
#[test]
fn what_is_dropped_leaves_no_text() {
    let place = Place::new();
    let secret = "hunter2_that_nobody_may_find";
    place.write("a.py", &format!("x = '{secret}'\n"));
    let holds_secret = || {
        let entries = std::fs::read_dir(place.configuration()).expect("the folder is there").flatten();
        let files: Vec<Vec<u8>> = entries.filter_map(|entry| std::fs::read(entry.path()).ok()).collect();
        files.iter().any(|bytes| bytes.windows(secret.len()).any(|window| window == secret.as_bytes()))
    };
    let tree = place.load("a.py");
    for (from, to) in [("x", "y"), ("y", "z")] {
        place.run(&["modify", &tree, "sub", "module", from, to]).expect(0);
    }
    assert!(holds_secret());
    place.run(&["drop", &tree]).expect(0);
    assert!(!holds_secret(), "after drop");

    place.run(&["modify", "a.py", "sub", "module", "x", "y", "--write", "--backup"]).expect(0);
    assert!(holds_secret());
    place.run(&["backups", "--keep", "1"]).expect(0);
    assert!(holds_secret(), "it is of today");
    let kept = place.run(&["backups", "--keep", "0", "--json"]).expect(0).json();
    assert_eq!(kept["expired"], serde_json::json!({"backups": 1, "transactions": 1}));
    assert!(!holds_secret(), "after it was forgotten");
}

#[test]
fn writes_and_backups_expire_after_a_month() {
    let place = new_place();
    place.run(&["modify", "a.py", "sub", "module", "1", "2", "--write", "--backup"]).expect(0);
    let counts = || {
        let kept = place.run(&["backups", "--json"]).json();
        (kept["backups"].as_array().map_or(0, Vec::len), listed(&place).len())
    };
    let later = |days: u32| {
        let store = rusqlite::Connection::open(place.configuration().join("store.db")).expect("the store is there");
        for table in ["written", "backup"] {
            let moved = store.execute(&format!("UPDATE {table} SET time = time - {days} * 24 * 60 * 60"), []);
            moved.expect("the statement is right");
        }
    };
    assert_eq!(counts(), (1, 1));
    later(29);
    assert_eq!(counts(), (1, 1));
    place.run(&["backups", "--keep", "30"]).expect(0);
    assert_eq!(counts(), (1, 1));
    later(2);
    assert_eq!(counts(), (0, 0));
    assert_eq!(place.run(&["undo", "--last", "--json"]).expect(2).error(), "not_found");
}

#[test]
fn what_something_else_restored_is_undone() {
    let place = new_place();
    let write = |from: &str, to: &str| {
        let answer =
            place.run(&["rewrite", "-p", &format!("{from}($A)"), &format!("{to}($A)"), ".", "--write", "--json"]);
        answer.expect(0).json()["transaction"].as_str().expect("it has an id").to_owned()
    };
    let first = write("f", "g");
    let second = write("g", "h");
    // As `git checkout` does.
    for file in ["a.py", "b.py", "c.py"] {
        place.write(file, "x = g(1)\n");
    }
    place.run(&["undo", "--last"]).expect(0);
    assert!(!listed(&place).iter().any(|row| row.0 == second), "it is as before");
    place.write("a.py", "x = 3\n");
    std::fs::remove_file(place.path("b.py")).expect("it is there");
    place.write("c.py", "x = 4\n");
    let refused = place.run(&["undo", "--last"]).expect(2).stderr;
    assert!(refused.contains("--skip-changed") && !refused.contains("later writes"), "{refused}");
    place.run(&["undo", "--last", "--skip-changed"]).expect(1);
    assert!(!listed(&place).iter().any(|row| row.0 == first), "it is off the list");
}
