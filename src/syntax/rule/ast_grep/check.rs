//! Whether the names in a rule mean something.

use super::condition::{Compiled, Condition, StopAt};
use super::error::AstGrepError;
use super::model::{Config, Placed};
use super::template::names_in;

type Checked = Result<(), AstGrepError>;

/// Adds the metavariables of a condition, each once.
pub(super) fn names_of(condition: &Condition, names: &mut Vec<String>) {
    let mut add = |name: &str| {
        if !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    };
    match condition {
        Condition::Pattern(pattern) => pattern.names().into_iter().for_each(&mut add),
        Condition::NthChild { of, .. } => of.iter().for_each(|of| names_of(of, names)),
        Condition::All(parts) | Condition::Any(parts) => parts.iter().for_each(|part| names_of(part, names)),
        Condition::Not(not) => names_of(not, names),
        Condition::Relation(related) => {
            names_of(&related.rule, names);
            if let StopAt::Rule(stop) = &related.stop {
                names_of(stop, names);
            }
        }
        Condition::Call(called) => called.names.iter().for_each(|name| add(name)),
        Condition::Kind(_)
        | Condition::Regex(_)
        | Condition::Range(_)
        | Condition::Named(_)
        | Condition::Parameter(_) => {}
    }
}

/// All metavariables of a rule, once each name in constraints, transformations, fixes and labels is known to be one. `upper` are
/// those of the rule that a rewriter belongs to, which its fix may have, too.
pub(super) fn check_names(config: &Config, compiled: &Compiled, upper: &[String]) -> Result<Vec<String>, AstGrepError> {
    let mut names = Vec::new();
    names_of(&compiled.rule, &mut names);
    compiled.named.iter().filter(|named| named.is_own).for_each(|named| names_of(&named.rule, &mut names));
    compiled.constraints.iter().for_each(|(_, rule)| names_of(rule, &mut names));
    let constrained = config.constraints.iter().map(|(name, _)| name);
    for name in constrained.chain(config.labels.iter().map(|(name, _)| name)) {
        check_name(&names, name, &name.value)?;
    }
    for (name, _) in &config.transform {
        if names.contains(&name.value) {
            let message = format!("`{}` is a metavariable of the rule, or made twice", name.value);
            return Err(AstGrepError::new(message, name.place));
        }
        names.push(name.value.clone());
    }
    for (_, transform) in &config.transform {
        check_name(&names, &transform.source, &transform.source.value)?;
    }
    let given = names.iter().chain(upper).cloned().collect::<Vec<_>>();
    check_fix(config, &given)?;
    Ok(names)
}

fn check_fix(config: &Config, names: &[String]) -> Checked {
    let Some(fix) = &config.fix else { return Ok(()) };
    names_in(&fix.template.value).iter().try_for_each(|name| check_name(names, &fix.template, name))
}

fn check_name(names: &[String], place: &Placed<String>, name: &str) -> Checked {
    if names.iter().any(|known| known == name) {
        return Ok(());
    }
    let error = AstGrepError::new(format!("the rule has no metavariable `{name}`"), place.place);
    Err(match crate::selector::nearest(name, "", names.iter().map(String::as_str)) {
        Some(hint) => error.hint(hint),
        None => error,
    })
}
