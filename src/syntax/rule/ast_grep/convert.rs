//! A rule of ast-grep as one of ours: its conditions as a selector.

use std::fmt::Write;
use std::sync::LazyLock;

use regex::Regex;

use super::document::AstGrepRule;
use super::model::{
    Config, Direction, NthChild, Part, PatternText, Placed, Relation, RuleObject, Stop, Strictness, TransformKind,
};
use crate::language::{Language, taxonomy};
use crate::selector::like;

/// A rule as TOML.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConvertedRule {
    /// Its name.
    pub id: String,
    /// The rule, from `[[rule]]` on.
    pub toml: String,
    /// The parts that it does not say, each with the line in the YAML if that is known.
    pub lost: Vec<LostPart>,
}

/// A part of a rule that was not converted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LostPart {
    /// The part, and why it was not converted.
    pub what: String,
    /// Its line, from 1.
    pub line: Option<usize>,
}

/// A metavariable in a pattern or a text.
static HOLE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(\${1,3})([A-Z_][A-Z0-9_]*)?").unwrap_or_else(|_| unreachable!("it is a regex")));

impl AstGrepRule {
    /// The rule as one of ours.
    pub fn convert(&self) -> ConvertedRule {
        let mut uses = captured(&self.config);
        let texts = [Some(&self.message), self.config.fix.as_ref().map(|fix| &fix.template.value)];
        uses.extend(texts.into_iter().flatten().flat_map(|text| holes(text)));
        uses.extend(self.config.constraints.iter().map(|(name, _)| name.value.clone()));
        let (named, lost) = (Vec::new(), Vec::new());
        let mut writer = Writer { language: self.language, config: &self.config, named, uses, lost };
        let select = writer.object(&self.config.rule);
        for (name, _) in &self.config.constraints {
            writer.lose(format!("`constraints` of `${}`: a hole of a pattern takes no condition", name.value), None);
        }
        for (name, transform) in &self.config.transform {
            let kind = match transform.kind {
                TransformKind::Substring { .. } => "substring",
                TransformKind::Replace { .. } => "replace",
                TransformKind::Convert { .. } => "convert",
                TransformKind::Rewrite { .. } => "rewrite",
            };
            writer.lose(format!("`transform` `{}` ({kind})", name.value), None);
        }
        for (name, _) in &self.config.rewriters {
            writer.lose(format!("the rewriter `{name}`"), None);
        }
        if !self.config.labels.is_empty() {
            writer.lose("`labels`".to_owned(), None);
        }
        let captured = captured(&self.config);
        let mut toml = format!("[[rule]]\nid = {}\n", text(&kebab(&self.id)));
        let _ = writeln!(toml, "languages = [{}]", text(self.language.name()));
        let _ = writeln!(toml, "severity = {}", text(self.severity.as_str()));
        let message = self.message.split_whitespace().collect::<Vec<_>>().join(" ");
        let _ = writeln!(toml, "message = {}", text(&of_captures(&message, &captured)));
        for (key, value) in [("note", &self.note), ("url", &self.url)] {
            if let Some(value) = value {
                let _ = writeln!(toml, "{key} = {}", text(value.trim_end()));
            }
        }
        for (key, globs) in
            [("files", self.config.files.as_deref().unwrap_or_default()), ("ignore", &self.config.ignores)]
        {
            if !globs.is_empty() {
                let globs: Vec<String> = globs.iter().map(|glob| text(&glob.glob)).collect();
                let _ = writeln!(toml, "{key} = [{}]", globs.join(", "));
            }
        }
        let _ = writeln!(toml, "select = {}", text(&select));
        if let Some(fix) = writer.fix(&captured) {
            let _ = writeln!(toml, "fix = {}", text(&fix));
        }
        if !writer.named.is_empty() {
            toml.push_str("[rule.define]\n");
            for (name, selector) in &writer.named {
                let selector = selector.as_deref().unwrap_or("*");
                let _ = writeln!(toml, "{} = {}", text(name), text(selector));
            }
        }
        ConvertedRule { id: self.id.clone(), toml, lost: writer.lost }
    }
}

/// Writes the selectors of one rule.
struct Writer<'a> {
    language: &'static Language,
    config: &'a Config,
    /// The named selectors that are used; `None` for one that is being written.
    named: Vec<(String, Option<String>)>,
    /// The names of holes, each as often as patterns and texts have it.
    uses: Vec<String>,
    lost: Vec<LostPart>,
}

impl Writer<'_> {
    fn lose(&mut self, what: String, line: Option<usize>) {
        let lost = LostPart { what, line };
        if !self.lost.contains(&lost) {
            self.lost.push(lost);
        }
    }

    /// One step of a selector for a rule object.
    fn object(&mut self, rule: &RuleObject) -> String {
        let mut word = None;
        let mut tests = String::new();
        for part in &rule.parts {
            match part {
                Part::Kind(kind) if word.is_none() && is_word(&kind.value) => word = Some(self.kind(&kind.value)),
                part => {
                    let test = self.part(part);
                    tests.push_str(&test);
                }
            }
        }
        match word {
            Some(word) => format!("{word}{tests}"),
            None if tests.starts_with([':', '[']) => tests,
            None => format!("*{tests}"),
        }
    }

    /// A condition as a test of a step.
    fn part(&mut self, part: &Part) -> String {
        match part {
            Part::Pattern(pattern) => self.pattern(pattern),
            Part::Kind(kind) => format!(":is({})", self.kinds(&kind.value)),
            Part::Regex(regex) => format!("[text=/{}/]", regex.value.replace('/', "\\/")),
            Part::NthChild(nth) => self.nth_child(nth),
            Part::Range(_) => {
                self.lose("`range`".to_owned(), None);
                String::new()
            }
            Part::All(parts) => {
                let parts: Vec<String> = parts.iter().map(|part| self.object(part)).collect();
                parts.iter().map(|part| and(part)).collect()
            }
            Part::Any(parts) => {
                let parts: Vec<String> = parts.iter().map(|part| self.object(part)).collect();
                format!(":is({})", parts.join(", "))
            }
            Part::Not(part) => format!(":not({})", self.object(part)),
            Part::Matches(name) => self.refer_to(name),
            Part::Call(call) => {
                self.lose(format!("the arguments of the utility `{}`", call.name.value), Some(call.name.place.line));
                String::new()
            }
            Part::Relation(relation) => self.relation(relation),
        }
    }

    fn pattern(&mut self, pattern: &PatternText) -> String {
        let line = Some(pattern.code.place.line);
        if pattern.selector.is_some() {
            self.lose("a pattern's `context` and `selector`".to_owned(), line);
        }
        match pattern.strictness {
            Strictness::Smart => {}
            Strictness::Cst => self.lose("`strictness: cst`".to_owned(), line),
            Strictness::Ast => self.lose("`strictness: ast`".to_owned(), line),
            Strictness::Relaxed => self.lose("`strictness: relaxed`".to_owned(), line),
            Strictness::Signature => self.lose("`strictness: signature`".to_owned(), line),
            Strictness::Template => self.lose("`strictness: template`".to_owned(), line),
        }
        if HOLE.captures_iter(&pattern.code.value).any(|hole| &hole[1] == "$$" && hole.get(2).is_some()) {
            self.lose("`$$NAME`, which is any token".to_owned(), line);
        }
        let code = pattern.code.value.trim();
        // A hole that nothing else names is any node.
        let is_hole = HOLE.captures(code).is_some_and(|hole| &hole[1] == "$" && hole[0].len() == code.len());
        let name = code.trim_start_matches('$');
        if is_hole && (name.starts_with('_') || self.uses.iter().filter(|used| *used == name).count() < 2) {
            return String::new();
        }
        like(code)
    }

    /// A kind, which is a type of the grammar.
    fn kind(&mut self, word: &str) -> String {
        if word == "ERROR" {
            return "*:error".to_owned();
        }
        let is_token = self.language.type_id(word).is_none() && self.language.token_id(word).is_some();
        let is_ours = taxonomy().kinds().iter().any(|kind| kind.name == word);
        match (is_token, is_ours) {
            (true, _) => format!("'{}'", word.replace('\'', "\\'")),
            // A word of ours may mean more than the type of the grammar that has the same name.
            (false, true) => format!("*[type=\"{word}\"]"),
            (false, false) => word.to_owned(),
        }
    }

    /// Kinds with combinators between them, as CSS has them.
    fn kinds(&mut self, written: &str) -> String {
        if written.contains(':') {
            self.lose(format!("pseudo-classes in `kind: {written}`"), None);
            return "*".to_owned();
        }
        let spaced = written.replace('>', " > ").replace('+', " + ").replace('~', " ~ ").replace(',', " , ");
        let words = spaced.split_whitespace().map(|word| match word {
            ">" => ">>".to_owned(),
            "+" | "~" | "," => word.to_owned(),
            kind => self.kind(kind),
        });
        words.collect::<Vec<String>>().join(" ").replace(" , ", ", ")
    }

    fn nth_child(&mut self, nth: &NthChild) -> String {
        let name = if nth.from_end { ":nth-last-child" } else { ":nth-child" };
        let place = match (nth.step, nth.offset) {
            (0, offset) => offset.to_string(),
            (step, 0) => format!("{step}n"),
            (step, offset) => format!("{step}n{offset:+}"),
        };
        match &nth.of {
            Some(of) => format!("{name}({place} of {})", self.object(of)),
            None => format!("{name}({place})"),
        }
    }

    /// The regex of a rule that says nothing else about a node, if a token of the language matches it.
    fn regex_on_tokens<'r>(&self, rule: &'r RuleObject) -> Option<&'r Placed<String>> {
        let is_on_text = |part: &Part| matches!(part, Part::Regex(_) | Part::NthChild(_));
        let is_about_tokens = |written: &&Placed<String>| {
            Regex::new(&written.value).is_ok_and(|regex| self.language.token_texts().any(|token| regex.is_match(token)))
        };
        let mut regexes = rule.parts.iter().filter_map(|part| match part {
            Part::Regex(regex) => Some(regex),
            _ => None,
        });
        if rule.parts.iter().all(is_on_text) { regexes.find(is_about_tokens) } else { None }
    }

    /// A utility, as a selector with its name.
    fn refer_to(&mut self, written: &Placed<String>) -> String {
        let name = kebab(&written.value);
        match self.named.iter().find(|(known, _)| *known == name) {
            Some((_, Some(_))) => return format!(":{name}"),
            Some((_, None)) => {
                self.lose(format!("`{}`, which refers to itself", written.value), Some(written.place.line));
                return String::new();
            }
            None => {}
        }
        let local = self.config.utils.iter().find(|(known, _)| known.value == written.value).map(|(_, rule)| rule);
        let global = self.config.globals.iter().find(|(known, _)| *known == written.value);
        if global.is_some_and(|(_, global)| local.is_none() && !global.constraints.is_empty()) {
            self.lose(format!("`constraints` of the utility `{}`", written.value), Some(written.place.line));
        }
        let Some(rule) = local.or(global.map(|(_, global)| &global.rule)) else {
            self.lose(format!("the utility `{}`, which is not there", written.value), Some(written.place.line));
            return String::new();
        };
        let at = self.named.len();
        self.named.push((name.clone(), None));
        let selector = self.object(rule);
        // What it names itself comes first.
        let mut own = self.named.remove(at);
        own.1 = Some(selector);
        self.named.push(own);
        format!(":{name}")
    }

    fn relation(&mut self, relation: &Relation) -> String {
        if relation.field.is_none()
            && let Some(regex) = self.regex_on_tokens(&relation.rule)
        {
            let line = Some(regex.place.line);
            self.lose(format!("the `regex` `{}` without a kind: it is about tokens, too", regex.value), line);
        }
        let other = self.object(&relation.rule);
        let field = relation.field.as_ref().map(|field| format!(".{}", field.value)).unwrap_or_default();
        let is_near = match &relation.stop {
            Stop::Neighbor => true,
            Stop::End => false,
            Stop::Rule(_) => {
                let line = relation.field.as_ref().map(|field| field.place.line);
                self.lose("`stopBy` with a rule: it looks to the end".to_owned(), line);
                false
            }
        };
        match (relation.direction, is_near) {
            (Direction::Inside, true) => format!(":is({other} >> *{field})"),
            (Direction::Inside, false) if field.is_empty() => format!(":in({other})"),
            (Direction::Inside, false) => format!(":is({other} >> *{field}, {other} >> *{field} *)"),
            (Direction::Has, true) if field.is_empty() => format!(":has(>> {other})"),
            (Direction::Has, true) => format!(":has(>> *{field}{})", and(&other)),
            (Direction::Has, false) if field.is_empty() => format!(":has({other})"),
            (Direction::Has, false) => format!(":has(>> *{field}:is({other}, :has({other})))"),
            (Direction::Precedes, true) => format!(":has(+ {other})"),
            (Direction::Precedes, false) => format!(":precedes({other})"),
            (Direction::Follows, true) => format!(":is({other} + *)"),
            (Direction::Follows, false) => format!(":follows({other})"),
        }
    }

    fn fix(&mut self, captured: &[String]) -> Option<String> {
        let fix = self.config.fix.as_ref()?;
        if fix.expand_start.is_some() || fix.expand_end.is_some() {
            self.lose("the fix, since it goes beyond the match (`expandStart`, `expandEnd`)".to_owned(), None);
            return None;
        }
        let made = self.config.transform.iter().map(|(name, _)| &name.value);
        let uses = |name: &String| {
            HOLE.captures_iter(&fix.template.value).any(|hole| hole.get(2).is_some_and(|used| used.as_str() == *name))
        };
        if made.clone().any(uses) {
            self.lose("the fix, since it uses what `transform` makes".to_owned(), None);
            return None;
        }
        Some(of_captures(&fix.template.value, captured))
    }
}

/// A step as tests of another one.
fn and(step: &str) -> String {
    let is_test = step.starts_with([':', '[']);
    match step.strip_prefix('*') {
        Some(tests) if tests.is_empty() || tests.starts_with([':', '[']) => tests.to_owned(),
        None if is_test => step.to_owned(),
        _ => format!(":is({step})"),
    }
}

/// Whether a kind is a single word.
fn is_word(kind: &str) -> bool {
    kind.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
}

/// A name as words with `-` between them.
fn kebab(name: &str) -> String {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    name.split(|letter| !is_part(letter)).filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-")
}

/// A text in which only what is captured is a hole.
fn of_captures(text: &str, captured: &[String]) -> String {
    let filled = HOLE.replace_all(text, |hole: &regex::Captures<'_>| match hole.get(2) {
        Some(name) if captured.iter().any(|known| known == name.as_str()) => hole[0].to_owned(),
        Some(name) => name.as_str().to_owned(),
        None => hole[0].to_owned(),
    });
    filled.into_owned()
}

/// The names of the holes in a text.
fn holes(text: &str) -> Vec<String> {
    HOLE.captures_iter(text).filter_map(|hole| hole.get(2)).map(|name| name.as_str().to_owned()).collect()
}

/// The names of the holes of all patterns, each as often as it is there.
fn captured(config: &Config) -> Vec<String> {
    let mut names = Vec::new();
    let utilities = config.utils.iter().map(|(_, rule)| rule);
    let globals = config.globals.iter().map(|(_, config)| &config.rule);
    std::iter::once(&config.rule).chain(utilities).chain(globals).for_each(|rule| add_holes(rule, &mut names));
    names
}

fn add_holes(rule: &RuleObject, names: &mut Vec<String>) {
    for part in &rule.parts {
        match part {
            Part::Pattern(pattern) => {
                names.extend(holes(&pattern.code.value));
            }
            Part::All(parts) | Part::Any(parts) => parts.iter().for_each(|part| add_holes(part, names)),
            Part::Relation(relation) => add_holes(&relation.rule, names),
            Part::Not(part) => add_holes(part, names),
            Part::Call(call) => call.arguments.iter().for_each(|(_, rule)| add_holes(rule, names)),
            Part::Kind(_) | Part::Regex(_) | Part::NthChild(_) | Part::Range(_) | Part::Matches(_) => {}
        }
    }
}

/// A text as TOML has it, as plain as it can be.
fn text(text: &str) -> String {
    let is_plain = |letter: char| !letter.is_control();
    if !text.contains('\'') && text.contains(['"', '\\']) && text.chars().all(is_plain) {
        return format!("'{text}'");
    }
    if text.contains('\n') && !text.contains("'''") && text.chars().all(|letter| is_plain(letter) || letter == '\n') {
        return format!("'''\n{text}'''");
    }
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            letter if letter.is_control() => {
                let _ = write!(quoted, "\\u{:04X}", u32::from(letter));
            }
            letter => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}
