//! Why code is not moved.

use crate::edit::EditError;

/// Why code is not moved.
#[derive(Debug)]
pub struct Refusal {
    /// What kind of reason.
    pub reason: Reason,
    /// The place in the old text, if there is one.
    pub start: usize,
    /// What is wrong there.
    pub why: String,
    /// What may help.
    pub hint: Option<String>,
}

/// What kind of reason it is.
#[derive(Debug)]
pub enum Reason {
    /// The request is wrong for this code.
    Request,
    /// The code would not do the same, or it cannot be seen that it would.
    Unsafe,
    /// A name would mean something else.
    Rebinds,
    /// A gate refuses the result.
    Edit(Box<EditError>),
}

impl Refusal {
    pub(crate) fn request(start: usize, why: impl Into<String>) -> Refusal {
        Refusal { reason: Reason::Request, start, why: why.into(), hint: None }
    }

    pub(crate) fn unsafe_at(start: usize, why: impl Into<String>) -> Refusal {
        Refusal { reason: Reason::Unsafe, start, why: why.into(), hint: None }
    }

    pub(crate) fn rebinds(start: usize, why: impl Into<String>) -> Refusal {
        Refusal { reason: Reason::Rebinds, start, why: why.into(), hint: None }.hint("choose another name")
    }

    pub(crate) fn hint(self, hint: &str) -> Refusal {
        Refusal { hint: Some(hint.to_owned()), ..self }
    }
}

impl From<EditError> for Refusal {
    fn from(error: EditError) -> Refusal {
        Refusal { why: error.to_string(), start: 0, hint: None, reason: Reason::Edit(Box::new(error)) }
    }
}
