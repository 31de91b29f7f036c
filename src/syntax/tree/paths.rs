//! Evaluates the paths of a language's data: from a node to others, step by step.

use std::ops::ControlFlow;

use super::{Node, Table};
use crate::language::{FieldId, Language, Path, Step, TypeId};

/// A table, and the language of its paths.
#[derive(Debug, Clone, Copy)]
pub(super) struct Paths<'a> {
    pub table: &'a Table,
    pub language: &'a Language,
}

/// A result of a path.
#[derive(Debug)]
pub(super) enum PathResult<'a> {
    Node(Node),
    Literal(&'a str),
    /// A word, followed by the text of a node.
    Prefixed(&'a str, Node),
}

/// Takes results one after the other, and says whether more are wanted.
type Take<'a, T> = &'a mut dyn FnMut(T) -> ControlFlow<()>;

impl Paths<'_> {
    /// All results of the last step of a path.
    pub fn follow<'p>(&self, node: Node, path: &'p Path) -> Vec<PathResult<'p>> {
        let mut all = Vec::new();
        _ = self.visit(node, path, &mut |found| {
            all.push(found);
            ControlFlow::Continue(())
        });
        all
    }

    /// Passes on the results of the last step of a path, in order.
    pub fn visit<'p>(&self, node: Node, path: &'p Path, take: Take<'_, PathResult<'p>>) -> ControlFlow<()> {
        match path {
            Path::Literal(word) => take(PathResult::Literal(word)),
            Path::Itself => take(PathResult::Node(node)),
            Path::Steps(steps) => {
                // A token has no naming rule: its name is its text.
                let takes_tokens = matches!(steps.last(), Some(Step::FirstIn(_)));
                self.walk(node, steps, &mut |node| {
                    let is_token = takes_tokens && !self.table.is_named(node);
                    take(if is_token { PathResult::Prefixed("", node) } else { PathResult::Node(node) })
                })
            }
            Path::Given(steps, word) => {
                let leads = self.walk(node, steps, &mut |_| ControlFlow::Break(())).is_break();
                if leads { take(PathResult::Literal(word)) } else { ControlFlow::Continue(()) }
            }
            Path::Prefixed(word, steps) => self.walk(node, steps, &mut |node| take(PathResult::Prefixed(word, node))),
            Path::Either(paths) => {
                for path in paths {
                    let mut leads = false;
                    self.visit(node, path, &mut |found| {
                        leads = true;
                        take(found)
                    })?;
                    if leads {
                        break;
                    }
                }
                ControlFlow::Continue(())
            }
        }
    }

    /// The first node among the results of a path, except comments.
    pub fn first(&self, node: Node, path: &Path) -> Option<Node> {
        let mut first = None;
        _ = self.visit(node, path, &mut |found| match found {
            PathResult::Node(found) if !self.is_comment(found) => {
                first = Some(found);
                ControlFlow::Break(())
            }
            _ => ControlFlow::Continue(()),
        });
        first
    }

    fn walk(&self, node: Node, steps: &[Step], take: Take<'_, Node>) -> ControlFlow<()> {
        match steps {
            [] => take(node),
            [step] => self.step(node, *step, take),
            [step, rest @ ..] => self.step(node, *step, &mut |next| self.walk(next, rest, take)),
        }
    }

    /// How many results a step has.
    pub fn count(&self, node: Node, step: Step) -> usize {
        let mut count = 0;
        _ = self.step(node, step, &mut |_| {
            count += 1;
            ControlFlow::Continue(())
        });
        count
    }

    /// Passes on the results of one step, in order.
    fn step(&self, node: Node, step: Step, take: Take<'_, Node>) -> ControlFlow<()> {
        let table = self.table;
        let of_type = |id: TypeId| table.children(node).filter(move |&child| table.type_id(child) == id);
        let in_field = |field: FieldId| table.children(node).filter(move |&child| table.field(child) == field);
        match step {
            Step::First => self.named_children(node).take(1).try_for_each(take),
            Step::All => self.named_children(node).try_for_each(take),
            Step::Last => self.named_children(node).last().into_iter().try_for_each(take),
            Step::Field(field) => {
                let mut named = in_field(field).filter(|&child| table.is_named(child)).peekable();
                match named.peek() {
                    Some(_) => named.try_for_each(take),
                    None => in_field(field).try_for_each(take),
                }
            }
            Step::FirstIn(field) => in_field(field).take(1).try_for_each(take),
            Step::FieldOf(field, id) => in_field(field).filter(|&child| table.type_id(child) == id).try_for_each(take),
            Step::Type(id) => of_type(id).try_for_each(take),
            Step::FirstOf(id) => of_type(id).take(1).try_for_each(take),
            Step::LastOf(id) => of_type(id).last().into_iter().try_for_each(take),
            Step::After(id) => {
                let mut after = std::iter::successors(table.next_sibling(node), |&next| table.next_sibling(next))
                    .filter(|&sibling| table.type_id(sibling) == id);
                after.try_for_each(take)
            }
            Step::Before(id) => {
                let siblings = table.parent(node).into_iter().flat_map(|parent| table.children(parent));
                let mut before =
                    siblings.take_while(|&sibling| sibling < node).filter(|&sibling| table.type_id(sibling) == id);
                before.try_for_each(take)
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
