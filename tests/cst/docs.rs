//! The documentation is true: its selectors resolve, its commands exist, its links lead somewhere.

use std::path::{Path, PathBuf};

use cst::language::Language;
use cst::script::{Expected, Script};
use cst::selector::{Definitions, Query, Selector};
use cst::tree::ParseLimits;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// README, changelog and what lies in `docs/`.
pub fn documents() -> Vec<(PathBuf, String)> {
    let mut paths = vec![root().join("README.md"), root().join("CHANGELOG.md")];
    let docs = std::fs::read_dir(root().join("docs")).expect("there is a docs folder");
    let docs = docs.map(|entry| entry.expect("the folder is readable").path());
    paths.extend(docs.map(|path| if path.is_dir() { path.join("README.md") } else { path }));
    paths.sort();
    paths.into_iter().map(|path| (path.clone(), std::fs::read_to_string(path).expect("it is text"))).collect()
}

/// The lines of the fenced blocks of that name.
fn fenced<'a>(text: &'a str, name: &str) -> Vec<&'a str> {
    let mut lines = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        match line.strip_prefix("```") {
            Some(word) => inside = !inside && word == name,
            None if inside && !line.trim().is_empty() => lines.push(line),
            None => {}
        }
    }
    lines
}

#[test]
fn every_selector_is_one() {
    let python = Language::named("python").expect("python is built in");
    let mut count = 0;
    for (path, text) in documents() {
        for source in fenced(&text, "selector") {
            let selector = Selector::parse(source).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            Query::new(&selector, python, &Definitions::default())
                .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            count += 1;
        }
    }
    assert!(count > 40, "only {count} selectors were found in the documentation");
}

/// The selectors in the first column of the README's table.
#[test]
fn so_is_every_selector_of_the_readme() {
    let python = Language::named("python").expect("python is built in");
    let readme = std::fs::read_to_string(root().join("README.md")).expect("it is text");
    let table = readme.split("## Selectors").nth(1).and_then(|rest| rest.split("\n## ").next()).unwrap_or_default();
    let rows = table.lines().filter_map(|line| line.strip_prefix("| `")?.split_once("` |"));
    let sources: Vec<&str> = rows.map(|(source, _)| source).collect();
    assert!(sources.len() > 10, "{sources:?}");
    for source in sources {
        let selector = Selector::parse(source).unwrap_or_else(|error| panic!("README.md: {error}"));
        Query::new(&selector, python, &Definitions::default()).unwrap_or_else(|error| panic!("README.md: {error}"));
    }
}

/// The fenced blocks that are named by these words, each as a whole.
fn blocks(text: &str, words: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut open: Option<String> = None;
    for line in text.lines() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some(found), None) if found == words => open = Some(String::new()),
            (None, Some(block)) => block.push_str(&format!("{line}\n")),
            _ => {}
        }
    }
    blocks
}

#[test]
fn every_script_is_one_and_passes_its_tests() {
    let page = |name: &str| std::fs::read_to_string(root().join(name)).expect("it is text");
    let page = page("docs/scripts.md") + &page("docs/tutorial.md");
    let steps = blocks(&page, "toml step").into_iter();
    let steps = steps.map(|step| format!("name = 's'\nlanguage = 'python'\n[[step]]\n{step}"));
    let scripts = blocks(&page, "toml");
    let mut count = 0;
    for source in scripts.iter().cloned().chain(steps) {
        let script = Script::read(&source).unwrap_or_else(|error| panic!("{error} in\n{source}"));
        for &language in &script.languages {
            script.plan(language, &Definitions::default()).unwrap_or_else(|error| panic!("{error} in\n{source}"));
        }
        for test in &script.tests {
            let plan = script.plan(test.language, &Definitions::default()).expect("it is planned for every language");
            let expected = test.after.as_deref().map_or(Expected::Nothing, Expected::Text);
            let verdict = test.verdict(&plan, expected, &ParseLimits::default());
            assert!(verdict.complaints.is_empty(), "{}: {:#?}", test.name, verdict.complaints);
            count += 1;
        }
    }
    assert!(scripts.len() >= 5 && count >= 9, "{} scripts with {count} tests", scripts.len());
}

/// The anchors of a page's headings, as GitHub makes them.
fn anchors(text: &str) -> Vec<String> {
    let mut is_code = false;
    let is_text = |line: &&str| {
        is_code ^= line.trim_start().starts_with("```");
        !is_code
    };
    let headings = text.lines().filter(is_text).filter(|line| line.starts_with('#'));
    let anchor = |line: &str| {
        let kept = line.trim_start_matches('#').trim().to_lowercase();
        let kept = kept.chars().filter(|&sign| sign.is_alphanumeric() || matches!(sign, '-' | '_' | ' '));
        kept.map(|sign| if sign == ' ' { '-' } else { sign }).collect()
    };
    headings.map(anchor).collect()
}

#[test]
fn every_link_leads_somewhere() {
    let mut count = 0;
    for (path, text) in documents() {
        for target in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let (page, anchor) = target.split_once('#').unwrap_or((target, ""));
            if page.starts_with("http") {
                continue;
            }
            let file = if page.is_empty() { path.clone() } else { path.parent().expect("a folder").join(page) };
            assert!(file.exists(), "{}: no `{page}`", path.display());
            if !anchor.is_empty() {
                let linked = std::fs::read_to_string(&file).expect("a page is text");
                assert!(anchors(&linked).iter().any(|found| found == anchor), "{}: no `{target}`", path.display());
                count += 1;
            }
        }
    }
    assert!(count > 60, "only {count} links to headings were found");
}

/// The selectors and patterns of the `cst find` and `cst explain` commands in the documentation and the help texts. Those that
/// are shown with an error have one.
#[test]
fn every_command_that_finds_something_runs() {
    let commands = regex::Regex::new(r"\bcst (?:find|explain) (?:\S+ )*?(-p |--pattern |--define )?'([^']*)'").unwrap();
    let mut texts: Vec<(PathBuf, String)> = documents();
    let helps = std::fs::read_dir(root().join("snapshots")).expect("there are snapshots");
    let helps = helps.map(|entry| entry.expect("the folder is readable").path());
    let is_help = |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("help"));
    texts.extend(helps.filter(is_help).map(|path| (path.clone(), std::fs::read_to_string(path).expect("it is text"))));
    let mut count = 0;
    for (path, text) in &texts {
        let after = text.lines().skip(1).chain([""]);
        let lines = text.lines().zip(after);
        for (found, next) in lines.filter_map(|(line, next)| Some((commands.captures(line)?, next))) {
            let source = match found.get(1).map(|option| option.as_str()) {
                Some("--define ") => continue,
                Some(_) => cst::selector::like(&found[2]),
                None => found[2].to_owned(),
            };
            let selector = Selector::parse(&source).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            let resolves = |language: &'static Language| {
                Definitions::of(language).is_ok_and(|named| Query::new(&selector, language, named).is_ok())
            };
            let resolved = Language::all().iter().any(|&language| resolves(language));
            assert_eq!(resolved, !next.starts_with("error: "), "{}: `{source}`", path.display());
            count += 1;
        }
    }
    assert!(count > 20, "only {count} commands were found");
}

/// The paths below a folder, without what is built.
fn paths_below(folder: &Path, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("readable").path()) {
        match entry.is_dir() {
            true => paths_below(&entry, found),
            false => found.push(entry.to_string_lossy().replace('\\', "/")),
        }
    }
}

#[test]
fn every_file_that_the_architecture_names_exists() {
    let mut paths = Vec::new();
    ["src", "selectors", "grammar", "tests/cst", "benches"]
        .iter()
        .for_each(|folder| paths_below(&root().join(folder), &mut paths));
    let page = std::fs::read_to_string(root().join("docs/ARCHITECTURE.md")).expect("it is text");
    let names = regex::Regex::new(r"`([a-z_/]+\.(?:rs|py))`").unwrap();
    let mut count = 0;
    for name in names.captures_iter(&page).map(|found| found[1].to_owned()) {
        let ending = format!("/{name}");
        assert!(paths.iter().any(|path| path.ends_with(&ending)), "docs/ARCHITECTURE.md: no `{name}`");
        count += 1;
    }
    assert!(count > 80, "only {count} files were found");
}
