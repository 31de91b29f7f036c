//! `move`: definitions go to another module, and what imports them follows.

pub(crate) mod finish;
pub(crate) mod module_needs;
pub(crate) mod module_uses;
pub(crate) mod modules;
pub(crate) mod own_file;
pub(crate) mod packages;
mod patched;
pub(crate) mod plan;
