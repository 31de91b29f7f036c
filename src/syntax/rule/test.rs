//! Tests of rules: a text, where findings start in it, and the text with all fixes applied.

use super::ignores::Ignores;
use super::model::RuleTest;
use super::plan::{FixError, RulePlan};
use crate::edit::Allow;
use crate::limits;
use crate::selector::{Evaluation, SelectorError};
use crate::text::{Text, unified};
use crate::tree::{ParseError, ParseLimits, Tree};

/// The result of a rule's test.
#[derive(Debug, Clone)]
pub struct RuleVerdict {
    /// Where findings start, as `line:column` from 1.
    pub found: Vec<String>,
    /// The places, with the text after fixes if the rule has one: what a snapshot holds.
    pub got: Option<String>,
    /// The reasons why the test failed; empty if it passed.
    pub complaints: Vec<RuleComplaint>,
}

/// A reason why a rule's test failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RuleComplaint {
    /// The code cannot be parsed.
    #[error("`code` cannot be parsed: {0}")]
    Unparsed(ParseError),
    /// The code has a syntax error, so the test shows nothing.
    #[error("`code` has a syntax error in line {line}")]
    SyntaxError {
        /// The line, from 1.
        line: usize,
    },
    /// The selector takes too long.
    #[error("{}", .0.message)]
    Selector(SelectorError),
    /// A fix was refused.
    #[error("the fix is refused: {0}")]
    Fix(FixError),
    /// The rule found something at other places.
    #[error("found {found}, not {expected}")]
    Places {
        /// The places found.
        found: String,
        /// The places expected.
        expected: String,
    },
    /// The text after the fixes is another one.
    #[error("the fixes make another text")]
    Differs {
        /// The diff from the expected to the actual text.
        diff: String,
    },
    /// There is no snapshot to compare with.
    #[error("there is no `finds`, and no snapshot yet")]
    New {
        /// The findings.
        diff: String,
    },
    /// The snapshot holds something else.
    #[error("not what the snapshot holds")]
    Snapshot {
        /// The diff from the snapshot to the findings.
        diff: String,
    },
}

impl RuleComplaint {
    /// The diff of the complaint.
    pub fn diff(&self) -> Option<&str> {
        match self {
            RuleComplaint::Differs { diff } | RuleComplaint::New { diff } | RuleComplaint::Snapshot { diff } => {
                Some(diff)
            }
            _ => None,
        }
    }
}

impl RuleTest {
    /// Runs the rule on the code, and judges what it finds. `kept` is the text of a snapshot, for a test without places.
    pub fn verdict(&self, plan: &RulePlan<'_>, kept: Option<&str>, limits: &ParseLimits) -> RuleVerdict {
        let mut verdict = RuleVerdict { found: Vec::new(), got: None, complaints: Vec::new() };
        if let Err(complaint) = self.judge(plan, kept, limits, &mut verdict) {
            verdict.complaints.push(complaint);
        }
        verdict
    }

    fn judge(
        &self,
        plan: &RulePlan<'_>,
        kept: Option<&str>,
        limits: &ParseLimits,
        verdict: &mut RuleVerdict,
    ) -> Result<(), RuleComplaint> {
        let tree = Tree::parse(Text::new(&self.code), self.language, limits).map_err(RuleComplaint::Unparsed)?;
        let tree = match &self.path {
            Some(path) => tree.with_path(path),
            None => tree,
        };
        if let Some(error) = tree.errors().first() {
            let line = tree.text().line_at(error.span.start());
            verdict.complaints.push(RuleComplaint::SyntaxError { line });
        }
        verdict.found = places(plan, &tree)?;
        let fixed = match plan.rule().has_fix() {
            true => Some(mend_all(plan, &tree, limits)?.text().to_string()),
            false => None,
        };
        let got = snapshot_text(&verdict.found, fixed.as_deref());
        if let Some(expected) = &self.finds {
            if *expected != verdict.found {
                let listed = |places: &[String]| match places {
                    [] => "nothing".to_owned(),
                    places => places.join(", "),
                };
                let (found, expected) = (listed(&verdict.found), listed(expected));
                verdict.complaints.push(RuleComplaint::Places { found, expected });
            }
        } else if let Some(kept) = kept {
            if kept.trim_end() != got.trim_end() {
                verdict.complaints.push(RuleComplaint::Snapshot { diff: diff("snapshot", kept, &got) });
            }
        } else {
            verdict.complaints.push(RuleComplaint::New { diff: diff("snapshot", "", &got) });
        }
        if let Some(after) = &self.after {
            let fixed = fixed.unwrap_or_else(|| self.code.clone());
            if *after != fixed {
                verdict.complaints.push(RuleComplaint::Differs { diff: diff("expected", after, &fixed) });
            }
        }
        verdict.got = Some(got);
        Ok(())
    }
}

fn places(plan: &RulePlan<'_>, tree: &Tree) -> Result<Vec<String>, RuleComplaint> {
    let ignores = Ignores::of(tree);
    let found = plan.find(&Evaluation::new(tree)).map_err(RuleComplaint::Selector)?;
    let open = found.iter().filter(|found| ignores.silencing(&plan.rule().id, tree, found.node).is_none());
    Ok(open.map(|found| tree.start(found.node).to_string()).collect())
}

/// The tree after the fix was applied until nothing changes.
fn mend_all(plan: &RulePlan<'_>, tree: &Tree, limits: &ParseLimits) -> Result<Tree, RuleComplaint> {
    let mut now = tree.clone();
    let mut before = usize::MAX;
    for _ in 0..limits::FIX_PASSES {
        let ignores = Ignores::of(&now);
        let mut found = plan.find(&Evaluation::new(&now)).map_err(RuleComplaint::Selector)?;
        found.retain(|found| ignores.silencing(&plan.rule().id, &now, found.node).is_none());
        // A fix that makes as many findings as it mends never ends.
        if found.is_empty() || found.len() >= before {
            break;
        }
        before = found.len();
        let mended = plan.mend(&now, found, Allow::default(), limits).map_err(RuleComplaint::Fix)?;
        if mended.applied == 0 {
            break;
        }
        now = mended.tree;
    }
    Ok(now)
}

fn snapshot_text(found: &[String], fixed: Option<&str>) -> String {
    let mut text = match found {
        [] => "nothing found\n".to_owned(),
        found => found.iter().map(|place| format!("{place}\n")).collect(),
    };
    if let Some(fixed) = fixed {
        text.push_str("---\n");
        text.push_str(fixed);
    }
    text
}

/// A unified diff whose header names the compared texts; it is not meant to be applied.
fn diff(side: &str, old: &str, new: &str) -> String {
    let diff = unified("", &Text::new(old), &Text::new(new));
    let hunks = diff.find("@@").map_or("", |at| &diff[at..]);
    format!("--- {side}\n+++ got\n{hunks}")
}
