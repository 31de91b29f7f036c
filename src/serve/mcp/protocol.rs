//! The messages of the protocol, in both eras.

use std::sync::Mutex;

use serde_json::{Map, Value, json};

use super::super::message::{Call, Failure, INVALID_PARAMS, METHOD_NOT_FOUND, notification};
use super::super::protocol::{Answer, Progress, Protocol};
use super::answers::Answers;
use super::call::Session;
use super::revisions::Revisions;
use super::tools;
use crate::engine::Engine;
use crate::locks::IgnorePoison;

/// The version without a handshake.
const STATELESS: &str = "2026-07-28";
/// The versions with one, newest first.
const AGREED: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
/// The key in `_meta` that names the version of a request.
const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
/// The key in `_meta` that names the server.
const SERVER: &str = "io.modelcontextprotocol/serverInfo";
/// The version is not spoken here.
const UNSUPPORTED_VERSION: i64 = -32022;
/// How long lists may be kept, in milliseconds. They change with the program alone.
const TIME_TO_LIVE: u64 = 3_600_000;

/// What a client tells its model about this server.
const INSTRUCTIONS: &str = "cst finds and edits code by its syntax, exact to the byte. Start with outline (a file or a folder), not \
whole files. find takes CSS-like selectors (`class > method#name`, `call#print`, `function:has(return)`) or code patterns; show gives the \
code. Change it with edit or rewrite: they refuse to break a file. Name nodes by the ids that results show, or by selectors. If a \
selector finds nothing, ask explain.";

/// The Model Context Protocol.
pub(in super::super) struct Mcp {
    answers: Answers,
    revisions: Mutex<Revisions>,
}

/// In which era a request speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Era {
    Agreed,
    Stateless,
}

impl Mcp {
    /// A server that answers so.
    pub(in super::super) fn new(answers: Answers) -> Mcp {
        Mcp { answers, revisions: Mutex::default() }
    }
}

impl Protocol for Mcp {
    fn answer(&self, call: &Call, engine: &Engine) -> Result<Answer, Failure> {
        let params = match &call.params {
            Value::Object(params) => params.clone(),
            Value::Null => Map::new(),
            _ => return Err(Failure::new(INVALID_PARAMS, "`params` has to be an object")),
        };
        if call.method == "initialize" {
            return initialize(&params).map(Answer::of);
        }
        let era = era(&params)?;
        let list = |name: &str, values: Value| Ok(Answer::of(kept(json!({name: values}), era)));
        match call.method.as_str() {
            "server/discover" => Ok(Answer::of(kept(discover(), Era::Stateless))),
            "ping" => Ok(Answer::of(complete(json!({}), era))),
            "tools/list" => list("tools", tools::tool_list(self.answers.structured)),
            "resources/list" => list("resources", json!([])),
            "resources/templates/list" => list("resourceTemplates", json!([])),
            "prompts/list" => list("prompts", json!([])),
            "tools/call" => {
                let answer = self.call_tool(params, engine)?;
                Ok(Answer { result: complete(answer.result, era), ..answer })
            }
            // A notification needs no answer, known or not.
            method => Err(Failure::new(METHOD_NOT_FOUND, format!("unknown method `{method}`"))),
        }
    }

    fn at_once(&self, call: &Call) -> Option<Result<Value, Failure>> {
        // A client that hears nothing ends the server.
        let Value::Object(params) = &call.params else {
            return (call.method == "ping" && call.params.is_null()).then(|| Ok(json!({})));
        };
        (call.method == "ping").then(|| era(params).map(|era| complete(json!({}), era)))
    }

    fn cancels(&self, call: &Call) -> Option<Value> {
        if call.method == "notifications/cancelled" { call.params.get("requestId").cloned() } else { None }
    }

    fn cancelled(&self) -> Option<Failure> {
        None
    }

    fn progress(&self, call: &Call, progress: &Progress<'_>) -> Option<Value> {
        let token = call.params.get("_meta")?.get("progressToken")?;
        let mut params = json!({"progressToken": token, "progress": progress.done, "message": progress.message});
        if let Some(total) = progress.total {
            params["total"] = total.into();
        }
        Some(notification("notifications/progress", params))
    }

    fn ignores_responses(&self) -> bool {
        true
    }
}

impl Mcp {
    /// Calls a tool. What it cannot do is a result too, which the model reads.
    fn call_tool(&self, mut params: Map<String, Value>, engine: &Engine) -> Result<Answer, Failure> {
        let Some(name) = params.get("name").and_then(Value::as_str) else {
            return Err(Failure::new(INVALID_PARAMS, "`name`, the tool's, is missing"));
        };
        let tool = tools::named(name).map_err(|message| Failure::new(INVALID_PARAMS, message))?;
        let arguments = match params.remove("arguments") {
            None | Some(Value::Null) => Map::new(),
            Some(Value::Object(arguments)) => arguments,
            Some(_) => return Err(Failure::new(INVALID_PARAMS, "`arguments` has to be an object")),
        };
        let mut revisions = self.revisions.lock().ignore_poison();
        let mut session = Session { engine, revisions: &mut revisions };
        let result = match tool.call(arguments, self.answers, &mut session) {
            Ok(said) => {
                let mut result = json!({"content": [{"type": "text", "text": said.text}]});
                if self.answers.structured {
                    result["structuredContent"] = said.data;
                }
                result["isError"] = false.into();
                result
            }
            // What is refused has changed nothing.
            Err(refusal) => {
                let text = refusal.to_bounded_text(self.answers.max_chars);
                let result = json!({"content": [{"type": "text", "text": text}], "isError": true});
                return Ok(Answer::of(result));
            }
        };
        Ok(Answer { has_effect: tool.changes(), result })
    }
}

/// The era of a request, by the version that it names.
fn era(params: &Map<String, Value>) -> Result<Era, Failure> {
    match params.get("_meta").and_then(|meta| meta.get(VERSION)) {
        None => Ok(Era::Agreed),
        Some(version) if version == STATELESS => Ok(Era::Stateless),
        Some(version) => {
            let asked = version.as_str().map_or_else(|| version.to_string(), str::to_owned);
            let data = json!({"supported": versions(), "requested": version});
            Err(Failure::new(UNSUPPORTED_VERSION, format!("unsupported protocol version `{asked}`")).data(data))
        }
    }
}

fn versions() -> Vec<&'static str> {
    std::iter::once(STATELESS).chain(AGREED).collect()
}

fn capabilities() -> Value {
    json!({"tools": {"listChanged": false}})
}

fn server() -> Value {
    json!({"name": "cst", "title": "cst: code by its syntax", "version": env!("CARGO_PKG_VERSION")})
}

/// The answer to `initialize`: the version asked for, or the newest that there is.
fn initialize(params: &Map<String, Value>) -> Result<Value, Failure> {
    let Some(asked) = params.get("protocolVersion").and_then(Value::as_str) else {
        return Err(Failure::new(INVALID_PARAMS, "`protocolVersion` is missing"));
    };
    let version = AGREED.into_iter().find(|version| *version == asked).unwrap_or(AGREED[0]);
    Ok(json!({
        "protocolVersion": version,
        "capabilities": capabilities(),
        "serverInfo": server(),
        "instructions": INSTRUCTIONS,
    }))
}

fn discover() -> Value {
    json!({"supportedVersions": versions(), "capabilities": capabilities(), "instructions": INSTRUCTIONS})
}

/// A result as its era wants it.
fn complete(mut result: Value, era: Era) -> Value {
    if era == Era::Stateless {
        result["resultType"] = "complete".into();
        result["_meta"] = json!({SERVER: server()});
    }
    result
}

/// A result that a client may keep.
fn kept(result: Value, era: Era) -> Value {
    let mut result = complete(result, era);
    if era == Era::Stateless {
        result["ttlMs"] = TIME_TO_LIVE.into();
        result["cacheScope"] = "public".into();
    }
    result
}
