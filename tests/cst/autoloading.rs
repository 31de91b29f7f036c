//! Classes whose files a loader finds by their names: the file of a renamed class gets its new name, or the rename is refused.

use serde_json::{Value, json};

use crate::refactored::{check, refused};

fn rename(symbol: &str, to: &str) -> Value {
    json!({"kind": "rename", "symbol": symbol, "to": to})
}

const LOADER: &str = "<?php\nspl_autoload_register(function ($c) { require __DIR__ . '/' . strtolower(str_replace('\\\\', '/', $c)) . '.php'; });\necho (new App\\Server())->run(), (new App\\Other_Box())->run();\n";

const SERVER: &str = "<?php\nnamespace App;\nclass Server { function run() { return 1; } }\nclass Part { }\n";

#[test]
fn a_file_that_a_loader_finds_has_the_name_of_its_class() {
    let files = [("main.php", LOADER), ("app/server.php", SERVER)];
    check(
        &files,
        &rename("Server", "Client"),
        &[("app/client.php", &SERVER.replace("Server", "Client")), ("main.php", &LOADER.replace("Server", "Client"))],
    );
    // A class beside it is not found so.
    check(&files, &rename("Part", "Piece"), &[("app/server.php", &SERVER.replace("Part", "Piece"))]);
    // Nor is one where nothing finds files by the names of classes.
    let plain = "<?php\nrequire 'app/server.php';\necho (new App\\Server())->run();\n";
    check(
        &[("main.php", plain), ("app/server.php", SERVER)],
        &rename("Server", "Client"),
        &[("app/server.php", &SERVER.replace("Server", "Client")), ("main.php", &plain.replace("Server", "Client"))],
    );
}

#[test]
fn a_manifest_may_name_the_loader() {
    let main = "<?php\nrequire 'vendor/autoload.php';\necho (new App\\Server())->run();\n";
    check(
        &[
            ("composer.json", "{\"autoload\": {\"psr-4\": {\"App\\\\\": \"src/\"}}}\n"),
            ("main.php", main),
            ("src/Server.php", SERVER),
        ],
        &rename("Server", "Client"),
        &[("main.php", &main.replace("Server", "Client")), ("src/Client.php", &SERVER.replace("Server", "Client"))],
    );
    let server = "class Server\n  def run = 1\nend\n";
    let page = "puts Server.new.run\n";
    check(
        &[
            ("config/application.rb", "class Shop < Rails::Application\nend\n"),
            ("app/models/server.rb", server),
            ("app/pages/page.rb", page),
        ],
        &rename("Server", "HomeClient"),
        &[
            ("app/models/home_client.rb", &server.replace("Server", "HomeClient")),
            ("app/pages/page.rb", &page.replace("Server", "HomeClient")),
        ],
    );
}

#[test]
fn a_file_that_cannot_get_the_name_is_a_doubt() {
    let why = |files: &[(&str, &str)], symbol: &str| refused(files, &rename(symbol, "New")).1;
    let other = "<?php\nnamespace App;\nclass Other_Box { function run() { return 1; } }\n";
    let places = why(&[("main.php", LOADER), ("app/other/box.php", other)], "Other_Box");
    assert_eq!(places, ["app/other/box.php:3 a loader may find the class by the name of its file"]);
    let places = why(&[("main.php", LOADER), ("app/class-other-box.php", other)], "Other_Box");
    assert_eq!(places, ["app/class-other-box.php:3 a loader may find the class by the name of its file"]);
    let named = format!("{SERVER}require 'app/server.php';\n");
    let places = why(
        &[
            ("main.php", LOADER),
            ("app/server.php", SERVER),
            ("b.php", &named.replace("class", "final class").replace("Server {", "Away {")),
        ],
        "Server",
    );
    assert_eq!(places, ["b.php:5 a path to the file, which gets another name"]);
    let code = format!("{SERVER}echo 1;\n");
    let places = why(&[("main.php", LOADER), ("app/server.php", &code)], "Server");
    assert_eq!(places, ["app/server.php:3 a loader may find the class by the name of its file, which has other code"]);
}
