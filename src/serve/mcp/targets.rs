//! What a tool is about, and the arguments that say it.

use serde_json::{Value, json};

/// The words that say what a tool is about, listed or not.
pub(super) const TARGET_WORDS: [&str; 4] = ["path", "tree_id", "target", "targets"];

/// What a tool can be about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Targets {
    /// Files, folders, trees.
    Many,
    /// One file or tree.
    One,
    /// One file or tree, or several files, or a folder.
    Shown,
    /// One, or nothing.
    Optional,
    /// A part of a project; the whole project is searched.
    Project,
    /// What its actions say.
    None,
}

/// An argument and its schema.
type Word = (&'static str, fn() -> Value);

impl Targets {
    /// The arguments that say it.
    pub fn words(self) -> &'static [Word] {
        const PATH: fn() -> Value =
            || json!({"type": "string", "description": "File or folder; otherwise the working directory"});
        const FOLDER: fn() -> Value =
            || json!({"type": "string", "description": "File or folder that has it; all are searched"});
        const FILE: fn() -> Value = || json!({"type": "string", "description": "The file"});
        const TREE: fn() -> Value = || json!({"type": "string"});
        const MORE: fn() -> Value =
            || json!({"type": "array", "items": {"type": "string"}, "description": "Several of these"});
        const GLOB: fn() -> Value = || json!({"type": "string", "description": "Only such files: **/*.py, !tests/**"});
        const LANGUAGE: fn() -> Value = || json!({"type": "string"});
        match self {
            Targets::Many => {
                &[("path", PATH), ("tree_id", TREE), ("targets", MORE), ("glob", GLOB), ("language", LANGUAGE)]
            }
            Targets::One => &[("path", FILE), ("tree_id", TREE)],
            Targets::Shown => &[("path", FILE), ("tree_id", TREE), ("targets", MORE)],
            Targets::Optional => &[("path", PATH), ("tree_id", TREE), ("language", LANGUAGE)],
            Targets::Project => &[("path", FOLDER)],
            Targets::None => &[],
        }
    }
}

/// What says more of a node than its code.
pub(super) const FORMS: [&str; 5] = ["as", "at", "depth", "parents", "children"];
