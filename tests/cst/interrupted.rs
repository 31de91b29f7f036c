//! Writes of many files that are cut short, by real signals to real processes: one that ends by a signal it can catch rolls back
//! first; one that is killed is dealt with by the next command that writes, whatever happened to its files meanwhile.
//!
//! `CST_TEST_FILES` and `CST_TEST_ROUNDS` make it longer.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Output, Stdio};

use super::cli::Place;

const OLD: &str = "x = old(1)\n";
const NEW: &str = "x = new(1)\n";

fn number(variable: &str, usual: usize) -> usize {
    std::env::var(variable).ok().and_then(|digits| digits.parse().ok()).unwrap_or(usual)
}

fn name(number: usize) -> String {
    format!("f{number:04}.py")
}

/// When a process is sent a signal.
#[derive(Debug, Clone, Copy)]
enum Moment {
    /// When so many files are staged.
    Staged(usize),
    /// When all were staged, and so many are still to be renamed.
    Left(usize),
}

/// A folder of many files.
struct Folder {
    place: Place,
    count: usize,
}

impl Folder {
    fn new(count: usize) -> Folder {
        let folder = Folder { place: Place::new(), count };
        folder.reset();
        folder
    }

    /// Gives all files their old content, since nothing else distinguishes them.
    fn reset(&self) {
        (0..self.count).for_each(|number| self.place.write(&name(number), OLD));
        self.place.write("other.txt", "not code\n");
    }

    fn rewrite(&self) -> Command {
        self.place.command(&["rewrite", "-p", "old($A)", "new($A)", ".", "--write", "--glob", "f*.py"])
    }

    /// All files that are there, hidden ones too, with what they hold.
    fn all(&self) -> BTreeMap<String, Vec<u8>> {
        let entries = std::fs::read_dir(self.place.path("")).expect("the folder is there").flatten();
        let files = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
        files
            .filter_map(|entry| {
                Some((entry.file_name().to_string_lossy().into_owned(), std::fs::read(entry.path()).ok()?))
            })
            .collect()
    }

    /// How many files have the new text; all others must have the old one, and no other files may be left.
    fn written(&self) -> usize {
        let all = self.all();
        let staged: Vec<&String> = all.keys().filter(|name| name.contains(".cst-")).collect();
        assert!(staged.is_empty(), "{} staged files are left: {:?}", staged.len(), staged.first());
        let files: Vec<&Vec<u8>> = (0..self.count).map(|number| &all[&name(number)]).collect();
        let written = files.iter().filter(|bytes| ***bytes == NEW.as_bytes()).count();
        let old = files.iter().filter(|bytes| ***bytes == OLD.as_bytes()).count();
        assert_eq!(written + old, self.count, "a file is neither old nor new");
        written
    }

    /// How many files of a write that was cut short are staged, and how many are new.
    fn halves(&self) -> (usize, usize) {
        let all = self.all();
        let staged = all.keys().filter(|name| name.contains(".cst-")).count();
        (staged, (0..self.count).filter(|&number| all[&name(number)] == NEW.as_bytes()).count())
    }

    /// Starts a rewrite and sends it a signal at a moment.
    fn signal(&self, moment: Moment, signal: &str) -> Output {
        let mut child = self.rewrite().spawn().expect("the program starts");
        self.wait_for(&mut child, moment);
        // It may have ended by itself.
        let _ =
            Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).stderr(Stdio::null()).status();
        child.wait_with_output().expect("the program ends")
    }

    fn wait_for(&self, child: &mut Child, moment: Moment) {
        let mut all_were_staged = false;
        loop {
            let entries = std::fs::read_dir(self.place.path("")).expect("the folder is there").flatten();
            let staged = entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(".f")).count();
            all_were_staged |= staged + 2 >= self.count;
            let is_now = match moment {
                Moment::Staged(count) => staged >= count,
                Moment::Left(count) => all_were_staged && staged <= count,
            };
            if is_now || child.try_wait().expect("the program can be waited for").is_some() {
                return;
            }
            std::thread::sleep(std::time::Duration::from_micros(50));
        }
    }

    /// Kills rewrites until one is cut short between its first and its last renaming.
    fn kill_halfway(&self) {
        for attempt in 0..50 {
            self.reset();
            self.signal(Moment::Left(self.count - 1 - (attempt * 37) % (self.count / 2)), "KILL");
            let (staged, written) = self.halves();
            if staged > 0 && written > 0 && staged + written == self.count {
                return;
            }
            // All or none: the next command that writes sees to it.
            self.write_something();
        }
        panic!("no rewrite was cut short halfway");
    }

    /// A command that writes another file.
    fn write_something(&self) -> super::cli::Run {
        self.place.write("else.py", "y = 1\n");
        let run = self.place.run(&["modify", "else.py", "sub", "module", "1", "2", "--write"]).expect(0);
        std::fs::remove_file(self.place.path("else.py")).expect("it is there");
        run
    }
}

/// Whether this process ignores a signal, and with it each that it starts.
fn is_ignored(signal: &str) -> bool {
    let number = match signal {
        "HUP" => 1,
        "INT" => 2,
        _ => return false,
    };
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default();
    mask & (1 << (number - 1)) != 0
}

fn moments(count: usize, rounds: usize) -> impl Iterator<Item = Moment> + Clone {
    (0..rounds).map(move |round| {
        let part = round * count / rounds.max(1);
        if round % 2 == 0 { Moment::Staged(1 + part / 2) } else { Moment::Left(count - 1 - part / 2) }
    })
}

#[test]
fn a_signal_rolls_back_before_the_process_ends() {
    let (count, rounds) = (number("CST_TEST_FILES", 120), number("CST_TEST_ROUNDS", 4));
    /// How often the rounds are repeated where the program was done before its signal came.
    const REPEATED: usize = 8;
    let folder = Folder::new(count);
    for (signal, code) in [("INT", 2), ("TERM", 15), ("HUP", 1)] {
        if is_ignored(signal) {
            println!("{signal} is ignored here, as behind `nohup` or in the background, and so it is by the program");
            continue;
        }
        let (mut done, mut rolled_back) = (0, 0);
        for moment in moments(count, rounds).cycle().take(rounds * REPEATED) {
            if rolled_back == rounds {
                break;
            }
            done += 1;
            folder.reset();
            let ended = folder.signal(moment, signal);
            let stderr = String::from_utf8_lossy(&ended.stderr);
            let written = folder.written();
            match ended.status.signal() {
                Some(caught) => {
                    assert_eq!(caught, code, "{stderr}");
                    assert!(written == 0 || written == count, "{signal} {moment:?}: {written} of {count}");
                    // A signal after the report has nothing to add to it.
                    let said: &[&str] = match written {
                        0 => &["interrupted: rolled back"],
                        _ => &["interrupted after the last file", "written; undo with"],
                    };
                    let is_said = said.iter().any(|said| stderr.contains(said));
                    assert!(is_said, "{signal} {moment:?}: {written} of {count}: {stderr}");
                    rolled_back += usize::from(written == 0);
                }
                None => assert_eq!((ended.status.code(), written), (Some(0), count), "{stderr}"),
            }
            let found = folder.place.run(&["find", "call", &name(0)]).expect(0);
            assert!(!found.stderr.contains("interrupted"), "nothing is pending: {}", found.stderr);
        }
        println!("{signal}: {rolled_back} of {done} rounds rolled back, the others were done");
        assert!(3 * rolled_back >= 2 * rounds, "{signal}: {rolled_back} of {done} rounds, {rounds} are tried for");
    }
}

#[test]
fn a_killed_write_is_completed_or_rolled_back_by_the_next_that_writes() {
    let (count, rounds) = (number("CST_TEST_FILES", 120), number("CST_TEST_ROUNDS", 6));
    let folder = Folder::new(count);
    let (mut completed, mut rolled_back, mut halfway) = (0, 0, 0);
    for moment in moments(count, rounds) {
        folder.reset();
        folder.signal(moment, "KILL");
        let before = folder.all();
        let found = folder.place.run(&["find", "call", &name(0)]).expect(0);
        assert_eq!(folder.all(), before, "reading writes nothing");
        let said = found.stderr.lines().filter(|line| line.contains("interrupted")).count();
        let (staged, written) = folder.halves();
        halfway += usize::from(staged > 0 && written > 0);
        assert!(said == 1 || (staged, written) == (0, 0) || written == count, "{}", found.stderr);
        let next = folder.write_something();
        let now = folder.written();
        assert!(now == 0 || now == count, "{moment:?}: {now} of {count}; {}", next.stderr);
        completed += usize::from(next.stderr.contains("completed the interrupted write"));
        rolled_back += usize::from(next.stderr.contains("rolled back the interrupted write"));
        let later = folder.place.run(&["find", "call", &name(0)]).expect(0);
        assert!(!later.stderr.contains("interrupted"), "{}", later.stderr);
    }
    println!("kills: {rounds} rounds, {halfway} halfway, {completed} completed, {rolled_back} rolled back");
    assert!(completed + rolled_back >= rounds / 2, "{completed} completed, {rolled_back} rolled back of {rounds}");
}

#[test]
fn what_happened_to_the_files_of_a_killed_write_is_respected() {
    let folder = Folder::new(number("CST_TEST_FILES", 120));
    let git = |words: &[&str]| {
        let mut git = Command::new("git");
        git.args(words).current_dir(folder.place.path("")).env("GIT_CONFIG_GLOBAL", "/dev/null");
        assert!(git.stdout(Stdio::null()).status().expect("git runs").success(), "git {words:?}");
    };
    git(&["init", "-q"]);
    git(&["add", "."]);
    git(&["-c", "user.name=n", "-c", "user.email=n@example.com", "commit", "-qm", "first"]);

    // Reverted by hand, with and without staged files.
    for also in [None, Some(["clean", "-fdq"])] {
        folder.kill_halfway();
        git(&["checkout", "."]);
        also.iter().for_each(|words| git(words));
        let before = folder.all();
        folder.place.run(&["find", "-p", "old($A)", &name(1)]).expect(0);
        assert_eq!(folder.all(), before, "reading writes nothing");
        let next = folder.write_something();
        assert!(next.stderr.contains("rolled back the interrupted write"), "{}", next.stderr);
        assert_eq!(folder.written(), 0);
    }

    // Somebody else added a line to a written file.
    folder.kill_halfway();
    let written = (0..folder.count).find(|&number| folder.place.read(&name(number)) == NEW).expect("some are written");
    folder.place.write(&name(written), &format!("{NEW}# mine\n"));
    let next = folder.write_something();
    assert!(
        next.stderr.contains("rolled back the interrupted write") && next.stderr.contains(&name(written)),
        "{}",
        next.stderr
    );
    assert_eq!(folder.place.read(&name(written)), format!("{NEW}# mine\n"));
    let kept = folder.place.run(&["backups", &name(written), "--json"]).expect(0).json();
    let backup = kept["backups"][0]["backup"].as_str().expect("what it held before is kept").to_owned();
    folder.place.run(&["backups", "--restore", &backup]).expect(0);
    assert_eq!(folder.written(), 0);

    // A file that wasn't yet, and one whose staged bytes are gone.
    for change in [0, 1] {
        folder.kill_halfway();
        let old: Vec<usize> = (0..folder.count).filter(|&number| folder.place.read(&name(number)) == OLD).collect();
        if change == 0 {
            folder.place.write(&name(old[0]), "y = 3\n");
        } else {
            let all = folder.all();
            let staged = all.keys().find(|name| name.contains(".cst-")).expect("some are staged");
            std::fs::remove_file(folder.place.path(staged)).expect("it is there");
        }
        let next = folder.write_something();
        assert!(next.stderr.contains("rolled back the interrupted write"), "{}", next.stderr);
        if change == 0 {
            assert_eq!(folder.place.read(&name(old[0])), "y = 3\n");
            folder.place.write(&name(old[0]), OLD);
        }
        assert_eq!(folder.written(), 0);
    }

    // Nothing happened: it is completed, or rolled back where that is asked for.
    folder.kill_halfway();
    let undone = folder.place.run(&["undo", "--last", "--json"]).expect(0).json();
    assert_eq!(undone["restored"].as_array().map(Vec::len), Some(folder.count));
    assert_eq!(folder.written(), 0);
    folder.kill_halfway();
    let next = folder.write_something();
    assert!(next.stderr.contains("completed the interrupted write"), "{}", next.stderr);
    assert_eq!(folder.written(), folder.count);
    let listed = folder.place.run(&["undo", "--list", "--json"]).expect(0).json();
    let listed = listed["transactions"].as_array().into_iter().flatten();
    let rewritten = listed.into_iter().find(|row| row["request"] == "rewrite").expect("the rewrite can be undone");
    let id = rewritten["transaction"].as_str().expect("it has an id");
    folder.place.run(&["undo", "--transaction", id]).expect(0);
    assert_eq!(folder.written(), 0);
}

/// A single file has a journal, too: leftovers of a killed process are removed by the next write.
#[test]
fn a_single_file_leaves_nothing_beside_it() {
    const ROUNDS: usize = 8;
    let place = Place::new();
    let names = || {
        let entries = std::fs::read_dir(place.path("")).expect("the folder is there").flatten();
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect::<Vec<_>>()
    };
    let mut killed = 0;
    for round in 0..ROUNDS {
        // In one string: the grammar reads each line of comments in a row anew for all that are above it.
        let lines = "# a line that takes its time to be written\n".repeat(4_000);
        let large = format!("x = 1\n\"\"\"\n{lines}\"\"\"\n");
        place.write("app.py", &large);
        let edit = ["modify", "app.py", "sub", "integer:first", "1", "2", "--write"];
        let mut child = place.command(&edit).spawn().expect("the program starts");
        while names().len() == 1 && child.try_wait().expect("it can be waited for").is_none() {
            std::thread::sleep(std::time::Duration::from_micros(50));
        }
        std::thread::sleep(std::time::Duration::from_micros(u64::try_from(round).unwrap_or(0) * 300));
        let _ = child.kill();
        killed += usize::from(child.wait().expect("it ends").signal().is_some());
        let text = place.read("app.py");
        assert!(text == large || text == large.replacen('1', "2", 1));
        place.write("small.py", "y = 1\n");
        place.run(&["modify", "small.py", "sub", "module", "1", "2", "--write"]).expect(0);
        std::fs::remove_file(place.path("small.py")).expect("it is there");
        assert_eq!(names(), ["app.py"], "round {round}");
    }
    println!("single files: {killed} of {ROUNDS} killed");
    assert!(killed > ROUNDS / 2, "{killed} killed");
}
