//! A user's own languages, end to end: errors in a folder are reported with their file, and do not affect other
//! languages.

use cst::language::{Detector, Languages, UserFolder};

use super::cli::Place;
use super::language_tables::{Key, table};

/// A place where the user's folder `languages/` has these files.
fn place(files: &[(&str, &str)]) -> Place {
    let place = Place::new();
    place.write("app.json", "{\"a\": 1}\n");
    place.write("data.toml", "a = 1\n");
    files.iter().for_each(|(name, text)| place.configure(&format!("cst/languages/{name}"), text));
    place
}

/// Checks the standard error and the exit status of a command.
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

/// Checks what `cst languages` reports about a broken language; others are unaffected.
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
    said(&files, &["find", "*", "app.json", "--language", "make"], 2, &["`make`", "make.so", "cannot be loaded"], &[]);
    listed(&files, &["make\n", "make.so"]);
    let alone = [("make/language.toml", make)];
    said(&alone, &["find", "pair", "data.toml"], 0, &["no grammar for `make`"], &[]);
}

/// An invalid word in each key of `language.toml` that names words of the grammar, and the key that the error names.
/// `rull` is not a type, token, field or kind, and `(` is not a regex.
const WRONG: &[(&str, &str)] = &[
    ("extends = \"rull\"", "extends"),
    ("claims = { h = \"(\" }", "claims.h"),
    ("leading = [\"object/rull\"]", "leading"),
    ("leading = [\"rull/pair\"]", "leading"),
    ("scopes = [\"rull\"]", "scopes"),
    ("kinds = { field = \"rull\" }", "kinds.field"),
    ("kinds = { rull = \"pair\" }", "kinds"),
    ("names = { pair = \"key.rull\" }", "names: pair"),
    ("names = { pair = \"rull^\" }", "names: pair"),
    ("names = { pair = \"key:rull\" }", "names: pair"),
    ("names = { pair = \"key | +rull\" }", "names: pair"),
    ("visibility = [{ is = \"public\", when = \"rull\" }]", "visibility"),
    ("aligned = [\"pair/rull\"]", "aligned"),
    ("only_in = { pair = \"rull/object\" }", "only_in"),
    ("pattern_contexts = [{ name = \"a\", around = \"$0\", quiet = [\"pair.rull\"] }]", "pattern_contexts.quiet"),
    ("precedence = { levels = [[\"pair\"]], right = [\"array\"] }", "precedence.right"),
    ("precedence = { levels = [[\"pair\"]], trailing = [\"array\"] }", "precedence.trailing"),
    ("precedence = { operands = { \"pair.first\" = \"array\" } }", "precedence.operands"),
    ("compatibility = { Pair = \"rull\" }", "compatibility: Pair"),
];

/// Values that lack something, with what is said.
const INCOMPLETE: &[(&str, &str)] = &[
    ("precedence = { bans = [{ at = \"pair.first\", of = \"array\" }] }", "precedence.bans.side: it is missing"),
    ("precedence = { within = [{ of = \"pair\", around = \"array\" }] }", "precedence.within.only: it is missing"),
    ("unread = [{ as = \" \" }]", "unread.find: it is missing"),
    ("unread = [{ find = \"a\", fill = \"bb\" }]", "unread.fill: it must be one ASCII character"),
    ("statements = { around = \"f();\" }", "statements.around: `$0` is missing"),
    ("lists = { object = { only = [\"array\"] } }", "lists: object.separator: it is missing"),
    ("items = { strings = [{ prefix = \"r\" }] }", "items.strings.quote: it is missing"),
    ("items = { block_comments = [[\"/*\", \"\"]] }", "items.block_comments: it is missing"),
    ("blocks = { comment = \"#\" }", "blocks.long_comment: it is missing"),
    ("params = { pair = {} }", "params: pair.at: it is missing"),
];

/// Values of a form with a wrong word; none if nothing of the form is looked up.
fn wrong_values(form: &str) -> Vec<String> {
    let inner = |outer: &str| form.strip_prefix(outer)?.strip_suffix('>').map(wrong_values);
    let each = |values: Vec<String>, make: fn(&str) -> String| values.iter().map(|value| make(value)).collect();
    let written: Option<&[&str]> = match form {
        "bool" | "usize" | "String" | "Vec<String>" | "Option<String>" | "BTreeMap<String, String>" => Some(&[]),
        "BTreeMap<String, Vec<String>>" | "Words" | "LineLength" | "Space" | "ImportOrder" => Some(&[]),
        "ImportUses" | "Option<ModuleScheme>" | "Text" | "Needed<String>" | "[Text; 2]" | "Around" => Some(&[]),
        "Parens" | "Fill" | "Metavariable" | "IndentWidth" | "Needed<Side>" | "Kinds" | "Compatibility" => Some(&[]),
        "Types" | "Marks" | "NodePatterns" | "KnownSpaces" | "Signs" | "Fields" => Some(&["[\"rull\"]"]),
        "KindWords" | "Forms" => Some(&["[\"rull\"]"]),
        "TypeValues" | "PatternValues" | "OneMark" | "OneField" | "Sign" | "SomePaths" => Some(&["\"rull\""]),
        "BodyField" | "FormValues" | "SomeForms" => Some(&["\"rull\""]),
        "SomePlaces" => Some(&["\"pair.rull\"", "\"rull.first\""]),
        "PlaceForms" => Some(&["{ \"pair.rull\" = \"pair\" }", "{ \"pair.first\" = \"rull\" }"]),
        "TargetForms" => Some(&["{ \"pair.rull\" = \"string\" }", "{ \"pair.first\" = [\"rull\"] }"]),
        "TypePairs" => Some(&["{ rull = \"array\" }", "{ pair = \"rull\" }"]),
        "MaybeRegex" | "RegexSource" | "Needed<LazyRegex>" => Some(&["'('"]),
        "Places" | "SpacedPlaces" => Some(&["[\"rull.key\"]", "[\"pair.rull\"]"]),
        "OneType" | "Mark" | "MarkValues" | "Paths" | "OnePath" | "MaybePath" => Some(&["\"rull\""]),
        "LazyRegex" => Some(&["'('"]),
        "Brackets" => Some(&["[\"(\"]"]),
        "PatternPaths" => Some(&["{ rull = \"*\" }", "{ pair = \"rull\" }"]),
        "PlaceTexts" => Some(&["{ \"pair.rull\" = \"$old\" }"]),
        "AddedReferences" => Some(&["{ bindings = [\"rull\"] }"]),
        "ByType<usize>" => Some(&["{ rull = 1 }"]),
        "ByType<String>" | "ByType<SpaceValues>" => Some(&["{ rull = \"a\" }"]),
        "Parts" => Some(&["{ rull = {} }", "{ \"rull/pair\" = {} }", "{ pair = { source = \"rull\" } }"]),
        _ => None,
    };
    if let Some(written) = written {
        return written.iter().map(|value| (*value).to_owned()).collect();
    }
    if let Some(values) = inner("ByType<") {
        let wrong_type = values.first().map(|value| format!("{{ rull = {value} }}"));
        return wrong_type.into_iter().chain(values.iter().map(|value| format!("{{ pair = {value} }}"))).collect();
    }
    if let Some(values) = inner("BTreeMap<String, ") {
        return each(values, |value| format!("{{ some = {value} }}"));
    }
    if let Some(values) = inner("Option<") {
        return values;
    }
    if let Some(values) = inner("Vec<") {
        return each(values, |value| format!("[{value}]"));
    }
    let keys = &table(form).unwrap_or_else(|| panic!("what is a wrong value of `{form}`?")).keys;
    let of_key = |key: &Key| {
        let name = key.name.clone();
        let others = keys.iter().filter(|other| other.name != name);
        let needed = others.filter_map(|other| Some(format!(", {} = {}", other.name, needed_value(&other.form)?)));
        let needed: String = needed.collect();
        wrong_values(&key.form).into_iter().map(move |value| format!("{{ {name} = {value}{needed} }}"))
    };
    keys.iter().flat_map(of_key).collect()
}

/// A value of a form that has to be there.
fn needed_value(form: &str) -> Option<&'static str> {
    Some(match form {
        "OnePath" | "SomePaths" => "\"*\"",
        "Text" | "Needed<String>" | "Needed<LazyRegex>" => "\",\"",
        "[Text; 2]" => "[\"a\", \"b\"]",
        "Around" => "\"$0\"",
        "Needed<Side>" => "\"whole\"",
        "SomePlaces" => "\"pair.first\"",
        "SomeForms" => "\"pair\"",
        _ => return None,
    })
}

/// The path of the key with the wrong word: that of the tables around it and its own.
fn wrong_key(section: &str, form: &str, value: &str) -> String {
    let form = form.strip_prefix("Option<").and_then(|rest| rest.strip_suffix('>')).unwrap_or(form);
    if let Some(form) = form.strip_prefix("Vec<").and_then(|rest| rest.strip_suffix('>')) {
        return wrong_key(section, form, value.trim_start_matches('[').trim_end_matches(']'));
    }
    let name = value.strip_prefix("{ ").and_then(|rest| rest.split_once(" = "));
    let key = name.and_then(|(name, rest)| {
        let key = table(form)?.keys.iter().find(|key| key.name == name)?;
        Some(wrong_key(&format!("{section}.{name}"), &key.form, rest.strip_suffix(" }")?))
    });
    key.unwrap_or_else(|| section.to_owned())
}

#[test]
fn incomplete_data_says_what_is_missing() {
    for (line, message) in INCOMPLETE {
        let data = format!("name = \"json\"\nextensions = [\"json\"]\n\n{line}\n\n[kinds]\nmodule = \"document\"\n");
        let run = place(&[("json/language.toml", &data)]).run(&["find", "*", "app.json"]);
        assert_eq!(run.status, 2, "{line} is taken: {}", run.stderr);
        assert!(run.stderr.contains(message), "{line}: {}", run.stderr);
    }
    let late = "name = \"json\"\n\nextensions = [\"json\"]\n";
    let run = place(&[("json/language.toml", late)]).run(&["languages"]);
    assert!(run.stdout.contains("extensions: it belongs to the first paragraph"), "{} {}", run.stdout, run.stderr);
}

#[test]
fn a_wrong_word_in_any_key_names_file_and_key() {
    let mut cases: Vec<(String, String)> =
        WRONG.iter().map(|(line, key)| ((*line).to_owned(), (*key).to_owned())).collect();
    for Key { name, form, .. } in &table("Spec").expect("it is declared").keys {
        let made = wrong_values(form).into_iter().map(|value| {
            let key = wrong_key(name, form, &value);
            (format!("{name} = {value}"), key)
        });
        cases.extend(made);
    }
    for (line, key) in &cases {
        let kinds = if line.starts_with("kinds") { "" } else { "\n[kinds]\nmodule = \"document\"\n" };
        let gap = if ["extends", "claims"].iter().any(|head| line.starts_with(head)) { "" } else { "\n" };
        let data = format!("name = \"json\"\nextensions = [\"json\"]\n{gap}{line}\n{kinds}");
        let word = ["(\"]", "rull", "array"]
            .into_iter()
            .find(|word| line.contains(word))
            .unwrap_or("(")
            .trim_end_matches("\"]");
        let run = place(&[("json/language.toml", &data)]).run(&["find", "*", "app.json"]);
        assert_eq!(run.status, 2, "{line} is taken: {}", run.stderr);
        for part in ["`json`", "language.toml", key, word] {
            assert!(run.stderr.contains(part), "{line}: no {part:?} in {:?}", run.stderr);
        }
    }
    assert!(cases.len() > 440, "{}", cases.len());
}

/// A user's languages are those of the set that they were read into; reading the same files again keeps nothing more.
#[test]
fn languages_belong_to_their_set() {
    let folder = |extensions: &str| UserFolder {
        name: "json".to_owned(),
        data: Some(format!("name = \"json\"\nextensions = [{extensions}]\n\n[kinds]\nmodule = \"document\"\n")),
        ..UserFolder::default()
    };
    let (own, errors) = Languages::with(vec![folder("\"json\", \"lock\"")]);
    assert!(errors.is_empty(), "{errors:?}");
    let (again, _) = Languages::with(vec![folder("\"json\", \"lock\"")]);
    let (other, _) = Languages::with(vec![folder("\"json\"")]);
    let detected = |languages: &Languages| Detector::new(languages).detect("a.lock", b"{}").expect("the data is right");
    assert!(std::ptr::eq(own.named("json").unwrap(), again.named("json").unwrap()));
    assert!(!std::ptr::eq(own.named("json").unwrap(), other.named("json").unwrap()));
    assert_eq!(detected(&own), Some(own.named("json").unwrap()));
    assert_eq!(detected(&other), None);
    assert_eq!(detected(Languages::built_in()), None);
}
