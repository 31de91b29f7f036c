//! Whether a rule can be answered for one top-level statement at a time.

use super::condition::{Compiled, Condition, Related, StopAt};
use super::model::Direction;
use crate::language::TypeSet;

impl Compiled {
    /// Whether the rule finds the same nodes in a file as in each of its parts alone: no condition looks at the siblings of a part, at
    /// its place among them, or at what is in the nodes around parts, whose types are `around`.
    pub fn is_local(&self, around: &TypeSet) -> bool {
        // What a match is bound to is inside of it.
        let conditions = self.constraints.iter().map(|(_, condition)| condition);
        let named = self.named.iter().flat_map(|named| {
            std::iter::once(&named.rule).chain(named.constraints.iter().map(|(_, condition)| condition))
        });
        let is_apart = self.types.as_ref().is_some_and(|types| !around.types().any(|id| types.contains(id)));
        is_apart
            && self.expand_start.is_none()
            && self.expand_end.is_none()
            && std::iter::once(&self.rule).chain(conditions).chain(named).all(|condition| condition.is_local(around))
    }
}

impl Condition {
    fn is_local(&self, around: &TypeSet) -> bool {
        match self {
            Condition::Pattern(_) | Condition::Kind(_) | Condition::Regex(_) | Condition::Named(_) => true,
            Condition::NthChild { .. } | Condition::Range(_) | Condition::Call(_) | Condition::Parameter(_) => false,
            Condition::All(parts) | Condition::Any(parts) => parts.iter().all(|part| part.is_local(around)),
            Condition::Not(part) => part.is_local(around),
            Condition::Relation(related) => related.is_local(around),
        }
    }
}

impl Related {
    fn is_local(&self, around: &TypeSet) -> bool {
        let stop = match &self.stop {
            StopAt::Rule(stop) => stop.is_local(around) && stop.asks_kind_alone(around),
            StopAt::Neighbor | StopAt::End => true,
        };
        let looks = match self.direction {
            Direction::Has => true,
            // Above a part there are the nodes around it, of which only the heads are there.
            Direction::Inside => self.rule.asks_kind_alone(around),
            Direction::Precedes | Direction::Follows => false,
        };
        looks && stop && self.rule.is_local(around)
    }
}

impl Condition {
    /// Whether it looks at nothing but the type of a node around parts.
    fn asks_kind_alone(&self, around: &TypeSet) -> bool {
        match self {
            Condition::Kind(_) => true,
            // Of all parts one decides before the others are asked, if it is for another type.
            Condition::All(parts) => {
                let is_for_others = |part: &Condition| matches!(part, Condition::Kind(kinds) if !kinds.types().any(|kind| around.contains(kind)));
                parts.first().is_some_and(is_for_others) || parts.iter().all(|part| part.asks_kind_alone(around))
            }
            Condition::Any(parts) => parts.iter().all(|part| part.asks_kind_alone(around)),
            Condition::Not(part) => part.asks_kind_alone(around),
            Condition::Pattern(_)
            | Condition::Regex(_)
            | Condition::NthChild { .. }
            | Condition::Range(_)
            | Condition::Named(_)
            | Condition::Call(_)
            | Condition::Parameter(_)
            | Condition::Relation(_) => false,
        }
    }
}
