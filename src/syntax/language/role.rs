//! The roles of node types in the engine.

use super::kinds::{KindRule, is_word};
use super::spec::Spec;
use super::symbols::{Symbols, TypeId};

/// The role of a node type, from the language's data.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Role {
    /// `>` looks through it, and it contains many nodes: a block, a parameter list.
    pub body: bool,
    /// `>` looks through it, and it contains one node: a decorated definition, an expression statement.
    pub wrapper: bool,
    /// A comment.
    pub comment: bool,
    /// Its inner lines are its value and are never re-indented.
    pub string: bool,
    /// Adds its name to the qualified names inside, and ends `:has-own`.
    pub scope: bool,
    /// A decorator, which belongs to the definition next to it.
    pub decorator: bool,
    /// Contains elements with separators.
    pub list: bool,
    /// Comes before a definition as its sibling, and belongs to it.
    pub leading: bool,
    /// Contains statements next to other children: a `case`.
    pub section: bool,
    /// Contains another body, or an expression.
    pub outer_body: bool,
    /// Follows the statements of a body and is not a statement: a `rescue`.
    pub clause: bool,
    /// Is indented less than its neighbours: `public:`.
    pub label: bool,
    /// An anonymous function or class, which makes the definition to which it is bound a scope.
    pub value: bool,
    /// A modifier, if it is in a definition.
    pub modifier: bool,
    /// Contains the modifiers and decorators of a definition.
    pub modifier_holder: bool,
    /// The body of a definition, if it is in no field.
    pub body_type: bool,
    /// Ends where its indentation ends.
    pub ends_by_indentation: bool,
    /// Comments at its end are about what comes after it.
    pub ends_before_comments: bool,
    /// A value that adds the name of its definition to the qualified names inside.
    pub named_value: bool,
    /// A scope whose name is not part of qualified names.
    pub nameless: bool,
}

/// The roles of all types, by id.
///
/// # Errors
/// If a kind that is a scope has a rule that is a word and not a type.
pub(super) fn roles(spec: &Spec, symbols: &Symbols) -> Result<Vec<Role>, String> {
    let mut roles = vec![Role::default(); symbols.type_count()];
    let mut mark = |types: &[TypeId], set: fn(&mut Role)| {
        types.iter().for_each(|&id| _ = roles.get_mut(usize::from(id)).map(set));
    };
    mark(spec.bodies.ids(), |role| role.body = true);
    mark(spec.wrappers.ids(), |role| role.wrapper = true);
    mark(spec.comments.ids(), |role| role.comment = true);
    mark(spec.strings.ids(), |role| role.string = true);
    mark(spec.decorators.ids(), |role| role.decorator = true);
    mark(&spec.leading.types(), |role| role.leading = true);
    mark(spec.body_types.ids(), |role| role.body_type = true);
    mark(spec.nameless.ids(), |role| role.nameless = true);
    mark(spec.named_values.ids(), |role| role.named_value = true);
    mark(spec.ends_by_indentation.ids(), |role| role.ends_by_indentation = true);
    mark(spec.ends_before_comments.ids(), |role| role.ends_before_comments = true);
    mark(spec.clauses.ids(), |role| role.clause = true);
    mark(spec.labels.ids(), |role| role.label = true);
    mark(spec.outer_bodies.ids(), |role| role.outer_body = true);
    mark(&spec.section_starts.types(), |role| role.section = true);
    mark(spec.values.ids(), |role| role.value = true);
    mark(spec.modifier_holders.ids(), |role| role.modifier_holder = true);
    mark(&spec.lists.types(), |role| role.list = true);
    mark(spec.scope_types.ids(), |role| role.scope = true);
    mark(spec.modifiers.ids(), |role| role.modifier = true);
    for rule in spec.scopes.iter().flat_map(|kind| spec.kind(kind)) {
        match rule {
            KindRule::Type(id) => mark(&[*id], |role| role.scope = true),
            // Rules of a kind may be selectors; only plain types make a scope.
            KindRule::Selector(word) if is_word(word) => {
                return Err(format!("kinds: the grammar has no type `{word}`"));
            }
            KindRule::Selector(_) => {}
        }
    }
    Ok(roles)
}
