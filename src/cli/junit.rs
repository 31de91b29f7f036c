//! Results of tests as JUnit XML, which CI systems read.

use std::io;

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};

use crate::request::{TestResponse, TestRow};

/// The report: one suite per script, one case per test.
pub(super) fn report(tested: &TestResponse) -> io::Result<String> {
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 2);
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let suites = tested.tests.chunk_by(|one, next| one.script == next.script);
    let counts = counts(&tested.tests);
    writer
        .create_element("testsuites")
        .with_attributes([("name", "cst"), ("tests", &*counts.0), ("failures", &*counts.1)])
        .write_inner_content(|writer| suites.into_iter().try_for_each(|suite| write_suite(writer, suite)))?;
    let mut report = String::from_utf8(writer.into_inner()).map_err(io::Error::other)?;
    report.push('\n');
    Ok(report)
}

/// How many tests, and how many of them failed.
fn counts(rows: &[TestRow]) -> (String, String) {
    let failed = rows.iter().filter(|row| !row.problems.is_empty()).count();
    (rows.len().to_string(), failed.to_string())
}

fn write_suite(writer: &mut Writer<Vec<u8>>, rows: &[TestRow]) -> io::Result<()> {
    let script = rows.first().map_or("", |row| row.script.as_str());
    let (tests, failures) = counts(rows);
    writer
        .create_element("testsuite")
        .with_attributes([("name", script), ("tests", &*tests), ("failures", &*failures)])
        .write_inner_content(|writer| rows.iter().try_for_each(|row| write_case(writer, row)))?;
    Ok(())
}

fn write_case(writer: &mut Writer<Vec<u8>>, row: &TestRow) -> io::Result<()> {
    let line = row.line.to_string();
    let attributes = [
        ("name", row.test.as_str()),
        ("classname", row.script.as_str()),
        ("file", row.script.as_str()),
        ("line", &*line),
    ];
    let case = writer.create_element("testcase").with_attributes(attributes);
    if row.problems.is_empty() {
        case.write_empty()?;
        return Ok(());
    }
    let text = [row.problems.join("\n"), row.diff.clone().unwrap_or_default()].join("\n");
    let message = row.problems.first().map_or("", String::as_str);
    case.write_inner_content(|writer| {
        let failure = writer.create_element("failure").with_attribute(("message", message));
        failure.write_text_content(BytesText::new(&readable(&text))).map(|_| ())
    })?;
    Ok(())
}

/// A text without the control characters that XML cannot contain.
fn readable(text: &str) -> String {
    text.chars()
        .map(|letter| if letter.is_control() && !"\t\n\r".contains(letter) { '\u{fffd}' } else { letter })
        .collect()
}
