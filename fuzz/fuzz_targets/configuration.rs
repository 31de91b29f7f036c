//! Any text as what configures a project, and as a script.

#![no_main]

#[path = "../../tests/fuzz/configuration.rs"]
mod configuration;
#[path = "../../tests/fuzz/messages.rs"]
mod messages;

libfuzzer_sys::fuzz_target!(|input: configuration::Input| configuration::check(input));
