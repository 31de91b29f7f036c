//! What the tools call what a hint of the engine names.

use crate::request::Term;

/// What the tools call what a hint names; nothing for what they lack, where `next` says what to do.
pub(super) fn name(term: Term) -> Option<&'static str> {
    Some(match term {
        Term::Trees => "session with action list",
        Term::Load => "session with action load",
        Term::Find => "find",
        Term::Show => "show",
        Term::Save => "session with action save",
        Term::Explain => "explain",
        Term::Rewrite => "rewrite",
        Term::All => "all: true or match_index",
        Term::DryRun => "dry_run: true",
        Term::SkipErrors => "on_error: \"skip\"",
        Term::Force => "force: true",
        Term::Merge => "merge: true",
        Term::ForceRefactor => "force: true",
        Term::Include => "include: [\"PATH:LINE\"]",
        Term::Leave => "leave_undetermined: true",
        Term::Decide => "verify with decide: true",
        Term::Part => "parts",
        Term::Language => "language",
        _ => return None,
    })
}
