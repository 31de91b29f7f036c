// Prints the complexity of functions by the rules of gocyclo: 1, and 1 for each if, for, range, case, communication
// and each && and ||; functions inside a function belong to it. The paths of files are read from standard input.
package main

import (
	"bufio"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
)

type row struct {
	Path       string `json:"path"`
	Name       string `json:"name"`
	Line       int    `json:"line"`
	Complexity int    `json:"complexity"`
}

func main() {
	out := json.NewEncoder(os.Stdout)
	paths := bufio.NewScanner(os.Stdin)
	for paths.Scan() {
		path := paths.Text()
		files := token.NewFileSet()
		parsed, err := parser.ParseFile(files, path, nil, 0)
		if err != nil {
			continue
		}
		for _, declaration := range parsed.Decls {
			function, ok := declaration.(*ast.FuncDecl)
			if !ok {
				continue
			}
			count := 1
			ast.Inspect(function, func(node ast.Node) bool {
				switch node := node.(type) {
				case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt:
					count++
				case *ast.CaseClause:
					if node.List != nil {
						count++
					}
				case *ast.CommClause:
					if node.Comm != nil {
						count++
					}
				case *ast.BinaryExpr:
					if node.Op == token.LAND || node.Op == token.LOR {
						count++
					}
				}
				return true
			})
			line := files.Position(function.Pos()).Line
			out.Encode(row{path, function.Name.Name, line, count})
		}
	}
}
