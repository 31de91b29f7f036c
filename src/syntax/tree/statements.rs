//! Edits inside single statements, after which only these statements are parsed.
//!
//! A statement that contains no others is read the same wherever it is, as long as the code before and after it cannot
//! become a part of it. So the changed statements are parsed together, each on lines of its own, in the context that
//! the language's data gives ([`Statements`]). Their nodes replace those of the old statements in a copy of the table.
//! The result is the table of the whole text, node for node; `tests/cst/reparsing.rs` compares the two.
//!
//! The whole text is parsed if an edit is not inside such a statement, if the old text or a new statement has a syntax
//! error, or if a new statement is more or less than one.

use super::limits::{ParseError, ParseLimits};
use super::table::Graft;
use super::{Node, Table, Tree, parse, table_of};
use crate::language::{Language, Statements};
use crate::text::{EditSet, Span, Text};

/// The largest share of a text, in percent, that is parsed this way; beyond it, parsing the whole text is as cheap.
const LARGEST_PART: usize = 60;

/// A statement with edits inside.
#[derive(Debug, Clone, Copy)]
struct Touched {
    node: Node,
    old: Span,
    /// Its place in the new text.
    new: Span,
}

/// The table of the new text, if the statements that the edits change can be parsed alone.
///
/// # Errors
/// If the statements take too long.
pub(super) fn reparse(
    old: &Tree,
    text: &Text,
    edits: &EditSet,
    limits: &ParseLimits,
) -> Result<Option<Table>, ParseError> {
    let language = old.language;
    let Some(rule) = &language.spec().statements else { return Ok(None) };
    if edits.is_empty()
        || !old.is_sound()
        || !language.mask_rules().is_empty()
        || !language.spec().ends_by_indentation.is_empty()
        || !language.spec().ends_before_comments.is_empty()
    {
        return Ok(None);
    }
    let Some(touched) = touched(old, text, edits, rule) else { return Ok(None) };
    let size: usize = touched.iter().map(|statement| statement.new.len() + 1).sum();
    if size * 100 > text.len() * LARGEST_PART {
        return Ok(None);
    }
    let mut source = String::with_capacity(rule.around.head.len() + size + rule.around.tail.len());
    let mut starts = Vec::with_capacity(touched.len());
    source.push_str(&rule.around.head);
    for statement in &touched {
        starts.push(source.len());
        source.push_str(&text.slice(statement.new));
        source.push('\n');
    }
    source.push_str(&rule.around.tail);
    let source = Text::new(&source);
    let fresh = parse::parse(&source, language, None, limits)?;
    if fresh.parsed.tree().root_node().has_error() {
        return Ok(None);
    }
    let table = table_of(&fresh, language, &source, limits)?;
    let Some(nodes) = statements(&table, &source, &starts, &touched, rule) else { return Ok(None) };
    // Next to such a line end, the indentation of the next line decides, which is another one here.
    if language.spec().indentation_is_syntax
        && nodes.iter().any(|&node| breaks_outside_brackets(&table, language, &source, node))
    {
        return Ok(None);
    }
    let grafts: Vec<Graft> = touched
        .iter()
        .zip(nodes)
        .map(|(statement, node)| Graft { old: statement.node, node, start: statement.new.start() })
        .collect();
    Ok(Some(old.table.graft(&table, &grafts)))
}

/// The statements with edits inside, in order; `None` if an edit is not inside one.
fn touched(old: &Tree, text: &Text, edits: &EditSet, rule: &Statements) -> Option<Vec<Touched>> {
    let table = old.table();
    let mut touched: Vec<Touched> = Vec::new();
    // How much longer the text is, and how much of that is in the last statement.
    let (mut added, mut removed) = (0, 0);
    for edit in edits.iter() {
        let before = touched.last().filter(|last| last.old.contains(edit.span));
        if before.is_none() {
            let node = statement_around(table, edit.span, rule)?;
            let span = table.span(node);
            if span.is_empty() || touched.last().is_some_and(|last| last.old.end() > span.start()) {
                return None;
            }
            let new = Span::new(span.start() + added - removed, span.end() + added - removed);
            touched.push(Touched { node, old: span, new });
        }
        added += edit.text.len();
        removed += edit.span.len();
        let last = touched.last_mut()?;
        last.new = Span::new(last.new.start(), (last.old.end() + added).checked_sub(removed)?);
    }
    let stands_alone = |statement: &Touched| {
        let ends = |text: &Text, span: Span| rule.end.is_empty() || text.slice(span).ends_with(rule.end.as_str());
        !statement.new.is_empty()
            && ends(&old.text, statement.old)
            && ends(text, statement.new)
            && (rule.after.is_empty() || is_after(old, statement.old.start(), &rule.after))
    };
    touched.iter().all(stands_alone).then_some(touched)
}

/// Whether the last byte before an offset, apart from whitespace, is one of some signs.
fn is_after(old: &Tree, offset: usize, signs: &str) -> bool {
    let mut before = (0..offset).rev().map_while(|at| old.text.byte(at));
    before.find(|byte| !byte.is_ascii_whitespace()).is_some_and(|byte| signs.as_bytes().contains(&byte))
}

/// The innermost statement that contains some bytes.
fn statement_around(table: &Table, span: Span, rule: &Statements) -> Option<Node> {
    let last = Node::at(table.first_from(span.start() + 1).checked_sub(1)?);
    let mut around = std::iter::once(last).chain(table.ancestors(last));
    let node = around.find(|&node| table.span(node).contains(span) && rule.types.contains(table.type_id(node)))?;
    let parent = table.parent(node)?;
    rule.holders.contains(table.type_id(parent)).then_some(node)
}

/// The nodes of the statements in the text in which they are joined; `None` if they are not exactly these.
fn statements(
    table: &Table,
    source: &Text,
    starts: &[usize],
    touched: &[Touched],
    rule: &Statements,
) -> Option<Vec<Node>> {
    let first = *starts.first()?;
    let is_one = |node: Node, start: usize, statement: &Touched| {
        rule.types.contains(table.type_id(node)) && table.span(node) == Span::new(start, start + statement.new.len())
    };
    let mut nodes = table.range(table.first_from(first), table.len());
    let node = nodes.by_ref().take_while(|&node| table.span(node).start() == first);
    let node = node.into_iter().find(|&node| is_one(node, first, &touched[0]))?;
    let holder = table.parent(node).filter(|&holder| rule.holders.contains(table.type_id(holder)))?;
    let end = source.len() - rule.around.tail.len();
    let mut found = Vec::with_capacity(touched.len());
    for child in table.children(holder) {
        let span = table.span(child);
        if span.start() < first || span.start() >= end {
            continue;
        }
        match (starts.get(found.len()), touched.get(found.len())) {
            (Some(&start), Some(statement)) if is_one(child, start, statement) => found.push(child),
            // Line ends are tokens in some grammars.
            _ if !table.is_named(child) && source.slice(span).trim().is_empty() => {}
            _ => return None,
        }
    }
    (found.len() == touched.len()).then_some(found)
}

/// Whether a line ends in a node outside brackets and strings.
fn breaks_outside_brackets(table: &Table, language: &Language, source: &Text, node: Node) -> bool {
    let span = table.span(node);
    let code = source.slice(span);
    let holds_lines = |around: Node| {
        let first = table.children(around).find(|&child| !language.role(table.type_id(child)).comment);
        let opening = &language.spec().punctuation.opening;
        first.is_some_and(|first| opening.contains(table.type_id(first))) || language.role(table.type_id(around)).string
    };
    memchr::memchr2_iter(b'\n', b'\r', code.as_bytes()).any(|at| {
        let end = span.start() + at;
        let last = Node::at(table.first_from(end).saturating_sub(1).max(node.index()));
        let mut around = std::iter::once(last).chain(table.ancestors(last)).take_while(|&around| around >= node);
        !around.any(|around| table.span(around).start() < end && end < table.span(around).end() && holds_lines(around))
    })
}
