//! Node patterns and places, with their words looked up in the grammar: what a node is, by its type, its children and the nodes
//! around it; and where a node is.

use rustc_hash::FxHashMap;

use super::symbols::{FieldId, TypeId};

/// What a node must be for a pattern to fit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Level {
    /// Its type.
    pub type_id: TypeId,
    /// The field of the next inner node within it.
    pub field: Option<FieldId>,
    /// Children of which it must have one; empty for no condition.
    pub holds: Vec<Held>,
    /// Children of which it must have none.
    pub lacks: Vec<Held>,
}

/// A child: its type or token, and that of a child in it, if one is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Held {
    /// The type of the child.
    pub type_id: TypeId,
    /// The type of a child of that child.
    pub inner: Option<TypeId>,
}

/// What a node is: `outer(token)/type(!token)`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodePattern {
    /// The node, then the nodes around it; never empty.
    pub levels: Vec<Level>,
}

impl NodePattern {
    /// The type of the node.
    pub fn type_id(&self) -> TypeId {
        self.levels[0].type_id
    }
}

/// A set of name spaces: a TypeScript class is a value and a type, a label neither.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Spaces(u16);

impl Spaces {
    /// All of them, which is what a language without name spaces has.
    pub const ALL: Spaces = Spaces(u16::MAX);

    /// The space with a number; those beyond the width of the set are in none.
    pub(super) fn numbered(number: usize) -> Spaces {
        Spaces(1_u16.checked_shl(u32::try_from(number).unwrap_or(u32::MAX)).unwrap_or(0))
    }

    /// Whether the sets have a space in common.
    pub fn meets(self, other: Spaces) -> bool {
        self.0 & other.0 != 0
    }

    /// The spaces that are not in the other set.
    #[must_use]
    pub fn without(self, other: Spaces) -> Spaces {
        Spaces(self.0 & !other.0)
    }

    /// The spaces of both sets.
    #[must_use]
    pub fn union(self, other: Spaces) -> Spaces {
        Spaces(self.0 | other.0)
    }
}

/// Where a node is: a child of the node that a pattern describes, in a field or in none; with the name spaces of a name there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The parent and the nodes around it.
    pub parent: NodePattern,
    /// The field; 0 for a child in none.
    pub field: FieldId,
    /// Which of the children of its type it is.
    pub side: Among,
    /// The name spaces of a name there; `None` for those of the name's type.
    pub spaces: Option<Spaces>,
}

/// Which of several children of one type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Among {
    /// Each of them.
    Any,
    /// The first of them.
    First,
    /// The last of them.
    Last,
    /// One with other named children before and after it, whatever their types are.
    Between,
}

/// Places by the parent's type and the field.
#[derive(Debug, Default)]
pub struct Places {
    slots: FxHashMap<(TypeId, FieldId), Vec<Place>>,
}

impl Places {
    /// Those with the most conditions come first.
    pub(super) fn new(places: Vec<Place>) -> Places {
        let mut slots: FxHashMap<_, Vec<Place>> = FxHashMap::default();
        for place in places {
            slots.entry((place.parent.type_id(), place.field)).or_default().push(place);
        }
        let weight = |level: &Level| {
            1 + usize::from(level.field.is_some()) + level.holds.len().min(1) + level.lacks.len().min(1)
        };
        for slot in slots.values_mut() {
            let weight = |place: &Place| {
                place.parent.levels.iter().map(weight).sum::<usize>() + usize::from(place.side != Among::Any)
            };
            slot.sort_by_key(|place| std::cmp::Reverse(weight(place)));
        }
        Places { slots }
    }

    /// The places in a field of a type, those with the most conditions first.
    pub fn at(&self, parent: TypeId, field: FieldId) -> &[Place] {
        self.slots.get(&(parent, field)).map_or(&[], Vec::as_slice)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }
}

/// Node patterns by the node's type.
#[derive(Debug, Default)]
pub struct NodePatterns {
    by_type: FxHashMap<TypeId, Vec<NodePattern>>,
}

impl NodePatterns {
    pub(super) fn new(patterns: Vec<NodePattern>) -> NodePatterns {
        let mut by_type: FxHashMap<_, Vec<NodePattern>> = FxHashMap::default();
        for pattern in patterns {
            by_type.entry(pattern.type_id()).or_default().push(pattern);
        }
        NodePatterns { by_type }
    }

    /// The patterns of a type.
    pub fn of(&self, id: TypeId) -> &[NodePattern] {
        self.by_type.get(&id).map_or(&[], Vec::as_slice)
    }

    /// The types that have patterns, in order.
    pub fn types(&self) -> Vec<TypeId> {
        let mut types: Vec<TypeId> = self.by_type.keys().copied().collect();
        types.sort_unstable();
        types
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.by_type.is_empty()
    }
}
