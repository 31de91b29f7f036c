//! The shapes of a template in each language.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use crate::language::Language;
use crate::selector::Shape;

/// The shapes of a template, read once for each language and each set of filled placeholders.
#[derive(Debug, Clone, Default)]
pub(in crate::edit) struct Shapes {
    #[allow(clippy::type_complexity)]
    read: Arc<Mutex<HashMap<(&'static str, String), Option<Arc<Shape>>>>>,
}

impl Shapes {
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
