//! Operations in words: `replace n31 CODE`, `insert after n4 CODE`.

use clap::{Subcommand, ValueEnum};

use crate::engine;

use super::failure::Failure;
use super::input::Input;

/// Where code goes, seen from a node.
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

/// How far a rename reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum References {
    /// The file
    File,
}

/// An operation, with its words.
#[derive(Debug, Subcommand)]
pub(super) enum Operation {
    /// Put code in a node's place
    Replace {
        /// The node
        node: String,
        /// The code; `-` for standard input, `@FILE` for a file
        code: String,
    },
    /// Add code before or after a node, or first or last inside it
    Insert {
        /// Where, seen from the node
        place: Place,
        /// The node
        node: String,
        /// The code; `-` for standard input, `@FILE` for a file
        code: String,
    },
    /// Take a node out, with its decorators and comments
    Delete {
        /// The node
        node: String,
    },
    /// Take a node elsewhere, with its decorators and comments
    Move {
        /// The node
        node: String,
        /// Where, seen from the other node
        place: Place,
        /// The other node
        to: String,
    },
    /// Put code around a node
    Wrap {
        /// The node
        node: String,
        /// The code, with `$0` where the node goes
        code: String,
    },
    /// Put a node's body in its place
    Unwrap {
        /// The node
        node: String,
    },
    /// Give a definition another name
    Rename {
        /// The definition
        node: String,
        /// The new name
        #[arg(value_name = "NAME")]
        to: String,
        /// Rename what refers to it too, in the file
        #[arg(long)]
        references: Option<References>,
    },
    /// Replace text inside a node
    Sub {
        /// The node
        node: String,
        /// The text to find
        find: String,
        /// The text to put there
        replace: String,
        /// FIND is a regular expression, and `$1` in REPLACE its first group
        #[arg(long)]
        regex: bool,
    },
    /// Add an import unless it is there
    EnsureImport {
        /// The import statement
        code: String,
    },
    /// Put code in the place of several neighbours
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
    /// As a request has it, with the code that its CODE word stands for.
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
