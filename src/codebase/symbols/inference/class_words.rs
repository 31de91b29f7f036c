//! Which files may name a class as a base, told from their text, which costs less than their trees.

use memchr::memmem;

use super::resolver::Resolver;
use crate::facts::{ends_of_word, has_word};
use crate::language::Language;
use crate::symbols::model::Site;

/// Whether a text may have a class that names a base, or another name for that base.
pub fn may_name_base(language: &Language, text: &[u8], name: &str) -> bool {
    let rules = &language.spec().symbols.class_words;
    if rules.heads.is_empty() {
        return true;
    }
    if memmem::find(text, name.as_bytes()).is_none() {
        return false;
    }
    let name = name.as_bytes();
    rules.heads.iter().any(|head| ends_of_word(text, head.as_bytes()).any(|at| has_word(head_after(text, at), name)))
        || ends_of_word(text, name).any(|at| is_renamed(&text[at..], &rules.renames))
}

/// The text of the head of a class, after its first word.
fn head_after(text: &[u8], start: usize) -> &[u8] {
    /// The longest head, in bytes.
    const REACH: usize = 4000;
    let text = &text[start..text.len().min(start + REACH)];
    let mut depth = 0_usize;
    for (at, byte) in text.iter().enumerate() {
        match byte {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth = depth.saturating_sub(1),
            b'{' if depth == 0 => return &text[..at],
            // The colon of a class, not that of an argument.
            b':' if depth == 0 => return &text[..at],
            _ => {}
        }
    }
    text
}

/// Whether what is after a name gives it another one.
fn is_renamed(after: &[u8], signs: &[String]) -> bool {
    let after = after.trim_ascii_start();
    signs.iter().any(|sign| after.starts_with(sign.as_bytes()))
}

impl Resolver<'_> {
    /// Whether a class is one of a function, so that other files cannot name it.
    pub fn is_class_of_function(&self, class: Site) -> bool {
        let Some(view) = self.view(class.file) else { return false };
        let functions = &view.tree.language().spec().flow.functions;
        let table = view.tree.table();
        table.ancestors(class.name).any(|node| functions.contains(table.type_id(node)))
    }
}
