//! Patterns that are several statements, which no node is: one answer in all languages.

use super::error::PatternError;
use super::holes::Pieces;
use super::item::{Item, Reading};
use super::reading::readings;
use crate::language::Language;
use crate::selector::like::like;

/// Why a pattern is not read, if it is several statements: as no code, or as a body without brackets.
pub(super) fn refused(
    pieces: &Pieces,
    language: &'static Language,
    read: &Result<Vec<Reading>, PatternError>,
) -> Option<PatternError> {
    let is_body = |reading: &Reading| {
        let role = reading.root.map(|root| language.role(root));
        reading.root == language.root_type() || role.is_some_and(|role| role.body && !role.list)
    };
    // Where line ends mean nothing, statements may be read as an operator between others: `f(a b c)` in Kotlin.
    let has_signs = |reading: &Reading| match &reading.item {
        Item::Node { children, .. } => children.iter().any(|child| matches!(child, Item::Leaf { named: false, .. })),
        _ => true,
    };
    if read.as_ref().is_ok_and(|readings| readings.iter().any(|reading| !is_body(reading) && has_signs(reading))) {
        return None;
    }
    let statements = statements(&pieces.source);
    let contexts = |statement: &String| -> Vec<&'static str> {
        let pieces = Pieces::read(statement);
        let read = pieces.and_then(|pieces| readings(&pieces, &pieces.names(), language, None));
        read.unwrap_or_default().into_iter().map(|reading| reading.context).collect()
    };
    let mut each = statements.iter().map(contexts);
    let first = each.next()?;
    let shared = each.fold(first, |shared, own| shared.into_iter().filter(|context| own.contains(context)).collect());
    if statements.len() < 2 || shared.is_empty() {
        return None;
    }
    let steps: Vec<String> = statements.iter().map(|statement| like(statement.trim_end_matches(';'))).collect();
    Some(PatternError {
        message: format!("the pattern is {} statements, and a pattern is one node", statements.len()),
        hint: Some(format!("as a selector, one after the other: {}", steps.join(" + "))),
        readings: Vec::new(),
    })
}

/// The statements of a text: what is between line ends and semicolons outside of brackets and quotes. A line that is indented more than
/// the first goes on with the one before it.
fn statements(source: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let (mut depth, mut quote, mut current) = (0usize, None, String::new());
    let mut letters = source.chars().peekable();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (Some(_), '\\') => {
                current.push(letter);
                current.extend(letters.next());
                continue;
            }
            (Some(open), _) if open == letter => quote = None,
            (None, '"' | '\'' | '`') => quote = Some(letter),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth = depth.saturating_sub(1),
            _ => {}
        }
        let is_end = quote.is_none() && depth == 0 && matches!(letter, '\n' | ';');
        let goes_on = letter == '\n' && matches!(letters.peek(), Some(' ' | '\t'));
        current.push(letter);
        if is_end && !goes_on {
            found.push(std::mem::take(&mut current));
        }
    }
    found.push(current);
    found
        .iter()
        .map(|statement| statement.trim().to_owned())
        .filter(|statement| !statement.trim_matches(';').is_empty())
        .collect()
}
