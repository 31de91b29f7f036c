//! Changes that a command has verified: what it said before and after.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::request::error::PlaceRow;
use crate::request::fields::is_false;

/// A command that a change did not make worse.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Verified {
    /// The command.
    pub command: String,
    /// Its run on a copy of the working tree.
    pub before: CommandRun,
    /// Its run on the same copy with the change.
    pub after: CommandRun,
    /// Ignored files and folders that the copy lacked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
}

impl Verified {
    /// A command with its two runs.
    pub(crate) fn new(command: String, before: CommandRun, after: CommandRun) -> Verified {
        Verified { command, before, after, left_out: Vec::new() }
    }

    /// In words: `verified: pytest -q (before: 0, after: 0)`.
    pub fn sentence(&self) -> String {
        let Verified { command, before, after, left_out } = self;
        let mut sentence = format!("verified: {command} (before: {}, after: {})", before.outcome(), after.outcome());
        if before.status != Some(0) && after.status != Some(0) {
            sentence.push_str("; it fails without the change, too, so only what it newly says counts");
        }
        match left_out.as_slice() {
            [] => {}
            [one] => sentence.push_str(&format!("; the copy lacks `{one}`, which git ignores")),
            [one, more @ ..] => {
                let more = more.len();
                sentence.push_str(&format!("; the copy lacks `{one}` and {more} more that git ignores"));
            }
        }
        sentence
    }
}

/// A run of a command.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct CommandRun {
    /// Its exit status; none if a signal ended it, or it took too long.
    pub status: Option<i32>,
    /// Whether it took too long and was stopped.
    #[serde(default, skip_serializing_if = "is_false")]
    pub timed_out: bool,
    /// How long it took, in milliseconds.
    pub milliseconds: u64,
}

impl CommandRun {
    /// A run that ended.
    pub(crate) fn ended(status: Option<i32>, milliseconds: u64) -> CommandRun {
        CommandRun { status, timed_out: false, milliseconds }
    }

    /// A run that was stopped at its time limit.
    pub(crate) fn stopped(milliseconds: u64) -> CommandRun {
        CommandRun { status: None, timed_out: true, milliseconds }
    }

    /// Its end in words: the exit status, or what ended it.
    pub fn outcome(&self) -> String {
        match self {
            CommandRun { status: Some(status), .. } => status.to_string(),
            CommandRun { timed_out: true, .. } => "stopped".to_owned(),
            CommandRun { .. } => "signal".to_owned(),
        }
    }
}

/// A run of the command with some of the uncertain references changed, to decide about them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct DecisionRound {
    /// The uncertain references that were changed, beside all certain ones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<PlaceRow>,
    /// Whether the command said no more than before.
    pub passed: bool,
    /// Otherwise the first and last lines that it newly said.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub newly: Vec<String>,
}

impl DecisionRound {
    /// A run with these candidates changed.
    pub(crate) fn new(changed: Vec<PlaceRow>, newly: Vec<String>) -> DecisionRound {
        DecisionRound { changed, passed: newly.is_empty(), newly }
    }

    /// In words: `with a.py:5:14: passes`.
    pub fn sentence(&self) -> String {
        const NAMED: usize = 4;
        let mut places: Vec<String> = self.changed.iter().take(NAMED).map(PlaceRow::at).collect();
        if self.changed.len() > NAMED {
            places.push(format!("{} more", self.changed.len() - NAMED));
        }
        let changed = if places.is_empty() { "no uncertain reference".to_owned() } else { places.join(", ") };
        match self.newly.last() {
            Some(last) => format!("with {changed} changed: fails: {last}"),
            None => format!("with {changed} changed: passes"),
        }
    }
}
