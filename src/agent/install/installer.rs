//! The installer: compares each file of an agent with the wanted content, and changes it. Each file is handled on its
//! own.

use crate::project::Files;

use super::agents::{self, AGENTS, Agent, Note, Part, Row, Scope};
use super::config::{self, After};
use super::content::State as S;
use super::drafts::{Closed, Drafts};
use super::options::{InstallOptions, UsageError};
use super::report::{Action, Line, Report, Snippet};
use super::target::{Content, Place, Target};

/// Installs into agents, and uninstalls.
pub struct Installer<'a> {
    files: &'a dyn Files,
    place: Place,
}

/// What to do with each file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Task {
    Installing,
    Uninstalling,
    Looking,
}

impl<'a> Installer<'a> {
    /// An installer for a place.
    pub fn new(files: &'a dyn Files, place: Place) -> Installer<'a> {
        Installer { files, place }
    }

    /// Adds the server and the hooks to the agents' files.
    ///
    /// # Errors
    /// If the request is invalid. What happened to each file is in the report.
    pub fn install(&self, options: &InstallOptions) -> Result<Report, UsageError> {
        let targets = self.targets(options, &[options.scope.unwrap_or(Scope::Project)])?;
        let mut report = self.carry_out(targets, options, Task::Installing);
        for agent in named(&options.agents)? {
            let is_there = |note: &&Note| {
                report.lines.iter().any(|line| {
                    let is_meant =
                        line.agent == agent.id && line.part == note.part && note.scopes.contains(&line.scope);
                    is_meant && !matches!(line.action, Action::Refused | Action::Failed)
                })
            };
            let said: Vec<String> = agent.notes.iter().filter(is_there).map(|note| note.text.to_owned()).collect();
            report.notes.extend(said);
        }
        Ok(report)
    }

    /// Removes what [`Installer::install`] added.
    ///
    /// # Errors
    /// If the request is invalid. What happened to each file is in the report.
    pub fn uninstall(&self, options: &InstallOptions) -> Result<Report, UsageError> {
        let targets = self.targets(options, &[options.scope.unwrap_or(Scope::Project)])?;
        // If a file got several things, the last one is removed first.
        Ok(self.carry_out(targets.into_iter().rev().collect(), options, Task::Uninstalling))
    }

    /// The state of each file, for all agents if none is named.
    ///
    /// # Errors
    /// If the request is invalid.
    pub fn status(&self, options: &InstallOptions) -> Result<Report, UsageError> {
        let mut options = options.clone();
        if options.agents.is_empty() {
            options.agents =
                AGENTS.iter().filter(|agent| fits(agent, &options)).map(|agent| agent.id.to_owned()).collect();
        }
        let scopes = options.scope.map_or(Scope::ALL.to_vec(), |scope| vec![scope]);
        let targets = self.targets(&options, &scopes)?;
        Ok(self.carry_out(targets, &options, Task::Looking))
    }

    /// The content of each file if it contained nothing else.
    ///
    /// # Errors
    /// If the request is invalid.
    pub fn snippets(&self, options: &InstallOptions) -> Result<Vec<Snippet>, UsageError> {
        let targets = self.targets(options, &[options.scope.unwrap_or(Scope::Project)])?;
        let mut snippets: Vec<Snippet> = Vec::new();
        for target in targets {
            let path = self.place.shown(&target.path);
            let known = snippets.iter().position(|snippet| snippet.path == path);
            let before = known.map(|known| snippets[known].text.clone());
            let shared = before.as_deref().filter(|_| !matches!(target.content, Content::Script { .. }));
            let text = match target.content.state(shared) {
                Ok(S::Absent) => target.content.put(shared).unwrap_or_default(),
                _ => continue,
            };
            match known {
                Some(known) => snippets[known].text = text,
                None => snippets.push(Snippet { agent: target.agent.id, scope: target.scope, path, text }),
            }
        }
        Ok(snippets)
    }

    /// Whether a project, and a user, seem to use an agent.
    pub fn traces(&self, agent: &Agent) -> (bool, bool) {
        let here = |name: &&str| self.files.facts(&self.place.project.join(name)).is_ok();
        let home = self.place.home.as_ref();
        let at_home = |name: &&str| home.is_some_and(|home| self.files.facts(&home.join(name)).is_ok());
        (agent.traces.project.iter().any(here), agent.traces.home.iter().any(at_home))
    }

    /// The requested files, in the order of the table.
    fn targets(&self, options: &InstallOptions, scopes: &[Scope]) -> Result<Vec<Target>, UsageError> {
        let mut targets = Vec::new();
        for agent in named(&options.agents)? {
            let rows = agent.rows.iter().filter(|row| options.part.is_none_or(|part| part == row.part));
            let rows: Vec<&Row> = rows.collect();
            let mut found = false;
            for &scope in scopes {
                for row in rows.iter().filter(|row| row.scopes.contains(&scope)) {
                    found = true;
                    // A user's file for all projects is included only once.
                    if scopes.len() > 1 && row.scopes.first() != Some(&scope) {
                        continue;
                    }
                    let target = self.place.target(agent, row, scope, self.files);
                    if target.is_some() || options.scope.is_some() || scopes.len() == 1 {
                        targets.push(target.ok_or(UsageError::NoHome)?);
                    }
                }
            }
            if !found {
                let has = Scope::ALL.into_iter().filter(|scope| rows.iter().any(|row| row.scopes.contains(scope)));
                return Err(UsageError::NoScope {
                    agent: agent.id,
                    what: options.part.map(|part| format!("{} at ", part.name())).unwrap_or_default(),
                    scope: scopes.first().map_or("", |scope| scope.name()),
                    has: has.map(Scope::name).collect(),
                });
            }
        }
        Ok(targets)
    }

    fn carry_out(&self, targets: Vec<Target>, options: &InstallOptions, task: Task) -> Report {
        let mut drafts = Drafts::new(self.files);
        let mut lines: Vec<Line> = Vec::new();
        for target in &targets {
            let mut line = Line::new(target, self.place.shown(&target.path));
            if task == Task::Uninstalling && target.part == Part::Mcp {
                line.shared_with = self.other_user(target, options);
            }
            match drafts.open(&target.path, &target.root) {
                Ok(draft) => {
                    let text = draft.new_text.as_ref().map(ToString::to_string);
                    let edited = self.edit_text(target, text.as_deref(), task, &mut line);
                    if let Some(edited) = edited {
                        draft.set(edited.clone());
                        let script = matches!(target.content, Content::Script { executable: true, .. });
                        draft.executable = script && edited.is_some();
                    }
                }
                Err(Closed::NoConfig(why)) => line.refuse(S::Unreadable, why, None),
                Err(Closed::System(error)) => line.fail(error.to_string()),
            }
            lines.push(line);
        }
        if task == Task::Uninstalling {
            lines.reverse();
        }
        for (path, draft) in drafts.changed() {
            let here = || lines.iter().rposition(|line| line.file == path && line.is_change());
            if let Some(last) = here() {
                lines[last].diff = Some(draft.diff(&lines[last].path));
            }
            let written = if options.dry_run { Ok(()) } else { drafts.write(path, draft) };
            for line in lines.iter_mut().filter(|line| line.file == path && line.is_change()) {
                match &written {
                    Ok(()) => line.refine(draft.is_new(), draft.new_text.is_none()),
                    Err(error) => line.fail(error.to_string()),
                }
            }
        }
        Report { lines, notes: Vec::new(), dry_run: options.dry_run }
    }

    /// The new text of a file: `None` if it does not change, `Some(None)` if it is deleted.
    fn edit_text(&self, target: &Target, text: Option<&str>, task: Task, line: &mut Line) -> Option<Option<String>> {
        let mut state = match target.content.state(text) {
            Ok(state) => state,
            Err(error) => {
                line.refuse(S::Unreadable, error.to_string(), error.place());
                return None;
            }
        };
        let is_script = matches!(target.content, Content::Script { executable: true, .. });
        if state == S::Current && is_script && !self.files.is_executable(&target.path) {
            state = S::Outdated;
        }
        line.state = state;
        let edited = match (task, state) {
            (Task::Looking, _) => return None,
            (Task::Installing, S::Foreign) => {
                line.refuse(S::Foreign, "the entry there is not ours".to_owned(), None);
                return None;
            }
            (Task::Uninstalling, S::Foreign) => {
                line.problem = Some(("it is not ours, and stays".to_owned(), None));
                return None;
            }
            (Task::Installing, S::Absent | S::Outdated) => target.content.put(text).map(Some),
            (Task::Uninstalling, S::Current | S::Outdated) if line.shared_with.is_none() => {
                target.content.take(text.unwrap_or_default()).map(|after| match after {
                    After::Text(text) => Some(text),
                    After::Gone => self.left_of(target),
                })
            }
            _ => return None,
        };
        match edited {
            Ok(edited) => {
                line.action = if task == Task::Installing { Action::Changed } else { Action::Removed };
                Some(edited)
            }
            Err(error) => {
                line.refuse(S::Unreadable, error.to_string(), error.place());
                None
            }
        }
    }

    /// What remains of a file that is no longer needed: nothing, unless a link of the user leads to it.
    fn left_of(&self, target: &Target) -> Option<String> {
        let is_json = !matches!(target.content, Content::Server { format: config::Format::Toml, .. });
        let rest = if is_json { "{}\n" } else { "" };
        self.files.is_link(&target.path).then(|| rest.to_owned())
    }

    /// Another agent that reads the same entry and has hooks of ours.
    fn other_user(&self, target: &Target, options: &InstallOptions) -> Option<&'static str> {
        let shares = |agent: &&'static Agent| {
            let others = agent.rows.iter().filter(|row| row.part == Part::Mcp && row.scopes.contains(&target.scope));
            let mut others = others.filter_map(|row| self.place.target(agent, row, target.scope, self.files));
            agent.id != target.agent.id && others.any(|other| other.path == target.path)
        };
        let is_hooked = |agent: &&'static Agent| {
            let rows = agent.rows.iter().filter(|row| row.part == Part::Hooks);
            let targets = rows.flat_map(|row| row.scopes.iter().map(move |&scope| (row, scope)));
            let near = targets.filter(|(_, scope)| *scope == target.scope || *scope == Scope::Local);
            let mut near = near.filter_map(|(row, scope)| self.place.target(agent, row, scope, self.files));
            near.any(|hooks| {
                let opened = Drafts::new(self.files).open(&hooks.path, &hooks.root).ok().map(|draft| draft.clone());
                let text = opened.and_then(|draft| draft.old_text).map(|text| text.to_string());
                matches!(hooks.content.state(text.as_deref()), Ok(S::Current | S::Outdated))
            })
        };
        let staying = AGENTS.iter().filter(|agent| !options.agents.iter().any(|id| id == agent.id));
        staying.filter(shares).find(is_hooked).map(|agent| agent.id)
    }
}

/// The agents with these ids.
fn named(ids: &[String]) -> Result<Vec<&'static Agent>, UsageError> {
    if ids.is_empty() {
        return Err(UsageError::NoAgent);
    }
    let mut agents: Vec<&'static Agent> = Vec::new();
    for id in ids {
        let agent = AGENTS.iter().find(|agent| agent.id == id).ok_or_else(|| {
            let likeness = |known: &&'static str| (strsim::jaro_winkler(known, id) * 1000.0) as u32;
            let nearest = agents::ids().into_iter().max_by_key(likeness).filter(|known| likeness(known) > 800);
            UsageError::UnknownAgent { name: id.clone(), nearest }
        })?;
        if !agents.iter().any(|known| known.id == agent.id) {
            agents.push(agent);
        }
    }
    Ok(agents)
}

/// Whether an agent has anything that is requested.
fn fits(agent: &Agent, options: &InstallOptions) -> bool {
    let part = |row: &&Row| options.part.is_none_or(|part| part == row.part);
    agent.rows.iter().filter(part).any(|row| options.scope.is_none_or(|scope| row.scopes.contains(&scope)))
}

/// The usual form of a server's entry, for agents that are not known here.
pub fn generic(program: &str) -> String {
    let server = serde_json::json!({"mcpServers": {"cst": {"command": program, "args": ["mcp"]}}});
    let style = config::Style { unit: "  ".to_owned(), newline: "\n", compact: false };
    style.lines(&server, "")
}
