//! JSON-RPC 2.0 messages: what came, read strictly, and what goes.

use crate::limits::BATCH_REQUESTS;
use serde_json::{Map, Value, json};

use super::bounded;

/// The text is not JSON.
pub(super) const PARSE_ERROR: i64 = -32700;
/// The JSON is not a request.
pub(super) const INVALID_REQUEST: i64 = -32600;
/// There is no such method.
pub(super) const METHOD_NOT_FOUND: i64 = -32601;
/// The method has no such parameters.
pub(super) const INVALID_PARAMS: i64 = -32602;
/// An internal error.
pub(super) const INTERNAL_ERROR: i64 = -32603;
/// The request was understood and can't be done; the engine's error is in `data`.
pub(super) const ENGINE_ERROR: i64 = -32000;
/// The request was cancelled.
pub(super) const CANCELLED: i64 = -32800;

/// What came in one message.
pub(super) enum Message {
    /// A request or a notification, or something that should be one.
    One(Result<Call, InvalidMessage>),
    /// Several; never none.
    Batch(Vec<Result<Call, InvalidMessage>>),
}

/// A request, or without an id a notification.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Call {
    /// A string, a number or null.
    pub id: Option<Value>,
    pub method: String,
    /// An object, an array, or null where there are none.
    pub params: Value,
}

/// Something that is not a request.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct InvalidMessage {
    /// Its id if it could be read, otherwise null.
    pub id: Value,
    pub failure: Failure,
    /// Whether it has the shape of a response, though no request was sent.
    pub is_response: bool,
}

/// Why there is no result.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Failure {
    pub code: i64,
    pub message: String,
    pub data: Option<Box<Value>>,
}

impl Failure {
    /// A failure without particulars.
    pub fn new(code: i64, message: impl Into<String>) -> Failure {
        Failure { code, message: message.into(), data: None }
    }

    /// With particulars.
    pub fn data(mut self, data: Value) -> Failure {
        self.data = Some(Box::new(data));
        self
    }
}

impl InvalidMessage {
    fn new(code: i64, message: impl Into<String>) -> InvalidMessage {
        InvalidMessage { id: Value::Null, failure: Failure::new(code, message), is_response: false }
    }

    /// A text that is not JSON.
    pub fn unreadable(message: impl Into<String>) -> InvalidMessage {
        InvalidMessage::new(PARSE_ERROR, message)
    }
}

impl Message {
    /// Reads a message.
    pub fn read(bytes: &[u8]) -> Message {
        let value = match bounded::read(bytes) {
            Ok(value) => value,
            Err(error) => return Message::One(Err(unreadable(bytes, &error))),
        };
        match value {
            Value::Array(values) if values.is_empty() => {
                Message::One(Err(InvalidMessage::new(INVALID_REQUEST, "a batch holds at least one request")))
            }
            Value::Array(values) if values.len() > BATCH_REQUESTS => {
                let message = format!("a batch holds at most {BATCH_REQUESTS} requests, not {}", values.len());
                Message::One(Err(InvalidMessage::new(INVALID_REQUEST, message)))
            }
            Value::Array(values) => Message::Batch(values.into_iter().map(call).collect()),
            value => Message::One(call(value)),
        }
    }
}

/// Why a text isn't read. JavaScript writes halves of characters that JSON can't hold; who sent one still learns which request it
/// was.
fn unreadable(bytes: &[u8], error: &serde_json::Error) -> InvalidMessage {
    let mut refused = InvalidMessage::unreadable(format!("no JSON: {error}"));
    let text = String::from_utf8_lossy(bytes);
    let whole = text.replace("\\u", "\\\\u");
    let message = error.to_string();
    if (message.contains("surrogate") || message.contains("hex escape"))
        && let Ok(Value::Object(fields)) = serde_json::from_str(&whole)
        && let Some(id @ (Value::String(_) | Value::Number(_))) = fields.get("id")
    {
        refused.id = id.clone();
    }
    refused
}

/// A request from its JSON.
fn call(value: Value) -> Result<Call, InvalidMessage> {
    let Value::Object(mut fields) = value else {
        return Err(InvalidMessage::new(INVALID_REQUEST, "a request is an object"));
    };
    let id = fields.remove("id");
    let is_id = matches!(id, None | Some(Value::Null | Value::String(_) | Value::Number(_)));
    let refuse = |message: &str, is_response| {
        let id = id.clone().filter(|_| is_id).unwrap_or_default();
        Err(InvalidMessage { id, is_response, ..InvalidMessage::new(INVALID_REQUEST, message) })
    };
    if !is_id {
        return refuse("an id is a string or a number", false);
    }
    if fields.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return refuse("`jsonrpc` has to be \"2.0\"", false);
    }
    let Some(method) = fields.get("method") else {
        let is_response = fields.contains_key("result") || fields.contains_key("error");
        return refuse(if is_response { "a response to nothing" } else { "`method` is missing" }, is_response);
    };
    let Some(method) = method.as_str().map(str::to_owned) else {
        return refuse("`method` has to be a string", false);
    };
    let params = fields.remove("params").unwrap_or_default();
    if !matches!(params, Value::Null | Value::Object(_) | Value::Array(_)) {
        return refuse("`params` has to be an object", false);
    }
    Ok(Call { id, method, params })
}

/// The response to a request.
pub(super) fn response(id: &Value, outcome: Result<Value, Failure>) -> Value {
    let mut response = Map::from_iter([("jsonrpc".to_owned(), Value::from("2.0")), ("id".to_owned(), id.clone())]);
    match outcome {
        Ok(result) => response.insert("result".to_owned(), result),
        Err(failure) => response.insert("error".to_owned(), error(failure)),
    };
    Value::Object(response)
}

fn error(failure: Failure) -> Value {
    let mut error = json!({"code": failure.code, "message": failure.message});
    if let Some(data) = failure.data {
        error["data"] = *data;
    }
    error
}

/// A notification.
pub(super) fn notification(method: &str, params: Value) -> Value {
    json!({"jsonrpc": "2.0", "method": method, "params": params})
}
