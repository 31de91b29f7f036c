//! Others who change files in the middle of a write, at exact moments: what they wrote is never lost, and a rollback that fails
//! or is cut short goes on.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use cst::engine::{Disk, Engine, Files, Host, Listing, Metadata, Observer, Request, Walk};
use serde_json::{Value, json};
use tempfile::TempDir;

const OLD: &str = "x = old(1)\n";
const NEW: &str = "x = new(1)\n";

type Hook = Box<dyn Fn(usize) + Send + Sync>;

/// The disk, where something happens before each renaming; once dead, nothing can be written.
struct Watched {
    renamings: AtomicUsize,
    before: Hook,
    dead: Arc<AtomicBool>,
}

impl Watched {
    fn alive(&self) -> io::Result<()> {
        if self.dead.load(Ordering::Relaxed) { Err(io::Error::other("the disk is gone")) } else { Ok(()) }
    }
}

impl Files for Watched {
    fn commit(&self, beside: &Path, path: &Path) -> io::Result<()> {
        (self.before)(self.renamings.fetch_add(1, Ordering::Relaxed));
        self.alive()?;
        Disk.commit(beside, path)
    }

    fn stage(&self, path: &Path, beside: &Path, bytes: &[u8]) -> io::Result<()> {
        self.alive()?;
        Disk.stage(path, beside, bytes)
    }

    fn discard(&self, beside: &Path) -> io::Result<()> {
        self.alive()?;
        Disk.discard(beside)
    }

    fn facts(&self, path: &Path) -> io::Result<Metadata> {
        Disk.facts(path)
    }

    fn read(&self, path: &Path, limit: u64) -> io::Result<Vec<u8>> {
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

    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        Disk.sync_folder(path)
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

/// Remembers notes, and interrupts once the flag is set.
#[derive(Default)]
struct ByName {
    notes: Mutex<Vec<String>>,
    interrupted: Arc<AtomicBool>,
    writing: AtomicUsize,
}

impl Observer for ByName {
    fn note(&self, message: &str) {
        self.notes.lock().expect("nothing panics while it is held").push(message.to_owned());
    }

    fn begin_writing(&self) {
        self.writing.fetch_add(1, Ordering::Relaxed);
    }

    fn end_writing(&self) {
        self.writing.fetch_sub(1, Ordering::Relaxed);
    }

    fn is_interrupted(&self) -> bool {
        assert_eq!(self.writing.load(Ordering::Relaxed), 1, "asked only while files are written");
        self.interrupted.load(Ordering::Relaxed)
    }
}

/// A folder of files, with a store next to it.
struct Bench {
    folder: TempDir,
    told: Arc<ByName>,
    dead: Arc<AtomicBool>,
}

const FILES: usize = 8;

impl Bench {
    fn new() -> Bench {
        let bench =
            Bench { folder: TempDir::new().expect("a temporary folder"), told: Arc::default(), dead: Arc::default() };
        fs::create_dir(bench.path("")).expect("a folder");
        (0..FILES).for_each(|number| fs::write(bench.file(number), OLD).expect("a file"));
        bench
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join("files").join(name)
    }

    fn file(&self, number: usize) -> PathBuf {
        self.path(&format!("f{number}.py"))
    }

    fn texts(&self) -> Vec<String> {
        (0..FILES).map(|number| fs::read_to_string(self.file(number)).expect("the file is there")).collect()
    }

    /// How many files there are, hidden ones too.
    fn count(&self) -> usize {
        fs::read_dir(self.path("")).expect("the folder is there").count()
    }

    /// What a process would be, in which something happens before each renaming.
    fn process(&self, before: impl Fn(usize) + Send + Sync + 'static) -> Engine {
        let files = Watched { renamings: AtomicUsize::new(0), before: Box::new(before), dead: self.dead.clone() };
        Engine::new(Host {
            files: Arc::new(files),
            state: Some(self.folder.path().join("state")),
            observer: self.told.clone(),
            ..Host::at(self.path(""))
        })
    }

    fn notes(&self) -> String {
        std::mem::take(&mut *self.told.notes.lock().expect("nothing panics while it is held")).join("\n")
    }
}

fn ask(engine: &Engine, method: &str, params: Value) -> Value {
    let request: Request =
        serde_json::from_value(json!({"method": method, "params": params})).expect("the request is well formed");
    match engine.handle(request) {
        Ok(response) => serde_json::to_value(response).expect("a response is plain data"),
        Err(error) => error.to_json(),
    }
}

fn rewrite(engine: &Engine) -> Value {
    ask(engine, "rewrite", json!({"pattern": "old($A)", "template": "new($A)", "targets": ["."], "write": true}))
}

/// What is replaced without a journal, such as an agent's configuration: leftovers go when the file is replaced again, and the
/// files of those who are at work stay.
#[test]
fn leftovers_of_single_files_go_with_the_next_write() {
    let folder = TempDir::new().expect("a temporary folder");
    let path = folder.path().join("settings.json");
    let name = |end: &str| folder.path().join(format!(".settings.json.cst-lone-{end}"));
    let failed = Disk.replace(&path, b"{}", &|beside| {
        // As a process killed here would leave it: next to the file, and not locked.
        fs::copy(beside, name("dead")).expect("it can be copied");
        Err(io::Error::other("no"))
    });
    assert!(failed.is_err() && !path.exists() && name("dead").exists());
    let alive = fs::File::create(name("alive")).expect("a file");
    alive.lock().expect("it can be locked");
    fs::write(folder.path().join(".settings.json.cst-0-0"), "a journal's").expect("a file");
    Disk.replace(&path, b"{}", &|_| Ok(())).expect("it is written");
    assert_eq!(fs::read(&path).expect("it is there"), b"{}");
    assert!(!name("dead").exists() && name("alive").exists());
    drop(alive);
    Disk.replace(&path, b"[]", &|_| Ok(())).expect("it is written");
    let left = fs::read_dir(folder.path()).expect("the folder is there").count();
    assert_eq!(left, 2, "the file, and what is not its own");
}

#[test]
fn a_line_appended_to_a_written_file_is_not_lost() {
    for at in 1..FILES {
        let bench = Bench::new();
        let (first, next) = (bench.file(0), bench.file(at));
        let engine = bench.process(move |renaming| {
            if renaming == at - 1 {
                // The first file was renamed already, unless this is its own renaming.
                let line = fs::read_to_string(&first).expect("it is there") + "# mine\n";
                fs::write(&first, line).expect("it is written");
                fs::write(&next, "y = 3\n").expect("it is written");
            }
        });
        let failed = rewrite(&engine);
        assert_eq!(failed["error"]["code"], "file_changed", "{failed}");
        let texts = bench.texts();
        assert_eq!(texts[at], "y = 3\n");
        if at == 1 {
            // It changed between the check and the rename, the one moment that cannot be detected.
            continue;
        }
        assert_eq!(texts[0], format!("{NEW}# mine\n"), "at {at}");
        assert!(failed["error"]["message"].as_str().is_some_and(|message| message.contains("f0.py")), "{failed}");
        for (number, text) in texts.iter().enumerate().filter(|(number, _)| ![0, at].contains(number)) {
            assert_eq!(text, OLD, "file {number}, at {at}");
        }
        let kept = ask(&engine, "backups", json!({"paths": ["f0.py"]}));
        let backup = kept["backups"][0]["backup"].as_str().unwrap_or_else(|| panic!("{kept}"));
        ask(&engine, "backups", json!({"restore": backup}));
        assert_eq!(bench.texts()[0], OLD);
        assert_eq!(bench.count(), FILES, "nothing is left beside the files");
        assert_eq!(ask(&engine, "transactions", json!({}))["transactions"].as_array().map(Vec::len), Some(1));
    }
}

#[test]
fn an_interrupt_at_any_renaming_rolls_back() {
    for at in 0..FILES {
        let bench = Bench::new();
        let interrupted = bench.told.interrupted.clone();
        let engine = bench.process(move |renaming| {
            if renaming == at {
                interrupted.store(true, Ordering::Relaxed);
            }
        });
        let answer = rewrite(&engine);
        let notes = bench.notes();
        if at == FILES - 1 {
            assert_eq!(answer["written"], true, "after the last renaming it is finished: {answer}");
            assert!(notes.contains("interrupted after the last file"), "{notes}");
        } else {
            assert_eq!(answer["error"]["message"], "not applied: interrupted");
            assert_eq!(bench.texts(), [OLD; FILES]);
            assert!(notes.contains("interrupted: rolled back"), "{notes}");
        }
        assert_eq!(bench.count(), FILES, "nothing is left beside the files");
    }
}

/// A process that dies while it restores files leaves a journal that says so: the next one continues the rollback.
#[test]
fn a_rollback_that_is_cut_short_goes_on() {
    for at in FILES..2 * FILES - 2 {
        let bench = Bench::new();
        let (last, dead) = (bench.file(FILES - 1), bench.dead.clone());
        let engine = bench.process(move |renaming| {
            if renaming == 0 {
                // The last one is refused, after all others were renamed.
                fs::write(&last, "y = 3\n").expect("it is written");
            }
            // Renamings from here on put files back.
            if renaming == at {
                dead.store(true, Ordering::Relaxed);
            }
        });
        let failed = rewrite(&engine);
        let message = failed["error"]["message"].as_str().unwrap_or_else(|| panic!("{failed}"));
        assert!(message.contains("rolling back failed"), "{failed}");
        let halfway = bench.texts();
        assert!(halfway.iter().any(|text| text == NEW) && halfway.iter().any(|text| text == OLD), "{halfway:?}");
        bench.notes();

        bench.dead.store(false, Ordering::Relaxed);
        let next = bench.process(|_| ());
        ask(&next, "find", json!({"selector": "call"}));
        assert_eq!(bench.texts(), halfway, "reading writes nothing");
        assert!(bench.notes().contains("interrupted"));
        fs::write(bench.path("other.py"), "z = 1\n").expect("a file");
        let edit = json!([{"op": "sub", "target": "module", "find": "1", "replace": "2"}]);
        let next = bench.process(|_| ());
        let written = ask(&next, "modify", json!({"target": "other.py", "operations": edit, "write": true}));
        assert_eq!(written["written"], true, "{written}");
        let notes = bench.notes();
        assert!(notes.contains("rolled back the interrupted write"), "{notes}");
        let texts = bench.texts();
        assert_eq!(texts[FILES - 1], "y = 3\n");
        assert_eq!(texts[..FILES - 1], [OLD; FILES - 1], "at {at}");
        assert_eq!(bench.count(), FILES + 1, "nothing is left beside the files");
    }
}

/// Where nothing can be written, nothing was staged: there is nothing to roll back, and nothing is pending.
#[test]
fn a_write_that_cannot_begin_leaves_nothing_pending() {
    let bench = Bench::new();
    bench.dead.store(true, Ordering::Relaxed);
    for _ in 0..2 {
        let failed = rewrite(&bench.process(|_| ()));
        let message = failed["error"]["message"].as_str().unwrap_or_else(|| panic!("{failed}"));
        assert!(message.contains("the disk is gone") && !message.contains("rolling back"), "{failed}");
    }
    assert_eq!(bench.notes(), "");
    ask(&bench.process(|_| ()), "find", json!({"selector": "call"}));
    assert_eq!(bench.notes(), "");
    assert_eq!(bench.texts(), [OLD; FILES]);
}

/// A process that is killed before the first renaming has changed nothing, and neither does the next one; later, it is completed.
#[test]
fn a_write_that_has_renamed_nothing_is_rolled_back() {
    for at in 0..3 {
        let bench = Bench::new();
        let engine = bench.process(move |renaming| assert_ne!(renaming, at, "killed"));
        let killed = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| rewrite(&engine)));
        assert!(killed.is_err(), "{killed:?}");
        drop(engine);
        assert!(bench.count() > FILES, "files are staged");
        assert_eq!(bench.notes(), "");
        fs::write(bench.path("other.py"), "z = 1\n").expect("a file");
        let edit = json!([{"op": "sub", "target": "module", "find": "1", "replace": "2"}]);
        let next = bench.process(|_| ());
        let written = ask(&next, "modify", json!({"target": "other.py", "operations": edit, "write": true}));
        assert_eq!(written["written"], true, "{written}");
        let (expected, said) =
            if at == 0 { (OLD, "rolled back the interrupted write") } else { (NEW, "completed the interrupted write") };
        assert_eq!(bench.texts(), [expected; FILES], "at {at}");
        let notes = bench.notes();
        assert!(notes.contains(said) && !notes.contains("the next command that writes"), "{notes}");
        assert_eq!(bench.count(), FILES + 1, "nothing is left beside the files");
    }
}

/// What a preview showed is what is written, or nothing is.
#[test]
fn a_rewrite_with_expected_revisions_writes_what_was_previewed() {
    let params = |write: bool, expected: &Value| json!({"pattern": "old($A)", "template": "new($A)", "targets": ["."], "write": write, "expect_revisions": expected});
    let preview = |bench: &Bench| {
        let seen = ask(&bench.process(|_| ()), "rewrite", params(false, &json!({})));
        let rows = seen["files"].as_array().expect("a list").iter();
        let rows = rows.map(|file| (file["path"].as_str().expect("a path").to_owned(), file["revision"].clone()));
        rows.collect::<serde_json::Map<String, Value>>()
    };
    let bench = Bench::new();
    let seen = preview(&bench);
    assert_eq!(seen.len(), FILES);
    // A file has one more match, one is new, one has none any more, and one does not change as it is said.
    let changes: [(&str, &dyn Fn()); 3] = [
        ("`f3.py` would become a different text", &|| fs::write(bench.file(3), format!("{OLD}{OLD}")).expect("a file")),
        ("`extra.py` would change as well", &|| fs::write(bench.path("extra.py"), OLD).expect("a file")),
        ("`f5.py` would not change any more", &|| fs::write(bench.file(5), "y = 1\n").expect("a file")),
    ];
    for (said, change) in changes {
        change();
        let before: Vec<String> = bench.texts();
        let refused = ask(&bench.process(|_| ()), "rewrite", params(true, &seen.clone().into()));
        assert_eq!(refused["error"]["code"], "file_changed", "{refused}");
        assert!(
            refused["error"]["message"].as_str().is_some_and(|message| message.contains(said)),
            "{said}: {refused}"
        );
        assert_eq!(bench.texts(), before);
        _ = fs::remove_file(bench.path("extra.py"));
        (0..FILES).for_each(|number| fs::write(bench.file(number), OLD).expect("a file"));
    }
    let other = json!({"pattern": "old($A)", "template": "newer($A)", "targets": ["."], "write": true, "expect_revisions": seen});
    let refused = ask(&bench.process(|_| ()), "rewrite", other);
    assert!(refused["error"]["message"].as_str().is_some_and(|message| message.contains("7 other files")), "{refused}");
    let written = ask(&bench.process(|_| ()), "rewrite", params(true, &seen.into()));
    assert_eq!(written["written"], true, "{written}");
    assert_eq!(bench.texts(), [NEW; FILES]);
}
