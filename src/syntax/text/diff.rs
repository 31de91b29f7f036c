//! Unified diffs for `git apply` and `patch`.

use std::collections::HashMap;
use std::ops::Range;

#[cfg(not(target_family = "wasm"))]
use crate::limits;

use similar::algorithms::{Capture, Compact, DiffHook, NoFinishHook, Replace, myers};
use similar::udiff::UnifiedHunkHeader;
use similar::{DiffOp, DiffTag, group_diff_ops};

use super::{EditSet, Span, Text, TextEdit};

/// What leads from some lines to others, by Myers' algorithm.
///
/// The library's own entry would be compiled for each of its algorithms and for lines as well as numbers. This one is for numbers alone.
fn compare(old: &[&str], new: &[&str]) -> Vec<DiffOp> {
    // There is no clock in a browser's WebAssembly.
    #[cfg(not(target_family = "wasm"))]
    let deadline = Some(std::time::Instant::now() + limits::DIFF_TIME);
    #[cfg(target_family = "wasm")]
    let deadline = None;
    let pairs = old.iter().zip(new);
    let head = pairs.take_while(|(old, new)| old == new).count();
    let pairs = old[head..].iter().rev().zip(new[head..].iter().rev());
    let tail = pairs.take_while(|(old, new)| old == new).count();
    let (old_end, new_end) = (old.len() - tail, new.len() - tail);
    let mut known = HashMap::new();
    let old_numbers = numbers(old, head..old_end, &mut known);
    let new_numbers = numbers(new, head..new_end, &mut known);
    let mut captured = Compact::new(Replace::new(Capture::new()), old, new);
    let told = (|| {
        if head > 0 {
            captured.equal(0, 0, head)?;
        }
        let mut middle = NoFinishHook::new(&mut captured);
        myers::diff_deadline(&mut middle, &old_numbers[..], head..old_end, &new_numbers[..], head..new_end, deadline)?;
        if tail > 0 {
            captured.equal(old_end, new_end, tail)?;
        }
        captured.finish()
    })();
    told.unwrap_or_else(|never| match never {});
    captured.into_inner().into_inner().into_ops()
}

/// A number for each of the lines in a range, equal where the lines are.
fn numbers<'a>(lines: &[&'a str], range: Range<usize>, known: &mut HashMap<&'a str, u32>) -> Vec<u32> {
    let mut numbers = vec![0; lines.len()];
    for at in range {
        let next = u32::try_from(known.len()).expect("a text has fewer than 4 G lines");
        numbers[at] = *known.entry(lines[at]).or_insert(next);
    }
    numbers
}

/// The unified diff from `old` to `new` with 3 lines of context; empty if they are equal.
///
/// Lines end only at `\n`, as they do for `git apply`. `path` is written with `/` and without a leading one, or quoted
/// as git does.
pub fn unified(path: &str, old: &Text, new: &Text) -> String {
    let (old, new) = (as_written(old), as_written(new));
    if old == new {
        return String::new();
    }
    let path = plain(path);
    let mut output = format!("--- {}\n+++ {}\n", file_name("a/", path), file_name("b/", path));
    output.push_str(&hunks(&old, &new));
    output
}

/// How the diff of a file begins that gets another path, or that is empty.
const MOVE_HEAD: &str = concat!("diff -", "-git");

/// The diff of a file that gets another path, in the form of git.
pub fn unified_move(from: &str, to: &str, old: &Text, new: &Text) -> String {
    let (from, to) = (plain(from), plain(to));
    let (old_name, new_name) = (file_name("a/", from), file_name("b/", to));
    let (bare_from, bare_to) = (file_name("", from), file_name("", to));
    let mut output = format!("{MOVE_HEAD} {old_name} {new_name}\nrename from {bare_from}\nrename to {bare_to}\n");
    let (old, new) = (as_written(old), as_written(new));
    if old != new {
        output.push_str(&format!("--- {old_name}\n+++ {new_name}\n"));
        output.push_str(&hunks(&old, &new));
    }
    output
}

/// The diff of a file that was not there before.
pub fn unified_new(path: &str, new: &Text) -> String {
    let (new, path) = (as_written(new), plain(path));
    if new.is_empty() {
        return format!("{MOVE_HEAD} {} {}\nnew file mode 100644\n", file_name("a/", path), file_name("b/", path));
    }
    format!("--- /dev/null\n+++ {}\n{}", file_name("b/", path), hunks("", &new))
}

/// The diff of a file that is deleted.
pub fn unified_deleted(path: &str, old: &Text) -> String {
    let (old, path) = (as_written(old), plain(path));
    if old.is_empty() {
        let (old_name, new_name) = (file_name("a/", path), file_name("b/", path));
        return format!("{MOVE_HEAD} {old_name} {new_name}\ndeleted file mode 100644\n");
    }
    format!("--- {}\n+++ /dev/null\n{}", file_name("a/", path), hunks(&old, ""))
}

/// A path without what makes it relative to something, unless it is quoted.
fn plain(path: &str) -> &str {
    let is_quoted = path.len() > 1 && path.starts_with('"') && path.ends_with('"');
    if is_quoted { path } else { path.trim_start_matches("./").trim_start_matches('/') }
}

/// The hunks of a diff.
fn hunks(old: &str, new: &str) -> String {
    let old_lines: Vec<&str> = old.split_inclusive('\n').collect();
    let new_lines: Vec<&str> = new.split_inclusive('\n').collect();
    let mut output = String::new();
    for hunk in group_diff_ops(compare(&old_lines, &new_lines), 3) {
        output.push_str(&format!("{}\n", UnifiedHunkHeader::new(&hunk)));
        for op in hunk {
            let (old, new) = (&old_lines[op.old_range()], &new_lines[op.new_range()]);
            match op.tag() {
                DiffTag::Equal => add_lines(&mut output, ' ', old),
                DiffTag::Delete | DiffTag::Insert | DiffTag::Replace => {
                    add_lines(&mut output, '-', old);
                    add_lines(&mut output, '+', new);
                }
            }
        }
    }
    output
}

fn add_lines(output: &mut String, sign: char, lines: &[&str]) {
    for line in lines {
        output.push(sign);
        output.push_str(line);
        if !line.ends_with('\n') {
            output.push_str("\n\\ No newline at end of file\n");
        }
    }
}

/// The edits that turn `old` into `new`: whole lines, as few as possible.
pub fn difference(old: &Text, new: &Text) -> EditSet {
    let (old, new) = (old.to_string(), new.to_string());
    if old == new {
        return EditSet::default();
    }
    let old_lines: Vec<&str> = old.split_inclusive('\n').collect();
    let new_lines: Vec<&str> = new.split_inclusive('\n').collect();
    let difference = compare(&old_lines, &new_lines);
    let starts = starts(&old_lines);
    let changed = difference.iter().filter(|op| op.tag() != DiffTag::Equal);
    let edit = |op: &DiffOp| {
        let lines = op.old_range();
        TextEdit::new(Span::new(starts[lines.start], starts[lines.end]), new_lines[op.new_range()].concat())
    };
    EditSet::new(changed.map(edit).collect()).expect("what differs lies apart")
}

/// The start of each line, and the end of the last one.
fn starts(lines: &[&str]) -> Vec<usize> {
    let mut starts = vec![0];
    starts.extend(lines.iter().scan(0, |end, line| {
        *end += line.len();
        Some(*end)
    }));
    starts
}

/// The text with its byte order mark, so that a hunk at the first line fits the file.
fn as_written(text: &Text) -> String {
    let mark = if text.encoding().is_utf8_with_mark() { "\u{feff}" } else { "" };
    format!("{mark}{text}")
}

/// A path in the header of a diff: quoted as git does if it contains a control character, a quote or a backslash;
/// followed by a tab if it contains a space, since readers end the name at whitespace.
fn file_name(prefix: &str, path: &str) -> String {
    // The path is already quoted, since it is not UTF-8.
    if let Some(inner) = path.strip_prefix('"').filter(|inner| inner.ends_with('"')) {
        return format!("\"{prefix}{}", inner.trim_start_matches('/'));
    }
    if path.chars().any(|character| character.is_control() || matches!(character, '"' | '\\')) {
        let mut quoted = format!("\"{prefix}");
        for byte in path.bytes() {
            match byte {
                b'"' | b'\\' => quoted.extend(['\\', byte as char]),
                b'\n' => quoted.push_str("\\n"),
                b'\t' => quoted.push_str("\\t"),
                0x20..=0x7e => quoted.push(byte as char),
                _ => quoted.push_str(&format!("\\{byte:03o}")),
            }
        }
        quoted.push('"');
        return quoted;
    }
    let tab = if path.contains(' ') { "\t" } else { "" };
    format!("{prefix}{path}{tab}")
}
