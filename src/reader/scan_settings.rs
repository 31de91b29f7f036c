//! The settings of a project for scans: `[scan]` in the nearest `.cst/config.toml`.
//!
//! ```toml
//! [scan]
//! packs = ["quality", "python"]
//! rules = ["tools/rules"]
//! fail_on = "warning"
//! after_edits = true
//!
//! [scan.severity]
//! "python/mutable-default" = "error"
//! "quality/*" = "hint"
//!
//! [[scan.paths]]
//! files = ["tests/**"]
//! severity = { "security/*" = "off" }
//! ```
//!
//! It names no program, so it counts whether the project is trusted or not.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::limits;
use crate::project::Globs;
use crate::reader::configuration::CONFIGURATION;
use crate::reader::core::Reader;
use crate::request::Severity;
use crate::request::error::EngineError;
use crate::text::Text;

/// A file of configuration, as far as scans read it.
#[derive(Debug, Default, Deserialize)]
struct File {
    scan: Option<Table>,
}

/// The table `[scan]`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Table {
    packs: Vec<String>,
    rules: Vec<String>,
    fail_on: Option<Severity>,
    after_edits: bool,
    severity: BTreeMap<String, Severity>,
    paths: Vec<PathTable>,
}

/// A table of `[[scan.paths]]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PathTable {
    files: Vec<String>,
    severity: BTreeMap<String, Severity>,
}

/// The settings of a scan.
#[derive(Debug, Default)]
pub(crate) struct ScanSettings {
    /// Shipped packs.
    pub packs: Vec<String>,
    /// Files and folders of rules, absolute.
    pub rules: Vec<PathBuf>,
    /// The lowest severity that makes a scan fail.
    pub fail_on: Option<Severity>,
    /// Whether coding agents are answered with the findings that their edits cause.
    #[cfg_attr(not(feature = "cli"), expect(dead_code, reason = "only agents' hooks need it"))]
    pub after_edits: bool,
    severity: Vec<Override>,
    paths: Vec<PathOverrides>,
}

/// Another severity for some rules.
#[derive(Debug)]
struct Override {
    name: String,
    globs: Globs,
    severity: Severity,
}

/// Other severities in some files.
#[derive(Debug)]
struct PathOverrides {
    files: Globs,
    severity: Vec<Override>,
}

impl ScanSettings {
    /// The severity that is configured for a rule, in a file if one is given. An exact name goes before one with `*`.
    pub fn severity_of(&self, rule: &str, path: Option<&str>) -> Option<Severity> {
        let of_path = path.and_then(|path| {
            let matching = self.paths.iter().rev().filter(|overrides| overrides.files.matches(path));
            matching.filter_map(|overrides| pick(&overrides.severity, rule)).next()
        });
        of_path.or_else(|| pick(&self.severity, rule))
    }

    /// Whether a rule is on in some files.
    pub fn may_switch_on(&self, rule: &str) -> bool {
        let is_on =
            |overrides: &PathOverrides| pick(&overrides.severity, rule).is_some_and(|found| found != Severity::Off);
        self.paths.iter().any(is_on)
    }
}

fn pick(overrides: &[Override], rule: &str) -> Option<Severity> {
    let exact = overrides.iter().find(|one| one.name == rule);
    let pattern = || overrides.iter().rev().find(|one| one.globs.matches(rule));
    exact.or_else(pattern).map(|one| one.severity)
}

fn overrides(table: BTreeMap<String, Severity>) -> Vec<Override> {
    let read = |(name, severity): (String, Severity)| {
        // A name without its pack is good for every pack.
        let any = format!("*/{name}");
        Override { globs: Globs::new([name.as_str(), any.as_str()]), name, severity }
    };
    table.into_iter().map(read).collect()
}

impl Reader {
    /// The settings of a scan: those of a file that is named, or of the nearest configuration that has some.
    ///
    /// # Errors
    /// If the file is missing, is not TOML, or has an unknown key.
    pub(crate) fn scan_settings(&self, named: Option<&str>) -> Result<ScanSettings, EngineError> {
        if let Some(named) = named {
            return Ok(self.settings_in(&self.absolute(Path::new(named)), true)?.unwrap_or_default());
        }
        for folder in self.folders_of_project(&self.host.working_directory) {
            if let Some(found) = self.settings_in(&folder.join(CONFIGURATION), false)? {
                return Ok(found);
            }
        }
        Ok(ScanSettings::default())
    }

    fn settings_in(&self, path: &Path, is_needed: bool) -> Result<Option<ScanSettings>, EngineError> {
        let bytes = match self.files().read(path, limits::CONFIGURATION_BYTES) {
            Ok(bytes) => bytes,
            Err(error) if !is_needed && error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(self.unreadable(path, &error)),
        };
        let shown = self.shown(path);
        let Ok(source) = std::str::from_utf8(&bytes) else {
            return Err(EngineError::bad_request("the configuration is written in UTF-8").path(shown));
        };
        let file: File = toml::from_str(source).map_err(|error| {
            let text = Text::new(source);
            let line = text.line_at(error.span().map_or(0, |span| span.start).min(text.len()));
            let message = error.message().trim_end_matches('.').lines().next().unwrap_or_default().to_owned();
            let mut wrong = EngineError::bad_request(format!("{message} in line {line} of `{shown}`")).path(&shown);
            wrong.details.line = Some(line);
            wrong
        })?;
        // A folder `.cst` lies in the folder that its paths are seen from.
        let folder =
            path.parent().filter(|folder| folder.file_name().is_some_and(|name| name == ".cst")).and_then(Path::parent);
        let folder = folder.or(path.parent()).unwrap_or(Path::new("")).to_owned();
        Ok(file.scan.map(|table| ScanSettings {
            packs: table.packs,
            after_edits: table.after_edits,
            rules: table.rules.iter().map(|rule| folder.join(rule)).collect(),
            fail_on: table.fail_on,
            severity: overrides(table.severity),
            paths: table
                .paths
                .into_iter()
                .map(|paths| {
                    let spelled: Vec<String> =
                        paths.files.iter().flat_map(|glob| [glob.clone(), format!("**/{glob}")]).collect();
                    PathOverrides {
                        files: Globs::new(spelled.iter().map(String::as_str)),
                        severity: overrides(paths.severity),
                    }
                })
                .collect(),
        }))
    }
}
