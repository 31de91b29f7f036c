//! `move_file`: a file or a folder gets another path, and what imports it follows.

mod own_words;
pub(crate) mod plan;
pub(crate) mod relocated;
