//! The law of the index: an answer with it is the same as without it, whatever happened to the files, to the index, or
//! to a process that was writing it.

use std::cell::Cell;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Child;
use std::sync::{Arc, Mutex};

use cst::engine::{Disk, Engine, Files, Host, Listing, Metadata, Observer, Request, Silent, SystemCommands, Walk};
use cst::project::Stamp;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::cli::Place;

const FILES: &[(&str, &[u8])] = &[
    (
        "a.py",
        b"import os\n\n\nclass A:\n    def get(self):\n        return os.path.join('a')\n\n    def put(self): pass\n",
    ),
    ("inner/b.py", b"def get(x):\n    if x:\n        return get(x)\n\n\ndef free(): print('b')\n"),
    ("inner/deep/c.rs", b"struct A;\nimpl A { fn get(&self) -> i32 { return f(1); } }\n"),
    ("marked.py", b"\xef\xbb\xbfdef get(): pass\n"),
    ("returns.py", b"class A:\r\n    def get(self):\r\n        return f()\r\n"),
    ("broken.py", b"def get(:\n    return (1\n\nclass A:\n    def put(self): pass\n"),
    ("latin.py", b"# coding: latin-1\ndef get(): return '\xe9'\n"),
    ("bad.py", b"x = '\xff'\n"),
    ("empty.py", b""),
    ("run", b"#!/usr/bin/env python3\ndef get(): print(1)\n"),
    ("head.h", b"class A { int get() { return f(1); } };\n"),
    ("shop.js", b"class A { get() { return f(1); } }\nconst put = () => { print(1); };\n"),
    ("data.json", b"{\"get\": [1, 2, {\"A\": null}]}\n"),
    ("notes.xyz", b"nothing\n"),
];

const SELECTORS: &[&str] = &[
    "function#get",
    "function#get string[text*='\u{e9}']",
    "class#A@c > method@m",
    "*:root",
    "call#print",
    "return > call",
    "definition#get, class:not(:has(call))",
];

thread_local! {
    /// How many files this thread has read.
    static READ: Cell<usize> = const { Cell::new(0) };
}

/// The disk, with files that seem an hour older: new files are recognised by their times, too.
struct Old;

impl Files for Old {
    fn facts(&self, path: &Path) -> io::Result<Metadata> {
        const HOUR: i64 = 3_600_000_000_000;
        let facts = Disk.facts(path)?;
        let earlier = |stamp: Stamp| Stamp { modified: stamp.modified - HOUR, changed: stamp.changed - HOUR, ..stamp };
        Ok(Metadata { stamp: facts.stamp.map(earlier), ..facts })
    }

    fn read(&self, path: &Path, limit: u64) -> io::Result<Vec<u8>> {
        READ.set(READ.get() + 1);
        Disk.read(path, limit)
    }

    fn head(&self, path: &Path, most: usize) -> io::Result<Vec<u8>> {
        Disk.head(path, most)
    }

    fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        Disk.resolve(path)
    }

    fn list(&self, folder: &Path, walk: &Walk) -> io::Result<Listing> {
        Disk.list(folder, walk)
    }

    fn stage(&self, path: &Path, beside: &Path, bytes: &[u8]) -> io::Result<()> {
        Disk.stage(path, beside, bytes)
    }

    fn commit(&self, beside: &Path, path: &Path) -> io::Result<()> {
        Disk.commit(beside, path)
    }

    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        Disk.sync_folder(path)
    }

    fn discard(&self, beside: &Path) -> io::Result<()> {
        Disk.discard(beside)
    }

    fn create_dir_all(&self, path: &Path) -> io::Result<()> {
        Disk.create_dir_all(path)
    }

    fn remove_empty_folder(&self, path: &Path) -> io::Result<bool> {
        Disk.remove_empty_folder(path)
    }

    fn make_executable(&self, path: &Path) -> io::Result<()> {
        Disk.make_executable(path)
    }

    fn is_executable(&self, path: &Path) -> bool {
        Disk.is_executable(path)
    }

    fn is_link(&self, path: &Path) -> bool {
        Disk.is_link(path)
    }

    fn append(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        Disk.append(path, bytes)
    }
}

/// Records notes.
#[derive(Default)]
struct Notes(Mutex<Vec<String>>);

impl Observer for Notes {
    fn note(&self, message: &str) {
        self.0.lock().expect("nobody panics with it").push(message.to_owned());
    }
}

/// A folder of files, and one for indexes.
struct Home {
    folder: TempDir,
    cache: TempDir,
    observer: Arc<dyn Observer>,
    limit: Option<u64>,
}

impl Home {
    fn new() -> Home {
        let made = || tempfile::tempdir().expect("a temporary folder can be made");
        let home = Home { folder: made(), cache: made(), observer: Arc::new(Silent), limit: None };
        FILES.iter().for_each(|(name, bytes)| home.write(name, bytes));
        home
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file so that its times are others than before, however coarse the clock is.
    fn write(&self, name: &str, bytes: &[u8]) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a file has a folder")).expect("the folder can be made");
        let stamp = || Disk.facts(&path).ok().and_then(|facts| facts.stamp);
        let before = stamp();
        loop {
            fs::write(&path, bytes).expect("the file can be written");
            if before.is_none() || stamp() != before {
                break;
            }
        }
    }

    fn ask(&self, method: &str, params: Value) -> Value {
        let cache = self.cache.path().join("cst");
        self.ask_with(cache, method, params)
    }

    fn ask_with(&self, cache: PathBuf, method: &str, params: Value) -> Value {
        let engine = Engine::new(Host {
            files: Arc::new(Old),
            programs: Arc::new(SystemCommands),
            working_directory: self.folder.path().to_owned(),
            root: None,
            state: None,
            cache: Some(cache),
            cache_limit: self.limit,
            commands: cst::engine::Commands::Any,
            configuration: None,
            observer: self.observer.clone(),
        });
        let request: Request =
            serde_json::from_value(json!({"method": method, "params": params})).expect("well formed");
        match engine.handle(request) {
            Ok(response) => serde_json::to_value(response).expect("a response is plain data"),
            Err(error) => panic!("{method}: {}", error.to_json()),
        }
    }

    /// All that can be asked, in one value.
    fn answers(&self, targets: &[&str], reading: &Value) -> Value {
        let targets = if targets.is_empty() { json!(["."]) } else { json!(targets) };
        let mut answers: Vec<Value> = Vec::new();
        for selector in SELECTORS {
            for ids in [false, true] {
                let params = json!({"selector": selector, "targets": targets, "reading": reading, "ids": ids, "code": true, "anchors": ids});
                let found = self.ask("find", params);
                answers.push(json!([found["matches"], found["total"], found["files"]["skipped"]]));
            }
        }
        let all = json!({"selector": "*", "targets": targets, "reading": reading, "ids": true, "no_prefilter": true});
        answers.push(self.ask("find", all));
        answers.push(self.ask("check", json!({"targets": targets, "reading": reading})));
        answers.push(self.ask("outline", json!({"targets": targets, "reading": reading})));
        Value::from(answers)
    }

    /// The answers with the index are those without.
    #[track_caller]
    fn check_in(&self, targets: &[&str], reading: &Value, what: &str) {
        let with = |more: Value| {
            let mut reading = reading.clone();
            reading.as_object_mut().expect("it is one").extend(more.as_object().expect("it is one").clone());
            reading
        };
        let expected = self.answers(targets, &with(json!({"no_cache": true})));
        for more in [json!({}), json!({"cache": true}), json!({"cache": true}), json!({})] {
            let answers = self.answers(targets, &with(more.clone()));
            for (answer, expected) in
                answers.as_array().into_iter().flatten().zip(expected.as_array().into_iter().flatten())
            {
                assert_eq!(answer, expected, "{what}: {more}");
            }
        }
    }

    #[track_caller]
    fn check(&self, what: &str) {
        self.check_in(&[], &json!({}), what);
    }

    /// Brings the index up to date; how many files were parsed, and how many kept.
    fn index(&self) -> (u64, u64) {
        let made = self.ask("index", json!({}));
        let count = |field: &str| made[field].as_u64().unwrap_or(0);
        (count("indexed"), count("kept"))
    }

    /// The files of the index, by name.
    fn stored(&self) -> Vec<PathBuf> {
        let mut files = Vec::new();
        for folder in fs::read_dir(self.cache.path().join("cst/index")).into_iter().flatten().flatten() {
            // The database of names has its own tests.
            if folder.file_name().to_string_lossy().starts_with("facts-") {
                continue;
            }
            let entries = fs::read_dir(folder.path()).expect("a store is a folder").flatten();
            files.extend(entries.map(|entry| entry.path()));
        }
        files.sort();
        files
    }

    fn size(&self) -> u64 {
        self.stored().iter().map(|path| fs::metadata(path).map_or(0, |found| found.len())).sum()
    }
}

/// Numbers that look random, the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, count: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % count.max(1) as u64) as usize
    }
}

#[test]
fn the_same_in_every_run() {
    let home = Home::new();
    home.check("at first");
    let (indexed, kept) = home.index();
    // Not kept, but parsed each time: what isn't UTF-8.
    assert_eq!((indexed, kept), (1, 11), "{:?}", home.stored());
    home.check("indexed");
}

#[test]
fn after_changes_of_files() {
    let home = Home::new();
    home.index();
    let path = home.path("a.py");
    let modified = fs::metadata(&path).and_then(|found| found.modified()).expect("it has a time");
    let text = fs::read_to_string(&path).expect("it is text");
    home.write("a.py", text.replace("get", "put").as_bytes());
    let file = fs::File::options().write(true).open(&path).expect("it is there");
    file.set_modified(modified).expect("times can be set");
    home.check("same size, same time");
    home.write("new/e.py", b"def get(): return f()\n");
    home.check("one more");
    fs::remove_file(home.path("inner/b.py")).expect("it is there");
    home.check("one less");
    fs::rename(home.path("shop.js"), home.path("shop.py")).expect("it is there");
    home.check("of another language");
    fs::rename(home.path("inner"), home.path("outer")).expect("it is there");
    home.check("another folder");
    // The same text with a mark before it, and without.
    let text = fs::read(home.path("marked.py")).expect("it is there");
    home.write("marked.py", &text[3..]);
    home.check("no mark");
    home.write("returns.py", &[b"\xef\xbb\xbf", FILES[4].1].concat());
    home.check("a mark");
    home.write("a.py", b"");
    home.check("emptied");
    fs::rename(home.path("outer/deep/c.rs"), home.path("a.py")).expect("it is there");
    home.check("one in place of another");
    fs::remove_file(home.path("empty.py")).expect("it is there");
    fs::create_dir(home.path("empty.py")).expect("it can be made");
    home.check("a folder in place of a file");
    assert_eq!(home.index().0, 1, "all in UTF-8 is kept");
}

#[test]
fn limits_and_languages_hold() {
    let home = Home::new();
    home.index();
    for reading in [
        json!({"max_size": 40}),
        json!({"language": "python"}),
        json!({"language": "cpp"}),
        json!({"glob": ["*.rs"]}),
        json!({"glob": ["!inner/**"]}),
        json!({"threads": 1}),
        json!({"hidden": true, "no_ignore": true}),
    ] {
        home.check_in(&[], &reading, &reading.to_string());
        assert_eq!(home.index(), (1, 11), "what wasn't looked at is kept: {reading}");
    }
    for targets in [&["inner"][..], &["inner/deep"], &["inner", "a.py"], &["."], &["a.py"]] {
        home.check_in(targets, &json!({}), &format!("{targets:?}"));
        assert_eq!(home.index(), (1, 11), "{targets:?}");
    }
}

#[test]
fn damage_is_as_if_it_were_not_there() {
    let home = Home::new();
    home.index();
    let stored: Vec<(PathBuf, Vec<u8>)> =
        home.stored().into_iter().map(|path| (path.clone(), fs::read(path).expect("it is there"))).collect();
    let files: Vec<&(PathBuf, Vec<u8>)> = stored.iter().filter(|(_, bytes)| !bytes.is_empty()).collect();
    assert_eq!(files.len(), 2, "a catalogue and a pack");
    let params = |reading: Value| json!({"selector": "*", "reading": reading, "code": true, "no_prefilter": true});
    let expected = home.ask("find", params(json!({"no_cache": true})));
    let mut dice = Dice(0x2545_f491_4f6c_dd1d);
    for round in 0..320 {
        let (path, bytes) = files[usize::from(round % 4 == 0)];
        let mut damaged = bytes.clone();
        match round % 20 {
            17 => damaged.truncate(dice.below(bytes.len())),
            18 => damaged.clear(),
            19 => damaged.extend(b"more"),
            _ => {
                for _ in 0..=dice.below(3) {
                    damaged[dice.below(bytes.len())] ^= 1 << dice.below(8);
                }
            }
        }
        // Not over what may be mapped.
        fs::remove_file(path).expect("it is there");
        fs::write(path, &damaged).expect("it can be written");
        assert_eq!(home.ask("find", params(json!({}))), expected, "round {round} {path:?}");
        if round % 8 == 0 {
            if round % 16 == 0 {
                home.index();
            } else {
                assert_eq!(home.ask("find", params(json!({"cache": true}))), expected, "round {round}");
            }
            // It is made whole again.
            assert_eq!(home.index(), (1, 11), "round {round}");
            assert_eq!(home.ask("find", params(json!({}))), expected, "round {round}");
            home.stored().into_iter().for_each(|path| fs::remove_file(path).expect("it is there"));
        }
        stored.iter().for_each(|(path, bytes)| {
            let _ = fs::remove_file(path);
            fs::write(path, bytes).expect("it can be written");
        });
    }
    for (path, bytes) in files {
        home.stored().into_iter().for_each(|path| fs::remove_file(path).expect("it is there"));
        fs::write(path, bytes).expect("it can be written");
        home.check("only a part is there");
        // The search may have put another pack in its place.
        let _ = fs::remove_file(path);
        home.check("the part that was there is missing");
    }
}

#[test]
fn what_a_dead_process_left_is_in_nobodys_way() {
    let home = Home::new();
    home.index();
    let store = home.stored()[0].parent().expect("it is in a folder").to_owned();
    for name in ["pack-1", "pack-7", "catalogue.new"] {
        fs::write(store.join(name), b"half of it").expect("it can be written");
    }
    home.write("a.py", b"def get(): return 1\n");
    home.check("something was left");
    fs::remove_file(store.join("catalogue")).expect("it is there");
    fs::write(store.join("pack-1"), b"half of it").expect("it can be written");
    home.check("packs were left and no catalogue");
    fs::remove_dir_all(home.cache.path().join("cst")).expect("it is there");
    home.check("all of it is gone");
}

#[test]
fn where_the_index_cant_be_written_searches_go_on() {
    let notes = Arc::new(Notes::default());
    let mut home = Home::new();
    home.observer = notes.clone();
    // A file where the folder should be, also for those who may write everywhere.
    fs::write(home.cache.path().join("cst"), b"a file").expect("it can be written");
    home.check("no folder");
    assert!(notes.0.lock().expect("nobody panics with it").iter().all(|note| note.contains("cannot be written")));
    fs::remove_file(home.cache.path().join("cst")).expect("it is there");
    home.index();
    let store = home.stored()[0].parent().expect("it is in a folder").to_owned();
    // The next pack can't be made, and later the catalogue.
    for name in ["pack-1", "catalogue.new"] {
        fs::create_dir(store.join(name)).expect("it can be made");
        home.write("a.py", format!("def get(): return 1 # {name}\n").as_bytes());
        home.check(name);
        fs::remove_dir(store.join(name)).expect("it is there");
    }
    assert!(notes.0.lock().expect("nobody panics with it").len() > 2);
    home.check("again");
    assert_eq!(home.index(), (1, 11));
}

#[test]
fn waste_is_written_out() {
    let home = Home::new();
    home.index();
    let size = home.size();
    for round in 0..20 {
        for (name, bytes) in FILES.iter().filter(|(name, _)| name.ends_with(".py")) {
            let more = format!("\n# {round}\n");
            home.write(name, &[bytes, more.as_bytes()].concat());
        }
        home.index();
        assert!(home.size() < size * 4, "round {round}: {} of {size}", home.size());
    }
    let packs = home.stored().iter().filter(|path| path.to_string_lossy().contains("pack-")).count();
    assert!(packs <= 64, "{packs}");
    home.check("after all that");
}

#[test]
fn those_used_longest_ago_go_first() {
    let mut home = Home::new();
    home.index();
    let whole = home.size();
    home.limit = Some(0);
    home.check("no room");
    assert!(home.size() == 0, "{:?}", home.stored());
    home.limit = Some(whole);
    home.check("room for one");
    assert!(home.size() > 0 && home.size() <= whole);
}

/// Whatever is searched, and whichever folders have an index.
#[test]
fn with_any_targets() {
    const TARGETS: [&str; 9] =
        [".", "inner", "inner/deep", "other", "a.py", "run", "head.h", "inner/b.py", "marked.py"];
    let mut dice = Dice(5);
    let (mut sets, mut several) = (0, 0);
    for indexed in [&["."][..], &["inner"], &["inner/deep", "other"], &[".", "inner"], &[]] {
        let home = Home::new();
        home.write("other/f.go", b"package f\nfunc get() int { return f(1) }\n");
        for folder in indexed {
            home.ask("index", json!({"targets": [folder]}));
        }
        for _ in 0..4 {
            let targets: Vec<&str> = (0..1 + dice.below(4)).map(|_| TARGETS[dice.below(TARGETS.len())]).collect();
            if dice.below(3) == 0 {
                home.write("inner/b.py", format!("def get(): return {}\n", dice.below(9)).as_bytes());
            }
            home.check_in(&targets, &json!({}), &format!("{targets:?} with indexes of {indexed:?}"));
            sets += 1;
            several += usize::from(targets.len() > 1);
        }
    }
    assert!(sets >= 20 && several >= 10, "{sets} sets, {several} with several targets");
}

/// Nothing is parsed that an index has: over several folders, in folders of the indexed one, and in single files.
#[test]
fn several_targets_parse_nothing_twice() {
    let home = Home::new();
    home.write("other/f.go", b"package f\nfunc get() int { return f(1) }\n");
    let made = home.ask("index", json!({"targets": ["inner", "other"]}));
    assert_eq!((&made["indexed"], &made["kept"]), (&json!(3), &json!(0)), "{made}");
    let again = home.ask("index", json!({"targets": ["inner", "other"]}));
    assert_eq!((&again["indexed"], &again["kept"]), (&json!(0), &json!(3)), "{again}");
    let check = |targets: Value| {
        READ.set(0);
        home.ask("find", json!({"selector": "*", "targets": targets, "ids": true, "reading": {"threads": 1}}));
        assert_eq!(READ.get(), 0, "{targets}");
    };
    check(json!(["inner", "other"]));
    check(json!(["inner/deep", "other/f.go"]));
    check(json!(["inner/b.py"]));
    check(json!(["other", "inner/deep", "inner"]));
}

mod processes {
    use super::*;

    fn place() -> Place {
        let place = Place::new();
        for number in 0..60 {
            let text = format!("class A{number}:\n    def get(self):\n        return f({number})\n").repeat(5);
            place.write(&format!("d{}/f{number}.py", number % 5), &text);
        }
        place
    }

    fn start(place: &Place, words: &[&str]) -> Child {
        place.command(words).spawn().expect("the program starts")
    }

    const FIND: [&str; 3] = ["find", "class > method#get", "--json"];

    #[test]
    fn several_at_once() {
        let place = place();
        let expected = place.run(&[&FIND[..], &["--no-cache"]].concat()).expect(0).stdout;
        for round in 0..8 {
            place.write("d0/f0.py", &format!("x = {round}\n"));
            let expected = if round == 0 {
                place.run(&[&FIND[..], &["--no-cache"]].concat()).expect(0).stdout
            } else {
                // Only a file without matches changed.
                place.run(&FIND).expect(0).stdout
            };
            let cached = [&FIND[..], &["--cache"]].concat();
            let children =
                [&["index"][..], &cached, &["index"], &FIND, &cached].map(|words| (words, start(&place, words)));
            for (words, child) in children {
                let output = child.wait_with_output().expect("the program ends");
                let said = String::from_utf8_lossy(&output.stderr).into_owned();
                match words[0] {
                    "index" => {
                        let refused = output.status.code() == Some(2) && said.contains("cannot be written now");
                        assert!(output.status.success() || refused, "{words:?}: {said}");
                    }
                    _ => assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "{words:?}: {said}"),
                }
            }
        }
        assert_ne!(place.run(&FIND).expect(0).stdout, expected);
    }

    #[test]
    fn one_that_is_killed() {
        let place = place();
        let expected = place.run(&[&FIND[..], &["--no-cache"]].concat()).expect(0).stdout;
        let mut places: Vec<u64> = Vec::new();
        for round in 0..12u32 {
            let mut child = start(&place, if round % 2 == 0 { &["index"] } else { &["find", "class", "--cache"] });
            // Killed at once, or when there is as much on the disk as the rounds before saw.
            let written = |place: &Place| -> u64 {
                let stores = fs::read_dir(place.cache().join("index")).into_iter().flatten().flatten();
                let files = stores.flat_map(|store| fs::read_dir(store.path()).into_iter().flatten().flatten());
                files.filter_map(|file| file.metadata().ok()).map(|found| found.len()).sum()
            };
            for _ in 0..round * 300 {
                places.push(written(&place));
            }
            let _ = child.kill();
            let _ = child.wait();
            for more in [&[][..], &["--cache"], &[]] {
                assert_eq!(place.run(&[&FIND[..], more].concat()).expect(0).stdout, expected, "round {round} {more:?}");
            }
            if round % 3 == 2 {
                fs::remove_dir_all(place.cache()).expect("it is there");
            }
        }
        place.run(&["index"]).expect(0);
        assert_eq!(place.run(&FIND).expect(0).stdout, expected);
    }

    #[test]
    fn where_a_languages_data_changed_it_is_made_anew() {
        let place = place();
        place.run(&["index"]).expect(0);
        let again = place.run(&["index", "--json"]).expect(0).json();
        assert_eq!(again["indexed"].as_u64().unwrap_or(0) + again["kept"].as_u64().unwrap_or(0), 60, "{again}");
        let configured = place.configuration().join("cst/languages/python/language.toml");
        fs::create_dir_all(configured.parent().expect("it is in a folder")).expect("it can be made");
        let built_in = Path::new(env!("CARGO_MANIFEST_DIR")).join("selectors/python/language.toml");
        let data = fs::read_to_string(built_in).expect("it is there") + "\n# changed\n";
        fs::write(&configured, data).expect("it can be written");
        let anew = place.run(&["index", "--json"]).expect(0).json();
        assert_eq!((&anew["indexed"], anew["kept"].as_u64().unwrap_or(0)), (&json!(60), 0), "{anew}");
        let expected = place.run(&[&FIND[..], &["--no-cache"]].concat()).expect(0).stdout;
        assert_eq!(place.run(&FIND).expect(0).stdout, expected);
    }
}
