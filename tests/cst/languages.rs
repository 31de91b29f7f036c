//! Every folder under `selectors/`: each word of its data is known to grammar and taxonomy, every selector resolves, and
//! its sample, read by that data, is what the snapshots show.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use cst::language::{Data, Language, LanguageError, Values, taxonomy};
use cst::outline::{Options, outline, text};
use cst::selector::{Definitions, Kinds, Query, Selector};
use cst::text::Text;
use cst::tree::{ParseLimits, Tree};

/// The languages that have a folder and are built in.
fn languages() -> Vec<(PathBuf, &'static Language)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("selectors");
    let entries = std::fs::read_dir(&folder).expect("the folder `selectors` is there");
    let mut found: Vec<_> = entries
        .filter_map(|entry| entry.ok().map(|entry| entry.path()).filter(|path| path.is_dir()))
        .filter_map(|path| {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
            let built_in = Language::all().into_iter().find(|language| language.name() == name);
            built_in.map(|language| (path, language))
        })
        .collect();
    for entry in std::fs::read_dir(&folder).expect("the folder `selectors` is there").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        // A language whose data is wrong would be missing above without a word.
        if let Err(error) = Language::named(&name)
            && !matches!(error, LanguageError::Unknown { .. })
        {
            panic!("{error}");
        }
    }
    found.sort_by_key(|(path, _)| path.clone());
    assert_eq!(found.len(), Language::all().len(), "a language has no folder of its name");
    found
}

fn sample(folder: &Path, language: &'static Language) -> Tree {
    let extension = language.extensions().first().expect("a language has an extension");
    let path = folder.join(format!("sample.{extension}"));
    let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let text = Text::decode(&bytes, None).expect("a sample is UTF-8");
    Tree::parse(text, language, &ParseLimits::default()).expect("a sample is small")
}

fn query(language: &'static Language, selector: &str) -> Query {
    let parsed = Selector::parse(selector);
    parsed
        .and_then(|selector| Query::new(&selector, language, &Definitions::default()))
        .unwrap_or_else(|error| panic!("selectors/{}: {selector}\n{error}", language.name()))
}

/// All node types that the data names, with the place in the data.
fn types(data: &Data) -> Vec<(&'static str, &str)> {
    fn keys<'a, T>(place: &'static str, map: &'a BTreeMap<String, T>) -> Vec<(&'static str, &'a str)> {
        map.keys().map(|key| (place, key.as_str())).collect()
    }
    fn words<'a>(place: &'static str, list: &'a [String]) -> Vec<(&'static str, &'a str)> {
        list.iter().map(|word| (place, word.as_str())).collect()
    }
    let mut types = [
        words("bodies", &data.bodies),
        words("wrappers", &data.wrappers),
        words("comments", &data.comments),
        words("strings", &data.strings),
        words("decorators", &data.decorators),
        data.leading.iter().map(|word| ("leading", word.rsplit('/').next().unwrap_or(word))).collect(),
        words("values", &data.values),
        words("scope_types", &data.scope_types),
        words("modifier_holders", &data.modifier_holders),
        words("joins", &data.joins),
        words("imports", &data.imports.types),
        data.imports
            .first
            .iter()
            .flat_map(|word| word.split(['(', ')']).filter(|word| !word.is_empty()))
            .map(|word| ("imports", word))
            .collect(),
        words("identifiers", &data.references.identifiers),
        words("references", &data.references.scopes),
        keys("needs", &data.needs),
        keys("holders", &data.holders),
        keys("held", &data.held),
        keys("names", &data.names),
        keys("other_names", &data.other_names),
        keys("callees", &data.callees),
        keys("modules", &data.modules),
        keys("bases", &data.bases),
        keys("params", &data.params),
        keys("args", &data.args),
        keys("returns", &data.returns),
        keys("lists", &data.lists),
    ]
    .concat();
    for rule in data.params.values().chain(data.args.values()) {
        types.extend(words("only", &rule.only));
        types.extend(words("except", &rule.except));
        types.extend(words("single", &rule.single));
    }
    let docs = [&data.docs.statement, &data.docs.string, &data.docs.joined, &data.docs.content];
    types.extend(docs.into_iter().filter(|word| !word.is_empty()).map(|word| ("docs", word.as_str())));
    types
}

/// All fields that the data names, each with the type that must have it.
fn fields(data: &Data) -> Vec<(&str, &str)> {
    let mut fields = Vec::new();
    let of_lists = data.lists.iter().filter_map(|(type_name, rule)| Some((type_name.as_str(), rule.field.as_deref()?)));
    fields.extend(of_lists);
    fields
}

#[test]
fn every_type_and_field_is_the_grammars() {
    for (_, language) in languages() {
        let data = language.data();
        for (place, word) in types(data) {
            assert!(language.type_id(word).is_some(), "{}: {place}: no type `{word}`", language.name());
        }
        for (type_name, field) in fields(data) {
            let known = language.node_types().has_field(type_name, field);
            assert!(known, "{}: `{type_name}` has no field `{field}`", language.name());
        }
        if !data.statement_separator.is_empty() {
            let token = &data.statement_separator;
            assert!(language.token_id(token).is_some(), "{}: no token `{token}`", language.name());
        }
    }
}

#[test]
fn every_step_of_a_name_is_a_field_or_a_type() {
    for (_, language) in languages() {
        let data = language.data();
        let paths =
            [&data.names, &data.other_names, &data.modules, &data.callees, &data.bases, &data.returns, &data.receivers];
        let counts = data.params.iter().chain(&data.args).map(|(name, rule)| (name, &rule.at));
        for (type_name, values) in paths.into_iter().flatten().chain(counts) {
            for path in values.iter().filter(|path| *path != "." && !path.starts_with('\'')) {
                let first = path.split('.').next().unwrap_or_default();
                if language.field_id(first).is_some() && language.type_id(first).is_none() {
                    let known = language.node_types().has_field(type_name, first);
                    assert!(known, "{}: `{type_name}` has no field `{first}`", language.name());
                }
                // Loading the language has checked everything but plain words.
                let is_word = |step: &&str| step.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
                for step in path.split('.').filter(is_word) {
                    let known = language.field_id(step).is_some() || language.type_id(step).is_some();
                    assert!(known, "{}: {type_name}: `{path}`: unknown `{step}`", language.name());
                }
            }
        }
    }
}

#[test]
fn every_kind_is_in_the_taxonomy() {
    for (_, language) in languages() {
        for kind in language.data().kinds.keys().chain(&language.data().scopes) {
            assert!(taxonomy().contains(kind), "{}: no kind `{kind}`", language.name());
        }
    }
}

#[test]
fn every_selector_resolves() {
    for (folder, language) in languages() {
        let data = language.data();
        let rules = data.kinds.values().chain(data.compatibility.values()).flat_map(Values::iter);
        for rule in rules.chain(data.visibility.iter().map(|rule| rule.when.as_str())) {
            query(language, rule);
        }
        for name in data.compatibility.keys() {
            query(language, name);
        }
        for name in named(language) {
            query(language, &name);
        }
        // An outline resolves its rows.
        outline(&sample(&folder, language), &Options::default()).unwrap_or_else(|error| panic!("{error}"));
    }
}

/// The named selectors of a language, with the colon.
fn named(language: &Language) -> Vec<String> {
    let lines = language.named_selectors().lines().filter(|line| line.starts_with(':'));
    lines.filter_map(|line| Some(line.split_once('=')?.0.trim().to_owned())).collect()
}

#[test]
fn every_sample_shows_all_that_the_data_speaks_of() {
    for (folder, language) in languages() {
        let tree = sample(&folder, language);
        assert!(tree.is_sound(), "{}: {:?}", language.name(), tree.errors());
        let data = language.data();
        let mut words: Vec<String> = data.kinds.keys().chain(data.compatibility.keys()).cloned().collect();
        words.extend(named(language));
        words.sort();
        let absent =
            words.into_iter().filter(|word| query(language, word).nodes(&tree).is_ok_and(|found| found.is_empty()));
        let absent: Vec<String> = absent.collect();
        assert!(absent.is_empty(), "selectors/{}/sample does not show {absent:?}", language.name());
    }
}

/// What each word finds in the sample: how many nodes, and the places of the first.
fn places(tree: &Tree, words: impl Iterator<Item = String>) -> String {
    let mut places = BTreeMap::new();
    for word in words {
        let found = query(tree.language(), &word).nodes(tree).expect("nothing to bind");
        let first = found.iter().take(12).map(|node| tree.start(node).to_string()).collect::<Vec<_>>();
        places.insert(word, format!("{} at {}", found.len(), first.join(" ")));
    }
    places.into_iter().map(|(word, lines)| format!("{word}: {lines}\n")).collect()
}

#[test]
fn samples_are_read_as_the_snapshots_show() {
    insta::with_settings!({ snapshot_path => "../../snapshots", prepend_module_to_snapshot => false }, {
        for (folder, language) in languages() {
            let tree = sample(&folder, language);
            let name = language.name();
            let all = Options { kinds: vec!["definition".to_owned()], docs: true, ..Options::default() };
            for (kind_of, options) in [("outline", Options::default()), ("definitions", all)] {
                let definitions = outline(&tree, &options).unwrap_or_else(|error| panic!("{error}"));
                insta::assert_snapshot!(format!("{name}_{kind_of}"), text("sample", &tree, &definitions, false));
            }
            let kinds = Kinds::new(&tree);
            let mut statements = String::new();
            for node in tree.table().nodes().filter(|&node| tree.table().is_named(node) && kinds.kind(node) != "node") {
                let words = tree.node_text(node);
                let words = words.lines().next().unwrap_or("");
                statements.push_str(&format!("{:<8} {:<12} {words}\n", tree.start(node).to_string(), kinds.kind(node)));
            }
            insta::assert_snapshot!(format!("{name}_kinds"), statements);
            insta::assert_snapshot!(format!("{name}_named"), places(&tree, named(language).into_iter()));
            let compatibility = language.data().compatibility.keys().cloned();
            insta::assert_snapshot!(format!("{name}_compatibility"), places(&tree, compatibility));
        }
    });
}

/// The kinds of a single node are looked for among those that its type may have, which is read from the text of the rules.
#[test]
fn each_node_has_the_kinds_that_select_it() {
    let mut found = 0;
    for (folder, language) in languages() {
        let tree = sample(&folder, language);
        let kinds = Kinds::new(&tree);
        for kind in language.spec().kind_names() {
            let selected = query(language, kind).nodes(&tree).expect("nothing to bind");
            for node in tree.table().nodes() {
                let place = tree.start(node);
                assert_eq!(kinds.is(node, kind), selected.contains(node), "{}: {kind} at {place}", language.name());
            }
            found += selected.len();
        }
    }
    assert!(found > 10_000, "{found} nodes of a kind");
}

/// What a user's language has checked when it loads is checked here for the built-in ones, which check nothing then.
#[test]
fn the_rules_of_built_in_languages_resolve() {
    use cst::selector::{Definitions, Query, Selector};
    let (mut kinds, mut regexes, mut words) = (0, 0, 0);
    for language in Language::all() {
        let select = |selector: &str| {
            let parsed = Selector::parse(selector).expect("it is well formed");
            Query::new(&parsed, language, &Definitions::default())
                .unwrap_or_else(|error| panic!("{} {selector}: {error}", language.name()))
        };
        for kind in language.spec().kind_names() {
            select(kind);
            kinds += 1;
        }
        for visibility in &language.spec().visibility {
            select(&visibility.when);
            words += 1;
        }
        let data = language.data();
        let unread = data.unread.iter().filter_map(|rule| rule.find.as_ref());
        let others = [&data.limits.too_long, &data.introducer_gap].into_iter().chain(&data.imports.binds);
        for source in language.head().claims.values().chain(unread).chain(others).filter(|source| !source.is_empty()) {
            regex::Regex::new(source).unwrap_or_else(|error| panic!("{}: {error}", language.name()));
            regexes += 1;
        }
    }
    assert!(kinds > 500 && regexes > 30 && words > 20, "{kinds} kinds, {regexes} regexes, {words} visibilities");
}

/// A language, and code with two handlers of exceptions.
const HANDLERS: [(&str, &str); 16] = [
    ("python", "try:\n    f()\nexcept A as e:\n    g()\nexcept B:\n    h()\n"),
    ("javascript", "try { f(); } catch (e) { g(); }\ntry { f(); } catch { h(); }\n"),
    ("typescript", "try { f(); } catch (e: unknown) { g(); }\ntry { f(); } catch { h(); }\n"),
    ("tsx", "try { f(); } catch (e) { g(); }\ntry { f(); } catch { h(); }\n"),
    ("java", "class A { void f() { try { f(); } catch (B e) { g(); } catch (C | D e) { h(); } } }\n"),
    ("csharp", "class A { void F() { try { f(); } catch (B e) { g(); } catch { h(); } } }\n"),
    ("cpp", "void f() { try { f(); } catch (const A& e) { g(); } catch (...) { h(); } }\n"),
    ("php", "<?php\ntry { f(); } catch (A $e) { g(); } catch (B | C $e) { h(); }\n"),
    ("ruby", "begin\n  f\nrescue A => e\n  g\nrescue\n  h\nend\n"),
    ("swift", "do { try f() } catch A.b { g() } catch { h() }\n"),
    ("kotlin", "fun f() { try { f() } catch (e: A) { g() } catch (e: B) { h() } }\n"),
    ("scala", "object A { try f() catch { case e: B => g() }; try f() catch { case _ => h() } }\n"),
    ("objc", "void f(void) { @try { f(); } @catch (A *e) { g(); } @catch (...) { h(); } }\n"),
    ("dart", "void f() { try { f(); } catch (e) { g(); }\n try { f(); } catch (e, s) { h(); } }\n"),
    ("julia", "try\n  f()\ncatch e\n  g()\nend\ntry\n  f()\ncatch\n  h()\nend\n"),
    ("elixir", "try do\n  f()\nrescue\n  e in A -> g()\ncatch\n  x -> h()\nend\n"),
];

#[test]
fn handlers_have_one_word_in_all_languages() {
    for (language, text) in HANDLERS {
        let tree = crate::rewriting::parsed(text, language);
        assert!(tree.is_sound(), "{language}: {:?}", tree.errors());
        let found = crate::finding::nodes(&tree, "catch").unwrap();
        assert_eq!(found.len(), 2, "{language}: {text}");
    }
    let tree = crate::rewriting::parsed("class A { int a; int B { get; set; } }\n", "csharp");
    let count = |selector: &str| crate::finding::nodes(&tree, selector).unwrap().len();
    assert_eq!((count("field"), count("property"), count("field:not(property)")), (2, 1, 1));
}
