//! Reads rules from TOML, and checks keys and the syntax of selectors and templates.

use super::model::{Around, Finder, Rule, RuleTest};
use super::severity::Severity;
use crate::edit::Template;
use crate::language::{Language, Languages};
use crate::script::{
    Action, Edit, Keys, Placed, Problem, ScriptError, TestLanguages, definitions, language_of_test, languages_of,
    parse_table, selector, template,
};
use crate::selector::Definitions;
use crate::text::Span;

/// The keys of a file of rules.
const FILE: [&str; 3] = ["rule", "define", "description"];
/// The keys of a rule.
const RULE: [&str; 17] = [
    "id",
    "language",
    "languages",
    "severity",
    "message",
    "note",
    "url",
    "select",
    "where",
    "files",
    "ignore",
    "fix",
    "edits",
    "safe",
    "define",
    "test",
    "query",
];
/// The keys of a rule's test.
const TEST: [&str; 6] = ["name", "code", "finds", "after", "language", "path"];

type Read<T> = Result<T, ScriptError>;

/// The rules of a file.
#[derive(Debug, Default)]
pub struct ReadRules {
    /// Those that can be run.
    pub rules: Vec<Rule>,
    /// The errors in the others.
    pub errors: Vec<ScriptError>,
}

/// Reads the rules of a file. A rule that is wrong does not keep others from being read.
///
/// # Errors
/// If it is not TOML, or if a key beside the rules is unknown.
pub fn read_rules(source: &str, known: &Languages) -> Result<ReadRules, ScriptError> {
    let parsed = parse_table(source)?;
    let keys = Keys::new(parsed.get_ref(), (source, Span::at(0)), None, &FILE)?;
    let shared = definitions(&keys)?;
    let mut read = ReadRules::default();
    for (table, span) in keys.tables("rule", "a list of tables: write `[[rule]]`")? {
        let rule = Keys::new(table, (source, span), None, &RULE).and_then(|keys| read_rule(&keys, &shared, known));
        match rule {
            Ok(rule) if read.rules.iter().any(|other| other.id == rule.id) => {
                read.errors.push(ScriptError::new(Problem::SameName { kind: "rule", name: rule.id }, rule.span, None));
            }
            Ok(rule) => read.rules.push(rule),
            Err(error) => read.errors.push(error),
        }
    }
    if read.rules.is_empty() && read.errors.is_empty() {
        return Err(keys.error(Problem::Missing { key: "rule", example: "[[rule]]" }));
    }
    Ok(read)
}

fn read_rule(keys: &Keys<'_>, shared: &[Placed<Definitions>], known: &Languages) -> Read<Rule> {
    let id = keys.needed("id", "id = \"no-print\"")?;
    if !is_kebab(&id.value) {
        return Err(keys.error_at(id.span, Problem::NoId { id: id.value }));
    }
    let languages = languages_of(keys, known)?;
    let severity = keys.word("severity", Severity::ALL, Severity::as_str)?.unwrap_or(Severity::Warning);
    let message = keys.needed("message", "message = \"what is wrong\"")?;
    if message.value.trim().is_empty() {
        return Err(keys.error_at(message.span, Problem::Empty { key: "message".to_owned() }));
    }
    let around = keys.texts("where")?.unwrap_or_default().into_iter().map(|text| read_around(keys, text));
    let around = around.collect::<Read<Vec<Around>>>()?;
    let finder = match keys.text("query")? {
        Some(_) if keys.has("select") => {
            let problem = Problem::Both { first: "select".to_owned(), second: "query".to_owned() };
            return Err(keys.error_at(keys.place("query"), problem));
        }
        Some(query) => Finder::TreeSitter(query),
        None => Finder::Selector(selector(keys, keys.needed("select", "select = 'call#print'")?)?),
    };
    let template = match Template::parse(&message.value) {
        Ok(value) => Placed { value, span: message.span },
        Err(error) => return Err(keys.error_at(message.span, Problem::Template(error))),
    };
    let mut own = shared.to_vec();
    own.extend(definitions(keys)?);
    let mut tests = Vec::new();
    for (at, (table, span)) in keys.tables("test", "a list of tables: write `[[rule.test]]`")?.into_iter().enumerate() {
        let keys = Keys::new(table, (keys.source(), span), None, &TEST)?;
        let test = read_test(&keys, at + 1, &languages, known)?;
        if tests.iter().any(|other: &RuleTest| other.name == test.name) {
            return Err(keys.error_at(keys.place("name"), Problem::SameName { kind: "test", name: test.name }));
        }
        tests.push(test);
    }
    Ok(Rule {
        id: id.value,
        languages,
        severity,
        message: message.value,
        note: keys.text("note")?.map(|text| text.value),
        url: keys.text("url")?.map(|text| text.value),
        files: globs(keys, "files")?,
        ignore: globs(keys, "ignore")?,
        is_safe: keys.flag("safe")?.unwrap_or(false),
        tests,
        finder,
        around,
        fix: read_fix(keys)?,
        definitions: own,
        template,
        span: keys.span,
    })
}

/// The change of a finding: a template or operations.
fn read_fix(keys: &Keys<'_>) -> Read<Option<Action>> {
    match (keys.text("fix")?, keys.has("edits")) {
        (Some(_), true) => {
            let problem = Problem::Both { first: "fix".to_owned(), second: "edits".to_owned() };
            Err(keys.error_at(keys.place("edits"), problem))
        }
        (Some(text), false) => Ok(Some(Action::Replace(template(keys, text)?))),
        (None, true) => Ok(Some(Action::Edits(Edit::parse_edits(keys)?))),
        (None, false) => Ok(None),
    }
}

fn read_around(keys: &Keys<'_>, text: Placed<String>) -> Read<Around> {
    let (is_negated, value) = match text.value.strip_prefix("not:") {
        Some(rest) => (true, rest.to_owned()),
        None => (false, text.value),
    };
    Ok(Around { selector: selector(keys, Placed { value, span: text.span })?, is_negated })
}

fn globs(keys: &Keys<'_>, key: &str) -> Read<Vec<String>> {
    Ok(keys.texts(key)?.unwrap_or_default().into_iter().map(|glob| glob.value).collect())
}

fn read_test(keys: &Keys<'_>, number: usize, languages: &[&'static Language], known: &Languages) -> Read<RuleTest> {
    let name = keys.text("name")?.map_or_else(|| number.to_string(), |name| name.value);
    let code = keys.needed("code", "code = '''…'''")?.value;
    let path = keys.text("path")?;
    let language = language_of_test(keys, path.as_ref(), &code, &TestLanguages { own: languages, known })?;
    let finds = keys.texts("finds")?;
    if let Some(wrong) = finds.iter().flatten().find(|place| !is_place(&place.value)) {
        let problem = Problem::Kind { key: "finds".to_owned(), wanted: "a list of places such as \"3:10\"" };
        return Err(keys.error_at(wrong.span, problem));
    }
    Ok(RuleTest {
        name,
        code,
        finds: finds.map(|places| places.into_iter().map(|place| place.value).collect()),
        after: keys.text("after")?.map(|text| text.value),
        language,
        path: path.map(|path| path.value),
        span: keys.span,
    })
}

fn is_place(text: &str) -> bool {
    let is_number = |part: &str| part.parse::<u32>().is_ok();
    text.split_once(':').is_some_and(|(line, column)| is_number(line) && is_number(column))
}

/// Whether a name is words of letters and digits with `-` between them.
fn is_kebab(id: &str) -> bool {
    let is_word = |word: &str| !word.is_empty() && word.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
    id.split('-').all(is_word)
}
