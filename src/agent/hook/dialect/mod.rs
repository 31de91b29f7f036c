//! Dialects: how each agent tells of a tool's call.

mod claude;
mod cline;
mod copilot;
mod cursor;
mod gemini;
mod opencode;
mod read;
mod windsurf;
