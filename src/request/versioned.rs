//! Answers as programs get them: with the version of their shapes.

use serde::Serialize;

/// The version of the shapes of answers. It grows when a field goes away or changes its meaning; a new field leaves it as it is.
pub const SCHEMA: u32 = 1;

/// An answer with the version of its shape: `{"schema": 1, …}`.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct Versioned<T> {
    /// The version of the answer's shape.
    pub schema: u32,
    /// The answer's own fields.
    #[serde(flatten)]
    pub answer: T,
}

impl<T> Versioned<T> {
    /// An answer in today's shape.
    pub fn new(answer: T) -> Versioned<T> {
        Versioned { schema: SCHEMA, answer }
    }
}
