//! The folders of the session store, the indexes, and the user's configuration.

use std::path::PathBuf;

/// The folder of the session store: the requested one, else that of the environment, else the user's.
pub fn state(asked: Option<PathBuf>) -> Option<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| !path.as_os_str().is_empty());
    if let Some(exact) = asked.or_else(|| folder("CST_STATE")) {
        return Some(exact);
    }
    let home = std::env::home_dir();
    let base = if cfg!(windows) {
        folder("LOCALAPPDATA")
    } else if cfg!(target_os = "macos") {
        home.map(|home| home.join("Library/Application Support"))
    } else {
        let absolute = folder("XDG_STATE_HOME").filter(|path| path.is_absolute());
        absolute.or_else(|| home.map(|home| home.join(".local/state")))
    };
    base.map(|base| base.join("cst"))
}

/// The folder of indexes: that of the environment, else the user's.
pub fn cache() -> Option<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    if let Some(exact) = folder("CST_CACHE") {
        return Some(exact);
    }
    let base = folder("XDG_CACHE_HOME").or_else(|| std::env::home_dir().map(|home| home.join(".cache")));
    base.map(|base| base.join("cst"))
}

/// The folder of the user's own configuration.
pub fn configuration() -> Option<PathBuf> {
    let absolute = std::env::var_os("XDG_CONFIG_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let base = absolute.or_else(|| std::env::home_dir().map(|home| home.join(".config")));
    base.map(|base| base.join("cst"))
}
