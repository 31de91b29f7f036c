//! The imports of one file: what has no use goes, the rest is merged and sorted.

use std::cmp::Ordering;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::edit::{self, EditError, Outcome};
use crate::imports::block::{Block, Member, Statement, blocks, is_match};
use crate::imports::order::{Sorted, by_path, by_section, members};
use crate::imports::style::{ImportStyle, Section};
use crate::imports::text::{Layout, Written};
use crate::imports::unused::{ImportFacts, Judge, Verdict, is_standard};
use crate::language::{ImportOrder, Organize};
use crate::text::{EditSet, Span, TextEdit};
use crate::tree::{Node, ParseLimits, Tree};

/// How many statements of a file import another name from the module of the one before, if that is its style.
const MANY: usize = 4;

/// The imports of a file, organized.
#[derive(Debug, Default)]
pub struct Organized {
    /// The new tree, if anything changes.
    pub outcome: Option<Outcome>,
    /// Spans of the old text in the edits, and where they are in the new text.
    pub moved: Vec<(Span, usize)>,
    /// Names that are not imported any more.
    pub removed: Vec<String>,
    /// Offsets of names that seem to have no use and stay, and why.
    pub left: Vec<(usize, String)>,
}

/// Organizes the imports of a file whose language's data says how. `is_own` says whether a module is one of the project.
///
/// # Errors
/// If a gate refuses the result.
pub fn organize(
    tree: &Tree,
    facts: &ImportFacts,
    style: &ImportStyle,
    is_own: &dyn Fn(&str) -> bool,
    limits: &ParseLimits,
) -> Result<Organized, EditError> {
    let mut organized = Organized::default();
    let Some(rule) = &tree.language().spec().imports.organize else { return Ok(organized) };
    let table = tree.table();
    let skips = |node: Node| tree.is_comment(node) && is_match(&rule.skip_file, &tree.node_text(node));
    if rule.skip_file.is_some() && table.nodes().any(skips) {
        return Ok(organized);
    }
    let found = blocks(tree, rule);
    if found.is_empty() {
        return Ok(organized);
    }
    let judge = Judge::new(tree, rule, facts, &found);
    let mut unused = FxHashSet::default();
    for member in found
        .iter()
        .flat_map(|block| &block.statements)
        .flat_map(|statement| statement.members().map(move |member| (statement, member)))
    {
        let (statement, member) = member;
        match judge.verdict(statement, member) {
            Verdict::Used => {}
            Verdict::Unused => {
                unused.insert(member.node);
                organized.removed.extend(member.bound.clone());
            }
            Verdict::Kept(why) => organized.left.push((member.span.start(), why)),
        }
    }
    let style = &fitted(&found, rule, style, is_own);
    let planner = Planner { tree, rule, style, is_own, unused: &unused, effects: &facts.effects };
    let left = &mut organized.left;
    let planned: Vec<(Span, Written)> = found.iter().filter_map(|block| planner.block(block, left)).collect();
    if planned.is_empty() {
        return Ok(organized);
    }
    let edits = planned.iter().map(|(span, written)| TextEdit::new(*span, written.text.as_str())).collect();
    let edits = EditSet::new(edits).expect("blocks do not overlap");
    for (new, (_, written)) in edits.new_spans().iter().zip(planned) {
        organized.moved.extend(written.moved.into_iter().map(|(old, at)| (old, new.start() + at)));
    }
    organized.moved.sort_unstable_by_key(|(old, _)| old.start());
    organized.outcome = Some(edit::change_spans(tree, edits, limits)?);
    Ok(organized)
}

/// The section of a statement.
fn section(rule: &Organize, style: &ImportStyle, is_own: &dyn Fn(&str) -> bool, statement: &Statement) -> Section {
    let module = statement.module();
    if statement.is_first {
        return Section::Future;
    }
    if module.starts_with('.') {
        return Section::Local;
    }
    if let Some(known) = style.known_section(module) {
        return known;
    }
    let top = module.split('.').next().unwrap_or(module);
    match () {
        () if is_standard(rule, module) => Section::Standard,
        () if is_own(top) => Section::FirstParty,
        () => style.default_section,
    }
}

/// The style with what the file does already, where the project says nothing: another order counts if the whole file is in it.
fn fitted(found: &[Block], rule: &Organize, style: &ImportStyle, is_own: &dyn Fn(&str) -> bool) -> ImportStyle {
    let mut style = style.clone();
    if style.is_configured {
        return style;
    }
    let is_in_order = |style: &ImportStyle, one: &Statement, two: &Statement| {
        let sorted = |statement: &Statement| Sorted {
            section: section(rule, style, is_own, statement),
            statement: statement.clone(),
        };
        let order = match rule.order {
            ImportOrder::Kept => Ordering::Equal,
            ImportOrder::Groups if two.begins_group => Ordering::Equal,
            ImportOrder::Groups => by_path(one, two, style),
            ImportOrder::Sections => by_section(&sorted(one), &sorted(two), style),
        };
        order != Ordering::Greater
    };
    let statements = || found.iter().flat_map(|block| &block.statements).filter(|statement| statement.is_from);
    let is_again = |pair: &&[Statement]| pair[0].is_from && pair[0].source == pair[1].source;
    let again: usize = found.iter().map(|block| block.statements.windows(2).filter(is_again).count()).sum();
    style.one_each =
        again >= MANY && statements().all(|statement| statement.list.len() < 2) && rule.order == ImportOrder::Sections;
    let pairs = || found.iter().flat_map(|block| block.statements.windows(2));
    let lists = || found.iter().flat_map(|block| &block.statements).map(|statement| &statement.list);
    let by_sections = rule.order == ImportOrder::Sections;
    style.by_type = by_sections;
    style.relative_last = !by_sections;
    let all = [false, true];
    // Where each name has a statement of its own, the kinds of names count among statements.
    let kinds = |mixed: bool| all.map(|plain| (mixed, plain));
    let orders = all.into_iter().flat_map(kinds).flat_map(|(mixed, plain)| all.map(|by_case| (mixed, plain, by_case)));
    let orders = orders.map(|(mixed, plain, by_case)| match by_sections {
        true => ImportStyle { mixes_kinds: mixed, by_type: !plain, by_case, names_by_case: by_case, ..style.clone() },
        false => ImportStyle { relative_last: !mixed, by_case, ..style.clone() },
    });
    let fits = |style: &ImportStyle| pairs().all(|pair| is_in_order(style, &pair[0], &pair[1]));
    if let Some(fitting) = orders.into_iter().find(fits) {
        style = fitting;
    }
    if style.one_each {
        return style;
    }
    let orders = all.into_iter().flat_map(|other| all.map(|by_case| (other, by_case)));
    let orders = orders.map(|(other, names_by_case)| ImportStyle {
        by_type: by_sections != other,
        names_by_case,
        ..style.clone()
    });
    let fits = |style: &ImportStyle| {
        lists().all(|list| list.windows(2).all(|pair| members(&pair[0], &pair[1], style) != Ordering::Greater))
    };
    if let Some(fitting) = orders.into_iter().find(fits) {
        style = fitting;
    }
    style
}

/// Whether a name is imported again from elsewhere, so that the order of the statements matters.
fn rebinds(statements: &[Statement]) -> bool {
    let mut known: FxHashMap<&str, (&str, &str)> = FxHashMap::default();
    statements.iter().any(|statement| {
        // `import a.b` and `import a.c` bind the same package.
        let mut members = statement.members().filter(|one| !statement.source.is_empty() || one.alias.is_some());
        members.any(|member| {
            let Some(bound) = member.bound.as_deref() else { return false };
            let from = (statement.source.as_str(), member.name.as_str());
            known.insert(bound, from).is_some_and(|other| other != from)
        })
    })
}

struct Planner<'a> {
    tree: &'a Tree,
    rule: &'a Organize,
    style: &'a ImportStyle,
    is_own: &'a dyn Fn(&str) -> bool,
    unused: &'a FxHashSet<Node>,
    /// Modules that do something when they are loaded.
    effects: &'a FxHashSet<String>,
}

impl Planner<'_> {
    /// The new text of a block; `None` if it stays as it is. Adds why it is not sorted.
    fn block(&self, block: &Block, left: &mut Vec<(usize, String)>) -> Option<(Span, Written)> {
        let before: Vec<Node> = block.statements.iter().map(|statement| statement.node).collect();
        let (mut statements, below) = self.remaining(block);
        if statements.is_empty() {
            return Some(self.emptied(block, &below));
        }
        if self.rule.exposed && rebinds(&statements) {
            return None;
        }
        let mut is_sorted = self.rule.order != ImportOrder::Kept && !self.style.keeps_order;
        let by_sections = self.rule.order == ImportOrder::Sections;
        if by_sections && self.style.is_configured {
            statements = statements.into_iter().flat_map(|statement| self.divided(statement)).collect();
        }
        let mut groups = self.arranged(statements.clone(), is_sorted);
        if let Some(start) = self.first_late_effect(&groups) {
            let why = "the imports stay in this order, since modules among them do something when they are loaded";
            left.push((start, why.to_owned()));
            is_sorted = false;
            groups = self.arranged(statements, is_sorted);
        }
        let after = groups.iter().flatten();
        let is_same = after.clone().map(|sorted| sorted.statement.node).eq(before.iter().copied());
        let is_changed = after.clone().any(|sorted| sorted.statement.is_changed);
        if is_same && !is_changed && !(by_sections && is_sorted) && below.is_empty() {
            return None;
        }
        let mut written = self.written(block, &groups, &below, by_sections && is_sorted);
        let mut span = block.span;
        if by_sections && is_sorted && self.style.is_rewriting && block.holder == Node::ROOT {
            span = self.with_lines_below(block, &mut written);
        }
        (self.tree.text().slice(span) != written.text.as_str()).then_some((span, written))
    }

    /// Statements in their groups, merged, and sorted if that is wanted.
    fn arranged(&self, statements: Vec<Statement>, is_sorted: bool) -> Vec<Vec<Sorted>> {
        let by_sections = self.rule.order == ImportOrder::Sections;
        let mut groups: Vec<Vec<Sorted>> = Vec::new();
        for statement in statements {
            let section = section(self.rule, self.style, self.is_own, &statement);
            let is_next = statement.begins_group && !(by_sections && is_sorted);
            let sorted = Sorted { section, statement };
            match groups.last_mut().filter(|_| !is_next) {
                Some(group) => group.push(sorted),
                None => groups.push(vec![sorted]),
            }
        }
        for group in &mut groups {
            *group = self.merged(std::mem::take(group));
            if !is_sorted {
                continue;
            }
            for sorted in group.iter_mut() {
                self.sort_members(&mut sorted.statement);
            }
            match by_sections {
                true => group.sort_by(|one, two| by_section(one, two, self.style)),
                false => group.sort_by(|one, two| by_path(&one.statement, &two.statement, self.style)),
            }
        }
        groups
    }

    /// Where a module is imported that does something when it is loaded, if that would come after a later one.
    fn first_late_effect(&self, groups: &[Vec<Sorted>]) -> Option<usize> {
        let name = |text: &str| text.trim_matches(['"', '\'', '`']).to_owned();
        let acts = |statement: &Statement| {
            let members = statement.members().filter(|_| statement.source.is_empty()).map(|member| &member.name);
            members.chain([&statement.source]).any(|module| self.effects.contains(&name(module)))
        };
        let acting = groups.iter().flatten().map(|sorted| &sorted.statement).filter(|statement| acts(statement));
        let acting: Vec<&Statement> = acting.collect();
        let late = acting.windows(2).find(|pair| pair[0].node > pair[1].node);
        late.map(|pair| pair[1].span.start())
    }

    /// The statements without names that have no use, and comments that are below all of them now.
    fn remaining(&self, block: &Block) -> (Vec<Statement>, Vec<String>) {
        let mut remaining: Vec<Statement> = Vec::new();
        let mut carried: Vec<String> = Vec::new();
        let (mut breaks, mut begins_group) = (0, false);
        for statement in &block.statements {
            let mut statement = statement.clone();
            let count = statement.members().count();
            let is_used = |member: &Member| !self.unused.contains(&member.node);
            let mut lost = Vec::new();
            for list in [&mut statement.alone, &mut statement.list] {
                for member in list.iter().filter(|member| !is_used(member)) {
                    lost.extend(member.above.iter().cloned());
                }
                list.retain(is_used);
            }
            let left = statement.members().count();
            let above = std::mem::take(&mut statement.above);
            carried.extend(above);
            begins_group |= statement.begins_group;
            breaks = breaks.max(statement.breaks);
            if left == 0 && count > 0 {
                continue;
            }
            statement.is_changed |= left < count;
            match statement.list.first_mut() {
                Some(first) if !lost.is_empty() => {
                    lost.append(&mut first.above);
                    first.above = lost;
                }
                _ => {}
            }
            statement.above = std::mem::take(&mut carried);
            (statement.begins_group, statement.breaks) = (begins_group && !remaining.is_empty(), breaks);
            (breaks, begins_group) = (0, false);
            remaining.push(statement);
        }
        if begins_group && !carried.is_empty() && !remaining.is_empty() {
            carried.insert(0, String::new());
        }
        (remaining, carried)
    }

    /// What a block without statements becomes.
    fn emptied(&self, block: &Block, below: &[String]) -> (Span, Written) {
        let (tree, text) = (self.tree, self.tree.text());
        let table = tree.table();
        let mut written = Written::default();
        if !below.is_empty() {
            written.push(&below.join(&format!("{}{}", text.newline(), block.indent)));
            return (block.span, written);
        }
        let empty = &tree.language().spec().empty_body;
        let is_list = self.rule.blocks.contains(table.type_id(block.holder));
        if block.others == 0 && block.holder != Node::ROOT && !is_list && !empty.is_empty() {
            written.push(empty);
            return (block.span, written);
        }
        let whole = match table.parent(block.holder) {
            Some(parent) if is_list && block.others == 0 => tree.span(parent),
            _ => block.span,
        };
        let start = text.line_around(whole.start()).start();
        let mut end = self.line_end(whole.end());
        // Of the blank lines above and below, one side is enough.
        let above = text.slice(Span::new(0, start));
        if above.trim().is_empty() || above.lines().next_back().is_some_and(|line| line.trim().is_empty()) {
            while end < text.len() && text.slice(text.line_around(end)).trim().is_empty() {
                let next = self.line_end(end);
                if next == end {
                    break;
                }
                end = next;
            }
        }
        (Span::new(start, end), written)
    }

    /// Adds the blank lines below a block; the span with those that are there.
    fn with_lines_below(&self, block: &Block, written: &mut Written) -> Span {
        let (tree, text) = (self.tree, self.tree.text());
        let table = tree.table();
        let rest = text.slice(Span::new(block.span.end(), text.len()));
        let blank = rest.len() - rest.trim_start().len();
        let Some(start) = rest[..blank].rfind('\n').filter(|_| blank < rest.len()) else { return block.span };
        let mut below = table.children(block.holder).filter(|&child| table.is_named(child) && !tree.is_comment(child));
        let next = below.find(|&child| table.span(child).start() >= block.span.end());
        let is_comment = next.is_none_or(|next| table.span(next).start() > block.span.end() + blank);
        let is_definition = !is_comment
            && next
                .is_some_and(|next| tree.is_scope(next) || tree.inner(next).is_some_and(|inner| tree.is_scope(inner)));
        // A comment stays where it is, if it is apart.
        if is_comment && self.style.lines_below.is_none() && rest[..blank].matches('\n').count() > 1 {
            return block.span;
        }
        let lines = self.style.lines_below.unwrap_or(if is_definition { 2 } else { 1 });
        written.push(&text.newline().repeat(lines + 1));
        Span::new(block.span.start(), block.span.end() + start + 1)
    }

    /// The start of the line after an offset.
    fn line_end(&self, offset: usize) -> usize {
        let text = self.tree.text();
        let rest = text.slice(Span::new(offset, text.len()));
        rest.find('\n').map_or(text.len(), |at| offset + at + 1)
    }

    /// A statement as the statements that the style wants for it.
    fn divided(&self, statement: Statement) -> Vec<Statement> {
        let is_star = statement.members().any(|member| member.is_glob);
        let has_alias = |member: &Member| member.alias.is_some() || member.renames_itself;
        let all_apart = statement.is_single || self.style.one_each && !is_star;
        let is_apart = |member: &Member| all_apart || !self.style.combines_aliases && has_alias(member);
        let count = statement.list.len();
        if count < 2 || !statement.has_list || !statement.list.iter().any(is_apart) {
            return vec![statement];
        }
        let mut divided: Vec<Statement> = Vec::new();
        let mut others: Option<usize> = None;
        for member in &statement.list {
            let into = others.filter(|_| !is_apart(member));
            if let Some(index) = into {
                divided[index].list.push(member.clone());
                continue;
            }
            if !is_apart(member) {
                others = Some(divided.len());
            }
            let is_new = !divided.is_empty();
            let mut one = Statement { list: vec![member.clone()], is_changed: true, ..statement.clone() };
            if is_new {
                (one.above, one.inline, one.outside) = (Vec::new(), Vec::new(), 0);
            }
            divided.push(one);
        }
        divided
    }

    /// The statements, with those of one module as one.
    fn merged(&self, group: Vec<Sorted>) -> Vec<Sorted> {
        let mut merged: Vec<Sorted> = Vec::new();
        for sorted in group {
            let statement = &sorted.statement;
            match merged.iter_mut().find(|other| self.may_merge(&other.statement, statement)) {
                Some(other) => merge(&mut other.statement, sorted.statement),
                None => merged.push(sorted),
            }
        }
        for sorted in &mut merged {
            let statement = &mut sorted.statement;
            let mut seen: FxHashSet<String> = FxHashSet::default();
            let count = statement.list.len();
            let mut lost = Vec::new();
            statement.list.retain(|member| {
                let is_new = seen.insert(member.text.clone());
                if !is_new {
                    lost.extend(member.above.iter().chain(&member.after).cloned());
                }
                is_new
            });
            statement.inline.extend(lost);
            statement.is_changed |= statement.list.len() < count;
        }
        merged
    }

    fn may_merge(&self, one: &Statement, two: &Statement) -> bool {
        if one.keeps_names != two.keeps_names || one.source != two.source || one.suffix != two.suffix {
            return false;
        }
        let texts = |statement: &Statement| statement.members().map(|member| member.text.clone()).collect::<Vec<_>>();
        if one.prefix == two.prefix && texts(one) == texts(two) && one.text == two.text {
            return true;
        }
        if one.is_single || two.is_single || !one.is_open || !two.is_open || one.prefix != two.prefix {
            return false;
        }
        if self.rule.order == ImportOrder::Sections {
            let apart = |statement: &Statement| {
                let mut members = statement.list.iter();
                self.style.one_each
                    || !self.style.combines_aliases
                        && members.any(|member| member.alias.is_some() || member.renames_itself)
            };
            return match (apart(one), apart(two)) {
                (false, false) => true,
                (true, true) => texts(one) == texts(two),
                _ => false,
            };
        }
        let is_namespace = |statement: &Statement| statement.alone.iter().any(|member| member.name == "*");
        let has_word = self.rule.clauses.is_empty() || one.prefix.split(' ').count() < 2;
        let has_both = (!one.alone.is_empty() || !two.alone.is_empty()) && !has_word;
        one.alone.len() + two.alone.len() < 2 && !is_namespace(one) && !is_namespace(two) && !has_both
    }

    fn sort_members(&self, statement: &mut Statement) {
        if statement.is_single && !self.style.is_rewriting || statement.list.len() < 2 {
            return;
        }
        let before: Vec<Node> = statement.list.iter().map(|member| member.node).collect();
        statement.list.sort_by(|one, two| members(one, two, self.style));
        statement.is_changed |= !statement.list.iter().map(|member| member.node).eq(before);
    }

    fn written(&self, block: &Block, groups: &[Vec<Sorted>], below: &[String], by_sections: bool) -> Written {
        let newline = self.tree.text().newline();
        let all = || block.statements.iter();
        let is_spaced =
            all().filter_map(|statement| statement.layout.is_spaced).next().unwrap_or(self.rule.always_brackets);
        let indent = &self.tree.language().spec().indent;
        let step =
            if indent.tabs || block.indent.starts_with('\t') { "\t".to_owned() } else { " ".repeat(indent.width) };
        let layout = Layout { rule: self.rule, style: self.style, indent: &block.indent, step, is_spaced, newline };
        let mut written = Written::default();
        let mut last: Option<&Sorted> = None;
        for group in groups {
            for (index, sorted) in group.iter().enumerate() {
                let blank = match last {
                    None => None,
                    Some(before) if by_sections => Some(self.blank_lines(before, sorted)),
                    Some(_) if index > 0 => Some(0),
                    Some(_) => {
                        Some(group.iter().map(|one| one.statement.breaks).max().unwrap_or(1).saturating_sub(1).max(1))
                    }
                };
                if let Some(blank) = blank {
                    written.push(&newline.repeat(blank + 1));
                    written.push(&block.indent);
                }
                layout.add(&sorted.statement, &mut written);
                last = Some(sorted);
            }
        }
        for comment in below {
            written.push(newline);
            if !comment.is_empty() {
                written.push(&block.indent);
                written.push(comment);
            }
        }
        written
    }

    /// How many blank lines are between two statements.
    fn blank_lines(&self, before: &Sorted, next: &Sorted) -> usize {
        let style = self.style;
        if style.rank(before.section) != style.rank(next.section) {
            return usize::from(!style.joined.contains(&next.section));
        }
        let has_comment = !next.statement.above.is_empty() && (style.is_rewriting || next.statement.begins_group);
        let is_other = before.statement.is_from != next.statement.is_from && !style.mixes_kinds;
        usize::from(has_comment).max(if is_other { style.lines_between_kinds } else { 0 })
    }
}

/// Adds the names and comments of a statement to another.
fn merge(one: &mut Statement, two: Statement) {
    one.is_changed |= one.text != two.text;
    one.above.extend(two.above);
    if one.text == two.text {
        let outside = two.inline.into_iter().take(two.outside).filter(|comment| !one.inline.contains(comment));
        let outside: Vec<String> = outside.collect();
        (one.outside, one.is_changed) = (one.outside + outside.len(), one.is_changed || two.is_changed);
        one.inline.splice(0..0, outside);
        return;
    }
    one.inline.extend(two.inline);
    one.alone.extend(two.alone);
    one.list.extend(two.list);
    one.tail.extend(two.tail);
    one.has_list |= two.has_list;
    one.layout.has_trailing_comma |= two.layout.has_trailing_comma;
    if !one.layout.is_wrapped {
        one.layout.is_wrapped = two.layout.is_wrapped;
        one.layout.is_grid = two.layout.is_grid;
        one.layout.indent = two.layout.indent;
    }
    one.layout.has_brackets |= two.layout.has_brackets;
}
