//! The uses of a symbol, with how certain each is and why not: the list that `refs` shows and that refactors work from.

mod alike_fields;
mod callers;
pub(crate) mod doubt;
mod doubts;
mod escape;
pub(crate) mod family;
pub(crate) mod implementations;
mod join;
pub(crate) mod listing;
mod made_names;
mod mixed;
mod objects;
pub(crate) mod risks;
mod splats;
mod text_uses;
mod unread;
mod unresolved;
pub(crate) mod uses;
