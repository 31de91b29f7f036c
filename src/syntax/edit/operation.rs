//! The operations of a batch, and the result of applying them.

use crate::naming::named_enum;
use crate::text::EditSet;
use crate::tree::{Node, NodeMap, Tree};

/// An operation of a batch. `T` says how it names nodes, `C` how it has code: [`Op`] has nodes of the tree before the batch and code
/// as it will be; a request has words for nodes, and a script has captures and templates.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(tag = "op", rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub enum Operation<T, C> {
    /// Replace a node by code.
    Replace {
        /// The node.
        target: T,
        /// The code.
        code: C,
        /// How much of a definition is replaced; the node alone unless the code brings decorators of its own.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        extent: Option<Extent>,
    },
    /// Replace consecutive siblings by code.
    ReplaceRange {
        /// The first sibling.
        from: T,
        /// The last sibling.
        to: T,
        /// The code.
        code: C,
        /// Whether the decorators and comments above the first are replaced too; they stay by default.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        extent: Option<Extent>,
    },
    /// Add code before or after a node, or first or last inside it.
    Insert {
        /// The node.
        target: T,
        /// Where the code goes, seen from the node.
        position: Position,
        /// The code.
        code: C,
        /// Whether `before` means above decorators and comments; by default it does.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        extent: Option<Extent>,
    },
    /// Delete a node.
    Delete {
        /// The node.
        target: T,
        /// Whether the decorators and comments above it are deleted too; they are by default.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        extent: Option<Extent>,
    },
    /// Move a node.
    Move {
        /// The node.
        target: T,
        /// Where the node goes, seen from `to`.
        position: Position,
        /// The node that it goes to.
        to: T,
        /// Whether the decorators and comments above it move too; they do by default.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        extent: Option<Extent>,
    },
    /// Wrap a node in code.
    Wrap {
        /// The node.
        target: T,
        /// The code, with `$0` where the node goes.
        code: C,
        /// Whether the decorators and comments above it are wrapped too.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        extent: Option<Extent>,
    },
    /// Replace a node by its body.
    Unwrap {
        /// The node.
        target: T,
    },
    /// Rename a definition.
    Rename {
        /// The definition.
        target: T,
        /// The new name.
        to: C,
        /// Which references are renamed too; none by default.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        references: Option<References>,
    },
    /// Replace text inside a node.
    Sub {
        /// The node.
        target: T,
        /// The text to find, or a regular expression.
        find: String,
        /// The replacement; $1 is the first group of a regular expression.
        replace: String,
        /// Whether `find` is a regular expression.
        #[serde(default, skip_serializing_if = "is_false")]
        regex: bool,
    },
    /// Add an import unless it exists.
    EnsureImport {
        /// The import statement.
        code: C,
    },
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
fn is_false(flag: &bool) -> bool {
    !flag
}

/// An operation on nodes of a tree, with its code.
pub type Op = Operation<Node, String>;

named_enum! {
    /// Which operation.
    pub enum OperationKind {
        /// Replace a node by code.
        Replace = "replace",
        /// Replace consecutive siblings by code.
        ReplaceRange = "replace_range",
        /// Add code before or after a node, or first or last inside it.
        Insert = "insert",
        /// Delete a node.
        Delete = "delete",
        /// Move a node.
        Move = "move",
        /// Wrap a node in code.
        Wrap = "wrap",
        /// Replace a node by its body.
        Unwrap = "unwrap",
        /// Rename a definition.
        Rename = "rename",
        /// Replace text inside a node.
        Sub = "sub",
        /// Add an import unless it exists.
        EnsureImport = "ensure_import",
    }
}

impl OperationKind {
    /// The operation that other tools call so.
    pub fn called_elsewhere(name: &str) -> Option<OperationKind> {
        Some(match name {
            "remove" | "rm" | "del" => OperationKind::Delete,
            "add" | "append" | "prepend" => OperationKind::Insert,
            "update" | "change" | "set" | "edit" => OperationKind::Replace,
            _ => return None,
        })
    }

    /// The names of its fields.
    pub fn fields(self) -> &'static [&'static str] {
        match self {
            OperationKind::Replace | OperationKind::Wrap => &["target", "code", "extent"],
            OperationKind::ReplaceRange => &["from", "to", "code", "extent"],
            OperationKind::Insert => &["target", "position", "code", "extent"],
            OperationKind::Delete => &["target", "extent"],
            OperationKind::Move => &["target", "position", "to", "extent"],
            OperationKind::Unwrap => &["target"],
            OperationKind::Rename => &["target", "to", "references"],
            OperationKind::Sub => &["target", "find", "replace", "regex"],
            OperationKind::EnsureImport => &["code"],
        }
    }
}

/// What an operation is read from: the fields of a JSON object, the keys of a TOML table, the words of a command.
pub trait Fields {
    /// How nodes are named.
    type Target;
    /// Code as it is written.
    type Code;
    /// Why a field cannot be read.
    type Error;

    /// The node that a field names.
    ///
    /// # Errors
    /// When it does not name one.
    fn target(&mut self, field: &'static str) -> Result<Self::Target, Self::Error>;

    /// The code of a field.
    ///
    /// # Errors
    /// When there is none.
    fn code(&mut self, field: &'static str) -> Result<Self::Code, Self::Error>;

    /// The code to wrap a node in.
    ///
    /// # Errors
    /// When there is none, or it does not say where the node goes.
    fn wrapper(&mut self) -> Result<Self::Code, Self::Error> {
        self.code("code")
    }

    /// The text of a field.
    ///
    /// # Errors
    /// When there is none.
    fn text(&mut self, field: &'static str) -> Result<String, Self::Error>;

    /// Where code or a node goes.
    ///
    /// # Errors
    /// When it is missing or not a position.
    fn position(&mut self) -> Result<Position, Self::Error>;

    /// How much belongs to a definition, if it is given.
    ///
    /// # Errors
    /// When it is not an extent.
    fn extent(&mut self) -> Result<Option<Extent>, Self::Error>;

    /// Which references are renamed, if it is given.
    ///
    /// # Errors
    /// When there are no such references.
    fn references(&mut self) -> Result<Option<References>, Self::Error>;

    /// Whether a text is a regular expression.
    ///
    /// # Errors
    /// When it is neither true nor false.
    fn regex(&mut self) -> Result<bool, Self::Error>;
}

impl<T, C> Operation<T, C> {
    /// Reads an operation of a kind.
    ///
    /// # Errors
    /// At the first field that cannot be read.
    pub fn read<F: Fields<Target = T, Code = C>>(kind: OperationKind, fields: &mut F) -> Result<Self, F::Error> {
        Ok(match kind {
            OperationKind::Replace => Operation::Replace {
                target: fields.target("target")?,
                code: fields.code("code")?,
                extent: fields.extent()?,
            },
            OperationKind::ReplaceRange => Operation::ReplaceRange {
                from: fields.target("from")?,
                to: fields.target("to")?,
                code: fields.code("code")?,
                extent: fields.extent()?,
            },
            OperationKind::Insert => Operation::Insert {
                target: fields.target("target")?,
                position: fields.position()?,
                code: fields.code("code")?,
                extent: fields.extent()?,
            },
            OperationKind::Delete => Operation::Delete { target: fields.target("target")?, extent: fields.extent()? },
            OperationKind::Move => Operation::Move {
                target: fields.target("target")?,
                position: fields.position()?,
                to: fields.target("to")?,
                extent: fields.extent()?,
            },
            OperationKind::Wrap => {
                Operation::Wrap { target: fields.target("target")?, code: fields.wrapper()?, extent: fields.extent()? }
            }
            OperationKind::Unwrap => Operation::Unwrap { target: fields.target("target")? },
            OperationKind::Rename => Operation::Rename {
                target: fields.target("target")?,
                to: fields.code("to")?,
                references: fields.references()?,
            },
            OperationKind::Sub => Operation::Sub {
                target: fields.target("target")?,
                find: fields.text("find")?,
                replace: fields.text("replace")?,
                regex: fields.regex()?,
            },
            OperationKind::EnsureImport => Operation::EnsureImport { code: fields.code("code")? },
        })
    }

    /// Which operation it is.
    pub fn kind(&self) -> OperationKind {
        match self {
            Operation::Replace { .. } => OperationKind::Replace,
            Operation::ReplaceRange { .. } => OperationKind::ReplaceRange,
            Operation::Insert { .. } => OperationKind::Insert,
            Operation::Delete { .. } => OperationKind::Delete,
            Operation::Move { .. } => OperationKind::Move,
            Operation::Wrap { .. } => OperationKind::Wrap,
            Operation::Unwrap { .. } => OperationKind::Unwrap,
            Operation::Rename { .. } => OperationKind::Rename,
            Operation::Sub { .. } => OperationKind::Sub,
            Operation::EnsureImport { .. } => OperationKind::EnsureImport,
        }
    }

    /// The nodes that it names: of a range the first and the last, of a move the node and where it goes.
    pub fn targets(&self) -> Vec<&T> {
        match self {
            Operation::ReplaceRange { from, to, .. } => vec![from, to],
            Operation::Move { target, to, .. } => vec![target, to],
            Operation::Replace { target, .. }
            | Operation::Insert { target, .. }
            | Operation::Delete { target, .. }
            | Operation::Wrap { target, .. }
            | Operation::Unwrap { target }
            | Operation::Rename { target, .. }
            | Operation::Sub { target, .. } => vec![target],
            Operation::EnsureImport { .. } => Vec::new(),
        }
    }

    /// Its code, or the new name.
    pub fn code(&self) -> Option<&C> {
        match self {
            Operation::Replace { code, .. }
            | Operation::ReplaceRange { code, .. }
            | Operation::Insert { code, .. }
            | Operation::Wrap { code, .. }
            | Operation::EnsureImport { code }
            | Operation::Rename { to: code, .. } => Some(code),
            Operation::Delete { .. } | Operation::Move { .. } | Operation::Unwrap { .. } | Operation::Sub { .. } => {
                None
            }
        }
    }

    /// The same operation on other nodes, with other code. `node` gets the place in [`targets`](Self::targets) as well.
    ///
    /// # Errors
    /// The first error of `node` or `fill`.
    pub fn try_map<N, D, E>(
        &self,
        mut node: impl FnMut(usize, &T) -> Result<N, E>,
        mut fill: impl FnMut(&C) -> Result<D, E>,
    ) -> Result<Operation<N, D>, E> {
        Ok(match self {
            Operation::Replace { target, code, extent } => {
                Operation::Replace { target: node(0, target)?, code: fill(code)?, extent: *extent }
            }
            Operation::ReplaceRange { from, to, code, extent } => {
                Operation::ReplaceRange { from: node(0, from)?, to: node(1, to)?, code: fill(code)?, extent: *extent }
            }
            Operation::Insert { target, position, code, extent } => {
                Operation::Insert { target: node(0, target)?, position: *position, code: fill(code)?, extent: *extent }
            }
            Operation::Delete { target, extent } => Operation::Delete { target: node(0, target)?, extent: *extent },
            Operation::Move { target, position, to, extent } => {
                Operation::Move { target: node(0, target)?, position: *position, to: node(1, to)?, extent: *extent }
            }
            Operation::Wrap { target, code, extent } => {
                Operation::Wrap { target: node(0, target)?, code: fill(code)?, extent: *extent }
            }
            Operation::Unwrap { target } => Operation::Unwrap { target: node(0, target)? },
            Operation::Rename { target, to, references } => {
                Operation::Rename { target: node(0, target)?, to: fill(to)?, references: *references }
            }
            Operation::Sub { target, find, replace, regex } => {
                Operation::Sub { target: node(0, target)?, find: find.clone(), replace: replace.clone(), regex: *regex }
            }
            Operation::EnsureImport { code } => Operation::EnsureImport { code: fill(code)? },
        })
    }
}

named_enum! {
    /// Where something goes, seen from a node.
    #[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
    pub enum Position {
        /// Before the node.
        Before = "before",
        /// After the node.
        After = "after",
        /// First in the node's body or list, below a docstring.
        First = "first",
        /// Last in the node's body or list.
        Last = "last",
    }
}

named_enum! {
    /// The extent of a definition.
    #[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
    pub enum Extent {
        /// The node alone.
        Node = "node",
        /// The node with its decorators and the comments attached above it.
        Full = "full",
    }
}

named_enum! {
    /// Which references a rename changes too.
    #[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
    pub enum References {
        /// Those in the file.
        File = "file",
    }
}

named_enum! {
    /// A check of an edit's result, which can be disabled.
    #[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
    pub enum Gate {
        /// New syntax errors.
        Syntax = "syntax",
        /// Changes to how the surrounding code nests.
        Structure = "structure",
    }
}

/// Which gates are disabled.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Allow {
    /// New syntax errors.
    pub syntax: bool,
    /// Changes to nodes outside the edit.
    pub structure: bool,
    /// Code in strings with the quotes of the string, in languages that read it only from one of their versions on.
    pub quotes: bool,
}

impl From<&[Gate]> for Allow {
    fn from(gates: &[Gate]) -> Allow {
        Allow { syntax: gates.contains(&Gate::Syntax), structure: gates.contains(&Gate::Structure), quotes: false }
    }
}

/// The result of a batch.
#[derive(Debug)]
pub struct Outcome {
    /// The next revision; the same tree if nothing changed.
    pub tree: Tree,
    /// The changes of the text.
    pub edits: EditSet,
    /// The mapping between old and new nodes.
    pub node_map: NodeMap,
    /// The results of the operations, in order.
    pub operations: Vec<Made>,
}

/// The result of an operation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Made {
    /// The outermost named nodes of the new tree.
    pub nodes: Vec<Node>,
    /// Notes for the user: ``kept the decorators of `f` ``.
    pub notes: Vec<String>,
}
