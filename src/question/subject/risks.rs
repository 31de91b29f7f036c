//! Users of a symbol that know it by its name, said at the places of its definitions.

use super::doubt::Doubt;
use super::family::Subject;
use crate::modules::FileId;
use crate::request::error::PlaceRow;
use crate::risks::{NameRisk, Risk};
use crate::symbols::{Resolver, Site};
use crate::text::Span;
use crate::workspace::files::Workspace;

impl Workspace<'_> {
    /// The users of a symbol that may know it by its old name, or the new one, at the places of its definitions.
    pub(crate) fn risk_rows(&self, subject: &Subject, to: &str) -> Vec<PlaceRow> {
        let risks = self.risks_of(subject, Some(to)).into_iter();
        risks.map(|(site, start, risk)| self.place_row(site.file, start, reason(risk, to))).collect()
    }

    /// The same, whatever its new name is.
    pub(super) fn risk_doubts(&self, subject: &Subject) -> Vec<Doubt> {
        let risks =
            self.risks_of(subject, None).into_iter().map(|(site, start, risk)| (site.file, start, reason(risk, "")));
        let rules = self.resolve(|resolver| {
            let of_site = subject.family.iter().flat_map(|&site| {
                let start = resolver.tree(site.file).map_or(0, |tree| tree.span(site.name).start());
                resolver
                    .name_risks(site, &subject.old)
                    .into_iter()
                    .map(move |risk| (site.file, start, rule_reason(risk, "")))
            });
            of_site.collect::<Vec<_>>()
        });
        let doubt = |(file, start, why): (FileId, usize, String)| Doubt {
            file,
            span: Span::new(start, start),
            row: self.place_row(file, start, why),
            is_remark: false,
        };
        risks.chain(rules).map(doubt).collect()
    }

    /// The risks of a new name, or of any.
    fn risks_of(&self, subject: &Subject, to: Option<&str>) -> Vec<(Site, usize, Risk)> {
        let is_seen = self.escape(subject).is_ok_and(|escape| escape.is_closed);
        let is_given = || {
            let given = |resolver: &Resolver<'_>| subject.classes.iter().any(|&class| resolver.is_given_outside(class));
            !is_seen && self.resolve(given)
        };
        self.resolve(|resolver| {
            let mut risks = Vec::new();
            for &site in &subject.family {
                let start = resolver.tree(site.file).map_or(0, |tree| tree.span(site.name).start());
                let of = resolver.function_of_parameter(site).unwrap_or(site);
                if of != site && resolver.is_defined_in_error(site) {
                    risks.push((site, start, Risk::Broken));
                }
                let is_new = |to: &&str| *to != subject.old && resolver.would_be_called(site, to) && is_given();
                if let Some(to) = to.filter(is_new) {
                    risks.push((site, start, Risk::OfAll(to.to_owned())));
                }
                for risk in resolver.risks(of, to.unwrap_or(&subject.old)) {
                    let counts = match &risk {
                        Risk::Name(why) if of == site => {
                            !to.is_some_and(|to| resolver.has_meaning(site.file, to, why))
                                && (!resolver.is_of_given_objects(site.file, why) || is_given())
                        }
                        // Tools call some functions with arguments by the names of their parameters.
                        Risk::Name(why) => resolver.names_parameters(site.file, why),
                        // The file is renamed, too.
                        Risk::File => false,
                        Risk::Object => of == site && !is_seen,
                        Risk::Taken(_) | Risk::OfAll(_) | Risk::Twin | Risk::Listed | Risk::Named(_) => of == site,
                        // Callers of a method name its parameters, too.
                        Risk::Hidden => true,
                        Risk::Double => true,
                        Risk::Broken => of == site,
                        Risk::Handled { keeps, .. } => *keeps && of != site,
                        // Where arguments have no names, nothing outside knows those of parameters.
                        Risk::Declared | Risk::Base(_) | Risk::Theirs(_) => {
                            of == site || !resolver.has_unnamed_arguments(site.file) && resolver.may_be_named(of, site)
                        }
                        Risk::Decorator(_) => true,
                    };
                    if counts {
                        risks.push((site, start, risk));
                    }
                }
            }
            risks
        })
    }
}

/// Why a risk is one.
fn reason(risk: Risk, to: &str) -> String {
    match risk {
        Risk::Decorator(word) | Risk::Handled { decorator: word, .. } => {
            format!("the decorator `{word}` may use the name")
        }
        Risk::Name(what) => format!("the name has a special meaning: {what}"),
        Risk::Taken(base) => {
            format!("the base `{base}` outside of the project has or may have a member `{to}`")
        }
        Risk::Listed => format!("a list of the members of its class has `{to}`"),
        Risk::Named(class) => format!("its value learns its name: `{class}` asks for it"),
        Risk::OfAll(name) => format!("every object has a member `{name}`, or it is called by that name"),
        Risk::Hidden => format!("`{to}` is hidden from other classes"),
        Risk::Double => "it is a parameter and a member at once".to_owned(),
        Risk::Twin => "the class has another member of this name".to_owned(),
        Risk::Object => "a member of an object literal may be used through a type".to_owned(),
        Risk::Broken => "it is defined in code with a syntax error".to_owned(),
        Risk::Declared => "it declares something that is defined outside of the project".to_owned(),
        Risk::File => "the file has to have the name of this class".to_owned(),
        Risk::Theirs(base) => format!("it is what `{base}` outside of the project demands"),
        Risk::Base(base) => format!("the base `{base}` outside of the project may have or use this member"),
    }
}

/// Why a rule of the language is a risk.
pub(crate) fn rule_reason(risk: NameRisk, to: &str) -> String {
    match risk {
        NameRisk::Runs(what) => format!("`{to}` has a special meaning: {what}"),
        NameRisk::Reader(word) => format!("`{word}` may read the variables of the function by their names"),
        NameRisk::Component => {
            "it is a component and a parameter of a constructor, which have to have one name".to_owned()
        }
        NameRisk::Library => format!("the standard library has `{to}`"),
        NameRisk::OfItsClass => format!("a member of a class cannot have its name, `{to}`"),
        NameRisk::Accessor(other) => format!("a property has a method that `{to}` or `{other}` would clash with"),
        NameRisk::Asked => "code in it asks for its name".to_owned(),
        NameRisk::Primitive => format!("the language has a type `{to}`, which it would hide"),
        NameRisk::Hidden => format!("its tag names it for other code, which cannot see `{to}`"),
    }
}
