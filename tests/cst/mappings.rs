//! What an engine holds doesn't grow with the requests that it answers.
#![cfg(target_os = "linux")]

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use cst::engine::{Engine, Host, Request};
use serde_json::{Value, json};
use tempfile::TempDir;

/// A folder with an index, and an engine that stays.
struct Indexed {
    folder: TempDir,
    engine: Engine,
}

impl Indexed {
    fn new() -> Indexed {
        let folder = TempDir::new().expect("a temporary folder");
        fs::create_dir(folder.path().join("code")).expect("a folder");
        let cache = Some(folder.path().join("cache"));
        let engine = Engine::new(Host { cache, ..Host::at(folder.path().join("code")) });
        let indexed = Indexed { folder, engine };
        for number in 0..10 {
            indexed.write(number, 0);
        }
        indexed
    }

    /// Writes a file, long ago as its times have it.
    fn write(&self, number: usize, revision: usize) {
        let path = self.folder.path().join(format!("code/m{number}.py"));
        fs::write(&path, format!("def f{number}():\n    return {revision}\n")).expect("it can be written");
        let file = fs::File::options().write(true).open(&path).expect("it is there");
        file.set_modified(SystemTime::now() - Duration::from_secs(3600 + revision as u64))
            .expect("its time can be set");
    }

    fn ask(&self, method: &str, params: Value) -> Value {
        let request: Request =
            serde_json::from_value(json!({"method": method, "params": params})).expect("well formed");
        let response = self.engine.handle(request).unwrap_or_else(|error| panic!("{method}: {}", error.to_json()));
        serde_json::to_value(response).expect("a response is plain data")
    }

    /// How many files of the index are mapped into this process.
    fn mapped(&self) -> usize {
        mapped(&self.folder.path().join("cache"))
    }
}

fn mapped(folder: &Path) -> usize {
    let maps = fs::read_to_string("/proc/self/maps").expect("it is there");
    maps.lines().filter(|line| line.contains(&*folder.to_string_lossy())).count()
}

#[test]
fn mappings_do_not_grow_with_requests() {
    let indexed = Indexed::new();
    indexed.ask("index", json!({"targets": ["."]}));
    let find = |indexed: &Indexed| indexed.ask("find", json!({"selector": "function", "targets": ["."]}));
    let mut most = 0;
    for _ in 0..300 {
        assert_eq!(find(&indexed)["total"], 10);
        most = most.max(indexed.mapped());
    }
    assert!(most <= 2, "{most} mappings of a catalogue and a pack after 300 requests");
    // Nor do they grow with each index that is replaced: what isn't used any more is unmapped.
    let mut most = 0;
    for revision in 1..40 {
        indexed.write(revision % 10, revision);
        assert_eq!(
            indexed.ask("find", json!({"selector": "function", "targets": ["."], "reading": {"cache": true}}))["total"],
            10
        );
        assert_eq!(find(&indexed)["total"], 10);
        most = most.max(indexed.mapped());
    }
    assert!(most <= 65, "{most} mappings: no more than an index may have packs, and its catalogue");
    let folder = indexed.folder.path().join("cache");
    drop(indexed.engine);
    assert_eq!(mapped(&folder), 0, "an engine that is gone maps nothing");
}

/// Requests over single files, folders and several targets: one store serves them all.
#[test]
fn thousands_of_small_requests_map_no_more_than_one() {
    let indexed = Indexed::new();
    indexed.ask("index", json!({"targets": ["."]}));
    let mut most = 0;
    for round in 0..2000 {
        let name = format!("m{}.py", round % 10);
        let (targets, expected) = match round % 20 {
            0 => (json!(["."]), 10),
            1 => (json!([name, "."]), 11),
            _ => (json!([name]), 1),
        };
        let found = indexed.ask("find", json!({"selector": "function", "targets": targets, "limit": 20}));
        assert_eq!(found["total"], expected, "{found}");
        if round % 50 == 0 {
            most = most.max(indexed.mapped());
        }
    }
    assert!((1..=2).contains(&most), "{most} mappings of a catalogue and a pack");
}

#[test]
fn a_new_index_is_seen_at_once() {
    let indexed = Indexed::new();
    indexed.ask("index", json!({"targets": ["."]}));
    // Another process rebuilds it.
    let other = Engine::new(Host {
        cache: Some(indexed.folder.path().join("cache")),
        ..Host::at(indexed.folder.path().join("code"))
    });
    for revision in 1..20 {
        indexed.write(3, revision);
        let request = json!({"method": "index", "params": {"targets": ["."]}});
        other.handle(serde_json::from_value(request).expect("well formed")).expect("it is made");
        let found = indexed.ask("find", json!({"selector": format!("integer[text='{revision}']"), "targets": ["."]}));
        assert_eq!(found["total"], 1, "{found}");
    }
}
