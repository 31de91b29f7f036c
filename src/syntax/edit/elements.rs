//! The elements of lists.

use crate::language::List;
use crate::text::Span;
use crate::tree::{Node, Tree};

/// An element: the nodes between two separators.
#[derive(Debug, Clone, Copy)]
pub(super) struct Element {
    pub(super) first: Node,
    pub(super) last: Node,
    pub(super) span: Span,
    /// The separator after it.
    pub(super) separator: Option<Span>,
}

impl Element {
    /// Whether a node is the element, apart from what belongs to it: attributes before it, a value after it.
    pub(super) fn is(&self, tree: &Tree, node: Node) -> bool {
        let table = tree.table();
        if self.first == node && self.last == node {
            return true;
        }
        let siblings = std::iter::successors(Some(self.first), |&next| table.next_sibling(next));
        let role = |node: Node| tree.language().role(table.type_id(node));
        let belongs = |&node: &Node| {
            !table.is_named(node) || table.is_extra(node) || role(node).leading || role(node).modifier_holder
        };
        let mut siblings = siblings.take_while(|&next| next <= self.last).skip_while(belongs);
        // A node that follows without a separator is another element, separated by a line end.
        siblings.next() == Some(node) && siblings.next().is_none_or(|next| !table.is_named(next))
    }

    /// The bytes of all its nodes.
    pub(super) fn span(&self) -> Span {
        self.span
    }

    /// Its node, if it is a single one.
    pub(super) fn node(&self) -> Option<Node> {
        (self.first == self.last).then_some(self.first)
    }

    /// Where it starts.
    pub(super) fn start(&self) -> usize {
        self.span.start()
    }

    /// Where it ends, including its separator.
    pub(super) fn end(&self) -> usize {
        self.separator.map_or(self.span.end(), Span::end)
    }
}

pub(super) fn rule(tree: &Tree, list: Node) -> Option<&'static List> {
    tree.language().spec().lists.of(tree.table().type_id(list))
}

/// The separator of the list that contains a node as an element.
pub(super) fn separator_around(tree: &Tree, node: Node) -> Option<&'static str> {
    let list = tree.table().parent(node)?;
    let rule = rule(tree, list)?;
    elements(tree, list).iter().any(|element| element.is(tree, node)).then_some(rule.separator.as_str())
}

/// The elements of a list, in order.
pub(super) fn elements(tree: &Tree, list: Node) -> Vec<Element> {
    let Some(rule) = rule(tree, list) else { return Vec::new() };
    let table = tree.table();
    let field = rule.field;
    let signs = &tree.language().spec().punctuation;
    let is_separator = |child: Node| Some(table.type_id(child)) == rule.separator_token;
    let children: Vec<Node> = table.children(list).filter(|&child| !table.is_extra(child)).collect();
    let opens = children.iter().position(|&child| signs.opening.contains(table.type_id(child)));
    // The closing token of the list: a bracket, or the `;` of a declaration.
    let is_token = |child: &&Node| !table.is_named(**child);
    let closes = children.last().filter(is_token).filter(|&&last| {
        let opened = field.is_some() || children.first().filter(is_token).is_some_and(|&first| first != last);
        opened && !is_separator(last)
    });
    let is_element = |child: Node| rule.only.contains(table.type_id(child));
    let start = match field {
        _ if children.iter().any(|&child| is_element(child)) => children.iter().position(|&child| is_element(child)),
        Some(field) => children.iter().position(|&child| table.field(child) == field),
        // A keyword before the first element, as in `global a, b`.
        None => Some(
            opens.map_or_else(|| children.iter().take_while(|&&child| !table.is_named(child)).count(), |at| at + 1),
        ),
    };
    let mut elements: Vec<Element> = Vec::new();
    let mut open: Option<Element> = None;
    for &child in &children[start.unwrap_or(children.len())..] {
        let span = table.span(child);
        if !table.is_named(child) && is_separator(child) {
            if let Some(element) = open.take() {
                elements.push(Element { separator: Some(span), ..element });
            }
        } else if closes == Some(&child) || signs.closing.contains(table.type_id(child)) {
            break;
        } else if !rule.only.is_empty() && !is_element(child) && !tree.language().role(table.type_id(child)).leading {
            // After the elements come other nodes: an enum's methods.
            break;
        } else {
            open = Some(match open {
                Some(element) => Element { last: child, span: element.span.join(span), ..element },
                None => Element { first: child, last: child, span, separator: None },
            });
        }
    }
    elements.extend(open);
    elements
}

/// The last remaining element of several, if it must be written without the rest of its list. Other content of the
/// list, such as a comment, keeps the list as it is.
pub(super) fn is_alone(tree: &Tree, list: Node, elements: &[Element], kept: &[usize]) -> Option<Node> {
    let rule = rule(tree, list)?;
    let table = tree.table();
    let parent = table.parent(list)?;
    let plain = rule.plain_in.contains(table.type_id(parent));
    let &[only] = kept else { return None };
    let fits = (rule.bare || plain) && elements.len() > 1 && !table.children(list).any(|child| table.is_extra(child));
    elements[only].node().filter(|_| fits)
}
