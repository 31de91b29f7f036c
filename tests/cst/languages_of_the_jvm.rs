//! Kotlin and Java in one project: each uses what the other defines, properties by their methods.

use serde_json::json;

use super::refactored::{check, refused};

const JAVA: &str = "package app;\npublic class Person {\n    private boolean active;\n    private String label = \"\";\n    public boolean isActive() { return active; }\n    public void setActive(boolean on) { this.active = on; }\n    public String getLabel() { return label; }\n    private int own() { return 1; }\n    public int use() { Team t = new Team(\"x\"); t.setTitle(\"y\"); return t.getTitle().length() + Team.create(\"q\").count() + TeamKt.helper(3) + own(); }\n}\n";
const KOTLIN: &str = "package app\nclass Team(var title: String) {\n    fun count() = title.length\n    private fun hidden() = 1\n    companion object { @JvmStatic fun create(text: String) = Team(text) }\n}\nfun helper(n: Int) = n + 1\nfun main() { val p = Person(); p.isActive = true; println(p.label) }\n";

#[test]
fn each_may_use_the_other() {
    let files = [("app/Person.java", JAVA), ("app/Team.kt", KOTLIN)];
    let kotlin = ["2:7", "2:16", "3:9", "5:39", "7:5"].map(|place| format!("app/Team.kt:{place}"));
    let java = ["5:20", "6:17", "7:19"].map(|place| format!("app/Person.java:{place}"));
    for symbol in kotlin.iter().chain(&java) {
        let (code, _) = refused(&files, &json!({"kind": "rename", "symbol": symbol, "to": "zq"}));
        assert_eq!(code, "undetermined", "{symbol}");
    }
}

#[test]
fn what_is_private_is_its_own() {
    let files = [("app/Person.java", JAVA), ("app/Team.kt", KOTLIN)];
    check(
        &files,
        &json!({"kind": "rename", "symbol": "app/Team.kt:4:17", "to": "zq"}),
        &[("app/Team.kt", &KOTLIN.replace("hidden", "zq"))],
    );
    check(
        &files,
        &json!({"kind": "rename", "symbol": "app/Person.java:8:17", "to": "zq"}),
        &[("app/Person.java", &JAVA.replace("own()", "zq()"))],
    );
    // Without Java code a property is a name like any other.
    let expected = KOTLIN.replace("title", "zq");
    check(
        &[files[1]],
        &json!({"kind": "rename", "symbol": "app/Team.kt:2:16", "to": "zq"}),
        &[("app/Team.kt", &expected)],
    );
}
