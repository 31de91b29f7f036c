// Reads texts as JSON strings, one a line, and prints what javac's parser makes of each: a tree without parentheses, or null.

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ParenthesizedTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.URI;
import java.util.List;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

public class Trees {
    static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

    static String tree(String text) throws Exception {
        var source = new SimpleJavaFileObject(URI.create("string:///A.java"), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignore) {
                return text;
            }
        };
        var wrong = new DiagnosticCollector<JavaFileObject>();
        var task = (JavacTask) COMPILER.getTask(null, null, wrong, List.of(), null, List.of(source));
        var out = new StringBuilder();
        for (CompilationUnitTree unit : task.parse()) {
            new TreeScanner<Void, Void>() {
                @Override
                public Void scan(Tree node, Void unused) {
                    if (node == null) {
                        return null;
                    }
                    if (node instanceof ParenthesizedTree held) {
                        return scan(held.getExpression(), null);
                    }
                    // `-1` is a literal for javac.
                    if (node instanceof com.sun.source.tree.UnaryTree minus && node.getKind() == Tree.Kind.UNARY_MINUS) {
                        Tree operand = minus.getExpression();
                        while (operand instanceof ParenthesizedTree held) {
                            operand = held.getExpression();
                        }
                        if (operand instanceof com.sun.source.tree.LiteralTree literal) {
                            out.append('(').append(literal.getKind()).append(" -").append(literal.getValue()).append(')');
                            return null;
                        }
                    }
                    out.append('(').append(node.getKind());
                    if (node instanceof com.sun.source.tree.IdentifierTree name) {
                        out.append(' ').append(name.getName());
                    } else if (node instanceof com.sun.source.tree.MemberSelectTree name) {
                        out.append(' ').append(name.getIdentifier());
                    } else if (node instanceof com.sun.source.tree.LiteralTree literal) {
                        out.append(' ').append(literal.getValue());
                    }
                    super.scan(node, null);
                    out.append(')');
                    return null;
                }
            }.scan(unit, null);
        }
        return wrong.getDiagnostics().isEmpty() ? out.toString() : null;
    }

    static String unquoted(String json) {
        var text = new StringBuilder();
        for (int at = 1; at < json.length() - 1; at++) {
            char letter = json.charAt(at);
            if (letter != '\\') {
                text.append(letter);
                continue;
            }
            letter = json.charAt(++at);
            text.append(letter == 'n' ? '\n' : letter == 't' ? '\t' : letter);
        }
        return text.toString();
    }

    public static void main(String[] words) throws Exception {
        var lines = new BufferedReader(new InputStreamReader(System.in));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String tree = tree(unquoted(line));
            System.out.println(tree == null ? "null" : '"' + tree.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"');
        }
    }
}
