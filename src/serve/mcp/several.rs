//! `show` of several files, or of a folder, where what is shown is of one file each: lines, a place, a tree, a signature.
//!
//! Such a call becomes one for each file, whose answers follow each other.

use serde_json::{Map, Value, json};

use super::answers::{Answers, MATCHES, ToolAnswer};
use super::refusal::Refusal;
use super::revisions::Revisions;
use super::spelling::{rename_paths, unquote};
use super::targets::{FORMS, TARGET_WORDS, Targets};
use super::tools::Tool;
use crate::engine::{Engine, is_of_one_file};
use crate::request::{FindRequest, Revision, Target};

/// How many characters of an answer a file has at least.
const SHARE: usize = 2000;

/// A call, or one for each file.
pub(super) enum Split {
    One(Map<String, Value>),
    Files(Vec<Map<String, Value>>),
}

/// Splits a call that is about several files.
pub(super) fn split(
    tool: &Tool,
    mut arguments: Map<String, Value>,
    engine: &Engine,
    revisions: &mut Revisions,
) -> Result<Split, Refusal> {
    if tool.targets != Targets::Shown {
        return Ok(Split::One(arguments));
    }
    rename_paths(tool, &mut arguments);
    for (name, value) in &mut arguments {
        unquote(tool, name, value);
    }
    let targets = targets(&arguments);
    let folder = targets.iter().find(|target| engine.is_folder(target));
    let nodes = nodes(&arguments);
    let of_one_file = nodes.iter().find(|word| is_of_one_file(word));
    let has_form = FORMS.iter().any(|name| arguments.contains_key(*name));
    if (targets.len() < 2 && folder.is_none()) || !(has_form || of_one_file.is_some()) {
        return Ok(Split::One(arguments));
    }
    if let (Some(word), Some(_)) = (of_one_file, folder) {
        let message = format!("`{word}` is of one file, not of a folder");
        return Err(Refusal::bad(message, "name the file by path"));
    }
    if arguments.contains_key("cursor") {
        return Err(Refusal::bad("a cursor is of one file", "name that file alone by path"));
    }
    let rest = |arguments: &Map<String, Value>| {
        let mut rest = arguments.clone();
        rest.retain(|name, _| !TARGET_WORDS.contains(&name.as_str()));
        rest
    };
    let is_file = |target: &Target| !engine.is_tree(target);
    if nodes.is_empty() || of_one_file.is_some() || !targets.iter().all(is_file) {
        if folder.is_some() && targets.len() > 1 {
            return Err(Refusal::bad("a folder has no such place", "name files, or give `nodes` a selector"));
        }
        if folder.is_some() {
            return Ok(Split::One(arguments));
        }
        let each = targets.iter().map(|target| {
            let mut one = rest(&arguments);
            one.insert("target".to_owned(), json!(target));
            one
        });
        return Ok(Split::Files(each.collect()));
    }
    // In several files every match is shown, so they are found first.
    let request = FindRequest {
        selector: Some(nodes.join(", ")),
        targets,
        limit: Some(MATCHES),
        ids: true,
        revisions: true,
        ..FindRequest::default()
    };
    let mut files: Vec<Map<String, Value>> = Vec::new();
    if let Ok(found) = engine.find(&request) {
        let mut last = None;
        for row in found.matches {
            let (Some(path), Some(id)) = (row.path, row.node_id) else { continue };
            let hash = found.files.revisions.get(&path).cloned().map(Revision::Hash);
            let id = json!(revisions.show(Some(&path), hash.as_ref()).on(&id));
            if last.as_ref() != Some(&path) {
                let mut one = rest(&arguments);
                one.insert("path".to_owned(), json!(path));
                one.insert("nodes".to_owned(), json!([]));
                files.push(one);
                last = Some(path);
            }
            if let Some(Value::Array(nodes)) = files.last_mut().and_then(|one| one.get_mut("nodes")) {
                nodes.push(id);
            }
        }
    }
    if files.is_empty() {
        // Searched once more as code, which says what comes near, or what is wrong with the selector.
        arguments.retain(|name, _| !FORMS.contains(&name.as_str()));
        return Ok(Split::One(arguments));
    }
    Ok(Split::Files(files))
}

/// Makes each call, and one answer of what they say.
pub(super) fn call_each(
    files: Vec<Map<String, Value>>,
    answers: Answers,
    mut call: impl FnMut(Map<String, Value>, Answers) -> Result<ToolAnswer, Refusal>,
) -> Result<ToolAnswer, Refusal> {
    let (mut texts, mut data): (Vec<String>, Option<Value>) = (Vec::new(), None);
    let (mut left, count) = (answers.max_chars, files.len());
    for (place, file) in files.into_iter().enumerate() {
        if place > 0 && left < SHARE / 2 {
            texts.push(format!("… {} more files: name them alone", count - place));
            break;
        }
        let max_chars = (left / (count - place)).max(SHARE).min(left);
        let said = match call(file, Answers { max_chars, ..answers }) {
            Ok(said) => said,
            // One file's trouble is a part of the answer, but for the first.
            Err(error) if !texts.is_empty() => ToolAnswer { text: error.to_string(), data: Value::Null },
            Err(error) => return Err(error),
        };
        left = left.saturating_sub(said.text.chars().count() + 1);
        texts.push(said.text);
        match (&mut data, said.data) {
            (Some(all), mut more) => {
                if let (Some(Value::Array(all)), Some(Value::Array(more))) =
                    (all.get_mut("nodes"), more.get_mut("nodes"))
                {
                    all.append(more);
                }
            }
            (None, first) => data = Some(first),
        }
    }
    Ok(ToolAnswer { text: texts.join("\n"), data: data.unwrap_or_default() })
}

/// What the arguments name, as the tools read them.
fn targets(arguments: &Map<String, Value>) -> Vec<Target> {
    let mut targets: Vec<Value> = Vec::new();
    for word in TARGET_WORDS {
        let named = |value: &Value| match word {
            "path" | "tree_id" if value.is_string() => json!({ word: value }),
            _ => value.clone(),
        };
        match arguments.get(word) {
            Some(Value::Array(values)) => targets.extend(values.iter().map(named)),
            Some(value) => targets.push(named(value)),
            None => {}
        }
    }
    targets.into_iter().filter_map(|target| serde_json::from_value(target).ok()).collect()
}

/// The words that name nodes.
fn nodes(arguments: &Map<String, Value>) -> Vec<String> {
    match arguments.get("nodes") {
        Some(Value::Array(words)) => words.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        Some(Value::String(word)) => vec![word.clone()],
        _ => Vec::new(),
    }
}
