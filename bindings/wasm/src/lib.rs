//! The library as a module of WebAssembly.
//!
//! The page gives it languages ([`cst_add`]) and then asks questions: JSON in, JSON out ([`cst_call`]). One instance has one text open at a
//! time. After a panic an instance is of no use any more; the page makes another.
//!
//! This package is for `wasm32-unknown-unknown`.

mod answer;
mod engine;
mod memory;
mod problem;
