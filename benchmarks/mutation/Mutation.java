import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.AssertTree;
import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.CaseTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ConditionalExpressionTree;
import com.sun.source.tree.DoWhileLoopTree;
import com.sun.source.tree.ExpressionStatementTree;
import com.sun.source.tree.ForLoopTree;
import com.sun.source.tree.IfTree;
import com.sun.source.tree.LambdaExpressionTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ReturnTree;
import com.sun.source.tree.ThrowTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.WhileLoopTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * A tool for mutation testing. It changes one operator, constant, condition, statement or returned
 * value of a module's sources at a time, compiles the changed file into a folder that precedes the
 * module on the class path, and runs the module's own tests in a process with a time limit. A
 * mutant survives if all tests pass.
 *
 * <pre>
 * java Mutation.java run LIBRARIES RESULTS MUTANTS SEED MODULE...
 * java Mutation.java report RESULTS...
 * </pre>
 *
 * <p>LIBRARIES is a class path with the libraries and JUnit's console; RESULTS a file to which each
 * mutant adds a line: module, class, line, operator, outcome, and the change. Mutants with a line
 * in that file are not repeated. MUTANTS is the number of mutants per module. The current folder is
 * the project's, after a build with tests.
 */
public final class Mutation {
  /** The limit of a mutant's tests: a multiple of their time without a mutant, and a surplus. */
  private static final int TIMES_LONGER = 4;

  private static final int SURPLUS_SECONDS = 10;

  /** The limit of a test class and of all test classes of a module; slower ones are left out. */
  private static final int LONGEST_TEST_SECONDS = 20;

  private static final int ALL_TESTS_SECONDS = 15;

  /** The prefix of the names of modules. */
  private static final String PROJECT = "futharkc.";

  private final List<String> libraries;
  private final Path results;
  private final Path folder;
  private final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
  private final Set<String> known = new HashSet<>();
  private Worker worker;

  private Mutation(String libraries, Path results) throws IOException {
    this.libraries = List.of(libraries.split(File.pathSeparator));
    this.results = results;
    this.folder = Files.createTempDirectory("mutation");
    if (Files.exists(results)) {
      for (String line : Files.readAllLines(results)) {
        String[] fields = line.split("\t", -1);
        known.add(String.join("\t", fields[0], fields[1], fields[2], fields[3], fields[5]));
      }
    }
  }

  /** Runs a command of the tool. */
  public static void main(String[] args) throws Exception {
    switch (args[0]) {
      case "run" -> {
        Mutation all = new Mutation(args[1], Path.of(args[2]));
        for (String module : List.of(args).subList(5, args.length)) {
          all.module(module, Integer.parseInt(args[3]), Long.parseLong(args[4]));
        }
        all.stopWorker();
      }
      case "report" -> report(List.of(args).subList(1, args.length));
      default -> throw new IllegalArgumentException("no command " + args[0]);
    }
  }

  /**
   * A change of a source file.
   *
   * @param from the offset of the replaced text
   * @param to the offset behind the replaced text
   */
  private record Mutant(Path file, int from, int to, String text, String operator, long line) {}

  private void module(String module, int count, long seed) throws Exception {
    List<Mutant> mutants = new ArrayList<>();
    try (Stream<Path> files = Files.walk(Path.of(module, "src/main/java"))) {
      for (Path file : files.filter(Mutation::isCode).sorted().toList()) {
        mutants.addAll(mutants(file));
      }
    }
    List<Test> tests = tests(module);
    long time = tests.stream().mapToLong(Test::millis).sum();
    System.out.printf(
        "%s: %d possible mutants, %d test classes in %.1f s%n",
        module, mutants.size(), tests.size(), time / 1000.0);
    if (tests.isEmpty()) {
      return;
    }
    Collections.shuffle(mutants, new Random(seed));
    List<String> names = tests.stream().map(Test::name).toList();
    int done = 0;
    for (Mutant m : mutants) {
      if (done == count) {
        break;
      }
      done += one(module, m, names, time) ? 1 : 0;
    }
  }

  private static boolean isCode(Path file) {
    String name = file.getFileName().toString();
    return name.endsWith(".java") && !name.endsWith("-info.java");
  }

  /** Tests a mutant; returns false if it does not compile. */
  private boolean one(String module, Mutant m, List<String> names, long time) throws Exception {
    String source = Files.readString(m.file);
    String name = m.file.getFileName().toString().replace(".java", "");
    String change = source.substring(m.from, m.to) + " -> " + m.text;
    String place = String.join("\t", module, name, Long.toString(m.line), m.operator);
    String text = change.replaceAll("\\s+", " ");
    if (!known.add(place + "\t" + text)) {
      return true;
    }
    Path classes = folder.resolve("classes");
    delete(classes);
    Files.createDirectories(classes);
    if (!compiles(m.file, source.substring(0, m.from) + m.text + source.substring(m.to), classes)) {
      return false;
    }
    long limit = TIMES_LONGER * time + 1000L * SURPLUS_SECONDS;
    String outcome = outcome(module, classes, names, limit);
    String line = place + "\t" + outcome + "\t" + text + "\n";
    Files.writeString(results, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    return true;
  }

  private boolean compiles(Path file, String source, Path classes) throws IOException {
    JavaFileObject unit =
        new SimpleJavaFileObject(file.toAbsolutePath().toUri(), JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return source;
          }
        };
    List<String> options =
        List.of("-proc:none", "-nowarn", "-d", classes.toString(), "-cp", classPath());
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      DiagnosticCollector<JavaFileObject> said = new DiagnosticCollector<>();
      return compiler.getTask(null, files, said, options, null, List.of(unit)).call();
    }
  }

  private String classPath() throws IOException {
    List<String> all = new ArrayList<>();
    moduleFolders().forEach(m -> all.add(m.resolve("target/classes").toString()));
    all.addAll(libraries);
    return String.join(File.pathSeparator, all);
  }

  // Tests

  private record Test(String name, long millis) {}

  /** Returns the module's fast test classes that pass, the fastest first. */
  private List<Test> tests(String module) throws Exception {
    Path root = Path.of(module, "src/test/java");
    List<Test> tests = new ArrayList<>();
    if (!Files.isDirectory(root)) {
      return tests;
    }
    List<String> names;
    try (Stream<Path> files = Files.walk(root)) {
      names =
          files
              .filter(f -> f.toString().endsWith("Test.java"))
              .map(f -> root.relativize(f).toString().replace(".java", "").replace('/', '.'))
              .sorted()
              .toList();
    }
    for (String name : names) {
      // The second run is without the time for starting the process.
      outcome(module, null, List.of(name), 1000L * LONGEST_TEST_SECONDS);
      long start = System.nanoTime();
      String outcome = outcome(module, null, List.of(name), 1000L * LONGEST_TEST_SECONDS);
      if (outcome.equals("survived")) {
        tests.add(new Test(name, (System.nanoTime() - start) / 1_000_000));
      } else {
        System.out.println(module + ": left out " + name + ": " + outcome);
      }
    }
    tests.sort(Comparator.comparingLong(Test::millis));
    List<Test> fast = new ArrayList<>();
    long sum = 0;
    for (Test t : tests) {
      sum += t.millis;
      if (sum <= 1000L * ALL_TESTS_SECONDS) {
        fast.add(t);
      }
    }
    return fast;
  }

  /** Runs tests; returns "survived", "timed out", or "killed" with the name of the failed test. */
  private String outcome(String module, Path mutated, List<String> tests, long limitMillis)
      throws Exception {
    if (worker == null || !worker.isFor(module)) {
      stopWorker();
      worker = new Worker(module, libraries);
    }
    List<String> again = new ArrayList<>();
    if (mutated != null) {
      again.add(mutated.toAbsolutePath().toString());
    }
    again.add(Path.of(module, "target/test-classes").toAbsolutePath().toString());
    List<String> once = new ArrayList<>();
    Set<String> affected = affected(module);
    for (Path folder : moduleFolders()) {
      (affected.contains(folder.getFileName().toString()) ? again : once)
          .add(folder.resolve("target/classes").toString());
    }
    String request =
        String.join(File.pathSeparator, once)
            + "\t"
            + String.join(File.pathSeparator, again)
            + "\t"
            + String.join("\t", tests);
    String answer = worker.answer(request, limitMillis);
    if (!answer.equals("survived") && !answer.startsWith("killed by") || worker.isOld()) {
      stopWorker();
    }
    return answer;
  }

  private void stopWorker() throws Exception {
    if (worker != null) {
      worker.stop();
      worker = null;
    }
  }

  /**
   * Returns the modules with classes that may refer to a module's classes: those that require the
   * module or the driver, which finds the passes.
   */
  private static Set<String> affected(String module) throws IOException {
    Map<String, Set<String>> required = new TreeMap<>();
    for (Path folder : moduleFolders()) {
      Path descriptor = folder.resolve("target/classes/module-info.class");
      Set<String> names = new HashSet<>();
      if (Files.exists(descriptor)) {
        try (InputStream in = Files.newInputStream(descriptor)) {
          ModuleDescriptor.read(in).requires().stream()
              .filter(r -> r.name().startsWith(PROJECT))
              .forEach(r -> names.add(r.name().substring(PROJECT.length())));
        }
      }
      required.put(folder.getFileName().toString(), names);
    }
    Set<String> affected = new HashSet<>(List.of(module, "core.driver"));
    boolean changed = true;
    while (changed) {
      changed = false;
      for (Map.Entry<String, Set<String>> e : required.entrySet()) {
        boolean depends = !Collections.disjoint(e.getValue(), affected);
        changed |= depends && affected.add(e.getKey());
      }
    }
    return affected;
  }

  private static List<Path> moduleFolders() throws IOException {
    try (Stream<Path> modules = Files.list(Path.of("").toAbsolutePath())) {
      return modules.filter(m -> Files.isDirectory(m.resolve("target/classes"))).sorted().toList();
    }
  }

  /** A process of {@link TestWorker} for one module. */
  private static final class Worker {
    /** The number of mutants after which a process is replaced. */
    private static final int OLD = 40;

    /** The multiple of the limit after which a process that does not compute is ended. */
    private static final int PATIENCE = 10;

    private final String module;
    private final Process process;
    private final BufferedReader out;
    private int answered;

    Worker(String module, List<String> libraries) throws IOException {
      this.module = module;
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(
          List.of(
              "-Xmx2g",
              "-XX:TieredStopAtLevel=1",
              "-XX:+UseSerialGC",
              "--enable-native-access=ALL-UNNAMED",
              "-cp",
              String.join(File.pathSeparator, libraries),
              Path.of("benchmarks/mutation/TestWorker.java").toAbsolutePath().toString()));
      process =
          new ProcessBuilder(command)
              .directory(new File(module))
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      out = process.inputReader(StandardCharsets.UTF_8);
    }

    boolean isFor(String other) {
      return module.equals(other) && process.isAlive();
    }

    boolean isOld() {
      return answered >= OLD;
    }

    /** Returns the answer to a request; the limit is one of processor time. */
    String answer(String request, long limitMillis) throws Exception {
      answered++;
      long used = cpuMillis();
      process.outputWriter(StandardCharsets.UTF_8).append(request).append('\n').flush();
      long start = System.nanoTime();
      while (!out.ready()) {
        long waited = (System.nanoTime() - start) / 1_000_000;
        if (!process.isAlive()) {
          return "killed: the process ended";
        }
        if (cpuMillis() - used > limitMillis || waited > PATIENCE * limitMillis) {
          return "timed out";
        }
        Thread.sleep(10);
      }
      return out.readLine();
    }

    private long cpuMillis() {
      return process.info().totalCpuDuration().map(Duration::toMillis).orElse(0L);
    }

    void stop() throws InterruptedException {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly().waitFor();
    }
  }

  private static void delete(Path path) throws IOException {
    if (!Files.exists(path)) {
      return;
    }
    try (Stream<Path> all = Files.walk(path)) {
      for (Path p : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(p);
      }
    }
  }

  // Mutants

  private List<Mutant> mutants(Path file) throws IOException {
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      JavacTask task =
          (JavacTask)
              compiler.getTask(null, files, null, null, null, files.getJavaFileObjects(file));
      CompilationUnitTree unit = task.parse().iterator().next();
      SourcePositions positions = Trees.instance(task).getSourcePositions();
      Finder finder = new Finder(file, unit, positions, Files.readString(file));
      finder.scan(unit, null);
      return finder.found;
    }
  }

  /** A search for the mutants of a file. */
  private static final class Finder extends TreeScanner<Void, Void> {
    private static final Map<Tree.Kind, String> OPERATORS =
        Map.of(
            Tree.Kind.CONDITIONAL_AND, "||",
            Tree.Kind.CONDITIONAL_OR, "&&",
            Tree.Kind.LESS_THAN, "<=",
            Tree.Kind.LESS_THAN_EQUAL, "<",
            Tree.Kind.GREATER_THAN, ">=",
            Tree.Kind.GREATER_THAN_EQUAL, ">",
            Tree.Kind.EQUAL_TO, "!=",
            Tree.Kind.NOT_EQUAL_TO, "==",
            Tree.Kind.PLUS, "-",
            Tree.Kind.MINUS, "+");

    private final Path file;
    private final CompilationUnitTree unit;
    private final SourcePositions positions;
    private final String source;
    private final List<Mutant> found = new ArrayList<>();

    /** The return type of the innermost method; null within a lambda. */
    private String returned;

    Finder(Path file, CompilationUnitTree unit, SourcePositions positions, String source) {
      this.file = file;
      this.unit = unit;
      this.positions = positions;
      this.source = source;
    }

    private int start(Tree t) {
      return (int) positions.getStartPosition(unit, t);
    }

    private int end(Tree t) {
      return (int) positions.getEndPosition(unit, t);
    }

    private void add(int from, int to, String text, String operator) {
      if (from >= 0 && to > from) {
        long line = unit.getLineMap().getLineNumber(from);
        found.add(new Mutant(file, from, to, text, operator, line));
      }
    }

    private void negate(Tree condition) {
      if (condition != null) {
        String text = source.substring(start(condition), end(condition));
        add(start(condition), end(condition), "!(" + text + ")", "condition");
      }
    }

    @Override
    public Void visitIf(IfTree t, Void p) {
      negate(t.getCondition());
      return super.visitIf(t, p);
    }

    @Override
    public Void visitWhileLoop(WhileLoopTree t, Void p) {
      negate(t.getCondition());
      return super.visitWhileLoop(t, p);
    }

    @Override
    public Void visitDoWhileLoop(DoWhileLoopTree t, Void p) {
      negate(t.getCondition());
      return super.visitDoWhileLoop(t, p);
    }

    @Override
    public Void visitForLoop(ForLoopTree t, Void p) {
      negate(t.getCondition());
      return super.visitForLoop(t, p);
    }

    @Override
    public Void visitConditionalExpression(ConditionalExpressionTree t, Void p) {
      negate(t.getCondition());
      return super.visitConditionalExpression(t, p);
    }

    @Override
    public Void visitBinary(BinaryTree t, Void p) {
      String other = OPERATORS.get(t.getKind());
      if (other != null) {
        int from = end(t.getLeftOperand());
        int to = start(t.getRightOperand());
        // Parentheses and comments around the operator stay.
        String between = source.substring(from, to);
        String now = between.strip().replaceAll("[()\\s]", "");
        if (!now.isEmpty() && now.length() <= 2 && between.contains(now)) {
          add(from, to, between.replace(now, other), "operator");
        }
      }
      return super.visitBinary(t, p);
    }

    @Override
    public Void visitLiteral(LiteralTree t, Void p) {
      String text = source.substring(start(t), end(t));
      switch (t.getKind()) {
        case INT_LITERAL, LONG_LITERAL -> {
          add(start(t), end(t), "(" + text + " + 1)", "constant");
          add(start(t), end(t), "(" + text + " - 1)", "constant");
        }
        case BOOLEAN_LITERAL ->
            add(start(t), end(t), Boolean.toString(!(Boolean) t.getValue()), "constant");
        default -> {}
      }
      return null;
    }

    @Override
    public Void visitExpressionStatement(ExpressionStatementTree t, Void p) {
      boolean delegates =
          t.getExpression() instanceof MethodInvocationTree call
              && List.of("this", "super").contains(call.getMethodSelect().toString());
      if (!delegates) {
        add(start(t), end(t), ";", "statement");
      }
      return super.visitExpressionStatement(t, p);
    }

    @Override
    public Void visitMethod(MethodTree t, Void p) {
      String outer = returned;
      returned = t.getReturnType() == null ? null : t.getReturnType().toString();
      super.visitMethod(t, p);
      returned = outer;
      return null;
    }

    @Override
    public Void visitLambdaExpression(LambdaExpressionTree t, Void p) {
      String outer = returned;
      returned = null;
      super.visitLambdaExpression(t, p);
      returned = outer;
      return null;
    }

    @Override
    public Void visitReturn(ReturnTree t, Void p) {
      Tree value = t.getExpression();
      if (value != null && returned != null) {
        String text = source.substring(start(value), end(value));
        String other =
            switch (returned) {
              case "boolean" -> "!(" + text + ")";
              case "int", "long" -> "(" + text + ") + 1";
              case "double", "float" -> "(" + text + ") + 1";
              default -> text.equals("null") ? text : "null";
            };
        if (!other.equals(text)) {
          add(start(value), end(value), other, "result");
        }
      }
      return super.visitReturn(t, p);
    }

    // Annotations, labels, assertions and the messages of exceptions are not mutated.

    @Override
    public Void visitAnnotation(AnnotationTree t, Void p) {
      return null;
    }

    @Override
    public Void visitCase(CaseTree t, Void p) {
      scan(t.getGuard(), p);
      scan(t.getStatements(), p);
      return scan(t.getBody(), p);
    }

    @Override
    public Void visitAssert(AssertTree t, Void p) {
      return null;
    }

    @Override
    public Void visitThrow(ThrowTree t, Void p) {
      return null;
    }
  }

  // Report

  private static void report(List<String> files) {
    Map<String, Map<String, List<String[]>>> modules = new TreeMap<>();
    for (String file : files) {
      try {
        for (String line : Files.readAllLines(Path.of(file))) {
          String[] fields = line.split("\t", -1);
          modules
              .computeIfAbsent(fields[0], m -> new TreeMap<>())
              .computeIfAbsent(fields[1], c -> new ArrayList<>())
              .add(fields);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    System.out.println("| module | mutants | killed | timed out | survived |");
    System.out.println("|---|---:|---:|---:|---:|");
    long[] sums = new long[4];
    modules.forEach(
        (module, classes) -> {
          long[] n = counts(classes.values().stream().flatMap(List::stream).toList());
          for (int i = 0; i < 4; i++) {
            sums[i] += n[i];
          }
          System.out.println("| `" + module + "` | " + row(n) + " |");
        });
    System.out.println("| all | " + row(sums) + " |\n");
    System.out.println("| class | mutants | survived | surviving changes |");
    System.out.println("|---|---:|---:|---|");
    modules.forEach(
        (module, classes) ->
            classes.forEach(
                (name, all) -> {
                  List<String> changes =
                      all.stream()
                          .filter(f -> f[4].equals("survived"))
                          .map(f -> f[2] + ": `" + cut(f[5]).replace("|", "\\|") + "`")
                          .toList();
                  if (!changes.isEmpty()) {
                    System.out.printf(
                        "| %s `%s` | %d | %d | %s |%n",
                        module, name, all.size(), changes.size(), String.join("; ", changes));
                  }
                }));
  }

  private static String cut(String change) {
    String text = change.replace('`', '\'');
    return text.length() <= 50 ? text : text.substring(0, 47) + "...";
  }

  private static long[] counts(List<String[]> all) {
    long killed = all.stream().filter(f -> f[4].startsWith("killed")).count();
    long late = all.stream().filter(f -> f[4].equals("timed out")).count();
    return new long[] {all.size(), killed, late, all.size() - killed - late};
  }

  private static String row(long[] n) {
    return n[0] + " | " + n[1] + " | " + n[2] + " | " + n[3];
  }
}
