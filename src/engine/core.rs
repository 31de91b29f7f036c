//! The engine itself: what it holds, and what each request begins with and works in.

use std::ops::Deref;
use std::sync::OnceLock;

use super::checks::Checks;
use super::session::writer::Writer;
use crate::reader::core::Reader;
use crate::reader::host::Host;

/// Answers requests.
pub struct Engine {
    pub(crate) reader: Reader,
    begun: OnceLock<()>,
    /// Set once it was said whether a write is pending.
    noted: OnceLock<()>,
    /// What configured checks said of texts.
    pub(crate) checks: Checks,
}

/// An engine that knows the user's languages. Requests run on it alone, and only the engine makes one.
pub struct Begun<'a>(&'a Engine);

impl Deref for Begun<'_> {
    type Target = Engine;

    fn deref(&self) -> &Engine {
        self.0
    }
}

impl Deref for Engine {
    type Target = Reader;

    fn deref(&self) -> &Reader {
        &self.reader
    }
}

impl Engine {
    /// An engine that works there. Nothing is read or written until a request needs it.
    pub fn new(host: Host) -> Engine {
        Engine { reader: Reader::new(host), begun: OnceLock::new(), noted: OnceLock::new(), checks: Checks::default() }
    }

    /// Does what comes before the first request, whichever it is.
    pub(crate) fn begin(&self) -> Begun<'_> {
        self.begun.get_or_init(|| {
            self.add_user_languages();
        });
        Begun(self)
    }

    /// Who writes files.
    pub(crate) fn writer(&self) -> Writer<'_> {
        Writer::new(&self.reader)
    }

    /// Says once that a write is pending.
    pub(crate) fn note_pending_once(&self) {
        self.noted.get_or_init(|| self.writer().note_pending());
    }

    /// The same engine, whose requests each take at most so many bytes of memory, and at most three quarters of what is free: a
    /// request that would take more is refused with `budget`. The default is 4 GiB. It counts where the system says how much memory
    /// a process takes.
    #[must_use]
    pub fn with_memory(mut self, bytes: u64) -> Engine {
        self.reader.memory = bytes;
        self
    }

    /// The languages that requests know: the built-in ones and the user's.
    pub fn languages_known(&self) -> &crate::language::Languages {
        self.reader.languages_known()
    }
}
