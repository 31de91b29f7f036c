//! Findings as GitHub's and GitLab's pipelines read them.

use std::collections::HashMap;

use serde_json::{Value, json};

use crate::request::{FindingRow, ScanResponse, Severity};

/// A command of a GitHub workflow.
pub(super) fn github(finding: &FindingRow) -> String {
    let level = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info | Severity::Hint | Severity::Off => "notice",
    };
    let path = property(finding.path.as_deref().unwrap_or("-"));
    let FindingRow { start_line, start_col, end_line, end_col, .. } = finding;
    let title = property(&finding.rule);
    let message = data(&finding.message);
    // Columns are for parts of one line.
    let place = match start_line == end_line {
        true => format!("line={start_line},col={start_col},endLine={end_line},endColumn={end_col}"),
        false => format!("line={start_line},endLine={end_line}"),
    };
    format!("::{level} file={path},{place},title={title}::{message}")
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

/// GitLab's code quality report.
pub(super) fn gitlab<'a>(scanned: &'a ScanResponse) -> Value {
    // A fingerprint is for one finding: of several that are the same, each has its number.
    let mut met: HashMap<(&str, &str), usize> = HashMap::new();
    let row = |finding: &'a FindingRow| {
        let severity = match finding.severity {
            Severity::Error => "major",
            Severity::Warning => "minor",
            Severity::Info | Severity::Hint | Severity::Off => "info",
        };
        let path = finding.path.as_deref().unwrap_or("-");
        let number = met.entry((path, &finding.fingerprint)).or_default();
        *number += 1;
        json!({
            "description": finding.message,
            "check_name": finding.rule,
            "fingerprint": format!("{}:{path}:{number}", finding.fingerprint),
            "severity": severity,
            "location": {
                "path": path,
                "lines": {"begin": finding.start_line, "end": finding.end_line},
            },
        })
    };
    scanned.findings.iter().filter(|finding| finding.counts()).map(row).collect()
}
