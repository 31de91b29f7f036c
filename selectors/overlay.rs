//! How the data of a language is laid over that of another. The build script uses this file, too.

/// The keys by which files are recognised; a language does not take them over from the one it extends.
pub const HEAD: &[&str] = &[
    "name",
    "aliases",
    "extensions",
    "stored",
    "file_names",
    "shebangs",
    "claims",
    "projects",
    "workspaces",
    "extends",
];

/// Adds what `table` lacks from `base`. Tables are merged; an empty array in `table` takes an entry of `base` away.
pub fn lay_under(table: &mut toml::Table, base: toml::Table) {
    for (key, value) in base {
        match (table.get_mut(&key), value) {
            (None, value) => {
                table.insert(key, value);
            }
            (Some(toml::Value::Table(own)), toml::Value::Table(other)) => {
                lay_under(own, other);
                own.retain(|_, value| !value.as_array().is_some_and(Vec::is_empty));
            }
            (Some(_), _) => {}
        }
    }
}
