//! `extract_function` and `extract_variable`: some statements, or an expression, become a definition of their own.

pub(crate) mod extraction;
pub(crate) mod function;
pub(crate) mod plan;
pub(crate) mod strict;
pub(crate) mod variable;
