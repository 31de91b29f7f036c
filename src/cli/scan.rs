//! `scan`: its arguments, and its exit status.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::request::{BaselineUse, FixKind, ScanDetail, ScanRequest, ScanResponse, Severity};

use super::caller::Caller;
use super::changes;
use super::exit::Exit;
use super::failure::Failure;
use super::findings::{self, OutputForm};
use super::printer::Format;
use super::targets::{Reading, Walking, refuse_place};

/// Finds what rules say about code
///
/// A rule is a selector with a message; docs/rules.md shows how to write one, test it and run it in CI. Rules are read from the
/// project's `.cst/rules`, from files and folders given with --rules, and from the packs that cst ships. Each file is parsed once,
/// whatever the number of rules.
///
/// A comment `cst-ignore: pack/rule -- the reason` silences a finding on its line, or in the statement below it.
///
/// --fix writes the fixes that never change what a program does: all files or none, and one undo restores them all.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Scan {
    /// Files, folders, trees, or `-` with --stdin-filename or -t for standard input; default: the working directory
    #[arg(value_name = "TARGET")]
    targets: Vec<String>,
    #[command(flatten)]
    choice: RuleChoice,
    /// How findings are printed
    #[arg(long, value_name = "FORM", value_enum, default_value_t, help_heading = "Output")]
    format: OutputForm,
    /// The lowest severity that makes the exit status 1: error, warning, info or hint; default: error
    #[arg(long, value_name = "SEVERITY", value_parser = read_severity, help_heading = "Output")]
    fail_on: Option<Severity>,
    /// Print findings per rule, and the time that each took
    #[arg(long, help_heading = "Output")]
    stats: bool,
    /// Print silenced and known findings, too
    #[arg(long, help_heading = "Output")]
    all: bool,
    #[command(flatten)]
    fixing: Fixing,
    #[command(flatten)]
    counting: Counting,
    /// Report comments that silence nothing
    #[arg(long, help_heading = "Which findings count")]
    report_unused_ignores: bool,
    /// Also write the findings to a file, in this form: `sarif=FILE`
    #[arg(long, value_name = "FORM=FILE", help_heading = "Output")]
    output: Vec<String>,
    /// The file name of standard input, which decides its language
    #[arg(long = "stdin-filename", value_name = "NAME", help_heading = "Reading")]
    name: Option<String>,
    #[command(flatten)]
    walking: Walking,
    #[command(flatten)]
    reading: Reading,
}

/// The rules that are run.
#[derive(Debug, Args)]
struct RuleChoice {
    /// A file or folder of rules, beside those in `.cst/rules`
    #[arg(long, value_name = "PATH", help_heading = "Rules")]
    rules: Vec<String>,
    /// A pack that cst ships
    #[arg(long, value_name = "NAME", value_delimiter = ',', help_heading = "Rules")]
    pack: Vec<String>,
    /// Only this rule: `PACK/ID` or `ID`; `*` is any letters
    #[arg(long, value_name = "RULE", value_delimiter = ',', help_heading = "Rules")]
    rule: Vec<String>,
    /// A selector as the only rule
    #[arg(long, value_name = "SELECTOR", help_heading = "Rules", conflicts_with_all = ["rules", "pack", "rule"])]
    select: Option<String>,
    /// The message of that rule
    #[arg(long, value_name = "TEXT", help_heading = "Rules", requires = "select")]
    message: Option<String>,
    /// The configuration; default: the nearest `.cst/config.toml` with `[scan]`
    #[arg(long, value_name = "FILE", help_heading = "Rules")]
    config: Option<String>,
    /// List the rules and look at no file
    #[arg(long, help_heading = "Rules")]
    list: bool,
    /// Show all that is known about a rule
    #[arg(long, value_name = "RULE", help_heading = "Rules", conflicts_with = "list")]
    explain: Option<String>,
}

/// Which fixes are applied.
#[derive(Debug, Args)]
struct Fixing {
    /// Apply the fixes that never change what a program does
    #[arg(long, help_heading = "Fixing")]
    fix: bool,
    /// Apply all fixes
    #[arg(long, help_heading = "Fixing")]
    unsafe_fixes: bool,
    /// Show what fixes would change and write nothing
    #[arg(long, visible_alias = "dry-run", help_heading = "Fixing")]
    diff: bool,
    /// Run a command in a copy of the working tree, before and after the fixes; refuse them if it newly complains
    #[arg(long, value_name = "CMD", help_heading = "Fixing")]
    verify: Option<String>,
}

/// Which findings count.
#[derive(Debug, Args)]
struct Counting {
    /// Findings in this file are known, and do not count
    #[arg(long, value_name = "FILE", help_heading = "Which findings count")]
    baseline: Option<String>,
    /// Write all findings into the baseline
    #[arg(long, requires = "baseline", help_heading = "Which findings count")]
    write_baseline: bool,
    /// Take findings out of the baseline that are gone
    #[arg(long, requires = "baseline", conflicts_with = "write_baseline", help_heading = "Which findings count")]
    prune_baseline: bool,
    /// Only findings on lines that changed since a git revision and its common ancestor with HEAD
    #[arg(long, value_name = "REV", visible_alias = "since", help_heading = "Which findings count")]
    changed_since: Option<String>,
    /// Only findings on changed lines of files that are staged in git
    #[arg(long, conflicts_with = "changed_since", help_heading = "Which findings count")]
    staged: bool,
}

const EXAMPLES: &str = r#"Examples:
  cst scan                                     the rules in .cst/rules
  cst scan --pack quality,python src/
  cst scan --rules team-rules/ --fail-on warning
  cst scan --select 'call#print' --message 'use the logger' src/
  cst scan --pack python --fix --verify 'pytest -q'
  cst scan --pack security --format sarif > findings.sarif
  cst scan --baseline .cst/baseline.json --write-baseline
  cst scan --changed-since main --format github
  cst scan --explain python/mutable-default

Exit status: 0 no finding at or above --fail-on, 1 findings, 2 an error, a rule that cannot be run, or a file that could not be read."#;

fn read_severity(word: &str) -> Result<Severity, String> {
    let severity = Severity::named(word).filter(|severity| *severity != Severity::Off);
    severity.ok_or_else(|| "one of error, warning, info, hint".to_owned())
}

impl Scan {
    pub(super) fn run(self, caller: &mut Caller) -> Result<Exit, Failure> {
        refuse_place(&self.targets, &caller.input)?;
        if self.fixing.verify.is_some() && !(self.fixing.fix || self.fixing.unsafe_fixes) {
            return Err(Failure::usage("`--verify` is about fixes", "add --fix or --unsafe-fixes"));
        }
        let also = self.outputs()?;
        let targets = self.reading.any_targets(&self.targets, self.name.as_deref(), &mut caller.input)?;
        let is_listed = self.choice.list || self.choice.explain.is_some();
        let in_json = caller.console.format() != Format::Text;
        let with_fixes = in_json || self.format.shows_fixes() || also.iter().any(|(form, _)| form.shows_fixes());
        let details = [
            (with_fixes, ScanDetail::Fixes),
            (self.report_unused_ignores, ScanDetail::UnusedIgnores),
            (self.stats, ScanDetail::Stats),
        ];
        let details = details.into_iter().filter(|(is_wanted, _)| *is_wanted).map(|(_, detail)| detail).collect();
        let request = ScanRequest {
            targets,
            rules: self.choice.rules.clone(),
            packs: self.choice.pack.clone(),
            only: self.choice.explain.iter().chain(&self.choice.rule).cloned().collect(),
            selector: self.choice.select.clone(),
            message: self.choice.message.clone(),
            config: self.choice.config.clone(),
            list: is_listed,
            fix: match (self.fixing.unsafe_fixes, self.fixing.fix) {
                (true, _) => Some(FixKind::All),
                (false, true) => Some(FixKind::Safe),
                (false, false) => None,
            },
            write: (self.fixing.fix || self.fixing.unsafe_fixes) && !self.fixing.diff,
            verify: self.fixing.verify.clone(),
            baseline: self.counting.baseline.clone(),
            baseline_use: match (self.counting.write_baseline, self.counting.prune_baseline) {
                (true, _) => Some(BaselineUse::Write),
                (_, true) => Some(BaselineUse::Prune),
                _ => None,
            },
            changed_since: self.counting.changed_since.clone(),
            with: details,
            reading: crate::request::Reading {
                staged: self.counting.staged,
                ..self.reading.request(Some(&self.walking))
            },
            ..ScanRequest::default()
        };
        let scanned = caller.ask(&request)?;
        for (form, path) in &also {
            let text = findings::in_form(*form, &scanned)?;
            caller.input.write(path, text.as_bytes())?;
        }
        let mut printer = caller.console.printer();
        if self.choice.list || self.choice.explain.is_some() {
            match printer.format() {
                Format::Text if self.choice.explain.is_some() => findings::explain(&scanned, &mut printer)?,
                Format::Text => findings::list(&scanned, &mut printer)?,
                Format::Json => printer.answer(&scanned)?,
                Format::JsonLines => scanned.rules.iter().try_for_each(|rule| printer.json(rule))?,
            }
            return Ok(Exit::failed(!scanned.problems.is_empty()));
        }
        if let Some(changed) = scanned.changes.as_ref().filter(|_| !in_json && self.format.is_for_people()) {
            changes::print(changed, false, &mut printer)?;
        }
        match printer.format() {
            Format::Json => printer.answer(&scanned)?,
            Format::JsonLines => scanned.findings.iter().try_for_each(|finding| printer.json(finding))?,
            Format::Text => findings::print(self.format, &scanned, self.all, &mut printer)?,
        }
        if self.stats && !in_json {
            findings::print_stats(&scanned, &mut printer)?;
        }
        Ok(self.exit(&scanned))
    }

    fn exit(&self, scanned: &ScanResponse) -> Exit {
        let fail_on = self.fail_on.or(scanned.fail_on).unwrap_or(Severity::Error);
        if !scanned.problems.is_empty() {
            return Exit::Failed;
        }
        let is_clean = scanned.counts.from(fail_on) == 0 && scanned.unused_ignores.is_empty();
        Exit::when(is_clean).unless_failed(&scanned.files.skipped)
    }

    /// The forms and files of `--output`.
    fn outputs(&self) -> Result<Vec<(OutputForm, PathBuf)>, Failure> {
        let read = |word: &String| {
            let split = word.split_once('=');
            let form =
                split.and_then(|(form, path)| Some((OutputForm::from_str(form, true).ok()?, PathBuf::from(path))));
            form.ok_or_else(|| {
                Failure::usage(format!("`{word}` is not a form and a file"), "write `--output sarif=findings.sarif`")
            })
        };
        self.output.iter().map(read).collect()
    }
}
