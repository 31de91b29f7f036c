//! All tests, in one binary: the grammars' tables are linked once.

mod edit;
