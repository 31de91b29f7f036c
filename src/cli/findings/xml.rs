//! Findings as XML: JUnit's and Checkstyle's reports.

use std::io;

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};

use super::text::compact;
use crate::request::{FindingRow, ScanResponse, Severity};

fn open(scanned: &ScanResponse) -> Vec<&FindingRow> {
    scanned.findings.iter().filter(|finding| finding.counts()).collect()
}

fn path(finding: &FindingRow) -> String {
    readable(finding.path.as_deref().unwrap_or("-"))
}

/// A text without the control characters that XML cannot contain.
fn readable(text: &str) -> String {
    let is_refused =
        |letter: char| letter.is_control() && !"\t\n\r".contains(letter) || matches!(letter, '\u{fffe}' | '\u{ffff}');
    text.chars().map(|letter| if is_refused(letter) { '\u{fffd}' } else { letter }).collect()
}

fn written(writer: Writer<Vec<u8>>) -> io::Result<String> {
    let mut report = String::from_utf8(writer.into_inner()).map_err(io::Error::other)?;
    report.push('\n');
    Ok(report)
}

fn begun() -> io::Result<Writer<Vec<u8>>> {
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 2);
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    Ok(writer)
}

/// One suite for each file, one failed case for each finding; a case that passed if there is none.
pub(super) fn junit(scanned: &ScanResponse) -> io::Result<String> {
    let findings = open(scanned);
    let mut writer = begun()?;
    let count = findings.len().to_string();
    let tests = findings.len().max(1).to_string();
    let suites = writer.create_element("testsuites").with_attributes([
        ("name", "cst scan"),
        ("tests", &*tests),
        ("failures", &*count),
    ]);
    suites.write_inner_content(|writer| {
        if findings.is_empty() {
            let suite = writer.create_element("testsuite");
            let suite = suite.with_attributes([("name", "cst scan"), ("tests", "1"), ("failures", "0")]);
            suite.write_inner_content(|writer| {
                writer.create_element("testcase").with_attribute(("name", "nothing found")).write_empty().map(|_| ())
            })?;
        }
        findings.chunk_by(|one, next| one.path == next.path).try_for_each(|suite| write_suite(writer, suite))
    })?;
    written(writer)
}

fn write_suite(writer: &mut Writer<Vec<u8>>, findings: &[&FindingRow]) -> io::Result<()> {
    let name = findings.first().map_or_else(|| "-".to_owned(), |finding| path(finding));
    let count = findings.len().to_string();
    let suite = writer.create_element("testsuite");
    let suite = suite.with_attributes([("name", &*name), ("tests", &*count), ("failures", &*count)]);
    suite.write_inner_content(|writer| findings.iter().try_for_each(|finding| write_case(writer, finding)))?;
    Ok(())
}

fn write_case(writer: &mut Writer<Vec<u8>>, finding: &FindingRow) -> io::Result<()> {
    let line = finding.start_line.to_string();
    let name = readable(&format!("{}:{line}:{}", finding.rule, finding.start_col));
    let path = path(finding);
    let case = writer.create_element("testcase").with_attributes([
        ("name", &*name),
        ("classname", &*path),
        ("file", &*path),
        ("line", &*line),
    ]);
    case.write_inner_content(|writer| {
        let message = readable(&finding.message);
        let failure = writer
            .create_element("failure")
            .with_attributes([("message", &*message), ("type", finding.severity.as_str())]);
        let text = format!("{}\n{}", compact(finding), finding.source_line);
        failure.write_text_content(BytesText::new(&readable(&text))).map(|_| ())
    })?;
    Ok(())
}

/// Checkstyle's report.
pub(super) fn checkstyle(scanned: &ScanResponse) -> io::Result<String> {
    let findings = open(scanned);
    let mut writer = begun()?;
    let root = writer.create_element("checkstyle").with_attribute(("version", "4.3"));
    if findings.is_empty() {
        root.write_empty()?;
        return written(writer);
    }
    root.write_inner_content(|writer| {
        findings.chunk_by(|one, next| one.path == next.path).try_for_each(|file| {
            let name = file.first().map_or_else(|| "-".to_owned(), |finding| path(finding));
            let element = writer.create_element("file").with_attribute(("name", &*name));
            element.write_inner_content(|writer| file.iter().try_for_each(|finding| write_error(writer, finding)))?;
            Ok::<(), io::Error>(())
        })
    })?;
    written(writer)
}

fn write_error(writer: &mut Writer<Vec<u8>>, finding: &FindingRow) -> io::Result<()> {
    let severity = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info | Severity::Hint | Severity::Off => "info",
    };
    let (line, column) = (finding.start_line.to_string(), finding.start_col.to_string());
    let message = readable(&finding.message);
    let source = readable(&format!("cst.{}", finding.rule.replace('/', ".")));
    let error = writer.create_element("error").with_attributes([
        ("line", &*line),
        ("column", &*column),
        ("severity", severity),
        ("message", &*message),
        ("source", &*source),
    ]);
    error.write_empty()?;
    Ok(())
}
