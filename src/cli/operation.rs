//! Operations in words: `replace n31 CODE`, `insert after n4 CODE`.
//!
//! A row of the table is a subcommand; what its words mean is the operation's own.

use clap::builder::EnumValueParser;
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Command, FromArgMatches, Subcommand};

use crate::edit::{self, Extent, Fields, OperationKind, Position, References};
use crate::engine;

use super::failure::Failure;
use super::input::Input;

/// An operation in words.
#[derive(Debug)]
pub(super) struct Operation {
    kind: OperationKind,
    words: ArgMatches,
}

/// A word or option of an operation.
#[derive(Debug)]
pub enum Word {
    /// A text: the field, what help calls it, and what it is.
    Text(&'static str, &'static str, &'static str),
    /// A position, and what it is.
    Place(&'static str),
    /// A flag, and what it is.
    Flag(&'static str, &'static str),
    /// An option with the references to rename, and what it is.
    References(&'static str),
}

/// An operation's subcommand: which, its name and what it does, its words in order.
#[derive(Debug)]
pub struct Row(pub OperationKind, pub &'static str, pub &'static str, pub &'static [Word]);

const NODE: Word = Word::Text("target", "NODE", "The node");
const CODE: Word = Word::Text("code", "CODE", "The code; `-` for standard input, `@FILE` for a file");

/// The subcommand of each operation.
pub const ROWS: &[Row] = &[
    Row(OperationKind::Replace, "replace", "Replace a node by code", &[NODE, CODE]),
    Row(
        OperationKind::Insert,
        "insert",
        "Add code before or after a node, or first or last inside it",
        &[Word::Place("Position relative to the node"), NODE, CODE],
    ),
    Row(OperationKind::Delete, "delete", "Delete a node, with its decorators and comments", &[NODE]),
    Row(
        OperationKind::Move,
        "move",
        "Move a node, with its decorators and comments",
        &[NODE, Word::Place("Position relative to the other node"), Word::Text("to", "TO", "The other node")],
    ),
    Row(
        OperationKind::Wrap,
        "wrap",
        "Wrap a node in code",
        &[NODE, Word::Text("code", "CODE", "The code, with `$0` where the node goes")],
    ),
    Row(OperationKind::Unwrap, "unwrap", "Replace a node by its body", &[NODE]),
    Row(
        OperationKind::Rename,
        "rename",
        "Rename a definition",
        &[
            Word::Text("target", "NODE", "The definition"),
            Word::Text("to", "NAME", "The new name"),
            Word::References("Rename its references in the file, too"),
        ],
    ),
    Row(
        OperationKind::Sub,
        "sub",
        "Replace text inside a node",
        &[
            NODE,
            Word::Text("find", "FIND", "The text to find"),
            Word::Text("replace", "REPLACE", "The replacement"),
            Word::Flag("regex", "FIND is a regular expression; `$1` in REPLACE is its first group"),
        ],
    ),
    Row(
        OperationKind::EnsureImport,
        "ensure-import",
        "Add an import unless it exists",
        &[Word::Text("code", "CODE", "The import statement")],
    ),
    Row(
        OperationKind::ReplaceRange,
        "replace-range",
        "Replace several neighbouring nodes by code",
        &[
            Word::Text("from", "FROM", "The first node"),
            Word::Text("to", "TO", "The last node, a sibling of the first"),
            CODE,
        ],
    ),
];

impl Word {
    fn argument(&self) -> Arg {
        match *self {
            Word::Text(field, name, help) => Arg::new(field).value_name(name).help(help).required(true),
            Word::Place(help) => {
                let values = EnumValueParser::<Position>::new();
                Arg::new("position").value_name("PLACE").help(help).required(true).value_parser(values)
            }
            Word::Flag(field, help) => Arg::new(field).long(field).help(help).action(ArgAction::SetTrue),
            Word::References(help) => {
                let values = EnumValueParser::<References>::new();
                Arg::new("references").long("references").value_name("REFERENCES").help(help).value_parser(values)
            }
        }
    }
}

impl Subcommand for Operation {
    fn augment_subcommands(command: Command) -> Command {
        let subcommand =
            |Row(_, name, about, words): &Row| Command::new(*name).about(*about).args(words.iter().map(Word::argument));
        command.subcommands(ROWS.iter().map(subcommand))
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Operation::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        ROWS.iter().any(|row| row.1 == name)
    }
}

impl FromArgMatches for Operation {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Operation, clap::Error> {
        let found = matches.subcommand().and_then(|(name, words)| {
            let row = ROWS.iter().find(|row| row.1 == name)?;
            Some(Operation { kind: row.0, words: words.clone() })
        });
        found.ok_or_else(|| clap::Error::new(ErrorKind::MissingSubcommand))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Operation::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Operation {
    /// The operation of a request, with the code of its CODE argument.
    pub(super) fn request(&self, input: &mut Input) -> Result<engine::Operation, Failure> {
        edit::Operation::read(self.kind, &mut Words { words: &self.words, input }).map(Into::into)
    }
}

/// The words of an operation, and where code in files comes from.
struct Words<'a> {
    words: &'a ArgMatches,
    input: &'a mut Input,
}

impl Words<'_> {
    fn get<T: Clone + Send + Sync + 'static>(&self, field: &str) -> Option<T> {
        self.words.try_get_one(field).ok().flatten().cloned()
    }
}

/// What an operation has no word for keeps its default.
impl Fields for Words<'_> {
    type Target = String;
    type Code = String;
    type Error = Failure;

    fn target(&mut self, field: &'static str) -> Result<String, Failure> {
        self.text(field)
    }

    fn code(&mut self, field: &'static str) -> Result<String, Failure> {
        let word = self.text(field)?;
        // A name is a name.
        if field == "code" { self.input.code(&word) } else { Ok(word) }
    }

    fn text(&mut self, field: &'static str) -> Result<String, Failure> {
        Ok(self.get(field).unwrap_or_default())
    }

    fn position(&mut self) -> Result<Position, Failure> {
        Ok(self.get("position").unwrap_or(Position::After))
    }

    fn extent(&mut self) -> Result<Option<Extent>, Failure> {
        Ok(None)
    }

    fn references(&mut self) -> Result<Option<References>, Failure> {
        Ok(self.get("references"))
    }

    fn regex(&mut self) -> Result<bool, Failure> {
        Ok(self.get("regex").unwrap_or(false))
    }
}
