package dev.almanac.behaviour.house;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** What javac's parser sees in a source: its types and methods, how long they are and where they stand. */
final class Shape extends TreePathScanner<Void, Void> {
    /** A type or a method; {@code lines} from its name to its closing brace, annotations and Javadoc not counted. */
    record Part(String file, long line, String owner, String name, Kind kind, long lines, int parameters) {
        /** The same from build to build, whatever moves above it. */
        String id() {
            return file + "#" + owner + (kind == Kind.TYPE ? "" : "." + name);
        }

        @Override
        public String toString() {
            return file + ":" + line + ": " + owner + (kind == Kind.TYPE ? "" : "." + name);
        }
    }

    enum Kind {
        TYPE,
        METHOD,
        CONSTRUCTOR
    }

    private final List<Part> parts = new ArrayList<>();
    private final String file;
    private final CompilationUnitTree unit;
    private final SourcePositions positions;

    private Shape(String file, CompilationUnitTree unit, SourcePositions positions) {
        this.file = file;
        this.unit = unit;
        this.positions = positions;
    }

    static List<Part> of(Path file) {
        return of(Sources.root().relativize(file).toString().replace('\\', '/'), Sources.text(file));
    }

    static List<Part> of(String file, String text) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        JavaFileObject source =
                new SimpleJavaFileObject(URI.create("string:///Source.java"), JavaFileObject.Kind.SOURCE) {
                    @Override
                    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                        return text;
                    }
                };
        JavacTask parser = (JavacTask) compiler.getTask(null, null, null, List.of("-proc:none"), null, List.of(source));
        try {
            CompilationUnitTree unit = parser.parse().iterator().next();
            Shape shape = new Shape(file, unit, Trees.instance(parser).getSourcePositions());
            shape.scan(new TreePath(unit), null);
            return shape.parts;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Void visitClass(ClassTree type, Void nothing) {
        if (!type.getSimpleName().isEmpty()) {
            add(type, type.getSimpleName().toString(), Kind.TYPE, 0);
        }
        return super.visitClass(type, nothing);
    }

    @Override
    public Void visitMethod(MethodTree method, Void nothing) {
        boolean constructor = method.getReturnType() == null;
        Tree counted = method.getBody() == null ? method : method.getBody();
        Tree owner = getCurrentPath().getParentPath().getLeaf();
        // what a record is made of is data, not collaborators
        int parameters =
                owner.getKind() == Tree.Kind.RECORD ? 0 : method.getParameters().size();
        add(counted, method.getName().toString(), constructor ? Kind.CONSTRUCTOR : Kind.METHOD, parameters);
        return super.visitMethod(method, nothing);
    }

    private void add(Tree tree, String name, Kind kind, int parameters) {
        LineMap lines = unit.getLineMap();
        long end = positions.getEndPosition(unit, tree);
        // what the compiler adds by itself stands nowhere in the source
        if (end < 0) {
            return;
        }
        long first = lines.getLineNumber(positions.getStartPosition(unit, tree));
        parts.add(
                new Part(file, first, owner(kind, name), name, kind, lines.getLineNumber(end) - first + 1, parameters));
    }

    private String owner(Kind kind, String name) {
        List<String> names = new ArrayList<>(kind == Kind.TYPE ? List.of(name) : List.of());
        TreePath outer = getCurrentPath().getParentPath();
        for (; outer != null; outer = outer.getParentPath()) {
            if (outer.getLeaf() instanceof ClassTree type
                    && !type.getSimpleName().isEmpty()) {
                names.add(0, type.getSimpleName().toString());
            }
        }
        return String.join(".", names);
    }
}
