//! Reads the TOML of a user by way of JSON, the form that built-in data has. So the code that reads each key is there once, for one form.

use serde::de::DeserializeOwned;
use toml::Table;
use toml::de::{DeTable, DeValue};

/// Reads a table; `text` is where its keys were written, or most of them.
///
/// # Errors
/// Says the line and the key.
pub(super) fn read<T: DeserializeOwned>(table: &Table, text: &str) -> Result<T, String> {
    let json = serde_json::to_string_pretty(table).map_err(|error| error.to_string())?;
    serde_json::from_str(&json).map_err(|error| {
        let keys = keys_at(&json, error.line());
        let message = error.to_string();
        let message = message.rsplit_once(" at line ").map_or(message.as_str(), |(message, _)| message);
        let line = line_of(text, &keys).map(|line| format!("line {line}: ")).unwrap_or_default();
        let key = if keys.is_empty() { String::new() } else { format!("{}: ", keys.join(".")) };
        format!("{line}{key}{message}")
    })
}

/// The keys that lead to a line, counted from 1, of JSON on lines of their own.
fn keys_at(json: &str, line: usize) -> Vec<String> {
    let mut keys: Vec<(usize, String)> = Vec::new();
    for text in json.lines().take(line) {
        let written = text.trim_start();
        let depth = text.len() - written.len();
        keys.retain(|(above, _)| *above < depth || *above == depth && written.starts_with(['}', ']']));
        let mut values = serde_json::Deserializer::from_str(written).into_iter::<String>();
        if let Some(Ok(key)) = values.next()
            && written[values.byte_offset()..].starts_with(':')
        {
            keys.push((depth, key));
        }
    }
    keys.into_iter().map(|(_, key)| key).collect()
}

/// The line, counted from 1, of the last of these keys that is written in a text.
fn line_of(text: &str, keys: &[String]) -> Option<usize> {
    let table = DeTable::parse(text).ok()?;
    let (mut inner, mut found) = (Some(table.get_ref()), None);
    for wanted in keys {
        let Some((key, value)) = inner.and_then(|table| table.iter().find(|(key, _)| key.get_ref() == wanted)) else {
            break;
        };
        found = Some(key.span().start);
        inner = match value.get_ref() {
            DeValue::Table(table) => Some(table),
            _ => None,
        };
    }
    Some(1 + text[..found?].matches('\n').count())
}
