//! The objects with a member, followed from where they are made: where else a name cannot mean that member.

use rustc_hash::{FxHashMap, FxHashSet};

use super::family::Subject;
use super::objects::Escape;
use crate::limits;
use crate::modules::{FileId, Manifest};
use crate::request::error::EngineError;
use crate::request::symbol_messages::{Confidence, Role};
use crate::risks::{Around, Followed, Held, Origins, Step};
use crate::symbols::{Resolver, Site, Thing};
use crate::text::Span;
use crate::tree::Node;
use crate::workspace::files::Workspace;

/// A symbol whose uses are the objects, or a class that makes them.
pub(super) struct Origin {
    pub(super) symbol: Site,
    pub(super) is_class: bool,
    /// Whether its type is that of the objects, so that others may be declared with it.
    pub(super) is_typed: bool,
}

/// The work that is left.
#[derive(Default)]
pub(super) struct Work {
    pub(super) waiting: Vec<Held>,
    seen: FxHashSet<Held>,
    /// The variables and functions that were looked up.
    known: FxHashSet<(Site, bool, bool)>,
    /// Modules that have them, and whether they are used as objects.
    modules: FxHashMap<FileId, bool>,
    /// The names that may be the member of one of the objects.
    members: FxHashSet<Site>,
    /// The members of types without a name that they are declared with.
    typed: Vec<Site>,
    /// Where the names of their members are shown as text.
    shown: Vec<(FileId, Span)>,
    /// Where members of them are accessed by computed names.
    computed: Vec<(FileId, Span)>,
    /// Where functions that are not known get them.
    given: Vec<(FileId, Span)>,
    /// Whether a member is accessed that may be any.
    has_any: bool,
    /// How many names were searched for in the project.
    searches: usize,
    /// How deep the objects are in others.
    depth: usize,
    /// Whether a symbol that was looked up is exported.
    pub(super) has_exports: bool,
    pub(super) is_open: bool,
}

impl Work {
    /// The next expression that was not seen; `None` at the end, or if there are too many.
    pub(super) fn next(&mut self) -> Option<Held> {
        while let Some(held) = self.waiting.pop() {
            if !self.seen.insert(held) {
                continue;
            }
            if self.seen.len() > limits::FOLLOWED_OBJECTS || self.searches > limits::FOLLOWED_NAMES {
                self.is_open = true;
                return None;
            }
            return Some(held);
        }
        None
    }
}

impl Workspace<'_> {
    /// Where the objects with a member go.
    ///
    /// # Errors
    /// If files cannot be read.
    pub(super) fn escape<'s>(&self, subject: &'s Subject) -> Result<&'s Escape, EngineError> {
        if let Some(known) = subject.escape.get() {
            return Ok(known);
        }
        let found = self.find_escape(subject, &subject.old)?;
        Ok(subject.escape.get_or_init(|| found))
    }

    /// The same for another name of the members of these objects.
    pub(super) fn find_escape(&self, subject: &Subject, name: &str) -> Result<Escape, EngineError> {
        let mut escape = Escape::default();
        let own = subject.family[0];
        if !subject.is_member || !self.resolve(|resolver| resolver.follows_objects(own.file)) {
            return Ok(escape);
        }
        let is_of_class = self.resolve(|resolver| resolver.is_member_of_class_itself(own));
        let followed = Followed { name, classes: &subject.classes, is_of_class };
        let mut origins = Origins::default();
        self.resolve(|resolver| {
            for &site in &subject.family {
                resolver.origins(site, &followed, &mut origins);
            }
            for &class in &subject.classes {
                resolver.add_class(class, &followed, &mut origins);
            }
        });
        let mut work = Work { waiting: origins.held, ..Work::default() };
        work.is_open = origins.is_open || origins.has_types && !subject.joined.is_whole;
        for held in origins.declared {
            for step in self.resolve(|resolver| resolver.steps_of_declared(held, &followed)) {
                self.take(step, &followed, &mut work)?;
            }
        }
        let mut classes = origins.classes;
        classes.sort_unstable();
        classes.dedup();
        for class in classes {
            self.add_uses(Origin { symbol: class, is_class: !is_of_class, is_typed: !is_of_class }, &mut work)?;
        }
        self.follow(&followed, &mut work)?;
        let is_of_another = |member: &Site| !subject.family.contains(member);
        escape.is_closed = !work.is_open && (subject.joined.is_whole || !work.typed.iter().any(is_of_another));
        escape.held = work.seen.into_iter().map(|held| (held.file, held.node)).collect();
        escape.members = work.members.into_iter().map(|member| (member.file, member.name)).collect();
        escape.shown = work.shown;
        escape.computed = work.computed;
        escape.given = work.given;
        escape.members.extend(work.typed.iter().map(|member| (member.file, member.name)));
        escape.typed = work.typed;
        Ok(escape)
    }

    /// Follows objects as far as they go.
    fn follow(&self, followed: &Followed<'_>, work: &mut Work) -> Result<(), EngineError> {
        while let Some(held) = work.next() {
            for step in self.resolve(|resolver| resolver.steps(held, followed)) {
                self.take(step, followed, work)?;
                if let Step::Shown(node) | Step::Computed(node) | Step::Given(node) = step {
                    let span = self.resolve(|resolver| resolver.tree(held.file).map(|tree| tree.span(node)));
                    let places = match step {
                        Step::Shown(_) => &mut work.shown,
                        Step::Given(_) => &mut work.given,
                        _ => &mut work.computed,
                    };
                    places.extend(span.map(|span| (held.file, span)));
                }
            }
        }
        Ok(())
    }

    pub(super) fn take(&self, step: Step, followed: &Followed<'_>, work: &mut Work) -> Result<(), EngineError> {
        match step {
            Step::To(held) => work.waiting.push(held),
            Step::Variable(held) => self.add_variable(held, work)?,
            Step::Result { function, is_waited } => self.add_calls(function, is_waited, work)?,
            Step::Stored { literal, key } => self.add_member_value(literal, key, followed, work)?,
            Step::Member(name) => _ = work.members.insert(name),
            Step::Typed(member) => work.typed.push(member),
            Step::AnyMember | Step::Computed(_) => work.has_any = true,
            Step::Shown(_) => {}
            Step::Out | Step::Given(_) => work.is_open = true,
        }
        Ok(())
    }

    /// Adds the places where a member of another object is read that is one of the objects.
    fn add_member_value(
        &self,
        literal: Held,
        key: Node,
        followed: &Followed<'_>,
        work: &mut Work,
    ) -> Result<(), EngineError> {
        /// How deep literals in literals are followed.
        const DEPTH: usize = 3;
        let name = self.resolve(|resolver| resolver.tree(literal.file).map(|tree| tree.node_text(key).into_owned()));
        let Some(name) = name.filter(|_| work.depth < DEPTH) else {
            work.is_open = true;
            return Ok(());
        };
        let outer = Followed { name: &name, classes: &FxHashSet::default(), is_of_class: false };
        let mut origins = Origins::default();
        self.resolve(|resolver| resolver.origins_of_literal(literal, &mut origins));
        let mut inner = Work {
            waiting: origins.held,
            depth: work.depth + 1,
            searches: work.searches,
            is_open: origins.is_open,
            ..Work::default()
        };
        self.follow(&outer, &mut inner)?;
        work.searches = inner.searches;
        work.shown.append(&mut inner.shown);
        work.given.append(&mut inner.given);
        work.is_open |= inner.is_open || inner.has_any || !inner.typed.is_empty();
        for member in inner.members {
            for step in self.resolve(|resolver| resolver.steps_of_member(member, followed)) {
                self.take(step, followed, work)?;
            }
        }
        Ok(())
    }

    /// Adds the uses of a variable.
    fn add_variable(&self, held: Held, work: &mut Work) -> Result<(), EngineError> {
        if let Some(uses) = self.resolve(|resolver| resolver.uses_of_local(held.file, held.node)) {
            work.waiting.extend(uses.into_iter().map(|node| Held { node, ..held }));
            return Ok(());
        }
        match self.resolve(|resolver| resolver.symbol_of(held.file, held.node)) {
            Some(symbol) => self.add_uses(Origin { symbol, is_class: held.is_class, is_typed: true }, work),
            None => {
                work.is_open = true;
                Ok(())
            }
        }
    }

    /// Adds the uses of a symbol in the project.
    pub(super) fn add_uses(&self, origin: Origin, work: &mut Work) -> Result<(), EngineError> {
        let Origin { symbol, is_class, is_typed } = origin;
        if !work.known.insert((symbol, is_class, false)) {
            return Ok(());
        }
        for (file, node, role) in self.places_of(symbol, work)? {
            match role {
                Role::Type => work.is_open |= is_typed,
                _ => work.waiting.push(Held { file, node, is_class }),
            }
        }
        Ok(())
    }

    /// Adds the calls of a function.
    fn add_calls(&self, function: Held, is_waited: bool, work: &mut Work) -> Result<(), EngineError> {
        let local = self.resolve(|resolver| resolver.uses_of_local(function.file, function.node));
        let places: Vec<(FileId, Node)> = match local {
            Some(uses) => uses.into_iter().map(|node| (function.file, node)).collect(),
            None => {
                let symbol = self.resolve(|resolver| resolver.symbol_of(function.file, function.node));
                let Some(symbol) = symbol else {
                    work.is_open = true;
                    return Ok(());
                };
                if !work.known.insert((symbol, function.is_class, true)) {
                    return Ok(());
                }
                let places = self.places_of(symbol, work)?.into_iter();
                places.map(|(file, node, _)| (file, node)).collect()
            }
        };
        for (file, node) in places {
            match self.resolve(|resolver| resolver.result_of(file, node, is_waited)) {
                Some(node) => work.waiting.push(Held { file, node, is_class: function.is_class }),
                None => work.is_open = true,
            }
        }
        Ok(())
    }

    /// The places where a symbol is or may be used, as whole expressions.
    pub(super) fn places_of(&self, symbol: Site, work: &mut Work) -> Result<Vec<(FileId, Node, Role)>, EngineError> {
        work.searches += 1;
        if work.searches > limits::FOLLOWED_NAMES {
            work.is_open = true;
            return Ok(Vec::new());
        }
        let references = self.references(&[Thing::Symbol(symbol)])?;
        let mut found = Vec::new();
        let mut modules = vec![symbol.file];
        let mut is_exported = self.resolve(|resolver| resolver.is_in_export_statement(symbol));
        for reference in references {
            let role = reference.row.role;
            is_exported |= role == Role::Export;
            if role == Role::Export {
                modules.push(reference.file);
            }
            if matches!(role, Role::Import | Role::Export | Role::Definition | Role::Write) {
                continue;
            }
            let (file, node) = (reference.file, reference.node);
            // Those that import it are references, too.
            if self.resolve(|resolver| resolver.is_exported_by_default(file, node)) {
                is_exported = true;
                modules.push(file);
                continue;
            }
            // What is after a dot is no variable of a module that is no object.
            let is_use = match reference.row.confidence {
                Confidence::Certain => true,
                Confidence::Elsewhere => false,
                _ => self.resolve(|resolver| resolver.around_name(file, node)) == Around::Other,
            };
            if is_use {
                found.push((file, self.resolve(|resolver| resolver.whole_name(file, node)), role));
            }
        }
        // Other programs may use what a library exports.
        work.is_open |= is_exported && self.is_of_library(symbol.file);
        work.has_exports |= is_exported;
        // Without an export, no object of a module has it.
        let is_member = is_exported || self.resolve(|resolver| resolver.is_member_of_module(symbol));
        for module in if is_member { self.modules_with(modules)? } else { Vec::new() } {
            for access in self.accesses_by_string(module, symbol)? {
                match access {
                    Some((file, node)) => found.push((file, node, Role::Read)),
                    None => work.is_open = true,
                }
            }
            work.is_open |= match work.modules.get(&module) {
                Some(&known) => known,
                None => {
                    let is_value = self.is_module_value(module)?;
                    work.modules.insert(module, is_value);
                    is_value
                }
            };
        }
        Ok(found)
    }

    /// Whether a file is of a library, by the manifests of the project.
    fn is_of_library(&self, file: FileId) -> bool {
        let rules = &self.project.file(file).language.spec().symbols.escapes.libraries;
        let is_library = |manifest: &Manifest| {
            let name = manifest.path.rsplit('/').next().unwrap_or(&manifest.path);
            rules.get(name).is_some_and(|regex| regex.get().is_match(&manifest.text))
        };
        !rules.is_empty() && self.project.manifests().iter().any(is_library)
    }

    /// Whether the project has a manifest that may name what runs the file: a framework.
    pub(super) fn has_packages(&self, file: FileId) -> bool {
        let rules = &self.project.file(file).language.spec().symbols.escapes.libraries;
        let name = |manifest: &Manifest| manifest.path.rsplit('/').next().unwrap_or(&manifest.path).to_owned();
        self.project.manifests().iter().any(|manifest| rules.contains_key(&name(manifest)))
    }

    /// Whether a module is used as an object, other than before a dot or a string.
    fn is_module_value(&self, module: FileId) -> Result<bool, EngineError> {
        let is_value = |resolver: &Resolver<'_>, file, name| {
            !resolver.is_before_dot(file, name) && resolver.access_by_string(file, name).is_none()
        };
        Ok(self.is_object(module, is_value)? || self.is_loaded_as_value(module)?)
    }

    /// The accesses to a symbol as a member of its module, by a string: `module["name"]`; `None` for one that may be such an access.
    fn accesses_by_string(&self, module: FileId, symbol: Site) -> Result<Vec<Option<(FileId, Node)>>, EngineError> {
        self.look(self.word_of(module), None, |resolver, file| {
            let uses = resolver.uses_of_module(file, module).unwrap_or_default();
            let accesses = uses.into_iter().filter_map(|name| resolver.access_by_string(file, name));
            let of_symbol = accesses.filter(|(_, sites)| sites.as_ref().is_none_or(|sites| sites.contains(&symbol)));
            of_symbol.map(|(access, sites)| sites.map(|_| (file, access))).collect()
        })
    }

    /// Whether what shows the members of an object shows a member: a value, not a method of a class.
    pub(super) fn is_shown(&self, subject: &Subject) -> bool {
        subject.is_member && self.resolve(|resolver| subject.family.iter().any(|&site| resolver.is_own_of_object(site)))
    }

    /// Whether a member is a key of an object literal, which any function may read that gets the object.
    pub(super) fn is_literal_key(&self, subject: &Subject) -> bool {
        subject.is_member
            && self.resolve(|resolver| subject.family.iter().any(|&site| resolver.is_key_of_literal(site)))
    }

    /// Whether the member of an object at a string, or the names of all members, cannot be those of one of the objects.
    pub(super) fn excludes_object(&self, escape: &Escape, file: FileId, span: Span) -> bool {
        escape.is_closed
            && self.resolve(|resolver| {
                let nodes = escape.held.iter().filter(|(other, _)| *other == file);
                !nodes.into_iter().any(|&(_, node)| resolver.is_part_of(file, node, span))
            })
    }
}
