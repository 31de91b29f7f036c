//! The rules of `[flow]` in a language's data, with their words looked up in the grammar.

use super::by_type::ByType;
use super::flow_data::{ChoiceRule, CodeRule, DecidedRule, FlowRule};
use super::mistakes::Mistakes;
use super::notation::{Notation, in_key};
use super::path::Path;
use super::place::{NodePatterns, Places};
use super::type_set::TypeSet;

/// How statements and expressions are evaluated. `FlowRule` describes each field.
#[derive(Debug, Default)]
#[allow(missing_docs)]
pub struct Flow {
    pub functions: TypeSet,
    pub hoisted: TypeSet,
    pub loops: TypeSet,
    pub maybe: Places,
    pub repeated: Places,
    pub complete: NodePatterns,
    pub guarded: Places,
    pub handlers: TypeSet,
    pub entered: Places,
    pub exits: TypeSet,
    pub returns: TypeSet,
    pub breaks: ByType<TypeSet>,
    pub yields: TypeSet,
    pub awaits: NodePatterns,
    pub effects: TypeSet,
    pub states: TypeSet,
    pub makes: TypeSet,
    pub writes: Places,
    pub updates: Places,
    pub unbinds: Places,
    pub chains: ByType<usize>,
    pub optional: TypeSet,
    pub not_expressions: TypeSet,
    pub not_values: Places,
    pub plain: TypeSet,
    pub declares: ByType<Declares>,
    pub spreads: TypeSet,
    pub frame_words: Vec<String>,
    pub class_functions: Vec<String>,
    pub own: TypeSet,
    pub written_types: ByType<Vec<Path>>,
    pub type_names: TypeSet,
    pub optional_types: ByType<String>,
    pub narrowed_marks: Vec<String>,
    pub literal_types: ByType<String>,
    pub code: CodeRule,
    pub decided: Decided,
}

/// What a condition decides whose value is known. `DecidedRule` describes each field.
#[derive(Debug, Default)]
#[allow(missing_docs)]
pub struct Decided {
    pub literal_true: String,
    pub literal_false: String,
    pub and: TypeSet,
    pub or: TypeSet,
    pub not: TypeSet,
    pub equal: TypeSet,
    pub unequal: TypeSet,
    pub groups: TypeSet,
    pub choices: ByType<Choice>,
    pub branches: ByType<Choice>,
    pub clauses: ByType<Path>,
    pub otherwise: String,
}

/// A condition and what it decides. `ChoiceRule` describes each field.
#[derive(Debug)]
#[allow(missing_docs)]
pub struct Choice {
    pub condition: Option<Path>,
    pub then: Path,
    pub otherwise: Option<Path>,
    pub repeats: bool,
}

impl Decided {
    fn new(rule: &DecidedRule, notation: Notation<'_>) -> Result<Decided, String> {
        let key = |key: &str| format!("flow.decided.{key}");
        let marks = |name: &str, words: &[String]| notation.marks(&key(name), words.iter().map(String::as_str));
        let path = |path: &str| if path.is_empty() { Ok(None) } else { notation.path(path).map(Some) };
        let choice = |rule: &ChoiceRule| {
            Ok(Choice {
                condition: path(&rule.condition)?,
                then: notation.path(&rule.then)?,
                otherwise: path(&rule.otherwise)?,
                repeats: rule.repeats,
            })
        };
        Ok(Decided {
            literal_true: rule.literal_true.clone(),
            literal_false: rule.literal_false.clone(),
            and: marks("and", &rule.and)?,
            or: marks("or", &rule.or)?,
            not: marks("not", &rule.not)?,
            equal: marks("equal", &rule.equal)?,
            unequal: marks("unequal", &rule.unequal)?,
            groups: marks("groups", &rule.groups)?,
            choices: notation.by_type(&key("choices"), &rule.choices, choice)?,
            branches: notation.by_type(&key("branches"), &rule.branches, choice)?,
            clauses: notation.by_type(&key("clauses"), &rule.clauses, |path| notation.path(path))?,
            otherwise: rule.otherwise.clone(),
        })
    }

    /// Whether the language says what conditions decide.
    pub fn is_known(&self) -> bool {
        !self.literal_true.is_empty()
    }

    /// The literal of a value.
    pub fn literal(&self, value: bool) -> &str {
        if value { &self.literal_true } else { &self.literal_false }
    }
}

/// A statement that gives a variable a value.
#[derive(Debug)]
pub struct Declares {
    /// The path to the name.
    pub name: Path,
    /// The path to the value.
    pub value: Path,
}

impl Flow {
    /// Looks up the words of the rule.
    ///
    /// # Errors
    /// At a word that the grammar does not have.
    pub(super) fn new(rule: &FlowRule, notation: Notation<'_>) -> Result<Flow, String> {
        let key = |key: &str| format!("flow.{key}");
        let mistakes = Mistakes::default();
        let marks = |name: &str, words: &[String]| {
            mistakes.or_default(notation.marks(&key(name), words.iter().map(String::as_str)))
        };
        let places = |name: &str, words: &[String]| {
            let places = words.iter().map(|word| notation.place(word).map_err(in_key(&key(name))));
            Places::new(mistakes.or_default(places.collect::<Result<_, _>>()))
        };
        let patterns = |name: &str, words: &[String]| {
            mistakes.or_default(notation.patterns(&key(name), words.iter().map(String::as_str)))
        };
        let flow = Flow {
            functions: marks("functions", &rule.functions),
            hoisted: marks("hoisted", &rule.hoisted),
            loops: marks("loops", &rule.loops),
            maybe: places("maybe", &rule.maybe),
            repeated: places("repeated", &rule.repeated),
            complete: patterns("complete", &rule.complete),
            guarded: places("guarded", &rule.guarded),
            handlers: marks("handlers", &rule.handlers),
            entered: places("entered", &rule.entered),
            exits: marks("exits", &rule.exits),
            returns: marks("returns", &rule.returns),
            breaks: notation.by_type(&key("breaks"), &rule.breaks, |words| notation.marks_alone(words.iter()))?,
            yields: marks("yields", &rule.yields),
            awaits: patterns("awaits", &rule.awaits),
            effects: marks("effects", &rule.effects),
            states: marks("states", &rule.states),
            makes: marks("makes", &rule.makes),
            writes: places("writes", &rule.writes),
            updates: places("updates", &rule.updates),
            unbinds: places("unbinds", &rule.unbinds),
            chains: notation.by_type(&key("chains"), &rule.chains, |&count| Ok(count))?,
            optional: marks("optional", &rule.optional),
            not_expressions: marks("not_expressions", &rule.not_expressions),
            not_values: places("not_values", &rule.not_values),
            plain: marks("plain", &rule.plain),
            declares: notation.by_type(&key("declares"), &rule.declares, |rule| {
                Ok(Declares { name: notation.path(&rule.name)?, value: notation.path(&rule.value)? })
            })?,
            spreads: marks("spreads", &rule.spreads),
            frame_words: rule.frame_words.clone(),
            class_functions: rule.class_functions.clone(),
            own: marks("own", &rule.own),
            written_types: notation.paths(&key("written_types"), &rule.written_types)?,
            type_names: marks("type_names", &rule.type_names),
            optional_types: notation.by_type(&key("optional_types"), &rule.optional_types, |word| Ok(word.clone()))?,
            narrowed_marks: rule.narrowed_marks.clone(),
            literal_types: notation.by_type(&key("literal_types"), &rule.literal_types, |word| Ok(word.clone()))?,
            code: rule.code.clone(),
            decided: Decided::new(&rule.decided, notation)?,
        };
        mistakes.or_first(flow)
    }

    /// Whether the language says how to write new functions.
    pub fn is_known(&self) -> bool {
        !self.code.function.is_empty()
    }
}
