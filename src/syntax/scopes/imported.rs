//! What an import statement imports, name by name, in any language: the module, the name, and the alias.

use crate::language::{ImportPart, Imports, Path, TypeId};
use crate::text::Span;
use crate::tree::{Node, Tree};

/// One imported name, or a module as a whole.
#[derive(Debug, Clone)]
pub struct Imported {
    /// The part of the import with the name.
    pub node: Node,
    /// The module; empty if it and the name are one path.
    pub source: String,
    pub name: String,
    /// The alias, if there is one.
    pub alias: Option<String>,
    /// The name that it binds.
    pub bound: Option<String>,
    /// Whether it has an alias that is the name itself.
    #[cfg_attr(not(feature = "schema"), allow(dead_code, reason = "only refactors need it"))]
    pub renames_itself: bool,
    /// Whether it imports everything in the module.
    #[cfg_attr(not(feature = "schema"), allow(dead_code, reason = "only symbols of a project need it"))]
    pub is_glob: bool,
    /// The name of an import of everything without the sign for that: `a.b` of `a.b.*`.
    #[cfg_attr(not(feature = "schema"), allow(dead_code, reason = "only symbols of a project need it"))]
    pub glob_path: String,
    /// Where the module is written, and the name.
    #[cfg_attr(not(feature = "schema"), allow(dead_code, reason = "only refactors of a project need it"))]
    pub places: Places,
    /// Tokens and nodes that make it a different import: `static`, `type`.
    varieties: Vec<(TypeId, String)>,
    /// The attributes above it, on which the import may depend.
    condition: String,
}

/// Where the parts of an import are written.
#[derive(Debug, Clone, Copy, Default)]
#[cfg_attr(not(feature = "schema"), allow(dead_code, reason = "only refactors of a project need it"))]
pub struct Places {
    /// The module, if it is not a part of the name.
    pub source: Option<Span>,
    /// The name.
    pub name: Option<Span>,
}

impl Imported {
    /// Whether importing `wanted` as well would add nothing.
    pub fn covers(&self, tree: &Tree, wanted: &Imported) -> bool {
        let rule = &tree.language().spec().imports;
        let more = wanted.varieties.iter().filter(|variety| !self.varieties.contains(variety));
        let less = self.varieties.iter().filter(|variety| !wanted.varieties.contains(variety));
        self.is_same_name(wanted)
            && self.alias == wanted.alias
            && more.into_iter().all(|(id, _)| rule.weak.contains(*id))
            && less.into_iter().all(|(id, _)| rule.strong.contains(*id))
            && (self.condition.is_empty() || self.condition == wanted.condition)
    }

    /// Whether both bind one name to different things, or to the same thing in incompatible ways.
    pub fn clashes(&self, tree: &Tree, other: &Imported) -> bool {
        let (Some(one), Some(two)) = (&self.bound, &other.bound) else { return false };
        let modules = tree.language().spec().imports.separator.is_empty() && self.is_module() && other.is_module();
        one == two && self.name_space(tree) == other.name_space(tree) && !modules
    }

    /// The name that it binds in the name space of definitions.
    pub fn bound(&self, tree: &Tree) -> Option<&str> {
        self.bound.as_deref().filter(|_| self.name_space(tree).is_empty())
    }

    /// The words that make it another import than one without them.
    #[cfg_attr(not(feature = "schema"), allow(dead_code, reason = "only refactors of a project need it"))]
    pub fn varieties(&self) -> impl Iterator<Item = &str> {
        self.varieties.iter().map(|(_, word)| word.as_str())
    }

    /// The sort key of imports.
    pub fn key(&self) -> &str {
        if self.source.is_empty() { &self.name } else { &self.source }
    }

    fn is_same_name(&self, other: &Imported) -> bool {
        self.source == other.source && self.name == other.name
    }

    /// Whether it binds the first part of a path: `import a.b` binds `a`, and so does `import a.c`.
    fn is_module(&self) -> bool {
        self.alias.is_none()
            && self.source.is_empty()
            && self.bound.as_ref().is_some_and(|bound| self.name.starts_with(bound))
            && self.condition.is_empty()
    }

    fn name_space(&self, tree: &Tree) -> Vec<TypeId> {
        let own = &tree.language().spec().imports.own_names;
        self.varieties.iter().map(|(id, _)| *id).filter(|&id| own.contains(id)).collect()
    }
}

/// Whether a node is an import statement.
pub fn is_import(tree: &Tree, node: Node) -> bool {
    let rule = &tree.language().spec().imports;
    let calls = || tree.callee_text(node).is_some_and(|callee| rule.calls.iter().any(|call| *call == callee));
    rule.types.contains(tree.table().type_id(node)) && (rule.calls.is_empty() || calls())
}

/// The names of an import statement, in order.
pub fn read(tree: &Tree, import: Node) -> Vec<Imported> {
    read_by(tree, import, &tree.language().spec().imports)
}

/// The same for a statement that exports.
#[cfg_attr(not(feature = "schema"), allow(dead_code, reason = "only symbols of a project need it"))]
pub fn read_exports(tree: &Tree, export: Node) -> Vec<Imported> {
    read_by(tree, export, &tree.language().spec().symbols.exports)
}

fn read_by(tree: &Tree, import: Node, rules: &'static Imports) -> Vec<Imported> {
    let leading: Vec<String> = tree
        .attachments()
        .leading(tree.table(), import)
        .filter(|&node| !tree.is_comment(node))
        .map(|node| words(tree, node))
        .collect();
    let mut reader = Reader { tree, rules, condition: leading.concat(), source: None, found: Vec::new() };
    reader.part(import, "", &[]);
    if reader.found.is_empty() {
        reader.add(import, "", &words(tree, import), None, None, &[]);
    }
    reader.found
}

struct Reader<'a> {
    tree: &'a Tree,
    rules: &'static Imports,
    condition: String,
    /// Where the module of the names being read is written.
    source: Option<Span>,
    found: Vec<Imported>,
}

impl Reader<'_> {
    fn part(&mut self, node: Node, source: &str, varieties: &[(TypeId, String)]) {
        let (tree, table) = (self.tree, self.tree.table());
        let rules = self.rules;
        let type_of = |node: Node| table.type_id(node);
        let Some(part) = rules.part(table.parent(node).map(type_of), type_of(node)) else {
            let glob = rules.globs.contains(table.type_id(node)).then_some("");
            self.add(node, source, &words(tree, node), None, glob, varieties);
            return;
        };
        let mut varieties = varieties.to_vec();
        let own = table.children(node).filter(|&child| rules.varieties.contains(table.type_id(child)));
        varieties.extend(own.map(|child| (table.type_id(child), words(tree, child))));
        let commas: Vec<usize> = table
            .children(node)
            .filter(|&child| part.split && Some(table.type_id(child)) == tree.language().spec().punctuation.comma)
            .map(|comma| table.span(comma).start())
            .collect();
        let group_of = |node: Node| commas.iter().filter(|&&comma| comma < table.span(node).start()).count();
        for group in 0..=commas.len() {
            let within = |found: &Node| group_of(*found) == group;
            self.group(node, part, source, &varieties, &within);
        }
    }

    /// Reads a node, or the part of it between two commas.
    fn group(
        &mut self,
        node: Node,
        part: &ImportPart,
        outer: &str,
        varieties: &[(TypeId, String)],
        within: &dyn Fn(&Node) -> bool,
    ) {
        let (tree, table) = (self.tree, self.tree.table());
        let rules = self.rules;
        let text = |path: &Path| match path {
            Path::Literal(word) => vec![word.clone()],
            _ => {
                let nodes = tree.reached(node, path).into_iter().filter(within);
                nodes.filter(|&node| !tree.is_comment(node)).map(|node| words(tree, node)).collect()
            }
        };
        let separator = &self.rules.separator;
        let own: Vec<String> = part.source.iter().flat_map(text).collect();
        let own = own.join(separator);
        let source = self.join(outer, &own);
        let place = |path: &Path| {
            let nodes = if matches!(path, Path::Literal(_)) { Vec::new() } else { tree.reached(node, path) };
            let spans = nodes.into_iter().filter(within).map(|node| tree.span(node));
            spans.reduce(|one, other| Span::new(one.start(), other.end()))
        };
        if !own.is_empty() {
            self.source = part.source.iter().filter_map(place).next();
        }
        let glob = table.children(node).filter(within).find(|&child| rules.globs.contains(table.type_id(child)));
        let alias = part.alias.as_ref().and_then(|path| text(path).into_iter().next());
        let inside: Vec<Node> = part.each.iter().flat_map(|path| tree.reached(node, path)).filter(within).collect();
        let inside: Vec<Node> = inside.into_iter().filter(|&child| !tree.is_comment(child)).collect();
        if !inside.is_empty() {
            inside.into_iter().for_each(|child| self.part(child, &source, varieties));
            return;
        }
        let own = part.name.as_ref().map(|path| text(path).concat());
        let glob_path = glob.map(|_| own.clone().unwrap_or_default());
        let name = own.or_else(|| glob.map(|glob| words(tree, glob))).unwrap_or_default();
        if name.is_empty() && source.is_empty() {
            // An empty group, or a node for which there is no rule.
            let is_group = table
                .children(node)
                .next()
                .is_some_and(|first| Some(table.type_id(first)) == tree.language().spec().punctuation.brace);
            if !is_group {
                self.add(node, "", &words(tree, node), alias, None, varieties);
            }
            return;
        }
        self.add(node, &source, &name, alias, glob_path.as_deref(), varieties);
        if let Some(found) = self.found.last_mut() {
            found.places.name = part.name.as_ref().and_then(place);
        }
    }

    /// Adds an import of a name. `glob` is the name without the sign for everything, if it has that sign.
    fn add(
        &mut self,
        node: Node,
        source: &str,
        name: &str,
        alias: Option<String>,
        glob: Option<&str>,
        varieties: &[(TypeId, String)],
    ) {
        let rule = self.rules;
        let is_name = |word: &&str| {
            word.starts_with(|first: char| first.is_alphabetic() || first == '_' || first == '$') && *word != "_"
        };
        let (mut source, mut name) = (source.to_owned(), name.to_owned());
        let mut glob_path = glob.unwrap_or_default().to_owned();
        if !rule.separator.is_empty() {
            if glob.is_some() {
                let path = self.join(&source, &glob_path);
                glob_path = path.trim_start_matches(rule.separator.as_str()).to_owned();
            }
            name = self.join(&source, &name);
            source.clear();
            let itself = format!("{}{}", rule.separator, rule.itself);
            if !rule.itself.is_empty() && name.ends_with(&itself) {
                name.truncate(name.len() - itself.len());
            }
            name = name.trim_start_matches(rule.separator.as_str()).to_owned();
        }
        let own = match &rule.binds {
            _ if glob.is_some() => None,
            None => None,
            Some(_) if !source.is_empty() => Some(name.clone()),
            Some(binds) => {
                let found = binds.get().captures(&name);
                found.and_then(|found| found.get(1).or(found.get(0))).map(|found| found.as_str().to_owned())
            }
        };
        let renames_itself = alias.is_some() && alias == own;
        let alias = alias.filter(|_| !renames_itself);
        let bound = alias.clone().or(own).filter(|bound| is_name(&bound.as_str()));
        let (condition, varieties) = (self.condition.clone(), varieties.to_vec());
        let places = Places { source: self.source, name: Some(self.tree.span(node)) };
        self.found.push(Imported {
            node,
            source,
            name,
            alias,
            bound,
            renames_itself,
            is_glob: glob.is_some(),
            glob_path,
            places,
            varieties,
            condition,
        });
    }

    fn join(&self, outer: &str, inner: &str) -> String {
        let separator = if outer.is_empty() || inner.is_empty() { "" } else { &self.rules.separator };
        format!("{outer}{separator}{inner}")
    }
}

/// The text of a node without whitespace and comments.
fn words(tree: &Tree, node: Node) -> String {
    let table = tree.table();
    let is_leaf = |node: Node| table.subtree_end(node) == node.index() + 1;
    let has_comment = table.descendants(node).any(|inner| tree.is_comment(inner));
    let text = if has_comment {
        let leaves = table.descendants(node).filter(|&inner| is_leaf(inner) && !tree.is_comment(inner));
        leaves.map(|leaf| tree.node_text(leaf).into_owned()).collect()
    } else {
        tree.node_text(node).into_owned()
    };
    text.split_whitespace().collect()
}

/// Whether a node is one of those that must be at the start of a file or a block.
pub fn is_first(tree: &Tree, node: Node) -> bool {
    tree.table().fits_any(node, &tree.language().spec().imports.first)
}
