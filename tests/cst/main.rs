//! The project's tests: one binary, since each links every grammar.

mod cli;
mod docs;
mod tidy;
