//! The schema of a script: the keys of its tables.

/// The keys of a script.
pub(super) const SCRIPT: [&str; 8] =
    ["name", "description", "language", "languages", "files", "step", "define", "test"];
/// The keys of a step.
pub(super) const STEP: [&str; 12] = [
    "select",
    "replace",
    "delete",
    "rename",
    "wrap",
    "insert_before",
    "insert_after",
    "edits",
    "refactor",
    "expect",
    "repeat",
    "when",
];
/// The keys of a test.
pub(super) const TEST: [&str; 7] = ["name", "before", "after", "unchanged", "idempotent", "language", "path"];

/// The actions of a step; it has exactly one.
pub(super) const ACTIONS: [&str; 8] =
    ["replace", "delete", "rename", "wrap", "insert_before", "insert_after", "edits", "refactor"];
