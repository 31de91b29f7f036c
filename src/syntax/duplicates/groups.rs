//! Groups of duplicates: runs as long as possible, none of which is a part of another group's.

use std::cmp::Reverse;

use rustc_hash::FxHashMap;

use super::classes::{Classes, Member, UNIQUE, small};
use super::fingerprint::{Fingerprint, mix};
use crate::interrupt::poll_at;

/// A run of pieces of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The index of the file.
    pub file: usize,
    /// Its first piece.
    pub first: usize,
    /// Its last piece.
    pub last: usize,
}

/// Code that occurs several times.
#[derive(Debug, Clone)]
pub struct Duplicate {
    /// How many tokens each has.
    pub tokens: usize,
    /// Whether names differ.
    pub is_renamed: bool,
    /// Where it is, in order.
    pub places: Vec<Place>,
}

impl Duplicate {
    /// How many tokens there would be less if there were one.
    pub fn excess(&self) -> usize {
        self.tokens * (self.places.len() - 1)
    }
}

/// A run of members: the first, and how many.
#[derive(Debug, Clone, Copy)]
struct Run {
    start: u32,
    length: u32,
}

/// Finds code of at least `least` tokens that occurs several times: that with the most tokens to save first. Linear in the files,
/// sorting left out, and in what is found.
pub fn find(files: &[Fingerprint], least: usize) -> Vec<Duplicate> {
    let classes = Classes::new(files, least.max(1));
    let mut found: Vec<Duplicate> = Vec::new();
    for (step, (starts, length)) in chains(&classes).into_iter().enumerate() {
        poll_at(step);
        let runs = extend(&classes.members, &starts, length);
        found.extend(split_by_names(files, &classes.members, &runs));
    }
    found.sort_by_key(|one| (Reverse(one.tokens), Reverse(one.places.len())));
    let mut kept = keep_outermost(files, found);
    kept.sort_by_key(|one| Reverse(one.excess()));
    kept
}

/// The runs of classes that follow each other at all their occurrences, joined.
fn chains(classes: &Classes) -> Vec<(Vec<u32>, u32)> {
    let Classes { members, class_of, starts, lengths } = classes;
    let next: Vec<u32> = starts.iter().map(|starts| shifted(classes, starts)).collect();
    let mut has_previous = vec![false; starts.len()];
    next.iter().filter(|&&next| next != UNIQUE).for_each(|&next| has_previous[next as usize] = true);
    let mut found = Vec::new();
    for class in (0..starts.len()).filter(|&class| !has_previous[class]) {
        let (mut last, mut steps) = (class, 0);
        while next[last] != UNIQUE {
            last = next[last] as usize;
            steps += 1;
        }
        debug_assert_eq!(class_of[starts[class][0] as usize], small(class));
        debug_assert!(members.len() > starts[class][0] as usize + steps as usize);
        found.push((starts[class].clone(), steps + lengths[last]));
    }
    found
}

/// The class whose runs begin one piece after all those of another one, and nowhere else.
fn shifted(classes: &Classes, starts: &[u32]) -> u32 {
    let after = |start: u32| {
        let (here, next) = (classes.members.get(start as usize)?, classes.members.get(start as usize + 1)?);
        (here.block == next.block).then(|| classes.class_of[start as usize + 1])
    };
    let Some(class) = after(starts[0]).filter(|&class| class != UNIQUE) else { return UNIQUE };
    let is_all =
        classes.starts[class as usize].len() == starts.len() && starts.iter().all(|&start| after(start) == Some(class));
    if is_all { class } else { UNIQUE }
}

/// The same runs, without those that overlap an earlier one, made longer on both sides while all of them stay the same.
fn extend(members: &[Member], starts: &[u32], length: u32) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for &start in starts {
        let overlaps = runs.last().is_some_and(|last| {
            last.start + last.length > start && members[last.start as usize].block == members[start as usize].block
        });
        if !overlaps {
            runs.push(Run { start, length });
        }
    }
    if runs.len() < 2 {
        return runs;
    }
    let hash_at = |run: &Run, at: Option<usize>| {
        let member = members.get(at?)?;
        (member.block == members[run.start as usize].block).then_some(member.hash)
    };
    // Neighbours in one block must not grow into each other.
    let is_free = |runs: &[Run]| {
        runs.windows(2).all(|pair| {
            let is_same = members[pair[0].start as usize].block == members[pair[1].start as usize].block;
            !is_same || pair[0].start + pair[0].length < pair[1].start
        })
    };
    let same = |runs: &[Run], at: fn(&Run) -> Option<usize>| {
        let first = hash_at(&runs[0], at(&runs[0]));
        first.is_some() && runs.iter().all(|run| hash_at(run, at(run)) == first)
    };
    while is_free(&runs) && same(&runs, |run| (run.start as usize).checked_sub(1)) {
        runs.iter_mut().for_each(|run| *run = Run { start: run.start - 1, length: run.length + 1 });
    }
    while is_free(&runs) && same(&runs, |run| Some((run.start + run.length) as usize)) {
        runs.iter_mut().for_each(|run| run.length += 1);
    }
    runs
}

/// The runs in which each name has one counterpart, as groups.
fn split_by_names(files: &[Fingerprint], members: &[Member], runs: &[Run]) -> Vec<Duplicate> {
    let mut groups: Vec<Vec<(Place, u64)>> = Vec::new();
    let mut by_shape: FxHashMap<u64, usize> = FxHashMap::default();
    let mut tokens = 0;
    for run in runs {
        let (first, last) = (members[run.start as usize], members[(run.start + run.length - 1) as usize]);
        let file = &files[first.file as usize];
        let place = Place { file: first.file as usize, first: first.piece as usize, last: last.piece as usize };
        let range = file.pieces[place.first].first as usize..file.pieces[place.last].end as usize;
        tokens = range.len();
        let names = &file.names[range];
        let mut numbers: FxHashMap<u32, u64> = FxHashMap::default();
        let (mut shape, mut exact) = (0, 0);
        for &name in names.iter().filter(|&&name| name != 0) {
            let next = numbers.len() as u64;
            shape = mix(&[shape, *numbers.entry(name).or_insert(next)]);
            exact = mix(&[exact, u64::from(name)]);
        }
        let group = *by_shape.entry(shape).or_insert(groups.len());
        if group == groups.len() {
            groups.push(Vec::new());
        }
        groups[group].push((place, exact));
    }
    let duplicate = |places: Vec<(Place, u64)>| Duplicate {
        tokens,
        is_renamed: places.iter().any(|(_, exact)| *exact != places[0].1),
        places: places.into_iter().map(|(place, _)| place).collect(),
    };
    groups.into_iter().filter(|places| places.len() > 1).map(duplicate).collect()
}

/// A kept place: its bytes, and the number of its group.
struct Kept {
    start: u32,
    end: u32,
    group: usize,
}

/// Leaves out groups whose places all lie in those of one that was kept and has as many.
fn keep_outermost(files: &[Fingerprint], found: Vec<Duplicate>) -> Vec<Duplicate> {
    let mut places: FxHashMap<usize, Vec<Kept>> = FxHashMap::default();
    let mut kept: Vec<Duplicate> = Vec::new();
    for (step, duplicate) in found.into_iter().enumerate() {
        poll_at(step);
        let bytes = |place: &Place| {
            let pieces = &files[place.file].pieces;
            (pieces[place.first].start_byte, pieces[place.last].end_byte)
        };
        let around = |place: &Place| -> Vec<usize> {
            let (start, end) = bytes(place);
            let known = places.get(&place.file).map_or(&[][..], Vec::as_slice).iter();
            known.filter(|known| known.start <= start && end <= known.end).map(|known| known.group).collect()
        };
        let mut groups = around(&duplicate.places[0]);
        groups.retain(|&group| kept[group].places.len() >= duplicate.places.len());
        for place in &duplicate.places[1..] {
            if groups.is_empty() {
                break;
            }
            let here = around(place);
            groups.retain(|group| here.contains(group));
        }
        if !groups.is_empty() {
            continue;
        }
        for place in &duplicate.places {
            let (start, end) = bytes(place);
            places.entry(place.file).or_default().push(Kept { start, end, group: kept.len() });
        }
        kept.push(duplicate);
    }
    kept
}
