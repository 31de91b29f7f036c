//! Sets of globs for the names and paths of files: `*` ends at a `/`, `**` does not.

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

/// Globs that are matched together.
#[derive(Debug, Clone)]
pub struct Globs(GlobSet);

impl Globs {
    /// A set of globs, numbered in their order. An invalid glob matches nothing.
    pub fn new<'g>(globs: impl IntoIterator<Item = &'g str>) -> Globs {
        let mut set = GlobSetBuilder::new();
        for glob in globs {
            let glob = GlobBuilder::new(glob).literal_separator(true).build();
            // An unclosed class takes the number of the glob and matches no path: a path has no NUL.
            set.add(glob.unwrap_or_else(|_| globset::Glob::new("\0").expect("a plain character")));
        }
        Globs(set.build().unwrap_or_else(|_| GlobSet::empty()))
    }

    /// A set of globs in which `*` does not end at a `/`, each with whether upper and lower case are the same for it.
    pub fn crossing<'g>(globs: impl IntoIterator<Item = (&'g str, bool)>) -> Globs {
        let mut set = GlobSetBuilder::new();
        for (glob, ignores_case) in globs {
            if let Ok(glob) = GlobBuilder::new(glob).case_insensitive(ignores_case).build() {
                set.add(glob);
            }
        }
        Globs(set.build().unwrap_or_else(|_| GlobSet::empty()))
    }

    /// Whether one of the globs matches a path.
    pub fn matches(&self, path: &str) -> bool {
        self.0.is_match(path)
    }

    /// The number of the first glob that matches a path.
    pub fn first(&self, path: &str) -> Option<usize> {
        self.0.matches(path).into_iter().min()
    }
}
