//! Why a batch was not applied.

use crate::text::{Position, Span};
use crate::tree::{Node, ParseError};

/// Why a batch was not applied. Operations count from 0.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// Two operations change the same text.
    #[error("operations {first} and {second} overlap")]
    Conflict {
        /// One operation.
        first: usize,
        /// The other.
        second: usize,
        /// The bytes of the old text that both change.
        span: Span,
    },
    /// The new text has a syntax error that the old one did not have.
    #[error("{message} in line {}\n{line}\n{caret}", place.line)]
    WouldBreakSyntax {
        /// The operation nearest to the error.
        operation: usize,
        /// The place in the new text.
        place: Position,
        /// The line with the error.
        line: String,
        /// Whitespace up to the error, and a caret.
        caret: String,
        /// The message: ``missing `:` ``.
        message: String,
    },
    /// A node outside the edit would change its type or its parents.
    #[error("the {what} in line {} would be {how}", place.line)]
    WouldRestructure {
        /// The operation nearest to the node.
        operation: usize,
        /// The node in the old tree.
        node: Node,
        /// A description of the node: its type and its name or text.
        what: String,
        /// What would happen to it.
        how: String,
        /// The place of the node before the edit.
        place: Position,
    },
    /// Definitions would be deleted with a node that contains them only because of a syntax error.
    #[error(
        "the syntax error at {error} makes {} in line {} a part of {what}, which would change with it",
        names_of(names),
        lines_of(lines)
    )]
    WouldLose {
        /// The operation.
        operation: usize,
        /// The node of the operation.
        node: Node,
        /// Its name.
        what: String,
        /// The definitions.
        names: Vec<String>,
        /// Their lines.
        lines: Vec<usize>,
        /// The place of the syntax error.
        error: Position,
    },
    /// An invalid operation.
    #[error("{problem}")]
    BadRequest {
        /// The operation.
        operation: usize,
        /// The problem.
        problem: BadRequest,
    },
    /// A template uses captures too often.
    #[error("the template puts captures in more than {limit} places")]
    TooManyPieces {
        /// The limit.
        limit: usize,
    },
    /// The new text cannot be parsed.
    #[error(transparent)]
    Parse(ParseError),
}

/// Why an operation is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadRequest {
    /// `first` or `last` of a node without a body or list.
    #[error("`{type_name}` has no body or list to insert into")]
    NoBody {
        /// The node's type.
        type_name: String,
    },
    /// A node next to which nothing can be inserted.
    #[error("`{type_name}` is neither in a block nor in a list")]
    NoPlace {
        /// The node's type.
        type_name: String,
    },
    /// The code is empty.
    #[error("the code is empty")]
    EmptyCode,
    /// The ends of a range are not siblings in order.
    #[error("`from` and `to` are not siblings in this order")]
    NoRange,
    /// A node moved into itself.
    #[error("a node cannot be moved into itself")]
    IntoItself,
    /// A template without `$0`.
    #[error("the code to wrap with has no `$0`")]
    NoPlaceholder,
    /// There is nothing to replace the node with.
    #[error("`{type_name}` has no body to replace it with")]
    NothingInside {
        /// The node's type.
        type_name: String,
    },
    /// A node that defines no name.
    #[error("`{type_name}` is not a definition with a name")]
    NoDefinition {
        /// The node's type.
        type_name: String,
    },
    /// An invalid new name.
    #[error("`{to}` is not a valid name")]
    NoName {
        /// The name asked for.
        to: String,
    },
    /// References in a language whose rules have not been verified.
    #[error("`references` is not supported for {language} (supported: {})", supported.join(", "))]
    NoReferences {
        /// The language.
        language: String,
        /// The supported languages.
        supported: Vec<String>,
    },
    /// The new name already means something else at one of the uses.
    #[error("`{to}` already means something else in line {line}")]
    NameTaken {
        /// The name asked for.
        to: String,
        /// The line where it is taken.
        line: usize,
    },
    /// A name with an uncertain meaning.
    #[error("`{name}` in line {line} {reason}, so its references are uncertain")]
    Unclear {
        /// The name.
        name: String,
        /// The line.
        line: usize,
        /// The reason.
        reason: &'static str,
    },
    /// A name that is written in several tokens, or in none.
    #[error("the name `{name}` is not a single token in the code")]
    NameInParts {
        /// The name.
        name: String,
    },
    /// A name that an import binds, and under which other files know it.
    #[error("it is imported under this name in line {line}")]
    Imported {
        /// The line.
        line: usize,
    },
    /// `sub` found nothing.
    #[error("`{find}` is not in the node's text")]
    NotFound {
        /// The text that was searched for.
        find: String,
    },
    /// `find` is not a valid regex.
    #[error("bad regex: {message}")]
    BadRegex {
        /// The message.
        message: String,
    },
    /// A list that must not become empty.
    #[error("nothing would be left of `{code}`, and the language needs something there")]
    NothingLeft {
        /// Its first line.
        code: String,
    },
    /// The name of an import is bound to something else.
    #[error("`{name}` already means something else{}", line.map(|line| format!(" in line {line}")).unwrap_or_default())]
    ImportTaken {
        /// The name.
        name: String,
        /// The line of the binding; `None` for another import of the batch.
        line: Option<usize>,
    },
    /// A part of the import exists, and the rest cannot be written separately.
    #[error("a part of the import exists already, and the rest cannot be separated from it")]
    ImportPartly,
    /// The code for `ensure_import` is not an import.
    #[error("the code is not an import")]
    NoImport,
}

/// The first few names, and the number of the others.
fn names_of(names: &[String]) -> String {
    const SHOWN: usize = 5;
    let shown: Vec<String> = names.iter().take(SHOWN).map(|name| format!("`{name}`")).collect();
    let more = names.len().saturating_sub(SHOWN);
    if more == 0 { shown.join(", ") } else { format!("{} and {more} more", shown.join(", ")) }
}

/// The lines of these names.
fn lines_of(lines: &[usize]) -> String {
    const SHOWN: usize = 5;
    lines.iter().take(SHOWN).map(usize::to_string).collect::<Vec<_>>().join(", ")
}

impl EditError {
    /// The failed operation, from 0.
    pub fn operation(&self) -> Option<usize> {
        match self {
            EditError::Conflict { second, .. } => Some(*second),
            EditError::WouldBreakSyntax { operation, .. }
            | EditError::WouldRestructure { operation, .. }
            | EditError::WouldLose { operation, .. }
            | EditError::BadRequest { operation, .. } => Some(*operation),
            EditError::TooManyPieces { .. } | EditError::Parse(_) => None,
        }
    }

    /// The line of the problem.
    pub fn line(&self) -> Option<usize> {
        match self {
            EditError::WouldBreakSyntax { place, .. } | EditError::WouldRestructure { place, .. } => Some(place.line),
            EditError::WouldLose { lines, .. } => lines.first().copied(),
            _ => None,
        }
    }

    /// How to fix it.
    pub fn hint(&self) -> Option<&'static str> {
        let hint = match self {
            EditError::Conflict { .. } => "put both changes into one operation, or send them one after the other",
            EditError::WouldBreakSyntax { .. } => "check the code and where it goes",
            EditError::WouldRestructure { .. } => "complete the code, or put it in parentheses",
            EditError::WouldLose { .. } => {
                "fix the syntax error first, with `sub` or by replacing a smaller node, or give code that also contains these \
                 definitions"
            }
            EditError::BadRequest { problem, .. } => return problem.hint(),
            EditError::Parse(ParseError::TooLarge { .. }) => "raise the limit of a file's size",
            EditError::TooManyPieces { .. } => "narrow the selector so that it matches less at a time",
            EditError::Parse(_) => return None,
        };
        Some(hint)
    }
}

impl BadRequest {
    fn hint(&self) -> Option<&'static str> {
        Some(match self {
            BadRequest::NoBody { .. } => "use `before` or `after`, name a node with a body, or `replace` the node",
            BadRequest::NoPlace { .. } => {
                "name the statement or the list element around it, or `replace` the node by itself and the new code"
            }
            BadRequest::EmptyCode => "to remove a node, use `delete`",
            BadRequest::NoPlaceholder => "write `$0` where the node goes",
            BadRequest::NoDefinition { .. } => "name the function, class, variable or parameter itself",
            BadRequest::NoReferences { .. } => {
                "`refactor rename` renames a symbol in the whole project; without it, rename the definition alone, or rewrite every node of that name"
            }
            BadRequest::NameTaken { .. } => "choose another name, or rename the other one first",
            BadRequest::Unclear { .. } => {
                "`refactor rename` knows more, by the whole project; without it, rename the definition alone, and the other places one by one"
            }
            BadRequest::NameInParts { .. } => "replace only the part that changes",
            BadRequest::Imported { .. } => "import it under another name (`as`), then rename that",
            BadRequest::ImportTaken { .. } => {
                "import it under another name, or rename the definition that has the name"
            }
            BadRequest::ImportPartly => "ask for each name with an operation of its own",
            BadRequest::NothingLeft { .. } => "delete what is around it, or replace it",
            BadRequest::NotFound { .. } => "look at the node's text",
            _ => return None,
        })
    }
}
