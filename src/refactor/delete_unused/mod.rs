//! `delete_unused`: definitions that nothing refers to go, with the imports that only they needed.

pub(crate) mod plan;
