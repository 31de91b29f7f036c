//! Any bytes as messages of JSON-RPC and MCP, to a project in memory: each server answers until the end of input, with one JSON
//! value a line.

use std::io::{self, Cursor, Write};
use std::sync::{Arc, Mutex, PoisonError};

use cst::engine::{Memory, Host};
use cst::serve::{self, Answers, Framing};

/// What is written, for who asks later.
#[derive(Clone, Default)]
struct Sink(Arc<Mutex<Vec<u8>>>);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A project of a few files, one of them broken.
pub fn project(configuration: Option<&[u8]>, selectors: Option<&[u8]>) -> Host {
    let files = Memory::default();
    files.write("/p/a.py", "class A:\n    def get(self, key):\n        return self.data[key]\n\n\nprint(A())\n");
    files.write("/p/b.js", "const f = (x) => ({ x });\nexport { f };\n");
    files.write("/p/broken.py", "def f(:\n    pass\n");
    if let Some(configuration) = configuration {
        files.write("/p/.cst/config.toml", configuration);
    }
    if let Some(selectors) = selectors {
        files.write("/p/.cst/selectors/python.sel", selectors);
    }
    Host { files: Arc::new(files), ..Host::at("/p") }
}

/// The answers to lines of JSON-RPC.
pub fn answers(host: Host, input: &[u8]) -> Vec<serde_json::Value> {
    let output = Sink::default();
    serve::rpc(host, Framing::Lines, Cursor::new(input.to_vec()), output.clone()).expect("lines are answered");
    each_line(&output)
}

/// Sends messages to both servers and looks at the answers.
pub fn check(input: &[u8]) {
    for framing in [Framing::Lines, Framing::Headers] {
        let output = Sink::default();
        // Headers that are none end the connection with an error.
        let ended = serve::rpc(project(None, None), framing, Cursor::new(input.to_vec()), output.clone());
        if matches!(framing, Framing::Lines) {
            ended.expect("a line that is no message is answered");
            each_line(&output);
        }
    }
    let output = Sink::default();
    serve::mcp(project(None, None), Answers::default(), Cursor::new(input.to_vec()), output.clone())
        .expect("a line that is no message is answered");
    each_line(&output);
}

fn each_line(output: &Sink) -> Vec<serde_json::Value> {
    let bytes = output.0.lock().unwrap_or_else(PoisonError::into_inner);
    let lines = bytes.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
    let answers = lines.map(|line| serde_json::from_slice(line).expect("an answer is JSON"));
    answers.inspect(|answer: &serde_json::Value| assert!(answer.is_object() || answer.is_array())).collect()
}
