//! Dialects: how each agent reports a tool call.

mod claude;
mod cline;
mod copilot;
mod cursor;
mod gemini;
mod opencode;
mod read;
mod windsurf;
