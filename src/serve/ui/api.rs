//! What the page may ask: some requests of the engine, and three questions of its own.

use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::engine::{Engine, MethodName, Place, Request};
use crate::request::{EngineError, Versioned};
use crate::serve::message::{Call, ENGINE_ERROR, Failure, INVALID_PARAMS, METHOD_NOT_FOUND};
use crate::serve::rpc;

/// The requests that only read.
const READING: &[MethodName] = &[
    MethodName::Find,
    MethodName::Explain,
    MethodName::Languages,
    MethodName::Outline,
    MethodName::Check,
    MethodName::Symbols,
    MethodName::Refs,
    MethodName::Calls,
    MethodName::Hierarchy,
    MethodName::Deps,
    MethodName::Search,
    MethodName::Transactions,
];

/// A file that is to be shown.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    path: String,
}

/// Answers a question of the page.
pub(super) fn answer(call: &Call, engine: &Engine, writes: bool) -> Result<Value, Failure> {
    match call.method.as_str() {
        "files" => {
            let files = engine.list_files().map_err(|error| failure(&error))?;
            Ok(json!({"files": files, "writes": writes, "version": env!("CARGO_PKG_VERSION")}))
        }
        "file" => {
            let File { path } = fields(&call.params)?;
            to_value(engine.show_file(&path))
        }
        "inspect" => to_value(engine.inspect(&fields::<Place>(&call.params)?)),
        _ => {
            let request = permitted(rpc::read(call)?, writes)?;
            to_value(engine.handle(request).map(Versioned::new))
        }
    }
}

/// A request, if the page may send it. Without leave to write, a rewrite changes nothing at all.
fn permitted(request: Request, writes: bool) -> Result<Request, Failure> {
    let name = request.name();
    match request {
        Request::Rewrite(mut rewrite) => {
            if rewrite.write && !writes {
                return Err(read_only());
            }
            rewrite.dry_run = !rewrite.write;
            Ok(Request::Rewrite(rewrite))
        }
        Request::Undo(_) if !writes => Err(read_only()),
        Request::Undo(undo) if undo.transaction.is_some() => Ok(Request::Undo(undo)),
        request if READING.contains(&name) => Ok(request),
        _ => Err(Failure::new(METHOD_NOT_FOUND, format!("`{name}` is not available from the page"))),
    }
}

fn read_only() -> Failure {
    let message = "the page was started read-only";
    Failure::new(INVALID_PARAMS, message).data(json!({"code": "read_only"}))
}

fn fields<T: DeserializeOwned>(params: &Value) -> Result<T, Failure> {
    serde_json::from_value(params.clone()).map_err(|error| Failure::new(INVALID_PARAMS, error.to_string()))
}

fn to_value<T: serde::Serialize>(answer: Result<T, EngineError>) -> Result<Value, Failure> {
    let answer = answer.map_err(|error| failure(&error))?;
    serde_json::to_value(answer).map_err(|error| Failure::new(ENGINE_ERROR, error.to_string()))
}

fn failure(error: &EngineError) -> Failure {
    let data = serde_json::to_value(error).unwrap_or_default();
    Failure::new(ENGINE_ERROR, error.message.clone()).data(data)
}
