//! Attributes: what a node says of itself.

use std::borrow::Cow;

use super::evaluate::Evaluator;
use crate::language::FieldId;
use crate::tree::{Node, Tree};

/// An attribute's name, looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Attribute {
    Type,
    Kind,
    Text,
    Language,
    Field,
    Name,
    Qualname,
    Callee,
    Module,
    StartLine,
    EndLine,
    StartColumn,
    EndColumn,
    Lines,
    Length,
    Depth,
    Index,
    Children,
    Params,
    Args,
    Bases,
    Doc,
    Decorators,
    Modifiers,
    Returns,
    Visibility,
    Path,
    /// The text of the node in a field.
    FieldText(FieldId),
}

/// The attributes by name.
pub(super) const ATTRIBUTES: &[(&str, Attribute)] = &[
    ("type", Attribute::Type),
    ("kind", Attribute::Kind),
    ("text", Attribute::Text),
    ("language", Attribute::Language),
    ("field", Attribute::Field),
    ("name", Attribute::Name),
    ("qualname", Attribute::Qualname),
    ("callee", Attribute::Callee),
    ("module", Attribute::Module),
    ("start_line", Attribute::StartLine),
    ("end_line", Attribute::EndLine),
    ("start_col", Attribute::StartColumn),
    ("end_col", Attribute::EndColumn),
    ("lines", Attribute::Lines),
    ("length", Attribute::Length),
    ("depth", Attribute::Depth),
    ("index", Attribute::Index),
    ("children", Attribute::Children),
    ("params", Attribute::Params),
    ("args", Attribute::Args),
    ("bases", Attribute::Bases),
    ("doc", Attribute::Doc),
    ("decorators", Attribute::Decorators),
    ("modifiers", Attribute::Modifiers),
    ("returns", Attribute::Returns),
    ("visibility", Attribute::Visibility),
    ("path", Attribute::Path),
];

/// The attribute of that name.
pub(super) fn find(name: &str) -> Option<Attribute> {
    ATTRIBUTES.iter().find(|(known, _)| *known == name).map(|(_, attribute)| *attribute)
}

/// What an attribute is for a node.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value<'a> {
    /// The node lacks it.
    None,
    Text(Cow<'a, str>),
    /// Several, any of which may match.
    Texts(Vec<Cow<'a, str>>),
    Number(usize),
}

impl<'a> Value<'a> {
    fn text(text: Option<impl Into<Cow<'a, str>>>) -> Value<'a> {
        text.map_or(Value::None, |text| Value::Text(text.into()))
    }

    fn texts(mut texts: Vec<Cow<'a, str>>) -> Value<'a> {
        match texts.len() {
            0 => Value::None,
            1 => Value::Text(texts.remove(0)),
            _ => Value::Texts(texts),
        }
    }

    fn number(number: Option<usize>) -> Value<'a> {
        number.map_or(Value::None, Value::Number)
    }

    /// Each value as text.
    pub fn into_texts(self) -> Vec<Cow<'a, str>> {
        match self {
            Value::None => Vec::new(),
            Value::Text(text) => vec![text],
            Value::Texts(texts) => texts,
            Value::Number(number) => vec![Cow::Owned(number.to_string())],
        }
    }

    /// The value as a number, where it is one or reads as one.
    pub fn as_number(&self) -> Option<f64> {
        match self {
            #[allow(clippy::cast_precision_loss)]
            Value::Number(number) => Some(*number as f64),
            Value::Text(text) => text.trim().parse().ok(),
            _ => None,
        }
    }
}

impl Evaluator<'_> {
    /// What an attribute is for a node.
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
                let scope = tree.scope_qualname(node);
                let qualify = |name: Cow<'_, str>| match &scope {
                    Some(scope) => Cow::Owned(format!("{scope}.{name}")),
                    None => Cow::Owned(name.into_owned()),
                };
                Value::texts(tree.names(node).into_iter().map(qualify).collect())
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
            Attribute::FieldText(field) => Value::text(field_text(tree, node, field)),
        }
    }

    fn if_definition(&self, node: Node) -> Option<Node> {
        (node == Node::ROOT || self.is_kind(node, "definition")).then_some(node)
    }
}

fn field_text(tree: &Tree, node: Node, field: FieldId) -> Option<Cow<'_, str>> {
    tree.child_in_field(node, field).map(|child| tree.node_text(child))
}
