//! Positions among siblings: `an+b`, as in CSS.

/// The step and the offset of `an+b`, `n`, `3`, `-n+2`.
pub(super) fn position(word: &str) -> Option<(i64, i64)> {
    let word: String = word.chars().filter(|letter| !letter.is_whitespace()).collect::<String>().to_lowercase();
    let number = |text: &str| {
        let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        if is_number { text.parse::<i64>().ok().filter(|number| i32::try_from(*number).is_ok()) } else { None }
    };
    let Some((step, offset)) = word.split_once('n') else { return Some((0, number(&word)?)) };
    let step = match step {
        "" | "+" => 1,
        "-" => -1,
        step => number(step)?,
    };
    let offset = match offset {
        "" => 0,
        offset if offset.starts_with(['+', '-']) => number(offset)?,
        _ => return None,
    };
    Some((step, offset))
}
