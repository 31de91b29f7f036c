//! Rewriting: matches are replaced by a template, all of them in one pass.
//!
//! Match and template are compared word by word ([`align`]). Words that are in both stay in place, with the whitespace
//! and comments around them, so a change of a name changes nothing else. The content of a capture is rewritten before
//! it is put in place ([`compose`]). Then the text is parsed, and every capture is looked up in it. A capture that is
//! no longer a node, since the code next to it takes it apart, gets parentheses; if parentheses do not help, the
//! rewrite is refused ([`place`]). Finally the gates decide, as for every edit.

mod align;
mod compose;
mod correspondence;
mod place;
mod quotes;
mod refusal;
mod renaming;
mod shapes;
mod site;
mod strings;
mod words;
mod write;

pub use renaming::{Renamed, rename_in_place, renames};

use std::borrow::Cow;

use super::batch;
use super::gate;
use super::{Allow, EditError, Made, Op, Outcome, Template};
use crate::text::{EditSet, Span};
use crate::tree::{Claim, EditIntent, ParseLimits, Tree};
use compose::{ComposedBatch, Composer, Parens};
pub(in crate::edit) use correspondence::{is_bracketed, is_same, is_text};
use place::{Fault, Law};
use refusal::{refusal, unlike};
pub(in crate::edit) use shapes::Shapes;
pub use site::{RewriteError, Rewritten, Site};

/// How often parentheses are added and the text is parsed again.
const ROUNDS: usize = 6;

/// Replaces each site by the template, filled with its captures.
///
/// # Errors
/// If the template cannot be filled, or a gate refuses the result.
pub fn rewrite(
    tree: &Tree,
    sites: &[Site],
    template: &Template,
    allow: Allow,
    limits: &ParseLimits,
) -> Result<Rewritten, RewriteError> {
    let made = rewrite_as_written(tree, sites, template, allow, limits)?;
    let broken = quotes::broken(tree, &made);
    let Some(&first) = broken.first().filter(|_| !allow.structure && !allow.quotes) else { return Ok(made) };
    for other in quotes::others(template) {
        if let Ok(made) = rewrite_as_written(tree, sites, &other, allow, limits)
            && quotes::broken(tree, &made).is_empty()
        {
            return Ok(made);
        }
    }
    let how = "in a string with the same quotes or a backslash in its code, which Python reads from 3.12 on";
    let line = made.outcome.tree.start(first).line;
    let sites = sorted(tree, sites);
    let number = sites.iter().rposition(|site| tree.start(site.node).line <= line).unwrap_or(0);
    Err(refusal(tree, number, sites[number].node, how).into())
}

fn rewrite_as_written(
    tree: &Tree,
    sites: &[Site],
    template: &Template,
    allow: Allow,
    limits: &ParseLimits,
) -> Result<Rewritten, RewriteError> {
    let sites = sorted(tree, sites);
    sites.iter().try_for_each(|site| template.check(&site.captures))?;
    if template.is_empty() {
        return delete_sites(tree, &sites, allow, limits);
    }
    let composer = Composer::new(tree, &sites, template, limits.bytes);
    let mut parens = place::broken_over_lines(&composer);
    let mut refused = Parens::default();
    let mut forced = Parens::default();
    let mut tried = Tried::AsNeeded;
    let mut rounds = 0;
    // Sites that may stay without parentheses, although they differ from the template.
    let mut tolerable = rustc_hash::FxHashSet::default();
    loop {
        let composed = write::compose(&composer, &parens)?;
        let overlapping = sites.iter().zip(&composed.written).filter(|(_, written)| !**written);
        let overlapping = overlapping.map(|(site, _)| site.node).collect();
        if composed.edits.is_empty() {
            let outcome = super::apply(tree, &[], allow, limits)?;
            return Ok(Rewritten { outcome, changed: 0, overlapping });
        }
        if tried == Tried::AsNeeded
            && rounds == 0
            && !allow.structure
            && let Some((number, node)) =
                sites.iter().enumerate().find_map(|(number, site)| Some((number, place::misread(tree, site)?)))
        {
            let how = "rewritten as the grammar groups it, but the language groups it differently";
            return Err(refusal(tree, number, node, how).into());
        }
        let planned = to_batch(tree, &sites, template, &composed);
        let edited = tree.edit(&planned.edits, &planned.intent, limits).map_err(EditError::Parse)?;
        let (faults, misplaced) = {
            let (new, marks, shapes) = (&edited.tree, &composed.marks, &template.shapes);
            let law = Law { composer: &composer, new, marks, parens: &parens, refused: &refused, shapes };
            (law.faults(), law.misplaced())
        };
        if let Some((site, node)) = misplaced.filter(|_| !allow.structure) {
            let what = edited.tree.type_name(node);
            let how = format!("replaced by code with `{what}`, which the function around it does not allow");
            return Err(refusal(tree, site, sites[site].node, &how).into());
        }
        if rounds < ROUNDS && composer.has_parens() {
            if rounds == 0 && tried == Tried::AsNeeded {
                let is_hard = |site: usize| faults.iter().any(|fault| fault.site == site && !fault.may_stay);
                tolerable.extend(faults.iter().map(|fault| fault.site).filter(|&site| !is_hard(site)));
            }
            rounds += 1;
            let mut misplaced: Vec<(usize, Option<usize>)> =
                faults.iter().map(|fault| (fault.site, fault.place)).collect();
            misplaced.retain(|found| !forced.contains(found) && !found.1.is_some_and(|place| composer.is_glued(place)));
            // Parentheses that do not help are removed, and not tried again.
            let useless: Vec<_> = misplaced.iter().filter(|found| parens.contains(*found)).copied().collect();
            let is_fresh = |found: &(usize, Option<usize>)| !parens.contains(found) && !refused.contains(found);
            // If the whole is taken apart, its captures may be whole once it has parentheses.
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
            // If parentheses do not make it what the template says, it stays without.
            let is_spoiled = |site: &usize| faults.iter().any(|fault| fault.site == *site);
            let spoiled: Vec<usize> = tolerable.extract_if(|site| is_spoiled(site)).collect();
            if parens.iter().any(|found| spoiled.contains(&found.0)) {
                refused.extend(parens.extract_if(|found| spoiled.contains(&found.0)));
                continue;
            }
        }
        let passed = gate::check(tree, &edited, &planned, (allow, limits)).and_then(|()| {
            let fault = faults.iter().find(|fault| !fault.may_stay).filter(|_| !allow.structure);
            fault.map_or(Ok(()), |fault| Err(unlike(tree, &composer, *fault)))
        });
        let Err(error) = passed else {
            let changed = count_changed(&sites, tree, &composed);
            let operations = vec![Made::default(); sites.len()];
            let outcome = Outcome { tree: edited.tree, edits: planned.edits, node_map: edited.node_map, operations };
            return Ok(Rewritten { outcome, changed, overlapping });
        };
        // They break code that can do without parentheses: `package (name)`.
        let failing = failing(&edited.tree, &composed.marks, &faults, &error);
        let mut spoiled: Vec<usize> = tolerable.extract_if(|site| failing.contains(site)).collect();
        if !parens.iter().any(|found| spoiled.contains(&found.0)) {
            spoiled.extend(tolerable.drain());
        }
        if parens.iter().any(|found| spoiled.contains(&found.0)) {
            refused.extend(parens.extract_if(|found| spoiled.contains(&found.0)));
            continue;
        }
        // No parentheses make a statement a part of an expression.
        let law = Law {
            composer: &composer,
            new: &edited.tree,
            marks: &composed.marks,
            parens: &parens,
            refused: &refused,
            shapes: &template.shapes,
        };
        if failing.iter().any(|&site| law.is_statement_in_expression(site)) {
            return Err(error.into());
        }
        // The error may be such that nothing shows what needs parentheses.
        let more = composer.loose_places(&failing);
        tried = match tried {
            Tried::AsNeeded if composer.has_parens() && !more.is_empty() => Tried::AllCaptures,
            Tried::AsNeeded | Tried::AllCaptures if composer.has_parens() => Tried::Wholes,
            _ => return Err(error.into()),
        };
        parens.retain(|found| !failing.contains(&found.0));
        parens.extend(more.iter().copied());
        forced.extend(more);
        if tried == Tried::Wholes {
            parens.extend(failing.iter().map(|&site| (site, None)));
        }
        rounds = 0;
    }
}

/// How many parentheses were tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tried {
    /// Around everything that is taken apart.
    AsNeeded,
    /// Around all captures of failing sites that could be taken apart.
    AllCaptures,
    /// Also around failing sites as a whole.
    Wholes,
}

/// The failing sites: those at fault, those touched by errors, and the one of the refusal.
fn failing(new: &Tree, marks: &[compose::Mark], faults: &[Fault], error: &EditError) -> Vec<usize> {
    let mut failing: Vec<usize> = faults.iter().filter(|fault| !fault.may_stay).map(|fault| fault.site).collect();
    failing.extend(error.operation());
    let errors: Vec<Span> = new.errors().iter().map(|error| error.span).collect();
    let wholes = marks.iter().filter(|mark| mark.place.is_none());
    let touches = |mark: &&compose::Mark| {
        errors.iter().any(|error| error.start() <= mark.new.end() && mark.new.start() <= error.end())
    };
    if !errors.is_empty() {
        failing.extend(wholes.filter(touches).map(|mark| mark.site));
    }
    failing.sort_unstable();
    failing.dedup();
    failing
}

/// Sites sorted by place, outer ones first, without duplicates.
fn sorted<'s>(tree: &Tree, sites: &'s [Site]) -> Cow<'s, [Site]> {
    let place = |site: &Site| (tree.span(site.node).start(), std::cmp::Reverse(tree.span(site.node).end()), site.node);
    // Queries return them in this order.
    if sites.windows(2).all(|pair| place(&pair[0]) < place(&pair[1])) {
        return Cow::Borrowed(sites);
    }
    let mut sites = sites.to_vec();
    sites.sort_by_key(place);
    sites.dedup_by_key(|site| site.node);
    Cow::Owned(sites)
}

/// An empty template deletes the matches, with everything that belongs to them.
fn delete_sites(tree: &Tree, sites: &[Site], allow: Allow, limits: &ParseLimits) -> Result<Rewritten, RewriteError> {
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

/// The edits, and their effects on nodes.
fn to_batch(tree: &Tree, sites: &[Site], template: &Template, composed: &ComposedBatch) -> batch::ComposedBatch {
    let edits = EditSet::new(composed.edits.clone()).expect("pieces are written in order");
    let starts: Vec<usize> = sites.iter().map(|site| tree.span(site.node).start()).collect();
    let operation = |span: Span| starts.partition_point(|start| *start <= span.start()).saturating_sub(1);
    let operations = edits.iter().map(|edit| operation(edit.span)).collect();
    let mut intent = EditIntent { moved: composed.moved.clone(), claims_first: true, ..EditIntent::default() };
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
    // A match that is contained in its replacement survives.
    let keeps_whole = template.names().contains(&"0");
    for mark in composed.marks.iter().filter(|mark| mark.place.is_none() && !keeps_whole) {
        let node = sites[mark.site].node;
        intent.claims.push(Claim { node, extent: tree.span(node), new: mark.new });
    }
    batch::ComposedBatch::of_edits(edits, intent, operations)
}

/// How many sites changed.
fn count_changed(sites: &[Site], tree: &Tree, composed: &ComposedBatch) -> usize {
    let touches = |site: &Site| {
        let span = tree.span(site.node);
        let first = composed.edits.partition_point(|edit| edit.span.end() < span.start());
        composed.edits.get(first).is_some_and(|edit| edit.span.start() <= span.end())
    };
    sites.iter().zip(&composed.changed).filter(|(site, changed)| **changed && touches(site)).count()
}
