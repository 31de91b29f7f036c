//! How the definitions of a module are shared out among files.

/// A definition at the top of a module.
#[derive(Debug, Clone)]
pub struct Unit {
    /// Its name.
    pub name: String,
    /// Whether it is a class.
    pub is_class: bool,
    /// Whether it cannot move.
    pub stays: bool,
    /// The other definitions that it uses, by number.
    pub needs: Vec<usize>,
}

/// The definitions of a file, by number, in the order of the module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The definition that the file is named after; none for what several parts use.
    pub head: Option<usize>,
    /// The definitions.
    pub units: Vec<usize>,
}

/// Shares definitions out: a part for each class, with what only it uses and what only uses it; classes that use each other are one
/// part. No part uses a later one, and none uses a definition that stays.
pub fn partition(units: &[Unit]) -> Vec<Part> {
    let groups = connected(units);
    let mut group_of = vec![0; units.len()];
    for (number, group) in groups.iter().enumerate() {
        for &unit in group {
            group_of[unit] = number;
        }
    }
    let below = |group: usize| {
        let needs = groups[group].iter().flat_map(|&unit| &units[unit].needs);
        let mut below: Vec<usize> = needs.map(|&need| group_of[need]).filter(|&other| other != group).collect();
        below.sort_unstable();
        below.dedup();
        below
    };
    // A group comes after all that it needs. What needs something that stays, stays.
    let mut stays = vec![false; groups.len()];
    for group in 0..groups.len() {
        stays[group] =
            groups[group].iter().any(|&unit| units[unit].stays) || below(group).iter().any(|&one| stays[one]);
    }
    let head_of = |group: usize| groups[group].iter().copied().find(|&unit| units[unit].is_class);
    // The level of a group: that of the last class that it is or needs, 0 for none.
    let mut level = vec![0; groups.len()];
    let mut classes = 0;
    let mut heads = vec![None];
    for group in (0..groups.len()).filter(|&group| !stays[group]) {
        level[group] = match head_of(group) {
            Some(head) => {
                classes += 1;
                heads.push(Some(head));
                classes
            }
            None => below(group).iter().map(|&one| level[one]).max().unwrap_or(0),
        };
    }
    // What one part alone uses, and what needs no class, is in that part.
    for group in (0..groups.len()).rev() {
        if level[group] > 0 || stays[group] {
            continue;
        }
        let users = (0..groups.len()).filter(|&other| below(other).contains(&group));
        let mut users: Vec<Option<usize>> = users.map(|other| (!stays[other]).then_some(level[other])).collect();
        users.sort_unstable();
        users.dedup();
        if let [Some(user)] = users[..] {
            level[group] = user;
        }
    }
    let mut parts = Vec::new();
    for (number, head) in heads.into_iter().enumerate() {
        let is_its = |&unit: &usize| level[group_of[unit]] == number && !stays[group_of[unit]];
        let units: Vec<usize> = (0..units.len()).filter(is_its).collect();
        if !units.is_empty() {
            parts.push(Part { head, units });
        }
    }
    parts
}

/// The groups of definitions that use each other, each after all that it uses.
fn connected(units: &[Unit]) -> Vec<Vec<usize>> {
    struct Search<'a> {
        units: &'a [Unit],
        /// When each was found, and the earliest that it reaches.
        found: Vec<Option<(usize, usize)>>,
        open: Vec<usize>,
        groups: Vec<Vec<usize>>,
        count: usize,
    }
    impl Search<'_> {
        fn visit(&mut self, root: usize) {
            // The definitions on the way, and how many of their needs are done.
            let mut way = vec![(root, 0)];
            while let Some(&mut (unit, ref mut next)) = way.last_mut() {
                if *next == 0 && self.found[unit].is_none() {
                    self.found[unit] = Some((self.count, self.count));
                    self.count += 1;
                    self.open.push(unit);
                }
                if let Some(&need) = self.units[unit].needs.get(*next) {
                    *next += 1;
                    match self.found[need] {
                        None => way.push((need, 0)),
                        Some((at, _)) if self.open.contains(&need) => self.reach(unit, at),
                        Some(_) => {}
                    }
                    continue;
                }
                way.pop();
                let (at, low) = self.found[unit].unwrap_or_default();
                if let Some(&(above, _)) = way.last() {
                    self.reach(above, low);
                }
                if at == low {
                    let start = self.open.iter().position(|&one| one == unit).unwrap_or(0);
                    let mut group = self.open.split_off(start);
                    group.sort_unstable();
                    self.groups.push(group);
                }
            }
        }

        fn reach(&mut self, unit: usize, at: usize) {
            if let Some((_, low)) = &mut self.found[unit] {
                *low = (*low).min(at);
            }
        }
    }
    let mut search = Search { units, found: vec![None; units.len()], open: Vec::new(), groups: Vec::new(), count: 0 };
    for unit in 0..units.len() {
        if search.found[unit].is_none() {
            search.visit(unit);
        }
    }
    search.groups
}

/// How the files of a folder are named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileStyle {
    /// `http_error`.
    Snake,
    /// `http-error`.
    Kebab,
    /// `httpError`.
    Camel,
    /// `HttpError`.
    Pascal,
}

impl FileStyle {
    /// The style of most of some names without their endings; of names without several words, it is not known.
    pub fn of<'a>(stems: impl Iterator<Item = &'a str>) -> Option<FileStyle> {
        let mut counts = [(0, FileStyle::Kebab), (0, FileStyle::Snake), (0, FileStyle::Camel), (0, FileStyle::Pascal)];
        for stem in stems {
            let style = match stem {
                _ if stem.contains('-') => FileStyle::Kebab,
                _ if stem.trim_matches('_').contains('_') => FileStyle::Snake,
                _ if stem.starts_with(char::is_uppercase) => FileStyle::Pascal,
                _ if stem.contains(char::is_uppercase) => FileStyle::Camel,
                _ => continue,
            };
            counts.iter_mut().filter(|(_, known)| *known == style).for_each(|(count, _)| *count += 1);
        }
        counts.into_iter().filter(|(count, _)| *count > 0).max_by_key(|(count, _)| *count).map(|(_, style)| style)
    }

    /// The name of a file for a definition.
    pub fn name(self, definition: &str) -> String {
        let start = definition.len() - definition.trim_start_matches('_').len();
        let words = words(definition);
        let title = |word: &String| {
            let mut letters = word.chars();
            letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
        };
        let name = match self {
            FileStyle::Snake => words.join("_"),
            FileStyle::Kebab => words.join("-"),
            FileStyle::Pascal => words.iter().map(title).collect(),
            FileStyle::Camel => {
                let (first, rest) =
                    words.split_first().map_or((String::new(), &[][..]), |(one, rest)| (one.clone(), rest));
                rest.iter().map(title).fold(first, |name, word| name + &word)
            }
        };
        format!("{}{name}", &definition[..start])
    }
}

/// The words of a name, in small letters: `HTTPError2` is `http`, `error2`.
fn words(name: &str) -> Vec<String> {
    let letters: Vec<char> = name.chars().collect();
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    for (at, &letter) in letters.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| letters[at]);
        let after = letters.get(at + 1);
        let begins = letter.is_uppercase()
            && (before.is_some_and(|before| before.is_lowercase() || before.is_ascii_digit())
                || before.is_some_and(char::is_uppercase) && after.is_some_and(|after| after.is_lowercase()));
        if (begins || letter == '_' || letter == '$') && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if letter.is_alphanumeric() {
            word.extend(letter.to_lowercase());
        }
    }
    words.extend((!word.is_empty()).then_some(word));
    words
}
