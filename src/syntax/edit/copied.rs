//! Recognises code that was copied from the text that it replaces, and restores its indentation.
//!
//! People and agents who edit a node send back the output of `show` with a word changed. The first line may lack its
//! indentation; the other lines keep the columns of the file, or all of the code was moved to the left margin. The
//! lines that the code has in common with the replaced text decide which. Unchanged lines keep their bytes.

use std::collections::HashMap;

use super::snippet::ParsedSnippet;
use super::{extent, lines, structure};
use crate::text::Span;
use crate::tree::{Node, ParseLimits, Tree};

/// The columns of the lines of a copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Columns {
    /// Those of the file; only the first line may lack its indentation.
    OfFile,
    /// Without the indentation of the line where the code goes.
    OfMargin,
}

/// Code that repeats lines of the replaced text.
#[derive(Debug)]
pub(super) struct Copy {
    /// The columns of its lines.
    pub(super) columns: Columns,
    /// For each line of the code, the equal line of the old text.
    pub(super) same: Vec<Option<Original>>,
    /// For each line of the code, the indentation of the equal old line or, if the number of lines is the same, of the
    /// line that it replaces.
    pub(super) indentations: Vec<Option<String>>,
    /// The ending of that old line; empty for the last.
    pub(super) endings: Vec<Option<String>>,
}

/// A line of the replaced text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Original {
    /// Its leading whitespace.
    pub(super) indentation: String,
    /// Its line ending; empty for the last.
    ending: String,
    content: String,
    /// Whether it starts in a string.
    in_string: bool,
}

/// A line of code: its indentation and the rest.
pub(super) type CodeLine<'a> = (&'a str, &'a str);

/// How code repeats the text in `span`; `None` if no line decides.
pub(super) fn copy_of(tree: &Tree, span: Span, code: &[CodeLine<'_>], limits: &ParseLimits) -> Option<Copy> {
    let base = lines::indentation(tree.text(), span.start());
    let old = originals(tree, span);
    if old.len() < 2 || code.len() < 2 {
        return None;
    }
    let matched = align(&old, code);
    let mut votes = Votes::default();
    for (index, (line, original)) in code.iter().zip(&matched).enumerate().skip(1) {
        // Where the whole ends, each definition has such a line: `}`.
        let is_end = |original: usize| index + 1 == code.len() && original + 1 == old.len();
        if let Some(original) = original.filter(|&original| original > 0 && !is_end(original)) {
            votes.count(line, &old[original], &base);
        }
    }
    // If no line is unchanged, lines in the same positions decide.
    if votes.is_empty() && old.len() == code.len() {
        for (line, original) in code.iter().zip(&old).skip(1) {
            votes.count(line, original, &base);
        }
    }
    if votes.is_empty() {
        return None;
    }
    let same: Vec<Option<Original>> = matched.iter().map(|at| at.map(|at| old[at].clone())).collect();
    let place = |index: usize| matched[index].or((old.len() == code.len()).then_some(index)).map(|at| &old[at]);
    let indentations: Vec<Option<String>> =
        (0..code.len()).map(|index| place(index).map(|original| original.indentation.clone())).collect();
    let endings = (0..code.len()).map(|index| place(index).map(|original| original.ending.clone())).collect();
    let falls_short = |(index, line): (usize, &CodeLine<'_>)| {
        let was = indentations[index].as_deref();
        !line.1.is_empty() && !line.0.starts_with(&base) && was.is_none_or(|was| was.starts_with(&base))
    };
    let in_file = !code.iter().enumerate().skip(1).any(falls_short);
    let columns = match votes.of_file.cmp(&votes.of_margin) {
        _ if !in_file && votes.of_margin > 0 => Columns::OfMargin,
        _ if !in_file => return None,
        std::cmp::Ordering::Less => Columns::OfMargin,
        _ => Columns::OfFile,
    };
    if columns == Columns::OfFile && !base.is_empty() && tree.language().spec().indentation_is_syntax {
        let at_margin = |line: &CodeLine<'_>| format!("{}{}", line.0.strip_prefix(&base).unwrap_or(line.0), line.1);
        let first = code[0].1.to_owned();
        let lines: Vec<String> = std::iter::once(first).chain(code[1..].iter().map(at_margin)).collect();
        let as_given: Vec<String> = code.iter().map(|line| format!("{}{}", line.0, line.1)).collect();
        if !is_coherent(tree, &lines.join("\n"), limits) && is_coherent(tree, &as_given.join("\n"), limits) {
            return None;
        }
    }
    Some(Copy { columns, same, indentations, endings })
}

/// How many lines speak for each kind of columns.
#[derive(Debug, Default)]
struct Votes {
    of_file: usize,
    of_margin: usize,
}

impl Votes {
    fn count(&mut self, line: &CodeLine<'_>, original: &Original, base: &str) {
        if line.1.is_empty() || original.content.is_empty() || original.in_string {
            return;
        }
        let at_margin = original.indentation.strip_prefix(base).unwrap_or(&original.indentation);
        self.of_file += usize::from(line.0 == original.indentation);
        self.of_margin += usize::from(line.0 == at_margin);
    }

    fn is_empty(&self) -> bool {
        self.of_file == 0 && self.of_margin == 0
    }
}

/// The lines of the replaced text.
fn originals(tree: &Tree, span: Span) -> Vec<Original> {
    let text = tree.text();
    let strings = structure::multiline_strings(tree, span);
    let lines = text.line_at(span.start())..=text.line_at(span.end());
    let original = |line: usize| {
        let whole = text.line_span(line);
        let start = if line == text.line_at(span.start()) { span.start() } else { whole.start() };
        let content = text.slice(Span::new(start, whole.end().min(span.end()).max(start))).into_owned();
        let rest = content.trim_start_matches(lines::is_blank);
        let next = lines::next_line(text, whole.start());
        let ending =
            if next > whole.end() { text.slice(Span::new(whole.end(), next)).into_owned() } else { String::new() };
        Original {
            indentation: content[..content.len() - rest.len()].to_owned(),
            ending,
            content: rest.to_owned(),
            in_string: strings.iter().any(|string| string.start() < start && start <= string.end()),
        }
    };
    lines.map(original).collect()
}

/// For each line of code, the equal line of the old text: common beginnings and ends, and in between in order.
fn align(old: &[Original], code: &[CodeLine<'_>]) -> Vec<Option<usize>> {
    let same = |original: usize, line: usize| old[original].content.trim_end() == code[line].1.trim_end();
    let most = old.len().min(code.len());
    let head = (0..most).take_while(|&at| same(at, at)).count();
    let tail = (0..most - head).take_while(|&at| same(old.len() - 1 - at, code.len() - 1 - at)).count();
    let mut matched = vec![None; code.len()];
    for (at, place) in matched.iter_mut().enumerate().take(head) {
        *place = Some(at);
    }
    for at in 0..tail {
        matched[code.len() - 1 - at] = Some(old.len() - 1 - at);
    }
    let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, original) in old.iter().enumerate().take(old.len() - tail).skip(head) {
        places.entry(original.content.trim_end()).or_default().push(at);
    }
    let mut next = head;
    for (at, line) in code.iter().enumerate().take(code.len() - tail).skip(head) {
        let found = places.get(line.1.trim_end()).and_then(|places| places.iter().find(|&&place| place >= next));
        if let Some(&place) = found.filter(|_| !line.1.is_empty()) {
            matched[at] = Some(place);
            next = place + 1;
        }
    }
    matched
}

/// Whether code at the left margin makes sense in a language with syntactic indentation: it parses, no body is empty,
/// and each clause is in the column of its statement.
pub(super) fn is_coherent(tree: &Tree, source: &str, limits: &ParseLimits) -> bool {
    let language = tree.language();
    let Some(reading) = ParsedSnippet::sound(language, source, limits) else { return false };
    let parsed = &reading.tree;
    let needs_body = !language.spec().empty_body.is_empty();
    let column = |node: Node| lines::indentation(parsed.text(), parsed.span(node).start());
    let is_bad = |node: Node| {
        let is_empty = || parsed.named_children(node).next().is_none();
        let strays = || {
            let parent = parsed.table().parent(node).filter(|_| extent::is_clause(parsed, node));
            parent.is_some_and(|parent| column(parent) != column(node))
        };
        (needs_body && node != Node::ROOT && structure::is_block(parsed, node) && is_empty()) || strays()
    };
    let units: Vec<String> = reading.units.iter().map(|&unit| column(unit)).collect();
    let is_even = units.windows(2).all(|pair| pair[0] == pair[1]);
    is_even && !parsed.table().nodes().any(is_bad)
}

/// Code as lines, each without its ending.
pub(super) fn code_lines(code: &str) -> Vec<CodeLine<'_>> {
    let mut lines = Vec::new();
    let mut rest = lines::trim(code);
    loop {
        let end = rest.find(['\n', '\r']);
        let line = &rest[..end.unwrap_or(rest.len())];
        let content = line.trim_start_matches(lines::is_blank);
        lines.push((&line[..line.len() - content.len()], content));
        let Some(end) = end else { return lines };
        rest = &rest[end + if rest[end..].starts_with("\r\n") { 2 } else { 1 }..];
    }
}
