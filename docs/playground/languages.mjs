// The languages of the playground: the folder in selectors/, the name that people read, the package of the grammar, and where in it
// the grammar is if it has several.

/** @typedef {{ name: string, label: string, package: string, folder?: string, symbol?: string }} Language */

/** @type {Language[]} */
export const LANGUAGES = [
  { name: "python", label: "Python", package: "tree-sitter-python" },
  { name: "javascript", label: "JavaScript", package: "tree-sitter-javascript" },
  { name: "typescript", label: "TypeScript", package: "tree-sitter-typescript", folder: "typescript" },
  { name: "tsx", label: "TSX", package: "tree-sitter-typescript", folder: "tsx" },
  { name: "rust", label: "Rust", package: "tree-sitter-rust" },
  { name: "go", label: "Go", package: "tree-sitter-go" },
  { name: "java", label: "Java", package: "tree-sitter-java" },
  { name: "c", label: "C", package: "tree-sitter-c" },
  { name: "cpp", label: "C++", package: "tree-sitter-cpp" },
  { name: "csharp", label: "C#", package: "tree-sitter-c-sharp", symbol: "tree_sitter_c_sharp" },
  { name: "php", label: "PHP", package: "tree-sitter-php", folder: "php" },
  { name: "ruby", label: "Ruby", package: "tree-sitter-ruby" },
  { name: "kotlin", label: "Kotlin", package: "tree-sitter-kotlin-ng" },
  { name: "swift", label: "Swift", package: "tree-sitter-swift" },
  { name: "scala", label: "Scala", package: "tree-sitter-scala" },
  { name: "bash", label: "Bash", package: "tree-sitter-bash" },
  { name: "lua", label: "Lua", package: "tree-sitter-lua" },
  { name: "html", label: "HTML", package: "tree-sitter-html" },
  { name: "css", label: "CSS", package: "tree-sitter-css" },
  { name: "json", label: "JSON", package: "tree-sitter-json" },
  { name: "yaml", label: "YAML", package: "tree-sitter-yaml" },
  { name: "toml", label: "TOML", package: "tree-sitter-toml-ng" },
];
