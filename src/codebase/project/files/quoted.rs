//! Paths as text. A path that is not UTF-8 is quoted as git quotes it, so that text shows every path without loss and
//! users can name the file by it: `"caf\351.py"`.

use std::borrow::Cow;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// A path as text: unchanged if it is UTF-8, else quoted. A path that begins with a quote is quoted, too, so that no
/// two paths have the same text.
pub fn path_text(path: &Path) -> String {
    match path.to_str() {
        Some(text) if !text.starts_with('"') => text.to_owned(),
        _ => quote(path),
    }
}

/// The text of a path for a line of text: quoted if it has control characters, which would end the line or drive a terminal.
pub fn path_in_line(text: &str) -> Cow<'_, str> {
    match text.contains(char::is_control) {
        true => Cow::Owned(quote(Path::new(text))),
        false => Cow::Borrowed(text),
    }
}

/// The path of a quoted text; `None` if it is not quoted.
pub fn unquoted(text: &str) -> Option<PathBuf> {
    let inner = text.strip_prefix('"')?.strip_suffix('"')?;
    let mut bytes = Vec::with_capacity(inner.len());
    let mut rest = inner.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'"' {
            return None;
        }
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        bytes.push(match rest.next()? {
            b'a' => 7,
            b'b' => 8,
            b't' => b'\t',
            b'n' => b'\n',
            b'v' => 11,
            b'f' => 12,
            b'r' => b'\r',
            byte @ (b'"' | b'\\') => byte,
            first @ b'0'..=b'3' => {
                let mut digit = || rest.next().filter(|byte| matches!(byte, b'0'..=b'7')).map(|byte| byte - b'0');
                (first - b'0') * 64 + digit()? * 8 + digit()?
            }
            _ => return None,
        });
    }
    Some(from_bytes(bytes).into())
}

fn quote(path: &Path) -> String {
    let mut quoted = String::from("\"");
    for chunk in bytes_of(path).utf8_chunks() {
        for character in chunk.valid().chars() {
            match character {
                '"' | '\\' => quoted.extend(['\\', character]),
                '\n' => quoted.push_str("\\n"),
                '\t' => quoted.push_str("\\t"),
                // Bytes, not characters, are written with a number.
                _ if character.is_control() => {
                    let mut bytes = [0; 4];
                    for byte in character.encode_utf8(&mut bytes).bytes() {
                        quoted.push_str(&format!("\\{byte:03o}"));
                    }
                }
                _ => quoted.push(character),
            }
        }
        chunk.invalid().iter().for_each(|byte| quoted.push_str(&format!("\\{byte:03o}")));
    }
    quoted.push('"');
    quoted
}

#[cfg(unix)]
fn bytes_of(path: &Path) -> Vec<u8> {
    std::os::unix::ffi::OsStrExt::as_bytes(path.as_os_str()).to_vec()
}

#[cfg(unix)]
fn from_bytes(bytes: Vec<u8>) -> OsString {
    std::os::unix::ffi::OsStringExt::from_vec(bytes)
}

/// On this system, paths that are not Unicode have no bytes; the rest is shown as U+FFFD.
#[cfg(not(unix))]
fn bytes_of(path: &Path) -> Vec<u8> {
    path.to_string_lossy().into_owned().into_bytes()
}

#[cfg(not(unix))]
fn from_bytes(bytes: Vec<u8>) -> OsString {
    String::from_utf8_lossy(&bytes).into_owned().into()
}
