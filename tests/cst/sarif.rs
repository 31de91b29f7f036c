//! SARIF 2.1.0: the parts that its schema and GitHub's code scanning demand, checked in every log that tests make.
//! `benches/rules/sarif.py` checks logs by the published schema.

use serde_json::Value;

use super::cli::Place;

fn list<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value[key].as_array().map_or(&[], Vec::as_slice)
}

#[track_caller]
fn check_region(region: &Value) {
    let number = |key: &str| region[key].as_u64().unwrap_or_else(|| panic!("{key} in {region}"));
    assert!(number("startLine") >= 1, "{region}");
    if region["endLine"].is_null() {
        return;
    }
    let (start, end) = ((number("startLine"), number("startColumn")), (number("endLine"), number("endColumn")));
    assert!(start.1 >= 1 && start <= end, "{region}");
}

#[track_caller]
fn check_place(place: &Value, bases: &Value) {
    let artifact = &place["physicalLocation"]["artifactLocation"];
    let uri = artifact["uri"].as_str().unwrap_or_else(|| panic!("{place}"));
    let is_plain = |letter: char| letter.is_ascii_graphic() && !"\"<>\\^`{|}".contains(letter);
    assert!(!uri.is_empty() && uri.chars().all(is_plain), "{uri}");
    match artifact["uriBaseId"].as_str() {
        Some(base) => assert!(bases[base].is_object() && !uri.starts_with('/'), "{artifact}"),
        None => assert!(uri.starts_with("file:///"), "{artifact}"),
    }
    let region = &place["physicalLocation"]["region"];
    if !region.is_null() {
        check_region(region);
    }
}

/// Checks a log.
#[track_caller]
pub(super) fn check(log: &Value) {
    assert_eq!(log["version"], "2.1.0");
    assert!(log["$schema"].as_str().is_some_and(|schema| schema.contains("sarif") && schema.contains("2.1.0")));
    let runs = list(log, "runs");
    assert_eq!(runs.len(), 1);
    let run = &runs[0];
    assert_eq!(run["columnKind"], "unicodeCodePoints");
    let bases = &run["originalUriBaseIds"];
    let driver = &run["tool"]["driver"];
    assert!(driver["name"] == "cst" && driver["version"].is_string());
    let rules = list(driver, "rules");
    for rule in rules {
        for key in ["shortDescription", "fullDescription", "help"] {
            assert!(rule[key]["text"].as_str().is_some_and(|text| !text.is_empty()), "{key} in {rule}");
        }
        assert!(rule["id"].is_string() && list(&rule["properties"], "tags").len() <= 20, "{rule}");
        assert!(
            ["none", "note", "warning", "error"]
                .contains(&rule["defaultConfiguration"]["level"].as_str().unwrap_or_default())
        );
    }
    for invocation in list(run, "invocations") {
        assert!(invocation["executionSuccessful"].is_boolean());
        for key in ["toolConfigurationNotifications", "toolExecutionNotifications"] {
            for notification in list(invocation, key) {
                assert!(notification["message"]["text"].is_string() && notification["level"].is_string());
                list(notification, "locations").iter().for_each(|place| check_place(place, bases));
            }
        }
    }
    for result in run["results"].as_array().expect("results are a list, if empty") {
        let rule = &rules[usize::try_from(result["ruleIndex"].as_u64().expect("a number")).expect("a number")];
        assert_eq!(rule["id"], result["ruleId"]);
        assert!(
            ["none", "note", "warning", "error"].contains(&result["level"].as_str().unwrap_or_default()),
            "{result}"
        );
        assert!(result["message"]["text"].as_str().is_some_and(|text| !text.is_empty()), "{result}");
        assert!(result["partialFingerprints"]["cst/v1"].as_str().is_some_and(|hash| !hash.is_empty()), "{result}");
        assert_eq!(list(result, "locations").len(), 1);
        check_place(&result["locations"][0], bases);
        for (number, related) in list(result, "relatedLocations").iter().enumerate() {
            assert_eq!(related["id"], number + 1);
            check_place(related, bases);
        }
        for suppression in list(result, "suppressions") {
            assert!(["inSource", "external"].contains(&suppression["kind"].as_str().unwrap_or_default()));
        }
        if !result["baselineState"].is_null() {
            assert!(["new", "unchanged"].contains(&result["baselineState"].as_str().unwrap_or_default()));
        }
        for fix in list(result, "fixes") {
            assert!(fix["description"]["text"].is_string());
            for change in list(fix, "artifactChanges") {
                check_place(&serde_json::json!({"physicalLocation": change}), bases);
                let replacements = list(change, "replacements");
                assert!(!replacements.is_empty(), "{change}");
                for replacement in replacements {
                    check_region(&replacement["deletedRegion"]);
                    assert!(replacement["insertedContent"]["text"].is_string(), "{replacement}");
                }
            }
        }
    }
}

const RULES: &str = "id: call\nlanguage: python\nseverity: warning\nmessage: calls $A\nrule: { pattern: f($A) }\nfix: g($A)\nlabels: { A: { style: primary, message: this } }\n---\nid: wrong\nlanguage: python\nrule: { kind: nosuch }\n";

/// Findings that are new, known, silenced and fixed, with labels; a rule that is wrong, and a file that cannot be read.
fn project() -> Place {
    let place = Place::new();
    place.write("r.yml", RULES);
    place.write("a b#é.py", "f(1)\n");
    place.run(&["scan", "--rules", "r.yml", "--baseline", "known.json", "--write-baseline"]).expect(2);
    place.write("a b#é.py", "f(1)\nf(2)  # cst-ignore: call -- wanted\né = [f('é'), f(\n    3)]\n");
    std::fs::write(place.path("bad.py"), b"f(\xff)\n").expect("it is written");
    place
}

#[test]
fn a_log_has_what_the_schema_demands() {
    let place = project();
    let log =
        place.run(&["scan", "--rules", "r.yml", "--baseline", "known.json", "--format", "sarif"]).expect(2).json();
    check(&log);
    let run = &log["runs"][0];
    assert_eq!(run["invocations"][0]["executionSuccessful"], false);
    let configuration = &run["invocations"][0]["toolConfigurationNotifications"][0];
    assert_eq!(configuration["locations"][0]["physicalLocation"]["region"]["startLine"], 11, "{configuration}");
    let execution = &run["invocations"][0]["toolExecutionNotifications"][0];
    assert_eq!(execution["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "bad.py");
    let results = list(run, "results");
    let uri = &results[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
    assert_eq!(uri, "a%20b%23%C3%A9.py");
    let states: Vec<(&str, &str)> = results
        .iter()
        .map(|result| {
            let kind = result["suppressions"][0]["kind"].as_str().unwrap_or_default();
            (result["baselineState"].as_str().unwrap_or_default(), kind)
        })
        .collect();
    assert_eq!(states, [("unchanged", "external"), ("new", "inSource"), ("new", ""), ("new", "")]);
    // Columns are code points.
    let third = &results[2];
    assert_eq!(third["locations"][0]["physicalLocation"]["region"]["startColumn"], 6);
    assert_eq!(third["relatedLocations"][0]["message"]["text"], "this");
    assert_eq!(third["fixes"][0]["artifactChanges"][0]["replacements"][0]["insertedContent"]["text"], "g");
    // A path from elsewhere is absolute.
    let absolute = place.path("a b#é.py");
    let absolute = absolute.to_str().expect("a path");
    let log = place.run(&["scan", "--select", "call", absolute, "--format", "sarif"]).json();
    check(&log);
    let empty = place.run(&["scan", "--select", "call#nobody", "--format", "sarif"]).json();
    check(&empty);
}

/// Columns of reviewdog are bytes; those of others, characters.
#[test]
fn columns_are_counted_as_each_reader_does() {
    let place = project();
    let row = |form: &str| place.run(&["scan", "--rules", "r.yml", "--format", form]).expect(2).json();
    let third = row("rdjson")["diagnostics"][1].clone();
    assert_eq!(third["location"]["range"]["start"], serde_json::json!({"line": 3, "column": 7}));
    assert_eq!(third["location"]["range"]["end"], serde_json::json!({"line": 3, "column": 14}));
    assert_eq!(third["suggestions"][0]["range"]["end"], serde_json::json!({"line": 3, "column": 8}));
    assert_eq!(third["location"]["path"], "a b#é.py");
    assert_eq!(third["severity"], "WARNING");
    let third = row("json")["findings"][2].clone();
    assert_eq!((third["start_col"].as_u64(), third["byte_columns"].is_null()), (Some(6), true));
}

#[test]
fn github_gets_no_columns_of_several_lines_and_no_signs_of_its_own() {
    let place = Place::new();
    place.write("r.toml", "[[rule]]\nid = \"r\"\nlanguages = [\"python\"]\nmessage = \"50 % of\\n$X: a, b\"\nselect = ':like(\"f($X)\")'\n");
    place.write("a,b:c%.py", "f(\n    1)\nf(2)\n");
    let run = place.run(&["scan", "--rules", "r.toml", "--format", "github"]).expect(0).stdout;
    let lines: Vec<&str> = run.lines().collect();
    let name = "a%2Cb%3Ac%25.py";
    assert!(lines[0].starts_with(&format!("::warning file={name},line=1,endLine=2,title=")), "{run}");
    assert!(lines[1].starts_with(&format!("::warning file={name},line=3,col=1,endLine=3,endColumn=5,title=")), "{run}");
    assert!(lines[1].ends_with("::50 %25 of … 2: a, b"), "{run}");
}

#[test]
fn each_fingerprint_of_gitlab_is_for_one_finding() {
    let place = Place::new();
    place.write("a.py", "f(1); f(1)\nf(1)\n");
    let fingerprints = |place: &Place| -> Vec<String> {
        let rows = place.run(&["scan", "--select", "call#f", "--format", "gitlab"]).json();
        let rows = rows.as_array().expect("a list").clone();
        for row in &rows {
            assert!(row["description"].is_string() && row["check_name"].is_string(), "{row}");
            assert!(
                ["info", "minor", "major", "critical", "blocker"]
                    .contains(&row["severity"].as_str().unwrap_or_default())
            );
            assert!(row["location"]["lines"]["begin"].as_u64() >= Some(1) && row["location"]["path"] == "a.py");
        }
        rows.iter().map(|row| row["fingerprint"].as_str().unwrap_or_default().to_owned()).collect()
    };
    let before = fingerprints(&place);
    let mut different = before.clone();
    different.sort();
    different.dedup();
    assert_eq!(different.len(), 3, "{before:?}");
    place.write("a.py", "\n\n\nf(1); f(1)\nf(1)\n");
    assert_eq!(fingerprints(&place), before, "they may move");
}

/// Code and names with every control character, and letters that XML gives a meaning to.
#[test]
fn xml_is_well_formed_whatever_is_in_the_code() {
    let letters: String =
        (1..0x20).chain(0x7f..0xa0).chain([0xfffe, 0xffff, 0x1f600]).filter_map(char::from_u32).collect();
    let letters = letters.replace(['\n', '\r'], "");
    let place = Place::new();
    place.write("a<&>\"'\u{1}.py", &format!("f('<&>]]>\"{letters}')\n"));
    for form in ["junit", "checkstyle"] {
        let xml = place
            .run(&["scan", "--select", ":like(\"f($X)\")", "--message", "$X <&> ]]>", "--format", form])
            .expect(0)
            .stdout;
        let is_allowed = |letter: char| matches!(letter, '\t' | '\n' | '\r' | '\u{20}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..);
        assert!(xml.chars().all(is_allowed), "{form}: {xml:?}");
        let mut reader = quick_xml::Reader::from_str(&xml);
        reader.config_mut().check_end_names = true;
        let (mut elements, mut said) = (0, String::new());
        loop {
            match reader.read_event().unwrap_or_else(|error| panic!("{form}: {error}: {xml}")) {
                quick_xml::events::Event::Eof => break,
                quick_xml::events::Event::Start(element) | quick_xml::events::Event::Empty(element) => {
                    elements += 1;
                    for attribute in element.attributes() {
                        let attribute = attribute.unwrap_or_else(|error| panic!("{form}: {error}"));
                        let value = attribute
                            .normalized_value(quick_xml::XmlVersion::Implicit1_0)
                            .unwrap_or_else(|error| panic!("{form}: {error}"));
                        if attribute.key.as_ref() == b"message" {
                            said = value.into_owned();
                        }
                    }
                }
                _ => {}
            }
        }
        assert!(elements >= 3 && said.starts_with("'<&>]]>\""), "{form}: {said}");
    }
}
