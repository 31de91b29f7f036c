//! Errors in queries, as those in selectors.

use tree_sitter::QueryErrorKind;

use crate::language::Language;
use crate::selector::{ErrorCode, SelectorError, nearest};
use crate::text::Span;

/// The error of tree-sitter, in words.
pub(super) fn invalid(source: &str, language: &Language, error: &tree_sitter::QueryError) -> SelectorError {
    let word = error.message.trim_matches('"');
    let at = error.offset.min(source.len());
    let at_word = Span::new(at, (at + word.len()).min(source.len()));
    let name = language.name();
    let (code, message, span, hint) = match error.kind {
        QueryErrorKind::NodeType => {
            let message = format!("`{word}` is not a node type of {name}");
            (ErrorCode::UnknownType, message, at_word, nearest_type(word, language))
        }
        QueryErrorKind::Field => {
            let message = format!("no node has a field `{word}` in {name}");
            (ErrorCode::UnknownField, message, at_word, nearest_field(word, language))
        }
        QueryErrorKind::Structure => {
            let message = format!("no such nodes lie in each other in {name}, so the pattern never matches");
            (ErrorCode::BadPattern, message, Span::at(at), None)
        }
        QueryErrorKind::Capture => {
            (ErrorCode::SelectorSyntax, format!("the pattern has no capture `@{word}`"), at_word, None)
        }
        QueryErrorKind::Predicate => {
            let is_regex = error.message.starts_with("Invalid regex");
            let code = if is_regex { ErrorCode::BadRegex } else { ErrorCode::SelectorSyntax };
            let message = error.message.trim_end_matches('.').replace('\'', "`");
            (code, message, row_of(source, error.row), None)
        }
        QueryErrorKind::Syntax => {
            let hint = "a query is written as `(call function: (identifier) @name)`";
            (ErrorCode::SelectorSyntax, "the query has a syntax error".to_owned(), Span::at(at), Some(hint.to_owned()))
        }
        QueryErrorKind::Language => {
            (ErrorCode::SelectorSyntax, format!("the grammar of {name} takes no queries"), Span::at(0), None)
        }
    };
    SelectorError { code, message, span, hint, selector: source.to_owned() }
}

/// The error of a predicate that would decide about matches, and that tree-sitter does not have. `from` is where its pattern begins.
pub(super) fn unknown_predicate(source: &str, from: usize, operator: &str) -> SelectorError {
    let written = format!("#{operator}");
    let at = source.get(from..).and_then(|rest| rest.find(&written)).map_or(from, |at| from + at);
    SelectorError {
        code: ErrorCode::UnknownPseudo,
        message: format!("tree-sitter has no predicate `{written}`"),
        span: Span::new(at, (at + written.len()).min(source.len())),
        hint: Some("there are `#eq?`, `#match?` and `#any-of?`, with `not-` or `any-` in front".to_owned()),
        selector: source.to_owned(),
    }
}

/// The error of a query that takes longer, or has more matches at once, than is allowed.
pub(super) fn too_long(source: &str) -> SelectorError {
    SelectorError {
        code: ErrorCode::Budget,
        message: "the query takes too long in this file".to_owned(),
        span: Span::at(0),
        hint: Some("name the nodes between two captures, or anchor children with `.`".to_owned()),
        selector: source.to_owned(),
    }
}

/// The row of a query, without its indentation.
fn row_of(source: &str, row: usize) -> Span {
    let start = source.split_inclusive('\n').take(row).map(str::len).sum::<usize>();
    let line = source[start..].lines().next().unwrap_or_default();
    Span::new(start + line.len() - line.trim_start().len(), start + line.len())
}

/// A node type that may have been meant.
fn nearest_type(word: &str, language: &Language) -> Option<String> {
    let grammar = language.grammar();
    let ids = (0..grammar.node_kind_count()).filter_map(|id| u16::try_from(id).ok());
    let named = ids.filter(|&id| grammar.node_kind_is_visible(id) && grammar.node_kind_is_named(id));
    nearest(word, "", named.filter_map(|id| grammar.node_kind_for_id(id)))
}

/// A field that may have been meant.
fn nearest_field(word: &str, language: &Language) -> Option<String> {
    let grammar = language.grammar();
    let ids = (1..=grammar.field_count()).filter_map(|id| u16::try_from(id).ok());
    nearest(word, "", ids.filter_map(|id| grammar.field_name_for_id(id)))
}
