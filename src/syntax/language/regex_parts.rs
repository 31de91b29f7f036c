//! Named parts of regexes, so that what many of them have in common is written once.

use std::collections::BTreeMap;

use super::spec::Data;

/// How deep parts may be in other parts.
const DEPTH: usize = 12;

/// Writes the parts that the regexes of unreadable text name into them.
pub(super) fn insert_parts(data: &mut Data) {
    let Data { unread, unread_in_errors, own_unread_in_errors, regex_parts, .. } = data;
    for find in unread.iter_mut().filter_map(|rule| rule.find.as_mut()) {
        *find = with_parts(find, regex_parts, DEPTH);
    }
    for find in unread_in_errors.iter_mut().chain(own_unread_in_errors).filter_map(|rule| rule.find.as_mut()) {
        *find = in_ascii(&with_parts(find, regex_parts, DEPTH));
    }
}

/// A regex whose words, their borders, digits and blanks are those of ASCII: with those of Unicode it takes several times as long to compile, and a
/// border of a word is slow to look for.
fn in_ascii(regex: &str) -> String {
    let mut whole = String::new();
    let mut depth = 0_usize;
    let mut signs = regex.chars();
    while let Some(sign) = signs.next() {
        match (sign, depth) {
            ('[', _) => depth += 1,
            (']', _) => depth = depth.saturating_sub(1),
            _ => {}
        }
        if sign != '\\' {
            whole.push(sign);
            continue;
        }
        let escaped = signs.next().unwrap_or_default();
        match (escaped, depth) {
            ('w', 1..) => whole.push_str("A-Za-z0-9_"),
            ('d', 1..) => whole.push_str("0-9"),
            ('s', 1..) => whole.push_str(r"\t\n\r\x0b\x0c\x20"),
            ('b' | 'w' | 'd' | 's', _) => whole.extend(["(?-u:\\", escaped.encode_utf8(&mut [0; 4]), ")"]),
            _ => whole.extend(['\\', escaped]),
        }
    }
    whole
}

/// A regex with the parts that it names; an unknown one stays as it is, which is a mistake of the regex.
fn with_parts(regex: &str, parts: &BTreeMap<String, String>, depth: usize) -> String {
    let mut whole = String::new();
    let mut rest = regex;
    while let Some((before, after)) = rest.split_once("(?&") {
        whole.push_str(before);
        let (name, behind) = after.split_once(')').unwrap_or((after, ""));
        match parts.get(name).filter(|_| depth > 0) {
            Some(part) => whole.extend(["(?:", &with_parts(part, parts, depth - 1), ")"]),
            None => whole.extend(["(?&", name, ")"]),
        }
        rest = behind;
    }
    whole + rest
}
