//! Which imported names have no use in their file.

use rustc_hash::{FxHashMap, FxHashSet};

use super::block::{Block, Member, Statement, blocks, is_comment, is_match};
use crate::edit::{self, Allow, EditError, Op, Outcome};
use crate::language::{ImportUses, Organize};
use crate::modules::FileId;
use crate::scopes::imported::is_import;
use crate::scopes::{Scopes, Use};
use crate::tree::{Node, ParseLimits, Tree};

/// What is known about the names of a file from elsewhere.
#[derive(Debug, Clone, Default)]
pub struct ImportFacts {
    /// Names that type annotations in strings and the list of public names have.
    pub words: FxHashSet<String>,
    /// Names that other files import from this one.
    pub needed: FxHashSet<String>,
    /// Whether other files import all names of this one.
    pub is_open: bool,
    /// Whether it is the file of a package, whose imports are exports.
    pub is_package: bool,
    /// Modules of the project, as the file names them, that do something when they are loaded.
    pub effects: FxHashSet<String>,
    /// The modules of the project that do something and that an import may load, by its key: module and name, or path.
    pub loads: FxHashMap<String, FxHashSet<FileId>>,
    /// The modules that do something and that an import loads in any case, by its key.
    pub loaded: FxHashMap<String, FxHashSet<FileId>>,
    /// The keys of imports whose module is in a circle of modules with this file or another one that it imports.
    pub circular: FxHashSet<String>,
    /// The keys of imports whose modules something needs that does not name them, and what that is.
    pub required: FxHashMap<String, &'static str>,
    /// Whether the language does not load a module from which nothing is used.
    pub leaves_unused_out: bool,
    /// Names that are not removed, since something else would change its meaning.
    pub kept: FxHashSet<String>,
}

/// Whether a name is in use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Verdict {
    Used,
    Unused,
    /// It seems unused; why this is uncertain.
    Kept(String),
}

/// Judges the imported names of a file.
pub(crate) struct Judge<'a> {
    tree: &'a Tree,
    rule: &'a Organize,
    facts: &'a ImportFacts,
    scopes: Scopes<'a>,
    /// Words that comments and documentation mention, with a line.
    mentioned: FxHashMap<String, usize>,
    /// Strings that are just a path of names: their words, with a line.
    quoted: FxHashMap<String, usize>,
    /// The same as a whole: `"xml.dom"`.
    paths: FxHashMap<String, usize>,
    /// All words outside of imports, where uses are found by words.
    words: FxHashSet<String>,
    /// The first line with a call that may use any name.
    dynamic: Option<usize>,
    /// Whether a comment keeps all names.
    keeps_all: bool,
    /// How often the file imports from each package.
    packages: FxHashMap<String, usize>,
    /// The modules that do something and that are loaded by imports which stay.
    loaded: FxHashSet<FileId>,
}

impl<'a> Judge<'a> {
    pub(crate) fn new(tree: &'a Tree, rule: &'a Organize, facts: &'a ImportFacts, blocks: &[Block]) -> Judge<'a> {
        let table = tree.table();
        let mut judge = Judge {
            tree,
            rule,
            facts,
            scopes: Scopes::new(tree),
            mentioned: FxHashMap::default(),
            quoted: FxHashMap::default(),
            paths: FxHashMap::default(),
            words: FxHashSet::default(),
            dynamic: None,
            keeps_all: false,
            packages: FxHashMap::default(),
            loaded: FxHashSet::default(),
        };
        for statement in blocks.iter().flat_map(|block| &block.statements).filter(|_| rule.exposed) {
            let modules: Vec<&str> = match statement.source.is_empty() {
                true => statement.members().map(|member| member.name.as_str()).collect(),
                false => vec![&statement.source],
            };
            modules.into_iter().for_each(|module| *judge.packages.entry(package(module).to_owned()).or_insert(0) += 1);
        }
        let documentation: FxHashSet<Node> = table.nodes().filter_map(|node| tree.docstring(node)).collect();
        let mut past_import = 0;
        for node in table.nodes() {
            let role = tree.language().role(table.type_id(node));
            let line = || tree.text().line_at(tree.span(node).start());
            if is_comment(tree, node) {
                let text = tree.node_text(node);
                judge.keeps_all |= is_match(&rule.keep_file, &text);
                judge.mention(&text, line());
            } else if documentation.contains(&node) {
                judge.mention(&tree.node_text(node), line());
            } else if role.string && rule.exposed {
                judge.quote(&tree.node_text(node), line());
            }
            if judge.dynamic.is_none()
                && !rule.dynamic.is_empty()
                && tree.callee_text(node).is_some_and(|callee| is_dynamic(tree, rule, node, &callee))
            {
                judge.dynamic = Some(line());
            }
            if rule.uses == ImportUses::Words && node.index() >= past_import {
                if is_import(tree, node) {
                    past_import = table.subtree_end(node);
                } else if table.is_named(node) && table.subtree_end(node) == node.index() + 1 && !is_comment(tree, node)
                {
                    judge.words.insert(tree.node_text(node).into_owned());
                }
            }
        }
        let statements = blocks.iter().flat_map(|block| &block.statements);
        for (statement, member) in statements.flat_map(|one| one.members().map(move |member| (one, member))) {
            if let Some(loaded) = facts.loaded.get(&key(statement, member))
                && judge.verdict_by_names(statement, member) != Verdict::Unused
            {
                judge.loaded.extend(loaded);
            }
        }
        judge
    }

    fn mention(&mut self, text: &str, line: usize) {
        let Some(mentions) = &self.rule.mentions else { return };
        for found in mentions.get().find_iter(text) {
            words(found.as_str()).for_each(|word| _ = self.mentioned.entry(word.to_owned()).or_insert(line));
        }
    }

    fn quote(&mut self, text: &str, line: usize) {
        let inner = text.trim_matches(['"', '\'', '`']);
        let is_part = |letter: char| letter.is_alphanumeric() || "_.[], |".contains(letter);
        if inner.len() < 200 && inner.chars().all(is_part) {
            self.paths.entry(inner.to_owned()).or_insert(line);
            // Types begin with a capital letter, unless more shows that it is one.
            let is_type = inner.contains(['[', '|']) || inner.starts_with(char::is_uppercase) && !inner.contains(' ');
            let words = words(inner).filter(|_| is_type);
            words.for_each(|word| _ = self.quoted.entry(word.to_owned()).or_insert(line));
        }
    }

    pub(crate) fn verdict(&self, statement: &Statement, member: &Member) -> Verdict {
        let verdict = self.verdict_by_names(statement, member);
        let (facts, key) = (self.facts, key(statement, member));
        let bound = member.bound.as_deref().unwrap_or_default();
        let kept = |why: &str| Verdict::Kept(format!("`{bound}` has no use, but {why}"));
        if verdict != Verdict::Unused {
            return verdict;
        }
        if let Some(why) = facts.required.get(&key) {
            return kept(why);
        }
        if facts.leaves_unused_out {
            return verdict;
        }
        let acts = facts.loads.get(&key).is_some_and(|loads| !loads.is_subset(&self.loaded));
        let module = if statement.source.is_empty() { &member.name } else { &statement.source };
        match () {
            () if acts => kept("a module that it loads does something then"),
            () if facts.circular.contains(&key) => kept("its module is one of several that import each other"),
            () if self.rule.effects.contains(module) => kept("its module does something when it is loaded"),
            () => verdict,
        }
    }

    /// The verdict without a look at what the import loads.
    fn verdict_by_names(&self, statement: &Statement, member: &Member) -> Verdict {
        let Some(bound) = member.bound.as_deref() else { return Verdict::Used };
        let facts = self.facts;
        let is_export = member.renames_itself && self.rule.exposed || self.facts.is_package;
        if statement.is_first || statement.keeps_names || self.keeps_all || is_export {
            return Verdict::Used;
        }
        let sure = |names: &FxHashSet<String>| names.contains(bound);
        if sure(&facts.words) || sure(&facts.needed) || sure(&facts.kept) {
            return Verdict::Used;
        }
        let kept = |why: &str| Verdict::Kept(format!("`{bound}` has no use, but {why}"));
        let at = |line: &usize| format!("in line {line}");
        let mut is_global = true;
        match self.rule.uses {
            ImportUses::Words if self.words.contains(bound) => return Verdict::Used,
            ImportUses::Words => {}
            ImportUses::Scopes => match self.use_by_scopes(member, bound) {
                Ok(scope) => is_global = scope == Node::ROOT,
                Err(verdict) => return verdict,
            },
        }
        if facts.is_open && is_global {
            return kept("other files import all names of this one");
        }
        let table = self.tree.table();
        if table.ancestors(member.node).any(|around| table.fits_any(around, &self.rule.kept_in)) {
            return kept("it is imported under a condition");
        }
        if let Some(types) = self.rule.implied.get(bound)
            && table.nodes().any(|node| types.contains(table.type_id(node)))
        {
            return kept("code that is made from this file may use it");
        }
        if self.rule.guessed && member.alias.is_none() && !member.renames_itself && !self.is_standard(&member.name) {
            return kept("the name of its package is not known");
        }
        let is_inner = statement.source.is_empty() && member.alias.is_none() && package(&member.name) != member.name;
        if is_inner && self.packages.get(package(&member.name)).is_some_and(|&count| count > 1) {
            return kept("it loads a module that may be reached through its package");
        }
        if let Some(line) = &self.dynamic {
            return kept(&format!("code that is evaluated {} may use it", at(line)));
        }
        if !is_global {
            let module = if statement.source.is_empty() { &member.name } else { &statement.source };
            let is_known =
                !self.rule.exposed || self.is_standard(module) || facts.loads.contains_key(&key(statement, member));
            return match is_known {
                true => Verdict::Unused,
                false => kept("it may only try whether the module is there"),
            };
        }
        if let Some(line) = self.mentioned.get(bound) {
            return kept(&format!("a comment or documentation {} names it", at(line)));
        }
        if let Some(line) = self.quoted.get(bound) {
            return kept(&format!("a string {} may name it", at(line)));
        }
        if let Some(line) =
            self.paths.get(&member.name).filter(|_| statement.source.is_empty() && member.name.contains('.'))
        {
            return kept(&format!("a string {} may name the module", at(line)));
        }
        Verdict::Unused
    }

    fn is_standard(&self, module: &str) -> bool {
        is_standard(self.rule, module)
    }

    /// The scope of a name without a use.
    ///
    /// # Errors
    /// With what is known of a name that may have one.
    fn use_by_scopes(&self, member: &Member, bound: &str) -> Result<Node, Verdict> {
        let (tree, scopes) = (self.tree, &self.scopes);
        let names = scopes.names(bound);
        let inside = |name: Node| member.span.contains(tree.span(name));
        let found = names.found.iter().find(|found| inside(found.name) && found.does.is_binding());
        let Some(own) = found else { return Err(Verdict::Used) };
        let Some(symbol) = names.resolve(scopes, own) else { return Err(Verdict::Used) };
        if symbol.scope != Node::ROOT && scopes.is_unseen(symbol.scope) {
            return Err(Verdict::Used);
        }
        let (mut rebound, mut parameter) = (None, None);
        for other in names.found.iter().filter(|found| found.name != own.name) {
            if other.does == Use::Imports {
                continue;
            }
            let line = || tree.text().line_at(tree.span(other.name).start());
            if self.rule.parameters && scopes.reaches(other.name, &scopes.rules.parameters).is_some() {
                parameter = Some(line());
            }
            let is_same = names.resolve(scopes, other).is_some_and(|other| other.is(symbol));
            match other.does {
                Use::Binds if is_same => rebound = Some(line()),
                _ if is_same => return Err(Verdict::Used),
                _ => {}
            }
        }
        let kept = |why: String| Err(Verdict::Kept(format!("`{bound}` has no use, but {why}")));
        match (rebound, parameter) {
            (Some(line), _) => kept(format!("line {line} gives the name another value")),
            (_, Some(line)) => kept(format!("a tool may pass it to the parameter in line {line}")),
            _ => Ok(symbol.scope),
        }
    }
}

/// Deletes the imports that had a use in the old text and have none in the new one. Returns the result and the names; `None` if there
/// are none.
pub fn drop_imports(
    old: &Tree,
    new: &Tree,
    facts: &ImportFacts,
    limits: &ParseLimits,
) -> Option<Result<(Outcome, Vec<String>), EditError>> {
    let rule = new.language().spec().imports.organize.as_ref()?;
    let unused = |tree: &Tree| {
        let found = blocks(tree, rule);
        let judge = Judge::new(tree, rule, facts, &found);
        let members = found.iter().flat_map(|block| &block.statements);
        let members = members.flat_map(|statement| statement.members().map(move |member| (statement, member)));
        let unused = members.filter(|(statement, member)| judge.verdict(statement, member) != Verdict::Used);
        let certain = unused.map(|(statement, member)| {
            let is_certain = judge.verdict(statement, member) == Verdict::Unused;
            (member.node, member.bound.clone().unwrap_or_default(), is_certain)
        });
        certain.collect::<Vec<_>>()
    };
    let before: FxHashSet<String> = unused(old).into_iter().map(|(_, name, _)| name).collect();
    let now = unused(new).into_iter().filter(|(_, name, is_certain)| *is_certain && !before.contains(name));
    let (ops, names): (Vec<Op>, Vec<String>) =
        now.map(|(target, name, _)| (Op::Delete { target, extent: None }, name)).unzip();
    let apply = || edit::apply(new, &ops, Allow::default(), limits).map(|outcome| (outcome, names.clone()));
    (!ops.is_empty()).then(apply)
}

/// Whether a call may use any name of the file: some only without arguments.
fn is_dynamic(tree: &Tree, rule: &Organize, call: Node, callee: &str) -> bool {
    let arguments = tree.table().children(call).last();
    let is_alone = || arguments.is_some_and(|list| tree.named_children(list).next().is_none());
    let has = |list: &[String]| list.iter().any(|known| known == callee);
    has(&rule.dynamic) || has(&rule.dynamic_alone) && is_alone()
}

/// The key of what a name is imported from.
fn key(statement: &Statement, member: &Member) -> String {
    import_key(&statement.source, &member.name)
}

/// The key of an import: its module and its name, or its path.
pub fn import_key(source: &str, name: &str) -> String {
    let plain = |text: &str| text.trim_matches(['"', '\'', '`']).to_owned();
    if source.is_empty() { plain(name) } else { format!("{}\n{name}", plain(source)) }
}

/// The first part of the path of a module.
fn package(module: &str) -> &str {
    module.split('.').next().unwrap_or(module)
}

/// Whether a module is one of the standard library.
pub(crate) fn is_standard(rule: &Organize, module: &str) -> bool {
    let head = module.split(['.', '/', ':']).next().unwrap_or(module);
    rule.standard.iter().any(|known| match known.strip_suffix('*') {
        Some(start) => module.starts_with(start),
        None => known == head || known == module,
    })
}

/// The words of a text.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '$';
    text.split(move |letter| !is_letter(letter)).filter(|word| !word.is_empty())
}
