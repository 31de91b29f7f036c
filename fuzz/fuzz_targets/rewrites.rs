//! Any code pattern and template over a small file.

#![no_main]

#[path = "../../tests/fuzz/rewrites.rs"]
mod rewrites;

libfuzzer_sys::fuzz_target!(|input: rewrites::Input| rewrites::check(input));
