//! Facts of a file, known without any other: its definitions, the words of its code, and the text of each definition that a
//! model reads.

mod computed_text;
mod definitions;
mod passages;
mod text_words;
mod words;

pub use computed_text::{accesses_by_name, may_add_sign, may_make_name};
pub use definitions::{DefinitionFacts, Document, FACTS_VERSION, Facts, facts};
pub use passages::{PASSAGES_VERSION, passages};
pub use text_words::{WordParts, ends_of_word, has_end, has_word, is_letter, words_around};
pub use words::{add_parts, words};
