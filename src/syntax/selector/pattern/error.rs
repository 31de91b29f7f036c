//! Why a pattern cannot be read, and where.

/// Why a pattern cannot be read.
#[derive(Debug)]
pub(in crate::selector) struct PatternError {
    pub message: String,
    pub hint: Option<String>,
    /// Where each reading failed.
    pub readings: Vec<String>,
}

/// A place in the pattern's text, shown with a caret.
pub(super) fn shown(source: &str, at: usize) -> String {
    let at = (0..=at.min(source.len())).rev().find(|&at| source.is_char_boundary(at)).unwrap_or(0);
    let line_start = source[..at].rfind('\n').map_or(0, |end| end + 1);
    let line = source[line_start..].lines().next().unwrap_or("");
    let space: String = source[line_start..at].chars().map(|letter| if letter == '\t' { '\t' } else { ' ' }).collect();
    format!("\n    {line}\n    {space}^")
}
