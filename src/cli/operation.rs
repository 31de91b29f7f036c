//! Operations from arguments: `replace n31 CODE`, `insert after n4 CODE`.

use clap::{Subcommand, ValueEnum};

use crate::engine;

use super::failure::Failure;
use super::input::Input;

/// Where code goes, relative to a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Place {
    /// Before the node
    Before,
    /// After the node
    After,
    /// First in the node's body or list
    First,
    /// Last in the node's body or list
    Last,
}

/// The scope of a rename.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum References {
    /// The file
    File,
}

/// An operation with its arguments.
#[derive(Debug, Subcommand)]
pub(super) enum Operation {
    /// Replace a node by code
    Replace {
        /// The node
        node: String,
        /// The code; `-` for standard input, `@FILE` for a file
        code: String,
    },
    /// Add code before or after a node, or first or last inside it
    Insert {
        /// Position relative to the node
        place: Place,
        /// The node
        node: String,
        /// The code; `-` for standard input, `@FILE` for a file
        code: String,
    },
    /// Delete a node, with its decorators and comments
    Delete {
        /// The node
        node: String,
    },
    /// Move a node, with its decorators and comments
    Move {
        /// The node
        node: String,
        /// Position relative to the other node
        place: Place,
        /// The other node
        to: String,
    },
    /// Wrap a node in code
    Wrap {
        /// The node
        node: String,
        /// The code, with `$0` where the node goes
        code: String,
    },
    /// Replace a node by its body
    Unwrap {
        /// The node
        node: String,
    },
    /// Rename a definition
    Rename {
        /// The definition
        node: String,
        /// The new name
        #[arg(value_name = "NAME")]
        to: String,
        /// Rename its references in the file, too
        #[arg(long)]
        references: Option<References>,
    },
    /// Replace text inside a node
    Sub {
        /// The node
        node: String,
        /// The text to find
        find: String,
        /// The replacement
        replace: String,
        /// FIND is a regular expression; `$1` in REPLACE is its first group
        #[arg(long)]
        regex: bool,
    },
    /// Add an import unless it exists
    EnsureImport {
        /// The import statement
        code: String,
    },
    /// Replace several neighbouring nodes by code
    ReplaceRange {
        /// The first node
        from: String,
        /// The last node, a sibling of the first
        to: String,
        /// The code; `-` for standard input, `@FILE` for a file
        code: String,
    },
}

impl From<Place> for engine::Position {
    fn from(place: Place) -> engine::Position {
        match place {
            Place::Before => engine::Position::Before,
            Place::After => engine::Position::After,
            Place::First => engine::Position::First,
            Place::Last => engine::Position::Last,
        }
    }
}

impl Operation {
    /// The operation of a request, with the code of its CODE argument.
    pub(super) fn request(&self, input: &mut Input) -> Result<engine::Operation, Failure> {
        let mut code = |word: &str| input.code(word).map(Some);
        Ok(match self {
            Operation::Replace { node, code: word } => engine::Operation::Replace {
                target: node.clone(),
                code: code(word)?,
                code_lines: None,
                extent: None,
                all: false,
                match_index: None,
            },
            Operation::Insert { place, node, code: word } => engine::Operation::Insert {
                target: node.clone(),
                position: (*place).into(),
                code: code(word)?,
                code_lines: None,
                extent: None,
                all: false,
                match_index: None,
            },
            Operation::Delete { node } => {
                engine::Operation::Delete { target: node.clone(), extent: None, all: false, match_index: None }
            }
            Operation::Move { node, place, to } => engine::Operation::Move {
                target: node.clone(),
                position: (*place).into(),
                to: to.clone(),
                extent: None,
                match_index: None,
            },
            Operation::Wrap { node, code: word } => engine::Operation::Wrap {
                target: node.clone(),
                code: code(word)?,
                code_lines: None,
                extent: None,
                all: false,
                match_index: None,
            },
            Operation::Unwrap { node } => {
                engine::Operation::Unwrap { target: node.clone(), all: false, match_index: None }
            }
            Operation::Rename { node, to, references } => engine::Operation::Rename {
                target: node.clone(),
                to: to.clone(),
                references: references.map(|References::File| engine::References::File),
                all: false,
                match_index: None,
            },
            Operation::Sub { node, find, replace, regex } => engine::Operation::Sub {
                target: node.clone(),
                find: find.clone(),
                replace: replace.clone(),
                regex: *regex,
                all: false,
                match_index: None,
            },
            Operation::EnsureImport { code: word } => {
                engine::Operation::EnsureImport { code: code(word)?, code_lines: None }
            }
            Operation::ReplaceRange { from, to, code: word } => engine::Operation::ReplaceRange {
                from: from.clone(),
                to: to.clone(),
                code: code(word)?,
                code_lines: None,
                extent: None,
            },
        })
    }
}
