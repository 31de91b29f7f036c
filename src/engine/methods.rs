//! The requests by name, as other programs see them: their fields and results as JSON schemas, and reading one strictly.
//!
//! The schemas are made of the types and their doc comments, so what a program is told about a field is what stands beside it
//! in the source.

use std::sync::OnceLock;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::error::EngineError;
use super::handle::Request;
use super::request::*;
use super::response::*;
use crate::selector::nearest;

/// A request by its name.
pub struct Method {
    /// Its name.
    pub name: &'static str,
    /// What it does, in a sentence.
    pub summary: String,
    /// Whether it changes neither trees nor files.
    pub reads: bool,
    /// The schema of its fields: an object, with `$ref` into [`Methods::definitions`].
    pub params: Value,
    /// The schema of its result.
    pub result: Value,
}

impl Method {
    /// The names of its fields.
    pub fn fields(&self) -> impl Iterator<Item = &str> {
        let properties = self.params.get("properties").and_then(Value::as_object);
        properties.into_iter().flat_map(Map::keys).map(String::as_str)
    }
}

/// All requests there are.
pub struct Methods {
    /// In the order of [`Request`].
    pub methods: Vec<Method>,
    /// The schemas that others refer to, by name.
    pub definitions: Map<String, Value>,
}

/// Why a request wasn't read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnreadRequest {
    /// No request has this name.
    #[error("unknown method `{name}`")]
    UnknownMethod {
        /// The name.
        name: String,
        /// Names like it: ``did you mean `find`?``.
        hint: Option<String>,
    },
    /// The request has no such field.
    #[error("unknown field `{field}` of `{method}`")]
    UnknownField {
        /// The request.
        method: String,
        /// The field.
        field: String,
        /// Fields like it, or those there are.
        hint: String,
    },
    /// A field is missing, or its value is none that it can have.
    #[error("{message}")]
    WrongField {
        /// What is wrong, with the field's place.
        message: String,
        /// The fields there are, where one is missing.
        hint: Option<String>,
    },
}

/// A row of the table: name, whether it reads only, how it is read, the schemas of its fields and of its result.
type Row = (&'static str, bool, Read, Describe, Describe);
type Read = fn(Value) -> Result<Request, (String, bool)>;
type Describe = fn(&mut SchemaGenerator) -> Schema;

/// A type's schema, as a definition that others may refer to.
fn schema<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}

/// The request of that kind. An error says in which field.
fn read<T: DeserializeOwned>(fields: Value, of: fn(T) -> Request) -> Result<Request, (String, bool)> {
    serde_path_to_error::deserialize(fields).map(of).map_err(|error| {
        let path = error.path().to_string();
        let is_whole = path == ".";
        let place = if is_whole { String::new() } else { format!("`{path}`: ") };
        (format!("{place}{}", in_plain_words(&error.into_inner().to_string())), is_whole)
    })
}

/// What is wrong with a value, without the names that its type has in the source.
fn in_plain_words(message: &str) -> String {
    const WORDS: [(&str, &str); 5] = [
        ("expected usize", "expected a number of 0 or more"),
        ("expected u64", "expected a number of 0 or more"),
        ("expected a sequence", "expected a list"),
        ("expected a boolean", "expected true or false"),
        ("expected path string", "expected a path"),
    ];
    if let Some((unknown, rest)) = message.strip_prefix("unknown field `").and_then(|rest| rest.split_once('`')) {
        let known = rest.split('`').skip(1).step_by(2);
        let listed = || format!("it has `{}`", rest.split('`').skip(1).step_by(2).collect::<Vec<_>>().join("`, `"));
        return format!("unknown field `{unknown}`; {}", nearest(unknown, "", known).unwrap_or_else(listed));
    }
    let found = WORDS.iter().find(|(word, _)| message.contains(word));
    found.map_or_else(|| message.to_owned(), |(word, plain)| message.replace(word, plain))
}

const ROWS: &[Row] = &[
    ("load", false, |fields| read(fields, Request::Load), schema::<LoadRequest>, schema::<LoadResponse>),
    ("find", true, |fields| read(fields, Request::Find), schema::<FindRequest>, schema::<FindResponse>),
    ("show", true, |fields| read(fields, Request::Show), schema::<ShowRequest>, schema::<ShowResponse>),
    ("modify", false, |fields| read(fields, Request::Modify), schema::<ModifyRequest>, schema::<ModifyResponse>),
    ("undo", false, |fields| read(fields, Request::Undo), schema::<UndoRequest>, schema::<StepResponse>),
    ("redo", false, |fields| read(fields, Request::Redo), schema::<RedoRequest>, schema::<StepResponse>),
    ("diff", true, |fields| read(fields, Request::Diff), schema::<DiffRequest>, schema::<DiffResponse>),
    ("save", false, |fields| read(fields, Request::Save), schema::<SaveRequest>, schema::<SaveResponse>),
    ("trees", true, |fields| read(fields, Request::Trees), schema::<TreesRequest>, schema::<TreesResponse>),
    (
        "transactions",
        true,
        |fields| read(fields, Request::Transactions),
        schema::<TransactionsRequest>,
        schema::<TransactionsResponse>,
    ),
    ("drop", false, |fields| read(fields, Request::Drop), schema::<DropRequest>, schema::<DropResponse>),
    ("backups", false, |fields| read(fields, Request::Backups), schema::<BackupsRequest>, schema::<BackupsResponse>),
    ("explain", true, |fields| read(fields, Request::Explain), schema::<ExplainRequest>, schema::<ExplainResponse>),
    (
        "languages",
        true,
        |fields| read(fields, Request::Languages),
        schema::<LanguagesRequest>,
        schema::<LanguagesResponse>,
    ),
    ("outline", true, |fields| read(fields, Request::Outline), schema::<OutlineRequest>, schema::<OutlineResponse>),
    ("chunk", true, |fields| read(fields, Request::Chunk), schema::<ChunkRequest>, schema::<ChunkResponse>),
    ("check", true, |fields| read(fields, Request::Check), schema::<CheckRequest>, schema::<CheckResponse>),
    ("index", false, |fields| read(fields, Request::Index), schema::<IndexRequest>, schema::<IndexResponse>),
    ("rewrite", false, |fields| read(fields, Request::Rewrite), schema::<RewriteRequest>, schema::<ChangesResponse>),
    ("run", false, |fields| read(fields, Request::Run), schema::<RunRequest>, schema::<ChangesResponse>),
    ("test", false, |fields| read(fields, Request::Test), schema::<TestRequest>, schema::<TestResponse>),
];

impl Methods {
    /// The requests there are; made once, when it is first asked for.
    pub fn all() -> &'static Methods {
        static METHODS: OnceLock<Methods> = OnceLock::new();
        METHODS.get_or_init(Methods::new)
    }

    /// The request of that name.
    pub fn named(&self, name: &str) -> Option<&Method> {
        self.methods.iter().find(|method| method.name == name)
    }

    /// A schema, or the definition that it refers to.
    pub fn resolved<'a>(&'a self, schema: &'a Value) -> &'a Value {
        let name = schema.get("$ref").and_then(Value::as_str).and_then(|path| path.rsplit('/').next());
        name.and_then(|name| self.definitions.get(name)).unwrap_or(schema)
    }

    fn new() -> Methods {
        let settings = SchemaSettings::draft2020_12().with(|settings| {
            settings.definitions_path = "/components/schemas".into();
            settings.meta_schema = None;
        });
        let mut generator = settings.into_generator();
        generator.subschema_for::<EngineError>();
        let rows: Vec<_> = ROWS
            .iter()
            .map(|(name, reads, _, params, result)| (*name, *reads, params(&mut generator), result(&mut generator)))
            .collect();
        let definitions = generator.take_definitions(true);
        let mut methods = Methods { methods: Vec::new(), definitions };
        for (name, reads, params, result) in rows {
            let params = methods.resolved(params.as_value()).clone();
            let summary = params["description"].as_str().unwrap_or_default().to_owned();
            methods.methods.push(Method { name, summary, reads, params, result: result.to_value() });
        }
        methods
    }
}

impl Request {
    /// The request of a name, with its fields. A field that there isn't is refused, not passed over.
    ///
    /// # Errors
    /// When there is no such request, or its fields aren't what they have to be.
    pub fn read(name: &str, fields: Map<String, Value>) -> Result<Request, UnreadRequest> {
        let methods = Methods::all();
        let Some(method) = methods.named(name) else {
            let hint = nearest(name, "", methods.methods.iter().map(|method| method.name));
            return Err(UnreadRequest::UnknownMethod { name: name.to_owned(), hint });
        };
        let known: Vec<&str> = method.fields().collect();
        let listed = || match known.is_empty() {
            true => "it has none".to_owned(),
            false => format!("its fields are `{}`", known.join("`, `")),
        };
        if let Some(field) = fields.keys().find(|field| !known.contains(&field.as_str())) {
            let hint = nearest(field, "", known.iter().copied()).unwrap_or_else(listed);
            return Err(UnreadRequest::UnknownField { method: name.to_owned(), field: field.clone(), hint });
        }
        let row = ROWS.iter().find(|row| row.0 == name);
        let read = row.map(|row| row.2).expect("the methods are made of the rows");
        read(Value::Object(fields)).map_err(|(message, is_whole)| {
            let hint = is_whole.then(listed);
            UnreadRequest::WrongField { message, hint }
        })
    }
}
