//! The declaration of a module that moves: its words, its place, and the conditions there.

use crate::edit::TextChange;
use crate::refactor::Piece;
use crate::refactor::move_modules::moving::ModuleMove;
use crate::refactor::move_modules::route::ModuleRoute;
use crate::refactor::move_symbols::modules::{conditions, declaration};
use crate::symbols::{ImportedName, Reach, Resolver, Thing};
use crate::text::Span;
use crate::transfer::module_text::is_open_to_all;
use crate::tree::{Node, Tree};

/// The change that declares the module in its new place.
pub(super) fn place(resolver: &Resolver<'_>, route: &ModuleRoute, tree: &Tree, code: &str) -> TextChange {
    declaration(resolver, route.home, tree, code)
}

impl ModuleMove<'_, '_> {
    /// Gives the declaration the words that its users need.
    pub(super) fn declare(&mut self, mut piece: Piece) -> Piece {
        let spec = &piece_language(self).spec().symbols;
        let site = piece.site;
        let root = self.resolver.root_of_module(self.route.module);
        let outside = |module: &Thing| match *module {
            Thing::Module(file) | Thing::Symbol(crate::symbols::Site { file, .. }) => {
                self.resolver.root_of_module(file) != root
            }
            _ => true,
        };
        let users = std::mem::take(&mut self.users);
        let is_used_outside = users.iter().any(outside);
        let is_inside = users.iter().all(|&user| self.is_at_home(user));
        let was_open = is_open_to_all(self.resolver, Thing::Module(self.route.module));
        let will_be_open = is_open_to_all(self.resolver, Thing::Module(self.route.home));
        let start = piece.start;
        if (is_used_outside || was_open) && !will_be_open {
            let why = match is_used_outside {
                true => "code outside of the library uses the module, and its new place is private",
                false => "the module is public, and its new place is private",
            };
            match is_used_outside {
                true => self.leave(site.file, start, why),
                false => self.risk(site.file, start, why),
            }
        }
        let opened = spec.import_forms.get("opened").cloned().unwrap_or_default();
        let (words, begin) = self.resolver.words_of_reach(site).unwrap_or((None, start));
        let reach = self.resolver.reach_of(site);
        let wanted = match reach {
            Reach::Everywhere if was_open || !will_be_open || self.is_exported_again() => None,
            Reach::Everywhere => Some(opened),
            Reach::Library => None,
            Reach::Module(_) if !is_inside => Some(opened),
            // `pub(in path)` may mean a module that is not around the new place.
            Reach::Module(_) => words.filter(|&words| self.names_a_path(site.file, words)).map(|_| opened),
        };
        let missing = self.missing_conditions(site.file);
        let change = match (words, wanted) {
            (Some(span), Some(wanted)) if missing.is_empty() => Some((span, wanted)),
            (Some(span), Some(wanted)) => Some((Span::new(begin, span.end()), format!("{missing}{wanted}"))),
            (None, Some(wanted)) => Some((Span::at(begin), format!("{missing}{wanted} "))),
            (_, None) => (!missing.is_empty()).then(|| (Span::at(begin), missing)),
        };
        piece.changes.extend(change.map(|(span, text)| TextChange { span, text, extent: span }));
        self.open_way(&users, is_used_outside);
        piece
    }

    /// The conditions of the module around the old place that the new one does not have, each with a line break after it.
    fn missing_conditions(&self, file: crate::modules::FileId) -> String {
        let newline = self.resolver.tree(file).map_or("\n", |tree| tree.text().newline());
        let new = conditions(self.resolver, Thing::Module(self.route.home));
        let old = conditions(self.resolver, Thing::Module(self.route.from));
        old.into_iter().filter(|text| !new.contains(text)).map(|text| format!("{text}{newline}")).collect()
    }

    fn names_a_path(&self, file: crate::modules::FileId, words: Span) -> bool {
        let separator = self.separator(file);
        self.resolver.tree(file).is_some_and(|tree| tree.text().slice(words).contains(separator))
    }

    /// Lets users reach the modules on the way to the new place.
    fn open_way(&mut self, users: &[Thing], is_used_outside: bool) {
        let mut next = Some(Thing::Module(self.route.home));
        while let Some(inner) = next {
            if let Some(declared) = self.resolver.declaration_of(inner) {
                let is_seen = |user: &Thing| match self.resolver.reach_of(declared) {
                    Reach::Everywhere | Reach::Library => true,
                    Reach::Module(around) => self.resolver.is_module_within(*user, around),
                };
                if !is_used_outside && !users.iter().all(is_seen) {
                    self.open(declared);
                }
            }
            next = self.resolver.outer_module(inner);
        }
    }

    /// Whether an import gives the module itself to everybody.
    fn is_exported_again(&self) -> bool {
        let things = [Thing::Module(self.route.module)];
        self.users_with_imports().any(|(file, import)| {
            let found = self.resolver.path_means(file, import.statement, &import.name);
            matches!(found, crate::symbols::Meaning::Known(known) if known == things)
        })
    }

    /// The imports with words of their own (`pub use`) in the files that change.
    fn users_with_imports(&self) -> impl Iterator<Item = (crate::modules::FileId, ImportedName)> + '_ {
        let mut files: Vec<_> = self.changes.iter().map(|(file, _)| *file).collect();
        files.sort_unstable();
        files.dedup();
        files.into_iter().flat_map(|file| {
            let imports = self.resolver.imported_names(file).into_iter();
            imports.filter(|import| !import.variety.is_empty() && !import.is_glob).map(move |import| (file, import))
        })
    }

    /// Refuses other conditions, other rules for code, and macros that the declaration gives to what follows it.
    pub(super) fn check_conditions(&mut self) {
        let (old, new) = (Thing::Module(self.route.from), Thing::Module(self.route.home));
        let all = conditions(self.resolver, Thing::Module(self.route.module));
        if conditions(self.resolver, new).iter().any(|text| !all.contains(text)) {
            self.risk(self.route.home, 0, "the two modules are compiled under different conditions");
        }
        let spec = &piece_language(self).spec().symbols.module_tree;
        let (before, after) = (rules_of_code(self.resolver, old), rules_of_code(self.resolver, new));
        let strict = |text: &&String| spec.strict.get().is_match(text);
        let lenient = |text: &&String| spec.lenient.get().is_match(text);
        let is_stricter = after.iter().filter(strict).any(|text| !before.contains(text));
        let is_less_lenient = before.iter().filter(lenient).any(|text| !after.contains(text));
        if is_stricter || is_less_lenient && after.iter().any(|text| strict(&text)) {
            self.risk(self.route.home, 0, "code that is correct may be refused there, and is not in its old place");
        }
        let declared = self.resolver.declaration_of(Thing::Module(self.route.module));
        let Some((site, tree)) = declared.and_then(|site| Some((site, self.resolver.tree(site.file)?))) else { return };
        let above = leading(tree, site.name);
        if above.iter().any(|text| spec.leaves_macros.get().is_match(text)) {
            let why = "code after the declaration may use the macros of the module";
            self.leave(site.file, tree.span(site.name).start(), why);
        }
    }
}

fn piece_language(moving: &ModuleMove<'_, '_>) -> &'static crate::language::Language {
    moving.resolver.project().file(moving.route.module).language
}

/// The attributes and comments above the definition of a name.
pub(super) fn leading(tree: &Tree, name: Node) -> Vec<String> {
    let definition = tree.table().ancestors(name).find(|&node| tree.name_node(node) == Some(name));
    let above = definition.into_iter().flat_map(|node| tree.attachments().leading(tree.table(), node));
    above.map(|node| tree.node_text(node).into_owned()).collect()
}

/// The attributes of a module and those around it that may be rules for its code.
fn rules_of_code(resolver: &Resolver<'_>, module: Thing) -> Vec<String> {
    let (mut found, mut next) = (Vec::new(), Some(module));
    while let Some(inner) = next {
        if let Thing::Module(file) = inner
            && let Some(tree) = resolver.tree(file)
        {
            let inner = tree.named_children(Node::ROOT).map(|unit| tree.node_text(unit).into_owned());
            let rules = &tree.language().spec().symbols.module_tree;
            found.extend(inner.filter(|text| rules.whole_file.get().is_match(text)));
        }
        if let Some((site, tree)) =
            resolver.declaration_of(inner).and_then(|site| Some((site, resolver.tree(site.file)?)))
        {
            found.extend(leading(tree, site.name));
        }
        next = resolver.outer_module(inner);
    }
    found
}
