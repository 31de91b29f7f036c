//! Errors in selectors, and how they are shown.

use crate::language::Language;
use crate::text::Span;

/// The kind of a selector's error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorCode {
    /// A syntax error.
    SelectorSyntax,
    /// An unknown type or kind, in all languages of the search.
    UnknownType,
    /// An unknown attribute.
    UnknownAttribute,
    /// An unknown field.
    UnknownField,
    /// An unknown pseudo-class or named selector.
    UnknownPseudo,
    /// An invalid code pattern.
    BadPattern,
    /// An invalid regex.
    BadRegex,
    /// The selector asks about a project, and none is known.
    NeedsProject,
    /// Matching takes too long.
    Budget,
    /// An error in the data of the language, not in the selector.
    LanguageData,
}

/// An error in a selector: the place, the message, and a hint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SelectorError {
    /// The code.
    pub code: ErrorCode,
    /// The message: lower case, no full stop.
    pub message: String,
    /// The place in bytes of the selector, without punctuation such as `:`.
    pub span: Span,
    /// How to fix it.
    pub hint: Option<String>,
    /// The selector.
    pub selector: String,
}

impl std::error::Error for SelectorError {}

impl SelectorError {
    /// Converts the error of a selector in a language's data into one that names the file and the key: the place is not
    /// in the user's selector.
    pub(crate) fn in_data(self, language: &Language, place: &str) -> SelectorError {
        if self.code == ErrorCode::LanguageData {
            return self;
        }
        let SelectorError { message, hint, selector, .. } = self;
        let shown = if selector.trim().is_empty() { String::new() } else { format!(", in `{}`", selector.trim()) };
        let message = format!("the data of `{}` is wrong: {place}: {message}{shown}", language.name());
        SelectorError { code: ErrorCode::LanguageData, message, span: Span::new(0, 0), hint, selector: String::new() }
    }
}

/// How much of a long selector is shown around the place.
const SHOWN: usize = 100;

/// The line of a selector on which something is wrong, and where on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpt {
    /// The line, cut where it is long.
    pub line: String,
    /// How many characters precede the place.
    pub start: usize,
    /// How many characters the place has; at least one.
    pub width: usize,
}

impl Excerpt {
    /// The place at a span of a selector; `None` of an empty selector.
    pub fn of(selector: &str, span: Span) -> Option<Excerpt> {
        if selector.trim().is_empty() {
            return None;
        }
        let start = span.start().min(selector.len());
        let line_start = selector[..start].rfind('\n').map_or(0, |at| at + 1);
        let line = selector[line_start..].lines().next().unwrap_or("");
        let before = selector[line_start..start].chars().count();
        let left = before.saturating_sub(SHOWN / 2);
        let shown: String = line.chars().skip(left).take(SHOWN).map(one_column).collect();
        let (cut, more) = (left > 0, line.chars().count() > left + SHOWN);
        let shown = format!("{}{shown}{}", if cut { "…" } else { "" }, if more { "…" } else { "" });
        let marked = selector.get(start..span.end().max(start)).unwrap_or("");
        let width = marked.lines().next().unwrap_or("").chars().count().clamp(1, SHOWN);
        Some(Excerpt { line: shown, start: before - left + usize::from(cut), width })
    }
}

impl std::fmt::Display for SelectorError {
    /// The message; if the selector is known, its line, carets under the place, and the hint next to them.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}", self.message)?;
        match Excerpt::of(&self.selector, self.span) {
            None => self.hint.iter().try_for_each(|hint| write!(formatter, "\n  {hint}")),
            Some(Excerpt { line, start, width }) => {
                write!(formatter, "\n  {line}\n  {}{}", " ".repeat(start), "^".repeat(width))?;
                self.hint.iter().try_for_each(|hint| write!(formatter, " {hint}"))
            }
        }
    }
}

/// A character that takes one column, so that carets line up.
fn one_column(character: char) -> char {
    if character.is_control() { ' ' } else { character }
}

/// The most similar known words: ``did you mean `:first`?``.
pub fn nearest<'w>(word: &str, mark: &str, known: impl Iterator<Item = &'w str>) -> Option<String> {
    const MOST: usize = 3;
    let folded = word.to_lowercase();
    let limit = (word.chars().count() / 3).max(1);
    let mut found: Vec<(usize, &str)> = known
        .map(|known| {
            let lower = known.to_lowercase();
            let distance = strsim::damerau_levenshtein(&folded, &lower);
            // A word with the same beginning or end is similar, too: `function` and `function_definition`.
            let part = folded.len() > 2 && (lower.starts_with(&folded) || lower.ends_with(&folded));
            (if part { distance.min(limit) } else { distance }, known)
        })
        .filter(|(distance, _)| *distance <= limit)
        .collect();
    found.sort();
    found.dedup();
    let best = found.first()?.0;
    let words: Vec<String> = found
        .iter()
        .filter(|(distance, _)| *distance <= best + 1)
        .take(MOST)
        .map(|(_, known)| format!("`{mark}{known}`"))
        .collect();
    let (last, others) = words.split_last()?;
    let others = others.join(", ");
    Some(if others.is_empty() { format!("did you mean {last}?") } else { format!("did you mean {others} or {last}?") })
}
