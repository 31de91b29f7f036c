//! Where one message ends and the next begins: a line each, or headers that tell the length as language servers have it.

use crate::limits;
use std::io::{self, BufRead, Read, Write};

use serde_json::Value;

use super::message::InvalidMessage;

/// How messages are framed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Framing {
    /// A message a line.
    #[default]
    Lines,
    /// `Content-Length: N`, an empty line, N bytes.
    Headers,
}

/// A line, or as much of it as was wanted.
pub(super) enum Line {
    Whole(Vec<u8>),
    TooLong,
}

impl Framing {
    /// The bytes of the next message; `None` at the end of input. A message cut off by the end is none, unless its line lacks the
    /// line's end alone.
    pub(super) fn next(self, input: &mut impl BufRead) -> io::Result<Option<Result<Vec<u8>, InvalidMessage>>> {
        match self {
            Framing::Lines => next_line(input),
            Framing::Headers => next_body(input),
        }
    }

    /// Writes a message as one piece.
    pub(super) fn write(self, message: &Value, output: &mut impl Write) -> io::Result<()> {
        let mut text = message.to_string();
        match self {
            Framing::Lines => text.push('\n'),
            Framing::Headers => text.insert_str(0, &format!("Content-Length: {}\r\n\r\n", text.len())),
        }
        output.write_all(text.as_bytes())?;
        output.flush()
    }
}

fn next_line(input: &mut impl BufRead) -> io::Result<Option<Result<Vec<u8>, InvalidMessage>>> {
    while let Some(line) = line(input, limits::MESSAGE_BYTES)? {
        let Line::Whole(line) = line else {
            return Ok(Some(Err(InvalidMessage::unreadable(format!(
                "a message of over {} MiB",
                limits::MESSAGE_BYTES >> 20
            )))));
        };
        let message = content(&line);
        if !message.is_empty() {
            return Ok(Some(Ok(message.to_vec())));
        }
    }
    Ok(None)
}

fn next_body(input: &mut impl BufRead) -> io::Result<Option<Result<Vec<u8>, InvalidMessage>>> {
    let (mut length, mut headers) = (None, 0);
    loop {
        let Some(line) = line(input, limits::HEADER_BYTES)? else { return Ok(None) };
        let line = match &line {
            Line::Whole(line) => String::from_utf8_lossy(content(line)),
            Line::TooLong => "".into(),
        };
        // Empty lines between messages are no headers' end.
        match (line.is_empty(), headers) {
            (true, 0) => continue,
            (true, _) => break,
            _ => headers += 1,
        }
        if let Some((name, value)) = line.split_once(':')
            && name.trim().eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse::<usize>().ok();
        }
    }
    let Some(length) = length.filter(|length| *length <= limits::MESSAGE_BYTES) else {
        let message = format!("a header `Content-Length: N` of at most {} MiB is missing", limits::MESSAGE_BYTES >> 20);
        return Ok(Some(Err(InvalidMessage::unreadable(message))));
    };
    let mut body = Vec::new();
    let read = input.take(length as u64).read_to_end(&mut body)?;
    Ok((read == length).then(|| Ok(content(&body).to_vec())))
}

/// A line with its end; `None` at the end of input. One that is too long is read to its end and dropped.
pub(super) fn line(input: &mut impl BufRead, longest: usize) -> io::Result<Option<Line>> {
    let mut line = Vec::new();
    input.take(longest as u64 + 1).read_until(b'\n', &mut line)?;
    if line.is_empty() {
        return Ok(None);
    }
    if line.len() <= longest || line.ends_with(b"\n") {
        return Ok(Some(Line::Whole(line)));
    }
    drop(line);
    input.skip_until(b'\n')?;
    Ok(Some(Line::TooLong))
}

/// A text without the mark of its encoding and the space around it.
fn content(line: &[u8]) -> &[u8] {
    let line = line.trim_ascii();
    line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line).trim_ascii()
}
