//! Names of kinds.

use super::error::AstGrepError;
use super::model::Placed;
use crate::language::{Language, TypeSet};
use crate::selector::nearest;

/// The types that the name of a kind means. Kinds of other grammars of the language are known, too. No node has a supertype.
pub(super) fn find_kind(written: &Placed<String>, language: &'static Language) -> Result<TypeSet, AstGrepError> {
    let word = written.value.as_str();
    if let Some(id) = language.type_id(word) {
        return Ok(std::iter::once(id).collect());
    }
    if let Some(types) = language.spec().ast_grep.kinds.get(word) {
        return Ok(types.clone());
    }
    if language.is_supertype(word) {
        return Ok(TypeSet::default());
    }
    let error = AstGrepError::new(format!("{} has no kind `{word}`", language.name()), written.place);
    Err(match nearest(word, "", language.named_type_names()) {
        Some(hint) => error.hint(hint),
        None => error,
    })
}
