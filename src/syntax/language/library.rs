//! Grammars from shared libraries, as built by `tree-sitter build`.
//!
//! Rust cannot check loaded code. So only this file may load any, and it does nothing else.
#![allow(unsafe_code)]

use std::path::Path;

#[cfg(not(target_family = "wasm"))]
use libloading::{Library, Symbol};
#[cfg(not(target_family = "wasm"))]
use tree_sitter::{LANGUAGE_VERSION, MIN_COMPATIBLE_LANGUAGE_VERSION};
#[cfg(not(target_family = "wasm"))]
use tree_sitter_language::LanguageFn;

/// Loads the grammar that a shared library exports as `symbol`. It stays loaded as long as the program runs.
///
/// # Errors
/// If the file is not such a library, or its ABI is not supported by the parser.
#[cfg(not(target_family = "wasm"))]
pub(super) fn load(path: &Path, symbol: &str) -> Result<tree_sitter::Language, String> {
    let shown = path.display();
    // Sound if the library is what its name says: it runs with the user's rights, and the user put it there.
    let library = unsafe { Library::new(path) }.map_err(|error| format!("`{shown}` cannot be loaded: {error}"))?;
    let library: &'static Library = Box::leak(Box::new(library));
    type Function = unsafe extern "C" fn() -> *const ();
    let function: Symbol<'static, Function> = unsafe { library.get(symbol.as_bytes()) }
        .map_err(|_| format!("`{shown}` has no function `{symbol}`; the folder must have the grammar's name"))?;
    let language = tree_sitter::Language::new(unsafe { LanguageFn::from_raw(*function) });
    let version = language.abi_version();
    if !(MIN_COMPATIBLE_LANGUAGE_VERSION..=LANGUAGE_VERSION).contains(&version) {
        let bounds = format!("{MIN_COMPATIBLE_LANGUAGE_VERSION} to {LANGUAGE_VERSION}");
        return Err(format!("`{shown}` has ABI {version}, but only {bounds} are supported; rebuild it"));
    }
    Ok(language)
}

/// A browser loads no shared libraries.
#[cfg(target_family = "wasm")]
pub(super) fn load(path: &Path, _symbol: &str) -> Result<tree_sitter::Language, String> {
    Err(format!("`{}` cannot be loaded: WebAssembly has no shared libraries", path.display()))
}
