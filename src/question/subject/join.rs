//! Members that one place reads: the keys of literals that one parameter gets, or one variable. They have to have one name.

use rustc_hash::FxHashSet;

use super::family::{Joined, Subject};
use crate::modules::FileId;
use crate::question::references::Reference;
use crate::request::error::{EngineError, ErrorCode};
use crate::request::symbol_messages::{Confidence, Role};
use crate::risks::{Source, StringKind, StringUse};
use crate::symbols::{Definition, Query, Resolver, Site, Thing};
use crate::text::Span;
use crate::tree::Node;
use crate::workspace::files::Workspace;

/// Symbols that have to have one name, and the places that mean one of them and no other symbol.
#[derive(Debug, Default)]
pub(crate) struct Family {
    pub(crate) sites: Vec<Site>,
    pub(crate) joined: Joined,
    /// The classes and literals of the objects that come to these places.
    pub(crate) classes: FxHashSet<Site>,
}

impl Family {
    fn alone(sites: Vec<Site>) -> Family {
        Family { sites, ..Family::default() }
    }
}

/// How many expressions are looked at on the way back to where objects are made.
const SOURCES: usize = 400;
/// How many times members are joined with others.
const ROUNDS: usize = 8;

impl Workspace<'_> {
    /// A symbol with all that have to have the same name: overrides, the parameters of overrides, and members of objects that come to
    /// one place.
    ///
    /// # Errors
    /// If files cannot be read.
    pub(crate) fn whole_family(&self, site: Site) -> Result<Family, EngineError> {
        let own = self.family(site)?;
        Ok(self.join_members(own.clone())?.unwrap_or_else(|| Family::alone(own)))
    }

    /// The definitions that a text names; where it is a place at which a member is read of objects that are known by where they go
    /// alone, one of their members.
    ///
    /// # Errors
    /// If there is none.
    pub(crate) fn find_or_follow(&self, text: &str, all: bool) -> Result<Vec<Definition>, EngineError> {
        let error = match self.find(text, all) {
            Err(error) if error.code == ErrorCode::NoMatch => error,
            found => return found,
        };
        let Query::Place { path, line, col: Some(col) } = Query::parse(text) else { return Err(error) };
        let file = self.file_named(&path)?;
        let name =
            self.resolve(|resolver| resolver.name_at_place(file, line, col).filter(|_| resolver.follows_objects(file)));
        let Some(name) = name else { return Err(error) };
        let sources = self.resolve(|resolver| resolver.sources_of_object(file, name));
        let members = self.members_read(sources, Site { file, name }, &mut Way::default())?;
        let Some(sites) = members.map(|members| members.sites).filter(|sites| !sites.is_empty()) else {
            return Err(error);
        };
        let is_pair = |resolver: &Resolver<'_>| sites.iter().copied().find(|&site| !resolver.is_shorthand_key(site));
        let site = self.resolve(is_pair).unwrap_or(sites[0]);
        Ok(self.resolve(|resolver| resolver.describe(Thing::Symbol(site)).into_iter().collect()))
    }

    /// The members that places read which may read one of some; `None` if nothing more is known.
    fn join_members(&self, mut sites: Vec<Site>) -> Result<Option<Family>, EngineError> {
        if !self.resolve(|resolver| resolver.follows_objects(sites[0].file)) {
            return Ok(None);
        }
        for _ in 0..ROUNDS {
            let things: Vec<Thing> = sites.iter().copied().map(Thing::Symbol).collect();
            let references = self.references(&things)?;
            let is_open = |reference: &&Reference| {
                let confidence = reference.row.confidence;
                matches!(confidence, Confidence::Candidate | Confidence::Undetermined)
                    && reference.without_error.is_none()
            };
            let open: Vec<&Reference> = references.iter().filter(is_open).collect();
            let mut subject = self.subject(sites.clone(), &references)?;
            subject.joined.is_whole = true;
            if !subject.is_member {
                return Ok(None);
            }
            let strings = self.strings_of_objects(&subject.old)?;
            let has_types =
                |resolver: &Resolver<'_>| sites.iter().any(|&site| resolver.sources_of_typed(site).is_some());
            let escape = self.escape(&subject)?;
            // A type that is written where the objects go has the member, whether or not anything reads it.
            let is_typed = escape.typed.iter().any(|typed| !sites.contains(typed));
            let has_types = self.resolve(has_types);
            if open.is_empty() && strings.is_empty() && !is_typed && !has_types {
                return Ok(None);
            }
            if !escape.is_closed {
                return Ok(None);
            }
            let mut family = Family::alone(sites.clone());
            let shorthand = sites.iter().filter(|site| self.resolve(|resolver| resolver.is_shorthand_key(**site)));
            family.joined.places.extend(shorthand.map(|site| (site.file, site.name)));
            let mut lacks_it = false;
            let mut is_written = references.iter().any(|reference| reference.row.role == Role::Write);
            let open = open.into_iter().filter(|one| escape.members.contains(&(one.file, one.node)));
            let named = open.map(|one| (one.file, one.node, None));
            let of_strings = strings.into_iter().filter(|one| escape.held.contains(&(one.file, one.object)));
            let of_strings = of_strings.map(|one| (one.file, one.string, Some(one.object)));
            let places: Vec<(FileId, Node, Option<Node>)> = named.chain(of_strings).collect();
            for (file, name, object) in places {
                let sources = match object {
                    Some(object) => vec![Source::Of(file, object)],
                    None => self.resolve(|resolver| resolver.sources_of_object(file, name)),
                };
                let members = self.members_read(sources, Site { file, name }, &mut Way::default())?;
                // What is declared with a type comes there, though nothing is passed.
                if has_types && object.is_none() && members.as_ref().is_some_and(Members::is_unreached) {
                    family.joined.places.insert((file, name));
                    continue;
                }
                let Some(members) = members.filter(|members| !members.sites.is_empty()) else { continue };
                is_written |= self.resolve(|resolver| resolver.sets_member(file, name));
                lacks_it |= members.lacks_it;
                family.classes.extend(members.classes);
                family.joined.places.insert((file, name));
                for site in members.sites {
                    for site in self.overriding(site)? {
                        if !family.sites.contains(&site) {
                            family.sites.push(site);
                        }
                    }
                }
            }
            family.sites.extend(escape.typed.iter().filter(|typed| !sites.contains(typed)));
            family.sites.sort_unstable();
            family.sites.dedup();
            let own = sites.iter().copied();
            for (site, sources) in self.resolve(|resolver| {
                own.filter_map(|site| Some((site, resolver.sources_of_typed(site)?))).collect::<Vec<_>>()
            }) {
                let Some(members) = self.members_read(sources, site, &mut Way::default())? else { return Ok(None) };
                lacks_it |= members.lacks_it;
                family.classes.extend(members.classes);
                family.sites.extend(members.sites.into_iter().filter(|site| !sites.contains(site)));
            }
            family.sites.sort_unstable();
            family.sites.dedup();
            // What is written to an object that lacks it, may be read elsewhere.
            if lacks_it && is_written {
                return Ok(None);
            }
            if family.sites.len() == sites.len() {
                family.joined.is_whole = true;
                return Ok(Some(family));
            }
            sites = family.sites;
        }
        Ok(None)
    }

    /// The strings that are a name and read a member of an object.
    fn strings_of_objects(&self, name: &str) -> Result<Vec<MemberString>, EngineError> {
        let accesses = self.strings(name)?.into_iter().filter(|(_, string)| string.kind == StringKind::Access);
        Ok(self.resolve(|resolver| {
            let object = |(file, string): (FileId, StringUse)| {
                let node = resolver.tree(file)?.table().smallest_around(string.span);
                let object = resolver.object_of_string(file, node)?;
                Some(MemberString { file, string: node, object })
            };
            accesses.filter_map(object).collect()
        }))
    }

    /// The members of a name that may be read of what comes from some sources; `None` if an object may come that is not known.
    fn members_read(&self, sources: Vec<Source>, place: Site, way: &mut Way) -> Result<Option<Members>, EngineError> {
        let Site { file, name } = place;
        let mut waiting = sources;
        let mut members = Members::default();
        let mut seen: Vec<Source> = Vec::new();
        while let Some(source) = waiting.pop() {
            if seen.contains(&source) {
                continue;
            }
            seen.push(source);
            way.steps += 1;
            if way.steps > SOURCES {
                return Ok(None);
            }
            match source {
                Source::Unknown => return Ok(None),
                Source::Of(file, node) => {
                    waiting.append(&mut self.resolve(|resolver| resolver.sources(file, node)));
                }
                Source::Part(file, part) => {
                    if way.parts.contains(&(file, part)) {
                        return Ok(None);
                    }
                    way.parts.push((file, part));
                    let sources = self.resolve(|resolver| resolver.sources_of_object(file, part));
                    let parts = self.members_read(sources, Site { file, name: part }, way)?;
                    let Some(parts) = parts.filter(|parts| !parts.sites.is_empty() || parts.is_unreached()) else {
                        return Ok(None);
                    };
                    way.parts.pop();
                    self.resolve(|resolver| {
                        waiting.extend(parts.sites.into_iter().flat_map(|site| resolver.sources_of_member(site)));
                    });
                }
                Source::Argument { file, function, place } => match self.calls_of(file, function, way)? {
                    Some(calls) => self.resolve(|resolver| {
                        waiting
                            .extend(calls.into_iter().map(|(file, call)| resolver.argument_source(file, call, place)));
                    }),
                    None => return Ok(None),
                },
                Source::Nothing => {}
                Source::Object { class, .. } => {
                    let Some(sites) = self.resolve(|resolver| resolver.members_at(source, file, name)) else {
                        return Ok(None);
                    };
                    members.lacks_it |= sites.is_empty();
                    members.sites.extend(sites);
                    members.classes.insert(class);
                    waiting.append(&mut self.resolve(|resolver| resolver.sources_of_copies(class)));
                }
            }
        }
        Ok(Some(members))
    }

    /// Whether a place reads a member of objects that are all known, and none of them has the symbol.
    ///
    /// # Errors
    /// If files cannot be read.
    pub(super) fn reads_another(&self, subject: &Subject, place: Site, way: &mut Way) -> Result<bool, EngineError> {
        let is_followed = self.resolve(|resolver| resolver.follows_objects(place.file));
        // Something may be declared to be such an object, though none comes.
        if !is_followed || subject.is_member && self.escape(subject)?.members.contains(&(place.file, place.name)) {
            return Ok(false);
        }
        let sources = self.resolve(|resolver| resolver.sources_of_object(place.file, place.name));
        way.parts.clear();
        let Some(members) = self.members_read(sources, place, way)? else { return Ok(false) };
        let is_ours = members.sites.iter().any(|site| subject.family.contains(site));
        // An object without the member may get it by an assignment.
        let has_own = !members.sites.is_empty() && !members.lacks_it;
        Ok(!is_ours && (!subject.is_member || has_own || members.is_unreached()))
    }

    /// Whether one of the objects that come to a place of a family has a member with a name, or is asked for one.
    ///
    /// # Errors
    /// If files cannot be read.
    pub(crate) fn meets_name(
        &self,
        subject: &Subject,
        classes: &FxHashSet<Site>,
        name: &str,
    ) -> Result<bool, EngineError> {
        let may_have = |resolver: &Resolver<'_>, class: Site| {
            resolver.may_have(class, name) || resolver.other_key_of_class(class, name, true).is_some()
        };
        if self.resolve(|resolver| classes.iter().any(|&class| may_have(resolver, class))) {
            return Ok(true);
        }
        Ok(!self.find_escape(subject, name)?.members.is_empty())
    }

    /// Whether a string names a member of other objects than those with a symbol.
    ///
    /// # Errors
    /// If files cannot be read.
    pub(crate) fn is_string_of_another(
        &self,
        subject: &Subject,
        file: FileId,
        string: Span,
    ) -> Result<bool, EngineError> {
        Ok(self.excludes_object(self.escape(subject)?, file, string))
    }
}

/// A string that reads a member of an object.
struct MemberString {
    file: FileId,
    string: Node,
    object: Node,
}

/// How far the way back has gone.
#[derive(Default)]
pub(super) struct Way {
    steps: usize,
    /// The members whose values are looked for.
    parts: Vec<(FileId, Node)>,
    /// The methods whose calls are looked for.
    pub(super) methods: Vec<Site>,
}

impl Way {
    /// The way back for the arguments of methods.
    pub(super) fn within(methods: &[Site]) -> Way {
        Way { methods: methods.to_vec(), ..Way::default() }
    }
}

/// The members that a place may read.
#[derive(Debug, Default)]
struct Members {
    sites: Vec<Site>,
    classes: FxHashSet<Site>,
    /// Whether an object may come there that has no such member.
    lacks_it: bool,
}

impl Members {
    /// Whether no object comes to the place: its code is never called.
    fn is_unreached(&self) -> bool {
        self.sites.is_empty() && self.classes.is_empty() && !self.lacks_it
    }
}
