//! One binary for all integration tests: each linked binary carries the grammars' tables.

mod selector_laws;
