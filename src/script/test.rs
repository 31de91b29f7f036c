//! A script's tests: run over a text, and what there is to say against the result.

use super::model::Test;
use super::plan::Plan;
use super::run::{Count, RunError};
use super::snapshot::Snapshot;
use crate::text::{Text, unified};
use crate::tree::{ParseError, ParseLimits, Tree};

/// What a test's result is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected<'a> {
    /// The text that the test gives.
    Text(&'a str),
    /// The text of its snapshot.
    Snapshot(&'a str),
    /// Nothing yet.
    Nothing,
}

/// How a test came out.
#[derive(Debug, Clone)]
pub struct Verdict {
    /// The text that the script left; `None` where it was refused.
    pub got: Option<String>,
    /// What each step found and did.
    pub steps: Vec<Count>,
    /// What speaks against it; nothing where it passed.
    pub complaints: Vec<Complaint>,
}

/// What speaks against a test.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Complaint {
    /// The text before can't be parsed.
    #[error("`before` can't be parsed: {0}")]
    Unparsed(ParseError),
    /// A step can't be done.
    #[error("{0}")]
    Refused(RunError),
    /// A step has another number of matches than it expects.
    #[error("step {step}: the number of matches is {matches}, not {expected}")]
    Count {
        /// The step, from 1.
        step: usize,
        /// How many it has.
        matches: usize,
        /// How many it expects.
        expected: usize,
    },
    /// The text isn't the one expected.
    #[error("not what was expected")]
    Differs {
        /// From what was expected to what came.
        diff: String,
    },
    /// There is nothing to compare with.
    #[error("there is no `after`, and no snapshot yet")]
    New {
        /// From the text before to what came.
        diff: String,
    },
    /// Something changed that shouldn't.
    #[error("the text changed, and the test says `unchanged = true`")]
    Changed {
        /// What changed.
        diff: String,
    },
    /// No step found anything.
    #[error("no step matches anything; a test that nothing happens says `unchanged = true`")]
    NothingMatched,
    /// A second run changes the result again.
    #[error("a second run changes the text again; `idempotent = false` waives this")]
    NotIdempotent {
        /// What it changes.
        diff: String,
    },
    /// A second run can't be done.
    #[error("a second run fails: {0}")]
    SecondRefused(RunError),
}

impl Complaint {
    /// The difference it speaks of.
    pub fn diff(&self) -> Option<&str> {
        match self {
            Complaint::Differs { diff }
            | Complaint::New { diff }
            | Complaint::Changed { diff }
            | Complaint::NotIdempotent { diff } => Some(diff),
            _ => None,
        }
    }
}

impl Test {
    /// Runs the script over the text before, and looks at what it left.
    pub fn verdict(&self, plan: &Plan<'_>, expected: Expected<'_>, limits: &ParseLimits) -> Verdict {
        let mut verdict = Verdict { got: None, steps: Vec::new(), complaints: Vec::new() };
        let parse = |text: &str| {
            let tree = Tree::parse(Text::new(text), self.language, limits)?;
            Ok(match &self.path {
                Some(path) => tree.with_path(path),
                None => tree,
            })
        };
        let before = match parse(&self.before) {
            Ok(tree) => tree,
            Err(error) => {
                verdict.complaints.push(Complaint::Unparsed(error));
                return verdict;
            }
        };
        let ran = match plan.run(&before, limits) {
            Ok(ran) => ran,
            Err(error) => {
                verdict.complaints.push(Complaint::Refused(error));
                return verdict;
            }
        };
        let got = ran.tree.text().to_string();
        let is_same = got == self.before;
        if self.unchanged {
            if !is_same {
                verdict.complaints.push(Complaint::Changed { diff: diff(BEFORE, &self.before, &got) });
            }
        } else {
            for (at, (count, planned)) in ran.steps.iter().zip(&plan.steps).enumerate() {
                if let Some(expected) = planned.step.expect.filter(|&expected| expected != count.matches) {
                    verdict.complaints.push(Complaint::Count { step: at + 1, matches: count.matches, expected });
                }
            }
            if ran.steps.iter().all(|count| count.matches == 0) {
                verdict.complaints.push(Complaint::NothingMatched);
            }
            match expected {
                Expected::Text(text) if text == got => {}
                Expected::Snapshot(text) if Snapshot::is_of(text, &got) => {}
                Expected::Text(text) | Expected::Snapshot(text) => {
                    verdict.complaints.push(Complaint::Differs { diff: diff(EXPECTED, text, &got) });
                }
                Expected::Nothing => verdict.complaints.push(Complaint::New { diff: diff(BEFORE, &self.before, &got) }),
            }
        }
        if self.idempotent && !is_same {
            // As another process would find the text, parsed anew.
            match parse(&got).map(|tree| plan.run(&tree, limits)) {
                Ok(Ok(again)) => {
                    let again = again.tree.text().to_string();
                    if again != got {
                        let diff = diff(AGAIN, &got, &again);
                        verdict.complaints.push(Complaint::NotIdempotent { diff });
                    }
                }
                Ok(Err(error)) => verdict.complaints.push(Complaint::SecondRefused(error)),
                Err(error) => verdict.complaints.push(Complaint::Unparsed(error)),
            }
        }
        verdict.got = Some(got);
        verdict.steps = ran.steps;
        verdict
    }
}

/// What the two texts of a difference are.
type Sides = (&'static str, &'static str);

const EXPECTED: Sides = ("expected", "got");
const BEFORE: Sides = ("before", "got");
const AGAIN: Sides = ("got", "got from a second run");

/// A unified diff whose header says what is compared; nobody applies it.
fn diff((old_side, new_side): Sides, old: &str, new: &str) -> String {
    let diff = unified("", &Text::new(old), &Text::new(new));
    let hunks = diff.find("@@").map_or("", |at| &diff[at..]);
    format!("--- {old_side}\n+++ {new_side}\n{hunks}")
}
