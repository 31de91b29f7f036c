//! Evaluates the paths of a language's data: from a node to others, step by step.

use super::{Node, Table};
use crate::language::{Language, Path, Step};

/// A table, and the language of its paths.
#[derive(Debug, Clone, Copy)]
pub(super) struct Paths<'a> {
    pub table: &'a Table,
    pub language: &'a Language,
}

/// A result of a path.
#[derive(Debug)]
pub(super) enum Found<'a> {
    Node(Node),
    Literal(&'a str),
    /// A word, followed by the text of a node.
    Prefixed(&'a str, Node),
}

impl Paths<'_> {
    /// All results of the last step of a path.
    pub fn follow<'p>(&self, node: Node, path: &'p Path) -> Vec<Found<'p>> {
        let paths = match path {
            Path::Literal(word) => return vec![Found::Literal(word)],
            Path::Itself => return vec![Found::Node(node)],
            Path::Steps(steps) => {
                // A token has no naming rule: its name is its text.
                let is_token =
                    |node: Node| matches!(steps.last(), Some(Step::FirstIn(_))) && !self.table.is_named(node);
                let found = |node| if is_token(node) { Found::Prefixed("", node) } else { Found::Node(node) };
                return self.walk(node, steps).into_iter().map(found).collect();
            }
            Path::Given(steps, word) => {
                let leads = !self.walk(node, steps).is_empty();
                return if leads { vec![Found::Literal(word)] } else { Vec::new() };
            }
            Path::Prefixed(word, steps) => {
                return self.walk(node, steps).into_iter().map(|node| Found::Prefixed(word, node)).collect();
            }
            Path::Either(paths) => paths,
        };
        paths.iter().map(|path| self.follow(node, path)).find(|found| !found.is_empty()).unwrap_or_default()
    }

    /// The first node among the results of a path, except comments.
    pub fn first(&self, node: Node, path: &Path) -> Option<Node> {
        self.follow(node, path).into_iter().find_map(|found| match found {
            Found::Node(found) if !self.is_comment(found) => Some(found),
            _ => None,
        })
    }

    fn walk(&self, node: Node, steps: &[Step]) -> Vec<Node> {
        let mut nodes = vec![node];
        for &step in steps {
            nodes = nodes.into_iter().flat_map(|node| self.step(node, step)).collect();
        }
        nodes
    }

    /// The results of one step.
    pub fn step(&self, node: Node, step: Step) -> Vec<Node> {
        let table = self.table;
        match step {
            Step::First => self.named_children(node).take(1).collect(),
            Step::All => self.named_children(node).collect(),
            Step::Last => self.named_children(node).last().into_iter().collect(),
            Step::Field(field) => {
                let in_field = |&child: &Node| table.field(child) == field;
                let named: Vec<Node> =
                    table.children(node).filter(in_field).filter(|&child| table.is_named(child)).collect();
                if named.is_empty() { table.children(node).filter(in_field).collect() } else { named }
            }
            Step::FirstIn(field) => table.children(node).filter(|&child| table.field(child) == field).take(1).collect(),
            Step::FieldOf(field, id) => {
                let fits = |&child: &Node| table.field(child) == field && table.type_id(child) == id;
                table.children(node).filter(fits).collect()
            }
            Step::Type(id) => table.children(node).filter(|&child| table.type_id(child) == id).collect(),
            Step::FirstOf(id) => self.step(node, Step::Type(id)).into_iter().take(1).collect(),
            Step::LastOf(id) => self.step(node, Step::Type(id)).pop().into_iter().collect(),
            Step::After(id) => {
                let after = std::iter::successors(table.next_sibling(node), |&next| table.next_sibling(next));
                after.filter(|&sibling| table.type_id(sibling) == id).collect()
            }
            Step::Before(id) => {
                let siblings = table.parent(node).into_iter().flat_map(|parent| table.children(parent));
                let before = siblings.take_while(|&sibling| sibling < node);
                before.filter(|&sibling| table.type_id(sibling) == id).collect()
            }
        }
    }

    fn named_children(&self, node: Node) -> impl Iterator<Item = Node> {
        self.table.children(node).filter(|&child| self.table.is_named(child) && !self.is_comment(child))
    }

    fn is_comment(&self, node: Node) -> bool {
        self.language.role(self.table.type_id(node)).comment
    }
}
