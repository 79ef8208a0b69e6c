package futharkc.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.source.tree.BindingPatternTree;
import com.sun.source.tree.BlockTree;
import com.sun.source.tree.CaseTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.DeconstructionPatternTree;
import com.sun.source.tree.DefaultCaseLabelTree;
import com.sun.source.tree.EnhancedForLoopTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.ForLoopTree;
import com.sun.source.tree.IfTree;
import com.sun.source.tree.ImportTree;
import com.sun.source.tree.LambdaExpressionTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.PatternCaseLabelTree;
import com.sun.source.tree.PatternTree;
import com.sun.source.tree.PrimitiveTypeTree;
import com.sun.source.tree.StatementTree;
import com.sun.source.tree.SwitchExpressionTree;
import com.sun.source.tree.SwitchTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.tree.WhileLoopTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.lang.model.type.TypeKind;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Tests of rules about sources that class files do not show, on the syntax trees of {@code javac}.
 */
final class SourcesTest {
  /** The packages with the nodes of both languages. */
  private static final List<String> NODES =
      List.of("futharkc.core.ir", "futharkc.core.ir.imperative");

  /** Calls that return immutable collections. */
  private static final Set<String> IMMUTABLE =
      Set.of(
          "List.of",
          "List.copyOf",
          "Set.of",
          "Set.copyOf",
          "Map.of",
          "Map.copyOf",
          "Map.ofEntries",
          "Collections.unmodifiableMap",
          "Collections.unmodifiableList",
          "Collections.unmodifiableSet",
          "toList",
          "toUnmodifiableMap",
          "toUnmodifiableSet");

  private static final Set<String> COLLECTIONS =
      Set.of(
          "List",
          "Set",
          "Map",
          "Collection",
          "SequencedMap",
          "SequencedSet",
          "SortedMap",
          "Queue",
          "Deque");

  /**
   * Checks that a switch over nodes has no default, so that the compiler reports switches that lack
   * a new node.
   */
  @Test
  void coreSwitchesOverNodesHaveNoDefault() throws IOException {
    List<String> found = new ArrayList<>();
    int[] switches = {0};
    for (CompilationUnitTree unit : parsed(folders("core."))) {
      new TreeScanner<@Nullable Void, @Nullable Void>() {
        @Override
        public @Nullable Void visitSwitch(SwitchTree s, @Nullable Void p) {
          check(s.getCases());
          return super.visitSwitch(s, null);
        }

        @Override
        public @Nullable Void visitSwitchExpression(SwitchExpressionTree s, @Nullable Void p) {
          check(s.getCases());
          return super.visitSwitchExpression(s, null);
        }

        private void check(List<? extends CaseTree> cases) {
          List<Tree> labels = cases.stream().<Tree>flatMap(c -> c.getLabels().stream()).toList();
          boolean nodes = false;
          for (Tree label : labels) {
            String type = label instanceof PatternCaseLabelTree l ? type(l.getPattern()) : null;
            nodes |= type != null && isNode(type, unit);
          }
          if (!nodes) {
            return;
          }
          switches[0]++;
          if (labels.stream().anyMatch(DefaultCaseLabelTree.class::isInstance)) {
            found.add(place(unit, cases.get(0)));
          }
        }
      }.scan(unit, null);
    }
    assertTrue(switches[0] > 150, () -> "only " + switches[0] + " switches over nodes were seen");
    assertEquals(List.of(), found, "switches over nodes with a default");
  }

  /** Bodies of branches and loops are blocks with braces, in main and test sources. */
  @Test
  void bodiesHaveBraces() throws IOException {
    List<String> found = new ArrayList<>();
    int[] bodies = {0};
    List<Path> folders = new ArrayList<>(folders(""));
    for (Path main : folders("")) {
      Path tests = main.resolve("../../test/java").normalize();
      if (Files.isDirectory(tests)) {
        folders.add(tests);
      }
    }
    for (CompilationUnitTree unit : parsed(folders)) {
      new TreeScanner<@Nullable Void, @Nullable Void>() {
        private void body(StatementTree s) {
          bodies[0]++;
          if (!(s instanceof BlockTree)) {
            found.add(place(unit, s));
          }
        }

        @Override
        public @Nullable Void visitIf(IfTree i, @Nullable Void p) {
          body(i.getThenStatement());
          StatementTree otherwise = i.getElseStatement();
          if (otherwise != null && !(otherwise instanceof IfTree)) {
            body(otherwise);
          }
          return super.visitIf(i, null);
        }

        @Override
        public @Nullable Void visitForLoop(ForLoopTree l, @Nullable Void p) {
          body(l.getStatement());
          return super.visitForLoop(l, null);
        }

        @Override
        public @Nullable Void visitEnhancedForLoop(EnhancedForLoopTree l, @Nullable Void p) {
          body(l.getStatement());
          return super.visitEnhancedForLoop(l, null);
        }

        @Override
        public @Nullable Void visitWhileLoop(WhileLoopTree l, @Nullable Void p) {
          body(l.getStatement());
          return super.visitWhileLoop(l, null);
        }
      }.scan(unit, null);
    }
    assertTrue(bodies[0] > 5000, () -> "only " + bodies[0] + " bodies were seen");
    assertEquals(List.of(), found, "bodies without braces");
  }

  /** Checks that static fields of collection types hold immutable collections. */
  @Test
  void staticCollectionsAreImmutable() throws IOException {
    List<String> found = new ArrayList<>();
    int[] fields = {0};
    for (CompilationUnitTree unit : parsed(folders(""))) {
      new TreeScanner<@Nullable Void, @Nullable Void>() {
        @Override
        public @Nullable Void visitClass(ClassTree c, @Nullable Void p) {
          for (Tree member : c.getMembers()) {
            if (!(member instanceof VariableTree v) || !isStatic(v, c)) {
              continue;
            }
            String type = v.getType() == null ? "" : v.getType().toString();
            String raw = type.replaceAll("<.*", "");
            if (!COLLECTIONS.contains(raw.substring(raw.lastIndexOf('.') + 1))) {
              continue;
            }
            fields[0]++;
            if (!isImmutable(v.getInitializer(), c)) {
              found.add(place(unit, v) + " " + v.getName());
            }
          }
          return super.visitClass(c, null);
        }
      }.scan(unit, null);
    }
    assertTrue(fields[0] > 20, () -> "only " + fields[0] + " static collections were seen");
    assertEquals(List.of(), found, "static fields that may hold something mutable");
  }

  /**
   * The constants of lowering, printers and loop passes that describe no machine, with their
   * meanings.
   */
  private static final Map<String, String> NO_MACHINE =
      Map.ofEntries(
          Map.entry("LookBack.AGGREGATE", "the flag of a chunk with its aggregate"),
          Map.entry("LookBack.PREFIX", "the flag of a chunk with its prefix"),
          Map.entry(
              "SharedMemoryLimit.ALIGNMENT",
              "the alignment of kernels' memory, which the printer also has"),
          Map.entry("JavaCompilation.STACK_BYTES", "a stack size of this compiler"),
          Map.entry("JavaCompilation.LARGE", "a program size of this compiler"),
          Map.entry("JavaNames.LONGEST", "a length of names that readers accept"),
          Map.entry("LibraryManifest.LINE", "the line length of the manifest format"),
          Map.entry("Layouts.ROUNDS", "a limit of a search"),
          Map.entry("ThesisRules.LARGEST_STRIDE", "a rule of the thesis"),
          Map.entry("Traffic.FAR", "a stride that is not constant"),
          Map.entry("WindowReads.DEPTH", "a limit of a search"),
          Map.entry("Banks.DEPTH", "a limit of a search"));

  /** Modules of passes whose constants limit the work of the compiler. */
  private static final Set<String> INDEPENDENT_OF_MACHINES =
      Set.of(
          "pass.differentiation",
          "pass.fusion",
          "pass.inlining",
          "pass.memory-merge",
          "pass.migration",
          "pass.simplify",
          "pass.write-fusion");

  /**
   * Checks that numbers that are tuned for a machine are in {@link futharkc.core.ir.Machine} or in
   * options of passes.
   */
  @Test
  void numbersOfMachinesStandInOnePlace() throws IOException {
    Set<String> found = new TreeSet<>();
    List<Path> folders = new ArrayList<>(folders("pass."));
    folders.removeIf(f -> INDEPENDENT_OF_MACHINES.contains(f.getName(1).toString()));
    folders.add(Path.of("..", "core.codegen", "src/main/java"));
    for (CompilationUnitTree unit : parsed(folders)) {
      new TreeScanner<@Nullable Void, @Nullable Void>() {
        @Override
        public @Nullable Void visitClass(ClassTree c, @Nullable Void p) {
          for (Tree member : c.getMembers()) {
            if (!(member instanceof VariableTree v) || !isStatic(v, c)) {
              continue;
            }
            if (v.getName().contentEquals("serialVersionUID")) {
              continue;
            }
            if (v.getType() instanceof PrimitiveTypeTree t
                && t.getPrimitiveTypeKind() != TypeKind.BOOLEAN) {
              found.add(c.getSimpleName() + "." + v.getName());
            }
          }
          return super.visitClass(c, null);
        }
      }.scan(unit, null);
    }
    assertEquals(new TreeSet<>(NO_MACHINE.keySet()), found);
  }

  private static boolean isStatic(VariableTree v, ClassTree c) {
    return v.getModifiers().getFlags().contains(Modifier.STATIC)
        || c.getKind() == Tree.Kind.INTERFACE;
  }

  /**
   * Tests whether an expression is a call that returns an immutable collection, perhaps through a
   * method of the class.
   */
  private static boolean isImmutable(@Nullable ExpressionTree e, ClassTree c) {
    if (!(e instanceof MethodInvocationTree call)) {
      return false;
    }
    String name = call.getMethodSelect().toString();
    String last = name.substring(name.lastIndexOf('.') + 1);
    if (IMMUTABLE.stream().anyMatch(i -> name.equals(i) || !i.contains(".") && last.equals(i))) {
      return true;
    }
    if (name.endsWith(".collect")) {
      return IMMUTABLE.stream().anyMatch(i -> call.getArguments().toString().contains(i));
    }
    return name.equals(last) && returnsImmutable(last, c);
  }

  private static boolean returnsImmutable(String method, ClassTree c) {
    boolean[] all = {true};
    int[] returns = {0};
    for (Tree member : c.getMembers()) {
      if (!(member instanceof com.sun.source.tree.MethodTree m)) {
        continue;
      }
      if (!m.getName().contentEquals(method) || m.getBody() == null) {
        continue;
      }
      new TreeScanner<@Nullable Void, @Nullable Void>() {
        @Override
        public @Nullable Void visitReturn(com.sun.source.tree.ReturnTree r, @Nullable Void p) {
          returns[0]++;
          all[0] &= isImmutable(r.getExpression(), c);
          return null;
        }

        @Override
        public @Nullable Void visitLambdaExpression(LambdaExpressionTree l, @Nullable Void p) {
          return null;
        }

        @Override
        public @Nullable Void visitClass(ClassTree inner, @Nullable Void p) {
          return null;
        }
      }.scan(m.getBody(), null);
    }
    return all[0] && returns[0] > 0;
  }

  /** Returns the type of a pattern as the source names it. */
  private static @Nullable String type(PatternTree pattern) {
    return switch (pattern) {
      case BindingPatternTree b -> String.valueOf(b.getVariable().getType());
      case DeconstructionPatternTree d -> d.getDeconstructor().toString();
      default -> null;
    };
  }

  /** Tests whether a name in a file refers to a node. */
  private static boolean isNode(String name, CompilationUnitTree unit) {
    List<String> candidates = new ArrayList<>();
    String outer = name.contains(".") ? name.substring(0, name.indexOf('.')) : name;
    for (ImportTree i : unit.getImports()) {
      String imported = i.getQualifiedIdentifier().toString();
      if (imported.endsWith("." + outer)) {
        candidates.add(imported + name.substring(outer.length()));
      }
    }
    candidates.add(unit.getPackageName() + "." + name);
    candidates.add(name);
    return candidates.stream().anyMatch(SourcesTest::isNode);
  }

  private static boolean isNode(String qualified) {
    for (String p : NODES) {
      if (!qualified.startsWith(p + ".")) {
        continue;
      }
      try {
        Class<?> c = Class.forName(p + "." + qualified.substring(p.length() + 1).replace('.', '$'));
        return sealed(c, new HashSet<>());
      } catch (ClassNotFoundException e) {
        // The name belongs to the other package.
      }
    }
    return false;
  }

  private static boolean sealed(Class<?> c, Set<Class<?>> seen) {
    if (!seen.add(c)) {
      return false;
    }
    if (c.isSealed() && NODES.contains(c.getPackageName())) {
      return true;
    }
    return Stream.of(c.getInterfaces()).anyMatch(i -> sealed(i, seen));
  }

  private static String place(CompilationUnitTree unit, Tree tree) {
    long line = 0;
    String text = "";
    try {
      text = unit.getSourceFile().getCharContent(true).toString();
      int at = text.indexOf(tree.toString().lines().findFirst().orElse("").strip());
      line = at < 0 ? 0 : text.substring(0, at).lines().count();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
    return unit.getSourceFile().getName() + ":" + line;
  }

  private static List<Path> folders(String prefix) throws IOException {
    try (Stream<Path> modules = Files.list(Path.of(".."))) {
      List<Path> folders =
          modules
              .filter(m -> m.getFileName().toString().startsWith(prefix))
              .map(m -> m.resolve("src/main/java"))
              .filter(Files::isDirectory)
              .sorted()
              .toList();
      assertTrue(folders.size() >= 5, () -> "only " + folders);
      return folders;
    }
  }

  private static List<CompilationUnitTree> parsed(List<Path> folders) throws IOException {
    List<Path> files = new ArrayList<>();
    for (Path folder : folders) {
      try (Stream<Path> all = Files.walk(folder)) {
        all.filter(f -> f.toString().endsWith(".java")).sorted().forEach(files::add);
      }
    }
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (var manager = compiler.getStandardFileManager(null, null, null)) {
      JavacTask task =
          (JavacTask)
              compiler.getTask(
                  null,
                  manager,
                  null,
                  List.of("-proc:none"),
                  null,
                  manager.getJavaFileObjectsFromPaths(files));
      List<CompilationUnitTree> units = new ArrayList<>();
      task.parse().forEach(units::add);
      return units;
    }
  }
}
