//! The shapes of a template in each language.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use crate::language::Language;
use crate::selector::{Literals, Shape};

/// The shapes of a template, read once for each language and each set of filled placeholders.
#[derive(Debug, Clone, Default)]
pub(in crate::edit) struct Shapes {
    #[allow(clippy::type_complexity)]
    read: Arc<Mutex<HashMap<(&'static str, String), Option<Arc<Shape>>>>>,
    literals: Arc<Mutex<HashMap<&'static str, SharedLiterals>>>,
}

/// The string literals of a template, and the indices of those that its patterns have, too.
#[derive(Debug, Clone)]
pub(in crate::edit) struct SharedLiterals {
    pub read: Arc<Literals>,
    pub shared: Vec<usize>,
}

impl Shapes {
    /// The literals of a template with the source `template` in a language.
    pub(super) fn literals(&self, template: &str, patterns: &[String], language: &'static Language) -> SharedLiterals {
        let known = self.literals.lock().ok().and_then(|read| read.get(language.name()).cloned());
        known.unwrap_or_else(|| {
            let read = Arc::new(Literals::read(template, language));
            let of_patterns: Vec<Literals> = patterns.iter().map(|pattern| Literals::read(pattern, language)).collect();
            let is_shared = |text: &str| of_patterns.iter().any(|literals| literals.texts().any(|other| other == text));
            let texts = read.texts().enumerate();
            let shared = texts.filter(|(_, text)| is_shared(text)).map(|(number, _)| number).collect();
            let literals = SharedLiterals { read, shared };
            if let Ok(mut known) = self.literals.lock() {
                known.insert(language.name(), literals.clone());
            }
            literals
        })
    }

    pub(super) fn of(&self, source: &str, language: &'static Language) -> Option<Arc<Shape>> {
        let key = (language.name(), source.to_owned());
        let known = self.read.lock().ok().and_then(|read| read.get(&key).cloned());
        known.unwrap_or_else(|| {
            let shape = Shape::read(source, language).map(Arc::new);
            if let Ok(mut read) = self.read.lock() {
                read.insert(key, shape.clone());
            }
            shape
        })
    }
}
