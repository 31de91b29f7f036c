//! What changes when a function gets other parameters.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

use super::overloads::Callee;
use crate::edit::Outcome;
use crate::gates::Followed;
use crate::modules::FileId;
use crate::reader::document::limits;
use crate::refactor::plan::{OneStep, Planned};
use crate::refactor::{ListChanges, MovedElement, SignatureChange, change_arguments, change_parameters, default_at};
use crate::request::error::{EngineError, PlaceRow};
use crate::request::refactor::{ChangeSignature, RefactorOptions};
use crate::request::symbol_messages::{Confidence, Role};
use crate::risks::{Risk, StringKind, StringUse};
use crate::symbols::{Parameters, Site, Thing};
use crate::text::Span;
use crate::tree::Tree;
use crate::workspace::files::Workspace;

impl OneStep for ChangeSignature {
    fn step(&self, workspace: &Workspace<'_>, options: &RefactorOptions) -> Result<Planned, EngineError> {
        workspace.plan_signature(self, options)
    }
}

impl Workspace<'_> {
    /// Plans to add, remove or reorder parameters of a function.
    ///
    /// # Errors
    /// If there is no such function or parameter, or references are uncertain.
    pub(crate) fn plan_signature(
        &self,
        request: &ChangeSignature,
        options: &RefactorOptions,
    ) -> Result<Planned, EngineError> {
        let bad = EngineError::bad_request;
        let symbol = request.symbol.as_str();
        let found = self.find(symbol, false)?;
        let Thing::Symbol(named) = found[0].thing else { return Err(bad(format!("`{symbol}` is a module"))) };
        let mut overloads = self.overloads(symbol, named)?;
        let site = overloads.chosen;
        let Some(own) = self.resolve(|resolver| resolver.parameters(site)) else {
            return Err(bad(format!("`{symbol}` has no list of parameters")).hint("name a function or a method"));
        };
        let change = self.signature_change(request, &own)?;
        let is_constructor = self.resolve(|resolver| resolver.is_constructor(site));
        let family = if is_constructor { overloads.changed.clone() } else { overloads.named.clone() };
        let name = self.resolve(|resolver| resolver.name_of(site)).unwrap_or_default();
        let mut changes: BTreeMap<FileId, ListChanges> = BTreeMap::new();
        let mut left: Vec<PlaceRow> = std::mem::take(&mut overloads.left);
        left.extend(self.alike_after(&overloads, &change));
        let mut certain = 0;
        let names: Vec<String> = plain_names(&own);
        let what = format!("cannot change `{name}`");

        // The function, and those that override it or that it overrides.
        for &function in &overloads.changed {
            let place = |why: &str| self.definition_row(function, why);
            let parameters = self.resolve(|resolver| resolver.parameters(function));
            // Where types tell that it overrides another one, the names are its own.
            let fits = |parameters: &Parameters| overloads.is_by_types() || plain_names(parameters) == names;
            let Some(parameters) = parameters.filter(fits) else {
                left.push(place("it has other parameters"));
                continue;
            };
            let found = self.resolve(|resolver| {
                resolver.tree(function.file).map(|tree| change_parameters(tree, &parameters, &change))
            });
            match found.unwrap_or_else(|| Ok(ListChanges::default())) {
                Ok(found) => {
                    certain += 1;
                    add(changes.entry(function.file).or_default(), found);
                }
                Err(why) => left.push(place(why)),
            }
        }
        let mut risks = Vec::new();
        for row in self.risks_of_signature(&overloads.changed) {
            risks.push(row);
        }
        if let SignatureChange::Remove { at, .. } = &change {
            for &function in &overloads.changed {
                let Some(parameter) = self.resolve(|resolver| {
                    let own = plain_names(&resolver.parameters(function)?);
                    resolver.parameter_named(function, own.get(*at)?)
                }) else {
                    continue;
                };
                for reference in self.references(&[Thing::Symbol(parameter)])? {
                    let row = &reference.row;
                    let is_use = !matches!(row.role, Role::Definition) && row.confidence == Confidence::Certain;
                    let is_inside = reference.file == function.file
                        && self.resolve(|resolver| {
                            let definition = resolver.definition_node(function)?;
                            let tree = resolver.tree(function.file)?;
                            Some(tree.table().is_within(reference.node, definition))
                        }) == Some(true);
                    if is_use && is_inside {
                        left.push(self.place_row(reference.file, reference.start, "the function uses it".to_owned()));
                    }
                }
            }
        }

        // The calls: of the functions, and of classes that they construct.
        let mut things: Vec<Thing> = family.iter().copied().map(Thing::Symbol).collect();
        let constructed = self.constructed(&family)?;
        things.extend(constructed.classes.into_iter().map(Thing::Symbol));
        left.extend(constructed.left);
        let (wordless, silent) = self.wordless_calls(&overloads, &constructed.below);
        left.extend(silent);
        if is_constructor {
            left.extend(self.finds_constructors(&things)?);
        }
        // A last parameter with a default value changes no call.
        let has_rest = own.all.iter().any(|parameter| parameter.is_rest);
        let is_safe = !has_rest && matches!(change, SignatureChange::Add { value: None, .. });
        let mut included = 0;
        let mut calls: BTreeMap<FileId, Vec<(crate::tree::Node, usize)>> = BTreeMap::new();
        for reference in self.references(&things)? {
            let row = &reference.row;
            match (row.confidence, row.role) {
                (Confidence::Elsewhere, _) => {}
                (_, Role::Definition) => {
                    let other = Site { file: reference.file, name: reference.node };
                    // A constructor below has parameters of its own.
                    let is_other =
                        !is_constructor && !things.contains(&Thing::Symbol(other)) && !overloads.is_known(other);
                    if is_other && self.resolve(|resolver| resolver.parameters(other)).is_some() {
                        let why = "this declaration of the function has parameters of its own".to_owned();
                        left.push(self.place_row(reference.file, reference.start, why));
                    }
                }
                (_, Role::Import | Role::Export | Role::Type | Role::Base | Role::Mention) => {}
                (Confidence::Certain, _) => {
                    calls.entry(reference.file).or_default().push((reference.node, reference.start))
                }
                _ if row.role == Role::Call && self.includes(options, &row.path, row.line, row.col) => {
                    included += 1;
                    calls.entry(reference.file).or_default().push((reference.node, reference.start));
                }
                _ if row.role == Role::Call && !is_safe => {
                    let why = "the called function is unknown".to_owned();
                    left.push(self.place_row(reference.file, reference.start, why));
                }
                _ if !is_safe && self.resolve(|resolver| resolver.is_among_tokens(reference.file, reference.node)) => {
                    let why = "it is among the tokens of a macro; what calls it then is not seen".to_owned();
                    left.push(self.place_row(reference.file, reference.start, why));
                }
                _ => {}
            }
        }
        let is_method = self.resolve(|resolver| {
            let has_receiver = own.all.iter().any(|parameter| parameter.is_receiver);
            has_receiver && !resolver.is_class_method(site) || resolver.has_object_before_name(site)
        });
        for (file, _) in &wordless {
            calls.entry(*file).or_default();
        }
        for (&file, names_of_calls) in &calls {
            let found = self.resolve(|resolver| {
                let Some(tree) = resolver.tree(file) else { return Vec::new() };
                let one = |&(node, start): &(crate::tree::Node, usize)| {
                    let Some(call) = resolver.call_of(file, node) else {
                        if is_constructor && !resolver.is_constructor_as_value(file, node) {
                            return None;
                        }
                        let why = "it is used as a value; what calls it then is not seen";
                        return Some((start, Err(why.to_owned())));
                    };
                    let is_construction = resolver.is_named_like_class(file, node);
                    let passes_object = is_method && call.is_on_class && !is_construction;
                    let changed = match overloads.callee(resolver, file, Some(&call)) {
                        Callee::Its => change_arguments(tree, &call, passes_object, &change).map_err(str::to_owned),
                        Callee::Another => return None,
                        Callee::Unknown(why) => Err(why),
                    };
                    Some((start, changed))
                };
                let mut found: Vec<_> = names_of_calls.iter().filter_map(one).collect();
                for call in wordless.iter().filter(|call| call.0 == file) {
                    let changed = change_arguments(tree, &call.1, false, &change).map_err(str::to_owned);
                    found.push((tree.span(call.1.call).start(), changed));
                }
                found
            });
            for (start, outcome) in found {
                match outcome {
                    Ok(found) => {
                        certain += 1;
                        add(changes.entry(file).or_default(), found);
                    }
                    Err(_) if is_safe => certain += 1,
                    Err(why) => left.push(self.place_row(file, start, why)),
                }
            }
        }
        left.extend(self.nameless_implementations(&family)?);
        left.extend(self.methods_alike(&family)?);
        left.extend(self.unknown_traits(&family));
        if !is_safe {
            left.extend(self.named_by_strings(&family)?);
        }
        left.extend(if is_safe { self.unread() } else { self.unread_with(&[&name]) });
        self.refuse_uncertain(options, &what, risks, &left)?;
        let limits = limits(&options.reading);
        let mut files = Vec::new();
        let mut brought = Vec::new();
        let mut followed = Followed::default();
        for (&file, changes) in changes.iter().filter(|(_, changes)| !changes.changes.is_empty()) {
            let Some(changed) = self.changed_file(file, &[], &changes.changes, &limits)? else { continue };
            follow(&mut followed, file, (&changed.1, &changed.2), &changes.moved);
            if matches!(change, SignatureChange::Add { .. }) && !options.force {
                brought.extend(changed.2.edits.new_spans().into_iter().map(|span| (file, span)));
            }
            files.push(changed);
        }
        let mut words = vec![name];
        if let SignatureChange::Add { name, .. } | SignatureChange::Remove { name, .. } = &change {
            words.push(name.clone());
        }
        let things: Vec<Thing> = family.iter().copied().map(Thing::Symbol).collect();
        let definitions = self.described(things);
        Ok(Planned {
            definitions,
            files,
            words,
            deletes: true,
            counts: (certain, included),
            left,
            followed: vec![followed],
            brought,
            ..Planned::default()
        })
    }

    /// Where functions may be called that a text names: as a member with a computed name, or one that a call gets as a string.
    fn named_by_strings(&self, family: &[Site]) -> Result<Vec<PlaceRow>, EngineError> {
        let things: Vec<Thing> = family.iter().copied().map(Thing::Symbol).collect();
        let subject = self.subject(family.to_vec(), &self.references(&things)?)?;
        let mut rows = Vec::new();
        for (file, span) in self.computed_accesses(&subject)? {
            rows.push(self.place_row(file, span.start(), "accesses members by a computed name".to_owned()));
        }
        let (name, is_lasting) =
            self.resolve(|resolver| (resolver.name_of(family[0]).unwrap_or_default(), resolver.is_lasting(family[0])));
        if is_lasting {
            for (file, StringUse { span, kind, .. }) in self.strings(&name)? {
                if kind == StringKind::Access {
                    rows.push(self.place_row(file, span.start(), "a call names a member by this string".to_owned()));
                }
            }
        }
        Ok(rows)
    }

    /// What the request asks for.
    fn signature_change(&self, request: &ChangeSignature, own: &Parameters) -> Result<SignatureChange, EngineError> {
        let bad = EngineError::bad_request;
        let parameters: Vec<_> = own.all.iter().filter(|parameter| !parameter.is_receiver).collect();
        // Before those that take any number of arguments, and those that calls only name.
        let last = parameters.iter().position(|parameter| parameter.is_rest).unwrap_or(parameters.len());
        let place = |name: &str| {
            let at =
                parameters.iter().position(|parameter| parameter.name.as_deref() == Some(name) && !parameter.is_rest);
            at.ok_or_else(|| {
                let names: Vec<&str> = parameters.iter().filter_map(|parameter| parameter.name.as_deref()).collect();
                let error = bad(format!("no parameter `{name}`"));
                match names.as_slice() {
                    [] => error,
                    names => error.hint(format!("there are {}", names.join(", "))),
                }
            })
        };
        match (&request.add, &request.remove, request.reorder.as_slice()) {
            (Some(parameter), None, []) => {
                let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '$';
                let name: String = parameter.chars().take_while(|&letter| is_letter(letter)).collect();
                if name.is_empty() {
                    return Err(bad(format!("`{parameter}` does not begin with a name")));
                }
                if parameters.iter().any(|known| known.name.as_ref() == Some(&name)) {
                    return Err(bad(format!("parameter `{name}` already exists")));
                }
                let at = request.at.map_or(last, |at| at.saturating_sub(1));
                if at > last {
                    return Err(bad(format!("there are {} parameters before which it can be", last)));
                }
                let default = default_at(parameter).map(|at| parameter[at + 1..].trim().to_owned());
                let is_optional = default.is_some() || parameter[name.len()..].starts_with('?');
                let value = match (&request.value, is_optional) {
                    (Some(value), _) => Some(value.clone()),
                    (None, true) if at == last => None,
                    (None, true) if default.is_some() => default,
                    _ => {
                        let error = bad(format!("calls must pass something for `{name}`"));
                        return Err(
                            error.hint("give the parameter a default value, or say what calls pass with `value`")
                        );
                    }
                };
                Ok(SignatureChange::Add { parameter: parameter.clone(), name, at, value })
            }
            (None, Some(name), []) => Ok(SignatureChange::Remove { name: name.clone(), at: place(name)? }),
            (None, None, [_, ..]) => {
                let mut order = request.reorder.iter().map(|name| place(name)).collect::<Result<Vec<usize>, _>>()?;
                if let Some(&at) = order.iter().find(|&&at| at > last) {
                    let name = parameters[at].name.as_deref().unwrap_or_default();
                    let error = bad(format!("calls pass `{name}` by its name only"));
                    return Err(error.hint("its place is of no importance; leave it out"));
                }
                let mut sorted = order.clone();
                sorted.sort_unstable();
                sorted.dedup();
                if sorted.len() != order.len() {
                    return Err(bad("a parameter is named twice".to_owned()));
                }
                // The others keep their order behind these.
                order.extend((0..last).filter(|at| !sorted.contains(at)));
                let before = own.slash.map_or(0, |slash| parameters.iter().filter(|one| one.node < slash).count());
                if let Some(crossing) = order.iter().take(before).find(|&&at| at >= before) {
                    let name = parameters[*crossing].name.as_deref().unwrap_or_default();
                    return Err(bad(format!("`{name}` would be before the `/`; calls could not name it then")));
                }
                Ok(SignatureChange::Reorder(order))
            }
            _ => {
                let error = bad("a signature changes by one of `add`, `remove` and `reorder`".to_owned());
                Err(error.hint("change one after the other"))
            }
        }
    }

    /// The classes whose calls call one of the functions, and those below them whose constructors may.
    fn constructed(&self, family: &[Site]) -> Result<Constructed, EngineError> {
        let mut found = Constructed::default();
        let classes: Vec<Site> = self.resolve(|resolver| {
            let constructors = family.iter().filter(|&&function| resolver.is_constructor(function));
            let class = |&function: &Site| {
                resolver.class_of_member(function).or_else(|| resolver.class_of_constructor(function))
            };
            constructors.filter_map(class).collect()
        });
        let mut all: FxHashSet<Site> = classes.iter().copied().collect();
        for below in self.classes_below(&classes)? {
            let inherits = self.resolve(|resolver| {
                let name = family.first().and_then(|&function| resolver.name_of(function))?;
                let own = resolver.found_member(below.class, &name)?;
                Some(family.contains(&own))
            });
            if inherits == Some(true) {
                all.insert(below.class);
            } else if self.resolve(|resolver| resolver.calls_bases_by_a_word(below.class.file)) {
                found.left.push(self.definition_row(below.class, "its constructor may call the one of its base"));
            } else if all.contains(&below.base) {
                found.below.push(below.class);
            }
        }
        found.classes = all.into_iter().collect();
        Ok(found)
    }

    /// What else may call the functions.
    fn risks_of_signature(&self, family: &[Site]) -> Vec<PlaceRow> {
        let mut rows = Vec::new();
        for &function in family {
            let (start, risks) = self.resolve(|resolver| {
                let start = resolver.tree(function.file).map_or(0, |tree| tree.span(function.name).start());
                let name = resolver.name_of(function).unwrap_or_default();
                let mut risks = resolver.risks(function, &name);
                let class =
                    resolver.is_constructor(function).then(|| resolver.class_of_constructor(function)).flatten();
                let of_class = class.map(|class| resolver.risks(class, &resolver.name_of(class).unwrap_or_default()));
                let calls = |risk: &Risk| matches!(risk, Risk::Decorator(_) | Risk::Handled { .. });
                risks.extend(of_class.into_iter().flatten().filter(calls));
                (start, risks)
            });
            if let Some(what) = self.resolve(|resolver| resolver.is_run_by(function)) {
                rows.push(self.place_row(function.file, start, format!("a tool calls it: {what}")));
            }
            for risk in risks {
                if let Some(why) = why_called(&risk) {
                    rows.push(self.place_row(function.file, start, why));
                }
            }
        }
        rows
    }
}

/// Classes whose constructors are called by calls of them.
#[derive(Default)]
struct Constructed {
    /// Those whose calls call one of the functions.
    classes: Vec<Site>,
    /// Those with constructors of their own, whose base is one of these.
    below: Vec<Site>,
    /// Those of whose constructors it is not known which one they call.
    left: Vec<PlaceRow>,
}

/// Why a function may be called from where it is not seen.
fn why_called(risk: &Risk) -> Option<String> {
    match risk {
        Risk::Decorator(word) | Risk::Handled { decorator: word, .. } => {
            Some(format!("the decorator `{word}` may call it"))
        }
        Risk::Name(what) => Some(format!("the name has a special meaning: {what}")),
        Risk::Base(base) | Risk::Theirs(base) => {
            Some(format!("the base `{base}` outside of the project may call or have it"))
        }
        Risk::Object => Some("a member of an object literal may be called through a type".to_owned()),
        Risk::Broken => Some("it is defined in code with a syntax error".to_owned()),
        Risk::Declared => Some("it declares something that is defined outside of the project".to_owned()),
        Risk::Double => Some("it is a parameter and a member at once".to_owned()),
        Risk::File | Risk::Taken(_) | Risk::OfAll(_) | Risk::Twin | Risk::Hidden => None,
    }
}

/// The names of parameters, without the object of a method.
fn plain_names(parameters: &Parameters) -> Vec<String> {
    let own = parameters.all.iter().filter(|parameter| !parameter.is_receiver);
    own.map(|parameter| parameter.name.clone().unwrap_or_default()).collect()
}

fn add(all: &mut ListChanges, more: ListChanges) {
    all.changes.extend(more.changes);
    all.moved.extend(more.moved);
}

/// Adds where the names in elements are that are in the places of others.
fn follow(followed: &mut Followed, file: FileId, (tree, outcome): (&Tree, &Outcome), moved: &[MovedElement]) {
    let edits: Vec<(Span, Span)> = outcome.edits.iter().map(|edit| edit.span).zip(outcome.edits.new_spans()).collect();
    for &MovedElement { from, place, offset } in moved {
        let Some((_, now)) = edits.iter().find(|(old, _)| *old == place) else { continue };
        for node in tree.table().nodes() {
            let span = tree.span(node);
            if from.contains(span) {
                let copy = (file, now.start() + offset + (span.start() - from.start()));
                let copies = followed.copies.entry((file, span.start())).or_default();
                if !copies.contains(&copy) {
                    copies.push(copy);
                }
            }
        }
    }
}
