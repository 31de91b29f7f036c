//! The rules of a language's `[references]`, with their words looked up in the grammar.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::mistakes::Mistakes;
use super::name_data::ReferenceRule;
use super::notation::{Notation, in_key};
use super::place::{Place, Places, Spaces};
use super::symbols::TypeId;
use super::type_set::TypeSet;
use super::values::Values;

/// `[references]` with its words looked up. Each field is described at `ReferenceRule`.
#[derive(Debug, Default)]
#[allow(missing_docs)]
pub struct ReferenceRules {
    pub supported: bool,
    pub identifiers: TypeSet,
    pub spaces: FxHashMap<TypeId, Spaces>,
    pub lexical: TypeSet,
    pub scopes: TypeSet,
    pub merged: Places,
    pub unseen: TypeSet,
    pub expressions: TypeSet,
    pub outside: Places,
    pub first_outside: Places,
    pub bindings: Places,
    pub bindings_beyond: Places,
    pub leaking: Places,
    pub delayed: Places,
    pub own_names: Places,
    pub wide: Places,
    pub headers: TypeSet,
    pub shadowing: Places,
    pub capitals: Places,
    pub imports: Places,
    pub patterns: Places,
    pub heads: TypeSet,
    pub refers: Places,
    pub not_names: Places,
    pub unclear: Places,
    pub globals: Places,
    pub outers: Places,
    pub parameters: Places,
    pub positional: TypeSet,
    pub positional_before: TypeSet,
    pub arguments: Places,
    pub splats: TypeSet,
    pub attributes: Places,
    pub keys: Places,
    pub elements: Places,
    pub members: TypeSet,
    pub self_types: TypeSet,
    pub self_scopes: TypeSet,
    pub static_marks: TypeSet,
    pub shared_spaces: Option<Spaces>,
    pub method_space: Option<Spaces>,
    pub field_space: Option<Spaces>,
    pub instance_space: Option<Spaces>,
    pub static_space: Option<Spaces>,
    pub exports: Places,
    pub open: Places,
    pub dynamic_scopes: TypeSet,
    pub blank: Vec<String>,
    pub fixed: Vec<String>,
    pub static_decorators: Vec<String>,
    pub constructors: Vec<String>,
    pub plain_bases: Vec<String>,
    pub global_objects: Vec<String>,
    pub dynamic_calls: Vec<String>,
    pub named_by_decorators: Vec<String>,
    pub structural: bool,
    pub class_private_prefix: Option<String>,
    /// Whether the data says what binds.
    pub has_bindings: bool,
    /// Places to what a name there becomes.
    pub shorthand: Vec<(Places, String)>,
}

impl ReferenceRules {
    /// # Errors
    /// Says which word the grammar doesn't have.
    pub(super) fn new(rule: &ReferenceRule, notation: Notation<'_>) -> Result<ReferenceRules, String> {
        let mut reader = Reader { notation, spaces: Vec::new(), mistakes: Mistakes::default() };
        let rules = reader.rules(rule);
        reader.mistakes.or_first(rules)
    }
}

/// Reads places, and numbers the name spaces as they come.
struct Reader<'a> {
    notation: Notation<'a>,
    spaces: Vec<String>,
    mistakes: Mistakes,
}

impl Reader<'_> {
    fn rules(&mut self, rule: &ReferenceRule) -> ReferenceRules {
        let shorthand = rule.shorthand.iter();
        let shorthand =
            shorthand.map(|(place, to)| (self.places("shorthand", std::slice::from_ref(place)), to.clone()));
        let shorthand = shorthand.collect();
        ReferenceRules {
            supported: rule.supported,
            blank: rule.blank.clone(),
            fixed: rule.fixed.clone(),
            static_decorators: rule.static_decorators.clone(),
            constructors: rule.constructors.clone(),
            plain_bases: rule.plain_bases.clone(),
            global_objects: rule.global_objects.clone(),
            dynamic_calls: rule.dynamic_calls.clone(),
            named_by_decorators: rule.named_by_decorators.clone(),
            structural: rule.structural,
            class_private_prefix: rule.class_private_prefix.clone(),
            has_bindings: !rule.bindings.is_empty(),
            identifiers: self.types("identifiers", &rule.identifiers),
            spaces: self.spaces_of("spaces", &rule.spaces),
            lexical: self.types("lexical", &rule.lexical),
            scopes: self.types("scopes", &rule.scopes),
            merged: self.places("merged", &rule.merged),
            unseen: self.types("unseen", &rule.unseen),
            expressions: self.types("expressions", &rule.expressions),
            outside: self.places("outside", &rule.outside),
            first_outside: self.places("first_outside", &rule.first_outside),
            bindings: self.places("bindings", &rule.bindings),
            bindings_beyond: self.places("bindings_beyond", &rule.bindings_beyond),
            leaking: self.places("leaking", &rule.leaking),
            delayed: self.places("delayed", &rule.delayed),
            own_names: self.places("own_names", &rule.own_names),
            wide: self.places("wide", &rule.wide),
            shadowing: self.places("shadowing", &rule.shadowing),
            capitals: self.places("capitals", &rule.capitals),
            headers: self.types("headers", &rule.headers),
            imports: self.places("imports", &rule.imports),
            patterns: self.places("patterns", &rule.patterns),
            heads: self.types("heads", &rule.heads),
            refers: self.places("refers", &rule.refers),
            not_names: self.places("not_names", &rule.not_names),
            unclear: self.places("unclear", &rule.unclear),
            globals: self.places("globals", &rule.globals),
            outers: self.places("outers", &rule.outers),
            parameters: self.places("parameters", &rule.parameters),
            positional: self.types("positional", &rule.positional),
            positional_before: self.types("positional_before", &rule.positional_before),
            arguments: self.places("arguments", &rule.arguments),
            splats: self.types("splats", &rule.splats),
            attributes: self.places("attributes", &rule.attributes),
            keys: self.places("keys", &rule.keys),
            elements: self.places("elements", &rule.elements),
            members: self.types("members", &rule.members),
            self_types: self.marks("self_types", &rule.self_types),
            self_scopes: self.types("self_scopes", &rule.self_scopes),
            static_marks: self.marks("static_marks", &rule.static_marks),
            shared_spaces: self.shared(&rule.shared_spaces),
            method_space: self.space(&rule.method_space),
            field_space: self.space(&rule.field_space),
            instance_space: self.space(&rule.instance_space),
            static_space: self.space(&rule.static_space),
            exports: self.places("exports", &rule.exports),
            open: self.places("open", &rule.open),
            dynamic_scopes: self.types("dynamic_scopes", &rule.dynamic_scopes),
            shorthand,
        }
    }

    fn types(&self, key: &str, names: &[String]) -> TypeSet {
        self.mistakes.or_default(self.notation.types(&format!("references.{key}"), names))
    }

    fn marks(&self, key: &str, names: &[String]) -> TypeSet {
        let marks = names.iter().map(|name| self.notation.mark(name).map_err(in_key(&format!("references.{key}"))));
        self.mistakes.or_default(marks.collect::<Result<_, _>>())
    }

    fn space(&mut self, name: &str) -> Option<Spaces> {
        (!name.is_empty()).then(|| self.numbered(name))
    }

    fn numbered(&mut self, name: &str) -> Spaces {
        let place = self.spaces.iter().position(|known| known == name).unwrap_or_else(|| {
            self.spaces.push(name.to_owned());
            self.spaces.len() - 1
        });
        Spaces(1_u16.checked_shl(u32::try_from(place).unwrap_or(u32::MAX)).unwrap_or(0))
    }

    fn joined<'s>(&mut self, names: impl Iterator<Item = &'s str>) -> Spaces {
        names.fold(Spaces::default(), |all, name| all.union(self.numbered(name)))
    }

    /// The name spaces in which names of one scope are one thing; `None` where there are none.
    fn shared(&mut self, spaces: &[String]) -> Option<Spaces> {
        if let Some(unknown) = spaces.iter().find(|space| !self.spaces.contains(space)) {
            let mistake = format!("references.shared_spaces: unknown name space `{unknown}`");
            return self.mistakes.or_default(Err(mistake));
        }
        (!spaces.is_empty()).then(|| self.joined(spaces.iter().map(String::as_str)))
    }

    fn spaces_of(&mut self, key: &str, rules: &BTreeMap<String, Values>) -> FxHashMap<TypeId, Spaces> {
        let of_type = |(name, spaces): (&String, &Values)| {
            let key = format!("references.{key}");
            Ok((self.notation.type_id(name).map_err(in_key(&key))?, self.joined(spaces.iter())))
        };
        let read = rules.iter().map(of_type).collect::<Result<_, String>>();
        self.mistakes.or_default(read)
    }

    fn places(&mut self, key: &str, texts: &[String]) -> Places {
        let key = format!("references.{key}");
        let places = texts.iter().map(|text| self.place(text).map_err(in_key(&key))).collect::<Result<_, String>>();
        Places::new(self.mistakes.or_default(places))
    }

    fn place(&mut self, text: &str) -> Result<Place, String> {
        let (place, spaces) = match text.split_once(": ") {
            Some((place, spaces)) => (place, Some(self.joined(spaces.split_whitespace()))),
            None => (text, None),
        };
        Ok(Place { spaces, ..self.notation.place(place)? })
    }
}
