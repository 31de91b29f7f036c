//! SARIF 2.1.0: findings for code scanning.

use serde_json::{Map, Value, json};

use crate::request::{FindingRow, FixEdit, RuleRow, ScanResponse, Severity};

/// The log of one run.
pub(super) fn log(scanned: &ScanResponse) -> Value {
    let has_baseline = scanned.known > 0 || scanned.findings.iter().any(|finding| finding.known);
    let results: Vec<Value> =
        scanned.findings.iter().map(|finding| result(finding, &scanned.rules, has_baseline)).collect();
    let notifications: Vec<Value> = scanned
        .problems
        .iter()
        .map(|problem| json!({"level": "error", "message": {"text": format!("{}: {}", problem.rule, problem.error.message)}}))
        .chain(scanned.files.skipped.iter().filter(|skipped| !skipped.by_rule).map(|skipped| {
            json!({"level": "warning", "message": {"text": format!("{}: {}", skipped.path, skipped.error.message)}})
        }))
        .collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "cst",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": scanned.rules.iter().map(rule).collect::<Vec<Value>>(),
            }},
            "columnKind": "unicodeCodePoints",
            "invocations": [{
                "executionSuccessful": scanned.problems.is_empty(),
                "toolExecutionNotifications": notifications,
            }],
            "results": results,
        }],
    })
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info | Severity::Hint => "note",
        Severity::Off => "none",
    }
}

fn rule(rule: &RuleRow) -> Value {
    let mut row = json!({
        "id": rule.rule,
        "shortDescription": {"text": rule.message},
        "defaultConfiguration": {"level": level(rule.severity)},
    });
    if let Some(note) = &rule.note {
        row["help"] = json!({"text": note, "markdown": note});
    }
    if let Some(url) = &rule.url {
        row["helpUri"] = json!(url);
    }
    if !rule.languages.is_empty() {
        row["properties"] = json!({"tags": rule.languages});
    }
    row
}

fn result(finding: &FindingRow, rules: &[RuleRow], has_baseline: bool) -> Value {
    let location = json!({"uri": uri(finding.path.as_deref().unwrap_or("-"))});
    let mut row = Map::new();
    row.insert("ruleId".to_owned(), json!(finding.rule));
    if let Some(index) = rules.iter().position(|rule| rule.rule == finding.rule) {
        row.insert("ruleIndex".to_owned(), json!(index));
    }
    row.insert("level".to_owned(), json!(level(finding.severity)));
    row.insert("message".to_owned(), json!({"text": finding.message}));
    let region = json!({
        "startLine": finding.start_line,
        "startColumn": finding.start_col,
        "endLine": finding.end_line,
        "endColumn": finding.end_col,
        "byteOffset": finding.start_byte,
        "byteLength": finding.end_byte - finding.start_byte,
    });
    row.insert("locations".to_owned(), json!([{"physicalLocation": {"artifactLocation": location, "region": region}}]));
    row.insert("partialFingerprints".to_owned(), json!({"cst/v1": finding.fingerprint}));
    if finding.suppressed {
        let mut suppression = json!({"kind": "inSource"});
        if let Some(reason) = &finding.reason {
            suppression["justification"] = json!(reason);
        }
        row.insert("suppressions".to_owned(), json!([suppression]));
    } else if finding.known {
        row.insert("suppressions".to_owned(), json!([{"kind": "external", "justification": "in the baseline"}]));
    }
    if has_baseline {
        row.insert("baselineState".to_owned(), json!(if finding.known { "unchanged" } else { "new" }));
    }
    if let Some(fix) = &finding.fix {
        let replacements: Vec<Value> = fix.edits.iter().map(replacement).collect();
        row.insert(
            "fixes".to_owned(),
            json!([{
                "description": {"text": finding.message},
                "artifactChanges": [{"artifactLocation": location, "replacements": replacements}],
            }]),
        );
    }
    Value::Object(row)
}

fn replacement(edit: &FixEdit) -> Value {
    json!({
        "deletedRegion": {
            "startLine": edit.start_line,
            "startColumn": edit.start_col,
            "endLine": edit.end_line,
            "endColumn": edit.end_col,
        },
        "insertedContent": {"text": edit.text},
    })
}

/// A path as a relative URI.
fn uri(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.replace('\\', "/").bytes() {
        match byte {
            b'a'..=b'z'
            | b'A'..=b'Z'
            | b'0'..=b'9'
            | b'-'
            | b'.'
            | b'_'
            | b'~'
            | b'/'
            | b'+'
            | b'@'
            | b','
            | b'='
            | b'('
            | b')' => {
                uri.push(char::from(byte));
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}
