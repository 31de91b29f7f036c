//! How languages make a name of one file mean something in others, and what their classes have beyond their bodies: one file for each
//! way. They use `inference`, which knows them only as a [`Scheme`](super::inference::resolver::Scheme).

pub(in crate::symbols) mod companions;
pub(in crate::symbols) mod hash_keys;
pub(in crate::symbols) mod includes;
pub(in crate::symbols) mod list;
pub(in crate::symbols) mod loaded;
pub(in crate::symbols) mod module_tree;
pub(in crate::symbols) mod namespaces;
pub(in crate::symbols) mod open_classes;
pub(in crate::symbols) mod package_folders;
pub(in crate::symbols) mod packages;
