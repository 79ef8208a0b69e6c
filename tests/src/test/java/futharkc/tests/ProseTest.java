package futharkc.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.source.doctree.DocCommentTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModuleTree;
import com.sun.source.tree.PackageTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules of the project's English in the comments of all sources, tests included. */
final class ProseTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  /** Words that begin no first sentence: a type is a noun, a method a verb. */
  private static final Pattern FIRST_WORDS =
      Pattern.compile(
          "(What|Whether|Where|Which|Who|Whose|How|Of|As well|Likewise|Those|That|When)\\b.*",
          Pattern.DOTALL);

  /** Names of processors and cards, and dates. */
  private static final Pattern HISTORY =
      Pattern.compile(
          "\\b([AH][12]00|EPYC|Xeon|Ryzen|Threadripper|Zen ?[1-5]|RTX|GTX|GeForce|Tesla"
              + "|20[0-9]{2}-[01][0-9](-[0-3][0-9])?"
              + "|(January|February|March|April|May|June|July|August|September|October|November"
              + "|December),? 20[0-9]{2})\\b");

  private static final String OTHER_LANGUAGE = "the same role in another language";
  private static final String OTHER_REPRESENTATION = "the same role in another representation";

  /** Simple names that several classes of core modules have, and why. */
  private static final Map<String, String> SHARED_NAMES =
      Map.ofEntries(
          Map.entry("BlockAliases", OTHER_REPRESENTATION),
          Map.entry("DeadCode", OTHER_REPRESENTATION),
          Map.entry("EntryPoint", "a declaration in the IR and its counterpart at run time"),
          Map.entry("Exp", OTHER_LANGUAGE),
          Map.entry("Mapper", OTHER_LANGUAGE),
          Map.entry("Name", OTHER_LANGUAGE),
          Map.entry("NameSource", OTHER_LANGUAGE),
          Map.entry("Parser", OTHER_LANGUAGE),
          Map.entry("Pat", OTHER_LANGUAGE),
          Map.entry("PrimType", OTHER_LANGUAGE),
          Map.entry("Program", OTHER_LANGUAGE),
          Map.entry("Type", OTHER_LANGUAGE));

  /** Comments that name a processor, a card or a date for a reason, as {@code FILE: text}. */
  private static final Map<String, String> HISTORY_EXCEPTIONS = Map.of();

  /** The most exceptions from all rules together. */
  private static final int MOST_EXCEPTIONS = 20;

  @Test
  void exceptionsAreFew() {
    assertTrue(SHARED_NAMES.size() + HISTORY_EXCEPTIONS.size() <= MOST_EXCEPTIONS);
  }

  @Test
  void firstSentencesSayWhatThingsAre() throws IOException {
    List<String> found = new ArrayList<>();
    int[] comments = {0};
    parse(
        sources(""),
        (file, line, sentence) -> {
          comments[0]++;
          if (breaksFirstSentence(sentence)) {
            found.add(file + ":" + line + ": " + sentence);
          }
        });
    assertTrue(comments[0] > 5000, () -> "only " + comments[0] + " comments were seen");
    assertNone(found, "first sentences of Javadoc");
  }

  @Test
  void commentsTellNoHistory() throws IOException {
    Set<String> found = new TreeSet<>();
    for (Path file : sources("")) {
      for (Comments.Comment c : Comments.of(Files.readString(file))) {
        Matcher m = HISTORY.matcher(c.text());
        while (m.find()) {
          if (HISTORY_EXCEPTIONS.containsKey(file.getFileName() + ": " + m.group())) {
            continue;
          }
          found.add(ROOT.relativize(file) + ":" + c.line() + ": " + m.group());
        }
      }
    }
    assertNone(found, "comments with processors, cards or dates");
  }

  @Test
  void namesMeanOneThing() throws IOException {
    Map<String, Set<String>> packages = new TreeMap<>();
    List<Path> core =
        sources("core.").stream().filter(f -> f.toString().contains("/main/")).toList();
    for (CompilationUnitTree unit : task(core).parse()) {
      for (Tree type : unit.getTypeDecls()) {
        if (!(type instanceof ClassTree c)) {
          continue;
        }
        packages
            .computeIfAbsent(c.getSimpleName().toString(), n -> new TreeSet<>())
            .add(String.valueOf(unit.getPackageName()));
      }
    }
    assertTrue(packages.size() > 500, () -> "only " + packages.size() + " names were seen");
    packages.values().removeIf(p -> p.size() < 2);
    assertEquals(new TreeSet<>(SHARED_NAMES.keySet()), packages.keySet(), packages::toString);
  }

  private static void assertNone(Iterable<String> found, String what) {
    List<String> all = new ArrayList<>();
    found.forEach(all::add);
    assertTrue(all.isEmpty(), () -> all.size() + " " + what + ":\n" + String.join("\n", all));
  }

  private static boolean breaksFirstSentence(String sentence) {
    return FIRST_WORDS.matcher(sentence).matches();
  }

  // The rules themselves

  @ParameterizedTest
  @ValueSource(
      strings = {
        "What loops count.",
        "Whether it is so.",
        "Where things are.",
        "Of the longest step.",
        "As well, one index after the other.",
        "Those that were not needed.",
        "When that was last asked."
      })
  void badFirstSentencesAreFound(String sentence) throws IOException {
    assertTrue(breaksFirstSentence(firstSentence("/** " + sentence + " More. */ class A {}")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "The statement count of the longest step.",
        "Tests whether an access is affine.",
        "Offers blocks.",
        "Whatever.",
        "Returns what is asked for.",
        "{@code Of} is a name.",
        "Officially a class."
      })
  void goodFirstSentencesAreNotFound(String sentence) throws IOException {
    assertFalse(breaksFirstSentence(firstSentence("/** " + sentence + " What? */ class A {}")));
  }

  @Test
  void commentsOfAllDeclarationsAreSeen() throws IOException {
    String source =
        """
        /** One. */
        package p;
        /** Two. */
        class A {
          /** Three. */
          int field;
          /** Four. */
          void method() {}
          /** Five. */
          enum E {
            /** Six. */
            CONSTANT
          }
        }
        """;
    assertEquals(List.of("Two.", "Three.", "Four.", "Five.", "Six."), firstSentences(source));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "// measured on an H100",
        "/* EPYC */",
        "/** Since November 2026. */",
        "int x; // 2026-11-12",
        "/** Zen 4 has it. */",
        "int c = '\\''; // RTX"
      })
  void historyIsFound(String source) {
    assertTrue(hasHistory(source), source);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "String s = \"H100 // RTX\";",
        "char c = '\"'; // fine",
        "String s = \"\"\"\n // H100\n \"\"\";",
        "// version 2026 of nothing",
        "// H1000 elements in May",
        "// range 100-200"
      })
  void noHistoryIsFound(String source) {
    assertFalse(hasHistory(source), source);
  }

  private static boolean hasHistory(String source) {
    return Comments.of(source).stream().anyMatch(c -> HISTORY.matcher(c.text()).find());
  }

  // Sources

  /** Takes the first sentence of a Javadoc comment, and where it is. */
  private interface Sentences {
    void accept(String file, long line, String sentence);
  }

  private static List<Path> sources(String prefix) throws IOException {
    List<Path> sources = new ArrayList<>();
    try (Stream<Path> modules = Files.list(ROOT)) {
      for (Path module : modules.sorted().toList()) {
        Path src = module.resolve("src");
        if (!module.getFileName().toString().startsWith(prefix) || !Files.isDirectory(src)) {
          continue;
        }
        try (Stream<Path> files = Files.walk(src)) {
          files.filter(f -> f.toString().endsWith(".java")).sorted().forEach(sources::add);
        }
      }
    }
    assertFalse(sources.isEmpty());
    return sources;
  }

  private static JavacTask task(List<Path> files) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    var manager = compiler.getStandardFileManager(null, null, null);
    List<String> options = List.of("-proc:none");
    return (JavacTask)
        compiler.getTask(
            null, manager, null, options, null, manager.getJavaFileObjectsFromPaths(files));
  }

  private static void parse(List<Path> files, Sentences sentences) throws IOException {
    // Two descriptors of modules cannot be parsed in one task.
    Map<Boolean, List<Path>> parts =
        files.stream().collect(Collectors.partitioningBy(f -> f.endsWith("module-info.java")));
    scan(task(parts.get(false)), sentences);
    for (Path descriptor : parts.get(true)) {
      scan(task(List.of(descriptor)), sentences);
    }
  }

  private static void scan(JavacTask task, Sentences sentences) throws IOException {
    DocTrees docs = DocTrees.instance(task);
    for (CompilationUnitTree unit : task.parse()) {
      new TreePathScanner<@Nullable Void, @Nullable Void>() {
        @Override
        public @Nullable Void visitClass(ClassTree tree, @Nullable Void p) {
          comment();
          return super.visitClass(tree, null);
        }

        @Override
        public @Nullable Void visitMethod(MethodTree tree, @Nullable Void p) {
          comment();
          return super.visitMethod(tree, null);
        }

        @Override
        public @Nullable Void visitVariable(VariableTree tree, @Nullable Void p) {
          comment();
          return super.visitVariable(tree, null);
        }

        @Override
        public @Nullable Void visitPackage(PackageTree tree, @Nullable Void p) {
          if (unit.getSourceFile().getName().endsWith("package-info.java")) {
            comment();
          }
          return super.visitPackage(tree, null);
        }

        @Override
        public @Nullable Void visitModule(ModuleTree tree, @Nullable Void p) {
          comment();
          return super.visitModule(tree, null);
        }

        private void comment() {
          TreePath path = getCurrentPath();
          DocCommentTree doc = docs.getDocCommentTree(path);
          if (doc == null || doc.getFirstSentence().isEmpty()) {
            return;
          }
          String sentence =
              doc.getFirstSentence().stream().map(Object::toString).collect(Collectors.joining());
          long at = docs.getSourcePositions().getStartPosition(unit, path.getLeaf());
          String name = unit.getSourceFile().getName();
          String file =
              name.startsWith(ROOT.toString())
                  ? name.substring(ROOT.toString().length() + 1)
                  : name;
          sentences.accept(file, unit.getLineMap().getLineNumber(at), sentence.strip());
        }
      }.scan(unit, null);
    }
  }

  private static String firstSentence(String source) throws IOException {
    return firstSentences(source).getFirst();
  }

  private static List<String> firstSentences(String source) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    SimpleJavaFileObject file =
        new SimpleJavaFileObject(
            java.net.URI.create("string:///A.java"), javax.tools.JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreErrors) {
            return source;
          }
        };
    List<String> found = new ArrayList<>();
    scan(
        (JavacTask) compiler.getTask(null, null, null, List.of("-proc:none"), null, List.of(file)),
        (name, line, sentence) -> found.add(sentence));
    return found;
  }
}
