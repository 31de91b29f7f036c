//! Reads a script from TOML, and checks keys and the syntax of selectors and templates.

use super::edits::{Edit, template};
use super::error::{Problem, ScriptError};
use super::keys::{Keys, parse_table};
use super::model::{Action, Script, Step, Test};
use super::placed::Placed;
use super::schema::{ACTIONS, SCRIPT, STEP, TEST};
use crate::language::{Detector, Language, Languages};
use crate::selector::{Definitions, Selector};
use crate::text::Span;

type Read<T> = Result<T, ScriptError>;

impl Script {
    /// Reads a script.
    ///
    /// # Errors
    /// If it is not TOML, has an unknown key or lacks a required one, or if a selector or template is invalid in every
    /// language.
    pub fn read(source: &str) -> Result<Script, ScriptError> {
        Script::read_with(source, Languages::built_in())
    }

    /// Reads a script for a project that may have languages of its own.
    ///
    /// # Errors
    /// As [`Script::read`].
    pub fn read_with(source: &str, languages: &Languages) -> Result<Script, ScriptError> {
        let parsed = parse_table(source)?;
        // An error about the whole script points to its first line.
        let keys = Keys::new(parsed.get_ref(), (source, Span::at(0)), None, &SCRIPT)?;
        let known = languages;
        let languages = languages_of(&keys, known)?;
        let tables = keys.tables("step", "a list of tables: write `[[step]]`")?;
        let steps = tables
            .into_iter()
            .enumerate()
            .map(|(at, (table, span))| step(&Keys::new(table, (source, span), Some(at + 1), &STEP)?))
            .collect::<Read<Vec<Step>>>()?;
        if steps.is_empty() {
            return Err(keys.error(Problem::NoStep));
        }
        let mut tests: Vec<Test> = Vec::new();
        for (table, span) in keys.tables("test", "a list of tables: write `[[test]]`")? {
            let keys = Keys::new(table, (source, span), None, &TEST)?;
            let test = test(&keys, &languages, known)?;
            if tests.iter().any(|other| other.name == test.name) {
                return Err(keys.error_at(keys.place("name"), Problem::SameName { kind: "test", name: test.name }));
            }
            tests.push(test);
        }
        let name = keys.needed("name", "name = \"what-it-does\"")?;
        if name.value.trim().is_empty() {
            return Err(keys.error_at(name.span, Problem::Empty { key: "name".to_owned() }));
        }
        Ok(Script {
            name: name.value,
            description: keys.text("description")?.map(|text| text.value),
            languages,
            files: keys.texts("files")?.unwrap_or_default().into_iter().map(|glob| glob.value).collect(),
            steps,
            tests,
            definitions: definitions(&keys)?,
        })
    }
}

/// The languages of a script.
pub(crate) fn languages_of(keys: &Keys<'_>, known: &Languages) -> Read<Vec<&'static Language>> {
    let one = keys.text("language")?;
    let several = keys.texts("languages")?;
    if one.is_some() && several.is_some() {
        let problem = Problem::Both { first: "language".to_owned(), second: "languages".to_owned() };
        return Err(keys.error_at(keys.place("languages"), problem));
    }
    let mut languages: Vec<&'static Language> = Vec::new();
    for name in one.into_iter().chain(several.into_iter().flatten()) {
        let language = named(keys, &name, known)?;
        if !languages.contains(&language) {
            languages.push(language);
        }
    }
    Ok(languages)
}

fn named(keys: &Keys<'_>, name: &Placed<String>, known: &Languages) -> Read<&'static Language> {
    known.named(&name.value).map_err(|error| keys.error_at(name.span, Problem::Language(error)))
}

pub(crate) fn definitions(keys: &Keys<'_>) -> Read<Vec<Placed<Definitions>>> {
    let read = |(name, selector): (Placed<String>, Placed<String>)| {
        // The colon is optional: `testcase` is the same as `":testcase"`.
        let name = name.value.trim_start_matches(':').to_owned();
        let line = format!(":{name} = {}", selector.value.split_whitespace().collect::<Vec<_>>().join(" "));
        let value =
            Definitions::parse(&line).map_err(|error| keys.error_at(selector.span, Problem::Selector(error)))?;
        Ok(Placed { value, span: selector.span })
    };
    keys.entries("define")?.into_iter().map(read).collect()
}

pub(crate) fn selector(keys: &Keys<'_>, text: Placed<String>) -> Read<Placed<Selector>> {
    match Selector::parse(&text.value) {
        Ok(value) => Ok(Placed { value, span: text.span }),
        Err(error) => Err(keys.error_at(text.span, Problem::Selector(error))),
    }
}

/// A step that is a refactor: it has no selector, since it is about all files.
fn refactor(keys: &Keys<'_>) -> Read<Option<Step>> {
    let Some(refactor) = keys.values("refactor")? else { return Ok(None) };
    let foreign =
        ["select", "when", "repeat"].into_iter().chain(ACTIONS).find(|key| *key != "refactor" && keys.has(key));
    if let Some(other) = foreign {
        let problem = Problem::Both { first: "refactor".to_owned(), second: other.to_owned() };
        return Err(keys.error_at(keys.place(other), problem));
    }
    let expect = keys.number("expect")?;
    let action = Action::Refactor(refactor);
    Ok(Some(Step { select: None, when: None, action, expect, repeats: false, span: keys.span }))
}

fn step(keys: &Keys<'_>) -> Read<Step> {
    if let Some(refactor) = refactor(keys)? {
        return Ok(refactor);
    }
    let select = selector(keys, keys.needed("select", "select = 'call#print'")?)?;
    let when = keys.text("when")?.map(|text| selector(keys, text)).transpose()?;
    let repeats = match keys.text("repeat")? {
        None => false,
        Some(word) if word.value == "until-stable" => true,
        Some(word) => {
            let problem = Problem::UnknownWord { what: "repetition", word: word.value, known: vec!["until-stable"] };
            return Err(keys.error_at(word.span, problem));
        }
    };
    let given: Vec<&str> = ACTIONS.into_iter().filter(|key| keys.has(key)).collect();
    if let [first, second, ..] = given[..] {
        let problem = Problem::Both { first: first.to_owned(), second: second.to_owned() };
        return Err(keys.error_at(keys.place(second), problem));
    }
    let Some(&key) = given.first() else { return Err(keys.error(Problem::NoAction)) };
    let action = match key {
        "edits" => Action::Edits(Edit::parse_edits(keys)?),
        "delete" => {
            if keys.flag("delete")? != Some(true) {
                let problem = Problem::Kind { key: "delete".to_owned(), wanted: "`true`, or left out" };
                return Err(keys.error_at(keys.place("delete"), problem));
            }
            Action::Edits(vec![Edit::delete(keys.place("delete"))])
        }
        _ => {
            let text = keys.text(key)?.ok_or_else(|| keys.error(Problem::NoAction))?;
            let (is_blank, span) = (text.value.trim().is_empty(), text.span);
            if is_blank && key != "replace" {
                return Err(keys.error_at(span, Problem::Empty { key: key.to_owned() }));
            }
            let template = template(keys, text)?;
            match key {
                "replace" => Action::Replace(template),
                _ => Action::Edits(vec![Edit::shorthand(keys, key, template)?]),
            }
        }
    };
    Ok(Step { select: Some(select), when, action, expect: keys.number("expect")?, repeats, span: keys.span })
}

/// The language of a test's code: the one that it names, that of its path, or the first of its script or rule.
pub(crate) fn language_of_test(
    keys: &Keys<'_>,
    path: Option<&Placed<String>>,
    code: &str,
    languages: &TestLanguages<'_>,
) -> Read<&'static Language> {
    let TestLanguages { own, known } = languages;
    let language = match (keys.text("language")?, path) {
        (Some(name), _) => Some(named(keys, &name, known)?),
        (None, Some(path)) => Detector::new(known)
            .detect(&path.value, code.as_bytes())
            .map_err(|error| keys.error_at(path.span, Problem::Language(error)))?,
        (None, None) => None,
    };
    let Some(language) = language.or_else(|| own.first().copied()) else {
        return Err(keys.error(Problem::Missing { key: "language", example: "language = \"python\"" }));
    };
    if !own.is_empty() && !own.contains(&language) {
        let known = own.iter().map(|known| known.name().to_owned()).collect();
        return Err(keys.error(Problem::Foreign { language: language.name().to_owned(), known }));
    }
    Ok(language)
}

/// The languages that a test may have.
pub(crate) struct TestLanguages<'a> {
    /// Those of its script or rule; any if empty.
    pub own: &'a [&'static Language],
    /// All that are known.
    pub known: &'a Languages,
}

fn test(keys: &Keys<'_>, languages: &[&'static Language], known: &Languages) -> Read<Test> {
    let name = keys.needed("name", "name = \"what it shows\"")?;
    if name.value.trim().is_empty() {
        return Err(keys.error_at(name.span, Problem::Empty { key: "name".to_owned() }));
    }
    let before = keys.needed("before", "before = '''…'''")?.value;
    let after = keys.text("after")?.map(|text| text.value);
    let unchanged = keys.flag("unchanged")?.unwrap_or(false);
    if unchanged && after.is_some() {
        let problem = Problem::Both { first: "after".to_owned(), second: "unchanged".to_owned() };
        return Err(keys.error_at(keys.place("unchanged"), problem));
    }
    let path = keys.text("path")?;
    let language = language_of_test(keys, path.as_ref(), &before, &TestLanguages { own: languages, known })?;
    Ok(Test {
        name: name.value,
        before,
        after,
        unchanged,
        idempotent: keys.flag("idempotent")?.unwrap_or(true),
        language,
        path: path.map(|path| path.value),
        span: keys.span,
    })
}
