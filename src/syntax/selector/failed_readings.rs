//! Why code patterns cannot be read, for those who explain them.

use super::pattern::Pattern;
use crate::language::Language;

/// Why each reading of a code pattern fails in a language; empty if one of them makes sense.
pub fn failed_readings(code: &str, language: &'static Language) -> Vec<String> {
    Pattern::new(code, language, None).err().map_or_else(Vec::new, |unread| unread.readings)
}
