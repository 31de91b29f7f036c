//! A project's files as trees, as they are on the disk or as a refactor would make them.

pub(crate) mod documentation;
pub(crate) mod files;
pub(crate) mod freshen;
pub(crate) mod known_facts;
pub(crate) mod open;
pub(crate) mod precise;
pub(crate) mod relocation;
pub(crate) mod unsearched;
