//! A grammar that all threads may use.
//!
//! tree-sitter does not call its `Language` shareable on WebAssembly, where it may belong to a store of modules. The
//! grammars here are linked into the program and never change.
#![cfg_attr(target_family = "wasm", allow(unsafe_code))]

/// A grammar for as long as the program runs.
#[derive(Debug, Clone, Copy)]
pub(super) struct SharedGrammar(&'static tree_sitter::Language);

// Sound since a linked grammar is constant data, and a program in a browser has one thread.
#[cfg(target_family = "wasm")]
unsafe impl Send for SharedGrammar {}
#[cfg(target_family = "wasm")]
unsafe impl Sync for SharedGrammar {}

impl SharedGrammar {
    /// Keeps a grammar. One for each language, since names are borrowed from it.
    pub fn new(grammar: tree_sitter::Language) -> SharedGrammar {
        SharedGrammar(Box::leak(Box::new(grammar)))
    }

    /// The grammar, for the parser and its names.
    pub fn get(self) -> &'static tree_sitter::Language {
        self.0
    }
}
