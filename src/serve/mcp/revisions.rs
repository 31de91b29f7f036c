//! The ids that a client sees of files.
//!
//! Ids of a file that isn't held count its nodes, so they are good for one content of it. A client keeps them longer: after an edit by
//! this server the nodes that it left alone keep the ids that were shown, and new nodes get new numbers, as in a tree that is held.
//! So each content of a file has a numbering here, which an edit carries to the next. A content that somebody else wrote starts a
//! family of numberings of its own; its ids are shown with the start of the content's hash, since a bare one is of the first family.
//! What an earlier process has shown is in the session store.

use std::collections::HashMap;
use std::sync::Arc;

use super::refusal::Refusal;
use crate::engine::Engine;
use crate::request::{Carried, ErrorCode, KeptNodes, Revision};
use crate::tree::NodeId;

/// What to do about an id that means nothing any more.
const AGAIN: &str = "find the node again, or name it by a selector";

/// The contents shown, and what this server changed.
#[derive(Debug, Default)]
pub(super) struct Revisions {
    files: HashMap<String, File>,
    /// What the session store does not know yet.
    unnoted: Vec<(String, String)>,
    /// What can be undone, the last change at the end.
    changes: Vec<Change>,
}

/// A change that this server made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Change {
    /// Files were written.
    Transaction(String),
    /// A revision of a tree was staged.
    Tree(String),
}

/// A file's contents, by the start of their hashes.
#[derive(Debug, Default)]
struct File {
    contents: HashMap<String, Numbering>,
    /// The content that was shown or written last.
    last: String,
    /// The number for the next new node, in each family.
    next: HashMap<String, u32>,
}

/// What the nodes of a content are called.
#[derive(Debug, Clone, Default)]
struct Numbering {
    /// The hash of the content that the family began with; empty for the first family.
    family: String,
    /// For each node its number; `None` where that is its place.
    numbers: Option<Arc<Vec<u32>>>,
}

impl Revisions {
    /// Ids of this content of a file are about to be shown; how they are to be marked.
    pub fn show(&mut self, path: Option<&str>, revision: Option<&Revision>) -> Mark {
        let (Some(path), Some(Revision::Hash(hash))) = (path, revision) else { return Mark::default() };
        let file = self.files.entry(path.to_owned()).or_default();
        hash.clone_into(&mut file.last);
        if !file.contents.contains_key(hash) {
            let family = if file.contents.is_empty() { String::new() } else { hash.clone() };
            file.contents.insert(hash.clone(), Numbering { family, numbers: None });
            self.unnoted.push((path.to_owned(), hash.clone()));
        }
        Mark(file.contents[hash].clone())
    }

    /// An edit made a new content of a file; how its ids are to be marked.
    pub fn edited(&mut self, path: Option<&str>, revision: &Revision, carried: Option<&Carried>) -> Mark {
        if let (Some(path), Revision::Hash(hash), Some(carried)) = (path, revision, carried)
            && let Some(file) = self.files.get_mut(path)
            && let Some(before) = file.contents.get(&carried.from).cloned()
            && !file.contents.contains_key(hash)
        {
            let numbering = match &carried.kept {
                KeptNodes::All => before,
                KeptNodes::Some { count, places } => {
                    let next = file.next.entry(before.family.clone()).or_default();
                    *next = (*next).max(u32::try_from(*count).unwrap_or(u32::MAX));
                    let number = |old: &Option<u32>| match old {
                        Some(old) => before.number(*old),
                        None => {
                            *next += 1;
                            *next - 1
                        }
                    };
                    let numbers: Vec<u32> = places.iter().map(number).collect();
                    Numbering { family: before.family.clone(), numbers: Some(Arc::new(numbers)) }
                }
            };
            file.contents.insert(hash.clone(), numbering);
            self.unnoted.push((path.to_owned(), hash.clone()));
        }
        self.show(path, Some(revision))
    }

    /// The files whose ids were shown, in no order.
    pub fn paths(&self) -> Vec<String> {
        self.files.keys().cloned().collect()
    }

    /// How ids of a file as it is now are to be marked.
    pub fn now(&mut self, path: Option<&str>, engine: &Engine) -> Mark {
        let hash = path.and_then(|path| engine.revision_of(path)).map(Revision::Hash);
        self.show(path, hash.as_ref())
    }

    /// Puts what was shown into the session store, where the next process finds it.
    pub fn keep(&mut self, engine: &Engine) {
        // Without a store there is no next process that could be wrong.
        let _ = engine.note_shown(&self.unnoted);
        self.unnoted.clear();
    }

    /// Notes a change, which `undo` takes back.
    pub fn changed(&mut self, change: Change) {
        self.changes.push(change);
    }

    /// The last change that is not undone.
    pub fn last_change(&self) -> Option<&Change> {
        self.changes.last()
    }

    /// Forgets a change that was undone: the last like it.
    pub fn undone(&mut self, change: &Change) {
        if let Some(at) = self.changes.iter().rposition(|known| known == change) {
            self.changes.remove(at);
        }
    }

    /// A word that names a node in a file, as the engine takes it: with its place in the file and the revision it must be of.
    pub fn of(&self, path: &str, word: &str, engine: &Engine) -> Result<String, Refusal> {
        let name = word.split('.').next().unwrap_or(word);
        let fields = &word[name.len()..];
        let (id, family) = name.split_once('@').unwrap_or((name, ""));
        let Some(number) = NodeId::parse(id) else { return Ok(word.to_owned()) };
        let Some(file) = self.files.get(path) else { return of_earlier_process(path, word, (id, family), engine) };
        if !family.is_empty() && !file.contents.values().any(|known| known.family == family) {
            return Ok(word.to_owned());
        }
        let now = engine.revision_of(path).unwrap_or_default();
        let Some(numbering) = file.contents.get(&now) else {
            // The engine says what became of the file.
            let known = |(_, numbering): &(&String, &Numbering)| numbering.family == family;
            let hash = file.contents.iter().find(known).map_or(file.last.as_str(), |(hash, _)| hash);
            return Ok(format!("{id}@{hash}{fields}"));
        };
        if numbering.family != family {
            let message = format!("another program has changed `{path}` since `{word}` was shown");
            return Err(Refusal::new(ErrorCode::StaleFile, message, AGAIN));
        }
        match numbering.place(number.number()) {
            Some(place) => Ok(format!("{}@{now}{fields}", NodeId::new(place))),
            None => {
                let message = format!("`{word}` is gone: an edit replaced or deleted it, or was undone");
                Err(Refusal::new(ErrorCode::StaleNode, message, AGAIN))
            }
        }
    }
}

/// A word for a file that this process hasn't shown.
fn of_earlier_process(path: &str, word: &str, (id, family): (&str, &str), engine: &Engine) -> Result<String, Refusal> {
    let fields = &word[word.find('.').unwrap_or(word.len())..];
    if !family.is_empty() {
        return Ok(word.to_owned());
    }
    match engine.shown_contents(path).unwrap_or_default().as_slice() {
        [] => Ok(word.to_owned()),
        [only] => Ok(format!("{id}@{only}{fields}")),
        _ => {
            let message = format!("`{path}` was changed since `{word}` was shown");
            Err(Refusal::new(ErrorCode::StaleFile, message, AGAIN))
        }
    }
}

impl Numbering {
    /// The number of the node at a place.
    fn number(&self, place: u32) -> u32 {
        match &self.numbers {
            Some(numbers) => numbers.get(place as usize).copied().unwrap_or(u32::MAX),
            None => place,
        }
    }

    /// The place of the node with a number.
    fn place(&self, number: u32) -> Option<u32> {
        match &self.numbers {
            Some(numbers) => numbers.iter().position(|&known| known == number).and_then(|at| u32::try_from(at).ok()),
            None => Some(number),
        }
    }
}

/// How the ids of a content are shown.
#[derive(Debug, Default)]
pub(super) struct Mark(Numbering);

impl Mark {
    /// An id as it is shown.
    pub fn on(&self, id: &str) -> String {
        let Some(place) = NodeId::parse(id) else { return id.to_owned() };
        let id = NodeId::new(self.0.number(place.number()));
        match self.0.family.as_str() {
            "" => id.to_string(),
            family => format!("{id}@{family}"),
        }
    }
}
