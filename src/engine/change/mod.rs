//! Changes of many files, by patterns, scripts and refactors.

pub(crate) mod changes;
pub(crate) mod complaints;
pub(crate) mod decide;
pub(crate) mod external;
pub(crate) mod planned;
pub(crate) mod refactor;
pub(crate) mod rewrite;
pub(crate) mod run;
pub(crate) mod run_project;
pub(crate) mod script;
pub(crate) mod snapshots;
pub(crate) mod test;
pub(crate) mod verify;
