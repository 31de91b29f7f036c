//! Whether a pattern matches a node: greedy, from left to right, as ast-grep does.

use super::bindings::Env;
use super::model::Strictness;
use super::pattern::{MetaVar, Pattern, PatternNode};
use crate::tree::{Node, Tree};

/// The result of comparing a pattern's node with one of the code.
enum Compared {
    Both,
    /// Neither counts.
    SkipBoth,
    SkipGoal,
    SkipCandidate,
    No,
}

/// Matches one pattern in one tree.
struct Matching<'a> {
    tree: &'a Tree,
    strictness: Strictness,
}

/// Whether a pattern matches a node; binds its metavariables then.
pub(super) fn matches(pattern: &Pattern, tree: &Tree, node: Node, env: &mut Env) -> bool {
    if pattern.root_type.is_some_and(|kind| tree.table().type_id(node) != kind) {
        return false;
    }
    let mark = env.mark();
    let matching = Matching { tree, strictness: pattern.strictness };
    let found = match &pattern.root {
        // A metavariable alone is any node, also a comment.
        PatternNode::Var(var) if pattern.strictness == Strictness::Smart => matching.bind(var, node, env),
        root => matches!(matching.node(root, node, env), Compared::Both),
    };
    if !found {
        env.back_to(mark);
    }
    found
}

impl Matching<'_> {
    fn node(&self, goal: &PatternNode, candidate: Node, env: &mut Env) -> Compared {
        let table = self.tree.table();
        match goal {
            PatternNode::Leaf { text, is_named, kind } => {
                let is_kind = kind.holds(table.type_id(candidate));
                self.leaf(text, *is_named, is_kind, candidate)
            }
            PatternNode::Var(_) if self.is_skipped(candidate) => Compared::SkipCandidate,
            PatternNode::Var(var) => match self.bind(var, candidate, env) {
                true => Compared::Both,
                false => Compared::No,
            },
            PatternNode::Inner { kind, children } => {
                let is_kind = self.strictness == Strictness::Template || kind.holds(table.type_id(candidate));
                let mark = env.mark();
                if is_kind && self.children(children, candidate, env) {
                    return Compared::Both;
                }
                env.back_to(mark);
                Compared::No
            }
        }
    }

    fn bind(&self, var: &MetaVar, candidate: Node, env: &mut Env) -> bool {
        match var {
            MetaVar::One { is_named: true, .. } if !self.tree.table().is_named(candidate) => false,
            MetaVar::One { name: Some(name), .. } => env.bind(name, candidate, self.tree),
            MetaVar::One { name: None, .. } | MetaVar::Many { name: None } => true,
            MetaVar::Many { name: Some(name) } => env.bind_many(name, vec![candidate], self.tree),
        }
    }

    fn leaf(&self, text: &str, is_named: bool, is_kind: bool, candidate: Node) -> Compared {
        let is_candidate_named = self.tree.table().is_named(candidate);
        if is_kind && (!is_named || text == self.tree.node_text(candidate)) {
            return Compared::Both;
        }
        if self.is_skipped(candidate) {
            return Compared::SkipCandidate;
        }
        let skips = match self.strictness {
            Strictness::Cst => (false, false),
            Strictness::Smart => (false, !is_candidate_named),
            Strictness::Signature if is_kind => return Compared::Both,
            Strictness::Ast | Strictness::Relaxed | Strictness::Signature => (!is_named, !is_candidate_named),
            Strictness::Template if text == self.tree.node_text(candidate) => return Compared::Both,
            Strictness::Template => (false, !is_candidate_named),
        };
        match skips {
            (true, true) => Compared::SkipBoth,
            (true, false) => Compared::SkipGoal,
            (false, true) => Compared::SkipCandidate,
            (false, false) => Compared::No,
        }
    }

    /// Whether a node does not count: a comment, or what else may be anywhere.
    fn is_skipped(&self, candidate: Node) -> bool {
        !matches!(self.strictness, Strictness::Cst | Strictness::Ast) && self.tree.table().is_extra(candidate)
    }

    fn children(&self, goals: &[PatternNode], parent: Node, env: &mut Env) -> bool {
        let candidates: Vec<Node> = self.tree.table().children(parent).collect();
        if candidates.is_empty() {
            return false;
        }
        let (mut goal, mut at) = (0, 0);
        loop {
            if goal >= goals.len() {
                return true;
            }
            if let PatternNode::Var(MetaVar::Many { name }) = &goals[goal] {
                match self.many(name.as_deref(), goals, &candidates, &mut goal, &mut at, env) {
                    Some(true) => return true,
                    Some(false) => continue,
                    None => return false,
                }
            }
            // One goal against the next candidate that counts.
            loop {
                let Some(&candidate) = candidates.get(at) else {
                    return self.may_end(&goals[goal..]);
                };
                let mark = env.mark();
                match self.node(&goals[goal], candidate, env) {
                    Compared::Both => break,
                    Compared::No => return false,
                    skipped => {
                        env.back_to(mark);
                        match skipped {
                            Compared::SkipGoal => goal += 1,
                            Compared::SkipCandidate => at += 1,
                            _ => {
                                goal += 1;
                                at += 1;
                            }
                        }
                        if goal >= goals.len() {
                            break;
                        }
                    }
                }
            }
            if goal < goals.len() {
                goal += 1;
                at += 1;
            }
            if goal >= goals.len() {
                return candidates[at.min(candidates.len())..].iter().all(|&rest| self.may_trail(rest));
            }
            if at >= candidates.len() {
                return false;
            }
        }
    }

    /// Takes the nodes of `$$$A`: as few as let the next goal match. `Some(true)` ends the match, `Some(false)` goes on
    /// with the next goal.
    fn many(
        &self,
        name: Option<&str>,
        goals: &[PatternNode],
        candidates: &[Node],
        goal: &mut usize,
        at: &mut usize,
        env: &mut Env,
    ) -> Option<bool> {
        let first = *at;
        let bind = |nodes: &[Node], skipped: usize, env: &mut Env| match name {
            Some(name) => {
                let kept = nodes.len().saturating_sub(skipped);
                env.bind_many(name, nodes[..kept].to_vec(), self.tree)
            }
            None => true,
        };
        *goal += 1;
        let mut skipped = 0;
        loop {
            match goals.get(*goal) {
                None => {
                    let rest = candidates.get(first..).unwrap_or_default();
                    return bind(rest, skipped, env).then_some(true);
                }
                // Signs in the pattern after it need not be there.
                Some(PatternNode::Leaf { is_named: false, .. }) => {
                    *goal += 1;
                    skipped += 1;
                }
                Some(PatternNode::Var(MetaVar::Many { .. })) => {
                    let taken = candidates.get(first..first + 1)?;
                    *at = first + 1;
                    candidates.get(*at)?;
                    return bind(taken, skipped, env).then_some(false);
                }
                Some(_) => break,
            }
        }
        loop {
            let candidate = *candidates.get(*at)?;
            let mark = env.mark();
            if matches!(self.node(&goals[*goal], candidate, env), Compared::Both) {
                env.back_to(mark);
                // Without the signs that the pattern has after it.
                let taken = &candidates[first..*at];
                let is_bound = bind(taken, skipped.min(taken.len()), env);
                return is_bound.then_some(false);
            }
            env.back_to(mark);
            *at += 1;
        }
    }

    /// Whether a candidate after the end of the pattern may be there.
    fn may_trail(&self, candidate: Node) -> bool {
        let (is_named, is_extra) = (self.tree.table().is_named(candidate), self.tree.table().is_extra(candidate));
        match self.strictness {
            Strictness::Cst => false,
            Strictness::Smart => true,
            Strictness::Ast => !is_named,
            Strictness::Relaxed | Strictness::Signature => !is_named || is_extra,
            Strictness::Template => is_extra,
        }
    }

    /// Whether goals for which there is no candidate may be missing.
    fn may_end(&self, goals: &[PatternNode]) -> bool {
        let is_loose = matches!(self.strictness, Strictness::Ast | Strictness::Relaxed | Strictness::Signature);
        goals.iter().all(|goal| match goal {
            PatternNode::Var(MetaVar::Many { .. }) => self.strictness != Strictness::Cst,
            PatternNode::Var(MetaVar::One { is_named, .. }) => is_loose && !is_named,
            PatternNode::Leaf { is_named, .. } => is_loose && !is_named,
            PatternNode::Inner { .. } => false,
        })
    }
}
