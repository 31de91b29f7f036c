//! What is certain about a symbol, what is not, and why: the list that `refs` shows and that refactors work from.

mod doubts;
pub(crate) mod family;
mod listing;
mod made_names;
pub(crate) mod risks;
mod splats;
pub(crate) mod uses;
