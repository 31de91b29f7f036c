//! The requests by name, as other programs see them: their fields and results as JSON schemas, and reading one strictly.
//!
//! The schemas are made from the types and their doc comments, so a program reads about a field what its doc comment in the source
//! says.

use std::sync::OnceLock;

use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};

use crate::engine::handle::{MethodName, Request};
use crate::request::error::EngineError;
use crate::request::refactor::fields_of_kind;
use crate::selector::nearest;

/// A request as other programs see it.
#[non_exhaustive]
pub struct MethodSchema {
    /// Its name.
    pub name: MethodName,
    /// What it does, in a sentence.
    pub summary: String,
    /// Whether it changes neither trees nor files.
    pub reads: bool,
    /// The schema of its fields: an object, with `$ref` into [`Methods::definitions`].
    pub params: Value,
    /// The schema of its result.
    pub result: Value,
}

impl MethodSchema {
    /// The names of its fields.
    pub fn fields(&self) -> impl Iterator<Item = &str> {
        let properties = self.params.get("properties").and_then(Value::as_object);
        properties.into_iter().flat_map(Map::keys).map(String::as_str)
    }
}

/// All requests there are.
#[non_exhaustive]
pub struct Methods {
    /// In the order of [`Request`].
    pub methods: Vec<MethodSchema>,
    /// The schemas that others refer to, by name.
    pub definitions: Map<String, Value>,
}

/// Why a request wasn't read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
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
        method: MethodName,
        /// The field.
        field: String,
        /// Fields like it, or those there are.
        hint: String,
    },
    /// A field is missing, or its value is not valid.
    #[error("{message}")]
    WrongField {
        /// What is wrong, with the field's place.
        message: String,
        /// The fields there are, where one is missing.
        hint: Option<String>,
    },
}

/// What is wrong with a value, without the names of Rust types.
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

impl Methods {
    /// All requests; made once, on first use.
    pub fn all() -> &'static Methods {
        static METHODS: OnceLock<Methods> = OnceLock::new();
        METHODS.get_or_init(Methods::new)
    }

    /// The request of that name.
    pub fn named(&self, name: &str) -> Option<&MethodSchema> {
        MethodName::named(name).map(|name| self.of(name))
    }

    /// The request of that name.
    ///
    /// # Panics
    /// Never: each name has its schema.
    pub fn of(&self, name: MethodName) -> &MethodSchema {
        self.methods.iter().find(|method| method.name == name).expect("the methods are made of the names")
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
        let schemas: Vec<_> = MethodName::ALL.iter().map(|name| (*name, name.schemas(&mut generator))).collect();
        let definitions = generator.take_definitions(true);
        let mut methods = Methods { methods: Vec::new(), definitions };
        for (name, (params, result)) in schemas {
            let params = methods.resolved(params.as_value()).clone();
            let summary = params["description"].as_str().unwrap_or_default().to_owned();
            let result = result.to_value();
            methods.methods.push(MethodSchema { name, summary, reads: name.reads(), params, result });
        }
        methods
    }
}

impl Request {
    /// The request of a name, with its fields. An unknown field is refused, not ignored.
    ///
    /// # Errors
    /// When there is no such request, or a field is unknown, missing or not valid.
    pub fn read(name: &str, fields: Map<String, Value>) -> Result<Request, UnreadRequest> {
        let Some(method) = MethodName::named(name) else {
            let hint = nearest(name, "", MethodName::ALL.iter().map(|known| known.as_str()));
            return Err(UnreadRequest::UnknownMethod { name: name.to_owned(), hint });
        };
        Request::of(method, fields)
    }

    /// The request of a method, with its fields.
    ///
    /// # Errors
    /// When a field is unknown, missing or not valid.
    pub fn of(name: MethodName, fields: Map<String, Value>) -> Result<Request, UnreadRequest> {
        let method = Methods::all().of(name);
        let known: Vec<&str> = method.fields().collect();
        let listed = || match known.is_empty() {
            true => "it has none".to_owned(),
            false => format!("its fields are `{}`", known.join("`, `")),
        };
        if let Some(field) = fields.keys().find(|field| !known.contains(&field.as_str())) {
            let hint = nearest(field, "", known.iter().copied()).unwrap_or_else(listed);
            return Err(UnreadRequest::UnknownField { method: name, field: field.clone(), hint });
        }
        // The fields of a refactor depend on its kind.
        let own = if name == MethodName::Refactor { fields_of_kind(&fields) } else { None };
        let listed = || own.map_or_else(listed, |own| format!("the fields of this kind are `{}`", own.join("`, `")));
        name.read(Value::Object(fields)).map_err(|error| {
            let is_whole = error.path.is_empty();
            let place = if is_whole { String::new() } else { format!("`{}`: ", error.path) };
            let message = format!("{place}{}", in_plain_words(&error.message));
            let hint = (is_whole && !message.contains("; it takes ")).then(listed);
            UnreadRequest::WrongField { message, hint }
        })
    }
}
