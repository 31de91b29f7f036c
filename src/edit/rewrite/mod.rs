//! Rewriting: matches replaced by a template, all of them in one pass.
//!
//! Match and template are compared word by word ([`align`]), so that what is in both stays where it is with the space and the comments
//! around it, and a change of a name changes nothing else. What a capture holds is rewritten before it is put in
//! place ([`compose`]). Then the text is parsed, and every capture looked up in it: one that isn't a node any more,
//! since what stands beside it takes it apart, is put in parentheses ([`place`]). In the end the gates decide, as for any edit.

mod align;
mod compose;
mod place;
mod renaming;
mod words;
mod write;

pub use renaming::{Renamed, renamed, renames};

use std::borrow::Cow;

use super::gate;
use super::plan;
use super::{Allow, EditError, Made, Op, Outcome, Template, TemplateError};
use crate::text::{EditSet, Span};
use crate::tree::{Captured, Claim, Intent, Node, ParseLimits, Tree};
use compose::{Composed, Composer, Parens};

/// How often parentheses are put in and the text is parsed again.
const ROUNDS: usize = 4;

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
    /// The next revision, and how it came about; one operation for each site, in order of their places.
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
    /// The result was refused; operations are the sites in order of their places.
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
    let sites = sorted(tree, sites);
    sites.iter().try_for_each(|site| template.check(&site.captures))?;
    if template.is_empty() {
        return deleted(tree, &sites, allow, limits);
    }
    let composer = Composer::new(tree, &sites, template, limits.bytes);
    let mut parens = Parens::default();
    let mut refused = Parens::default();
    for round in 0.. {
        let composed = composer.compose(&parens)?;
        let overlapping = sites.iter().zip(&composed.written).filter(|(_, written)| !**written);
        let overlapping = overlapping.map(|(site, _)| site.node).collect();
        if composed.edits.is_empty() {
            let outcome = super::apply(tree, &[], allow, limits)?;
            return Ok(Rewritten { outcome, changed: 0, overlapping });
        }
        let planned = planned(tree, &sites, template, &composed);
        let edited = tree.edit(&planned.edits, &planned.intent, limits).map_err(EditError::Parse)?;
        if round < ROUNDS && composer.has_parens() {
            let mut misplaced = place::misplaced(tree, &edited.tree, &sites, template, &composed.marks);
            misplaced.retain(|(_, place)| !place.is_some_and(|place| composer.is_glued(place)));
            // Parentheses that don't help are taken away again, and not tried twice.
            let useless: Vec<_> = misplaced.iter().filter(|found| parens.contains(*found)).copied().collect();
            let is_fresh = |found: &(usize, Option<usize>)| !parens.contains(found) && !refused.contains(found);
            // Where the whole is taken apart, its captures may be whole as soon as it has parentheses.
            let wholes: rustc_hash::FxHashSet<usize> =
                misplaced.iter().filter(|found| found.1.is_none() && is_fresh(found)).map(|found| found.0).collect();
            let fresh =
                misplaced.iter().filter(|found| is_fresh(found) && (found.1.is_none() || !wholes.contains(&found.0)));
            let fresh: Vec<_> = fresh.copied().collect();
            if !useless.is_empty() || !fresh.is_empty() {
                parens.retain(|found| !useless.contains(found));
                refused.extend(useless);
                parens.extend(fresh);
                continue;
            }
        }
        gate::check(tree, &edited, &planned, (allow, limits))?;
        let changed = changed(&sites, tree, &composed);
        let operations = vec![Made::default(); sites.len()];
        let outcome = Outcome { tree: edited.tree, edits: planned.edits, carry: edited.carry, operations };
        return Ok(Rewritten { outcome, changed, overlapping });
    }
    unreachable!("the last round returns")
}

/// Sites by their places, outer ones first, each once.
fn sorted<'s>(tree: &Tree, sites: &'s [Site]) -> Cow<'s, [Site]> {
    let place = |site: &Site| (tree.span(site.node).start(), std::cmp::Reverse(tree.span(site.node).end()), site.node);
    // As queries give them they are in order.
    if sites.windows(2).all(|pair| place(&pair[0]) < place(&pair[1])) {
        return Cow::Borrowed(sites);
    }
    let mut sites = sites.to_vec();
    sites.sort_by_key(place);
    sites.dedup_by_key(|site| site.node);
    Cow::Owned(sites)
}

/// An empty template takes the matches away, with all that goes with them.
fn deleted(tree: &Tree, sites: &[Site], allow: Allow, limits: &ParseLimits) -> Result<Rewritten, RewriteError> {
    let mut ops = Vec::new();
    let mut overlapping = Vec::new();
    let mut end = 0;
    for site in sites {
        if site.node.index() < end {
            overlapping.push(site.node);
            continue;
        }
        end = tree.table().subtree_end(site.node);
        ops.push(Op::Delete { target: site.node, extent: None });
    }
    let outcome = super::apply(tree, &ops, allow, limits)?;
    Ok(Rewritten { outcome, changed: ops.len(), overlapping })
}

/// The edits, and what they mean for the nodes.
fn planned(tree: &Tree, sites: &[Site], template: &Template, composed: &Composed) -> plan::Composed {
    let edits = EditSet::new(composed.edits.clone()).expect("pieces are written in order");
    let starts: Vec<usize> = sites.iter().map(|site| tree.span(site.node).start()).collect();
    let operation = |span: Span| starts.partition_point(|start| *start <= span.start()).saturating_sub(1);
    let operations = edits.iter().map(|edit| operation(edit.span)).collect();
    let mut intent = Intent { moved: composed.moved.clone(), claims_first: true, ..Intent::default() };
    let mut end = 0;
    for site in sites {
        let span = tree.span(site.node);
        if span.end() > end {
            intent.extents.push(span);
            end = span.end();
        }
        intent.relocated.push(site.node);
        for (_, captured) in &site.captures {
            let within = captured.span(tree).is_some_and(|inner| span.contains(inner) && inner != span);
            if within {
                intent.relocated.extend(captured.nodes(tree));
            }
        }
    }
    // A match that is put into what replaces it is itself still.
    let keeps_whole = template.names().contains(&"0");
    for mark in composed.marks.iter().filter(|mark| mark.place.is_none() && !keeps_whole) {
        let node = sites[mark.site].node;
        intent.claims.push(Claim { node, extent: tree.span(node), new: mark.new });
    }
    plan::Composed::of_edits(edits, intent, operations)
}

/// How many sites became something else.
fn changed(sites: &[Site], tree: &Tree, composed: &Composed) -> usize {
    let touches = |site: &Site| {
        let span = tree.span(site.node);
        let first = composed.edits.partition_point(|edit| edit.span.end() < span.start());
        composed.edits.get(first).is_some_and(|edit| edit.span.start() <= span.end())
    };
    sites.iter().zip(&composed.changed).filter(|(site, changed)| **changed && touches(site)).count()
}
