//! Any batch of operations on a small file.

#![no_main]

#[path = "../../tests/fuzz/edits.rs"]
mod edits;

libfuzzer_sys::fuzz_target!(|input: edits::Input| edits::check(input));
