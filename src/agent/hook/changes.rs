//! Which definitions an edit changed: what became of the old ones, and which are new.
//!
//! Two definitions are the same if they have the same qualified name; else if the old node was carried to the new one
//! ([`NodeMap`]), or if they are the only ones with the same content. Next to a syntax error, definitions come and go
//! with the parser's recovery; then only those that the edit touched count.

use rustc_hash::{FxHashMap, FxHashSet};

use super::parts::{Part, Side};
use crate::agent::journal::{Change, Changed};
use crate::outline::{self, Definition, Options};
use crate::text::EditSet;
use crate::tree::{NodeMap, Tree};

/// The type of a node that does not parse.
const ERROR: &str = "ERROR";

/// What an edit changed in the definitions of a file.
#[derive(Debug, Default)]
pub(super) struct Changes {
    /// The changed definitions, in order.
    pub changed: Vec<Changed>,
    /// The old qualified names of renamed definitions, with the new ones.
    pub renamed: FxHashMap<String, String>,
}

/// Two revisions of a file.
pub(super) struct Revisions<'a> {
    /// The old one.
    pub before: &'a Tree,
    /// The new one.
    pub after: &'a Tree,
    /// The mapping between old and new nodes.
    pub node_map: &'a NodeMap,
    /// The edits between the texts.
    pub edits: &'a EditSet,
    /// Whether the file was moved.
    pub moved: bool,
}

/// The definitions of a new or a deleted file.
pub(super) fn all(tree: &Tree, change: Change) -> Vec<Changed> {
    let definitions = outline::outline(tree, &Options::default()).unwrap_or_default();
    definitions.iter().map(|definition| changed(definition, change, Vec::new())).collect()
}

/// Compares the definitions of two revisions.
pub(super) fn between(revisions: &Revisions<'_>) -> Changes {
    let listed = |tree: &Tree| outline::outline(tree, &Options::default()).unwrap_or_default();
    let (old, new) = (listed(revisions.before), listed(revisions.after));
    let comparison = Comparison {
        revisions,
        old: Side::new(revisions.before, &old),
        new: Side::new(revisions.after, &new),
        old_spans: old_spans(revisions.edits),
        new_spans: new_spans(revisions.edits),
        is_sound: revisions.before.is_sound() && revisions.after.is_sound(),
    };
    comparison.changes()
}

/// Bytes of the old text that the edits replaced.
fn old_spans(edits: &EditSet) -> Vec<(usize, usize)> {
    edits.iter().map(|edit| (edit.span.start(), edit.span.end())).collect()
}

/// Bytes of the new text that they wrote.
fn new_spans(edits: &EditSet) -> Vec<(usize, usize)> {
    edits.new_spans().into_iter().map(|span| (span.start(), span.end())).collect()
}

struct Comparison<'a> {
    revisions: &'a Revisions<'a>,
    old: Side<'a>,
    new: Side<'a>,
    old_spans: Vec<(usize, usize)>,
    new_spans: Vec<(usize, usize)>,
    is_sound: bool,
}

/// The mapping between old and new definitions.
struct Pairs {
    of_old: Vec<Option<usize>>,
    of_new: Vec<Option<usize>>,
}

impl Pairs {
    fn link(&mut self, old: usize, new: usize) {
        self.of_old[old] = Some(new);
        self.of_new[new] = Some(old);
    }
}

impl Comparison<'_> {
    fn changes(&self) -> Changes {
        let pairs = self.pairs();
        let reordered = self.find_reordered(&pairs);
        let mut changes = Changes::default();
        let mut reported = FxHashSet::default();
        for (new, &old) in pairs.of_new.iter().enumerate() {
            let definition = &self.new.definitions[new];
            let Some(old) = old else {
                if self.is_sound || self.is_named_in(&self.new, new, &self.new_spans) {
                    changes.changed.push(changed(definition, Change::Added, Vec::new()));
                }
                continue;
            };
            let before = &self.old.definitions[old];
            if before.qualname != definition.qualname {
                changes.renamed.insert(before.qualname.clone(), definition.qualname.clone());
            }
            let is_reordered = reordered.contains(&new);
            if let Some((change, fields)) = self.change(old, new, &pairs, &reported, is_reordered) {
                if matches!(change, Change::Renamed | Change::Moved) {
                    reported.insert(new);
                }
                changes.changed.push(changed(definition, change, fields));
            }
        }
        for (old, definition) in self.old.definitions.iter().enumerate() {
            if pairs.of_old[old].is_none()
                && let Some(change) = self.loss(old)
            {
                changes.changed.push(changed(definition, change, Vec::new()));
            }
        }
        changes
    }

    /// The change of a definition that still exists.
    fn change(
        &self,
        old: usize,
        new: usize,
        pairs: &Pairs,
        reported: &FxHashSet<usize>,
        is_reordered: bool,
    ) -> Option<(Change, Vec<String>)> {
        let (before, after) = (&self.old.definitions[old], &self.new.definitions[new]);
        let touched = self.is_touched(old, new);
        let fields = if touched { different(&self.old.parts(old), &self.new.parts(new)) } else { Vec::new() };
        let is_same = fields.is_empty();
        // Code that does not parse is not a part of its own.
        let fields: Vec<String> = fields.into_iter().filter(|name| name != ERROR).collect();
        if !self.is_sound && !touched && !self.revisions.moved {
            return None;
        }
        if before.name != after.name {
            let fields = std::iter::once("name".to_owned()).chain(fields).collect();
            return Some((Change::Renamed, fields));
        }
        let parents = (self.old.parent(old), self.new.parent(new));
        let is_same_parent = match parents {
            (None, None) => true,
            (Some(old), Some(new)) => pairs.of_old[old] == Some(new),
            _ => false,
        };
        // A definition moved if the one around it did.
        let goes_along = parents.1.is_some_and(|parent| reported.contains(&parent));
        let has_moved = self.revisions.moved && !goes_along || !is_same_parent && before.qualname != after.qualname;
        if has_moved || is_reordered && is_same {
            return Some((Change::Moved, fields));
        }
        (!is_same || before.kind != after.kind).then_some((Change::Changed, fields))
    }

    /// The change of a definition that is no longer listed. If the code does not parse, it may still be there.
    fn loss(&self, old: usize) -> Option<Change> {
        if self.is_sound {
            return Some(Change::Removed);
        }
        if !overlaps_own(&self.old, old, &self.old_spans) {
            return None;
        }
        let definition = &self.old.definitions[old];
        if !self.is_named_in(&self.old, old, &self.old_spans) {
            return Some(Change::Changed);
        }
        let still_said = self.revisions.edits.iter().any(|edit| edit.text.contains(definition.name.as_str()));
        Some(if still_said { Change::Changed } else { Change::Removed })
    }

    /// Maps old definitions to new ones.
    fn pairs(&self) -> Pairs {
        let (old, new) = (self.old.definitions, self.new.definitions);
        let mut pairs = Pairs { of_old: vec![None; old.len()], of_new: vec![None; new.len()] };
        let kind_too = |definition: &Definition| (definition.qualname.clone(), definition.kind);
        self.link_alike(&mut pairs, kind_too);
        self.link_alike(&mut pairs, |definition| (definition.qualname.clone(), ""));
        let by_node: FxHashMap<_, usize> =
            new.iter().enumerate().map(|(index, definition)| (definition.node, index)).collect();
        for (index, definition) in old.iter().enumerate() {
            if pairs.of_old[index].is_some() {
                continue;
            }
            let image = self.revisions.node_map.image(definition.node).and_then(|image| by_node.get(&image));
            if let Some(&image) = image
                && pairs.of_new[image].is_none()
            {
                pairs.link(index, image);
            }
        }
        self.link_elsewhere(&mut pairs);
        pairs
    }

    /// Links definitions with the same key: first those that are equal, then in order.
    fn link_alike<K: std::hash::Hash + Eq>(&self, pairs: &mut Pairs, key: impl Fn(&Definition) -> K) {
        let mut candidates: FxHashMap<K, Vec<usize>> = FxHashMap::default();
        for (index, definition) in self.new.definitions.iter().enumerate() {
            if pairs.of_new[index].is_none() {
                candidates.entry(key(definition)).or_default().push(index);
            }
        }
        let left: Vec<usize> = (0..pairs.of_old.len()).filter(|&index| pairs.of_old[index].is_none()).collect();
        let mut counts: FxHashMap<K, usize> = FxHashMap::default();
        left.iter().for_each(|&index| *counts.entry(key(&self.old.definitions[index])).or_default() += 1);
        let mut later = Vec::new();
        for index in left {
            let key = key(&self.old.definitions[index]);
            let Some(alike) = candidates.get_mut(&key) else { continue };
            if alike.len() > 1 || counts[&key] > 1 {
                let parts = self.old.parts(index);
                if let Some(at) = alike.iter().position(|&new| self.new.parts(new) == parts) {
                    pairs.link(index, alike.remove(at));
                    continue;
                }
            }
            later.push(index);
        }
        for index in later {
            let alike = candidates.get_mut(&key(&self.old.definitions[index])).filter(|alike| !alike.is_empty());
            if let Some(alike) = alike {
                pairs.link(index, alike.remove(0));
            }
        }
    }

    /// Links remaining definitions with the same content, if this is unambiguous.
    fn link_elsewhere(&self, pairs: &mut Pairs) {
        type Alike = FxHashMap<Vec<(String, u64)>, Vec<usize>>;
        let group = |side: &Side<'_>, linked: &[Option<usize>]| {
            let mut groups: Alike = FxHashMap::default();
            for index in (0..linked.len()).filter(|&index| linked[index].is_none()) {
                let parts: Vec<_> = side.parts(index).into_iter().map(|part| (part.name, part.digest)).collect();
                if !parts.is_empty() {
                    groups.entry(parts).or_default().push(index);
                }
            }
            groups
        };
        let olds = group(&self.old, &pairs.of_old);
        let news = group(&self.new, &pairs.of_new);
        for (key, old) in &olds {
            let Some(new) = news.get(key) else { continue };
            for &old in old {
                let name = &self.old.definitions[old].name;
                let mut same = new.iter().copied().filter(|&new| pairs.of_new[new].is_none());
                let named = same.clone().find(|&new| self.new.definitions[new].name == *name);
                let only = same.next().filter(|_| new.len() == 1 && olds[key].len() == 1);
                if let Some(new) = named.or(only) {
                    pairs.link(old, new);
                }
            }
        }
    }

    /// Whether the edit touched a definition, before or after; if the code does not parse, only what is its own.
    fn is_touched(&self, old: usize, new: usize) -> bool {
        if self.is_sound {
            return overlaps(self.old.bytes(old), &self.old_spans) || overlaps(self.new.bytes(new), &self.new_spans);
        }
        // A definition that was inside another is not its own code just because it is not listed now.
        let was_inner = || self.old.inner_bytes(old).into_iter().any(|inner| overlaps(inner, &self.old_spans));
        overlaps_own(&self.old, old, &self.old_spans) || overlaps_own(&self.new, new, &self.new_spans) && !was_inner()
    }

    /// The new definitions whose order among their siblings changed: as few as possible.
    fn find_reordered(&self, pairs: &Pairs) -> FxHashSet<usize> {
        let mut siblings: FxHashMap<Option<usize>, Vec<usize>> = FxHashMap::default();
        for (old, &new) in pairs.of_old.iter().enumerate() {
            let Some(new) = new else { continue };
            let outer = self.new.parent(new);
            let stays = self.old.parent(old).map(|parent| pairs.of_old[parent]) == outer.map(Some);
            if self.is_sound && stays {
                siblings.entry(outer).or_default().push(new);
            }
        }
        siblings.into_values().flat_map(|order| out_of_order(&order)).collect()
    }

    /// Whether the name of a definition is in one of the spans.
    fn is_named_in(&self, side: &Side<'_>, index: usize, spans: &[(usize, usize)]) -> bool {
        let node = side.definitions[index].node;
        let name = side.tree.span(side.tree.name_node(node).unwrap_or(node));
        overlaps((name.start(), name.end()), spans)
    }
}

/// The elements to remove from a list so that the rest ascends: all except a longest ascending subsequence.
fn out_of_order(list: &[usize]) -> Vec<usize> {
    // For each length, the end of the ascending subsequence with the lowest end, by index; and the predecessor of each
    // element.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(list.len());
    for (place, value) in list.iter().enumerate() {
        let length = ends.partition_point(|&end| list[end] < *value);
        before.push(length.checked_sub(1).map(|shorter| ends[shorter]));
        match ends.get_mut(length) {
            Some(end) => *end = place,
            None => ends.push(place),
        }
    }
    let kept: FxHashSet<usize> = std::iter::successors(ends.last().copied(), |&place| before[place]).collect();
    (0..list.len()).filter(|place| !kept.contains(place)).map(|place| list[place]).collect()
}

/// Whether one of the spans, which are sorted, touches a range.
fn overlaps((start, end): (usize, usize), spans: &[(usize, usize)]) -> bool {
    let first = spans.partition_point(|span| span.1 < start);
    spans[first..].iter().take_while(|span| span.0 <= end).any(|span| span.0 < end.max(start + 1) || span.0 == span.1)
}

/// Whether one of the spans touches a part of a definition that is not a listed definition itself.
fn overlaps_own(side: &Side<'_>, index: usize, spans: &[(usize, usize)]) -> bool {
    let (start, end) = side.bytes(index);
    let inner = side.inner_bytes(index);
    let first = spans.partition_point(|span| span.1 < start);
    spans[first..].iter().take_while(|span| span.0 < end).any(|span| {
        span.1 > start && !inner.iter().any(|inner| inner.0 <= span.0.max(start) && span.1.min(end) <= inner.1)
    })
}

/// The names of the parts that differ, in order.
fn different(old: &[Part], new: &[Part]) -> Vec<String> {
    let is_other = |part: &&Part, parts: &[Part]| !parts.contains(part);
    let mut names: Vec<String> = new.iter().filter(|part| is_other(part, old)).map(|part| part.name.clone()).collect();
    for part in old.iter().filter(|part| is_other(part, new)) {
        if !names.contains(&part.name) {
            names.push(part.name.clone());
        }
    }
    names
}

fn changed(definition: &Definition, change: Change, fields: Vec<String>) -> Changed {
    Changed { qualname: definition.qualname.clone(), kind: definition.kind.to_owned(), change, fields }
}
