//! The forms of findings by name.

use std::io;

use clap::ValueEnum;

use super::super::printer::Printer;
use super::{rdjson, sarif, services, text, xml};
use crate::request::{ScanResponse, Versioned};

/// How findings are printed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(in super::super) enum OutputForm {
    /// With the line of code and a caret
    #[default]
    Text,
    /// One line each: `path:line:col: severity rule: message`
    Compact,
    /// One JSON object
    Json,
    /// A JSON object per line
    Jsonl,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// Commands of GitHub's workflows
    Github,
    /// GitLab's code quality report
    Gitlab,
    /// JUnit XML
    Junit,
    /// reviewdog's diagnostics
    Rdjson,
    /// Checkstyle XML
    Checkstyle,
}

impl OutputForm {
    /// Whether it has places for fixes.
    pub fn shows_fixes(self) -> bool {
        matches!(self, OutputForm::Json | OutputForm::Jsonl | OutputForm::Sarif | OutputForm::Rdjson)
    }

    /// Whether people read it.
    pub fn is_for_people(self) -> bool {
        matches!(self, OutputForm::Text | OutputForm::Compact)
    }
}

/// All findings in a form, as one text.
pub(in super::super) fn in_form(form: OutputForm, scanned: &ScanResponse) -> io::Result<String> {
    let open = || scanned.findings.iter().filter(|finding| finding.counts());
    Ok(match form {
        OutputForm::Text | OutputForm::Compact => open().map(|finding| text::compact(finding) + "\n").collect(),
        OutputForm::Json => serde_json::to_string(&Versioned::new(scanned))? + "\n",
        OutputForm::Jsonl => {
            let lines = scanned.findings.iter().map(|finding| Ok(serde_json::to_string(finding)? + "\n"));
            lines.collect::<Result<String, serde_json::Error>>()?
        }
        OutputForm::Sarif => serde_json::to_string_pretty(&sarif::log(scanned))? + "\n",
        OutputForm::Github => open().map(|finding| services::github(finding) + "\n").collect(),
        OutputForm::Gitlab => serde_json::to_string_pretty(&services::gitlab(scanned))? + "\n",
        OutputForm::Junit => xml::junit(scanned)?,
        OutputForm::Rdjson => serde_json::to_string_pretty(&rdjson::report(scanned))? + "\n",
        OutputForm::Checkstyle => xml::checkstyle(scanned)?,
    })
}

/// Prints findings in a form, and what could not be done on standard error.
pub(in super::super) fn print(
    form: OutputForm,
    scanned: &ScanResponse,
    is_all: bool,
    printer: &mut Printer,
) -> io::Result<()> {
    let is_listed = |finding: &&crate::request::FindingRow| is_all || finding.counts();
    match form {
        OutputForm::Text => {
            let mut listed = scanned.findings.iter().filter(is_listed);
            listed.try_for_each(|finding| text::print(finding, printer))?;
        }
        OutputForm::Compact => {
            let mut listed = scanned.findings.iter().filter(is_listed);
            listed.try_for_each(|finding| printer.line(text::compact(finding)))?;
        }
        _ => printer.text(&in_form(form, scanned)?)?,
    }
    text::summary(scanned, printer)
}
