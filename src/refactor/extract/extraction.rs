//! An extraction before it is made: the code, where the new function goes, its parameters and its results.

use crate::flow::{Flow, Region, Variable};
use crate::language::CodeRule;
use crate::tree::Node;

/// The parameters and the results of the new function.
pub(super) struct Signature {
    pub(super) parameters: Vec<Variable>,
    pub(super) results: Vec<Variable>,
    /// The call is what the code around returns.
    pub(super) returns: bool,
    pub(super) is_async: bool,
}

/// Where the new function goes.
pub(super) struct Home {
    /// The outermost function or class around the code.
    pub(super) outermost: Option<Node>,
    /// The method whose object the code uses.
    pub(super) method: Option<Method>,
}

pub(super) struct Method {
    pub(super) node: Node,
    pub(super) class: Node,
    /// The name of the object, if it is a parameter.
    pub(super) own: Option<String>,
    pub(super) is_static: bool,
    /// The decorator that makes it a method of the class.
    pub(super) decorator: Option<String>,
}

/// An extraction with all that is known before it is made.
pub(super) struct Extraction<'a, 't> {
    pub(super) flow: &'a Flow<'t>,
    pub(super) region: Region,
    pub(super) home: &'a Home,
    pub(super) signature: &'a Signature,
    pub(super) name: &'a str,
}

impl Extraction<'_, '_> {
    pub(super) fn code(&self) -> &'static CodeRule {
        &self.flow.rules.code
    }
}
