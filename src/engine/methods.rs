//! The requests by name, as other programs see them: their fields and results as JSON schemas, and reading one strictly.
//!
//! The schemas are made of the types and their doc comments, so what a program is told about a field is what stands beside it
//! in the source.

use std::sync::OnceLock;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

use super::*;
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
        /// What is wrong.
        message: String,
        /// The fields there are.
        hint: String,
    },
}

/// A row of the table: name, whether it reads only, and its types.
type Row = (&'static str, bool, fn(&mut SchemaGenerator) -> Schema, fn(&mut SchemaGenerator) -> Schema);

/// Its schema as a definition that others may refer to.
fn schema<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}

const ROWS: &[Row] = &[
    ("load", false, schema::<LoadRequest>, schema::<LoadResponse>),
    ("find", true, schema::<FindRequest>, schema::<FindResponse>),
    ("show", true, schema::<ShowRequest>, schema::<ShowResponse>),
    ("modify", false, schema::<ModifyRequest>, schema::<ModifyResponse>),
    ("undo", false, schema::<UndoRequest>, schema::<StepResponse>),
    ("redo", false, schema::<RedoRequest>, schema::<StepResponse>),
    ("diff", true, schema::<DiffRequest>, schema::<DiffResponse>),
    ("save", false, schema::<SaveRequest>, schema::<SaveResponse>),
    ("trees", true, schema::<TreesRequest>, schema::<TreesResponse>),
    ("drop", false, schema::<DropRequest>, schema::<DropResponse>),
    ("backups", false, schema::<BackupsRequest>, schema::<BackupsResponse>),
    ("explain", true, schema::<ExplainRequest>, schema::<ExplainResponse>),
    ("languages", true, schema::<LanguagesRequest>, schema::<LanguagesResponse>),
    ("outline", true, schema::<OutlineRequest>, schema::<OutlineResponse>),
    ("check", true, schema::<CheckRequest>, schema::<CheckResponse>),
    ("index", false, schema::<IndexRequest>, schema::<IndexResponse>),
    ("rewrite", false, schema::<RewriteRequest>, schema::<ChangesResponse>),
    ("run", false, schema::<RunRequest>, schema::<ChangesResponse>),
    ("test", false, schema::<TestRequest>, schema::<TestResponse>),
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
            .map(|(name, reads, params, result)| (*name, *reads, params(&mut generator), result(&mut generator)))
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
        serde_json::from_value(json!({"method": name, "params": fields}))
            .map_err(|error| UnreadRequest::WrongField { message: error.to_string(), hint: listed() })
    }
}
