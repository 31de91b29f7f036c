//! The parser of the selector language, made by pest from `selector.pest`: a package of its own, since it is large and seldom changes.

/// The parser.
#[derive(pest_derive::Parser)]
#[grammar = "selector.pest"]
pub struct Grammar;
