//! Which of several functions with a name changes, and which calls are its own.

use rustc_hash::FxHashSet;

use crate::modules::FileId;
use crate::refactor::SignatureChange;
use crate::request::error::{EngineError, ErrorCode, PlaceRow};
use crate::symbols::{Accepted, CallSite, ConstructorCall, Query, Resolver, Site, Thing, WrittenType};
use crate::workspace::files::Workspace;

/// A function whose parameters change, with the others of its name.
pub(super) struct Overloads {
    /// The function.
    pub(super) chosen: Site,
    /// All that change: the function, and those that override it or that it overrides.
    pub(super) changed: Vec<Site>,
    /// The symbols that calls name: these, or others of the same name.
    pub(super) named: Vec<Site>,
    /// Definitions of the name that do not change.
    others: Vec<(Site, Accepted)>,
    /// The arguments of the function.
    accepted: Option<Accepted>,
    /// Definitions of which it is not known whether they change.
    pub(super) left: Vec<PlaceRow>,
}

/// Whether a call is one of a function.
pub(super) enum Callee {
    /// It is.
    Its,
    /// It calls another function of the same name.
    Another,
    /// It may call another one; with the reason.
    Unknown(String),
}

impl Overloads {
    /// Whether a call is one of the function that changes.
    pub(super) fn callee(&self, resolver: &Resolver<'_>, file: FileId, call: Option<&CallSite>) -> Callee {
        let none = Vec::new();
        let arguments = call.map_or(&none, |call| &call.arguments);
        let Some(own) = self.accepted.as_ref().filter(|_| !self.others.is_empty()) else { return Callee::Its };
        if arguments.iter().any(|argument| argument.is_spread) {
            return Callee::Its;
        }
        let types = arguments.iter().map(|argument| resolver.type_of_argument(file, argument.node));
        let types: Vec<WrittenType> = types.collect();
        let is_other = self.others.iter().any(|(_, other)| other.may_take(&types));
        match (own.may_take(&types), is_other) {
            (true, false) => Callee::Its,
            (false, true) => Callee::Another,
            (false, false) => Callee::Unknown("no function of this name takes these arguments".to_owned()),
            (true, true) => Callee::Unknown("another function of this name may take these arguments".to_owned()),
        }
    }

    /// Whether a definition is one of the name.
    pub(super) fn is_known(&self, site: Site) -> bool {
        self.changed.contains(&site) || self.others.iter().any(|(other, _)| *other == site)
    }

    /// Whether the types of parameters say which functions override each other.
    pub(super) fn is_by_types(&self) -> bool {
        self.accepted.is_some()
    }

    /// Whether a call without arguments can be one of the function.
    pub(super) fn takes_none(&self) -> bool {
        self.accepted.as_ref().is_some_and(|own| own.takes(0))
    }
}

impl Workspace<'_> {
    /// The functions that change with the one that a text names.
    ///
    /// # Errors
    /// If the text fits several functions, or the language cannot tell calls of them apart.
    pub(super) fn overloads(&self, symbol: &str, site: Site) -> Result<Overloads, EngineError> {
        if !self.resolve(|resolver| resolver.chooses_by_arguments(site.file)) {
            return self.without_overloads(site);
        }
        let (mut all, is_class) = self.resolve(|resolver| match resolver.is_class(site) {
            true => (resolver.constructors(site), true),
            false => (resolver.overloads(site), false),
        });
        if all.is_empty() {
            all.push(site);
        }
        let chosen = self.chosen_of(symbol, &all)?;
        let is_constructor = self.resolve(|resolver| resolver.is_constructor(chosen));
        let mut named = vec![site];
        let mut definitions = vec![all];
        if !is_constructor && !is_class {
            named = self.overriding(site)?;
            let above = named.iter().filter(|&&member| member != site);
            definitions.extend(above.map(|&member| self.resolve(|resolver| resolver.overloads(member))));
        }
        let accepted = self.resolve(|resolver| resolver.accepted(chosen));
        let mut found =
            Overloads { chosen, changed: vec![chosen], named, others: Vec::new(), accepted, left: Vec::new() };
        for definitions in definitions {
            self.sort_definitions(&mut found, definitions);
        }
        Ok(found)
    }

    /// A function whose name no other one has in its class.
    fn without_overloads(&self, site: Site) -> Result<Overloads, EngineError> {
        // A constructor does not override another one.
        let is_constructor = self.resolve(|resolver| resolver.is_constructor(site));
        let family = if is_constructor { vec![site] } else { self.overriding(site)? };
        if let Some(&other) = family.iter().find(|&&function| self.resolve(|resolver| resolver.has_overloads(function)))
        {
            let row = self.definition_row(other, "several definitions have this name");
            let message =
                format!("{}:{}:{}: {}: changing overloads is not supported", row.path, row.line, row.col, row.why);
            let mut error = EngineError::bad_request(message);
            error.details.places = vec![row];
            return Err(error);
        }
        let (changed, named) = (family.clone(), family);
        Ok(Overloads { chosen: site, changed, named, others: Vec::new(), accepted: None, left: Vec::new() })
    }

    /// The one of several functions of a name that a text names by its place.
    fn chosen_of(&self, symbol: &str, all: &[Site]) -> Result<Site, EngineError> {
        if let &[one] = all {
            return Ok(one);
        }
        let at = match Query::parse(symbol) {
            Query::Place { line, col, .. } => Some((line, col)),
            Query::Name { .. } => None,
        };
        let is_there = |&&one: &&Site| {
            at.is_some_and(|(line, col)| {
                self.resolve(|resolver| {
                    let start = resolver.tree(one.file).map(|tree| tree.start(one.name));
                    start.is_some_and(|start| start.line == line && col.is_none_or(|col| start.col() == col))
                })
            })
        };
        if let [one] = all.iter().filter(is_there).collect::<Vec<_>>()[..] {
            return Ok(*one);
        }
        let rows: Vec<PlaceRow> = all.iter().map(|&one| self.definition_row(one, "a function of this name")).collect();
        let message = format!("`{symbol}` fits {} functions", all.len());
        let mut error = EngineError::new(ErrorCode::Ambiguous, message);
        if let Some(row) = rows.first() {
            error = error.hint(format!("name one by its place: `{}:{}:{}`", row.path, row.line, row.col));
        }
        error.details.places = rows;
        Err(error)
    }

    /// Sorts the definitions of a name in one class into those that change and the others.
    fn sort_definitions(&self, found: &mut Overloads, definitions: Vec<Site>) {
        let Some(own) = found.accepted.clone() else { return };
        let with_arguments = |site: Site| Some((site, self.resolve(|resolver| resolver.accepted(site))?));
        let all: Vec<(Site, Accepted)> = definitions.into_iter().filter_map(with_arguments).collect();
        let has_chosen = all.iter().any(|(site, _)| *site == found.chosen);
        let has_same = has_chosen || all.iter().any(|(_, other)| *other == own);
        for (site, other) in all {
            if site == found.chosen {
                continue;
            }
            if !has_chosen && other == own {
                found.changed.push(site);
                continue;
            }
            if !has_same && other.may_override(&own) {
                found
                    .left
                    .push(self.definition_row(site, "it may override the function, or be another one of its name"));
            }
            found.others.push((site, other));
        }
    }

    /// Definitions that would take as many arguments as the changed ones.
    pub(super) fn alike_after(&self, overloads: &Overloads, change: &SignatureChange) -> Vec<PlaceRow> {
        let Some(mut own) = overloads.accepted.clone() else { return Vec::new() };
        let less = |count: usize| count.saturating_sub(1);
        match change {
            SignatureChange::Add { parameter, at, .. } => {
                (own.fewest, own.most) = (own.fewest + 1, own.most.map(|most| most + 1));
                let written = parameter.trim().rsplit_once(char::is_whitespace).map_or("", |(written, _)| written);
                let added = self.resolve(|resolver| resolver.type_of_text(overloads.chosen.file, written));
                own.types.insert((*at).min(own.types.len()), added);
            }
            SignatureChange::Remove { at, .. } => {
                (own.fewest, own.most) = (less(own.fewest), own.most.map(less));
                own.types.remove(*at);
            }
            SignatureChange::Reorder(order) => {
                let old = own.types.clone();
                for (new, &at) in order.iter().enumerate() {
                    own.types[new].clone_from(&old[at]);
                }
            }
            // Languages with such parameters have no overloads.
            SignatureChange::NameOnly { .. } => return Vec::new(),
        }
        let alike = overloads.others.iter().filter(|(_, other)| other.meets(&own));
        alike
            .map(|(site, _)| self.definition_row(*site, "this function takes as many arguments as the changed one"))
            .collect()
    }

    /// The calls of constructors that do not name their class, of those that change, by file.
    pub(super) fn wordless_calls(
        &self,
        overloads: &Overloads,
        below: &[Site],
    ) -> (Vec<(FileId, CallSite)>, Vec<PlaceRow>) {
        let (mut calls, mut left) = (Vec::new(), Vec::new());
        let own: FxHashSet<Site> = self.resolve(|resolver| {
            let constructors = overloads.changed.iter().filter(|&&site| resolver.is_constructor(site));
            constructors.filter_map(|&site| resolver.class_of_constructor(site)).collect()
        });
        let mut found: Vec<(FileId, ConstructorCall)> = Vec::new();
        self.resolve(|resolver| {
            for class in &own {
                found.extend(resolver.own_constructor_calls(*class).into_iter().map(|call| (class.file, call)));
            }
            for class in below {
                found.extend(resolver.base_constructor_calls(*class).into_iter().map(|call| (class.file, call)));
            }
        });
        for (file, ConstructorCall { node, site }) in found {
            let row = |why: &str| {
                let start = self.resolve(|resolver| resolver.tree(file).map_or(0, |tree| tree.span(node).start()));
                self.place_row(file, start, why.to_owned())
            };
            let callee = self.resolve(|resolver| overloads.callee(resolver, file, site.as_ref()));
            match (callee, site) {
                (Callee::Its, Some(site)) => calls.push((file, site)),
                (Callee::Its, None) if overloads.accepted.is_none() || overloads.takes_none() => {
                    left.push(row("it calls the constructor without a list of arguments"));
                }
                (Callee::Unknown(why), Some(_)) => left.push(row(&why)),
                (Callee::Unknown(_), None) if overloads.takes_none() => {
                    left.push(row("it calls a constructor without a list of arguments"));
                }
                _ => {}
            }
        }
        (calls, left)
    }

    /// Where constructors are looked for by a class that is used as an object.
    pub(super) fn finds_constructors(&self, things: &[Thing]) -> Result<Vec<PlaceRow>, EngineError> {
        let mut rows = Vec::new();
        for reference in self.references(things)? {
            if self.resolve(|resolver| resolver.finds_constructors(reference.file, reference.node)) {
                let why = "the constructors of the class are looked for".to_owned();
                rows.push(self.place_row(reference.file, reference.start, why));
            }
        }
        Ok(rows)
    }

    /// The place of a definition with a question about it.
    pub(super) fn definition_row(&self, site: Site, why: &str) -> PlaceRow {
        let start = self.resolve(|resolver| resolver.tree(site.file).map_or(0, |tree| tree.span(site.name).start()));
        self.place_row(site.file, start, why.to_owned())
    }
}
