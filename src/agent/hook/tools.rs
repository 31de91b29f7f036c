//! Tools: which of an agent's tools edit files, which run commands, and which files an edit names.
//!
//! Agents have the same tools under names that differ in case and underscores, so only letters are compared.

use serde_json::Value;

use super::event::{Touched, Work};
use super::patch;
use super::payload::{text, unquoted};

/// Tools that edit the files they name.
const EDITS: &[&str] = &[
    "applydiff",
    "applypatch",
    "create",
    "createfile",
    "delete",
    "deletefile",
    "edit",
    "editfile",
    "editfiles",
    "editnotebook",
    "editnotebookfile",
    "editor",
    "insert",
    "inserteditintofile",
    "multiedit",
    "multireplacestringinfile",
    "newrule",
    "notebookedit",
    "patch",
    "replace",
    "replaceinfile",
    "replacestringinfile",
    "searchreplace",
    "strreplace",
    "strreplaceeditor",
    "update",
    "write",
    "writefile",
    "writetofile",
];

/// Tools that run commands.
const SHELLS: &[&str] = &[
    "bash",
    "execcommand",
    "execute",
    "executecommand",
    "localshell",
    "powershell",
    "runcommand",
    "runcommands",
    "runinterminal",
    "runshellcommand",
    "runterminalcmd",
    "runterminalcommand",
    "shell",
    "terminal",
];

/// The names of arguments that contain a file's path.
const PATHS: &[&str] = &[
    "file_path",
    "filePath",
    "path",
    "notebook_path",
    "notebookPath",
    "target_file",
    "targetFile",
    "absolutePath",
    "absolute_path",
    "target_notebook",
];

/// The names of lists whose elements name files.
const LISTS: &[&str] = &["files", "edits", "replacements", "paths"];

/// The maximum number of files that are read for one event.
const MOST_FILES: usize = 50;

/// The work of a call. `None` if it changes no file.
pub(super) fn work(tool: &str, input: &Value) -> Option<Work> {
    let input = &*unquoted(input);
    let letters: String = tool.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
    if SHELLS.contains(&letters.as_str()) {
        return Some(Work::Shell(input.to_string()));
    }
    let only_looks = input["command"] == "view";
    if !EDITS.contains(&letters.as_str()) || only_looks {
        return None;
    }
    let mut files = match patch_in(input) {
        Some(patch) => patch::files(patch),
        None => paths(input).into_iter().map(Touched::new).collect(),
    };
    files.truncate(MOST_FILES);
    (!files.is_empty()).then_some(Work::Files(files))
}

/// The patch among the arguments of a call, or the whole input if it is one.
fn patch_in(input: &Value) -> Option<&str> {
    let is_patch = |text: &&str| text.contains(patch::BEGIN);
    match input {
        Value::String(text) => Some(text.as_str()).filter(is_patch),
        Value::Array(words) => words.iter().filter_map(Value::as_str).find(is_patch),
        Value::Object(fields) => fields.values().filter(|value| !value.is_object()).find_map(|value| patch_in(value)),
        _ => None,
    }
}

/// The files that a call names, each once.
fn paths(input: &Value) -> Vec<String> {
    let mut paths: Vec<String> = text(input, PATHS).map(str::to_owned).into_iter().collect();
    for list in LISTS {
        let list = unquoted(&input[list]);
        for element in list.as_array().into_iter().flatten() {
            let path = element.as_str().filter(|path| !path.is_empty()).or_else(|| text(element, PATHS));
            paths.extend(path.filter(|path| !paths.iter().any(|known| known == path)).map(str::to_owned));
        }
    }
    paths
}
