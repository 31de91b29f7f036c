//! An operation of a request: its nodes are words, which are looked up when the batch is applied.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{Deserialize, Deserializer, Error as _};
use serde_json::{Map, Value, json};

use crate::edit::{self, Extent, Fields, OperationKind, Position, References};
use crate::request::error::EngineError;
use crate::request::fields::is_false;
use crate::selector::nearest;

/// An operation. A `target` is a node id (`n31`, `n31@3fa9c1d2`), an id with a field (`n17.body`), a selector that matches one node,
/// or an anchor. Code may be given as `code_lines`, a line each.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct Operation {
    /// What is done, with its targets as words.
    #[serde(flatten)]
    pub edit: edit::Operation<String, String>,
    /// Whether it is done to every match of the target.
    #[serde(skip_serializing_if = "is_false")]
    pub all: bool,
    /// Which of several matches of the target is meant, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub match_index: Option<usize>,
}

impl From<edit::Operation<String, String>> for Operation {
    fn from(edit: edit::Operation<String, String>) -> Operation {
        Operation { edit, all: false, match_index: None }
    }
}

impl Operation {
    /// Reads an operation from JSON.
    ///
    /// # Errors
    /// When it is not an operation, lacks a field or has one that there is not.
    pub fn read(value: &Value) -> Result<Operation, EngineError> {
        let Some(fields) = value.as_object() else { return Err(bad("an operation is an object with `op`")) };
        let listed = || format!("one of `{}`", names().collect::<Vec<_>>().join("`, `"));
        let Some(name) = fields.get("op").and_then(Value::as_str) else {
            return Err(bad("the operation has no `op`").hint(listed()));
        };
        let Some(kind) = OperationKind::named(name) else {
            let called = OperationKind::called_elsewhere(name).map(|kind| format!("it is `{}` here", kind.as_str()));
            let hint = called.or_else(|| nearest(name, "", names())).unwrap_or_else(listed);
            return Err(bad(format!("unknown operation `{name}`")).hint(hint));
        };
        let known = known_fields(kind);
        if let Some(unknown) = fields.keys().find(|field| !known.contains(&field.as_str())) {
            let listed = || format!("`{name}` has the fields `{}`", known.join("`, `"));
            let is_target = ["node", "node_id", "selector"].contains(&unknown.as_str()) && known.contains(&"target");
            let called = is_target.then(|| "the node is named in `target`".to_owned());
            let hint = called.or_else(|| nearest(unknown, "", known.iter().copied())).unwrap_or_else(listed);
            return Err(bad(format!("`{name}`: unknown field `{unknown}`")).hint(hint));
        }
        let mut fields = JsonFields { fields, name };
        Ok(Operation {
            edit: edit::Operation::read(kind, &mut fields)?,
            all: fields.flag("all")?,
            match_index: fields.number("match_index")?,
        })
    }

    /// What it is about, as given: of a range its first node.
    pub fn target(&self) -> Option<&str> {
        self.edit.targets().first().map(|target| target.as_str())
    }
}

fn names() -> impl Iterator<Item = &'static str> {
    OperationKind::ALL.iter().map(|kind| kind.as_str())
}

fn bad(message: impl Into<String>) -> EngineError {
    EngineError::bad_request(message)
}

/// The fields of an operation in JSON.
fn known_fields(kind: OperationKind) -> Vec<&'static str> {
    let mut known = vec!["op"];
    for &field in kind.fields() {
        known.push(field);
        if field == "code" {
            known.push(CODE_LINES);
        }
    }
    known.extend(choice_fields(kind));
    known
}

/// Code as a list of lines.
const CODE_LINES: &str = "code_lines";

/// The fields that say which of several matches are meant.
fn choice_fields(kind: OperationKind) -> &'static [&'static str] {
    match kind {
        OperationKind::ReplaceRange | OperationKind::EnsureImport => &[],
        OperationKind::Move => &["match_index"],
        OperationKind::Replace
        | OperationKind::Insert
        | OperationKind::Delete
        | OperationKind::Wrap
        | OperationKind::Unwrap
        | OperationKind::Rename
        | OperationKind::Sub => &["all", "match_index"],
    }
}

/// The fields of an operation in JSON.
struct JsonFields<'a> {
    fields: &'a Map<String, Value>,
    /// The operation, for messages.
    name: &'a str,
}

impl JsonFields<'_> {
    /// A field that is there and not null.
    fn get(&self, field: &str) -> Option<&Value> {
        self.fields.get(field).filter(|value| !value.is_null())
    }

    fn wrong(&self, field: &str, wanted: &str) -> EngineError {
        bad(format!("`{}`: `{field}` is not {wanted}", self.name))
    }

    fn flag(&self, field: &str) -> Result<bool, EngineError> {
        let Some(value) = self.get(field) else { return Ok(false) };
        value.as_bool().ok_or_else(|| self.wrong(field, "true or false"))
    }

    fn number(&self, field: &str) -> Result<Option<usize>, EngineError> {
        let Some(value) = self.get(field) else { return Ok(None) };
        let number = value.as_u64().and_then(|number| usize::try_from(number).ok());
        number.map(Some).ok_or_else(|| self.wrong(field, "a number of 0 or more"))
    }

    /// One of some words.
    fn word<T: Copy>(
        &self,
        field: &str,
        known: &[T],
        name: impl Fn(T) -> &'static str,
    ) -> Result<Option<T>, EngineError> {
        let Some(value) = self.get(field) else { return Ok(None) };
        let word = value.as_str().ok_or_else(|| self.wrong(field, "a string"))?;
        let found = known.iter().copied().find(|&known| name(known) == word);
        let names = || known.iter().map(|&known| name(known));
        let listed = || format!("one of `{}`", names().collect::<Vec<_>>().join("`, `"));
        let unknown = || {
            bad(format!("`{}`: unknown {field} `{word}`", self.name))
                .hint(nearest(word, "", names()).unwrap_or_else(listed))
        };
        found.map(Some).ok_or_else(unknown)
    }
}

impl Fields for JsonFields<'_> {
    type Target = String;
    type Code = String;
    type Error = EngineError;

    fn target(&mut self, field: &'static str) -> Result<String, EngineError> {
        self.text(field)
    }

    fn code(&mut self, field: &'static str) -> Result<String, EngineError> {
        let lines = if field == "code" { self.get(CODE_LINES) } else { None };
        let Some(lines) = lines else { return self.text(field) };
        if self.get(field).is_some() {
            return Err(bad(format!("`{}`: `{field}` and `{CODE_LINES}` exclude each other", self.name)));
        }
        let strings = lines.as_array().and_then(|lines| lines.iter().map(Value::as_str).collect::<Option<Vec<_>>>());
        strings.map(|lines| lines.join("\n")).ok_or_else(|| self.wrong(CODE_LINES, "a list of strings"))
    }

    fn text(&mut self, field: &'static str) -> Result<String, EngineError> {
        match self.get(field) {
            Some(Value::String(text)) => Ok(text.clone()),
            Some(_) => Err(self.wrong(field, "a string")),
            None => Err(bad(format!("`{}`: `{field}` is missing", self.name))),
        }
    }

    fn position(&mut self) -> Result<Position, EngineError> {
        let missing = || {
            let known = Position::ALL.iter().map(|known| known.as_str()).collect::<Vec<_>>();
            bad(format!("`{}`: `position` is missing", self.name)).hint(format!("one of `{}`", known.join("`, `")))
        };
        self.word("position", Position::ALL, Position::as_str)?.ok_or_else(missing)
    }

    fn extent(&mut self) -> Result<Option<Extent>, EngineError> {
        self.word("extent", Extent::ALL, Extent::as_str)
    }

    fn references(&mut self) -> Result<Option<References>, EngineError> {
        self.word("references", References::ALL, References::as_str)
    }

    fn regex(&mut self) -> Result<bool, EngineError> {
        self.flag("regex")
    }
}

impl<'de> Deserialize<'de> for Operation {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Operation, D::Error> {
        let value = Value::deserialize(deserializer)?;
        Operation::read(&value).map_err(|error| match &error.details.hint {
            Some(hint) => D::Error::custom(format!("{error}; {hint}")),
            None => D::Error::custom(error),
        })
    }
}

/// Of the operation itself, with the fields that only requests have.
impl JsonSchema for Operation {
    fn schema_name() -> Cow<'static, str> {
        "Operation".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = edit::Operation::<String, String>::json_schema(generator);
        let choices = schema.get_mut("oneOf").and_then(Value::as_array_mut);
        for operation in choices.into_iter().flatten() {
            let kind = operation["properties"]["op"]["const"].as_str().and_then(OperationKind::named);
            if let (Some(kind), Some(Value::Object(properties))) = (kind, operation.get_mut("properties")) {
                *properties = with_own_fields(kind, std::mem::take(properties));
            }
            // There is `code_lines` in its place.
            if let Some(Value::Array(required)) = operation.get_mut("required") {
                required.retain(|field| field != "code");
            }
        }
        schema.insert("description".to_owned(), DESCRIPTION.into());
        schema
    }
}

/// What the schema says of operations.
const DESCRIPTION: &str = "A `target` is a node id (`n31`, `n31@3fa9c1d2`), an id with a field (`n17.body`), a selector \
                           that matches one node, or an anchor.";

/// The properties of an operation in requests.
fn with_own_fields(kind: OperationKind, properties: Map<String, Value>) -> Map<String, Value> {
    let mut own = Map::new();
    for (name, property) in properties {
        let is_code = name == "code";
        own.insert(name, property);
        if is_code {
            let lines = json!({"description": "The code, a line each.", "type": "array", "items": {"type": "string"}});
            own.insert(CODE_LINES.to_owned(), lines);
        }
    }
    for &field in choice_fields(kind) {
        let property = match field {
            "all" => json!({"description": "Whether it is done to every match.", "type": "boolean"}),
            _ => json!({"description": "Which of several matches, from 0.", "type": ["integer", "null"], "minimum": 0}),
        };
        own.insert(field.to_owned(), property);
    }
    own
}
