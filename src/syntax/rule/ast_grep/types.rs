//! The types of the nodes for which a condition may hold.

use std::cell::RefCell;

use rustc_hash::FxHashMap;

use super::condition::{Called, Condition, NamedRule};
use super::model::Strictness;
use super::pattern::{Kind, Pattern, PatternNode};
use crate::language::{ERROR_TYPE, TypeSet};

/// How deep rules that name each other are followed.
const DEEPEST: usize = 1_000;

/// The types of the nodes for which a condition may hold; any if `None`.
pub(super) fn types_of(condition: &Condition, named: &[NamedRule]) -> Option<TypeSet> {
    below(condition, &Names { named, known: RefCell::default() }, 0)
}

/// The rules that have names, and the types of those that were looked at. Each is looked at once: a few rules that name each other twice
/// would otherwise be looked at for ever.
struct Names<'n> {
    named: &'n [NamedRule],
    known: RefCell<FxHashMap<usize, Option<TypeSet>>>,
}

fn below(condition: &Condition, named: &Names<'_>, depth: usize) -> Option<TypeSet> {
    if depth > DEEPEST {
        return None;
    }
    match condition {
        Condition::Pattern(pattern) => types_of_pattern(pattern),
        Condition::Kind(types) => Some(types.clone()),
        Condition::NthChild { of, .. } => below(of.as_deref()?, named, depth + 1),
        Condition::All(all) => {
            let parts = all.iter().filter_map(|part| below(part, named, depth + 1));
            parts.reduce(|known, types| known.types().filter(|&id| types.contains(id)).collect())
        }
        Condition::Any(any) => {
            let mut union = TypeSet::default();
            for part in any {
                union.union_with(&below(part, named, depth + 1)?);
            }
            Some(union)
        }
        Condition::Named(number) | Condition::Call(Called { number, .. }) => {
            if let Some(known) = named.known.borrow().get(number) {
                return known.clone();
            }
            let types = below(&named.named.get(*number)?.rule, named, depth + 1);
            named.known.borrow_mut().insert(*number, types.clone());
            types
        }
        Condition::Regex(_)
        | Condition::Range(_)
        | Condition::Not(_)
        | Condition::Parameter(_)
        | Condition::Relation(_) => None,
    }
}

fn types_of_pattern(pattern: &Pattern) -> Option<TypeSet> {
    if pattern.strictness == Strictness::Template {
        return None;
    }
    let kind = match &pattern.root {
        PatternNode::Leaf { kind: Kind::Of(kind), .. } | PatternNode::Inner { kind: Kind::Of(kind), .. } => *kind,
        PatternNode::Leaf { kind: Kind::Any, .. } => ERROR_TYPE,
        PatternNode::Inner { kind: Kind::Any, .. } => return None,
        PatternNode::Var(_) => pattern.root_type?,
    };
    Some(std::iter::once(kind).collect())
}
