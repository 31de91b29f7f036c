//! The page of `cst ui`: HTTP on the loopback interface, for the browser of the user who started it.
//!
//! `guard` decides whether a request may be answered, before anything else looks at it. `assets` has the page. `api` answers the
//! page's questions: requests of the engine by name, of which only some are allowed, and long ones as a stream of lines. The page's
//! source is in `page/`, and its bundle beside it.

mod api;
mod assets;
mod guard;
mod server;
mod stream;

pub use server::{Server, Settings};
