//! The needs of definitions that move to another module, and the imports that they leave behind.

use rustc_hash::FxHashSet;

use crate::edit::{Op, TextChange};
use crate::modules::FileId;
use crate::refactor::move_symbols::modules::Mover;
use crate::symbols::{Bound, BoundName, ImportedName, Meaning, NeedSource, Reach, Site, Thing};
use crate::text::Span;
use crate::transfer::changes::with_commas;
use crate::transfer::module_text::{
    count_words, has_leaf, has_number_access, is_value, leaves, line_after, line_before, relative_words,
};
use crate::tree::{Node, Tree};

impl Mover<'_, '_> {
    /// Finds the imports that the definitions need, and makes visible what they use.
    pub(super) fn bring_needs(&mut self, names: &[BoundName]) {
        let spans: Vec<Span> = self.pieces.iter().map(|piece| piece.span).collect();
        self.respell_relative_paths(&spans);
        self.open_what_they_use(names, &spans);
        let imports = self.resolver.imported_names(self.from);
        let mut brought: Vec<Node> = Vec::new();
        let mut is_unknown = false;
        for need in self.resolver.needs(self.from, &spans) {
            match need.source {
                NeedSource::Own(site) | NeedSource::Conditional(site) => {
                    if self.resolver.is_macro(site) {
                        self.block(self.from, need.span.start(), "the macro is only known in its own module");
                        continue;
                    }
                    let moves = self.pieces.iter().any(|piece| piece.name == need.name);
                    if self.is_at_top(site) && !moves && self.resolver.class_of_member(site).is_none() {
                        let path = self.canonical(Thing::Symbol(site)).unwrap_or_else(|| need.name.clone());
                        self.open_thing(Thing::Symbol(site));
                        self.bring(&need.name, &path, None, need.span);
                    }
                }
                NeedSource::Import(import) => {
                    if import.is_at_top && !brought.contains(&import.node) {
                        brought.push(import.node);
                        self.bring_import(&import, need.span);
                    }
                }
                NeedSource::Everything(thing) => {
                    if self.comes_from_a_glob_at_the_top(&imports)
                        && !self.pieces.iter().any(|piece| piece.name == need.name)
                        && !self.is_field_or_method(thing)
                        && !matches!(thing, Thing::Symbol(site) if site.file == self.from && self.is_within_pieces(site.name))
                        && !self.tree.language().spec().symbols.type_words.own.contains(&need.name)
                        && let Some(path) = self.canonical(thing)
                    {
                        self.open_thing(thing);
                        self.bring(&need.name, &path, None, need.span);
                    }
                }
                NeedSource::Unknown => is_unknown = true,
            }
        }
        self.bring_words(&imports, &mut brought);
        self.bring_traits(&imports, &mut brought, names);
        for import in imports.iter().filter(|import| import.is_at_top && import.is_glob) {
            let path = import.name.rsplit_once(self.separator()).map_or("", |(path, _)| path);
            let is_outside = !matches!(self.resolver.path_means(self.from, import.statement, path), Meaning::Known(_));
            let preludes = &self.tree.language().spec().symbols.module_files.preludes;
            let is_prelude = path.split(self.separator()).any(|name| preludes.iter().any(|prelude| prelude == name));
            if is_outside && (is_unknown || is_prelude) && !self.is_within_pieces(import.statement) {
                self.bring_import(import, self.tree.span(import.statement));
            }
        }
        self.check_macros(names);
        self.drop_imports(&imports, &brought);
    }

    fn is_within_pieces(&self, node: Node) -> bool {
        self.is_inside(self.from, self.tree.span(node))
    }

    fn is_at_top(&self, site: Site) -> bool {
        self.resolver.module_of(site.file, site.name) == Thing::Module(self.from) || self.resolver.declares_module(site)
    }

    fn comes_from_a_glob_at_the_top(&self, imports: &[ImportedName]) -> bool {
        imports.iter().any(|import| import.is_at_top && import.is_glob)
    }

    /// Whether a thing is a member of a class that no path leads to alone: no variant.
    fn is_field_or_method(&self, thing: Thing) -> bool {
        let Thing::Symbol(site) = thing else { return false };
        self.resolver.class_of_member(site).is_some_and(|class| {
            let definition = self.resolver.describe(Thing::Symbol(class));
            definition.is_none_or(|definition| definition.kind != "enum")
        })
    }

    /// The path of a module or a definition from the root on.
    fn canonical(&self, thing: Thing) -> Option<String> {
        let separator = self.separator();
        match thing {
            Thing::Module(_) => Some(self.absolute(&self.resolver.names_of_module(thing))),
            Thing::Symbol(site) => {
                let name = self.resolver.name_of(site)?;
                let around = match self.resolver.class_of_member(site) {
                    Some(class) => self.canonical(Thing::Symbol(class))?,
                    None => {
                        // The module that is declared is around its own name, not inside.
                        let tree = self.resolver.tree(site.file)?;
                        let definition =
                            tree.table().ancestors(site.name).find(|&node| tree.name_node(node) == Some(site.name))?;
                        let module = self.resolver.module_of(site.file, definition);
                        self.absolute(&self.resolver.names_of_module(module))
                    }
                };
                Some(format!("{around}{separator}{name}"))
            }
            Thing::Folder(_) | Thing::Package(_) => None,
        }
    }

    /// Imports a path in the new module, unless it is known there.
    fn bring(&mut self, bound: &str, path: &str, alias: Option<&str>, span: Span) {
        let code = self.import_text(path, alias);
        self.bring_code(bound, path, code, span);
    }

    fn bring_code(&mut self, bound: &str, path: &str, code: String, span: Span) {
        let to = self.home.to;
        if self.pieces.iter().any(|piece| piece.name == bound) {
            return;
        }
        if self.home.is_new {
            return self.imports.push(code);
        }
        let Some(target) = self.resolver.tree(to) else { return };
        let own = self.resolver.imported_names(to);
        let own = own.iter().filter(|import| import.is_at_top && !import.is_glob);
        let separator = self.separator();
        let binds =
            |import: &&ImportedName| import.alias.as_deref().or(import.name.rsplit(separator).next()) == Some(bound);
        let meaning = |file: FileId, at: Node, path: &str| self.resolver.path_means(file, at, path);
        let used = self.tree.table().smallest_around(span);
        let is_name = *self.tree.node_text(used) == *bound;
        let own_meaning =
            if is_name { self.resolver.name_means(self.from, used) } else { meaning(to, target.root(), path) };
        let is_same = |import: &&ImportedName| {
            import.name == path
                || match meaning(to, import.statement, &import.name) {
                    Meaning::Known(things) => own_meaning == Meaning::Known(things),
                    // Both are outside, and have the same last name in the same library.
                    _ => {
                        import.name.split(separator).last() == path.split(separator).last()
                            && self.are_of_one_library(&import.name, path)
                    }
                }
        };
        let known: Vec<&ImportedName> = own.clone().filter(binds).collect();
        if known.iter().any(is_same) {
            return;
        }
        let defines = |site: &Site| site.file == to;
        if let Meaning::Known(things) = &own_meaning
            && things.iter().any(|thing| matches!(thing, Thing::Symbol(site) if defines(site) && self.resolver.module_of(to, site.name) == self.home.module))
        {
            return;
        }
        if !known.is_empty() || bound != "_" && self.resolver.has_binding_at_top(to, bound) {
            let other = self.resolver.top_definitions(to).into_iter().any(|one| one.name == bound);
            if !known.is_empty() || other {
                let why = format!("`{bound}` means something else in the new module");
                return self.block(self.from, span.start(), why);
            }
        }
        let builtins = &self.tree.language().spec().symbols.builtins;
        if builtins.contains(bound) && has_leaf(target, bound) {
            let why = format!("`{bound}` would mean something else in the rest of the new module");
            return self.block(self.from, span.start(), why);
        }
        self.imports.push(code);
    }

    /// Whether two paths begin in the same library, or in two that have the same items.
    fn are_of_one_library(&self, one: &str, other: &str) -> bool {
        let separator = self.separator();
        let first = |path: &str| path.split(separator).next().unwrap_or_default().to_owned();
        let alike = &self.tree.language().spec().symbols.module_tree.alike_libraries;
        first(one) == first(other) || alike.contains(&first(one)) && alike.contains(&first(other))
    }

    /// Imports in the new module what the old one imports.
    fn bring_import(&mut self, import: &ImportedName, span: Span) {
        let path = self.path_for_home(import);
        let attributes = self.attributes_of(self.tree, import.statement);
        let alias = import.alias.as_deref();
        let bound = alias.map(str::to_owned).or_else(|| self.last_name(&path)).unwrap_or_default();
        let code = format!("{attributes}{}", self.import_text(&path, alias));
        self.bring_code(&bound, &path, code, span);
    }

    /// The path of an import as the new module can write it.
    fn path_for_home(&mut self, import: &ImportedName) -> String {
        let separator = self.separator();
        let words = &self.tree.language().spec().symbols.module_words;
        let names: Vec<&str> = import.name.split(separator).collect();
        let is_relative = |name: &str| words.own.iter().chain(&words.parent).any(|word| word == name);
        let count = names.iter().take_while(|name| is_relative(name)).count();
        let means = |end: usize| self.resolver.path_means(self.from, import.statement, &names[..end].join(separator));
        let mut path = import.name.clone();
        if count > 0 {
            if let Meaning::Known(things) = means(count)
                && let [module] = things[..]
            {
                let around = self.resolver.names_of_module(module);
                let all: Vec<String> =
                    around.into_iter().chain(names[count..].iter().map(|&name| name.to_owned())).collect();
                path = self.absolute(&all);
            }
        } else if let Meaning::Known(things) = means(1)
            && let [thing] = things[..]
            && !words.root.iter().any(|word| *word == names[0])
        {
            let is_root = thing == self.resolver.root_of_module(self.from);
            let is_library = matches!(thing, Thing::Module(file) if self.resolver.outer_module(thing).is_none() && file != self.from);
            if !is_root
                && !is_library
                && let Some(first) = self.canonical(thing)
            {
                let rest = names[1..].iter().copied();
                path = std::iter::once(first.as_str()).chain(rest).collect::<Vec<&str>>().join(separator);
            }
        }
        // Another path, if a part of this one cannot be seen.
        let mut is_hidden = false;
        for end in 1..=names.len() {
            let Meaning::Known(things) = means(end) else { continue };
            for thing in things {
                is_hidden |=
                    !self.is_thing_seen(thing) || end > count + 1 && self.is_hidden_import(&names[..end], import);
            }
        }
        if is_hidden && !import.is_glob {
            if let Meaning::Known(things) = means(names.len())
                && let [thing] = things[..]
                && let Some(direct) = self.canonical(thing)
            {
                self.open_thing(thing);
                return direct;
            }
            let why = "an import that it needs cannot be seen from the new module";
            self.block(self.from, self.tree.span(import.statement).start(), why);
        }
        path
    }

    /// Whether the last name of a path is one that its module imports for itself alone.
    fn is_hidden_import(&self, names: &[&str], import: &ImportedName) -> bool {
        let separator = self.separator();
        let Some((last, before)) = names.split_last() else { return false };
        let before = self.resolver.path_means(self.from, import.statement, &before.join(separator));
        let Meaning::Known(things) = before else { return false };
        things.iter().any(|&thing| {
            let Thing::Module(file) = thing else { return false };
            let own = self.resolver.imported_names(file);
            let binds = |one: &&ImportedName| {
                one.alias.as_deref().or(one.name.rsplit(separator).next()) == Some(*last) && one.is_at_top
            };
            let found: Vec<&ImportedName> = own.iter().filter(binds).collect();
            !found.is_empty()
                && found.iter().all(|one| one.variety.is_empty())
                && !self.resolver.is_module_within(self.home.module, thing)
        })
    }

    fn is_thing_seen(&self, thing: Thing) -> bool {
        let site = match thing {
            Thing::Symbol(site) => Some(site),
            _ => self.resolver.declaration_of(thing),
        };
        site.is_none_or(|site| self.is_seen_from_home(self.resolver.reach_of(site)))
    }

    /// Lets the new module use a definition or a module, and what is on the way to it.
    fn open_thing(&mut self, thing: Thing) {
        let mut next = Some(thing);
        while let Some(inner) = next {
            let site = match inner {
                Thing::Symbol(site) => Some(site),
                _ => self.resolver.declaration_of(inner),
            };
            if let Some(site) = site
                && !self.is_seen_from_home(self.resolver.reach_of(site))
            {
                self.open(site);
            }
            next = match inner {
                Thing::Symbol(site) if !self.resolver.declares_module(site) => {
                    Some(self.resolver.module_of(site.file, site.name))
                }
                _ => self.resolver.outer_module(inner),
            };
        }
    }

    /// Lets the new module use what the definitions use, if it cannot.
    fn open_what_they_use(&mut self, names: &[BoundName], spans: &[Span]) {
        let inside: Vec<&BoundName> = names.iter().filter(|name| self.is_inside(name.file, name.span)).collect();
        for name in inside {
            if matches!(name.bound, Bound::Unknown(_)) {
                self.open_same_members(&self.tree.text().slice(name.span), spans);
            }
            if !matches!(name.bound, Bound::Known(_)) {
                continue;
            }
            let node = self.tree.table().smallest_around(name.span);
            let Meaning::Known(things) = self.resolver.name_means(self.from, node) else { continue };
            for thing in things {
                if let Thing::Symbol(site) = thing {
                    let is_inside =
                        site.file == self.from && spans.iter().any(|span| span.contains(self.tree.span(site.name)));
                    if is_inside || !self.resolver.is_lasting(site) {
                        continue;
                    }
                    let makes = is_value(self.tree, name.span);
                    let reads = site.file == self.from && has_number_access(&self.text_inside());
                    if (makes || reads)
                        && self.resolver.is_class(site)
                        && !self.is_seen_from_home(Reach::Module(self.resolver.module_of(site.file, site.name)))
                    {
                        self.open_fields(site);
                    }
                }
                if !self.is_thing_seen(thing) {
                    self.open_thing(thing);
                }
            }
        }
    }

    /// Lets the new module use the members of the old one with a name, as one of them may be meant.
    fn open_same_members(&mut self, name: &str, spans: &[Span]) {
        let whole = Span::new(0, self.tree.text().len());
        let sites = self.resolver.defined_in(self.from, &[whole]).into_iter();
        let named = sites.filter(|site| *self.tree.node_text(site.name) == *name);
        let stays = |site: &Site| !spans.iter().any(|span| span.contains(self.tree.span(site.name)));
        let members: Vec<Site> =
            named.filter(stays).filter(|&site| self.resolver.class_of_member(site).is_some()).collect();
        for site in members {
            if !self.is_seen_from_home(self.resolver.reach_of(site)) {
                self.open(site);
            }
        }
    }

    fn text_inside(&self) -> String {
        self.pieces.iter().map(|piece| piece.text.as_str()).collect::<Vec<&str>>().join("\n")
    }

    /// Writes paths that begin at the old module or around it from the root on.
    fn respell_relative_paths(&mut self, spans: &[Span]) {
        let table = self.tree.table();
        let inside = |node: Node| spans.iter().any(|span| span.contains(table.span(node)));
        let leaves: Vec<Node> = leaves(self.tree).into_iter().filter(|&node| inside(node)).collect();
        let text = |at: usize| leaves.get(at).map(|&node| self.tree.node_text(node).into_owned()).unwrap_or_default();
        for words in relative_words(self.tree, &leaves) {
            let (first, end) = words.into_inner();
            let node = leaves[first];
            let path = (first..=end).map(text).collect::<String>();
            let Meaning::Known(things) = self.resolver.path_means(self.from, node, &path) else { continue };
            let [module] = things[..] else { continue };
            if let Thing::Symbol(site) = module
                && inside(site.name)
            {
                continue;
            }
            // What moves along is handled where its uses are.
            let next = text(end + 2);
            let moves_along = module == Thing::Module(self.from) && self.pieces.iter().any(|piece| piece.name == next);
            if moves_along {
                continue;
            }
            let span = Span::new(table.span(node).start(), table.span(leaves[end]).end());
            let path = self.absolute(&self.resolver.names_of_module(module));
            let extent = table.ancestors(node).take_while(|&up| up != Node::ROOT).last();
            let extent = extent.map_or(span, |unit| table.span(unit));
            let change = TextChange { span, text: path, extent };
            if !self.changes.iter().any(|other| other.span.contains(span)) {
                self.changes.push(change);
            }
        }
    }

    /// The names after a dot, and those of macros, in a text.
    fn member_words(text: &str) -> FxHashSet<String> {
        let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_';
        let mut found = FxHashSet::default();
        let (mut start, mut before) = (None, ' ');
        for (at, letter) in text.char_indices().chain([(text.len(), ' ')]) {
            if is_letter(letter) {
                start.get_or_insert((at, before));
                continue;
            }
            if let Some((from, before)) = start.take()
                && (matches!(before, '.' | ':') || letter == '!')
            {
                found.insert(text[from..at].to_owned());
            }
            if !letter.is_whitespace() {
                before = letter;
            }
        }
        found
    }

    /// The methods of a trait that an import binds; `None` if it is no trait, or may be one that is not known.
    fn methods_of(&self, import: &ImportedName) -> Option<Vec<String>> {
        match self.resolver.path_means(self.from, import.statement, &import.name) {
            Meaning::Known(things) => things.iter().find_map(|&thing| self.methods_of_trait(thing)),
            _ => {
                let name = self.last_name(&import.name)?;
                self.tree.language().spec().symbols.module_tree.traits.get(&name).cloned()
            }
        }
    }

    /// The methods of a trait of the project.
    fn methods_of_trait(&self, thing: Thing) -> Option<Vec<String>> {
        let Thing::Symbol(site) = thing else { return None };
        let definition = self.resolver.describe(thing)?;
        if definition.kind != "trait" {
            return None;
        }
        let tree = self.resolver.tree(site.file)?;
        let node = tree.table().ancestors(site.name).find(|&node| tree.name_node(node) == Some(site.name))?;
        let members = self.resolver.defined_in(site.file, &[tree.span(node)]);
        Some(members.into_iter().filter_map(|site| self.resolver.name_of(site)).collect())
    }

    /// Brings imports whose names are words of the definitions that are not known as names: in paths of macros, in attributes.
    fn bring_words(&mut self, imports: &[ImportedName], brought: &mut Vec<Node>) {
        let table = self.tree.table();
        let is_leaf = |node: &Node| table.subtree_end(*node) == node.index() + 1;
        let inside = |node: &Node| self.is_inside(self.from, table.span(*node));
        let leaves = table.nodes().filter(|node| is_leaf(node) && inside(node) && !self.tree.is_comment(*node));
        let leads = |node: &Node| line_after(self.tree, table.span(*node).end()).starts_with(self.separator());
        let begins = |node: &Node| {
            if !leads(node) && self.resolver.is_plain_name(self.from, *node) {
                return false;
            }
            let start = table.span(*node).start();
            !line_before(self.tree, start).ends_with('.') && self.path_before(self.tree, start).is_none()
        };
        let found: Vec<(String, bool)> =
            leaves.filter(begins).map(|node| (self.tree.node_text(node).into_owned(), leads(&node))).collect();
        let words: FxHashSet<&str> = found.iter().map(|(word, _)| word.as_str()).collect();
        let paths: FxHashSet<&str> = found.iter().filter(|(_, leads)| *leads).map(|(word, _)| word.as_str()).collect();
        for import in imports.iter().filter(|import| import.is_at_top && !import.is_glob) {
            let bound = import.alias.clone().or_else(|| self.last_name(&import.name)).unwrap_or_default();
            let is_bound_inside = || {
                let sites = self
                    .resolver
                    .defined_in(self.from, &self.pieces.iter().map(|piece| piece.span).collect::<Vec<Span>>());
                sites.iter().any(|&site| self.resolver.name_of(site).as_deref() == Some(&*bound))
            };
            if words.contains(bound.as_str())
                && !brought.contains(&import.node)
                && !self.is_within_pieces(import.statement)
                && (paths.contains(bound.as_str()) || !is_bound_inside())
            {
                brought.push(import.node);
                self.bring_import(import, self.tree.span(import.statement));
            }
        }
    }

    /// Whether every use of a method in what moves certainly means one that needs no import.
    fn is_no_traits(&self, names: &[BoundName], method: &str) -> bool {
        let mut own = names
            .iter()
            .filter(|name| self.is_inside(name.file, name.span) && *self.tree.text().slice(name.span) == *method);
        own.all(|name| {
            let node = self.tree.table().smallest_around(name.span);
            let Meaning::Known(things) = self.resolver.name_means(self.from, node) else { return false };
            things.iter().all(|thing| match thing {
                Thing::Symbol(site) => {
                    let words = self.resolver.words_of_reach(*site);
                    words.is_some_and(|(words, _)| words.is_some())
                        || self.resolver.reach_of(*site) != Reach::Everywhere
                }
                _ => true,
            })
        })
    }

    /// Imports traits whose methods the definitions call, without naming the traits.
    fn bring_traits(&mut self, imports: &[ImportedName], brought: &mut Vec<Node>, names: &[BoundName]) {
        let inside = self.text_inside();
        let used = Self::member_words(&inside);
        let outside = self.text_outside();
        for import in imports.iter().filter(|import| import.is_at_top && !import.is_glob) {
            if brought.contains(&import.node) || self.is_within_pieces(import.statement) {
                continue;
            }
            let bound = import.alias.clone().or_else(|| self.last_name(&import.name)).unwrap_or_default();
            let is_needed = match self.methods_of(import) {
                Some(methods) => {
                    methods.iter().any(|method| used.contains(method) && !self.is_no_traits(names, method))
                }
                // An import that nothing names is there for its methods.
                None => {
                    let is_outside = !matches!(
                        self.resolver.path_means(self.from, import.statement, &import.name),
                        Meaning::Known(_)
                    );
                    let has_capital = bound.starts_with(|first: char| first.is_uppercase() || first == '_');
                    let count = count_words(&outside, &bound) + count_words(&inside, &bound);
                    is_outside
                        && has_capital
                        && import.variety.is_empty()
                        && (bound == "_" || count <= 1)
                        && inside.contains('.')
                }
            };
            if is_needed {
                brought.push(import.node);
                self.bring_import(import, self.tree.span(import.statement));
            }
        }
        for definition in self.resolver.top_definitions(self.from) {
            let is_moving = self.pieces.iter().any(|piece| piece.site == definition.site);
            let thing = Thing::Symbol(definition.site);
            let Some(methods) = self.methods_of_trait(thing) else { continue };
            if is_moving {
                let used = Self::member_words(&outside);
                if methods.iter().any(|method| used.contains(method)) && !self.still.contains(&definition.name) {
                    self.still.push(definition.name);
                }
            } else if methods.iter().any(|method| used.contains(method) && !self.is_no_traits(names, method))
                && let Some(path) = self.canonical(thing)
            {
                self.open_thing(thing);
                self.bring(&definition.name, &path, None, self.tree.span(definition.site.name));
            }
        }
    }

    /// Refuses macros that the new module does not see: they are known after their definitions alone.
    fn check_macros(&mut self, names: &[BoundName]) {
        let inside: Vec<&BoundName> = names.iter().filter(|name| self.is_inside(name.file, name.span)).collect();
        for name in inside {
            let node = self.tree.table().smallest_around(name.span);
            let Meaning::Known(things) = self.resolver.name_means(self.from, node) else { continue };
            let is_macro = |thing: &Thing| matches!(thing, Thing::Symbol(site) if self.resolver.is_macro(*site));
            if !things.iter().any(is_macro) || self.path_before(self.tree, name.span.start()).is_some() {
                continue;
            }
            if self.resolver.is_bound_in_file(self.from, node) {
                continue;
            }
            let old = self.first_declaration(Thing::Module(self.from));
            let new = self.first_declaration(self.home.module);
            let is_seen = match (old, new) {
                (Some(old), Some(new)) => old <= new,
                (_, None) => true,
                (None, Some(_)) => false,
            };
            if !is_seen {
                self.block(
                    self.from,
                    name.span.start(),
                    "the macro is not known in modules that are declared before it",
                );
            }
        }
    }

    /// Where the root declares the module that is, or contains, another one.
    fn first_declaration(&self, module: Thing) -> Option<usize> {
        let (mut inner, mut found) = (module, None);
        while let Some(outer) = self.resolver.outer_module(inner) {
            let site = self.resolver.declaration_of(inner);
            found = site.and_then(|site| Some(self.resolver.tree(site.file)?.span(site.name).start()));
            inner = outer;
        }
        found
    }

    /// Deletes imports that only the definitions used.
    fn drop_imports(&mut self, imports: &[ImportedName], brought: &[Node]) {
        let outside = self.text_outside();
        let used = Self::member_words(&outside);
        let is_gone = |import: &ImportedName| {
            let Some(bound) = import.alias.clone().or_else(|| self.last_name(&import.name)) else { return false };
            let stays = match self.methods_of(import) {
                Some(methods) => methods.iter().any(|method| used.contains(method)),
                None => bound == "_",
            };
            brought.contains(&import.node)
                && import.variety.is_empty()
                && !stays
                && !self.has_word_outside(&bound, import.statement)
                && self.text_inside().contains(&bound)
                && !self.is_used_below(&bound)
        };
        let gone: Vec<&ImportedName> = imports.iter().filter(|import| is_gone(import)).collect();
        let mut statements: Vec<Node> = gone.iter().map(|import| import.statement).collect();
        statements.dedup();
        for statement in statements {
            let all: Vec<Node> =
                imports.iter().filter(|import| import.statement == statement).map(|import| import.node).collect();
            let own: Vec<Node> =
                gone.iter().filter(|import| import.statement == statement).map(|import| import.node).collect();
            let source = self.redirected.entry(self.from).or_default();
            let span = self.tree.span(statement);
            if source.changes.changes.iter().any(|change| span.contains(change.span)) {
                continue;
            }
            if own.len() == all.len() {
                source.ops.push(Op::Delete { target: statement, extent: None });
                continue;
            }
            let table = self.tree.table();
            let one_list = own.iter().all(|&node| table.parent(node) == table.parent(own[0]));
            let spans: Vec<Span> = match one_list {
                true => with_commas(self.tree, &own),
                false => own.iter().flat_map(|&node| with_commas(self.tree, &[node])).collect(),
            };
            for span in spans {
                let extent = self.tree.span(statement);
                source.changes.change_once(TextChange { span, text: String::new(), extent });
            }
        }
    }

    /// Whether what stays has a word besides a statement.
    fn has_word_outside(&self, word: &str, statement: Node) -> bool {
        let table = self.tree.table();
        let is_leaf = |node: &Node| table.subtree_end(*node) == node.index() + 1;
        let mut leaves = table.nodes().filter(|node| is_leaf(node) && !self.tree.is_comment(*node));
        leaves.any(|node| {
            *self.tree.node_text(node) == *word
                && !table.is_within(node, statement)
                && !self.is_inside(self.from, table.span(node))
        })
    }

    /// Whether a module inside the old one that is another file may use a name by importing everything.
    fn is_used_below(&self, name: &str) -> bool {
        let project = self.resolver.project();
        let language = self.tree.language();
        let files = project.ids().filter(|&file| file != self.from && project.file(file).language == language);
        let mut files = files.filter(|&file| self.resolver.may_contain(file, name));
        files.any(|file| self.resolver.is_module_within(Thing::Module(file), Thing::Module(self.from)))
    }

    /// Imports in the old module what it still uses.
    pub(super) fn leave(&mut self, keeps_names: bool) {
        let mut names = self.still.clone();
        let mut again: Vec<(String, String)> = Vec::new();
        let language = self.tree.language().spec();
        if keeps_names {
            for piece in self.pieces {
                let words = match self.resolver.reach_of(piece.site) {
                    Reach::Everywhere => language.symbols.module_tree.open_words.first(),
                    Reach::Library => language.symbols.import_forms.get("opened"),
                    Reach::Module(_) => None,
                };
                if let Some(words) = words
                    && !again.iter().any(|(name, _)| *name == piece.name)
                {
                    again.push((piece.name.clone(), format!("{words} ")));
                }
            }
        }
        names.retain(|name| !again.iter().any(|(other, _)| other == name));
        names.sort_unstable();
        names.dedup();
        let plain = names.into_iter().map(|name| (name, String::new()));
        let all: Vec<(String, String)> = plain.chain(again).collect();
        for (name, words) in all {
            if let Some(piece) = self.pieces.iter().find(|piece| piece.name == name) {
                let start = self.tree.span(piece.site.name).start();
                self.users.entry(start).or_default().push(Thing::Module(self.from));
            }
            let path = format!("{}{}{name}", self.new_path(), self.separator());
            let conditions = self.conditions_of(&name);
            let code = format!("{conditions}{words}{}", self.import_text(&path, None));
            self.redirected.entry(self.from).or_default().ops.push(Op::EnsureImport { code });
        }
        self.check_names_at_home();
    }

    /// The conditions above a definition that moves, each with a line break after it.
    fn conditions_of(&self, name: &str) -> String {
        let newline = self.tree.text().newline();
        let condition = &self.tree.language().spec().symbols.module_tree.condition;
        let piece = self.pieces.iter().find(|piece| piece.name == name);
        let Some(piece) = piece.filter(|piece| piece.units.len() == 1) else { return String::new() };
        let leading = self.tree.attachments().leading(self.tree.table(), piece.units[0]);
        let texts = leading.map(|node| self.tree.node_text(node).into_owned());
        texts.filter(|text| condition.get().is_match(text)).map(|text| format!("{text}{newline}")).collect()
    }

    /// Refuses names that the new module has already.
    fn check_names_at_home(&mut self) {
        if self.home.is_new {
            return;
        }
        let to = self.home.to;
        for piece in self.pieces {
            let tops = self.resolver.top_definitions(to).into_iter();
            let taken = tops
                .filter(|one| one.name == piece.name)
                .find(|one| self.resolver.are_in_one_space(one.site, piece.site));
            if let Some(taken) = taken {
                let start = self.resolver.tree(to).map_or(0, |tree: &Tree| tree.span(taken.site.name).start());
                self.block(to, start, format!("the new module has another `{}`", piece.name));
            }
        }
    }
}
