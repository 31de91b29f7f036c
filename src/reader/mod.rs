//! What requests read, and within which limits: files, targets, trees of the session, languages, configuration, other programs.

pub(crate) mod cached;
pub(crate) mod changed_files;
pub(crate) mod configuration;
pub(crate) mod core;
pub(crate) mod document;
pub(crate) mod growing;
pub(crate) mod held;
pub(crate) mod host;
pub(crate) mod language_server;
pub(crate) mod languages;
mod meant;
pub(crate) mod models;
pub(crate) mod names;
pub(crate) mod noted;
pub(crate) mod observer;
pub(crate) mod open_model;
pub(crate) mod programs;
pub(crate) mod project_part;
pub(crate) mod project_root;
pub(crate) mod queries;
pub(crate) mod reference;
pub(crate) mod rows;
pub(crate) mod scan;
pub(crate) mod stale;
pub(crate) mod target;
pub(crate) mod trust;
