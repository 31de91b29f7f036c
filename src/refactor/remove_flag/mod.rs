//! `remove_flag`: a feature flag is taken as true or false, and what it decides is simplified.

pub(crate) mod decided;
pub(crate) mod edits;
pub(crate) mod plan;
