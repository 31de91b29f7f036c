//! The relation between two steps: the axis, and which of the nodes on it are picked.

/// A combinator or axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Relation {
    pub way: Way,
    /// Whether comments count as siblings: only if the step asks for them.
    pub comments: bool,
    /// Whether tokens count as siblings: only if the step asks for one.
    pub tokens: bool,
    /// Whether nested functions and classes are closed: nothing inside them is reached.
    pub own: bool,
}

impl Relation {
    /// Whether the axis leads into nodes that `:has-own` closes.
    pub fn is_closed_from_scopes(self) -> bool {
        self.own && matches!(self.way, Way::Descendant | Way::Child | Way::RawChild)
    }
}

/// An axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    Itself,
    Descendant,
    Child,
    RawChild,
    Next,
    Later,
    Earlier,
    Parent,
    Ancestor,
}

/// Which of the nodes of a context are picked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pick {
    First,
    Last,
    /// From 0; negative numbers count from the end.
    Nth(i64),
}

impl Pick {
    /// The picked index among `count`.
    pub fn place(self, count: usize) -> Option<usize> {
        match self {
            Pick::First => (count > 0).then_some(0),
            Pick::Last => count.checked_sub(1),
            Pick::Nth(place) => {
                let count = i64::try_from(count).unwrap_or(i64::MAX);
                let place = if place < 0 { count.saturating_add(place) } else { place };
                if (0..count).contains(&place) { usize::try_from(place).ok() } else { None }
            }
        }
    }
}
