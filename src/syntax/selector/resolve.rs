//! Looking up every word of a selector for a language.

use crate::limits::{BOUND_PARTS, LIST_NESTING, PATTERNS, SELECTOR_PARTS};
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::axis::{Axis, AxisStep};
use super::definitions::{Definitions, UsedDefinition};
use super::error::{ErrorCode, SelectorError, nearest};
use super::ir::{Chain, Like, List, Step, Test, Types};
use super::parse;
use super::pattern::{self, Pattern};
use super::pseudo::{self, ArgKind, PSEUDO_CLASSES, PseudoArg, PseudoClass};
use super::shared::SharedParts;
use super::slot::Slot;
use super::syntax::{self, Argument, Combinator, Operand, Part, Pseudo, TypeTest, Value, Word};
use crate::language::TypeSet;
use crate::language::{FieldId, Language, is_word, taxonomy};
use crate::text::{Position, Span};

/// Resolves kinds.
pub(super) trait Words {
    /// The nodes of a kind and of all kinds below it.
    fn kind(&self, name: &str) -> Result<Types, SelectorError>;
}

/// Resolves selectors for one language.
pub(super) struct Resolver<'a> {
    pub(super) language: &'static Language,
    words: &'a dyn Words,
    definitions: &'a Definitions,
    /// The text of the spans.
    source: String,
    /// Named selectors being resolved, outermost first.
    open: Vec<String>,
    pub slots: Vec<Slot>,
    parts: usize,
    patterns: usize,
    pub(super) regexes: usize,
    /// The current nesting of lists.
    depth: usize,
    /// Named selectors without bindings, each resolved once.
    known: FxHashMap<String, Arc<List>>,
    /// The language's unknown words, if these are not an error.
    lacking: Option<Vec<SelectorError>>,
    /// Whether the type of the current step is unknown, so that its fields cannot be checked.
    foreign: bool,
    /// How many parts of the selector mention each name.
    uses: FxHashMap<String, usize>,
    /// The named selectors from files that it uses.
    pub used: Vec<UsedDefinition>,
    /// Parts that other selectors have, too.
    shared: Option<&'a SharedParts>,
}

/// The context of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ListContext {
    Top,
    Inside,
    Relative { own: bool },
}

pub(super) type Resolved<T> = Result<T, SelectorError>;

impl<'a> Resolver<'a> {
    pub fn new(language: &'static Language, words: &'a dyn Words, definitions: &'a Definitions) -> Resolver<'a> {
        let (source, open, slots) = (String::new(), Vec::new(), Vec::new());
        let (lacking, foreign) = (None, false);
        let uses = FxHashMap::default();
        let (parts, patterns, regexes, depth) = (0, 0, 0, 0);
        let known = FxHashMap::default();
        Resolver {
            language,
            words,
            definitions,
            source,
            open,
            slots,
            parts,
            patterns,
            regexes,
            depth,
            known,
            lacking,
            foreign,
            uses,
            used: Vec::new(),
            shared: None,
        }
    }

    /// Gives parts the ids that equal parts of other selectors have.
    pub fn share(mut self, shared: Option<&'a SharedParts>) -> Resolver<'a> {
        self.shared = shared;
        self
    }

    /// A resolver for one of several languages: a step with an unknown word matches nothing.
    pub fn tolerate_unknown(mut self) -> Resolver<'a> {
        self.lacking = Some(Vec::new());
        self
    }

    /// The unknown words, in the order of the selector.
    pub fn unknown_words(self) -> Vec<SelectorError> {
        self.lacking.unwrap_or_default()
    }

    /// Records an unknown word if it is not an error.
    fn record_unknown(&mut self, error: SelectorError) -> Resolved<()> {
        let is_word = matches!(
            error.code,
            ErrorCode::UnknownType
                | ErrorCode::UnknownField
                | ErrorCode::UnknownAttribute
                | ErrorCode::UnknownPseudo
                | ErrorCode::BadPattern
        );
        match &mut self.lacking {
            Some(lacking) if is_word => lacking.push(error),
            _ => return Err(error),
        }
        Ok(())
    }

    /// Reads and resolves a selector.
    pub fn source(&mut self, source: &str) -> Resolved<List> {
        self.selector(&parse::selector(source)?, source)
    }

    /// A rule of the language's data: a node type, or a selector.
    pub fn rule(&mut self, rule: &str) -> Resolved<Types> {
        let list = parse::selector(rule)?;
        rule.clone_into(&mut self.source);
        if is_word(rule) {
            return self.word(&Word { text: rule.to_owned(), span: Span::new(0, rule.len()) }, true);
        }
        let list = Arc::new(self.list(&list, ListContext::Top)?);
        Ok(Types::Some { mask: TypeSet::default(), lists: vec![list] })
    }

    /// Resolves a selector already read.
    pub fn selector(&mut self, list: &syntax::List, source: &str) -> Resolved<List> {
        source.clone_into(&mut self.source);
        self.capture_slots(list)?;
        let resolved = self.list(list, ListContext::Top)?;
        if let Some(slot) = self.slots.iter().find(|slot| !slot.is_bound) {
            let message = format!("`${}` never gets a value", slot.name);
            let hint = format!("write `@{0}` after a step, or compare it with `=`: `[name=${0}]`", slot.name);
            return Err(SelectorError {
                hint: Some(hint),
                ..self.error(ErrorCode::SelectorSyntax, message, slot.span)
            });
        }
        if !self.slots.is_empty() && self.parts > BOUND_PARTS {
            let message = format!("more than {BOUND_PARTS} parts in a selector with captures or variables");
            return Err(self.error(ErrorCode::SelectorSyntax, message, Span::at(0)));
        }
        Ok(resolved)
    }

    /// The text of the spans.
    pub(super) fn source_text(&self) -> &str {
        &self.source
    }

    pub(super) fn error(&self, code: ErrorCode, message: String, span: Span) -> SelectorError {
        SelectorError { code, message, span, hint: None, selector: self.source.clone() }
    }

    /// The error for an unknown word, with similar known words.
    pub(super) fn unknown<'w>(
        &self,
        code: ErrorCode,
        message: String,
        word: &Word,
        mark: &str,
        known: impl Iterator<Item = &'w str>,
    ) -> SelectorError {
        SelectorError { hint: nearest(&word.text, mark, known), ..self.error(code, message, word.span) }
    }

    /// Creates a slot for each capture and each name in a code pattern, so that every `$x` can refer to it.
    fn capture_slots(&mut self, list: &syntax::List) -> Resolved<()> {
        self.count_uses(list);
        self.slots_in(list)
    }

    fn slots_in(&mut self, list: &syntax::List) -> Resolved<()> {
        for part in list.branches.iter().flat_map(|branch| &branch.steps).flat_map(|step| &step.parts) {
            match part {
                Part::Capture(word) => {
                    let slot = self.slot(word);
                    self.slots[slot].is_capture = true;
                    self.slots[slot].is_bound = true;
                }
                Part::Pseudo(Pseudo {
                    argument: Some(Argument::List(inner) | Argument::Nth { of: Some(inner), .. }),
                    ..
                }) => {
                    self.slots_in(inner)?;
                }
                Part::Attribute(attribute) => {
                    let of_value = match &attribute.test {
                        Some((_, Value::Count(list))) => Some(list),
                        _ => None,
                    };
                    let of_subject = if let Operand::Count(list) = &attribute.left { Some(list) } else { None };
                    if let Some(span) = of_subject.into_iter().chain(of_value).find_map(capture_in) {
                        let message = "a capture in `count(…)`, which only counts nodes".to_owned();
                        let hint = Some("add `:has(… @name)` to the step".to_owned());
                        return Err(SelectorError { hint, ..self.error(ErrorCode::SelectorSyntax, message, span) });
                    }
                }
                Part::Pseudo(Pseudo { name, argument: Some(Argument::Text(code)), .. }) if is_code(name) => {
                    for name in pattern::names(&code.text) {
                        let slot = self.slot(&Word { text: name, span: code.span });
                        let slot = &mut self.slots[slot];
                        (slot.is_capture, slot.is_code, slot.is_bound) = (true, true, true);
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Counts which parts mention which names.
    fn count_uses(&mut self, list: &syntax::List) {
        for part in list.branches.iter().flat_map(|branch| &branch.steps).flat_map(|step| &step.parts) {
            match part {
                Part::Capture(word) => *self.uses.entry(word.text.clone()).or_default() += 1,
                Part::Attribute(attribute) => {
                    match &attribute.left {
                        Operand::Path { variable, .. } => {
                            let names = variable.iter().map(|word| word.text.clone());
                            names.for_each(|name| *self.uses.entry(name).or_default() += 1);
                        }
                        Operand::Count(list) => self.count_uses(list),
                    }
                    match &attribute.test {
                        Some((_, Value::Variable(word))) => *self.uses.entry(word.text.clone()).or_default() += 1,
                        Some((_, Value::Count(list))) => self.count_uses(list),
                        _ => {}
                    }
                }
                Part::Pseudo(Pseudo { name, argument, .. }) => match argument {
                    Some(Argument::List(inner) | Argument::Nth { of: Some(inner), .. }) => self.count_uses(inner),
                    Some(Argument::Text(code)) if is_code(name) => {
                        for name in pattern::names(&code.text) {
                            *self.uses.entry(name).or_default() += 1;
                        }
                    }
                    _ => {}
                },
            }
        }
    }

    pub(super) fn slot(&mut self, word: &Word) -> usize {
        let known = self.slots.iter().position(|slot| slot.name == word.text);
        known.unwrap_or_else(|| {
            let (name, span) = (word.text.clone(), word.span);
            self.slots.push(Slot { name, is_capture: false, is_code: false, is_bound: false, span });
            self.slots.len() - 1
        })
    }

    pub(super) fn list(&mut self, list: &syntax::List, place: ListContext) -> Resolved<List> {
        if self.depth >= LIST_NESTING {
            let through = if self.open.is_empty() { String::new() } else { self.path_to(None) };
            let message = format!("nested deeper than {LIST_NESTING} levels{through}");
            return Err(self.error(ErrorCode::SelectorSyntax, message, Span::at(0)));
        }
        self.depth += 1;
        let chains = list.branches.iter().map(|branch| self.chain(branch, place));
        let chains = chains.collect::<Resolved<Vec<_>>>();
        self.depth -= 1;
        let list = List::new(chains?);
        Ok(match (self.shared, place) {
            (Some(shared), ListContext::Inside | ListContext::Relative { .. }) => shared.with_common_ids(list),
            _ => list,
        })
    }

    /// The named selectors being resolved, for messages. If there are many, only the first and last few.
    fn path_to(&self, last: Option<&str>) -> String {
        const SHOWN: usize = 3;
        let names: Vec<&str> = self.open.iter().map(String::as_str).chain(last).collect();
        let shown: Vec<String> = match names.len() {
            count if count > 2 * SHOWN => {
                let (first, rest) = (&names[..SHOWN], &names[count - SHOWN..]);
                let dots = std::iter::once("…".to_owned());
                first
                    .iter()
                    .map(|name| format!(":{name}"))
                    .chain(dots)
                    .chain(rest.iter().map(|name| format!(":{name}")))
                    .collect()
            }
            _ => names.iter().map(|name| format!(":{name}")).collect(),
        };
        format!(": {}", shown.join(" → "))
    }

    fn chain(&mut self, branch: &syntax::Branch, place: ListContext) -> Resolved<Chain> {
        if let (Some((combinator, span)), ListContext::Top | ListContext::Inside) = (branch.lead, place)
            && combinator != Combinator::Descendant
        {
            let message = format!("`{}` has nothing to start from", &self.source[span.start()..span.end()]);
            let hint = "only `:has(…)`, `:has-own(…)` and `count(…)` take a selector that begins with a combinator";
            let hint = Some(hint.to_owned());
            return Err(SelectorError { hint, ..self.error(ErrorCode::SelectorSyntax, message, span) });
        }
        let mut steps = Vec::with_capacity(branch.steps.len());
        for (index, step) in branch.steps.iter().enumerate() {
            let own = place == (ListContext::Relative { own: true });
            let resolved = self.step(step, own)?;
            let from_file = index == 0 && !matches!(place, ListContext::Relative { .. });
            let starts = matches!(resolved.axis_step.axis, Axis::Descendant | Axis::Child | Axis::Itself);
            if let (true, false, Some(axis)) = (from_file, starts, &step.axis) {
                let message = format!("`{}::` has nothing to start from", axis.text);
                return Err(self.error(ErrorCode::SelectorSyntax, message, axis.span));
            }
            steps.push(resolved);
        }
        Ok(Chain::new(steps))
    }

    fn step(&mut self, step: &syntax::Step, own: bool) -> Resolved<Step> {
        self.parts += 1 + step.parts.len();
        if self.parts > SELECTOR_PARTS {
            let message = format!("with its named selectors the selector has more than {SELECTOR_PARTS} parts");
            return Err(self.error(ErrorCode::SelectorSyntax, message, step.span));
        }
        let axis = match &step.axis {
            Some(axis) => self.axis(axis)?,
            None => axis(step.combinator),
        };
        let mut types = Types::Named;
        let (mut comments, mut tokens) = (false, false);
        let mut lacks = false;
        match &step.test {
            None => {}
            Some(TypeTest::Any) => comments = true,
            Some(TypeTest::Token(word)) => match self.token(word) {
                Ok(token) => (types, tokens) = (token, true),
                Err(error) => (_, lacks) = (self.record_unknown(error)?, true),
            },
            Some(TypeTest::Word(word)) => match self.word(word, false) {
                Ok(known) => {
                    types = known;
                    let is_comment = |mask: TypeSet| mask.types().any(|id| self.language.role(id).comment);
                    comments = types.mask().is_some_and(is_comment);
                }
                Err(error) => (_, lacks) = (self.record_unknown(error)?, true),
            },
        }
        let foreign = lacks;
        let mut role = None;
        if let Some(word) = &step.role {
            match self.field(word, None) {
                Ok(field) => role = Some(field),
                Err(error) => (_, lacks) = (self.record_unknown(error)?, true),
            }
        }
        let mut tests = Vec::with_capacity(step.parts.len());
        for part in &step.parts {
            self.foreign = foreign;
            let test = match part {
                Part::Attribute(attribute) => self.attribute(attribute, &types).or_else(|error| {
                    // Its value may still bind a variable.
                    self.record_unknown(error)?;
                    lacks = true;
                    self.comparison(attribute, false).map(|_| Test::Root)
                }),
                Part::Pseudo(pseudo) => self.pseudo(pseudo, step.test.is_none(), &types).or_else(|error| {
                    self.record_unknown(error)?;
                    lacks = true;
                    Ok(Test::Root)
                }),
                Part::Capture(word) => Ok(Test::Capture(self.slot(word))),
            };
            tests.push(test?);
        }
        // A step with a code pattern has the types of the pattern.
        if let (Types::Named, Some(mask)) = (&types, like_types(&tests)) {
            types = Types::Some { mask, lists: Vec::new() };
        }
        // A step without a type is a named node, unless its alternatives name tokens.
        if let (None, Some(list)) = (&step.test, token_alternatives(&tests)) {
            (types, tokens) = (Types::Some { mask: TypeSet::default(), lists: vec![list] }, true);
        }
        if lacks {
            types = Types::Some { mask: TypeSet::default(), lists: Vec::new() };
        }
        let axis_step = AxisStep { axis, comments, tokens, own };
        let text = self.source.get(step.span.start()..step.span.end()).unwrap_or_default().to_owned();
        Ok(Step { axis_step, types, role, tests, text })
    }

    /// A token of the grammar.
    fn token(&self, word: &Word) -> Resolved<Types> {
        let Some(id) = self.language.token_id(&word.text) else {
            let known = self.language.token_texts().filter(|text| text.contains(char::is_alphanumeric));
            let message = format!("unknown token `{}`", word.text);
            return Err(self.unknown(ErrorCode::UnknownType, message, word, "'", known));
        };
        let mut mask = TypeSet::default();
        mask.insert(id);
        Ok(Types::Some { mask, lists: Vec::new() })
    }

    fn axis(&self, word: &Word) -> Resolved<Axis> {
        const AXES: &[(&str, Axis)] = &[
            ("ancestor", Axis::Ancestor),
            ("parent", Axis::Parent),
            ("child", Axis::Child),
            ("descendant", Axis::Descendant),
            ("self", Axis::Itself),
            ("following-sibling", Axis::Later),
            ("preceding-sibling", Axis::Earlier),
        ];
        let found = AXES.iter().find(|(name, _)| *name == word.text).map(|(_, axis)| *axis);
        found.ok_or_else(|| {
            let message = format!("unknown axis `{}`", word.text);
            self.unknown(ErrorCode::SelectorSyntax, message, word, "", AXES.iter().map(|(name, _)| *name))
        })
    }

    /// Resolves a type word: a kind, a type or supertype of the grammar, or a name from another project.
    pub fn word(&mut self, word: &Word, without_kinds: bool) -> Resolved<Types> {
        let name = word.text.as_str();
        if !without_kinds && name == "node" {
            return Ok(Types::Named);
        }
        let mut mask = TypeSet::default();
        if !without_kinds && taxonomy().contains(name) {
            let kind = self.words.kind(name)?;
            // A language without the kind may have a type of that name, as JSON has `object`.
            let is_empty = matches!(&kind, Types::Some { mask, lists } if lists.is_empty() && mask.is_empty());
            let Some(id) = self.language.type_id(name).filter(|_| is_empty) else { return Ok(kind) };
            mask.insert(id);
            return Ok(Types::Some { mask, lists: Vec::new() });
        }
        if let Some(id) = self.language.type_id(name) {
            mask.insert(id);
            return Ok(Types::Some { mask, lists: Vec::new() });
        }
        let subtypes = self.language.node_types().subtypes_of(name);
        if !subtypes.is_empty() {
            subtypes.iter().filter_map(|name| self.language.type_id(name)).for_each(|id| mask.insert(id));
            return Ok(Types::Some { mask, lists: Vec::new() });
        }
        if let Some(rules) = self.language.spec().compatibility.get(name) {
            let place = format!("language.toml: compatibility.{name}");
            let resolve = |rule: &str| {
                let resolved = Resolver::new(self.language, self.words, self.definitions).rule(rule);
                resolved.map_err(|error| error.in_data(self.language, &place))
            };
            return Ok(Types::union(rules.iter().map(|rule| resolve(rule)).collect::<Resolved<Vec<_>>>()?.into_iter()));
        }
        let kinds = taxonomy().kinds().iter().map(|kind| kind.name.as_str()).filter(|_| !without_kinds);
        let known = kinds.chain(self.language.named_type_names()).chain(self.language.node_types().supertypes());
        let known = known.chain(self.language.spec().compatibility.keys().map(String::as_str));
        let what = if without_kinds { "type" } else { "type or kind" };
        let message = format!("unknown {what} `{name}`");
        Err(self.unknown(ErrorCode::UnknownType, message, word, "", known))
    }

    /// Resolves a field. It is also an error if every possible type of the node lacks it.
    pub(super) fn field(&self, word: &Word, types: Option<&Types>) -> Resolved<FieldId> {
        let node_types = self.language.node_types();
        let mask = types.and_then(Types::mask).filter(|mask| !mask.is_empty());
        let names: Vec<&str> = mask.iter().flat_map(TypeSet::types).map(|id| self.language.type_name(id)).collect();
        let lacking = !names.is_empty()
            && node_types.is_known()
            && !names.iter().any(|name| node_types.has_field(name, &word.text));
        match self.language.field_id(&word.text) {
            Some(field) if !(lacking || self.foreign && types.is_some()) => Ok(field),
            found => {
                let owner =
                    if found.is_some() && names.len() == 1 { format!(" in `{}`", names[0]) } else { String::new() };
                let message = format!("unknown field `{}`{owner}", word.text);
                let known: Vec<&str> = if names.is_empty() {
                    self.language.all_field_names().collect()
                } else {
                    names.iter().flat_map(|name| node_types.fields_of(name)).collect()
                };
                Err(self.unknown(ErrorCode::UnknownField, message, word, "", known.into_iter()))
            }
        }
    }

    /// Resolves a code pattern; `types` are those of its step.
    fn like(&mut self, code: &Word, types: &Types) -> Resolved<Like> {
        self.patterns += 1;
        if self.patterns > PATTERNS {
            let message = format!("more than {PATTERNS} code patterns in a selector");
            return Err(self.error(ErrorCode::SelectorSyntax, message, code.span));
        }
        let pattern = Pattern::new(&code.text, self.language, types.mask().as_ref()).map_err(|unread| {
            let hint = unread.hint;
            SelectorError { hint, ..self.error(ErrorCode::BadPattern, unread.message, code.span) }
        })?;
        let names = pattern.names.iter().map(|name| Word { text: name.clone(), span: code.span });
        let slots: Vec<usize> = names.map(|name| self.slot(&name)).collect();
        let shared = pattern.names.iter().any(|name| self.uses.get(name).is_some_and(|&uses| uses > 1));
        Ok(Like { pattern, slots, shared })
    }

    fn pseudo(&mut self, pseudo: &Pseudo, without_type: bool, types: &Types) -> Resolved<Test> {
        let Some(class) = pseudo::find(&pseudo.name.text) else { return self.named(pseudo) };
        let bad = |resolver: &Resolver<'_>| {
            let message = format!("`:{}` is written `{}`", class.name, class.usage());
            resolver.error(ErrorCode::SelectorSyntax, message, pseudo.argument_span)
        };
        let from_one = |resolver: &Resolver<'_>| {
            let message = "lines and columns count from 1";
            resolver.error(ErrorCode::SelectorSyntax, message.to_owned(), pseudo.argument_span)
        };
        let given = match (class.shape, &pseudo.argument) {
            (ArgKind::Nothing, None) => PseudoArg::Nothing,
            (ArgKind::Index, Some(Argument::Nth { a: 0, b, of: None, word }))
                if word.text.ends_with(|c: char| c.is_ascii_digit()) =>
            {
                PseudoArg::Index(*b)
            }
            (ArgKind::Nth { of: allowed }, Some(Argument::Nth { a, b, of, .. })) if allowed || of.is_none() => {
                let of = of.as_ref().map(|list| self.list(list, ListContext::Inside)).transpose()?;
                PseudoArg::Nth { a: *a, b: *b, of: of.map(Arc::new) }
            }
            (ArgKind::Place, Some(Argument::Place { line, column })) => {
                let place = Position::counted(*line, *column).ok_or_else(|| from_one(self))?;
                PseudoArg::Place { line: place.line, column: Some(place.column), smallest: without_type }
            }
            (ArgKind::Place, Some(Argument::Nth { a: 0, b, of: None, .. })) => {
                let line = usize::try_from(*b).map_err(|_| bad(self))?;
                if line == 0 {
                    return Err(from_one(self));
                }
                PseudoArg::Place { line, column: None, smallest: without_type }
            }
            (ArgKind::Lines, Some(Argument::Lines { first, last })) => PseudoArg::Lines { first: *first, last: *last },
            (ArgKind::Lines, Some(Argument::Nth { a: 0, b, of: None, .. })) => {
                let line = usize::try_from(*b).map_err(|_| bad(self))?;
                PseudoArg::Lines { first: line, last: line }
            }
            (ArgKind::Selector | ArgKind::Relative { .. }, Some(argument)) => {
                let place = if let ArgKind::Relative { own } = class.shape {
                    ListContext::Relative { own }
                } else {
                    ListContext::Inside
                };
                let list = match argument {
                    Argument::List(list) => self.list(list, place)?,
                    // `n`, `odd` and `even` are words too.
                    Argument::Nth { of: None, word, .. } if is_word(&word.text) => {
                        self.list(&syntax::List::of_word(word), place)?
                    }
                    Argument::Text(word) => {
                        let hint = format!("for a keyword or sign, write `:{}(* >> '{}')`", class.name, word.text);
                        return Err(SelectorError { hint: Some(hint), ..bad(self) });
                    }
                    _ => return Err(bad(self)),
                };
                PseudoArg::List(Arc::new(list))
            }
            (ArgKind::Symbol, Some(Argument::Text(symbol))) => PseudoArg::Symbol(symbol.text.clone()),
            (ArgKind::Symbol, Some(Argument::List(_))) => {
                let (start, end) = (pseudo.argument_span.start(), pseudo.argument_span.end());
                let symbol = self.source.get(start..end).unwrap_or_default().trim();
                if !symbol.chars().all(|letter| letter.is_alphanumeric() || "_$.".contains(letter)) {
                    return Err(bad(self));
                }
                PseudoArg::Symbol(symbol.to_owned())
            }
            (ArgKind::Code, Some(Argument::Text(code))) => PseudoArg::Like(Arc::new(self.like(code, types)?)),
            _ => return Err(bad(self)),
        };
        Ok(class.test(given))
    }

    /// Resolves a named selector: first the user's, then the language's.
    fn named(&mut self, pseudo: &Pseudo) -> Resolved<Test> {
        let name = pseudo.name.text.as_str();
        let of_language = Definitions::of(self.language)?;
        let found = self.definitions.find(name).or_else(|| of_language.find(name)).cloned();
        let Some(definition) = found else {
            let classes = PSEUDO_CLASSES.iter().map(|class: &PseudoClass| class.name);
            let named = self.definitions.names().chain(of_language.names());
            let message = format!("unknown pseudo-class `:{name}`");
            return Err(self.unknown(ErrorCode::UnknownPseudo, message, &pseudo.name, ":", classes.chain(named)));
        };
        if pseudo.argument.is_some() {
            let message = format!("`:{name}` takes nothing in parentheses");
            return Err(self.error(ErrorCode::SelectorSyntax, message, pseudo.argument_span));
        }
        if self.open.iter().any(|open| open == name) {
            let message = format!("`:{name}` refers to itself{}", self.path_to(Some(name)));
            return Err(self.error(ErrorCode::SelectorSyntax, message, pseudo.name.span));
        }
        if let Some(list) = self.known.get(name) {
            return Ok(Test::Is(Arc::clone(list)));
        }
        // The language's own data must be correct, even if unknown words are tolerated.
        let is_data = self.definitions.find(name).is_none();
        let lacking = if is_data { self.lacking.take() } else { None };
        if let Some(file) = definition.file.clone().filter(|_| !is_data) {
            let used = UsedDefinition { name: name.to_owned(), source: definition.source.clone(), file };
            if !self.used.contains(&used) {
                self.used.push(used);
            }
        }
        let outer = std::mem::replace(&mut self.source, definition.source.clone());
        self.open.push(name.to_owned());
        self.capture_slots(&definition.list)?;
        let file = self.language.named_file(&definition.source);
        let told = |error: SelectorError| if is_data { error.in_data(self.language, file) } else { error };
        let list = self.list(&definition.list, ListContext::Top).map_err(told)?;
        self.open.pop();
        self.source = outer;
        self.lacking = lacking.or(self.lacking.take());
        let list = Arc::new(list);
        // A definition with bindings is resolved at each use, since each use counts as another part that mentions its
        // names.
        if !list.binds() {
            self.known.insert(name.to_owned(), Arc::clone(&list));
        }
        Ok(Test::Is(list))
    }
}

/// The place of a capture in a list or in the lists inside it.
fn capture_in(list: &syntax::List) -> Option<Span> {
    let mut parts = list.branches.iter().flat_map(|branch| &branch.steps).flat_map(|step| &step.parts);
    parts.find_map(|part| match part {
        Part::Capture(word) => Some(word.span),
        Part::Pseudo(Pseudo {
            argument: Some(Argument::List(inner) | Argument::Nth { of: Some(inner), .. }), ..
        }) => capture_in(inner),
        _ => None,
    })
}

/// Whether a pseudo-class takes code.
pub(super) fn is_code(name: &Word) -> bool {
    pseudo::find(&name.text).is_some_and(|class| class.shape == ArgKind::Code)
}

/// The types that the first code pattern among tests can be.
fn like_types(tests: &[Test]) -> Option<TypeSet> {
    tests.iter().find_map(|test| if let Test::Like(like) = test { like.pattern.types() } else { None })
}

/// The list of `:is(…)` in which an alternative is a token.
fn token_alternatives(tests: &[Test]) -> Option<Arc<List>> {
    let has_token =
        |list: &List| list.chains.iter().any(|chain| chain.steps.last().is_some_and(|step| step.axis_step.tokens));
    tests.iter().find_map(|test| match test {
        Test::Is(list) if has_token(list) => Some(Arc::clone(list)),
        _ => None,
    })
}

fn axis(combinator: Combinator) -> Axis {
    match combinator {
        Combinator::Descendant => Axis::Descendant,
        Combinator::Child => Axis::Child,
        Combinator::RawChild => Axis::RawChild,
        Combinator::Next => Axis::Next,
        Combinator::Later => Axis::Later,
        Combinator::Parent => Axis::Parent,
        Combinator::Ancestor => Axis::Ancestor,
    }
}
