//! The numbers of a function that follow from its nodes alone.

/// The numbers of a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Numbers {
    /// Cyclomatic complexity.
    pub complexity: usize,
    /// Cognitive complexity.
    pub cognitive: usize,
    /// How deep control structures are nested.
    pub nesting: usize,
    /// Statements.
    pub statements: usize,
    /// Statements that return.
    pub returns: usize,
    /// Branches.
    pub branches: usize,
}

impl Numbers {
    /// The numbers of a function with nothing in it.
    pub const EMPTY: Numbers =
        Numbers { complexity: 1, cognitive: 0, nesting: 0, statements: 1, returns: 0, branches: 0 };
}
