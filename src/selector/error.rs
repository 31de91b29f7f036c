//! What can be wrong with a selector, and how it is shown.

use crate::language::Language;
use crate::text::Span;

/// The kind of a selector's error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorCode {
    /// It doesn't follow the grammar.
    SelectorSyntax,
    /// A type or kind that no language in play knows.
    UnknownType,
    /// An attribute that there isn't.
    UnknownAttribute,
    /// A field that the grammar lacks.
    UnknownField,
    /// A pseudo-class or named selector that there isn't.
    UnknownPseudo,
    /// A code pattern that doesn't parse.
    BadPattern,
    /// A regex that doesn't parse.
    BadRegex,
    /// It takes too long.
    Budget,
    /// It is not the selector at all, but the language's own data.
    LanguageData,
}

/// Something wrong in a selector: where, what, and what may have been meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SelectorError {
    /// Which kind of error.
    pub code: ErrorCode,
    /// In words, lower case, no full stop.
    pub message: String,
    /// The place, as bytes of the selector; punctuation such as `:` left out.
    pub span: Span,
    /// What to do about it.
    pub hint: Option<String>,
    /// The selector.
    pub selector: String,
}

impl std::error::Error for SelectorError {}

impl SelectorError {
    /// The same, of a selector that stands in a language's own data, in a file of it and under a key: no place in what was asked for.
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
    /// The message; where the selector is known its line, carets under the place, and the hint beside them.
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

/// A character that takes one column, so that carets stand under their place.
fn one_column(character: char) -> char {
    if character.is_control() { ' ' } else { character }
}

/// The known words nearest to one that isn't known: ``did you mean `:first`?``.
pub fn nearest<'w>(word: &str, mark: &str, known: impl Iterator<Item = &'w str>) -> Option<String> {
    const MOST: usize = 3;
    let folded = word.to_lowercase();
    let limit = (word.chars().count() / 3).max(1);
    let mut found: Vec<(usize, &str)> = known
        .map(|known| {
            let lower = known.to_lowercase();
            let distance = strsim::damerau_levenshtein(&folded, &lower);
            // A word that begins or ends like it is near too: `function` for `function_definition`.
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
