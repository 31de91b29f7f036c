//! A user's own languages, end to end: errors in a folder are reported with their file, and do not affect other
//! languages.

use cst::language::{Detector, Languages, UserFolder};

use super::cli::Place;
use super::language_tables::{Key, SECTIONS, table};

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
    said(&files, &["find", "*", "app.json", "--language", "make"], 2, &["`make`", "make.so", "can't be loaded"], &[]);
    listed(&files, &["make\n", "make.so"]);
    let alone = [("make/language.toml", make)];
    said(&alone, &["find", "pair", "data.toml"], 0, &["no grammar for `make`"], &[]);
}

/// An invalid word in each key of `language.toml` that names words of the grammar, and the key that the error names.
/// `rull` is not a type, token, field or kind, and `(` is not a regex.
const WRONG: &[(&str, &str)] = &[
    ("extends = \"rull\"", "extends"),
    ("claims = { h = \"(\" }", "claims.h"),
    ("bodies = [\"rull\"]", "bodies"),
    ("wrappers = [\"rull\"]", "wrappers"),
    ("held = { rull = \"key\" }", "held"),
    ("held = { pair = \"rull\" }", "held: pair"),
    ("holders = { rull = \"key\" }", "holders"),
    ("holders = { pair = \"rull\" }", "holders: pair"),
    ("values = [\"rull\"]", "values"),
    ("leading = [\"object/rull\"]", "leading"),
    ("leading = [\"rull/pair\"]", "leading"),
    ("unread = [{ find = \"(\" }]", "unread.find"),
    ("comments = [\"rull\"]", "comments"),
    ("strings = [\"rull\"]", "strings"),
    ("scopes = [\"rull\"]", "scopes"),
    ("scope_types = [\"rull\"]", "scope_types"),
    ("kinds = { field = \"rull\" }", "kinds.field"),
    ("kinds = { rull = \"pair\" }", "kinds"),
    ("names = { rull = \"key\" }", "names"),
    ("names = { pair = \"key.rull\" }", "names: pair"),
    ("names = { pair = \"rull^\" }", "names: pair"),
    ("names = { pair = \"key:rull\" }", "names: pair"),
    ("names = { pair = \"key | +rull\" }", "names: pair"),
    ("other_names = { rull = \"key\" }", "other_names"),
    ("receivers = { pair = \"rull\" }", "receivers"),
    ("callees = { pair = \"rull\" }", "callees"),
    ("modules = { pair = \"rull\" }", "modules"),
    ("bases = { pair = \"rull\" }", "bases"),
    ("returns = { pair = \"rull\" }", "returns"),
    ("params = { rull = { at = \"key\" } }", "params"),
    ("params = { pair = { at = \"rull\" } }", "params: pair"),
    ("params = { pair = { at = \"key\", only = [\"rull\"] } }", "params: pair"),
    ("params = { pair = { at = \"key\", except = [\"rull\"] } }", "params: pair"),
    ("args = { pair = { at = \"key\", single = [\"rull\"] } }", "args: pair"),
    ("args = { pair = { at = \"key\", each = \"rull\" } }", "args: pair"),
    ("modifiers = [\"rull\"]", "modifiers"),
    ("modifier_holders = [\"rull\"]", "modifier_holders"),
    ("visibility = [{ is = \"public\", when = \"rull\" }]", "visibility"),
    ("introducers = { rull = \"def\" }", "introducers"),
    ("introduced_names = [\"rull\"]", "introduced_names"),
    ("introducer_gap = \"(\"", "introducer_gap"),
    ("decorators = [\"rull\"]", "decorators"),
    ("lists = { rull = { separator = \",\" } }", "lists"),
    ("lists = { object = { separator = \",\", plain_in = [\"rull\"] } }", "lists.object.plain_in"),
    ("lists = { object = { separator = \",\", alone = [\"rull\"] } }", "lists.object.alone"),
    ("lists = { object = { separator = \",\", only = [\"rull\"] } }", "lists.object.only"),
    ("lists = { object = { separator = \",\", field = \"rull\" } }", "lists.object.field"),
    ("imports = { parts = { rull = {} } }", "imports.parts"),
    ("imports = { parts = { \"rull/pair\" = {} } }", "imports.parts"),
    ("imports = { parts = { pair = { source = \"rull\" } } }", "imports.parts.pair"),
    ("imports = { parts = { pair = { alias = \"rull\" } } }", "imports.parts.pair"),
    ("needs = { rull = \"pair\" }", "needs"),
    ("needs = { object = \"rull\" }", "needs"),
    ("joins = [\"rull\"]", "joins"),
    ("statements = { types = [\"rull\"], around = \"$0\" }", "statements.types"),
    ("statements = { in = [\"rull\"], around = \"$0\" }", "statements.in"),
    ("body_types = [\"rull\"]", "body_types"),
    ("body_after = { rull = [\"pair\"] }", "body_after"),
    ("body_after = { object = [\"rull\"] }", "body_after"),
    ("ends_by_indentation = [\"rull\"]", "ends_by_indentation"),
    ("joined_names = { rull = \":\" }", "joined_names"),
    ("joined_names = { pair = \"rull\" }", "joined_names"),
    ("named_values = [\"rull\"]", "named_values"),
    ("nameless = [\"rull\"]", "nameless"),
    ("sections = { rull = \":\" }", "sections"),
    ("sections = { pair = \"rull\" }", "sections"),
    ("outer_bodies = [\"rull\"]", "outer_bodies"),
    ("empty_statement_in = [\"rull\"]", "empty_statement_in"),
    ("keyword_names = [\"rull\"]", "keyword_names"),
    ("empty_statement_in = [\"pair.rull\"]", "empty_statement_in"),
    ("aligned = [\"pair/rull\"]", "aligned"),
    ("only_in = { rull = \"object\" }", "only_in"),
    ("only_in = { pair = \"rull/object\" }", "only_in"),
    ("holds_only = { object = \"rull\" }", "holds_only"),
    ("order = [{ in = [\"rull\"], after = [\"pair\"] }]", "order.in"),
    ("order = [{ in = [\"object\"], after = [\"rull\"] }]", "order.after"),
    ("order = [{ in = [\"object\"], after = [\"pair\"], then = [\"rull\"] }]", "order.then"),
    ("order = [{ in = [\"object\"], after = [\"pair\"], until = [\"rull\"] }]", "order.until"),
    ("terminators = { rull = \",\" }", "terminators"),
    ("terminators = { object = \"rull\" }", "terminators"),
    ("header_fields = [\"rull\"]", "header_fields"),
    ("clauses = [\"rull\"]", "clauses"),
    ("body_ends = [\"rull\"]", "body_ends"),
    ("labels = [\"rull\"]", "labels"),
    ("pattern_contexts = [{ name = \"a\", around = \"$0\", quiet = [\"rull\"] }]", "pattern_contexts.quiet"),
    ("pattern_contexts = [{ name = \"a\", around = \"$0\", quiet = [\"pair.rull\"] }]", "pattern_contexts.quiet"),
    ("precedence = { levels = [[\"rull\"]] }", "precedence"),
    ("precedence = { levels = [[\"pair\"]], right = [\"rull\"] }", "precedence"),
    ("precedence = { levels = [[\"pair\"]], right = [\"array\"] }", "precedence.right"),
    ("precedence = { levels = [[\"pair\"]], trailing = [\"array\"] }", "precedence.trailing"),
    ("precedence = { targets = { \"pair.rull\" = \"string\" } }", "precedence"),
    ("precedence = { bare_lists = { rull = \"array\" } }", "precedence"),
    ("quotes_alike = [\"rull\"]", "quotes_alike"),
    ("body_field = \"rull\"", "body_field"),
    ("statement_separator = \"rull\"", "statement_separator"),
    ("compatibility = { Pair = \"rull\" }", "compatibility.Pair"),
    ("limits = { too_long = \"(\" }", "limits.too_long"),
    ("items = { around = [\"rull\"] }", "items.around"),
    ("items = { suspects = { bodies = [\"rull\"] } }", "items.suspects.bodies"),
    ("items = { suspects = { functions = [\"rull\"] } }", "items.suspects.functions"),
    (
        "blocks = { comment = \"#\", long_comment = [\"=b\", \"=e\"], stop = \"__\", close = \"end\", around = [\"rull\"] }",
        "blocks.around",
    ),
];

/// Keys that hold no word of the grammar: names, texts, numbers.
const FREE: &[&str] = &[
    "name",
    "aliases",
    "extensions",
    "file_names",
    "shebangs",
    "projects",
    "workspaces",
    "server_name",
    "line_comment",
    "names_are_words",
    "slices",
    "empty_body",
    "empty_statement",
    "contexts",
    "metavariable",
    "reserved",
    "keywords",
    "parens",
    "one_line_quotes",
    "indent",
    "blank_lines",
    "indentation_is_syntax",
    "prose",
];

/// The keys of a table, as its struct in the source has them.
fn keys(table: &str) -> Vec<&'static str> {
    let source = include_str!("../../src/syntax/language/data.rs");
    let start = source.find(&format!("pub struct {table} {{")).expect("the struct is there");
    let body = &source[start..start + source[start..].find("\n}").expect("it ends")];
    let fields = body.lines().filter_map(|line| line.trim().strip_prefix("pub ")?.split_once(':'));
    fields.map(|(name, _)| name).filter(|name| !name.contains(' ')).collect()
}

/// Values of a form with a wrong word; none if nothing of the form is looked up.
fn wrong_values(form: &str) -> Vec<String> {
    let inner = |outer: &str| form.strip_prefix(outer)?.strip_suffix('>').map(wrong_values);
    let each = |values: Vec<String>, make: fn(&str) -> String| values.iter().map(|value| make(value)).collect();
    let written: Option<&[&str]> = match form {
        "bool" | "usize" | "String" | "Vec<String>" | "Option<String>" | "BTreeMap<String, String>" => Some(&[]),
        "BTreeMap<String, Vec<String>>" | "Words" | "LineLength" | "Space" | "CodeRule" | "ImportOrder" => Some(&[]),
        "ImportUses" | "Vec<SettingRule>" | "Option<ModuleScheme>" => Some(&[]),
        "Types" | "Marks" | "NodePatterns" | "KnownSpaces" => Some(&["[\"rull\"]"]),
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
    let keys = &table(form).unwrap_or_else(|| panic!("what is a wrong value of `{form}`?")).keys;
    let of_key = |key: &Key| {
        let name = key.name.clone();
        let needed = keys.iter().filter(|other| other.form == "OnePath" && other.name != name);
        let needed: String = needed.map(|other| format!(", {} = \"*\"", other.name)).collect();
        wrong_values(&key.form).into_iter().map(move |value| format!("{{ {name} = {value}{needed} }}"))
    };
    keys.iter().flat_map(of_key).collect()
}

/// The path of the key with the wrong word: that of the tables around it and its own.
fn wrong_key(section: &str, form: &str, value: &str) -> String {
    let form = form.strip_prefix("Option<").and_then(|rest| rest.strip_suffix('>')).unwrap_or(form);
    let name = value.strip_prefix("{ ").and_then(|rest| rest.split_once(" = "));
    let key = name.and_then(|(name, rest)| {
        let key = table(form)?.keys.iter().find(|key| key.name == name)?;
        Some(wrong_key(&format!("{section}.{name}"), &key.form, rest.strip_suffix(" }")?))
    });
    key.unwrap_or_else(|| section.to_owned())
}

#[test]
fn a_wrong_word_in_any_key_names_file_and_key() {
    let mut cases: Vec<(String, String)> =
        WRONG.iter().map(|(line, key)| ((*line).to_owned(), (*key).to_owned())).collect();
    for (section, form) in SECTIONS {
        let made = wrong_values(form).into_iter().map(|value| {
            let key = wrong_key(section, form, &value);
            (format!("{section} = {value}"), key)
        });
        cases.extend(made);
    }
    for (line, key) in &cases {
        let kinds = if line.starts_with("kinds") { "" } else { "\n[kinds]\nmodule = \"document\"\n" };
        let data = format!("name = \"json\"\nextensions = [\"json\"]\n\n{line}\n{kinds}");
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
    let named: Vec<&str> = WRONG.iter().filter_map(|(line, _)| Some(line.split_once(' ')?.0)).collect();
    let missing = keys("Data").into_iter().filter(|key| !FREE.contains(key) && !named.contains(key));
    let missing: Vec<&str> = missing.filter(|key| SECTIONS.iter().all(|(section, _)| section != key)).collect();
    assert!(missing.is_empty(), "no wrong word is tried in {missing:?}");
    assert!(cases.len() > 340, "{}", cases.len());
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
