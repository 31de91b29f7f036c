//! Findings that are known already: a file with the fingerprint of each, and how often it occurs in its file.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::engine::core::Begun;
use crate::limits;
use crate::request::FindingRow;
use crate::request::error::EngineError;

/// The known findings.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Baseline {
    schema: u32,
    findings: Vec<Known>,
}

/// A known finding.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Known {
    rule: String,
    path: String,
    fingerprint: String,
    count: usize,
}

type Counts = BTreeMap<(String, String, String), usize>;

fn key_of(finding: &FindingRow) -> (String, String, String) {
    (finding.path.clone().unwrap_or_default(), finding.rule.clone(), finding.fingerprint.clone())
}

impl Baseline {
    /// All findings that comments do not silence.
    pub fn of(findings: &[FindingRow]) -> Baseline {
        let mut counts = Counts::new();
        for finding in findings.iter().filter(|finding| !finding.suppressed) {
            *counts.entry(key_of(finding)).or_default() += 1;
        }
        Baseline::from_counts(counts)
    }

    fn from_counts(counts: Counts) -> Baseline {
        let known = |((path, rule, fingerprint), count): ((String, String, String), usize)| Known {
            rule,
            path,
            fingerprint,
            count,
        };
        Baseline { schema: 1, findings: counts.into_iter().map(known).collect() }
    }

    fn counts(&self) -> Counts {
        let entry = |known: &Known| ((known.path.clone(), known.rule.clone(), known.fingerprint.clone()), known.count);
        self.findings.iter().map(entry).collect()
    }

    /// Marks the findings that it has, and returns it without those that are gone.
    pub fn mark(&self, findings: &mut [FindingRow]) -> Baseline {
        let mut left = self.counts();
        let mut met = Counts::new();
        for finding in findings.iter_mut().filter(|finding| !finding.suppressed) {
            let key = key_of(finding);
            if let Some(count) = left.get_mut(&key).filter(|count| **count > 0) {
                *count -= 1;
                finding.known = true;
                *met.entry(key).or_default() += 1;
            }
        }
        Baseline::from_counts(met)
    }

    /// How many findings it has.
    pub fn len(&self) -> usize {
        self.findings.iter().map(|known| known.count).sum()
    }
}

impl Begun<'_> {
    /// Reads a baseline.
    ///
    /// # Errors
    /// If the file is missing, or is not a baseline.
    pub(super) fn read_baseline(&self, path: &str) -> Result<Baseline, EngineError> {
        let absolute = self.absolute(Path::new(path));
        let bytes =
            self.files().read(&absolute, limits::BASELINE_BYTES).map_err(|error| self.unreadable(&absolute, &error))?;
        serde_json::from_slice(&bytes).map_err(|error| {
            let mut refused = EngineError::bad_request(format!("`{path}` is not a baseline: {error}")).path(path);
            refused.details.line = Some(error.line());
            refused.hint("write it anew")
        })
    }

    /// Writes a baseline.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(super) fn write_baseline(&self, path: &str, baseline: &Baseline) -> Result<(), EngineError> {
        let absolute = self.absolute(Path::new(path));
        let mut text = serde_json::to_string_pretty(baseline).unwrap_or_default();
        text.push('\n');
        let written = || {
            if let Some(folder) = absolute.parent() {
                self.files().create_dir_all(folder)?;
            }
            self.files().replace(&absolute, text.as_bytes(), &|_| Ok(()))
        };
        written().map_err(|error: std::io::Error| self.unwritable(&absolute, &error))
    }
}
