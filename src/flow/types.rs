//! Types of variables and expressions, as far as their file shows them, for languages whose functions have to say them.

use super::analysis::{Flow, Variable, VariableUse};
use crate::language::Language;
use crate::tree::{Node, Tree};

/// How many expressions are followed to others.
const STEPS: usize = 12;

/// A type as it is written somewhere.
#[derive(Debug, Clone)]
pub(crate) struct Shown {
    pub(crate) text: String,
    /// Where it is written.
    pub(crate) node: Option<Node>,
}

impl Shown {
    fn word(text: &str) -> Option<Shown> {
        Some(Shown { text: text.to_owned(), node: None })
    }

    fn at(tree: &Tree, node: Node) -> Option<Shown> {
        let text = tree.node_text(node).trim_start_matches(':').trim().to_owned();
        // What is left to the compiler says nothing.
        let words = &tree.language().spec().symbols.type_words;
        let is_left_out =
            words.inferred.contains(&text) || words.inferred_marks.iter().any(|mark| text.contains(mark.as_str()));
        let is_known = !text.is_empty() && !is_left_out;
        is_known.then_some(Shown { text, node: Some(node) })
    }
}

/// The result of a function: nothing, one type, or several.
#[derive(Debug, Clone)]
pub(crate) enum Results {
    None,
    One(Shown),
    Several(Vec<Node>),
}

impl Flow<'_> {
    fn spec(&self) -> &'static crate::language::Spec {
        let language: &'static Language = self.tree.language();
        language.spec()
    }

    /// The type of a variable.
    pub(crate) fn variable_type(&self, variable: &Variable) -> Option<Shown> {
        self.variable_type_in(variable, 0)
    }

    fn variable_type_in(&self, variable: &Variable, steps: usize) -> Option<Shown> {
        let mut binders: Vec<&VariableUse> = variable.uses.iter().filter(|one| one.binds).collect();
        binders.sort_by_key(|one| one.span.start());
        let first = *binders.first()?;
        if binders.len() > 1 && !self.rules.binds_again || steps > STEPS {
            return None;
        }
        let (tree, table) = (self.tree, self.tree.table());
        let parent = table.parent(first.node)?;
        if let Some(written) = self.written_type(parent) {
            let mut shown = Shown::at(tree, written)?;
            if let Some(dimensions) = table.children(parent).find(|&child| self.is(child, &self.rules.dimensions)) {
                shown = Shown { text: format!("{}{}", shown.text, tree.node_text(dimensions)), node: None };
            }
            return Some(match self.rules.optional_types.of(table.type_id(parent)) {
                Some(form) => Shown { text: form.replace("$type", &shown.text), node: Some(written) },
                None => shown,
            });
        }
        let (list, holder) = match self.spec().symbols.several_values.lists.contains(table.type_id(parent)) {
            true => (Some(parent), table.parent(parent)?),
            false => (None, parent),
        };
        let at = list.map_or(0, |list| tree.named_children(list).take_while(|&child| child != first.node).count());
        let count = list.map_or(1, |list| tree.named_children(list).count());
        if let Some(path) = self.spec().symbols.elements.ranges.of(table.type_id(holder)) {
            let ranged = path.iter().flat_map(|path| tree.reached(holder, path)).next()?;
            return self.ranged_type(ranged, at, steps);
        }
        let declares = [Some(holder), table.parent(holder)].into_iter().flatten();
        let values = declares.into_iter().find_map(|holder| {
            let rule = self.rules.declares.of(table.type_id(holder))?;
            Some(tree.reached(holder, &rule.value))
        })?;
        match values[..] {
            [only] if count > 1 => match self.results_of_call(only)? {
                Results::Several(types) if types.len() == count => Shown::at(tree, types[at]),
                _ => None,
            },
            _ => self.shown_type_in(*values.get(at)?, steps + 1),
        }
    }

    /// The type that the node around a name writes for it.
    pub(crate) fn written_type(&self, parent: Node) -> Option<Node> {
        let paths = self.rules.written_types.of(self.tree.table().type_id(parent))?;
        paths.iter().find_map(|path| self.tree.reached(parent, path).first().copied())
    }

    /// The type of the key or the element of what a loop goes through.
    fn ranged_type(&self, ranged: Node, at: usize, steps: usize) -> Option<Shown> {
        let (tree, table, elements) = (self.tree, self.tree.table(), &self.spec().symbols.elements);
        let written = self.shown_type_in(ranged, steps + 1)?.node?;
        let id = table.type_id(written);
        let reach = |paths: &[crate::language::Path]| paths.iter().flat_map(|path| tree.reached(written, path)).next();
        if !elements.range_keys {
            return None;
        }
        let element = reach(elements.types.of(id)?)?;
        match (at, elements.keys.of(id)) {
            (0, Some(key)) => Shown::at(tree, reach(key)?),
            (0, None) => Shown::word(&self.rules.index_type),
            _ => Shown::at(tree, element),
        }
    }

    /// The type of an expression.
    pub(crate) fn shown_type(&self, node: Node) -> Option<Shown> {
        self.shown_type_in(node, 0).or_else(|| self.expected_type(node))
    }

    /// The type that an expression has wherever it is.
    pub(crate) fn shown_alone(&self, node: Node) -> Option<Shown> {
        self.shown_type_in(node, 0)
    }

    fn shown_type_in(&self, node: Node, steps: usize) -> Option<Shown> {
        let (tree, table, rules) = (self.tree, self.tree.table(), self.rules);
        if steps > STEPS {
            return None;
        }
        let id = table.type_id(node);
        if let Some(word) = rules.literal_types.of(id) {
            return if self.has_suffix(node) { None } else { Shown::word(word) };
        }
        if let Some(paths) = rules.value_types.of(id) {
            return Shown::at(tree, paths.iter().find_map(|path| tree.reached(node, path).first().copied())?);
        }
        if self.scopes.is_identifier(node) {
            let variables = self.plain_variables(std::iter::once(node));
            return self.variable_type_in(variables.first()?, steps + 1);
        }
        if tree.callee(node).is_some() {
            let known = tree.callee_text(node).and_then(|text| rules.call_types.get(&*text));
            return match (known, self.results_of_call(node)) {
                (Some(word), None) => Shown::word(word),
                (_, Some(Results::One(shown))) => Some(shown),
                _ => None,
            };
        }
        let operands: Vec<Node> = tree.named_children(node).filter(|&child| !tree.is_comment(child)).collect();
        if let [one] = operands[..]
            && table.children(node).next().is_some_and(|first| self.is(first, &rules.addresses))
        {
            let shown = self.shown_type_in(one, steps + 1)?;
            return Some(Shown { text: rules.code.pointer.replace("$type", &shown.text), node: shown.node });
        }
        let operator = table.children(node).find(|&child| {
            !table.is_named(child) && (self.is(child, &rules.comparing) || self.is(child, &rules.arithmetic))
        });
        match (operator, &operands[..]) {
            (Some(operator), [_] | [_, _]) if self.is(operator, &rules.comparing) => Shown::word(&rules.condition_type),
            (Some(operator), [one]) if self.is(operator, &rules.signs) => {
                self.computed(self.shown_type_in(*one, steps + 1)?)
            }
            (Some(_), [_]) => None,
            (Some(_), [one, other]) => {
                let (left, right) = (self.shown_type_in(*one, steps + 1), self.shown_type_in(*other, steps + 1));
                let is_text =
                    |shown: &Option<Shown>| shown.clone().filter(|shown| rules.texts_win.contains(&shown.text));
                if let Some(text) = is_text(&left).or_else(|| is_text(&right)) {
                    return Some(text);
                }
                let whole = |node: Node| {
                    is_number(tree, node) && !self.has_suffix(node) && !tree.node_text(node).contains(['.', 'e', 'E'])
                };
                match (left, right) {
                    (Some(left), Some(right)) if left.text == right.text => self.computed(left),
                    (Some(left), _) if whole(*other) => self.computed(left),
                    (_, Some(right)) if whole(*one) => self.computed(right),
                    _ => None,
                }
            }
            (None, [only]) if tree.node_text(node).starts_with('(') => self.shown_type_in(*only, steps + 1),
            _ => None,
        }
    }

    /// The type of arithmetic with operands of a type.
    fn computed(&self, shown: Shown) -> Option<Shown> {
        (!self.rules.small_types.contains(&shown.text)).then_some(shown)
    }

    /// Whether a literal says what type of number it is.
    fn has_suffix(&self, node: Node) -> bool {
        is_number(self.tree, node) && self.tree.node_text(node).ends_with(|last: char| last.is_ascii_alphabetic())
    }

    /// The results of a function of this file that is called.
    pub(crate) fn results_of_call(&self, call: Node) -> Option<Results> {
        let (tree, table) = (self.tree, self.tree.table());
        let callee = tree.callee(call)?;
        // A method is not known by its name.
        let is_free = self.scopes.is_identifier(callee) && self.scopes.classify(callee).is_some();
        let found = self.plain_variables(std::iter::once(callee).filter(|_| is_free)).into_iter().next()?;
        let mut binders = found.uses.iter().filter(|one| one.binds);
        let (Some(binder), None) = (binders.next(), binders.next()) else { return None };
        let function = table.parent(binder.node).filter(|&parent| self.is(parent, &self.rules.functions))?;
        let results = self.results(function);
        let own_types = |node: Node| {
            let nodes = table.range(node.index(), table.subtree_end(node));
            self.plain_variables(nodes).iter().any(|one| table.is_within(one.symbol.scope, function))
        };
        match &results {
            Results::One(Shown { node: Some(node), .. }) if own_types(*node) => None,
            Results::Several(nodes) if nodes.iter().any(|&node| own_types(node)) => None,
            _ => Some(results),
        }
    }

    /// The results of a function as it writes them.
    pub(crate) fn results(&self, function: Node) -> Results {
        let (tree, table) = (self.tree, self.tree.table());
        let Some(written) = self.written_result(function) else { return Results::None };
        let tuples = &self.spec().symbols.several_values.tuples;
        let no_result = &self.rules.code.no_result;
        if *tree.node_text(written) == **no_result {
            return Results::None;
        }
        if tuples.of(table.type_id(written)).is_none() || self.rules.code.several_types.is_empty() {
            return Shown::at(tree, written).map_or(Results::None, Results::One);
        }
        let mut types = Vec::new();
        for part in tree.named_children(written) {
            let names = tree.named_children(part).filter(|&name| self.scopes.binds(name)).count();
            let own = self.written_type(part).unwrap_or(part);
            types.extend(std::iter::repeat_n(own, names.max(1)));
        }
        Results::Several(types)
    }

    /// Where a function writes its result.
    pub(crate) fn written_result(&self, function: Node) -> Option<Node> {
        let found = self.spec().returns.of(self.tree.table().type_id(function));
        found.into_iter().flatten().flat_map(|path| self.tree.reached(function, path)).next()
    }

    /// The type that the place of an expression demands.
    fn expected_type(&self, node: Node) -> Option<Shown> {
        let (tree, table) = (self.tree, self.tree.table());
        let is_list = |at: Node| {
            self.spec().symbols.several_values.lists.contains(table.type_id(at)) && tree.named_children(at).count() == 1
        };
        let mut parent = table.parent(node)?;
        if is_list(parent) {
            parent = table.parent(parent)?;
        }
        if self.is(parent, &self.rules.returns) && table.type_id(parent) != table.type_id(node) {
            return match self.results(self.function_of(node)) {
                Results::One(shown) => Some(shown),
                _ => None,
            };
        }
        let value = tree.named_children(parent).last();
        let is_value = value.is_some_and(|value| table.is_within(node, value));
        let binds = tree.named_children(parent).filter(|&name| self.scopes.binds(name)).count() == 1;
        let written =
            self.written_type(parent).filter(|&written| !table.is_within(node, written) && is_value && binds)?;
        Shown::at(tree, written)
    }
}

/// Whether a literal is a number.
fn is_number(tree: &Tree, node: Node) -> bool {
    tree.node_text(node).starts_with(|first: char| first.is_ascii_digit())
}
