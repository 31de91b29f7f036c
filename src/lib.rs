//! Finds and edits code by its syntax.

<<<<<<< HEAD
pub mod edit;
=======
pub mod cli;
pub mod engine;
>>>>>>> main
pub mod language;
pub mod outline;
pub mod selector;
pub mod text;
pub mod tree;
