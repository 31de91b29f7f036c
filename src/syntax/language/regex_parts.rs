//! Named parts of regexes, so that what many of them have in common is written once.

use std::collections::BTreeMap;

use super::spec::Data;

/// How deep parts may be in other parts.
const DEPTH: usize = 12;

/// Writes the parts that the regexes of unreadable text name into them.
pub(super) fn insert_parts(data: &mut Data) {
    let Data { unread, unread_in_errors, own_unread_in_errors, regex_parts, .. } = data;
    for find in
        unread.iter_mut().chain(unread_in_errors).chain(own_unread_in_errors).filter_map(|rule| rule.find.as_mut())
    {
        *find = with_parts(find, regex_parts, DEPTH);
    }
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
