//! How a project wants its imports to be sorted and written.

/// The sections of a file's imports, in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Section {
    /// What must come first.
    Future,
    /// Modules of the standard library.
    Standard,
    /// Packages of others.
    ThirdParty,
    /// Modules of the project.
    FirstParty,
    /// Paths from the file itself.
    Local,
}

impl Section {
    /// All, in their usual order.
    pub const ALL: [Section; 5] =
        [Section::Future, Section::Standard, Section::ThirdParty, Section::FirstParty, Section::Local];

    /// The section with a name, as tools for several languages write it.
    pub fn named(name: &str) -> Option<Section> {
        let plain: String = name.chars().filter(char::is_ascii_alphabetic).collect::<String>().to_lowercase();
        Some(match plain.as_str() {
            "future" => Section::Future,
            "standardlibrary" | "stdlib" => Section::Standard,
            "thirdparty" => Section::ThirdParty,
            "firstparty" => Section::FirstParty,
            "localfolder" => Section::Local,
            _ => return None,
        })
    }
}

/// How imports are sorted and written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportStyle {
    /// Whether the project says how imports are sorted; otherwise the file's own order counts, if it has one.
    pub is_configured: bool,
    /// Whether every statement is written anew; otherwise only those that change.
    pub is_rewriting: bool,
    /// Whether statements are not sorted, because the project sorts them in a way that is not supported.
    pub keeps_order: bool,
    /// The longest line, in characters.
    pub line_length: usize,
    /// The order of the sections.
    pub sections: Vec<Section>,
    /// The section of modules for which nothing else is known.
    pub default_section: Section,
    /// Modules and packages that belong to a section, whatever else is known of them.
    pub known: Vec<(Section, String)>,
    /// Sections without a blank line before them.
    pub joined: Vec<Section>,
    /// Modules that come first in their sections.
    pub to_top: Vec<String>,
    /// Whether there are no sections.
    pub has_no_sections: bool,
    /// Whether `import a` and `from a import b` are sorted together.
    pub mixes_kinds: bool,
    /// Whether `from a import b` comes before `import a`.
    pub from_first: bool,
    /// Whether constants come before classes, and these before other names.
    pub by_type: bool,
    /// Whether capital letters come before small ones in the names of modules.
    pub by_case: bool,
    /// The same for the names of a statement.
    pub names_by_case: bool,
    /// Whether each name has a statement of its own.
    pub one_each: bool,
    /// Whether names with an alias share a statement with others.
    pub combines_aliases: bool,
    /// Whether a list with a comma at the end stays on several lines.
    pub keeps_trailing_comma: bool,
    /// Whether lists with an alias are written on several lines.
    pub wraps_aliases: bool,
    /// Whether relative imports of near folders come first.
    pub nearest_first: bool,
    /// Whether relative paths come after all others, where there are no sections.
    pub relative_last: bool,
    /// How many blank lines are between the two kinds of statements in a section.
    pub lines_between_kinds: usize,
    /// How many blank lines are below the imports of a file, where statements are written anew; otherwise two above a definition and
    /// one above other code.
    pub lines_below: Option<usize>,
}

impl ImportStyle {
    /// The style of a project that says nothing.
    pub fn plain(line_length: usize) -> ImportStyle {
        ImportStyle {
            is_configured: false,
            is_rewriting: false,
            keeps_order: false,
            line_length,
            sections: Section::ALL.to_vec(),
            default_section: Section::ThirdParty,
            known: Vec::new(),
            joined: Vec::new(),
            to_top: Vec::new(),
            has_no_sections: false,
            mixes_kinds: false,
            from_first: false,
            by_type: true,
            by_case: false,
            names_by_case: false,
            one_each: false,
            combines_aliases: false,
            keeps_trailing_comma: true,
            wraps_aliases: false,
            nearest_first: false,
            relative_last: false,
            lines_between_kinds: 0,
            lines_below: None,
        }
    }

    /// The section that the project gives to a module; its longest known package counts.
    pub fn known_section(&self, module: &str) -> Option<Section> {
        let fits = |pattern: &str| {
            let pattern = pattern.trim_end_matches(".*");
            match pattern.strip_suffix('*') {
                Some(start) => module.starts_with(start),
                None => module == pattern || module.strip_prefix(pattern).is_some_and(|rest| rest.starts_with('.')),
            }
        };
        let known = self.known.iter().filter(|(_, pattern)| fits(pattern));
        known.max_by_key(|(_, pattern)| pattern.len()).map(|&(section, _)| section)
    }

    /// The place of a section.
    pub fn rank(&self, section: Section) -> usize {
        if self.has_no_sections {
            return usize::from(section != Section::Future);
        }
        self.sections.iter().position(|&other| other == section).unwrap_or(self.sections.len())
    }
}
