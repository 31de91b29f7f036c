//! The value of each attribute of a node.

use std::borrow::Cow;

use super::attribute::{Attribute, Value};
use super::evaluate::{Evaluator, VALUE};
use crate::language::FieldId;
use crate::metrics::Measure;
use crate::tree::{Node, Tree};

impl Evaluator<'_> {
    /// The value of an attribute of a node.
    pub(super) fn value(&self, node: Node, attribute: Attribute) -> Value<'_> {
        let tree = self.tree();
        match attribute {
            Attribute::Type => Value::Text(Cow::Borrowed(tree.type_name(node))),
            Attribute::Kind => Value::texts(self.kinds_of(node).into_iter().map(Cow::Borrowed).collect()),
            Attribute::Text => Value::Text(tree.node_text(node)),
            Attribute::Language => Value::Text(Cow::Borrowed(tree.language().name())),
            Attribute::Field => match tree.field_name(node) {
                "" => Value::None,
                field => Value::Text(Cow::Borrowed(field)),
            },
            Attribute::Name => {
                let mut names = tree.names(node);
                names.extend(tree.other_names(node));
                Value::texts(names)
            }
            Attribute::Qualname => {
                let names = tree.names(node);
                let scope = if names.is_empty() { None } else { tree.scope_qualname(node) };
                // Each scope was visited for its name.
                self.space.charge(VALUE * scope.as_ref().map_or(0, |scope| 1 + scope.matches('.').count()));
                let qualify = |name: Cow<'_, str>| match &scope {
                    Some(scope) => Cow::Owned(format!("{scope}.{name}")),
                    None => Cow::Owned(name.into_owned()),
                };
                Value::texts(names.into_iter().map(qualify).collect())
            }
            Attribute::Callee => Value::text(tree.callee_text(node)),
            Attribute::Module => Value::texts(tree.modules(node)),
            Attribute::StartLine => Value::Number(tree.lines(node).0),
            Attribute::EndLine => Value::Number(tree.lines(node).1),
            Attribute::StartColumn => Value::Number(tree.start(node).col()),
            Attribute::EndColumn => Value::Number(tree.end(node).col()),
            Attribute::Lines => {
                let (first, last) = tree.lines(node);
                Value::Number(last - first + 1)
            }
            Attribute::Refs => Value::number(self.project_counts(node).map(|(refs, _)| refs)),
            Attribute::Callers => Value::number(self.project_counts(node).map(|(_, callers)| callers)),
            Attribute::Length => Value::Number(tree.span(node).len()),
            Attribute::Depth => Value::Number(self.depths()[node.index()] as usize),
            Attribute::Index => Value::number(self.places().place(tree, node)),
            Attribute::Children => Value::Number(tree.named_children(node).count()),
            Attribute::Params => Value::number(tree.params(node)),
            Attribute::Args => Value::number(tree.args(node)),
            Attribute::Bases => Value::texts(tree.bases(node)),
            Attribute::Doc => Value::text(self.if_definition(node).and_then(|node| tree.doc(node))),
            Attribute::Decorators => {
                let decorators = tree.decorators(node).into_iter();
                Value::texts(decorators.map(|decorator| tree.decorator_word(decorator)).collect())
            }
            Attribute::Modifiers => Value::texts(tree.modifiers(node)),
            Attribute::Returns => Value::text(tree.returns(node)),
            Attribute::Visibility => Value::text(self.if_definition(node).and_then(|node| self.visibility(node))),
            Attribute::Path => Value::text(if node == tree.root() { tree.path() } else { None }),
            Attribute::Measure(measure) => Value::number(self.measure(node, measure)),
            Attribute::FieldText(field) => Value::text(field_text(tree, node, field)),
        }
    }

    /// A number of a function; lines are also counted of other definitions and of the file.
    fn measure(&self, node: Node, measure: Measure) -> Option<usize> {
        let has_it = self.measures.has(node) || measure.is_of_lines() && self.if_definition(node).is_some();
        if !has_it || !self.space.charge(self.measures.cost(measure)) {
            return None;
        }
        self.measures.of(node, measure)
    }

    fn if_definition(&self, node: Node) -> Option<Node> {
        (node == Node::ROOT || self.is_kind(node, "definition")).then_some(node)
    }
}

fn field_text(tree: &Tree, node: Node, field: FieldId) -> Option<Cow<'_, str>> {
    tree.child_in_field(node, field).map(|child| tree.node_text(child))
}
