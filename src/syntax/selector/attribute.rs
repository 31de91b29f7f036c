//! Attributes of nodes.

use std::borrow::Cow;

use crate::language::FieldId;
use crate::metrics::Measure;

/// An attribute, resolved from its name.
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
    Refs,
    Callers,
    /// A number of a function, or of lines.
    Measure(Measure),
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
    ("complexity", Attribute::Measure(Measure::Complexity)),
    ("cognitive", Attribute::Measure(Measure::Cognitive)),
    ("nesting", Attribute::Measure(Measure::Nesting)),
    ("statements", Attribute::Measure(Measure::Statements)),
    ("branches", Attribute::Measure(Measure::Branches)),
    ("locals", Attribute::Measure(Measure::Locals)),
    ("comments", Attribute::Measure(Measure::Comments)),
    ("code_lines", Attribute::Measure(Measure::CodeLines)),
    ("refs", Attribute::Refs),
    ("callers", Attribute::Callers),
];

/// Whether only a project knows the attribute.
pub(super) fn is_of_project(attribute: Attribute) -> bool {
    matches!(attribute, Attribute::Refs | Attribute::Callers)
}

/// The attribute with that name.
pub(super) fn find(name: &str) -> Option<Attribute> {
    ATTRIBUTES.iter().find(|(known, _)| *known == name).map(|(_, attribute)| *attribute)
}

/// The value of an attribute of a node.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value<'a> {
    /// The node lacks the attribute.
    None,
    Text(Cow<'a, str>),
    /// Several values, any of which may match.
    Texts(Vec<Cow<'a, str>>),
    Number(usize),
}

impl<'a> Value<'a> {
    pub fn text(text: Option<impl Into<Cow<'a, str>>>) -> Value<'a> {
        text.map_or(Value::None, |text| Value::Text(text.into()))
    }

    pub fn texts(mut texts: Vec<Cow<'a, str>>) -> Value<'a> {
        match texts.len() {
            0 => Value::None,
            1 => Value::Text(texts.remove(0)),
            _ => Value::Texts(texts),
        }
    }

    pub fn number(number: Option<usize>) -> Value<'a> {
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

    /// The value as a number, if it is one or can be read as one.
    pub fn as_number(&self) -> Option<f64> {
        match self {
            #[allow(clippy::cast_precision_loss)]
            Value::Number(number) => Some(*number as f64),
            Value::Text(text) => text.trim().parse().ok(),
            _ => None,
        }
    }
}
