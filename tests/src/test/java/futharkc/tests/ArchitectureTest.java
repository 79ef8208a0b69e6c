package futharkc.tests;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.Map.entry;
import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleReference;
import java.lang.module.ResolvedModule;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/** Tests of the dependences between modules and packages, on the compiled classes. */
final class ArchitectureTest {
  /** All modules of the project, as resolved in this JVM. */
  private static final List<ModuleReference> MODULES =
      ModuleLayer.boot().configuration().modules().stream()
          .map(ResolvedModule::reference)
          .filter(m -> m.descriptor().name().startsWith("futharkc."))
          .filter(m -> !m.descriptor().name().equals("futharkc.tests"))
          .sorted((a, b) -> a.descriptor().name().compareTo(b.descriptor().name()))
          .toList();

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .importLocations(MODULES.stream().map(ArchitectureTest::location).toList());

  private static Location location(ModuleReference module) {
    Path path = Path.of(module.location().orElseThrow());
    if (Files.isDirectory(path)) {
      return Location.of(path);
    }
    try {
      return Location.of(new JarFile(path.toFile()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The modules that each module may require besides the JDK. A module without an entry fails the
   * test.
   */
  private static final Map<String, List<String>> MAY_SEE =
      Map.ofEntries(
          entry("futharkc.core.ir", List.of("com.github.benmanes.caffeine")),
          entry("futharkc.core.language", List.of("futharkc.core.ir", "org.antlr")),
          entry("futharkc.core.runtime", List.of()),
          entry("futharkc.backend.opencl.runtime", List.of("futharkc.core.runtime", "org.jocl")),
          entry("futharkc.integration.partitions", List.of("futharkc.core.runtime")),
          entry("futharkc.backend.cuda.runtime", List.of("futharkc.core.runtime", "jcuda")),
          entry("futharkc.core.codegen", List.of("futharkc.core.ir", "futharkc.core.runtime")),
          entry(
              "futharkc.core.driver",
              List.of(
                  "futharkc.core.ir",
                  "futharkc.core.language",
                  "futharkc.core.runtime",
                  "futharkc.core.codegen")),
          entry(
              "futharkc.harness",
              List.of(
                  "futharkc.core.ir",
                  "futharkc.core.language",
                  "futharkc.core.runtime",
                  "futharkc.core.driver")),
          entry(
              "futharkc.tools.doc",
              List.of(
                  "futharkc.core.ir",
                  "futharkc.core.language",
                  "futharkc.core.driver",
                  "org.commonmark")),
          entry(
              "futharkc.tools.literate",
              List.of(
                  "futharkc.core.ir",
                  "futharkc.core.language",
                  "futharkc.core.runtime",
                  "futharkc.core.driver",
                  "futharkc.harness",
                  "org.commonmark",
                  "com.sun.net.httpserver",
                  "org.w3c.dom")),
          entry(
              "futharkc.tools.lsp",
              List.of(
                  "futharkc.core.ir",
                  "futharkc.core.language",
                  "futharkc.core.runtime",
                  "futharkc.core.driver",
                  "futharkc.tools.repl",
                  "org.eclipse.lsp4j",
                  "com.google.gson")),
          entry(
              "futharkc.tools.repl",
              List.of(
                  "futharkc.core.ir",
                  "futharkc.core.language",
                  "futharkc.core.runtime",
                  "futharkc.core.driver",
                  "org.jline")),
          entry("futharkc.tools.packages", List.of()),
          entry("futharkc.tools.reports", List.of("com.fasterxml.jackson")),
          entry(
              "futharkc.cli",
              List.of(
                  "futharkc.core.ir",
                  "futharkc.core.language",
                  "futharkc.core.runtime",
                  "futharkc.core.codegen",
                  "futharkc.core.driver",
                  "futharkc.harness",
                  "futharkc.tools",
                  "picocli",
                  "com.fasterxml.jackson",
                  "me.tongfei")));

  private static final List<String> PASS_MAY_SEE = List.of("futharkc.core.ir");
  private static final List<String> BACKEND_MAY_SEE =
      List.of("futharkc.core.ir", "futharkc.core.codegen", "futharkc.core.runtime");

  /**
   * The binding of a native interface for each backend that has one; no other module may use the
   * binding.
   */
  private static final Map<String, String> BINDINGS =
      Map.of("futharkc.backend.opencl", "org.jocl", "futharkc.backend.cuda", "jcuda");

  @Test
  void theClassesOfEveryModuleAreSeen() {
    Set<String> imported =
        CLASSES.stream()
            .map(JavaClass::getPackageName)
            .collect(Collectors.toCollection(TreeSet::new));
    assertAll(
        MODULES.stream()
            .map(
                m ->
                    () ->
                        assertTrue(
                            imported.stream().anyMatch(p -> in(p, m.descriptor().name())),
                            () -> "no class of " + m.descriptor().name() + " was imported")));
    assertTrue(MODULES.size() >= 12, () -> "modules: " + MODULES);
    assertTrue(CLASSES.size() > 100, () -> "only " + CLASSES.size() + " classes");
  }

  @Test
  void theTestsRunInANamedModule() {
    assertEquals("futharkc.tests", ArchitectureTest.class.getModule().getName());
  }

  @Test
  void modulesSeeOnlyWhatTheyMay() {
    assertAll(
        MODULES.stream()
            .map(m -> m.descriptor().name())
            .map(
                name ->
                    () -> {
                      List<String> allowed = new ArrayList<>(mayReach(name));
                      allowed.addAll(List.of(name, "java", "javax", "jdk", "org.jspecify"));
                      String[] patterns =
                          allowed.stream().map(p -> p + "..").toArray(String[]::new);
                      noClasses()
                          .that(belongTo(name))
                          .should()
                          .dependOnClassesThat(not(resideInAnyPackage(patterns)))
                          .because(name + " may see " + allowed)
                          .check(CLASSES);
                    }));
  }

  private static List<String> mayReach(String module) {
    if (module.startsWith("futharkc.pass.")) {
      return PASS_MAY_SEE;
    }
    if (module.startsWith("futharkc.backend.") && !MAY_SEE.containsKey(module)) {
      List<String> allowed = new ArrayList<>(BACKEND_MAY_SEE);
      if (BINDINGS.containsKey(module)) {
        allowed.add(BINDINGS.get(module));
      }
      return allowed;
    }
    List<String> allowed = MAY_SEE.get(module);
    if (allowed == null) {
      throw new AssertionError("module " + module + " has no entry in ArchitectureTest.MAY_SEE");
    }
    return allowed;
  }

  @Test
  void passesExportNothing() {
    assertAll(
        MODULES.stream()
            .map(ModuleReference::descriptor)
            .filter(m -> m.name().startsWith("futharkc.pass."))
            .map(
                m ->
                    () -> assertEquals(Set.<ModuleDescriptor.Exports>of(), m.exports(), m.name())));
  }

  @Test
  void nodesOfTheIrAreDeclaredInItsModule() {
    classes()
        .that(are("nodes", c -> !c.isInterface() && implementsNode(c)))
        .should()
        .resideInAPackage("futharkc.core.ir..")
        .check(CLASSES);
  }

  /**
   * Tests whether a class is a node: whether it implements a sealed interface of the IR's package.
   */
  private static boolean implementsNode(JavaClass c) {
    return c.getAllRawInterfaces().stream()
        .filter(i -> i.getPackageName().equals("futharkc.core.ir"))
        .anyMatch(i -> i.reflect().isSealed());
  }

  @Test
  void nothingIsMutableAndStatic() {
    fields()
        .that()
        .areStatic()
        .and(areDeclaredIn("handwritten code", c -> !isGenerated(c)))
        .should()
        .beFinal()
        .check(CLASSES);
    fields()
        .that()
        .areStatic()
        .and(areDeclaredIn("a pass", c -> c.getPackageName().startsWith("futharkc.pass.")))
        .should()
        .notHaveRawType(are("mutable", ArchitectureTest::isMutable))
        .allowEmptyShould(true)
        .check(CLASSES);
  }

  private static boolean isMutable(JavaClass type) {
    return type.isArray()
        || Stream.of(AtomicInteger.class, StringBuilder.class, java.util.Random.class)
            .anyMatch(type::isAssignableTo)
        || type.getPackageName().startsWith("java.util.concurrent")
        || (type.isAssignableTo(Collection.class) || type.isAssignableTo(Map.class))
            && !type.isInterface()
            && !type.getModifiers().contains(JavaModifier.ABSTRACT);
  }

  @Test
  void onlyTheCommandLineTouchesTheConsole() {
    noClasses()
        .that(
            not(
                resideInAnyPackage(
                    "futharkc.cli..",
                    "futharkc.harness.testing.worker..",
                    "futharkc.core.runtime..")))
        .should()
        .accessField(System.class, "out")
        .orShould()
        .accessField(System.class, "err")
        .orShould()
        .callMethod(System.class, "exit", int.class)
        .check(CLASSES);
  }

  @Test
  void packagesAreNullMarkedAndNamedForWhatTheyHold() {
    Set<String> packages =
        CLASSES.stream()
            .filter(c -> !isGenerated(c))
            .map(JavaClass::getPackageName)
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> marked =
        CLASSES.stream()
            .filter(c -> c.getSimpleName().equals("package-info"))
            .filter(c -> c.isAnnotatedWith(NullMarked.class))
            .map(JavaClass::getPackageName)
            .collect(Collectors.toCollection(TreeSet::new));
    packages.removeAll(marked);
    assertEquals(Set.of(), packages, "packages without a @NullMarked package-info");
    noClasses()
        .should()
        .resideInAnyPackage("..util..", "..utils..", "..helper..", "..helpers..", "..manager..")
        .check(CLASSES);
  }

  @Test
  void coreKnowsNoPassAndNoBackend() {
    noClasses()
        .that(resideInAPackage("futharkc.core.."))
        .should()
        .dependOnClassesThat(resideInAnyPackage("futharkc.pass..", "futharkc.backend.."))
        .check(CLASSES);
  }

  @Test
  void loweringsOfTargetsAreApart() {
    String room = "futharkc.core.codegen.lower.";
    Map<String, List<String>> mayNotSee =
        Map.of(
            "common", List.of("multicore", "gpu"),
            "multicore", List.of("gpu"),
            "gpu", List.of("multicore"));
    assertAll(
        mayNotSee.entrySet().stream()
            .map(
                e ->
                    () ->
                        noClasses()
                            .that(resideInAPackage(room + e.getKey()))
                            .should()
                            .dependOnClassesThat(
                                resideInAnyPackage(
                                    e.getValue().stream()
                                        .map(p -> room + p)
                                        .toArray(String[]::new)))
                            .check(CLASSES)));
  }

  /**
   * Checks that packages form layers, so that a reader can learn them bottom-up. The test ignores
   * the {@code permits} clause of {@link futharkc.core.ir.Ir}, which names the two kinds of
   * programs.
   */
  @Test
  void packagesHaveNoCycles() {
    slices().assignedFrom(BY_PACKAGE).should().beFreeOfCycles().check(CLASSES);
  }

  private static final SliceAssignment BY_PACKAGE =
      new SliceAssignment() {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass c) {
          return c.getPackageName().startsWith("futharkc.")
              ? SliceIdentifier.of(c.getPackageName())
              : SliceIdentifier.ignore();
        }

        @Override
        public String getDescription() {
          return "the packages";
        }
      };

  /** Checks that the packages in executables do not depend on the compiler. */
  @Test
  void whatRunsWithProgramsDoesNotKnowTheCompiler() {
    noClasses()
        .that(resideInAnyPackage("futharkc.core.runtime..", "futharkc.backend.*.runtime.."))
        .should()
        .dependOnClassesThat(resideInAnyPackage("futharkc.core.ir..", "futharkc.core.codegen.."))
        .check(CLASSES);
  }

  /** Tests whether ANTLR generated a class; the style rules do not apply to such classes. */
  private static boolean isGenerated(JavaClass c) {
    return c.getPackageName().equals("futharkc.core.language.grammar");
  }

  private static boolean in(String packageName, String root) {
    return packageName.equals(root) || packageName.startsWith(root + ".");
  }

  private static DescribedPredicate<JavaClass> belongTo(String module) {
    return are("of " + module, c -> in(c.getPackageName(), module));
  }

  private static DescribedPredicate<JavaClass> are(
      String what, java.util.function.Predicate<JavaClass> test) {
    return DescribedPredicate.describe(what, test);
  }

  private static DescribedPredicate<JavaField> areDeclaredIn(
      String what, java.util.function.Predicate<JavaClass> test) {
    return DescribedPredicate.describe(
        "declared in " + what,
        f -> test.test(f.getOwner()) && !f.getModifiers().contains(JavaModifier.SYNTHETIC));
  }
}
