//! The folders of the session store, the indexes, and the user's configuration: those of the XDG specification or, on Windows,
//! the user's application data.

use std::env;
use std::path::PathBuf;

use etcetera::BaseStrategy;

/// The program's folder in those of the system.
const OWN: &str = "cst";

/// The folder of the session store: the requested one, else that of the environment, else the user's.
pub fn state(asked: Option<PathBuf>) -> Option<PathBuf> {
    let named = || env::var_os("CST_STATE").filter(|path| !path.is_empty()).map(PathBuf::from);
    // Windows has no folder for state; local application data is also that of caches.
    asked.or_else(named).or_else(|| own(|user| user.state_dir().unwrap_or_else(|| user.cache_dir())))
}

/// The folder of indexes: that of the environment, else the user's.
pub fn cache() -> Option<PathBuf> {
    let named = env::var_os("CST_CACHE").map(PathBuf::from).filter(|path| path.is_absolute());
    named.or_else(|| own(|user| user.cache_dir()))
}

/// The folder of the user's own configuration.
pub fn configuration() -> Option<PathBuf> {
    own(|user| user.config_dir())
}

/// The program's folder in one of the user's; `None` if the home directory is unknown.
fn own(folder: impl Fn(&dyn BaseStrategy) -> PathBuf) -> Option<PathBuf> {
    let user = etcetera::choose_base_strategy().ok()?;
    Some(folder(&user).join(OWN))
}
