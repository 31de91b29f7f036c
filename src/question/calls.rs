//! `calls`: who calls a function, or what it calls.

use crate::limits;
use crate::question::subject::listing::UseList;
use crate::reader::core::Reader;
use crate::request::error::{EngineError, ErrorCode};
use crate::request::symbol_messages::*;
use crate::symbols::Thing;
use crate::workspace::files::Workspace;

/// Lists who calls a function, or what it calls, as a tree.
///
/// # Errors
/// If no function fits, or several.
pub(crate) fn calls(request: &CallsRequest, reader: &Reader) -> Result<CallsResponse, EngineError> {
    let mut workspace = reader.workspace(&request.targets, &request.reading)?;
    workspace.keep_trees();
    let found = workspace.find(&request.symbol, false)?;
    let mut walk =
        CallWalk { workspace: &workspace, callees: request.callees, open: Vec::new(), calls: CallsLeft::default() };
    let root = walk.node(found[0].thing, Vec::new(), request.depth.unwrap_or(1).min(limits::CALL_DEPTH))?;
    let Some(root) = root else {
        return Err(EngineError::new(ErrorCode::NotFound, "the file of the function is gone"));
    };
    let CallsLeft { candidates, undetermined } = walk.calls;
    Ok(CallsResponse {
        project: workspace.report_about([&root.symbol]),
        root,
        candidates,
        undetermined,
        unsaved: workspace.unsaved.len(),
        skipped: workspace.take_skipped(),
    })
}

/// Follows calls from function to function.
struct CallWalk<'a> {
    workspace: &'a Workspace<'a>,
    callees: bool,
    /// The functions on the way.
    open: Vec<Thing>,
    calls: CallsLeft,
}

/// Calls that are in no tree.
#[derive(Default)]
struct CallsLeft {
    candidates: usize,
    undetermined: usize,
}

impl CallWalk<'_> {
    fn node(&mut self, thing: Thing, lines: Vec<usize>, depth: usize) -> Result<Option<CallNode>, EngineError> {
        let row = self.workspace.resolve(|resolver| {
            let definition = resolver.describe(thing)?;
            if let Thing::Symbol(site) = thing {
                self.workspace.note_errors(resolver, site.file);
            }
            self.workspace.symbol_row(resolver, &definition)
        });
        let Some(symbol) = row else { return Ok(None) };
        let is_cycle = self.open.contains(&thing);
        let mut calls = Vec::new();
        if !is_cycle && depth > 0 {
            self.open.push(thing);
            for (next, lines) in self.next(thing)? {
                calls.extend(self.node(next, lines, depth - 1)?);
            }
            self.open.pop();
        }
        Ok(Some(CallNode { symbol, lines, is_cycle, calls }))
    }

    /// The functions that call one, or that it calls, with the lines of the calls.
    fn next(&mut self, thing: Thing) -> Result<Vec<(Thing, Vec<usize>)>, EngineError> {
        let mut next: Vec<(Thing, Vec<usize>)> = Vec::new();
        let mut add = |thing: Thing, line: usize| match next.iter_mut().find(|(known, _)| *known == thing) {
            Some((_, lines)) => lines.push(line),
            None => next.push((thing, vec![line])),
        };
        if self.callees {
            let Thing::Symbol(site) = thing else { return Ok(next) };
            let callees = self.workspace.resolve(|resolver| {
                let found = resolver.callees(site);
                let line = |node| resolver.tree(site.file).map_or(0, |tree| tree.start(node).line);
                let known: Vec<(Thing, usize)> = found.known.iter().map(|&(thing, call)| (thing, line(call))).collect();
                (known, found.undetermined)
            });
            callees.0.into_iter().for_each(|(thing, line)| add(thing, line));
            self.calls.undetermined += callees.1;
            return Ok(next);
        }
        let UseList { references, unread, .. } = self.workspace.uses_of(&[thing])?;
        for reference in references {
            match (reference.row.role, reference.row.confidence) {
                (Role::Call | Role::Decorator, Confidence::Certain) => add(reference.owner, reference.row.line),
                (Role::Call, Confidence::Candidate) => self.calls.candidates += 1,
                (Role::Call | Role::Dynamic, Confidence::Undetermined) => self.calls.undetermined += 1,
                _ => {}
            }
        }
        self.calls.undetermined += unread.len();
        Ok(next)
    }
}
