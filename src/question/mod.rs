//! Questions about a project: each is a function of a [`Workspace`](crate::workspace::files::Workspace).

pub(crate) mod calls;
pub(crate) mod definitions;
pub(crate) mod deps;
pub(crate) mod embed;
pub(crate) mod export;
pub(crate) mod hierarchy;
pub(crate) mod impact;
pub(crate) mod map;
pub(crate) mod nearest;
pub(crate) mod project_answers;
pub(crate) mod references;
pub(crate) mod refs;
pub(crate) mod subject;
pub(crate) mod symbols;
pub(crate) mod text_search;
pub(crate) mod unused;
