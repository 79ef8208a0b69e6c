package futharkc.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.driver.Compiled;
import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.Source;
import futharkc.core.driver.failure.CompilerBugException;
import futharkc.core.driver.failure.CompilerException;
import futharkc.core.driver.failure.PlanException;
import futharkc.core.driver.failure.PluginException;
import futharkc.core.driver.failure.ProgramRejectedException;
import futharkc.core.driver.plan.PassCatalogue;
import futharkc.core.ir.Ir;
import futharkc.core.ir.text.Printer;
import futharkc.core.runtime.embed.LoadedProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Tests of plugin passes in jars outside of the project's module path. */
final class PluginTest {
  private static final Source PROGRAM =
      Source.ofText("double.fut", "def main (xs: []i32) = i32.sum (map (\\x -> x * 2) xs)");

  @TempDir private Path folder;
  @TempDir private Path crashes;

  @Test
  void aPluginRunsWhereItWantsToAndChangesTheCode() throws Exception {
    PluginJar.ofFolder(Path.of("src/plugins/doubling"), folder.resolve("doubling.jar"));
    Compiler compiler = Compiler.withPlugins(List.of(folder));
    CompilerOptions options = CompilerOptions.DEFAULT.withPasses("+doubling");

    List<String> order = compiler.plan(options).steps().stream().map(s -> s.pass().name()).toList();
    int at = order.indexOf("doubling");
    assertTrue(order.indexOf("fusion") < at && at < order.indexOf("parallelise"), order::toString);

    assertTrue(stopped(compiler, CompilerOptions.DEFAULT).contains("mul_i32("));
    assertFalse(stopped(compiler, options).contains("mul_i32("));
    Compiled changed = compiler.compile(PROGRAM, options);
    assertTrue(
        changed.remarks().stream().anyMatch(r -> r.toString().contains("doubled by an addition")),
        changed.remarks()::toString);
    try (LoadedProgram program = changed.load()) {
      assertEquals(12, program.call("main", (Object) new int[] {1, 2, 3}));
    }
  }

  @Test
  void aPluginMayBringAPassOnImperativePrograms() throws Exception {
    String twice =
        """
        return function.withBody(new CodeMapper() {
          @Override
          public Expr expr(Expr e) {
            return super.expr(e) instanceof Expr.Binary b
                ? b.op().kind() == BinOp.Kind.MUL
                    ? new Expr.Binary(new BinOp(BinOp.Kind.ADD, b.op().type()), b.left(), b.left())
                    : b
                : super.expr(e);
          }
        }.statements(function.body()), function.nextTag());
        """;
    PluginJar.ofTexts(imperative(twice), folder.resolve("p.jar"));
    CompilerOptions options = CompilerOptions.DEFAULT.withPasses("+mine");
    List<String> order = load().plan(options).steps().stream().map(s -> s.pass().name()).toList();
    assertTrue(order.indexOf("lower-multicore") < order.indexOf("mine"), order::toString);
    String before = Printer.print(stoppedAfter("lower-multicore", options));
    String after = Printer.print(stoppedAfter("mine", options));
    assertTrue(before.contains("mul_i32("), before);
    assertFalse(after.contains("mul_i32("), after);
    try (LoadedProgram program = compile().load()) {
      assertEquals(12, program.call("main", (Object) new int[] {1, 2, 3}));
    }
  }

  @Test
  void aPassThatMakesAnIllFormedImperativeProgramIsNamed() throws Exception {
    String dropsDeclarations =
        """
        return function.withBody(
            function.body().stream().filter(c -> !(c instanceof Code.Declare)).toList(),
            function.nextTag());
        """;
    PluginJar.ofTexts(imperative(dropsDeclarations), folder.resolve("p.jar"));
    assertMentions(
        CompilerBugException.class, this::compile, "mine", "org.example.mine", "ill-formed");
  }

  @Test
  void eachFolderIsALayerOfItsOwn() throws Exception {
    Path first = folder.resolve("a/x.jar");
    Path second = folder.resolve("b/x.jar");
    PluginJar.ofTexts(plugin("one", "return 1;", NOTHING, ""), first);
    PluginJar.ofTexts(plugin("two", "return 1;", NOTHING, ""), second);
    Compiler compiler = Compiler.withPlugins(List.of(first.getParent(), second.getParent()));
    assertTrue(compiler.registry().passes().keySet().containsAll(List.of("one", "two")));
  }

  @Test
  void anotherInterfaceLevelIsRefused() throws Exception {
    PluginJar.ofTexts(plugin("mine", "return 99;", NOTHING, ""), folder.resolve("p.jar"));
    assertMentions(PluginException.class, this::load, "org.example.bad", "level 99", "level 1");
  }

  @Test
  void aDuplicateNameIsRefused() throws Exception {
    PluginJar.ofTexts(plugin("fusion", "return 1;", NOTHING, ""), folder.resolve("p.jar"));
    assertMentions(
        PluginException.class, this::load, "fusion", "futharkc.pass.fusion", "org.example.bad");
  }

  @Test
  void aProviderThatCannotBeMadeIsNamed() throws Exception {
    Map<String, String> sources =
        plugin(
            "mine", "return 1;", NOTHING, "{ if (true) throw new IllegalStateException(\"no\"); }");
    PluginJar.ofTexts(sources, folder.resolve("p.jar"));
    assertMentions(PluginException.class, this::load, "org.example.bad.BadPass", "no");
  }

  @Test
  void folderWithoutModulesAreRefused() throws Exception {
    assertMentions(PluginException.class, this::load, folder.toString(), "no modules");
    Files.writeString(folder.resolve("broken.jar"), "not a jar");
    assertMentions(PluginException.class, this::load, folder.toString());
  }

  @Test
  void aFolderThatProvidesNothingIsRefused() throws Exception {
    PluginJar.ofTexts(
        Map.of("x/Q.java", "package x; public final class Q {}"), folder.resolve("lost.jar"));
    assertMentions(PluginException.class, this::load, folder.toString(), "lost", "'provides ");
  }

  @Test
  void cyclicConstraintsAreRefused() throws Exception {
    PluginJar.ofTexts(
        plugin("mine", "return 1;", ".after(\"parallelise\").before(\"fusion\")", ""),
        folder.resolve("p.jar"));
    assertMentions(
        PlanException.class,
        () -> load().plan(CompilerOptions.DEFAULT.withPasses("+mine")),
        "mine",
        "parallelise",
        "The pass mine belongs to plugin org.example.bad in " + folder);
  }

  @Test
  void constraintsOnPassesThatAreNotThereAreNoted() throws Exception {
    PluginJar.ofTexts(
        plugin("mine", "return 1;", ".after(\"fusoin\", \"mc-late\").before(\"hoist\")", ""),
        folder.resolve("p.jar"));
    List<String> notes = new PassCatalogue(load().registry()).notes();
    assertEquals(1, notes.size(), notes::toString);
    for (String word : List.of("mine", "org.example.bad", "after fusoin", "Did you mean fusion?")) {
      assertTrue(notes.getFirst().contains(word), notes::toString);
    }
    assertEquals(List.of(), new PassCatalogue(Compiler.create().registry()).notes());
  }

  @Test
  void unsatisfiableConstraintsAreRefused() throws Exception {
    PluginJar.ofTexts(
        plugin("mine", "return 1;", ".requires(new Property(\"mine.never\"))", ""),
        folder.resolve("p.jar"));
    assertMentions(
        PlanException.class,
        () -> load().plan(CompilerOptions.DEFAULT.withPasses("+mine")),
        "mine",
        "'mine.never'",
        "no pass establishes",
        "org.example.bad in " + folder);
  }

  @Test
  void aPassThatThrowsIsNamedAndLeavesAReproducer() throws Exception {
    PluginJar.ofTexts(
        plugin("mine", "return 1;", NOTHING, "", "throw new IllegalStateException(\"oops\");"),
        folder.resolve("p.jar"));
    CompilerBugException e =
        assertMentions(
            CompilerBugException.class, this::compile, "mine", "org.example.bad", "oops");
    assertTrue(Files.exists(e.reproducer()));
    // The reproducer fails with the same error.
    Source reproducer = Source.ofFile(e.reproducer());
    String plan = e.getMessage().replaceAll("(?s).*'--plan=([^']*)'.*", "$1");
    assertMentions(
        CompilerBugException.class,
        () -> load().compile(reproducer, CompilerOptions.DEFAULT.withPlan(plan)),
        "mine",
        "oops");
  }

  @Test
  void anErrorOfAPluginNamesThePlugin() throws Exception {
    String error = "throw new Error(\"oops\");";
    PluginJar.ofTexts(plugin("mine", "return 1;", NOTHING, "", error), folder.resolve("p.jar"));
    CompilerBugException e =
        assertMentions(
            CompilerBugException.class, this::compile, "mine", "org.example.bad", "oops");
    assertTrue(Files.exists(e.reproducer()));
    PluginJar.ofTexts(plugin("mine", error, NOTHING, "", "return null;"), folder.resolve("p.jar"));
    assertMentions(PluginException.class, this::load, "org.example.bad", "interface level", "oops");
    String failing =
        ".after(((java.util.function.Supplier<String>) () -> { " + error + " }).get())";
    PluginJar.ofTexts(
        plugin("mine", "return 1;", failing, "", "return null;"), folder.resolve("p.jar"));
    assertMentions(PluginException.class, this::load, "org.example.bad", "declaration", "oops");
    PluginJar.ofTexts(
        plugin("mine", "return 1;", NOTHING, "{ " + error + " }", "return null;"),
        folder.resolve("p.jar"));
    assertMentions(PluginException.class, this::load, "BadPass", "cannot be loaded", "oops");
  }

  @Test
  void aPassThatReturnsNothingOrGivesUpIsNamed() throws Exception {
    PluginJar.ofTexts(
        plugin("mine", "return 1;", NOTHING, "", "return null;"), folder.resolve("p.jar"));
    assertMentions(
        CompilerBugException.class, this::compile, "mine", "org.example.bad", "no program");
    PluginJar.ofTexts(
        plugin("mine", "return 1;", NOTHING, "", "throw new PassException(Loc.NONE, \"cannot\");"),
        folder.resolve("p.jar"));
    assertMentions(
        ProgramRejectedException.class, this::compile, "cannot (pass mine of plugin org.example");
  }

  @Test
  void aPluginMayBringABackend() throws Exception {
    Map<String, String> sources =
        Map.of(
            "module-info.java",
            """
            module org.example.bad {
              requires futharkc.core.codegen;
              provides futharkc.core.codegen.Backend with org.example.bad.BadBackend;
            }
            """,
            "org/example/bad/BadBackend.java",
            """
            package org.example.bad;
            import futharkc.core.codegen.Backend;
            import futharkc.core.codegen.java.HotSpot;
            import futharkc.core.ir.*;
            import futharkc.core.runtime.FutharkProgram;
            import java.nio.file.Path;
            import java.util.List;
            public final class BadBackend implements Backend {
              public List<Target> targets() {
                return List.of(new Target("nothing", Rep.SOACS, "a test", HotSpot.machine()));
              }
              public int apiLevel() { return 1; }
              public Product compile(Ir program, String name, Target target) {
                return new Product() {
                  public List<Source> sources() {
                    return List.of(new Source(name, program.rep().toString()));
                  }
                  public void writeExecutable(Path file, List<String> options) {}
                  public FutharkProgram load() { throw new AssertionError("oops"); }
                };
              }
            }
            """);
    PluginJar.ofTexts(sources, folder.resolve("p.jar"));
    Compiled compiled = load().compile(PROGRAM, CompilerOptions.DEFAULT.withTarget("nothing"));
    assertEquals("soacs", compiled.sources().getFirst().text());
    assertMentions(
        CompilerBugException.class,
        compiled::load,
        "the target nothing",
        "org.example.bad",
        "AssertionError: oops");
  }

  @Test
  void aPassThatMakesAnIllFormedProgramIsNamed() throws Exception {
    String dropsStatements =
        """
        return program.withFunctions(program.functions().entrySet().stream().collect(
            java.util.stream.Collectors.toMap(
                e -> e.getKey(),
                e -> e.getValue().withBody(
                    new Body(java.util.List.of(), e.getValue().body().results()),
                    e.getValue().nextTag()))));
        """;
    PluginJar.ofTexts(
        plugin("mine", "return 1;", NOTHING, "", dropsStatements), folder.resolve("p.jar"));
    assertMentions(
        CompilerBugException.class, this::compile, "mine", "org.example.bad", "ill-formed");
  }

  private static String stopped(Compiler compiler, CompilerOptions options) {
    CompilerOptions stopping = options.withStopAfter("allocate-multicore");
    return Printer.print(compiler.compile(PROGRAM, stopping).program());
  }

  private Ir stoppedAfter(String pass, CompilerOptions options) {
    return load().compile(PROGRAM, options.withStopAfter(pass)).ir().program();
  }

  private Compiler load() {
    return Compiler.withPlugins(List.of(folder));
  }

  private Compiled compile() {
    CompilerOptions options = CompilerOptions.DEFAULT.withPasses("+mine").withCrashFolder(crashes);
    return load().compile(PROGRAM, options);
  }

  private static <E extends CompilerException> E assertMentions(
      Class<E> type, Executable call, String... words) {
    E e = assertThrows(type, call);
    for (String word : words) {
      assertTrue(e.getMessage().contains(word), () -> "no " + word + " in: " + e.getMessage());
    }
    return e;
  }

  private static final String NOTHING = "";

  /** Returns the sources of a plugin with a pass on functions of imperative programs. */
  private static Map<String, String> imperative(String body) {
    return Map.of(
        "module-info.java",
        """
        module org.example.mine {
          requires futharkc.core.ir;
          provides futharkc.core.ir.spi.Pass with org.example.mine.MyPass;
        }
        """,
        "org/example/mine/MyPass.java",
        """
        package org.example.mine;
        import futharkc.core.ir.*;
        import futharkc.core.ir.imperative.*;
        import futharkc.core.ir.spi.*;
        public final class MyPass implements Pass.OnImperative {
          public PassInfo info() {
            return PassInfo.named("mine", "a test", Rep.MC_IMP).optional();
          }
          public int apiLevel() { return 1; }
          public ImperativeProgram.Function run(
              ImperativeProgram.Function function, ImperativeProgram program, PassContext context) {
            %s
          }
        }
        """
            .formatted(body));
  }

  private static Map<String, String> plugin(
      String name, String level, String constraints, String initialiser) throws IOException {
    return plugin(name, level, constraints, initialiser, "return program;");
  }

  private static Map<String, String> plugin(
      String name, String level, String constraints, String initialiser, String body) {
    return Map.of(
        "module-info.java",
        """
        module org.example.bad {
          requires futharkc.core.ir;
          provides futharkc.core.ir.spi.Pass with org.example.bad.BadPass;
        }
        """,
        "org/example/bad/BadPass.java",
        """
        package org.example.bad;
        import futharkc.core.ir.*;
        import futharkc.core.ir.spi.*;
        public final class BadPass implements Pass.OnProgram {
          public BadPass() %s
          public PassInfo info() {
            return PassInfo.named("%s", "a test", Rep.SOACS)%s.optional();
          }
          public int apiLevel() { %s }
          public Program run(Program program, PassContext context) { %s }
        }
        """
            .formatted(initialiser.isEmpty() ? "{}" : initialiser, name, constraints, level, body));
  }
}
