//! The calls of a function that gets other parameters.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

use super::overloads::{Callee, Overloads};
use crate::modules::FileId;
use crate::refactor::signature::order;
use crate::refactor::{ListChanges, SignatureChange, change_arguments};
use crate::request::error::{EngineError, PlaceRow};
use crate::request::refactor::RefactorOptions;
use crate::request::symbol_messages::{Confidence, Role};
use crate::risks::Linking;
use crate::symbols::{CallSite, Parameters, Resolver, Site, Thing};
use crate::tree::{Node, Tree};
use crate::workspace::files::Workspace;

/// The changes of a signature, and where it is not known what to change.
#[derive(Default)]
pub(super) struct Collected {
    /// The changes of each file.
    pub(super) changes: BTreeMap<FileId, ListChanges>,
    /// The places that are not decided.
    pub(super) left: Vec<PlaceRow>,
    /// Places that are changed where something may go wrong.
    pub(super) risks: Vec<PlaceRow>,
    /// The number of certain places.
    pub(super) certain: usize,
    /// The number of uncertain places that the request includes.
    pub(super) included: usize,
}

impl Collected {
    /// Adds the changes of a place.
    pub(super) fn add(&mut self, file: FileId, more: ListChanges) {
        self.certain += 1;
        let all = self.changes.entry(file).or_default();
        all.changes.extend(more.changes);
        all.moved.extend(more.moved);
    }
}

/// Whose calls change, and how.
pub(super) struct Calls<'a> {
    pub(super) own: &'a Parameters,
    pub(super) change: &'a SignatureChange,
    pub(super) overloads: &'a Overloads,
    /// The functions that are called.
    pub(super) family: &'a [Site],
    pub(super) is_constructor: bool,
    /// Whether no call has to change.
    pub(super) is_safe: bool,
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

/// Names in files that a call may call, and their places.
type Named = BTreeMap<FileId, Vec<(Node, usize)>>;

impl Workspace<'_> {
    /// Changes the calls of functions, and of classes that they construct.
    pub(super) fn change_calls(
        &self,
        calls: &Calls<'_>,
        options: &RefactorOptions,
        found: &mut Collected,
    ) -> Result<(), EngineError> {
        let mut things: Vec<Thing> = calls.family.iter().copied().map(Thing::Symbol).collect();
        let constructed = self.classes_that_call(calls.family)?;
        things.extend(constructed.classes.into_iter().map(Thing::Symbol));
        found.left.extend(constructed.left);
        let (wordless, silent) = self.wordless_calls(calls.overloads, &constructed.below);
        found.left.extend(silent);
        if calls.is_constructor {
            found.left.extend(self.finds_constructors(&things)?);
        }
        let mut named = self.find_named_calls(calls, &things, options, found)?;
        for (file, _) in &wordless {
            named.entry(*file).or_default();
        }
        for (&file, names) in &named {
            let changed = self.resolve(|resolver| {
                let Some(tree) = resolver.tree(file) else { return Vec::new() };
                let mut changed: Vec<_> =
                    names.iter().filter_map(|name| calls.change(resolver, tree, file, name)).collect();
                for call in wordless.iter().filter(|call| call.0 == file) {
                    let arguments = change_arguments(tree, &call.1, false, calls.change).map_err(str::to_owned);
                    changed.push((tree.span(call.1.call).start(), arguments));
                }
                let dropped: Vec<Node> = changed
                    .iter()
                    .filter_map(|(_, done)| done.as_ref().ok())
                    .flat_map(|done| done.dropped.clone())
                    .collect();
                let unread = order::unread_without(tree, &dropped);
                let with_doubt = changed.into_iter().map(|(start, outcome)| {
                    let changed = outcome.as_ref().ok();
                    let doubt = changed.and_then(|done| order::doubt(resolver, tree, file, done, "argument"));
                    let drops = changed.is_some_and(|done| !done.dropped.is_empty());
                    let doubt = doubt.or_else(|| unread.clone().filter(|_| drops));
                    (start, outcome, doubt)
                });
                with_doubt.collect()
            });
            for (start, outcome, doubt) in changed {
                found.risks.extend(doubt.map(|why| self.place_row(file, start, why)));
                match outcome {
                    Ok(changed) => found.add(file, changed),
                    // A function that is passed on may get more than the parameters that it has now.
                    Err(_) if calls.is_safe && !self.may_pass_more(file) => found.certain += 1,
                    Err(why) => found.left.push(self.place_row(file, start, why)),
                }
            }
        }
        Ok(())
    }

    /// Whether calls of a file may pass more arguments than a function has parameters.
    fn may_pass_more(&self, file: FileId) -> bool {
        self.project.file(file).language.spec().flow.extra_arguments
    }

    /// The names that certainly mean the functions, or that the request includes.
    fn find_named_calls(
        &self,
        calls: &Calls<'_>,
        things: &[Thing],
        options: &RefactorOptions,
        found: &mut Collected,
    ) -> Result<Named, EngineError> {
        let mut named = Named::new();
        for reference in self.references(things)? {
            let row = &reference.row;
            let mut leave =
                |why: &str| found.left.push(self.place_row(reference.file, reference.start, why.to_owned()));
            match (row.confidence, row.role) {
                (Confidence::Elsewhere, _) => {
                    let linked =
                        self.resolve(|resolver| resolver.may_be_linked(calls.family, reference.file, reference.node));
                    if linked == Some(Linking::Linker) {
                        leave("a linker may take it for this one");
                    }
                }
                (_, Role::Definition) => {
                    let other = Site { file: reference.file, name: reference.node };
                    // A constructor below has parameters of its own.
                    let is_other = !calls.is_constructor
                        && !things.contains(&Thing::Symbol(other))
                        && !calls.overloads.is_known(other);
                    if is_other && self.resolve(|resolver| resolver.parameters(other)).is_some() {
                        leave("this declaration of the function has parameters of its own");
                    }
                }
                (_, Role::Base | Role::Type)
                    if self.resolve(|resolver| has_arguments(resolver, reference.file, reference.node)) =>
                {
                    leave("the class is named here with arguments, which do not change");
                }
                (_, Role::Import | Role::Export | Role::Type | Role::Base | Role::Mention) => {}
                (Confidence::Certain, _) => {
                    named.entry(reference.file).or_default().push((reference.node, reference.start));
                }
                _ if row.role == Role::Call && self.includes(options, &row.path, row.line, row.col) => {
                    found.included += 1;
                    named.entry(reference.file).or_default().push((reference.node, reference.start));
                }
                _ if calls.is_safe => {}
                _ if row.role == Role::Call => leave("the called function is unknown"),
                _ if self.resolve(|resolver| resolver.is_symbol_of_text(reference.file, reference.node)) => {
                    leave("a text that may name it for a call");
                }
                _ if self.resolve(|resolver| resolver.is_among_tokens(reference.file, reference.node)) => {
                    leave("it is among the tokens of a macro; what calls it then is not seen");
                }
                _ => leave("it may name the function; what calls it then is not seen"),
            }
        }
        Ok(named)
    }

    /// The classes whose calls call one of the functions, and those below them whose constructors may.
    fn classes_that_call(&self, family: &[Site]) -> Result<Constructed, EngineError> {
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
                let own = resolver.found_member(below.class, name.as_str())?;
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
}

/// Whether a name is one with a list of arguments that is no call: `class A : Base(1)`.
fn has_arguments(resolver: &Resolver<'_>, file: FileId, name: Node) -> bool {
    let Some(tree) = resolver.tree(file) else { return false };
    let (table, args) = (tree.table(), &tree.language().spec().args);
    let around = table.ancestors(name).take(3).take_while(|&at| !tree.is_scope(at));
    around.into_iter().any(|at| args.of(table.type_id(at)).is_some())
}

impl Calls<'_> {
    /// Whether the functions are methods whose object is no argument, or is one where the class is named.
    fn passes_object(&self, resolver: &Resolver<'_>, call: &CallSite, file: FileId, name: Node) -> bool {
        let site = self.overloads.chosen;
        let has_receiver = self.own.all.iter().any(|parameter| parameter.is_receiver);
        let is_method = has_receiver && !resolver.is_class_method(site) || resolver.has_object_before_name(site);
        is_method && call.is_on_class && !resolver.is_named_like_class(file, name)
    }

    /// The changes of the call of a name, or why they are not known; `None` if it calls something else.
    fn change(
        &self,
        resolver: &Resolver<'_>,
        tree: &Tree,
        file: FileId,
        &(name, start): &(Node, usize),
    ) -> Option<(usize, Result<ListChanges, String>)> {
        if resolver.shows_code(file, name) {
            return Some((start, Err("the string shows the code of the call".to_owned())));
        }
        let Some(call) = resolver.call_of(file, name) else {
            if self.is_constructor && !resolver.is_constructor_as_value(file, name) {
                return None;
            }
            return Some((start, Err("it is used as a value; what calls it then is not seen".to_owned())));
        };
        let passes_object = self.passes_object(resolver, &call, file, name);
        let changed = match self.overloads.callee(resolver, file, Some(&call)) {
            Callee::Its => change_arguments(tree, &call, passes_object, self.change).map_err(str::to_owned),
            Callee::Another => return None,
            Callee::Unknown(why) => Err(why),
        };
        Some((start, changed))
    }
}
