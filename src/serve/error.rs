//! Why a server ended before its input did.

use std::io;

/// Why a server ended before its input did. A reader that has closed its end of the output is no error.
#[derive(Debug)]
#[non_exhaustive]
pub enum ServeError {
    /// Input cannot be read.
    Input(io::Error),
    /// Output cannot be written.
    Output(io::Error),
}

impl ServeError {
    /// The end of a server whose output failed: done if nobody reads it any more.
    pub(super) fn of_output(error: io::Error) -> Result<(), ServeError> {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Ok(()),
            _ => Err(ServeError::Output(error)),
        }
    }
}

impl std::fmt::Display for ServeError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ServeError::Input(error) => write!(formatter, "cannot read: {error}"),
            ServeError::Output(error) => write!(formatter, "cannot write: {error}"),
        }
    }
}

impl std::error::Error for ServeError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            ServeError::Input(error) | ServeError::Output(error) => Some(error),
        }
    }
}
