//! `agent`: connecting coding agents with `cst`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use serde_json::{Value, json};

use crate::agent::install::{
    AGENTS, Action, InstallOptions, Installer, Line, Part, Place, Report, Scope, Snippet, State, UsageError, generic,
    ids, variables,
};
use crate::engine::Disk;
use crate::request::EngineError;

use super::exit::Exit;
use super::failure::Failure;
use super::printer::{ADDED, ERROR, Format, NAME, PATH, Printer, QUIET, REMOVED};

/// Connects coding agents with cst: its MCP server, and hooks that report broken edits
///
/// Examples:
///   cst agent install claude-code              in this project's files
///   cst agent install codex gemini --dry-run   the diff of what would be written
///   cst agent install cursor --scope user      for all your projects
///   cst agent status                           what is installed where
///   cst agent uninstall claude-code            restores the files byte for byte
///
/// Exit status of install and uninstall: 0 done or nothing to do; 2 an error, or a file that cannot be
/// read or written, is not a valid config, or contains an entry of another program. The other files
/// are still changed.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment, subcommand_required = true, arg_required_else_help = true)]
pub(super) struct Agent {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// List the agents that cst knows, and which seem to be in use here
    List,
    /// Show what is installed where
    ///
    /// Prints `agent  scope  part  state  file` for each. States: absent; current; outdated (ours, but not as this version
    /// writes it); foreign (somebody else's entry); unreadable.
    Status {
        /// The agents; all of them without one
        #[arg(value_name = "AGENT")]
        agents: Vec<String>,
        #[command(flatten)]
        choice: Choice,
    },
    /// Add the MCP server and the hooks to the agents' configuration
    #[command(
        after_help = "Files of the project get the bare name `cst`, for everyone who has it on the PATH. Files of the user get \
                            the full path of the program."
    )]
    Install {
        /// The agents
        #[arg(value_name = "AGENT")]
        agents: Vec<String>,
        #[command(flatten)]
        choice: Choice,
        /// Show the diff and write nothing
        #[arg(long)]
        dry_run: bool,
        /// The program that the agents call
        #[arg(long, value_name = "PATH")]
        bin: Option<PathBuf>,
    },
    /// Remove what `install` added, and nothing else
    Uninstall {
        /// The agents
        #[arg(value_name = "AGENT")]
        agents: Vec<String>,
        #[command(flatten)]
        choice: Choice,
        /// Show the diff and write nothing
        #[arg(long)]
        dry_run: bool,
        /// The program that was given to `install`
        #[arg(long, value_name = "PATH")]
        bin: Option<PathBuf>,
    },
    /// Print what `install` would add, regardless of what is there
    ///
    /// For an agent that cst does not know, or none, prints what most agents understand.
    Print {
        /// The agents
        #[arg(value_name = "AGENT")]
        agents: Vec<String>,
        #[command(flatten)]
        choice: Choice,
        /// The program that the agents call
        #[arg(long, value_name = "PATH")]
        bin: Option<PathBuf>,
    },
}

/// Options that select files.
#[derive(Debug, Args)]
struct Choice {
    /// Files of the project (the default), of the user for all projects, or of the user for this project
    #[arg(long, value_name = "SCOPE", value_enum)]
    scope: Option<Whose>,
    /// Only the MCP server
    #[arg(long, conflicts_with = "hooks_only")]
    mcp_only: bool,
    /// Only the hooks
    #[arg(long)]
    hooks_only: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Whose {
    Project,
    User,
    Local,
}

impl Choice {
    fn options(&self, agents: Vec<String>, dry_run: bool) -> InstallOptions {
        let scope = self.scope.map(|whose| match whose {
            Whose::Project => Scope::Project,
            Whose::User => Scope::User,
            Whose::Local => Scope::Local,
        });
        let part = match (self.mcp_only, self.hooks_only) {
            (true, _) => Some(Part::Mcp),
            (_, true) => Some(Part::Hooks),
            _ => None,
        };
        InstallOptions { agents, scope, part, dry_run }
    }
}

impl Agent {
    pub(super) fn run(self, own: Option<PathBuf>, printer: &mut Printer) -> Result<Exit, Failure> {
        match self.command {
            Command::List => list(&Installer::new(&Disk, place(None, own)?), printer),
            Command::Status { agents, choice } => {
                let report =
                    Installer::new(&Disk, place(None, own)?).status(&choice.options(agents, false)).map_err(usage)?;
                status(&report, printer)
            }
            Command::Install { agents, choice, dry_run, bin } => {
                let report = Installer::new(&Disk, place(bin, own)?).install(&choice.options(agents, dry_run));
                done(&report.map_err(usage)?, printer)
            }
            Command::Uninstall { agents, choice, dry_run, bin } => {
                let report = Installer::new(&Disk, place(bin, own)?).uninstall(&choice.options(agents, dry_run));
                done(&report.map_err(usage)?, printer)
            }
            Command::Print { agents, choice, bin } => {
                let program = bin.as_ref().map_or("cst".to_owned(), |bin| bin.to_string_lossy().into_owned());
                let installer = Installer::new(&Disk, place(bin, own)?);
                print(&installer, &choice.options(agents, true), &program, printer)
            }
        }
    }
}

/// The place of the installation, from the process and its environment. `own` is what starts this program, if it is not the
/// process's.
fn place(bin: Option<PathBuf>, own: Option<PathBuf>) -> Result<Place, Failure> {
    let project = std::env::current_dir().map_err(|error| Failure::unreadable(".", &error))?;
    let set =
        |name| Some((name, std::env::var_os(name).map(PathBuf::from).filter(|path| !path.as_os_str().is_empty())?));
    let variables: BTreeMap<&'static str, PathBuf> = variables().filter_map(set).collect();
    let exact = bin.is_some();
    let program = match bin {
        // A bare name is looked up on the PATH when it is started.
        Some(bin) if bin.components().count() == 1 => bin,
        Some(bin) => project.join(bin),
        None => match own {
            Some(own) => own,
            None => std::env::current_exe().map_err(|error| Failure::unreadable("cst", &error))?,
        },
    };
    let home = std::env::home_dir().filter(|home| home.is_absolute());
    Ok(Place { project, home, variables, program, exact })
}

fn usage(wrong: UsageError) -> Failure {
    let hint = match &wrong {
        UsageError::UnknownAgent { nearest: Some(nearest), .. } => format!("did you mean `{nearest}`?"),
        UsageError::NoAgent | UsageError::UnknownAgent { .. } => format!("there are {}", ids().join(", ")),
        UsageError::NoScope { has, .. } => format!("say --scope {}", has.first().unwrap_or(&"user")),
        UsageError::NoHome => "set HOME".to_owned(),
    };
    EngineError::bad_request(wrong.to_string()).hint(hint).into()
}

fn list(installer: &Installer<'_>, printer: &mut Printer) -> Result<Exit, Failure> {
    let rows: Vec<Value> = AGENTS
        .iter()
        .map(|agent| {
            let (here, home) = installer.traces(agent);
            let scopes = |part| agent.scopes(part).into_iter().map(Scope::name).collect::<Vec<_>>();
            json!({
                "agent": agent.id, "name": agent.name, "mcp": scopes(Part::Mcp), "hooks": scopes(Part::Hooks),
                "in_project": here, "in_home": home,
            })
        })
        .collect();
    match printer.format() {
        Format::Json => printer.answer(&json!({ "agents": rows }))?,
        Format::JsonLines => rows.iter().try_for_each(|row| printer.json(row))?,
        Format::Text => {
            for agent in AGENTS {
                let used = match installer.traces(agent) {
                    (true, true) => "used here and by you",
                    (true, false) => "used here",
                    (false, true) => "used by you",
                    _ => "",
                };
                let id = printer.paint(NAME, format!("{:<11}", agent.id));
                let name = printer.paint(QUIET, format!("{:<14}", agent.name));
                let scopes = |part| agent.scopes(part).into_iter().map(Scope::name).collect::<Vec<_>>().join(",");
                let scopes = format!("mcp {:<18}  hooks {:<18}", scopes(Part::Mcp), scopes(Part::Hooks));
                let line = format!("{id}  {name}  {scopes}  {used}");
                printer.line(line.trim_end())?;
            }
        }
    }
    Ok(Exit::Done)
}

fn status(report: &Report, printer: &mut Printer) -> Result<Exit, Failure> {
    if printer.format() != Format::Text {
        return in_json(report, false, printer);
    }
    for line in &report.lines {
        let style = match line.state {
            State::Current => ADDED,
            State::Absent => QUIET,
            _ => REMOVED,
        };
        let state = printer.paint(style, format!("{:<10}", line.state.name()));
        let row = format!("{}  {state}  {}{}", front(line, printer), printer.link(&line.path), place_of(line));
        printer.line(row)?;
        problem(line, printer)?;
    }
    Ok(Exit::Done)
}

fn done(report: &Report, printer: &mut Printer) -> Result<Exit, Failure> {
    let exit = match (report.is_refused(), report.is_failed()) {
        (false, false) => Exit::Done,
        _ => Exit::Failed,
    };
    if printer.format() != Format::Text {
        in_json(report, true, printer)?;
        return Ok(exit);
    }
    for line in &report.lines {
        if let Some(diff) = line.diff.as_ref().filter(|_| report.dry_run) {
            printer.diff(diff)?;
        }
    }
    for line in &report.lines {
        let style = match line.action {
            Action::None => QUIET,
            Action::Refused | Action::Failed => REMOVED,
            _ => ADDED,
        };
        let word = if report.dry_run && line.action.writes() { "would be " } else { "" };
        let action = printer.paint(style, format!("{:<9}", format!("{word}{}", line.action.name())));
        let row = format!("{}  {action}  {}{}", front(line, printer), printer.link(&line.path), place_of(line));
        match report.dry_run {
            true => printer.note(row)?,
            false => printer.line(row)?,
        }
        problem(line, printer)?;
        if let Some(other) = line.shared_with {
            printer.note(format!("{}: kept, since {other} uses the same entry", line.path))?;
        }
    }
    for note in &report.notes {
        let label = printer.paint_error(NAME, "note");
        printer.note(format!("{label}: {note}"))?;
    }
    Ok(exit)
}

/// `agent  scope  part`
fn front(line: &Line, printer: &Printer) -> String {
    let agent = printer.paint(NAME, format!("{:<11}", line.agent));
    format!("{agent}  {:<7}  {:<5}", line.scope.name(), line.part.name())
}

/// `:LINE:COL` of a problem.
fn place_of(line: &Line) -> String {
    let place = line.problem.as_ref().and_then(|(_, place)| *place);
    place.map(|place| format!(":{place}")).unwrap_or_default()
}

fn problem(line: &Line, printer: &mut Printer) -> Result<(), Failure> {
    let Some((why, _)) = &line.problem else { return Ok(()) };
    let label = if line.action == Action::None { line.state.name() } else { line.action.name() };
    let label = printer.paint_error(ERROR, label);
    let path = printer.paint_error(PATH, format!("{}{}", line.path, place_of(line)));
    Ok(printer.problem(format!("{label}: {path}: {why}"))?)
}

fn in_json(report: &Report, acted: bool, printer: &mut Printer) -> Result<Exit, Failure> {
    let row = |line: &Line| {
        let mut row = json!({
            "agent": line.agent, "scope": line.scope.name(), "part": line.part.name(), "path": line.path,
            "file": line.file, "state": line.state.name(),
        });
        if acted {
            row["action"] = line.action.name().into();
        }
        if let Some((why, place)) = &line.problem {
            row["message"] = why.as_str().into();
            if let Some(place) = place {
                row["line"] = place.line.into();
                row["col"] = place.col().into();
            }
        }
        if let Some(other) = line.shared_with {
            row["kept_for"] = other.into();
        }
        if let Some(diff) = line.diff.as_ref().filter(|_| report.dry_run) {
            row["diff"] = diff.as_str().into();
        }
        row
    };
    let rows: Vec<Value> = report.lines.iter().map(row).collect();
    if printer.format() == Format::JsonLines {
        rows.iter().try_for_each(|row| printer.json(row))?;
        return Ok(Exit::Done);
    }
    let mut answer = json!({ "files": rows });
    if acted {
        let is_written = |line: &Line| line.diff.is_some() && line.action != Action::Failed;
        answer["written"] = (!report.dry_run && report.lines.iter().any(is_written)).into();
        answer["notes"] = report.notes.clone().into();
    }
    printer.answer(&answer)?;
    Ok(Exit::Done)
}

fn print(
    installer: &Installer<'_>,
    options: &InstallOptions,
    program: &str,
    printer: &mut Printer,
) -> Result<Exit, Failure> {
    let known = |id: &String| ids().contains(&id.as_str());
    let unknown: Vec<&String> = options.agents.iter().filter(|id| !known(id)).collect();
    let known: Vec<String> = options.agents.iter().filter(|id| known(id)).cloned().collect();
    let snippets = match known.len() {
        0 => Vec::new(),
        _ => installer.snippets(&InstallOptions { agents: known, ..options.clone() }).map_err(usage)?,
    };
    for id in &unknown {
        printer.note(format!("`{id}` is not known: this is what most agents understand"))?;
    }
    let is_generic = options.agents.is_empty() || !unknown.is_empty();
    let generic = is_generic.then(|| generic(program));
    let row = |snippet: &Snippet| json!({"agent": snippet.agent, "scope": snippet.scope.name(), "path": snippet.path, "text": snippet.text});
    match printer.format() {
        Format::Text => {
            for (number, snippet) in snippets.iter().enumerate() {
                if number > 0 {
                    printer.line("")?;
                }
                let path = printer.paint(PATH, &snippet.path);
                printer.line(format!("{path}:"))?;
                printer.text(&snippet.text)?;
            }
            if let Some(generic) = generic {
                printer.line(generic)?;
            }
        }
        _ => {
            let mut rows: Vec<Value> = snippets.iter().map(row).collect();
            rows.extend(
                generic.map(|text| json!({"agent": null, "scope": null, "path": null, "text": format!("{text}\n")})),
            );
            match printer.format() {
                Format::Json => printer.answer(&json!({ "files": rows }))?,
                _ => rows.iter().try_for_each(|row| printer.json(row))?,
            }
        }
    }
    Ok(Exit::Done)
}
