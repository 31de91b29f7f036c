//! Rules that need themselves: `matches` that leads back to its own rule, for the same node.

use rustc_hash::FxHashMap;

use super::error::{AstGrepError, Place};
use super::model::{Part, RuleObject};

/// A rule that another one names.
struct Needed {
    number: usize,
    place: Place,
}

/// How far a rule has been looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Looked {
    Never,
    /// It is on the path that is being followed.
    OnPath,
    Done,
}

/// Refuses named rules of which one needs itself for the same node. A rule that names itself for another node, inside or around,
/// ends with the tree.
pub(super) fn refuse_circles(rules: &[&RuleObject], numbers: &FxHashMap<String, usize>) -> Result<(), AstGrepError> {
    let needed: Vec<Vec<Needed>> = rules
        .iter()
        .map(|rule| {
            let mut needed = Vec::new();
            collect_needs(rule, numbers, &mut needed);
            needed
        })
        .collect();
    let mut looked = vec![Looked::Never; rules.len()];
    for first in 0..rules.len() {
        if looked[first] != Looked::Never {
            continue;
        }
        looked[first] = Looked::OnPath;
        // The rules of the path, each with how many of those that it needs are done.
        let mut path = vec![(first, 0)];
        while let Some((rule, done)) = path.last_mut() {
            let Some(next) = needed[*rule].get(*done) else {
                looked[*rule] = Looked::Done;
                path.pop();
                continue;
            };
            *done += 1;
            match looked[next.number] {
                Looked::Never => {
                    looked[next.number] = Looked::OnPath;
                    path.push((next.number, 0));
                }
                Looked::OnPath => {
                    let name = numbers.iter().find(|(_, number)| **number == next.number).map(|(name, _)| name);
                    let name = name.map_or("", String::as_str);
                    let message = format!("the rule `{name}` needs itself: its `matches` leads back to it");
                    return Err(AstGrepError::new(message, next.place));
                }
                Looked::Done => {}
            }
        }
    }
    Ok(())
}

/// Adds the rules that one names for the node itself.
fn collect_needs(rule: &RuleObject, numbers: &FxHashMap<String, usize>, needed: &mut Vec<Needed>) {
    for part in &rule.parts {
        match part {
            Part::All(all) | Part::Any(all) => all.iter().for_each(|rule| collect_needs(rule, numbers, needed)),
            Part::Not(rule) => collect_needs(rule, numbers, needed),
            // The node is one of its siblings.
            Part::NthChild(position) => position.of.iter().for_each(|rule| collect_needs(rule, numbers, needed)),
            Part::Matches(name) => {
                if let Some(&number) = numbers.get(&name.value) {
                    needed.push(Needed { number, place: name.place });
                }
            }
            Part::Call(call) => {
                let called = numbers.get(&call.name.value);
                needed.extend(called.map(|&number| Needed { number, place: call.name.place }));
                call.arguments.iter().for_each(|(_, rule)| collect_needs(rule, numbers, needed));
            }
            Part::Pattern(_) | Part::Kind(_) | Part::Regex(_) | Part::Range(_) | Part::Relation(_) => {}
        }
    }
}
