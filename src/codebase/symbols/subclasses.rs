//! The classes that extend one.

use super::inference::resolver::Resolver;
use super::model::{Site, Thing};
use super::references::{Confidence, Role, Target, occurrences};
use super::schemes::open_classes::Mixing;
use crate::modules::FileId;

/// A class that extends another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Subclass {
    /// The class.
    pub class: Site,
    /// One of its bases.
    pub base: Site,
}

/// The classes of a file that name one of these as a base, by this name.
pub fn subclasses(resolver: &Resolver<'_>, bases: &[Site], file: FileId, text: &str) -> Vec<Subclass> {
    let mut found = Vec::new();
    for &base in bases {
        let target = Target::of(Thing::Symbol(base));
        for occurrence in occurrences(resolver, &target, file, text) {
            if occurrence.confidence != Confidence::Certain {
                continue;
            }
            if let Some(Mixing::Class(class)) = resolver.mixing(file, occurrence.node) {
                found.push(Subclass { class, base });
            }
            let named = (occurrence.role == Role::Base).then(|| resolver.extended_by(file, occurrence.node)).flatten();
            let class = named.or_else(|| resolver.anonymous_class_of(file, occurrence.node));
            found.extend(class.map(|class| Subclass { class, base }));
        }
    }
    found
}
