//! Calling a tool: its arguments made a request, and the response a text.

use serde_json::{Map, Value};

use super::answers::{Answers, ToolAnswer};
use super::arguments::Arguments;
use super::refusal::Refusal;
use super::revisions::{Change, Revisions};
use super::several::{self, Split};
use super::tools::Tool;
use super::{refusals, text};
use crate::engine::{Engine, Request, Response};
use crate::request::{ChangesResponse, ModifyResponse, RefactorResponse, StepResponse, Versioned};

/// What a call works with.
pub(super) struct Session<'a> {
    pub engine: &'a Engine,
    /// What the client has seen.
    pub revisions: &'a mut Revisions,
}

impl Tool {
    /// Does what the arguments say. What cannot be done is said in words, with the next call to make.
    pub(super) fn call(
        &'static self,
        arguments: Map<String, Value>,
        answers: Answers,
        session: &mut Session<'_>,
    ) -> Result<ToolAnswer, Refusal> {
        match several::split(self, arguments, session.engine, session.revisions)? {
            Split::One(arguments) => self.call_one(arguments, answers, session),
            Split::Files(files) => {
                several::call_each(files, answers, |arguments, answers| self.call_one(arguments, answers, session))
            }
        }
    }

    fn call_one(
        &'static self,
        arguments: Map<String, Value>,
        answers: Answers,
        session: &mut Session<'_>,
    ) -> Result<ToolAnswer, Refusal> {
        let Session { engine, revisions } = session;
        let arguments = Arguments::read(self, arguments, answers, engine, revisions)?;
        let mut request = arguments.request.clone();
        if let Request::Rewrite(rewrite) = &mut request {
            rewrite.carried_paths = revisions.paths();
        }
        let response =
            engine.handle(request).map_err(|error| refusals::failure(&error, &arguments, (self, engine), revisions))?;
        note_change(&response, &arguments, revisions);
        let text = text::Page::new(answers.max_chars).shown(&response, &arguments, revisions);
        revisions.keep(engine);
        let data = if answers.structured {
            serde_json::to_value(Versioned::new(&response)).unwrap_or_default()
        } else {
            Value::Null
        };
        Ok(ToolAnswer { text, data })
    }
}

/// Notes what can be undone now, and what was.
fn note_change(response: &Response, arguments: &Arguments, revisions: &mut Revisions) {
    match response {
        Response::Rewrite(ChangesResponse { transaction: Some(id), files, .. }) => {
            for file in files {
                if let (Some(revision), Some(carried)) = (&file.revision, &file.carried) {
                    revisions.edited(Some(&file.path), revision, Some(carried));
                }
            }
            revisions.changed(Change::Transaction(id.clone()));
        }
        Response::Refactor(RefactorResponse { changes: ChangesResponse { transaction: Some(id), .. }, .. })
        | Response::Modify(ModifyResponse { transaction: Some(id), .. }) => {
            revisions.changed(Change::Transaction(id.clone()));
        }
        Response::Modify(ModifyResponse { tree_id: Some(id), .. }) if !arguments.is_preview => {
            revisions.changed(Change::Tree(id.clone()));
        }
        Response::Undo(StepResponse::Transaction { transaction, .. }) => {
            revisions.undone(&Change::Transaction(transaction.clone()));
        }
        Response::Undo(StepResponse::One(tree)) => {
            tree.tree_id.iter().for_each(|id| revisions.undone(&Change::Tree(id.clone())));
        }
        Response::Redo(StepResponse::One(tree)) => {
            tree.tree_id.iter().for_each(|id| revisions.changed(Change::Tree(id.clone())));
        }
        _ => {}
    }
}
