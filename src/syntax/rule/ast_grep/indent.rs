//! Indentation of code that is put elsewhere. Only spaces count.

/// How far before the end of a text its last line is looked for.
pub(super) const REACH: usize = 512;

/// How many spaces the last line of a text begins with; 0 if the line begins too far before the end.
pub(super) fn indentation(before: &str) -> usize {
    let bytes = before.as_bytes();
    let first = bytes.len().saturating_sub(REACH);
    let line = bytes.iter().rposition(|&byte| byte == b'\n').filter(|&at| at >= first);
    let start = match line {
        Some(at) => at + 1,
        None if first == 0 => 0,
        None => return 0,
    };
    bytes[start..].iter().take_while(|&&byte| byte == b' ').count()
}

/// A text that was indented by `from` spaces, and is indented by `to`. A line that has less stays as it is, and its first line gets no
/// more.
pub(super) fn reindent(text: &str, from: usize, to: usize) -> String {
    if !text.contains('\n') || from == to {
        return text.to_owned();
    }
    if from > to {
        let surplus = " ".repeat(from - to);
        let lines: Vec<&str> =
            text.split('\n').map(|line| line.strip_prefix(surplus.as_str()).unwrap_or(line)).collect();
        return lines.join("\n");
    }
    text.replace('\n', &format!("\n{}", " ".repeat(to - from)))
}
