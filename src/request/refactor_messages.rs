//! Refactors of a project, and their answers.

use crate::naming::named_enum;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::request::error::{EngineError, ErrorCode, PlaceRow};
use crate::request::fields::{is_false, is_zero, one_or_many, some_or_all};
use crate::request::report::ProjectReport;
use crate::request::requests::{Reading, Target};
use crate::request::responses::ChangesResponse;
use crate::request::symbol_messages::SymbolRow;

named_enum! {
    /// What a refactor does.
    #[non_exhaustive]
    pub enum RefactorKind {
        /// Renames a symbol: its definition, its references, imports and overrides, and the arguments that name a parameter.
        Rename = "rename",
        /// Moves definitions to another module, and changes the imports of them.
        Move = "move",
        /// Moves a file or a folder, and changes the imports of it and its own.
        MoveFile = "move_file",
        /// Makes a new file.
        CreateFile = "create_file",
        /// Deletes a file, if nothing refers to it.
        DeleteFile = "delete_file",
        /// Makes a package of a module: a file for each class, or the parts that are named; imports of it stay as they are.
        SplitFile = "split_file",
        /// Adds, removes or reorders parameters of a function, with the arguments of its calls.
        ChangeSignature = "change_signature",
        /// Deletes functions and classes that are certainly unused, then those that become unused.
        DeleteUnused = "delete_unused",
        /// Removes imports without a use, merges those of one module, and sorts the others.
        OrganizeImports = "organize_imports",
        /// Makes a function of statements or of an expression, and calls it in their place.
        ExtractFunction = "extract_function",
        /// Makes a variable of an expression.
        ExtractVariable = "extract_variable",
        /// Moves members that classes have in common to a new base of them.
        ExtractBase = "extract_base",
        /// Moves methods of a class and their state to a new class; the old one has an object of it, and passes calls on.
        SplitClass = "split_class",
        /// Puts the value of a variable, or the body of a function, in place of its uses, and deletes its definition.
        Inline = "inline",
        /// Makes a feature flag true or false: what its conditions decide is left, and its definition is deleted.
        RemoveFlag = "remove_flag",
    }
}

named_enum! {
    /// Who says what refers to a symbol.
    #[derive(Default)]
    #[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
    #[non_exhaustive]
    pub enum RefactorEngine {
        /// cst alone.
        #[default]
        Cst = "cst",
        /// cst, and the language server that the user has configured: it has to rename all places that are certain.
        Lsp = "lsp",
    }
}

/// Changes a definition and all that refers to it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct RefactorRequest {
    /// What is done.
    pub kind: RefactorKind,
    /// The symbol, or the file that moves: a name or the end of a qualified one (`Server.handle`), `PATH::Server.handle`, or `PATH:LINE[:COL]`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub symbol: String,
    /// Other definitions of the same file that move with it.
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "one_or_many")]
    pub symbols: Vec<String>,
    /// The new name, or the new path.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub to: String,
    /// A parameter that is added: timeout: float = 30.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub add: Option<String>,
    /// Its place among the parameters, from 1; otherwise it is the last that takes one argument.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<usize>,
    /// What calls pass for it; for a flag, true or false.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// A parameter that is removed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remove: Option<String>,
    /// The parameters that come first, in their new order.
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "one_or_many")]
    pub reorder: Vec<String>,
    /// The code to extract: PATH:LINE, PATH:LINE-LINE or PATH:LINE:COL-LINE:COL.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub range: String,
    /// Whether all equal expressions after it become the variable, too.
    #[serde(default, skip_serializing_if = "is_false")]
    pub all: bool,
    /// The file or folder in which code is deleted or imports are organized; the working directory otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// A file or folder. All files of the project around it change; it only says which symbols are meant.
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "some_or_all")]
    pub targets: Vec<Target>,
    /// Whether the files are written; otherwise the answer has the diffs.
    #[serde(default, skip_serializing_if = "is_false")]
    pub write: bool,
    /// Whether to write nothing and show the diffs.
    #[serde(default, skip_serializing_if = "is_false")]
    pub dry_run: bool,
    /// Uncertain references to change as well: `PATH:LINE`.
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "one_or_many")]
    pub include: Vec<String>,
    /// Whether other such places are left as they are; otherwise they are an error.
    #[serde(default, skip_serializing_if = "is_false")]
    pub leave_undetermined: bool,
    /// Whether string literals equal to the name count as uncertain references.
    #[serde(default, skip_serializing_if = "is_false")]
    pub strings: bool,
    /// Whether a rename changes comments and documentation, too: what they mention as code. Other such words are listed.
    #[serde(default, skip_serializing_if = "is_false")]
    pub mentions: bool,
    /// Whether to rename the file that is named after the symbol as well: server.py with Server.
    #[serde(default, skip_serializing_if = "is_false")]
    pub file: bool,
    /// Whether to proceed even if a decorator, tool or external base class may use the old name, or an import cycle results.
    #[serde(default, skip_serializing_if = "is_false")]
    pub force: bool,
    /// Whether the old module keeps the names of what moves, or the old name of what is renamed: it exports them again.
    #[serde(default, skip_serializing_if = "is_false")]
    pub keep_alias: bool,
    /// The files of a module that is split, with their definitions: context=Context,push.
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "one_or_many")]
    pub parts: Vec<String>,
    /// Who says what refers to the symbol of a rename.
    #[serde(default, skip_serializing_if = "is_cst")]
    pub engine: RefactorEngine,
    /// The members that go to a new base or class.
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "one_or_many")]
    pub members: Vec<String>,
    /// The text of a new file.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub code: String,
    /// How files are chosen and read.
    #[serde(default, skip_serializing_if = "Reading::is_default")]
    pub reading: Reading,
}

impl RefactorRequest {
    /// A rename in the project of the working directory that is only shown.
    pub fn rename(symbol: &str, to: &str) -> RefactorRequest {
        let request = RefactorRequest::new(RefactorKind::Rename);
        RefactorRequest { symbol: symbol.to_owned(), to: to.to_owned(), ..request }
    }

    /// The deletion of unused definitions that is only shown.
    pub fn delete_unused(path: Option<&str>) -> RefactorRequest {
        RefactorRequest { path: path.map(str::to_owned), ..RefactorRequest::new(RefactorKind::DeleteUnused) }
    }

    /// Definitions that move to another module, which is only shown.
    pub fn move_to(symbols: &[String], to: &str) -> RefactorRequest {
        let request = RefactorRequest::new(RefactorKind::Move);
        let (first, others) = symbols.split_first().map_or(("", &[][..]), |(first, others)| (first.as_str(), others));
        RefactorRequest { symbol: first.to_owned(), symbols: others.to_vec(), to: to.to_owned(), ..request }
    }

    /// A file or folder that gets another path, which is only shown.
    pub fn move_file(path: &str, to: &str) -> RefactorRequest {
        let request = RefactorRequest::new(RefactorKind::MoveFile);
        RefactorRequest { symbol: path.to_owned(), to: to.to_owned(), ..request }
    }

    /// A new file, which is only shown.
    pub fn create_file(path: &str, code: &str) -> RefactorRequest {
        let request = RefactorRequest::new(RefactorKind::CreateFile);
        RefactorRequest { symbol: path.to_owned(), code: code.to_owned(), ..request }
    }

    /// A file that is deleted, which is only shown.
    pub fn delete_file(path: &str) -> RefactorRequest {
        RefactorRequest { symbol: path.to_owned(), ..RefactorRequest::new(RefactorKind::DeleteFile) }
    }

    /// A module that becomes a package, which is only shown; without parts, with a file for each class.
    pub fn split_file(path: &str, parts: &[String]) -> RefactorRequest {
        let request = RefactorRequest::new(RefactorKind::SplitFile);
        RefactorRequest { symbol: path.to_owned(), parts: parts.to_vec(), ..request }
    }

    /// Another signature of a function, which is only shown; `add`, `remove` or `reorder` says which.
    pub fn change_signature(symbol: &str) -> RefactorRequest {
        RefactorRequest { symbol: symbol.to_owned(), ..RefactorRequest::new(RefactorKind::ChangeSignature) }
    }

    /// The organization of imports that is only shown.
    pub fn organize_imports(path: Option<&str>) -> RefactorRequest {
        RefactorRequest { path: path.map(str::to_owned), ..RefactorRequest::new(RefactorKind::OrganizeImports) }
    }

    /// The extraction of a function that is only shown.
    pub fn extract_function(name: &str, range: &str) -> RefactorRequest {
        let request = RefactorRequest::new(RefactorKind::ExtractFunction);
        RefactorRequest { to: name.to_owned(), range: range.to_owned(), ..request }
    }

    /// The extraction of a variable that is only shown.
    pub fn extract_variable(name: &str, range: &str) -> RefactorRequest {
        let request = RefactorRequest::new(RefactorKind::ExtractVariable);
        RefactorRequest { to: name.to_owned(), range: range.to_owned(), ..request }
    }

    /// A new class for methods of a class, which is only shown.
    pub fn split_class(class: &str, methods: &[String], name: &str) -> RefactorRequest {
        let request = RefactorRequest::new(RefactorKind::SplitClass);
        RefactorRequest { symbol: class.to_owned(), members: methods.to_vec(), to: name.to_owned(), ..request }
    }

    /// A base for members of classes, which is only shown.
    pub fn extract_base(classes: &[String], members: &[String], name: &str) -> RefactorRequest {
        let request = RefactorRequest::new(RefactorKind::ExtractBase);
        let (first, others) = classes.split_first().map_or(("", &[][..]), |(first, others)| (first.as_str(), others));
        RefactorRequest {
            symbol: first.to_owned(),
            symbols: others.to_vec(),
            members: members.to_vec(),
            to: name.to_owned(),
            ..request
        }
    }

    /// An inlining that is only shown.
    pub fn inline(symbol: &str) -> RefactorRequest {
        RefactorRequest { symbol: symbol.to_owned(), ..RefactorRequest::new(RefactorKind::Inline) }
    }

    /// The removal of a feature flag that is only shown.
    pub fn remove_flag(symbol: &str, value: bool) -> RefactorRequest {
        let request = RefactorRequest::new(RefactorKind::RemoveFlag);
        RefactorRequest { symbol: symbol.to_owned(), value: Some(value.to_string()), ..request }
    }

    /// Refuses fields that the kind has no use for: who sets one expects it to count.
    ///
    /// # Errors
    /// If there is one.
    pub(crate) fn check_fields(&self) -> Result<(), EngineError> {
        let fields = serde_json::to_value(self).unwrap_or_default();
        let own = self.kind.fields();
        let is_known = |name: &str| COMMON_FIELDS.contains(&name) || own.contains(&name);
        let Some(other) = fields.as_object().and_then(|fields| fields.keys().find(|name| !is_known(name))) else {
            return Ok(());
        };
        let named: Vec<String> = own.iter().map(|name| format!("`{name}`")).collect();
        let message = format!("`{}` has no field `{other}`", self.kind);
        Err(EngineError::new(ErrorCode::BadRequest, message).hint(format!("it has {}", named.join(", "))))
    }

    fn new(kind: RefactorKind) -> RefactorRequest {
        RefactorRequest {
            kind,
            symbol: String::new(),
            symbols: Vec::new(),
            to: String::new(),
            add: None,
            at: None,
            value: None,
            remove: None,
            reorder: Vec::new(),
            range: String::new(),
            all: false,
            path: None,
            targets: Vec::new(),
            write: false,
            dry_run: false,
            include: Vec::new(),
            leave_undetermined: false,
            strings: false,
            mentions: false,
            file: false,
            force: false,
            keep_alias: false,
            parts: Vec::new(),
            members: Vec::new(),
            code: String::new(),
            engine: RefactorEngine::Cst,
            reading: Reading::default(),
        }
    }
}

/// The fields of every kind: how it is done, and how uncertain places are treated.
const COMMON_FIELDS: &[&str] =
    &["kind", "targets", "write", "dry_run", "include", "leave_undetermined", "strings", "force", "reading"];

impl RefactorKind {
    /// The fields of a request of this kind, besides those of every kind.
    fn fields(self) -> &'static [&'static str] {
        match self {
            RefactorKind::Rename => &["symbol", "to", "mentions", "file", "keep_alias", "engine"],
            RefactorKind::Move => &["symbol", "symbols", "to", "keep_alias"],
            RefactorKind::MoveFile => &["symbol", "to"],
            RefactorKind::CreateFile => &["symbol", "code"],
            RefactorKind::DeleteFile => &["symbol"],
            RefactorKind::SplitFile => &["symbol", "parts"],
            RefactorKind::ChangeSignature => &["symbol", "add", "at", "value", "remove", "reorder"],
            RefactorKind::DeleteUnused | RefactorKind::OrganizeImports => &["path"],
            RefactorKind::ExtractFunction => &["to", "range"],
            RefactorKind::ExtractVariable => &["to", "range", "all"],
            RefactorKind::ExtractBase => &["symbol", "symbols", "members", "to"],
            RefactorKind::SplitClass => &["symbol", "members", "to"],
            RefactorKind::Inline => &["symbol"],
            RefactorKind::RemoveFlag => &["symbol", "value"],
        }
    }
}

/// What a refactor changed, or would change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct RefactorResponse {
    /// The symbols that are changed, the one that was asked for first; the others are overrides, and parameters of overrides.
    pub symbols: Vec<SymbolRow>,
    /// How many places are changed that certainly refer to the symbol.
    pub certain: usize,
    /// How many others are changed because the request names them.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub included: usize,
    /// What a language server says of it, if it was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second_opinion: Option<SecondOpinion>,
    /// The places that were left as they are because it is not known whether they refer to it.
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
    /// How many places it renames; all that are certain are among them.
    pub places: usize,
    /// How many places are changed only because it renames them, too: without it, they would not be certain.
    pub only_server: usize,
}

fn is_cst(engine: &RefactorEngine) -> bool {
    *engine == RefactorEngine::Cst
}
