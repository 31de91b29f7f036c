//! A tool's arguments, made a request of the engine.
//!
//! A model may name what it means by `path`, `tree_id`, `target` or `targets`; an unknown argument is refused with the most similar
//! one.

use std::path::Path;

use serde_json::{Map, Value, json};

use super::answers::{Answers, MATCHES};
use super::refusal::Refusal;
use super::revisions::{Change, Revisions};
use super::spelling::{rename_paths, unquote};
use super::targets::{FORMS, TARGET_WORDS, Targets};
use super::tools::Tool;
use crate::engine::{Engine, MethodName, Request, UnreadRequest};
use crate::request::{ModifyRequest, ShowRequest, Target, TreesRequest};
use crate::selector::nearest;

/// How many files are outlined by default.
const FILES: usize = 50;
/// What a text needs beside its code.
const FRAME: usize = 800;
/// The fields that say how files are chosen.
const READING: [&str; 2] = ["language", "glob"];

/// What a tool was asked.
pub(super) struct Arguments {
    pub request: Request,
    /// How many lines of an outline earlier answers have shown.
    pub skipped: usize,
    /// Whether nothing was to be changed.
    pub is_preview: bool,
    /// Whether the code of matches is what was asked for.
    pub shows_code: bool,
}

impl Arguments {
    /// At which node, and at which character of it, an earlier answer left off.
    pub fn node_cursor(&self) -> (usize, usize) {
        let Request::Show(request) = &self.request else { return (0, 0) };
        let numbers = request.cursor.as_deref().and_then(|cursor| cursor.split_once('.'));
        let (place, offset) = numbers.unwrap_or_default();
        // Where its children are all that is left, no character of it is.
        (place.parse().unwrap_or(0), offset.parse().unwrap_or(0))
    }

    /// At which child of a node an earlier answer left off.
    pub fn child_cursor(&self, place: usize) -> usize {
        let Request::Show(request) = &self.request else { return 0 };
        let child = request.cursor.as_deref().and_then(|cursor| cursor.strip_prefix(&format!("{place}.c")));
        child.and_then(|child| child.parse().ok()).unwrap_or(0)
    }

    /// Whether a tree that is held is what the request is about, whose ids are its own.
    pub fn is_about_tree(&self, engine: &Engine) -> bool {
        match &self.request {
            Request::Show(ShowRequest { target, .. }) | Request::Modify(ModifyRequest { target, .. }) => {
                engine.is_tree(target)
            }
            _ => false,
        }
    }

    /// Whether what is explained is anything at all, so that the words themselves are wanted.
    pub fn asks_for_words(&self) -> bool {
        matches!(&self.request, Request::Explain(request) if request.selector.as_deref() == Some("*"))
    }

    /// Reads a tool's arguments.
    pub fn read(
        tool: &'static Tool,
        mut arguments: Map<String, Value>,
        answers: Answers,
        engine: &Engine,
        revisions: &Revisions,
    ) -> Result<Arguments, Refusal> {
        arguments.retain(|_, value| !value.is_null());
        rename_paths(tool, &mut arguments);
        check_names(tool, &arguments)?;
        for (name, value) in &mut arguments {
            unquote(tool, name, value);
        }
        let mut method = method(tool, &mut arguments)?;
        let is_preview = arguments.get("dry_run") == Some(&Value::Bool(true));
        let mut skipped = 0;
        let target = place_targets(tool, method, &mut arguments);
        let shows_code = tool.targets == Targets::Shown && becomes_find(&mut arguments, target.as_ref(), engine);
        if shows_code {
            method = MethodName::Find;
        }
        let needs_one = matches!(tool.targets, Targets::One | Targets::Shown) && !shows_code;
        if needs_one && !arguments.contains_key("target") {
            return Err(Refusal::bad("`path` is missing", "name the file by path, or a loaded tree by tree_id"));
        }
        if tool.targets == Targets::None {
            place_defaults(method, &mut arguments, engine, revisions)?;
        }
        place_reading(tool, &mut arguments)?;
        let stamped = |path: &str, word: &str| revisions.of(path, word, engine);
        let fields = &mut arguments;
        match method {
            MethodName::Find => {
                fields.entry("limit").or_insert(MATCHES.into());
                fields.insert("ids".to_owned(), true.into());
                fields.insert("revisions".to_owned(), true.into());
            }
            MethodName::Outline => {
                skipped = match fields.remove("cursor").map(|cursor| cursor.as_str().map(str::parse)) {
                    None => 0,
                    Some(Some(Ok(lines))) => lines,
                    Some(_) => {
                        return Err(Refusal::bad("this is not a valid cursor", "leave it out"));
                    }
                };
                fields.entry("limit").or_insert(FILES.into());
                fields.insert("format".to_owned(), "json".into());
                fields.insert("revisions".to_owned(), true.into());
            }
            MethodName::Show => {
                let most = answers.max_chars.saturating_sub(FRAME).max(FRAME);
                fields.insert("max_chars".to_owned(), most.into());
                let path = path_of(target.as_ref(), engine);
                stamp(fields.get_mut("nodes"), path.as_deref(), &stamped)?;
            }
            MethodName::Modify => {
                let is_tree = target.as_ref().is_some_and(|target| engine.is_tree(target));
                fields.insert("write".to_owned(), (!is_preview && !is_tree).into());
                // One operation may come without its list.
                if let Some(operation @ Value::Object(_)) = fields.get_mut("operations") {
                    *operation = json!([operation.take()]);
                }
            }
            MethodName::Refs => {
                fields.entry("limit").or_insert(MATCHES.into());
            }
            MethodName::Symbols => {
                // A definition is asked for by its name.
                if let Some(symbol) = fields.remove("symbol") {
                    fields.insert("query".to_owned(), symbol);
                }
                fields.entry("limit").or_insert(MATCHES.into());
            }
            MethodName::Impact => {
                if let Some(symbol) = fields.remove("symbol") {
                    fields.insert("symbols".to_owned(), symbol);
                }
                fields.entry("limit").or_insert(MATCHES.into());
            }
            MethodName::Unused => {
                fields.entry("limit").or_insert(MATCHES.into());
                place_part(fields, target.as_ref(), engine);
            }
            MethodName::Map => place_part(fields, target.as_ref(), engine),
            MethodName::Rewrite | MethodName::Refactor => {
                fields.insert("write".to_owned(), (!is_preview).into());
            }
            _ => {}
        }
        let mut request = Request::of(method, arguments).map_err(|error| refuse(&error, tool))?;
        if let (Request::Modify(modify), Some(path)) = (&mut request, path_of(target.as_ref(), engine)) {
            for operation in &mut modify.operations {
                let node = |_, word: &String| stamped(&path, word);
                operation.edit = operation.edit.try_map(node, |code| Ok(code.clone()))?;
            }
        }
        Ok(Arguments { request, skipped, is_preview, shows_code })
    }
}

/// Makes a path below the working directory the part of the project that is asked about: what is outside may use it.
fn place_part(arguments: &mut Map<String, Value>, only: Option<&Target>, engine: &Engine) {
    let Some(path) = path_of(only, engine) else { return };
    let is_part = !matches!(path.as_str(), "" | ".") && !Path::new(&path).is_absolute() && !path.starts_with("..");
    if is_part {
        arguments.remove("targets");
        arguments.insert("path".to_owned(), path.into());
    }
}

/// Makes a request to show what selectors match in several files, or below a folder, one to find it.
fn becomes_find(arguments: &mut Map<String, Value>, only: Option<&Target>, engine: &Engine) -> bool {
    let several = arguments.get("target").is_some_and(Value::is_array);
    if FORMS.iter().any(|name| arguments.contains_key(*name)) {
        return false;
    }
    if !several && !only.is_some_and(|target| engine.is_folder(target)) {
        return false;
    }
    let nodes = match arguments.remove("nodes") {
        Some(Value::Array(words)) => words.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(", "),
        Some(Value::String(word)) => word,
        _ if several => ":root".to_owned(),
        other => {
            arguments.extend(other.map(|nodes| ("nodes".to_owned(), nodes)));
            return false;
        }
    };
    let targets = match arguments.remove("target") {
        Some(Value::Array(targets)) => targets,
        target => target.into_iter().collect(),
    };
    arguments.retain(|name, _| name == "cursor");
    arguments.insert("targets".to_owned(), targets.into());
    arguments.insert("selector".to_owned(), nodes.into());
    arguments.insert("code".to_owned(), true.into());
    true
}

/// The default object of a session's action: the last change, or the only tree held.
fn place_defaults(
    method: MethodName,
    arguments: &mut Map<String, Value>,
    engine: &Engine,
    revisions: &Revisions,
) -> Result<(), Refusal> {
    let is_said = |name: &str| arguments.contains_key(name);
    let takes_trees =
        matches!(method, MethodName::Undo | MethodName::Redo | MethodName::Save | MethodName::Diff | MethodName::Drop);
    if is_said("tree_ids") || is_said("transaction") || !takes_trees {
        return Ok(());
    }
    match revisions.last_change().filter(|_| method == MethodName::Undo) {
        Some(Change::Transaction(id)) => _ = arguments.insert("transaction".to_owned(), id.clone().into()),
        Some(Change::Tree(id)) => _ = arguments.insert("tree_ids".to_owned(), json!([id])),
        None => {
            let Ok(held) = engine.trees(&TreesRequest::default()) else { return Ok(()) };
            match held.trees.as_slice() {
                [] if method == MethodName::Undo => {
                    return Err(Refusal::bad(
                        "nothing to undo: no change of this server is left, and no tree is loaded",
                        "a change of an earlier server is undone by its transaction",
                    ));
                }
                [] => {
                    let message = format!("nothing to {method}: no tree is loaded");
                    return Err(Refusal::bad(message, "session load with paths"));
                }
                [only] if method != MethodName::Drop => {
                    arguments.insert("tree_ids".to_owned(), json!([only.tree_id]));
                }
                _ => {
                    return Err(Refusal::bad(
                        "which tree is meant? `tree_ids` is missing",
                        "session list shows the loaded trees",
                    ));
                }
            }
        }
    }
    Ok(())
}

/// The request that a tool makes: the only one, or that of the action.
fn method(tool: &Tool, arguments: &mut Map<String, Value>) -> Result<MethodName, Refusal> {
    if let [(_, only)] = tool.requests {
        return Ok(*only);
    }
    let actions = || tool.requests.iter().map(|(action, _)| *action);
    let noun = if tool.targets == Targets::Project { "relations" } else { "actions" };
    let listed = || format!("the {noun} are {}", actions().collect::<Vec<_>>().join(", "));
    let choice = tool.choice().unwrap_or("action");
    let Some(action) = arguments.remove(choice) else {
        return match tool.requests.first() {
            Some((_, first)) if tool.targets == Targets::Project => Ok(*first),
            _ => Err(Refusal::bad(format!("`{choice}` is missing"), listed())),
        };
    };
    let action = action.as_str().unwrap_or_default();
    if action == "callees" {
        arguments.insert("callees".to_owned(), true.into());
    }
    tool.requests.iter().find(|(name, _)| *name == action).map(|(_, method)| *method).ok_or_else(|| {
        let hint = nearest(action, "", actions()).unwrap_or_else(listed);
        Refusal::bad(format!("unknown {choice} `{action}`"), hint)
    })
}

fn check_names(tool: &Tool, arguments: &Map<String, Value>) -> Result<(), Refusal> {
    let is_known = |name: &str| TARGET_WORDS.contains(&name) || tool.arguments().any(|known| known == name);
    let Some(unknown) = arguments.keys().find(|name| !is_known(name)) else { return Ok(()) };
    let listed = || format!("the arguments are {}", tool.arguments().collect::<Vec<_>>().join(", "));
    let hint = nearest(unknown, "", tool.arguments()).unwrap_or_else(listed);
    Err(Refusal::bad(format!("unknown argument `{unknown}` of {}", tool.name), hint))
}

/// Puts what says which files and trees are meant where the request has it. The one target, where there is just one.
fn place_targets(tool: &Tool, method: MethodName, arguments: &mut Map<String, Value>) -> Option<Target> {
    let mut targets: Vec<Value> = Vec::new();
    let mut add = |value: Value, named: fn(Value) -> Value| match value {
        Value::Array(values) => targets.extend(values.into_iter().map(named)),
        value => targets.push(named(value)),
    };
    let of_session = tool.targets == Targets::None;
    for word in TARGET_WORDS {
        let Some(value) = arguments.remove(word) else { continue };
        match word {
            "path" if !of_session => add(value, |path| json!({"path": path})),
            "tree_id" if !of_session => add(value, |id| json!({"tree_id": id})),
            _ => add(value, |value| value),
        }
    }
    if of_session {
        let field = if method == MethodName::Load { "paths" } else { "tree_ids" };
        if let Some(paths) = arguments.remove("paths") {
            match paths {
                Value::Array(paths) => targets.extend(paths),
                path => targets.push(path),
            }
        }
        if let Some(Value::Array(ids)) = arguments.get(field) {
            targets.extend(ids.iter().cloned());
        }
        if !targets.is_empty() {
            arguments.insert(field.to_owned(), targets.into());
        }
        return None;
    }
    let only = match targets.as_slice() {
        [only] => serde_json::from_value(only.clone()).ok(),
        _ => None,
    };
    if matches!(tool.targets, Targets::Many | Targets::Project) {
        if !targets.is_empty() {
            arguments.insert("targets".to_owned(), targets.into());
        }
    } else if targets.len() == 1 {
        arguments.insert("target".to_owned(), targets.remove(0));
    } else if !targets.is_empty() {
        arguments.insert("target".to_owned(), targets.into());
    }
    only
}

/// Puts together how files are chosen.
fn place_reading(tool: &Tool, arguments: &mut Map<String, Value>) -> Result<(), Refusal> {
    if tool.targets == Targets::None {
        return Ok(());
    }
    let named = READING.iter().filter_map(|name| Some(((*name).to_owned(), arguments.remove(*name)?)));
    let reading: Map<String, Value> = named.collect();
    if !reading.is_empty() {
        arguments.insert("reading".to_owned(), reading.into());
    }
    Ok(())
}

/// A word that names a node of a file, with the revision that it must be of.
type Stamp<'a> = &'a dyn Fn(&str, &str) -> Result<String, Refusal>;

/// Says of bare ids of a file which content they are of.
fn stamp(words: Option<&mut Value>, path: Option<&str>, of: Stamp<'_>) -> Result<(), Refusal> {
    let (Some(words), Some(path)) = (words, path) else { return Ok(()) };
    let words: &mut [Value] = match words {
        Value::Array(words) => words,
        word => std::slice::from_mut(word),
    };
    for word in words {
        if let Value::String(name) = word {
            *word = of(path, name)?.into();
        }
    }
    Ok(())
}

/// The path of a target, as results show it.
fn path_of(target: Option<&Target>, engine: &Engine) -> Option<String> {
    match target? {
        Target::Named(word) => Some(engine.as_shown(Path::new(word))),
        Target::Path(path) => Some(engine.as_shown(&path.path)),
        Target::Tree(_) | Target::Text(_) => None,
    }
}

/// Why a tool's arguments make no request.
fn refuse(error: &UnreadRequest, tool: &Tool) -> Refusal {
    let arguments = tool.arguments().collect::<Vec<_>>().join(", ");
    Refusal::bad(error, format!("the arguments of {} are {arguments}", tool.name))
}
