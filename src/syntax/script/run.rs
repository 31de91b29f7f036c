//! Runs a script on a tree: each step on the result of the one before.

use crate::limits;
use std::collections::HashSet;

use super::edits::{Edit, Unmade};
use super::model::Action;
use super::plan::{Plan, Planned};
use crate::edit::{self, Allow, EditError, Op, RewriteError, Site, TemplateError};
use crate::selector::{Match, Query, SelectorError};
use crate::tree::{Captured, Node, ParseError, ParseLimits, Tree};

/// The result of a script on a tree.
#[derive(Debug, Clone)]
pub struct Ran {
    /// The resulting tree.
    pub tree: Tree,
    /// The counts of each step, in order.
    pub steps: Vec<Count>,
    /// Further notes for the user.
    pub notes: Vec<String>,
}

/// The counts of a step.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Count {
    /// The number of matches.
    pub matches: usize,
    /// How many of them changed the text.
    pub applied: usize,
}

/// Why a step failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("step {step}: {cause}")]
pub struct RunError {
    /// The step, from 1.
    pub step: usize,
    /// The line, in the text that the step got.
    pub line: Option<usize>,
    /// The cause.
    pub cause: Box<Cause>,
}

/// Why a step failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Cause {
    /// Its selector takes too long.
    #[error("{}", .0.message)]
    Selector(SelectorError),
    /// A template cannot be filled.
    #[error("{0}")]
    Template(TemplateError),
    /// A target has no such field.
    #[error("{message}")]
    NoField {
        /// The message.
        message: String,
    },
    /// The result was refused.
    #[error("{0}")]
    Edit(EditError),
    /// A refactor was refused.
    #[error("{0}")]
    Refactor(String),
    /// A repeated step returned to an earlier text.
    #[error("repeating it never ends: after {passes} passes the text is one that was there before")]
    Cycle {
        /// How many passes were made.
        passes: usize,
    },
    /// A repeated step makes the text longer in each pass.
    #[error("repeating it makes the text longer each time: more than {limit} bytes after {passes} passes")]
    Growing {
        /// How many passes were made.
        passes: usize,
        /// The maximum size of the text.
        limit: usize,
    },
    /// A repeated step does not stop changing the text.
    #[error("it still changes the text after {passes} passes")]
    Unstable {
        /// How many passes were made.
        passes: usize,
    },
}

/// One pass of a step.
pub(crate) struct Pass {
    /// The resulting tree.
    pub tree: Tree,
    /// The number of matches, and of those that changed the text.
    pub count: Count,
    /// Matches that were skipped because they overlap others.
    pub overlapping: usize,
}

impl Plan<'_> {
    /// Runs the script on a tree of the plan's language.
    ///
    /// # Errors
    /// If a step fails, or a gate refuses its result.
    pub fn run(&self, tree: &Tree, limits: &ParseLimits) -> Result<Ran, RunError> {
        self.run_allowing(tree, limits, Allow::default())
    }

    /// The same with some gates disabled for steps that replace matches by code.
    ///
    /// # Errors
    /// As [`Plan::run`].
    pub fn run_allowing(&self, tree: &Tree, limits: &ParseLimits, allow: Allow) -> Result<Ran, RunError> {
        let mut ran = Ran { tree: tree.clone(), steps: Vec::with_capacity(self.steps.len()), notes: Vec::new() };
        for step in 0..self.steps.len() {
            let one = self.run_step(step, &ran.tree, limits, allow)?;
            ran.tree = one.tree;
            ran.steps.extend(one.steps);
            ran.notes.extend(one.notes);
        }
        Ok(ran)
    }

    /// Runs one step, by its number from 0. A refactor changes nothing here: it needs all files.
    ///
    /// # Errors
    /// If it fails, or a gate refuses its result.
    pub fn run_step(&self, step: usize, tree: &Tree, limits: &ParseLimits, allow: Allow) -> Result<Ran, RunError> {
        let number = step + 1;
        let Some(planned) = self.steps.get(step).filter(|planned| planned.select.is_some()) else {
            return Ok(Ran { tree: tree.clone(), steps: vec![Count::default()], notes: Vec::new() });
        };
        let (tree, count, overlapping) = planned.run(tree, limits, allow).map_err(|fault| fault.of_step(number))?;
        let note = format!("step {number}: {overlapping} of its matches overlap others and were left alone");
        let notes = if overlapping > 0 { vec![note] } else { Vec::new() };
        Ok(Ran { tree, steps: vec![count], notes })
    }
}

/// A failure in a step, and its line.
pub(crate) struct Fault {
    /// The line, in the text that the step got.
    pub line: Option<usize>,
    /// The cause.
    pub cause: Cause,
}

impl Fault {
    fn new(cause: Cause) -> Fault {
        Fault { line: None, cause }
    }

    fn at(tree: &Tree, node: Node, cause: Cause) -> Fault {
        Fault { line: Some(tree.start(node).line), cause }
    }

    fn of_step(self, step: usize) -> RunError {
        RunError { step, line: self.line, cause: Box::new(self.cause) }
    }
}

fn selector_fault(error: SelectorError) -> Fault {
    Fault::new(Cause::Selector(error))
}

impl Planned<'_> {
    /// The tree after the step.
    fn run(&self, tree: &Tree, limits: &ParseLimits, allow: Allow) -> Result<(Tree, Count, usize), Fault> {
        if let Some(when) = &self.when
            && when.nodes(tree).map_err(selector_fault)?.is_empty()
        {
            return Ok((tree.clone(), Count::default(), 0));
        }
        let Pass { tree: mut now, mut count, mut overlapping } = self.pass(tree, limits, allow)?;
        if !self.step.repeats || count.applied == 0 {
            return Ok((now, count, overlapping));
        }
        let mut seen = HashSet::from([tree.text().to_string()]);
        let limit = limits.bytes.min(tree.text().len().saturating_mul(4).saturating_add(limits::GROWTH));
        let limits = &ParseLimits { bytes: limit, ..*limits };
        for passes in 1..limits::PASSES {
            if !seen.insert(now.text().to_string()) {
                return Err(Fault::new(Cause::Cycle { passes }));
            }
            let pass = self.pass(&now, limits, allow).map_err(|fault| match fault.cause {
                Cause::Edit(EditError::Parse(ParseError::TooLarge { .. })) => {
                    Fault::new(Cause::Growing { passes, limit })
                }
                cause => Fault { line: fault.line, cause },
            })?;
            if pass.count.applied == 0 {
                return Ok((now, count, overlapping));
            }
            count.matches += pass.count.matches;
            count.applied += pass.count.applied;
            overlapping = pass.overlapping;
            now = pass.tree;
        }
        Err(Fault::new(Cause::Unstable { passes: limits::PASSES }))
    }

    fn pass(&self, tree: &Tree, limits: &ParseLimits, allow: Allow) -> Result<Pass, Fault> {
        let Some(select) = &self.select else {
            return Ok(Pass { tree: tree.clone(), count: Count::default(), overlapping: 0 });
        };
        let found = select.select(tree).map_err(selector_fault)?;
        if found.is_empty() {
            return Ok(Pass { tree: tree.clone(), count: Count::default(), overlapping: 0 });
        }
        act(&self.step.action, Some(select), tree, found, allow, limits)
    }
}

/// The tree that an action makes of some matches; `select` found them, if a selector did.
pub(crate) fn act(
    action: &Action,
    select: Option<&Query>,
    tree: &Tree,
    found: Vec<Match>,
    allow: Allow,
    limits: &ParseLimits,
) -> Result<Pass, Fault> {
    let matches = found.len();
    match action {
        Action::Replace(template) => {
            let sites: Vec<Site> =
                found.into_iter().map(|found| Site { node: found.node, captures: found.captures }).collect();
            let rewritten = {
                let template = template.value.clone();
                let template = match select {
                    Some(select) => template.for_query(select),
                    None => template,
                };
                edit::rewrite(tree, &sites, &template, allow, limits)
            };
            let rewritten = rewritten.map_err(|error| match error {
                RewriteError::Template(error) => Fault::new(Cause::Template(error)),
                RewriteError::Edit(error) => {
                    let site = error.operation().and_then(|operation| sites.get(operation));
                    let line = error.line().or_else(|| site.map(|site| tree.start(site.node).line));
                    Fault { line, cause: Cause::Edit(error) }
                }
            })?;
            let is_same = rewritten.outcome.edits.is_empty();
            let applied = if is_same { 0 } else { rewritten.changed };
            let count = Count { matches, applied };
            Ok(Pass { tree: rewritten.outcome.tree, count, overlapping: rewritten.overlapping.len() })
        }
        Action::Edits(edits) => {
            let next = apply(edits, tree, &found, limits)?;
            let is_same = next.text().to_string() == tree.text().to_string();
            let applied = if is_same { 0 } else { matches };
            Ok(Pass { tree: next, count: Count { matches, applied }, overlapping: 0 })
        }
        Action::Refactor(_) => Ok(Pass { tree: tree.clone(), count: Count { matches, applied: 0 }, overlapping: 0 }),
    }
}

/// The tree after the operations of a step for all matches, as one batch. If the operations for a match and for one
/// inside it would change the same text, the inner ones go first.
fn apply(edits: &[Edit], tree: &Tree, found: &[Match], limits: &ParseLimits) -> Result<Tree, Fault> {
    let refused = match batch(edits, tree, found, limits) {
        Err(fault) if matches!(fault.cause, Cause::Edit(EditError::Conflict { .. })) => fault,
        settled => return settled,
    };
    let mut layers = layers(tree, found);
    if layers.len() < 2 {
        return Err(refused);
    }
    let mut now = tree.clone();
    while let Some(layer) = layers.pop() {
        let carried: Option<Vec<Match>> = layer.iter().map(|found| carry_match(tree, &now, found)).collect();
        let Some(carried) = carried else { return Err(refused) };
        now = batch(edits, &now, &carried, limits)?;
    }
    Ok(now)
}

fn batch(edits: &[Edit], tree: &Tree, found: &[Match], limits: &ParseLimits) -> Result<Tree, Fault> {
    let (mut ops, mut lines): (Vec<Op>, Vec<usize>) = (Vec::new(), Vec::new());
    for found in found {
        for edit in edits {
            let made = edit.ops(tree, found).map_err(|unmade| match unmade {
                Unmade::Template(error) => Fault::at(tree, found.node, Cause::Template(error)),
                Unmade::NoField { .. } => Fault::at(tree, found.node, Cause::NoField { message: unmade.to_string() }),
            })?;
            for op in made {
                // An operation that several matches request is made once.
                let is_once = !matches!(op, Op::Insert { .. } | Op::Wrap { .. } | Op::Move { .. });
                if !(is_once && ops.contains(&op)) {
                    ops.push(op);
                    lines.push(tree.start(found.node).line);
                }
            }
        }
    }
    without_inner_deletes(tree, &mut ops, &mut lines);
    match edit::apply(tree, &ops, Allow::default(), limits) {
        Ok(outcome) => Ok(outcome.tree),
        Err(error) => {
            let line = error.line().or_else(|| error.operation().and_then(|at| lines.get(at).copied()));
            Err(Fault { line, cause: Cause::Edit(error) })
        }
    }
}

/// Removes deletes inside other deletes.
fn without_inner_deletes(tree: &Tree, ops: &mut Vec<Op>, lines: &mut Vec<usize>) {
    let deleted: HashSet<Node> =
        ops.iter().filter_map(|op| if let Op::Delete { target, .. } = op { Some(*target) } else { None }).collect();
    if deleted.len() < 2 {
        return;
    }
    let goes = |op: &Op| matches!(op, Op::Delete { target, .. } if tree.table().ancestors(*target).any(|node| deleted.contains(&node)));
    let kept: Vec<bool> = ops.iter().map(|op| !goes(op)).collect();
    let mut keep = kept.iter();
    ops.retain(|_| keep.next().copied().unwrap_or(true));
    let mut keep = kept.iter();
    lines.retain(|_| keep.next().copied().unwrap_or(true));
}

/// The matches by nesting depth, the outermost first.
fn layers<'m>(tree: &Tree, found: &'m [Match]) -> Vec<Vec<&'m Match>> {
    let nodes: HashSet<Node> = found.iter().map(|found| found.node).collect();
    let mut layers: Vec<Vec<&Match>> = Vec::new();
    for found in found {
        let depth = tree.table().ancestors(found.node).filter(|node| nodes.contains(node)).count();
        while layers.len() <= depth {
            layers.push(Vec::new());
        }
        layers[depth].push(found);
    }
    layers
}

/// A match in a later revision; `None` if a part of it is gone.
fn carry_match(old: &Tree, new: &Tree, found: &Match) -> Option<Match> {
    let image = |node: Node| new.node(old.id(node));
    let captured = |captured: Captured| {
        Some(match captured {
            Captured::Node(node) => Captured::Node(image(node)?),
            Captured::Siblings { first, last } => Captured::Siblings { first: image(first)?, last: image(last)? },
            Captured::Nothing => Captured::Nothing,
        })
    };
    let captures =
        found.captures.iter().map(|(name, one)| Some((name.clone(), captured(*one)?))).collect::<Option<_>>()?;
    Some(Match { node: image(found.node)?, captures })
}
