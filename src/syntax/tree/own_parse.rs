//! tree-sitter's own tree of a text, for what only tree-sitter can do with it.

use std::borrow::Cow;

use super::parse::{Parsed, parse_in_full};
use super::{ParseError, ParseLimits, Tree};
use crate::text::Text;

/// A text as tree-sitter parsed it.
pub(crate) struct OwnParse<'t> {
    /// Its tree.
    pub parsed: Cow<'t, Parsed>,
    /// The text that was parsed, if it is not that of the tree.
    pub other: Option<Text>,
}

impl Tree {
    /// tree-sitter's own tree of the text, or of the part of it that this is the tree of; parsed again where it was not kept.
    ///
    /// # Errors
    /// As [`Tree::parse`].
    pub(crate) fn own_parse(&self, limits: &ParseLimits) -> Result<OwnParse<'_>, ParseError> {
        if let Some(part) = &self.part {
            let text = Text::new(&part.source(&self.text));
            let parsed = Cow::Owned(parse_in_full(&text, self.language, limits)?);
            return Ok(OwnParse { parsed, other: Some(text) });
        }
        let parsed = match &self.parsed {
            Some(parsed) if !parsed.is_of_other_text() => Cow::Borrowed(parsed),
            _ => Cow::Owned(parse_in_full(&self.text, self.language, limits)?),
        };
        Ok(OwnParse { parsed, other: None })
    }
}
