//! Names in another case, as `convert` makes them.

/// A case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Case {
    Lower,
    Upper,
    Capitalized,
    Camel,
    Snake,
    Kebab,
    Pascal,
}

impl Case {
    /// All, by their names.
    pub const NAMES: [(&'static str, Case); 7] = [
        ("lowerCase", Case::Lower),
        ("upperCase", Case::Upper),
        ("capitalize", Case::Capitalized),
        ("camelCase", Case::Camel),
        ("snakeCase", Case::Snake),
        ("kebabCase", Case::Kebab),
        ("pascalCase", Case::Pascal),
    ];

    /// A text in this case.
    pub fn convert(self, text: &str, separators: &Separators) -> String {
        let words = || separators.split(text);
        match self {
            Case::Lower => text.to_lowercase(),
            Case::Upper => text.to_uppercase(),
            Case::Capitalized => capitalize(text),
            Case::Camel => {
                let word = |(number, word): (usize, String)| match number {
                    0 => word.to_lowercase(),
                    _ => capitalize(&word),
                };
                words().into_iter().enumerate().map(word).collect()
            }
            Case::Snake => words().join("_").to_lowercase(),
            Case::Kebab => words().join("-").to_lowercase(),
            Case::Pascal => words().iter().map(|word| capitalize(word)).collect(),
        }
    }
}

/// A text whose first letter is upper case; the others are as they were.
fn capitalize(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// Where a name is split into words.
#[derive(Debug, Clone)]
pub struct Separators {
    signs: Vec<char>,
    /// Whether also where a lower letter is followed by an upper one.
    is_at_case: bool,
}

impl Default for Separators {
    fn default() -> Separators {
        Separators { signs: Separators::NAMES.iter().map(|(_, sign)| *sign).collect(), is_at_case: true }
    }
}

/// The last letters of the word that is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    /// A lower letter, or the word is empty.
    Lower,
    /// One letter that is not lower.
    Other,
    /// Several of them.
    Others,
}

impl Separators {
    /// The signs, by their names.
    const NAMES: [(&'static str, char); 5] =
        [("dash", '-'), ("dot", '.'), ("slash", '/'), ("space", ' '), ("underscore", '_')];
    const AT_CASE: &'static str = "caseChange";

    /// Those of some names. The first that is unknown is the error.
    pub fn of(names: &[String]) -> Result<Separators, String> {
        let mut separators = Separators { signs: Vec::new(), is_at_case: false };
        for name in names {
            match Separators::NAMES.iter().find(|(known, _)| known == name) {
                Some((_, sign)) => separators.signs.push(*sign),
                None if name == Separators::AT_CASE => separators.is_at_case = true,
                None => return Err(name.clone()),
            }
        }
        Ok(separators)
    }

    /// The words of a text.
    fn split(&self, text: &str) -> Vec<String> {
        let (mut words, mut word) = (Vec::new(), String::new());
        let mut last = Last::Lower;
        for letter in text.chars() {
            if self.signs.contains(&letter) {
                words.push(std::mem::take(&mut word));
                last = Last::Lower;
                continue;
            }
            if self.is_at_case && last == Last::Lower && letter.is_uppercase() {
                words.push(std::mem::take(&mut word));
                last = Last::Other;
            } else if self.is_at_case && last == Last::Others && letter.is_lowercase() {
                // The last of several upper letters begins the next word: `XML Http`.
                let next = word.pop();
                words.push(std::mem::take(&mut word));
                word.extend(next);
                last = Last::Lower;
            } else if letter.is_lowercase() {
                last = Last::Lower;
            } else {
                last = if last == Last::Lower { Last::Other } else { Last::Others };
            }
            word.push(letter);
        }
        words.push(word);
        words.retain(|word| !word.is_empty());
        words
    }
}
