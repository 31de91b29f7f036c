//! The trees and transactions of a session: loading, editing, saving, undoing.

pub(crate) mod backups;
pub(crate) mod batch;
pub(crate) mod index;
pub(crate) mod load;
pub(crate) mod merge;
pub(crate) mod modify;
pub(crate) mod on_tree;
pub(crate) mod recovery;
pub(crate) mod removed;
pub(crate) mod save;
pub(crate) mod saving;
pub(crate) mod shown;
pub(crate) mod transactions;
pub(crate) mod trees;
pub(crate) mod undo;
pub(crate) mod write;
pub(crate) mod writer;
