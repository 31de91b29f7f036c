//! Members that code on the other side of a border of packages cannot use.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::modules::FileId;
use crate::refactor::move_packages::crossing::Crossing;
use crate::symbols::{BorderMember, Meaning, MemberReach, Site, Thing};
use crate::tree::{Node, Tree};

/// The members of one side that the other one cannot use.
#[derive(Default)]
struct Side {
    members: FxHashMap<String, Vec<Hidden>>,
    /// The names of methods, and of those that a type asks others to have.
    methods: BTreeSet<String>,
    asked_for: BTreeSet<String>,
    /// The fields of records, with a place.
    records: Vec<Record>,
}

/// A member that the other side cannot use, or only classes below its own there.
#[derive(Debug, Clone, Copy)]
struct Hidden {
    site: Site,
    reach: MemberReach,
}

/// The fields of a record in order, at least one of which cannot be used elsewhere.
struct Record {
    names: Vec<String>,
    file: FileId,
    start: usize,
}

impl Crossing<'_, '_> {
    /// Finds the members that would be used from the other package and cannot be.
    pub(super) fn check_members(&mut self) {
        let files = self.parcel.old.files.clone();
        let (moving, staying) = self.sides(&files);
        for &file in &files {
            let Some(tree) = self.resolver.tree(file) else { continue };
            for node in self.resolver.identifiers(file) {
                let is_inside = self.parcel.has(file, tree.span(node));
                let other = if is_inside { &staying } else { &moving };
                let text = tree.node_text(node);
                if let Some(hidden) = other.members.get(&*text)
                    && self.resolver.may_be_member(file, node)
                    && self.may_mean(file, node, hidden)
                {
                    let start = tree.span(node).start();
                    self.hide(&text, file, start);
                }
            }
            self.check_value_lists(file, tree, &moving, &staying);
        }
        if !self.parcel.is_qualified() {
            return;
        }
        self.check_asked_for(&moving, &staying);
        let arriving = self.sides(&self.parcel.new.files.clone()).1;
        self.check_asked_for(&moving, &arriving);
        for one in &moving.records {
            if staying.records.iter().any(|other| other.names == one.names) {
                let why = "a type with the same fields stays, and values of one may become values of the other";
                self.block(one.file, one.start, why);
            }
        }
    }

    /// The side that moves and the one that stays.
    fn sides(&self, files: &[FileId]) -> (Side, Side) {
        let (mut moving, mut staying) = (Side::default(), Side::default());
        for &file in files {
            let Some(tree) = self.resolver.tree(file) else { continue };
            let all = self.resolver.border_members(file);
            for member in &all {
                let side = if self.parcel.has(file, tree.span(member.site.name)) { &mut moving } else { &mut staying };
                if matches!(member.reach, MemberReach::Class | MemberReach::Everywhere) {
                    continue;
                }
                let hidden = Hidden { site: member.site, reach: member.reach };
                side.members.entry(member.name.clone()).or_default().push(hidden);
                if member.is_method || member.is_asked_for {
                    side.methods.insert(member.name.clone());
                }
                if member.is_asked_for {
                    side.asked_for.insert(member.name.clone());
                }
            }
            for (node, names) in records(&all) {
                let start = tree.span(node).start();
                let side = if self.parcel.has(file, tree.span(node)) { &mut moving } else { &mut staying };
                side.records.push(Record { names, file, start });
            }
        }
        (moving, staying)
    }

    /// Whether a name may be one of some members.
    fn may_mean(&self, file: FileId, node: Node, hidden: &[Hidden]) -> bool {
        match self.resolver.meaning(file, node) {
            Meaning::Known(things) => {
                let is_hidden = |one: &Hidden| {
                    (things.contains(&Thing::Symbol(one.site)) || self.is_overload(file, node, &things, one.site))
                        && !(one.reach == MemberReach::Heirs && self.is_used_by_heir(file, node, one.site))
                };
                hidden.iter().any(is_hidden)
            }
            Meaning::External => false,
            Meaning::Unknown(_) => true,
        }
    }

    /// Whether a call of other methods may be one of a method with the same name in the same class.
    fn is_overload(&self, file: FileId, node: Node, things: &[Thing], method: Site) -> bool {
        if self.parcel.is_qualified() {
            return false;
        }
        let class = self.resolver.class_of_member(method);
        let is_beside = |thing: &Thing| match thing {
            Thing::Symbol(site) => class.is_some() && self.resolver.class_of_member(*site) == class,
            _ => false,
        };
        if !things.iter().any(is_beside) {
            return false;
        }
        let counts = self.resolver.tree(file).zip(self.resolver.tree(method.file)).and_then(|(tree, other)| {
            let given = tree.args(tree.table().parent(node)?)?;
            Some((given, other.params(self.resolver.definition_node(method)?)?))
        });
        counts.is_none_or(|(given, taken)| given == taken)
    }

    /// Whether a name is a member of the object of a class below that of the member.
    fn is_used_by_heir(&self, file: FileId, node: Node, member: Site) -> bool {
        let Some(tree) = self.resolver.tree(file) else { return false };
        let spec = tree.language().spec();
        let object = self.resolver.object_before(file, node).map(|object| tree.table().type_id(object));
        let is_own = object.is_none_or(|id| {
            spec.symbols.object_words.base_types.contains(id) || spec.references.self_types.contains(id)
        });
        let Some(class) = self.resolver.class_of_member(member).filter(|_| is_own) else { return false };
        let names = tree.table().ancestors(node).filter_map(|around| tree.name_node(around));
        let mut sites = names.map(|name| Site { file, name }).filter(|&site| self.resolver.is_class(site));
        sites.any(|site| self.resolver.superclasses(site).0.contains(&class))
    }

    /// Methods by which a type of one side may fit an interface of the other.
    fn check_asked_for(&mut self, one: &Side, other: &Side) {
        let first = one.asked_for.intersection(&other.methods);
        let names: FxHashSet<String> = first.chain(other.asked_for.intersection(&one.methods)).cloned().collect();
        for name in names {
            let sites = [&one.members, &other.members].into_iter().filter_map(|side| side.get(&name)?.first());
            let places: Vec<Site> = sites.map(|hidden| hidden.site).collect();
            for site in places {
                let start = self.resolver.tree(site.file).map_or(0, |tree| tree.span(site.name).start());
                self.hide(&name, site.file, start);
            }
        }
    }

    /// Lists of values that may be those of all fields of a record of the other side.
    fn check_value_lists(&mut self, file: FileId, tree: &Tree, moving: &Side, staying: &Side) {
        let rules = &self.parcel.language.spec().symbols.package_borders;
        let table = tree.table();
        for node in table.nodes().filter(|&node| rules.value_lists.contains(table.type_id(node))) {
            let values: Vec<Node> = tree.named_children(node).filter(|&node| !tree.is_comment(node)).collect();
            let Some(&first) = values.first() else { continue };
            if rules.named_values.contains(table.type_id(first)) {
                continue;
            }
            let other = if self.parcel.has(file, tree.span(node)) { staying } else { moving };
            if !other.records.iter().any(|record| record.names.len() == values.len()) {
                continue;
            }
            if self.may_make_hidden(file, tree, node) {
                let start = tree.span(node).start();
                self.block(file, start, "it may give values to fields that only their own package can use");
            }
        }
    }

    /// Whether a list of values may be of a type of the other side.
    fn may_make_hidden(&self, file: FileId, tree: &Tree, list: Node) -> bool {
        let table = tree.table();
        let casts = &tree.language().spec().symbols.written_types.casts;
        let maker = table.ancestors(list).find(|&node| casts.of(table.type_id(node)).is_some());
        let written = maker
            .and_then(|maker| casts.of(table.type_id(maker))?.iter().flat_map(|path| tree.reached(maker, path)).next());
        let (Some(maker), Some(written)) = (maker, written) else { return true };
        let is_own = table.parent(list) == Some(maker);
        let names: Vec<Node> = std::iter::once(written).chain(table.descendants(written)).collect();
        let names =
            names.into_iter().filter(|&node| table.subtree_end(node) == node.index() + 1 && table.is_named(node));
        let is_inside = self.parcel.has(file, tree.span(list));
        let mut is_other = false;
        for name in names {
            match self.resolver.meaning(file, name) {
                Meaning::Known(things) => {
                    for thing in things {
                        let Thing::Symbol(site) = thing else { continue };
                        let Some(other) = self.resolver.tree(site.file) else { continue };
                        let moves = self.parcel.has(site.file, other.span(site.name));
                        let is_of_old = self.parcel.old.files.contains(&site.file);
                        is_other |= is_of_old && moves != is_inside;
                        // A type of several values whose elements are further away.
                        is_other |= is_of_old && !is_own && self.names_other_side(site, is_inside);
                    }
                }
                Meaning::External => {}
                Meaning::Unknown(_) => return true,
            }
        }
        is_other
    }

    /// Whether the definition of a type names one of the other side.
    fn names_other_side(&self, site: Site, is_inside: bool) -> bool {
        let Some(tree) = self.resolver.tree(site.file) else { return true };
        let Some(definition) = self.resolver.definition_node(site) else { return true };
        let names = tree
            .table()
            .descendants(definition)
            .filter(|&node| tree.table().subtree_end(node) == node.index() + 1 && tree.table().is_named(node));
        names.into_iter().any(|name| match self.resolver.meaning(site.file, name) {
            Meaning::Known(things) => things.iter().any(|thing| match thing {
                Thing::Symbol(other) => {
                    let start = self.resolver.tree(other.file).map_or(0, |tree| tree.span(other.name).start());
                    let side = if is_inside { &self.parcel.staying } else { &self.parcel.moving };
                    side.contains_key(&(other.file, start))
                }
                _ => false,
            }),
            _ => false,
        })
    }
}

/// The records of a file that have a field which other packages cannot use, with their fields.
fn records(members: &[BorderMember]) -> Vec<(Node, Vec<String>)> {
    let mut records: Vec<(Node, Vec<String>, bool)> = Vec::new();
    for member in members {
        let Some(record) = member.record else { continue };
        let is_hidden = member.reach < MemberReach::Everywhere;
        match records.iter_mut().find(|(node, ..)| *node == record) {
            Some((_, names, hides)) => {
                names.push(member.name.clone());
                *hides |= is_hidden;
            }
            None => records.push((record, vec![member.name.clone()], is_hidden)),
        }
    }
    records.into_iter().filter(|(.., hides)| *hides).map(|(node, names, _)| (node, names)).collect()
}
