//! The roles of node types in the engine.

use super::data::{Data, is_word};
use super::symbols::Symbols;
use super::values::Values;

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
    /// A value that adds the name of its definition to the qualified names inside.
    pub named_value: bool,
    /// A scope whose name is not part of qualified names.
    pub nameless: bool,
}

/// The roles of all types, by id.
///
/// # Errors
/// At a word that the grammar lacks.
pub(super) fn roles(data: &Data, symbols: &Symbols) -> Result<Vec<Role>, String> {
    let mut roles = vec![Role::default(); symbols.type_count()];
    let mut mark = |key: &str, types: &[&str], set: fn(&mut Role)| {
        for name in types {
            let id = symbols.type_id(name).ok_or_else(|| format!("{key}: the grammar has no type `{name}`"))?;
            roles.get_mut(usize::from(id)).map(set);
        }
        Ok::<(), String>(())
    };
    fn words(list: &[String]) -> Vec<&str> {
        list.iter().map(String::as_str).collect()
    }
    mark("bodies", &words(&data.bodies), |role| role.body = true)?;
    mark("wrappers", &words(&data.wrappers), |role| role.wrapper = true)?;
    mark("comments", &words(&data.comments), |role| role.comment = true)?;
    mark("strings", &words(&data.strings), |role| role.string = true)?;
    mark("decorators", &words(&data.decorators), |role| role.decorator = true)?;
    let leading = data.leading.iter().map(|word| word.rsplit('/').next().unwrap_or(word));
    mark("leading", &leading.collect::<Vec<_>>(), |role| role.leading = true)?;
    mark("body_types", &words(&data.body_types), |role| role.body_type = true)?;
    mark("nameless", &words(&data.nameless), |role| role.nameless = true)?;
    mark("named_values", &words(&data.named_values), |role| role.named_value = true)?;
    mark("ends_by_indentation", &words(&data.ends_by_indentation), |role| role.ends_by_indentation = true)?;
    mark("clauses", &words(&data.clauses), |role| role.clause = true)?;
    mark("labels", &words(&data.labels), |role| role.label = true)?;
    mark("outer_bodies", &words(&data.outer_bodies), |role| role.outer_body = true)?;
    let sections = data.sections.keys().chain(data.body_after.keys()).map(String::as_str);
    mark("sections", &sections.collect::<Vec<_>>(), |role| role.section = true)?;
    mark("values", &words(&data.values), |role| role.value = true)?;
    mark("modifier_holders", &words(&data.modifier_holders), |role| role.modifier_holder = true)?;
    mark("lists", &data.lists.keys().map(String::as_str).collect::<Vec<_>>(), |role| role.list = true)?;
    // Rules of a kind may be selectors; only plain types make a scope.
    let plain = |kind: &String| data.kinds.get(kind).into_iter().flat_map(Values::iter).filter(|rule| is_word(rule));
    mark("kinds", &data.scopes.iter().flat_map(plain).collect::<Vec<_>>(), |role| role.scope = true)?;
    mark("scope_types", &words(&data.scope_types), |role| role.scope = true)?;
    for word in &data.modifiers {
        let ids = [symbols.type_id(word), symbols.token_id(word)];
        if ids == [None, None] {
            return Err(format!("modifiers: the grammar has no type or token `{word}`"));
        }
        ids.into_iter().flatten().for_each(|id| roles[usize::from(id)].modifier = true);
    }
    Ok(roles)
}
