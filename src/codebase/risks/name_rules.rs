//! Rules of a language about names, which a rename has to respect besides the references.

use super::made::{content, strings_in};
use crate::language::ModuleScheme;
use crate::modules::FileId;
use crate::selector::Kinds;
use crate::symbols::{Meaning, Resolver, Site, Thing, View, is_lasting};
use crate::tree::Node;

/// A rule of a language about a name that a rename would break.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NameRisk {
    /// The language or a tool does something with the new name: what, by the language's data.
    Runs(String),
    /// Something reads the variables of its function by their names: what.
    Reader(String),
    /// It is a component and a parameter of a constructor, which have to have one name.
    Component,
    /// It would not be public any more, and is used by its name.
    Hidden,
    /// The standard library has a function or a macro of the new name.
    Library,
    /// Code in it asks for the name of the module around.
    Asked,
    /// A member would have the name of its class.
    OfItsClass,
    /// A property has a method of the name, or would have one that is there.
    Accessor(String),
    /// The language has a type of the new name, which it would hide.
    Primitive,
}

impl Resolver<'_> {
    /// The rules about the name of a symbol and its new one that a rename would break.
    pub fn name_risks(&self, site: Site, to: &str) -> Vec<NameRisk> {
        let mut risks = Vec::new();
        let Some(view) = self.view(site.file) else { return risks };
        let text = view.tree.node_text(site.name).into_owned();
        let definition = self.definition_of(&view, site.name);
        let is_function = definition.is_some_and(|definition| Kinds::new(view.tree).is(definition, "function"));
        if is_function && is_lasting(self, &view, site.name) {
            let new = self.meaning_of_name(&view, site.name, to);
            let new = new.filter(|why| !self.has_meaning(site.file, &text, why));
            // Whether other code gets the object is asked where objects are followed.
            let new = new.filter(|why| !self.is_of_given_objects(site.file, why));
            risks.extend(new.map(|why| NameRisk::Runs(why.to_owned())));
        }
        if view.rules.capital_exports && loses_capital(&text, to) {
            let tags = &view.rules.members.tags;
            let table = view.tree.table();
            let is_tagged = definition.is_some_and(|field| {
                view.tree.name_node(field) == Some(site.name)
                    && table.children(field).any(|child| tags.contains(table.type_id(child)))
            });
            if is_tagged {
                risks.push(NameRisk::Hidden);
            }
        }
        let is_in = |names: &[String]| to != text && names.iter().any(|known| known == to);
        let is_linked = || is_lasting(self, &view, site.name) && !self.is_member(&view, site.name);
        let rules = &view.rules.hidden_uses;
        if is_in(&rules.library_macros) || is_in(&rules.library_functions) && is_linked() {
            risks.push(NameRisk::Library);
        }
        if is_in(&view.rules.primitive_types) && self.is_type_name(&view, site.name) {
            risks.push(NameRisk::Primitive);
        }
        if self.asks_inside(&view, site.name) {
            risks.push(NameRisk::Asked);
        }
        if self.shares_component(&view, site) {
            risks.push(NameRisk::Component);
        }
        risks.extend(self.reader_of(&view, site.name).map(NameRisk::Reader));
        risks.extend(self.forbidden(&view, site, to));
        risks
    }

    /// Why a definition cannot have a name beside others of its class or file, if that is so.
    fn forbidden(&self, view: &View<'_>, site: Site, to: &str) -> Option<NameRisk> {
        let rules = &view.rules.forbidden_names;
        let definition =
            |site: Site| self.definition_of(&*self.view(site.file)?, site.name).map(|node| (site.file, node));
        let is_unlike = |class: Site| {
            definition(class).is_some_and(|(file, node)| {
                self.view(file).is_some_and(|view| rules.unlike_class.contains(view.tree.table().type_id(node)))
            })
        };
        let class = self.class_of_member(site);
        if class.is_some_and(|class| is_unlike(class) && self.name_of(class).is_some_and(|name| name == to)) {
            return Some(NameRisk::OfItsClass);
        }
        // One of a base may have it.
        let is_own = |member: Site| {
            self.class_of_member(member).is_some_and(|class| class == site || self.name_of(class) == self.name_of(site))
        };
        if is_unlike(site) && self.found_member(site, to).is_some_and(is_own) {
            return Some(NameRisk::OfItsClass);
        }
        if rules.accessors.is_empty()
            || view.scopes.reaches(site.name, &view.scopes.rules.parameters).is_some() && class.is_none()
        {
            return None;
        }
        let is_taken = |name: &str| match class {
            Some(class) => self.found_member(class, name).is_some_and(|other| other != site),
            None => {
                let names = view.scopes.names(name);
                let mut binders =
                    names.found.iter().filter(|found| found.does.is_binding() && found.scope == Node::ROOT);
                is_lasting(self, view, site.name) && binders.any(|found| found.name != site.name)
            }
        };
        let recased = |name: &str, recase: fn(char) -> String| {
            let mut letters = name.chars();
            letters.next().map(|first| recase(first) + letters.as_str()).unwrap_or_default()
        };
        let names = rules.accessors.iter().flat_map(|accessor| {
            match (to.strip_prefix(accessor.as_str()), rules.capital_accessors) {
                (Some(property), true) if property.starts_with(char::is_uppercase) => {
                    vec![recased(property, |first| first.to_lowercase().collect()), property.to_owned()]
                }
                (Some(property), false) if !property.is_empty() => vec![property.to_owned()],
                (_, true) => vec![accessor.clone() + &recased(to, |first| first.to_uppercase().collect())],
                (_, false) => vec![format!("{accessor}{to}")],
            }
        });
        let taken = names.into_iter().find(|name| is_taken(name))?;
        Some(NameRisk::Accessor(taken))
    }

    /// Where a name of the file of a variable means it and something else at once, or may, and why.
    pub fn two_at_once(&self, site: Site) -> Option<(Node, &'static str)> {
        let view = self.view(site.file)?;
        let names = view.scopes.names_like(site.name);
        let symbol = names.resolve(&view.scopes, names.at(site.name)?)?;
        let rules = &view.scopes.rules;
        let has_such = !rules.leaking.is_empty() || !rules.dynamic_scopes.is_empty();
        if !has_such || view.scopes.is_member(symbol.scope, symbol.spaces) {
            return None;
        }
        let same: Vec<_> = names.meaning(&view.scopes, symbol).copied().collect();
        view.scopes.two_at_once(&names, symbol, &same)
    }

    /// Whether a name would be another one at a place, as classes have names like the new one for themselves: `__x`.
    pub fn is_mangled_at(&self, file: FileId, name: Node, old: &str, to: &str) -> bool {
        self.view(file).is_some_and(|view| {
            let rules = &view.scopes.rules;
            let (kinds, table) = (Kinds::new(view.tree), view.tree.table());
            rules.is_class_private(to)
                && !rules.is_class_private(old)
                && table.ancestors(name).any(|node| kinds.is(node, "class") && view.tree.name_node(node) != Some(name))
        })
    }

    /// The packages that have or import a symbol and have a module with a new name for it, which the symbol would hide.
    pub fn packages_with_module(&self, site: Site, to: &str) -> Vec<FileId> {
        let (Some(view), Some(old)) = (self.view(site.file), self.name_of(site)) else { return Vec::new() };
        let language = view.tree.language();
        if view.rules.modules != Some(ModuleScheme::Dotted) || !is_lasting(self, &view, site.name) {
            return Vec::new();
        }
        let packages = &view.rules.module_files.packages;
        let project = self.project();
        let has_module = |path: &str| {
            let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
            let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
            let start = if folder.is_empty() { String::new() } else { format!("{folder}/") };
            packages.iter().any(|package| package == stem)
                && (project.at(&format!("{start}{to}.{ending}")).is_some()
                    || packages.iter().any(|package| project.at(&format!("{start}{to}/{package}.{ending}")).is_some()))
        };
        let own = project.ids().filter(|&file| project.file(file).language == language);
        let has_symbol = |&file: &FileId| match self.member_of_module(Thing::Module(file), &old) {
            Meaning::Known(things) => things.contains(&Thing::Symbol(site)),
            _ => false,
        };
        own.filter(|&file| has_module(&project.file(file).path)).filter(has_symbol).collect()
    }

    /// Whether a name is one of a type or a module.
    fn is_type_name(&self, view: &View<'_>, name: Node) -> bool {
        let names = view.scopes.names_like(name);
        let types = view.scopes.rules.path_space;
        names.at(name).is_some_and(|found| types.is_none_or(|types| found.spaces.meets(types)))
            && !self.is_member(view, name)
    }

    /// Whether a name is that of a component and of a parameter of a constructor.
    fn shares_component(&self, view: &View<'_>, site: Site) -> bool {
        let components = &view.rules.members.components;
        let names = view.scopes.names(&view.tree.node_text(site.name));
        let table = view.tree.table();
        let is_component = |name: Node| view.scopes.fits(name, components).is_some();
        let of_constructor = |name: Node| {
            let own = Site { file: view.file, name };
            self.function_of_parameter(own).is_some_and(|function| self.is_constructor(function))
        };
        let mut binders = names.found.iter().filter(|found| found.does.is_binding()).map(|found| found.name);
        let holder = |name: Node| {
            let is_class =
                |&node: &Node| view.scopes.rules.members.contains(table.type_id(node)) && view.scopes.is_scope(node);
            table.ancestors(name).find(is_class)
        };
        match (is_component(site.name), of_constructor(site.name)) {
            (true, _) => {
                binders.any(|other| other != site.name && of_constructor(other) && holder(other) == holder(site.name))
            }
            (false, true) => binders.any(|other| is_component(other) && holder(other) == holder(site.name)),
            _ => false,
        }
    }

    /// The word for something that reads the variables of the function around by their names: `binding`.
    fn reader_of(&self, view: &View<'_>, name: Node) -> Option<String> {
        let readers = &view.rules.hidden_uses.scope_readers;
        let reads_of = &view.rules.hidden_uses.scope_reads;
        if readers.is_empty() && reads_of.is_empty() {
            return None;
        }
        let text = view.tree.node_text(name);
        let table = view.tree.table();
        let scope = view.scopes.names(&text).at(name)?.scope;
        if view.scopes.rules.members.contains(table.type_id(scope)) || self.is_member(view, name) {
            return None;
        }
        let definition = self.definition_of(view, name);
        if definition.is_some_and(|definition| view.tree.is_scope(definition)) {
            return None;
        }
        let is_string = |node: Node| view.tree.language().role(table.type_id(node)).string;
        let is_name = |node: Node| view.scopes.is_identifier(node);
        let computes = |&node: &Node| {
            if view.rules.includes.expressions.contains(table.type_id(node)) {
                return view.scopes.around(node) == scope && self.may_include(view, node, &text);
            }
            // A string is the one name that is read; a name is written as it is.
            let parts: Vec<Node> = view.tree.named_children(node).collect();
            let text_of = |string: Node| view.tree.node_text(string).trim_matches(['\'', '"']).to_owned();
            let is_its = match parts[..] {
                [part] if is_name(part) => false,
                [part] if is_string(part) && !table.descendants(part).any(is_name) => text_of(part) == *text,
                _ => true,
            };
            is_its && view.scopes.around(node) == scope
        };
        let reads = |&node: &Node| {
            if reads_of.contains(table.type_id(node)) {
                return computes(&node);
            }
            let word = view.tree.node_text(node);
            if !view.scopes.is_identifier(node) || !readers.iter().any(|reader| *reader == *word) {
                return false;
            }
            // A call that lists the names as strings reads just these.
            let call = table.ancestors(node).take(2).find(|&call| self.called(view, call).is_some());
            let strings = call.into_iter().flat_map(|call| table.descendants(call)).filter(|&node| is_string(node));
            let mut strings = strings.peekable();
            strings.peek().is_none() || strings.any(|string| view.tree.node_text(string).contains(&*text))
        };
        let reader = table.descendants(scope).find(reads)?;
        Some(view.tree.node_text(reader).into_owned())
    }

    /// Whether an expression that runs another file may run one that has a word.
    fn may_include(&self, view: &View<'_>, include: Node, word: &str) -> bool {
        let [string] = strings_in(view, include)[..] else { return true };
        let path = view.tree.node_text(string);
        let last = content(&path).rsplit('/').next().unwrap_or_default();
        let files = self.project().ids().filter(|&file| self.project().file(file).path.ends_with(last));
        let mut files = files.peekable();
        last.is_empty()
            || files.peek().is_none()
            || files.any(|file| self.may_contain(file, word.trim_start_matches('$')))
    }

    /// Whether names of a language that begin with a capital letter are those that other packages can use.
    pub fn has_capital_exports(&self, site: Site) -> bool {
        self.view(site.file).is_some_and(|view| view.rules.capital_exports)
    }

    /// Whether a symbol is a function or a class.
    pub fn is_called_by_text(&self, site: Site) -> bool {
        self.view(site.file).is_some_and(|view| {
            self.definition_of(&view, site.name).is_some_and(|definition| view.tree.is_scope(definition))
        })
    }

    /// The spellings under which a name is looked for in files: it may be written in any case.
    pub fn spellings(&self, site: Site) -> Vec<String> {
        let Some(view) = self.view(site.file) else { return Vec::new() };
        let text = view.scopes.rules.plain(&view.tree.node_text(site.name)).to_owned();
        if view.scopes.any_case_of(site.name) { spellings(&text) } else { vec![text] }
    }
}

/// A name as it is, and in other cases.
fn spellings(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    let mut letters = lower.chars();
    let capital: String = letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
    let mut all = vec![text.to_owned(), text.to_uppercase(), capital, lower];
    all.sort_unstable();
    all.dedup();
    all
}

/// Whether a new name begins with a small letter in place of a capital one.
pub fn loses_capital(old: &str, new: &str) -> bool {
    old.starts_with(char::is_uppercase) && !new.starts_with(char::is_uppercase)
}
