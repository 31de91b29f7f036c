//! Lines, indentation and blank lines of a text: what there is, to write alike.

use crate::text::{Span, Text};
use crate::tree::{Node, Tree};

/// Whether a character is white space within a line. A form feed is none here: it is kept like a word.
pub(super) fn is_blank(character: char) -> bool {
    character == ' ' || character == '\t'
}

/// Where the line of `offset` starts.
pub(super) fn line_start(text: &Text, offset: usize) -> usize {
    text.line_around(offset).start()
}

/// Where the line of `offset` ends, before its ending; `offset` itself where that is in an ending of two bytes.
pub(super) fn line_end(text: &Text, offset: usize) -> usize {
    text.line_around(offset).end().max(offset)
}

/// Where the line after that of `offset` starts; the end of the text when there is none.
pub(super) fn next_line(text: &Text, offset: usize) -> usize {
    let line = text.line_at(offset);
    let next = text.line_span(line + 1).start();
    if next > offset { next } else { text.len() }
}

/// The white space at the start of the line of `offset`; what a form feed separates doesn't count.
pub(super) fn indentation(text: &Text, offset: usize) -> String {
    let line = text.line_around(offset);
    let mut bytes =
        (line.start()..line.end()).filter_map(|at| text.byte(at)).skip_while(|byte| *byte == b'\x0c').peekable();
    let mut indentation = String::new();
    while let Some(byte) = bytes.next_if(|&byte| is_blank(char::from(byte))) {
        indentation.push(char::from(byte));
    }
    indentation
}

/// Number of blank lines right above the line that starts at `start`.
pub(super) fn blanks_above(text: &Text, start: usize) -> usize {
    let line = text.line_at(start);
    (1..line).rev().take_while(|&above| is_blank_line(text, above)).count()
}

/// Number of lines right above that say nothing; those that hold a form feed count too.
pub(super) fn gap_above(text: &Text, start: usize) -> usize {
    let says_nothing = |line: usize| text.slice(text.line_span(line)).trim_matches([' ', '\t', '\x0c']).is_empty();
    (1..text.line_at(start)).rev().take_while(|&above| says_nothing(above)).count()
}

/// Number of blank lines from the one that starts at `start` on; what follows the last line ending is no line.
pub(super) fn blanks_below(text: &Text, start: usize) -> usize {
    if start >= text.len() {
        return 0;
    }
    let line = text.line_at(start);
    (line..=text.line_count()).take_while(|&below| is_blank_line(text, below)).count()
}

fn is_blank_line(text: &Text, line: usize) -> bool {
    text.slice(text.line_span(line)).chars().all(is_blank)
}

/// Where the line `count` lines above the one that starts at `start` starts.
pub(super) fn lines_up(text: &Text, start: usize, count: usize) -> usize {
    text.line_span(text.line_at(start) - count).start()
}

/// Where the line `count` lines below the one that starts at `start` starts.
pub(super) fn lines_down(text: &Text, start: usize, count: usize) -> usize {
    if count == 0 { start } else { text.line_span(text.line_at(start) + count).start().max(start) }
}

/// Whether there is a line's end in a span.
pub(super) fn breaks(text: &Text, span: Span) -> bool {
    text.line_at(span.start()) != text.line_at(span.end())
}

/// Columns of an indentation; a tab counts as one level of 8.
pub(super) fn columns(indentation: &str) -> usize {
    indentation.chars().map(|character| if character == '\t' { 8 } else { 1 }).sum()
}

/// Whether a node is a body that holds statements and nothing else, not a list with separators.
pub(super) fn is_block(tree: &Tree, node: Node) -> bool {
    let role = tree.language().role(tree.table().type_id(node));
    !role.list && !role.section && !role.outer_body && (role.body || node == Node::ROOT)
}

/// The child behind which a node keeps its statements, where it has other children too: the `:` of a `case`.
pub(super) fn section_start(tree: &Tree, node: Node) -> Option<Node> {
    let (table, language) = (tree.table(), tree.language());
    if !language.role(table.type_id(node)).section {
        return None;
    }
    let (data, type_id) = (language.data(), table.type_id(node));
    let behind = language.rule(&data.sections, type_id).into_iter().flat_map(|words| words.iter());
    let after = language.rule(&data.body_after, type_id).into_iter().flatten().map(String::as_str);
    let words: Vec<&str> = behind.chain(after).collect();
    let is_start = |child: &Node| words.contains(&tree.type_name(*child));
    table.children(node).filter(is_start).last()
}

/// Whether a node holds statements, beside other children or alone.
pub(super) fn holds_statements(tree: &Tree, node: Node) -> bool {
    is_block(tree, node) || tree.language().role(tree.table().type_id(node)).section
}

/// The block that a block or section keeps all its statements in, between brackets that aren't its own.
pub(super) fn inner_block(tree: &Tree, node: Node) -> Option<Node> {
    let table = tree.table();
    let is_inner = |child: &Node| {
        let first = table.children(*child).next();
        is_block(tree, *child) && first.is_some_and(|first| table.is_named(first))
    };
    table.children(node).find(is_inner).filter(|_| node != Node::ROOT && holds_statements(tree, node))
}

/// One level of indentation as the text writes it: around `near`, else anywhere, else as the language does.
pub(super) fn indent_unit(tree: &Tree, near: Option<Node>) -> String {
    let around = near.into_iter().flat_map(|node| std::iter::once(node).chain(tree.table().ancestors(node)));
    let indents = |&node: &Node| node != Node::ROOT && holds_statements(tree, node);
    let mut blocks = around.chain(tree.table().nodes()).filter(indents);
    blocks.find_map(|block| step(tree, block)).unwrap_or_else(|| {
        let indent = &tree.language().data().indent;
        if indent.tabs { "\t".to_owned() } else { " ".repeat(indent.width) }
    })
}

/// What a block's lines are indented by beyond the line that it belongs to.
pub(super) fn step(tree: &Tree, block: Node) -> Option<String> {
    let is_label = |node: Node| tree.language().role(tree.table().type_id(node)).label;
    let units = super::extent::units(tree, block);
    let first = units.into_iter().find(|&unit| !is_label(unit)).filter(|&first| tree.starts_its_line(first))?;
    let inner = indentation(tree.text(), tree.span(first).start());
    let outer = super::frame::Frame::of(tree, block).outer_indentation(tree, block);
    inner.strip_prefix(outer.as_str()).filter(|step| !step.is_empty()).map(str::to_owned)
}

/// The starts of lines inside of `span` that may be indented: those that don't lie in a string, and aren't blank.
pub(super) fn free_lines(tree: &Tree, span: Span) -> Vec<usize> {
    let text = tree.text();
    let strings = multiline_strings(tree, span);
    let (first, last) = (text.line_at(span.start()) + 1, text.line_at(span.end()));
    (first..=last)
        .map(|line| text.line_span(line))
        .filter(|line| line.start() < span.end() && !text.slice(*line).chars().all(is_blank))
        .map(Span::start)
        .filter(|&start| !strings.iter().any(|string| string.start() < start && start <= string.end()))
        .collect()
}

/// The strings in a span that go over several lines.
pub(super) fn multiline_strings(tree: &Tree, span: Span) -> Vec<Span> {
    let table = tree.table();
    let mut strings = Vec::new();
    let mut end = 0;
    for node in table.nodes() {
        let found = table.span(node);
        if found.start() >= span.end() {
            break;
        }
        let is_string = tree.language().role(table.type_id(node)).string;
        if is_string && found.end() > span.start() && found.start() >= end && breaks(tree.text(), found) {
            end = found.end();
            // What ends with its line is all lines: a heredoc's text, of which the word below is a part.
            let text = tree.text();
            let whole = line_start(text, end) == end;
            strings.push(if whole { Span::new(line_start(text, found.start()).saturating_sub(1), end) } else { found });
        }
    }
    strings
}
