//! Operations of a batch, as they come: targets are words that are looked up later.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::fields::is_false;

/// An operation. A `target` is a node id (`n31`, `n31@3fa9c1d2`), an id with a field (`n17.body`), a selector that matches one node, or
/// an anchor.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "op", rename_all = "snake_case", deny_unknown_fields)]
pub enum Operation {
    /// Puts code in a node's place.
    Replace {
        /// What is replaced.
        target: String,
        /// The code.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        code: Option<String>,
        /// The code, a line each.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        code_lines: Option<Vec<String>>,
        /// How much of a definition.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        extent: Option<Extent>,
        /// Which of several matches, and whether all.
        #[serde(default, skip_serializing_if = "is_false")]
        all: bool,
        /// Which of several matches, from 0.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        match_index: Option<usize>,
    },
    /// Puts code in the place of consecutive siblings.
    ReplaceRange {
        /// The first sibling.
        from: String,
        /// The last sibling.
        to: String,
        /// The code.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        code: Option<String>,
        /// The code, a line each.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        code_lines: Option<Vec<String>>,
        /// How much of a definition.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        extent: Option<Extent>,
    },
    /// Puts code beside or inside of a node.
    Insert {
        /// Beside or inside of what.
        target: String,
        /// Where.
        position: Position,
        /// The code.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        code: Option<String>,
        /// The code, a line each.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        code_lines: Option<Vec<String>>,
        /// Whether at every match.
        #[serde(default, skip_serializing_if = "is_false")]
        all: bool,
        /// Which of several matches, from 0.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        match_index: Option<usize>,
        /// How much of a definition.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        extent: Option<Extent>,
    },
    /// Takes a node out.
    Delete {
        /// What is taken out.
        target: String,
        /// How much of a definition.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        extent: Option<Extent>,
        /// Whether every match.
        #[serde(default, skip_serializing_if = "is_false")]
        all: bool,
        /// Which of several matches, from 0.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        match_index: Option<usize>,
    },
    /// Takes a node elsewhere.
    Move {
        /// What is moved.
        target: String,
        /// Where, seen from `to`.
        position: Position,
        /// Beside or inside of what.
        to: String,
        /// Which of several matches, from 0.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        match_index: Option<usize>,
        /// How much of a definition.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        extent: Option<Extent>,
    },
    /// Puts code around a node.
    Wrap {
        /// What is wrapped.
        target: String,
        /// The code, with `$0` where the node goes.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        code: Option<String>,
        /// The code, a line each.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        code_lines: Option<Vec<String>>,
        /// How much of a definition.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        extent: Option<Extent>,
        /// Whether every match.
        #[serde(default, skip_serializing_if = "is_false")]
        all: bool,
        /// Which of several matches, from 0.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        match_index: Option<usize>,
    },
    /// Puts a node's body in its place.
    Unwrap {
        /// What is unwrapped.
        target: String,
        /// Whether every match.
        #[serde(default, skip_serializing_if = "is_false")]
        all: bool,
        /// Which of several matches, from 0.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        match_index: Option<usize>,
    },
    /// Gives a definition another name.
    Rename {
        /// What is renamed.
        target: String,
        /// The new name.
        to: String,
        /// What else is renamed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        references: Option<References>,
        /// Whether every match.
        #[serde(default, skip_serializing_if = "is_false")]
        all: bool,
        /// Which of several matches, from 0.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        match_index: Option<usize>,
    },
    /// Replaces text inside of a node.
    Sub {
        /// Inside of what.
        target: String,
        /// The text, or a regex.
        find: String,
        /// What stands in its place.
        replace: String,
        /// Whether `find` is a regex and `replace` may name its groups.
        #[serde(default, skip_serializing_if = "is_false")]
        regex: bool,
        /// Whether in every match.
        #[serde(default, skip_serializing_if = "is_false")]
        all: bool,
        /// Which of several matches, from 0.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        match_index: Option<usize>,
    },
    /// Adds an import unless it is there.
    EnsureImport {
        /// The import.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        code: Option<String>,
        /// The import, a line each.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        code_lines: Option<Vec<String>>,
    },
}

impl Operation {
    /// Its name in JSON.
    pub fn name(&self) -> &'static str {
        match self {
            Operation::Replace { .. } => "replace",
            Operation::ReplaceRange { .. } => "replace_range",
            Operation::Insert { .. } => "insert",
            Operation::Delete { .. } => "delete",
            Operation::Move { .. } => "move",
            Operation::Wrap { .. } => "wrap",
            Operation::Unwrap { .. } => "unwrap",
            Operation::Rename { .. } => "rename",
            Operation::Sub { .. } => "sub",
            Operation::EnsureImport { .. } => "ensure_import",
        }
    }

    /// What it is about, as given.
    pub fn target(&self) -> Option<&str> {
        match self {
            Operation::Replace { target, .. }
            | Operation::Insert { target, .. }
            | Operation::Delete { target, .. }
            | Operation::Move { target, .. }
            | Operation::Wrap { target, .. }
            | Operation::Unwrap { target, .. }
            | Operation::Rename { target, .. }
            | Operation::Sub { target, .. } => Some(target),
            Operation::ReplaceRange { from, .. } => Some(from),
            Operation::EnsureImport { .. } => None,
        }
    }
}

/// Where code goes, seen from a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Position {
    /// Before it.
    Before,
    /// After it.
    After,
    /// Into its body or list, as the first; below a docstring.
    First,
    /// Into its body or list, as the last.
    Last,
}

/// How much belongs to a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Extent {
    /// The node alone.
    Node,
    /// With its decorators and the comments attached above.
    Full,
}

/// What a rename takes along.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum References {
    /// What resolves to the definition in the same file.
    File,
}

impl From<Operation> for Value {
    fn from(operation: Operation) -> Value {
        serde_json::to_value(operation).expect("an operation is plain data")
    }
}
