//! The codes of the library's errors, as tests compare them.

use cst::engine::ErrorCode;

/// The code that the engine gives an error.
pub fn error_code(error: impl Into<ErrorCode>) -> &'static str {
    error.into().as_str()
}
