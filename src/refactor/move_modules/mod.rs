//! `move-file` of a module that another file declares (`mod a;`): the declaration, all paths and what has to be visible go with it.

mod certain;
mod declaration;
mod includes;
mod macros;
mod moving;
mod own_paths;
pub(crate) mod plan;
mod route;
mod users;
mod visible;
