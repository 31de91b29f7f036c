//! Methods that have to have one name because types implement interfaces by having their methods.

use rustc_hash::FxHashSet;

use crate::modules::FileId;
use crate::request::error::EngineError;
use crate::symbols::{Implementing, InterfaceUse, NamedMethod, Site, Thing};
use crate::workspace::files::Workspace;

impl Workspace<'_> {
    /// The methods that have to have the name of some others: those that an interface demands, and those of the types that have all of
    /// its methods.
    ///
    /// # Errors
    /// If files cannot be read.
    pub(super) fn implementations(&self, methods: &[Site]) -> Result<Vec<Site>, EngineError> {
        let mut found = Vec::new();
        for &site in methods {
            let all = self.methods_like(site)?;
            let Some(own) = all.iter().find(|method| method.site == site) else { continue };
            for other in all.iter().filter(|other| other.site != site) {
                if !found.contains(&other.site) && self.implement(own, other)? == Implementing::Yes {
                    found.push(other.site);
                }
            }
        }
        Ok(found)
    }

    /// Whether one of some methods and another one may implement each other; `None` if it is not among all of their name.
    ///
    /// # Errors
    /// If files cannot be read.
    pub(super) fn may_implement(
        &self,
        all: &[NamedMethod],
        family: &[Site],
        other: Site,
    ) -> Result<Option<bool>, EngineError> {
        let Some(other) = all.iter().find(|method| method.site == other) else { return Ok(None) };
        for own in all.iter().filter(|method| family.contains(&method.site)) {
            if self.implement(own, other)? != Implementing::No {
                return Ok(Some(true));
            }
        }
        Ok(Some(false))
    }

    /// The places where something from outside of the project may be used as an interface that demands one of some methods.
    ///
    /// # Errors
    /// If files cannot be read.
    pub(super) fn outside_implementations(&self, family: &[Site]) -> Result<Vec<Site>, EngineError> {
        let all = self.methods_like(family[0])?;
        let mut interfaces: Vec<Site> = Vec::new();
        for method in all.iter().filter(|method| method.demanded.is_some() && family.contains(&method.site)) {
            if !interfaces.contains(&method.class) {
                interfaces.push(method.class);
            }
        }
        let mut found = Vec::new();
        for interface in interfaces {
            let name = self.resolve(|resolver| resolver.name_of(interface)).unwrap_or_default();
            let name = if name.contains(char::is_whitespace) { "" } else { &name };
            let own: FxHashSet<FileId> = FxHashSet::from_iter([interface.file]);
            let only = name.is_empty().then_some(&own);
            let uses = self.look(name, only, |resolver, file| resolver.uses_of_interface(file, interface))?;
            for place in uses {
                self.add_outside(place, &mut found)?;
            }
        }
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }

    fn add_outside(&self, place: InterfaceUse, found: &mut Vec<Site>) -> Result<(), EngineError> {
        let mut values = Vec::new();
        match place {
            InterfaceUse::Value(site) => values.push(site),
            InterfaceUse::Variable(variable) => {
                for reference in self.references(&[Thing::Symbol(variable)])? {
                    values.extend(self.resolve(|resolver| resolver.value_at_use(reference.file, reference.node)));
                }
            }
            InterfaceUse::Parameter { function, place, is_rest } => {
                for reference in self.references(&[Thing::Symbol(function)])? {
                    let call = self.resolve(|resolver| resolver.call_of(reference.file, reference.node));
                    let Some(call) = call else { continue };
                    let arguments = call.arguments.iter().skip(place).take(if is_rest { usize::MAX } else { 1 });
                    values.extend(arguments.map(|argument| Site { file: reference.file, name: argument.node }));
                }
            }
        }
        found.extend(values.into_iter().filter(|&value| self.resolve(|resolver| resolver.may_be_from_outside(value))));
        Ok(())
    }

    /// The methods of the name of one, with it; none, if types name the interfaces that they implement.
    ///
    /// # Errors
    /// If files cannot be read.
    pub(crate) fn methods_like(&self, site: Site) -> Result<Vec<NamedMethod>, EngineError> {
        let language = self.project.file(site.file).language;
        let name = self.resolve(|resolver| resolver.class_of_member(site).and_then(|_| resolver.name_of(site)));
        let by_methods = language.spec().symbols.members.implements_by_methods;
        let Some(name) = name.filter(|_| by_methods) else { return Ok(Vec::new()) };
        self.look(&name, None, |resolver, file: FileId| match resolver.project().file(file).language == language {
            true => resolver.methods_with_name(file, &name),
            false => Vec::new(),
        })
    }

    /// The methods of interfaces that the types of some methods would implement if these had another name.
    ///
    /// # Errors
    /// If files cannot be read.
    pub(crate) fn implemented_as(&self, family: &[Site], to: &str) -> Result<Vec<Site>, EngineError> {
        let language = self.project.file(family[0].file).language;
        if !language.spec().symbols.members.implements_by_methods {
            return Ok(Vec::new());
        }
        let classes: Vec<Site> =
            self.resolve(|resolver| family.iter().filter_map(|&site| resolver.class_of_member(site)).collect());
        let like =
            self.look(to, None, |resolver, file: FileId| match resolver.project().file(file).language == language {
                true => resolver.methods_with_name(file, to),
                false => Vec::new(),
            })?;
        let demands = like.into_iter().filter_map(|method| Some((method.site, method.class, method.demanded?)));
        let has_others = |class: Site, names: &[String]| {
            let has = |resolver: &crate::symbols::Resolver<'_>, name: &String| {
                name == to || resolver.found_member(class, name.as_str()).is_some()
            };
            self.resolve(|resolver| names.iter().all(|name| has(resolver, name)))
        };
        let would = demands.filter(|(_, interface, names)| {
            classes.iter().any(|&class| class != *interface && has_others(class, names))
        });
        Ok(would.map(|(site, ..)| site).collect())
    }

    /// Whether another member is certainly not one of a family: its type lacks a method of the interface, or it is a field, which is
    /// looked at by itself.
    ///
    /// # Errors
    /// If files cannot be read.
    pub(crate) fn is_known_other(
        &self,
        family: &[Site],
        other: Site,
        is_method: bool,
        all: &mut Option<Vec<NamedMethod>>,
    ) -> Result<bool, EngineError> {
        let rules = &self.project.file(other.file).language.spec().symbols.members;
        if !is_method {
            return Ok(!rules.alike_records.is_empty());
        }
        let all = match all {
            Some(all) => all,
            None => all.insert(self.methods_like(family[0])?),
        };
        Ok(self.may_implement(all, family, other)? == Some(false))
    }

    /// Whether two methods are one for an interface: both are demanded by interfaces of which one has all methods of the other, or a type
    /// with one of them has all methods of the interface that demands the other.
    fn implement(&self, one: &NamedMethod, other: &NamedMethod) -> Result<Implementing, EngineError> {
        if one.has_other_parameters(other) {
            return Ok(Implementing::No);
        }
        Ok(match (&one.demanded, &other.demanded) {
            (None, None) => Implementing::No,
            (Some(first), Some(second)) => {
                let has_all = |one: &[String], other: &[String]| other.iter().all(|name| one.contains(name));
                match (has_all(first, second) || has_all(second, first), one.is_complete && other.is_complete) {
                    (true, _) => Implementing::Yes,
                    (false, false) => Implementing::Perhaps,
                    (false, true) => Implementing::No,
                }
            }
            (Some(_), None) => self.implements(one, other.class)?,
            (None, Some(_)) => self.implements(other, one.class)?,
        })
    }

    /// Whether a type, or one that takes it in, has all methods of the interface that demands a method.
    fn implements(&self, method: &NamedMethod, class: Site) -> Result<Implementing, EngineError> {
        let names = method.demanded.as_deref().unwrap_or_default();
        let mut having = Implementing::No;
        let (mut waiting, mut seen) = (vec![class], FxHashSet::from_iter([class]));
        while let Some(next) = waiting.pop().filter(|_| having != Implementing::Yes) {
            having = having.max(self.resolve(|resolver| resolver.has_methods(next, names)));
            let name =
                self.resolve(|resolver| resolver.name_of(next)).filter(|name| !name.contains(char::is_whitespace));
            let Some(name) = name else { continue };
            let with = self.look(&name, None, |resolver, file| resolver.types_with(file, next, &name))?;
            waiting.extend(with.into_iter().filter(|&class| seen.insert(class)));
        }
        // An interface that takes in one from outside demands more than what is known.
        Ok(if method.is_complete { having } else { having.min(Implementing::Perhaps) })
    }
}
