//! Rules of the project that the compiler does not check: module layers, homes of outside crates, file names.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use cst::language::{Language, taxonomy};
use regex::Regex;

/// The layers from the bottom up; a module uses those of lower layers and none of its own.
const LAYERS: &[&[&str]] = &[
    &["interrupt", "limits", "locks", "naming"],
    &["text", "language"],
    &["tree"],
    &["scopes"],
    &["metrics", "duplicates"],
    &["selector"],
    &["edit", "tree_query", "inspect"],
    &["outline", "script", "project"],
    &["index", "facts", "modules", "scip", "rule"],
    &["symbols", "embedding"],
    &["risks", "database"],
    &["request"],
    &["store"],
    &["reader"],
    &["workspace"],
    &["question"],
    &["flow", "gates", "imports"],
    &["transfer"],
    &["refactor"],
    &["engine"],
    &["serve", "agent"],
    &["cli"],
];

/// Outside crates, and the only places that may name them.
const HOMES: &[(&str, &[&str])] = &[
    ("ropey", &["text/"]),
    ("similar", &["text/"]),
    ("encoding_rs", &["text/"]),
    ("pest", &["selector/parse.rs"]),
    ("cst_grammar", &["selector/parse.rs"]),
    ("cst_languages", &["language/"]),
    (
        "tree_sitter",
        &[
            "language/",
            "tree/parse.rs",
            "tree/rescue.rs",
            "tree/same_length.rs",
            "tree/table.rs",
            "tree/comment_runs.rs",
            "tree_query/",
        ],
    ),
    ("tree_sitter_language", &["language/"]),
    ("bpe_openai", &["outline/chunk/count.rs"]),
    ("unicode_segmentation", &["outline/chunk/"]),
    (
        "toml",
        &[
            "language/",
            "outline/",
            "selector/",
            "script/",
            "reader/configuration.rs",
            "reader/project_settings.rs",
            "reader/scan_settings.rs",
            "agent/install/config/tables.rs",
        ],
    ),
    ("schemars", &["engine/", "request/", "reader/", "naming.rs"]),
    ("serde_path_to_error", &["engine/"]),
    ("tokenizers", &["embedding/folder.rs"]),
    ("safetensors", &["embedding/weights.rs"]),
    ("half", &["embedding/weights.rs"]),
    ("ndarray", &["embedding/bert.rs", "embedding/weights.rs"]),
    ("ureq", &["embedding/endpoint.rs"]),
    ("lsp_types", &["reader/language_server.rs"]),
    ("rusqlite", &["store/", "database/"]),
    ("ignore", &["project/files/"]),
    ("globset", &["project/globs.rs"]),
    ("saphyr_parser", &["rule/ast_grep/yaml.rs"]),
    ("heck", &["edit/template.rs", "rule/ast_grep/texts.rs", "imports/settings.rs", "refactor/"]),
    ("shlex", &["reader/configuration.rs"]),
    ("etcetera", &["cli/folders.rs"]),
    ("toml_edit", &["agent/install/config/tables.rs"]),
    ("xattr", &["project/files/"]),
    ("libloading", &["language/library.rs"]),
    ("regex_syntax", &["selector/", "language/lazy_regex"]),
    ("aho_corasick", &["project/prefilter.rs"]),
    ("memmap2", &["index/mapped.rs"]),
    ("xxhash_rust", &["index/"]),
    ("rustix", &["reader/programs.rs", "project/files/"]),
    ("mimalloc", &["allocator.rs"]),
    ("base64", &["serve/pipe.rs"]),
    ("getrandom", &["serve/ui/guard.rs"]),
    ("tiny_http", &["serve/ui/"]),
    ("sha2", &["agent/hook/"]),
    ("clap", &["cli/", "request/refactor.rs"]),
    ("clap_complete", &["cli/"]),
    ("clap_mangen", &["cli/"]),
    ("indicatif", &["cli/"]),
    ("signal_hook", &["cli/"]),
    ("quick_xml", &["cli/"]),
    ("tracing", &["engine/", "reader/", "workspace/", "project/"]),
    ("tracing_subscriber", &["cli/"]),
    ("anstream", &["cli/"]),
    ("anstyle", &["cli/"]),
];

/// The folders of `src` that are packages of their own. The modules in them are modules of the program like the others.
const PACKAGES: &[&str] = &["syntax/", "codebase/"];

/// A file of the project's own code.
struct Source {
    /// Seen from the folder of its package, with `/`.
    path: String,
    /// Seen from the project, with `/`.
    place: String,
    /// Its lines, comments left out.
    code: Vec<(usize, String)>,
}

impl Source {
    fn module(&self) -> &str {
        self.path.split(['/', '.']).next().unwrap_or_default()
    }

    /// Every match of a pattern in the code, with its place.
    fn find<'a>(&'a self, pattern: &'a Regex) -> impl Iterator<Item = (String, String)> + 'a {
        let places = self.code.iter().flat_map(|(number, line)| {
            pattern.captures_iter(line).map(move |captures| {
                let found = captures.iter().flatten().last().map_or("", |group| group.as_str());
                (format!("{}:{number}", self.place), found.to_owned())
            })
        });
        places.collect::<Vec<_>>().into_iter()
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All files below a folder that end in `.rs`, in order.
fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        for entry in entries {
            let path = entry.expect("the folder is readable").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

fn sources() -> &'static [Source] {
    static SOURCES: OnceLock<Vec<Source>> = OnceLock::new();
    SOURCES.get_or_init(read_sources)
}

fn read_sources() -> Vec<Source> {
    let source = root().join("src");
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).expect("source is utf-8");
        let code = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim_start()));
        let code = code.filter(|(_, line)| !line.starts_with("//")).map(|(number, line)| (number, line.to_owned()));
        let path = path.strip_prefix(&source).expect("it lies in src").to_string_lossy().replace('\\', "/");
        let place = format!("src/{path}");
        let path = PACKAGES.iter().find_map(|package| path.strip_prefix(package)).unwrap_or(&path).to_owned();
        Source { path, place, code: code.collect() }
    };
    let sources: Vec<Source> = rust_files(&source).into_iter().map(read).collect();
    assert!(sources.len() > 20, "src was not found");
    sources
}

fn pattern(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the pattern is well-formed")
}

/// Fails with all that is wrong, not only the first.
fn none(what: &str, mut wrong: Vec<String>) {
    wrong.sort();
    assert!(wrong.is_empty(), "{what}:\n  {}", wrong.join("\n  "));
}

#[test]
fn modules_use_only_what_stands_below() {
    let layers: BTreeMap<&str, usize> = LAYERS
        .iter()
        .enumerate()
        .flat_map(|(layer, modules)| modules.iter().map(move |&module| (module, layer)))
        .collect();
    let path = pattern(r"(?:^|[^$])(?-u:\b)(?:crate|cst)::([a-z_]+)");
    let groups = pattern(r"(crate::\{)");
    let mut wrong = Vec::new();
    for source in sources().iter().filter(|source| !["lib", "main", "allocator"].contains(&source.module())) {
        let Some(&layer) = layers.get(source.module()) else {
            wrong.push(format!("{} has no layer", source.place));
            continue;
        };
        for (place, used) in source.find(&path) {
            let allowed = used == source.module() || layers.get(used.as_str()).is_some_and(|&below| below < layer);
            if !allowed {
                wrong.push(format!("{place}: `{}` uses `{used}`", source.module()));
            }
        }
        // Other ways up to the crate's root would go unseen.
        let depth = source.path.matches('/').count() - usize::from(source.path.ends_with("/mod.rs"));
        let climb = pattern(&format!("({})", "super::".repeat(depth + 1)));
        let inner_modules = source.code.iter().any(|(_, line)| line.starts_with("mod ") && line.ends_with('{'));
        if !inner_modules {
            wrong.extend(source.find(&climb).map(|(place, found)| format!("{place}: `{found}` leaves the module")));
        }
        wrong.extend(source.find(&groups).map(|(place, _)| format!("{place}: one `use` a module, not `crate::{{`")));
    }
    none("modules that use what stands beside or above them", wrong);
}

#[test]
fn the_library_is_a_map_and_main_a_door() {
    for source in sources() {
        if source.path == "main.rs" {
            assert!(source.code.len() < 10, "src/main.rs only calls the command line");
        }
    }
}

#[test]
fn outside_crates_stay_at_home() {
    let mut wrong = Vec::new();
    // What a feature derives for the enums and structs that front ends share with the layers below.
    let derived = pattern(r#"^#\[cfg_attr\(feature = "(?:cli|schema)", (?:derive|schemars)\("#);
    for (name, homes) in HOMES {
        let named = pattern(&format!(r"(?-u:\b({name})(?:::|;))"));
        for source in sources() {
            let at_home = homes.iter().any(|home| source.path.starts_with(home));
            if !at_home {
                let code = source.code.iter().filter(|(_, line)| !derived.is_match(line)).cloned().collect();
                let (path, place) = (source.path.clone(), source.place.clone());
                let source = Source { path, place, code };
                wrong.extend(source.find(&named).map(|(place, _)| format!("{place}: `{name}` belongs in {homes:?}")));
            }
        }
    }
    none("crates away from home", wrong);
}

#[test]
fn only_the_command_line_prints_and_only_the_engine_touches_the_disk() {
    let prints = pattern(r"(?-u:\b(e?print(?:ln)?!|dbg!|io::stdout|io::stderr|io::stdin))");
    let filesystem = pattern(r"(?-u:\b(fs::|File::|OpenOptions))");
    let disk = pattern(r"(?-u:\b(fs::|File::|OpenOptions|env::|process::|thread::sleep))");
    let mut wrong = Vec::new();
    for source in sources() {
        if !["cli", "main"].contains(&source.module()) {
            wrong.extend(source.find(&prints).map(|(place, found)| format!("{place}: `{found}`")));
        }
        let at_the_disk = ["project/files", "reader/programs", "store/", "index/", "database/", "embedding/"]
            .iter()
            .any(|module| source.path.starts_with(module));
        if !at_the_disk && !["cli", "main"].contains(&source.module()) {
            wrong.extend(source.find(&disk).map(|(place, found)| format!("{place}: `{found}`")));
        }
        if source.module() == "cli" {
            wrong.extend(source.find(&filesystem).map(|(place, found)| format!("{place}: `{found}`")));
        }
    }
    none("what only one module may do", wrong);
}

/// Each front end words hints with the names that it has; only the command line has options.
#[test]
fn only_the_command_line_names_options() {
    let option = pattern(r#""[^"]*(--[a-z][a-z-]*)"#);
    // What git is asked.
    let runs_git = ["reader/changed_files.rs", "agent/hook/git.rs"];
    let elsewhere = |source: &&Source| source.module() != "cli" && !runs_git.contains(&source.path.as_str());
    let mut wrong = Vec::new();
    for source in sources().iter().filter(elsewhere) {
        wrong.extend(source.find(&option).map(|(place, found)| format!("{place}: `{found}`")));
    }
    none("options named outside of the command line", wrong);
    assert!(sources().iter().any(|source| source.find(&option).count() > 0), "the pattern finds nothing");
}

#[test]
fn no_code_asks_which_language_it_is() {
    let question = pattern(r#"((?:language|lang)[a-z_.()]* *[!=]= *")"#);
    let wrong = sources().iter().flat_map(|source| source.find(&question).collect::<Vec<_>>()).collect::<Vec<_>>();
    none(
        "languages named in code; what is particular to one is data",
        wrong.into_iter().map(|(place, _)| place).collect(),
    );
}

/// A language's data is compiled when the language loads: what the code asks at run time are ids and sets of types. The agents'
/// installer reads JSON and TOML, whose types it names itself.
#[test]
fn no_code_compares_the_names_of_types() {
    let compared = [
        pattern(r"type_name\([^()]*(\([^()]*\))*[^()]*\)\)?\s*(==|!=)"),
        pattern(r"(==|!=)\s*&?\w+(\.\w+)*\.type_name\("),
        pattern(r"(matches!|contains)\(&?\w+(\.\w+)*\.type_name\("),
        pattern(r"\.data\(\)\s*\."),
    ];
    let elsewhere = sources().iter().filter(|source| !["language", "agent", "embedding"].contains(&source.module()));
    let wrong = elsewhere.flat_map(|source| {
        compared.iter().flat_map(|pattern| source.find(pattern)).map(|(place, _)| place).collect::<Vec<_>>()
    });
    none("compare the names of types, which Spec has as ids", wrong.collect());
}

/// Words of formats, and of names, that are keywords of languages, too.
const WORDS: &[(&str, &[&str])] =
    &[("question/subject/made_names.rs", &["mod"]), ("question/text_search.rs", &["test"]), ("scip.rs", &["local"])];

/// The keywords of languages are in their data, apart from those that are kinds and visibilities of all languages.
#[test]
fn no_code_compares_with_keywords_of_languages() {
    let mut keywords: HashSet<&str> = HashSet::new();
    for spec in Language::all().iter().map(|language| language.spec()) {
        keywords.extend(spec.keywords.iter().chain(&spec.reserved).map(String::as_str));
        if let Some(items) = &spec.items {
            let lists = [&items.operators, &items.starters, &items.continues, &items.modifiers, &items.bounds];
            keywords.extend(lists.into_iter().flatten().map(String::as_str));
        }
    }
    assert!(keywords.len() > 300, "{}", keywords.len());
    keywords.retain(|word| !taxonomy().contains(word) && !["public", "private", "protected"].contains(word));
    let compares =
        pattern(r#"[!=]= ?[&*]*b?"|matches!\(.*"|(starts_with|ends_with|strip_prefix|strip_suffix|contains)\(b?""#);
    let quoted = pattern(r#""([a-z_]{2,}) ?""#);
    let modules = [
        "symbols",
        "risks",
        "project",
        "scopes",
        "workspace",
        "question",
        "flow",
        "gates",
        "imports",
        "transfer",
        "refactor",
    ];
    let mut wrong = Vec::new();
    for source in sources().iter().filter(|source| modules.contains(&source.module())) {
        let allowed = WORDS.iter().find(|(path, _)| *path == source.path).map_or(&[][..], |(_, words)| words);
        for (number, line) in source.code.iter().filter(|(_, line)| compares.is_match(line)) {
            let words = quoted.captures_iter(line).map(|found| found.get(1).expect("a word is quoted").as_str());
            let words = words.filter(|word| keywords.contains(word) && !allowed.contains(word));
            wrong.extend(words.map(|word| format!("{}:{number}: {word}", source.place)));
        }
    }
    none("compare with keywords of languages, which are data", wrong);
}

/// Signs that are not those of a language: of queries and templates, which are written alike for all, and of files of any kind.
const SIGNS: &[(&str, &[&str])] = &[
    ("edit/extent.rs", &["#!", ";;"]),
    ("edit/template.rs", &["${", "'''"]),
    ("imports/style.rs", &[".*"]),
    ("symbols/inference/find.rs", &["::"]),
    // The path of a name in any language becomes one with dots.
    ("symbols/inference/paths.rs", &["::"]),
];

/// The signs of languages are in their data: what a text begins with is asked of its node, or of the language.
#[test]
fn no_code_compares_with_signs_of_languages() {
    let compares = pattern(
        r#"[!=]= ?[&*]*b?"|matches!\(.*"|(starts_with|ends_with|strip_prefix|strip_suffix|contains|replace)\(b?"|(split|trim)[a-z_]*\(b?""#,
    );
    let quoted = pattern(r#""([^"\\\w\s]{2,})""#);
    let comments = ["//", "/*", "*/"];
    let is_sign = |text: &str| {
        comments.contains(&text) || Language::all().iter().any(|language| language.token_id(text).is_some())
    };
    assert!(is_sign("=>") && is_sign("...") && !is_sign("=>="));
    let modules = [
        "symbols",
        "risks",
        "scopes",
        "edit",
        "outline",
        "workspace",
        "question",
        "flow",
        "gates",
        "imports",
        "refactor",
    ];
    let mut wrong = Vec::new();
    for source in sources().iter().filter(|source| modules.contains(&source.module())) {
        let allowed = SIGNS.iter().find(|(path, _)| *path == source.path).map_or(&[][..], |(_, signs)| signs);
        for (number, line) in source.code.iter().filter(|(_, line)| compares.is_match(line)) {
            let signs = quoted.captures_iter(line).map(|found| found.get(1).expect("a sign is quoted").as_str());
            let signs = signs.filter(|sign| !allowed.contains(sign) && is_sign(sign));
            wrong.extend(signs.map(|sign| format!("{}:{number}: {sign}", source.place)));
        }
    }
    none("compare with signs of languages, which are data", wrong);
}

/// Internally, a column is the number of characters before a place; externally it counts from 1, and only
/// `Position::col` converts.
#[test]
fn only_positions_count_columns() {
    let raw = pattern(r"(\.column)(?:[^(\w]|$)");
    let outer = ["outline", "script", "project", "index", "engine", "serve", "agent", "cli"];
    let sources = sources().iter().filter(|source| outer.contains(&source.module()));
    let wrong = sources.flat_map(|source| source.find(&raw).collect::<Vec<_>>()).map(|(place, _)| place).collect();
    none("columns counted from 0 where they may be shown: say `.col()`", wrong);
}

#[test]
fn files_have_one_subject_and_a_name_for_it() {
    let mut wrong = Vec::new();
    for folder in ["src", "tests"] {
        for path in rust_files(&root().join(folder)) {
            let text = fs::read_to_string(&path).expect("source is utf-8");
            let shown = path.strip_prefix(root()).expect("it lies in the project").display();
            let lines = text.lines().count();
            if lines > 1000 {
                wrong.push(format!("{shown}: {lines} lines are two subjects"));
            }
            let stem = path.file_stem().unwrap_or_default().to_string_lossy();
            if ["util", "utils", "helper", "helpers", "common", "misc"].contains(&stem.as_ref()) {
                wrong.push(format!("{shown}: a name for nothing in particular"));
            }
            if !text.starts_with("//!") {
                wrong.push(format!("{shown}: no word on what it is for"));
            }
        }
    }
    none("files", wrong);
}

#[test]
fn nothing_is_left_undone() {
    // The packages are built without tests of their own, so one there would never run.
    let undone = pattern(r"((todo|unimplemented)!|#\[ignor[e]|\bFIXME\b|cfg\(test\))");
    let mut wrong = Vec::new();
    for source in sources() {
        wrong.extend(source.find(&undone).map(|(place, found)| format!("{place}: `{found}`")));
    }
    none("work left for later", wrong);
}

#[test]
fn no_merge_is_left_open() {
    let mut folders: Vec<PathBuf> =
        ["src", "tests", "selectors", "grammar", "docs"].iter().map(|name| root().join(name)).collect();
    let mut wrong = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
            let path = entry.expect("the folder is readable").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = fs::read(&path).expect("the file is readable");
            let text = String::from_utf8_lossy(&text);
            let marked = |line: &str| line.starts_with("<<<<<<< ") || line.starts_with(">>>>>>> ");
            if text.lines().any(marked) {
                wrong.push(path.display().to_string());
            }
        }
    }
    none("files with the marks of a merge", wrong);
}

#[test]
fn every_dependency_has_a_reason() {
    let mut wrong = Vec::new();
    for folder in ["", "grammar", "selectors", "src/syntax", "src/codebase"] {
        let manifest = fs::read_to_string(root().join(folder).join("Cargo.toml")).expect("the manifest is readable");
        let mut section = "";
        let mut reason = false;
        for line in manifest.lines() {
            // The reason for what several packages need stands where its version does.
            let is_elsewhere = line.contains("workspace = true");
            if line.starts_with('[') {
                (section, reason) = (line, false);
            } else if line.starts_with('#') {
                reason = true;
            } else if line.trim().is_empty() {
                reason = false;
            } else if section.ends_with("dependencies]") && !section.contains("dev-") && !reason && !is_elsewhere {
                wrong.push(format!("{folder}: {line}"));
            }
        }
    }
    none("dependencies without a reason", wrong);
}

/// The crates of a build without tests: what `cargo tree` lists.
fn crates(features: &str) -> Vec<String> {
    let arguments = ["--locked", "--offline", "--no-default-features", "--edges", "normal", "--prefix", "none"];
    let tree = std::process::Command::new(env!("CARGO"))
        .args(["tree", "--package", "cst-engine"])
        .args(arguments)
        .args(["--features", features])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    assert!(tree.status.success(), "{}", String::from_utf8_lossy(&tree.stderr));
    let listed = String::from_utf8(tree.stdout).expect("names of crates are text");
    let mut names: Vec<String> = listed.lines().filter_map(|line| Some(line.split(' ').next()?.to_owned())).collect();
    names.sort();
    names.dedup();
    names
}

#[test]
fn the_library_alone_needs_few_crates() {
    let library = crates("python");
    assert!(library.iter().any(|name| name == "tree-sitter-python"), "{library:?}");
    let heavy = ["clap", "rusqlite", "bpe-openai", "schemars", "mimalloc", "ignore", "indicatif", "quick-xml", "uuid"];
    let found: Vec<&str> = heavy.into_iter().filter(|heavy| library.iter().any(|name| name == heavy)).collect();
    assert!(found.is_empty(), "{found:?}");
    assert!(library.len() <= 68, "{} crates: {library:?}", library.len());
    let engine = crates("python,engine");
    let found: Vec<&&str> = ["clap", "bpe-openai", "mimalloc", "indicatif", "quick-xml", "sha2"]
        .iter()
        .filter(|heavy| engine.iter().any(|name| name == **heavy))
        .collect();
    assert!(found.is_empty(), "{found:?}");
    assert!(engine.len() > library.len());
}
