package futharkc.core.ir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class PolyTest {
  private static final Name A = new Name("a", 1);
  private static final Name B = new Name("b", 2);
  private static final Name C = new Name("c", 3);

  private static Poly of(Name n) {
    return Poly.of(n);
  }

  @Test
  void substitutionIsSimultaneous() {
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

  @Test
  void divisionBySeveralTerms() {
    Poly n = of(A);
    Poly b = of(B);
    Poly nMinus1 = n.minus(Poly.ONE);
    assertEquals(new Poly.Division(b, Poly.ZERO), n.times(b).minus(b).divide(nMinus1));
    Poly p = n.times(n).times(5).plus(b.times(n)).plus(Poly.of(3));
    Poly.Division d = p.divide(nMinus1);
    assertEquals(p, d.quotient().times(nMinus1).plus(d.remainder()));
    assertEquals(
        new Poly.Division(Poly.of(2), n.plus(Poly.of(2))),
        n.times(7).plus(Poly.of(2)).divide(n.times(3)));
    assertEquals(new Poly.Division(Poly.of(-3), Poly.of(-1)), Poly.of(-7).divide(Poly.of(2)));
    assertThrows(ArithmeticException.class, () -> p.divide(Poly.ZERO));
  }

  @Test
  void divisionsMultiplyBack() {
    for (int t = 0; t < 2000; t++) {
      Random r = new Random(t);
      Poly p = random(r);
      Poly by = random(r);
      if (by.isZero()) {
        continue;
      }
      Poly.Division d = p.divide(by);
      assertEquals(p, d.quotient().times(by).plus(d.remainder()));
      assertEquals(new Poly.Division(p, Poly.ZERO), p.times(by).divide(by));
    }
  }

  private static Poly random(Random r) {
    Poly sum = Poly.ZERO;
    for (int t = r.nextInt(5); t > 0; t--) {
      Poly product = Poly.of(r.nextInt(-9, 10));
      for (int f = r.nextInt(4); f > 0; f--) {
        product = product.times(of(List.of(A, B, C).get(r.nextInt(3))));
      }
      sum = sum.plus(product);
    }
    return sum;
  }
}
