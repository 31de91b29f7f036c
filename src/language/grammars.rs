//! One row per grammar, and nothing else: the only place in the code where languages are listed.

use std::sync::OnceLock;

use super::Language;

/// A grammar and the files of its folder.
pub(crate) struct Row {
    pub(super) name: &'static str,
    pub(super) grammar: fn() -> tree_sitter::Language,
    pub(super) node_types: &'static str,
    pub(super) data: &'static str,
    pub(super) named: &'static str,
    pub(super) outline: &'static str,
    cell: &'static OnceLock<Language>,
}

macro_rules! row {
    ($name:literal, $grammar:expr, $node_types:expr) => {
        Row {
            name: $name,
            grammar: || $grammar.into(),
            node_types: $node_types,
            data: include_str!(concat!("../../selectors/", $name, "/language.toml")),
            named: include_str!(concat!("../../selectors/", $name, "/named.sel")),
            outline: include_str!(concat!("../../selectors/", $name, "/outline.toml")),
            cell: {
                static CELL: OnceLock<Language> = OnceLock::new();
                &CELL
            },
        }
    };
}

static ROWS: &[Row] = &[
    #[cfg(feature = "python")]
    row!("python", tree_sitter_python::LANGUAGE, tree_sitter_python::NODE_TYPES),
];

/// The names of the built-in languages, in order.
pub fn names() -> Vec<&'static str> {
    ROWS.iter().map(|row| row.name).collect()
}

/// The language of that name or alias. Names are tried first, so that only one language's data is read.
pub(super) fn find(name: &str) -> Option<&'static Language> {
    let load = |row: &'static Row| row.cell.get_or_init(|| Language::new(row));
    if let Some(row) = ROWS.iter().find(|row| row.name == name) {
        return Some(load(row));
    }
    ROWS.iter().map(load).find(|language| language.data().aliases.iter().any(|alias| alias == name))
}
