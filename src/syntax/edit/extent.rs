//! The extent of a node with everything that belongs to it, and its place: in a block, among clauses, among decorators,
//! in a list.

use rustc_hash::FxHashMap;

use super::{Extent, elements, lines, structure};
use crate::text::Span;
use crate::tree::{Node, Tree};

/// A place in a block, a list, or among clauses or decorators.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ItemPosition {
    /// The node that contains the units.
    pub(super) holder: Node,
    /// The unit: the node with the wrappers that contain nothing else.
    pub(super) unit: Node,
    /// The index of the unit.
    pub(super) index: usize,
}

/// Whether a node contains elements with separators.
pub(super) fn is_list(tree: &Tree, node: Node) -> bool {
    tree.language().role(tree.table().type_id(node)).list
}

fn is_decorator(tree: &Tree, node: Node) -> bool {
    tree.language().role(tree.table().type_id(node)).decorator
}

/// Whether a node is a clause of a statement: an `else`, an `except`. It has a block, and is not in one.
pub(super) fn is_clause(tree: &Tree, node: Node) -> bool {
    let table = tree.table();
    let Some(parent) = table.parent(node) else { return false };
    let has_block = |node: Node| table.children(node).any(|child| structure::is_block(tree, child));
    let held = tree.inner(parent) == Some(node);
    let beside =
        || table.children(parent).take_while(|&child| child < node).any(|child| structure::is_block(tree, child));
    let apart = !structure::holds_statements(tree, parent) && !is_list(tree, parent) && tree.starts_its_line(node);
    apart && !held && !structure::is_block(tree, node) && has_block(node) && beside()
}

/// Whether a node is a definition, or contains one as its wrapper.
pub(super) fn is_definition(tree: &Tree, node: Node) -> bool {
    tree.is_scope(node) || tree.inner(node).is_some_and(|held| is_definition(tree, held))
}

/// The place of a node; `None` if no container has it as a unit.
pub(super) fn place(tree: &Tree, node: Node) -> Option<ItemPosition> {
    ItemPositions::default().of(tree, node)
}

/// The places of nodes; the units of each container are computed once.
#[derive(Debug, Default)]
pub(super) struct ItemPositions {
    units: FxHashMap<Node, FxHashMap<Node, usize>>,
    elements: FxHashMap<Node, Vec<elements::Element>>,
}

impl ItemPositions {
    /// The place of a node; `None` if no container has it as a unit.
    pub(super) fn of(&mut self, tree: &Tree, node: Node) -> Option<ItemPosition> {
        place_among(tree, node, self)
    }

    /// The bytes of a unit; for an element with everything that belongs to it, including a default value after it.
    pub(super) fn span_of_element(&mut self, tree: &Tree, place: ItemPosition) -> Option<Span> {
        if !is_list(tree, place.holder) {
            return None;
        }
        let elements = self.elements.entry(place.holder).or_insert_with(|| elements::elements(tree, place.holder));
        elements.get(place.index).map(elements::Element::span)
    }

    fn index_of_element(&mut self, tree: &Tree, list: Node, unit: Node) -> Option<usize> {
        let elements = self.elements.entry(list).or_insert_with(|| elements::elements(tree, list));
        let start = tree.span(unit).start();
        let last = elements.partition_point(|element| element.start() <= start);
        let index = last.checked_sub(1)?;
        elements[index].is(tree, unit).then_some(index)
    }

    fn index_of_unit(&mut self, tree: &Tree, holder: Node, unit: Node) -> Option<usize> {
        let number = || units(tree, holder).into_iter().enumerate().map(|(index, unit)| (unit, index)).collect();
        self.units.entry(holder).or_insert_with(number).get(&unit).copied()
    }
}

fn place_among(tree: &Tree, node: Node, places: &mut ItemPositions) -> Option<ItemPosition> {
    let table = tree.table();
    let mut unit = node;
    loop {
        let holder = table.parent(unit)?;
        // A declaration of one thing is equivalent to that thing.
        let declares = tree.inner(holder) == Some(unit) && is_list(tree, holder);
        if is_list(tree, holder)
            && !declares
            && let Some(index) = places.index_of_element(tree, holder, unit)
        {
            return Some(ItemPosition { holder, unit, index });
        }
        let among = structure::holds_statements(tree, holder) || is_decorator(tree, unit) || is_clause(tree, unit);
        if among && table.is_named(unit) {
            let index = places.index_of_unit(tree, holder, unit)?;
            return Some(ItemPosition { holder, unit, index });
        }
        if tree.inner(holder) != Some(unit) {
            return None;
        }
        unit = holder;
    }
}

/// The units of a container that is not a list, in order.
pub(super) fn units(tree: &Tree, holder: Node) -> Vec<Node> {
    let (table, language) = (tree.table(), tree.language());
    let children = || tree.named_children(holder);
    if structure::holds_statements(tree, holder) {
        if structure::inner_block(tree, holder).is_some() {
            return Vec::new();
        }
        let start = structure::section_start(tree, holder);
        let is_header = |child: Node| language.spec().header_fields.contains(&table.field(child));
        let is_unit = |child: &Node| {
            let other = language.role(table.type_id(*child)).clause || tree.attachments().is_leading(*child);
            !other && start.is_none_or(|start| *child > start) && !is_header(*child)
        };
        return children().filter(is_unit).collect();
    }
    if tree.inner(holder).is_some() {
        children().filter(|&child| is_decorator(tree, child)).collect()
    } else {
        children().filter(|&child| is_clause(tree, child)).collect()
    }
}

/// The bytes of a node without the whitespace that some grammars include, and with the strings that begin in it and
/// continue below it.
pub(super) fn trimmed_span(tree: &Tree, node: Node) -> Span {
    let (table, text) = (tree.table(), tree.text());
    let span = table.span(node);
    let words = text.slice(span);
    let (front, back) = (words.len() - words.trim_start().len(), words.len() - words.trim_end().len());
    if front + back >= words.len() {
        return span;
    }
    let mut span = Span::new(span.start() + front, span.end() - back);
    let mut next = table.next_sibling(node);
    while let Some(below) = next.filter(|&below| table.is_extra(below)) {
        let role = tree.language().role(table.type_id(below));
        if role.string {
            span = Span::new(span.start(), trimmed_span(tree, below).end());
        }
        next = table.next_sibling(below);
    }
    span
}

/// The bytes of a unit with its terminator or separator: the `;` after a class.
pub(super) fn span_with_terminator(tree: &Tree, unit: Node) -> Span {
    let (table, text) = (tree.table(), tree.text());
    let span = trimmed_span(tree, unit);
    let line_end = lines::line_end(text, span.end());
    let rest = text.slice(Span::new(span.end(), line_end)).into_owned();
    let blanks = rest.len() - rest.trim_start_matches(lines::is_blank).len();
    let at = span.end() + blanks;
    let is_label = tree.language().role(table.type_id(unit)).label;
    let is_token =
        || table.next_sibling(unit).is_some_and(|next| !table.is_named(next) && table.span(next).start() == at);
    // An empty statement is a unit of its own.
    let is_unit = table.next_sibling(unit).is_some_and(|next| table.is_named(next) && table.span(next).start() == at);
    let ends = match rest[blanks..].chars().next().filter(|_| !is_unit) {
        Some(';') => !rest[blanks..].starts_with(";;"),
        Some(',') => is_token(),
        Some(':') => is_label && is_token(),
        _ => false,
    };
    if ends { Span::new(span.start(), at + 1) } else { span }
}

/// The first node that belongs to a unit: its attributes.
pub(super) fn first_attached(tree: &Tree, unit: Node) -> Node {
    tree.attachments().leading(tree.table(), unit).next().unwrap_or(unit)
}

/// The bytes of a unit; with [`Extent::Full`], including a definition's attributes and the comments above it.
pub(super) fn span_of(tree: &Tree, unit: Node, extent: Extent) -> Span {
    let span = trimmed_span(tree, unit);
    if extent == Extent::Node {
        return span;
    }
    let first = first_on_line(tree, first_attached(tree, unit));
    let span = Span::new(tree.span(first).start().min(span.start()), span.end());
    let (documentation, comments) = (documentation(tree, unit), attached_comments(tree, first));
    let first = comments.iter().find(|&&comment| documentation.includes(tree, comment));
    first.map_or(span, |&first| tree.span(first).join(span))
}

/// The first of the comments that begin the line of a unit in a block, `/* static */ int f() {}`; the unit itself if there is
/// something else before it.
pub(super) fn first_on_line(tree: &Tree, unit: Node) -> Node {
    let (table, text) = (tree.table(), tree.text());
    let line = text.line_at(tree.span(unit).start());
    let in_block = table.parent(unit).is_some_and(|parent| structure::holds_statements(tree, parent));
    let before = std::iter::successors(table.previous_sibling(unit), |&node| table.previous_sibling(node));
    let on_line = |node: &Node| tree.is_comment(*node) && text.line_at(tree.span(*node).start()) == line;
    let comments = before.take_while(on_line).filter(|_| in_block);
    comments.last().filter(|&first| tree.starts_its_line(first)).unwrap_or(unit)
}

/// Which of the comments directly above a unit belong to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Documentation {
    /// None of them.
    #[default]
    None,
    /// Those from the first one that begins like the language's documentation.
    Marked,
    /// All of them.
    Any,
}

impl Documentation {
    /// Whether a comment directly above the unit belongs to it.
    pub(super) fn includes(self, tree: &Tree, comment: Node) -> bool {
        let begins = &tree.language().spec().docs.begins;
        match self {
            Documentation::None => false,
            Documentation::Marked => begins.iter().any(|begin| tree.node_text(comment).starts_with(begin.as_str())),
            Documentation::Any => true,
        }
    }
}

/// Which comments document a unit: all above a definition; above another unit that binds a name, those that the
/// language's data marks as documentation.
pub(super) fn documentation(tree: &Tree, unit: Node) -> Documentation {
    if is_definition(tree, unit) {
        return Documentation::Any;
    }
    let rule = &tree.language().spec().docs;
    let inner = std::iter::successors(Some(unit), |&wrapper| tree.inner(wrapper)).last().unwrap_or(unit);
    let gives_name = tree.callee(inner).is_none() && tree.name_node(inner).is_some();
    match rule.begins.is_empty() {
        _ if !rule.comments_above || !gives_name => Documentation::None,
        true => Documentation::Any,
        false => Documentation::Marked,
    }
}

/// The comments directly above a unit with its indentation, in order, except an interpreter or encoding line, and a
/// copyright or licence notice at the start of the file.
pub fn attached_comments(tree: &Tree, unit: Node) -> Vec<Node> {
    let mut comments = comments_above(tree, unit);
    let begins_file = comments.first().is_some_and(|&first| tree.table().children(Node::ROOT).next() == Some(first));
    if begins_file && is_notice(tree, &comments) {
        comments.clear();
    }
    comments
}

/// The comments directly above a unit with its indentation, in order, except an interpreter or encoding line.
pub(super) fn comments_above(tree: &Tree, unit: Node) -> Vec<Node> {
    let (table, text) = (tree.table(), tree.text());
    let mut comments = Vec::new();
    let mut below = unit;
    let column = lines::indentation(text, tree.span(unit).start());
    loop {
        // The comments before a block's first statement come before the block.
        let outer = || table.parent(below).filter(|&parent| parent != Node::ROOT && structure::is_block(tree, parent));
        let previous = table.previous_sibling(below).or_else(|| table.previous_sibling(outer()?));
        let Some(previous) = previous.filter(|&previous| tree.is_comment(previous)) else { break };
        let (start, end) = (tree.span(previous).start(), tree.span(previous).end());
        // A comment that includes its line end stops on the next line.
        let last = text.line_at(end) - usize::from(end > start && lines::line_start(text, end) == end);
        let touches = last + 1 == text.line_at(tree.span(below).start());
        let alike = tree.starts_its_line(previous) && lines::indentation(text, start) == column;
        if !touches || !alike || is_file_header(tree, previous) {
            break;
        }
        comments.push(previous);
        below = previous;
    }
    comments.reverse();
    comments
}

/// Whether a comment is about the file and for programs: an interpreter, an encoding. It must stay in the first two
/// lines.
pub(super) fn is_file_header(tree: &Tree, comment: Node) -> bool {
    let line = tree.text().line_at(tree.span(comment).start());
    let words = tree.node_text(comment);
    (line == 1 && words.starts_with("#!")) || (line <= 2 && (words.contains("coding:") || words.contains("coding=")))
}

/// Whether a comment is about the whole file: for programs, or as documentation of the file.
pub(super) fn is_file_comment(tree: &Tree, comment: Node) -> bool {
    let begins = &tree.language().spec().imports.file_comments;
    let words = tree.node_text(comment);
    is_file_header(tree, comment) || begins.iter().any(|begin| words.starts_with(begin.as_str()))
}

/// Whether comments are a copyright or licence notice.
pub(super) fn is_notice(tree: &Tree, comments: &[Node]) -> bool {
    let is_notice = |comment: &Node| {
        let words = tree.node_text(*comment).to_lowercase();
        ["copyright", "license", "licence", "(c)", "\u{a9}"].iter().any(|word| words.contains(word))
    };
    comments.iter().any(is_notice)
}

/// The name of a node for a message: its name, else its type.
pub(super) fn name_in_messages(tree: &Tree, node: Node) -> String {
    let inner = tree.inner(node).unwrap_or(node);
    format!("`{}`", tree.name(inner).unwrap_or_else(|| tree.type_name(inner).to_owned()))
}
