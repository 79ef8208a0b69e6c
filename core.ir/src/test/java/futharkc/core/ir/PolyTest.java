package futharkc.core.ir;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

final class PolyTest {
  private static final Name A = new Name("a", 1);
  private static final Name B = new Name("b", 2);
  private static final Name C = new Name("c", 3);

  private static Poly of(Name n) {
    return Poly.of(n);
  }

  @Test
  void substitutionIsOfAllNamesAtOnce() {
    Poly p = of(A).times(of(B)).times(3).plus(of(A)).plus(Poly.of(7));
    Poly swapped = p.substitute(n -> n.equals(A) ? of(B) : n.equals(B) ? of(A) : of(n));
    assertEquals(of(B).times(of(A)).times(3).plus(of(B)).plus(Poly.of(7)), swapped);
    assertEquals(Poly.of(7), p.substitute(n -> n.equals(A) ? Poly.ZERO : of(n)));
    assertEquals(
        of(C).times(of(C)).times(3).plus(of(C)).plus(Poly.of(7)), p.substitute(n -> of(C)));
    Poly sum = of(B).plus(Poly.ONE);
    assertEquals(
        sum.times(of(B)).times(3).plus(sum).plus(Poly.of(7)),
        p.substitute(n -> n.equals(A) ? sum : of(n)));
    assertEquals(Poly.of(7), of(A).minus(of(B)).plus(Poly.of(7)).substitute(n -> of(C)));
  }
}
