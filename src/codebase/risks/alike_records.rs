//! Records that are one type, or can be converted to each other, because their fields have the same names.

use crate::modules::FileId;
use crate::symbols::{Meaning, Resolver, Site, Thing, Value, View};
use crate::tree::Node;

/// A record with its fields.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// The type that is made of it; `None` for one without a name.
    pub class: Option<Site>,
    /// Its name.
    pub name: String,
    /// The fields, in order.
    pub fields: Vec<RecordField>,
    /// Whether it has no name, and its values stay in the variables of a function.
    pub is_confined: bool,
}

/// A field of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordField {
    /// Its place.
    pub site: Site,
    /// Its name.
    pub name: String,
    /// Its type as it is written, without the packages.
    pub written: String,
}

impl Record {
    /// Whether both may be one type, or be converted: only a conversion makes one of two types with names the other.
    pub fn is_like(&self, other: &Record) -> bool {
        let needs_conversion = self.class.is_some() && other.class.is_some();
        self.fields.len() == other.fields.len()
            && self.fields.iter().zip(&other.fields).all(|(one, two)| {
                one.name == two.name && one.site != two.site && (needs_conversion || one.written == two.written)
            })
    }
}

impl Resolver<'_> {
    /// The records of a file that have a field, in a language where the fields alone make a type.
    pub fn records_with(&self, file: FileId, field: &str) -> Vec<Record> {
        let Some(view) = self.view(file) else { return Vec::new() };
        let table = view.tree.table();
        let types = &view.rules.members.alike_records;
        let mut records: Vec<(Node, Record)> = Vec::new();
        if types.is_empty() {
            return Vec::new();
        }
        for member in self.border_members(file) {
            let Some(record) = member.record.filter(|&record| types.contains(table.type_id(record))) else { continue };
            let name = member.site.name;
            let holder = table.ancestors(name).take_while(|&up| up != record);
            let mut annotated =
                holder.filter_map(|up| view.rules.written_types.annotations.of(table.type_id(up)).zip(Some(up)));
            let written = annotated
                .next()
                .and_then(|(paths, holder)| paths.iter().flat_map(|path| view.tree.reached(holder, path)).next());
            let written = written.map_or_else(String::new, |written| without_packages(&view.tree.node_text(written)));
            let field = RecordField { site: member.site, name: member.name, written };
            match records.iter_mut().find(|(node, _)| *node == record) {
                Some((_, known)) => known.fields.push(field),
                None => {
                    let (class, name) = name_of(&view, record);
                    records.push((record, Record { class, name, fields: vec![field], is_confined: false }));
                }
            }
        }
        records.retain(|(_, record)| record.fields.iter().any(|known| known.name == field));
        for (node, record) in &mut records {
            record.is_confined = record.class.is_none() && self.is_confined(&view, *node);
        }
        records.into_iter().map(|(_, record)| record).collect()
    }

    /// Whether a file converts something that may be of one type to another.
    pub fn converts(&self, file: FileId, from: Site, to: Site) -> bool {
        let Some(view) = self.view(file) else { return false };
        let table = view.tree.table();
        table.nodes().any(|node| {
            let Some(target) = self.called(&view, node) else { return false };
            let mut names = std::iter::once(target).chain(table.descendants(target));
            let last = names.rfind(|&name| view.scopes.is_identifier(name));
            let is_it = last.is_some_and(|last| self.means(file, last, to));
            is_it && self.may_be_converted(&view, node, target, from)
        })
    }

    fn means(&self, file: FileId, name: Node, class: Site) -> bool {
        self.meaning(file, name) == Meaning::Known(vec![Thing::Symbol(class)])
    }

    /// Whether the only value in a conversion may be of a type.
    fn may_be_converted(&self, view: &View<'_>, conversion: Node, target: Node, from: Site) -> bool {
        let table = view.tree.table();
        let rule = view.tree.language().spec().args.of(table.type_id(conversion));
        let list = rule.and_then(|rule| rule.at.iter().flat_map(|path| view.tree.reached(conversion, path)).next());
        let values = view.tree.named_children(list.unwrap_or(conversion)).filter(|&child| child != target);
        let values: Vec<Node> = values.filter(|&value| !view.tree.is_comment(value)).collect();
        let [value] = values[..] else { return false };
        let found = self.value(view.file, value);
        let is_of = |value: &Value| matches!(value, Value::Instance { class, .. } if *class == from);
        !found.is_complete || found.known.iter().any(|value| is_of(value) || !value.is_of_project())
    }
}

/// The type that is made of a record, and its name.
fn name_of(view: &View<'_>, record: Node) -> (Option<Site>, String) {
    let table = view.tree.table();
    let definition = table.parent(record).filter(|&definition| {
        let paths = view.rules.written_types.underlying.of(table.type_id(definition)).into_iter().flatten();
        paths.flat_map(|path| view.tree.reached(definition, path)).any(|made_of| made_of == record)
    });
    let Some(name) = definition.and_then(|definition| view.tree.name_node(definition)) else {
        return (None, String::new());
    };
    (Some(Site { file: view.file, name }), view.tree.node_text(name).into_owned())
}

/// A type without spaces, and without what is before a dot.
fn without_packages(text: &str) -> String {
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut plain = String::new();
    for letter in text.chars().filter(|letter| !letter.is_whitespace()) {
        if letter == '.' && plain.ends_with(is_word) {
            plain.truncate(plain.trim_end_matches(is_word).len());
        } else {
            plain.push(letter);
        }
    }
    plain
}
