//! The order of import statements and of the names in them.

use std::cmp::Ordering;

use super::block::{Member, Statement};
use super::style::{ImportStyle, Section};

/// A statement with what decides about its place.
#[derive(Debug)]
pub(crate) struct Sorted {
    pub(crate) section: Section,
    pub(crate) statement: Statement,
}

/// The order of two statements in the sections of a file.
pub(crate) fn by_section(one: &Sorted, two: &Sorted, style: &ImportStyle) -> Ordering {
    let kind = |sorted: &Sorted| match style.mixes_kinds {
        true => false,
        false => sorted.statement.is_from != style.from_first,
    };
    style
        .rank(one.section)
        .cmp(&style.rank(two.section))
        .then_with(|| kind(one).cmp(&kind(two)))
        .then_with(|| modules(&one.statement, &two.statement, style))
}

/// The order of two statements by their modules.
fn modules(one: &Statement, two: &Statement, style: &ImportStyle) -> Ordering {
    let parts = |statement: &Statement| {
        let module = statement.module();
        let dots = module.len() - module.trim_start_matches('.').len();
        (dots, module.trim_start_matches('.').to_owned())
    };
    let ((dots, name), (other_dots, other)) = (parts(one), parts(two));
    let is_top = |statement: &Statement| !style.to_top.iter().any(|top| top == statement.module());
    let distance = match style.nearest_first {
        true => dots.cmp(&other_dots),
        false => other_dots.cmp(&dots),
    };
    let alias = |statement: &Statement| match statement.is_from {
        true => None,
        false => statement.list.first().and_then(|member| member.alias.clone()),
    };
    is_top(one)
        .cmp(&is_top(two))
        .then(distance)
        .then_with(|| named(&name, &other, style.by_case))
        .then_with(|| match (one.list.first(), two.list.first()) {
            (Some(one), Some(two)) => members(one, two, style),
            (one, two) => one.is_some().cmp(&two.is_some()),
        })
        .then_with(|| alias(one).cmp(&alias(two)))
}

/// The order of two names of a list.
pub(crate) fn members(one: &Member, two: &Member, style: &ImportStyle) -> Ordering {
    let kind = |member: &Member| match style.by_type {
        false => 0,
        true => kind_of(&member.name),
    };
    let alias = |member: &Member| member.alias.clone().or_else(|| member.renames_itself.then(|| member.name.clone()));
    (two.is_glob)
        .cmp(&one.is_glob)
        .then_with(|| kind(one).cmp(&kind(two)))
        .then_with(|| named(&one.name, &two.name, style.names_by_case))
        .then_with(|| match (alias(one), alias(two)) {
            (Some(one), Some(two)) => natural(&one, &two),
            (one, two) => one.is_some().cmp(&two.is_some()),
        })
}

/// Whether a name is written as a constant, a class, or another name.
fn kind_of(name: &str) -> usize {
    let has_capital = name.chars().any(char::is_uppercase);
    let is_constant = has_capital && !name.chars().any(char::is_lowercase);
    match () {
        () if name.chars().count() > 1 && is_constant => 0,
        () if name.starts_with(char::is_uppercase) => 1,
        () => 2,
    }
}

fn named(one: &str, two: &str, by_case: bool) -> Ordering {
    let lower = || natural(&one.to_lowercase(), &two.to_lowercase());
    match by_case {
        true => natural(one, two),
        false => lower().then_with(|| natural(one, two)),
    }
}

/// The order of two texts in which numbers count as such.
fn natural(one: &str, two: &str) -> Ordering {
    let (mut left, mut right) = (one.chars().peekable(), two.chars().peekable());
    loop {
        let (Some(&first), Some(&second)) = (left.peek(), right.peek()) else {
            return left.peek().is_some().cmp(&right.peek().is_some());
        };
        if !first.is_ascii_digit() || !second.is_ascii_digit() {
            if first != second {
                return first.cmp(&second);
            }
            left.next();
            right.next();
            continue;
        }
        let digits = |letters: &mut std::iter::Peekable<std::str::Chars<'_>>| {
            let mut digits = String::new();
            while let Some(digit) = letters.next_if(char::is_ascii_digit) {
                digits.push(digit);
            }
            digits
        };
        let (first, second) = (digits(&mut left), digits(&mut right));
        let plain = |digits: &str| digits.trim_start_matches('0').to_owned();
        let (short, other) = (plain(&first), plain(&second));
        let order =
            short.len().cmp(&other.len()).then_with(|| short.cmp(&other)).then_with(|| first.len().cmp(&second.len()));
        if order != Ordering::Equal {
            return order;
        }
    }
}

/// The order of two statements by the paths of their modules, where there are no sections.
pub(crate) fn by_path(one: &Statement, two: &Statement, style: &ImportStyle) -> Ordering {
    let is_relative = |statement: &Statement| style.relative_last && statement.module().starts_with('.');
    let (first, second) = (one.module(), two.module());
    let case = || match style.by_case {
        true => first.cmp(second),
        false => first.to_lowercase().cmp(&second.to_lowercase()).then_with(|| first.cmp(second)),
    };
    is_relative(one).cmp(&is_relative(two)).then_with(case)
}
