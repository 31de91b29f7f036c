//! The page: one file each of HTML, CSS and JavaScript. The script is bundled from `page/src/`.

/// A file of the page.
pub(super) struct Asset {
    pub kind: &'static str,
    pub bytes: &'static [u8],
}

/// The file of a name.
pub(super) fn named(name: &str) -> Option<Asset> {
    let (kind, bytes): (_, &'static [u8]) = match name {
        "" => ("text/html; charset=utf-8", include_bytes!("page/index.html")),
        "page.js" => ("text/javascript; charset=utf-8", include_bytes!("page/page.js")),
        "page.css" => ("text/css; charset=utf-8", include_bytes!("page/page.css")),
        "icon.svg" => ("image/svg+xml", include_bytes!("page/icon.svg")),
        _ => return None,
    };
    Some(Asset { kind, bytes })
}
