//! What changes when members of classes go to a new base.

use crate::flow::Flow;
use crate::gates::{Followed, Transferred};
use crate::reader::document::limits;
use crate::refactor::plan::{OneStep, Planned};
use crate::refactor::{Heir, extract_base, makes_bases};
use crate::request::error::{EngineError, ErrorCode, PlaceRow};
use crate::request::refactor::{ExtractBase, RefactorOptions};
use crate::symbols::{Site, Thing};
use crate::text::Span;
use crate::tree::{Node, Tree};
use crate::workspace::files::Workspace;

impl OneStep for ExtractBase {
    fn step(&self, workspace: &Workspace<'_>, options: &RefactorOptions) -> Result<Planned, EngineError> {
        workspace.plan_base(self, options)
    }
}

impl Workspace<'_> {
    /// A node of a member that means something else in another class, or is evaluated once then, and why.
    fn stays_with_class(&self, tree: &Tree, class: Node, member: Node) -> Option<(Node, &'static str)> {
        let (flow, table) = (Flow::new(tree), tree.table());
        let nodes = || table.range(member.index(), table.subtree_end(member));
        let words = &flow.rules.class_words;
        let is_class_word = |&node: &Node| {
            flow.scopes.classify(node).is_some() && words.iter().any(|word| *word == *tree.node_text(node))
        };
        if let Some(node) = nodes().find(is_class_word) {
            return Some((node, "this name means the class that has the member"));
        }
        let first = nodes().find(|&node| tree.is_scope(node));
        if let Some(function) = first {
            let keeping = &tree.language().spec().symbols.decorators.keeping;
            let keeps = |&decorator: &Node| {
                let word = tree.decorator_word(decorator);
                keeping.iter().any(|known| Some(known.as_str()) == word.rsplit('.').next())
            };
            if let Some(decorator) = tree.decorators(function).into_iter().find(keeps) {
                return Some((decorator, "the classes would share what the decorator keeps"));
            }
            let lists = tree.language().spec().params.of(table.type_id(function)).map(|count| &count.at);
            let lists = lists.into_iter().flatten().flat_map(|path| tree.reached(function, path));
            let made = lists.map(|list| flow.traits(list)).find_map(|traits| traits.effect.or(traits.makes));
            return made.map(|node| (node, "the classes would share the default value that is made here"));
        }
        if let Some(decorator) = tree.decorators(class).first() {
            return Some((*decorator, "the decorator may use the variables of the class in their order"));
        }
        let is_list = |node: &Node| {
            let lists = &tree.language().spec().symbols.members.lists;
            flow.scopes.is_identifier(*node) && lists.iter().any(|list| *list == *tree.node_text(*node))
        };
        if let Some(node) = nodes().find(is_list) {
            return Some((node, "the list counts for the class that has it"));
        }
        let value = nodes().find_map(|holder| {
            let rule = flow.rules.declares.of(table.type_id(holder))?;
            tree.reached(holder, &rule.value).first().copied()
        })?;
        let traits = flow.traits(value);
        if let Some(node) = traits.effect.or(traits.makes).or(traits.state) {
            return Some((node, "the classes would share the value that is made here"));
        }
        let variables = flow.variables(table.range(value.index(), table.subtree_end(value)));
        let changing = variables.iter().find(|variable| variable.uses.iter().filter(|one| one.writes).count() > 1);
        let of = changing?.uses.iter().find(|one| table.is_within(one.node, value))?;
        Some((of.node, "the variable may have another value where the other class reads it"))
    }

    /// Plans a base for members that classes of one file have in common.
    ///
    /// # Errors
    /// If a class lacks a member or has another one, or a base outside of the project may need the members where they are.
    pub(crate) fn plan_base(&self, request: &ExtractBase, options: &RefactorOptions) -> Result<Planned, EngineError> {
        let bad = EngineError::bad_request;
        let name = request.to.as_str();
        if request.symbol.is_empty() || name.is_empty() || request.members.is_empty() {
            return Err(bad("extracting a base takes classes, members and the name of the base".to_owned()));
        }
        let mut classes: Vec<Site> = Vec::new();
        for symbol in std::iter::once(&request.symbol).chain(&request.symbols) {
            let Thing::Symbol(site) = self.find(symbol, false)?[0].thing else {
                return Err(bad(format!("`{symbol}` is not a class")));
            };
            if !classes.contains(&site) {
                classes.push(site);
            }
        }
        let file = classes[0].file;
        if let Some(other) = classes.iter().find(|class| class.file != file) {
            let message =
                format!("the classes are in two files: `{}` and `{}`", self.shown(file), self.shown(other.file));
            return Err(bad(message).hint("move them to one file first"));
        }
        let language = self.project.file(file).language;
        if !makes_bases(language) {
            let message = format!("extracting a base is not supported in {} yet", language.name());
            return Err(EngineError::new(ErrorCode::UnsupportedLanguage, message));
        }
        let Some(tree) = self.resolve(|resolver| resolver.tree(file).cloned()) else {
            return Err(EngineError::new(ErrorCode::Internal, "a file of the project could not be parsed"));
        };
        classes.sort_by_key(|class| tree.span(class.name).start());
        let refused = |start: usize, why: &str| {
            let row = self.place_row(file, start, why.to_owned());
            let message = format!("cannot make `{name}`: {}:{}:{}: {why}", row.path, row.line, row.col);
            let mut error = EngineError::bad_request(message);
            error.details.places = vec![row];
            error
        };
        if self.resolve(|resolver| resolver.has_binding_at_top(file, name)) {
            return Err(bad(format!("`{}` has another `{name}`", self.shown(file))).hint("choose another name"));
        }
        let table = tree.table();
        let mut heirs = Vec::new();
        let mut sites: Vec<Vec<Site>> = Vec::new();
        let mut risks: Vec<PlaceRow> = Vec::new();
        for &class in &classes {
            let start = tree.span(class.name).start();
            let definition = self.resolve(|resolver| resolver.definition_node(class));
            let is_at_top = |definition: Node| {
                !table.ancestors(definition).filter(|&up| up != Node::ROOT).any(|up| tree.is_scope(up))
            };
            let Some(definition) = definition.filter(|&definition| is_at_top(definition)) else {
                return Err(refused(start, "it is not a class at the top of the file"));
            };
            let Some(body) = tree.body(definition) else { return Err(refused(start, "it has no body")) };
            let lists = &language.spec().symbols.members.lists;
            let list = self.resolve(|resolver| lists.iter().find_map(|list| resolver.member_of_class(class, list)));
            if let Some(list) = list.filter(|list| list.file == file) {
                let why = format!("the base would have no `{}`", tree.node_text(list.name));
                return Err(refused(tree.span(list.name).start(), &why));
            }
            let mut members = Vec::new();
            let mut own = Vec::new();
            for member in &request.members {
                let site = self.resolve(|resolver| resolver.member_of_class(class, member));
                let statement = site.filter(|site| site.file == file).and_then(|site| {
                    let mut ups = std::iter::once(site.name).chain(table.ancestors(site.name));
                    ups.find(|&up| table.parent(up) == Some(body))
                });
                let (Some(site), Some(statement)) = (site, statement) else {
                    return Err(refused(start, &format!("it does not define `{member}` in its body")));
                };
                let bound = self.resolve(|resolver| resolver.bound_in(file, tree.span(statement)));
                if bound != 1 {
                    let why =
                        format!("`{member}` has several definitions, or its statement defines something else, too");
                    return Err(refused(tree.span(statement).start(), &why));
                }
                // A name of this kind has the name of its class in it.
                let is_private = |node: &Node| {
                    let text = tree.node_text(*node);
                    table.children(*node).next().is_none() && tree.language().spec().references.is_class_private(&text)
                };
                if let Some(node) = table.descendants(statement).find(is_private) {
                    return Err(refused(tree.span(node).start(), "this name is private to its class"));
                }
                if let Some((node, why)) = self.stays_with_class(&tree, definition, statement) {
                    return Err(refused(tree.span(node).start(), why));
                }
                let decorator = self.resolve(|resolver| {
                    let is_function = resolver.definition_node(site).is_some_and(|node| tree.is_scope(node));
                    resolver.registers(site).filter(|_| is_function)
                });
                if let Some(what) = decorator {
                    let why = format!("{what} may do something for each class that has it");
                    risks.push(self.place_row(file, tree.span(statement).start(), why));
                }
                for base in self.resolve(|resolver| resolver.unknown_bases(class, member)) {
                    let why = format!("`{base}` is outside of the project, and may look for `{member}` in this class");
                    risks.push(self.place_row(file, start, why));
                }
                members.push(statement);
                own.push(site);
            }
            heirs.push(Heir { definition, name: class.name, members });
            sites.push(own);
        }
        let things: Vec<Thing> = classes.iter().copied().map(Thing::Symbol).collect();
        for reference in self.references(&things)? {
            if self.resolve(|resolver| resolver.asks_for_table(reference.file, reference.node)) {
                let why = "the members or bases of the class are asked for here".to_owned();
                risks.push(self.place_row(reference.file, reference.start, why));
            }
        }
        let extracted =
            extract_base(&tree, &heirs, name).map_err(|(node, why)| refused(tree.span(node).start(), why))?;
        let left: Vec<PlaceRow> = self.unread();
        self.refuse_uncertain(options, &format!("cannot make `{name}`"), risks, &left)?;
        let limits = limits(&options.reading);
        let changed = self.changed_file(file, &extracted.ops, &extracted.changes.changes, &limits)?;
        let Some(changed) = changed else { return Err(bad("nothing changes".to_owned())) };
        let new_text = changed.2.tree.text().to_string();
        let Some(base) = new_text.find(extracted.code.trim_end()) else {
            return Err(EngineError::new(ErrorCode::Internal, "the base was not found in the new text"));
        };
        let transferred: Vec<Transferred> =
            extracted.moved.iter().map(|&(span, at)| Transferred { file, span, to: file, start: base + at }).collect();
        let now = |site: &Site| {
            let start = tree.span(site.name).start();
            let of = transferred.iter().find(|moved| moved.span.contains(Span::at(start)))?;
            Some((file, of.start + (start - of.span.start())))
        };
        let mut followed = Followed::default();
        for others in &sites[1..] {
            for (first, other) in sites[0].iter().zip(others) {
                let place = now(first);
                followed.outside.extend(place.map(|place| ((file, tree.span(other.name).start()), place)));
            }
        }
        // What an object has that is not in the base may be unknown there.
        followed.members = self.resolve(|resolver| {
            let is_member =
                |node: &Node| table.children(*node).next().is_none() && !resolver.is_plain_name(file, *node);
            let inside = heirs.iter().flat_map(|heir| &heir.members).flat_map(|&member| table.descendants(member));
            inside.filter(is_member).map(|node| (file, tree.span(node).start())).collect()
        });
        let definitions = self
            .resolve(|resolver| classes.iter().filter_map(|&class| resolver.describe(Thing::Symbol(class))).collect());
        let mut words = request.members.clone();
        words.push(name.to_owned());
        Ok(Planned {
            definitions,
            files: vec![changed],
            words,
            deletes: true,
            followed: vec![followed],
            counts: (extracted.changes.count, 0),
            left,
            transferred,
            ..Planned::default()
        })
    }
}
