//! One binary for all integration tests: each linked binary carries the grammars' tables.

mod awkward;
mod cli;
mod cli_sessions;
mod docs;
mod edit;
mod edit_in_place;
mod edit_laws;
mod edit_lists;
mod engine;
mod external_check;
mod finding;
mod fuzz_corpus;
mod languages;
mod oracle;
mod outline;
mod python;
mod search;
mod selector_laws;
mod selector_limits;
mod session;
mod spec_edits;
mod spec_pseudo_classes;
mod spec_selectors;
mod store;
mod text;
mod tidy;
