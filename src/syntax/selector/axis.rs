//! The relation between two steps: the axis, and which of the nodes on it are picked.

/// A combinator or axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct AxisStep {
    pub axis: Axis,
    /// Whether comments count as siblings: only if the step asks for them.
    pub comments: bool,
    /// Whether tokens count as siblings: only if the step asks for one.
    pub tokens: bool,
    /// Whether nested functions and classes are closed: nothing inside them is reached.
    pub own: bool,
}

impl AxisStep {
    /// Whether the axis leads into nodes that `:has-own` closes.
    pub fn is_closed_from_scopes(self) -> bool {
        self.own && matches!(self.axis, Axis::Descendant | Axis::Child | Axis::RawChild)
    }
}

/// An axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Axis {
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
pub(super) enum Positional {
    First,
    Last,
    /// From 0; negative numbers count from the end.
    Nth(i64),
}

impl Positional {
    /// The picked index among `count`.
    pub fn place(self, count: usize) -> Option<usize> {
        match self {
            Positional::First => (count > 0).then_some(0),
            Positional::Last => count.checked_sub(1),
            Positional::Nth(place) => {
                let count = i64::try_from(count).unwrap_or(i64::MAX);
                let place = if place < 0 { count.saturating_add(place) } else { place };
                if (0..count).contains(&place) { usize::try_from(place).ok() } else { None }
            }
        }
    }
}
