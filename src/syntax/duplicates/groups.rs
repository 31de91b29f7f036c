//! Groups of duplicates: runs as long as possible, none of which is a part of another group's.

use std::cmp::Reverse;
use std::ops::Range;

use rustc_hash::FxHashMap;

use super::classes::{Classes, Member, UNIQUE, small};
use super::fingerprint::{Fingerprint, mix};
use crate::interrupt::{count_steps, poll_at};

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
    let members = &classes.members;
    let mut found: Vec<Found> = Vec::new();
    let mut known = Known::default();
    for (step, (starts, length)) in chains(&classes).into_iter().enumerate() {
        poll_at(step);
        let runs = disjoint(members, &starts, length);
        if runs.len() < 2 || known.has(&runs) {
            continue;
        }
        let runs = extend(members, runs);
        known.add(&runs);
        let places: Vec<Place> = runs.iter().map(|run| place_of(members, run)).collect();
        found.push(Found { tokens: range_of(files, &places[0]).len(), places });
    }
    found.sort_by_key(|one| (Reverse(one.tokens), Reverse(one.places.len())));
    let mut kept = Outermost::new(files);
    for (step, Found { places, .. }) in found.into_iter().enumerate() {
        poll_at(step);
        // Names are compared only where the code is not a part of what is kept.
        if kept.has_around(&places) {
            continue;
        }
        let mut split = split_by_names(files, places);
        split.sort_by_key(|one| Reverse(one.places.len()));
        for duplicate in split {
            if !kept.has_around(&duplicate.places) {
                kept.add(duplicate);
            }
        }
    }
    let mut kept = kept.groups;
    kept.sort_by_key(|one| Reverse(one.excess()));
    kept
}

/// Runs that are the same but for names.
struct Found {
    tokens: usize,
    places: Vec<Place>,
}

fn place_of(members: &[Member], run: &Run) -> Place {
    let (first, last) = (members[run.start as usize], members[(run.start + run.length - 1) as usize]);
    Place { file: first.file as usize, first: first.piece as usize, last: last.piece as usize }
}

/// The tokens of a place.
fn range_of(files: &[Fingerprint], place: &Place) -> Range<usize> {
    let pieces = &files[place.file].pieces;
    pieces[place.first].first as usize..pieces[place.last].end as usize
}

/// Sets of runs that were made as long as possible, by the members of their first runs.
#[derive(Default)]
struct Known {
    sets: Vec<Vec<Run>>,
    /// The last set whose first run has a member, by the member and how many runs the set has.
    by_member: FxHashMap<(u32, usize), usize>,
}

impl Known {
    /// Whether some runs are the same parts of all runs of a known set, and would grow into it.
    fn has(&self, runs: &[Run]) -> bool {
        let Some(&set) = self.by_member.get(&(runs[0].start, runs.len())) else { return false };
        let set = &self.sets[set];
        let offset = runs[0].start - set[0].start;
        count_steps(runs.len());
        runs[0].length + offset <= set[0].length
            && runs.iter().zip(set).all(|(run, known)| run.start == known.start + offset)
    }

    fn add(&mut self, runs: &[Run]) {
        let first = runs[0];
        count_steps(first.length as usize);
        for member in first.start..first.start + first.length {
            self.by_member.insert((member, runs.len()), self.sets.len());
        }
        self.sets.push(runs.to_vec());
    }
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

/// Runs of a length, without those that overlap an earlier one.
fn disjoint(members: &[Member], starts: &[u32], length: u32) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for &start in starts {
        let overlaps = runs.last().is_some_and(|last| {
            last.start + last.length > start && members[last.start as usize].block == members[start as usize].block
        });
        if !overlaps {
            runs.push(Run { start, length });
        }
    }
    runs
}

/// The same runs, made longer on both sides while all of them stay the same.
fn extend(members: &[Member], mut runs: Vec<Run>) -> Vec<Run> {
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
        count_steps(runs.len());
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

/// The places in which each name has one counterpart, as groups.
fn split_by_names(files: &[Fingerprint], places: Vec<Place>) -> Vec<Duplicate> {
    let mut groups: Vec<Vec<(Place, u64)>> = Vec::new();
    let mut by_shape: FxHashMap<u64, usize> = FxHashMap::default();
    let mut tokens = 0;
    for place in places {
        let range = range_of(files, &place);
        tokens = range.len();
        count_steps(tokens);
        let names = &files[place.file].names[range];
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
#[derive(Clone, Copy)]
struct Kept {
    start: u32,
    end: u32,
    group: usize,
}

/// Groups of which none has all its places in those of another one that has as many.
struct Outermost<'f> {
    files: &'f [Fingerprint],
    groups: Vec<Duplicate>,
    /// The kept places that touch a stretch of a file.
    by_stretch: FxHashMap<(usize, u32), Vec<Kept>>,
}

/// The length of a stretch, in bytes, as a power of two.
const STRETCH: u32 = 8;

impl<'f> Outermost<'f> {
    fn new(files: &'f [Fingerprint]) -> Outermost<'f> {
        Outermost { files, groups: Vec::new(), by_stretch: FxHashMap::default() }
    }

    fn bytes(&self, place: &Place) -> Range<u32> {
        let pieces = &self.files[place.file].pieces;
        pieces[place.first].start_byte..pieces[place.last].end_byte
    }

    /// The groups that have a place around another one.
    fn around(&self, place: &Place) -> Vec<usize> {
        let Range { start, end } = self.bytes(place);
        let known = self.by_stretch.get(&(place.file, start >> STRETCH)).map_or(&[][..], Vec::as_slice);
        count_steps(known.len() + 1);
        known.iter().filter(|known| known.start <= start && end <= known.end).map(|known| known.group).collect()
    }

    /// Whether all places lie in those of one group that has as many.
    fn has_around(&self, places: &[Place]) -> bool {
        let mut groups = self.around(&places[0]);
        groups.retain(|&group| self.groups[group].places.len() >= places.len());
        for place in &places[1..] {
            if groups.is_empty() {
                break;
            }
            let here = self.around(place);
            groups.retain(|group| here.contains(group));
        }
        !groups.is_empty()
    }

    fn add(&mut self, duplicate: Duplicate) {
        let group = self.groups.len();
        for place in &duplicate.places {
            let Range { start, end } = self.bytes(place);
            let stretches = start >> STRETCH..=end >> STRETCH;
            count_steps(stretches.clone().count());
            for stretch in stretches {
                self.by_stretch.entry((place.file, stretch)).or_default().push(Kept { start, end, group });
            }
        }
        self.groups.push(duplicate);
    }
}
