//! The tables of a language's data, as `rules!` declares them in `src/syntax/language`; docs/language-data.md lists their keys.
//!
//! `UPDATE_DOCS=1 cargo test --features all language_tables::` writes the page.

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
    include_str!("../../src/syntax/language/docs.rs"),
    include_str!("../../src/syntax/language/symbol_rules.rs"),
    include_str!("../../src/syntax/language/references.rs"),
    include_str!("../../src/syntax/language/imports.rs"),
    include_str!("../../src/syntax/language/organize.rs"),
    include_str!("../../src/syntax/language/flow.rs"),
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
    let head = Regex::new(r"^    (\w+) from (?:#\[.*\] )?\w+ \{$").unwrap();
    let key = Regex::new(r"^        (\w+): (.+),$").unwrap();
    let (mut tables, mut about): (Vec<Table>, String) = Default::default();
    for line in source.lines() {
        let mut take = || std::mem::take(&mut about);
        if let Some(text) = line.trim().strip_prefix("///") {
            about = format!("{about}{text}").trim().to_owned();
        } else if let Some(found) = head.captures(line) {
            tables.push(Table { form: found[1].to_owned(), about: take(), keys: Vec::new() });
        } else if let Some(found) = key.captures(line) {
            let key = Key { name: found[1].to_owned(), form: found[2].to_owned(), about: take() };
            tables.last_mut().expect("a key is in a table").keys.push(key);
        } else if line.starts_with('}') {
            break;
        }
    }
    tables
}

#[test]
fn the_page_lists_every_key() {
    let keys: usize = tables().iter().map(|table| table.keys.len()).sum();
    assert!(keys > 280, "too few keys were read: {keys}");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/language-data.md");
    let mut page = PAGE.to_owned();
    for (section, form) in SECTIONS {
        write_table(&mut page, section, table(form).expect("it is declared"));
    }
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, &page).expect("docs/language-data.md can be written");
    }
    let present = fs::read_to_string(&path).unwrap_or_default();
    assert!(present == page, "docs/language-data.md is out of date; UPDATE_DOCS=1 renews it");
}

/// The tables at the top of the data that are declared like this.
pub const SECTIONS: [(&str, &str); 5] = [
    ("docs", "Docs"),
    ("references", "ReferenceRules"),
    ("imports", "Imports"),
    ("symbols", "SymbolRules"),
    ("flow", "Flow"),
];

const PAGE: &str = "# Keys of a language's data

The tables `[docs]`, `[references]`, `[imports]`, `[symbols]` and `[flow]` of a `language.toml`, with all their keys. [Adding a
language](adding-a-language.md) says what they are for, and explains [paths, node patterns and places](adding-a-language.md#notations).
This page is made from their declarations in `src/syntax/language`.
";

fn write_table(page: &mut String, section: &str, of: &Table) {
    let depth = 2 + section.matches('.').count();
    let about = of.about.replace("\n", " ");
    write!(page, "\n{} `[{section}]`\n\n{about}\n\n| key | value | |\n|---|---|---|\n", "#".repeat(depth)).unwrap();
    let mut inner = Vec::new();
    for key in &of.keys {
        let form = key.form.strip_prefix("Option<").and_then(|rest| rest.strip_suffix('>')).unwrap_or(&key.form);
        let about = key.about.replace('|', "\\|");
        writeln!(page, "| `{}` | {} | {about} |", key.name, value(form)).unwrap();
        inner.extend(table(form).map(|table| (format!("{section}.{}", key.name), table)));
    }
    inner.into_iter().for_each(|(section, table)| write_table(page, &section, table));
}

/// What a value of a form is.
fn value(form: &str) -> String {
    let inner = |outer: &str| form.strip_prefix(outer)?.strip_suffix('>').map(value);
    let words = match form {
        "bool" => "true or false",
        "usize" | "LineLength" => "number",
        "String" => "text",
        "Vec<String>" | "Words" | "Brackets" => "texts",
        "Types" => "types",
        "Marks" => "types, tokens",
        "MarkValues" => "types, tokens",
        "OneType" => "type",
        "Mark" => "type or token",
        "Paths" => "paths",
        "OnePath" | "MaybePath" => "path",
        "PatternPaths" => "paths, by node pattern",
        "NodePatterns" => "node patterns",
        "Places" | "SpacedPlaces" => "places",
        "PlaceTexts" => "text, by place",
        "Space" => "name space",
        "SpaceValues" | "KnownSpaces" => "name spaces",
        "LazyRegex" => "regex",
        "AddedReferences" => "table as `[references]`",
        "ModuleScheme" => "word",
        "ImportOrder" | "ImportUses" => "word",
        "Vec<SettingRule>" => "tables",
        "Parts" => "table, by type",
        "CodeRule" => "table of texts",
        _ => "",
    };
    if !words.is_empty() {
        return words.to_owned();
    }
    let option = || inner("Option<");
    let by_type = || inner("ByType<").map(|inner| format!("{inner}, by type"));
    let by_name = || inner("BTreeMap<String, ").map(|inner| format!("{inner}, by name"));
    option().or_else(by_type).or_else(by_name).unwrap_or_else(|| {
        assert!(table(form).is_some(), "what is a value of `{form}`?");
        "table".to_owned()
    })
}
