// Writes what the names of Java sources mean, by javac: one JSON line for each use of something that the sources define.
//
//     java Uses.java FOLDER [javac options] > uses.jsonl
import com.sun.source.tree.*;
import com.sun.source.util.*;
import java.nio.file.*;
import java.util.*;
import javax.lang.model.element.*;
import javax.tools.*;

class Uses {
    static Path root;
    static Trees trees;
    static StringBuilder output = new StringBuilder();

    static long[] nameAt(TreePath path, String name) throws Exception {
        CompilationUnitTree unit = path.getCompilationUnit();
        SourcePositions positions = trees.getSourcePositions();
        Tree leaf = path.getLeaf();
        String text = unit.getSourceFile().getCharContent(true).toString();
        long start = positions.getStartPosition(unit, leaf), end = positions.getEndPosition(unit, leaf);
        if (start < 0) {
            return null;
        }
        long at;
        if (leaf instanceof MemberSelectTree || leaf instanceof MemberReferenceTree) {
            at = end - name.length();
        } else if (leaf instanceof IdentifierTree) {
            at = start;
        } else {
            // A definition: its name comes after modifiers, annotations and types.
            Tree modifiers = leaf instanceof MethodTree m ? m.getModifiers() : leaf instanceof ClassTree c ? c.getModifiers()
                : leaf instanceof VariableTree v ? v.getModifiers() : null;
            Tree type = leaf instanceof MethodTree m ? m.getReturnType() : leaf instanceof VariableTree v ? v.getType() : null;
            long from = start;
            if (modifiers != null) {
                from = Math.max(from, positions.getEndPosition(unit, modifiers));
            }
            if (type != null && positions.getEndPosition(unit, type) <= end) {
                from = Math.max(from, positions.getEndPosition(unit, type));
            }
            var word = java.util.regex.Pattern.compile("\\b" + java.util.regex.Pattern.quote(name) + "\\b").matcher(text);
            if (!word.find((int) Math.max(from, 0)) || word.start() >= end) {
                return null;
            }
            at = word.start();
        }
        if (at < 0 || !text.startsWith(name, (int) at)) {
            return null;
        }
        LineMap lines = unit.getLineMap();
        int line = (int) lines.getLineNumber(at);
        return new long[] {line, at - lines.getStartPosition(line) + 1};
    }

    static String place(CompilationUnitTree unit, long[] at) {
        Path path = Paths.get(unit.getSourceFile().toUri());
        if (!path.startsWith(root)) {
            return null;
        }
        return "\"path\": \"" + root.relativize(path) + "\", \"line\": " + at[0] + ", \"col\": " + at[1];
    }

    static void use(TreePath path, String name) {
        try {
            Element element = trees.getElement(path);
            if (element == null || element instanceof PackageElement || name.equals("this") || name.equals("super")) {
                return;
            }
            if (element.getKind() == ElementKind.CONSTRUCTOR) {
                element = element.getEnclosingElement();
            }
            TreePath to = trees.getPath(element);
            if (to == null) {
                return;
            }
            long[] from = nameAt(path, name), at = nameAt(to, element.getSimpleName().toString());
            if (from == null || at == null) {
                return;
            }
            String one = place(path.getCompilationUnit(), from), other = place(to.getCompilationUnit(), at);
            if (one != null && other != null) {
                output.append("{").append(one).append(", \"word\": \"").append(name).append("\", \"to\": [{").append(other).append("}]}\n");
            }
        } catch (Exception error) {
            throw new RuntimeException(error);
        }
    }

    public static void main(String[] arguments) throws Exception {
        root = Paths.get(arguments[0]).toRealPath();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
        List<Path> sources;
        try (var walk = Files.walk(root)) {
            sources = walk.filter(path -> path.toString().endsWith(".java") && !path.endsWith("module-info.java")).toList();
        }
        List<String> options = new ArrayList<>(List.of("-proc:none", "-Xmaxerrs", "1"));
        options.addAll(Arrays.asList(arguments).subList(1, arguments.length));
        JavacTask task = (JavacTask) compiler.getTask(null, files, message -> {}, options, null, files.getJavaFileObjectsFromPaths(sources));
        trees = Trees.instance(task);
        Iterable<? extends CompilationUnitTree> units = task.parse();
        task.analyze();
        for (CompilationUnitTree unit : units) {
            new TreePathScanner<Void, Void>() {
                @Override public Void visitIdentifier(IdentifierTree tree, Void none) {
                    use(getCurrentPath(), tree.getName().toString());
                    return super.visitIdentifier(tree, none);
                }
                @Override public Void visitMemberSelect(MemberSelectTree tree, Void none) {
                    use(getCurrentPath(), tree.getIdentifier().toString());
                    return super.visitMemberSelect(tree, none);
                }
                @Override public Void visitMemberReference(MemberReferenceTree tree, Void none) {
                    use(getCurrentPath(), tree.getName().toString());
                    return super.visitMemberReference(tree, none);
                }
            }.scan(unit, null);
        }
        System.out.print(output);
    }
}
