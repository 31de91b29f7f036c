// Writes what the names of a Go module mean, by go/types: one JSON line for each use of something that the module defines.
//
//	go run uses.go FOLDER > uses.jsonl
package main

import (
	"encoding/json"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

type place struct {
	Path string `json:"path"`
	Line int    `json:"line"`
	Col  int    `json:"col"`
}

type use struct {
	place
	Word string  `json:"word"`
	To   []place `json:"to"`
}

var (
	set      = token.NewFileSet()
	root     string
	module   string
	standard = importer.ForCompiler(set, "source", nil)
	packages = map[string]*types.Package{}
	output   = json.NewEncoder(os.Stdout)
)

type modules struct{}

func (modules) Import(path string) (*types.Package, error) {
	if found, ok := packages[path]; ok {
		return found, nil
	}
	if path == module || strings.HasPrefix(path, module+"/") {
		folder := filepath.Join(root, strings.TrimPrefix(strings.TrimPrefix(path, module), "/"))
		return check(folder, path, false), nil
	}
	if first, _, _ := strings.Cut(path, "/"); strings.Contains(first, ".") {
		parts := strings.Split(path, "/")
		fake := types.NewPackage(path, parts[len(parts)-1])
		fake.MarkComplete()
		packages[path] = fake
		return fake, nil
	}
	return standard.Import(path)
}

func check(folder, path string, tests bool) *types.Package {
	found, _ := build.Default.ImportDir(folder, 0)
	if found == nil {
		return types.NewPackage(path, filepath.Base(path))
	}
	var result *types.Package
	groups := [][]string{found.GoFiles}
	if tests {
		groups = [][]string{append(append([]string{}, found.GoFiles...), found.TestGoFiles...), found.XTestGoFiles}
	}
	for number, names := range groups {
		var files []*ast.File
		for _, name := range names {
			file, _ := parser.ParseFile(set, filepath.Join(folder, name), nil, parser.SkipObjectResolution)
			if file != nil {
				files = append(files, file)
			}
		}
		info := &types.Info{Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}
		config := types.Config{Importer: modules{}, Error: func(error) {}, FakeImportC: true}
		name := path
		if number == 1 {
			name += "_test"
		}
		checked, _ := config.Check(name, set, files, info)
		if number == 0 {
			result = checked
			if !tests {
				packages[path] = checked
			}
		}
		if tests {
			write(info)
		}
	}
	return result
}

func at(pos token.Pos) (place, bool) {
	position := set.Position(pos)
	path, err := filepath.Rel(root, position.Filename)
	return place{path, position.Line, position.Column}, err == nil && !strings.HasPrefix(path, "..")
}

func write(info *types.Info) {
	for ident, object := range info.Uses {
		from, ok := at(ident.Pos())
		if !ok || object == nil || !object.Pos().IsValid() {
			continue
		}
		if _, isPackage := object.(*types.PkgName); isPackage {
			continue
		}
		switch generic := object.(type) {
		case *types.Var:
			object = generic.Origin()
		case *types.Func:
			object = generic.Origin()
		}
		to, ok := at(object.Pos())
		if ok {
			output.Encode(use{from, ident.Name, []place{to}})
		}
	}
}

func main() {
	root, _ = filepath.Abs(os.Args[1])
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		panic(err)
	}
	module = string(regexp.MustCompile(`(?m)^module\s+(\S+)`).FindSubmatch(text)[1])
	filepath.Walk(root, func(path string, entry os.FileInfo, err error) error {
		if err != nil || !entry.IsDir() {
			return nil
		}
		name := entry.Name()
		if path != root && (name == "testdata" || name == "vendor" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")) {
			return filepath.SkipDir
		}
		inside, _ := filepath.Rel(root, path)
		whole := module
		if inside != "." {
			whole += "/" + filepath.ToSlash(inside)
		}
		check(path, whole, true)
		return nil
	})
}
