//! Versions of a language, and where projects say for which versions they are.

use super::form::plain;

plain! {
    /// A version of the language from which on something is allowed.
    SinceVersion {
        /// The version: `3.12`; empty if there is none.
        version: String,
        /// Where a project says for which versions it is. The nearest folder counts that has one of the files with the key; in it, the
        /// first.
        stated: Vec<VersionSetting>,
    }

    /// A key of a file that says for which versions of the language a project is.
    VersionSetting {
        /// The name of the file.
        file: String,
        /// The path of the table in it, with dots.
        table: String,
        /// The key.
        key: String,
    }
}
