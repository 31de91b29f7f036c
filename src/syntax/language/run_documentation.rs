//! `[symbols.run_documentation]`: code in documentation that tools run.

use super::form::{Types, rules};
use super::lazy_regex::LazyRegex;

rules! {
    /// Code in documentation that tools run: `>>> add(1, 2)`, and blocks in comments.
    RunDocumentation from RunDocumentationRule {
        /// Texts of which each file with such documentation has one. Without any, no documentation is run.
        marks: Vec<String>,
        /// The beginnings of comments with such documentation.
        begins: Vec<String>,
        /// The beginnings of comments without it, although they begin as others do: `////`.
        not_begins: Vec<String>,
        /// The end of a comment, which is none of its text.
        end: String,
        /// A regex for the beginning of a line in a comment, before its text.
        line: Option<LazyRegex>,
        /// Types of attributes that may be documentation.
        attributes: Types,
        /// A regex for those that are, with groups for the text.
        attribute: Option<LazyRegex>,
        /// A regex for what makes the text of another file documentation, with groups for the path of that file from this one:
        /// `#![doc = include_str!("../README.md")]`.
        included: Option<LazyRegex>,
        /// A regex for the line before a block of code: a group for its sign, with which the block ends, and one for the words after it.
        fence: Option<LazyRegex>,
        /// A regex for the words of blocks that are run.
        run: Option<LazyRegex>,
        /// A regex for the beginning of a line of code, with a group up to the end of which it is left out: the `#` of hidden lines.
        hidden: Option<LazyRegex>,
        /// A regex for the beginnings of lines of code in strings that document, before the code.
        prompt: Option<LazyRegex>,
        /// A regex for what is before a name in the output after such code, where the output shows a function: `<function `.
        output_before: Option<LazyRegex>,
        /// A regex for what follows a name there, where it shows a parameter, a field or a call: `=`.
        output_after: Option<LazyRegex>,
        /// Text that may be missing at the end of the code: `;`.
        tail: String,
        /// Whether the code sees the names of the module that it documents.
        sees_module: bool,
        /// The folder beside the manifest in which the code would be as a file; without one, it would be beside the documented file.
        folder: String,
    }
}
