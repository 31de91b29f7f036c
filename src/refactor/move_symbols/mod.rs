//! `move`: definitions go to another module, and what imports them follows.

pub(crate) mod barrels;
pub(crate) mod finish;
pub(crate) mod import_parts;
pub(crate) mod module_needs;
pub(crate) mod module_text;
pub(crate) mod module_uses;
pub(crate) mod modules;
pub(crate) mod own_file;
pub(crate) mod packages;
pub(crate) mod plan;
pub(crate) mod redirect;
pub(crate) mod transfer;
