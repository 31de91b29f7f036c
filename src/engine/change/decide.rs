//! A refactor with `verify`, and with `decide`: the command has the last word about the plan, and about uncertain references.
//!
//! First it runs with none of them changed. If it complains, those at the lines that it names are changed as well, and it runs again. Where it
//! names none, all of a named file are tried, or all that are left, and then halves of these, as long as it still passes. So each that
//! is changed in the end is one without which it fails, alone or with the others of its run; every run is in the answer.

use crate::engine::change::complaints::{excerpt, places};
use crate::engine::change::planned::PlannedChanges;
use crate::engine::change::verify::{NewContent, Trial, Verifier};
use crate::engine::core::Begun;
use crate::limits;
use crate::request::error::{EngineError, PlaceRow};
use crate::request::refactor::{RefactorOptions, RefactorRequest, RefactorResponse};
use crate::request::responses::ChangesResponse;
use crate::request::verify::DecisionRound;

impl RefactorRequest {
    /// The refactor, if the command has no new complaint.
    ///
    /// # Errors
    /// If it is refused, or the command complains.
    pub(crate) fn verify(&self, engine: &Begun<'_>, verify: &str) -> Result<RefactorResponse, EngineError> {
        let options = match self.options.decide {
            true => RefactorOptions { leave_undetermined: true, ..self.options.clone() },
            false => self.options.clone(),
        };
        let planned = self.plan_changes(engine, &options)?;
        planned.changes.check(planned.write_options)?;
        let contents = planned.changes.contents(engine)?;
        if contents.is_empty() {
            return planned.finish(engine);
        }
        let mut verifier = engine.verifier(verify, &planned.root)?;
        let tried = Tried { trial: verifier.check_change(&contents)?, planned, contents, changed: Vec::new() };
        let (tried, rounds) = match self.options.decide {
            true => {
                let decisions =
                    Decisions { request: self, engine, options, verifier: &mut verifier, rounds: Vec::new() };
                decisions.decide(tried)?
            }
            false => (tried, Vec::new()),
        };
        if !tried.trial.passes() {
            let refusal = tried.trial.refusal();
            return Err(match tried.planned.undecided.is_empty() || self.options.decide {
                true => refusal,
                false => refusal.hint("{decide} changes those uncertain references without which it fails"),
            });
        }
        verifier.check_notice(&tried.contents)?;
        drop(verifier);
        let done = tried.planned.finish(engine)?;
        let changes = ChangesResponse { verified: Some(tried.trial.verified), ..done.changes };
        Ok(RefactorResponse { changes, decided: rounds, ..done })
    }
}

/// A plan, and how the command takes it.
struct Tried {
    planned: PlannedChanges,
    contents: Vec<NewContent>,
    trial: Trial,
    /// The candidates that it changes.
    changed: Vec<PlaceRow>,
}

/// Deciding about the candidates of a refactor.
struct Decisions<'a, 'v> {
    request: &'a RefactorRequest,
    engine: &'a Begun<'a>,
    options: RefactorOptions,
    verifier: &'a mut Verifier<'v>,
    rounds: Vec<DecisionRound>,
}

impl Decisions<'_, '_> {
    /// The plan that passes with the fewest candidates found, and the runs that led to it.
    ///
    /// # Errors
    /// If none passes.
    fn decide(mut self, first: Tried) -> Result<(Tried, Vec<DecisionRound>), EngineError> {
        let mut last = first;
        self.note(&last);
        // Where the command names lines, these are what it asks for.
        let mut group = loop {
            if last.trial.passes() {
                return Ok((last, self.rounds));
            }
            let open = last.open();
            let named = last.named(&open);
            match named {
                Named::Lines(rows) if self.has_rounds() => {
                    let changed = last.changed.iter().cloned().chain(rows).collect();
                    last = self.attempt(changed)?;
                }
                Named::Files(rows) => break rows,
                Named::Nothing if !open.is_empty() => break open,
                _ => return Err(self.refuse(&last)),
            }
        };
        // Otherwise they are tried together.
        let sure = last.changed.clone();
        let with = |rows: &[PlaceRow]| sure.iter().chain(rows).cloned().collect::<Vec<PlaceRow>>();
        let all = last.open();
        if !self.has_rounds() {
            return Err(self.refuse(&last));
        }
        let mut best = self.attempt(with(&group))?;
        if !best.trial.passes() && group.len() < all.len() && self.has_rounds() {
            group = all;
            best = self.attempt(with(&group))?;
        }
        if !best.trial.passes() {
            return Err(self.refuse(&best));
        }
        while group.len() > 1 {
            let (one, other) = group.split_at(group.len() / 2);
            let mut smaller = None;
            for half in [one, other] {
                if !self.has_rounds() {
                    break;
                }
                let tried = self.attempt(with(half))?;
                if tried.trial.passes() {
                    smaller = Some((half.to_vec(), tried));
                    break;
                }
            }
            let Some((half, tried)) = smaller else { break };
            (group, best) = (half, tried);
        }
        Ok((best, self.rounds))
    }

    fn has_rounds(&self) -> bool {
        self.rounds.len() < limits::VERIFY_ROUNDS
    }

    fn note(&mut self, tried: &Tried) {
        self.rounds.push(DecisionRound::new(tried.changed.clone(), excerpt(&tried.trial.fresh)));
    }

    /// The refactor with some candidates changed, and how the command takes it.
    fn attempt(&mut self, changed: Vec<PlaceRow>) -> Result<Tried, EngineError> {
        let include = self.request.options.include.iter().cloned().chain(changed.iter().map(PlaceRow::at)).collect();
        let options = RefactorOptions { include, ..self.options.clone() };
        let planned = self.request.plan_changes(self.engine, &options)?;
        planned.changes.check(planned.write_options)?;
        let contents = planned.changes.contents(self.engine)?;
        let trial = self.verifier.check_change(&contents)?;
        let tried = Tried { planned, contents, trial, changed };
        self.note(&tried);
        Ok(tried)
    }

    /// The refusal, with the runs.
    fn refuse(&self, last: &Tried) -> EngineError {
        let mut error = last.trial.refusal();
        let runs = match self.rounds.len() {
            1 => "1 run".to_owned(),
            count => format!("{count} runs"),
        };
        let what = match last.open().len() {
            0 => "no uncertain reference is left that could be changed".to_owned(),
            1 => "1 uncertain reference is left".to_owned(),
            count => format!("{count} uncertain references are left"),
        };
        let changed = last.changed.len();
        error.message =
            format!("{}\nafter {runs}, with {changed} of the uncertain references changed; {what}", error.message);
        error
    }
}

/// The candidates that complaints are about.
enum Named {
    /// Those at named lines.
    Lines(Vec<PlaceRow>),
    /// Those of named files.
    Files(Vec<PlaceRow>),
    Nothing,
}

impl Tried {
    /// The candidates that are not changed.
    fn open(&self) -> Vec<PlaceRow> {
        self.planned.undecided.clone()
    }

    /// Those that the complaints name.
    fn named(&self, open: &[PlaceRow]) -> Named {
        let places = places(&self.trial.fresh);
        let is_same = |row: &PlaceRow, path: &str| {
            let ends = |whole: &str, end: &str| whole.strip_suffix(end).is_some_and(|rest| rest.ends_with('/'));
            row.path == path || ends(&row.path, path) || ends(path, &row.path)
        };
        let chosen = |is_chosen: &dyn Fn(&PlaceRow) -> bool| -> Vec<PlaceRow> {
            open.iter().filter(|row| is_chosen(row)).cloned().collect()
        };
        let lines = chosen(&|row| places.iter().any(|(path, line)| is_same(row, path) && row.line == *line));
        if !lines.is_empty() {
            return Named::Lines(lines);
        }
        let files = chosen(&|row| places.iter().any(|(path, _)| is_same(row, path)));
        if files.is_empty() { Named::Nothing } else { Named::Files(files) }
    }
}
