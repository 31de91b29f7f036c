//! JSON-RPC 2.0: a method is a request of the engine, its parameters are the request's fields by name.

use serde_json::{Map, Value, json};

use super::message::{CANCELLED, Call, ENGINE_ERROR, Failure, INVALID_PARAMS, METHOD_NOT_FOUND, notification};
use super::openrpc;
use super::protocol::{Answer, Progress, Protocol};
use crate::engine::{Engine, Request, UnreadRequest};
use crate::request::{EngineError, Versioned};

/// The method that describes all methods.
const DISCOVER: &str = "rpc.discover";
/// The notification that cancels a request.
const CANCEL: &str = "$/cancel";
/// The notification that says how far a request is.
const PROGRESS: &str = "$/progress";

/// JSON-RPC.
pub(super) struct Rpc;

impl Protocol for Rpc {
    fn answer(&self, call: &Call, engine: &Engine) -> Result<Answer, Failure> {
        match call.method.as_str() {
            DISCOVER => return Ok(Answer::of(openrpc::document())),
            CANCEL => return Ok(Answer::of(Value::Null)),
            _ => {}
        }
        let request = read(call)?;
        let has_effect = !request.name().reads();
        let response = engine.handle(request).map_err(|error| failure(&error))?;
        Ok(Answer { result: serde_json::to_value(Versioned::new(response)).unwrap_or_default(), has_effect })
    }

    fn cancels(&self, call: &Call) -> Option<Value> {
        if call.method == CANCEL { call.params.get("id").cloned() } else { None }
    }

    fn cancelled(&self) -> Option<Failure> {
        Some(Failure::new(CANCELLED, "cancelled"))
    }

    fn progress(&self, call: &Call, progress: &Progress<'_>) -> Option<Value> {
        let id = call.id.as_ref()?;
        let Progress { done, total, message } = progress;
        Some(notification(PROGRESS, json!({"id": id, "done": done, "total": total, "message": message})))
    }

    fn ignores_responses(&self) -> bool {
        false
    }
}

/// The request of a call.
pub(super) fn read(call: &Call) -> Result<Request, Failure> {
    Request::read(&call.method, fields(&call.params)?).map_err(invalid_request)
}

/// Parameters by name.
fn fields(params: &Value) -> Result<Map<String, Value>, Failure> {
    match params {
        Value::Null => Ok(Map::new()),
        Value::Object(fields) => Ok(fields.clone()),
        _ => Err(Failure::new(INVALID_PARAMS, "parameters go by name, as an object")),
    }
}

/// Why a request wasn't read, with the nearest name there is.
fn invalid_request(error: UnreadRequest) -> Failure {
    let (code, hint) = match &error {
        UnreadRequest::UnknownMethod { hint, .. } => {
            let hint = hint.clone().unwrap_or_else(|| format!("`{DISCOVER}` lists the methods"));
            (METHOD_NOT_FOUND, Some(hint))
        }
        UnreadRequest::UnknownField { hint, .. } => (INVALID_PARAMS, Some(hint.clone())),
        UnreadRequest::WrongField { hint, .. } => (INVALID_PARAMS, hint.clone()),
    };
    match hint {
        Some(hint) => Failure::new(code, format!("{error}; {hint}")),
        None => Failure::new(code, error.to_string()),
    }
}

/// What the engine didn't do.
fn failure(error: &EngineError) -> Failure {
    let data = serde_json::to_value(error).unwrap_or_default();
    Failure::new(ENGINE_ERROR, error.message.clone()).data(data)
}
