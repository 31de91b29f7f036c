//! What changes when a function gets other parameters.

use super::calls::{Calls, Collected};
use super::edits::name_of_new;
use super::order;
use super::overloads::Overloads;
use crate::gates::Followed;
use crate::modules::FileId;
use crate::reader::document::limits;
use crate::refactor::plan::{OneStep, Planned};
use crate::refactor::{ListChanges, MovedElement, SignatureChange, change_parameters, default_at};
use crate::request::error::{EngineError, PlaceRow};
use crate::request::refactor::{ChangeSignature, RefactorOptions, Rename};
use crate::request::symbol_messages::{Confidence, Role};
use crate::risks::{Risk, StringKind, StringUse};
use crate::scopes::Scopes;
use crate::symbols::{Parameter, Parameters, Resolver, Site, Thing};
use crate::text::{EditSet, Span};
use crate::tree::{Node, Tree};
use crate::workspace::files::Workspace;

impl OneStep for ChangeSignature {
    fn step(&self, workspace: &Workspace<'_>, options: &RefactorOptions) -> Result<Planned, EngineError> {
        workspace.plan_signature(self, options)
    }

    fn documented_names(&self, workspace: &Workspace<'_>) -> Result<Vec<String>, EngineError> {
        let mut names = workspace.documented_names_of(&self.symbol);
        if names.is_empty() {
            return Ok(names);
        }
        // A constructor is called by the names of its class and of those below.
        let class = match workspace.find(&self.symbol, false)?[0].thing {
            Thing::Symbol(site) => workspace.resolve(|resolver| {
                let class = resolver.class_of_member(site).or_else(|| resolver.class_of_constructor(site))?;
                resolver.is_constructor(site).then_some(class)
            }),
            Thing::Module(_) | Thing::Folder(_) | Thing::Package(_) => None,
        };
        if let Some(class) = class {
            let below = workspace.classes_below(&[class])?.into_iter().map(|below| below.class);
            let classes: Vec<Site> = below.chain([class]).collect();
            names.extend(classes.into_iter().filter_map(|class| workspace.resolve(|resolver| resolver.name_of(class))));
        }
        Ok(names)
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
        let changes = [
            given(&request.add).is_some(),
            given(&request.remove).is_some(),
            !request.reorder.is_empty(),
            given(&request.rename).is_some(),
            given(&request.keyword_only).is_some(),
        ];
        if changes.iter().filter(|&&is_asked| is_asked).count() != 1 {
            let message = "a signature changes by one of `add`, `remove`, `reorder`, `rename` and `keyword_only`";
            return Err(bad(message.to_owned()).hint("change one after the other"));
        }
        if let Some(renamed) = given(&request.rename) {
            return self.plan_parameter_rename(symbol, renamed, options);
        }
        let found = self.find(symbol, false)?;
        let Thing::Symbol(named) = found[0].thing else { return Err(bad(format!("`{symbol}` is a module"))) };
        let mut overloads = self.overloads(symbol, named)?;
        let site = overloads.chosen;
        let Some(own) = self.resolve(|resolver| resolver.parameters(site)) else {
            return Err(bad(format!("`{symbol}` has no list of parameters")).hint("name a function or a method"));
        };
        let change = self.signature_change(request, site, &own)?;
        let is_constructor = self.resolve(|resolver| resolver.is_constructor(site));
        let family = if is_constructor { overloads.changed.clone() } else { overloads.named.clone() };
        let name = self.resolve(|resolver| resolver.name_of(site)).unwrap_or_default();
        let mut found = Collected { left: std::mem::take(&mut overloads.left), ..Collected::default() };
        found.left.extend(self.alike_after(&overloads, &change));
        self.change_definitions(&overloads, &plain_names(&own), &change, &mut found);
        let mut risks = self.risks_of_signature(&overloads.changed);
        risks.extend(self.calls_of_overridden(&overloads.changed));
        let hides = |resolver: &Resolver<'_>| {
            resolver.tree(site.file).is_some_and(|tree| tree.language().spec().references.hidden_constructions)
        };
        if is_constructor && self.resolve(hides) {
            risks.push(self.definition_row(site, "not all places that make an object are seen"));
        }
        // `return function parse(req, res) { … }`
        let is_value = self.resolve(|resolver| {
            let definition = resolver.tree(site.file).zip(resolver.definition_node(site));
            definition.is_some_and(|(tree, node)| tree.language().role(tree.table().type_id(node)).value)
        });
        if is_value {
            risks.push(self.definition_row(site, "it is a value, and what calls it is not seen"));
        }
        risks.extend(self.values_taken_apart(site, &change, own.all.len()));
        if let SignatureChange::Remove { at, .. } = &change {
            self.find_uses(&overloads.changed, *at, &mut found)?;
        }
        // A last parameter with a default value changes no call.
        let has_rest = own.all.iter().any(|parameter| parameter.is_rest);
        let is_safe = !has_rest && matches!(change, SignatureChange::Add { value: None, .. });
        let calls =
            Calls { own: &own, change: &change, overloads: &overloads, family: &family, is_constructor, is_safe };
        self.change_calls(&calls, options, &mut found)?;
        risks.extend(self.readers_of_arguments(&overloads.changed, is_safe));
        if !is_safe {
            risks.extend(self.calls_in_documentation(&family)?);
        }
        let Collected { changes, mut left, risks: others, certain, included } = found;
        risks.extend(others);
        left.extend(self.nameless_implementations(&family)?);
        left.extend(self.methods_alike(&family)?);
        left.extend(self.unknown_traits(&family));
        if !is_safe {
            left.extend(self.named_by_strings(&family)?);
        }
        left.extend(if is_safe { self.unread() } else { self.unread_with(&[&name]) });
        self.refuse_uncertain(options, &format!("cannot change `{name}`"), risks, &left)?;
        let limits = limits(&options.reading);
        let mut files = Vec::new();
        let mut brought = Vec::new();
        let mut followed = Followed::default();
        for (&file, changes) in changes.iter().filter(|(_, changes)| !changes.changes.is_empty()) {
            files.extend(self.changed_file(file, &[], &changes.changes, &limits)?);
        }
        let trees: Vec<(FileId, Tree)> = files.iter().map(|(file, tree, _)| (*file, tree.clone())).collect();
        let documented = self.merge_documentation(files, &limits)?;
        for (file, tree) in trees {
            let Some(edits) = documented.edits_of(file) else { continue };
            follow(&mut followed, file, (&tree, edits), &changes[&file].moved);
            if matches!(change, SignatureChange::Add { .. }) && !options.force {
                brought.extend(edits.new_spans().into_iter().map(|span| (file, span)));
            }
        }
        let mut words = vec![name];
        if let SignatureChange::Add { name, .. }
        | SignatureChange::Remove { name, .. }
        | SignatureChange::NameOnly { name, .. } = &change
        {
            words.push(name.clone());
        }
        let things: Vec<Thing> = family.iter().copied().map(Thing::Symbol).collect();
        let definitions = self.described(things);
        Ok(Planned {
            definitions,
            files: documented.files,
            documents: documented.documents,
            words,
            deletes: true,
            counts: (certain, included),
            left,
            followed: vec![followed],
            brought,
            ..Planned::default()
        })
    }

    /// Plans the rename of a parameter: `NAME=NEW`.
    fn plan_parameter_rename(
        &self,
        symbol: &str,
        renamed: &str,
        options: &RefactorOptions,
    ) -> Result<Planned, EngineError> {
        let bad = EngineError::bad_request;
        let Some((old, new)) = renamed.split_once('=').map(|(old, new)| (old.trim(), new.trim())) else {
            return Err(bad(format!("`{renamed}` is not of the form `NAME=NEW`")));
        };
        let found = self.find(symbol, false)?;
        let Thing::Symbol(named) = found[0].thing else { return Err(bad(format!("`{symbol}` is a module"))) };
        let site = self.overloads(symbol, named)?.chosen;
        let Some(own) = self.resolve(|resolver| resolver.parameters(site)) else {
            return Err(bad(format!("`{symbol}` has no list of parameters")).hint("name a function or a method"));
        };
        let place = self.resolve(|resolver| {
            let tree = resolver.tree(site.file)?;
            let (table, scopes) = (tree.table(), Scopes::new(tree));
            let mut lists =
                own.all.iter().map(|parameter| table.range(parameter.node.index(), table.subtree_end(parameter.node)));
            let name =
                lists.find_map(|mut nodes| nodes.find(|&node| scopes.binds(node) && *tree.node_text(node) == *old))?;
            let start = tree.start(name);
            Some(format!("{}:{}:{}", resolver.project().file(site.file).path, start.line, start.col()))
        });
        let place = place.ok_or_else(|| no_parameter(old, own.all.iter()))?;
        let request = Rename { symbol: place, to: new.to_owned(), ..Rename::default() };
        self.plan_rename(&request, options)
    }

    /// Changes the functions, and those that override them or that they override.
    fn change_definitions(
        &self,
        overloads: &Overloads,
        names: &[String],
        change: &SignatureChange,
        found: &mut Collected,
    ) {
        for &function in &overloads.changed {
            let parameters = self.resolve(|resolver| resolver.parameters(function));
            // Where types tell that it overrides another one, the names are its own.
            let fits = |parameters: &Parameters| overloads.is_by_types() || plain_names(parameters) == names;
            let Some(parameters) = parameters.filter(fits) else {
                found.left.push(self.definition_row(function, "it has other parameters"));
                continue;
            };
            let (changed, doubt) = self.resolve(|resolver| {
                let Some(tree) = resolver.tree(function.file) else { return (Ok(ListChanges::default()), None) };
                let changed = change_parameters(tree, &parameters, change);
                let doubt = changed.as_ref().ok().and_then(|changed| match order::reads_others(tree, changed, names) {
                    true => Some("a default value reads another parameter".to_owned()),
                    false => order::doubt(resolver, tree, function.file, changed, "default value"),
                });
                let doubt = doubt.or_else(|| order::end_of_removed(tree, &parameters, change));
                let definition = resolver.definition_node(function);
                let doubt = doubt.or_else(|| order::plain_alone(tree, definition, change));
                (changed, doubt)
            });
            found.risks.extend(doubt.map(|why| self.definition_row(function, &why)));
            match changed {
                Ok(changed) => found.add(function.file, changed),
                Err(why) => found.left.push(self.definition_row(function, why)),
            }
        }
    }

    /// Where one of the functions calls the one that it overrides, without its name.
    fn calls_of_overridden(&self, functions: &[Site]) -> Vec<PlaceRow> {
        let mut rows = Vec::new();
        for &function in functions {
            let found = self.resolve(|resolver| {
                let tree = resolver.tree(function.file)?;
                let (table, types) = (tree.table(), &tree.language().spec().references.overridden_calls);
                let definition = resolver.definition_node(function).filter(|_| !types.is_empty())?;
                let mut nodes = table.range(definition.index(), table.subtree_end(definition));
                // Alone, it passes on the parameters as they are.
                let has_arguments = |node: Node| {
                    let call = table.parent(node);
                    call.is_some_and(|call| tree.language().spec().args.of(table.type_id(call)).is_some())
                };
                let is_call = |&node: &Node| types.contains(table.type_id(node)) && has_arguments(node);
                nodes.find(is_call).map(|node| tree.span(node).start())
            });
            let why = "this calls the function that is overridden".to_owned();
            rows.extend(found.map(|start| self.place_row(function.file, start, why)));
        }
        rows
    }

    /// A class whose values code takes apart by the places of its parameters, if these change.
    fn values_taken_apart(&self, site: Site, change: &SignatureChange, count: usize) -> Option<PlaceRow> {
        if matches!(change, SignatureChange::Add { at, value: None, .. } if *at == count) {
            return None;
        }
        let start = self.resolve(|resolver| {
            let tree = resolver.tree(site.file)?;
            let words = &tree.language().spec().references.taken_apart;
            let class = tree.table().ancestors(site.name).find(|&at| tree.name_node(at) == Some(site.name))?;
            let is_one = tree.modifiers(class).iter().any(|word| words.iter().any(|known| *known == **word));
            is_one.then(|| tree.span(site.name).start())
        })?;
        Some(self.place_row(
            site.file,
            start,
            "its values may be taken apart by the places of its parameters".to_owned(),
        ))
    }

    /// Where functions use a parameter that goes.
    fn find_uses(&self, changed: &[Site], at: usize, found: &mut Collected) -> Result<(), EngineError> {
        for &function in changed {
            let parameter = self.resolve(|resolver| {
                let own = plain_names(&resolver.parameters(function)?);
                resolver.parameter_named(function, own.get(at)?)
            });
            let Some(parameter) = parameter else { continue };
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
                    let why = "the function uses it".to_owned();
                    found.left.push(self.place_row(reference.file, reference.start, why));
                }
            }
        }
        Ok(())
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
                let why = match kind {
                    StringKind::Access => "a call names a member by this string",
                    StringKind::Callable { .. } => "a string that may name it for a call",
                    _ => continue,
                };
                rows.push(self.place_row(file, span.start(), why.to_owned()));
            }
        }
        Ok(rows)
    }

    /// Where functions read all their arguments, whatever their parameters are called.
    fn readers_of_arguments(&self, functions: &[Site], is_safe: bool) -> Vec<PlaceRow> {
        let mut rows = Vec::new();
        for &function in functions {
            let found = self.resolve(|resolver| resolver.reader_of_arguments(function, !is_safe));
            rows.extend(found.map(|(start, word)| {
                let why = format!("`{word}` may read all arguments of the function");
                self.place_row(function.file, start, why)
            }));
        }
        rows
    }

    /// Lines of documentation that are run as code and name the functions.
    fn calls_in_documentation(&self, family: &[Site]) -> Result<Vec<PlaceRow>, EngineError> {
        let Some(name) = family.first().and_then(|&site| self.resolve(|resolver| resolver.name_of(site))) else {
            return Ok(Vec::new());
        };
        let found = self.look_at_text(&name, |resolver, file| {
            let places = resolver.run_documentation(file, &name);
            places.into_iter().map(|(start, what)| (file, start, what)).collect()
        })?;
        let row = |(file, start, what)| self.place_row(file, start, format!("a {what} may call it here"));
        Ok(found.into_iter().map(row).collect())
    }

    /// What the request asks for.
    fn signature_change(
        &self,
        request: &ChangeSignature,
        site: Site,
        own: &Parameters,
    ) -> Result<SignatureChange, EngineError> {
        let bad = EngineError::bad_request;
        let parameters: Vec<_> = own.all.iter().filter(|parameter| !parameter.is_receiver).collect();
        // Before those that take any number of arguments, and those that calls only name.
        let last = parameters.iter().position(|parameter| parameter.is_rest).unwrap_or(parameters.len());
        let place = |name: &str| {
            let at =
                parameters.iter().position(|parameter| parameter.name.as_deref() == Some(name) && !parameter.is_rest);
            at.ok_or_else(|| no_parameter(name, parameters.iter().copied()))
        };
        match (given(&request.add), given(&request.remove), given(&request.keyword_only)) {
            (Some(parameter), ..) => {
                let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '$';
                let first: String = parameter.chars().take_while(|&letter| is_letter(letter)).collect();
                if first.is_empty() && !parameter.starts_with('@') {
                    return Err(bad(format!("`{parameter}` does not begin with a name")));
                }
                let before = own.all.len() - parameters.len();
                let read = self.resolve(|resolver| {
                    name_of_new(
                        resolver.tree(site.file)?,
                        own,
                        before + request.at.map_or(last, |at| at.saturating_sub(1)),
                        parameter,
                    )
                });
                let name = read.unwrap_or(first);
                if parameters.iter().any(|known| known.name.as_ref() == Some(&name)) {
                    return Err(bad(format!("parameter `{name}` already exists")));
                }
                let at = request.at.map_or(last, |at| at.saturating_sub(1));
                if at > last {
                    return Err(bad(format!("there are {} parameters before which it can be", last)));
                }
                let default = default_at(parameter).map(|at| parameter[at + 1..].trim().to_owned());
                let is_optional = default.is_some()
                    || parameter.strip_prefix(name.as_str()).is_some_and(|rest| rest.starts_with('?'));
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
                Ok(SignatureChange::Add { parameter: parameter.to_owned(), name, at, value })
            }
            (None, Some(name), _) => Ok(SignatureChange::Remove { name: name.to_owned(), at: place(name)? }),
            (None, None, None) => {
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
            (None, None, Some(name)) => {
                let sign = self
                    .resolve(|resolver| resolver.tree(site.file)?.language().spec().references.name_only_sign.clone());
                let Some(sign) = sign else {
                    return Err(bad("its language has no sign before parameters that calls have to name".to_owned()));
                };
                let at = place(name)?;
                if at > last {
                    return Err(bad(format!("calls pass `{name}` by its name only, already")));
                }
                Ok(SignatureChange::NameOnly { name: name.to_owned(), at, sign })
            }
        }
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
        Risk::File | Risk::Taken(_) | Risk::OfAll(_) | Risk::Twin | Risk::Hidden | Risk::Listed | Risk::Named(_) => {
            None
        }
    }
}

/// The names of parameters, without the object of a method.
fn plain_names(parameters: &Parameters) -> Vec<String> {
    let own = parameters.all.iter().filter(|parameter| !parameter.is_receiver);
    own.map(|parameter| parameter.name.clone().unwrap_or_default()).collect()
}

/// A field of a request that is filled in; some programs send empty ones.
fn given(field: &Option<String>) -> Option<&str> {
    field.as_deref().filter(|text| !text.is_empty())
}

/// The error about a parameter that a function does not have.
fn no_parameter<'p>(name: &str, parameters: impl Iterator<Item = &'p Parameter>) -> EngineError {
    let names: Vec<&str> = parameters.filter_map(|parameter| parameter.name.as_deref()).collect();
    let error = EngineError::bad_request(format!("no parameter `{name}`"));
    match names.as_slice() {
        [] => error,
        names => error.hint(format!("there are {}", names.join(", "))),
    }
}

/// Adds where the names in elements are that are in the places of others.
fn follow(followed: &mut Followed, file: FileId, (tree, edits): (&Tree, &EditSet), moved: &[MovedElement]) {
    let edits: Vec<(Span, Span)> = edits.iter().map(|edit| edit.span).zip(edits.new_spans()).collect();
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
