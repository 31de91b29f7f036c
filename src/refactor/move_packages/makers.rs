//! Methods, constructors and bases on two sides of a border of packages.

use crate::modules::FileId;
use crate::refactor::move_packages::crossing::Crossing;
use crate::symbols::{BorderMember, Meaning, MemberReach, Site, Thing};
use crate::tree::{Node, Tree};

/// A class with what it defines.
struct Class {
    site: Site,
    moves: bool,
    members: Vec<BorderMember>,
}

impl Crossing<'_, '_> {
    /// Refuses types whose methods would be in another package than they are.
    pub(super) fn check_methods(&mut self) {
        let all = self.parcel.moving.values().map(|&site| (site, true));
        let all: Vec<(Site, bool)> = all.chain(self.parcel.staying.values().map(|&site| (site, false))).collect();
        for (class, moves) in all {
            if !self.resolver.is_class(class) {
                continue;
            }
            for &file in &self.parcel.old.files {
                let Some(tree) = self.resolver.tree(file) else { continue };
                for (_, name) in self.resolver.methods_in(file, class) {
                    let span = tree.span(name);
                    if self.parcel.has(file, span) != moves {
                        let class = self.resolver.name_of(class).unwrap_or_default();
                        let method = tree.node_text(name);
                        let why =
                            format!("the method `{method}` of `{class}` would be in another package than its type");
                        self.block(file, span.start(), why);
                    }
                }
            }
        }
    }

    /// Lists tests that show a definition by their names.
    pub(super) fn check_derived_names(&mut self) {
        let project = self.resolver.project();
        let Some(&first) = self.parcel.old.files.first() else { return };
        let beside: Vec<FileId> = project.ids().filter(|&file| project.are_in_one_folder(file, first)).collect();
        let sites: Vec<Site> = self.parcel.moving.values().copied().collect();
        for site in sites {
            for name in self.resolver.derived_names(site) {
                for &file in &beside {
                    for span in self.resolver.spans_of_derived(file, &name) {
                        if !self.parcel.has(file, span) {
                            self.doubt(file, span.start(), "a test has its name, and is for its package");
                        }
                    }
                }
            }
        }
    }

    /// Refuses what depends on being in one package between a class and those that extend or make it.
    pub(super) fn check_makers(&mut self) {
        let words = &self.parcel.language.spec().symbols.package_borders.closed_words;
        if self.parcel.is_qualified() {
            return;
        }
        let classes = self.classes();
        let files = self.parcel.old.files.clone();
        for &file in &files {
            let Some(tree) = self.resolver.tree(file) else { continue };
            let table = tree.table();
            let is_leaf = |&node: &Node| table.subtree_end(node) == node.index() + 1;
            let closed = table
                .nodes()
                .filter(is_leaf)
                .find(|&node| !tree.is_comment(node) && words.iter().any(|word| **word == *tree.node_text(node)));
            let Some(closed) = closed else { continue };
            let moves = self.parcel.has(file, tree.span(closed));
            let names = self.parcel.names(self.resolver);
            let mentions = names.iter().any(|name| table.nodes().any(|node| *tree.node_text(node) == **name));
            if moves || mentions {
                self.block(file, tree.span(closed).start(), "only classes of its package may extend it");
            }
        }
        self.check_constructors(&classes, &files);
        self.check_overrides(&classes);
        self.check_package_words();
    }

    /// The class around the definition of a member.
    fn class_around(&self, tree: &Tree, member: Site) -> Option<Site> {
        let around = tree.table().ancestors(member.name).filter_map(|node| tree.name_node(node));
        let mut sites = around.filter(|&name| name != member.name).map(|name| Site { file: member.file, name });
        sites.find(|&site| self.resolver.is_class(site))
    }

    fn classes(&self) -> Vec<Class> {
        let mut classes: Vec<Class> = Vec::new();
        for &file in &self.parcel.old.files {
            let Some(tree) = self.resolver.tree(file) else { continue };
            for member in self.resolver.border_members(file) {
                let Some(site) = self.class_around(tree, member.site) else { continue };
                let moves = self.parcel.has(file, tree.span(member.site.name));
                match classes.iter_mut().find(|class| class.site == site) {
                    Some(class) => class.members.push(member),
                    None => classes.push(Class { site, moves, members: vec![member] }),
                }
            }
        }
        classes
    }

    /// Constructors that would be called from the other package and cannot be.
    fn check_constructors(&mut self, classes: &[Class], files: &[FileId]) {
        let mut found: Vec<(String, FileId, usize)> = Vec::new();
        for class in classes {
            let Some(name) = self.resolver.name_of(class.site) else { continue };
            let is_one = |member: &&BorderMember| member.is_method && member.name == name;
            let all: Vec<&BorderMember> = class.members.iter().filter(is_one).collect();
            let hidden = all.iter().filter(|one| one.reach < MemberReach::Everywhere && one.reach > MemberReach::Class);
            if hidden.count() == 0 {
                continue;
            }
            for &file in files.iter().filter(|&&file| self.resolver.may_contain(file, &name)) {
                let Some(tree) = self.resolver.tree(file) else { continue };
                let made = self.makers(file, tree, class.site);
                for (maker, start) in
                    made.into_iter().filter(|(maker, _)| self.parcel.has(file, tree.span(*maker)) != class.moves)
                {
                    let count = tree.args(maker);
                    let fits = |one: &&&BorderMember| {
                        let own = self.resolver.tree(one.site.file);
                        let node = self.resolver.definition_node(one.site);
                        let own = own.zip(node).and_then(|(tree, node)| tree.params(node));
                        count.is_none() || own.is_none() || own == count
                    };
                    let is_hidden = |one: &&BorderMember| one.reach < MemberReach::Everywhere;
                    let fitting: Vec<&&BorderMember> = all.iter().filter(fits).collect();
                    if fitting.is_empty() || fitting.iter().any(|one| is_hidden(one)) {
                        found.push((name.clone(), file, start));
                    }
                }
            }
            // A class below calls one of them, whether that is written or not.
            let is_needed = all.iter().any(|one| one.reach == MemberReach::Package);
            for other in classes.iter().filter(|other| other.moves != class.moves && is_needed) {
                if self.resolver.superclasses(other.site).0.contains(&class.site) {
                    found.push((name.clone(), other.site.file, self.start(other.site)));
                }
            }
        }
        for (name, file, start) in found {
            self.hide(&name, file, start);
        }
    }

    fn start(&self, site: Site) -> usize {
        self.resolver.tree(site.file).map_or(0, |tree| tree.span(site.name).start())
    }

    /// The expressions of a file that make an object of a class, each with the place of its name.
    fn makers(&self, file: FileId, tree: &Tree, class: Site) -> Vec<(Node, usize)> {
        let table = tree.table();
        let casts = &tree.language().spec().symbols.written_types.casts;
        let makers = table.nodes().filter(|&node| casts.of(table.type_id(node)).is_some() && tree.args(node).is_some());
        let made = makers.filter_map(|node| {
            let written = casts.of(table.type_id(node))?.iter().flat_map(|path| tree.reached(node, path)).next()?;
            let names = std::iter::once(written).chain(table.descendants(written));
            let means = |name: &Node| match self.resolver.meaning(file, *name) {
                Meaning::Known(things) => things.contains(&Thing::Symbol(class)),
                _ => false,
            };
            let name = names.into_iter().find(means)?;
            Some((node, tree.span(name).start()))
        });
        made.collect()
    }

    /// Methods that override, or would override, one that only its package can use.
    fn check_overrides(&mut self, classes: &[Class]) {
        let mut found: Vec<(String, FileId, usize)> = Vec::new();
        for class in classes {
            let above = self.resolver.superclasses(class.site).0;
            for base in classes.iter().filter(|base| base.moves != class.moves && above.contains(&base.site)) {
                for member in base.members.iter().filter(|one| one.is_method && one.reach == MemberReach::Package) {
                    if let Some(own) = class.members.iter().find(|own| own.is_method && own.name == member.name) {
                        found.push((member.name.clone(), own.site.file, self.start(own.site)));
                    }
                }
            }
        }
        // A class of the new package that becomes a neighbour.
        let moving: Vec<&Class> = classes.iter().filter(|class| class.moves).collect();
        for &file in &self.parcel.new.files {
            for member in self.resolver.border_members(file) {
                if !member.is_method || member.reach != MemberReach::Package {
                    continue;
                }
                let Some(tree) = self.resolver.tree(file) else { continue };
                let Some(other) = self.class_around(tree, member.site) else { continue };
                for class in &moving {
                    let own = class.members.iter().find(|own| own.is_method && own.name == member.name);
                    if let Some(own) = own
                        && self.resolver.superclasses(class.site).0.contains(&other)
                    {
                        found.push((member.name.clone(), own.site.file, self.start(own.site)));
                    }
                }
            }
        }
        for (name, file, start) in found {
            self.hide(&name, file, start);
        }
    }

    /// Words in what moves that mean its package.
    fn check_package_words(&mut self) {
        let words = &self.parcel.language.spec().symbols.package_borders.package_words;
        for part in self.parcel.parts.clone() {
            let Some(tree) = self.resolver.tree(part.file) else { continue };
            for node in self.resolver.identifiers(part.file) {
                let span = tree.span(node);
                let text = tree.node_text(node);
                if part.span.contains(span) && words.iter().any(|word| **word == *text) {
                    self.doubt(part.file, span.start(), "it may mean the package in which it is");
                }
            }
        }
    }
}
