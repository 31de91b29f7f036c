//! How bad a finding is.

use crate::naming::named_enum;

named_enum! {
    /// How bad a finding is.
    pub enum Severity {
        /// It must be mended.
        Error = "error",
        /// It should be.
        Warning = "warning",
        /// Worth knowing.
        Info = "info",
        /// A proposal.
        Hint = "hint",
        /// The rule is not run.
        Off = "off",
    }
}
