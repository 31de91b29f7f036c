//! The state of our content in a file, and how it is added and removed.

use serde_json::Value;

use super::agents::Shape;
use super::config::{self, Addition, After, Format, Key, Unreadable};
use super::target::Content;

/// The state of our content in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// There is none.
    Absent,
    /// It is up to date.
    Current,
    /// It is there, but not as this version of `cst` writes it.
    Outdated,
    /// Somebody else's content is in its place.
    Foreign,
    /// The file cannot be read, or is not a valid config.
    Unreadable,
}

impl State {
    /// The name in the output.
    pub fn name(self) -> &'static str {
        match self {
            State::Absent => "absent",
            State::Current => "current",
            State::Outdated => "outdated",
            State::Foreign => "foreign",
            State::Unreadable => "unreadable",
        }
    }
}

impl Content {
    /// The state of our content in a file's text.
    ///
    /// # Errors
    /// If the text is not a valid config.
    pub fn state(&self, text: Option<&str>) -> Result<State, Unreadable> {
        let Some(text) = text else { return Ok(State::Absent) };
        match self {
            Content::Script { id, text: wanted, .. } => Ok(match text {
                text if text == wanted => State::Current,
                text if is_managed(text, id) => State::Outdated,
                _ => State::Foreign,
            }),
            Content::Server { format, path, value, nested } => {
                let Some(found) = entry(text, *format, path)? else { return Ok(State::Absent) };
                let is_current =
                    [Some(value), nested.as_ref()].into_iter().flatten().any(|v| config::includes(&found, v));
                Ok(match is_current {
                    true => State::Current,
                    false if runs_cst(&found) => State::Outdated,
                    false => State::Foreign,
                })
            }
            Content::Hooks { id, events, shape } => {
                let found = ours(text, id, *shape)?;
                let is_current = |(event, wanted): &(&str, Value)| {
                    let mut here = found.iter().filter(|found| found.event == *event);
                    here.next().is_some_and(|found| holds(&found.value, wanted)) && here.next().is_none()
                };
                Ok(match found.len() {
                    0 => State::Absent,
                    count if count == events.len() && events.iter().all(is_current) => State::Current,
                    _ => State::Outdated,
                })
            }
        }
    }

    /// The text with our content, if the state is absent or outdated.
    ///
    /// # Errors
    /// If the text is not a valid config, or something else is in the place.
    pub fn put(&self, text: Option<&str>) -> Result<String, Unreadable> {
        match self {
            Content::Script { text, .. } => Ok(text.clone()),
            Content::Server { format: Format::Toml, path, value, .. } => {
                let path: Vec<&str> = path.iter().map(String::as_str).collect();
                config::put_table(text, &path, value)
            }
            Content::Server { path, value, nested, .. } => {
                let keys = Content::keys(path);
                let (Some((name, _)), holder) = (path.split_last(), &keys[..keys.len().saturating_sub(1)]) else {
                    return Err(Unreadable::plain("there is no place for it"));
                };
                let wanted = match (nested, text) {
                    (Some(nested), Some(text)) if is_nested(text, &keys)? => nested,
                    _ => value,
                };
                match text.map(|text| config::value_at(text, &keys)).transpose()?.flatten() {
                    Some(old) => {
                        let text = text.unwrap_or_default();
                        config::replace(text, &keys, &config::overlaid(&old, wanted))
                    }
                    None => config::put(text, Addition { path: holder, key: Some(name), value: wanted, first: false }),
                }
            }
            Content::Hooks { id, events, shape } => put_hooks(text, id, events, *shape),
        }
    }

    /// The text without our content.
    ///
    /// # Errors
    /// If the text is not a valid config.
    pub fn take(&self, text: &str) -> Result<After, Unreadable> {
        match self {
            Content::Script { id, text: wanted, .. } => {
                Ok(if text == wanted || is_managed(text, id) { After::Gone } else { After::Text(text.to_owned()) })
            }
            Content::Server { format: Format::Toml, path, .. } => {
                let path: Vec<&str> = path.iter().map(String::as_str).collect();
                config::take_table(text, &path)
            }
            Content::Server { path, .. } => config::take(text, &Content::keys(path)),
            Content::Hooks { id, shape, .. } => take_hooks(text, id, *shape),
        }
    }
}

/// Whether a file has the line that marks it as ours.
fn is_managed(text: &str, id: &str) -> bool {
    let mark = format!("cst-managed: {id}");
    text.lines().any(|line| line.trim_start_matches(['#', '/', ' ']).trim_end() == mark)
}

fn entry(text: &str, format: Format, path: &[String]) -> Result<Option<Value>, Unreadable> {
    match format {
        Format::Json => config::value_at(text, &Content::keys(path)),
        Format::Toml => config::toml_value(text, &path.iter().map(String::as_str).collect::<Vec<_>>()),
    }
}

/// Whether a server's entry starts a `cst` of any version, in any folder.
fn runs_cst(entry: &Value) -> bool {
    let command = entry.get("command").or_else(|| entry.get("transport")?.get("command"));
    let command = match command {
        Some(Value::Array(words)) => words.first().and_then(Value::as_str),
        Some(command) => command.as_str(),
        None => None,
    };
    let name = command.and_then(|command| command.rsplit(['/', '\\']).next()).unwrap_or_default();
    name.strip_prefix("cst").is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric()))
}

/// Whether the other entries of a file have the nested form, with a `transport`.
fn is_nested(text: &str, keys: &[Key]) -> Result<bool, Unreadable> {
    let old = config::value_at(text, keys)?;
    let siblings = config::value_at(text, &keys[..keys.len().saturating_sub(1)])?;
    let is_nested = |entry: &Value| entry.get("transport").is_some();
    Ok(match old {
        Some(old) => is_nested(&old),
        None => siblings.as_ref().and_then(Value::as_object).is_some_and(|all| all.values().any(is_nested)),
    })
}

/// A hook of ours.
struct OwnHook {
    event: String,
    index: usize,
    value: Value,
}

impl OwnHook {
    /// The keys of the hook.
    fn place(&self, shape: Shape) -> Vec<Key> {
        let mut place = shape.under();
        place.extend([Key::Name(self.event.clone()), Key::Index(self.index)]);
        place
    }
}

/// All hooks of ours in a text.
fn ours(text: &str, id: &str, shape: Shape) -> Result<Vec<OwnHook>, Unreadable> {
    let lists = config::elements_under(text, &shape.under())?;
    let mut found = Vec::new();
    for (event, elements) in lists {
        for (index, value) in elements.into_iter().enumerate().filter(|(_, value)| is_ours(value, id)) {
            found.push(OwnHook { event: event.clone(), index, value });
        }
    }
    Ok(found)
}

/// Whether a hook, or one of a group of hooks, is ours.
fn is_ours(value: &Value, id: &str) -> bool {
    let inner = value.get("hooks").and_then(Value::as_array);
    calls_hook(value, id) || inner.is_some_and(|hooks| hooks.iter().any(|hook| calls_hook(hook, id)))
}

/// Whether the command of a hook contains `hook ID`.
fn calls_hook(hook: &Value, id: &str) -> bool {
    ["command", "bash", "powershell"].iter().any(|key| {
        let command = hook.get(key).and_then(Value::as_str).unwrap_or_default();
        let words: Vec<&str> = command.split(is_between).filter(|word| !word.is_empty()).collect();
        words.windows(2).any(|pair| pair == ["hook", id])
    })
}

/// Whether a character separates words of a command.
fn is_between(sign: char) -> bool {
    sign.is_whitespace() || ";&|()'\"`".contains(sign)
}

/// Whether an existing hook does what is wanted; a group may contain other hooks, too.
fn holds(value: &Value, wanted: &Value) -> bool {
    let hooks = |value: &Value| value.get("hooks").and_then(Value::as_array).cloned();
    let Some(inner) = hooks(wanted) else { return config::includes(value, wanted) };
    let mut around = wanted.clone();
    if let Some(members) = around.as_object_mut() {
        members.shift_remove("hooks");
    }
    let there = hooks(value).unwrap_or_default();
    config::includes(value, &around) && inner.iter().all(|hook| there.iter().any(|there| config::includes(there, hook)))
}

fn put_hooks(text: Option<&str>, id: &str, events: &[(&str, Value)], shape: Shape) -> Result<String, Unreadable> {
    let mut text = text.map(str::to_owned);
    let mut pending: Vec<&(&str, Value)> = events.iter().collect();
    // Hooks of other versions are removed; the new one takes the place of the first.
    while let Some(old) = text.as_deref() {
        let found = ours(old, id, shape)?;
        let is_right = |found: &OwnHook| {
            let wanted = events.iter().find(|(event, _)| *event == found.event);
            wanted.is_some_and(|(_, wanted)| holds(&found.value, wanted))
        };
        let place = |found: &OwnHook| found.place(shape);
        let mut seen: Vec<&str> = Vec::new();
        let mut next = None;
        for hook in &found {
            if seen.contains(&hook.event.as_str()) {
                next = Some(remove_hook(old, hook, id, shape)?);
                break;
            }
            if !is_right(hook) {
                let wanted = events.iter().find(|(event, _)| *event == hook.event);
                next = Some(match wanted {
                    Some((_, wanted)) if is_alone(&hook.value, id) => config::replace(old, &place(hook), wanted)?,
                    _ => remove_hook(old, hook, id, shape)?,
                });
                break;
            }
            seen.push(&hook.event);
        }
        match next {
            Some(next) => text = Some(next),
            None => {
                pending.retain(|(event, _)| !seen.contains(event));
                break;
            }
        }
    }
    let version = Value::from(1);
    let is_empty = text.as_deref().map(|text| config::value_at(text, &[])).transpose()?.flatten();
    let is_empty = is_empty.is_none_or(|value| value.as_object().is_some_and(serde_json::Map::is_empty));
    let versioned = shape == Shape::Versioned;
    if versioned && is_empty {
        let addition = Addition { path: &[], key: Some("version"), value: &version, first: false };
        text = Some(config::put(text.as_deref(), addition)?);
    }
    // A version that was there on its own before is recognised by the text before it.
    let only_version = text.as_deref().filter(|_| versioned && !is_empty).map(|text| config::value_at(text, &[]));
    let only_version = only_version.transpose()?.flatten();
    let first = only_version.is_some_and(|value| value.as_object().is_some_and(|all| all.keys().eq(["version"])));
    for (event, value) in pending {
        let mut path = shape.under();
        path.push(Key::from(*event));
        text = Some(config::put(text.as_deref(), Addition { path: &path, key: None, value, first })?);
    }
    Ok(text.unwrap_or_default())
}

/// Whether a hook or a group of hooks contains only ours.
fn is_alone(value: &Value, id: &str) -> bool {
    let inner = value.get("hooks").and_then(Value::as_array);
    inner.is_none_or(|hooks| hooks.iter().all(|hook| calls_hook(hook, id)))
}

/// The text without one hook of ours. Its group stays if it contains others.
fn remove_hook(text: &str, hook: &OwnHook, id: &str, shape: Shape) -> Result<String, Unreadable> {
    match take_hook(text, hook, id, shape)? {
        After::Text(text) => Ok(text),
        After::Gone => Ok("{}\n".to_owned()),
    }
}

fn take_hook(text: &str, hook: &OwnHook, id: &str, shape: Shape) -> Result<After, Unreadable> {
    let mut path = hook.place(shape);
    if !is_alone(&hook.value, id) {
        let inner = hook.value.get("hooks").and_then(Value::as_array).into_iter().flatten();
        let index = inner.into_iter().position(|hook| calls_hook(hook, id)).unwrap_or(0);
        path.extend(["hooks".into(), Key::Index(index)]);
    }
    config::take(text, &path)
}

fn take_hooks(text: &str, id: &str, shape: Shape) -> Result<After, Unreadable> {
    let mut text = text.to_owned();
    // In reverse order of insertion.
    while let Some(hook) = ours(&text, id, shape)?.pop() {
        let before: Vec<String> = root_keys(&text)?;
        match take_hook(&text, &hook, id, shape)? {
            After::Gone => return Ok(After::Gone),
            After::Text(next) => text = next,
        }
        let ours_too = shape == Shape::Versioned && before == ["version", "hooks"] && root_keys(&text)? == ["version"];
        if ours_too && config::value_at(&text, &["version".into()])? == Some(Value::from(1)) {
            return config::take(&text, &["version".into()]);
        }
    }
    Ok(After::Text(text))
}

fn root_keys(text: &str) -> Result<Vec<String>, Unreadable> {
    let root = config::value_at(text, &[])?;
    Ok(root.as_ref().and_then(Value::as_object).map(|all| all.keys().cloned().collect()).unwrap_or_default())
}
