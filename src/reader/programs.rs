//! Other programs: those of the machine, or what a test puts in their place.
//!
//! A program runs in a process group of its own. At its deadline, when the request is cancelled, and when it says more than it may,
//! the whole group is killed, so that nothing it started stays behind. A program that leaves its group (`setsid`) isn't followed.

use crate::limits;
use crate::locks::IgnorePoison;
use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

/// How often the deadline of a running program is checked, and whether the request was cancelled.
const SLICE: Duration = Duration::from_millis(5);
/// How long the output of a program that has ended may be held open by others.
const GRACE: Duration = Duration::from_millis(200);
/// How many bytes of a program's standard error are kept during a conversation.
const KEPT_COMPLAINTS: usize = 4 << 10;

/// What a program wrote.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CommandOutput {
    /// What it wrote to its standard output, then what it wrote to its standard error.
    pub output: Vec<u8>,
    /// Its exit status; `None` when a signal ended it.
    pub status: Option<i32>,
}

/// A program to be run.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct ProgramCall<'a> {
    /// The program, and its arguments.
    pub words: &'a [String],
    /// The working directory.
    pub folder: &'a Path,
    /// What is on its standard input.
    pub input: &'a [u8],
    /// How long it may take.
    pub deadline: Duration,
    /// The most bytes that it may write.
    pub most_output: usize,
    /// Variables of the environment that differ from those of this process.
    pub environment: &'a [(OsString, OsString)],
    /// Whether its answer isn't wanted any more.
    pub is_cancelled: &'a (dyn Fn() -> bool + Sync),
}

impl<'a> ProgramCall<'a> {
    /// A call without input, that nobody cancels.
    pub fn new(words: &'a [String], folder: &'a Path, deadline: Duration) -> ProgramCall<'a> {
        ProgramCall {
            words,
            folder,
            input: &[],
            deadline,
            most_output: limits::PROGRAM_OUTPUT,
            environment: &[],
            is_cancelled: &|| false,
        }
    }

    /// The same with bytes on standard input.
    #[must_use]
    pub fn with_input(mut self, input: &'a [u8]) -> ProgramCall<'a> {
        self.input = input;
        self
    }

    /// The same with a limit of what the program may write.
    #[must_use]
    pub fn with_most_output(mut self, bytes: usize) -> ProgramCall<'a> {
        self.most_output = bytes;
        self
    }

    /// The same with variables of the environment.
    #[must_use]
    pub fn with_environment(mut self, environment: &'a [(OsString, OsString)]) -> ProgramCall<'a> {
        self.environment = environment;
        self
    }

    /// The same, ended as soon as `is_cancelled` says so.
    #[must_use]
    pub fn cancelled_by(mut self, is_cancelled: &'a (dyn Fn() -> bool + Sync)) -> ProgramCall<'a> {
        self.is_cancelled = is_cancelled;
        self
    }
}

/// The only way to other programs.
pub trait CommandRunner: Send + Sync {
    /// Runs a program with its arguments, in a folder, with `input` on its standard input.
    ///
    /// # Errors
    /// As the system says: `NotFound` when there is no such program, `TimedOut` at the deadline, `Interrupted` when the call is
    /// cancelled, `FileTooLarge` when it writes more than it may. In the last three cases it was ended, with all that it started.
    fn run(&self, call: &ProgramCall<'_>) -> io::Result<CommandOutput>;

    /// Starts a program in a folder, to talk to it while it runs.
    ///
    /// # Errors
    /// As the system says: `NotFound` when there is no such program; `Unsupported` where programs are only run.
    fn start(&self, words: &[String], folder: &Path) -> io::Result<Box<dyn Conversation>> {
        let _ = (words, folder);
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// A program that is talked to while it runs. When this is dropped, it is ended with all that it started.
pub trait Conversation: Send {
    /// Puts bytes on the program's standard input, without waiting until they are read.
    ///
    /// # Errors
    /// `BrokenPipe` when it reads no more.
    fn send(&mut self, bytes: Vec<u8>) -> io::Result<()>;

    /// What the program writes to its standard output; empty if that is nothing for a moment.
    ///
    /// # Errors
    /// `UnexpectedEof` when it has closed its output.
    fn receive(&mut self) -> io::Result<Vec<u8>>;

    /// The end of what it wrote to its standard error.
    fn complaints(&self) -> String;
}

/// The programs of this machine.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemCommands;

impl CommandRunner for SystemCommands {
    fn run(&self, call: &ProgramCall<'_>) -> io::Result<CommandOutput> {
        let mut running = Running::start(call.words, call.folder, call.environment)?;
        let heard = running.hear(call);
        if heard.is_err() {
            running.kill();
        }
        heard
    }

    fn start(&self, words: &[String], folder: &Path) -> io::Result<Box<dyn Conversation>> {
        Ok(Box::new(Talking::new(Running::start(words, folder, &[])?)?))
    }
}

/// The groups of the programs that run now.
static RUNNING: Mutex<Vec<u32>> = Mutex::new(Vec::new());

fn running() -> MutexGuard<'static, Vec<u32>> {
    RUNNING.lock().ignore_poison()
}

/// Kills every program that runs now, with all that it started: for a process that is about to end.
pub fn kill_programs() {
    // None is started any more either: whoever starts one waits for the list, which stays locked.
    let groups = running();
    groups.iter().for_each(|&group| kill_group(group));
    std::mem::forget(groups);
}

/// A program that was started.
struct Running {
    child: Child,
    group: u32,
}

/// What comes from a program's pipes.
enum Event {
    Bytes(usize, Vec<u8>),
    Closed(usize, io::Result<()>),
}

impl Running {
    fn start(words: &[String], folder: &Path, environment: &[(OsString, OsString)]) -> io::Result<Running> {
        let Some((name, arguments)) = words.split_first() else { return Err(io::ErrorKind::InvalidInput.into()) };
        // A path is seen from the folder, whatever the system would make of it; a name alone is looked up.
        let is_path = Path::new(name).components().count() > 1;
        let program = if is_path { folder.join(name) } else { name.into() };
        let mut command = Command::new(program);
        command.args(arguments).current_dir(folder);
        command.envs(environment.iter().map(|(name, value)| (name, value)));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut groups = running();
        let child = command.spawn()?;
        let group = child.id();
        groups.push(group);
        Ok(Running { child, group })
    }

    /// Feeds the program and collects what it writes, until it has ended.
    fn hear(&mut self, call: &ProgramCall<'_>) -> io::Result<CommandOutput> {
        let end = Instant::now() + call.deadline;
        if let Some(mut stdin) = self.child.stdin.take() {
            let input = call.input.to_vec();
            // A program needn't read all of it; once it has ended the write fails.
            thread::Builder::new().spawn(move || _ = stdin.write_all(&input))?;
        }
        let (sender, events) = sync_channel(4);
        let mut open = 0;
        if let Some(pipe) = self.child.stdout.take() {
            forward(pipe, 0, sender.clone())?;
            open += 1;
        }
        if let Some(pipe) = self.child.stderr.take() {
            forward(pipe, 1, sender)?;
            open += 1;
        }
        let mut written = [Vec::new(), Vec::new()];
        let mut ended: Option<Instant> = None;
        let mut is_killed = false;
        while open > 0 || ended.is_none() {
            match next(&events, open) {
                Some(Event::Bytes(pipe, bytes)) => {
                    written[pipe].extend(bytes);
                    if written.iter().map(Vec::len).sum::<usize>() > call.most_output {
                        return Err(io::ErrorKind::FileTooLarge.into());
                    }
                }
                Some(Event::Closed(_, read)) => {
                    read?;
                    open -= 1;
                }
                None => {}
            }
            if ended.is_none() && self.has_ended()? {
                ended = Some(Instant::now());
            }
            if (call.is_cancelled)() {
                return Err(io::ErrorKind::Interrupted.into());
            }
            match ended {
                None if Instant::now() >= end => return Err(io::ErrorKind::TimedOut.into()),
                Some(at) if at.elapsed() > 2 * GRACE => break,
                // Something that the program started holds its output open.
                Some(at) if at.elapsed() > GRACE && !is_killed => {
                    kill_group(self.group);
                    is_killed = true;
                }
                _ => {}
            }
        }
        let status = self.child.wait()?;
        let [mut output, errors] = written;
        output.extend(errors);
        Ok(CommandOutput { output, status: status.code() })
    }

    /// Whether the program has ended. It isn't waited for yet, so that its group's number stays its own.
    #[cfg(unix)]
    fn has_ended(&mut self) -> io::Result<bool> {
        use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        Ok(waitid(WaitId::Pid(Pid::from_child(&self.child)), options)?.is_some())
    }

    #[cfg(not(unix))]
    fn has_ended(&mut self) -> io::Result<bool> {
        Ok(self.child.try_wait()?.is_some())
    }

    /// Ends the program and all that it started.
    fn kill(&mut self) {
        kill_group(self.group);
        // A program that is over already can't be killed; that is as good.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        running().retain(|&group| group != self.group);
    }
}

/// A program with which a conversation goes on.
struct Talking {
    running: Running,
    /// What is to be written. A thread writes it, so that two that write at once do not wait for each other.
    input: Sender<Vec<u8>>,
    events: Receiver<Event>,
    complaints: Vec<u8>,
}

impl Talking {
    fn new(mut running: Running) -> io::Result<Talking> {
        let (input, to_write) = channel::<Vec<u8>>();
        let (sender, events) = sync_channel(4);
        let pipes = (running.child.stdin.take(), running.child.stdout.take(), running.child.stderr.take());
        let talking = Talking { running, input, events, complaints: Vec::new() };
        let (Some(mut stdin), Some(stdout), Some(stderr)) = pipes else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        let write = move || {
            for bytes in to_write {
                if stdin.write_all(&bytes).and_then(|()| stdin.flush()).is_err() {
                    return;
                }
            }
        };
        thread::Builder::new().spawn(write)?;
        forward(stdout, 0, sender.clone())?;
        forward(stderr, 1, sender)?;
        Ok(talking)
    }
}

impl Conversation for Talking {
    fn send(&mut self, bytes: Vec<u8>) -> io::Result<()> {
        self.input.send(bytes).map_err(|_| io::ErrorKind::BrokenPipe.into())
    }

    fn receive(&mut self) -> io::Result<Vec<u8>> {
        match self.events.recv_timeout(SLICE) {
            Ok(Event::Bytes(0, bytes)) => Ok(bytes),
            Ok(Event::Bytes(_, bytes)) => {
                self.complaints.extend(bytes);
                let excess = self.complaints.len().saturating_sub(KEPT_COMPLAINTS);
                self.complaints.drain(..excess);
                Ok(Vec::new())
            }
            Ok(Event::Closed(0, Ok(()))) | Err(RecvTimeoutError::Disconnected) => {
                // What it says last may explain why.
                while let Ok(event) = self.events.recv_timeout(GRACE) {
                    if let Event::Bytes(1, bytes) = event {
                        self.complaints.extend(bytes.into_iter().take(KEPT_COMPLAINTS));
                    }
                }
                Err(io::ErrorKind::UnexpectedEof.into())
            }
            Ok(Event::Closed(0, Err(error))) => Err(error),
            Ok(Event::Closed(..)) | Err(RecvTimeoutError::Timeout) => Ok(Vec::new()),
        }
    }

    fn complaints(&self) -> String {
        String::from_utf8_lossy(&self.complaints).into_owned()
    }
}

impl Drop for Talking {
    fn drop(&mut self) {
        self.running.kill();
    }
}

/// The next event, if there is one soon.
fn next(events: &Receiver<Event>, open: usize) -> Option<Event> {
    if open == 0 {
        thread::sleep(Duration::from_millis(1));
        return None;
    }
    events.recv_timeout(SLICE).ok()
}

/// Hands on what comes out of a pipe until it is closed, or nobody listens any more.
fn forward(mut pipe: impl Read + Send + 'static, number: usize, events: SyncSender<Event>) -> io::Result<()> {
    let read = move || {
        let mut buffer = vec![0; 64 << 10];
        loop {
            let event = match pipe.read(&mut buffer) {
                Ok(0) => Event::Closed(number, Ok(())),
                Ok(count) => Event::Bytes(number, buffer[..count].to_vec()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => Event::Closed(number, Err(error)),
            };
            let is_last = matches!(event, Event::Closed(..));
            if events.send(event).is_err() || is_last {
                return;
            }
        }
    };
    thread::Builder::new().spawn(read).map(|_| ())
}

/// Kills all processes of a group.
#[cfg(unix)]
fn kill_group(group: u32) {
    use rustix::process::{Pid, Signal, kill_process_group};
    if let Some(group) = i32::try_from(group).ok().and_then(Pid::from_raw) {
        // A group that is gone can't be killed.
        let _ = kill_process_group(group, Signal::KILL);
    }
}

#[cfg(not(unix))]
fn kill_group(_group: u32) {}
