//! `change_signature`: parameters are added, removed and reordered, with the arguments of all calls.

mod calls;
pub(crate) mod edits;
pub(crate) mod lambdas;
mod order;
mod overloads;
pub(crate) mod plan;
