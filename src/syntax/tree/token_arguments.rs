//! Lists of tokens that are read as lists of expressions: the arguments of `println!`, which Rust's grammar leaves as tokens.
//!
//! Each list is parsed alone, in the context that the language's data gives ([`TokenArguments`]), and its nodes replace the
//! tokens in a copy of the table. Only who asks for it gets such a tree: for selectors and patterns the arguments are tokens.

use std::sync::Arc;

use super::ids::Ids;
use super::table::Graft;
use super::{ParseLimits, Table, Tree};
use crate::language::TokenArguments;
use crate::text::Text;
use crate::tree::Node;

/// How deep such lists are read inside each other.
const DEPTH: usize = 8;

impl Tree {
    /// The same tree, with lists of tokens read as lists of expressions where the language's data says so. A list that cannot be read so
    /// stays as it is. A later revision is read in the same way.
    #[must_use]
    pub fn with_token_arguments(mut self) -> Tree {
        if self.reads_arguments || self.language.spec().token_arguments.is_empty() {
            return self;
        }
        self.reads_arguments = true;
        if let Some(table) = read_arguments(&self, DEPTH) {
            self.ids = Ids::fresh(table.len());
            self.table = Arc::new(table);
            self.attachments = Arc::default();
            self.names = Arc::default();
        }
        self
    }
}

/// The table of a tree with such lists read; `None` if there are none.
pub(super) fn read_arguments(tree: &Tree, depth: usize) -> Option<Table> {
    let rules = &tree.language.spec().token_arguments;
    if rules.is_empty() || depth == 0 || !tree.is_sound() {
        return None;
    }
    let table = &tree.table;
    let mut read: Vec<(Node, Tree, Node)> = Vec::new();
    let mut past = 0;
    for call in table.nodes().filter(|&node| rules.iter().any(|rule| rule.calls.contains(table.type_id(node)))) {
        // One that is read holds all that is inside of it.
        if call.index() < past {
            continue;
        }
        for rule in rules {
            let is_list = |&node: &Node| rule.lists.contains(table.type_id(node));
            let Some(list) = table.children(call).find(is_list).filter(|_| is_read(tree, call, rule)) else { continue };
            let has_names = table.descendants(list).any(|node| rule.names.contains(table.type_id(node)));
            if let Some((inner, node)) =
                Some(list).filter(|_| has_names).and_then(|list| parse_list(tree, list, rule, depth))
            {
                read.push((list, inner, node));
                past = table.subtree_end(list);
                break;
            }
        }
    }
    let mut table: Option<Table> = None;
    // From the last to the first, so that the nodes before keep their places.
    for (list, inner, node) in read.iter().rev() {
        let start = tree.span(*list).start();
        let graft = Graft { old: *list, node: *node, start };
        table = Some(table.as_ref().unwrap_or(&tree.table).graft(&inner.table, &[graft]));
    }
    table
}

/// Whether the arguments of a call are expressions by its name, unless the file defines what it calls.
fn is_read(tree: &Tree, call: Node, rule: &TokenArguments) -> bool {
    let Some(callee) = tree.callee(call) else { return false };
    let text = tree.node_text(callee);
    let word = text.rsplit(|letter: char| !letter.is_alphanumeric() && letter != '_').next().unwrap_or_default();
    let is_defined = || {
        let table = &tree.table;
        let mut definitions = table.nodes().filter(|&node| rule.definitions.contains(table.type_id(node)));
        definitions.any(|definition| tree.name_node(definition).is_some_and(|name| tree.node_text(name) == word))
    };
    rule.callees.iter().any(|known| known == word) && !is_defined()
}

/// The tree of a list that is parsed alone, and its node in there; `None` if it is no list of expressions.
fn parse_list(tree: &Tree, list: Node, rule: &TokenArguments, depth: usize) -> Option<(Tree, Node)> {
    let source = tree.node_text(list);
    let around = &rule.around;
    let text = Text::new(&format!("{}{source}{}", around.head, around.tail));
    let inner = Tree::parse(text, tree.language, &ParseLimits::default()).ok().filter(Tree::is_sound)?;
    let inner = match read_arguments(&inner, depth - 1) {
        Some(table) => Tree { table: Arc::new(table), names: Arc::default(), ..inner },
        None => inner,
    };
    let table = inner.table();
    let span = crate::text::Span::new(around.head.len(), around.head.len() + source.len());
    let node = table.nodes().find(|&node| table.span(node) == span && rule.read_as.contains(table.type_id(node)))?;
    let is_argument = |node: Node| !rule.not_with.contains(table.type_id(node));
    table.children(node).all(is_argument).then_some((inner, node))
}
