//! All occurrences of a symbol's name, sorted by what they mean.

use crate::language::{ModuleScheme, Spaces};
use crate::naming::named_enum;
use rustc_hash::FxHashSet;

use super::inference::find::is_lasting;
use super::inference::resolver::{Resolver, View};
use super::model::{Meaning, Site, Thing};
use super::schemes::hash_keys::is_short;
use crate::modules::FileId;
use crate::scopes::imported;
use crate::text::Span;
use crate::tree::Node;

named_enum! {
    /// How an occurrence uses the name.
    #[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
    #[non_exhaustive]
    pub enum Role {
        /// Defines it.
        Definition = "definition",
        /// Calls it.
        Call = "call",
        /// Reads it.
        Read = "read",
        /// Assigns it.
        Write = "write",
        /// Imports it.
        Import = "import",
        /// Exports it.
        Export = "export",
        /// Extends it.
        Base = "base",
        /// Names it in a type annotation.
        Type = "type",
        /// Applies it as a decorator.
        Decorator = "decorator",
        /// Mentions it in a string or a comment, if these are asked for.
        Mention = "mention",
        /// Reaches it without its name as code: by a name that is made or a string, from a base outside of the project, by a tool.
        Dynamic = "dynamic",
    }
}

named_enum! {
    /// How sure it is that an occurrence means the symbol.
    pub enum Confidence {
        /// It does.
        Certain = "certain",
        /// Its name fits, and the type of the receiver is unknown.
        Candidate = "candidate",
        /// It cannot be said what it means.
        Undetermined = "undetermined",
        /// It means something else: another symbol of the project, or something outside.
        Elsewhere = "elsewhere",
    }
}

named_enum! {
    /// What says what a name means.
    #[non_exhaustive]
    pub enum Reason {
        /// Scopes: it is bound in the file, or nothing binds it.
        Scope = "scope",
        /// An import.
        Import = "import",
        /// The type of the receiver.
        Type = "type",
        /// An index by another program.
        Scip = "scip",
    }
}

/// An occurrence of a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Occurrence {
    /// The file.
    pub file: FileId,
    /// The name, or the string that contains it.
    pub node: Node,
    /// Where the name is.
    pub span: Span,
    /// What it does there.
    pub role: Role,
    /// Whether it means the symbol.
    pub confidence: Confidence,
    /// Whether it means a method that overrides the symbol, or that the symbol overrides.
    pub is_override: bool,
    /// The name that it binds, if it is in an import that gives it another one.
    pub alias: Option<String>,
    /// What says so.
    pub reason: Reason,
    /// What the files themselves say, if an index says something else.
    pub without_index: Option<Confidence>,
    /// How sure it would be if its code had no syntax error.
    pub without_error: Option<Confidence>,
}

/// What is looked for.
#[derive(Debug, Clone, Default)]
pub struct Target {
    /// The symbols, or modules.
    pub things: FxHashSet<Thing>,
    /// Methods that override them or that they override.
    pub overrides: FxHashSet<Thing>,
    /// Whether one is a member of a class.
    pub is_member: bool,
    /// Whether one is a parameter.
    pub is_parameter: bool,
    /// Their name spaces; `None` where a name of any may mean them.
    spaces: Option<Spaces>,
}

impl Target {
    /// The target of one symbol or module, for names that are certain.
    pub(super) fn of(thing: Thing) -> Target {
        Target { things: FxHashSet::from_iter([thing]), ..Target::default() }
    }

    /// The target of these symbols or modules.
    pub fn new(resolver: &Resolver<'_>, things: &[Thing]) -> Target {
        let spaces =
            things.iter().try_fold(Spaces::default(), |all, thing| Some(all.union(resolver.own_spaces(*thing)?)));
        let mut target = Target { things: things.iter().copied().collect(), spaces, ..Target::default() };
        for thing in things {
            let Thing::Symbol(site) = *thing else { continue };
            let Some(view) = resolver.view(site.file) else { continue };
            target.is_member |= resolver.is_member(&view, site.name);
            target.is_parameter |= view.scopes.reaches(site.name, &view.scopes.rules.parameters).is_some();
        }
        target
    }
}

impl Target {
    /// Whether one of some things is a symbol that is not meant.
    fn is_other(&self, things: &[Thing]) -> bool {
        let is_other = |thing: &&Thing| matches!(thing, Thing::Symbol(_));
        things.iter().filter(is_other).any(|thing| !self.things.contains(thing) && !self.overrides.contains(thing))
    }

    /// What a meaning has to do with it, and whether by an override; `None` if that is not determined.
    fn confidence(&self, meaning: &Meaning) -> Option<(Confidence, bool)> {
        let has = |things: &[Thing], set: &FxHashSet<Thing>| things.iter().any(|thing| set.contains(thing));
        match meaning {
            // What may mean something else, too, is no certain reference.
            Meaning::Known(things) if has(things, &self.things) && self.is_other(things) => {
                Some((Confidence::Candidate, false))
            }
            Meaning::Known(things) if has(things, &self.things) => Some((Confidence::Certain, false)),
            Meaning::Known(things) if has(things, &self.overrides) => Some((Confidence::Certain, true)),
            Meaning::Known(_) | Meaning::External => Some((Confidence::Elsewhere, false)),
            Meaning::Unknown(things) if has(things, &self.things) => Some((Confidence::Candidate, false)),
            Meaning::Unknown(_) => None,
        }
    }
}

/// The occurrences of a text as a name in a file, and what each has to do with the target.
pub fn occurrences(resolver: &Resolver<'_>, target: &Target, file: FileId, text: &str) -> Vec<Occurrence> {
    let Some(view) = resolver.view(file) else { return Vec::new() };
    let names = view.scopes.nodes_of(text).iter().map(|&name| resolver.occurrence(&view, target, name));
    let mut found: Vec<Occurrence> = names.collect();
    let is_same = |(_, span): &(Node, Span)| *view.tree.text().slice(*span) == *text;
    let quoted = resolver.quoted_words(&view).into_iter().filter(is_same);
    found.extend(quoted.map(|(string, span)| resolver.quoted_occurrence(&view, target, string, span)));
    found.sort_by_key(|occurrence| occurrence.span.start());
    found
}

/// Where a word is in the strings and comments of a file, except in type annotations.
pub fn mentions(resolver: &Resolver<'_>, file: FileId, text: &str) -> Vec<Occurrence> {
    let Some(view) = resolver.view(file) else { return Vec::new() };
    let table = view.tree.table();
    let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_';
    let quoted = resolver.quoted_words(&view);
    let is_text = |string: Node, span: Span| {
        resolver.is_text_name(&view, string, span) || resolver.macro_word(&view, string, span).is_some()
    };
    let types = quoted.iter().filter(|&&(string, span)| !is_text(string, span));
    let types: FxHashSet<Node> = types.map(|&(string, _)| string).collect();
    let names: FxHashSet<Span> = quoted.iter().map(|&(_, span)| span).collect();
    let mut found = Vec::new();
    let mut skip_to = 0;
    for node in table.nodes() {
        let role = view.tree.language().role(table.type_id(node));
        if node.index() < skip_to || !(role.string || role.comment) || types.contains(&node) {
            continue;
        }
        // What is put into a string is code.
        let has_code = table.descendants(node).any(|inner| view.scopes.is_identifier(inner));
        skip_to = table.subtree_end(node);
        let content = view.tree.node_text(node);
        let start = view.tree.span(node).start();
        for (at, _) in content.match_indices(text) {
            let before = content[..at].chars().next_back();
            let after = content[at + text.len()..].chars().next();
            let span = Span::new(start + at, start + at + text.len());
            let is_code = has_code
                && table
                    .descendants(node)
                    .any(|inner| view.scopes.is_identifier(inner) && view.tree.span(inner) == span);
            if !is_code && !names.contains(&span) && !before.is_some_and(is_letter) && !after.is_some_and(is_letter) {
                let (role, confidence) = (Role::Mention, Confidence::Undetermined);
                found.push(Occurrence {
                    file,
                    node,
                    span,
                    role,
                    confidence,
                    is_override: false,
                    alias: None,
                    reason: Reason::Scope,
                    without_index: None,
                    without_error: None,
                });
            }
        }
    }
    found
}

/// Where the comments and documentation of a file mention a name, and whether it is written as code there: `name`, `name(`,
/// `Holder.name`, or a name that is not an ordinary word.
pub fn documented(resolver: &Resolver<'_>, file: FileId, text: &str, holders: &FxHashSet<String>) -> Vec<(Span, bool)> {
    let Some(view) = resolver.view(file) else { return Vec::new() };
    let strings = resolver.documentation(&view);
    let is_documentation = |node: Node| view.tree.is_comment(node) || strings.contains(&node);
    let is_no_word = text.contains('_')
        || text.contains(|letter: char| letter.is_ascii_digit())
        || text.chars().skip(1).any(char::is_uppercase) && text.chars().any(char::is_lowercase);
    let found = mentions(resolver, file, text).into_iter().filter(|mention| is_documentation(mention.node));
    let is_code = |span: Span| {
        let around = view.tree.span(view.tree.table().smallest_around(span));
        let before = view.tree.text().slice(Span::new(around.start(), span.start())).into_owned();
        let after = view.tree.text().slice(Span::new(span.end(), around.end())).into_owned();
        if let Some(object) = before.strip_suffix(['.', '#']) {
            let word = object.rsplit(|letter: char| !letter.is_alphanumeric() && letter != '_').next();
            return word.is_some_and(|word| holders.contains(word)) || object.ends_with(['`', '~']);
        }
        is_no_word || before.ends_with(['`', '~']) && after.starts_with(['`', '.', '(']) || after.starts_with('(')
    };
    found.map(|mention| (mention.span, is_code(mention.span))).collect()
}

impl Resolver<'_> {
    fn quoted_occurrence(&self, view: &View<'_>, target: &Target, node: Node, span: Span) -> Occurrence {
        let meaning = self.quoted_meaning(view, node, span);
        let (confidence, is_override) = target.confidence(&meaning).unwrap_or((Confidence::Undetermined, false));
        let is_symbol = !view.rules.open_classes.symbol_types.is_empty();
        let confidence = if is_symbol && target.is_member { Confidence::Candidate } else { confidence };
        let confidence = self.key_confidence(view, target, node).unwrap_or(confidence);
        let of_macro = self.macro_word(view, node, span);
        // What a macro's body may mean is known: one of these, or a member.
        let confidence = match (of_macro, confidence) {
            (Some(word), Confidence::Undetermined | Confidence::Elsewhere)
                if target.is_member && (word.is_member || self.is_member_for_macro(view, span)) =>
            {
                Confidence::Candidate
            }
            (Some(_), Confidence::Certain) if self.is_member_for_macro(view, span) => Confidence::Candidate,
            (Some(_), Confidence::Undetermined) => Confidence::Elsewhere,
            (_, confidence) => confidence,
        };
        let is_hidden = self.hidden_meaning(view, node, span).is_some();
        let is_type = !is_symbol && of_macro.is_none() && !is_hidden && !self.is_text_name(view, node, span);
        let role = if is_type { Role::Type } else { Role::Read };
        let (file, reason) = (view.file, Reason::Scope);
        let without_error = (is_hidden && meaning == Meaning::Unknown(Vec::new())).then_some(confidence);
        let (alias, without_index) = (None, None);
        Occurrence { file, node, span, role, confidence, is_override, alias, reason, without_index, without_error }
    }

    fn occurrence(&self, view: &View<'_>, target: &Target, name: Node) -> Occurrence {
        let mut meaning = self.meaning(view.file, name);
        // A name may be a variable and a member at once: `const { a } = b`.
        let is_open = target.confidence(&meaning).is_none_or(|(found, _)| found == Confidence::Elsewhere);
        let member = match is_open {
            true if target.is_member => self.key_meaning(view, name),
            true => self.module_key(view, name),
            false => None,
        };
        let is_key = member.is_some();
        meaning = member.unwrap_or(meaning);
        let rules = view.scopes.rules;
        let is_attribute = is_key
            || view.scopes.fits(name, &rules.attributes).is_some()
            || view.scopes.fits(name, &view.rules.made_objects.keys).is_some();
        let is_key_alone = view.scopes.fits(name, &view.rules.made_objects.keys).is_some()
            && view.scopes.fits(name, &rules.not_names).is_some();
        let is_argument = view.scopes.fits(name, &rules.arguments).is_some();
        let otherwise = match is_argument {
            true if target.is_parameter || target.is_member => Confidence::Candidate,
            // An argument names a parameter or a field, nothing else.
            true => Confidence::Elsewhere,
            false if is_attribute && target.is_member => Confidence::Candidate,
            // The name of a field in a literal, and no expression there.
            false if is_key_alone => Confidence::Elsewhere,
            false => Confidence::Undetermined,
        };
        let (mut confidence, mut is_override) = target.confidence(&meaning).unwrap_or((otherwise, false));
        let second = self.second_meaning(view, name).filter(|_| confidence == Confidence::Elsewhere);
        let is_second = second.is_some();
        if let Some(second) = second {
            let otherwise = if target.is_member { Confidence::Candidate } else { confidence };
            (confidence, is_override) = target.confidence(&second).unwrap_or((otherwise, false));
        }
        let is_open = matches!(confidence, Confidence::Candidate | Confidence::Undetermined) && !is_second && !is_key;
        if is_open && target.spaces.is_some_and(|spaces| self.is_in_others(view, name, spaces)) {
            confidence = Confidence::Elsewhere;
        }
        let import = self.import_around(view, name);
        let required = match view.rules.loaded_modules.calls.is_empty() {
            true => None,
            false => self.required(view).names.get(&name),
        };
        let parts = match import {
            _ if confidence != Confidence::Certain => Vec::new(),
            Some(import) => imported::read(view.tree, import),
            None => self.export_around(view, name),
        };
        let part = parts.into_iter().find(|part| view.tree.table().is_within(name, part.node));
        let alias = part.and_then(|part| part.alias).filter(|alias| *alias != *view.tree.node_text(name));
        let bound = required.filter(|required| required.binder != name && confidence == Confidence::Certain);
        let alias = alias.or_else(|| bound.map(|required| view.tree.node_text(required.binder).into_owned()));
        let role = match import {
            Some(_) => Role::Import,
            None if required.is_some() => Role::Import,
            None if !self.export_around(view, name).is_empty() => Role::Export,
            None if is_key || is_second => Role::Read,
            None => self.role(view, name, &meaning),
        };
        let confidence = match confidence {
            // An import may bind the variable that the symbol binds, too.
            Confidence::Elsewhere
                if import.is_some() && !view.is(ModuleScheme::Namespaces) && self.is_bound_with(view, target, name) =>
            {
                Confidence::Candidate
            }
            // A macro makes a text of it.
            Confidence::Certain if role != Role::Definition && self.is_text_for_macro(view, name) => {
                Confidence::Candidate
            }
            // A macro writes it after a dot.
            Confidence::Certain if role != Role::Definition && self.is_member_for_macro(view, view.tree.span(name)) => {
                Confidence::Candidate
            }
            Confidence::Elsewhere if target.is_member && self.is_member_for_macro(view, view.tree.span(name)) => {
                Confidence::Candidate
            }
            // Where names are not followed, a definition of another file may be meant.
            Confidence::Certain if role != Role::Definition && self.may_be_elsewhere(view, &meaning) => {
                Confidence::Candidate
            }
            confidence => confidence,
        };
        let is_precise = self.precise_meaning(view, name).is_some();
        let reason = match import {
            _ if is_precise => Reason::Scip,
            Some(_) => Reason::Import,
            None if required.is_some() => Reason::Import,
            None if is_attribute => Reason::Type,
            None => self.reason(view, name),
        };
        let own = is_precise.then(|| target.confidence(&self.own_meaning(view.file, name)));
        let own = own.map(|own| own.map_or(otherwise, |(confidence, _)| confidence));
        let is_own = role == Role::Definition && confidence == Confidence::Certain;
        let without_error = (!is_own && self.is_in_error(view, name)).then_some(confidence);
        Occurrence {
            file: view.file,
            node: name,
            span: view.scopes.plain_span(name),
            role,
            confidence: match confidence {
                Confidence::Certain if without_error.is_some() => Confidence::Undetermined,
                confidence => confidence,
            },
            is_override,
            alias,
            reason,
            without_index: own.filter(|own| *own != confidence),
            without_error,
        }
    }

    /// The name spaces of a symbol by what binds it; `None` in a language where a name may be looked up in others, too.
    fn own_spaces(&self, thing: Thing) -> Option<Spaces> {
        let Thing::Symbol(site) = thing else { return None };
        let view = self.view(site.file)?;
        let rules = view.scopes.rules;
        if rules.structural || rules.static_space.is_some() || rules.path_space.is_none() && rules.first_space.is_none()
        {
            return None;
        }
        let names = view.scopes.names(&view.tree.node_text(site.name));
        names.at(site.name).map(|found| found.spaces)
    }

    /// Whether the place of a name shows that it is in none of some name spaces: `a.len()` is no field.
    fn is_in_others(&self, view: &View<'_>, name: Node, spaces: Spaces) -> bool {
        let rules = view.scopes.rules;
        let table = view.tree.table();
        let is_token = table.ancestors(name).any(|around| rules.token_lists.contains(table.type_id(around)));
        if is_token || self.import_around(view, name).is_some() || self.is_in_error(view, name) {
            return false;
        }
        let own = match view.scopes.fits(name, &rules.attributes) {
            Some(spaces) => spaces,
            None => view.scopes.names(&view.tree.node_text(name)).at(name).map(|found| found.spaces),
        };
        own.is_some_and(|own| !own.meets(spaces))
    }

    /// Whether a name binds the same variable as a symbol that is looked for.
    fn is_bound_with(&self, view: &View<'_>, target: &Target, name: Node) -> bool {
        let names = view.scopes.names(&view.tree.node_text(name));
        let symbol_of = |name: Node| names.at(name).and_then(|found| names.resolve(&view.scopes, found));
        let Some(symbol) = symbol_of(name) else { return false };
        target.things.iter().any(|thing| match thing {
            Thing::Symbol(site) if site.file == view.file && site.name != name => {
                symbol_of(site.name).is_some_and(|other| other.is(symbol))
            }
            _ => false,
        })
    }

    /// Whether what binds a variable is an import.
    fn reason(&self, view: &View<'_>, name: Node) -> Reason {
        let names = view.scopes.names(&view.tree.node_text(name));
        let symbol = names.at(name).and_then(|found| names.resolve(&view.scopes, found));
        let Some(symbol) = symbol else { return Reason::Scope };
        let is_import = |found: &crate::scopes::VariableName| {
            self.import_around(view, found.name).is_some()
                || !view.rules.loaded_modules.calls.is_empty() && self.required(view).names.contains_key(&found.name)
        };
        if names.binders(&view.scopes, symbol).any(is_import) { Reason::Import } else { Reason::Scope }
    }

    /// Whether a meaning is uncertain because the language's names are not followed from file to file.
    fn may_be_elsewhere(&self, view: &View<'_>, meaning: &Meaning) -> bool {
        let Meaning::Known(things) = meaning else { return false };
        let is_lasting = |thing: &Thing| match thing {
            Thing::Symbol(site) if site.file == view.file => is_lasting(self, view, site.name),
            _ => true,
        };
        view.rules.modules.is_none() && things.iter().any(is_lasting)
    }

    /// Whether the name of a member gets a value where it is: `a.b = 1`.
    pub fn sets_member(&self, file: FileId, name: Node) -> bool {
        let Some(view) = self.view(file) else { return false };
        let rules = &view.scopes.rules;
        let whole = view.tree.table().parent(name).filter(|_| view.scopes.fits(name, &rules.attributes).is_some());
        whole.is_some_and(|whole| view.scopes.reaches(whole, &rules.bindings).is_some())
    }

    /// Whether an expression gives a variable another value where its name stands: `n += 1`.
    pub fn is_written(&self, file: FileId, name: Node) -> bool {
        let view = self.view(file);
        view.is_some_and(|view| view.scopes.reaches(name, &view.tree.language().spec().flow.writes).is_some())
    }

    /// What a name does at its place.
    fn role(&self, view: &View<'_>, name: Node, meaning: &Meaning) -> Role {
        /// How deep a name is inside a type annotation.
        const REACH: usize = 6;
        let table = view.tree.table();
        let scopes = &view.scopes;
        let is_attribute = scopes.fits(name, &scopes.rules.attributes).is_some();
        let whole = if is_attribute { table.parent(name).unwrap_or(name) } else { name };
        let is_first = matches!(meaning, Meaning::Known(things) if things.contains(&Thing::Symbol(Site { file: view.file, name })));
        if is_first || self.definition_of(view, name).is_some_and(|definition| view.tree.is_scope(definition)) {
            return Role::Definition;
        }
        let binds = match is_attribute {
            true => scopes.reaches(whole, &scopes.rules.bindings).is_some(),
            false => scopes.classify(name).is_some_and(|(role, _)| role.is_binding()),
        };
        if binds {
            return Role::Write;
        }
        let is_decorator = |node: Node| view.tree.language().role(table.type_id(node)).decorator;
        let parent = table.parent(whole);
        let is_called = parent.is_some_and(|parent| self.called(view, parent) == Some(whole))
            || is_attribute && self.called(view, whole) == Some(name);
        if parent.is_some_and(is_decorator)
            || is_called && parent.and_then(|call| table.parent(call)).is_some_and(is_decorator)
        {
            return Role::Decorator;
        }
        if is_called {
            return Role::Call;
        }
        let mut inner = whole;
        let mut passed = vec![whole];
        // `K` of `Base<K>`
        let mut is_argument = false;
        for holder in table.ancestors(whole).take(REACH) {
            // `a` of `a.B` is not what `a.B` is.
            let is_access = view.rules.objects.of(table.type_id(holder)).is_some();
            if is_access && self.member_name(view, holder) != Some(inner) {
                break;
            }
            let is_inner = |node: Node| node == inner;
            let arguments = view.rules.written_types.arguments.of(table.type_id(holder)).into_iter().flatten();
            let arguments: Vec<Node> = arguments.flat_map(|path| view.tree.reached(holder, path)).collect();
            let is_whole =
                arguments.first().is_some_and(|first| passed.contains(first)) && self.is_part_type(view, holder);
            is_argument |= !is_whole && arguments.iter().any(|node| passed.contains(node));
            let class = view.tree.language().spec().bases.of(table.type_id(holder));
            if class.is_some() && view.tree.base_nodes(holder).any(|base| passed.contains(&base)) {
                return if is_argument { Role::Type } else { Role::Base };
            }
            let annotation = view.rules.written_types.annotations.of(table.type_id(holder)).into_iter().flatten();
            let is_result = view.tree.return_type(holder).is_some_and(|written| passed.contains(&written));
            if is_result || annotation.flat_map(|path| view.tree.reached(holder, path)).any(is_inner) {
                return Role::Type;
            }
            // The bases of a class may be in a list.
            let is_list =
                class.is_none() && table.parent(holder).is_some_and(|class| view.tree.base_nodes(class).any(is_inner));
            if is_list {
                return if is_argument { Role::Type } else { Role::Base };
            }
            inner = holder;
            passed.push(holder);
        }
        Role::Read
    }

    /// Whether a generic type has members of its first argument, and no others.
    fn is_part_type(&self, view: &View<'_>, written: Node) -> bool {
        let parts = &view.rules.type_words.parts;
        let heads = view.rules.written_types.heads.of(view.tree.table().type_id(written)).into_iter().flatten();
        let head = heads.flat_map(|path| view.tree.reached(written, path)).next();
        head.is_some_and(|head| {
            let word = view.tree.node_text(head);
            parts.iter().any(|part| *part == *word) && !matches!(self.meaning(view.file, head), Meaning::Known(_))
        })
    }

    /// How sure it is that such a key names a symbol; `None` if it is another string.
    pub(super) fn key_confidence(&self, view: &View<'_>, target: &Target, key: Node) -> Option<Confidence> {
        if !view.rules.open_classes.key_types.contains(view.tree.table().type_id(key)) {
            return None;
        }
        let is_keyword = |thing: &Thing| match *thing {
            Thing::Symbol(Site { file, name }) => self
                .view(file)
                .is_some_and(|other| other.scopes.fits(name, &other.rules.open_classes.keyword_parameters).is_some()),
            _ => false,
        };
        if target.things.iter().any(is_keyword) {
            return Some(Confidence::Candidate);
        }
        let is_its = is_short(view, key)
            && match self.variable_of_key(view, key) {
                Meaning::Known(things) if !things.is_empty() => {
                    things.iter().any(|thing| target.things.contains(thing))
                }
                // It may be a method of the object.
                _ if target.is_member => true,
                Meaning::Known(things) | Meaning::Unknown(things) => {
                    things.iter().any(|thing| target.things.contains(thing))
                }
                Meaning::External => false,
            };
        Some(if is_its { Confidence::Candidate } else { Confidence::Elsewhere })
    }
}
