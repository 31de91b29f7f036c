//! Which uncertain references may mean a symbol, and why that is not known.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::family::{Given, Subject};
use super::join::Way;
use super::splats::Splats;
use crate::modules::FileId;
use crate::question::references::Reference;
use crate::request::error::EngineError;
use crate::request::symbol_messages::{Confidence, Role};
use crate::risks::{Around, Callee, Holder, HolderKind};
use crate::symbols::{Resolver, Site};
use crate::text::Span;
use crate::workspace::files::Workspace;

/// Why a member of the global object may be the symbol.
pub(super) const IN_SCRIPT: &str =
    "the names of a script are members of this object; an export or import makes a file a module";

/// How a place may come to the symbol, where that is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reach {
    Unknown,
    /// Its receiver may be of any class below a type from outside.
    Below,
    /// It is a variable where no local one of the family is seen, or one that nothing binds, which is no variable of a module; or a
    /// symbol, which never means a variable.
    Never,
    /// It is a method that a call makes in another class, or what makes it.
    Made,
    /// It is a member of the object that has the names of scripts, of which the symbol is one.
    Global,
}

/// The code around an uncertain place.
struct Context {
    around: Around,
    /// Whether modules are values in its language.
    has_module_values: bool,
    /// Whether what is called accesses members by names that it gets.
    accesses_by_name: bool,
    reach: Reach,
    /// The holder of it, if it is a member and types are used without being named.
    holder: Option<Holder>,
    /// The class of the method that gets the object, if it is the key of a receiver.
    receiver: Option<Site>,
    errors: ErrorsAround,
}

/// How syntax errors around a place bear on what it means.
struct ErrorsAround {
    /// Whether one of the family may be meant.
    is_near: bool,
    /// Whether what looks like a definition may be the call of a macro.
    may_be_misread: bool,
}

/// Whether a place may mean the symbol because its code has a syntax error.
fn may_mean_in_error(subject: &Subject, reference: &Reference, context: &Context, is_used_there: bool) -> bool {
    let Some(otherwise) = reference.without_error else { return false };
    let is_of_object = matches!(context.around, Around::Object { .. } | Around::Call { .. });
    let fits = !is_of_object || subject.is_member || subject.is_parameter;
    // What defines something of its own is that.
    if otherwise == Confidence::Elsewhere && reference.row.role == Role::Definition && !context.errors.may_be_misread {
        return false;
    }
    let is_seen = subject.is_lasting && is_used_there && otherwise == Confidence::Elsewhere;
    otherwise == Confidence::Certain || fits && (context.errors.is_near || is_seen)
}

impl Workspace<'_> {
    /// The uncertain places that may refer to the symbol, and why that is not known.
    pub(super) fn doubtful<'r>(
        &self,
        subject: &Subject,
        splats: &Splats,
        uncertain: &[&'r Reference],
        places: &BTreeMap<FileId, Vec<Span>>,
    ) -> Result<Vec<(&'r Reference, &'static str)>, EngineError> {
        let contexts = self.contexts(subject, uncertain)?;
        let own = self.resolve(|resolver| resolver.holder_of_member(subject.family[0].file, subject.family[0].name));
        let mut doubts = Vec::new();
        let mut is_passed_on = None;
        let mut is_member_of_module = None;
        let is_in_module = |known: &mut Option<bool>| {
            let find = |resolver: &Resolver<'_>| subject.family.iter().any(|&site| resolver.is_member_of_module(site));
            *known.get_or_insert_with(|| self.resolve(find))
        };
        let language = self.project.file(subject.family[0].file).language;
        let callers = &language.spec().symbols.made_objects.callers;
        let mut followed = 0;
        let (mut methods, mut of_protocol) = (None, None);
        let mut way = Way::within(&subject.methods);
        for (number, &reference) in uncertain.iter().enumerate() {
            let Some(context) = contexts.get(&number) else { continue };
            let is_elsewhere = reference.row.confidence == Confidence::Elsewhere;
            if may_mean_in_error(subject, reference, context, places.contains_key(&reference.file)) {
                doubts.push((reference, "it is in code with a syntax error"));
                continue;
            }
            if self.is_parameter_of_alike(subject, reference, &mut of_protocol) {
                doubts.push((reference, "one type may be used in place of the other"));
                continue;
            }
            let mut is_part = false;
            let why = match &context.around {
                Around::Elsewhere => continue,
                Around::Object { .. } | Around::Other if context.reach == Reach::Made => continue,
                _ if subject.is_member
                    && own.as_ref().zip(context.holder.as_ref()).is_some_and(|(own, other)| own.may_be(other)) =>
                {
                    let other = Site { file: reference.file, name: reference.node };
                    let is_definition = reference.row.role == Role::Definition;
                    is_part =
                        is_definition && self.resolve(|resolver| resolver.names_in_bases(other, &subject.classes));
                    if is_definition && !is_part && self.is_followed(reference, &mut followed)? {
                        continue;
                    }
                    let is_method = own.as_ref().is_some_and(|own| own.is_function);
                    if is_definition
                        && !is_part
                        && self.is_known_other(&subject.family, other, is_method, &mut methods)?
                    {
                        continue;
                    }
                    "one type may be used in place of the other"
                }
                Around::Object { .. } if is_elsewhere && context.reach == Reach::Below => {
                    "its receiver may be of a class below its type"
                }
                Around::Receiver if context.receiver.is_some_and(|class| !subject.classes.contains(&class)) => continue,
                Around::Receiver if subject.is_member => "the object may be the receiver of the method",
                Around::Receiver => continue,
                Around::Object { .. } | Around::Other if is_elsewhere => continue,
                Around::Object { .. } if subject.is_member => "the type of the receiver is unknown",
                // Variables of functions are no members of anything.
                Around::Object { .. } if !subject.is_lasting || subject.is_parameter => continue,
                Around::Object { .. } if context.reach == Reach::Global => IN_SCRIPT,
                Around::Object { last, is_imported } => {
                    let is_holder = last.as_ref().is_some_and(|last| subject.holders.contains(last));
                    let has_values = context.has_module_values;
                    let may_be = is_in_module(&mut is_member_of_module)
                        && (*is_imported || is_holder || has_values && self.passed_on(subject, &mut is_passed_on)?);
                    if !may_be {
                        continue;
                    }
                    "the type of the receiver is unknown"
                }
                // Its own call is known.
                Around::Call { .. } if subject.given == Given::InPlace => continue,
                // The table may be passed on as arguments by their names.
                Around::Call { callee: Callee::Table, names, .. } => {
                    let is_near = splats.files.contains(&reference.file);
                    if !subject.is_parameter || !is_near && !names.iter().any(|name| subject.called.contains(name)) {
                        continue;
                    }
                    "the called function may pass the argument on"
                }
                // A function from outside may call one that it gets with this argument: `partial(f, name=1)`.
                Around::Call { callee: Callee::External, names, .. } if subject.is_parameter => {
                    let is_near = subject.given == Given::ByAnyCall && splats.files.contains(&reference.file);
                    if !is_near && !names.iter().any(|name| subject.called.contains(name)) {
                        continue;
                    }
                    "the called function may pass the argument on"
                }
                // What makes an object again names its fields: `replace(a, size=2)`.
                Around::Call { callee: Callee::External, last, names }
                    if subject.is_member
                        && (last.as_ref().is_some_and(|last| self.copies_objects(subject, last))
                            || names.iter().any(|name| subject.called.contains(name))) =>
                {
                    "the called function may pass the argument on"
                }
                Around::Call { callee: Callee::External, .. } if is_elsewhere => continue,
                Around::Call { callee: Callee::Own(function), .. } => {
                    // Any type with the methods of a protocol may be called by way of it.
                    let is_of_protocol = |resolver: &Resolver<'_>| {
                        let name = resolver.name_of(*function).unwrap_or_default();
                        let holder = resolver.holder_of_member(function.file, function.name);
                        subject.called.contains(&name)
                            && holder.is_some_and(|holder| holder.kind == HolderKind::Protocol)
                    };
                    let is_alike = |resolver: &Resolver<'_>| {
                        resolver.name_of(*function).is_some_and(|name| subject.called.contains(&name))
                    };
                    // What makes objects may be called without its name: `type(self)(**options)`.
                    let is_open = |resolver: &Resolver<'_>| {
                        let makes = |&site: &Site| {
                            resolver
                                .function_of_parameter(site)
                                .is_none_or(|function| resolver.is_constructor(function))
                        };
                        subject.family.iter().any(makes) && resolver.passes_on_to_unknown(*function)
                    };
                    let may_be = match subject.is_parameter {
                        true if self.resolve(is_of_protocol) || self.resolve(is_alike) => true,
                        // What is called has no such parameter: it passes the argument on, to a function without a name, too.
                        true => {
                            subject.given == Given::ByAnyCall
                                || !splats.files.is_empty()
                                || self.is_value(subject)?
                                || self.resolve(is_open)
                        }
                        false if subject.given == Given::ByItsClass => {
                            context.accesses_by_name || !splats.files.is_empty() || self.resolve(is_open)
                        }
                        false => subject.is_member && context.accesses_by_name,
                    };
                    if !may_be {
                        continue;
                    }
                    "the called function may pass the argument on"
                }
                Around::Call { last, .. } if subject.is_parameter || subject.is_member => {
                    let is_called = subject.given == Given::ByAnyCall
                        || subject.called.iter().any(|name| callers.contains(name))
                        || last
                            .as_ref()
                            .is_none_or(|last| subject.called.contains(last) || self.copies_objects(subject, last));
                    if !is_called && !self.is_value(subject)? {
                        continue;
                    }
                    "the called function is unknown"
                }
                Around::Call { .. } => continue,
                // A variable of a function is not seen from outside.
                Around::Other if context.reach == Reach::Never => continue,
                Around::Other => "the name cannot be followed",
            };
            if subject.is_member
                && !is_part
                && !matches!(context.around, Around::Call { .. } | Around::Receiver)
                && self.escape(subject)?.excludes(reference.file, reference.node)
            {
                continue;
            }
            let place = Site { file: reference.file, name: reference.node };
            if matches!(context.around, Around::Object { .. }) && self.reads_another(subject, place, &mut way)? {
                continue;
            }
            doubts.push((reference, why));
        }
        Ok(doubts)
    }

    /// Whether a place defines a parameter of a method that may be called in place of that of a protocol, with arguments by their names.
    fn is_parameter_of_alike(&self, subject: &Subject, reference: &Reference, of_protocol: &mut Option<bool>) -> bool {
        if !subject.is_parameter || reference.row.role != Role::Definition {
            return false;
        }
        self.resolve(|resolver| {
            let is_one = |&site: &Site| {
                let holder = resolver.holder_of_member(site.file, site.name);
                holder.is_some_and(|holder| holder.kind == HolderKind::Protocol)
            };
            let mut functions = subject.family.iter().filter_map(|&site| resolver.function_of_parameter(site));
            let other = Site { file: reference.file, name: reference.node };
            *of_protocol.get_or_insert_with(|| functions.any(|function| is_one(&function)))
                && resolver.function_of_parameter(other).is_some_and(|function| {
                    resolver.class_of_member(function).is_some()
                        && resolver.name_of(function).is_some_and(|name| subject.called.contains(&name))
                })
        })
    }

    /// Whether the objects with another member go nowhere where they would be used as another type.
    fn is_followed(&self, reference: &Reference, followed: &mut usize) -> Result<bool, EngineError> {
        /// How many other members are looked at.
        const OTHERS: usize = 12;
        let site = Site { file: reference.file, name: reference.node };
        *followed += 1;
        if *followed > OTHERS || !self.resolve(|resolver| resolver.follows_objects(site.file)) {
            return Ok(false);
        }
        let other = self.subject(vec![site], &[])?;
        Ok(self.escape(&other)?.is_closed)
    }

    /// Whether a function outside of the project makes an object from another one and new values of its members, by its name.
    fn copies_objects(&self, subject: &Subject, function: &str) -> bool {
        let language = self.project.file(subject.family[0].file).language;
        language.spec().symbols.hidden_uses.copiers.iter().any(|copier| copier == function)
    }

    /// The code around uncertain places, by their numbers.
    fn contexts(&self, subject: &Subject, uncertain: &[&Reference]) -> Result<FxHashMap<usize, Context>, EngineError> {
        let mut by_file: FxHashMap<FileId, Vec<usize>> = FxHashMap::default();
        for (number, reference) in uncertain.iter().enumerate() {
            by_file.entry(reference.file).or_default().push(number);
        }
        let files: FxHashSet<FileId> = by_file.keys().copied().collect();
        let is_local = !subject.is_lasting && !subject.is_member;
        let may_be_below = subject.is_member
            && self.resolve(|resolver| subject.classes.iter().any(|&class| resolver.has_outside_base(class)));
        let found = self.look("", Some(&files), |resolver, file| {
            let has_module_values = resolver.has_module_values(file);
            let context = |&number: &usize| {
                let (node, role) = (uncertain[number].node, uncertain[number].row.role);
                let around = resolver.around_name(file, node);
                let accesses_by_name = match &around {
                    Around::Call { callee: Callee::Own(function), .. } => {
                        subject.is_member && resolver.accesses_by_name(*function)
                    }
                    _ => false,
                };
                let is_member = role == Role::Definition || around == Around::Other;
                let holder = is_member.then(|| resolver.holder_of_member(file, node)).flatten();
                let reach = match () {
                    () if may_be_below && resolver.is_bounded_from_outside(file, node) => Reach::Below,
                    () if subject.is_member && resolver.is_made_elsewhere(&subject.classes, file, node) => Reach::Made,
                    () if is_local && !resolver.is_seen_from(&subject.family, file, node) => Reach::Never,
                    () if resolver.is_of_global_object(&subject.family, file, node) => Reach::Global,
                    () if resolver.is_free_elsewhere(&subject.family, file, node) => Reach::Never,
                    () if resolver.is_symbol_beside_variable(file, node, subject.family[0]) => Reach::Never,
                    () => Reach::Unknown,
                };
                let errors = ErrorsAround {
                    is_near: uncertain[number].without_error.is_some()
                        && resolver.may_mean_in_error(&subject.family, is_local, file, node),
                    may_be_misread: resolver.may_misread(file),
                };
                let receiver = if around == Around::Receiver { resolver.class_of_receiver(file, node) } else { None };
                let context = Context { around, has_module_values, accesses_by_name, reach, holder, receiver, errors };
                (number, context)
            };
            by_file.get(&file).into_iter().flatten().map(context).collect()
        })?;
        Ok(found.into_iter().collect())
    }
}
