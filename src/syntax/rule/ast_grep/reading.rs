//! The tree that rules look at: as ast-grep reads a text.

use crate::language::TypeSet;
use crate::tree::{ParseLimits, Tree};

/// The tree of the text of another tree as ast-grep reads it; `None` if that is the same tree. Code in a file of another language stays
/// as it was read.
pub fn read_as_ast_grep(tree: &Tree, limits: &ParseLimits) -> Option<Tree> {
    let language = tree.language().for_ast_grep();
    if language == tree.language() || tree.part().is_some() {
        return None;
    }
    if language.grammar() == tree.language().grammar() && !may_be_masked(tree) && !may_be_cut(tree) {
        return None;
    }
    Tree::parse(tree.text().clone(), language, limits).ok()
}

/// Whether nodes may end before the grammar ends them.
fn may_be_cut(tree: &Tree) -> bool {
    let spec = tree.language().spec();
    let types = tree.table().types();
    let has = |kinds: &TypeSet| !kinds.is_empty() && types.iter().any(|&kind| kinds.contains(kind));
    has(&spec.ends_by_indentation) || (has(&spec.ends_before_comments) && has(&spec.comments))
}

/// Whether the grammar may have read something else than the text.
fn may_be_masked(tree: &Tree) -> bool {
    if !tree.masked().is_empty() {
        return true;
    }
    let rules = &tree.language().spec().unread_in_errors;
    if rules.is_empty() {
        return false;
    }
    let text = tree.text().to_string();
    rules.iter().any(|rule| rule.find.get().is_match(&text))
}
