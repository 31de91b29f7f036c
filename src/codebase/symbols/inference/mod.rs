//! Meanings of names, values of expressions, members of classes: parts that need one another, and so one module. A language's own ways
//! are asked of its [`Scheme`](resolver::Scheme).

pub(in crate::symbols) mod anonymous;
pub(in crate::symbols) mod attached;
pub(in crate::symbols) mod class_words;
pub(in crate::symbols) mod classes;
mod constructed;
pub(in crate::symbols) mod containers;
pub(in crate::symbols) mod errors;
mod extended;
pub(in crate::symbols) mod find;
pub(in crate::symbols) mod free_names;
pub(in crate::symbols) mod hierarchy;
pub(in crate::symbols) mod import;
mod labels;
pub(in crate::symbols) mod loose;
mod macro_members;
pub(in crate::symbols) mod macro_text;
pub(in crate::symbols) mod meaning;
mod opened;
pub(in crate::symbols) mod paths;
pub(in crate::symbols) mod precise;
pub(in crate::symbols) mod rebound;
pub(in crate::symbols) mod resolver;
mod tested;
pub(in crate::symbols) mod text_names;
pub(in crate::symbols) mod types;
pub(in crate::symbols) mod value;
