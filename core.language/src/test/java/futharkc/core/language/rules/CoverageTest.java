package futharkc.core.language.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;

import futharkc.core.ir.Loc;
import futharkc.core.language.syntax.PrimType;
import futharkc.core.language.typed.Exp;
import futharkc.core.language.typed.Pat;
import futharkc.core.language.typed.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class CoverageTest {
  private static final Type INT = Type.prim(PrimType.I32);
  private static final Type BOOL = Type.prim(PrimType.BOOL);
  private static final Type OPTION = sum("none", List.of(), "some", List.of(INT));
  private static final Type PAIRED = sum("both", List.of(INT, OPTION), "no", List.of());
  private static final Pat ANY = new Pat.Wildcard(INT, Loc.NONE);

  @Test
  void showsTheConstructorThatIsMissingInside() {
    Pat no = constr(PAIRED, "no");
    Pat some5 = constr(PAIRED, "both", ANY, constr(OPTION, "some", number(5)));
    assertEquals(
        List.of("#both _ #none", "#both _ (#some _)"), Coverage.uncovered(List.of(no, some5)));
  }

  @Test
  void combinesComponents() {
    List<Pat> diagonal = List.of(tuple(bool(false), bool(false)), tuple(bool(true), bool(true)));
    assertEquals(List.of("(false, true)", "(true, false)"), Coverage.uncovered(diagonal));
    List<Pat> all = new ArrayList<>(diagonal);
    all.add(tuple(bool(true), bool(false)));
    all.add(tuple(new Pat.Wildcard(BOOL, Loc.NONE), bool(true)));
    assertEquals(List.of(), Coverage.uncovered(all));
  }

  @Test
  void numbersNeedADefault() {
    assertEquals(List.of("_"), Coverage.uncovered(List.of(number(0), number(1))));
    assertEquals(List.of(), Coverage.uncovered(List.of(number(0), ANY)));
  }

  /** Checks that matches with many cases and columns take little time and stack. */
  @Test
  void copesWithLargeMatches() {
    List<Pat> cases = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      cases.add(number(i));
    }
    assertEquals(List.of("_"), Coverage.uncovered(cases));
    Pat[] columns = new Pat[1000];
    Arrays.fill(columns, bool(true));
    Pat wide = tuple(columns);
    Arrays.fill(columns, ANY);
    assertEquals(List.of(), Coverage.uncovered(List.of(wide, tuple(columns))));
  }

  private static Type sum(String a, List<Type> as, String b, List<Type> bs) {
    var variants = new TreeMap<String, List<Type>>();
    variants.put(a, as);
    variants.put(b, bs);
    return new Type.Sum(variants);
  }

  private static Pat constr(Type type, String name, Pat... payload) {
    return new Pat.Constr(name, List.of(payload), type, Loc.NONE);
  }

  private static Pat tuple(Pat... parts) {
    var fields = new TreeMap<String, Pat>(Type.FIELD_ORDER);
    for (int i = 0; i < parts.length; i++) {
      fields.put(Integer.toString(i), parts[i]);
    }
    Type type = Type.tuple(Arrays.stream(parts).map(Pat::type).toList());
    return new Pat.Record(fields, type, Loc.NONE);
  }

  private static Pat number(long n) {
    return new Pat.Literal(new Exp.Lit(PrimType.I32, n, Loc.NONE), Loc.NONE);
  }

  private static Pat bool(boolean b) {
    return new Pat.Literal(new Exp.Lit(PrimType.BOOL, b ? 1 : 0, Loc.NONE), Loc.NONE);
  }
}
