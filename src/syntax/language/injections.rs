//! `[[injections]]`: code in another language inside of a file.

use std::collections::BTreeMap;

use super::form::{MaybeRegex, Needed, Paths, Types, rules};
use super::lazy_regex::LazyRegex;

rules! {
    /// Code in another language: a script in a page, a block of code in a text.
    Injection from InjectionRule {
        /// A regex with a match in every file that has such code, in front of it; its group is the name of the language, as in `said`.
        /// Without a group and a `language`, it is any in `only`. Files without a match are not parsed for it.
        seen: Needed<LazyRegex>,
        /// Types of the nodes whose text is the code.
        content: Types,
        /// Types that such a node is directly in; any, if there is none.
        within as "in": Types,
        /// Types of what is around that; any, if there is none.
        around: Types,
        /// From the node around the content to the node whose text says the language.
        said_by: Paths,
        /// A regex on that text; its first group with a match is the name, the alias or the file extension of the language.
        said: MaybeRegex,
        /// Languages by other names that are said; an empty one for code that is in none.
        names: BTreeMap<String, String>,
        /// The language where none is said; without it such code is in none.
        language: String,
        /// The languages that such code can be in; any, if there is none.
        only: Vec<String>,
        /// A regex on the content, whose group is the code; without it, all of the content is.
        inside: MaybeRegex,
        /// Types in the content that are no part of the code: the marks of a quotation around each line.
        without: Types,
        /// Types in the content in whose place the code has a value: `${…}`. They are read as a name.
        holes: Types,
        /// A regex for text in the content that is no part of the code: tags of templates.
        tags: MaybeRegex,
        /// A regex for text in the content in whose place the code has a value: `{{ … }}` of templates.
        values: MaybeRegex,
        /// Whether all such code in a file is read together.
        joined: bool,
        /// Whether the code is shown, not run: it uses nothing.
        shown: bool,
        /// Whether the code may be less than a file of its language, so that a syntax error in it is none of the file's.
        fragments: bool,
    }
}
