//! A request: its name, what it answers, and what it does.

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::engine::core::{Begun, Engine};
use crate::request::error::EngineError;
use crate::request::report::Skipped;

/// A request. Its type, in `request`, has the fields; what it does is in the file of its name.
///
/// All requests are listed once, in `engine/handle.rs`. From that list come [`Request`](super::Request) and
/// [`Response`](super::Response), the methods of [`Engine`], the schemas of [`Methods`](super::Methods), and with them JSON-RPC's
/// OpenRPC document, MCP's tools and docs/protocol.md.
pub trait Method: Serialize + DeserializeOwned + JsonSchema {
    /// The name, in JSON-RPC and on the command line.
    const NAME: &'static str;
    /// Whether it changes neither trees nor files.
    const READS: bool;
    /// The answer.
    type Result: Serialize + JsonSchema;

    /// Does what is asked. [`Engine::ask`] calls it.
    ///
    /// # Errors
    /// When it can't be done; nothing was written then.
    fn run(&self, engine: &Begun<'_>) -> Result<Self::Result, EngineError>;

    /// The files that an answer lists as left out, for front ends that word the hints of their errors.
    fn name_skips(_answer: &mut Self::Result) -> &mut [Skipped] {
        &mut []
    }
}

impl Engine {
    /// Answers a request.
    ///
    /// # Errors
    /// When it can't be done; nothing was written then.
    pub fn ask<M: Method>(&self, request: &M) -> Result<M::Result, EngineError> {
        let begun = self.begin();
        if M::READS {
            self.note_pending_once();
            return request.run(&begun);
        }
        let answer = request.run(&begun);
        // One that writes has completed it or rolled it back.
        self.note_pending_once();
        answer
    }
}
