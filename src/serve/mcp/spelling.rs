//! Arguments that models write otherwise than the schema says.

use serde_json::{Map, Value};

use super::targets::Targets;
use super::tools::Tool;

/// Some models write lists, numbers and truth as strings that hold them.
pub(super) fn unquote(tool: &Tool, name: &str, value: &mut Value) {
    let (Value::String(text), Some(wanted)) = (&*value, tool.type_of(name)) else { return };
    let fits = |read: &Value| match wanted {
        "array" => read.is_array() || read.is_object(),
        "integer" => read.is_u64(),
        "boolean" => read.is_boolean(),
        _ => false,
    };
    if let Ok(read) = serde_json::from_str::<Value>(text)
        && fits(&read)
    {
        *value = read;
    }
}

/// Several files may be called `paths` where a tool calls them `targets`, as `session` does.
pub(super) fn rename_paths(tool: &Tool, arguments: &mut Map<String, Value>) {
    if tool.targets != Targets::None
        && !arguments.contains_key("targets")
        && let Some(paths) = arguments.remove("paths")
    {
        arguments.insert("targets".to_owned(), paths);
    }
}
