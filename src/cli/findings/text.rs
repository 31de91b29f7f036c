//! Findings for people.

use std::io;

use super::super::failure::in_command_words;
use super::super::printer::{ERROR, HINT, NAME, NUMBER, Printer, QUIET};
use super::super::report::{plural, print_skipped, print_with_errors};
use crate::request::{FindingRow, FixKind, RuleRow, ScanResponse, Severity};

/// The longest part of a line of code that is shown, in characters.
const SHOWN: usize = 160;
/// How many characters of an overlong line are shown before the finding.
const BEFORE: usize = 40;

/// `path:line:col: severity rule: message`
pub(super) fn compact(finding: &FindingRow) -> String {
    let FindingRow { start_line, start_col, severity, rule, message, .. } = finding;
    format!("{}:{start_line}:{start_col}: {severity} {rule}: {message}{}", path(finding), state(finding))
}

fn path(finding: &FindingRow) -> &str {
    finding.path.as_deref().unwrap_or("-")
}

fn state(finding: &FindingRow) -> &'static str {
    match (finding.suppressed, finding.known) {
        (true, _) => " (silenced)",
        (_, true) => " (known)",
        _ => "",
    }
}

/// The finding with its line of code and a caret.
pub(super) fn print(finding: &FindingRow, printer: &mut Printer) -> io::Result<()> {
    let word = paint_severity(finding.severity, printer);
    let head = printer.paint(NAME, format!("{}{}", finding.message, state(finding)));
    let rule = printer.paint(QUIET, format!("[{}]", finding.rule));
    printer.line(format!("{word}{rule}: {head}"))?;
    let number = finding.start_line.to_string();
    let margin = " ".repeat(number.len());
    let place = printer.place(path(finding), finding.start_line, finding.start_col);
    let (arrow, bar) = (printer.paint(QUIET, "-->"), printer.paint(QUIET, "|"));
    printer.line(format!("{margin}{arrow} {place}"))?;
    let excerpt = Excerpt::of(finding);
    printer.line(format!("{margin} {bar}"))?;
    printer.line(format!("{} {bar} {}", printer.paint(NUMBER, &number), excerpt.code))?;
    let carets = printer.paint(severity_style(finding.severity), &excerpt.carets);
    printer.line(format!("{margin} {bar} {}{carets}", excerpt.blank))?;
    if let Some(fix) = &finding.fix {
        let kind = if fix.safe { "can be fixed" } else { "has a fix that may change what the program does" };
        printer.line(format!("{margin} {} {kind}", printer.paint(QUIET, "=")))?;
    }
    printer.line("")
}

/// A line of code, and what is under it.
struct Excerpt {
    code: String,
    blank: String,
    carets: String,
}

impl Excerpt {
    fn of(finding: &FindingRow) -> Excerpt {
        let letters: Vec<char> =
            finding.source_line.chars().map(|letter| if letter == '\t' { ' ' } else { letter }).collect();
        // Of an overlong line, which has more than 2,000 bytes, `…` and 400 characters from the finding on are known.
        let is_cut = finding.source_line.starts_with('…')
            && (letters.len() == 402 && letters.ends_with(&['…']) || finding.start_col - 1 + letters.len() > 500);
        let start = if is_cut { 1 } else { finding.start_col - 1 };
        let start = start.min(letters.len());
        let end = match finding.end_line == finding.start_line {
            true => start + (finding.end_col - finding.start_col).max(1),
            false => letters.len().max(start + 1),
        };
        let from = if letters.len() > SHOWN { start.saturating_sub(BEFORE) } else { 0 };
        let to = letters.len().min(from + SHOWN);
        let (head, tail) = (if from > 0 { "…" } else { "" }, if to < letters.len() { "…" } else { "" });
        let code: String = letters[from..to].iter().collect();
        let width = end.min(to.max(start + 1)) - start;
        Excerpt {
            code: format!("{head}{code}{tail}"),
            blank: " ".repeat(start - from + head.chars().count()),
            carets: "^".repeat(width.max(1)),
        }
    }
}

fn severity_style(severity: Severity) -> anstyle::Style {
    match severity {
        Severity::Error => ERROR,
        Severity::Warning => NUMBER,
        Severity::Info | Severity::Hint | Severity::Off => HINT,
    }
}

fn paint_severity(severity: Severity, printer: &Printer) -> String {
    printer.paint(severity_style(severity), severity)
}

/// Counts, and what could not be done, on standard error.
pub(super) fn summary(scanned: &ScanResponse, printer: &mut Printer) -> io::Result<()> {
    for ignore in &scanned.unused_ignores {
        let rules = if ignore.rules.is_empty() { String::new() } else { format!(" ({})", ignore.rules.join(", ")) };
        let place = printer.place(&ignore.path, ignore.line, ignore.col);
        printer.line(format!("{place}: the comment silences nothing{rules}"))?;
    }
    for problem in &scanned.problems {
        let word = printer.paint_error(ERROR, "error");
        let message = problem.error.message.replace('\n', "\n  ");
        let hint = problem.error.details.hint.as_ref().map(|hint| format!("; {}", in_command_words(hint)));
        let place = match (&problem.error.details.path, problem.error.details.line) {
            (Some(path), Some(line)) if !message.contains(path.as_str()) => format!(" ({path}:{line})"),
            (Some(path), None) if !message.contains(path.as_str()) => format!(" ({path})"),
            _ => String::new(),
        };
        printer.problem(format!("{word}: {}: {message}{place}{}", problem.rule, hint.unwrap_or_default()))?;
    }
    print_skipped(&scanned.files.skipped, printer)?;
    print_with_errors(&scanned.files.with_errors, printer)?;
    scanned.notes.iter().try_for_each(|note| printer.note(note))?;
    let counts = scanned.counts;
    let searched = plural(scanned.files.searched, "file");
    let rules = plural(scanned.rules.len(), "rule");
    let parts = [(counts.error, "error"), (counts.warning, "warning"), (counts.info, "info"), (counts.hint, "hint")];
    let parts: Vec<String> =
        parts.iter().filter(|(count, _)| *count > 0).map(|(count, noun)| plural(*count, noun)).collect();
    let mut line = match parts.is_empty() {
        true => format!("nothing found in {searched} by {rules}"),
        false => format!("{} in {searched} by {rules}", parts.join(", ")),
    };
    for (count, what) in [(scanned.suppressed, "silenced"), (scanned.known, "known")] {
        if count > 0 {
            line.push_str(&format!("; {count} {what}"));
        }
    }
    let line = printer.paint_error(QUIET, line);
    printer.note(line)
}

/// One line for each rule.
pub(in super::super) fn list(scanned: &ScanResponse, printer: &mut Printer) -> io::Result<()> {
    for rule in &scanned.rules {
        let word = paint_severity(rule.severity, printer);
        let fix = match rule.fix {
            Some(FixKind::Safe) => "  [fix]",
            Some(_) => "  [unsafe fix]",
            None => "",
        };
        let name = printer.paint(NAME, &rule.rule);
        printer.line(format!("{name}  {word}  {}{fix}", rule.message))?;
    }
    problems(scanned, printer)?;
    let line = printer.paint_error(QUIET, plural(scanned.rules.len(), "rule"));
    printer.note(line)
}

fn problems(scanned: &ScanResponse, printer: &mut Printer) -> io::Result<()> {
    for problem in &scanned.problems {
        let word = printer.paint_error(ERROR, "error");
        printer.problem(format!("{word}: {}: {}", problem.rule, problem.error.message.replace('\n', "\n  ")))?;
    }
    Ok(())
}

/// All that is known about rules.
pub(in super::super) fn explain(scanned: &ScanResponse, printer: &mut Printer) -> io::Result<()> {
    for RuleRow { rule, severity, message, note, url, languages, path, line, fix, .. } in &scanned.rules {
        let (name, word) = (printer.paint(NAME, rule), paint_severity(*severity, printer));
        printer.line(format!("{name}  {word}"))?;
        printer.line(message)?;
        if let Some(note) = note {
            printer.line(format!("\n{}", note.trim_end()))?;
        }
        printer.line("")?;
        let languages = if languages.is_empty() { "any that has its words".to_owned() } else { languages.join(", ") };
        printer.line(format!("languages: {languages}"))?;
        let fix = match fix {
            Some(FixKind::Safe) => "yes; it never changes what a program does",
            Some(_) => "yes, with --unsafe-fixes: it may change what a program does",
            None => "none",
        };
        printer.line(format!("fix: {fix}"))?;
        if let Some(url) = url {
            printer.line(format!("more: {url}"))?;
        }
        printer.line(format!("from: {path}:{line}"))?;
    }
    problems(scanned, printer)
}

/// Findings and times, by rule.
pub(in super::super) fn print_stats(scanned: &ScanResponse, printer: &mut Printer) -> io::Result<()> {
    let mut rules: Vec<&RuleRow> = scanned.rules.iter().collect();
    rules.sort_by(|one, other| other.seconds.unwrap_or_default().total_cmp(&one.seconds.unwrap_or_default()));
    let width = rules.iter().map(|rule| rule.rule.len()).max().unwrap_or_default();
    printer.note(format!("{:width$}  {:>9}  {:>10}", "rule", "findings", "ms"))?;
    for rule in rules {
        let milliseconds = rule.seconds.unwrap_or_default() * 1000.0;
        printer.note(format!("{:width$}  {:>9}  {milliseconds:>10.1}", rule.rule, rule.findings))?;
    }
    Ok(())
}
