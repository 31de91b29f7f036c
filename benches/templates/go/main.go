// Reads texts as JSON strings, one a line, and prints what go/parser makes of each: a tree without parentheses and
// positions, or null.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"reflect"
	"strings"
)

func dump(out *strings.Builder, value reflect.Value) {
	switch value.Kind() {
	case reflect.Interface, reflect.Ptr:
		if value.IsNil() {
			out.WriteString("nil")
			return
		}
		if paren, ok := value.Interface().(*ast.ParenExpr); ok {
			dump(out, reflect.ValueOf(paren.X))
			return
		}
		dump(out, value.Elem())
	case reflect.Slice:
		out.WriteString("[")
		for at := 0; at < value.Len(); at++ {
			dump(out, value.Index(at))
			out.WriteString(" ")
		}
		out.WriteString("]")
	case reflect.Struct:
		out.WriteString(value.Type().Name() + "{")
		for at := 0; at < value.NumField(); at++ {
			field := value.Type().Field(at)
			switch field.Type {
			case reflect.TypeOf(token.NoPos), reflect.TypeOf((*ast.Object)(nil)), reflect.TypeOf((*ast.Scope)(nil)):
				continue
			}
			if field.Name == "Unresolved" || field.Name == "Comments" {
				continue
			}
			out.WriteString(field.Name + ":")
			dump(out, value.Field(at))
			out.WriteString(" ")
		}
		out.WriteString("}")
	default:
		fmt.Fprintf(out, "%v", value.Interface())
	}
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(make([]byte, 1<<20), 1<<24)
	for lines.Scan() {
		var text string
		if err := json.Unmarshal(lines.Bytes(), &text); err != nil {
			panic(err)
		}
		var tree *string
		if file, err := parser.ParseFile(token.NewFileSet(), "a.go", text, 0); err == nil {
			var out strings.Builder
			dump(&out, reflect.ValueOf(file))
			text := out.String()
			tree = &text
		}
		shown, _ := json.Marshal(tree)
		fmt.Println(string(shown))
	}
}
