//! The encoding that a file declares: in a comment of its first two lines, as Python, Ruby and Emacs read it, in Vim's
//! modeline there, in the XML declaration, in CSS's `@charset` rule, or in HTML's `meta` element.
//!
//! A declaration proves nothing. The caller must check that the bytes are text in that encoding.

/// How far into a file a comment may declare the encoding.
const HEAD: usize = 400;
/// How far into a file HTML's `meta` is searched, as in browsers.
const META: usize = 1024;

/// The encoding name that the bytes declare, as it is written.
pub(super) fn declared(bytes: &[u8]) -> Option<String> {
    let head = |length: usize| String::from_utf8_lossy(&bytes[..bytes.len().min(length)]).replace("\r\n", "\n");
    head(HEAD).split(['\n', '\r']).take(2).find_map(in_line).or_else(|| in_meta(&head(META)))
}

/// The name in one of the first lines, if the line is a comment. Code that mentions encodings declares nothing.
fn in_line(line: &str) -> Option<String> {
    let line = line.trim_start();
    if line.starts_with("<?xml") {
        return quote(line.split_once("encoding")?.1);
    }
    if let Some(rest) = line.strip_prefix("@charset") {
        return quote(rest);
    }
    let is_code = |character: char| character.is_alphanumeric() || "_\"'".contains(character);
    if line.starts_with(is_code) && !line.starts_with("vim:") {
        return None;
    }
    let is_modeline = line.contains("vim:") || line.contains("vi:");
    let mut words =
        ["coding:", "coding=", "fenc="].into_iter().filter(|word| is_modeline || word.starts_with("coding"));
    let (_, after) = words.find_map(|word| line.split_once(word))?;
    named(after.trim_start())
}

/// The name in HTML's `meta` element: `charset="…"`, or at the end of a `content`.
fn in_meta(head: &str) -> Option<String> {
    let head = head.to_ascii_lowercase();
    head.split("<meta").skip(1).find_map(|rest| {
        let (_, after) = rest.split('>').next()?.split_once("charset")?;
        named(after.trim_start().strip_prefix('=')?.trim_start().trim_start_matches(['"', '\'']))
    })
}

/// The next name in quotes, with or without an equals sign before it.
fn quote(text: &str) -> Option<String> {
    let text = text.trim_start();
    let text = text.strip_prefix('=').unwrap_or(text).trim_start();
    named(text.strip_prefix(['"', '\''])?)
}

/// The name at the start of a text.
fn named(text: &str) -> Option<String> {
    let word = |character: &char| character.is_ascii_alphanumeric() || "-_.".contains(*character);
    let name: String = text.chars().take_while(word).collect();
    (!name.is_empty()).then_some(name)
}
