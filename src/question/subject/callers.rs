//! The calls of a function whose parameters get objects, if all of them are seen.

use rustc_hash::FxHashSet;

use super::escape::{Origin, Work};
use super::join::Way;
use crate::modules::FileId;
use crate::question::references::Reference;
use crate::request::error::EngineError;
use crate::request::symbol_messages::{Confidence, Role};
use crate::risks::{Followed, Held, Origins, Step, StringKind};
use crate::symbols::{Site, Thing};
use crate::tree::Node;
use crate::workspace::files::Workspace;

impl Workspace<'_> {
    /// The calls of a function that is known by its name; `None` if other code may call it.
    ///
    /// # Errors
    /// If files cannot be read.
    pub(super) fn calls_of(
        &self,
        file: FileId,
        function: Node,
        way: &Way,
    ) -> Result<Option<Vec<(FileId, Node)>>, EngineError> {
        if let Some(uses) = self.resolve(|resolver| resolver.uses_of_local(file, function)) {
            return self.calls_at(uses.into_iter().map(|node| (file, node)), Work::default());
        }
        let Some(symbol) = self.resolve(|resolver| resolver.symbol_of(file, function)) else { return Ok(None) };
        if self.resolve(|resolver| resolver.is_constructor(symbol) && resolver.is_key(symbol)) {
            return self.calls_of_constructor(symbol);
        }
        if self.resolve(|resolver| resolver.is_key(symbol)) {
            return self.calls_of_method(symbol, way);
        }
        let mut work = Work::default();
        let places = self.places_of(symbol, &mut work)?;
        // A page may call the function of a script.
        work.has_exports |= self.resolve(|resolver| resolver.is_global_in_script(symbol));
        self.calls_at(places.into_iter().map(|(file, node, _)| (file, node)), work)
    }

    /// The calls of a function that is the value of some expressions, wherever it goes; `None` if other code may call it.
    fn calls_at(
        &self,
        places: impl Iterator<Item = (FileId, Node)>,
        mut work: Work,
    ) -> Result<Option<Vec<(FileId, Node)>>, EngineError> {
        work.waiting.extend(places.map(|(file, node)| Held { file, node, is_class: true }));
        let followed = Followed { name: "", classes: &FxHashSet::default(), is_of_class: false };
        let calls = self.calls_of_value(&followed, &mut work)?;
        Ok(self.if_closed(calls, &work))
    }

    /// Calls, if no other code may make one; what is exported and never called is for other code.
    fn if_closed(&self, calls: Vec<(FileId, Node)>, work: &Work) -> Option<Vec<(FileId, Node)>> {
        // A framework may call what a file exports.
        let has_packages = || calls.first().is_none_or(|&(file, _)| self.has_packages(file));
        let is_for_others = work.has_exports && (calls.is_empty() || has_packages());
        (!work.is_open && !is_for_others).then_some(calls)
    }

    /// Follows a function or a class as far as it goes: the places where it is called, or makes objects.
    fn calls_of_value(&self, followed: &Followed<'_>, work: &mut Work) -> Result<Vec<(FileId, Node)>, EngineError> {
        let mut found = Vec::new();
        while let Some(held) = work.next() {
            if !held.is_class {
                continue;
            }
            let is_function = followed.classes.is_empty();
            if is_function && let Some(call) = self.resolve(|resolver| resolver.result_of(held.file, held.node, false))
            {
                found.push((held.file, call));
                continue;
            }
            // `f.call(object)`
            work.is_open |= is_function && self.resolve(|resolver| resolver.is_object_of_access(held.file, held.node));
            for step in self.resolve(|resolver| resolver.steps(held, followed)) {
                match step {
                    Step::To(made) if !made.is_class => found.push((made.file, made.node)),
                    Step::Shown(_) => {}
                    Step::Stored { .. } | Step::Typed(_) | Step::AnyMember | Step::Computed(_) => work.is_open = true,
                    step => self.take(step, followed, work)?,
                }
            }
        }
        Ok(found)
    }

    /// The calls of a method; `None` if other code may call it.
    fn calls_of_method(&self, method: Site, way: &Way) -> Result<Option<Vec<(FileId, Node)>>, EngineError> {
        /// How many methods may depend on each other.
        const DEPTH: usize = 3;
        if self.has_packages(method.file) || way.methods.contains(&method) || way.methods.len() >= DEPTH {
            return Ok(None);
        }
        let family = self.overriding(method)?;
        let things: Vec<Thing> = family.iter().copied().map(Thing::Symbol).collect();
        let references = self.references(&things)?;
        let mut subject = self.subject(family, &references)?;
        subject.methods = way.methods.iter().copied().chain([method]).collect();
        let uses = self.subject_uses(false, &subject, &references)?;
        if !uses.doubts.is_empty() || !uses.strings.is_empty() || !self.risk_doubts(&subject).is_empty() {
            return Ok(None);
        }
        let is_use = |reference: &&Reference| {
            reference.row.confidence == Confidence::Certain && reference.row.role != Role::Definition
        };
        let names = references.iter().filter(is_use).map(|reference| (reference.file, reference.node));
        // One that is not called there is an accessor, or a value.
        Ok(self.resolve(|resolver| {
            let call = |(file, name)| {
                resolver.result_of(file, resolver.whole_name(file, name), false).map(|call| (file, call))
            };
            names.map(call).collect()
        }))
    }

    /// The places where objects are made by a constructor, and the calls of it by those of classes below; `None` if other code may call it.
    fn calls_of_constructor(&self, own: Site) -> Result<Option<Vec<(FileId, Node)>>, EngineError> {
        let of = self.resolve(|resolver| resolver.class_of_member(own).zip(resolver.name_of(own)));
        let Some((class, name)) = of else { return Ok(None) };
        // `object.constructor`
        let is_read = self
            .look(&name, None, |resolver, file| resolver.reads_name(file, &name).then_some(()).into_iter().collect())?;
        let has_string = self.strings(&name)?.iter().any(|(_, string)| string.kind == StringKind::Access);
        if !is_read.is_empty() || has_string {
            return Ok(None);
        }
        let mut below = self.classes_below(&[class])?;
        below.sort_by_key(|below| below.depth);
        let mut made = vec![class];
        let mut calls = Vec::new();
        for below in &below {
            let Some(inherits) = self.resolve(|resolver| resolver.inherits(below.class, own)) else { return Ok(None) };
            if inherits {
                made.push(below.class);
            } else if made.contains(&below.base) {
                let found = self.resolve(|resolver| resolver.base_calls(below.class));
                calls.extend(found.into_iter().map(|call| (below.class.file, call)));
            }
        }
        let hierarchy: FxHashSet<Site> = below.iter().map(|below| below.class).chain([class]).collect();
        let followed = Followed { name: &name, classes: &hierarchy, is_of_class: false };
        let mut origins = Origins::default();
        self.resolve(|resolver| made.iter().for_each(|&class| resolver.add_class(class, &followed, &mut origins)));
        let mut work = Work::default();
        work.waiting = origins.held;
        work.is_open = origins.is_open;
        for class in origins.classes {
            self.add_uses(Origin { symbol: class, is_class: true, is_typed: false }, &mut work)?;
        }
        calls.extend(self.calls_of_value(&followed, &mut work)?);
        Ok(self.if_closed(calls, &work))
    }
}
