//! The roles of node types: what each is to the engine.

use super::data::{Data, Values, is_word};
use super::symbols::Symbols;

/// What a node type is to the engine, from the language's data.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Role {
    /// Holds many and isn't seen: a block, a parameter list.
    pub body: bool,
    /// Holds one and isn't seen: a decorated definition, an expression statement.
    pub wrapper: bool,
    /// A comment.
    pub comment: bool,
    /// Its inner lines are its value and are never re-indented.
    pub string: bool,
    /// Adds its name to the qualnames inside, and ends `:has-own`.
    pub scope: bool,
    /// A decorator: belongs to the definition it is at.
    pub decorator: bool,
    /// Has a comma-like separator between its elements.
    pub list: bool,
    /// Stands before a definition, as its sibling, and belongs to it.
    pub leading: bool,
    /// Holds statements beside other children: a `case`.
    pub section: bool,
    /// Holds another body, or an expression.
    pub outer_body: bool,
    /// Follows the statements of a body and is none: a `rescue`.
    pub clause: bool,
    /// Stands out of the indentation around it: `public:`.
    pub label: bool,
    /// A function or class without a name, which makes what it is given to a scope.
    pub value: bool,
    /// A modifier, where it is in a definition.
    pub modifier: bool,
    /// Holds a definition's modifiers and decorators.
    pub modifier_holder: bool,
    /// A definition's body, where it is in no field.
    pub body_type: bool,
    /// Its indentation says where it ends.
    pub ends_by_indentation: bool,
    /// A value whose definition's name is in the qualnames inside.
    pub named_value: bool,
    /// A scope whose name is in no qualname.
    pub nameless: bool,
}

/// The roles of all types, by number.
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
    // A kind's rules may be selectors; a type alone makes a scope.
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
