//! `[ast_grep]`: how rules of ast-grep are read.

use std::collections::BTreeMap;

use super::form::{TypeValues, rules};

rules! {
    /// How rules of ast-grep for the language are read.
    AstGrepWords from AstGrepWordsRule {
        /// The character that replaces the `$` of a metavariable in a pattern before the grammar reads it, so that `$A` is one node.
        sign: String,
        /// Kinds that only the grammar of ast-grep has, with the types here whose nodes are the same code.
        kinds: BTreeMap<String, TypeValues>,
        /// The types of comments, if ast-grep reads the language with another grammar.
        comments: Vec<String>,
        /// Whether its rules look at code in other languages in files of this one.
        looks_inside: bool,
    }
}
