//! A refusal: why a call wasn't done, and the call to make instead.

use std::fmt::{self, Display};

use crate::request::ErrorCode;

/// Why a call wasn't done, and the next call to make.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Refusal {
    text: String,
    next: String,
}

impl Refusal {
    /// An error without particulars.
    pub fn new(code: ErrorCode, message: impl Display, next: impl Into<String>) -> Refusal {
        Refusal { text: format!("{code}: {message}"), next: next.into() }
    }

    /// A refusal of that text.
    pub fn with(text: String, next: impl Into<String>) -> Refusal {
        Refusal { text, next: next.into() }
    }

    /// Arguments that are not valid.
    pub fn bad(message: impl Display, next: impl Into<String>) -> Refusal {
        Refusal::new(ErrorCode::BadRequest, message, next)
    }

    /// The refusal in at most so many characters, whatever it quotes; the next call to make stays.
    pub fn to_bounded_text(&self, most: usize) -> String {
        const NEXT: usize = 400;
        let whole = self.to_string();
        if whole.chars().count() < most {
            return whole;
        }
        let part = |text: &str, most: usize| text.chars().take(most).collect::<String>();
        let next = part(&format!("next: {}", self.next), NEXT);
        format!("{} …\n{next}", part(&self.text, most.saturating_sub(NEXT + 100)))
    }
}

impl Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}\nnext: {}", self.text, self.next)
    }
}
