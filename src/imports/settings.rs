//! How a project says that imports are sorted: tables of its files, named by the language's data.

use std::path::{Path, PathBuf};

use heck::ToKebabCase;
use rustc_hash::FxHashMap;
use serde_json::{Map, Value};

use super::{ImportStyle, Section};
use crate::language::{Organize, SettingRule};
use crate::reader::core::Reader;
use crate::reader::project_root::project_root;
use crate::reader::project_settings::{load, table_at};

/// Takes something from a table.
type ReadTable<'a, T> = dyn Fn(&SettingRule, &Map<String, Value>) -> Option<T> + 'a;

/// The styles of folders, as far as they were asked for.
#[derive(Default)]
pub(crate) struct ImportSettings {
    styles: FxHashMap<(PathBuf, &'static str), ImportStyle>,
    files: FxHashMap<PathBuf, Option<Value>>,
}

impl ImportSettings {
    /// The style for files in a folder: what the nearest table says, in it or above it.
    pub(crate) fn style(
        &mut self,
        engine: &Reader,
        (folder, root): (&Path, &Path),
        (rule, language): (&Organize, &'static str),
    ) -> ImportStyle {
        let key = (folder.to_owned(), language);
        if let Some(style) = self.styles.get(&key) {
            return style.clone();
        }
        // Without a repository, the folder of the project is the highest.
        let top = project_root(root, engine.files());
        let folders: Vec<&Path> = folder.ancestors().take_while(|above| above.starts_with(&top)).collect();
        let length = self.nearest(engine, &folders, &rule.line_settings, &|_, table| {
            let length = ["line-length", "max-line-length", "print-width"].iter().find_map(|name| number(table, name));
            length.filter(|&length| length > 0)
        });
        let mut style = ImportStyle::plain(length.unwrap_or(rule.line_length));
        let found = self.nearest(engine, &folders, &rule.settings, &|setting, table| {
            let is_selected = setting.selected.is_empty() || selects(table, &setting.selected);
            is_selected.then(|| (setting.clone(), table.clone()))
        });
        if let Some((setting, table)) = found {
            style.is_configured = true;
            style.is_rewriting = setting.rewrites;
            if setting.selected.is_empty() {
                configure(&mut style, &table, &setting, rule);
                style.line_length = length.unwrap_or(style.line_length);
            }
        }
        self.styles.insert(key, style.clone());
        style
    }

    /// What the first table that has something says, from the nearest folder up.
    fn nearest<T>(
        &mut self,
        engine: &Reader,
        folders: &[&Path],
        rules: &[SettingRule],
        read: &ReadTable<'_, T>,
    ) -> Option<T> {
        for folder in folders {
            for rule in rules {
                let value = self.files.entry(folder.join(&rule.file)).or_insert_with_key(|path| load(engine, path));
                let Some(table) = value.as_ref().and_then(|value| table_at(value, &rule.table)) else { continue };
                let plain = table.iter().map(|(key, value)| (key.to_kebab_case(), value.clone())).collect();
                if let Some(found) = read(rule, &plain) {
                    return Some(found);
                }
            }
        }
        None
    }
}

fn selects(table: &Map<String, Value>, rule: &str) -> bool {
    let lists = ["select", "extend-select"].iter().filter_map(|key| table.get(*key));
    let mut chosen = lists.flat_map(texts);
    chosen.any(|chosen| {
        chosen == "ALL" || chosen == rule || chosen.strip_prefix(rule).is_some_and(|rest| rest.starts_with('0'))
    })
}

fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => text.split(',').map(|one| one.trim().to_owned()).filter(|one| !one.is_empty()).collect(),
        Value::Array(values) => values.iter().filter_map(|value| value.as_str().map(str::to_owned)).collect(),
        _ => Vec::new(),
    }
}

fn number(table: &Map<String, Value>, name: &str) -> Option<usize> {
    let value = table.get(name)?;
    let number = value.as_u64().and_then(|number| usize::try_from(number).ok());
    number.or_else(|| value.as_str()?.trim().parse().ok())
}

fn flag(table: &Map<String, Value>, name: &str) -> Option<bool> {
    let value = table.get(name)?;
    value.as_bool().or_else(|| match value.as_str()?.to_lowercase().as_str() {
        "true" | "1" | "yes" | "on" => Some(true),
        "false" | "0" | "no" | "off" => Some(false),
        _ => None,
    })
}

/// The option of a profile whose statements are written anew, beside those of the tool.
const REWRITES: &str = "rewrites";

/// Takes over the options of a table.
fn configure(style: &mut ImportStyle, table: &Map<String, Value>, setting: &SettingRule, rule: &Organize) {
    let rewrites = setting.rewrites;
    let word = |name: &str| table.get(name).and_then(Value::as_str).map(str::to_lowercase);
    let profile = word("profile").and_then(|name| rule.profiles.get(&name));
    let is_in_profile = |option: &str| profile.is_some_and(|options| options.iter().any(|known| known == option));
    style.is_rewriting |= is_in_profile(REWRITES);
    if setting.line_length > 0 && !is_in_profile(REWRITES) {
        style.line_length = setting.line_length;
    }
    let hanging = word("multi-line-output").is_some_and(|mode| mode == "3" || mode == "vertical_hanging_indent")
        || number(table, "multi-line-output") == Some(3);
    style.is_rewriting |= hanging && flag(table, "include-trailing-comma") == Some(true);
    if !rewrites {
        style.keeps_trailing_comma = flag(table, "split-on-trailing-comma") == Some(true);
    }
    let mut set = |name: &str, field: fn(&mut ImportStyle) -> &mut bool| {
        if let Some(value) = flag(table, name).or(is_in_profile(name).then_some(true)) {
            *field(style) = value;
        }
    };
    set("force-sort-within-sections", |style| &mut style.mixes_kinds);
    set("from-first", |style| &mut style.from_first);
    set("order-by-type", |style| &mut style.by_type);
    set("case-sensitive", |style| &mut style.by_case);
    set("case-sensitive", |style| &mut style.names_by_case);
    set("force-single-line", |style| &mut style.one_each);
    set("combine-as-imports", |style| &mut style.combines_aliases);
    set("split-on-trailing-comma", |style| &mut style.keeps_trailing_comma);
    set("force-wrap-aliases", |style| &mut style.wraps_aliases);
    set("no-sections", |style| &mut style.has_no_sections);
    set("reverse-relative", |style| &mut style.nearest_first);
    style.nearest_first |= word("relative-imports-order").as_deref() == Some("closest-to-furthest");
    style.lines_between_kinds = number(table, "lines-between-types").unwrap_or(0);
    style.lines_below = number(table, "lines-after-imports");
    let list = |name: &str| table.get(name).map(texts).unwrap_or_default();
    for (name, section) in [
        ("known-first-party", Section::FirstParty),
        ("known-third-party", Section::ThirdParty),
        ("known-local-folder", Section::Local),
        ("known-standard-library", Section::Standard),
        ("extra-standard-library", Section::Standard),
    ] {
        style.known.extend(list(name).into_iter().map(|module| (section, module)));
    }
    style.to_top = list("force-to-top");
    style.joined = list("no-lines-before").iter().filter_map(|name| Section::named(name)).collect();
    if let Some(section) = word("default-section").and_then(|name| Section::named(&name)) {
        style.default_section = section;
    }
    for name in ["sections", "section-order"] {
        let order = list(name);
        if !order.is_empty() {
            let known: Vec<Section> = order.iter().filter_map(|name| Section::named(name)).collect();
            style.keeps_order |= known.len() != order.len();
            style.sections = known;
        }
    }
    let unsupported = ["length-sort", "length-sort-straight", "reverse-sort", "force-alphabetical-sort", "star-first"];
    style.keeps_order |= unsupported.iter().any(|name| flag(table, name) == Some(true));
}
