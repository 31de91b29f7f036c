//! The import statements of a file: where they are, how a project orders and writes them.

pub(crate) mod block;
pub(crate) mod order;
pub(crate) mod style;
pub(crate) mod text;
