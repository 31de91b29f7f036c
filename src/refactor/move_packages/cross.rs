//! All that a move to another package changes, and all that is in its way.

use crate::modules::FileId;
use crate::refactor::move_packages::crossing::Crossing;
use crate::symbols::BoundName;

impl Crossing<'_, '_> {
    /// Finds all changes, and what is in the way.
    ///
    /// `mentioning`: the files that may have the name of the old package.
    pub(super) fn cross(&mut self, names: &[BoundName], mentioning: &[FileId]) {
        match self.parcel.is_qualified() {
            true => self.qualify(names),
            false => self.import_names(names),
        }
        self.rename_in_comments(mentioning);
        if !self.parcel.is_qualified() && self.parcel.empties() {
            self.drop_globs_of_old(mentioning);
        }
        self.carry_imports();
        self.drop_package_imports(names);
        self.check_names();
        self.check_methods();
        self.check_derived_names();
        self.check_members();
        self.check_makers();
        self.check_new_imports();
    }
}
