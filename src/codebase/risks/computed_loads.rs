//! Calls that load a module by a path or a name that code puts together.

use crate::modules::FileId;
use crate::symbols::Resolver;
use crate::text::Span;
use crate::tree::Node;

/// A call that loads a module, with what its first argument says of the name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComputedLoad {
    /// The argument.
    pub span: Span,
    /// How the name begins.
    pub head: String,
    /// How it ends; all of it, if nothing is computed.
    pub tail: String,
    /// Whether a part of it is computed.
    pub is_computed: bool,
}

impl Resolver<'_> {
    /// The first place that shows that a file is a module which calls load, and has no imports of its own: `exports.a = …`.
    pub fn is_loaded_by_calls(&self, file: FileId) -> Option<Span> {
        let view = self.view(file)?;
        let (table, rules) = (view.tree.table(), &view.rules.loaded_modules);
        let statements = &view.rules.module_files.statements;
        if view.tree.named_children(Node::ROOT).any(|node| statements.contains(table.type_id(node))) {
            return None;
        }
        let words = rules.exports.iter().chain(&rules.calls);
        let mut places = words.flat_map(|word| view.scopes.nodes_of(word).to_vec());
        places.find(|&place| !view.scopes.binds(place)).map(|place| table.span(place))
    }

    /// The calls of a file that load a module by its name, of which something is known.
    pub fn computed_loads(&self, file: FileId) -> Vec<ComputedLoad> {
        let Some(view) = self.view(file) else { return Vec::new() };
        let calls = &view.rules.loaded_modules.computed_calls;
        let table = view.tree.table();
        let spec = view.tree.language().spec();
        let is_load = |node: &Node| {
            let callee = view.tree.callee_text(*node);
            callee.is_some_and(|callee| calls.iter().any(|known| *known == *callee))
        };
        let mut found = Vec::new();
        for call in table.nodes().filter(is_load) {
            let rule = spec.args.of(table.type_id(call));
            let lists = rule.into_iter().flat_map(|rule| &rule.at).flat_map(|path| view.tree.reached(call, path));
            let mut arguments = lists.flat_map(|list| view.tree.named_children(list).collect::<Vec<_>>());
            let Some(argument) = arguments.find(|&node| !view.tree.is_comment(node)) else { continue };
            let (span, text) = (table.span(argument), view.tree.node_text(argument).into_owned());
            let names = || {
                let inside = table.range(argument.index(), table.subtree_end(argument));
                inside.filter(|&node| view.scopes.is_identifier(node)).map(|node| table.span(node))
            };
            let load = match (names().next(), names().next_back()) {
                (Some(first), Some(last)) => ComputedLoad {
                    span,
                    head: head_of(&text[..first.start() - span.start()]),
                    tail: tail_of(&text[last.end() - span.start()..]),
                    is_computed: true,
                },
                _ => {
                    let whole = head_of(&text);
                    ComputedLoad { span, tail: whole.clone(), head: whole, is_computed: false }
                }
            };
            if !load.head.is_empty() {
                found.push(load);
            }
        }
        found
    }
}

const QUOTES: [char; 3] = ['"', '\'', '`'];

/// The text of the string that code begins with, up to what is put into it.
fn head_of(code: &str) -> String {
    let Some((_, content)) = code.split_once(QUOTES) else { return String::new() };
    content.split(['"', '\'', '`', '{', '$', '%']).next().unwrap_or_default().to_owned()
}

/// The text of the string that code ends with, from what is put into it.
fn tail_of(code: &str) -> String {
    let Some(content) = code.trim_end().strip_suffix(QUOTES) else { return String::new() };
    content.rsplit(['"', '\'', '`', '}']).next().unwrap_or_default().to_owned()
}
