//! Data flow in the functions of one file: what reads and writes variables, what is evaluated before what, and so which code can move.
//!
//! It is read from the tree and the language's data (`[flow]`). Code that cannot move is refused with a [`Refusal`].

mod analysis;
mod narrowing;
mod order;
mod ownership;
mod refusal;
mod region;
mod types;
mod values;

pub(crate) use analysis::{Flow, Region, Variable, VariableUse};
pub use refusal::{Reason, Refusal};
pub(crate) use region::trimmed;
pub(crate) use types::{Results, Shown};
