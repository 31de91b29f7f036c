//! `[docs]`: where the documentation of a definition is.

use super::form::{OneType, rules};

rules! {
    /// Where the documentation of a definition is.
    Docs from DocRule {
        /// The type of the statement that, first in a body, contains only a documentation string.
        statement: OneType,
        /// Type of the string in it.
        string: OneType,
        /// The type of several adjacent strings, which are one.
        joined: OneType,
        /// Letters that may not precede the string's quote: `b"…"` is not documentation.
        not_with: String,
        /// The type of the string's content without quotes.
        content: OneType,
        /// Whether the comments attached above a definition are its documentation.
        comments_above: bool,
        /// The beginnings of documentation comments: `///`, `/**`. Empty for any comment.
        begins: Vec<String>,
        /// Whether such a comment documents the next definition across blank lines and other comments, as for the compiler.
        apart: bool,
        /// Markers removed from the start of a documentation line, the first that fits: `///`, `/**`, `*`. Also from its
        /// end.
        markers: Vec<String>,
    }
}
