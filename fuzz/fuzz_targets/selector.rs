//! Any text as a selector.

#![no_main]

#[path = "../../tests/fuzz/selector.rs"]
mod selector;

libfuzzer_sys::fuzz_target!(|source: &str| selector::check(source));
