//! The tests of a script: runs it on a text and judges the result.

use super::model::Test;
use super::plan::Plan;
use super::run::{Count, Ran, RunError};
use super::snapshot::Snapshot;
use crate::text::{Text, unified};
use crate::tree::{ParseError, ParseLimits, Tree};

/// The expected result of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected<'a> {
    /// The text in the test.
    Text(&'a str),
    /// The text of its snapshot.
    Snapshot(&'a str),
    /// None so far.
    Nothing,
}

/// The result of a test.
#[derive(Debug, Clone)]
pub struct Verdict {
    /// The resulting text; `None` if a step was refused.
    pub got: Option<String>,
    /// The counts of each step.
    pub steps: Vec<Count>,
    /// The reasons why the test failed; empty if it passed.
    pub complaints: Vec<Complaint>,
}

/// A reason why a test failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Complaint {
    /// The text before cannot be parsed.
    #[error("`before` cannot be parsed: {0}")]
    Unparsed(ParseError),
    /// A step failed.
    #[error("{0}")]
    Refused(RunError),
    /// A step has another number of matches than it expects.
    #[error("step {step}: the number of matches is {matches}, not {expected}")]
    Count {
        /// The step, from 1.
        step: usize,
        /// The number of matches.
        matches: usize,
        /// The expected number.
        expected: usize,
    },
    /// The result differs from the expected text.
    #[error("not what was expected")]
    Differs {
        /// The diff from the expected to the actual text.
        diff: String,
    },
    /// There is no snapshot to compare with.
    #[error("there is no `after`, and no snapshot yet")]
    New {
        /// The diff from the text before to the result.
        diff: String,
    },
    /// Something changed that should not.
    #[error("the text changed, but the test has `unchanged = true`")]
    Changed {
        /// The diff.
        diff: String,
    },
    /// No step matched anything.
    #[error("no step matches anything; if nothing should happen, write `unchanged = true`")]
    NothingMatched,
    /// A second run changes the result again.
    #[error("a second run changes the text again; `idempotent = false` allows this")]
    NotIdempotent {
        /// The diff.
        diff: String,
    },
    /// A second run failed.
    #[error("a second run fails: {0}")]
    SecondRefused(RunError),
}

impl Complaint {
    /// The diff of the complaint.
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
    /// Runs the script on the text before, and judges the result.
    pub fn verdict(&self, plan: &Plan<'_>, expected: Expected<'_>, limits: &ParseLimits) -> Verdict {
        self.verdict_by(plan, expected, limits, &|tree| plan.run(tree, limits))
    }

    /// Runs the script in some way on the text before, and judges the result.
    pub fn verdict_by(
        &self,
        plan: &Plan<'_>,
        expected: Expected<'_>,
        limits: &ParseLimits,
        run: &dyn Fn(&Tree) -> Result<Ran, RunError>,
    ) -> Verdict {
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
        let ran = match run(&before) {
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
            // Parsed from scratch, as another process would.
            match parse(&got).map(|tree| run(&tree)) {
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

/// The labels of the two texts of a diff.
type Sides = (&'static str, &'static str);

const EXPECTED: Sides = ("expected", "got");
const BEFORE: Sides = ("before", "got");
const AGAIN: Sides = ("got", "got from a second run");

/// A unified diff whose header names the compared texts; it is not meant to be applied.
fn diff((old_side, new_side): Sides, old: &str, new: &str) -> String {
    let diff = unified("", &Text::new(old), &Text::new(new));
    let hunks = diff.find("@@").map_or("", |at| &diff[at..]);
    format!("--- {old_side}\n+++ {new_side}\n{hunks}")
}
