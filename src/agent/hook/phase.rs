//! When a hook is called: before a tool runs, or after it.

/// Whether a tool is about to run, or has run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// It is about to run.
    Pre,
    /// It has run.
    Post,
}

impl Phase {
    /// The phase of a hook's second word.
    pub fn named(word: &str) -> Option<Phase> {
        match word {
            "pre" => Some(Phase::Pre),
            "post" => Some(Phase::Post),
            _ => None,
        }
    }
}

/// The phase that an event's name says; by another name it is another event. Without a name the word counts that the hook was
/// called with, or else whether the payload has a result.
pub(super) fn phase_of(name: Option<&str>, phase: Option<Phase>, has_result: bool) -> Option<Phase> {
    let Some(name) = name else {
        return phase.or(Some(if has_result { Phase::Post } else { Phase::Pre }));
    };
    match name.to_ascii_lowercase().as_str() {
        "pretooluse" => Some(Phase::Pre),
        "posttooluse" => Some(Phase::Post),
        _ => None,
    }
}
