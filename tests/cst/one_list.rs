//! One list for questions and refactors, as laws over real code: a rename to a new name is certain exactly if `refs` shows no candidate and
//! nothing undetermined, and a definition is certainly unused only if `refs` shows nothing outside of it.

use serde_json::{Value, json};

use crate::symbols::Project;

/// A fresh name in the style of another one.
fn fresh(name: &str) -> &'static str {
    if name.starts_with(char::is_uppercase) { "ZzFreshName" } else { "zz_fresh_name" }
}

fn place(row: &Value) -> String {
    format!("{}:{}:{}", row["path"].as_str().unwrap_or_default(), row["line"], row["col"])
}

/// The projects: the sample of each language whose references are followed, and code of this repository.
fn projects() -> Vec<Vec<(String, String)>> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/");
    let read =
        |path: &str| std::fs::read_to_string(format!("{root}{path}")).unwrap_or_else(|error| panic!("{path}: {error}"));
    let samples = [
        "python/sample.py",
        "javascript/sample.js",
        "typescript/sample.ts",
        "go/sample.go",
        "rust/sample.rs",
        "java/sample.java",
        "c/sample.c",
        "csharp/sample.cs",
        "kotlin/sample.kt",
        "php/sample.php",
        "ruby/sample.rb",
    ];
    let sample = |path: &&str| vec![(path.replace('/', "_"), read(&format!("selectors/{path}")))];
    let mut projects: Vec<_> = samples.iter().map(sample).collect();
    let own = |paths: &[&str]| paths.iter().map(|path| ((*path).to_owned(), read(path))).collect();
    projects.push(own(&[
        "benches/names/generated.py",
        "benches/names/alpha.py",
        "benches/names/languages/common.py",
        "benches/names/languages/blocks.py",
        "benches/names/languages/python.py",
    ]));
    projects.push(own(&[
        "src/syntax/scopes/mod.rs",
        "src/syntax/scopes/bindings.rs",
        "src/syntax/scopes/resolution.rs",
        "src/syntax/scopes/counting.rs",
    ]));
    projects
}

#[test]
fn a_rename_is_certain_exactly_if_all_references_are() {
    let (mut certain, mut refused) = (0, 0);
    for files in projects() {
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        let project = Project::new(&files);
        let symbols = project.ask("symbols", &json!({})).expect("symbols are listed");
        for row in symbols["symbols"].as_array().expect("a list") {
            let place = place(row);
            let Ok(refs) = project.ask("refs", &json!({"symbol": place})) else { continue };
            let count = |key: &str| refs["counts"][key].as_u64().expect("a count");
            let doubts = count("candidate") + count("undetermined");
            let name = row["qualname"].as_str().unwrap_or_default().rsplit('.').next().unwrap_or_default();
            let rename = json!({"kind": "rename", "symbol": place, "to": fresh(name)});
            match project.ask("refactor", &rename) {
                Ok(_) => {
                    assert_eq!(doubts, 0, "{place} {name}: a certain rename, and {}", refs["counts"]);
                    certain += 1;
                }
                Err(error) if error["error"]["code"] == "undetermined" => {
                    assert!(doubts > 0, "{place} {name}: {error}, and {}", refs["counts"]);
                    refused += 1;
                }
                // The name itself is refused, or what it would change.
                Err(_) => {}
            }
        }
    }
    assert!(certain > 200 && refused > 50, "{certain} {refused}");
}

#[test]
fn what_is_certainly_unused_has_no_other_references() {
    let mut checked = 0;
    for files in projects() {
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        let project = Project::new(&files);
        let unused = project.ask("unused", &json!({"certain": true})).expect("an answer");
        for row in unused["unused"].as_array().expect("a list") {
            let place = place(row);
            let Ok(refs) = project.ask("refs", &json!({"symbol": place})) else { continue };
            let qualname = row["qualname"].as_str().unwrap_or_default();
            for reference in refs["references"].as_array().expect("a list") {
                let within = reference["in"].as_str().unwrap_or_default();
                let is_own = within == qualname || within.starts_with(&format!("{qualname}."));
                assert!(reference["role"] == "definition" || is_own, "{place} {qualname}: {reference}");
            }
            checked += 1;
        }
    }
    assert!(checked > 20, "{checked}");
}
