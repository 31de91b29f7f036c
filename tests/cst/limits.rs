//! docs/limits.md lists every limit of `src/syntax/limits.rs`, and no other file of the library defines one of those names.
//!
//! `UPDATE_DOCS=1 cargo test --features all limits::` writes the page.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use regex::Regex;

#[test]
fn the_page_lists_every_limit() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let source = fs::read_to_string(root.join("src/syntax/limits.rs")).expect("the limits are there");
    let limits = read(&source);
    assert!(limits.iter().map(|section| section.limits.len()).sum::<usize>() > 50, "too few limits were read");
    let path = root.join("docs/limits.md");
    let page = page(&limits);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, &page).expect("docs/limits.md can be written");
    }
    let present = fs::read_to_string(&path).unwrap_or_default();
    assert!(present == page, "docs/limits.md is out of date; UPDATE_DOCS=1 renews it");
}

#[test]
fn values_are_shown_with_their_units() {
    let shown = |doc: &str, value: &str| show(doc, value);
    assert_eq!(shown("The longest, in bytes.", "64 << 10"), "64 KiB");
    assert_eq!(shown("How much, in bytes.", "4 << 30"), "4 GiB");
    assert_eq!(shown("How much, in bytes.", "256 * 1024"), "256 KiB");
    assert_eq!(shown("How many.", "200_000"), "200,000");
    assert_eq!(shown("How long.", "Duration::from_secs(60)"), "60 s");
    assert_eq!(shown("How long.", "Duration::from_millis(2000)"), "2 s");
}

struct Section {
    title: String,
    limits: Vec<Limit>,
}

struct Limit {
    name: String,
    value: String,
    doc: String,
}

fn read(source: &str) -> Vec<Section> {
    let constant = Regex::new(r"^pub const ([A-Z_]+): \w+ = (.+);$").unwrap();
    let mut sections: Vec<Section> = Vec::new();
    let mut doc = String::new();
    for line in source.lines() {
        if let Some(text) = line.strip_prefix("/// ") {
            doc = if doc.is_empty() { text.to_owned() } else { format!("{doc} {text}") };
        } else if let Some(title) = line.strip_prefix("// ") {
            sections.push(Section { title: title.to_owned(), limits: Vec::new() });
        } else if let Some(found) = constant.captures(line) {
            let section = sections.last_mut().expect("a limit is in a section");
            let doc = std::mem::take(&mut doc);
            assert!(doc.ends_with('.'), "{}: its comment says what happens beyond it", &found[1]);
            section.limits.push(Limit { name: found[1].to_owned(), value: show(&doc, &found[2]), doc });
        } else {
            assert!(!line.starts_with("pub const"), "not read: {line}");
        }
    }
    sections
}

/// A value as people write it.
fn show(doc: &str, value: &str) -> String {
    let number = |digits: &str| digits.replace('_', "").parse::<u64>().expect("a number");
    let within = |prefix: &str| value.strip_prefix(prefix).and_then(|rest| rest.strip_suffix(')'));
    if let Some(seconds) = within("Duration::from_secs(") {
        return format!("{seconds} s");
    }
    if let Some(milliseconds) = within("Duration::from_millis(") {
        return format!("{} s", number(milliseconds) as f64 / 1000.0);
    }
    let value = match (value.split_once(" << "), value.split_once(" * ")) {
        (Some((one, bits)), _) => number(one) << number(bits),
        (_, Some((one, other))) => number(one) * number(other),
        _ => number(value),
    };
    if doc.contains("bytes") && value.is_multiple_of(1024) {
        for (bits, unit) in [(30, "GiB"), (20, "MiB"), (10, "KiB")] {
            if value.is_multiple_of(1 << bits) {
                return format!("{} {unit}", value >> bits);
            }
        }
    }
    let digits = value.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().map(|group| std::str::from_utf8(group).unwrap()).collect();
    groups.join(",")
}

fn page(sections: &[Section]) -> String {
    let mut page = String::from(
        "# Limits\n\nNo input makes `cst` run forever, exhaust the memory or abort. These limits ensure that. They are constants in \
         `src/syntax/limits.rs`;\nwhat a user can change has an option or a field of the request, named in the description.\n",
    );
    let link = Regex::new(r"\[`([A-Z_]+)`\]").unwrap();
    for section in sections {
        write!(page, "\n## {}\n\n| limit | value | |\n|---|--:|---|\n", section.title).unwrap();
        for limit in &section.limits {
            let doc = link.replace_all(&limit.doc, "`$1`");
            writeln!(page, "| `{}` | {} | {doc} |", limit.name, limit.value).unwrap();
        }
    }
    page
}
