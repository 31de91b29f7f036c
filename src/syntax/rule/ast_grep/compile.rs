//! Rules with their words looked up in the language.

use std::cell::RefCell;

use rustc_hash::FxHashMap;

use super::check::{check_names, names_of};
use super::circles::refuse_circles;
use super::condition::{Called, Compiled, Condition, NamedRule, Related, StopAt};
use super::error::AstGrepError;
use super::kinds::kind_selector;
use super::model::{Call, Config, Expansion, Part, Placed, Relation, RuleObject, Stop};
use super::pattern::Pattern;
use super::regex::compile_regex;
use super::types::types_of;
use crate::language::Language;

type Made<T> = Result<T, AstGrepError>;

/// The rules that have names, in the order in which they got their numbers.
#[derive(Default)]
struct Named<'c> {
    /// Whose rule it is, its name, and the rule once it is made.
    rules: Vec<(Owner<'c>, &'c str, Option<NamedRule>)>,
}

/// The rule that has a utility: a rule by its place in memory, or the project.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Owner<'c>(Option<&'c str>);

/// Looks up the words of one rule of a project, its utilities or the rule itself.
#[derive(Clone, Copy)]
struct Compiler<'c, 'n> {
    language: &'static Language,
    named: &'n RefCell<Named<'c>>,
    globals: &'c [(String, Config)],
    owner: Owner<'c>,
    utils: &'c [(Placed<String>, RuleObject)],
    parameters: &'c [String],
}

/// Makes a rule ready for a language.
///
/// # Errors
/// At a word that the language does not have, a pattern that cannot be read, a name that nothing has.
pub(super) fn compile(config: &Config, language: &'static Language) -> Made<Compiled> {
    let utils = config.utils.iter().map(|(name, rule)| (name.value.as_str(), rule));
    let globals = config.globals.iter().map(|(name, global)| (name.as_str(), &global.rule));
    let all: Vec<(&str, &RuleObject)> = utils.chain(globals).collect();
    let mut numbers = FxHashMap::default();
    // A rule's own names go before those of the project.
    for (number, (name, _)) in all.iter().enumerate() {
        numbers.entry((*name).to_owned()).or_insert(number);
    }
    refuse_circles(&all.iter().map(|(_, rule)| *rule).collect::<Vec<_>>(), &numbers)?;
    let compiled = make(config, language)?;
    let names = check_names(config, &compiled, &[])?;
    for ((_, rewriter), (_, ready)) in config.rewriters.iter().zip(&compiled.rewriters) {
        check_names(rewriter, ready, &names)?;
    }
    if compiled.types.is_none() {
        let error =
            AstGrepError::new("the rule does not say which kinds of nodes it is about".to_owned(), config.place);
        return Err(error.hint("add `kind`, or a `pattern` that is more than a metavariable"));
    }
    Ok(compiled)
}

fn make(config: &Config, language: &'static Language) -> Made<Compiled> {
    let named = RefCell::default();
    let compiler = Compiler {
        language,
        named: &named,
        globals: &config.globals,
        owner: Owner(Some("")),
        utils: &config.utils,
        parameters: &[],
    };
    // All of its own utilities are read, also those that it does not use.
    for (name, _) in &config.utils {
        compiler.number_of(name)?;
    }
    let mut rewriters = Vec::new();
    for (name, rewriter) in &config.rewriters {
        // A rewriter may name the utilities of the rule that it belongs to.
        let inner = Config { utils: rewriter.utils.iter().chain(&config.utils).cloned().collect(), ..rewriter.clone() };
        rewriters.push((name.clone(), make(&inner, language)?));
    }
    let rule = compiler.object(&config.rule)?;
    let constraints = compiler.constraints(config)?;
    let expansion = |expansion: Option<&Expansion>| match expansion {
        Some(expansion) => Ok(Some((compiler.object(&expansion.rule)?, compiler.stop(&expansion.stop)?))),
        None => Ok(None),
    };
    let expand_start = expansion(config.fix.as_ref().and_then(|fix| fix.expand_start.as_ref()))?;
    let expand_end = expansion(config.fix.as_ref().and_then(|fix| fix.expand_end.as_ref()))?;
    let named: Vec<NamedRule> = named.into_inner().rules.into_iter().filter_map(|(_, _, rule)| rule).collect();
    let types = types_of(&rule, &named);
    Ok(Compiled { rule, constraints, named, types, rewriters, expand_start, expand_end })
}

impl<'c> Compiler<'c, '_> {
    /// The number of a rule with a name: a rule's own names go before those of the project.
    fn number_of(&self, name: &Placed<String>) -> Made<usize> {
        let own = self.utils.iter().find(|(known, _)| known.value == name.value);
        let global = || self.globals.iter().find(|(known, _)| *known == name.value);
        let (owner, word) = match (own, own.is_none().then(global).flatten()) {
            (Some((known, _)), _) => (self.owner, known.value.as_str()),
            (None, Some((known, _))) => (Owner(None), known.as_str()),
            (None, None) => {
                let error = AstGrepError::new(format!("no rule is called `{}`", name.value), name.place);
                let known = self.utils.iter().map(|(known, _)| known.value.as_str());
                let known = known.chain(self.globals.iter().map(|(known, _)| known.as_str()));
                return Err(match crate::selector::nearest(&name.value, "", known) {
                    Some(hint) => error.hint(hint),
                    None => error,
                });
            }
        };
        let known = self.named.borrow().rules.iter().position(|(whose, known, _)| *whose == owner && *known == word);
        if let Some(number) = known {
            return Ok(number);
        }
        let number = self.named.borrow().rules.len();
        self.named.borrow_mut().rules.push((owner, word, None));
        let rule = match (own, global()) {
            (Some((_, rule)), _) => {
                let is_own = self.owner == Owner(Some(""));
                NamedRule { rule: self.object(rule)?, constraints: Vec::new(), is_global: false, is_own }
            }
            (None, Some((name, config))) => {
                let inner = Compiler {
                    owner: Owner(Some(name)),
                    utils: &config.utils,
                    parameters: &config.parameters,
                    ..*self
                };
                let (rule, constraints) = (inner.object(&config.rule)?, inner.constraints(config)?);
                NamedRule { rule, constraints, is_global: true, is_own: false }
            }
            (None, None) => return Ok(number),
        };
        self.named.borrow_mut().rules[number].2 = Some(rule);
        Ok(number)
    }

    fn constraints(&self, config: &'c Config) -> Made<Vec<(String, Condition)>> {
        config.constraints.iter().map(|(name, rule)| Ok((name.value.clone(), self.object(rule)?))).collect()
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
            Part::Regex(regex) => Condition::Regex(compile_regex(regex)?),
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
            Part::Matches(name) if self.parameters.contains(&name.value) => Condition::Parameter(name.value.clone()),
            Part::Matches(name) => {
                let needed = self.parameters_of(name);
                if let Some(first) = needed.first() {
                    let message = format!("`{}` needs a rule for `{first}`", name.value);
                    return Err(AstGrepError::new(message, name.place));
                }
                Condition::Named(self.number_of(name)?)
            }
            Part::Call(call) => self.call(call)?,
            Part::Relation(relation) => self.relation(relation)?,
        })
    }

    /// The parameters of a utility of the project.
    fn parameters_of(&self, name: &Placed<String>) -> &'c [String] {
        if self.utils.iter().any(|(known, _)| known.value == name.value) {
            return &[];
        }
        self.globals.iter().find(|(known, _)| *known == name.value).map_or(&[], |(_, config)| &config.parameters)
    }

    fn call(&self, call: &Call) -> Made<Condition> {
        let name = &call.name;
        let parameters = self.parameters_of(name);
        if let Some((extra, _)) = call.arguments.iter().find(|(given, _)| !parameters.contains(&given.value)) {
            let message = format!("`{}` has no argument `{}`", name.value, extra.value);
            return Err(AstGrepError::new(message, extra.place));
        }
        if let Some(lacking) =
            parameters.iter().find(|one| !call.arguments.iter().any(|(given, _)| given.value == **one))
        {
            return Err(AstGrepError::new(format!("`{}` needs a rule for `{lacking}`", name.value), name.place));
        }
        let number = self.number_of(name)?;
        let arguments = call.arguments.iter().map(|(name, rule)| Ok((name.value.clone(), self.object(rule)?)));
        let arguments = arguments.collect::<Made<Vec<_>>>()?;
        let mut names = Vec::new();
        arguments.iter().for_each(|(_, rule)| names_of(rule, &mut names));
        Ok(Condition::Call(Called { number, arguments, names }))
    }

    fn relation(&self, relation: &Relation) -> Made<Condition> {
        let field = match &relation.field {
            None => None,
            Some(field) => match self.language.field_id(&field.value) {
                Some(id) => Some(id),
                None => {
                    let message = format!("{} has no field `{}`", self.language.name(), field.value);
                    return Err(AstGrepError::new(message, field.place));
                }
            },
        };
        let rule = Box::new(self.object(&relation.rule)?);
        let types = types_of(&rule, &[]);
        let stop = self.stop(&relation.stop)?;
        Ok(Condition::Relation(Related { direction: relation.direction, rule, stop, field, types }))
    }

    fn stop(&self, stop: &Stop) -> Made<StopAt> {
        Ok(match stop {
            Stop::Neighbor => StopAt::Neighbor,
            Stop::End => StopAt::End,
            Stop::Rule(rule) => StopAt::Rule(Box::new(self.object(rule)?)),
        })
    }
}
