//! What a project and a user configure: `config.toml`, in the project's folder `.cst` and in the user's own. What a project's says
//! counts only once its user trusts it: see `trust`.
//!
//! ```toml
//! [check]
//! python = "ruff check -"
//!
//! [embeddings.local]
//! url = "http://localhost:8080/v1"
//! model = "all-minilm"
//!
//! [servers.python]
//! command = "pyright-langserver --stdio"
//!
//! [verify]
//! tests = "pytest -q"
//! ```
//!
//! An endpoint gets code, and a language server is a program, and so is what verifies, so only the user's own configuration may
//! name them, whether the project is trusted or not.

use crate::limits;
use std::path::{Path, PathBuf};
use std::time::Duration;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::embedding::EndpointSettings;
use crate::language::{Language, Languages};
use crate::reader::core::Reader;
use crate::reader::host::Commands;
use crate::request::error::EngineError;
use crate::request::hint::language_hint;
use crate::text::Text;

/// A project's configuration, seen from its folder.
pub(crate) const CONFIGURATION: &str = ".cst/config.toml";

/// A command that checks the code of a language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CheckCommand {
    /// As it is written.
    pub line: String,
    /// The program, and its arguments.
    pub words: Vec<String>,
    /// The file that says so, as it is shown.
    pub path: String,
    /// The line there.
    pub at: usize,
    /// Where it is run.
    pub folder: PathBuf,
}

/// A language server.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ServerCommand {
    /// As it is written.
    pub line: String,
    /// The program, and its arguments.
    pub words: Vec<String>,
    /// How long it may take for one second opinion.
    pub time: Duration,
    /// What it gets as `initializationOptions`.
    pub options: serde_json::Value,
    /// What it gets when it asks for its settings.
    pub settings: serde_json::Value,
}

/// A command that verifies changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct VerifyCommand {
    /// Its name; of a command line without one, that line.
    pub name: String,
    /// The line, for a shell.
    pub line: String,
    /// How long one run may take.
    pub time: Duration,
}

/// What checks the code of a language.
#[derive(Debug, Clone, Default)]
pub(crate) struct Check {
    /// The command; none where nothing is configured.
    pub command: Option<CheckCommand>,
    /// Why a command that a project configures doesn't count.
    pub note: Option<String>,
}

impl Reader {
    /// The commands that check code in the user's own configuration, by language.
    pub(super) fn own_checks(&self) -> Result<Vec<(&'static str, CheckCommand)>, EngineError> {
        let Some((shown, bytes)) = self.own_configuration()? else { return Ok(Vec::new()) };
        Ok(read(self.languages_known(), &bytes, (&shown, &self.host.working_directory), Owner::User)?.commands)
    }

    /// The endpoints of the user's own configuration.
    pub(crate) fn endpoints(&self) -> Result<Vec<EndpointSettings>, EngineError> {
        let Some((shown, bytes)) = self.own_configuration()? else { return Ok(Vec::new()) };
        Ok(read(self.languages_known(), &bytes, (&shown, &self.host.working_directory), Owner::User)?.endpoints)
    }

    /// The language server for a language, in the user's own configuration.
    ///
    /// # Errors
    /// If there is none.
    pub(crate) fn server_of(&self, language: &Language) -> Result<ServerCommand, EngineError> {
        let servers = match self.own_configuration()? {
            Some((shown, bytes)) => {
                read(self.languages_known(), &bytes, (&shown, &self.host.working_directory), Owner::User)?.servers
            }
            None => Vec::new(),
        };
        let found = servers.into_iter().find(|(name, _)| *name == language.name());
        found.map(|(_, server)| server).ok_or_else(|| {
            let name = language.name();
            let error = EngineError::bad_request(format!("no language server is configured for {name}"));
            error.hint(format!("your own `config.toml` names it: `[servers.{name}]` with `command`"))
        })
    }

    /// The command that `verify` names: one of the user's own configuration, or else a command line, if the host lets callers bring
    /// theirs.
    ///
    /// # Errors
    /// If the configuration has no such name, and only names count.
    pub(crate) fn verify_command(&self, asked: &str) -> Result<VerifyCommand, EngineError> {
        let known = match self.own_configuration()? {
            Some((shown, bytes)) => {
                read(self.languages_known(), &bytes, (&shown, &self.host.working_directory), Owner::User)?.verify
            }
            None => Vec::new(),
        };
        if let Some(named) = known.iter().find(|command| command.name == asked) {
            return Ok(named.clone());
        }
        if self.host.commands == Commands::Any && self.host.root.is_none() {
            if asked.trim().is_empty() {
                return Err(EngineError::bad_request("`verify` is empty: it takes a command line"));
            }
            return Ok(VerifyCommand { name: asked.to_owned(), line: asked.to_owned(), time: limits::VERIFY_TIME });
        }
        let names: Vec<String> = known.iter().map(|command| format!("`{}`", command.name)).collect();
        let error = EngineError::bad_request(format!("no command is called `{asked}` in the user's own configuration"));
        Err(error.hint(match names.is_empty() {
            true => "here only commands count that the user has named: `[verify]` with `tests = \"pytest -q\"` in their own \
                     `config.toml`"
                .to_owned(),
            false => format!("the user has named {}", names.join(", ")),
        }))
    }

    /// The user's own configuration, as it is shown, and its content.
    fn own_configuration(&self) -> Result<Option<(String, Vec<u8>)>, EngineError> {
        let Some(path) = self.host.configuration.as_ref().map(|folder| folder.join("config.toml")) else {
            return Ok(None);
        };
        if self.own_files().facts(&path).is_err() {
            return Ok(None);
        }
        let shown = self.shown(&path);
        let bytes = self.own_files().read(&path, limits::CONFIGURATION_BYTES).map_err(|error| {
            EngineError::bad_request(format!("cannot read the configuration: {error}")).path(shown.clone())
        })?;
        Ok(Some((shown, bytes)))
    }
}

/// What a file configures.
#[derive(Debug, Default)]
struct Configuration {
    commands: Vec<(&'static str, CheckCommand)>,
    endpoints: Vec<EndpointSettings>,
    servers: Vec<(&'static str, ServerCommand)>,
    verify: Vec<VerifyCommand>,
}

/// Whose configuration a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Owner {
    Project,
    User,
}

/// The commands that a project's file configures, each with the name of its language.
pub(crate) fn commands(
    languages: &Languages,
    bytes: &[u8],
    path: &str,
    folder: &Path,
) -> Result<Vec<(&'static str, CheckCommand)>, EngineError> {
    Ok(read(languages, bytes, (path, folder), Owner::Project)?.commands)
}

/// What a file configures.
fn read(
    languages: &Languages,
    bytes: &[u8],
    (path, folder): (&str, &Path),
    owner: Owner,
) -> Result<Configuration, EngineError> {
    let bad = |message: String| EngineError::bad_request(message).path(path);
    let source = std::str::from_utf8(bytes).map_err(|_| bad("the configuration is written in UTF-8".to_owned()))?;
    let text = Text::new(source);
    let line_of = |offset: usize| text.line_at(offset.min(text.len()));
    let at = |offset: usize, message: String| {
        let mut error = bad(format!("{message} in line {} of `{path}`", line_of(offset)));
        error.details.line = Some(line_of(offset));
        error
    };
    let table = DeTable::parse(source).map_err(|error| {
        let start = error.span().map_or(0, |span| span.start);
        at(start, error.message().trim_end_matches('.').to_owned())
    })?;
    let mut found = Configuration::default();
    for (key, value) in table.get_ref() {
        let name: &str = key.get_ref();
        if name == "embeddings" {
            if owner == Owner::Project {
                let error = at(key.span().start, "a project cannot name endpoints for embeddings".to_owned());
                return Err(error.hint("they get code, so `[embeddings]` belongs in the user's own `config.toml`"));
            }
            found.endpoints = endpoints(value, at)?;
            continue;
        }
        if name == "servers" {
            if owner == Owner::Project {
                let error = at(key.span().start, "a project cannot name language servers".to_owned());
                return Err(error.hint("they are programs, so `[servers]` belongs in the user's own `config.toml`"));
            }
            found.servers = servers(languages, value, at)?;
            continue;
        }
        if name == "verify" {
            if owner == Owner::Project {
                let error = at(key.span().start, "a project cannot name commands for `verify`".to_owned());
                return Err(error.hint("they are programs, so `[verify]` belongs in the user's own `config.toml`"));
            }
            found.verify = verify_commands(value, at)?;
            continue;
        }
        // Its own reader reads it: it names no program.
        if name == "scan" {
            continue;
        }
        if name != "check" {
            let error = at(key.span().start, format!("unknown key `{name}`"));
            return Err(error.hint(match owner {
                Owner::Project => "did you mean `check`? There is no other",
                Owner::User => "did you mean `check`, `verify`, `servers` or `embeddings`? There are no others",
            }));
        }
        let DeValue::Table(checks) = value.get_ref() else {
            return Err(at(value.span().start, "`check` is a table of languages and their commands".to_owned()));
        };
        for (key, value) in checks {
            let language = languages
                .named(key.get_ref())
                .map_err(|error| at(key.span().start, error.to_string()).hint(language_hint(&error, languages)))?;
            found.commands.push((language.name(), command(value, (path, folder), at)?));
        }
    }
    Ok(found)
}

/// The endpoints of a table of tables.
fn endpoints(
    value: &Spanned<DeValue<'_>>,
    at: impl Fn(usize, String) -> EngineError,
) -> Result<Vec<EndpointSettings>, EngineError> {
    const HINT: &str = "write `[embeddings.NAME]` with `url` (what comes before `/embeddings`), `model`, and `key`, the name of the \
                        environment variable that has the key";
    let DeValue::Table(tables) = value.get_ref() else {
        return Err(at(value.span().start, "`embeddings` is a table of endpoints".to_owned()).hint(HINT));
    };
    let mut endpoints = Vec::new();
    for (name, value) in tables {
        let DeValue::Table(settings) = value.get_ref() else {
            return Err(at(value.span().start, format!("`{}` is not a table", name.get_ref())).hint(HINT));
        };
        let (mut url, mut model, mut key) = (None, None, None);
        for (setting, value) in settings {
            let setting_name: &str = setting.get_ref();
            let place = match setting_name {
                "url" => &mut url,
                "model" => &mut model,
                "key" => &mut key,
                other => return Err(at(setting.span().start, format!("unknown key `{other}`")).hint(HINT)),
            };
            let DeValue::String(text) = value.get_ref() else {
                return Err(at(value.span().start, format!("`{setting_name}` is a string")).hint(HINT));
            };
            *place = Some(text.to_string());
        }
        let name: &str = name.get_ref();
        let (Some(url), Some(model)) = (url, model) else {
            return Err(at(value.span().start, format!("`{name}` lacks `url` or `model`")).hint(HINT));
        };
        endpoints.push(EndpointSettings { name: name.to_owned(), url, model, key });
    }
    Ok(endpoints)
}

/// The language servers of a table of tables.
fn servers(
    languages: &Languages,
    value: &Spanned<DeValue<'_>>,
    at: impl Fn(usize, String) -> EngineError,
) -> Result<Vec<(&'static str, ServerCommand)>, EngineError> {
    const HINT: &str =
        "write `[servers.LANGUAGE]` with `command`, and if needed `timeout` in seconds, `options` and `settings`";
    let DeValue::Table(tables) = value.get_ref() else {
        return Err(at(value.span().start, "`servers` is a table of languages".to_owned()).hint(HINT));
    };
    let mut servers = Vec::new();
    for (key, value) in tables {
        let language = languages
            .named(key.get_ref())
            .map_err(|error| at(key.span().start, error.to_string()).hint(language_hint(&error, languages)))?;
        let DeValue::Table(table) = value.get_ref() else {
            return Err(at(value.span().start, format!("`{}` is not a table", key.get_ref())).hint(HINT));
        };
        let mut server = ServerCommand {
            line: String::new(),
            words: Vec::new(),
            time: limits::SERVER_TIME,
            options: serde_json::Value::Null,
            settings: serde_json::Value::Null,
        };
        for (key, value) in table {
            let start = value.span().start;
            let name: &str = key.get_ref();
            match (name, value.get_ref()) {
                ("command", DeValue::String(line)) => {
                    server.words = shlex::split(line).ok_or_else(|| at(start, "an unclosed quote".to_owned()))?;
                    server.line = line.to_string();
                }
                ("command", _) => return Err(at(start, "`command` is a string".to_owned()).hint(HINT)),
                ("timeout", DeValue::Integer(seconds)) => {
                    let seconds = seconds.as_str().parse::<u64>().ok().filter(|&seconds| seconds > 0);
                    let seconds = seconds.ok_or_else(|| at(start, "`timeout` is a number of seconds".to_owned()))?;
                    server.time = Duration::from_secs(seconds);
                }
                ("timeout", _) => return Err(at(start, "`timeout` is a number of seconds".to_owned()).hint(HINT)),
                ("options", value @ DeValue::Table(_)) => server.options = json_of(value),
                ("settings", value @ DeValue::Table(_)) => server.settings = json_of(value),
                ("options" | "settings", _) => return Err(at(start, format!("`{name}` is a table")).hint(HINT)),
                _ => return Err(at(key.span().start, format!("unknown key `{name}`")).hint(HINT)),
            }
        }
        if server.words.is_empty() {
            return Err(at(value.span().start, format!("`{}` lacks `command`", key.get_ref())).hint(HINT));
        }
        servers.push((language.name(), server));
    }
    Ok(servers)
}

/// The commands of a table, each a line, or a table with its time limit.
fn verify_commands(
    value: &Spanned<DeValue<'_>>,
    at: impl Fn(usize, String) -> EngineError,
) -> Result<Vec<VerifyCommand>, EngineError> {
    const HINT: &str =
        "write `tests = \"pytest -q\"`, or `tests = { command = \"pytest -q\", timeout = 60 }` with seconds";
    let DeValue::Table(tables) = value.get_ref() else {
        return Err(at(value.span().start, "`verify` is a table of commands".to_owned()).hint(HINT));
    };
    let mut commands = Vec::new();
    for (key, value) in tables {
        let name: &str = key.get_ref();
        let mut command = VerifyCommand { name: name.to_owned(), line: String::new(), time: limits::VERIFY_TIME };
        match value.get_ref() {
            DeValue::String(line) => command.line = line.to_string(),
            DeValue::Table(settings) => {
                for (key, value) in settings {
                    let start = value.span().start;
                    let setting: &str = key.get_ref();
                    match (setting, value.get_ref()) {
                        ("command", DeValue::String(line)) => command.line = line.to_string(),
                        ("timeout", DeValue::Integer(seconds)) => {
                            let seconds = seconds.as_str().parse::<u64>().ok().filter(|&seconds| seconds > 0);
                            let wrong = || at(start, "`timeout` is a number of seconds".to_owned());
                            command.time = Duration::from_secs(seconds.ok_or_else(wrong)?);
                        }
                        ("command", _) => return Err(at(start, "`command` is a string".to_owned()).hint(HINT)),
                        ("timeout", _) => return Err(at(start, "`timeout` is a number of seconds".to_owned())),
                        _ => return Err(at(key.span().start, format!("unknown key `{setting}`")).hint(HINT)),
                    }
                }
            }
            _ => return Err(at(value.span().start, format!("`{name}` is not a command")).hint(HINT)),
        }
        if command.line.trim().is_empty() {
            return Err(at(value.span().start, format!("`{name}` lacks its command")).hint(HINT));
        }
        commands.push(command);
    }
    Ok(commands)
}

/// A value as JSON; dates are texts.
fn json_of(value: &DeValue<'_>) -> serde_json::Value {
    match value {
        DeValue::String(text) => text.as_ref().into(),
        DeValue::Integer(number) => {
            number.as_str().parse::<i64>().map_or_else(|_| number.as_str().into(), serde_json::Value::from)
        }
        DeValue::Float(number) => {
            number.as_str().parse::<f64>().map_or_else(|_| number.as_str().into(), serde_json::Value::from)
        }
        DeValue::Boolean(is_true) => (*is_true).into(),
        DeValue::Datetime(date) => date.to_string().into(),
        DeValue::Array(values) => values.iter().map(|value| json_of(value.get_ref())).collect(),
        DeValue::Table(table) => {
            let entries = table.iter().map(|(key, value)| (key.get_ref().to_string(), json_of(value.get_ref())));
            serde_json::Value::Object(entries.collect())
        }
    }
}

fn command(
    value: &Spanned<DeValue<'_>>,
    (path, folder): (&str, &Path),
    at: impl Fn(usize, String) -> EngineError,
) -> Result<CheckCommand, EngineError> {
    let start = value.span().start;
    let DeValue::String(line) = value.get_ref() else {
        let hint = "write the command as a string: `python = \"ruff check -\"`";
        return Err(at(start, "a check is a command".to_owned()).hint(hint));
    };
    let words = shlex::split(line).ok_or_else(|| at(start, "an unclosed quote".to_owned()))?;
    // Its line, once it is known that the words are well formed.
    let line_number = at(start, String::new()).details.line.unwrap_or(1);
    Ok(CheckCommand {
        line: line.to_string(),
        words,
        path: path.to_owned(),
        at: line_number,
        folder: folder.to_owned(),
    })
}
