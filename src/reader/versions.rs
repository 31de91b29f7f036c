//! The versions of a language that a project is for, as its files say: `requires-python = ">=3.12"`.

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use rustc_hash::FxHashMap;
use serde_json::Value;

use crate::language::{Language, SinceVersion};
use crate::locks::IgnorePoison;
use crate::reader::core::Reader;
use crate::reader::document::{Document, Origin};
use crate::reader::project_settings::{load, table_at};

/// The statements of folders, as far as they were asked for.
#[derive(Default)]
pub(crate) struct ProjectVersions {
    allowed: Mutex<FxHashMap<(PathBuf, &'static str), bool>>,
}

impl ProjectVersions {
    /// Whether code in strings may have the quotes of the string in a document: not if its project says nothing.
    pub(crate) fn allows_quotes(&self, engine: &Reader, document: &Document) -> bool {
        let path = match &document.origin {
            Origin::File { path, .. } | Origin::Walked { path } => Some(path.as_path()),
            Origin::Held(row) => row.path.as_deref(),
            Origin::Text { .. } => None,
        };
        path.is_some_and(|path| self.allows_quotes_at(engine, path, document.tree.language()))
    }

    /// The same for a path and a language.
    pub(crate) fn allows_quotes_at(&self, engine: &Reader, path: &Path, language: &'static Language) -> bool {
        let since = &language.spec().quotes_in_code;
        let Some(folder) = path.parent().filter(|_| !since.version.is_empty()) else { return false };
        let key = |folder: &Path| (folder.to_owned(), language.name());
        let mut allowed = self.allowed.lock().ignore_poison();
        if let Some(&known) = allowed.get(&key(folder)) {
            return known;
        }
        let top = engine.project_of(folder).path;
        let (mut passed, mut found) = (Vec::new(), false);
        for above in folder.ancestors().take_while(|above| above.starts_with(&top)) {
            let known = allowed.get(&key(above)).copied();
            let stated = || stated(engine, above, since).map(|versions| is_since(&versions, &since.version));
            passed.push(above);
            if let Some(is_allowed) = known.or_else(stated) {
                found = is_allowed;
                break;
            }
        }
        // All of them have the same project, and no statement of their own.
        allowed.extend(passed.into_iter().map(|above| (key(above), found)));
        found
    }
}

/// The statement of a folder, if one of its files has one.
fn stated(engine: &Reader, folder: &Path, since: &SinceVersion) -> Option<String> {
    since.stated.iter().find_map(|setting| {
        let value = load(engine, &folder.join(&setting.file))?;
        match table_at(&value, &setting.table)?.get(&setting.key)? {
            Value::String(versions) => Some(versions.clone()),
            // Poetry has a table if there is more to say.
            Value::Object(table) => table.get("version").and_then(Value::as_str).map(str::to_owned),
            _ => None,
        }
    })
}

/// Whether the lowest of some versions is at least another: `>=3.12,<4`, `^3.12 || ~3.13`.
fn is_since(versions: &str, since: &str) -> bool {
    let least = numbers(since);
    versions.split("||").all(|range| bounds(range).any(|bound| numbers(bound) >= least))
}

/// The versions below which a range has none.
fn bounds(range: &str) -> impl Iterator<Item = &str> {
    let is_sign = |letter: char| "<>=!~^".contains(letter);
    range.split(',').flat_map(move |part| {
        let mut rest = part.trim();
        let mut bounds = Vec::new();
        while !rest.is_empty() {
            let after = rest.trim_start_matches(is_sign);
            let sign = &rest[..rest.len() - after.len()];
            let after = after.trim_start();
            let end = after.find(|letter: char| letter.is_whitespace() || is_sign(letter)).unwrap_or(after.len());
            if !sign.starts_with(['<', '!']) {
                bounds.push(&after[..end]);
            }
            rest = after[end..].trim_start();
        }
        bounds
    })
}

/// The numbers of a version, up to the first part that is none: `3.12.*`.
fn numbers(version: &str) -> Vec<u64> {
    version.trim_matches(['"', '\'', 'v']).split('.').map_while(|part| part.parse().ok()).collect()
}
