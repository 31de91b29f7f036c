//! One binary for all integration tests: each linked binary carries the grammars' tables.

mod cli;
mod docs;
mod edit;
mod edit_in_place;
mod edit_laws;
mod finding;
mod languages;
mod oracle;
mod outline;
mod python;
mod selector_laws;
mod spec_pseudo_classes;
mod spec_selectors;
mod tidy;
