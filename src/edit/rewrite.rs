//! Rewriting: matches replaced by a template, in one pass.

use super::{Allow, EditError, Op, Outcome, Template, TemplateError};
use crate::tree::{Captured, Node, ParseLimits, Tree};

/// A match to be rewritten.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Site {
    /// The node that is replaced.
    pub node: Node,
    /// What the template may use.
    pub captures: Vec<(String, Captured)>,
}

/// A tree rewritten.
#[derive(Debug)]
pub struct Rewritten {
    /// The next revision, and how it came about; one operation for each site, in order.
    pub outcome: Outcome,
    /// How many sites changed the text.
    pub changed: usize,
    /// Sites left alone, since they overlap one that was rewritten.
    pub overlapping: Vec<Node>,
}

/// Why a tree wasn't rewritten.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RewriteError {
    /// The template asks for what there isn't.
    #[error(transparent)]
    Template(#[from] TemplateError),
    /// The result was refused; operations are the sites in order.
    #[error(transparent)]
    Edit(#[from] EditError),
}

/// Replaces each site by the template, filled from its captures.
///
/// # Errors
/// When the template can't be filled, or a gate refuses the result.
pub fn rewrite(
    tree: &Tree,
    sites: &[Site],
    template: &Template,
    allow: Allow,
    limits: &ParseLimits,
) -> Result<Rewritten, RewriteError> {
    let filled = |site: &Site| {
        let code = template.fill(tree, &site.captures, Some(site.node))?;
        Ok(Op::Replace { target: site.node, code, extent: None })
    };
    let ops = sites.iter().map(filled).collect::<Result<Vec<Op>, TemplateError>>()?;
    let outcome = super::apply(tree, &ops, allow, limits)?;
    let changed = outcome.edits.len();
    Ok(Rewritten { outcome, changed, overlapping: Vec::new() })
}
