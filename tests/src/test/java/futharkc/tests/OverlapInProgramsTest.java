package futharkc.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.Source;
import futharkc.core.ir.ArrayMem;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Lmad;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Poly;
import futharkc.core.ir.Program;
import futharkc.core.ir.Rep;
import futharkc.core.ir.Stm;
import futharkc.core.ir.Type;
import futharkc.core.ir.symbolic.Bounds;
import futharkc.core.ir.symbolic.Facts;
import futharkc.core.ir.symbolic.NonOverlap;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that the analysis proves slices in real programs disjoint. */
final class OverlapInProgramsTest {
  private static final Path PROGRAMS = Path.of("src/test/resources/futharkc/tests/overlap");
  private static final Compiler COMPILER = Compiler.create();

  /** The slice of an array that a statement reads or writes. */
  private record Access(boolean write, Lmad lmad) {}

  /** The accesses of a list of statements, and the bounds that hold after it. */
  private record Accesses(List<Access> all, Bounds known) {
    List<Lmad> writes(boolean write) {
      return all.stream().filter(a -> a.write == write).map(Access::lmad).toList();
    }

    boolean areApart(Lmad a, Lmad b) {
      return new NonOverlap(known).disjoint(a, b);
    }
  }

  /**
   * A collector of the slice accesses of each list of statements. The collector ignores reads of
   * single elements.
   */
  private static final class Finder {
    private final Map<Name, ArrayMem> places = new HashMap<>();
    private final List<Accesses> found = new ArrayList<>();

    Finder(FunDef f) {
      for (Param p : f.params()) {
        place(p.name(), p.type());
      }
      body(f.body(), Facts.of(f));
    }

    private void place(Name name, Type type) {
      if (type instanceof Type.Array a) {
        places.put(name, Objects.requireNonNull(a.mem()));
      }
    }

    private Lmad of(Name array) {
      return Objects.requireNonNull(places.get(array)).lmad();
    }

    private void body(Body b, Facts facts) {
      List<Access> all = new ArrayList<>();
      for (Stm s : b.stms()) {
        switch (s.exp()) {
          case BasicOp.Index x -> {
            if (!x.slice().isElement()) {
              all.add(new Access(false, of(x.array()).slice(x.slice())));
            }
          }
          case BasicOp.FlatIndex x ->
              all.add(new Access(false, of(x.array()).flatSlice(x.slice())));
          case BasicOp.Update x -> all.add(new Access(true, of(x.array()).slice(x.slice())));
          case BasicOp.FlatUpdate x ->
              all.add(new Access(true, of(x.array()).flatSlice(x.slice())));
          case Exp.Loop l -> {
            for (Exp.LoopParam p : l.params()) {
              place(p.param().name(), p.param().type());
            }
            body(l.body(), facts.inLoop(l));
          }
          case Exp.Match m -> {
            for (int k = 0; k < m.cases().size(); k++) {
              body(m.cases().get(k).body(), facts.inBranch(m, k));
            }
            body(m.otherwise(), facts.inBranch(m, m.cases().size()));
          }
          default -> {}
        }
        for (PatElem p : s.pat()) {
          place(p.name(), p.type());
        }
        facts.passed(s);
      }
      found.add(new Accesses(all, facts.bounds()));
    }
  }

  private static List<Accesses> accesses(String file, String entry) throws IOException {
    Source source = Source.ofFile(PROGRAMS.resolve(file));
    Program p = COMPILER.optimise(source, CompilerOptions.DEFAULT, Rep.SEQ_MEM).program();
    FunDef f =
        p.functions().values().stream()
            .filter(g -> g.entry() != null && g.entry().name().equals(entry))
            .findFirst()
            .orElseThrow();
    return new Finder(f).found;
  }

  @ParameterizedTest
  @ValueSource(strings = {"sizes", "blocks"})
  void needlemanWunsch(String entry) throws IOException {
    int loops = 0;
    for (Accesses a : accesses("nw.fut", entry)) {
      if (a.writes(true).size() != 1 || a.writes(false).size() != 2) {
        continue;
      }
      loops++;
      Lmad written = a.writes(true).get(0);
      for (Lmad read : a.writes(false)) {
        assertTrue(a.areApart(written, read), () -> written + " and " + read);
        assertFalse(a.areApart(moved(written, -1), read) && a.areApart(moved(written, 1), read));
      }
    }
    assertEquals(entry.equals("sizes") ? 2 : 1, loops);
  }

  @Test
  void decomposition() throws IOException {
    Accesses a =
        accesses("lud.fut", "main").stream()
            .filter(x -> x.writes(true).size() == 4)
            .findFirst()
            .orElseThrow();
    List<Lmad> writes = a.writes(true);
    pairs(a, writes);
    for (int i = 0; i < 4; i++) {
      assertFalse(a.areApart(writes.get(i), writes.get(i)));
    }
  }

  @Test
  void stencil() throws IOException {
    Accesses a =
        accesses("hotspot.fut", "main").stream()
            .filter(x -> x.writes(true).size() == 9)
            .findFirst()
            .orElseThrow();
    pairs(a, a.writes(true));
  }

  private static void pairs(Accesses in, List<Lmad> all) {
    for (int i = 0; i < all.size(); i++) {
      for (int k = i + 1; k < all.size(); k++) {
        Lmad a = all.get(i);
        Lmad b = all.get(k);
        assertTrue(in.areApart(a, b), () -> a + " and " + b);
        assertTrue(in.areApart(b, a));
      }
    }
  }

  private static Lmad moved(Lmad l, long by) {
    return new Lmad(l.offset().plus(Poly.of(by)), l.dims());
  }
}
