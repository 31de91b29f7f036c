//! The edits of a rename in one file.

use crate::edit::{self, EditError, Outcome};
use crate::scopes::{Pair, Scopes};
use crate::text::Span;
use crate::tree::{ParseLimits, Tree};

/// A rename.
#[derive(Debug, Clone, Copy)]
pub struct Renaming<'a> {
    /// The old name.
    pub old: &'a str,
    /// The new name.
    pub new: &'a str,
    /// Whether it is the name of a member.
    pub is_member: bool,
    /// Places that bind what a call loads under its own name, where a name is changed on both sides.
    pub loaded: &'a [Span],
    /// Places that import the name in a file that keeps it for its variable.
    pub kept: &'a [Span],
    /// Whether exports keep the old name: `export { a }` becomes `export { b as a }`.
    pub keeps_exports: bool,
    /// Whether `{ a: b }` becomes `{ b }` where `a` gets that name.
    pub shortens: bool,
}

/// Why a file is not renamed.
#[derive(Debug)]
pub enum RenameError {
    /// The new name is not a valid name at a place.
    NoName {
        /// The offset of the place.
        start: usize,
    },
    /// A gate refuses the result.
    Edit(EditError),
}

/// Renames the names at some places of a file; each is the old name, in the order of the text. Where a name has two meanings, one is
/// kept: `{ a }` becomes `{ a: b }`, or `{ b: a }` if the member is renamed; and `{ a: b }` becomes `{ b }` again.
///
/// # Errors
/// If the new name is not valid there, or a gate refuses the result.
pub fn rename(
    tree: &Tree,
    places: &[Span],
    renaming: Renaming<'_>,
    limits: &ParseLimits,
) -> Result<Outcome, RenameError> {
    let mut checked = Vec::new();
    for &place in places {
        let node = tree.table().smallest_around(place);
        // A keyword may be a name in some places.
        let table = tree.table();
        let holder = table.parent(node).map(|parent| table.type_id(parent));
        let type_id = (table.type_id(node), holder, table.field(node));
        if tree.span(node) == place && !checked.contains(&type_id) {
            if !edit::may_be_named(tree, node, renaming.new, limits) {
                return Err(RenameError::NoName { start: place.start() });
            }
            checked.push(type_id);
        }
    }
    let names = new_names(tree, places, renaming);
    edit::change_names(tree, &names, limits).map_err(RenameError::Edit)
}

/// What a rename writes at places of a file; where a name has two meanings, both names.
pub fn new_names(tree: &Tree, places: &[Span], renaming: Renaming<'_>) -> Vec<(Span, String)> {
    let Renaming { old, new, is_member, loaded, kept, keeps_exports, shortens } = renaming;
    let scopes = Scopes::with_members(tree);
    let mut names = Vec::new();
    let mut is_short = None;
    for &place in places {
        let node = tree.table().smallest_around(place);
        let is_its =
            |pair: &Pair| *tree.node_text(pair.other(node)) == *new && !places.contains(&tree.span(pair.other(node)));
        let pair = scopes.pair(node).filter(|pair| shortens && tree.span(node) == place && is_its(pair));
        if let Some(pair) = pair.filter(|_| *is_short.get_or_insert_with(|| scopes.writes_one_name())) {
            names.push((Span::new(tree.span(pair.first).start(), tree.span(pair.value).start()), String::new()));
            if node == pair.second {
                names.push((place, new.to_owned()));
            }
            continue;
        }
        let is_kept = kept.contains(&place);
        let is_name = tree.span(node) == place && (is_kept || !loaded.contains(&place));
        // In imports and exports the name is changed on both sides.
        let is_changed = |template: &&str| keeps_exports || is_kept || template.contains(':');
        let template = if is_name { scopes.shorthand(node).filter(is_changed) } else { None };
        let (first, second) = if is_member || is_kept { ("$new", "$old") } else { ("$old", "$new") };
        let Some(template) = template else {
            names.push((place, new.to_owned()));
            continue;
        };
        let text = template.replace(first, old).replace(second, new);
        let pattern = tree.table().parent(node).map_or(place, |pattern| tree.span(pattern));
        let Some((key, variable)) = text.split_once("$pattern") else {
            names.push((place, text));
            continue;
        };
        // Words before the name belong to the variable: `A { ref x }` becomes `A { x: ref y }`.
        let words = tree.text().slice(Span::new(pattern.start(), place.start()));
        names.push((Span::new(pattern.start(), place.end()), format!("{key}{words}{variable}")));
    }
    names
}
