//! What changes when methods of a class go to a class of their own.

use std::collections::BTreeMap;

use heck::ToSnakeCase;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::edit::TextChange;
use crate::gates::{Followed, Transferred};
use crate::modules::FileId;
use crate::reader::document::limits;
use crate::refactor::plan::{OneStep, Planned};
use crate::refactor::{ClassPart, PartMethod, PartState, only_sets, split_class, splits_classes};
use crate::request::error::{EngineError, ErrorCode, PlaceRow};
use crate::request::refactor::{RefactorOptions, SplitClass};
use crate::symbols::{Site, Thing};
use crate::text::Span;
use crate::tree::{Node, Tree};
use crate::workspace::files::Workspace;

/// A class whose methods go to another one.
struct Splitting<'a> {
    file: FileId,
    tree: &'a Tree,
    class: Site,
    class_name: String,
    body: Node,
    /// The methods, in the order of the text, with their definitions.
    methods: Vec<(Site, Node, String)>,
}

impl OneStep for SplitClass {
    fn step(&self, workspace: &Workspace<'_>, options: &RefactorOptions) -> Result<Planned, EngineError> {
        workspace.plan_class_split(self, options)
    }

    fn documented_names(&self, workspace: &Workspace<'_>) -> Result<Vec<String>, EngineError> {
        Ok(workspace.documented_names_of(&self.symbol))
    }
}

impl Workspace<'_> {
    /// Plans a new class for methods of a class and the variables of its objects that only they need to be made.
    ///
    /// # Errors
    /// If the methods need what stays, or if a place may use what goes in a way that cannot be followed.
    pub(crate) fn plan_class_split(
        &self,
        request: &SplitClass,
        options: &RefactorOptions,
    ) -> Result<Planned, EngineError> {
        let bad = EngineError::bad_request;
        let name = request.to.as_str();
        if request.symbol.is_empty() || name.is_empty() || request.members.is_empty() {
            return Err(bad("splitting a class takes the class, its methods and the name of the new class".to_owned()));
        }
        let Thing::Symbol(class) = self.find(&request.symbol, false)?[0].thing else {
            return Err(bad(format!("`{}` is not a class", request.symbol)));
        };
        let file = class.file;
        let language = self.project.file(file).language;
        if !splits_classes(language) {
            let message = format!("splitting classes is not supported in {} yet", language.name());
            return Err(EngineError::new(ErrorCode::UnsupportedLanguage, message));
        }
        let Some(tree) = self.resolve(|resolver| resolver.tree(file).cloned()) else {
            return Err(EngineError::new(ErrorCode::Internal, "a file of the project could not be parsed"));
        };
        let tree = &tree;
        let table = tree.table();
        if self.resolve(|resolver| resolver.has_binding_at_top(file, name)) {
            return Err(bad(format!("`{}` has another `{name}`", self.shown(file))).hint("choose another name"));
        }
        let refused =
            |node: Node, why: &str| Err::<(), _>(self.split_refusal(name, file, tree.span(node).start(), why));
        let definition = self.resolve(|resolver| resolver.definition_node(class));
        let is_at_top = |node: Node| !table.ancestors(node).filter(|&up| up != Node::ROOT).any(|up| tree.is_scope(up));
        let (Some(definition), Some(body)) = (
            definition.filter(|&definition| is_at_top(definition)),
            definition.and_then(|definition| tree.body(definition)),
        ) else {
            return Err(self.split_refusal(
                name,
                file,
                tree.span(class.name).start(),
                "it is not a class at the top of the file",
            ));
        };
        let class_name = tree.node_text(class.name).into_owned();
        let holder = format!("_{}", name.to_snake_case());
        let below = self.classes_below(&[class])?;
        let taken = self.resolve(|resolver| {
            let all = std::iter::once(class).chain(below.iter().map(|below| below.class));
            all.filter_map(|class| resolver.found_member(class, &holder)).next()
        });
        if let Some(taken) = taken {
            let start = self.resolve(|resolver| resolver.tree(taken.file).map(|tree| tree.span(taken.name).start()));
            let why = format!("`{holder}` would be the variable for the new object, and is a member already");
            return Err(self.split_refusal(name, taken.file, start.unwrap_or(0), &why).hint("choose another name"));
        }
        // The methods.
        let mut methods: Vec<(Site, Node, String)> = Vec::new();
        let mut risks: Vec<PlaceRow> = Vec::new();
        for member in &request.members {
            let site = self.resolve(|resolver| resolver.member_of_class(class, member));
            let Some(site) = site.filter(|site| site.file == file) else {
                refused(class.name, &format!("it does not define `{member}`"))?;
                continue;
            };
            let method = self.resolve(|resolver| resolver.definition_node(site));
            let Some(method) = method.filter(|&method| table.parent(method) == Some(body)) else {
                refused(site.name, &format!("`{member}` is not a method without decorators in the body of the class"))?;
                continue;
            };
            let receives = self.resolve(|resolver| {
                let parameters = resolver.parameters(site);
                parameters.is_some_and(|all| all.all.first().is_some_and(|first| first.is_receiver))
            });
            let names = &tree.language().spec().references;
            let has_meaning = names.is_special(member)
                || names.is_class_private(member)
                || self.resolve(|resolver| resolver.is_constructor(site));
            if !receives || has_meaning || tree.body(method).is_none() {
                refused(site.name, &format!("`{member}` is not a method that can be passed on"))?;
            }
            let bound = self.resolve(|resolver| resolver.bound_in(file, tree.span(method)));
            if bound != 1 {
                refused(site.name, &format!("`{member}` has several definitions"))?;
            }
            for other in &below {
                if let Some(own) = self.resolve(|resolver| resolver.member_of_class(other.class, member)) {
                    let start =
                        self.resolve(|resolver| resolver.tree(own.file).map(|tree| tree.span(own.name).start()));
                    let why = format!("it overrides `{member}`, and the new class would not call it");
                    risks.push(self.place_row(own.file, start.unwrap_or(0), why));
                }
            }
            if !methods.iter().any(|(known, ..)| *known == site) {
                methods.push((site, method, member.clone()));
            }
        }
        for start in self.resolve(|resolver| resolver.tables_in(file, body)) {
            risks.push(self.place_row(file, start, "this reads the members of an object as a table".to_owned()));
        }
        methods.sort_by_key(|(_, method, _)| tree.span(*method).start());
        let splitting = Splitting { file, tree, class, class_name, body, methods };
        let fields = self.needed_fields(name, &splitting)?;
        let state = self.part_state(name, &splitting, &fields)?;
        // Every use of the variables, in all files.
        let moved: Vec<Span> = splitting
            .methods
            .iter()
            .map(|(_, method, _)| tree.span(tree.body(*method).unwrap_or(*method)))
            .chain(state.statements.iter().map(|&statement| tree.span(statement)))
            .collect();
        let is_moved = |of: FileId, span: Span| of == file && moved.iter().any(|moved| moved.contains(span));
        let mut inserted: BTreeMap<FileId, Vec<(Span, Span)>> = BTreeMap::new();
        let mut left: Vec<PlaceRow> = Vec::new();
        let (mut certain, mut included) = (0, 0);
        let mut followed = Followed::default();
        for (site, field) in &fields {
            let family = self.family(*site)?;
            if let Some(other) = family.iter().find(|other| *other != site) {
                let start =
                    self.resolve(|resolver| resolver.tree(other.file).map(|tree| tree.span(other.name).start()));
                let why = format!("another class of the family has its own `{field}`");
                return Err(self.split_refusal(name, other.file, start.unwrap_or(0), &why));
            }
            let references = self.references(&[Thing::Symbol(*site)])?;
            let subject = self.subject(family, &references)?;
            let uses = self.subject_uses(options.strings, &subject, &references)?;
            certain += uses.certain;
            for (of, spans) in uses.places {
                for span in spans {
                    followed.members.insert((of, span.start()));
                    if is_moved(of, span) {
                        continue;
                    }
                    if self.is_documentation(of) {
                        let why = format!("documentation that is run as code uses `{field}`");
                        return Err(self.split_refusal(name, of, span.start(), &why));
                    }
                    let Some(access) = self.access_around(of, span) else {
                        let why = format!("it names `{field}` without a receiver");
                        return Err(self.split_refusal(name, of, span.start(), &why));
                    };
                    inserted.entry(of).or_default().push((span, access));
                }
            }
            for doubt in uses.doubts {
                let is_name = doubt.span.len() == field.len() && !doubt.is_remark;
                let access = self.access_around(doubt.file, doubt.span).filter(|_| is_name);
                let row = doubt.row;
                match access.filter(|_| self.includes(options, &row.path, row.line, row.col)) {
                    Some(access) => {
                        included += 1;
                        inserted.entry(doubt.file).or_default().push((doubt.span, access));
                    }
                    None => left.push(row),
                }
            }
            risks.extend(self.risk_rows(&subject, &holder));
        }
        left.extend(self.unread());
        self.refuse_uncertain(options, &format!("cannot split `{}`", splitting.class_name), risks, &left)?;
        let part_methods = self.part_methods(&splitting);
        let part = ClassPart { definition, name, holder: &holder, methods: part_methods, state };
        let done = split_class(tree, &part);
        let insertion = |&(span, extent): &(Span, Span)| TextChange {
            span: Span::at(span.start()),
            text: format!("{holder}."),
            extent,
        };
        let limits = limits(&options.reading);
        let mut files = Vec::new();
        let mut changes = done.changes;
        changes.extend(inserted.remove(&file).iter().flatten().map(insertion));
        changes.sort_by_key(|change| (change.span.start(), change.span.end()));
        let ops: Vec<_> = done.op.into_iter().collect();
        let Some(changed) = self.changed_file(file, &ops, &changes, &limits)? else {
            return Err(EngineError::new(ErrorCode::Internal, "nothing changes"));
        };
        let new_text = changed.2.tree.text().to_string();
        let Some(start) = new_text.find(done.code.trim_end()) else {
            return Err(EngineError::new(ErrorCode::Internal, "the new class was not found in the new text"));
        };
        files.push(changed);
        for (of, spans) in &inserted {
            let changes: Vec<TextChange> = spans.iter().map(insertion).collect();
            files.extend(self.changed_file(*of, &[], &changes, &limits)?);
        }
        let transferred: Vec<Transferred> =
            done.moved.iter().map(|&(span, at)| Transferred { file, span, to: file, start: start + at }).collect();
        followed.inside.extend(done.copied.iter().map(|&(old, at)| ((file, old), (file, start + at))));
        self.resolve(|resolver| {
            for &span in &moved {
                let inside = table.nodes().filter(|&node| span.contains(tree.span(node)));
                let members =
                    inside.filter(|&node| table.children(node).next().is_none() && !resolver.is_plain_name(file, node));
                followed.members.extend(members.map(|node| (file, tree.span(node).start())));
            }
        });
        let definitions =
            self.resolve(|resolver| resolver.describe(Thing::Symbol(splitting.class)).into_iter().collect());
        let mut words: Vec<String> = request.members.clone();
        words.extend(fields.into_iter().map(|(_, field)| field));
        words.extend([name.to_owned(), holder]);
        Ok(Planned {
            definitions,
            files,
            words,
            deletes: true,
            followed: vec![followed],
            counts: (certain + request.members.len(), included),
            left,
            transferred,
            ..Planned::default()
        })
    }

    /// The access to a member around its name.
    fn access_around(&self, file: FileId, name: Span) -> Option<Span> {
        self.resolve(|resolver| {
            let tree = resolver.tree(file)?;
            let node = tree.table().smallest_around(name);
            let access = resolver.is_accessed(file, node).then(|| tree.table().parent(node)).flatten();
            access.map(|access| tree.span(access))
        })
    }

    /// Why a class is not split, with the place.
    fn split_refusal(&self, name: &str, file: FileId, start: usize, why: &str) -> EngineError {
        let row = self.place_row(file, start, why.to_owned());
        let message = format!("cannot make `{name}`: {}:{}:{}: {why}", row.path, row.line, row.col);
        let mut error = EngineError::bad_request(message);
        error.details.places = vec![row];
        error
    }

    /// The variables of objects that the methods use.
    ///
    /// # Errors
    /// If they use something else of the object that stays.
    fn needed_fields(&self, name: &str, splitting: &Splitting<'_>) -> Result<Vec<(Site, String)>, EngineError> {
        let &Splitting { file, tree, class, .. } = splitting;
        let mut fields: FxHashMap<Site, String> = FxHashMap::default();
        for (_, method, _) in &splitting.methods {
            let body = tree.body(*method).unwrap_or(*method);
            for used in self.resolve(|resolver| resolver.own_uses(file, body)) {
                let refusal = |node: Node, why: &str| Err(self.split_refusal(name, file, tree.span(node).start(), why));
                let Some(member) = used.member else {
                    return refusal(used.object, "the object itself is used, and would have only the moved members");
                };
                let text = tree.node_text(member).into_owned();
                if splitting.methods.iter().any(|(_, _, moved)| *moved == text) {
                    continue;
                }
                let site = self.resolve(|resolver| resolver.member_of_class(class, &text));
                let Some(site) = site.filter(|site| site.file == file) else {
                    return refusal(member, &format!("`{}` does not define `{text}` itself", splitting.class_name));
                };
                let owner = self.resolve(|resolver| resolver.owner(file, site.name));
                let is_in_method = owner != Thing::Symbol(class);
                let is_method = self.resolve(|resolver| {
                    resolver.definition_node(site).is_some_and(|definition| tree.is_scope(definition))
                });
                if tree.language().spec().references.is_class_private(&text) {
                    return refusal(member, "this name is private to its class");
                }
                if !is_in_method || is_method {
                    let why =
                        format!("`{text}` stays in `{}`; name it, too, or leave this method", splitting.class_name);
                    return refusal(member, &why);
                }
                fields.insert(site, text);
            }
        }
        let mut fields: Vec<(Site, String)> = fields.into_iter().collect();
        fields.sort_by_key(|(site, _)| tree.span(site.name).start());
        Ok(fields)
    }

    /// The statements of the constructor that make the variables.
    ///
    /// # Errors
    /// If the class has no constructor, or a variable is made in a way that cannot move.
    fn part_state(
        &self,
        name: &str,
        splitting: &Splitting<'_>,
        fields: &[(Site, String)],
    ) -> Result<PartState, EngineError> {
        let &Splitting { file, tree, class, body, .. } = splitting;
        let table = tree.table();
        let refusal = |node: Node, why: &str| self.split_refusal(name, file, tree.span(node).start(), why);
        let constructor = table.children(body).find_map(|method| {
            let site = Site { file, name: tree.name_node(method)? };
            let receives = |resolver: &crate::symbols::Resolver<'_>| {
                let all = resolver.parameters(site)?.all;
                all.first().filter(|first| first.is_receiver).map(|first| first.node)
            };
            let object =
                self.resolve(|resolver| if resolver.is_constructor(site) { receives(resolver) } else { None })?;
            Some((site, method, object))
        });
        let Some((site, constructor, object)) = constructor else {
            let why = format!("`{}` has no constructor that could make the new object", splitting.class_name);
            return Err(refusal(class.name, &why).hint("give it one first"));
        };
        let Some(code) = tree.body(constructor) else { return Err(refusal(constructor, "it has no body")) };
        let all: Vec<Node> = tree.named_children(code).filter(|&node| !tree.is_comment(node)).collect();
        let is_field = |node: Node| fields.iter().any(|(_, field)| *field == *tree.node_text(node));
        let is_moved_method =
            |node: Node| splitting.methods.iter().any(|(_, _, method)| *method == *tree.node_text(node));
        let mut statements: Vec<Node> = Vec::new();
        let mut locals: Vec<(String, Node)> = Vec::new();
        let mut made: FxHashSet<String> = FxHashSet::default();
        let mut is_contiguous = true;
        for &statement in &all {
            let uses = self.resolve(|resolver| resolver.own_uses(file, statement));
            let sets: Vec<Node> = uses
                .iter()
                .filter_map(|used| used.member)
                .filter(|&member| self.resolve(|resolver| resolver.sets_member(file, member)))
                .collect();
            let is_first_place = |member: Node| {
                let start = tree.span(statement).start();
                table.ancestors(member).take(3).any(|up| tree.span(up).start() == start)
            };
            let used_locals = self.resolve(|resolver| resolver.local_uses(file, constructor, statement));
            let first = statements.first().copied().unwrap_or(statement);
            let are_bound = used_locals
                .iter()
                .all(|local| local.binders.iter().all(|&binder| tree.span(binder).start() < tree.span(first).start()));
            // A field gets a value that has nothing of the object but what goes, too.
            let goes = match sets[..] {
                [member] if is_field(member) && is_first_place(member) => {
                    uses.len() == 1 && are_bound && (is_contiguous || only_sets(tree, statement, member))
                }
                _ => false,
            };
            if goes {
                made.insert(tree.node_text(sets[0]).into_owned());
                for local in used_locals {
                    if let Some(&binder) = local.binders.first()
                        && !locals.iter().any(|(known, _)| *known == local.name)
                    {
                        locals.push((local.name, binder));
                    }
                }
                statements.push(statement);
            } else {
                is_contiguous = statements.is_empty();
                let early = uses.iter().filter_map(|used| used.member).find(|&member| is_moved_method(member));
                if let Some(member) = early.filter(|_| statements.is_empty() && !fields.is_empty()) {
                    return Err(refusal(member, "it is called before the variables of the new object are made"));
                }
            }
        }
        let is_made_by_method = |site: &Site| {
            let start = tree.span(site.name).start();
            splitting.methods.iter().any(|(_, method, _)| tree.span(*method).contains(Span::at(start)))
        };
        if let Some((site, field)) =
            fields.iter().find(|(site, field)| !made.contains(field) && !is_made_by_method(site))
        {
            let why = format!("`{field}` gets its value in a way that cannot move to another constructor");
            return Err(refusal(site.name, &why));
        }
        let parameters = self.resolve(|resolver| resolver.parameters(site)).map(|all| all.all).unwrap_or_default();
        let parameters = locals
            .into_iter()
            .map(|(local, binder)| {
                // With its type, without its default.
                let declared = parameters.iter().find(|parameter| parameter.name.as_deref() == Some(&local));
                let declared = declared.filter(|parameter| !parameter.is_rest).map(|parameter| {
                    let text = tree.node_text(parameter.node).into_owned();
                    let end = tree
                        .named_children(parameter.node)
                        .filter(|&part| tree.span(part).start() > tree.span(binder).start())
                        .find(|&part| {
                            let between = Span::new(tree.span(binder).end(), tree.span(part).start());
                            tree.text().slice(between).trim() == ":"
                        });
                    end.map_or(local.clone(), |end| {
                        text[..tree.span(end).end() - tree.span(parameter.node).start()].to_owned()
                    })
                });
                (declared.unwrap_or_else(|| local.clone()), local, binder)
            })
            .collect();
        // Without state, the object is made first of all, behind what documents the constructor.
        let docstring = tree.docstring(constructor);
        let is_code = |statement: &Node| docstring.is_none_or(|doc| !tree.span(*statement).contains(tree.span(doc)));
        let before = all.iter().copied().find(is_code);
        let text = tree.node_text(object).into_owned();
        let name = text.split(':').next().unwrap_or_default().trim().to_owned();
        Ok(PartState { statements, object: (name, object), parameters, before })
    }

    /// What the methods pass on.
    fn part_methods(&self, splitting: &Splitting<'_>) -> Vec<PartMethod> {
        let tree = splitting.tree;
        let mut methods = Vec::new();
        for (site, definition, name) in &splitting.methods {
            let parameters = self.resolve(|resolver| resolver.parameters(*site)).map(|all| all.all).unwrap_or_default();
            let mut arguments: Vec<String> = Vec::new();
            let mut names = vec![site.name];
            let mut object = String::new();
            let mut by_name = false;
            for parameter in &parameters {
                let Some(own) = &parameter.name else {
                    by_name |= parameter.is_separator;
                    continue;
                };
                let nodes = std::iter::once(parameter.node).chain(tree.table().descendants(parameter.node));
                let mut leaves = nodes.filter(|&node| tree.table().children(node).next().is_none());
                let binder = leaves.find(|&node| *tree.node_text(node) == **own);
                names.extend(binder);
                if parameter.is_receiver {
                    object.clone_from(own);
                } else if parameter.is_rest {
                    let start = tree.span(parameter.node).start();
                    let sign = Span::new(start, binder.map_or(start, |binder| tree.span(binder).start()));
                    arguments.push(format!("{}{own}", tree.text().slice(sign)));
                    by_name = true;
                } else if by_name {
                    arguments.push(format!("{own}={own}"));
                } else {
                    arguments.push(own.clone());
                }
            }
            let arguments = arguments.join(", ");
            methods.push(PartMethod { definition: *definition, name: name.clone(), object, arguments, names });
        }
        methods
    }
}
