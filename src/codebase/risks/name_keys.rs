//! Where the names of functions, classes and modules become data that code looks things up by: `REGISTRY[f.__name__] = f`; and
//! where code runs files, or reads what they define as a table.

use super::shown::{around_in_statement, is_callee, is_code_call};
use crate::modules::FileId;
use crate::symbols::{Resolver, View};
use crate::tree::Node;

/// How far a key is from the name of a member that gives it.
const REACH: usize = 4;

/// How a file makes the names of functions and classes keys.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct NameKeys {
    /// Whether it makes some keys.
    pub are_made: bool,
    /// Whether some are in another case: `{c.__name__.lower(): c}`.
    pub are_in_another_case: bool,
}

impl Resolver<'_> {
    /// How a file makes the names of functions and classes keys: `REGISTRY[f.__name__] = f`, `[f.name, f]`.
    pub fn name_keys(&self, file: FileId) -> NameKeys {
        let mut keys = NameKeys::default();
        let Some(view) = self.view(file) else { return keys };
        let rules = &view.rules.hidden_uses;
        let table = view.tree.table();
        let names = rules.own_names.iter().flat_map(|word| view.scopes.nodes_of(word).to_vec());
        for name in names.filter(|_| !rules.name_keys.is_empty() || !rules.key_calls.is_empty()) {
            let Some(object) = self.object_of(&view, name) else { continue };
            let around = around_in_statement(&view, name, REACH);
            let holder = around.iter().find(|&&node| rules.name_keys.contains(table.type_id(node)));
            // What has the name is in the table.
            let text = view.tree.node_text(object);
            let is_same = |node: Node| node != object && *view.tree.node_text(node) == *text;
            let has_object = |&holder: &Node| {
                let whole = around_in_statement(&view, holder, REACH).last().copied().unwrap_or(holder);
                table.descendants(whole).any(is_same)
            };
            // `table.get(o.getClass().getSimpleName())`
            let is_asked = |&node: &Node| {
                let callee = view.tree.callee_text(node);
                callee.is_some_and(|callee| is_callee(&rules.key_calls, &callee))
                    && self.called(&view, node).is_some_and(|callee| !table.is_within(name, callee))
            };
            if !holder.is_some_and(has_object) && !around.iter().any(is_asked) {
                continue;
            }
            keys.are_made = true;
            let is_changed = |&node: &Node| {
                view.tree.callee_text(node).is_some_and(|callee| is_callee(&rules.case_changes, &callee))
            };
            keys.are_in_another_case |= around.iter().any(is_changed);
        }
        keys
    }

    /// Whether a file runs others, or reads what they define as a table: `run_path("m.py")["V"]`, `exec(open("m.py").read(), names)`.
    pub fn runs_files(&self, file: FileId) -> bool {
        self.view(file).is_some_and(|view| {
            let rules = &view.rules.hidden_uses;
            let table = view.tree.table();
            let is_string = |node: Node| view.tree.language().role(table.type_id(node)).string;
            let is_run = |node: Node| {
                let Some(callee) = view.tree.callee_text(node) else { return false };
                let is_code = is_code_call(rules, &callee);
                is_callee(&rules.file_runners, &callee)
                    || is_code
                        && self
                            .called(&view, node)
                            .and_then(|callee| self.first_argument(&view, node, callee))
                            .is_some_and(|code| !is_string(code) && !view.scopes.is_identifier(code))
            };
            let has_words =
                rules.file_runners.iter().chain(&rules.code_calls).any(|word| !view.scopes.nodes_of(word).is_empty());
            has_words && !rules.file_runners.is_empty() && table.nodes().any(is_run)
        })
    }

    /// Whether an expression may be any module: `sys.modules["m"]`, or a variable that gets one so.
    pub(super) fn may_be_any_module_of_code(&self, view: &View<'_>, object: Node) -> bool {
        let words = &view.rules.hidden_uses.module_makers;
        let has_word = |node: Node| {
            let text = view.tree.node_text(node);
            words.iter().any(|word| text.contains(word.as_str()))
        };
        if words.is_empty() {
            return false;
        }
        if !view.scopes.is_identifier(object) {
            return has_word(object);
        }
        let names = view.scopes.names(&view.tree.node_text(object));
        let symbol = names.at(object).and_then(|found| names.resolve(&view.scopes, found));
        let table = view.tree.table();
        symbol.is_some_and(|symbol| {
            names.binders(&view.scopes, symbol).filter(|found| !found.is_import()).any(|found| {
                let around = around_in_statement(view, found.name, REACH);
                let statement = around.last().copied().or_else(|| table.parent(found.name));
                statement.is_some_and(has_word)
            })
        })
    }
}
