//! Rules with their words looked up in the language.

use std::cell::RefCell;

use regex::Regex;
use rustc_hash::FxHashMap;

use super::circles::refuse_circles;
use super::condition::{Compiled, Condition, NamedRule, Related, StopAt};
use super::error::AstGrepError;
use super::kinds::kind_selector;
use super::model::{Config, Part, RuleObject, Stop};
use super::pattern::Pattern;
use crate::language::{Language, TypeId, TypeSet};

/// Looks up the words of one rule.
struct Compiler {
    language: &'static Language,
    numbers: FxHashMap<String, usize>,
}

type Made<T> = Result<T, AstGrepError>;

/// Makes a rule ready for a language.
pub(super) fn compile(config: &Config, language: &'static Language) -> Made<Compiled> {
    let mut numbers = FxHashMap::default();
    // A rule's own names go before those of the project.
    let globals = config.globals.iter().map(|(name, global)| (name, &global.rule));
    let all: Vec<(&String, &RuleObject)> =
        config.utils.iter().map(|(name, rule)| (name, rule)).chain(globals).collect();
    for (number, (name, _)) in all.iter().enumerate() {
        numbers.entry((*name).clone()).or_insert(number);
    }
    let rules: Vec<&RuleObject> = all.iter().map(|(_, rule)| *rule).collect();
    refuse_circles(&rules, &numbers)?;
    let compiler = Compiler { language, numbers };
    let mut named = Vec::with_capacity(all.len());
    for (number, (_, rule)) in all.iter().enumerate() {
        let constraints = match number.checked_sub(config.utils.len()) {
            Some(global) => compiler.constraints(&config.globals[global].1)?,
            None => Vec::new(),
        };
        named.push(NamedRule { rule: compiler.object(rule)?, constraints });
    }
    let rule = compiler.object(&config.rule)?;
    let types = Types { named: &named, known: RefCell::new(FxHashMap::default()) }.of(&rule, 0);
    let constraints = compiler.constraints(config)?;
    let mut rewriters = Vec::new();
    for (name, rewriter) in &config.rewriters {
        // A rewriter may name the utilities of the rule that it belongs to.
        let inner = Config { utils: rewriter.utils.iter().chain(&config.utils).cloned().collect(), ..rewriter.clone() };
        rewriters.push((name.clone(), compile(&inner, language)?));
    }
    let expansion = |expansion: Option<&super::model::Expansion>| match expansion {
        Some(expansion) => Ok(Some((compiler.object(&expansion.rule)?, compiler.stop(&expansion.stop)?))),
        None => Ok(None),
    };
    let expand_start = expansion(config.fix.as_ref().and_then(|fix| fix.expand_start.as_ref()))?;
    let expand_end = expansion(config.fix.as_ref().and_then(|fix| fix.expand_end.as_ref()))?;
    Ok(Compiled { rule, constraints, named, types, rewriters, expand_start, expand_end })
}

impl Compiler {
    fn constraints(&self, config: &Config) -> Made<Vec<(String, Condition)>> {
        config.constraints.iter().map(|(name, rule)| Ok((name.clone(), self.object(rule)?))).collect()
    }

    fn object(&self, object: &RuleObject) -> Made<Condition> {
        let mut parts = object.parts.iter().map(|part| self.part(part)).collect::<Made<Vec<Condition>>>()?;
        Ok(if parts.len() == 1 { parts.remove(0) } else { Condition::All(parts) })
    }

    fn objects(&self, objects: &[RuleObject]) -> Made<Vec<Condition>> {
        objects.iter().map(|object| self.object(object)).collect()
    }

    fn part(&self, part: &Part) -> Made<Condition> {
        Ok(match part {
            Part::Pattern(pattern) => Condition::Pattern(Pattern::new(pattern, self.language)?),
            Part::Kind(kind) => kind_selector(kind, self.language)?,
            Part::Regex(regex) => match Regex::new(&regex.value) {
                Ok(regex) => Condition::Regex(regex),
                Err(error) => {
                    let why = error.to_string();
                    let why = why.lines().last().unwrap_or_default().trim().to_owned();
                    return Err(AstGrepError::new(format!("the regex is not valid: {why}"), regex.place));
                }
            },
            Part::NthChild(position) => Condition::NthChild {
                step: position.step,
                offset: position.offset,
                of: position.of.as_ref().map(|rule| self.object(rule).map(Box::new)).transpose()?,
                from_end: position.from_end,
            },
            Part::Range(range) => Condition::Range(*range),
            Part::All(all) => Condition::All(self.objects(all)?),
            Part::Any(any) => Condition::Any(self.objects(any)?),
            Part::Not(not) => Condition::Not(Box::new(self.object(not)?)),
            Part::Matches(name) => match self.numbers.get(&name.value) {
                Some(&number) => Condition::Named(number),
                None => return Err(AstGrepError::new(format!("no rule is called `{}`", name.value), name.place)),
            },
            Part::Relation(relation) => Condition::Relation(Related {
                direction: relation.direction,
                rule: Box::new(self.object(&relation.rule)?),
                stop: self.stop(&relation.stop)?,
                field: match &relation.field {
                    None => None,
                    Some(field) => match self.language.field_id(&field.value) {
                        Some(id) => Some(id),
                        None => {
                            let message = format!("{} has no field `{}`", self.language.name(), field.value);
                            return Err(AstGrepError::new(message, field.place));
                        }
                    },
                },
            }),
        })
    }

    fn stop(&self, stop: &Stop) -> Made<StopAt> {
        Ok(match stop {
            Stop::Neighbor => StopAt::Neighbor,
            Stop::End => StopAt::End,
            Stop::Rule(rule) => StopAt::Rule(Box::new(self.object(rule)?)),
        })
    }
}

/// The types of the nodes for which conditions may hold.
struct Types<'n> {
    named: &'n [NamedRule],
    /// Those of named rules, each looked at once: a few rules that name each other twice would otherwise be looked at for ever.
    known: RefCell<FxHashMap<usize, Option<TypeSet>>>,
}

impl Types<'_> {
    /// The types of a condition; any if `None`.
    fn of(&self, condition: &Condition, depth: usize) -> Option<TypeSet> {
        use super::pattern::{Kind, PatternNode};
        const DEEPEST: usize = 64;
        if depth > DEEPEST {
            return None;
        }
        match condition {
            Condition::Pattern(pattern) => {
                let kind = match (&pattern.root, pattern.root_type) {
                    (_, Some(kind)) => kind,
                    (_, None) if pattern.strictness == super::model::Strictness::Template => return None,
                    (
                        PatternNode::Leaf { kind: Kind::Of(kind), .. }
                        | PatternNode::Inner { kind: Kind::Of(kind), .. },
                        _,
                    ) => *kind,
                    _ => return None,
                };
                Some(one_type(kind))
            }
            Condition::Kind(kind) => Some(one_type(*kind)),
            Condition::All(all) => {
                let mut known: Option<TypeSet> = None;
                for types in all.iter().filter_map(|part| self.of(part, depth + 1)) {
                    known = Some(match known {
                        None => types,
                        Some(known) => {
                            known.types().filter(|&id| types.contains(id)).fold(TypeSet::default(), |mut set, id| {
                                set.insert(id);
                                set
                            })
                        }
                    });
                }
                known
            }
            Condition::Any(any) => {
                let mut union = TypeSet::default();
                for part in any {
                    union.union_with(&self.of(part, depth + 1)?);
                }
                Some(union)
            }
            Condition::Named(number) => {
                if let Some(known) = self.known.borrow().get(number) {
                    return known.clone();
                }
                let types = self.of(&self.named.get(*number)?.rule, depth + 1);
                self.known.borrow_mut().insert(*number, types.clone());
                types
            }
            _ => None,
        }
    }
}

fn one_type(kind: TypeId) -> TypeSet {
    let mut set = TypeSet::default();
    set.insert(kind);
    set
}
