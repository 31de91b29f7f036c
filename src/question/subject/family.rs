//! A symbol with all that has to have its name.

use std::sync::OnceLock;

use memchr::memmem;
use rustc_hash::FxHashSet;

use super::objects::Escape;
use crate::modules::FileId;
use crate::question::references::Reference;
use crate::request::error::EngineError;
use crate::request::symbol_messages::{Confidence, Role};
use crate::symbols::{Resolver, Site, Target, Thing};
use crate::tree::Node;
use crate::workspace::files::Workspace;

/// A symbol with all that a rename of it has to know.
pub(crate) struct Subject {
    pub(crate) old: String,
    /// The symbol, and those that have to have its name.
    pub(crate) family: Vec<Site>,
    pub(crate) is_member: bool,
    pub(crate) is_parameter: bool,
    /// The class of which it is a parameter, and a member of its objects: the record of a component.
    pub(super) component_of: Option<Site>,
    /// Whether code outside of its function can use it.
    pub(crate) is_lasting: bool,
    /// The names of what is called where it can be an argument: its function, its class.
    pub(crate) called: FxHashSet<String>,
    /// The last names of the modules and classes that have it.
    pub(crate) holders: FxHashSet<String>,
    /// The modules that have it.
    pub(crate) modules: Vec<FileId>,
    /// The classes that have it, and those above and below them.
    pub(crate) classes: FxHashSet<Site>,
    /// How it gets a value by its name, besides by calls of its function.
    pub(super) given: Given,
    /// The references of what takes it as an argument, once they are needed.
    pub(crate) taker_references: OnceLock<Vec<Reference>>,
    /// Members of objects that are known by where objects go alone.
    pub(crate) joined: Joined,
    /// Where the objects go that have it, once that is needed.
    pub(super) escape: OnceLock<Escape>,
    /// The methods whose calls are being looked for, to know where the arguments of one come from.
    pub(super) methods: Vec<Site>,
}

/// Members of objects that are known by where objects go alone.
#[derive(Debug, Default)]
pub(crate) struct Joined {
    /// Places that mean one of a family.
    pub(crate) places: FxHashSet<(FileId, Node)>,
    /// Whether the family has the members of all objects that come to where one is declared.
    pub(crate) is_whole: bool,
}

/// How a symbol gets a value by its name, besides by calls of its function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Given {
    /// Nothing.
    No,
    /// It is a parameter of a function without a name, which anything may call.
    ByAnyCall,
    /// It is a parameter of a function without a name, which only the call around it can call.
    InPlace,
    /// Calls of its class, which has no constructor.
    ByItsClass,
    /// Tables with its name as a key.
    ByTables,
}

impl Workspace<'_> {
    /// A symbol with all that have to have the same name: overrides, and the parameters of overrides.
    pub(crate) fn family(&self, site: Site) -> Result<Vec<Site>, EngineError> {
        let function = self.resolve(|resolver| {
            let function = resolver.function_of_parameter(site)?;
            Some((function, resolver.name_of(site)?))
        });
        if let Some((function, name)) = function {
            let mut family = vec![site];
            for function in self.overriding(function)? {
                let own = self.resolve(|resolver| resolver.parameter_named(function, &name));
                family.extend(own.filter(|own| !family.contains(own)));
            }
            return Ok(family);
        }
        self.overriding(site)
    }

    /// A symbol with all methods that override it, that it overrides, or that override the same.
    pub(crate) fn overriding(&self, site: Site) -> Result<Vec<Site>, EngineError> {
        let mut family = vec![site];
        let mut new = vec![Thing::Symbol(site)];
        while !new.is_empty() {
            let mut found = self.overrides(&new)?;
            let site = |thing: &Thing| if let Thing::Symbol(site) = *thing { Some(site) } else { None };
            let methods: Vec<Site> = new.iter().filter_map(site).collect();
            found.extend(self.implementations(&methods)?.into_iter().map(Thing::Symbol));
            found.sort_unstable();
            found.dedup();
            found.retain(|thing| matches!(thing, Thing::Symbol(site) if !family.contains(site)));
            family.extend(found.iter().filter_map(|thing| match thing {
                Thing::Symbol(site) => Some(*site),
                _ => None,
            }));
            new = found;
        }
        Ok(family)
    }

    /// The facts about symbols that have to have one name.
    ///
    /// # Errors
    /// If files cannot be read.
    pub(crate) fn subject(&self, family: Vec<Site>, references: &[Reference]) -> Result<Subject, EngineError> {
        let things: Vec<Thing> = family.iter().copied().map(Thing::Symbol).collect();
        let (old, is_lasting, is_member, is_parameter) = self.resolve(|resolver| {
            let old = resolver.name_of(family[0]).unwrap_or_default();
            let target = Target::new(resolver, &things);
            (old, resolver.is_lasting(family[0]), target.is_member, target.is_parameter)
        });
        let given = self.resolve(|resolver| {
            let has_name = |&site: &Site| resolver.function_of_parameter(site).is_some();
            let class = |&site: &Site| resolver.class_of_member(site);
            match is_parameter {
                true if family.iter().all(|&site| resolver.is_called_in_place(site)) => Given::InPlace,
                true if !family.iter().any(has_name) => Given::ByAnyCall,
                false if family.iter().filter_map(class).any(|class| resolver.has_keys(class)) => Given::ByTables,
                false if family.iter().filter_map(class).any(|class| resolver.takes_fields(class)) => Given::ByItsClass,
                _ => Given::No,
            }
        });
        let component_of = self.resolve(|resolver| {
            let mut classes = family.iter().filter_map(|&site| resolver.class_of_member(site));
            classes.next().filter(|_| !is_member)
        });
        let (mut called, mut holders) = (FxHashSet::default(), FxHashSet::default());
        let (mut classes, mut hierarchy) = (Vec::new(), FxHashSet::default());
        self.resolve(|resolver| {
            for &site in &family {
                let function = resolver.function_of_parameter(site);
                let of = |site: Site| resolver.class_of_member(site);
                let class = of(site).or_else(|| function.and_then(of));
                called.extend(function.and_then(|function| resolver.name_of(function)));
                classes.extend(class.filter(|class| !classes.contains(class)));
            }
        });
        if is_member || is_parameter || component_of.is_some() {
            let below = self.classes_below(&classes)?;
            let all: Vec<Site> = classes.iter().copied().chain(below.iter().map(|below| below.class)).collect();
            self.resolve(|resolver| {
                let names: Vec<String> = all.iter().filter_map(|&class| resolver.name_of(class)).collect();
                holders.extend(names.iter().cloned());
                called.extend(names);
            });
            hierarchy.extend(all.iter().copied());
            self.resolve(|resolver| hierarchy.extend(classes.iter().flat_map(|&class| resolver.superclasses(class).0)));
        }
        let mut modules: Vec<FileId> = family.iter().map(|site| site.file).collect();
        let is_import = |reference: &&Reference| matches!(reference.row.role, Role::Import | Role::Export);
        modules.extend(references.iter().filter(is_import).map(|reference| reference.file));
        modules.sort_unstable();
        modules.dedup();
        if !is_member {
            self.resolve(|resolver| {
                for &module in &modules {
                    let name = resolver.describe(Thing::Module(module)).map(|module| module.qualname);
                    holders.extend(name.and_then(|name| name.rsplit('.').next().map(str::to_owned)));
                }
                holders.extend(family.iter().flat_map(|&site| resolver.namespaces_around(site)));
            });
        }
        Ok(Subject {
            old,
            family,
            is_member,
            is_parameter,
            component_of,
            is_lasting,
            called,
            holders,
            modules,
            classes: hierarchy,
            given,
            joined: Joined::default(),
            taker_references: OnceLock::new(),
            escape: OnceLock::new(),
            methods: Vec::new(),
        })
    }

    /// The functions and classes that take the symbol as an argument.
    pub(super) fn takers(&self, subject: &Subject) -> Vec<Thing> {
        let mut things: Vec<Thing> = self.resolve(|resolver| {
            let takers = subject.family.iter().flat_map(|&site| {
                let Some(function) = resolver.function_of_parameter(site) else {
                    return Vec::from_iter(resolver.class_of_member(site));
                };
                // A class is called in place of its constructor.
                let class = resolver.class_of_member(function).filter(|_| resolver.is_constructor(function));
                class.into_iter().chain([function]).collect()
            });
            takers.map(Thing::Symbol).collect()
        });
        things.sort_unstable();
        things.dedup();
        things
    }

    /// The references of what takes the symbol as an argument.
    pub(super) fn taker_references<'s>(&self, subject: &'s Subject) -> Result<&'s [Reference], EngineError> {
        if let Some(known) = subject.taker_references.get() {
            return Ok(known);
        }
        let found = self.references(&self.takers(subject))?;
        Ok(subject.taker_references.get_or_init(|| found))
    }

    /// Whether what takes the symbol as an argument is used as a value, so that any call may call it.
    pub(super) fn is_value(&self, subject: &Subject) -> Result<bool, EngineError> {
        Ok(self.taker_references(subject)?.iter().any(Reference::is_value))
    }

    /// Whether a module that has the symbol is used as a value, so that it may be any object.
    pub(super) fn passed_on(&self, subject: &Subject, known: &mut Option<bool>) -> Result<bool, EngineError> {
        if let Some(known) = *known {
            return Ok(known);
        }
        if !self.resolve(|resolver| subject.family.iter().any(|&site| resolver.is_member_of_module(site))) {
            *known = Some(false);
            return Ok(false);
        }
        if self.gets_about_as_script(subject)? {
            *known = Some(true);
            return Ok(true);
        }
        let modules: Vec<Thing> = subject.modules.iter().copied().map(Thing::Module).collect();
        let references = self.references(&modules)?;
        let uses: Vec<&Reference> = references
            .iter()
            .filter(|reference| reference.row.confidence == Confidence::Certain)
            .filter(|reference| !matches!(reference.row.role, Role::Import | Role::Export))
            .collect();
        let is_passed_on = |resolver: &Resolver<'_>| {
            uses.iter().any(|reference| resolver.is_passed_on(reference.file, reference.node))
        };
        let mut found = self.resolve(is_passed_on);
        for module in self.modules_with(subject.modules.clone())? {
            found |= self.is_loaded_as_value(module)?
                || self.is_object(module, |resolver, file, name| resolver.is_passed_on(file, name))?;
        }
        *known = Some(found);
        Ok(found)
    }

    /// Whether the symbol is the name of a script, and code passes on the object that has these: `(function (root) { … })(this)`.
    fn gets_about_as_script(&self, subject: &Subject) -> Result<bool, EngineError> {
        if !self.resolve(|resolver| subject.family.iter().any(|&site| resolver.is_member_of_global(site))) {
            return Ok(false);
        }
        let passes = self
            .look("", None, |resolver, file| resolver.passes_global_object(file).then_some(()).into_iter().collect())?;
        Ok(!passes.is_empty())
    }

    /// The modules among some that export anything, and those that export what these do.
    pub(super) fn modules_with(&self, mut modules: Vec<FileId>) -> Result<Vec<FileId>, EngineError> {
        modules.retain(|&module| self.resolve(|resolver| resolver.exports_from(module, module)));
        let mut at = 0;
        while let Some(&module) = modules.get(at) {
            at += 1;
            let found = self.look(self.word_of(module), None, |resolver, file| {
                (file != module && resolver.exports_from(file, module)).then_some(file).into_iter().collect()
            })?;
            modules.extend(found.into_iter().filter(|file| !modules.contains(file)).collect::<Vec<FileId>>());
        }
        Ok(modules)
    }

    /// Whether code has a module as an object in a use of it that passes a test, or exports it.
    pub(super) fn is_object(
        &self,
        module: FileId,
        test: impl Fn(&Resolver<'_>, FileId, Node) -> bool + Sync,
    ) -> Result<bool, EngineError> {
        if self.project.file(module).language.spec().symbols.module_words.whole.is_empty() {
            return Ok(false);
        }
        let found = self.look(self.word_of(module), None, |resolver, file| {
            let uses = resolver.uses_of_module(file, module);
            let is_it = uses.is_none_or(|uses| uses.into_iter().any(|name| test(resolver, file, name)));
            is_it.then_some(()).into_iter().collect()
        })?;
        Ok(!found.is_empty())
    }

    /// The word that names a module where it is imported; none for one with the name of its folder.
    pub(super) fn word_of(&self, module: FileId) -> &str {
        let file = self.project.file(module);
        let stem = file.path.rsplit('/').next().and_then(|name| name.split('.').next()).unwrap_or_default();
        let packages = &file.language.spec().symbols.module_files.packages;
        if packages.iter().any(|package| package == stem) { "" } else { stem }
    }

    /// Whether code loads a module by an operator, and does something else with it than to take a member.
    pub(super) fn is_loaded_as_value(&self, module: FileId) -> Result<bool, EngineError> {
        if !self.loads_by_operator(module) {
            return Ok(false);
        }
        let loads = self.look(self.word_of(module), None, |resolver, file| {
            resolver.passes_loaded_on(file, module).then_some(()).into_iter().collect()
        })?;
        Ok(!loads.is_empty())
    }

    /// Whether a module that has the symbol may be an object that is not known: it is passed on, or code gets modules by their names.
    pub(super) fn gets_about(&self, subject: &Subject, known: &mut Option<bool>) -> Result<bool, EngineError> {
        if !subject.is_lasting || subject.is_parameter {
            return Ok(false);
        }
        if self.passed_on(subject, known)? {
            return Ok(true);
        }
        let rules = &self.project.file(subject.family[0].file).language.spec().symbols;
        let words = &rules.hidden_uses.module_tables;
        if words.is_empty() {
            return Ok(false);
        }
        let files: Vec<FileId> = self.project.ids().collect();
        let has_word = |text: &[u8]| words.iter().any(|word| memmem::find(text, word.as_bytes()).is_some());
        let found = !self.files_with(&files, &|_, text| has_word(text))?.is_empty();
        *known = Some(found);
        Ok(found)
    }

    /// Whether the language of a file loads modules by an operator: `import("./a")`.
    pub(super) fn loads_by_operator(&self, file: FileId) -> bool {
        !self.project.file(file).language.spec().symbols.loaded_modules.operators.is_empty()
    }
}
