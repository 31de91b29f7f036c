//! The built-in languages, a row for each.

use std::sync::{LazyLock, OnceLock};

use super::head::Source;
use super::row::{Grammar, Row};

/// The built-in languages, in order of name.
pub(super) static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| cst_languages::all().into_iter().map(row).collect());

fn row(language: &'static cst_languages::Language) -> Row {
    Row {
        name: language.name,
        grammar: Grammar::BuiltIn(language.grammar),
        ast_grep: language.ast_grep,
        node_types: language.node_types,
        data: Source::Compiled { head: language.head, whole: language.whole },
        named: Box::leak(Box::new([("named.sel", language.named)])),
        is_own: false,
        outline: language.outline,
        base: None,
        head: Box::leak(Box::new(OnceLock::new())),
        cell: Box::leak(Box::new(OnceLock::new())),
    }
}
