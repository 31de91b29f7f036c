//! `refactor`: its kinds, their arguments, and what they print.

use clap::{Args, Subcommand};

use crate::engine::{RefactorEngine, RefactorRequest, RefactorResponse};

use super::caller::Caller;
use super::changes;
use super::exit::Exit;
use super::failure::Failure;
use super::printer::{Format, Printer, QUIET};
use super::project::ProjectArgs;
use super::report::plural;

/// Changes a definition and all that refers to it, in all files of a project
///
/// Only certain references to the definition are changed. If other places may refer to it, they are listed and nothing is changed,
/// unless --include or --leave-undetermined decides about them. Afterwards every name must mean what it did before; otherwise the
/// refactor is refused.
///
/// Without --write, only the diff is shown. With --write, all files are written or none, and one undo restores them all.
#[derive(Debug, Args)]
pub(super) struct RefactorCommand {
    #[command(subcommand)]
    kind: Kind,
}

#[derive(Debug, Subcommand)]
enum Kind {
    Rename(Rename),
    Move(Move),
    MoveFile(MoveFile),
    SplitFile(SplitFile),
    Signature(Signature),
    DeleteUnused(DeleteUnused),
    OrganizeImports(OrganizeImports),
    ExtractFunction(ExtractFunction),
    ExtractVariable(ExtractVariable),
    ExtractBase(ExtractBase),
    SplitClass(SplitClass),
    CreateFile(CreateFile),
    DeleteFile(DeleteFile),
    Inline(Inline),
    RemoveFlag(RemoveFlag),
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
    #[command(flatten)]
    project: ProjectArgs,
}

/// Renames a symbol: its definition, references, imports and overrides, and the arguments that name a parameter
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
struct Rename {
    /// The symbol: `handle`, `Server.handle`, `PATH::Server.handle`, or the one at `PATH:LINE[:COL]`
    #[arg(value_name = "SYMBOL")]
    symbol: String,
    /// The new name
    #[arg(value_name = "NEW")]
    to: String,
    /// A file or folder that has the symbol; all files of the project around it are searched
    #[arg(value_name = "FOLDER")]
    folder: Option<String>,
    /// Also rename what comments and documentation mention as code; other occurrences of the word are listed
    #[arg(long)]
    mentions: bool,
    /// Also rename the file named after the symbol: `server.py` with `Server`
    #[arg(long)]
    file: bool,
    /// Keep the old name as a deprecated alias, for code outside the project
    #[arg(long)]
    keep_alias: bool,
    /// Also ask the language server of your own configuration; it must rename all certain references
    #[arg(long, value_enum, default_value_t, value_name = "ENGINE")]
    engine: RefactorEngine,
    #[command(flatten)]
    common: Common,
}

/// Moves definitions to another module with the imports they need, and updates imports of them
///
/// The module is made if it is not there. Functions, classes and variables at the top of a file can move. Imports that only they needed
/// go with them. A cycle of imports is refused.
#[derive(Debug, Args)]
#[command(override_usage = "cst refactor move [OPTIONS] <SYMBOL>... <TO>")]
struct Move {
    /// The definitions, and then the path of the module: `Request parse_header src/wrappers.py`
    #[arg(value_name = "SYMBOL... TO", num_args = 2.., required = true)]
    symbols: Vec<String>,
    /// Let the old module export the names as before, too
    #[arg(long)]
    keep_alias: bool,
    /// A file or folder that has the symbol; all files of the project around it are searched
    #[arg(long, value_name = "FOLDER")]
    folder: Option<String>,
    #[command(flatten)]
    common: Common,
}

/// Moves a file or a folder, and changes the imports of it and its own
///
/// Files without code in a folder move with it. What is ignored stays.
#[derive(Debug, Args)]
struct MoveFile {
    /// The file or folder
    #[arg(value_name = "PATH")]
    path: String,
    /// The new path; a folder that is there, or `NAME/`, keeps the name of the file
    #[arg(value_name = "TO")]
    to: String,
    /// A file or folder that has the symbol; all files of the project around it are searched
    #[arg(long, value_name = "FOLDER")]
    folder: Option<String>,
    #[command(flatten)]
    common: Common,
}

/// Makes a package of a module: a file for each class, or the parts that are named
///
/// The package exports all names that the module had, so that every import of them stays as it is. Functions and variables go to the
/// file of the one class that uses them or that they use, others to `common`. What cannot move without a cycle of imports stays in the
/// package's own file.
#[derive(Debug, Args)]
#[command(after_long_help = SPLIT_EXAMPLES)]
struct SplitFile {
    /// The module
    #[arg(value_name = "PATH")]
    path: String,
    /// A file and its definitions; may be repeated. What no part names stays in the package's own file
    #[arg(long = "part", value_name = "FILE=NAME,NAME")]
    parts: Vec<String>,
    /// A file or folder that has the symbol; all files of the project around it are searched
    #[arg(long, value_name = "FOLDER")]
    folder: Option<String>,
    #[command(flatten)]
    common: Common,
}

/// Adds, removes or reorders parameters of a function or method, with the arguments of its calls and its overrides
///
/// `rename` renames a parameter. A call that cannot be followed, passes `*arguments`, or would lose an argument that does something is
/// listed, and nothing changes.
#[derive(Debug, Args)]
#[command(group(clap::ArgGroup::new("change").required(true).args(["add", "remove", "reorder"])))]
struct Signature {
    /// The function: `handle`, `Server.handle`, `PATH::Server.handle`, or the one at `PATH:LINE[:COL]`
    #[arg(value_name = "SYMBOL")]
    symbol: String,
    /// Add a parameter: `timeout: float = 30`
    #[arg(long, value_name = "PARAMETER")]
    add: Option<String>,
    /// The place of the new parameter, from 1; default: the last one
    #[arg(long, value_name = "N", requires = "add")]
    at: Option<usize>,
    /// What calls pass for the new parameter
    #[arg(long, value_name = "CODE", requires = "add")]
    value: Option<String>,
    /// Remove a parameter
    #[arg(long, value_name = "NAME")]
    remove: Option<String>,
    /// The parameters that come first, in their new order
    #[arg(long, value_name = "NAME,NAME", value_delimiter = ',')]
    reorder: Vec<String>,
    /// A file or folder that has the symbol; all files of the project around it are searched
    #[arg(long, value_name = "FOLDER")]
    folder: Option<String>,
    #[command(flatten)]
    common: Common,
}

/// Deletes functions and classes that are certainly unused, then those that become unused
///
/// Repeats until `cst unused --certain` lists nothing more. Entry points, exports, tests, overrides and decorated definitions stay. In
/// a library, name the part that no other code imports.
#[derive(Debug, Args)]
struct DeleteUnused {
    /// The file or folder in which definitions are deleted; default: the working directory
    #[arg(value_name = "PATH")]
    path: Option<String>,
    /// A file or folder that has the symbol; all files of the project around it are searched
    #[arg(long, value_name = "FOLDER")]
    folder: Option<String>,
    #[command(flatten)]
    common: Common,
}

/// Removes imports without a use, merges those of one module, and sorts the others
///
/// In the order that the project's configuration says (isort, ruff), or that the file has. Names that may be in use stay, and are listed
/// with the reason. What is outside of the import statements stays as it is.
#[derive(Debug, Args)]
struct OrganizeImports {
    /// The file or folder whose imports are organized; default: the working directory
    #[arg(value_name = "PATH")]
    path: Option<String>,
    /// A file or folder that has the symbol; all files of the project around it are searched
    #[arg(long, value_name = "FOLDER")]
    folder: Option<String>,
    #[command(flatten)]
    common: Common,
}

/// Makes a function of statements or of an expression, and calls it in their place
///
/// Its parameters are the variables that the code reads, its results those that it writes and that are read afterwards. Code that uses
/// the object of a method becomes a method. It is refused if the program would not do the same.
#[derive(Debug, Args)]
#[command(after_long_help = EXTRACT_EXAMPLES)]
struct ExtractFunction {
    /// The name of the function
    #[arg(value_name = "NAME")]
    name: String,
    /// Whole statements, or one expression
    #[arg(value_name = "PATH:LINE[:COL]-LINE[:COL]")]
    range: String,
    /// A file or folder that has the symbol; all files of the project around it are searched
    #[arg(value_name = "FOLDER")]
    folder: Option<String>,
    #[command(flatten)]
    common: Common,
}

/// Makes a variable of an expression
///
/// It is set before the statement that has the expression. It is refused if the expression would be evaluated more or less often, or
/// in another order than something that matters.
#[derive(Debug, Args)]
#[command(after_long_help = EXTRACT_EXAMPLES)]
struct ExtractVariable {
    /// The name of the variable
    #[arg(value_name = "NAME")]
    name: String,
    /// One expression
    #[arg(value_name = "PATH:LINE:COL-LINE:COL")]
    range: String,
    /// A file or folder that has the symbol; all files of the project around it are searched
    #[arg(value_name = "FOLDER")]
    folder: Option<String>,
    /// Use the variable for all equal expressions after it in the same block
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    common: Common,
}

/// Moves members that classes have in common to a new base of them
///
/// The members must be the same in all of the classes, which are in one file. If the classes have the same bases, the new class has
/// those; otherwise it becomes the first base of each.
#[derive(Debug, Args)]
#[command(after_long_help = BASE_EXAMPLES)]
struct ExtractBase {
    /// The classes
    #[arg(value_name = "CLASS", num_args = 1.., required = true)]
    classes: Vec<String>,
    /// The members: methods, and variables of the class
    #[arg(long, value_name = "NAME,NAME", value_delimiter = ',', required = true)]
    members: Vec<String>,
    /// The name of the new class
    #[arg(long, value_name = "NAME", required = true)]
    name: String,
    /// A file or folder that has the symbol; all files of the project around it are searched
    #[arg(long, value_name = "FOLDER")]
    folder: Option<String>,
    #[command(flatten)]
    common: Common,
}

/// Makes a new file
///
/// A step of a script does the same: `refactor = { create_file = "src/new.py", code = "…" }`.
#[derive(Debug, Args)]
struct CreateFile {
    /// Its path
    #[arg(value_name = "PATH")]
    path: String,
    /// Its text
    #[arg(long, value_name = "TEXT", default_value = "")]
    code: String,
    /// A file or folder that has the symbol; all files of the project around it are searched
    #[arg(value_name = "FOLDER")]
    folder: Option<String>,
    #[command(flatten)]
    common: Common,
}

/// Deletes a file, if nothing refers to it
///
/// Imports of it, references to its definitions, and paths in strings are listed; `--force` deletes it although something refers to it.
#[derive(Debug, Args)]
struct DeleteFile {
    /// Its path
    #[arg(value_name = "PATH")]
    path: String,
    /// A file or folder that has the symbol; all files of the project around it are searched
    #[arg(value_name = "FOLDER")]
    folder: Option<String>,
    #[command(flatten)]
    common: Common,
}

/// Moves methods of a class, and their state, to a new class; the old one has an object of it, and passes calls on
///
/// The variables that the methods use go with them: what the constructor gives them moves to the constructor of the new class, and
/// their other uses go through the new object. The methods must not need anything that stays.
#[derive(Debug, Args)]
#[command(after_long_help = SPLIT_CLASS_EXAMPLES)]
struct SplitClass {
    /// The class
    #[arg(value_name = "CLASS")]
    class: String,
    /// The methods
    #[arg(long, value_name = "NAME,NAME", value_delimiter = ',', required = true)]
    methods: Vec<String>,
    /// The name of the new class
    #[arg(long, value_name = "NAME", required = true)]
    into: String,
    /// A file or folder that has the symbol; all files of the project around it are searched
    #[arg(value_name = "FOLDER")]
    folder: Option<String>,
    #[command(flatten)]
    common: Common,
}

const SPLIT_CLASS_EXAMPLES: &str = "\
Examples:
  cst refactor split-class Server --methods log,flush --into Journal
  cst refactor split-class src/server.py::Server --methods log,flush --into Journal --write

Exit status: 0 something changes or was written, 1 nothing does, 2 an error, or uncertain references.";

/// Puts the value of a variable, or the body of a function, in place of its uses, and deletes its definition
///
/// It is refused if a use is uncertain, if the value may differ where it is used, or if something would be evaluated more
/// or less often.
#[derive(Debug, Args)]
struct Inline {
    /// The symbol: `width`, `Server.handle`, `PATH::Server.handle`, or the one at `PATH:LINE[:COL]`
    #[arg(value_name = "SYMBOL")]
    symbol: String,
    /// A file or folder that has the symbol; all files of the project around it are searched
    #[arg(value_name = "FOLDER")]
    folder: Option<String>,
    #[command(flatten)]
    common: Common,
}

const BASE_EXAMPLES: &str = "\
Examples:
  cst refactor extract-base Circle Square --members area,name --name Shape
  cst refactor extract-base src/shapes.py::Circle --members area --name Shape --write

Exit status: 0 something changes or was written, 1 nothing does, 2 an error, or uncertain references.";

/// Fixes a feature flag to true or false, and deletes the code that can no longer run
///
/// Conditions that depend on it are simplified, and the remaining branches replace their statements. Its definition, its imports, and
/// imports that become unused are deleted. A flag that is assigned in a second place, or that a string may name, is refused.
#[derive(Debug, Args)]
#[command(after_long_help = FLAG_EXAMPLES)]
struct RemoveFlag {
    /// The flag: `USE_CACHE`, `settings.USE_CACHE`, `PATH::USE_CACHE`, or the one at `PATH:LINE[:COL]`
    #[arg(value_name = "SYMBOL")]
    symbol: String,
    /// The value of the flag from now on
    #[arg(long, value_name = "true|false", action = clap::ArgAction::Set)]
    value: bool,
    /// A file or folder that has the symbol; all files of the project around it are searched
    #[arg(value_name = "FOLDER")]
    folder: Option<String>,
    #[command(flatten)]
    common: Common,
}

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
        let (mut request, folder, common) = match self.kind {
            Kind::Rename(rename) => {
                let mut request = RefactorRequest::rename(&rename.symbol, &rename.to);
                request.engine = rename.engine;
                request.mentions = rename.mentions;
                request.file = rename.file;
                request.keep_alias = rename.keep_alias;
                (request, rename.folder, rename.common)
            }
            Kind::Move(mut definitions) => {
                let to = definitions.symbols.pop().unwrap_or_default();
                let mut request = RefactorRequest::move_to(&definitions.symbols, &to);
                request.keep_alias = definitions.keep_alias;
                (request, definitions.folder, definitions.common)
            }
            Kind::Signature(change) => {
                let mut request = RefactorRequest::change_signature(&change.symbol);
                request.add = change.add;
                request.at = change.at;
                request.value = change.value;
                request.remove = change.remove;
                request.reorder = change.reorder;
                (request, change.folder, change.common)
            }
            Kind::MoveFile(file) => (RefactorRequest::move_file(&file.path, &file.to), file.folder, file.common),
            Kind::SplitFile(split) => {
                (RefactorRequest::split_file(&split.path, &split.parts), split.folder, split.common)
            }
            Kind::DeleteUnused(delete) => {
                (RefactorRequest::delete_unused(delete.path.as_deref()), delete.folder, delete.common)
            }
            Kind::OrganizeImports(organize) => {
                (RefactorRequest::organize_imports(organize.path.as_deref()), organize.folder, organize.common)
            }
            Kind::ExtractFunction(extract) => {
                (RefactorRequest::extract_function(&extract.name, &extract.range), extract.folder, extract.common)
            }
            Kind::ExtractBase(base) => {
                let request = RefactorRequest::extract_base(&base.classes, &base.members, &base.name);
                (request, base.folder, base.common)
            }
            Kind::CreateFile(file) => (RefactorRequest::create_file(&file.path, &file.code), file.folder, file.common),
            Kind::DeleteFile(file) => (RefactorRequest::delete_file(&file.path), file.folder, file.common),
            Kind::SplitClass(split) => {
                let request = RefactorRequest::split_class(&split.class, &split.methods, &split.into);
                (request, split.folder, split.common)
            }
            Kind::Inline(inline) => (RefactorRequest::inline(&inline.symbol), inline.folder, inline.common),
            Kind::RemoveFlag(flag) => {
                (RefactorRequest::remove_flag(&flag.symbol, flag.value), flag.folder, flag.common)
            }
            Kind::ExtractVariable(extract) => {
                let mut request = RefactorRequest::extract_variable(&extract.name, &extract.range);
                request.all = extract.all;
                (request, extract.folder, extract.common)
            }
        };
        request.targets = common.project.targets(folder.as_ref(), caller)?;
        request.reading = common.project.reading();
        request.write = common.write;
        request.include = common.include;
        request.leave_undetermined = common.leave_undetermined;
        request.strings = common.strings;
        request.force = common.force;
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
