//! Whether every word of a language's data is one of its grammar. A wrong word is an error that names its key, since data that
//! nothing can match would be left out in silence.

use super::data::{Data, Values, is_word};
use super::symbols::Symbols;
use super::taxonomy::taxonomy;

/// Checks the words of all keys but those that are looked up while they are compiled: paths, `[imports]`, `[references]`,
/// `[precedence]`.
///
/// # Errors
/// Names the key and the word that the grammar lacks.
pub(super) fn check(data: &Data, symbols: &Symbols) -> Result<(), String> {
    let words = Checker { symbols };
    words.lists(data)?;
    words.tables(data)?;
    words.rules(data)
}

struct Checker<'a> {
    symbols: &'a Symbols,
}

impl Checker<'_> {
    /// Keys whose values are lists of words.
    fn lists(&self, data: &Data) -> Result<(), String> {
        let types: [(&str, &[String]); 21] = [
            ("bodies", &data.bodies),
            ("wrappers", &data.wrappers),
            ("values", &data.values),
            ("leading", &data.leading),
            ("comments", &data.comments),
            ("strings", &data.strings),
            ("scope_types", &data.scope_types),
            ("modifier_holders", &data.modifier_holders),
            ("introduced_names", &data.introduced_names),
            ("decorators", &data.decorators),
            ("joins", &data.joins),
            ("body_types", &data.body_types),
            ("ends_by_indentation", &data.ends_by_indentation),
            ("named_values", &data.named_values),
            ("nameless", &data.nameless),
            ("outer_bodies", &data.outer_bodies),
            ("aligned", &data.aligned),
            ("clauses", &data.clauses),
            ("labels", &data.labels),
            ("quotes_alike", &data.quotes_alike),
            ("keyword_names", &data.keyword_names),
        ];
        for (key, list) in types {
            list.iter().flat_map(|word| word.split('/')).try_for_each(|word| self.type_name(key, word))?;
        }
        data.modifiers.iter().try_for_each(|word| self.mark("modifiers", word))?;
        data.body_ends.iter().try_for_each(|word| self.mark("body_ends", word))?;
        data.header_fields.iter().try_for_each(|word| self.field("header_fields", word))?;
        data.empty_statement_in.iter().try_for_each(|place| self.place("empty_statement_in", place))?;
        // Every language has a default for it, used by those that have such a field.
        if data.body_field != Data::default_body_field() {
            self.field("body_field", &data.body_field)?;
        }
        self.optional(&data.statement_separator, |word| self.mark("statement_separator", word))
    }

    /// Tables from a type to words.
    fn tables(&self, data: &Data) -> Result<(), String> {
        let keys: [(&str, Vec<&String>); 17] = [
            ("held", data.held.keys().collect()),
            ("holders", data.holders.keys().collect()),
            ("names", data.names.keys().collect()),
            ("other_names", data.other_names.keys().collect()),
            ("receivers", data.receivers.keys().collect()),
            ("callees", data.callees.keys().collect()),
            ("modules", data.modules.keys().collect()),
            ("params", data.params.keys().collect()),
            ("args", data.args.keys().collect()),
            ("bases", data.bases.keys().collect()),
            ("returns", data.returns.keys().collect()),
            ("introducers", data.introducers.keys().collect()),
            ("lists", data.lists.keys().collect()),
            ("body_after", data.body_after.keys().collect()),
            ("joined_names", data.joined_names.keys().collect()),
            ("sections", data.sections.keys().collect()),
            ("terminators", data.terminators.keys().collect()),
        ];
        for (key, mut names) in keys {
            // In order, so that the same data gives the same message.
            names.sort();
            names.into_iter().try_for_each(|name| self.type_name(key, name))?;
        }
        for (key, table) in [("only_in", &data.only_in), ("holds_only", &data.holds_only)] {
            for (name, values) in table {
                let words = std::iter::once(name.as_str()).chain(values.iter()).flat_map(|word| word.split('/'));
                words.into_iter().try_for_each(|word| self.type_name(key, word))?;
            }
        }
        let marks = |values: &Values| values.iter().map(str::to_owned).collect::<Vec<_>>();
        for (name, values) in &data.needs {
            self.type_name("needs", name)?;
            marks(values).iter().try_for_each(|word| self.mark("needs", word))?;
        }
        data.sections.values().flat_map(marks).try_for_each(|word| self.mark("sections", &word))?;
        data.body_after.values().flatten().try_for_each(|word| self.mark("body_after", word))?;
        data.joined_names.values().try_for_each(|word| self.mark("joined_names", word))?;
        data.terminators.values().try_for_each(|word| self.mark("terminators", word))
    }

    /// Keys with rules of their own.
    fn rules(&self, data: &Data) -> Result<(), String> {
        let mut lists: Vec<_> = data.lists.iter().collect();
        lists.sort_by_key(|(name, _)| *name);
        for (name, rule) in lists {
            for (key, types) in [("plain_in", &rule.plain_in), ("alone", &rule.alone), ("only", &rule.only)] {
                types.iter().try_for_each(|word| self.type_name(&format!("lists.{name}.{key}"), word))?;
            }
            rule.field.iter().try_for_each(|word| self.field(&format!("lists.{name}.field"), word))?;
        }
        for rule in &data.order {
            let parts = [("in", &rule.lists), ("after", &rule.after), ("then", &rule.then), ("until", &rule.until)];
            for (key, words) in parts {
                let mut words = words.iter().flat_map(|word| word.split('/'));
                words.try_for_each(|word| self.type_name(&format!("order.{key}"), word))?;
            }
        }
        let docs = [
            ("docs.statement", &data.docs.statement),
            ("docs.string", &data.docs.string),
            ("docs.joined", &data.docs.joined),
            ("docs.content", &data.docs.content),
        ];
        for (key, word) in docs {
            self.optional(word, |word| self.type_name(key, word))?;
        }
        for context in &data.pattern_contexts {
            context.quiet.iter().try_for_each(|place| self.place("pattern_contexts.quiet", place))?;
        }
        let regexes = data.claims.iter().map(|(extension, regex)| (format!("claims.{extension}"), regex));
        for (key, regex) in regexes.chain([("introducer_gap".to_owned(), &data.introducer_gap)]) {
            regex::Regex::new(regex).map_err(|error| format!("{key}: {error}"))?;
        }
        let mut names: Vec<_> = data.compatibility.iter().collect();
        names.sort_by_key(|(name, _)| *name);
        for (name, values) in names {
            for word in values.iter().filter(|word| is_word(word) && !taxonomy().contains(word)) {
                self.type_name(&format!("compatibility.{name}"), word)?;
            }
        }
        // A kind's rules may be selectors, which are read when the language is first asked.
        let rules = data.scopes.iter().filter_map(|kind| Some((kind, data.kinds.get(kind)?)));
        for (kind, values) in rules {
            let mut plain = values.iter().filter(|rule| is_word(rule));
            plain.try_for_each(|word| self.type_name(&format!("kinds.{kind}"), word))?;
        }
        Ok(())
    }

    fn optional(&self, word: &str, check: impl Fn(&str) -> Result<(), String>) -> Result<(), String> {
        if word.is_empty() { Ok(()) } else { check(word) }
    }

    fn type_name(&self, key: &str, word: &str) -> Result<(), String> {
        let known = self.symbols.type_id(word).is_some();
        known.then_some(()).ok_or_else(|| format!("{key}: the grammar has no type `{word}`"))
    }

    /// A type or a token.
    fn mark(&self, key: &str, word: &str) -> Result<(), String> {
        let known = self.symbols.type_id(word).is_some() || self.symbols.token_id(word).is_some();
        known.then_some(()).ok_or_else(|| format!("{key}: the grammar has no type or token `{word}`"))
    }

    fn field(&self, key: &str, word: &str) -> Result<(), String> {
        let known = self.symbols.field_id(word).is_some();
        known.then_some(()).ok_or_else(|| format!("{key}: the grammar has no field `{word}`"))
    }

    /// `type`, or `type.field`.
    fn place(&self, key: &str, place: &str) -> Result<(), String> {
        let (name, field) = place.split_once('.').unwrap_or((place, ""));
        self.type_name(key, name)?;
        self.optional(field, |field| self.field(key, field))
    }
}
