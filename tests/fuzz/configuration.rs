//! Any bytes as the files that configure a project and as a refactor script: they are used, or refused with an error.

use arbitrary::{Arbitrary, Result, Unstructured};

use crate::messages::{answers, project};

/// The files.
#[derive(Debug)]
pub struct Input {
    configuration: Option<String>,
    selectors: Option<String>,
    script: String,
}

impl<'a> Arbitrary<'a> for Input {
    fn arbitrary(data: &mut Unstructured<'a>) -> Result<Input> {
        let (configuration, selectors, script) = data.arbitrary()?;
        Ok(Input { configuration, selectors, script })
    }

    fn arbitrary_take_rest(data: Unstructured<'a>) -> Result<Input> {
        let (configuration, selectors, script) = Arbitrary::arbitrary_take_rest(data)?;
        Ok(Input { configuration, selectors, script })
    }
}

/// Asks what reads each of them.
pub fn check(input: Input) {
    let bytes = |text: &Option<String>| text.clone().map(String::into_bytes);
    let host = project(bytes(&input.configuration).as_deref(), bytes(&input.selectors).as_deref());
    let requests = [
        ("find", serde_json::json!({ "selector": "function:own", "targets": ["a.py"] })),
        ("modify", serde_json::json!({ "target": "a.py", "operations": [{ "op": "delete", "target": "call" }] })),
        ("run", serde_json::json!({ "script": { "text": input.script }, "targets": ["."] })),
    ];
    let lines = requests.iter().enumerate().map(|(id, (method, params))| {
        format!("{}\n", serde_json::json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }))
    });
    let answers = answers(host, lines.collect::<String>().as_bytes());
    assert_eq!(answers.len(), requests.len());
    for answer in answers {
        // -32603 is an internal error: a panic.
        assert_ne!(answer["error"]["code"], -32603, "{answer}");
    }
}
