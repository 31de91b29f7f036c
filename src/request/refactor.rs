//! Refactors of a project: one type a kind, which the command line, JSON, MCP and scripts share; and their answers.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use crate::naming::named_enum;
use crate::request::error::PlaceRow;
use crate::request::fields::{is_false, is_zero, one_or_many, some_or_all};
use crate::request::report::ProjectReport;
use crate::request::requests::{Reading, Target};
use crate::request::responses::ChangesResponse;
use crate::request::symbol_messages::SymbolRow;
use crate::request::verify::DecisionRound;

named_enum! {
    /// Who says what refers to a symbol.
    #[derive(Default)]
    #[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
    #[non_exhaustive]
    pub enum RefactorEngine {
        /// cst alone.
        #[default]
        Cst = "cst",
        /// cst, and the language server that the user has configured: it must rename all certain references.
        Lsp = "lsp",
    }
}

/// Declares the kinds of refactors: a type each with its fields, which are options of the command line, too; [`Refactor`] and
/// [`RefactorKind`], which list them; and which fields a kind has.
macro_rules! refactors {
    ($($(#[$doc:meta])+ $name:ident = $word:literal { $($(#[$meta:meta])+ $field:ident: $type:ty,)+ })+) => {
        named_enum! {
            /// The kind of a refactor.
            #[non_exhaustive]
            pub enum RefactorKind {
                $($(#[$doc])+ $name = $word,)+
            }
        }

        $(
            $(#[$doc])+
            #[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
            #[cfg_attr(feature = "cli", derive(clap::Args))]
            #[serde(deny_unknown_fields)]
            #[non_exhaustive]
            pub struct $name {
                $($(#[$meta])+ pub $field: $type,)+
            }

            impl From<$name> for Refactor {
                fn from(refactor: $name) -> Refactor {
                    Refactor::$name(refactor)
                }
            }
        )+

        /// A refactor with the fields of its kind.
        #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(tag = "kind")]
        #[non_exhaustive]
        pub enum Refactor {
            $($(#[$doc])+ #[serde(rename = $word)] $name($name),)+
        }

        impl Refactor {
            /// Its kind.
            pub fn kind(&self) -> RefactorKind {
                match self {
                    $(Refactor::$name(_) => RefactorKind::$name,)+
                }
            }
        }

        impl RefactorKind {
            /// The fields of a request of this kind, besides those of every kind.
            fn fields(self) -> &'static [&'static str] {
                match self {
                    $(RefactorKind::$name => &[$(stringify!($field)),+],)+
                }
            }
        }

        /// The schemas of the fields of each kind.
        fn schemas(generator: &mut SchemaGenerator) -> Vec<Schema> {
            vec![$($name::json_schema(generator)),+]
        }
    };
}

refactors! {
    /// Renames a symbol: its definition, its references, imports and overrides, and the arguments that name a parameter.
    Rename = "rename" {
        /// The symbol: `handle`, `Server.handle`, `PATH::Server.handle`, or the one at `PATH:LINE[:COL]`
        #[cfg_attr(feature = "cli", arg(value_name = "SYMBOL"))]
        symbol: String,
        /// The new name
        #[cfg_attr(feature = "cli", arg(value_name = "NEW"))]
        to: String,
        /// Also rename what comments and documentation mention as code; other occurrences of the word are listed
        #[serde(default, skip_serializing_if = "is_false")]
        #[cfg_attr(feature = "cli", arg(long))]
        mentions: bool,
        /// Also rename the file named after the symbol: `server.py` with `Server`
        #[serde(default, skip_serializing_if = "is_false")]
        #[cfg_attr(feature = "cli", arg(long))]
        file: bool,
        /// Keep the old name as a deprecated alias, for code outside the project
        #[serde(default, skip_serializing_if = "is_false")]
        #[cfg_attr(feature = "cli", arg(long))]
        keep_alias: bool,
        /// Also ask the language server that you have configured; it must rename all certain references
        #[serde(default, skip_serializing_if = "is_cst")]
        #[cfg_attr(feature = "cli", arg(long, value_enum, default_value_t, value_name = "ENGINE"))]
        engine: RefactorEngine,
    }
    /// Moves definitions to another module, and changes the imports of them.
    Move = "move" {
        /// The definition
        #[cfg_attr(feature = "cli", arg(value_name = "SYMBOL"))]
        symbol: String,
        /// Other definitions of the same file that move with it
        #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "one_or_many")]
        #[cfg_attr(feature = "cli", arg(value_name = "SYMBOL"))]
        symbols: Vec<String>,
        /// The path of the module
        #[cfg_attr(feature = "cli", arg(value_name = "TO"))]
        to: String,
        /// Let the old module still export the names
        #[serde(default, skip_serializing_if = "is_false")]
        #[cfg_attr(feature = "cli", arg(long))]
        keep_alias: bool,
    }
    /// Moves a file or a folder, and updates the imports of it and in it.
    MoveFile = "move_file" {
        /// The file or folder
        #[cfg_attr(feature = "cli", arg(value_name = "PATH"))]
        symbol: String,
        /// The new path; in an existing folder, or in `NAME/`, the file keeps its name
        #[cfg_attr(feature = "cli", arg(value_name = "TO"))]
        to: String,
    }
    /// Creates a file.
    CreateFile = "create_file" {
        /// Its path
        #[cfg_attr(feature = "cli", arg(value_name = "PATH"))]
        symbol: String,
        /// Its text
        #[serde(default, skip_serializing_if = "String::is_empty")]
        #[cfg_attr(feature = "cli", arg(long, value_name = "TEXT", default_value = ""))]
        code: String,
    }
    /// Deletes a file, if nothing refers to it.
    DeleteFile = "delete_file" {
        /// Its path
        #[cfg_attr(feature = "cli", arg(value_name = "PATH"))]
        symbol: String,
    }
    /// Splits a module into a package: a file for each class, or for each named part; imports of it stay as they are.
    SplitFile = "split_file" {
        /// The module
        #[cfg_attr(feature = "cli", arg(value_name = "PATH"))]
        symbol: String,
        /// A file and its definitions; may be repeated. What no part names stays in the package's own file
        #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "one_or_many")]
        #[cfg_attr(feature = "cli", arg(long = "part", value_name = "FILE=NAME,NAME"))]
        parts: Vec<String>,
    }
    /// Adds, removes, renames or reorders parameters of a function, with the arguments of its calls.
    ChangeSignature = "change_signature" {
        /// The function: `handle`, `Server.handle`, `PATH::Server.handle`, or the one at `PATH:LINE[:COL]`
        #[cfg_attr(feature = "cli", arg(value_name = "SYMBOL"))]
        symbol: String,
        /// Add a parameter: `timeout: float = 30`
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "cli", arg(long, value_name = "PARAMETER"))]
        add: Option<String>,
        /// The place of the new parameter, from 1; default: the last one
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "cli", arg(long, value_name = "N", requires = "add"))]
        at: Option<usize>,
        /// The argument of calls for the new parameter
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "cli", arg(long, value_name = "CODE", requires = "add"))]
        value: Option<String>,
        /// Remove a parameter
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "cli", arg(long, value_name = "NAME"))]
        remove: Option<String>,
        /// The parameters that come first, in their new order
        #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "one_or_many")]
        #[cfg_attr(feature = "cli", arg(long, value_name = "NAME,NAME", value_delimiter = ','))]
        reorder: Vec<String>,
        /// A parameter and its new name
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "cli", arg(long, value_name = "NAME=NEW"))]
        rename: Option<String>,
        /// A parameter that calls shall pass by its name only, behind a `*`
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "cli", arg(long, value_name = "NAME"))]
        keyword_only: Option<String>,
    }
    /// Deletes functions and classes that are certainly unused, then those that become unused.
    DeleteUnused = "delete_unused" {
        /// The file or folder in which definitions are deleted; default: the working directory
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "cli", arg(value_name = "PATH"))]
        path: Option<String>,
    }
    /// Removes unused imports, merges imports of one module, and sorts the rest.
    OrganizeImports = "organize_imports" {
        /// The file or folder whose imports are organized; default: the working directory
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "cli", arg(value_name = "PATH"))]
        path: Option<String>,
    }
    /// Extracts statements or an expression into a function, and calls it in their place.
    ExtractFunction = "extract_function" {
        /// The name of the function
        #[cfg_attr(feature = "cli", arg(value_name = "NAME"))]
        to: String,
        /// Whole statements, or one expression
        #[cfg_attr(feature = "cli", arg(value_name = "PATH:LINE[:COL]-LINE[:COL]"))]
        range: String,
    }
    /// Extracts an expression into a variable.
    ExtractVariable = "extract_variable" {
        /// The name of the variable
        #[cfg_attr(feature = "cli", arg(value_name = "NAME"))]
        to: String,
        /// One expression
        #[cfg_attr(feature = "cli", arg(value_name = "PATH:LINE:COL-LINE:COL"))]
        range: String,
        /// Use the variable for all equal expressions after it in the same block
        #[serde(default, skip_serializing_if = "is_false")]
        #[cfg_attr(feature = "cli", arg(long))]
        all: bool,
    }
    /// Moves common members of classes to a new base class.
    ExtractBase = "extract_base" {
        /// A class
        #[cfg_attr(feature = "cli", arg(value_name = "CLASS"))]
        symbol: String,
        /// Other classes of the same file
        #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "one_or_many")]
        #[cfg_attr(feature = "cli", arg(value_name = "CLASS"))]
        symbols: Vec<String>,
        /// The members: methods, and variables of the class
        #[serde(default, deserialize_with = "one_or_many")]
        #[cfg_attr(feature = "cli", arg(long, value_name = "NAME,NAME", value_delimiter = ',', required = true))]
        members: Vec<String>,
        /// The name of the new class
        #[cfg_attr(feature = "cli", arg(long = "name", value_name = "NAME"))]
        to: String,
    }
    /// Moves methods of a class and their state to a new class; the old class holds an instance of it and delegates calls.
    SplitClass = "split_class" {
        /// The class
        #[cfg_attr(feature = "cli", arg(value_name = "CLASS"))]
        symbol: String,
        /// The methods
        #[serde(default, deserialize_with = "one_or_many")]
        #[cfg_attr(feature = "cli", arg(long = "methods", value_name = "NAME,NAME", value_delimiter = ',', required = true))]
        members: Vec<String>,
        /// The name of the new class
        #[cfg_attr(feature = "cli", arg(long = "into", value_name = "NAME"))]
        to: String,
    }
    /// Replaces the uses of a variable by its value, or the calls of a function by its body, and deletes the definition.
    Inline = "inline" {
        /// The symbol: `width`, `Server.handle`, `PATH::Server.handle`, or the one at `PATH:LINE[:COL]`
        #[cfg_attr(feature = "cli", arg(value_name = "SYMBOL"))]
        symbol: String,
    }
    /// Fixes a feature flag to true or false, and deletes its definition and the code that can no longer run.
    RemoveFlag = "remove_flag" {
        /// The flag: `USE_CACHE`, `settings.USE_CACHE`, `PATH::USE_CACHE`, or the one at `PATH:LINE[:COL]`
        #[cfg_attr(feature = "cli", arg(value_name = "SYMBOL"))]
        symbol: String,
        /// The value of the flag from now on
        #[serde(deserialize_with = "bool_or_word")]
        #[cfg_attr(feature = "cli", arg(long, value_name = "true|false", action = clap::ArgAction::Set))]
        value: bool,
    }
}

/// How a refactor is done, whatever its kind.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct RefactorOptions {
    /// A file or folder that chooses symbols. All files of the project around it may change.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "some_or_all")]
    pub targets: Vec<Target>,
    /// Whether the files are written; otherwise the answer has the diffs.
    #[serde(skip_serializing_if = "is_false")]
    pub write: bool,
    /// Whether to write nothing.
    #[serde(skip_serializing_if = "is_false")]
    pub dry_run: bool,
    /// Uncertain references to change, too: `PATH:LINE`.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "one_or_many")]
    pub include: Vec<String>,
    /// Whether to leave the other uncertain references.
    #[serde(skip_serializing_if = "is_false")]
    pub leave_undetermined: bool,
    /// Whether string literals equal to the name count as uncertain references.
    #[serde(skip_serializing_if = "is_false")]
    pub strings: bool,
    /// Whether to proceed even if something unseen may use the old name, or imports form a cycle.
    #[serde(skip_serializing_if = "is_false")]
    pub force: bool,
    /// A command, or the user's name for one, that must not complain more than before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verify: Option<String>,
    /// Whether to change the uncertain references that verify needs.
    #[serde(skip_serializing_if = "is_false")]
    pub decide: bool,
    /// How files are chosen and read.
    #[serde(skip_serializing_if = "Reading::is_default")]
    pub reading: Reading,
}

impl RefactorOptions {
    const FIELDS: &[&str] = &[
        "targets",
        "write",
        "dry_run",
        "include",
        "leave_undetermined",
        "strings",
        "force",
        "verify",
        "decide",
        "reading",
    ];
}

/// Changes a definition and all references to it.
///
/// In JSON it is one object: `kind`, the fields of the kind, and the options. A field of another kind is an error: who sets one
/// expects it to count.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct RefactorRequest {
    /// The refactor.
    #[serde(flatten)]
    pub refactor: Refactor,
    /// How it is done.
    #[serde(flatten)]
    pub options: RefactorOptions,
}

impl RefactorRequest {
    /// A refactor in the project of the working directory that is only shown.
    pub fn new(refactor: impl Into<Refactor>) -> RefactorRequest {
        RefactorRequest { refactor: refactor.into(), options: RefactorOptions::default() }
    }

    /// A rename in the project of the working directory that is only shown.
    pub fn rename(symbol: &str, to: &str) -> RefactorRequest {
        RefactorRequest::new(Rename { symbol: symbol.to_owned(), to: to.to_owned(), ..Rename::default() })
    }

    /// The request of an object in JSON.
    ///
    /// # Errors
    /// A sentence, if the kind is missing or unknown, or a field is not one of its fields, is missing, or has a wrong value.
    fn from_fields(fields: Map<String, Value>) -> Result<RefactorRequest, String> {
        let (options, mut own): (Map<String, Value>, Map<String, Value>) =
            fields.into_iter().partition(|(name, _)| RefactorOptions::FIELDS.contains(&name.as_str()));
        let Some(kind) = own.remove("kind") else { return Err("missing field `kind`".to_owned()) };
        let kind: RefactorKind = serde_json::from_value(kind).map_err(|error| format!("kind: {error}"))?;
        // Some programs fill in every field that a schema has.
        let is_any = |name: &str| RefactorKind::ALL.iter().any(|kind| kind.fields().contains(&name));
        own.retain(|name, value| kind.fields().contains(&name.as_str()) || !is_any(name) || !is_empty(value));
        if let Some(other) = own.keys().find(|name| !kind.fields().contains(&name.as_str())) {
            let named: Vec<String> = kind.fields().iter().map(|name| format!("`{name}`")).collect();
            return Err(format!("`{kind}` has no field `{other}`; it takes {}", named.join(", ")));
        }
        own.insert("kind".to_owned(), kind.as_str().into());
        let refactor = serde_json::from_value(Value::Object(own)).map_err(|error| format!("`{kind}`: {error}"))?;
        let options = serde_json::from_value(Value::Object(options)).map_err(|error| error.to_string())?;
        Ok(RefactorRequest { refactor, options })
    }
}

/// The fields of the kind that a request in JSON names, besides those of every kind; `None` if it names none.
pub(crate) fn fields_of_kind(fields: &Map<String, Value>) -> Option<&'static [&'static str]> {
    RefactorKind::named(fields.get("kind")?.as_str()?).map(RefactorKind::fields)
}

impl<'de> Deserialize<'de> for RefactorRequest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<RefactorRequest, D::Error> {
        RefactorRequest::from_fields(Map::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

/// Fields that several kinds have, in words for all of them.
const SHARED: &[(&str, &str)] = &[
    (
        "symbol",
        "The symbol, by the end of its name (`Server.handle`), `PATH::Server.handle` or `PATH:LINE[:COL]`; or the file.",
    ),
    ("symbols", "Other definitions of the same file."),
    ("to", "The new name, or the new path."),
    ("add", "A parameter to add: timeout: float = 30."),
    ("value", "What calls pass for the new parameter; true or false for a flag."),
    ("remove", "A parameter to remove."),
    ("code", "The text of a new file."),
    ("parts", "The files of a module that is split: context=Context,push."),
    ("range", "The code to extract: PATH:LINE-LINE or PATH:LINE:COL-LINE:COL."),
    ("path", "The file or folder in which code is deleted or imports are organized; the working directory otherwise."),
    ("keep_alias", "Whether the old module keeps the names of what moves, or the old name of what is renamed."),
    ("engine", "Also ask the user's language server, which must rename all certain references."),
    ("reorder", "The parameters that come first, in order."),
    ("at", "The place of the new parameter, from 1; else the last."),
    ("all", "Whether equal expressions after it in the block use it, too."),
    ("members", "The members that go to a new base or class."),
];

impl JsonSchema for RefactorRequest {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "RefactorRequest".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut properties = Map::new();
        properties.insert("kind".to_owned(), generator.subschema_for::<RefactorKind>().into());
        let mut all = schemas(generator);
        all.push(RefactorOptions::json_schema(generator));
        for schema in all {
            let Some(own) = schema.get("properties").and_then(Value::as_object) else { continue };
            for (name, property) in own {
                let property = properties.entry(name.clone()).or_insert_with(|| property.clone());
                if let (Some(property), Some((_, doc))) =
                    (property.as_object_mut(), SHARED.iter().find(|(shared, _)| shared == name))
                {
                    property.insert("description".to_owned(), (*doc).into());
                }
            }
        }
        json_schema!({
            "description": "Changes a definition and all that refers to it. The fields depend on the kind.",
            "type": "object",
            "properties": properties,
            "required": ["kind"],
            "additionalProperties": false,
        })
    }
}

/// Whether a value says no more than a field that is left out.
fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::String(text) => text.is_empty(),
        Value::Array(values) => values.is_empty(),
        _ => false,
    }
}

/// A truth value, or the word for it.
fn bool_or_word<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    match Value::deserialize(deserializer)? {
        Value::Bool(value) => Ok(value),
        Value::String(word) if word == "true" => Ok(true),
        Value::String(word) if word == "false" => Ok(false),
        other => Err(D::Error::custom(format!("`value` is true or false, not {other}"))),
    }
}

/// The changes of a refactor, made or planned.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct RefactorResponse {
    /// The changed symbols, the requested one first; the others are overrides, and parameters of overrides.
    pub symbols: Vec<SymbolRow>,
    /// The number of certain references that are changed.
    pub certain: usize,
    /// The number of uncertain references that are changed because the request names them.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub included: usize,
    /// The opinion of a language server, if it was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second_opinion: Option<SecondOpinion>,
    /// The runs of the command that decided about uncertain references.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub decided: Vec<DecisionRound>,
    /// The uncertain references that are left unchanged.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left: Vec<PlaceRow>,
    /// The project that was searched.
    pub project: ProjectReport,
    /// The changes.
    #[serde(flatten)]
    pub changes: ChangesResponse,
}

/// A second opinion about a rename that does not contradict.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct SecondOpinion {
    /// The command of the language server.
    pub server: String,
    /// The number of references it renames; all certain ones are among them.
    pub places: usize,
    /// The number of references that are changed only because it confirms them; without it, they would be uncertain.
    pub only_server: usize,
}

fn is_cst(engine: &RefactorEngine) -> bool {
    *engine == RefactorEngine::Cst
}
