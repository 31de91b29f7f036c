//! Every request as one type, every response as one type, and what answers the one with the other.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::core::Engine;
use super::error::EngineError;
use super::report::Skipped;
use super::request::*;
use super::response::*;

/// A request with its fields: a method and its params in JSON.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "method", content = "params", rename_all = "snake_case")]
pub enum Request {
    /// Load trees.
    Load(LoadRequest),
    /// Find nodes.
    Find(FindRequest),
    /// Look at nodes.
    Show(ShowRequest),
    /// Edit a tree or a file.
    Modify(ModifyRequest),
    /// Step back.
    Undo(UndoRequest),
    /// Step forward again.
    Redo(RedoRequest),
    /// Trees against their files.
    Diff(DiffRequest),
    /// Write trees to their files.
    Save(SaveRequest),
    /// List the loaded trees.
    Trees(TreesRequest),
    /// List what was written and can be undone.
    Transactions(TransactionsRequest),
    /// Discard trees.
    Drop(DropRequest),
    /// List kept files, or put one back.
    Backups(BackupsRequest),
    /// How a selector was read and what it found on the way.
    Explain(ExplainRequest),
    /// The languages known.
    Languages(LanguagesRequest),
    /// Definitions with their signatures.
    Outline(OutlineRequest),
    /// Pieces of files, for retrieval.
    Chunk(ChunkRequest),
    /// Syntax errors.
    Check(CheckRequest),
    /// Build search indexes.
    Index(IndexRequest),
    /// Replace matches by a template, in many files.
    Rewrite(RewriteRequest),
    /// Change files by a script.
    Run(RunRequest),
    /// Run the tests of scripts.
    Test(TestRequest),
}

/// An answer; in JSON it is the answer's fields alone.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Response {
    /// Of `load`.
    Load(LoadResponse),
    /// Of `find`.
    Find(FindResponse),
    /// Of `show`.
    Show(ShowResponse),
    /// Of `modify`.
    Modify(ModifyResponse),
    /// Of `undo` and `redo`.
    Step(StepResponse),
    /// Of `diff`.
    Diff(DiffResponse),
    /// Of `save`.
    Save(SaveResponse),
    /// Of `trees`.
    Trees(TreesResponse),
    /// Of `transactions`.
    Transactions(TransactionsResponse),
    /// Of `drop`.
    Drop(DropResponse),
    /// Of `backups`.
    Backups(BackupsResponse),
    /// Of `explain`.
    Explain(ExplainResponse),
    /// Of `languages`.
    Languages(LanguagesResponse),
    /// Of `outline`.
    Outline(OutlineResponse),
    /// Of `chunk`.
    Chunk(ChunkResponse),
    /// Of `check`.
    Check(CheckResponse),
    /// The index is up to date.
    Index(IndexResponse),
    /// Of `run`.
    Run(ChangesResponse),
    /// Of `rewrite`.
    Rewrite(ChangesResponse),
    /// Of `test`.
    Test(TestResponse),
}

impl Response {
    /// The files that a request left out, where it looks at several.
    pub fn skipped_mut(&mut self) -> Option<&mut Vec<Skipped>> {
        match self {
            Response::Find(found) => Some(&mut found.files.skipped),
            Response::Outline(outlined) => Some(&mut outlined.skipped),
            Response::Rewrite(changes) | Response::Run(changes) => Some(&mut changes.skipped),
            Response::Check(checked) => Some(&mut checked.skipped),
            Response::Chunk(chunked) => Some(&mut chunked.skipped),
            _ => None,
        }
    }
}

impl Engine {
    /// Answers a request of any kind: what the method of its name does. A write that another process began and didn't end is
    /// completed or rolled back by the first request that writes; others note that it is pending.
    ///
    /// # Errors
    /// When it can't be done; nothing was written then.
    pub fn handle(&self, request: Request) -> Result<Response, EngineError> {
        Ok(match request {
            Request::Load(request) => Response::Load(self.load(&request)?),
            Request::Find(request) => Response::Find(self.find(&request)?),
            Request::Show(request) => Response::Show(self.show(&request)?),
            Request::Modify(request) => Response::Modify(self.modify(&request)?),
            Request::Undo(request) => Response::Step(self.undo(&request)?),
            Request::Redo(request) => Response::Step(self.redo(&request)?),
            Request::Diff(request) => Response::Diff(self.diff(&request)?),
            Request::Save(request) => Response::Save(self.save(&request)?),
            Request::Trees(request) => Response::Trees(self.trees(&request)?),
            Request::Transactions(request) => Response::Transactions(self.transactions(&request)?),
            Request::Drop(request) => Response::Drop(self.drop_trees(&request)?),
            Request::Backups(request) => Response::Backups(self.backups(&request)?),
            Request::Explain(request) => Response::Explain(self.explain(&request)?),
            Request::Languages(request) => Response::Languages(self.languages(&request)?),
            Request::Outline(request) => Response::Outline(self.outline(&request)?),
            Request::Chunk(request) => Response::Chunk(self.chunk(&request)?),
            Request::Check(request) => Response::Check(self.check(&request)?),
            Request::Index(request) => Response::Index(self.index(&request)?),
            Request::Rewrite(request) => Response::Rewrite(self.rewrite(&request)?),
            Request::Run(request) => Response::Run(self.run(&request)?),
            Request::Test(request) => Response::Test(self.test(&request)?),
        })
    }
}
