//! A regex of a language's data, compiled when it is first used.

use std::sync::OnceLock;

use regex::Regex;
use regex_syntax::hir::{Hir, HirKind};

/// Shorter words are in most texts.
const SHORTEST: usize = 3;
/// More words take as long to look for as the regex.
const MOST: usize = 32;

/// A regex that is known to be valid.
///
/// Those of a user's language are compiled when it loads, so that a mistake is reported there; a test compiles those of
/// the built-in ones.
#[derive(Debug, Default)]
pub struct LazyRegex {
    source: String,
    compiled: OnceLock<Regex>,
    /// Finds a word of [`Self::needs`].
    words: OnceLock<Option<Regex>>,
}

impl LazyRegex {
    /// A regex of the data.
    ///
    /// # Errors
    /// If it is checked now and is not valid: why.
    pub(super) fn new(source: &str, checks: bool) -> Result<LazyRegex, String> {
        let regex = LazyRegex { source: source.to_owned(), ..LazyRegex::default() };
        if checks {
            let compiled = Regex::new(source).map_err(|error| error.to_string())?;
            regex.compiled.get_or_init(|| compiled);
        }
        Ok(regex)
    }

    /// The compiled regex.
    ///
    /// # Panics
    /// If it is one of a built-in language and not valid.
    pub fn get(&self) -> &Regex {
        self.compiled
            .get_or_init(|| Regex::new(&self.source).expect("a test compiles the regexes of built-in languages"))
    }

    /// Whether the regex may have a match in a text that is not one group as a whole. Words are looked for much faster
    /// than most regexes: if none is there that such a match needs, this is false.
    pub fn may_match_outside_groups(&self, text: &str) -> bool {
        let words = self.words.get_or_init(|| {
            let words: Vec<String> = self.needs()?.iter().map(|word| regex::escape(word)).collect();
            Regex::new(&words.join("|")).ok()
        });
        words.as_ref().is_none_or(|words| words.is_match(text))
    }

    /// Words of which every match outside of groups contains one; `None` if there are too many, or none that are rare.
    fn needs(&self) -> Option<Vec<String>> {
        let hir = regex_syntax::parse(&self.source).ok()?;
        let branches = match hir.kind() {
            HirKind::Alternation(branches) => branches.as_slice(),
            _ => std::slice::from_ref(&hir),
        };
        let needed: Option<Vec<Vec<String>>> =
            branches.iter().filter(|branch| !matches!(branch.kind(), HirKind::Capture(_))).map(needed_by).collect();
        needed.map(|words| words.concat()).filter(|words| !words.is_empty() && words.len() <= MOST)
    }
}

/// Words of which every match contains one.
fn needed_by(hir: &Hir) -> Option<Vec<String>> {
    match hir.kind() {
        HirKind::Literal(literal) => {
            let word = std::str::from_utf8(&literal.0).ok().filter(|word| word.len() >= SHORTEST)?;
            Some(vec![word.to_owned()])
        }
        HirKind::Capture(capture) => needed_by(&capture.sub),
        HirKind::Repetition(repetition) if repetition.min > 0 => needed_by(&repetition.sub),
        HirKind::Concat(parts) => parts.iter().filter_map(needed_by).min_by_key(Vec::len),
        HirKind::Alternation(branches) => {
            branches.iter().map(needed_by).collect::<Option<Vec<_>>>().map(|words| words.concat())
        }
        _ => None,
    }
}
