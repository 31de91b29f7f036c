//! A user's own languages, end to end: what is wrong with a folder is said, with its file, and touches no other language.

use super::cli::Place;

/// A place where the user's folder `languages/` has these files.
fn place(files: &[(&str, &str)]) -> Place {
    let place = Place::new();
    place.write("app.json", "{\"a\": 1}\n");
    place.write("data.toml", "a = 1\n");
    files.iter().for_each(|(name, text)| place.configure(&format!("cst/languages/{name}"), text));
    place
}

/// What is said on standard error by a command, which ends so.
#[track_caller]
fn said(files: &[(&str, &str)], arguments: &[&str], status: i32, words: &[&str], not: &[&str]) {
    let run = place(files).run(arguments).expect(status);
    for word in words {
        assert!(run.stderr.contains(word), "no {word:?} in {:?}", run.stderr);
    }
    for word in not.iter().chain(&["panicked"]) {
        assert!(!run.stderr.contains(word), "{word:?} in {:?}", run.stderr);
    }
}

/// What `cst languages` says of a broken language; others go on as before.
#[track_caller]
fn listed(files: &[(&str, &str)], words: &[&str]) {
    let place = place(files);
    let run = place.run(&["languages"]).expect(0);
    for word in words {
        assert!(run.stdout.contains(word), "no {word:?} in {:?}", run.stdout);
    }
    place.run(&["find", "pair", "data.toml"]).expect(0);
    place.run(&["find", "pair", "."]);
}

const JSON: &str = "name = \"json\"\nextensions = [\"json\"]\n\n[kinds]\nmodule = \"document\"\n";

/// JSON's data with a line more.
fn json(more: &str) -> String {
    format!("{JSON}{more}\n")
}

#[test]
fn a_users_data_stands_for_the_built_in() {
    let own = json("field = \"pair\"\n[names]\npair = \"key\"\nstring = \".\"");
    let place = place(&[("json/language.toml", &own), ("json/mine.sel", ":first-pair = pair:first-child\n")]);
    let run = place.run(&["find", "field:first-pair", "app.json"]).expect(0);
    assert!(run.stdout.contains("field") && !run.stderr.contains("wrong"), "{} {}", run.stdout, run.stderr);
}

#[test]
fn a_wrong_named_selector_names_its_file() {
    let wrong = [("json/a.sel", ":good = pair\n"), ("json/b.sel", ":bad = pair:has(\n")];
    said(&wrong, &["find", ":good", "app.json"], 2, &["`json`", "b.sel", ":bad = pair:has("], &["--language"]);
    listed(&wrong, &["json\n", "error", "b.sel"]);
    let no_colon = [("json/a.sel", "good = pair\n")];
    said(&no_colon, &["find", ":good", "app.json"], 2, &["`json`", "a.sel", "good = pair"], &["--language"]);
    let unknown = [("json/a.sel", ":good = pair:has(rull)\n")];
    let words = ["`json`", "a.sel", "unknown type or kind `rull`", ":good = pair:has(rull)"];
    said(&unknown, &["find", ":good", "app.json"], 2, &words, &["^"]);
    said(&unknown, &["find", "pair:good", "."], 2, &words, &["^"]);
    listed(&unknown, &["json", "a.sel", "rull"]);
}

#[test]
fn a_wrong_first_paragraph_is_noted() {
    for wrong in ["name = \"json\nextensions = [\"json\"]\n", "name = \"jason\"\nextensions = [\"json\"]\n"] {
        let files = [("json/language.toml", wrong)];
        said(&files, &["find", "pair", "data.toml"], 0, &["`json`", "language.toml"], &[]);
        said(&files, &["find", "*", "app.json", "--language", "json"], 2, &["error", "`json`", "language.toml"], &[]);
        listed(&files, &["json\n", "language.toml"]);
    }
}

#[test]
fn wrong_kinds_name_the_key() {
    let check = |line: &str, words: &[&str]| {
        let data = json(line);
        let files = [("json/language.toml", data.as_str())];
        let all: Vec<&str> = words.iter().chain(&["`json`", "language.toml", "kinds", "hint: "]).copied().collect();
        said(&files, &["find", "pair", "app.json"], 2, &all, &["--language", "^"]);
        listed(&files, &[words[0], "language.toml"]);
    };
    check("field = \"rull\"", &["rull", "kinds.field"]);
    check("field = \"pair:has(rull)\"", &["rull", "kinds.field", "pair:has(rull)"]);
    check("feild = \"pair\"", &["unknown kind `feild`", "`field`"]);
}

#[test]
fn wrong_data_says_what_and_where() {
    let names = json("[names]\npear = \"key\"");
    let files = [("json/language.toml", names.as_str())];
    said(&files, &["find", "*", "app.json"], 2, &["`json`", "language.toml", "`pear`"], &["--language"]);
    let files = [("json/node-types.json", "{")];
    said(&files, &["find", "*", "app.json"], 2, &["`json`", "node-types.json"], &["--language"]);
    listed(&files, &["node-types.json"]);
}

#[test]
fn a_wrong_outline_names_its_file() {
    let check = |outline: &str, words: &[&str]| {
        let files = [("json/outline.toml", outline)];
        let all: Vec<&str> = words.iter().chain(&["`json`", "outline.toml"]).copied().collect();
        said(&files, &["outline", "app.json"], 2, &all, &["selectors/", "--language"]);
        listed(&files, &["json", "outline.toml"]);
    };
    check("[[row]]\nselect = \"rull\"\n", &["row.select", "unknown type or kind `rull`"]);
    check("[[row]]\nselect = \"pair:has(\"\n", &["row.select", "pair:has("]);
    check("decorators = \"rull\"\n", &["decorators", "`rull`"]);
    check("[[roe]]\n", &["roe"]);
}

#[test]
fn a_wrong_library_is_said() {
    let make = "name = \"make\"\nextensions = [\"mk\"]\n";
    let files = [("make/language.toml", make), ("make/make.so", "no library\n")];
    said(&files, &["find", "*", "app.json", "--language", "make"], 2, &["`make`", "make.so", "can't be loaded"], &[]);
    listed(&files, &["make\n", "make.so"]);
    let alone = [("make/language.toml", make)];
    said(&alone, &["find", "pair", "data.toml"], 0, &["no grammar for `make`"], &[]);
}
