//! `refactor`: its kinds, their arguments, and what they print.

use clap::{Args, Subcommand};

use crate::request::{
    ChangeSignature, CreateFile, DeleteFile, DeleteUnused, ExtractBase, ExtractFunction, ExtractVariable, Inline, Move,
    MoveFile, OrganizeImports, Refactor, RefactorRequest, RefactorResponse, RemoveFlag, Rename, SplitClass, SplitFile,
};

use super::caller::Caller;
use super::changes;
use super::exit::Exit;
use super::failure::Failure;
use super::lazy::Lazy;
use super::printer::{Format, Printer, QUIET};
use super::project::ProjectArgs;
use super::report::plural;

/// Changes a definition and all references to it, in a whole project
///
/// Only certain references to the definition are changed. If other places may refer to it, they are listed and nothing is changed,
/// unless --include or --leave-undetermined decides about them. Afterwards every name must still refer to the same definition; otherwise
/// the refactor is refused.
///
/// Without --write, only the diff is shown. With --write, all files are written or none, and one undo restores them all.
///
/// With --verify, a compiler, a type checker or the tests of the project have the last word: they run in a copy of the working
/// tree, before and after, and what they newly complain of refuses the refactor.
#[derive(Debug, Args)]
pub(super) struct RefactorCommand {
    #[command(subcommand)]
    kind: Kind,
}

#[derive(Debug, Subcommand)]
enum Kind {
    /// Renames a symbol: its definition, references, imports and overrides, and the arguments that name a parameter
    #[command(after_long_help = EXAMPLES)]
    Rename(Lazy<Within<Rename>>),
    Move(Lazy<MoveDefinitions>),
    /// Moves a file or a folder, and updates the imports of it and in it
    ///
    /// Files without code in a folder move with it. What is ignored stays.
    MoveFile(Lazy<Beside<MoveFile>>),
    /// Splits a module into a package: a file for each class, or for each named part
    ///
    /// The package exports all names that the module had, so imports of it do not change. Functions and variables go to the file of the one
    /// class that uses them or that they use, shared ones to `common`. Definitions that would cause an import cycle stay in the package's
    /// own file.
    #[command(after_long_help = SPLIT_EXAMPLES)]
    SplitFile(Lazy<Beside<SplitFile>>),
    /// Adds, removes, renames or reorders parameters of a function or method, with the arguments of its calls and its overrides
    ///
    /// If a call cannot be followed, passes `*arguments`, or would lose an argument with side effects, it is
    /// listed and nothing changes.
    #[command(group(clap::ArgGroup::new("change").required(true).args(["add", "remove", "reorder", "rename", "keyword_only"])))]
    Signature(Lazy<Beside<ChangeSignature>>),
    /// Deletes functions and classes that are certainly unused, then those that become unused
    ///
    /// Repeats until `cst unused --certain` lists nothing more. Entry points, exports, tests, overrides and decorated definitions stay. In
    /// a library, name the part that no other code imports.
    DeleteUnused(Lazy<Beside<DeleteUnused>>),
    /// Removes unused imports, merges imports of one module, and sorts the rest
    ///
    /// The order is that of the project's configuration (isort, ruff), or the one in the file. Names that may be used stay, and are listed
    /// with the reason. Nothing outside of the import statements changes.
    OrganizeImports(Lazy<Beside<OrganizeImports>>),
    /// Extracts statements or an expression into a function, and calls it in their place
    ///
    /// Its parameters are the variables that the code reads, its results those that it writes and that are read afterwards. Code that uses
    /// the object of a method becomes a method. It is refused if the program would behave differently.
    #[command(after_long_help = EXTRACT_EXAMPLES)]
    ExtractFunction(Lazy<Within<ExtractFunction>>),
    /// Extracts an expression into a variable
    ///
    /// The variable is assigned before the statement that contains the expression. It is refused if the expression would be evaluated more
    /// or less often, or in another order relative to code with side effects.
    #[command(after_long_help = EXTRACT_EXAMPLES)]
    ExtractVariable(Lazy<Within<ExtractVariable>>),
    /// Moves common members of classes to a new base class
    ///
    /// The members must be the same in all of the classes, which are in one file. If the classes have the same bases, the new class has
    /// those; otherwise it becomes the first base of each.
    #[command(after_long_help = BASE_EXAMPLES)]
    ExtractBase(Lazy<Beside<ExtractBase>>),
    /// Moves methods of a class, and their state, to a new class; the old class holds an instance of it and delegates calls
    ///
    /// The instance variables that the methods use move with them: their initial values move to the constructor of the new class, and other
    /// uses go through the new instance. The methods must not use members that stay.
    #[command(after_long_help = SPLIT_CLASS_EXAMPLES)]
    SplitClass(Lazy<Within<SplitClass>>),
    /// Creates a file
    ///
    /// A step of a script does the same: `refactor = { create_file = "src/new.py", code = "…" }`.
    CreateFile(Lazy<Within<CreateFile>>),
    /// Deletes a file, if nothing refers to it
    ///
    /// Imports of it, references to its definitions, and paths in strings are listed; `--force` deletes it anyway.
    DeleteFile(Lazy<Within<DeleteFile>>),
    /// Replaces the uses of a variable by its value, or the calls of a function by its body, and deletes the definition
    ///
    /// It is refused if a use is uncertain, if the value may differ where it is used, or if something would be evaluated more
    /// or less often.
    Inline(Lazy<Within<Inline>>),
    /// Fixes a feature flag to true or false, and deletes the code that can no longer run
    ///
    /// Conditions that depend on it are simplified, and the remaining branches replace their statements. Its definition, its imports, and
    /// imports that become unused are deleted. A flag that is assigned in a second place, or that a string may name, is refused.
    #[command(after_long_help = FLAG_EXAMPLES)]
    RemoveFlag(Lazy<Within<RemoveFlag>>),
}

/// A refactor, whose project may be named as the last word.
#[derive(Debug, Args)]
struct Within<R: Args> {
    #[command(flatten)]
    refactor: R,
    /// A file or folder of the project, which chooses among definitions of the same name
    #[arg(value_name = "FOLDER")]
    folder: Option<String>,
    #[command(flatten)]
    common: Common,
}

/// A refactor, whose project may be named by an option.
#[derive(Debug, Args)]
struct Beside<R: Args> {
    #[command(flatten)]
    refactor: R,
    /// A file or folder of the project, which chooses among definitions of the same name
    #[arg(long, value_name = "FOLDER")]
    folder: Option<String>,
    #[command(flatten)]
    common: Common,
}

/// A refactor, the folder that says where, and how it is done.
struct Asked {
    refactor: Refactor,
    folder: Option<String>,
    common: Common,
}

impl<R: Args + Into<Refactor>> From<Within<R>> for Asked {
    fn from(named: Within<R>) -> Asked {
        Asked { refactor: named.refactor.into(), folder: named.folder, common: named.common }
    }
}

impl<R: Args + Into<Refactor>> From<Beside<R>> for Asked {
    fn from(named: Beside<R>) -> Asked {
        Asked { refactor: named.refactor.into(), folder: named.folder, common: named.common }
    }
}

impl From<MoveDefinitions> for Asked {
    fn from(named: MoveDefinitions) -> Asked {
        let mut symbols = named.symbols.into_iter();
        let mut definitions = Move { symbol: symbols.next().unwrap_or_default(), ..Move::default() };
        definitions.symbols = symbols.collect();
        definitions.to = definitions.symbols.pop().unwrap_or_default();
        definitions.keep_alias = named.keep_alias;
        Asked { refactor: definitions.into(), folder: named.folder, common: named.common }
    }
}

/// What all kinds have.
#[derive(Debug, Args)]
struct Common {
    /// Write the files
    #[arg(short = 'U', long)]
    write: bool,
    /// Also change this uncertain reference; may be repeated
    #[arg(long, value_name = "PATH:LINE")]
    include: Vec<String>,
    /// Leave uncertain references unchanged, and list them
    #[arg(long)]
    leave_undetermined: bool,
    /// Count string literals equal to the name as uncertain references
    #[arg(long)]
    strings: bool,
    /// Proceed even if a decorator, tool or external base class may use the old name, or an import cycle results
    #[arg(long)]
    force: bool,
    /// Run a command in a copy of the working tree, before and after; refuse if it newly complains
    #[arg(long, value_name = "CMD")]
    verify: Option<String>,
    /// Change those uncertain references without which the command of --verify fails
    #[arg(long, requires = "verify")]
    decide: bool,
    #[command(flatten)]
    project: ProjectArgs,
}

/// Moves definitions to another module with the imports they need, and updates imports of them
///
/// The module is created if it does not exist. Top-level functions, classes and variables can move. Imports that only they needed go with
/// them. An import cycle is refused.
#[derive(Debug, Args)]
#[command(override_usage = "cst refactor move [OPTIONS] <SYMBOL>... <TO>")]
struct MoveDefinitions {
    /// The definitions, and then the path of the module: `Request parse_header src/wrappers.py`
    #[arg(value_names = ["SYMBOL", "TO"], num_args = 2.., required = true)]
    symbols: Vec<String>,
    /// Let the old module still export the names
    #[arg(long)]
    keep_alias: bool,
    /// A file or folder of the project, which chooses among definitions of the same name
    #[arg(long, value_name = "FOLDER")]
    folder: Option<String>,
    #[command(flatten)]
    common: Common,
}

const SPLIT_CLASS_EXAMPLES: &str = "\
Examples:
  cst refactor split-class Server --methods log,flush --into Journal
  cst refactor split-class src/server.py::Server --methods log,flush --into Journal --write

Exit status: 0 something changes or was written, 1 nothing does, 2 an error, or uncertain references.";

const BASE_EXAMPLES: &str = "\
Examples:
  cst refactor extract-base Circle Square --members area,name --name Shape
  cst refactor extract-base src/shapes.py::Circle --members area --name Shape --write

Exit status: 0 something changes or was written, 1 nothing does, 2 an error, or uncertain references.";

const FLAG_EXAMPLES: &str = "\
Examples:
  cst refactor remove-flag USE_CACHE --value true
  cst refactor remove-flag src/settings.py::NEW_UI --value false --write

Exit status: 0 something changes or was written, 1 nothing does, 2 an error, or uncertain references.";

const SPLIT_EXAMPLES: &str = "\
Examples:
  cst refactor split-file src/app/models.py
  cst refactor split-file src/app/models.py --part users=User,make_user --part orders=Order --write

Exit status: 0 something changes or was written, 1 nothing does, 2 an error, or uncertain references.";

const EXTRACT_EXAMPLES: &str = "\
Examples:
  cst refactor extract-function read_head src/app.py:12-18
  cst refactor extract-variable width src/app.py:12:9-12:24 --all --write

Exit status: 0 something changes or was written, 1 nothing does, 2 an error, or the program would behave differently.";

const EXAMPLES: &str = "\
Examples:
  cst refactor rename Server.handle respond
  cst refactor rename src/app.py:12 respond --write
  cst refactor rename Server.handle respond --include tests/test_app.py:40 --leave-undetermined

Exit status: 0 something changes or was written, 1 nothing does, 2 an error, or uncertain references.";

impl RefactorCommand {
    pub(super) fn run(self, caller: &mut Caller) -> Result<Exit, Failure> {
        let Asked { refactor, folder, common } = match self.kind {
            Kind::Rename(named) => named.0.into(),
            Kind::Move(named) => named.0.into(),
            Kind::MoveFile(named) => named.0.into(),
            Kind::SplitFile(named) => named.0.into(),
            Kind::Signature(named) => named.0.into(),
            Kind::DeleteUnused(named) => named.0.into(),
            Kind::OrganizeImports(named) => named.0.into(),
            Kind::ExtractFunction(named) => named.0.into(),
            Kind::ExtractVariable(named) => named.0.into(),
            Kind::ExtractBase(named) => named.0.into(),
            Kind::SplitClass(named) => named.0.into(),
            Kind::CreateFile(named) => named.0.into(),
            Kind::DeleteFile(named) => named.0.into(),
            Kind::Inline(named) => named.0.into(),
            Kind::RemoveFlag(named) => named.0.into(),
        };
        let mut request = RefactorRequest::new(refactor);
        request.options.targets = common.project.targets(folder.as_ref(), caller)?;
        request.options.reading = common.project.reading();
        request.options.write = common.write;
        request.options.include = common.include;
        request.options.leave_undetermined = common.leave_undetermined;
        request.options.strings = common.strings;
        request.options.force = common.force;
        request.options.verify = common.verify;
        request.options.decide = common.decide;
        let done = caller.ask(&request)?;
        let mut printer = caller.console.printer();
        print(&done, &mut printer)
    }
}

fn print(done: &RefactorResponse, printer: &mut Printer) -> Result<Exit, Failure> {
    match printer.format() {
        Format::Json => printer.answer(done)?,
        Format::JsonLines | Format::Text => {
            if let Some(notice) = done.project.notice() {
                printer.note(notice)?;
            }
            if printer.format() == Format::Text {
                for place in &done.left {
                    let at = printer.place(&place.path, place.line, place.col);
                    printer.note(format!("left {at}  {}  {}", place.why, place.text))?;
                }
            }
            for (round, number) in done.decided.iter().zip(1..) {
                printer.note(format!("run {number}, {}", round.sentence()))?;
            }
            let exit = changes::print(&done.changes, false, printer)?;
            let included = if done.included == 0 { String::new() } else { format!(", {} included", done.included) };
            let left = if done.left.is_empty() { String::new() } else { format!(", {} left", done.left.len()) };
            let second = done.second_opinion.as_ref();
            let second = second.map_or_else(String::new, |second| {
                let agreed = format!(", all confirmed by `{}`", second.server);
                match second.only_server {
                    0 => agreed,
                    number => format!("{agreed}; {number} more found only by it"),
                }
            });
            let counts = format!("{}{second}{included}{left}", plural(done.certain, "certain reference"));
            let counts = printer.paint_error(QUIET, counts);
            printer.note(counts)?;
            return Ok(exit);
        }
    }
    Ok(Exit::when(!done.changes.files.is_empty()).unless_failed(&done.changes.skipped))
}
