//! Resolves attribute tests: the attribute, and the value.

use crate::limits::{self, REGEXES};
use std::sync::Arc;

use regex::RegexBuilder;

use super::attribute::{self, ATTRIBUTES};
use super::definitions::Definitions;
use super::error::{ErrorCode, SelectorError};
use super::ir::{AttributeTest, Comparison, Subject, Test, Types};
use super::pseudo;
use super::resolve::{ListContext, Resolved, Resolver};
use super::syntax::{self, Operand, Operator, Value, Word};
use crate::language::taxonomy;
use crate::metrics::Measure;

impl Resolver<'_> {
    pub(super) fn attribute(&mut self, attribute: &syntax::Attribute, types: &Types) -> Resolved<Test> {
        let (variable, words) = match &attribute.left {
            Operand::Count(list) => {
                let subject = Subject::Count(Arc::new(self.list(list, ListContext::Relative { own: false })?));
                let comparison = self.comparison(attribute, true)?;
                return Ok(Test::Attribute(AttributeTest { head: None, fields: Vec::new(), subject, comparison }));
            }
            Operand::Path { variable, words } => (variable, words),
        };
        let head = variable.as_ref().map(|word| self.capture(word)).transpose()?;
        let Some((last, before)) = words.split_last() else {
            // `[$c="x"]` tests the text of the capture.
            let subject = Subject::Attribute(attribute::Attribute::Text);
            let comparison = self.comparison(attribute, false)?;
            return Ok(Test::Attribute(AttributeTest { head, fields: Vec::new(), subject, comparison }));
        };
        let first = if head.is_none() { Some(types) } else { None };
        let mut fields = Vec::new();
        for (index, word) in before.iter().enumerate() {
            fields.push(self.field(word, first.filter(|_| index == 0))?);
        }
        let found = match attribute::find(&last.text) {
            Some(found) => found,
            None => {
                let field = self.field(last, first.filter(|_| before.is_empty()));
                attribute::Attribute::FieldText(field.map_err(|error| self.unknown_attribute(last, before, error))?)
            }
        };
        let found = self.measured(found, last, attribute)?;
        if let (attribute::Attribute::Type, Some((operator, Value::Text(word)))) = (found, &attribute.test)
            && matches!(operator, Operator::Equal | Operator::NotEqual)
            && fields.is_empty()
            && head.is_none()
            && !attribute.ignore_case
        {
            return Ok(Test::Type { types: self.word(word, true)?, negated: *operator == Operator::NotEqual });
        }
        if let (attribute::Attribute::Kind, Some((Operator::Equal | Operator::NotEqual, Value::Text(word)))) =
            (found, &attribute.test)
            && !taxonomy().contains(&word.text)
            && !attribute.ignore_case
        {
            let message = format!("unknown kind `{}`", word.text);
            let kinds = taxonomy().kinds().iter().map(|kind| kind.name.as_str());
            return Err(self.unknown(ErrorCode::UnknownType, message, word, "", kinds));
        }
        let comparison = self.comparison(attribute, false)?;
        Ok(Test::Attribute(AttributeTest { head, fields, subject: Subject::Attribute(found), comparison }))
    }

    /// The attribute, or the number that it means in a comparison of numbers: `[returns>2]`.
    fn measured(
        &self,
        found: attribute::Attribute,
        word: &Word,
        attribute: &syntax::Attribute,
    ) -> Resolved<attribute::Attribute> {
        let is_ordered = attribute.test.as_ref().is_some_and(|(operator, _)| operator.is_ordered());
        let found = match found {
            attribute::Attribute::Returns if is_ordered => attribute::Attribute::Measure(Measure::Returns),
            found => found,
        };
        if matches!(found, attribute::Attribute::Measure(measure) if !measure.is_known(self.language)) {
            let message = format!("the attribute `{}` is not known for {}", word.text, self.language.name());
            return Err(self.error(ErrorCode::UnknownAttribute, message, word.span));
        }
        Ok(found)
    }

    /// The error for a last word that is neither attribute nor field: most likely an attribute was meant.
    fn unknown_attribute(&self, word: &Word, before: &[Word], error: SelectorError) -> SelectorError {
        let known = ATTRIBUTES.iter().map(|(name, _)| *name);
        if self.language.field_id(&word.text).is_some() || !before.is_empty() {
            return error;
        }
        let fields = self.language.all_field_names();
        let message = format!("unknown attribute `{}`", word.text);
        let is_named = Definitions::of(self.language).is_ok_and(|named| named.find(&word.text).is_some());
        let is_pseudo = pseudo::find(&word.text).is_some() || is_named;
        if is_pseudo {
            let hint = Some(format!("did you mean `:{}`?", word.text));
            return SelectorError { hint, ..self.error(ErrorCode::UnknownAttribute, message, word.span) };
        }
        self.unknown(ErrorCode::UnknownAttribute, message, word, "", known.chain(fields))
    }

    fn capture(&mut self, word: &Word) -> Resolved<usize> {
        if let Some(slot) = self.slots.iter().position(|slot| slot.name == word.text && slot.is_capture) {
            return Ok(slot);
        }
        let message = format!("`${}` is not a capture", word.text);
        let known: Vec<String> = self.slots.iter().map(|slot| slot.name.clone()).collect();
        Err(self.unknown(ErrorCode::SelectorSyntax, message, word, "$", known.iter().map(String::as_str)))
    }

    pub(super) fn comparison(&mut self, attribute: &syntax::Attribute, is_number: bool) -> Resolved<Comparison> {
        let ignore_case = attribute.ignore_case;
        let Some((operator, value)) = &attribute.test else {
            return Ok(if is_number {
                Comparison::Number { operator: Operator::Greater, number: 0.0 }
            } else {
                Comparison::Exists
            });
        };
        let operator = *operator;
        let ordered = operator.is_ordered();
        let equality = matches!(operator, Operator::Equal | Operator::NotEqual);
        Ok(match value {
            Value::Text(word) if ordered || is_number => {
                let Ok(number) = word.text.trim().parse() else {
                    let message = format!("`{}` is not a number", word.text);
                    return Err(self.error(ErrorCode::SelectorSyntax, message, word.span));
                };
                Comparison::Number { operator, number }
            }
            Value::Text(word) if equality && self.is_unclosed_regex(word) => {
                let message = format!("`{}` is a regex without its closing `/`", word.text);
                let hint = format!("write `{0}/`, or \"{0}\" in quotes for a text that begins with a slash", word.text);
                return Err(SelectorError {
                    hint: Some(hint),
                    ..self.error(ErrorCode::SelectorSyntax, message, word.span)
                });
            }
            Value::Text(word) => Comparison::Text { operator, text: word.text.clone(), ignore_case },
            Value::Number(number, _) if ordered || is_number => Comparison::Number { operator, number: *number },
            Value::Number(_, word) => Comparison::Text { operator, text: word.text.clone(), ignore_case },
            Value::Count(list) => {
                let list = Arc::new(self.list(list, ListContext::Relative { own: false })?);
                Comparison::Count { operator, list }
            }
            Value::Variable(word) => {
                let slot = self.slot(word);
                self.slots[slot].is_bound |= operator == Operator::Equal;
                Comparison::Variable { operator, slot, ignore_case }
            }
            Value::Regex { source, .. } if !equality => {
                let message = "a regex needs `=` or `!=`".to_owned();
                return Err(self.error(ErrorCode::SelectorSyntax, message, source.span));
            }
            Value::Regex { source, flags } => {
                let regex = self.regex(source, flags, ignore_case)?;
                let folded = ignore_case || flags.text.contains(['i', 'x']);
                Comparison::Regex { regex, folded, negated: operator == Operator::NotEqual }
            }
        })
    }

    /// Whether an unquoted value begins like a regex but does not end like one.
    fn is_unclosed_regex(&self, word: &Word) -> bool {
        let written = self.source_text().get(word.span.start()..).unwrap_or_default();
        written.starts_with('/') && word.text.starts_with('/') && !word.text[1..].contains('/')
    }

    fn regex(&mut self, source: &Word, flags: &Word, ignore_case: bool) -> Resolved<regex::Regex> {
        self.regexes += 1;
        if self.regexes > REGEXES {
            let message = format!("more than {REGEXES} regexes in a selector");
            return Err(self.error(ErrorCode::SelectorSyntax, message, source.span));
        }
        let mut builder = RegexBuilder::new(&source.text);
        if self.regexes > limits::LARGE_REGEXES {
            builder.size_limit(limits::REGEX_BYTES).dfa_size_limit(limits::REGEX_BYTES);
        }
        builder.case_insensitive(ignore_case);
        for flag in flags.text.chars() {
            match flag {
                'i' => builder.case_insensitive(true),
                'm' => builder.multi_line(true),
                's' => builder.dot_matches_new_line(true),
                'x' => builder.ignore_whitespace(true),
                'u' => &mut builder,
                _ => {
                    let message = format!("unknown regex flag `{flag}`");
                    let hint = Some("the flags are `i m s x`".to_owned());
                    return Err(SelectorError { hint, ..self.error(ErrorCode::BadRegex, message, flags.span) });
                }
            };
        }
        builder.build().map_err(|error| {
            let text = error.to_string();
            let last = text.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned();
            self.error(ErrorCode::BadRegex, format!("bad regex: {last}"), source.span)
        })
    }
}
