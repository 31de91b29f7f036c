//! The rules of a language's data that speak of node types, looked up in the grammar once and kept by type.

use std::collections::HashMap;

use super::data::{CountRule, Values};
use super::imports::Imports;
use super::{Data, FieldId, Language, ReferenceRules, TypeId};

/// What the data says of each node type.
#[derive(Debug, Default)]
pub struct Rules {
    /// Paths to a node's name.
    pub names: ByType<Vec<Path>>,
    /// Paths to further names.
    pub other_names: ByType<Vec<Path>>,
    /// Paths to what stands before the name in a qualname.
    pub receivers: ByType<Vec<Path>>,
    /// Paths to what is called.
    pub callees: ByType<Vec<Path>>,
    /// Paths to what is imported from.
    pub modules: ByType<Vec<Path>>,
    /// Paths to a class's bases.
    pub bases: ByType<Vec<Path>>,
    /// Paths to what a function returns.
    pub returns: ByType<Vec<Path>>,
    /// How parameters are counted.
    pub params: ByType<Count>,
    /// How arguments are counted.
    pub args: ByType<Count>,
    /// What a definition's body stands after.
    pub body_after: ByType<Vec<TypeId>>,
    /// The node or token that follows each part of a name put together.
    pub joined_names: ByType<TypeId>,
    /// The word without which there is no node of the type.
    pub introducers: ByType<String>,
    /// Types whose name stands right after that word.
    pub introduced_names: Vec<TypeId>,
    /// The path to what a wrapper holds.
    pub held: ByType<Path>,
    /// The path to the value that a definition is given.
    pub holders: ByType<Path>,
    /// The most steps of these.
    pub holder_reach: usize,
    /// How imports are read.
    pub imports: Imports,
    /// Which names mean the same thing.
    pub references: ReferenceRules,
}

/// A value for some of a grammar's types.
#[derive(Debug)]
pub struct ByType<T> {
    places: Vec<u16>,
    values: Vec<T>,
}

impl<T> Default for ByType<T> {
    fn default() -> ByType<T> {
        ByType { places: Vec::new(), values: Vec::new() }
    }
}

impl<T> ByType<T> {
    /// What is said of a type.
    #[inline]
    pub fn of(&self, id: TypeId) -> Option<&T> {
        let place = *self.places.get(usize::from(id))?;
        self.values.get(usize::from(place))
    }

    /// The types of which something is said, in order.
    pub fn types(&self) -> Vec<TypeId> {
        let places = self.places.iter().zip(0..);
        places.filter(|&(&place, _)| place != u16::MAX).map(|(_, id)| id).collect()
    }

    /// All that is said.
    pub fn values(&self) -> impl Iterator<Item = &T> {
        self.values.iter()
    }

    /// Whether nothing is said of any type.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    fn insert(&mut self, id: TypeId, value: T) {
        let at = usize::from(id);
        if self.places.len() <= at {
            self.places.resize(at + 1, u16::MAX);
        }
        self.places[at] = u16::try_from(self.values.len()).expect("a grammar has fewer than 65,535 types");
        self.values.push(value);
    }
}

/// A way from a node to others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Path {
    /// The word itself.
    Literal(String),
    /// The node.
    Itself,
    /// From child to child.
    Steps(Vec<Step>),
    /// The word itself, where the steps lead to something.
    Given(Vec<Step>, String),
    /// The first that leads to something.
    Either(Vec<Path>),
}

impl Path {
    /// How many steps it may take down.
    fn reach(&self) -> usize {
        match self {
            Path::Literal(_) | Path::Itself => 0,
            Path::Steps(steps) | Path::Given(steps, _) => steps.len(),
            Path::Either(paths) => paths.iter().map(Path::reach).max().unwrap_or(0),
        }
    }
}

/// One step of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The first named child.
    First,
    /// The last named child.
    Last,
    /// All named children.
    All,
    /// The named children in a field; its tokens, where it has no others.
    Field(FieldId),
    /// The children in a field that are of a type.
    FieldOf(FieldId, TypeId),
    /// The children of a type.
    Type(TypeId),
    /// The first of them.
    FirstOf(TypeId),
    /// The last of them.
    LastOf(TypeId),
    /// Siblings of a type after the node reached.
    After(TypeId),
    /// Siblings of a type before it.
    Before(TypeId),
}

/// A count rule with its words looked up.
#[derive(Debug)]
pub struct Count {
    /// To the nodes that hold what is counted.
    pub at: Vec<Path>,
    /// Types that count; empty for all.
    pub only: Vec<TypeId>,
    /// Types that don't.
    pub except: Vec<TypeId>,
    /// Texts that don't.
    pub except_text: Vec<String>,
    /// Types of a holding node that count as one.
    pub single: Vec<TypeId>,
    /// Field of which a child counts as often as it has it.
    pub each: Option<FieldId>,
}

/// Looks up one path, as in the data's `names`.
///
/// # Errors
/// Says which word the grammar doesn't have.
pub fn read_path(language: &Language, path: &str) -> Result<Path, String> {
    Words { language }.path(path)
}

impl Rules {
    /// Looks up the words of a language's data.
    ///
    /// # Errors
    /// Says which word the grammar doesn't have.
    pub(super) fn new(data: &Data, language: &Language) -> Result<Rules, String> {
        let words = Words { language };
        let holders = words.by_type("holders", &data.holders, |path| words.path(path))?;
        Ok(Rules {
            names: words.paths("names", &data.names)?,
            other_names: words.paths("other_names", &data.other_names)?,
            receivers: words.paths("receivers", &data.receivers)?,
            callees: words.paths("callees", &data.callees)?,
            modules: words.paths("modules", &data.modules)?,
            bases: words.paths("bases", &data.bases)?,
            returns: words.paths("returns", &data.returns)?,
            params: words.by_type("params", &data.params, |rule| words.count(rule))?,
            args: words.by_type("args", &data.args, |rule| words.count(rule))?,
            body_after: words.by_type("body_after", &data.body_after, |marks| words.marks(marks))?,
            joined_names: words.by_type("joined_names", &data.joined_names, |mark| words.mark(mark))?,
            introducers: words.by_type("introducers", &data.introducers, |word| Ok(word.clone()))?,
            introduced_names: data.introduced_names.iter().map(|name| words.type_id(name)).collect::<Result<_, _>>()?,
            held: words.by_type("held", &data.held, |path| words.path(path))?,
            holder_reach: holders.values().map(Path::reach).max().unwrap_or(0),
            holders,
            imports: Imports::new(&data.imports, language)?,
            references: ReferenceRules::new(&data.references, &words)?,
        })
    }
}

/// A grammar's words.
pub(super) struct Words<'a> {
    language: &'a Language,
}

impl Words<'_> {
    pub(super) fn type_id(&self, name: &str) -> Result<TypeId, String> {
        self.language.type_id(name).ok_or_else(|| format!("the grammar has no type `{name}`"))
    }

    /// A type or a token.
    pub(super) fn mark(&self, name: &str) -> Result<TypeId, String> {
        let known = self.language.type_id(name).or_else(|| self.language.token_id(name));
        known.ok_or_else(|| format!("the grammar has no type or token `{name}`"))
    }

    fn marks(&self, names: &[String]) -> Result<Vec<TypeId>, String> {
        names.iter().map(|name| self.mark(name)).collect()
    }

    pub(super) fn field(&self, name: &str) -> Result<FieldId, String> {
        self.language.field_id(name).ok_or_else(|| format!("the grammar has no field `{name}`"))
    }

    fn by_type<T, U>(
        &self,
        place: &str,
        rules: &HashMap<String, T>,
        resolve: impl Fn(&T) -> Result<U, String>,
    ) -> Result<ByType<U>, String> {
        let mut by_type = ByType::default();
        for (name, rule) in rules {
            let wrong = |message: String| format!("{place}: {name}: {message}");
            by_type.insert(self.type_id(name).map_err(wrong)?, resolve(rule).map_err(wrong)?);
        }
        Ok(by_type)
    }

    fn paths(&self, place: &str, rules: &HashMap<String, Values>) -> Result<ByType<Vec<Path>>, String> {
        self.by_type(place, rules, |paths| self.each(paths))
    }

    fn each(&self, paths: &Values) -> Result<Vec<Path>, String> {
        paths.iter().map(|path| self.path(path)).collect()
    }

    fn path(&self, path: &str) -> Result<Path, String> {
        if path.contains('|') {
            let paths = path.split('|').map(|path| self.path(path.trim())).collect::<Result<_, _>>();
            return paths.map(Path::Either);
        }
        let literal = |word: &str| word.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')).map(str::to_owned);
        if let Some(word) = literal(path) {
            return Ok(Path::Literal(word));
        }
        if path == "." {
            return Ok(Path::Itself);
        }
        if let Some((steps, word)) = path.rsplit_once('.').and_then(|(steps, word)| Some((steps, literal(word)?))) {
            let steps = steps.split('.').map(|step| self.step(step)).collect::<Result<_, _>>()?;
            return Ok(Path::Given(steps, word));
        }
        path.split('.').map(|step| self.step(step)).collect::<Result<_, _>>().map(Path::Steps)
    }

    fn step(&self, step: &str) -> Result<Step, String> {
        if let Some((field, type_name)) = step.split_once(':') {
            return Ok(Step::FieldOf(self.field(field)?, self.type_id(type_name)?));
        }
        let of_type =
            |word: Option<&str>| word.filter(|word| !word.is_empty()).map(|word| self.type_id(word)).transpose();
        match step {
            "*" => return Ok(Step::First),
            "$" => return Ok(Step::Last),
            "**" => return Ok(Step::All),
            _ => {}
        }
        if let Some(id) = of_type(step.strip_suffix('^'))? {
            return Ok(Step::FirstOf(id));
        }
        if let Some(id) = of_type(step.strip_suffix('$'))? {
            return Ok(Step::LastOf(id));
        }
        if let Some(id) = of_type(step.strip_prefix('+'))? {
            return Ok(Step::After(id));
        }
        if let Some(id) = of_type(step.strip_prefix('-'))? {
            return Ok(Step::Before(id));
        }
        // A field is meant where there is one of that name; a type of that name is written after a slash.
        match (step.strip_prefix('/'), self.language.field_id(step)) {
            (Some(word), _) => self.type_id(word).map(Step::Type),
            (None, Some(field)) => Ok(Step::Field(field)),
            (None, None) => match self.language.type_id(step) {
                Some(id) => Ok(Step::Type(id)),
                None => Err(format!("the grammar has no field or type `{step}`")),
            },
        }
    }

    fn count(&self, rule: &CountRule) -> Result<Count, String> {
        let types = |names: &[String]| names.iter().map(|name| self.type_id(name)).collect::<Result<Vec<_>, _>>();
        Ok(Count {
            at: self.each(&rule.at)?,
            only: types(&rule.only)?,
            except: types(&rule.except)?,
            except_text: rule.except_text.clone(),
            single: types(&rule.single)?,
            each: if rule.each.is_empty() { None } else { Some(self.field(&rule.each)?) },
        })
    }
}
