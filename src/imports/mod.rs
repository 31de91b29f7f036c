//! The import statements of a file: where they are, how a project orders and writes them, and which have no use.

pub(crate) mod block;
pub(crate) mod order;
pub(crate) mod settings;
pub(crate) mod style;
pub(crate) mod text;
pub(crate) mod unused;

pub use style::{ImportStyle, Section};
pub use unused::{ImportFacts, drop_imports, import_key};
