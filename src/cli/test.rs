//! `test`: its arguments, how results are printed, and the review of snapshots.

use std::io;
use std::path::PathBuf;

use clap::Args;

use crate::request::{AcceptedTest, TestRequest, TestResponse, TestRow};

use super::caller::Caller;
use super::exit::Exit;
use super::failure::Failure;
use super::junit;
use super::printer::{ADDED, ERROR, Format, HINT, NAME, PATH, Printer, QUIET};
use super::report::plural;

/// Runs the tests of refactor scripts and of rules
///
/// Each test runs its script on `before` and compares the result with `after`, or with its snapshot in
/// snapshots/scripts/SCRIPT/TEST.snap. A test also fails if no step matches, if the result has new syntax errors, or if a second
/// run changes the result again.
///
/// A test of a rule looks for the rule's findings in `code`, and compares where they start with `finds`, or with its snapshot in
/// snapshots/rules/PACK/RULE-TEST.snap, and the fixed code with `after`.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Test {
    /// Scripts, files of rules, or folders of them; default: refactors/**/*.toml, examples/refactors/*.toml and .cst/rules/**/*.toml
    #[arg(value_name = "SCRIPT")]
    scripts: Vec<PathBuf>,
    /// Only tests whose name, or whose script's name, contains WORD
    #[arg(long, value_name = "WORD")]
    filter: Vec<String>,
    /// Write new and changed snapshots
    #[arg(long, conflicts_with = "review")]
    update: bool,
    /// Show each new or changed snapshot, and ask whether to accept it
    #[arg(long)]
    review: bool,
    /// Fail if a rule has no test
    #[arg(long)]
    strict: bool,
    /// Also write the results as JUnit XML, for CI
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  cst test
  cst test refactors/assert-equals.toml --filter comment
  cst test --review
  cst test --junit target/scripts.xml

Exit status: 0 all passed, 1 some failed or there are none, 2 a script that cannot be read.";

/// The answer about a snapshot.
enum Answer {
    Accept,
    Reject,
    Skip,
    /// Stop asking.
    Quit,
}

impl Test {
    pub(super) fn run(self, caller: &mut Caller) -> Result<Exit, Failure> {
        let mut request = TestRequest {
            scripts: self.scripts.clone(),
            filter: self.filter.clone(),
            update: self.update,
            accept: Vec::new(),
        };
        if self.review && caller.console.format() != Format::Text {
            return Err(Failure::usage("a review is for people", "leave --json out"));
        }
        let mut tested = caller.ask(&request)?;
        if self.review {
            request.accept = review(&tested, caller)?;
            if !request.accept.is_empty() {
                tested = caller.ask(&request)?;
            }
        }
        if let Some(path) = &self.junit {
            let report = junit::report(&tested)?;
            caller.input.write(path, report.as_bytes())?;
        }
        let mut printer = caller.console.printer();
        match printer.format() {
            Format::Json => printer.answer(&tested)?,
            Format::JsonLines => tested.tests.iter().try_for_each(|row| printer.json(row))?,
            Format::Text => in_text(&tested, &self.filter, &mut printer)?,
        }
        let is_tested = !self.strict || tested.untested == 0;
        Ok(Exit::when(tested.failed == 0 && tested.passed > 0 && is_tested))
    }
}

/// Shows each pending snapshot and asks; returns the accepted ones.
fn review(tested: &TestResponse, caller: &mut Caller) -> Result<Vec<AcceptedTest>, Failure> {
    let open: Vec<&TestRow> = tested.tests.iter().filter(|row| row.pending).collect();
    let mut accepted = Vec::new();
    for (at, row) in open.iter().enumerate() {
        {
            let mut printer = caller.console.printer();
            let place = format!("{} of {}: {}: {}", at + 1, open.len(), row.script, row.test);
            let place = printer.paint(NAME, place);
            printer.line(place)?;
            row.problems.iter().try_for_each(|problem| printer.line(format!("  {problem}")))?;
            printer.diff(row.diff.as_deref().unwrap_or_default())?;
            printer.text("(a)ccept, (r)eject, (s)kip, (q)uit? ")?;
            printer.flush()?;
        }
        match answer(caller)? {
            Answer::Accept => {
                accepted.push(AcceptedTest { script: row.script.clone(), test: row.test.clone() });
            }
            Answer::Reject | Answer::Skip => {}
            Answer::Quit => break,
        }
    }
    Ok(accepted)
}

/// Reads an answer; the end of the input ends the review.
fn answer(caller: &mut Caller) -> Result<Answer, Failure> {
    loop {
        let Some(line) = caller.input.line()? else { return Ok(Answer::Quit) };
        match line.trim().to_ascii_lowercase().as_str() {
            "a" | "accept" | "y" | "yes" => return Ok(Answer::Accept),
            "r" | "reject" | "n" | "no" => return Ok(Answer::Reject),
            "s" | "skip" => return Ok(Answer::Skip),
            "q" | "quit" => return Ok(Answer::Quit),
            _ => {
                let mut printer = caller.console.printer();
                printer.text("a, r, s or q? ")?;
                printer.flush()?;
            }
        }
    }
}

fn in_text(tested: &TestResponse, filter: &[String], printer: &mut Printer) -> io::Result<()> {
    let mut last = None;
    for row in &tested.tests {
        if last.replace(row.script.as_str()) != Some(row.script.as_str()) {
            let path = printer.link(&row.script);
            printer.line(path)?;
        }
        let passed = row.problems.is_empty();
        let status = printer.paint(if passed { ADDED } else { ERROR }, row.status);
        let updated = if row.updated { printer.paint(QUIET, "  snapshot written") } else { String::new() };
        printer.line(format!("  {status}  {}{updated}", row.test))?;
        if passed {
            continue;
        }
        let place = printer.paint(PATH, format!("{}:{}", row.script, row.line));
        printer.line(format!("    at {place}"))?;
        for problem in &row.problems {
            printer.line(format!("    {}", problem.replace('\n', "\n    ")))?;
        }
        if row.pending {
            let hint = printer.paint(HINT, "hint");
            printer.line(format!("    {hint}: --review shows it and asks, --update writes it"))?;
        }
        if let Some(diff) = &row.diff {
            printer.diff(diff)?;
        }
    }
    for warning in &tested.warnings {
        let word = printer.paint_error(HINT, "warning");
        printer.note(format!("{word}: {warning}"))?;
    }
    let total = tested.passed + tested.failed;
    let summary = match (total, tested.failed) {
        (0, _) if !filter.is_empty() => format!("no test has `{}` in its name", filter.join("` or `")),
        (0, _) => "no tests: refactors/**/*.toml and examples/refactors/*.toml are looked for".to_owned(),
        (total, 0) => format!("{} passed", plural(total, "test")),
        (total, failed) => format!("{failed} of {} failed", plural(total, "test")),
    };
    let summary = printer.paint_error(QUIET, summary);
    printer.note(summary)
}
