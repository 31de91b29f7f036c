//! Objects that code outside of the project gets where they are made, or by the variable that has them.

use crate::modules::FileId;
use crate::symbols::{Resolver, Site, Value, View};
use crate::tree::Node;

/// How many nodes are between an argument and its call.
const REACH: usize = 3;

impl Resolver<'_> {
    /// Whether a place shows that code outside of the project gets a class or one of its objects: `print(file=A())`, `sys.stdout = a`.
    pub fn is_given_outside(&self, class: Site) -> bool {
        let Some(view) = self.view(class.file) else { return true };
        let word = view.tree.node_text(class.name).into_owned();
        self.files_around(&view, &[&word]).into_iter().any(|file| {
            let Some(other) = self.view(file) else { return false };
            let names = other.scopes.nodes_of(&word).to_vec();
            names.into_iter().filter(|&name| name != class.name).any(|name| {
                let table = other.tree.table();
                // `module.A`
                let parent = table.parent(name).filter(|&parent| self.member_name(&other, parent) == Some(name));
                let whole = parent.unwrap_or(name);
                let made = table.ancestors(whole).take(REACH).find(|&call| self.called(&other, call) == Some(whole));
                self.is_given(&other, made.unwrap_or(whole), true)
            })
        })
    }

    /// Whether an expression, or the variable that gets its value, is an argument of a call outside of the project, or the value of
    /// a member of something from there.
    fn is_given(&self, view: &View<'_>, value: Node, follows: bool) -> bool {
        let table = view.tree.table();
        let calls = table.ancestors(value).take(REACH).filter(|&call| call != value);
        for call in calls {
            if let Some(callee) = self.called(view, call) {
                return !table.is_within(value, callee) && self.is_of_outside(view.file, callee);
            }
            let paths = view.rules.values.of(table.type_id(call)).into_iter().flatten();
            if !paths.flat_map(|path| view.tree.reached(call, path)).any(|given| given == value) {
                continue;
            }
            let Some(target) = view.tree.named_children(call).next().filter(|&target| target != value) else {
                return false;
            };
            if !view.scopes.is_identifier(target) {
                return self.object_of(view, self.member_name(view, target).unwrap_or(target)).is_some_and(|object| {
                    let values = self.value(view.file, object);
                    values.known.iter().any(|value| matches!(value, Value::External { .. } | Value::Foreign))
                });
            }
            let uses = view.scopes.nodes_of(&view.tree.node_text(target)).to_vec();
            return follows && uses.into_iter().any(|used| used != target && self.is_given(view, used, false));
        }
        false
    }

    /// Whether what is called is nothing of the project's, and may call members of what it gets.
    fn is_of_outside(&self, file: FileId, callee: Node) -> bool {
        let Some(view) = self.view(file) else { return true };
        let text = view.tree.node_text(callee);
        let is_inert = view.rules.entries.inert_calls.iter().any(|known| *known == *text);
        let values = self.value(file, callee);
        let is_of_project =
            values.is_complete && !values.known.is_empty() && values.known.iter().all(Value::is_of_project);
        !is_inert && !is_of_project
    }
}
