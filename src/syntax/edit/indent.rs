//! The indentation style of a text.

use super::delimiters::Delimiters;
use super::extent;
use super::lines::indentation;
use super::structure::holds_statements;
use crate::tree::{Node, Tree};

/// One level of indentation in the style of the text: around `near`, else anywhere, else as usual for the language.
pub fn indent_step(tree: &Tree, near: Option<Node>) -> String {
    let around = near.into_iter().flat_map(|node| std::iter::once(node).chain(tree.table().ancestors(node)));
    let indents = |&node: &Node| node != Node::ROOT && holds_statements(tree, node);
    let mut blocks = around.chain(tree.table().nodes()).filter(indents);
    blocks.find_map(|block| step(tree, block)).unwrap_or_else(|| {
        let indent = &tree.language().spec().indent;
        if indent.tabs { "\t".to_owned() } else { " ".repeat(indent.width) }
    })
}

/// The indentation of a block's lines relative to its header's line.
pub(super) fn step(tree: &Tree, block: Node) -> Option<String> {
    let is_label = |node: Node| tree.language().role(tree.table().type_id(node)).label;
    let units = extent::units(tree, block);
    let first = units.into_iter().find(|&unit| !is_label(unit)).filter(|&first| tree.starts_its_line(first))?;
    let inner = indentation(tree.text(), tree.span(first).start());
    let outer = Delimiters::of(tree, block).outer_indentation(tree, block);
    inner.strip_prefix(outer.as_str()).filter(|step| !step.is_empty()).map(str::to_owned)
}
