//! Any bytes as messages of JSON-RPC and MCP.

#![no_main]

#[path = "../../tests/fuzz/messages.rs"]
mod messages;

libfuzzer_sys::fuzz_target!(|input: &[u8]| messages::check(input));
