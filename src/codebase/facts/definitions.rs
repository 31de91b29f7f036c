//! The facts of a file: what its bytes alone say about names and definitions, so that it can be kept by content.

use rustc_hash::{FxHashMap, FxHashSet};

use super::words::{add_parts, split, words};
use crate::outline;
use crate::tree::{Node, Tree};

/// The version of this data. Facts of other versions are made again.
pub const FACTS_VERSION: u32 = 2;

/// The longest signature kept, in characters.
const SIGNATURE: usize = 240;

/// What is kept of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facts {
    /// Its definitions in order.
    pub definitions: Vec<DefinitionFacts>,
    /// The words of its code, sorted, each once. A name that is not among them is not a name of the file.
    pub words: Vec<String>,
    /// The text to search: one for each definition, in order, and one for the rest of the file.
    pub documents: Vec<Document>,
}

/// A definition of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DefinitionFacts {
    /// Its name.
    pub name: String,
    /// What its qualified name has before the name, with the point.
    pub scope: String,
    /// Its kind.
    pub kind: String,
    /// Everything up to its body, on one line.
    pub signature: String,
    /// The line and the column of its name, from 1.
    pub place: (u32, u32),
    /// Its first and its last line, from 1.
    pub lines: (u32, u32),
    /// How many definitions enclose it.
    pub depth: u32,
}

impl DefinitionFacts {
    /// Its qualified name.
    pub fn qualname(&self) -> String {
        format!("{}{}", self.scope, self.name)
    }
}

/// The words of a definition, without those of the definitions in it. They are in lower case, split into their parts, and
/// separated by spaces.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Document {
    /// The words of its name.
    pub name: String,
    /// The words of the names of the definitions around it.
    pub scope: String,
    /// The words of its signature.
    pub signature: String,
    /// The words of its documentation and comments.
    pub documentation: String,
    /// The words of its code and its strings.
    pub body: String,
}

/// The facts of a file. They depend on its text and its language alone.
pub fn facts(tree: &Tree) -> Facts {
    let listed = outline::outline(tree, &outline::Options::default()).unwrap_or_default();
    let table = tree.table();
    let mut documentation: FxHashMap<Node, usize> = FxHashMap::default();
    let rest = listed.len();
    documentation.extend(tree.docstring(Node::ROOT).map(|node| (node, rest)));
    for (number, definition) in listed.iter().enumerate() {
        let comments = tree.doc_comments(definition.node).into_iter();
        documentation.extend(comments.chain(tree.docstring(definition.node)).map(|node| (node, number)));
    }
    let mut documents = vec![Document::default(); rest + 1];
    let mut known: FxHashSet<&str> = FxHashSet::default();
    let texts: Vec<std::borrow::Cow<'_, str>>;
    let source = tree.text().as_str();
    // The definitions around a node, the innermost last: where each ends, and its number.
    let mut around: Vec<(usize, usize)> = Vec::new();
    let (mut next, mut skip_to) = (0, 0);
    let mut apart: Vec<(usize, usize)> = Vec::new();
    for node in table.nodes() {
        let index = node.index();
        while around.last().is_some_and(|&(end, _)| end <= index) {
            around.pop();
        }
        while listed.get(next).is_some_and(|definition| definition.node == node) {
            around.push((table.subtree_end(node), next));
            next += 1;
        }
        if index < skip_to {
            continue;
        }
        let owner = around.last().map_or(rest, |&(_, number)| number);
        let role = tree.language().role(table.type_id(node));
        let documented = documentation.get(&node).copied();
        if role.comment || documented.is_some() {
            let span = tree.span(node);
            apart.push((span.start(), span.end()));
            let document = &mut documents[documented.unwrap_or(owner)].documentation;
            words(&tree.node_text(node)).for_each(|word| add_parts(word, document));
            skip_to = table.subtree_end(node);
        } else if role.string {
            add_code(&tree.node_text(node), &mut documents[owner].body);
            skip_to = table.subtree_end(node);
        } else if table.is_named(node) && table.subtree_end(node) == index + 1 {
            add_code(&tree.node_text(node), &mut documents[owner].body);
        }
    }
    // All words of the text but those of comments and documentation, whatever the grammar makes of them.
    let mut pieces = Vec::new();
    let mut at = 0;
    for (start, end) in apart {
        pieces.push((at, start.max(at)));
        at = end.max(at);
    }
    pieces.push((at, tree.text().len()));
    match source {
        Some(source) => {
            pieces.iter().for_each(|&(start, end)| known.extend(words(&source[start..end])));
        }
        None => {
            let slice = |&(start, end): &(usize, usize)| tree.text().slice(crate::text::Span::new(start, end));
            texts = pieces.iter().map(slice).collect();
            texts.iter().for_each(|text| known.extend(words(text)));
        }
    }
    let mut known: Vec<String> = known.into_iter().map(str::to_owned).collect();
    known.sort_unstable();
    let definitions = listed.into_iter().zip(&mut documents).map(|(definition, document)| {
        let scope = definition.qualname.strip_suffix(&definition.name).unwrap_or_default().to_owned();
        words(&definition.name).for_each(|word| add_parts(word, &mut document.name));
        words(&scope).for_each(|word| add_parts(word, &mut document.scope));
        add_words(&definition.signature, &mut document.signature);
        let start = tree.start(tree.name_node(definition.node).unwrap_or(definition.node));
        let number = |value: usize| u32::try_from(value).unwrap_or(u32::MAX);
        let signature = match definition.signature.char_indices().nth(SIGNATURE) {
            Some((end, _)) => format!("{}…", &definition.signature[..end]),
            None => definition.signature,
        };
        DefinitionFacts {
            name: definition.name,
            scope,
            kind: definition.kind.to_owned(),
            signature,
            place: (number(start.line), number(start.col())),
            lines: (number(definition.start_line), number(definition.end_line)),
            depth: number(definition.depth),
        }
    });
    let definitions = definitions.collect();
    Facts { definitions, words: known, documents }
}

/// Adds the parts of the words of code. Only names and signatures have the words as a whole, too.
fn add_code(code: &str, text: &mut String) {
    let named = words(code).filter(|word| !word.starts_with(|letter: char| letter.is_numeric()));
    named.for_each(|word| _ = split(word, text));
}

/// Adds the words of a signature; numbers alone say nothing.
fn add_words(code: &str, text: &mut String) {
    let named = words(code).filter(|word| !word.starts_with(|letter: char| letter.is_numeric()));
    named.for_each(|word| add_parts(word, text));
}
