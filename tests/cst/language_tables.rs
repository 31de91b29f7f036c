//! The tables of a language's data, as `rules!` declares them in `src/syntax/language`; docs/language-data.md lists their keys.
//!
//! `UPDATE_DOCS=1 cargo test --features all language_tables::` writes the page.

use std::collections::HashSet;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use regex::Regex;

/// A table of keys.
pub struct Table {
    /// The name of its struct, which is its form as a key of another table.
    pub form: String,
    pub about: String,
    pub keys: Vec<Key>,
}

pub struct Key {
    pub name: String,
    pub form: String,
    pub about: String,
}

const SOURCES: &[&str] = &[
    include_str!("../../src/syntax/language/head.rs"),
    include_str!("../../src/syntax/language/spec.rs"),
    include_str!("../../src/syntax/language/pieces.rs"),
    include_str!("../../src/syntax/language/precedence.rs"),
    include_str!("../../src/syntax/language/docs.rs"),
    include_str!("../../src/syntax/language/symbol_rules.rs"),
    include_str!("../../src/syntax/language/entries.rs"),
    include_str!("../../src/syntax/language/closed_types.rs"),
    include_str!("../../src/syntax/language/constructions.rs"),
    include_str!("../../src/syntax/language/forbidden_names.rs"),
    include_str!("../../src/syntax/language/shown.rs"),
    include_str!("../../src/syntax/language/type_tests.rs"),
    include_str!("../../src/syntax/language/used_from.rs"),
    include_str!("../../src/syntax/language/autoload.rs"),
    include_str!("../../src/syntax/language/module_tree.rs"),
    include_str!("../../src/syntax/language/references.rs"),
    include_str!("../../src/syntax/language/imports.rs"),
    include_str!("../../src/syntax/language/injections.rs"),
    include_str!("../../src/syntax/language/organize.rs"),
    include_str!("../../src/syntax/language/hidden_uses.rs"),
    include_str!("../../src/syntax/language/run_documentation.rs"),
    include_str!("../../src/syntax/language/overloads.rs"),
    include_str!("../../src/syntax/language/flow.rs"),
    include_str!("../../src/syntax/language/ast_grep_words.rs"),
    include_str!("../../src/syntax/language/metrics.rs"),
    include_str!("../../src/syntax/language/versions.rs"),
];

/// All of them.
pub fn tables() -> &'static [Table] {
    static TABLES: OnceLock<Vec<Table>> = OnceLock::new();
    TABLES.get_or_init(|| SOURCES.iter().flat_map(|source| read(source)).collect())
}

/// The table with a form.
pub fn table(form: &str) -> Option<&'static Table> {
    tables().iter().find(|table| table.form == form)
}

fn read(source: &str) -> Vec<Table> {
    let head = Regex::new(r"^    (\w+) (?:from (?:#\[.*\] )?\w+ )?\{$").unwrap();
    let key = Regex::new(r#"^        (\w+)(?: as "(\w+)")?: (.+),$"#).unwrap();
    let (mut tables, mut about): (Vec<Table>, String) = Default::default();
    let (mut is_declared, mut is_made) = (false, false);
    for line in source.lines() {
        match line {
            "rules! {" | "plain! {" => is_declared = true,
            "}" => is_declared = false,
            // What is made of the keys of a table.
            "    } => {" => is_made = true,
            "    }" => is_made = false,
            _ => {}
        }
        if !is_declared || is_made {
            continue;
        }
        let mut take = || std::mem::take(&mut about);
        if let Some(text) = line.trim().strip_prefix("///") {
            about = format!("{about}{text}").trim().to_owned();
        } else if let Some(found) = head.captures(line) {
            tables.push(Table { form: found[1].to_owned(), about: take(), keys: Vec::new() });
        } else if let Some(found) = key.captures(line) {
            let name = found.get(2).unwrap_or_else(|| found.get(1).expect("a key has a name")).as_str().to_owned();
            let key = Key { name, form: found[3].to_owned(), about: take() };
            tables.last_mut().expect("a key is in a table").keys.push(key);
        }
    }
    tables
}

#[test]
fn the_page_lists_every_key() {
    let keys: usize = tables().iter().map(|table| table.keys.len()).sum();
    assert!(keys > 560, "too few keys were read: {keys}");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/language-data.md");
    let mut page = PAGE.to_owned();
    let mut shown = HashSet::new();
    write_table(&mut page, "The first paragraph", table("Head").expect("it is declared"), &mut shown);
    write_table(&mut page, "", table("Spec").expect("it is declared"), &mut shown);
    let absent: Vec<&str> = tables().iter().map(|table| &*table.form).filter(|form| !shown.contains(form)).collect();
    assert!(absent.is_empty(), "no key has a table of the form {absent:?}");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, &page).expect("docs/language-data.md can be written");
    }
    let present = fs::read_to_string(&path).unwrap_or_default();
    assert!(present == page, "docs/language-data.md is out of date; UPDATE_DOCS=1 renews it");
}

const PAGE: &str = "# Keys of a language's data

All keys of a `language.toml`. [Adding a language](adding-a-language.md) says what they are for, and explains [paths, node patterns and
places](adding-a-language.md#notations). This page is made from their declarations in `src/syntax/language`.
";

/// Writes a table of keys, and those that are values in it, each once.
fn write_table<'t>(page: &mut String, name: &str, of: &'t Table, shown: &mut HashSet<&'t str>) {
    shown.insert(&of.form);
    let heading = match name {
        "" => "## At the top".to_owned(),
        name if name.contains(' ') => format!("## {name}"),
        name => format!("{} `{name}`", "#".repeat(2 + name.matches('.').count())),
    };
    let about = of.about.replace("\n", " ");
    write!(page, "\n{heading}\n\n{about}\n\n| key | value | |\n|---|---|---|\n").unwrap();
    let mut inner = Vec::new();
    for key in &of.keys {
        let about = key.about.replace('|', "\\|");
        writeln!(page, "| `{}` | {} | {about} |", key.name, value(&key.form)).unwrap();
        let name = format!("{}.{}", name.trim_matches(['[', ']']), key.name);
        inner.extend(inner_table(name.trim_start_matches('.'), &key.form));
    }
    for (name, table) in inner {
        if !shown.contains(&*table.form) {
            write_table(page, &name, table, shown);
        }
    }
}

/// The table in a value of a form, if there is one, and how its head is written.
fn inner_table(name: &str, form: &str) -> Option<(String, &'static Table)> {
    if let Some(table) = table(form) {
        return Some((format!("[{name}]"), table));
    }
    let inner = |outer: &str| form.strip_prefix(outer)?.strip_suffix('>');
    if let Some(form) = inner("Option<") {
        return inner_table(name, form);
    }
    if let Some(form) = inner("Vec<") {
        return inner_table(name, form).map(|(head, table)| (format!("[{head}]"), table));
    }
    if form == "Parts" {
        return inner_table(name, "ByType<Part>");
    }
    inner("ByType<").and_then(|form| inner_table(&format!("{name}.TYPE"), form))
}

/// What a value of a form is.
fn value(form: &str) -> String {
    let inner = |outer: &str| form.strip_prefix(outer)?.strip_suffix('>').map(value);
    let words = match form {
        "bool" => "true or false",
        "usize" | "LineLength" | "IndentWidth" => "number",
        "String" | "Text" | "Needed<String>" | "Sign" | "Around" | "Parens" => "text",
        "Fill" => "character",
        "Vec<String>" | "Words" | "Brackets" | "Metavariable" => "texts",
        "[Text; 2]" => "two texts",
        "Vec<[Text; 2]>" => "pairs of texts",
        "Types" | "TypeValues" => "types",
        "Marks" | "MarkValues" | "Signs" => "types, tokens",
        "OneType" => "type",
        "Mark" | "OneMark" => "type or token",
        "TypePairs" => "type, by type",
        "OneField" | "BodyField" => "field",
        "Fields" => "fields",
        "Paths" | "SomePaths" => "paths",
        "OnePath" | "MaybePath" => "path",
        "PatternPaths" => "paths, by node pattern",
        "NodePatterns" | "PatternValues" => "node patterns",
        "Places" | "SpacedPlaces" => "places",
        "PlaceTexts" => "text, by place",
        "Space" => "name space",
        "SpaceValues" | "KnownSpaces" => "name spaces",
        "LazyRegex" | "MaybeRegex" | "RegexSource" | "Needed<LazyRegex>" => "regex",
        "KindWords" => "kinds",
        "Kinds" => "types and selectors, by kind",
        "Compatibility" => "types, kinds and selectors, by name",
        "Forms" | "FormValues" | "SomeForms" => "[forms](adding-a-language.md#precedence)",
        "Vec<Forms>" => "lists of [forms](adding-a-language.md#precedence)",
        "SomePlaces" => "[places](adding-a-language.md#precedence) of operands",
        "PlaceForms" => "form, by place of an operand",
        "TargetForms" => "forms, by place of an operand",
        "AddedReferences" => "table as `[references]`",
        "ModuleScheme" | "ImportOrder" | "ImportUses" | "Needed<Side>" => "word",
        "Parts" => "table, by type",
        _ => "",
    };
    if !words.is_empty() {
        return words.to_owned();
    }
    let option = || inner("Option<");
    let by_type = || inner("ByType<").map(|inner| format!("{inner}, by type"));
    let by_name = || inner("BTreeMap<String, ").map(|inner| format!("{inner}, by name"));
    let several = || form.strip_prefix("Vec<")?.strip_suffix('>').and_then(table).map(|_| "tables".to_owned());
    option().or_else(several).or_else(by_type).or_else(by_name).unwrap_or_else(|| {
        assert!(table(form).is_some(), "what is a value of `{form}`?");
        "table".to_owned()
    })
}
