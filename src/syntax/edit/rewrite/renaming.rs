//! Rewrites that only change names, which need no second parse.
//!
//! If a grammar recognises names only by their letters, replacing one name by another leaves every node the same: the
//! parser meets the same tokens. So if each edit changes one name to another, and the grammar reads both the same way
//! wherever code can be read on its own, the gates have nothing to find. This is a third of the work, and the most
//! frequent rewrite over many files.

use rustc_hash::FxHashSet;

use super::compose::{Composer, Parens};
use super::words::{self, What};
use super::write::compose;
use super::{RewriteError, Site, count_changed, sorted};
use crate::edit::{Allow, Template};
use crate::language::{Language, TypeId, TypeSet};
use crate::text::{EditSet, Span, Text, TextEdit};
use crate::tree::{Node, ParseLimits, Tree};

/// A text with changed names.
#[derive(Debug)]
pub struct Renamed {
    /// The edits.
    pub edits: EditSet,
    /// How many sites changed the text.
    pub changed: usize,
}

/// Whether a template is the pattern's code with other names and nothing else, so that [`rename_in_place`] may apply: then the
/// tree needs to contain only the matches.
pub fn renames(pattern: &str, template: &Template) -> bool {
    let Ok(pattern) = Template::parse(pattern) else { return false };
    let (before, after) =
        (words::of_template(&pattern, &[], &|_| false, &[]), words::of_template(template, &[], &|_| false, &[]));
    let (names, others): (Vec<_>, Vec<_>) = (pattern.places().collect(), template.places().collect());
    let same = before.words.iter().zip(&after.words).all(|(one, other)| match (&one.what, &other.what) {
        (What::Code(one), What::Code(other)) => one == other || is_plain(one) && is_plain(other),
        (What::Placeholder(one), What::Placeholder(other)) => {
            names[*one].name == others[*other].name && others[*other].filters.is_empty()
        }
        _ => false,
    });
    same && before.words.len() == after.words.len()
}

/// The edits of a rewrite, if they only change names; `None` if a parse is needed to know their effect.
///
/// # Errors
/// If the template cannot be filled.
pub fn rename_in_place(
    tree: &Tree,
    sites: &[Site],
    template: &Template,
    allow: Allow,
    limits: &ParseLimits,
) -> Result<Option<Renamed>, RewriteError> {
    let language = tree.language();
    let shown_by_letters = language.spec().names_are_words && language.mask_rules().is_empty();
    if !shown_by_letters || !tree.is_sound() || template.is_empty() || allow != Allow::default() {
        return Ok(None);
    }
    let sites = sorted(tree, sites);
    sites.iter().try_for_each(|site| template.check(&site.captures))?;
    let composed = compose(&Composer::new(tree, &sites, template, limits.bytes), &Parens::default())?;
    let names = language.spec().types_of_kind("name");
    let all_written = composed.written.iter().all(|written| *written);
    let renamings: Option<FxHashSet<Renaming>> =
        composed.edits.iter().map(|edit| renaming(tree, edit, &names)).collect();
    let reads_alike = |renaming: &Renaming| reads_alike(language, renaming, &names, limits);
    if !all_written || !renamings.is_some_and(|renamings| renamings.iter().all(reads_alike)) {
        return Ok(None);
    }
    let changed = count_changed(&sites, tree, &composed);
    let edits = EditSet::new(composed.edits).expect("pieces are written in order");
    Ok(Some(Renamed { edits, changed }))
}

/// A changed name.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Renaming {
    old: String,
    new: String,
    /// The type of the old name in its place: `label_name`.
    type_id: TypeId,
}

/// The old and the new name of an edit that changes a name to another of the same sort.
fn renaming(tree: &Tree, edit: &TextEdit, names: &TypeSet) -> Option<Renaming> {
    let table = tree.table();
    let leaf = name_around(tree, edit, names)?;
    let old = tree.node_text(leaf).into_owned();
    let start = table.span(leaf).start();
    let mut new = old.clone();
    new.replace_range(edit.span.start() - start..edit.span.end() - start, &edit.text);
    let first = |name: &str| name.bytes().next().is_some_and(|byte| byte.is_ascii_uppercase());
    // Some languages read keywords in any case.
    let is_taken = |name: &str| {
        let lower = name.to_ascii_lowercase();
        tree.language().token_id(name).is_some() || tree.language().token_id(&lower).is_some()
    };
    let is_plain = is_plain(&old) && is_plain(&new) && first(&old) == first(&new);
    (is_plain && !is_taken(&new)).then(|| Renaming { old, new, type_id: table.type_id(leaf) })
}

/// Whether the grammar reads a new name as a name wherever it reads the old one: not `None`, `self` and `int`, although
/// they are not tokens. One of the tried places must be like the name's own: Go's `make` is a name, but not a label.
fn reads_alike(language: &'static Language, renaming: &Renaming, names: &TypeSet, limits: &ParseLimits) -> bool {
    let Renaming { old, new, type_id } = renaming;
    let data = language.spec();
    if data.reserved.iter().chain(&data.keywords).any(|word| word == new) {
        return false;
    }
    let patterns = data.pattern_contexts.iter().map(|context| context.around.as_str());
    let contexts = ["$0", "$0;"].into_iter().chain(data.contexts.iter().map(String::as_str)).chain(patterns);
    let read = |context: &str, name: &str| {
        let (head, tail) = context.split_once("$0")?;
        let tree = Tree::parse(Text::new(&format!("{head}{name}{tail}")), language, limits).ok()?;
        let table = tree.table();
        let span = Span::new(head.len(), head.len() + name.len());
        let leaf = |node: &Node| table.span(*node) == span && table.subtree_end(*node) == node.index() + 1;
        let leaf = table.range(0, table.first_from(span.end())).rev().find(leaf)?;
        tree.is_sound().then(|| table.type_id(leaf))
    };
    let mut is_covered = false;
    let mut contexts = contexts.filter_map(|context| {
        let one = read(context, old).filter(|one| names.contains(*one))?;
        is_covered |= one == *type_id;
        Some(read(context, new) == Some(one))
    });
    contexts.all(|alike| alike) && is_covered
}

/// The name that contains an edit.
fn name_around(tree: &Tree, edit: &TextEdit, names: &TypeSet) -> Option<Node> {
    let table = tree.table();
    let behind = table.first_from(edit.span.start() + 1);
    let nodes = table.range(0, behind).rev();
    // The last nodes that begin before an offset are the smallest there.
    let mut near = nodes.take(4);
    near.find(|&node| {
        let is_leaf = table.subtree_end(node) == node.index() + 1;
        is_leaf && names.contains(table.type_id(node)) && table.span(node).contains(edit.span)
    })
}

/// Whether a word consists of letters, digits and underscores that every language reads as a name; `_` alone is special
/// in some.
fn is_plain(word: &str) -> bool {
    let starts = word.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_') && word != "_";
    starts && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}
