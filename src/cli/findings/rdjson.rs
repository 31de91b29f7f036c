//! reviewdog's diagnostic format.

use serde_json::{Value, json};

use crate::request::{FindingRow, FixEdit, RuleRow, ScanResponse, Severity};

/// The report of one run.
pub(super) fn report(scanned: &ScanResponse) -> Value {
    let open = scanned.findings.iter().filter(|finding| finding.counts());
    json!({
        "source": {"name": "cst"},
        "diagnostics": open.map(|finding| diagnostic(finding, &scanned.rules)).collect::<Vec<Value>>(),
    })
}

fn diagnostic(finding: &FindingRow, rules: &[RuleRow]) -> Value {
    let severity = match finding.severity {
        Severity::Error => "ERROR",
        Severity::Warning => "WARNING",
        Severity::Info | Severity::Hint | Severity::Off => "INFO",
    };
    let mut code = json!({"value": finding.rule});
    if let Some(url) = rules.iter().find(|rule| rule.rule == finding.rule).and_then(|rule| rule.url.as_ref()) {
        code["url"] = json!(url);
    }
    // Its columns are bytes.
    let range = json!({
        "start": {"line": finding.start_line, "column": finding.byte_columns.start},
        "end": {"line": finding.end_line, "column": finding.byte_columns.end},
    });
    let mut row = json!({
        "message": finding.message,
        "location": {"path": finding.path.as_deref().unwrap_or("-"), "range": range},
        "severity": severity,
        "code": code,
    });
    if let Some(fix) = &finding.fix {
        row["suggestions"] = fix.edits.iter().map(suggestion).collect();
    }
    row
}

fn suggestion(edit: &FixEdit) -> Value {
    json!({
        "range": {
            "start": {"line": edit.start_line, "column": edit.byte_columns.start},
            "end": {"line": edit.end_line, "column": edit.byte_columns.end},
        },
        "text": edit.text,
    })
}
