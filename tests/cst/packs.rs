//! docs/packs.md is made from the shipped packs.
//!
//! `UPDATE_DOCS=1 cargo test --features all packs::` writes the page.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::Value;

use super::cli::Place;

const PACKS: [&str; 7] = ["quality", "python", "javascript", "go", "rust", "java", "security"];

#[test]
fn the_page_of_the_packs_is_current() {
    let page = page();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/packs.md");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, &page).expect("the page is writable");
        return;
    }
    let present = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(present == page, "docs/packs.md is out of date; UPDATE_DOCS=1 renews it");
}

fn page() -> String {
    let place = Place::new();
    let mut text = "# The shipped packs\n\nMade from the packs by a test. `cst scan --pack NAME` runs one, `cst scan --explain PACK/ID` shows a rule. Rules that are \
                    `off` run\nwhen they are named or given a severity ([rules.md](rules.md)). [precision.md](precision.md) says what each found on real code, beside other linters.\n"
        .to_owned();
    for pack in PACKS {
        let all = format!("{pack}/*");
        let run = place.run(&["scan", "--list", "--rule", &all, "--json"]).expect(0);
        let rules = run.json()["rules"].as_array().expect("a list").clone();
        let usual = place.run(&["scan", "--list", "--pack", pack, "--json"]).expect(0);
        let usual: Vec<Value> =
            usual.json()["rules"].as_array().expect("a list").iter().map(|rule| rule["rule"].clone()).collect();
        let _ = write!(text, "\n## {pack}\n\n{} rules, {} of them on by default.\n", rules.len(), usual.len());
        for rule in &rules {
            text.push_str(&section(pack, rule, usual.contains(&rule["rule"])));
        }
    }
    text
}

fn section(pack: &str, rule: &Value, is_on: bool) -> String {
    let word = |key: &str| rule[key].as_str().unwrap_or_default().trim().to_owned();
    let name = word("rule");
    let own = name.strip_prefix(&format!("{pack}/")).unwrap_or(&name).to_owned();
    let languages: Vec<&str> = rule["languages"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let languages =
        if languages.is_empty() { "every language with its words".to_owned() } else { languages.join(", ") };
    let fix = match rule["fix"].as_str() {
        Some("safe") => "; a fix",
        Some(_) => "; an unsafe fix",
        None => "",
    };
    let off = if is_on { "" } else { "; off by default" };
    let mut text = format!("\n### {own}\n\n{languages}{fix}{off}: {}\n", word("message"));
    if rule["note"].is_string() {
        let _ = write!(text, "\n{}\n", word("note"));
    }
    if rule["url"].is_string() {
        let _ = write!(text, "\n<{}>\n", word("url"));
    }
    text
}
