//! Files with settings of a project, whatever their format.

use std::path::Path;

use serde_json::{Map, Value};

use crate::limits;
use crate::reader::core::Reader;

/// Reads a file as TOML, JSON or INI, whatever it is.
pub(crate) fn load(engine: &Reader, path: &Path) -> Option<Value> {
    let bytes = engine.files().read(path, limits::CONFIGURATION_BYTES).ok()?;
    let text = String::from_utf8(bytes).ok()?;
    if let Ok(value) = serde_json::from_str(&text) {
        return Some(value);
    }
    toml::from_str(&text).ok().or_else(|| Some(ini(&text)))
}

/// The table at a path with dots.
pub(crate) fn table_at<'v>(value: &'v Value, path: &str) -> Option<&'v Map<String, Value>> {
    let mut parts = path.split('.').filter(|part| !part.is_empty());
    // A section of an INI file may have dots in its name.
    let table = value.get(path).or_else(|| parts.try_fold(value, |value, part| value.get(part)));
    table.and_then(Value::as_object)
}

/// The sections of an INI file, with lists of several lines as one text.
fn ini(text: &str) -> Value {
    let mut sections: Map<String, Value> = Map::new();
    let (mut section, mut key) = (String::new(), String::new());
    for line in text.lines().filter(|line| !line.trim_start().starts_with(['#', ';'])) {
        let trimmed = line.trim();
        if let Some(name) = trimmed.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            section = name.trim().trim_matches(['{', '}']).to_owned();
            continue;
        }
        let Some(table) = sections.entry(&section).or_insert_with(|| Value::Object(Map::new())).as_object_mut() else {
            continue;
        };
        if line.starts_with(char::is_whitespace) && !trimmed.is_empty() {
            if let Some(Value::String(value)) = table.get_mut(&key) {
                value.push(',');
                value.push_str(trimmed);
            }
        } else if let Some((name, value)) = trimmed.split_once(['=', ':']) {
            key = name.trim().to_lowercase();
            table.insert(key.clone(), Value::String(value.trim().to_owned()));
        }
    }
    Value::Object(sections)
}
