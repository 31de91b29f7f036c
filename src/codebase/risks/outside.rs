//! Members of the classes and interfaces of a language's standard library, by their names: `selectors/*/outside.txt`, made by
//! `benches/outside/members.py`. It is text that is searched as it is, so that it costs nothing where nobody asks.

use crate::language::library;
use crate::symbols::{Resolver, Site, View};
use crate::tree::Node;

/// Why a method has a meaning that the standard library gives it.
pub(super) const LIBRARY_METHOD: &str = "method of a library's interface";

/// How many classes are above one another at most.
const DEPTH: usize = 24;

/// Which members of a class are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asks {
    /// Those with a name, and those that it asks for by the beginning of their names: `test*`.
    AlsoByStart,
    /// Those with a name.
    ByName,
}

/// A class of a library.
struct Class<'l> {
    bases: Vec<&'l str>,
    members: &'l str,
}

impl Class<'_> {
    fn has(&self, member: &str, asks: Asks) -> bool {
        let is_it = |known: &str| match known.strip_suffix('*') {
            Some(start) => asks == Asks::AlsoByStart && member.starts_with(start),
            None => known == member,
        };
        self.members.split(' ').any(is_it)
    }
}

/// The line of a class, without its name.
fn line_of<'l>(library: &'l str, name: &str) -> Option<&'l str> {
    let (mut low, mut high) = (0, library.len());
    while low < high {
        let middle = low + (high - low) / 2;
        let start = library.as_bytes()[..middle].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let end =
            library.as_bytes()[start..].iter().position(|&byte| byte == b'\n').map_or(library.len(), |at| start + at);
        let line = &library[start..end];
        let (key, rest) = line.split_once(' ').unwrap_or((line, ""));
        match key.cmp(name) {
            std::cmp::Ordering::Equal => return Some(rest),
            std::cmp::Ordering::Less => low = end + 1,
            std::cmp::Ordering::Greater => high = start,
        }
    }
    None
}

fn class_of<'l>(library: &'l str, name: &str) -> Option<Class<'l>> {
    let line = line_of(library, name)?;
    if let Some(other) = line.strip_prefix("= ") {
        return Some(Class { bases: vec![other], members: "" });
    }
    let (bases, members) = line.split_once(':').unwrap_or((line, ""));
    let bases = bases.trim().trim_start_matches('<').split_whitespace().collect();
    Some(Class { bases, members: members.trim() })
}

/// Whether a class of a library, or one above it, has a member; `None` if that is not known.
fn has_member(library: &str, name: &str, member: &str, asks: Asks, depth: usize) -> Option<bool> {
    let class = class_of(library, name).filter(|_| depth > 0)?;
    if class.has(member, asks) {
        return Some(true);
    }
    let above = class.bases.iter().map(|base| has_member(library, base, member, asks, depth - 1));
    let above: Vec<Option<bool>> = above.collect();
    if above.contains(&Some(true)) { Some(true) } else { (!above.contains(&None)).then_some(false) }
}

impl Resolver<'_> {
    /// Whether a base of a class that is outside of the project has a member, or calls one of that name; `None` if that is not known.
    pub(super) fn outside_member(&self, view: &View<'_>, base: Node, member: &str, asks: Asks) -> Option<bool> {
        let rules = &view.rules.members;
        let library = library(&rules.library);
        // The language calls these by itself.
        if library.is_empty() || view.scopes.rules.is_special(member) {
            return None;
        }
        let names = self.outside_names(view, base);
        names
            .iter()
            .find(|name| line_of(library, name).is_some())
            .and_then(|name| has_member(library, name, member, asks, DEPTH))
    }

    /// The qualified names that a class outside of the project may have, the likeliest first.
    fn outside_names(&self, view: &View<'_>, base: Node) -> Vec<String> {
        let text = view.tree.node_text(base);
        let separator = match view.tree.language().spec().imports.separator.as_str() {
            "" => ".",
            separator => separator,
        };
        let dotted = |path: &str| path.trim_start_matches(separator).replace(separator, ".");
        let written = text.split(['[', '<', '(']).next().unwrap_or(&text).trim();
        let path = dotted(written);
        if written.starts_with(separator) {
            return vec![path];
        }
        let path = path.as_str();
        let (first, rest) = path.split_once('.').map_or((path, None), |(first, rest)| (first, Some(rest)));
        let join = |parts: &[&str]| {
            let parts: Vec<&str> = parts.iter().copied().filter(|part| !part.is_empty()).collect();
            parts.join(".")
        };
        let rest = rest.unwrap_or_default();
        let module = |source: &str| {
            let path = source.trim_matches(['"', '\'', '`']);
            let prefix = view.rules.members.library_prefix.as_deref().unwrap_or_default();
            dotted(path.strip_prefix(prefix).unwrap_or(path))
        };
        for (_, imported) in view.imports() {
            if imported.is_glob || imported.bound.as_deref() != Some(first) {
                continue;
            }
            let is_whole = view.rules.default_exports.name.as_deref() == Some(imported.name.as_str())
                || view.rules.module_words.whole.contains(&imported.name);
            let name = if is_whole { "" } else { &imported.name };
            let source = module(&imported.source);
            // `import a.b` binds `a`.
            let is_path = imported.alias.is_none() && name.starts_with(&format!("{first}."));
            return vec![if is_path { path.to_owned() } else { join(&[&source, &dotted(name), rest]) }];
        }
        if !view.rules.loaded_modules.calls.is_empty() {
            let required = self.required(view);
            let mut all = required.names.values().chain(&required.outside);
            let required = all.find(|required| view.tree.node_text(required.binder) == first);
            let bound = view.scopes.names(first);
            let writes = &view.tree.language().spec().flow.writes;
            let is_set = |name: Node| view.scopes.binds(name) || view.scopes.reaches(name, writes).is_some();
            let is_bound_once = bound.found.iter().filter(|found| is_set(found.name)).count() == 1;
            if let Some(required) = required.filter(|_| is_bound_once) {
                let source = module(&required.source);
                return vec![join(&[&source, required.member.as_deref().unwrap_or_default(), rest])];
            }
        }
        // What the file binds otherwise is none of the library's.
        let is_bound = view.scopes.names(first).found.iter().any(|found| found.does.is_binding());
        // Nor is a name in a package, where the language looks for it in that one alone.
        let is_of_package = view.rules.namespaces.own_classes && !self.namespace_of(view, base).is_empty();
        if is_bound || is_of_package {
            return Vec::new();
        }
        let implied = view.rules.members.implied.iter().map(|implied| join(&[implied, path]));
        let globs = view.globs().iter().map(|(_, glob)| join(&[&module(&glob.source), &glob.glob_path, path]));
        implied.chain(globs).chain([path.to_owned()]).collect()
    }

    /// Whether a method is one of an interface of the standard library, of which its class has all methods, in a language where that is
    /// enough to implement it.
    pub(super) fn implements_outside(&self, view: &View<'_>, site: Site) -> bool {
        let rules = &view.rules.members;
        if !rules.fits_library {
            return false;
        }
        let library = library(&rules.library);
        let name = view.tree.node_text(site.name);
        let mut class = None;
        library.lines().any(|line| {
            let Some((head, members)) = line.split_once(" : ") else { return false };
            if !members.split(' ').any(|member| member == name) {
                return false;
            }
            let Some(class) = *class.get_or_insert_with(|| self.class_of_member(site)) else { return false };
            let has = |member: &&str| *member == name || self.found_member(class, *member).is_some();
            let (all, own) = (members.split(' ').count(), members.split(' ').filter(has).count());
            // A type from outside that it embeds may have the others.
            let has_all = own == all || own > 1 && !self.superclasses(class).1;
            has_all && (members.contains(' ') || self.may_reach(rules.everywhere.as_slice(), head))
        })
    }

    /// Whether a project may use an interface of the library: its package is used everywhere, or one of its files has the package's name.
    fn may_reach(&self, everywhere: &[String], interface: &str) -> bool {
        let package = interface.rsplit_once('.').map_or("", |(package, _)| package);
        let word = package.rsplit('/').next().unwrap_or(package);
        package.is_empty()
            || everywhere.iter().any(|known| known == package)
            || self.project().ids().any(|file| self.may_contain(file, word))
    }
}
