//! The server: a few threads that take requests, and the engine that answers them.

use std::io::{self, Read};
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, Scope};

use serde_json::{Value, json};
use tiny_http::{Header, Request, Response};

use super::guard::Guard;
use super::stream::Stream;
use super::{api, assets};
use crate::engine::{Commands, Engine, Host, Observer};
use crate::serve::message::{Call, Failure, Message};

/// How many requests are answered at once, beside streams.
const THREADS: usize = 8;
/// How many streams have a thread of their own: long questions leave the threads above to short ones.
const STREAMS: usize = 32;
/// The longest body of a refused request that is read to its end, in bytes.
const REFUSED_BODY: usize = 1 << 30;
/// The longest body of a request, in bytes.
const BODY: u64 = 4 << 20;
/// What the browser may load and do: nothing but the page's own files, and no script or style in the page itself. The editor's
/// styles carry the nonce.
const POLICY: &str = "default-src 'none'; script-src 'self'; connect-src 'self'; img-src 'self'; \
     style-src 'self' 'nonce-NONCE'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/// Where the page has the nonce.
const NONCE: &str = "NONCE";

/// How the page is served.
#[derive(Debug, Clone, Copy, Default)]
pub struct Settings {
    /// The port; any free one if it is 0.
    pub port: u16,
    /// Whether the page may change files.
    pub writes: bool,
}

/// A server that listens and does not answer yet.
pub struct Server {
    http: tiny_http::Server,
    guard: Guard,
    shared: Shared,
}

/// What the threads share.
struct Shared {
    engine: Engine,
    settings: Settings,
    host: Host,
    /// How many streams have a thread.
    streams: AtomicUsize,
}

/// The thread of a stream; it ends with it.
struct StreamThread<'a>(&'a AtomicUsize);

impl Drop for StreamThread<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Server {
    /// Listens on the loopback interface.
    ///
    /// # Errors
    /// When the port is taken, with the kind `AddrInUse`.
    pub fn new(host: Host, settings: Settings) -> io::Result<Server> {
        let listener = TcpListener::bind(("127.0.0.1", settings.port))?;
        let http = tiny_http::Server::from_listener(listener, None).map_err(io::Error::other)?;
        let port = http.server_addr().to_ip().map_or(settings.port, |address| address.port());
        let quiet: Arc<dyn Observer> = Arc::new(WritesOnly(Arc::clone(&host.observer)));
        let engine = Engine::new(with_observer(&host, quiet));
        Ok(Server {
            http,
            guard: Guard::new(port),
            shared: Shared { engine, settings, host, streams: AtomicUsize::new(0) },
        })
    }

    /// The page's address, with its token.
    pub fn url(&self) -> String {
        self.guard.url()
    }

    /// Answers until the process ends.
    ///
    /// # Errors
    /// When the connection is lost.
    pub fn run(self) -> io::Result<()> {
        let server = &self;
        thread::scope(|scope| {
            let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(move || server.take(scope))).collect();
            let taken = threads.into_iter().map(|thread| thread.join().unwrap_or(Ok(())));
            taken.fold(Ok(()), Result::and)
        })
    }

    fn take<'scope>(&'scope self, scope: &'scope Scope<'scope, '_>) -> io::Result<()> {
        loop {
            let request = self.http.recv()?;
            // Who is gone before the answer needs none.
            _ = self.respond(request, scope);
        }
    }

    fn respond<'scope>(&'scope self, mut request: Request, scope: &'scope Scope<'scope, '_>) -> io::Result<()> {
        let asked = match self.guard.admit(&request) {
            Ok(asked) => asked,
            Err(refusal) => return refuse(request, refusal.status()),
        };
        if *request.method() == tiny_http::Method::Get {
            return page(request, &asked);
        }
        let streams = match asked.as_str() {
            "rpc" => false,
            "stream" => true,
            _ => return refuse(request, 404),
        };
        let mut body = Vec::new();
        request.as_reader().take(BODY + 1).read_to_end(&mut body)?;
        if body.len() as u64 > BODY {
            return refuse(request, 413);
        }
        let call = match Message::read(&body) {
            Message::One(Ok(call)) => call,
            _ => return refuse(request, 400),
        };
        if !streams {
            return self.rpc(request, &call);
        }
        let running = self.shared.streams.fetch_add(1, Ordering::Relaxed);
        let thread = StreamThread(&self.shared.streams);
        if running >= STREAMS {
            return self.stream(request, &call);
        }
        scope.spawn(move || {
            let _thread = thread;
            _ = self.stream(request, &call);
        });
        Ok(())
    }

    fn rpc(&self, request: Request, call: &Call) -> io::Result<()> {
        let answer = answered(api::answer(call, &self.shared.engine, self.shared.settings.writes));
        let response = Response::from_string(answer.to_string());
        request.respond(with_headers(response, "application/json", ""))
    }

    /// Answers with lines as they come. The engine is one of its own, since its observer is. The head is written here, because
    /// `tiny_http` sends what it reads from a `Response` in chunks of 8 KiB, however long a line waits.
    fn stream(&self, request: Request, call: &Call) -> io::Result<()> {
        let mut head = String::from("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n");
        for (name, value) in headers("application/x-ndjson", "") {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        head.push_str("\r\n");
        let console = Arc::clone(&self.shared.host.observer);
        let stream = Arc::new(Stream::new(request.into_writer(), &head, console)?);
        let engine = Engine::new(with_observer(&self.shared.host, stream.clone()));
        let answer = answered(api::answer(call, &engine, self.shared.settings.writes));
        stream.end(&answer);
        Ok(())
    }
}

/// An answer as the page reads it.
fn answered(answer: Result<Value, Failure>) -> Value {
    match answer {
        Ok(result) => json!({"result": result}),
        Err(Failure { code, message, data }) => json!({"error": {"code": code, "message": message, "data": data}}),
    }
}

/// A file of the page.
fn page(request: Request, name: &str) -> io::Result<()> {
    let Some(asset) = assets::named(name) else { return refuse(request, 404) };
    let nonce = uuid::Uuid::new_v4().simple().to_string();
    let bytes = match name {
        "" => String::from_utf8_lossy(asset.bytes).replace(NONCE, &nonce).into_bytes(),
        _ => asset.bytes.to_vec(),
    };
    request.respond(with_headers(Response::from_data(bytes), asset.kind, &nonce))
}

/// Answers that a request is refused. `tiny_http` reads the rest of its body before it lets go of it, however slowly that comes, so
/// a thread of its own waits for one that has not come yet. That thread ends with the connection.
fn refuse(request: Request, status: u16) -> io::Result<()> {
    let response = with_headers(Response::from_string("").with_status_code(status), "text/plain", "");
    match request.body_length() {
        Some(1..=REFUSED_BODY) => {
            thread::Builder::new().name("refused".to_owned()).spawn(move || request.respond(response)).map(drop)
        }
        // It would make room for all of it at once. It is never let go of.
        Some(length) if length > REFUSED_BODY => {
            std::mem::forget(request.upgrade("none", response));
            Ok(())
        }
        _ => request.respond(response),
    }
}

/// The headers of each answer.
fn headers(kind: &str, nonce: &str) -> [(&'static str, String); 7] {
    [
        ("Content-Type", kind.to_owned()),
        ("Content-Security-Policy", POLICY.replace(NONCE, nonce)),
        ("X-Content-Type-Options", "nosniff".to_owned()),
        ("X-Frame-Options", "DENY".to_owned()),
        ("Referrer-Policy", "no-referrer".to_owned()),
        ("Cross-Origin-Resource-Policy", "same-origin".to_owned()),
        ("Cache-Control", "no-store".to_owned()),
    ]
}

fn with_headers<R: Read>(response: Response<R>, kind: &str, nonce: &str) -> Response<R> {
    headers(kind, nonce).into_iter().fold(response, |mut response, (name, value)| {
        if let Ok(header) = Header::from_bytes(name, value) {
            response.add_header(header);
        }
        response
    })
}

/// The same environment with another observer.
fn with_observer(host: &Host, observer: Arc<dyn Observer>) -> Host {
    Host {
        files: Arc::clone(&host.files),
        programs: Arc::clone(&host.programs),
        working_directory: host.working_directory.clone(),
        root: host.root.clone(),
        state: host.state.clone(),
        configuration: host.configuration.clone(),
        cache: host.cache.clone(),
        cache_limit: host.cache_limit,
        commands: Commands::Named,
        observer,
    }
}

/// Passes on what concerns writes, so that a signal waits for them; the page shows progress itself.
struct WritesOnly(Arc<dyn Observer>);

impl Observer for WritesOnly {
    fn note(&self, message: &str) {
        self.0.note(message);
    }

    fn begin_writing(&self) {
        self.0.begin_writing();
    }

    fn end_writing(&self) {
        self.0.end_writing();
    }

    fn is_interrupted(&self) -> bool {
        self.0.is_interrupted()
    }
}
