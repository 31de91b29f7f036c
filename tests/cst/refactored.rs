//! A project in memory, and what a refactor makes of it.

use std::sync::Arc;

use cst::Host;
use cst::engine::{Engine, Files, Memory, Request};
use serde_json::{Value, json};

/// The new text of each file that changed; one that is gone has none.
pub type Changed = Vec<(String, Option<String>)>;

/// Runs the refactor that the parameters name, and writes.
///
/// # Errors
/// What the request answers.
pub fn run(files: &[(&str, &str)], params: &Value) -> Result<Changed, Value> {
    let memory = Arc::new(Memory::default());
    for (path, text) in files {
        memory.write(format!("/p/{path}"), *text);
    }
    let engine = Engine::new(Host { files: memory.clone(), ..Host::at("/p") });
    let mut params = params.clone();
    params["write"] = Value::Bool(true);
    let request = serde_json::from_value::<Request>(json!({"method": "refactor", "params": params}))
        .map_err(|error| json!({"error": {"code": "bad_request", "message": error.to_string()}}))?;
    let answer = engine.handle(request).map_err(|error| error.to_json())?;
    let answer = serde_json::to_value(answer).expect("plain data");
    let read = |path: &str| {
        let bytes = memory.read(format!("/p/{path}").as_ref(), u64::MAX).ok()?;
        Some(String::from_utf8(bytes).expect("text"))
    };
    let mut changed = Vec::new();
    for file in answer["files"].as_array().expect("a list") {
        let path = file["path"].as_str().expect("a path");
        changed.push((path.to_owned(), read(path)));
        if let Some(before) = file["moved_from"].as_str() {
            assert_eq!(read(before), None, "{before} is still there");
        }
    }
    changed.sort();
    Ok(changed)
}

/// The files that a refactor changes have these texts then.
#[track_caller]
pub fn check(files: &[(&str, &str)], params: &Value, expected: &[(&str, &str)]) {
    let changed = run(files, params).unwrap_or_else(|error| panic!("{error:#}"));
    let changed: Vec<(&str, &str)> =
        changed.iter().map(|(path, text)| (path.as_str(), text.as_deref().unwrap_or("(gone)"))).collect();
    assert_eq!(changed, expected);
}

/// The code of an error and the reasons at its places.
#[track_caller]
pub fn refused(files: &[(&str, &str)], params: &Value) -> (String, Vec<String>) {
    let error = run(files, params).expect_err("refused");
    let places = error["error"]["places"].as_array().cloned().unwrap_or_default();
    let place = |place: &Value| {
        format!("{}:{} {}", place["path"].as_str().unwrap(), place["line"], place["why"].as_str().unwrap())
    };
    (error["error"]["code"].as_str().unwrap().to_owned(), places.iter().map(place).collect())
}
