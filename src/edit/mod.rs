//! Edits: operations on the nodes of a tree, made text, and checked.
//!
//! [`apply`] takes a batch of [`Op`]s, all of which name nodes of the tree as it stands, and makes the next revision or
//! says why not. It goes in three steps. Each operation, in its own file, *plans*: what goes, what comes, and what
//! that means for the nodes. The plan of the batch is *laid out* (`block` for statements, `list` for elements with
//! separators), since what one operation leaves behind depends on the others: two deletes may empty a block. The new
//! text is parsed, and the *gates* look at it: no new syntax error, and nothing outside of the edit changed (`neighbours`: not
//! even a wrapper or an attribute; `swallowed`: nor a definition that a syntax error made a part of another).
//!
//! This module knows nothing of selectors, ids and files.

mod block;
mod copied;
mod delete;
mod diagnose;
mod emptied;
mod error;
mod extent;
mod filling;
mod fragment;
mod frame;
mod gate;
mod grouping;
mod imported;
mod imports;
mod insert;
mod layout;
mod list;
mod misplaced;
mod neighbours;
mod plan;
mod reading;
mod relocate;
mod rename;
mod replace;
mod rewrite;
mod rows;
mod scopes;
mod sub;
mod swallowed;
mod template;
mod unwrap;
mod wrap;

pub use delete::{Imported, imported};
pub use error::{BadRequest, EditError};
#[doc(hidden)]
pub use rename::reference_steps;
pub use rewrite::{Renamed, RewriteError, Rewritten, Site, renamed, renames, rewrite};
pub use template::{FILTERS, Template, TemplateError, fill};

use crate::text::EditSet;
use crate::tree::{Carry, Edited, Node, ParseLimits, Tree};

/// The nodes of a tree that stand where the language doesn't let them without parentheses, though the grammar does.
#[doc(hidden)]
pub fn misgrouped(tree: &Tree) -> Vec<Node> {
    grouping::Grouping::new(tree).faults()
}

/// One operation of a batch. Its nodes are of the tree before the batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Op {
    /// Puts code in a node's place.
    Replace {
        /// The node.
        target: Node,
        /// The code.
        code: String,
        /// How much of a definition goes; [`Extent::Node`] unless the code brings decorators of its own.
        extent: Option<Extent>,
    },
    /// Puts code in the place of consecutive siblings.
    ReplaceRange {
        /// The first.
        from: Node,
        /// The last.
        to: Node,
        /// The code.
        code: String,
        /// Whether decorators and comments above the first go too; they stay by default.
        extent: Option<Extent>,
    },
    /// Puts code beside a node, or in its body or list.
    Insert {
        /// The node.
        target: Node,
        /// Where.
        position: Position,
        /// The code.
        code: String,
        /// Whether `before` means above decorators and comments; it does by default.
        extent: Option<Extent>,
    },
    /// Takes a node away.
    Delete {
        /// The node.
        target: Node,
        /// Whether decorators and comments above go too; they do by default.
        extent: Option<Extent>,
    },
    /// Takes a node to another place.
    Move {
        /// The node.
        target: Node,
        /// Where, seen from `to`.
        position: Position,
        /// The node that says where.
        to: Node,
        /// Whether decorators and comments above go too; they do by default.
        extent: Option<Extent>,
    },
    /// Puts code around a node.
    Wrap {
        /// The node.
        target: Node,
        /// The code, with `$0` where the node goes.
        code: String,
        /// Whether decorators and comments above are wrapped too.
        extent: Option<Extent>,
    },
    /// Puts a node's body in its place.
    Unwrap {
        /// The node.
        target: Node,
    },
    /// Gives a definition another name.
    Rename {
        /// The definition.
        target: Node,
        /// The new name.
        to: String,
        /// Whether all that resolves to it in this file is renamed too.
        references: bool,
    },
    /// Replaces text inside of a node.
    Sub {
        /// The node.
        target: Node,
        /// What to find.
        find: String,
        /// What to put there; with `regex`, `$1` is a group.
        replace: String,
        /// Whether `find` is a regex.
        regex: bool,
    },
    /// Imports something unless it is imported already.
    EnsureImport {
        /// The import.
        code: String,
    },
}

/// Where an insert goes, seen from its target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Position {
    /// Above it, or before it in its list.
    Before,
    /// Below it, or after it in its list.
    After,
    /// First in its body or list; below a docstring.
    First,
    /// Last in its body or list.
    Last,
}

/// How much belongs to a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// Its decorators and the comments attached above it too.
    Full,
    /// The node alone.
    Node,
}

/// Which gates a batch may pass unchecked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Allow {
    /// New syntax errors.
    pub syntax: bool,
    /// Changes to nodes outside of the edit.
    pub structure: bool,
}

/// A batch applied.
#[derive(Debug)]
pub struct Outcome {
    /// The next revision; the same tree when nothing changed.
    pub tree: Tree,
    /// What changed in the text.
    pub edits: EditSet,
    /// What became of the old nodes.
    pub carry: Carry,
    /// What each operation made, in order.
    pub operations: Vec<Made>,
}

/// What an operation made.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Made {
    /// The outermost named nodes of the new tree.
    pub nodes: Vec<Node>,
    /// What else there is to say: ``kept the decorators of `f` ``.
    pub notes: Vec<String>,
}

/// Applies a batch: all of it or, with an error, nothing.
///
/// # Errors
/// When operations conflict, one can't be done, or a gate refuses the result.
pub fn apply(tree: &Tree, ops: &[Op], allow: Allow, limits: &ParseLimits) -> Result<Outcome, EditError> {
    let composed = plan::plan(tree, ops, limits)?;
    let edited = tree.edit(&composed.edits, &composed.intent, limits).map_err(EditError::Parse)?;
    if composed.edits.is_empty() {
        let operations = composed.made(tree, &edited.carry, &edited.tree);
        return Ok(Outcome { tree: tree.clone(), edits: composed.edits, carry: edited.carry, operations });
    }
    gate::check(tree, &edited, &composed, (allow, limits))?;
    let operations = composed.made(tree, &edited.carry, &edited.tree);
    if !allow.structure
        && let Some(error) = unbound(tree, &edited, &operations)
    {
        return Err(error);
    }
    Ok(Outcome { tree: edited.tree, edits: composed.edits, carry: edited.carry, operations })
}

/// The error for code that the language reads otherwise in its place than the grammar does.
fn unbound(tree: &Tree, edited: &Edited, operations: &[Made]) -> Option<EditError> {
    const SHOWN: usize = 40;
    let (before, after) = (grouping::Grouping::new(tree), grouping::Grouping::new(&edited.tree));
    if after.is_empty() || !edited.tree.is_sound() {
        return None;
    }
    let stands = |node: Node| {
        let span = edited.tree.span(node);
        after.seat(node).is_none_or(|seat| after.binds(seat)) && after.banned(node, span, None).is_empty()
    };
    let stood = |node: Node| before.seat(node).is_none_or(|seat| before.binds(seat));
    let mut made = operations.iter().enumerate().flat_map(|(at, made)| made.nodes.iter().map(move |&node| (at, node)));
    let (operation, node) = made.find(|&(_, node)| !stands(node) && edited.carry.preimage(node).is_none_or(stood))?;
    let text = edited.tree.node_text(node);
    let shown: String = text.lines().next().unwrap_or("").chars().take(SHOWN).collect();
    let target = edited.carry.preimage(node).unwrap_or(Node::ROOT);
    Some(EditError::WouldRestructure {
        operation,
        node: target,
        what: format!("`{}` `{shown}`", edited.tree.type_name(node)),
        how: "read as something else in its place: put it in parentheses".to_owned(),
        place: edited.tree.text().position(edited.tree.span(node).start()),
    })
}
