//! Alignment: which words of a match are also in the template, and can stay as they are.
//!
//! It computes a longest common subsequence in which captures weigh more than everything else. A bracket stays only
//! with its partner; otherwise the code between the two would keep the layout of a list that is gone.

use super::words::{MatchWord, Wanted, What};
use crate::limits;

/// The weight of a capture relative to other words.
const CAPTURE: u32 = 1000;

/// For each word of the template, the word of the match that it keeps. `capture_of` maps a placeholder to its capture.
pub(super) fn align(
    found: &[MatchWord],
    wanted: &[Wanted],
    capture_of: &dyn Fn(usize) -> Option<usize>,
) -> Vec<Option<usize>> {
    let same = |one: &MatchWord, other: &Wanted| match (&other.what, one.capture) {
        (What::Code(code), None) => one.text == *code,
        (What::Shared(span), None) => one.span == *span,
        (What::Placeholder(place), Some(capture)) => capture_of(*place) == Some(capture),
        _ => false,
    };
    let mut pairs: Vec<Option<usize>> = vec![None; wanted.len()];
    let front = found.iter().zip(wanted).take_while(|(one, other)| same(one, other)).count();
    let rest = (found.len() - front).min(wanted.len() - front);
    let back = (1..=rest).take_while(|&back| same(&found[found.len() - back], &wanted[wanted.len() - back])).count();
    (0..front).for_each(|place| pairs[place] = Some(place));
    (1..=back).for_each(|back| pairs[wanted.len() - back] = Some(found.len() - back));
    let (inner, outer) = (&found[front..found.len() - back], &wanted[front..wanted.len() - back]);
    if inner.len().saturating_mul(outer.len()) <= limits::ALIGNED_PAIRS {
        for (one, other) in common(inner, outer, &same) {
            pairs[front + other] = Some(front + one);
        }
    }
    let (partners, others) = (partners(found.iter().map(|one| one.text.as_str())), partners(wanted.iter().map(code)));
    loop {
        let alone = pairs.iter().enumerate().position(|(other, one)| {
            let Some(one) = *one else { return false };
            let is_bracket = matches!(code(&wanted[other]), "(" | ")" | "[" | "]" | "{" | "}");
            let together = match (partners[one], others[other]) {
                (Some(one), Some(other)) => pairs[other] == Some(one),
                (None, None) => true,
                _ => false,
            };
            is_bracket && !together
        });
        let Some(place) = alone else { return pairs };
        // A bracket whose partner was matched with another one gets it back.
        let wanted_partner = others[place];
        let found_partner = pairs[place].and_then(|one| partners[one]);
        let taken = |one: usize| pairs.iter().position(|pair| *pair == Some(one));
        match (wanted_partner, found_partner) {
            (Some(other), Some(one))
                if pairs[other].is_none()
                    && follows(&pairs, place.min(other), pairs[place].map_or(one, |here| here.min(one)))
                    && fits(&pairs, other, one, taken(one)) =>
            {
                if let Some(wrong) = taken(one) {
                    pairs[wrong] = None;
                }
                pairs[other] = Some(one);
            }
            _ => pairs[place] = None,
        }
    }
}

/// For each word of the template that is not in the match, the one that it replaces: if between two common words there
/// are as many words in the match as in the template, and all of them are names or numbers.
pub(super) fn match_substituted(found: &[MatchWord], wanted: &[Wanted], kept: &[Option<usize>]) -> Vec<Option<usize>> {
    let mut takes = vec![None; wanted.len()];
    let is_name = |text: &str| text.chars().all(|letter| letter.is_alphanumeric() || letter == '_') && !text.is_empty();
    let mut at = 0;
    while at < wanted.len() {
        if kept[at].is_some() {
            at += 1;
            continue;
        }
        let end = (at..wanted.len()).find(|&next| kept[next].is_some()).unwrap_or(wanted.len());
        let first = at.checked_sub(1).and_then(|before| kept[before]).map_or(0, |before| before + 1);
        let last = kept.get(end).copied().flatten().unwrap_or(found.len());
        let names = wanted[at..end].iter().all(|word| is_name(code(word)))
            && found.get(first..last).is_some_and(|words| words.iter().all(|word| is_name(&word.text)));
        if names && last.saturating_sub(first) == end - at {
            (at..end).zip(first..last).for_each(|(place, word)| takes[place] = Some(word));
        }
        at = end;
    }
    takes
}

/// Whether the words before two brackets are the same: `if` before `(`.
fn follows(pairs: &[Option<usize>], other: usize, one: usize) -> bool {
    match (other.checked_sub(1), one.checked_sub(1)) {
        (Some(other), Some(one)) => pairs[other] == Some(one),
        (None, None) => true,
        _ => false,
    }
}

/// Whether a pair of words crosses no other, except the one that it replaces.
fn fits(pairs: &[Option<usize>], other: usize, one: usize, except: Option<usize>) -> bool {
    let mut others = pairs.iter().enumerate().filter(|(at, _)| Some(*at) != except);
    others.all(|(at, pair)| pair.is_none_or(|pair| (at < other) == (pair < one) && pair != one))
}

fn code(word: &Wanted) -> &str {
    match &word.what {
        What::Code(code) => code,
        What::Placeholder(_) | What::Shared(_) => "",
    }
}

/// A heaviest common subsequence, as pairs of indices.
fn common(found: &[MatchWord], wanted: &[Wanted], same: &dyn Fn(&MatchWord, &Wanted) -> bool) -> Vec<(usize, usize)> {
    let columns = wanted.len() + 1;
    let mut weights = vec![0u32; (found.len() + 1) * columns];
    for one in (0..found.len()).rev() {
        for other in (0..wanted.len()).rev() {
            let below = weights[(one + 1) * columns + other];
            let right = weights[one * columns + other + 1];
            let mut best = below.max(right);
            if same(&found[one], &wanted[other]) {
                let weight = if found[one].capture.is_some() { CAPTURE } else { 1 };
                best = best.max(weights[(one + 1) * columns + other + 1] + weight);
            }
            weights[one * columns + other] = best;
        }
    }
    let mut pairs = Vec::new();
    let (mut one, mut other) = (0, 0);
    while one < found.len() && other < wanted.len() {
        let here = weights[one * columns + other];
        let weight = if found[one].capture.is_some() { CAPTURE } else { 1 };
        if same(&found[one], &wanted[other]) && here == weights[(one + 1) * columns + other + 1] + weight {
            pairs.push((one, other));
            (one, other) = (one + 1, other + 1);
        } else if weights[(one + 1) * columns + other] == here {
            one += 1;
        } else {
            other += 1;
        }
    }
    pairs
}

/// Whether the line break between two words of the match may stay: outside brackets, and in brackets that stay
/// themselves.
pub(super) fn lines_stay(found: &[MatchWord], kept: &[Option<usize>]) -> Vec<bool> {
    let partners = partners(found.iter().map(|word| word.text.as_str()));
    let is_kept = |place: usize| kept.contains(&Some(place));
    let mut open: Vec<bool> = Vec::new();
    let mut stay = Vec::with_capacity(found.len());
    for (place, partner) in partners.iter().enumerate() {
        // The place before a closing bracket is still inside.
        stay.push(open.last().copied().unwrap_or(true));
        match partner {
            Some(partner) if *partner > place => open.push(is_kept(place) && is_kept(*partner)),
            Some(_) => drop(open.pop()),
            None => {}
        }
    }
    stay
}

/// For each bracket, the index of its partner.
fn partners<'a>(words: impl Iterator<Item = &'a str>) -> Vec<Option<usize>> {
    let mut partners = Vec::new();
    let mut open: Vec<(usize, &str)> = Vec::new();
    for (place, word) in words.enumerate() {
        partners.push(None);
        let opening = match word {
            "(" | "[" | "{" => {
                open.push((place, word));
                continue;
            }
            ")" => "(",
            "]" => "[",
            "}" => "{",
            _ => continue,
        };
        if let Some((start, _)) = open.pop_if(|(_, word)| *word == opening) {
            (partners[start], partners[place]) = (Some(place), Some(start));
        }
    }
    partners
}
