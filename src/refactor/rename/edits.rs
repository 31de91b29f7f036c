//! The edits of a rename in one file.

use crate::edit::{self, EditError, Outcome};
use crate::scopes::Scopes;
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
    /// Whether `{ b: a }` becomes `{ b }`.
    pub shortens: bool,
}

/// The names that a rename writes in a file.
#[derive(Debug, Default)]
pub struct NewNames {
    /// The texts, at places in order.
    pub texts: Vec<(Span, String)>,
    /// Where two names become one.
    pub merged: Vec<Merged>,
}

/// A key and a variable that become one name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Merged {
    /// Where the key begins.
    pub key: usize,
    /// Where the variable begins.
    pub variable: usize,
}

/// A file with the new name.
#[derive(Debug)]
pub struct Renamed {
    /// The tree and its edits.
    pub outcome: Outcome,
    /// Where two names became one, in the old text.
    pub merged: Vec<Merged>,
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
/// kept: `{ a }` becomes `{ a: b }`, or `{ b: a }` if the member is renamed. The other way round, `{ b: a }` becomes `{ b }`.
///
/// # Errors
/// If the new name is not valid there, or a gate refuses the result.
pub fn rename(
    tree: &Tree,
    places: &[Span],
    renaming: Renaming<'_>,
    limits: &ParseLimits,
) -> Result<Renamed, RenameError> {
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
    let NewNames { texts, merged } = new_names(tree, places, renaming);
    let outcome = edit::change_names(tree, &texts, limits).map_err(RenameError::Edit)?;
    Ok(Renamed { outcome, merged })
}

/// What a rename writes at places of a file; where a name has two meanings, both names.
pub fn new_names(tree: &Tree, places: &[Span], renaming: Renaming<'_>) -> NewNames {
    let Renaming { old, new, is_member, loaded, kept, keeps_exports, .. } = renaming;
    let scopes = Scopes::with_members(tree);
    let mut names = NewNames::default();
    // Code for old versions of the language cannot have one name alone.
    let signs = &scopes.rules.longhand_signs;
    let has_sign = || tree.table().nodes().any(|node| signs.contains(tree.table().type_id(node)));
    let shortens = renaming.shortens && (signs.is_empty() || has_sign());
    for &place in places {
        let node = tree.table().smallest_around(place);
        let is_kept = kept.contains(&place);
        let is_name = tree.span(node) == place && (is_kept || !loaded.contains(&place));
        // In imports and exports the name is changed on both sides.
        let is_changed = |template: &&str| keeps_exports || is_kept || template.contains(':');
        let template = if is_name { scopes.shorthand(node).filter(is_changed) } else { None };
        let (first, second) = if is_member || is_kept { ("$new", "$old") } else { ("$old", "$new") };
        let Some(template) = template else {
            let pair = if shortens { pair_with(tree, &scopes, place, renaming) } else { None };
            let text = pair.as_ref().map_or_else(|| (place, new.to_owned()), |pair| (pair.span, pair.text.clone()));
            names.texts.push(text);
            names.merged.extend(pair.map(|pair| pair.merged));
            continue;
        };
        let text = template.replace(first, old).replace(second, new);
        let pattern = tree.table().parent(node).map_or(place, |pattern| tree.span(pattern));
        let Some((key, variable)) = text.split_once("$pattern") else {
            names.texts.push((place, text));
            continue;
        };
        // Words before the name belong to the variable: `A { ref x }` becomes `A { x: ref y }`.
        let words = tree.text().slice(Span::new(pattern.start(), place.start()));
        names.texts.push((Span::new(pattern.start(), place.end()), format!("{key}{words}{variable}")));
    }
    names
}

/// A key and a value that become one name.
struct Pair {
    span: Span,
    text: String,
    merged: Merged,
}

/// The pair around a place at which a rename makes the key and the variable in its value the same name.
fn pair_with(tree: &Tree, scopes: &Scopes<'_>, place: Span, renaming: Renaming<'_>) -> Option<Pair> {
    /// How deep a variable is in its pair: below a default value or a word.
    const DEPTH: usize = 2;
    let table = tree.table();
    let name = table.smallest_around(place);
    // `__proto__: a` is the prototype, `__proto__` a member.
    if tree.span(name) != place || renaming.new.starts_with("__") {
        return None;
    }
    let mut around = table.ancestors(name).take(DEPTH);
    let pair = around.find(|&node| scopes.rules.pairs.contains(table.type_id(node)))?;
    let parts: Vec<_> = tree.named_children(pair).collect();
    let &[key, value] = parts.as_slice() else { return None };
    let is_name = |node| scopes.is_identifier(node);
    // The variable is a value as it is, or what gets it in a pattern.
    let variable = if renaming.is_member {
        // `y: ref x`
        match tree.named_children(value).collect::<Vec<_>>().as_slice() {
            &[inner] if !is_name(value) => inner,
            _ => value,
        }
    } else if value == name {
        name
    } else {
        scopes.binds(name).then_some(name)?
    };
    let (other, is_it) = if renaming.is_member { (variable, key == name) } else { (key, variable == name) };
    let before = Span::new(tree.span(value).start(), tree.span(variable).start());
    let words = tree.text().slice(before);
    let is_word = |letter: char| letter.is_alphabetic() || letter == ' ';
    if !is_it || !is_name(variable) || *tree.node_text(other) != *renaming.new || !words.chars().all(is_word) {
        return None;
    }
    Some(Pair {
        span: Span::new(tree.span(key).start(), tree.span(variable).end()),
        text: format!("{words}{}", renaming.new),
        merged: Merged { key: tree.span(key).start(), variable: tree.span(variable).start() },
    })
}
