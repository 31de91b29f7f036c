//! Which contents of files a client has seen ids of.
//!
//! Ids of a file that isn't held count its nodes, so they are good for one content of it. A result shows them bare, since that is
//! short; what they were of is remembered here. As long as one content of a file was shown, a bare id is of that one, and the
//! engine is told so: if the file has changed, it refuses. After an edit there are two, and ids are shown with their revision;
//! a bare one could be of either, and is refused. What an earlier process has shown is in the session store.

use std::collections::HashMap;

use crate::engine::{Engine, Revision};
use crate::tree::NodeId;

/// The contents shown, by the start of their hashes.
#[derive(Debug, Default)]
pub(super) struct Revisions {
    shown: HashMap<String, Vec<String>>,
    /// What the session store doesn't know yet.
    unnoted: Vec<(String, String)>,
}

impl Revisions {
    /// Ids of this content of a file are about to be shown; how they are to be marked.
    pub fn show(&mut self, path: Option<&str>, revision: Option<&Revision>) -> Mark {
        let (Some(path), Some(Revision::Hash(hash))) = (path, revision) else { return Mark::default() };
        let seen = self.shown.entry(path.to_owned()).or_default();
        if !seen.contains(hash) {
            seen.push(hash.clone());
            self.unnoted.push((path.to_owned(), hash.clone()));
        }
        Mark(if seen.len() > 1 { format!("@{hash}") } else { String::new() })
    }

    /// Whether a bare id of a file can mean one node only.
    pub fn takes_bare_ids(&self, path: &str) -> bool {
        self.shown.get(path).is_none_or(|seen| seen.len() < 2)
    }

    /// Puts what was shown into the session store, where the next process finds it.
    pub fn keep(&mut self, engine: &Engine) {
        // Without a store there is no next process that could be wrong.
        let _ = engine.note_shown(&self.unnoted);
        self.unnoted.clear();
    }

    /// A word that names a node in a file, with the revision that it must be of if it is a bare id.
    pub fn of(&self, path: &str, word: &str, engine: &Engine) -> Result<String, String> {
        let id = word.split('.').next().unwrap_or(word);
        if NodeId::parse(id).is_none() {
            return Ok(word.to_owned());
        }
        let seen = self.shown.get(path).cloned();
        let seen = seen.unwrap_or_else(|| engine.shown_contents(path).unwrap_or_default());
        match seen.as_slice() {
            [] => Ok(word.to_owned()),
            [only] => Ok(format!("{id}@{only}{}", &word[id.len()..])),
            _ => Err(format!(
                "stale_file: `{path}` was changed since `{word}` was shown, and ids of files count anew after each change\n\
                 next: name the node by a selector, or find it again; put several changes in one edit, or hold the file with session load"
            )),
        }
    }
}

/// What is put behind the ids of a file.
#[derive(Debug, Default)]
pub(super) struct Mark(String);

impl Mark {
    /// An id as it is shown.
    pub fn on(&self, id: &str) -> String {
        format!("{id}{}", self.0)
    }

    /// An outline's text, whose lines end in ids; without the space that sets these in a column.
    pub fn on_lines(&self, text: &str) -> String {
        let marked = |line: &str| match line.rsplit_once(' ') {
            Some((signature, id)) if NodeId::parse(id).is_some() => {
                format!("{}  {}", signature.trim_end(), self.on(id))
            }
            _ => line.to_owned(),
        };
        text.split('\n').map(marked).collect::<Vec<_>>().join("\n")
    }
}
