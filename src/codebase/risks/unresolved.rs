//! Languages whose classes are not followed over files: names, classes and their bases as each file has them.

use crate::language::ModuleScheme;
use crate::modules::FileId;
use crate::selector::Kinds;
use crate::symbols::{Resolver, Site};
use crate::tree::{Node, Tree};

/// A class in a file, as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenClass {
    /// Its name.
    pub name: String,
    /// The names of its bases, without what is before and behind them: `streambuf` for `std::streambuf`.
    pub bases: Vec<String>,
}

impl Resolver<'_> {
    /// Whether the classes of a file are not followed to other files.
    pub fn is_unresolved(&self, file: FileId) -> bool {
        let rules = &self.project().file(file).language.spec().symbols;
        matches!(rules.modules, None | Some(ModuleScheme::Unsupported))
    }

    /// Whether code of a file can name what is in files whose classes are not followed.
    pub fn may_name_unresolved(&self, file: FileId) -> bool {
        let rules = &self.project().file(file).language.spec().symbols;
        matches!(rules.modules, None | Some(ModuleScheme::Unsupported | ModuleScheme::Includes))
    }

    /// The places of a word as a name in a file.
    pub fn places_of(&self, file: FileId, name: &str) -> Vec<usize> {
        let Some(view) = self.view(file) else { return Vec::new() };
        view.scopes.nodes_of(name).iter().map(|&node| view.tree.span(node).start()).collect()
    }

    /// The name of the class of a member: that around it, or the one before its name, `A::run`.
    pub fn written_holder(&self, site: Site) -> Option<String> {
        let view = self.view(site.file)?;
        let (tree, table) = (view.tree, view.tree.table());
        let around = table.ancestors(site.name).find(|&node| node != site.name && is_class(tree, node));
        if let Some(name) = around.and_then(|class| tree.name_node(class)) {
            return Some(tree.node_text(name).into_owned());
        }
        let qualified = table.parent(site.name)?;
        let before = tree.named_children(qualified).take_while(|&part| part != site.name).last()?;
        view.scopes.is_identifier(before).then(|| tree.node_text(before).into_owned())
    }

    /// Whether a definition is a function.
    pub fn is_written_function(&self, site: Site) -> bool {
        self.view(site.file).is_some_and(|view| {
            let is_function = |definition| Kinds::new(view.tree).is(definition, "function");
            self.definition_of(&view, site.name).is_some_and(is_function)
        })
    }

    /// The classes of a file with a name, or with a base of that name.
    pub fn written_classes(&self, file: FileId, name: &str) -> Vec<WrittenClass> {
        let Some(view) = self.view(file) else { return Vec::new() };
        let tree = view.tree;
        let classes = tree.table().nodes().filter(|&node| is_class(tree, node));
        let classes = classes.filter_map(|class| {
            let own = tree.node_text(tree.name_node(class)?).into_owned();
            let bases = tree.base_nodes(class).map(|base| last_name(&tree.node_text(base)).to_owned()).collect();
            Some(WrittenClass { name: own, bases })
        });
        classes.filter(|class| class.name == name || class.bases.iter().any(|base| base == name)).collect()
    }
}

/// Whether a node is the definition of a class, with a body.
fn is_class(tree: &Tree, node: Node) -> bool {
    tree.body(node).is_some() && Kinds::new(tree).is(node, "class")
}

/// The last name of a path, without arguments: `vector` of `std::vector<int>`.
fn last_name(text: &str) -> &str {
    let head = text.split('<').next().unwrap_or(text).trim();
    head.rsplit([':', '.', ' ']).next().unwrap_or(head)
}
