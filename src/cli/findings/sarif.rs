//! SARIF 2.1.0: findings for code scanning.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use crate::request::report::Skipped;
use crate::request::{FindingRow, FixEdit, LabelRow, RuleProblem, RuleRow, ScanResponse, Severity};

/// The most tags of a rule that GitHub takes.
const MOST_TAGS: usize = 20;
/// The folder that relative paths are in.
const ROOT: &str = "%SRCROOT%";

/// The log of one run.
pub(super) fn log(scanned: &ScanResponse) -> Value {
    let has_baseline = scanned.known > 0 || scanned.findings.iter().any(|finding| finding.known);
    let numbers: HashMap<&str, usize> =
        scanned.rules.iter().enumerate().map(|(number, rule)| (rule.rule.as_str(), number)).collect();
    let results: Vec<Value> = scanned
        .findings
        .iter()
        .map(|finding| result(finding, numbers.get(finding.rule.as_str()).copied(), has_baseline))
        .collect();
    let problems: Vec<Value> = scanned.problems.iter().map(problem).collect();
    log_of(json!({
        "tool": driver(scanned.rules.iter().map(rule).collect()),
        "invocations": [{
            "executionSuccessful": scanned.problems.is_empty(),
            "toolConfigurationNotifications": problems,
            "toolExecutionNotifications": scanned.files.skipped.iter().map(unread).collect::<Vec<Value>>(),
        }],
        "results": results,
    }))
}

/// A log with one run, to which the conventions about its places are added.
pub(in super::super) fn log_of(mut run: Value) -> Value {
    run["columnKind"] = json!("unicodeCodePoints");
    run["originalUriBaseIds"] = json!({ROOT: {"description": {"text": "the working directory of the scan"}}});
    json!({"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]})
}

/// This program with its rules, as the tool of a run.
pub(in super::super) fn driver(rules: Vec<Value>) -> Value {
    json!({"driver": {"name": "cst", "version": env!("CARGO_PKG_VERSION"), "rules": rules}})
}

/// A rule that cannot be run.
fn problem(problem: &RuleProblem) -> Value {
    let details = &problem.error.details;
    let mut row = json!({
        "level": "error",
        "message": {"text": format!("{}: {}", problem.rule, problem.error.message)},
    });
    if let Some(path) = &details.path {
        row["locations"] = json!([place(path, details.line.map(|line| json!({"startLine": line})))]);
    }
    row
}

/// A file that was not read.
pub(in super::super) fn unread(skipped: &Skipped) -> Value {
    json!({
        "level": if skipped.by_rule { "note" } else { "warning" },
        "message": {"text": format!("{}: {}", skipped.path, skipped.error.message)},
        "locations": [place(&skipped.path, None)],
    })
}

/// A location in a file: the file, and the part of it.
pub(in super::super) fn place(path: &str, region: Option<Value>) -> Value {
    let mut physical = json!({"artifactLocation": artifact(path)});
    if let Some(region) = region {
        physical["region"] = region;
    }
    json!({"physicalLocation": physical})
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
    // GitHub wants a full description and help of each rule.
    let note = rule.note.as_deref().map(str::trim_end).filter(|note| !note.is_empty());
    let help = note.unwrap_or(&rule.message);
    let mut row = json!({
        "id": rule.rule,
        "shortDescription": {"text": rule.message},
        "fullDescription": {"text": help},
        "help": {"text": help, "markdown": help},
        "defaultConfiguration": {"level": level(rule.severity)},
    });
    if let Some(url) = &rule.url {
        row["helpUri"] = json!(url);
    }
    if !rule.languages.is_empty() {
        row["properties"] = json!({"tags": rule.languages.iter().take(MOST_TAGS).collect::<Vec<_>>()});
    }
    row
}

fn result(finding: &FindingRow, number: Option<usize>, has_baseline: bool) -> Value {
    let path = finding.path.as_deref().unwrap_or("-");
    let mut row = Map::new();
    row.insert("ruleId".to_owned(), json!(finding.rule));
    if let Some(index) = number {
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
    row.insert("locations".to_owned(), json!([place(path, Some(region))]));
    if !finding.labels.is_empty() {
        let labels = finding.labels.iter().enumerate().map(|(number, label)| related(path, number, label));
        row.insert("relatedLocations".to_owned(), labels.collect());
    }
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
                "artifactChanges": [{"artifactLocation": artifact(path), "replacements": replacements}],
            }]),
        );
    }
    Value::Object(row)
}

/// Another place that a finding is about.
fn related(path: &str, number: usize, label: &LabelRow) -> Value {
    let region = json!({
        "startLine": label.start_line,
        "startColumn": label.start_col,
        "endLine": label.end_line,
        "endColumn": label.end_col,
    });
    let mut row = place(path, Some(region));
    row["id"] = json!(number + 1);
    if let Some(message) = &label.message {
        row["message"] = json!({"text": message});
    }
    row
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

/// A file: relative to the working directory, or absolute.
fn artifact(path: &str) -> Value {
    let encoded = encode(path);
    let is_drive = path.len() > 2 && path.as_bytes()[1] == b':' && path.as_bytes()[0].is_ascii_alphabetic();
    match (path.starts_with('/'), is_drive) {
        (true, _) => json!({"uri": format!("file://{encoded}")}),
        (_, true) => json!({"uri": format!("file:///{}", encoded.replacen("%3A", ":", 1))}),
        (false, false) => json!({"uri": encoded, "uriBaseId": ROOT}),
    }
}

/// A path with the letters that have a meaning in URIs as their numbers.
fn encode(path: &str) -> String {
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
