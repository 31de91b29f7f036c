//! `transactions`: what was written and can be undone; and ids by their start.

use std::path::{Path, PathBuf};

use crate::engine::core::Begun;
use crate::engine::method::Method;
use crate::reader::target::SHORTEST_PREFIX;
use crate::request::error::{EngineError, ErrorCode};
use crate::request::hint::Hint;
use crate::request::requests::TransactionsRequest;
use crate::request::responses::{TransactionRow, TransactionsResponse};
use crate::store::{TransactionRecord, timestamp};

impl Method for TransactionsRequest {
    const NAME: &'static str = "transactions";
    const READS: bool = true;
    type Result = TransactionsResponse;

    /// Lists the transactions that can be undone, newest first.
    ///
    /// # Errors
    /// When the store can't be read.
    fn run(&self, engine: &Begun<'_>) -> Result<TransactionsResponse, EngineError> {
        let wanted: Vec<PathBuf> = self.paths.iter().map(|path| engine.real(&engine.absolute(path))).collect();
        let is_wanted = |record: &TransactionRecord| wanted.is_empty() || wrote_below(record, &wanted);
        let records = engine.own_transactions()?;
        let row = |record: TransactionRecord| TransactionRow {
            transaction: record.id,
            request: record.request,
            time: timestamp(record.time),
            files: record.paths.iter().map(|path| engine.shown(path)).collect(),
        };
        Ok(TransactionsResponse { transactions: records.into_iter().filter(is_wanted).map(row).collect() })
    }
}

impl Begun<'_> {
    /// The transactions that wrote nothing but what requests may write.
    fn own_transactions(&self) -> Result<Vec<TransactionRecord>, EngineError> {
        let records = self.store()?.read(|session| session.transactions())?.into_iter();
        Ok(records.filter(|record| record.paths.iter().all(|path| self.permits(path))).collect())
    }

    /// The whole id of the transaction whose id begins so.
    pub(crate) fn transaction_named(&self, word: &str) -> Result<String, EngineError> {
        let records = self.own_transactions()?;
        unique_id(word, "transaction", "{transactions} lists them", records.into_iter().map(|record| record.id))
    }

    /// The last transaction that wrote a file below the working directory, those left out that undid another.
    pub(crate) fn last_transaction(&self) -> Result<String, EngineError> {
        let here = [self.real(&self.host.working_directory)];
        let records = self.own_transactions()?;
        let is_one =
            |record: &TransactionRecord| record.request.as_deref() != Some("undo") && wrote_below(record, &here);
        records.into_iter().find(is_one).map(|record| record.id).ok_or_else(|| {
            EngineError::new(ErrorCode::NotFound, "nothing was written below the working directory that can be undone")
                .hint("{transactions} lists what was written below a folder; it is undone by its id from anywhere")
        })
    }

    /// A path with symbolic links followed, where it leads anywhere.
    pub(crate) fn real(&self, path: &Path) -> PathBuf {
        self.files().resolve(path).unwrap_or_else(|_| path.to_owned())
    }
}

/// Whether a transaction wrote one of these files, or a file in one of these folders.
fn wrote_below(record: &TransactionRecord, paths: &[PathBuf]) -> bool {
    record.paths.iter().any(|path| paths.iter().any(|wanted| path.starts_with(wanted)))
}

/// The one id that begins so. `lists` is the hint that says which request lists them.
pub(crate) fn unique_id(
    word: &str,
    what: &str,
    lists: &'static str,
    known: impl Iterator<Item = String>,
) -> Result<String, EngineError> {
    if word.chars().count() < SHORTEST_PREFIX {
        let message = format!("`{word}` is too short for the id of a {what}");
        let hint = Hint::from(format!("give at least {SHORTEST_PREFIX} characters of it; ")).and(lists);
        return Err(EngineError::bad_request(message).hint(hint));
    }
    let word = word.to_ascii_lowercase();
    let mut found: Vec<String> = known.filter(|id| id.starts_with(&word)).collect();
    match found.len() {
        1 => Ok(found.remove(0)),
        0 => {
            let error = EngineError::new(ErrorCode::NotFound, format!("no {what} `{word}`"));
            Err(error.hint(Hint::from(lists).and("; after 30 days they expire")))
        }
        _ => {
            found.truncate(6);
            let error = EngineError::new(ErrorCode::Ambiguous, format!("several {what}s begin with `{word}`"));
            Err(error.hint(format!("`{}`; give more of the id", found.join("`, `"))))
        }
    }
}
