//! Turns the data of the built-in languages into a form that is fast to read: each `language.toml`, laid over that of the language it
//! extends, as JSON, and apart from it the keys by which files of the language are recognised. So nothing of TOML is parsed when
//! the program starts.

use std::path::{Path, PathBuf};
use std::{env, fs};

use toml::{Table, Value};

mod overlay;

fn main() {
    println!("cargo::rerun-if-changed=.");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let write = |name: &str, table: &Table| {
        let json = serde_json::to_string(table).expect("TOML without dates is JSON");
        fs::write(out.join(name), json).expect("OUT_DIR can be written");
    };
    let root = Path::new(".");
    let entries = fs::read_dir(root).expect("the package's folder is there");
    for folder in
        entries.map(|entry| entry.expect("it can be read").path()).filter(|path| path.join("language.toml").is_file())
    {
        let name = folder.file_name().and_then(|name| name.to_str()).expect("names of languages are ASCII");
        let own = read(&folder.join("language.toml"));
        write(&format!("{name}.head.json"), &head(&own));
        write(&format!("{name}.json"), &whole(root, own));
    }
    write("kinds.json", &read(&root.join("kinds.toml")));
}

fn read(path: &Path) -> Table {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.parse().unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn head(own: &Table) -> Table {
    let is_head = |(key, _): &(&String, &Value)| overlay::HEAD.contains(&key.as_str());
    own.iter().filter(is_head).map(|(key, value)| (key.clone(), value.clone())).collect()
}

/// A language's data without those keys, with that of the language it extends.
fn whole(root: &Path, own: Table) -> Table {
    let without_head =
        |table: Table| table.into_iter().filter(|(key, _)| !overlay::HEAD.contains(&key.as_str())).collect::<Table>();
    let base = own.get("extends").and_then(Value::as_str).map(|base| read(&root.join(base).join("language.toml")));
    let mut whole = without_head(own);
    if let Some(base) = base {
        overlay::lay_under(&mut whole, without_head(base));
    }
    whole
}
