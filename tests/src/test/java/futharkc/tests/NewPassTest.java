package futharkc.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.driver.Compiler;
import futharkc.core.ir.text.Parser;
import futharkc.core.ir.text.Printer;
import futharkc.core.ir.verify.Verifier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the script that adds the module of a pass, on a copy of the files that it changes. */
final class NewPassTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final List<String> EDITED =
      List.of("pom.xml", "bom/pom.xml", "dist/pom.xml", "tests/src/main/java/module-info.java");

  @TempDir private Path folder;

  private ShellScript run(String... arguments) throws Exception {
    for (String file : EDITED) {
      copy(file);
    }
    return ShellScript.run(copy("dist/new-pass.sh"), arguments);
  }

  private Path copy(String file) throws IOException {
    Path copy = folder.resolve(file);
    Files.createDirectories(copy.getParent());
    return Files.write(copy, Files.readAllBytes(ROOT.resolve(file)));
  }

  @Test
  void theGeneratedModuleIsAPass() throws Exception {
    ShellScript result = run("loop-reversal", "reverses loops without dependencies");
    assertEquals(0, result.status(), result.output());
    Path module = folder.resolve("pass.loop-reversal");

    Path jars = Files.createDirectory(folder.resolve("jars"));
    PluginJar.ofModule(module.resolve("src/main/java"), jars.resolve("pass.jar"));
    Compiler compiler = Compiler.withPlugins(List.of(jars));
    assertTrue(compiler.registry().passes().containsKey("loop-reversal"));

    String golden = "src/test/resources/futharkc/pass/loopreversal/addition.fir";
    String[] programs = Files.readString(module.resolve(golden)).split("=====\n");
    assertEquals(programs[0], programs[1]);
    var program = Parser.parseAny("addition.fir", programs[0]);
    Verifier.verify(program);
    assertEquals(programs[0], Printer.print(program));
  }

  @Test
  void theModuleIsInAllLists() throws Exception {
    assertEquals(0, run("loop-reversal", "reverses loops").status());
    assertEquals(2, count("pom.xml", ">pass.loop-reversal<"));
    assertEquals(1, count("bom/pom.xml", ">pass.loop-reversal<"));
    assertEquals(1, count("dist/pom.xml", ">pass.loop-reversal<"));
    assertEquals(1, count(EDITED.getLast(), "requires futharkc.pass.loopreversal;"));
  }

  private long count(String file, String part) throws IOException {
    return Files.readString(folder.resolve(file)).lines().filter(l -> l.contains(part)).count();
  }

  @Test
  void badNamesAreRejected() throws Exception {
    for (String name : List.of("", "Loops", "a_b", "-a", "a-", "a--b", "2d")) {
      assertEquals(1, run(name, "reverses loops").status(), name);
    }
    assertEquals(1, run("loop-reversal", "Reverses loops.").status());
    assertEquals(1, run("loop-reversal").status());
    assertEquals(0, run("loop-reversal", "reverses loops").status());
    assertEquals(1, run("loop-reversal", "reverses loops").status(), "the module is there already");
  }
}
