//! All limits: sizes, depths, times and counts beyond which work is refused, cut short or put off.
//!
//! Limits of what is shown (lines of an excerpt, files in a summary) are where they are shown.

use std::time::Duration;

// Selectors and patterns

/// The longest selector, in bytes. A longer one is refused.
pub const SELECTOR_BYTES: usize = 64 << 10;
/// The deepest nesting of parentheses and brackets in a selector. A deeper one is refused.
pub const SELECTOR_NESTING: usize = 128;
/// The deepest nesting of lists, including those of named selectors at each use, since evaluation is recursive. A
/// deeper selector is refused.
pub const LIST_NESTING: usize = 192;
/// The most parts of a selector with its named selectors. More are refused.
pub const SELECTOR_PARTS: usize = 200_000;
/// The most steps and tests of a selector with captures or variables, since binding is recursive. More are refused.
pub const BOUND_PARTS: usize = 1000;
/// The most code patterns in a selector; each is parsed in every context of its language. More are refused.
pub const PATTERNS: usize = 100;
/// The most regexes in a selector. More are refused.
pub const REGEXES: usize = 500;
/// How many regexes of a selector may compile to the size that the regex library allows. The others are limited to
/// [`REGEX_BYTES`].
pub const LARGE_REGEXES: usize = 10;
/// The largest compiled regex after the first [`LARGE_REGEXES`], in bytes. A larger one is refused.
pub const REGEX_BYTES: usize = 1 << 18;
/// How many nodes a query may visit in one tree: some seconds. A step visits each node a few times at most, so it costs
/// about 100,000 in a file of 100,000 nodes. Beyond it the query ends with `budget`.
pub const QUERY_STEPS: u64 = 4_000_000_000;
/// How many nodes may be tried in one tree to bind captures and variables: about a second. Real selectors need a few
/// for each match. Beyond it the query ends with `budget`.
pub const BINDING_STEPS: u64 = 10_000_000;
/// How many files are looked at because they access members by computed names, to say what may reach a symbol. Of more, only those are
/// that name the symbol, its class or its module; an answer says how many were not.
pub const DYNAMIC_FILES: usize = 300;
/// How many expressions are followed that may be an object with a member, to say where that member is used. Beyond it, it may be used
/// anywhere.
pub const FOLLOWED_OBJECTS: usize = 2_000;
/// How many variables and functions of modules are searched for in a project to follow such objects.
pub const FOLLOWED_NAMES: usize = 30;
/// How many pairs of context and node a positional step holds: some hundred megabytes. Beyond it the query ends with
/// `budget`.
pub const POSITIONAL_PAIRS: usize = 10_000_000;
/// How many bytes of sets and counts a query keeps in one tree to compute them once. Beyond it they are forgotten, and
/// computed again where they are needed.
pub const KEPT_SETS: usize = 256 << 20;
/// How many bytes of trees a refactor keeps, so that it parses each file once. Further files are parsed again when they are needed.
pub const REMEMBERED_TREES: usize = 256 << 20;
/// How many dead ends of a binding are remembered: some tens of megabytes. Later ones are tried again.
pub const DEAD_ENDS: usize = 1_000_000;
/// The deepest nesting of a code pattern, since matching is recursive. A deeper one is refused.
pub const PATTERN_NESTING: usize = 200;
/// How many spellings of the metavariables are tried in one context.
pub const PATTERN_SPELLINGS: usize = 64;
/// The most texts in a condition of the prefilter. Beyond it a part of the condition is left out.
pub const CONDITION_TEXTS: usize = 500;

// Texts and edits

/// The largest text that is parsed, in bytes of UTF-8. A larger one is refused.
pub const TEXT_BYTES: usize = 64 << 20;
/// How long a parse may take with its table. A longer one is refused.
pub const PARSE_TIME: Duration = Duration::from_secs(60);
/// How long the smallest diff is searched for. After that a larger one is accepted.
pub const DIFF_TIME: Duration = Duration::from_secs(2);
/// The most pairs of words that a rewrite compares to keep what is unchanged. Of longer texts only the ends are
/// compared.
pub const ALIGNED_PAIRS: usize = 4_000_000;
/// In how many places a rewrite may put captures and other text of one file: some hundred megabytes. More are refused.
pub const REWRITE_PIECES: usize = 4_000_000;
/// How many lines of a refused edit are examined to name the line that a node absorbed.
pub const EXAMINED_LINES: usize = 5_000;
/// How many lines of refused code are tried to name the missing token, from the last to the first.
pub const DIAGNOSED_LINES: usize = 20;
/// The longest refused code that is examined for a missing token, in bytes.
pub const DIAGNOSED_BYTES: usize = 4000;
/// The most passes of a repeated rewrite or step. More are an error.
pub const PASSES: usize = 100;
/// How many steps a rule in the form of another tool may take in one tree: some seconds. Beyond it the rule ends with `budget`.
pub const FOREIGN_RULE_STEPS: u64 = 300_000_000;
/// How deep the conditions of such a rule may be tried within each other: where rules name each other, nodes within nodes.
/// Beyond it the rule ends with `budget`.
pub const FOREIGN_RULE_DEPTH: usize = 2_000;
/// How many bytes of one file are parsed to show what fixes would change, each fix for itself. Findings past that are listed
/// without their fix.
pub const SHOWN_FIX_BYTES: usize = 8 << 20;
/// How often the fixes of rules are applied to a text, each time to what the last pass made. What is found after that stays.
pub const FIX_PASSES: usize = 10;
/// How much a text may grow in a repeated rewrite or step, in bytes, in addition to four times its size. More is an
/// error.
pub const GROWTH: usize = 256 * 1024;

// Folders and searches

/// The largest file of a folder that is read, in bytes, unless `max_size` says otherwise. Larger ones are skipped and
/// listed.
pub const FOLDER_FILE_BYTES: u64 = 4 << 20;
/// How long the parse of one file among many may take. A slower one is skipped and listed.
pub const FOLDER_FILE_TIME: Duration = Duration::from_secs(30);
/// How much memory the process may grow by during the parse of one file among many, in bytes, if the file has at least
/// [`MEASURED_FILE_BYTES`]. A file that takes more is skipped and listed.
pub const FOLDER_FILE_MEMORY: u64 = 768 << 20;
/// From this size on, the memory of a parse is measured. A smaller file takes less than the limit.
pub const MEASURED_FILE_BYTES: usize = 512 << 10;
/// How many bytes of files may be in progress at once. A tree takes some fifty times as much, and in the worst case
/// several hundred times. Workers wait.
pub const IN_FLIGHT: usize = 4 << 20;
/// How many files may be finished before the one whose turn it is. Workers wait.
pub const AHEAD: usize = 256;
/// How many bytes of results may wait for their turn. Workers wait.
pub const WAITING: usize = 2 << 20;
/// How many files that git ignores are searched for a name, to say that they are not looked at. Others are not mentioned.
pub const IGNORED_FILES: usize = 2000;
/// How much memory a request may take, in bytes, unless the engine is set up otherwise. Beyond it the request ends with
/// `budget`.
pub const REQUEST_MEMORY: u64 = 4 << 30;
/// How many trees are kept parsed between requests.
pub const KEPT_TREES: usize = 16;
/// How much disk all indexes together may take, in bytes, unless it is set otherwise. The oldest are deleted.
pub const INDEX_BYTES: u64 = 8 << 30;
/// How many indexes are kept open between requests.
pub const OPEN_INDEXES: usize = 8;
/// Above this percentage of unused bytes an index is rewritten.
pub const INDEX_WASTE: u64 = 50;
/// Above this number of packs an index is rewritten, so that a reader maps few files.
pub const INDEX_PACKS: usize = 64;

// Files that `cst` reads

/// The largest `.cst/config.toml`, in bytes. A larger one is an error.
pub const CONFIGURATION_BYTES: u64 = 1 << 20;
/// The largest file of named selectors, in bytes. A larger one is an error.
pub const NAMES_BYTES: u64 = 1 << 20;
/// The largest file of a language's data, in bytes. A larger one is an error.
pub const LANGUAGE_BYTES: u64 = 16 << 20;
/// The largest script, in bytes. A larger one is an error.
pub const SCRIPT_BYTES: u64 = 4 << 20;
/// The largest baseline of known findings, in bytes. A larger one is an error.
pub const BASELINE_BYTES: u64 = 256 << 20;
/// The largest snapshot, in bytes. A larger one is an error.
pub const SNAPSHOT_BYTES: u64 = 64 << 20;
/// The largest selector, code or batch read from standard input or a file, in bytes. A larger one is an error.
pub const INPUT_BYTES: u64 = 64 << 20;
/// The largest configuration of a coding agent, in bytes. A larger one is an error.
pub const AGENT_CONFIGURATION_BYTES: u64 = 64 << 20;
/// The largest file of the agents' journal, in bytes. A larger one is skipped and listed.
pub const JOURNAL_BYTES: u64 = 256 << 20;

// Programs

/// How many bytes of a program's output are read, unless a limit below applies.
pub const PROGRAM_OUTPUT: usize = 8 << 20;
/// How long a configured check may take for one text. Then it is stopped and the edit is refused.
pub const CHECK_TIME: Duration = Duration::from_secs(10);
/// How many bytes of a check's output are read.
pub const CHECK_OUTPUT: usize = 1 << 20;
/// How long a command of `--verify` may take for one run, unless its configuration says otherwise. Then the change is refused.
pub const VERIFY_TIME: Duration = Duration::from_secs(1800);
/// How many bytes a command of `--verify` may write in one run. More refuse the change.
pub const VERIFY_OUTPUT: usize = 32 << 20;
/// How often a command of `--verify` runs with a change to decide about uncertain references. Then the refactor is refused.
pub const VERIFY_ROUNDS: usize = 5;
/// The most files of a working tree that is copied for `--verify`. A larger one is refused.
pub const SCRATCH_FILES: usize = 200_000;
/// The largest working tree that is copied for `--verify`, in bytes. A larger one is refused.
pub const SCRATCH_BYTES: u64 = 4 << 30;
/// The most files that git ignores in that copy, without folders of dependencies. Others are left out and named.
pub const SCRATCH_IGNORED_FILES: usize = 50_000;
/// How many bytes of files that git ignores are in that copy. Others are left out and named.
pub const SCRATCH_IGNORED_BYTES: u64 = 1 << 30;
/// How long git may take to list changed files. Then the request fails.
pub const GIT_TIME: Duration = Duration::from_secs(60);
/// How many bytes git may print: the paths of a million files. Then the request fails.
pub const GIT_OUTPUT: usize = 128 << 20;
/// How long a language server may take for a second opinion, unless its configuration says otherwise. Then the refactor is refused.
pub const SERVER_TIME: Duration = Duration::from_secs(120);
/// How long a language server whose answer lacks certain places is asked again without getting another answer. Then the refactor
/// is refused.
pub const SERVER_PATIENCE: Duration = Duration::from_secs(10);
/// How long a language server may take to shut down. Then it is killed.
pub const SERVER_FAREWELL: Duration = Duration::from_secs(2);
/// The largest message of a language server, in bytes. A larger one refuses the refactor.
pub const SERVER_MESSAGE: usize = 64 << 20;
/// How many bytes a language server may write for one second opinion. More refuse the refactor.
pub const SERVER_OUTPUT: usize = 512 << 20;
/// The most files that are opened in a language server. It reads the others itself.
pub const SERVER_FILES: usize = 400;

// Symbols

/// How deep the work on the meaning of one name may nest: imports of imports, values of values. Deeper, the name is not
/// determined.
pub const SYMBOL_DEPTH: usize = 48;
/// How many levels a call hierarchy has at most. Deeper calls are left out.
pub const CALL_DEPTH: usize = 16;
/// After how many affected definitions `impact` ends.
pub const AFFECTED: usize = 2000;

// The database of names

/// How long to wait for another process that writes to the database. Then it is not used.
pub const FACTS_WAIT: Duration = Duration::from_secs(5);
/// How many contents that no file has are kept beside half as many as are in use: those of other branches.
pub const UNUSED_CONTENTS: i64 = 500;
/// The largest SCIP index that is read, in bytes. A larger one is refused.
pub const SCIP_BYTES: u64 = 1 << 30;
/// How much of a manifest is searched for the words of a workspace, in bytes. The rest is ignored.
pub const MANIFEST_BYTES: usize = 1 << 20;
/// How many bytes of new facts are written at once.
pub const FACTS_BATCH: usize = 16 << 20;

// Search by meaning

/// How many tokens of a definition a network like BERT reads. What comes after them does not count for its meaning.
pub const EMBEDDED_TOKENS: usize = 128;
/// How many tokens of a definition a table of vectors reads.
pub const TABLE_TOKENS: usize = 512;
/// How many characters of a definition a model gets.
pub const PASSAGE_CHARACTERS: usize = 1000;
/// How many definitions a model in a folder embeds at once.
pub const EMBEDDED_AT_ONCE: usize = 8;
/// How many definitions one request to an endpoint contains.
pub const EMBEDDED_A_REQUEST: usize = 64;
/// How long to wait for an endpoint. Then the request is repeated or fails.
pub const ENDPOINT_WAIT: Duration = Duration::from_secs(60);
/// How often a request to an endpoint is sent, if the endpoint is busy or does not answer.
pub const ENDPOINT_TRIES: u32 = 4;
/// The longest answer of an endpoint that is read, in bytes.
pub const ENDPOINT_BYTES: u64 = 64 << 20;
/// How long vectors are collected before they are written: what is lost at most if the process is killed.
pub const VECTORS_TIME: Duration = Duration::from_secs(2);

// The session store

/// How long to wait for another process that writes to the store. Then the request fails.
pub const STORE_WAIT: Duration = Duration::from_secs(60);
/// After how many days an unused tree without unsaved edits is dropped.
pub const TREE_DAYS: i64 = 7;
/// After how many days backups expire, and transactions, which cannot be undone from then on.
pub const BACKUP_DAYS: i64 = 30;
/// The unused part of the database, in bytes, beyond which it is compacted.
pub const STORE_FREE_BYTES: i64 = 4 << 20;

// Servers and hooks

/// The longest message of a client, in bytes. A longer one is an error.
pub const MESSAGE_BYTES: usize = 64 << 20;
/// The longest header line of a message, in bytes. A longer one ends the connection.
pub const HEADER_BYTES: usize = 64 << 10;
/// The most requests of a JSON-RPC batch, since their answers are collected in memory. More are an error.
pub const BATCH_REQUESTS: usize = 1000;
/// The most values of a message. More are an error.
pub const MESSAGE_VALUES: usize = 1_000_000;
/// How many requests may wait. Further ones are read when there is room.
pub const WAITING_REQUESTS: usize = 4096;
/// How many bytes of messages may wait; one message always may. Further ones are read when there is room.
pub const WAITING_BYTES: usize = 32 << 20;
/// How long a hook may take to answer an agent. Then it answers that nothing is wrong.
pub const HOOK_TIME: Duration = Duration::from_millis(2000);
/// The largest event of an agent, in bytes. A larger one is answered that nothing is wrong.
pub const HOOK_EVENT_BYTES: usize = 16 << 20;
/// The largest file that a hook checks, in bytes. Larger ones are left out.
pub const HOOK_FILE_BYTES: u64 = 4 << 20;
/// The most files that are watched for a shell command. Others are left out.
pub const HOOK_FILES: usize = 50;
