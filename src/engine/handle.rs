//! All requests: one list, from which the types come that hold any request and any answer.

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::engine::core::Engine;
use crate::engine::method::Method;
use crate::request::convert_messages::ConvertRulesRequest;
use crate::request::duplicates_messages::*;
use crate::request::error::EngineError;
use crate::request::metrics_messages::*;
use crate::request::refactor::*;
use crate::request::requests::*;
use crate::request::scan_messages::*;
use crate::request::search_messages::*;
use crate::request::symbol_messages::*;

/// Defines what is made of the list of requests. Each row has the request's variant, its method of [`Engine`], and its type.
macro_rules! methods {
    ($($(#[$doc:meta])+ $variant:ident, $function:ident($request:ident);)+) => {
        /// The name of a request.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum MethodName {
            $($(#[$doc])+ $variant,)+
        }

        impl MethodName {
            /// All names, in order.
            pub const ALL: &'static [MethodName] = &[$(MethodName::$variant),+];

            /// The name, as it is written.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(MethodName::$variant => <$request as Method>::NAME,)+
                }
            }

            /// Whether the request changes neither trees nor files.
            pub fn reads(self) -> bool {
                match self {
                    $(MethodName::$variant => <$request as Method>::READS,)+
                }
            }

            /// The schemas of the request's fields and of its answer.
            pub(crate) fn schemas(self, generator: &mut SchemaGenerator) -> (Schema, Schema) {
                match self {
                    $(MethodName::$variant => (
                        generator.subschema_for::<$request>(),
                        generator.subschema_for::<<$request as Method>::Result>(),
                    ),)+
                }
            }

            /// The request of that name with fields. An error says in which field it is.
            pub(crate) fn read(self, fields: Value) -> Result<Request, FieldError> {
                match self {
                    $(MethodName::$variant => read(fields).map(Request::$variant),)+
                }
            }
        }

        /// A request with its fields: a method and its params in JSON.
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(tag = "method", content = "params", rename_all = "snake_case")]
        #[non_exhaustive]
        pub enum Request {
            $($(#[$doc])+ $variant($request),)+
        }

        impl Request {
            /// Its name.
            pub fn name(&self) -> MethodName {
                match self {
                    $(Request::$variant(_) => MethodName::$variant,)+
                }
            }
        }

        /// An answer; in JSON it is the answer's fields alone.
        #[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
        #[serde(untagged)]
        #[non_exhaustive]
        pub enum Response {
            $(
                #[doc = concat!("The answer to [`Request::", stringify!($variant), "`].")]
                $variant(<$request as Method>::Result),
            )+
        }

        impl Engine {
            /// Answers a request of any kind. A write that another process began and didn't end is completed or rolled back by the
            /// first request that writes; others note that it is pending.
            ///
            /// # Errors
            /// When it can't be done; nothing was written then.
            pub fn handle(&self, request: Request) -> Result<Response, EngineError> {
                Ok(match request {
                    $(Request::$variant(request) => Response::$variant(self.ask(&request)?),)+
                })
            }

            $(
                $(#[$doc])+
                ///
                /// # Errors
                /// When it can't be done; nothing was written then.
                pub fn $function(&self, request: &$request) -> Result<<$request as Method>::Result, EngineError> {
                    self.ask(request)
                }
            )+
        }
    };
}

methods! {
    /// Loads trees of files, or of a text.
    Load, load(LoadRequest);
    /// Finds nodes. No match is an answer, not an error, unless one is required.
    Find, find(FindRequest);
    /// Shows nodes.
    Show, show(ShowRequest);
    /// Applies a batch: to a tree as its next revision; to a file only as a diff, unless `write` is set.
    Modify, modify(ModifyRequest);
    /// Steps each tree back one revision, or undoes a transaction.
    Undo, undo(UndoRequest);
    /// Steps each tree forward one revision that was undone.
    Redo, redo(RedoRequest);
    /// Shows trees against their files as they are on the disk now.
    Diff, diff(DiffRequest);
    /// Writes trees to their files: all of them, or none.
    Save, save(SaveRequest);
    /// Lists the loaded trees, oldest first.
    Trees, trees(TreesRequest);
    /// Lists the transactions that can be undone, newest first.
    Transactions, transactions(TransactionsRequest);
    /// Discards trees with their unsaved edits. No file is touched.
    Drop, drop_trees(DropRequest);
    /// Lists the files that were kept, newest first, or puts one back.
    Backups, backups(BackupsRequest);
    /// Explains a selector, with counts where there is something to search.
    Explain, explain(ExplainRequest);
    /// Lists the languages known.
    Languages, languages(LanguagesRequest);
    /// Lists the definitions of trees, files, folders and texts.
    Outline, outline(OutlineRequest);
    /// Cuts trees, files, folders and texts into chunks.
    Chunk, chunk(ChunkRequest);
    /// Lists the syntax errors of trees, files, folders and texts.
    Check, check(CheckRequest);
    /// Counts how complex functions are, and how large files are.
    Metrics, metrics(MetricsRequest);
    /// Lists code that occurs several times.
    Duplicates, duplicates(DuplicatesRequest);
    /// Lists definitions of a project by name.
    Symbols, symbols(SymbolsRequest);
    /// Lists who refers to a symbol of a project, and how sure that is.
    Refs, refs(RefsRequest);
    /// Lists who calls a function of a project, or what it calls.
    Calls, calls(CallsRequest);
    /// Lists the classes above and below a class of a project.
    Hierarchy, hierarchy(HierarchyRequest);
    /// Lists which files of a project import which.
    Deps, deps(DepsRequest);
    /// Lists definitions of a project by the words in them, the best first.
    Search, search(SearchRequest);
    /// Lists definitions of a project that nothing refers to.
    Unused, unused(UnusedRequest);
    /// Lists the definitions that a project uses most, in a number of tokens.
    Map, map(MapRequest);
    /// Lists which definitions of a project have changed, and what refers to them.
    Impact, impact(ImpactRequest);
    /// Writes the symbols of a project to a file.
    Export, export(ExportRequest);
    /// Makes the indexes of folders, or brings them up to date.
    Index, index(IndexRequest);
    /// Rewrites matches: in files as a diff, unless `write` is set; in trees as their next revisions.
    Rewrite, rewrite(RewriteRequest);
    /// Changes a definition and all references to it, in a whole project: as a diff, unless `write` is set.
    Refactor, refactor(RefactorRequest);
    /// Runs a script: on files as a diff, unless `write` is set; on trees as their next revisions.
    Run, run(RunRequest);
    /// Finds what rules say about files, and applies their fixes: as a diff, unless `write` is set.
    Scan, scan(ScanRequest);
    /// Prints rules of another tool as TOML.
    ConvertRules, convert_rules(ConvertRulesRequest);
    /// Runs the tests of scripts.
    Test, test(TestRequest);
}

impl MethodName {
    /// The request of that name.
    pub fn named(name: &str) -> Option<MethodName> {
        MethodName::ALL.iter().copied().find(|known| known.as_str() == name)
    }
}

impl std::fmt::Display for MethodName {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.pad(self.as_str())
    }
}

/// A field that can't be read.
pub(crate) struct FieldError {
    /// Which field, as `operations[1]`; empty where it is the object itself.
    pub path: String,
    /// The problem.
    pub message: String,
}

/// The request of a type.
fn read<T: DeserializeOwned>(fields: Value) -> Result<T, FieldError> {
    serde_path_to_error::deserialize(fields).map_err(|error| {
        let path = error.path().to_string();
        FieldError { path: if path == "." { String::new() } else { path }, message: error.into_inner().to_string() }
    })
}
