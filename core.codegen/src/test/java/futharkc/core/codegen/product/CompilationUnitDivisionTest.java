package futharkc.core.codegen.product;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

final class CompilationUnitDivisionTest {
  private static final String UNIT =
      """
      package futhark.generated;
      import java.util.function.IntSupplier;
      import java.util.List;
      public final class FutharkMain implements IntSupplier {
        final int[] sizes = new int[] {1, 2, 3};
        private static final String BRACE = "}{\\"";
        FutharkMain() { super(); }
        @Override public int getAsInt() { return Functions.f(this, '}') + new Region(this).go(2).r0; }
      // A comment with a brace: }
      @Override
      public String toString() {
      return BRACE + "{" + '\\'' + '"' /* { */;
      }
      }
      final class Functions {
        static { System.nanoTime(); }
        static final class Results_g {
          int r0;
          long r1;
          int sum() { return r0 + (int) r1; }
        }
        static int f(FutharkMain p, char c) {
          for (int i : p.sizes) { if (i > 2) return c; }
          return 0;
        }
      static Results_g g(int x) { Results_g r = new Results_g(); r.r0 = x; r.r1 = 2L * x; return r; }
      }
      final class Region extends Base {
        final FutharkMain p;
        int[] mem;
        Region(FutharkMain p) {
          this.p = p;
        }
        Functions.Results_g go(int x) {
          final int[] mem = {x, x + 1};
          this.mem = mem;
          IntSupplier s = () -> { return Functions.g(mem[1]).sum(); };
          return Functions.g(s.getAsInt());
        }
        protected void run(int chunk) { mem[chunk] = 0; }
      }
      final class Base_ {
        int unused;
      }
      """
          .replace("extends Base ", "");

  private static Map<String, byte[]> compiled(String source) {
    return new TreeMap<>(JavaCompilation.run(source, List.of()));
  }

  @Test
  void partsMakeTheClassesOfTheWhole() {
    Map<String, byte[]> whole = compiled(UNIT);
    List<CompilationUnitDivision.Part> parts = CompilationUnitDivision.inTwo(UNIT);
    assertEquals(2, parts.size());
    Map<String, byte[]> made = new TreeMap<>();
    for (CompilationUnitDivision.Part part : parts) {
      compiled(part.source())
          .forEach(
              (name, code) -> {
                if (part.makes(name)) {
                  assertTrue(made.put(name, code) == null, name);
                }
              });
    }
    assertEquals(new TreeSet<>(whole.keySet()), new TreeSet<>(made.keySet()));
    whole.forEach((name, code) -> assertArrayEquals(code, made.get(name), name));
  }

  @Test
  void whatAnotherPartMakesHasNoStatements() {
    List<CompilationUnitDivision.Part> parts = CompilationUnitDivision.inTwo(UNIT);
    assertFalse(parts.get(0).source().contains("this.mem = mem"));
    assertFalse(parts.get(1).source().contains("return Functions.f(this"));
    assertTrue(parts.get(1).source().contains("native @Override public int getAsInt();"));
  }

  @Test
  void whatIsNotOnlyClassesStaysWhole() {
    for (String other : List.of("interface I { int f(); }\n", "final class X {\n")) {
      assertEquals(1, CompilationUnitDivision.inTwo(UNIT + other).size(), other);
    }
  }
}
