//! A user's own languages, end to end: errors in a folder are reported with their file, and do not affect other
//! languages.

use cst::language::{Detector, Languages, UserFolder};

use super::cli::Place;

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
    ("docs = { statement = \"rull\" }", "docs.statement"),
    ("docs = { string = \"rull\" }", "docs.string"),
    ("docs = { joined = \"rull\" }", "docs.joined"),
    ("docs = { content = \"rull\" }", "docs.content"),
    ("decorators = [\"rull\"]", "decorators"),
    ("lists = { rull = { separator = \",\" } }", "lists"),
    ("lists = { object = { separator = \",\", plain_in = [\"rull\"] } }", "lists.object.plain_in"),
    ("lists = { object = { separator = \",\", alone = [\"rull\"] } }", "lists.object.alone"),
    ("lists = { object = { separator = \",\", only = [\"rull\"] } }", "lists.object.only"),
    ("lists = { object = { separator = \",\", field = \"rull\" } }", "lists.object.field"),
    ("imports = { types = [\"rull\"] }", "imports.types"),
    ("imports = { first = [\"object/rull\"] }", "imports.first"),
    ("imports = { opens = [\"rull\"] }", "imports.opens"),
    ("imports = { containers = { rull = \"\" } }", "imports.containers"),
    ("imports = { containers = { object = \"rull\" } }", "imports.containers"),
    ("imports = { parts = { rull = {} } }", "imports.parts"),
    ("imports = { parts = { \"rull/pair\" = {} } }", "imports.parts"),
    ("imports = { parts = { pair = { source = \"rull\" } } }", "imports.parts.pair"),
    ("imports = { parts = { pair = { alias = \"rull\" } } }", "imports.parts.pair"),
    ("imports = { globs = [\"rull\"] }", "imports.globs"),
    ("imports = { varieties = [\"rull\"] }", "imports.varieties"),
    ("imports = { weak = [\"rull\"] }", "imports.weak"),
    ("imports = { strong = [\"rull\"] }", "imports.strong"),
    ("imports = { own_names = [\"rull\"] }", "imports.own_names"),
    ("imports = { binds = \"(\" }", "imports.binds"),
    ("imports = { declares = [\"rull\"] }", "imports.declares"),
    ("imports = { free = [\"rull\"] }", "imports.free"),
    ("flow = { functions = [\"rull\"] }", "flow.functions"),
    ("flow = { hoisted = [\"rull\"] }", "flow.hoisted"),
    ("flow = { loops = [\"rull\"] }", "flow.loops"),
    ("flow = { maybe = [\"rull.key\"] }", "flow.maybe"),
    ("flow = { maybe = [\"pair.rull\"] }", "flow.maybe"),
    ("flow = { repeated = [\"rull.key\"] }", "flow.repeated"),
    ("flow = { complete = [\"rull(pair)\"] }", "flow.complete"),
    ("flow = { guarded = [\"rull.key\"] }", "flow.guarded"),
    ("flow = { handlers = [\"rull\"] }", "flow.handlers"),
    ("flow = { entered = [\"rull.key\"] }", "flow.entered"),
    ("flow = { exits = [\"rull\"] }", "flow.exits"),
    ("flow = { returns = [\"rull\"] }", "flow.returns"),
    ("flow = { breaks = { rull = \"pair\" } }", "flow.breaks"),
    ("flow = { breaks = { pair = \"rull\" } }", "flow.breaks: pair"),
    ("flow = { yields = [\"rull\"] }", "flow.yields"),
    ("flow = { awaits = [\"rull\"] }", "flow.awaits"),
    ("flow = { effects = [\"rull\"] }", "flow.effects"),
    ("flow = { states = [\"rull\"] }", "flow.states"),
    ("flow = { makes = [\"rull\"] }", "flow.makes"),
    ("flow = { writes = [\"rull.key\"] }", "flow.writes"),
    ("flow = { updates = [\"rull.key\"] }", "flow.updates"),
    ("flow = { unbinds = [\"rull.key\"] }", "flow.unbinds"),
    ("flow = { chains = { rull = 1 } }", "flow.chains"),
    ("flow = { optional = [\"rull\"] }", "flow.optional"),
    ("flow = { not_expressions = [\"rull\"] }", "flow.not_expressions"),
    ("flow = { not_values = [\"rull.key\"] }", "flow.not_values"),
    ("flow = { plain = [\"rull\"] }", "flow.plain"),
    ("flow = { declares = { rull = { name = \"key\", value = \"value\" } } }", "flow.declares"),
    ("flow = { declares = { pair = { name = \"rull\", value = \"value\" } } }", "flow.declares: pair"),
    ("flow = { spreads = [\"rull\"] }", "flow.spreads"),
    ("flow = { own = [\"rull\"] }", "flow.own"),
    ("flow = { written_types = { pair = \"rull\" } }", "flow.written_types: pair"),
    ("flow = { type_names = [\"rull\"] }", "flow.type_names"),
    ("flow = { optional_types = { rull = \"$type\" } }", "flow.optional_types"),
    ("flow = { literal_types = { rull = \"number\" } }", "flow.literal_types"),
    ("flow = { decided = { and = [\"rull\"] } }", "flow.decided.and"),
    ("flow = { decided = { or = [\"rull\"] } }", "flow.decided.or"),
    ("flow = { decided = { not = [\"rull\"] } }", "flow.decided.not"),
    ("flow = { decided = { equal = [\"rull\"] } }", "flow.decided.equal"),
    ("flow = { decided = { unequal = [\"rull\"] } }", "flow.decided.unequal"),
    ("flow = { decided = { groups = [\"rull\"] } }", "flow.decided.groups"),
    ("flow = { decided = { choices = { rull = { then = \"value\" } } } }", "flow.decided.choices"),
    (
        "flow = { decided = { choices = { pair = { condition = \"rull\", then = \"value\" } } } }",
        "flow.decided.choices: pair",
    ),
    ("flow = { decided = { choices = { pair = { then = \"rull\" } } } }", "flow.decided.choices: pair"),
    (
        "flow = { decided = { choices = { pair = { otherwise = \"rull\", then = \"value\" } } } }",
        "flow.decided.choices: pair",
    ),
    ("flow = { decided = { branches = { rull = { then = \"value\" } } } }", "flow.decided.branches"),
    (
        "flow = { decided = { branches = { pair = { condition = \"rull\", then = \"value\" } } } }",
        "flow.decided.branches: pair",
    ),
    ("flow = { decided = { branches = { pair = { then = \"rull\" } } } }", "flow.decided.branches: pair"),
    (
        "flow = { decided = { branches = { pair = { otherwise = \"rull\", then = \"value\" } } } }",
        "flow.decided.branches: pair",
    ),
    ("flow = { decided = { clauses = { pair = \"rull\" } } }", "flow.decided.clauses: pair"),
    ("references = { spaces = { rull = \"a\" } }", "references.spaces"),
    ("references = { shorthand = { \"pair.rull\" = \"$old\" } }", "references.shorthand"),
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
    ("symbols = { literals = [\"rull\"] }", "symbols.literals"),
    ("symbols = { entries = { test = \"(\" } }", "symbols.entries"),
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

/// Keys of `[references]` that hold no word of the grammar.
const FREE_REFERENCES: &[&str] = &[
    "supported",
    "blank",
    "fixed",
    "structural",
    "method_space",
    "field_space",
    "instance_space",
    "static_space",
    "static_decorators",
    "constructors",
    "plain_bases",
    "global_objects",
    "dynamic_calls",
    "named_by_decorators",
    "class_private_prefix",
    "spaces",
    "shorthand",
];

/// Keys of `[symbols]` that hold no word of the grammar.
const FREE_SYMBOLS: &[&str] = &[
    "started",
    "class_searches",
    "member_searches",
    "own_modules",
    "class_hooks",
    "naming_files",
    "declaration_files",
    "private_is_hidden",
    "words_are_names",
    "modules",
    "package_files",
    "module_extensions",
    "require_calls",
    "module_calls",
    "import_forms",
    "export_objects",
    "export_wholes",
    "source_folders",
    "test_folders",
    "manifests",
    "private_files",
    "crate_files",
    "root_words",
    "own_words",
    "parent_words",
    "same_methods",
    "element_methods",
    "first_element_types",
    "typed_calls",
    "same_calls",
    "range_keys",
    "imports_are_complete",
    "elements_are_alike",
    "implicit_members",
    "inferred_types",
    "constructs",
    "enters",
    "any_types",
    "plain_calls",
    "wrapper_types",
    "class_types",
    "own_types",
    "no_types",
    "super_calls",
    "class_calls",
    "class_attributes",
    "properties",
    "class_methods",
    "plain_decorators",
    "open_members",
    "whole_modules",
    "default_name",
    "public_list",
    "private_prefix",
    "builtins",
    "entries",
    "public_is_exported",
    "dynamic_calls",
    "named_access",
    "named_parameters",
    "member_lists",
    "structural_types",
    "class_files",
    "known_bases",
    "companion_calls",
    "instance_calls",
    "mixins",
    "early_mixins",
    "class_mixins",
    "own_mixins",
    "packages_nest",
    "outer_packages",
    "global_fallback",
    "part_words",
    "shared_words",
    "neighbours",
    "shared_names",
    "implicit_names",
    "closed_calls",
    "self_words",
    "super_words",
    "static_words",
];

/// Keys of `[imports.organize]` that hold no word of the grammar and no regex.
const FREE_ORGANIZE: &[&str] = &[
    "order",
    "uses",
    "always_brackets",
    "exposed",
    "guessed",
    "parameters",
    "open_files",
    "standard",
    "dynamic",
    "settings",
    "line_settings",
    "line_length",
];

/// The keys of a table, as its struct in the source has them.
fn keys(table: &str) -> Vec<&'static str> {
    let source = concat!(
        include_str!("../../src/syntax/language/data.rs"),
        include_str!("../../src/syntax/language/name_data.rs"),
        include_str!("../../src/syntax/language/organize_data.rs"),
    );
    let start = source.find(&format!("pub struct {table} {{")).expect("the struct is there");
    let body = &source[start..start + source[start..].find("\n}").expect("it ends")];
    let fields = body.lines().filter_map(|line| line.trim().strip_prefix("pub ")?.split_once(':'));
    fields.map(|(name, _)| name).filter(|name| !name.contains(' ')).collect()
}

#[test]
fn a_wrong_word_in_any_key_names_file_and_key() {
    let mut cases: Vec<(String, String)> =
        WRONG.iter().map(|(line, key)| ((*line).to_owned(), (*key).to_owned())).collect();
    let places = keys("ReferenceRule").into_iter().filter(|key| !FREE_REFERENCES.contains(key));
    cases.extend(places.map(|key| (format!("references = {{ {key} = [\"rull\"] }}"), format!("references.{key}"))));
    for key in keys("SymbolRule").into_iter().filter(|key| !FREE_SYMBOLS.contains(key)) {
        let value = match key {
            "outside"
            | "quoted_types"
            | "literals"
            | "containers"
            | "super_types"
            | "generators"
            | "classes"
            | "made_bodies"
            | "trait_members"
            | "module_types"
            | "variants"
            | "loose"
            | "opaque"
            | "declarators"
            | "function_declarators"
            | "array_declarators"
            | "written_paths"
            | "value_lists"
            | "narrowing"
            | "field_keys"
            | "module_places"
            | "file_names"
            | "shared_imports"
            | "bare_members"
            | "open_scopes"
            | "companions"
            | "class_scopes"
            | "symbol_types"
            | "method_names"
            | "class_code"
            | "dynamic_accesses" => "[\"rull\"]",
            "entry_decorators" | "entry_modifiers" | "libraries" | "naming_comments" => "{ some = '(' }",
            "exports" => "{ types = [\"rull\"] }",
            "references" => "{ bindings = [\"rull\"] }",
            "manifest_name" | "manifest_folders" | "manifest_root" | "module_path" | "include_lines"
            | "package_lines" | "type_blocks" => "'('",
            _ => "{ rull = \"*\" }",
        };
        cases.push((format!("symbols = {{ {key} = {value} }}"), format!("symbols.{key}")));
    }
    for key in keys("OrganizeRule").into_iter().filter(|key| !FREE_ORGANIZE.contains(key)) {
        let value = match key {
            "blocks" | "lists" | "clauses" | "single" | "kept_in" => "[\"rull\"]",
            "brackets" => "[\"(\"]",
            "implied" => "{ name = [\"rull\"] }",
            _ => "\"(\"",
        };
        cases.push((format!("imports = {{ organize = {{ {key} = {value} }} }}"), format!("imports.organize.{key}")));
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
    let missing: Vec<&str> =
        keys("Data").into_iter().filter(|key| !FREE.contains(key) && !named.contains(key)).collect();
    assert!(missing.is_empty(), "no wrong word is tried in {missing:?}");
    assert!(cases.len() > 140, "{}", cases.len());
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
