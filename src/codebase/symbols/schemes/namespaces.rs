//! Names in namespaces that files declare as they like: several in a file, and one in several files.

use std::rc::Rc;

use crate::language::{Language, Spaces};
use crate::modules::FileId;
use crate::scopes::VariableName;
use crate::scopes::imported::Imported;
use crate::selector::Kinds;
use crate::symbols::inference::resolver::{Resolver, View, Work};
use crate::symbols::model::{Meaning, Member, MemberName, Site, Spread, Thing, Value, Values};
use crate::tree::Node;

impl Resolver<'_> {
    /// The name of the namespace around a node.
    pub(crate) fn namespace_of(&self, view: &View<'_>, node: Node) -> String {
        let table = view.tree.table();
        let rules = view.rules;
        let mut names: Vec<String> = Vec::new();
        let name_of = |statement: Node| {
            let paths = rules.packages.of(table.type_id(statement))?;
            let name = paths.iter().flat_map(|path| view.tree.reached(statement, path)).next()?;
            Some(view.tree.node_text(name).split_whitespace().collect::<String>())
        };
        let mut inner = node;
        let mut around = table.parent(node);
        while let Some(parent) = around {
            // A statement without a body counts for what comes after it.
            let is_top = parent == Node::ROOT || rules.packages.of(table.type_id(parent)).is_some();
            if is_top || table.parent(parent).is_some_and(|outer| rules.packages.of(table.type_id(outer)).is_some()) {
                let before = table.children(parent).take_while(|&child| child != inner);
                let is_open = |&child: &Node| {
                    rules.packages.of(table.type_id(child)).is_some() && view.tree.body(child).is_none()
                };
                let mut before: Vec<String> = before.filter(is_open).filter_map(name_of).collect();
                if !rules.namespaces.nest {
                    before = before.pop().into_iter().collect();
                }
                names.extend(before.into_iter().rev());
            }
            if let Some(name) = name_of(parent) {
                names.push(name);
            }
            inner = parent;
            around = table.parent(parent);
        }
        names.reverse();
        let separator = &view.tree.language().spec().imports.separator;
        names.iter().map(|name| name.trim_start_matches(separator.as_str())).collect::<Vec<_>>().join(separator)
    }

    /// The definitions with a name at the top of a namespace, in all files, in their order.
    pub(in crate::symbols) fn spread(&self, language: &'static Language, package: &str, name: &str) -> Rc<[Spread]> {
        let key = (language.name(), package.to_owned(), name.to_owned());
        if let Some(known) = self.spread.borrow().get(&key) {
            return Rc::clone(known);
        }
        let separator = language.spec().imports.separator.as_str();
        let last = package.rsplit(separator).next().filter(|last| !last.is_empty());
        let may_define = |&file: &FileId| {
            self.project().file(file).language == language
                && self.may_have_name(file, name)
                && last.is_none_or(|last| self.trees.may_have(file, last))
        };
        let mut found = Vec::new();
        for file in self.project().ids().filter(may_define) {
            let Some(view) = self.view(file) else { continue };
            found.extend(self.spread_in(&view, package, name));
        }
        let found: Rc<[Spread]> = found.into();
        self.spread.borrow_mut().insert(key, Rc::clone(&found));
        found
    }

    fn spread_in(&self, view: &View<'_>, package: &str, name: &str) -> Vec<Spread> {
        let names = view.scopes.names(name);
        let is_own = |found: &&VariableName| {
            found.does.is_binding()
                && !found.is_import()
                && found.scope == Node::ROOT
                && view.scopes.fits(found.name, &view.rules.namespaces.file_names).is_none()
                && !self.is_extension(view, found.name)
        };
        let own = names.found.iter().filter(is_own).filter(|found| self.namespace_of(view, found.name) == package);
        own.map(|found| self.spread_at(view, found)).collect()
    }

    fn spread_at(&self, view: &View<'_>, found: &VariableName) -> Spread {
        let definition = self.definition_of(view, found.name);
        let is_part = definition.is_some_and(|definition| {
            let words = &view.rules.class_parts.words;
            if !view.rules.companions.types.is_empty() {
                return view.rules.classes.contains(view.tree.table().type_id(definition));
            }
            !words.is_empty()
                && view.tree.modifiers(definition).iter().any(|word| words.iter().any(|part| **part == **word))
        });
        Spread {
            site: Site { file: view.file, name: found.name },
            spaces: found.spaces,
            arity: self.arity(view, found.name),
            is_class: self.is_class_name(view, found.name),
            is_part,
            is_of_file: definition.is_some_and(|definition| {
                let words = &view.rules.namespaces.file_words;
                // The words may be before a declaration of a variable.
                let whole = view.tree.table().parent(definition).filter(|&parent| parent != Node::ROOT);
                !words.is_empty()
                    && std::iter::once(definition).chain(whole).any(|node| {
                        view.tree.modifiers(node).iter().any(|word| words.iter().any(|known| **known == **word))
                    })
            }),
        }
    }

    /// How many type parameters or arguments a name has.
    fn arity(&self, view: &View<'_>, name: Node) -> usize {
        let table = view.tree.table();
        let Some(parent) = table.parent(name) else { return 0 };
        let paths = view.rules.class_parts.arities.of(table.type_id(parent)).into_iter().flatten();
        let lists = paths.flat_map(|path| view.tree.reached(parent, path));
        let commas = |list: Node| table.children(list).filter(|&child| view.tree.node_text(child) == ",").count() + 1;
        lists.map(commas).sum()
    }

    /// Which of several definitions a name means, as seen from a file.
    fn choose(&self, view: &View<'_>, found: &[Spread], arity: Option<usize>, spaces: Spaces) -> Option<Meaning> {
        let is_seen = |found: &&Spread| !found.is_of_file || found.site.file == view.file;
        let mut fitting: Vec<Spread> =
            found.iter().filter(is_seen).filter(|found| found.spaces.meets(spaces)).copied().collect();
        if let Some(arity) = arity
            && fitting.iter().any(|found| found.is_class && found.arity == arity)
        {
            fitting.retain(|found| !found.is_class || found.arity == arity);
        }
        let first = *fitting.first()?;
        if fitting.iter().all(|found| found.is_part && found.arity == first.arity) {
            return Some(Meaning::Known(vec![Thing::Symbol(first.site)]));
        }
        let is_same = |found: &&Spread| found.is_class == first.is_class && found.arity == first.arity;
        let are_alike = fitting.iter().filter(is_same).count() == fitting.len();
        if are_alike && fitting.iter().all(|found| found.site.file == first.site.file) {
            return Some(Meaning::Known(vec![Thing::Symbol(first.site)]));
        }
        // A class of the file itself comes first: those of other files may belong to another program.
        let own: Vec<&Spread> = fitting.iter().filter(|found| found.site.file == view.file).collect();
        if let [own] = own.as_slice()
            && are_alike
            && own.is_class
        {
            return Some(Meaning::Known(vec![Thing::Symbol(own.site)]));
        }
        let mut firsts: Vec<Thing> = Vec::new();
        for (index, found) in fitting.iter().enumerate() {
            let is_known = |other: &Spread| {
                other.is_class == found.is_class
                    && other.arity == found.arity
                    && (other.site.file == found.site.file || other.is_part && found.is_part)
            };
            if !fitting[..index].iter().any(is_known) {
                firsts.push(Thing::Symbol(found.site));
            }
        }
        firsts.sort_unstable();
        Some(Meaning::Unknown(firsts))
    }

    /// The meaning of a name in a namespace.
    pub(in crate::symbols) fn in_namespace(
        &self,
        view: &View<'_>,
        package: &str,
        name: MemberName<'_>,
        arity: Option<usize>,
    ) -> Option<Meaning> {
        let found = self.spread(view.tree.language(), package, name.text);
        self.choose(view, &found, arity, name.spaces)
    }

    /// The meaning of a name that binds at the top of a namespace.
    pub(in crate::symbols) fn own_namespaced(&self, view: &View<'_>, found: &VariableName) -> Meaning {
        if self.is_extension(view, found.name) {
            let text = view.tree.node_text(found.name);
            let names = view.scopes.names(&text);
            let is_alike = |other: &&VariableName| {
                other.does.is_binding() && other.scope == found.scope && self.is_extension(view, other.name)
            };
            let first = names.found.iter().find(is_alike).map_or(found.name, |first| first.name);
            return Meaning::site(view.file, first);
        }
        let own = self.spread_at(view, found);
        let package = self.namespace_of(view, found.name);
        let text = view.tree.node_text(found.name);
        let all = self.spread(view.tree.language(), &package, &text);
        let is_same = |other: &&Spread| {
            other.is_class == own.is_class
                && other.arity == own.arity
                && other.spaces.meets(own.spaces)
                && (other.is_part && own.is_part || other.site.file == view.file && other.is_part == own.is_part)
        };
        let first = all.iter().find(is_same).map_or(own.site, |first| first.site);
        Meaning::Known(vec![Thing::Symbol(first)])
    }

    /// The meaning of a name that nothing inside a definition binds: by imports, namespaces around, and imports of everything.
    pub(in crate::symbols) fn namespaced(&self, view: &View<'_>, at: Node, name: MemberName<'_>) -> Meaning {
        let meaning = self.find_namespaced(view, at, name);
        match meaning {
            // Another language of the project may define it.
            Meaning::External if self.is_of_neighbour(view, name.text) => Meaning::Unknown(Vec::new()),
            meaning => meaning,
        }
    }

    fn find_namespaced(&self, view: &View<'_>, at: Node, name: MemberName<'_>) -> Meaning {
        let names = view.scopes.names(name.text);
        let is_imported =
            |found: &&VariableName| found.is_import() && found.scope == Node::ROOT && found.spaces.meets(name.spaces);
        let mut imports: Vec<Node> = names.found.iter().filter(is_imported).map(|found| found.name).collect();
        imports.retain(|&name| !self.is_path_beginning(view, name));
        if !imports.is_empty() {
            return match self.bound_by(view, &imports) {
                Meaning::Known(things) if things.len() > 1 => Meaning::Unknown(things),
                meaning => meaning,
            };
        }
        // A constructor has the name of its class without the type parameters.
        let function = self.definition_of(view, at).filter(|&node| Kinds::new(view.tree).is(node, "function"));
        let class = function.and_then(|_| self.class_around(view, at));
        let class = class.filter(|class| class.file == view.file && *view.tree.node_text(class.name) == *name.text);
        let counted = class.map_or(at, |class| class.name);
        let arity = (!view.rules.class_parts.arities.is_empty()).then(|| self.arity(view, counted));
        let separator = &view.tree.language().spec().imports.separator;
        let own = self.namespace_of(view, at);
        let mut package = own.as_str();
        let mut found: Option<Meaning> = None;
        loop {
            let is_fallback = view.rules.namespaces.global_fallback && package != own;
            found = found.or_else(|| self.in_namespace(view, package, name, arity));
            // Only functions and constants are looked up in the global namespace, too.
            found = found.filter(|found| !is_fallback || !self.is_class_meaning(found));
            if found.is_some() || package.is_empty() {
                break;
            }
            package = match view.rules.namespaces.outer {
                true => package.rsplit_once(separator.as_str()).map_or("", |(outer, _)| outer),
                false if view.rules.namespaces.global_fallback => "",
                false => break,
            };
        }
        if let Some(found) = found {
            return found;
        }
        let globs = self.find_in_namespace_globs(view, Some(at), name, arity);
        if let Meaning::Known(_) = globs {
            return globs;
        }
        if let Meaning::Unknown(things) = &globs
            && !things.is_empty()
        {
            return globs;
        }
        if let Some(package) = self.package_named(view, &own, name.text) {
            return Meaning::Known(vec![package]);
        }
        if view.rules.implicit_objects.names.iter().any(|implicit| implicit == name.text) {
            return Meaning::Unknown(Vec::new());
        }
        let has_error = view.tree.table().has_error(Node::ROOT);
        if view.rules.imports_are_complete && !has_error || globs == Meaning::External {
            return Meaning::External;
        }
        Meaning::Unknown(Vec::new())
    }

    /// The meaning of a name in the namespaces, classes and objects of which a file imports everything, as seen from a place.
    pub(in crate::symbols) fn find_in_namespace_globs(
        &self,
        view: &View<'_>,
        at: Option<Node>,
        name: MemberName<'_>,
        arity: Option<usize>,
    ) -> Meaning {
        let separator = &view.tree.language().spec().imports.separator;
        let mut found: Vec<Thing> = Vec::new();
        let (mut is_external, mut is_known) = (false, true);
        let is_seen = |import: Node| {
            let scope = view.scopes.around(import);
            scope == Node::ROOT || at.is_none_or(|at| view.tree.table().is_within(at, scope))
        };
        let own = view.globs().iter().filter(|(node, _)| is_seen(*node));
        let own = own.map(|(node, glob)| (view.file, *node, glob));
        let shared = self.shared_globs(view).iter().map(|(file, node, glob)| (*file, *node, glob));
        for (file, import, glob) in own.chain(shared).filter(|(_, _, glob)| glob.is_glob && glob.bound.is_none()) {
            let path = glob.glob_path.as_str();
            let key = Work::Member(file, format!("{path}{separator}*{separator}{}", name.text), name.spaces);
            if !self.open.enter(&key) {
                continue;
            }
            let meaning = self.in_namespace(view, path, name, arity).unwrap_or_else(|| {
                let parts: Vec<&str> = path.split(separator.as_str()).collect();
                let own = Some(import).filter(|_| file == view.file);
                let named = own.and_then(|import| self.path_from_name(view, import, &parts));
                match named.unwrap_or_else(|| self.class_in_namespaces(view, &parts)) {
                    Meaning::Known(things) => Meaning::union(things.into_iter().map(|thing| match thing {
                        Thing::Symbol(_) => self.member_of_complete(&self.thing_value(thing), name),
                        _ => Meaning::Unknown(Vec::new()),
                    })),
                    meaning => meaning,
                }
            });
            self.open.leave(&key);
            match meaning {
                Meaning::Known(mut things) => found.append(&mut things),
                Meaning::Unknown(mut things) => {
                    is_known &= things.is_empty();
                    found.append(&mut things);
                }
                Meaning::External => is_external = true,
            }
        }
        found.sort_unstable();
        found.dedup();
        match found.len() {
            0 if is_external => Meaning::External,
            1 if is_known => Meaning::Known(found),
            _ => Meaning::Unknown(found),
        }
    }

    /// The imports of everything that other files make for all.
    fn shared_globs(&self, view: &View<'_>) -> &[(FileId, Node, Imported)] {
        let rules = view.rules;
        if rules.namespaces.shared_imports.is_empty() {
            return &[];
        }
        self.shared_globs.get_or_init(|| {
            let mut found = Vec::new();
            for file in
                self.files_around(view, &rules.namespaces.shared_words.iter().map(String::as_str).collect::<Vec<_>>())
            {
                let Some(other) = self.view(file) else { continue };
                let table = other.tree.table();
                let is_shared = |node: Node| {
                    table.children(node).any(|child| rules.namespaces.shared_imports.contains(table.type_id(child)))
                };
                let globs = other.globs().iter().filter(|(node, _)| is_shared(*node));
                found.extend(globs.map(|(node, glob)| (file, *node, glob.clone())));
            }
            found
        })
    }

    /// The meaning of a variable where namespaces have names: at the top of a file, or in a class of several parts; `None` if
    /// it is another one.
    pub(in crate::symbols) fn spread_variable(
        &self,
        view: &View<'_>,
        found: &VariableName,
        scope: Option<Node>,
        text: &str,
    ) -> Option<Meaning> {
        let is_own_type = || view.rules.type_words.own.iter().any(|own| own == text);
        match scope {
            None if is_own_type() => None,
            None if view.scopes.fits(found.name, &view.rules.namespaces.file_names).is_some() => {
                Some(Meaning::Unknown(Vec::new()))
            }
            Some(Node::ROOT) if view.scopes.fits(found.name, &view.rules.namespaces.file_names).is_some() => None,
            Some(Node::ROOT) if found.does.is_binding() && !found.is_import() => Some(self.own_namespaced(view, found)),
            None | Some(Node::ROOT) => {
                let meaning = self.namespaced(view, found.name, MemberName { text, spaces: found.spaces });
                Some(self.unless_inherited(view, found, meaning))
            }
            Some(scope) => self.member_of_parts(view, found, scope),
        }
    }

    /// A meaning that is only possible if a base class outside the project may have a member with the name.
    fn unless_inherited(&self, view: &View<'_>, found: &VariableName, meaning: Meaning) -> Meaning {
        let Meaning::Known(things) = &meaning else { return meaning };
        let is_class = |thing: &Thing| match thing {
            Thing::Symbol(site) => self.view(site.file).is_some_and(|view| self.is_class_name(&view, site.name)),
            _ => true,
        };
        if !view.rules.members.implicit || things.iter().all(is_class) {
            return meaning;
        }
        let table = view.tree.table();
        let mut scope = found.scope;
        while scope != Node::ROOT {
            if view.scopes.rules.members.contains(table.type_id(scope))
                && let Some(class) = self.class_at(view, scope)
                && self.member(class, MemberName { text: &view.tree.node_text(found.name), spaces: found.spaces })
                    == Member::External
            {
                return Meaning::Unknown(things.clone());
            }
            scope = view.scopes.around(scope);
        }
        meaning
    }

    /// The meaning of a name before a dot if it may be a variable or the type of that, which has the same name.
    pub(in crate::symbols) fn unless_shared(&self, view: &View<'_>, found: &VariableName, meaning: Meaning) -> Meaning {
        if !view.rules.namespaces.shared_names || found.does.is_binding() {
            return meaning;
        }
        let Meaning::Known(things) = &meaning else { return meaning };
        let &[Thing::Symbol(site)] = things.as_slice() else { return meaning };
        let table = view.tree.table();
        let Some(access) = table.parent(found.name) else { return meaning };
        let objects = view.rules.objects.of(table.type_id(access)).into_iter().flatten();
        if !objects.flat_map(|path| view.tree.reached(access, path)).any(|object| object == found.name) {
            return meaning;
        }
        let values = self.nested(Values::unknown(), || self.thing_value(Thing::Symbol(site)));
        let &[Value::Instance { class, .. }] = values.known.as_slice() else { return meaning };
        let text = view.tree.node_text(found.name);
        if class == site || self.view(class.file).is_none_or(|view| view.tree.node_text(class.name) != text) {
            return meaning;
        }
        let both = Meaning::Unknown(vec![Thing::Symbol(site), Thing::Symbol(class)]);
        let Some(member) = self.member_name(view, access) else { return both };
        match self.member(class, &*view.tree.node_text(member)) {
            Member::Found(sites) if sites.iter().all(|&site| self.is_of_class(site)) => {
                Meaning::site(class.file, class.name)
            }
            Member::Found(sites) if !sites.iter().any(|&site| self.is_of_class(site)) => meaning,
            _ => both,
        }
    }

    /// Whether a member belongs to the class itself and not to its objects.
    fn is_of_class(&self, member: Site) -> bool {
        /// How far such words are from the definition of a name.
        const DEPTH: usize = 2;
        let Some(view) = self.view(member.file) else { return false };
        let Some(definition) = self.definition_of(&view, member.name) else { return false };
        let (words, table) = (&view.rules.members.static_words, view.tree.table());
        let is_static =
            |node: Node| view.tree.modifiers(node).iter().any(|word| words.iter().any(|known| **known == **word));
        // The words may be before a declaration of several names.
        let around = table.ancestors(definition).take(DEPTH);
        let mut around = around.take_while(|&node| !view.scopes.rules.members.contains(table.type_id(node)));
        view.rules.members.variants.contains(table.type_id(definition))
            || self.is_class_name(&view, member.name)
            || is_static(definition)
            || around.any(is_static)
    }

    fn is_class_meaning(&self, meaning: &Meaning) -> bool {
        let (Meaning::Known(things) | Meaning::Unknown(things)) = meaning else { return false };
        things.iter().any(|thing| match thing {
            Thing::Symbol(site) => self.view(site.file).is_some_and(|view| self.is_class_name(&view, site.name)),
            _ => false,
        })
    }

    /// A meaning that is only possible in a function that may have an object whose members need nothing before them.
    pub(in crate::symbols) fn unless_open(&self, view: &View<'_>, found: &VariableName, meaning: Meaning) -> Meaning {
        if view.rules.implicit_objects.scopes.is_empty() || found.does.is_binding() {
            return meaning;
        }
        let things = match &meaning {
            Meaning::Known(things) => things.clone(),
            Meaning::External => Vec::new(),
            Meaning::Unknown(_) => return meaning,
        };
        let table = view.tree.table();
        let is_outside = |scope: Node| {
            things.iter().all(|thing| match thing {
                Thing::Symbol(site) => site.file != view.file || !table.is_within(site.name, scope),
                _ => false,
            })
        };
        let is_open = |&scope: &Node| {
            if self.is_extension_scope(view, scope) {
                return true;
            }
            if !view.rules.implicit_objects.scopes.contains(table.type_id(scope)) {
                return false;
            }
            let callee = table.ancestors(scope).take(3).find_map(|call| view.tree.callee_text(call));
            let word =
                callee.as_deref().map(|callee| callee.rsplit(['.', ':', '?']).next().unwrap_or(callee).to_owned());
            word.is_some_and(|word| !view.rules.implicit_objects.closed_calls.contains(&word))
        };
        // A name with a capital letter is rarely a member.
        let is_class = self.is_class_meaning(&meaning)
            || things.is_empty() && view.tree.node_text(found.name).starts_with(char::is_uppercase);
        let mut around = table.ancestors(found.name).filter(|&scope| is_outside(scope));
        if !is_class && around.any(|scope| is_open(&scope)) {
            return Meaning::Unknown(things);
        }
        meaning
    }

    fn is_extension_scope(&self, view: &View<'_>, scope: Node) -> bool {
        view.tree.is_scope(scope)
            && view
                .tree
                .name_node(scope)
                .is_some_and(|name| self.definition_of(view, name) == Some(scope) && self.is_extension(view, name))
    }

    /// The namespace that a name means in another namespace.
    fn package_named(&self, view: &View<'_>, own: &str, name: &str) -> Option<Thing> {
        let language = view.tree.language();
        let separator = &language.spec().imports.separator;
        let mut outer = own;
        loop {
            let whole = if outer.is_empty() { name.to_owned() } else { format!("{outer}{separator}{name}") };
            if let Some(package) = self.package(language, &whole) {
                return Some(package);
            }
            if outer.is_empty() {
                return None;
            }
            outer = outer.rsplit_once(separator.as_str()).map_or("", |(outer, _)| outer);
        }
    }

    /// A namespace, if a file declares it or one in it.
    pub(in crate::symbols) fn package(&self, language: &'static Language, name: &str) -> Option<Thing> {
        self.trees.declares_package(language, name).then(|| Thing::Package(self.project().package_id(name)))
    }

    /// The meaning of a name in a namespace, as the name after a dot.
    pub(in crate::symbols) fn member_of_namespace(
        &self,
        language: &'static Language,
        package: &str,
        name: MemberName<'_>,
    ) -> Meaning {
        let found = self.spread(language, package, name.text);
        let view = found.first().and_then(|found| self.view(found.site.file));
        if let Some(meaning) = view.and_then(|view| self.choose(&view, &found, None, name.spaces)) {
            return meaning;
        }
        let whole = format!("{package}{}{}", language.spec().imports.separator, name.text);
        self.package(language, &whole).map_or(Meaning::External, |package| Meaning::Known(vec![package]))
    }

    /// Whether a file of another language, whose definitions this one can use, has a word.
    fn is_of_neighbour(&self, view: &View<'_>, word: &str) -> bool {
        let neighbours = &view.rules.namespaces.neighbours;
        let is_near = |language: &&Language| neighbours.iter().any(|name| name == language.name());
        self.project().languages().iter().copied().any(|language| is_near(&language))
            && self
                .project()
                .ids()
                .any(|file| is_near(&self.project().file(file).language) && self.trees.may_have(file, word))
    }

    /// Whether a definition counts as a method of objects of other classes.
    pub(crate) fn is_extension(&self, view: &View<'_>, name: Node) -> bool {
        let table = view.tree.table();
        !view.rules.members.extensions.is_empty()
            && self.definition_of(view, name).is_some_and(|definition| {
                view.rules.members.extensions.iter().any(|(pattern, paths)| {
                    table.fits(definition, pattern) && !self.signs_of_extension(view, definition, paths).is_empty()
                })
            })
    }

    /// The definitions with a name that count as methods of objects of other classes.
    pub(in crate::symbols) fn extension_methods(&self, view: &View<'_>, name: &str) -> Rc<[Thing]> {
        if view.rules.members.extensions.is_empty() {
            return Rc::new([]);
        }
        let key = (view.tree.language().name(), name.to_owned());
        if let Some(known) = self.extensions.borrow().get(&key) {
            return Rc::clone(known);
        }
        let mut found: Vec<Thing> = Vec::new();
        for file in self.files_around(view, &[name]) {
            let Some(other) = self.view(file) else { continue };
            for &node in other.scopes.nodes_of(name) {
                if other.scopes.binds(node)
                    && self.is_extension(&other, node)
                    && let Meaning::Known(things) = self.meaning(file, node)
                {
                    found.extend(things);
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        let found: Rc<[Thing]> = found.into();
        self.extensions.borrow_mut().insert(key, Rc::clone(&found));
        found
    }

    /// The parts of a class that is a member of a class, in all parts of that one.
    fn parts_in(&self, view: &View<'_>, found: &VariableName) -> Vec<Site> {
        let Some(outer) = self.class_at(view, found.scope) else { return Vec::new() };
        let text = view.tree.node_text(found.name);
        let name = MemberName { text: &text, spaces: found.spaces };
        let mut parts = Vec::new();
        let Some(outer_view) = self.view(outer.file) else { return parts };
        for outer in std::iter::once(outer).chain(self.other_parts(&outer_view, outer)) {
            let Some(other) = self.view(outer.file) else { continue };
            for binder in self.body_binders(&other, outer, name) {
                let names = other.scopes.names(&text);
                let is_part = names.at(binder).is_some_and(|found| self.spread_at(&other, found).is_part);
                parts.extend(is_part.then_some(Site { file: outer.file, name: binder }));
            }
        }
        parts
    }

    /// The meaning of a member of a class if the class is written in several parts; `None` if it is not.
    pub(in crate::symbols) fn member_of_parts(
        &self,
        view: &View<'_>,
        found: &VariableName,
        scope: Node,
    ) -> Option<Meaning> {
        if !view.rules.companions.types.is_empty() && !self.is_class_name(view, found.name) {
            return None;
        }
        if view.rules.companions.types.is_empty() && view.rules.class_parts.words.is_empty()
            || !view.scopes.rules.members.contains(view.tree.table().type_id(scope))
        {
            return None;
        }
        let class = self.class_at(view, scope)?;
        let text = view.tree.node_text(found.name);
        let name = MemberName { text: &text, spaces: found.spaces };
        let class_view = self.view(class.file)?;
        for part in std::iter::once(class).chain(self.other_parts(&class_view, class)) {
            let other = self.view(part.file)?;
            if let Some(&first) = self.body_binders(&other, part, name).first() {
                return Some(Meaning::site(part.file, first));
            }
        }
        None
    }

    /// The other parts of a class that is written in several.
    pub(in crate::symbols) fn other_parts(&self, view: &View<'_>, class: Site) -> Vec<Site> {
        let has_parts = !view.rules.class_parts.words.is_empty() || !view.rules.companions.types.is_empty();
        if !has_parts || !view.scopes.is_identifier(class.name) {
            return Vec::new();
        }
        let names = view.scopes.names(&view.tree.node_text(class.name));
        let Some(found) = names.at(class.name).filter(|found| found.does.is_binding()) else { return Vec::new() };
        let own = self.spread_at(view, found);
        if !own.is_part {
            return Vec::new();
        }
        if found.scope == Node::ROOT {
            let package = self.namespace_of(view, class.name);
            let all = self.spread(view.tree.language(), &package, &view.tree.node_text(class.name));
            let others = all.iter().filter(|other| other.is_part && other.arity == own.arity && other.site != own.site);
            return others.map(|other| other.site).collect();
        }
        self.parts_in(view, found).into_iter().filter(|&other| other != own.site).collect()
    }

    /// Whether a file may contain a name, in whatever case the language takes it.
    pub(in crate::symbols) fn may_have_name(&self, file: FileId, name: &str) -> bool {
        let spec = self.project().file(file).language.spec();
        let rules = spec.symbols.references.as_ref().unwrap_or(&spec.references);
        match rules.any_case {
            // The words of such a file are known in small letters, too.
            Some(_) => self.trees.may_have(file, &name.to_lowercase()),
            None => self.trees.may_have(file, name),
        }
    }

    /// Whether a name is that of a class that is written in several parts.
    pub(in crate::symbols) fn is_part(&self, view: &View<'_>, name: Node) -> bool {
        let names = view.scopes.names(&view.tree.node_text(name));
        names.at(name).is_some_and(|found| found.does.is_binding() && self.spread_at(view, found).is_part)
    }

    /// The meaning of a name as a member of values: not known, unless they all are.
    fn member_of_complete(&self, values: &Values, name: MemberName<'_>) -> Meaning {
        match Meaning::union(values.known.iter().map(|value| self.member_of(value, name))) {
            Meaning::Known(things) if !values.is_complete => Meaning::Unknown(things),
            Meaning::External if !values.is_complete => Meaning::Unknown(Vec::new()),
            // An object from outside may have any member, and a name may be a call.
            Meaning::External
                if values.known.iter().any(|value| matches!(value, Value::Foreign | Value::Function { .. })) =>
            {
                Meaning::Unknown(Vec::new())
            }
            meaning => meaning,
        }
    }

    /// The meaning of a path in an import that begins with a name which means something there: `api.call`, where `api` is a parameter.
    /// `None` if the path begins with a namespace, or a name of outside.
    pub(in crate::symbols) fn path_from_name(&self, view: &View<'_>, import: Node, parts: &[&str]) -> Option<Meaning> {
        let (&head, rest) = parts.split_first().filter(|_| !view.rules.companions.types.is_empty())?;
        // An import may be what it begins with.
        let key = Work::Member(view.file, format!("{}>{head}", import.index()), Spaces::ALL);
        if !self.open.enter(&key) {
            return None;
        }
        let (scope, start) = (view.scopes.around(import), view.tree.span(import).start());
        let found = VariableName::reference(import, scope, start, Spaces::ALL);
        let names = view.scopes.names(head);
        let meaning = self.nested(Meaning::Unknown(Vec::new()), || self.variable(view, &names, &found, head));
        self.open.leave(&key);
        let is_symbol = |thing: &Thing| matches!(thing, Thing::Symbol(_));
        match meaning {
            Meaning::Known(things) if things.iter().all(is_symbol) => {
                let mut meaning = Meaning::Known(things);
                for part in rest {
                    let Meaning::Known(things) = &meaning else { break };
                    let values = Values::union(things.iter().map(|&thing| self.thing_value(thing)));
                    meaning = self.member_of_complete(&values, (*part).into());
                }
                Some(meaning)
            }
            Meaning::Unknown(things) if !things.is_empty() => Some(Meaning::Unknown(Vec::new())),
            _ => None,
        }
    }

    /// The meaning of a path of namespaces and classes.
    pub(in crate::symbols) fn class_in_namespaces(&self, view: &View<'_>, parts: &[&str]) -> Meaning {
        let extensions = self.extensions_at(view, parts);
        match self.class_by_path(view, parts, true) {
            Some(found) if extensions.is_empty() => return found,
            Some(found) => return Meaning::union([found, Meaning::Known(extensions)]),
            None if !extensions.is_empty() => return Meaning::Known(extensions),
            None => {}
        }
        let separator = &view.tree.language().spec().imports.separator;
        let package = self.package(view.tree.language(), &parts.join(separator));
        package.map_or(Meaning::External, |package| Meaning::Known(vec![package]))
    }

    /// The methods of other classes' objects that a path of a namespace names.
    fn extensions_at(&self, view: &View<'_>, parts: &[&str]) -> Vec<Thing> {
        let Some((last, package)) = parts.split_last().filter(|_| !view.rules.members.extensions.is_empty()) else {
            return Vec::new();
        };
        let package = package.join(&view.tree.language().spec().imports.separator);
        let is_there = |thing: &Thing| match *thing {
            Thing::Symbol(site) => {
                self.view(site.file).is_some_and(|view| self.namespace_of(&view, site.name) == package)
            }
            _ => false,
        };
        self.extension_methods(view, last).iter().copied().filter(is_there).collect()
    }

    /// The meaning of a path in code that begins at the root, or at the own namespace.
    pub(in crate::symbols) fn path_from_root(&self, view: &View<'_>, name: Node, parts: &[&str]) -> Option<Meaning> {
        let (first, rest) = parts.split_first()?;
        let is_in = |words: &[String]| words.iter().any(|word| word == first);
        if first.is_empty() || is_in(&view.rules.module_words.root) {
            return Some(self.class_in_namespaces(view, rest));
        }
        if is_in(&view.rules.module_words.own) {
            let own = self.namespace_of(view, name);
            let separator = &view.tree.language().spec().imports.separator;
            let parts: Vec<&str> = own.split(separator.as_str()).chain(rest.iter().copied()).collect();
            return Some(self.class_in_namespaces(view, &parts));
        }
        None
    }
}
