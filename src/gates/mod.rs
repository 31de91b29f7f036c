//! Gates: checks of what a refactor would make of a project, before anything is written.
//!
//! The *binding gate* compares what names are bound to before and after ([`compare`]), and lists every name that would mean something
//! else.

mod binding_gate;
mod bindings;
mod import_cycles;

pub use bindings::{Followed, Moved, Rebound, Transferred, compare};
