//! Which requests may be answered: those with the token, from the page itself, to the address that is served.
//!
//! Other pages in the user's browser can send requests to this address, too. They do not know the token. A name that an attacker
//! binds to the loopback address is refused by `Host`, and a page of another origin by `Origin`. No header allows other origins, and
//! a body must be JSON, which a page of another origin cannot send without asking first.

use tiny_http::{Header, Method, Request};

/// What may be asked, and how.
pub(super) struct Guard {
    token: String,
    /// The hosts by which the page is reached: `127.0.0.1:PORT` and `localhost:PORT`.
    hosts: [String; 2],
}

/// Why a request is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refusal {
    /// It has no token or a wrong one, or comes from elsewhere.
    Forbidden,
    /// The method is neither GET nor POST.
    WrongMethod,
    /// The body is not said to be JSON.
    NotJson,
}

impl Refusal {
    /// Its status in HTTP.
    pub fn status(self) -> u16 {
        match self {
            Refusal::Forbidden => 403,
            Refusal::WrongMethod => 405,
            Refusal::NotJson => 415,
        }
    }
}

impl Guard {
    /// A guard of a port, with a token that nobody can guess.
    pub fn new(port: u16) -> Guard {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).expect("the system has random bytes");
        let token = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        Guard { token, hosts: [format!("127.0.0.1:{port}"), format!("localhost:{port}")] }
    }

    /// The address of the page.
    pub fn url(&self) -> String {
        format!("http://{}/{}/", self.hosts[0], self.token)
    }

    /// What a request asks for: the rest of its path after the token.
    pub fn admit(&self, request: &Request) -> Result<String, Refusal> {
        let path = request.url().split(['?', '#']).next().unwrap_or_default();
        let (token, rest) = path.strip_prefix('/').and_then(|path| path.split_once('/')).unwrap_or(("", ""));
        let has_token = is_same(token.as_bytes(), self.token.as_bytes());
        let host = only(request, "Host").unwrap_or_default();
        let is_here = self.hosts.iter().any(|known| *known == host);
        let is_post = *request.method() == Method::Post;
        let is_own = |origin: &str| origin.strip_prefix("http://").is_some_and(|origin| origin == host);
        // A browser sends it with each POST; a GET of the page itself has none.
        let from_here = match values(request, "Origin").count() {
            0 => !is_post,
            _ => only(request, "Origin").is_some_and(is_own),
        };
        let site = only(request, "Sec-Fetch-Site").unwrap_or("none");
        if !(has_token && is_here && from_here && ["none", "same-origin"].contains(&site)) {
            return Err(Refusal::Forbidden);
        }
        if !is_post && *request.method() != Method::Get {
            return Err(Refusal::WrongMethod);
        }
        let is_json = |kind: &str| kind.split(';').next().is_some_and(|kind| kind.trim() == "application/json");
        if is_post && !only(request, "Content-Type").is_some_and(is_json) {
            return Err(Refusal::NotJson);
        }
        Ok(rest.to_owned())
    }
}

/// The values of a header.
fn values<'a>(request: &'a Request, name: &'static str) -> impl Iterator<Item = &'a str> {
    let is_named = move |header: &&Header| header.field.equiv(name);
    request.headers().iter().filter(is_named).map(|header| header.value.as_str())
}

/// The value of a header that is there once.
fn only<'a>(request: &'a Request, name: &'static str) -> Option<&'a str> {
    let mut values = values(request, name);
    values.next().filter(|_| values.next().is_none())
}

/// Whether texts are the same, in a time that does not depend on where they differ.
fn is_same(given: &[u8], known: &[u8]) -> bool {
    let differences = given.iter().zip(known).fold(0, |all, (given, known)| all | (given ^ known));
    std::hint::black_box(differences) == 0 && given.len() == known.len()
}
