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
    /// The phase with that name.
    pub fn named(word: &str) -> Option<Phase> {
        match word {
            "pre" => Some(Phase::Pre),
            "post" => Some(Phase::Post),
            _ => None,
        }
    }
}

/// The phase of an event by its name; another name is another event. Without a name, the argument of the hook counts,
/// or else whether the payload has a result.
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
