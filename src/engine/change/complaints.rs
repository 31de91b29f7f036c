//! The lines of a program's output that complain, compared before and after a change.
//!
//! Lines are compared as many as there are of each. Before that, what may differ without being new is taken out of them: places,
//! times and other numbers, paths of changed files, the path of the copy, and the words that the change replaces by others. A
//! line that quotes code is no complaint, nor is one that says that a test passed.

use std::sync::OnceLock;

use regex::Regex;
use rustc_hash::{FxHashMap, FxHashSet};

/// How the output of a command is read.
#[derive(Debug, Default)]
pub(crate) struct Reading {
    /// The folder that the command ran in, and those above it up to the copy's root: with `/` at the end, the longest first.
    pub folders: Vec<String>,
    /// The paths of the changed files, before and after.
    pub paths: FxHashSet<String>,
    /// The words that the change adds or removes.
    pub words: FxHashSet<String>,
}

/// The patterns of lines.
struct Patterns {
    quoted: Regex,
    place: Regex,
    time: Regex,
    number: Regex,
    token: Regex,
    counted: Regex,
    complains: Regex,
    passes: Regex,
}

fn patterns() -> &'static Patterns {
    static PATTERNS: OnceLock<Patterns> = OnceLock::new();
    PATTERNS.get_or_init(|| {
        let pattern = |pattern: &str| Regex::new(pattern).expect("the pattern is well formed");
        Patterns {
            // `3 | import os`, `  |   ^^`, and lines of signs alone.
            quoted: pattern(r"^\s*(?:\d+\s*)?\|"),
            // `a.py:3:5`, `a.ts(3,5)`, `line 3`
            place: pattern(r"(?i)(?::\d+)+|\(\d+(?:,\d+)?\)|\b(?:line|column|col)s? \d+(?:, (?:column|col) \d+)?"),
            time: pattern(r"(?i)\b\d+(?:[.,]\d+)?\s?(?:ns|us|µs|ms|s|sec|secs|seconds?|m|min|minutes?|h)\b"),
            // Also addresses, hashes and version numbers. Nothing and something are two things, so 0 stays.
            number: pattern(r"\b(?:0x[0-9a-fA-F]+|[0-9a-f]*[a-f][0-9a-f]*\d[0-9a-f]{6,}|[0-9a-f]*\d[0-9a-f]*[a-f][0-9a-f]{6,}|[1-9]\d*(?:[.,]\d+)*%?|0[.,]\d+%?)\b"),
            token: pattern(r"[\w./\\-]+"),
            counted: pattern(r"(?-u:# ([A-Za-z]+?)s\b)"),
            complains: pattern(
                r#"(?xi) \b(?: errors? | warnings? | warn | err | fail(?:s|ed|ure|ures|ing)? | fatal | panic(?:s|ked)? | exceptions?
                    | traceback | undefined | undeclared | undetermined | unresolved | unknown | unused | unreachable | deprecated | cannot
                    | can't | couldn't | could\ not | unable | invalid | missing | mismatch(?:ed)? | not\ found | no\ such | expected
                    | assert\w* | abort(?:ed)? | crash(?:ed)? | killed | segmentation\ fault | core\ dumped | ✗ | ✘ )\b
                | \w(?:error|exception|warning)\b | [\w\])]\.\w{1,8}(?::\[?\d|\(\d|\",\ line\ \d)"#,
            ),
            passes: pattern(r"(?i)^\s*(?:ok\b|pass(?:ed)?\b|✓|✔|-+\s*pass\b)|(?:\.\.\.|\bis|\s)\s*(?:ok|passed)\W*$"),
        }
    })
}

impl Reading {
    /// The lines of an output, without the path of the copy.
    pub(crate) fn lines(&self, output: &[u8]) -> Vec<String> {
        let text = String::from_utf8_lossy(output);
        let line = |line: &str| {
            let mut line = without_colours(line.trim_end());
            for folder in &self.folders {
                line = line.replace(folder.as_str(), "");
            }
            line
        };
        text.lines().map(line).filter(|line| !line.is_empty()).collect()
    }

    /// The lines that are said more often after than before: those that complain, or any, if none of them complains and `any` is
    /// wanted.
    pub(crate) fn fresh(&self, before: &[String], after: &[String], any: bool) -> Vec<String> {
        let mut known: FxHashMap<String, usize> = FxHashMap::default();
        for line in before.iter().filter_map(|line| self.bare(line)) {
            *known.entry(line).or_default() += 1;
        }
        let is_new = |line: &&String| {
            let Some(bare) = self.bare(line) else { return false };
            match known.get_mut(&bare) {
                Some(count) if *count > 0 => {
                    *count -= 1;
                    false
                }
                _ => true,
            }
        };
        let fresh: Vec<&String> = after.iter().filter(is_new).collect();
        let complaints: Vec<String> = fresh.iter().filter(|line| complains(line)).map(|line| (*line).clone()).collect();
        if complaints.is_empty() && any { fresh.into_iter().cloned().collect() } else { complaints }
    }

    /// A line without what may differ; `None` where it says nothing, or only quotes code.
    fn bare(&self, line: &str) -> Option<String> {
        let patterns = patterns();
        if patterns.quoted.is_match(line) {
            return None;
        }
        let line = patterns.place.replace_all(line.trim(), "@");
        let line = patterns.token.replace_all(&line, |found: &regex::Captures<'_>| {
            let token = &found[0];
            if self.is_changed_path(token) { "P".to_owned() } else { self.without_words(token) }
        });
        let line = patterns.time.replace_all(&line, "#");
        let line = patterns.number.replace_all(&line, "#");
        let line = patterns.counted.replace_all(&line, "# $1").into_owned();
        line.chars().any(char::is_alphanumeric).then_some(line)
    }

    /// Whether a word is the path of a changed file, or its last parts.
    fn is_changed_path(&self, token: &str) -> bool {
        let token = token.trim_start_matches("./").trim_end_matches('.');
        token.contains('.')
            && self.paths.iter().any(|path| {
                path == token || path.strip_suffix(token).is_some_and(|rest| rest.ends_with('/')) && !token.is_empty()
            })
    }

    /// A word of a line with the changed words in it taken out.
    fn without_words(&self, token: &str) -> String {
        let is_part = |sign: char| sign.is_alphanumeric() || sign == '_';
        let mut shown = String::new();
        let mut rest = token;
        while let Some(first) = rest.chars().next() {
            let end = rest.find(|sign| is_part(sign) != is_part(first)).unwrap_or(rest.len());
            let (part, after) = rest.split_at(end);
            shown.push_str(if self.words.contains(part) { "W" } else { part });
            rest = after;
        }
        shown
    }
}

/// Whether a line complains.
fn complains(line: &str) -> bool {
    let patterns = patterns();
    let is_banner = |sign: &char| line.starts_with(&sign.to_string().repeat(5));
    !['=', '!', '-', '_', '*'].iter().any(is_banner)
        && patterns.complains.is_match(line)
        && !patterns.passes.is_match(line)
}

/// A line without the sequences that colour it.
fn without_colours(line: &str) -> String {
    static SEQUENCE: OnceLock<Regex> = OnceLock::new();
    let sequence = SEQUENCE.get_or_init(|| Regex::new(r"\x1b\[[0-9;?]*[A-Za-z]").expect("the pattern is well formed"));
    sequence.replace_all(line, "").into_owned()
}

/// The words of texts that are in some of them more often than in the others.
pub(crate) fn changed_words(texts: &[(String, String)]) -> FxHashSet<String> {
    let mut counts: FxHashMap<&str, i64> = FxHashMap::default();
    for (before, after) in texts {
        words(before).for_each(|word| *counts.entry(word).or_default() -= 1);
        words(after).for_each(|word| *counts.entry(word).or_default() += 1);
    }
    counts.into_iter().filter(|(_, count)| *count != 0).map(|(word, _)| word.to_owned()).collect()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|sign: char| !(sign.is_alphanumeric() || sign == '_')).filter(|word| !word.is_empty())
}

/// The first and last of some lines: a compiler's first lines say most, of a traceback the last ones do.
pub(crate) fn excerpt(lines: &[String]) -> Vec<String> {
    const FIRST: usize = 6;
    const LAST: usize = 4;
    const LONGEST: usize = 300;
    let cut = |line: &String| match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{} …", &line[..end]),
        None => line.clone(),
    };
    if lines.len() <= FIRST + LAST {
        return lines.iter().map(cut).collect();
    }
    let (first, rest) = lines.split_at(FIRST);
    let (left_out, last) = rest.split_at(rest.len() - LAST);
    first.iter().map(cut).chain([format!("… {} more …", left_out.len())]).chain(last.iter().map(cut)).collect()
}

/// The places that lines name: a path, and a line of it.
pub(crate) fn places(lines: &[String]) -> Vec<(String, usize)> {
    static PLACE: OnceLock<Regex> = OnceLock::new();
    let pattern = PLACE.get_or_init(|| {
        let pattern = r#"(?:File )?"?((?:\.{0,2}/)?[\w.@+/\\-]+\.\w+)"?(?::\[?|\(|, line |: line )(\d+)"#;
        Regex::new(pattern).expect("the pattern is well formed")
    });
    let mut places = Vec::new();
    for line in lines {
        for found in pattern.captures_iter(line) {
            if let Ok(number) = found[2].parse() {
                let path = found[1].trim_start_matches("../").trim_start_matches("./");
                places.push((path.to_owned(), number));
            }
        }
    }
    places
}
