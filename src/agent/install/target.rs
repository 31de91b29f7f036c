//! A file of an agent and its wanted content: a row of the table with the place of the installation filled in.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::agents::{AGENTS, Agent, Contents, Location, Part, Row, Scope, Shape};
use super::config::{Format, Key};
use crate::project::Files;

/// The place of an installation, and the program.
#[derive(Debug, Clone)]
pub struct Place {
    /// The project's folder, absolute.
    pub project: PathBuf,
    /// The user's home folder.
    pub home: Option<PathBuf>,
    /// The environment's [`variables`] that are set.
    pub variables: BTreeMap<&'static str, PathBuf>,
    /// The full path of the program.
    pub program: PathBuf,
    /// Whether files of a project also get the full path instead of the bare name.
    pub exact: bool,
}

/// The environment variables that say where agents keep their files.
pub fn variables() -> impl Iterator<Item = &'static str> {
    let rows = AGENTS.iter().flat_map(|agent| agent.rows);
    rows.flat_map(|row| match &row.at {
        Location::Project(_) => [].iter(),
        Location::User { variables, .. } => variables.iter(),
    })
    .map(|(name, _)| *name)
}

/// A file and its wanted content.
#[derive(Debug, Clone)]
pub(super) struct Target {
    pub agent: &'static Agent,
    pub part: Part,
    pub scope: Scope,
    pub path: PathBuf,
    /// The folder that is never removed with it.
    pub root: PathBuf,
    pub content: Content,
}

/// The wanted content of a file.
#[derive(Debug, Clone)]
pub(super) enum Content {
    /// An entry of a config.
    Server { format: Format, path: Vec<String>, value: Value, nested: Option<Value> },
    /// Elements of the arrays of `hooks`.
    Hooks { id: &'static str, events: Vec<(&'static str, Value)>, shape: Shape },
    /// The whole file.
    Script { id: &'static str, text: String, executable: bool },
}

impl Place {
    /// A file of an agent. `None` if there is no home folder for it.
    pub(super) fn target(&self, agent: &'static Agent, row: &Row, scope: Scope, files: &dyn Files) -> Option<Target> {
        let (path, root) = self.path(&row.at, files)?;
        let bare = matches!(row.at, Location::Project(_)) && !self.exact;
        let whole = self.program.to_string_lossy().into_owned();
        let filled = Filled { program: if bare { "cst".to_owned() } else { whole.clone() }, whole };
        let project = self.project.to_string_lossy();
        let content = match &row.holds {
            Contents::Server { format, path, value, nested } => Content::Server {
                format: *format,
                path: path.iter().map(|key| key.replace("$PROJECT", &project)).collect(),
                value: filled.value(value),
                nested: nested.map(|nested| filled.value(nested)),
            },
            Contents::Hooks { events, shape } => Content::Hooks {
                id: agent.id,
                events: events.iter().map(|(event, value)| (*event, filled.value(value))).collect(),
                shape: *shape,
            },
            Contents::Script { text, shell } => {
                Content::Script { id: agent.id, text: filled.script(text, *shell), executable: *shell }
            }
        };
        Some(Target { agent, part: row.part, scope, path, root, content })
    }

    /// A path as people write it: relative to the project or to the home folder.
    pub fn shown(&self, path: &Path) -> String {
        if let Ok(inner) = path.strip_prefix(&self.project) {
            return inner.to_string_lossy().replace('\\', "/");
        }
        match self.home.as_ref().and_then(|home| path.strip_prefix(home).ok()) {
            Some(inner) => format!("~/{}", inner.to_string_lossy().replace('\\', "/")),
            None => path.to_string_lossy().into_owned(),
        }
    }

    /// The path of a file, and the folder to which it is relative.
    fn path(&self, at: &Location, files: &dyn Files) -> Option<(PathBuf, PathBuf)> {
        let (root, names) = match at {
            Location::Project(names) => (self.project.clone(), *names),
            Location::User { variables, home } => {
                let mut set = variables.iter();
                match set.find_map(|(variable, names)| Some((self.variables.get(variable)?, *names))) {
                    Some((root, names)) => (self.project.join(root), names),
                    None => (self.home.clone()?, *home),
                }
            }
        };
        let paths: Vec<PathBuf> =
            names.iter().map(|name| if name.is_empty() { root.clone() } else { root.join(name) }).collect();
        let there = paths.iter().find(|path| files.facts(path).is_ok());
        let path = there.or(paths.first())?.clone();
        // A variable may name the file itself.
        let root = if path == root { root.parent().map_or(root.clone(), Path::to_path_buf) } else { root };
        Some((path, root))
    }
}

impl Content {
    /// The keys of a server's entry.
    pub fn keys(path: &[String]) -> Vec<Key> {
        path.iter().map(|key| Key::Name(key.clone())).collect()
    }
}

/// The values of a template's placeholders.
struct Filled {
    program: String,
    whole: String,
}

impl Filled {
    fn value(&self, template: &str) -> Value {
        let mut value = serde_json::from_str(template).expect("the table's values are JSON");
        self.fill(&mut value);
        value
    }

    fn fill(&self, value: &mut Value) {
        match value {
            Value::String(text) if text == "$CST" => text.clone_from(&self.program),
            Value::String(text) => {
                if let Some(rest) = text.strip_prefix("$CST ") {
                    *text = format!("{} {rest}", word(&self.program));
                }
            }
            Value::Array(elements) => elements.iter_mut().for_each(|element| self.fill(element)),
            Value::Object(members) => members.values_mut().for_each(|member| self.fill(member)),
            _ => {}
        }
    }

    fn script(&self, template: &str, shell: bool) -> String {
        let quoted = |text: &str| if shell { double_quoted(text) } else { Value::from(text).to_string() };
        template.replace("\"$PROGRAM\"", &quoted(&self.whole)).replace("\"$CST\"", &quoted(&self.program))
    }
}

/// A word of a command, quoted if the shell would split it.
fn word(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/\\.-_:+@%,=~".contains(c);
    // A backslash is literal only in Windows paths, after a drive.
    let drive = text.as_bytes().get(1) == Some(&b':');
    let is_plain = text.chars().all(plain) && (drive || !text.contains('\\'));
    if is_plain { text.to_owned() } else { double_quoted(text) }
}

/// A text in double quotes, for a shell.
fn double_quoted(text: &str) -> String {
    let escaped: String = text.chars().fold(String::new(), |mut escaped, c| {
        if "\\\"$`".contains(c) {
            escaped.push('\\');
        }
        escaped.push(c);
        escaped
    });
    format!("\"{escaped}\"")
}
