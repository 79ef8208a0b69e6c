package futharkc.core.ir.memory;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.ir.Aux;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.Lmad;
import futharkc.core.ir.Name;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

final class DensePartsTest {
  private static final Name M = new Name("m", 1);
  private static final Name N = new Name("n", 2);
  private static final SubExp ROWS = SubExp.of(M);
  private static final SubExp COLUMNS = SubExp.of(N);
  private static final Poly ROW = Poly.of(N);

  private final DenseParts parts = new DenseParts(new ScalarValues());

  @Test
  void rowsAreDisjoint() {
    assertTrue(parts.areDisjoint(row(0), row(1)));
    assertTrue(parts.areDisjoint(row(7), row(2)));
    assertFalse(parts.areDisjoint(row(3), row(3)));
    assertTrue(parts.areDisjoint(rows(0, 2), row(2)));
    assertFalse(parts.areDisjoint(rows(0, 2), row(1)));
  }

  @Test
  void matricesAreDisjoint() {
    Poly matrix = Poly.of(M).times(Poly.of(N));
    Lmad first = new Lmad(Poly.ZERO, dims(ROW, ROWS, Poly.ONE, COLUMNS));
    Lmad second = new Lmad(matrix, dims(ROW, ROWS, Poly.ONE, COLUMNS));
    assertTrue(parts.areDisjoint(first, second));
    assertFalse(parts.areDisjoint(first, row(1)));
  }

  @Test
  void columnsOfSoManyAreDisjoint() {
    assertTrue(parts.areDisjoint(columns(3, 1), columns(4, 1)));
    assertTrue(parts.areDisjoint(columns(3, 2), columns(15, 4)));
    assertFalse(parts.areDisjoint(columns(3, 2), columns(4, 1)));
    assertFalse(parts.areDisjoint(columns(3, 1), columns(13, 1)));
    assertFalse(parts.areDisjoint(columns(9, 2), columns(0, 1)));
    List<Lmad.Dim> dims = new ArrayList<>(columns(0, 2).dims());
    dims.addFirst(new Lmad.Dim(Poly.of(2), SubExp.i64(2)));
    assertTrue(parts.areDisjoint(new Lmad(Poly.ZERO, dims), columns(4, 1)));
    assertFalse(parts.areDisjoint(new Lmad(Poly.ZERO, dims), columns(3, 1)));
  }

  /** Returns columns of a matrix with ten columns. */
  private static Lmad columns(int first, int count) {
    return new Lmad(Poly.of(first), dims(Poly.of(10), ROWS, Poly.ONE, SubExp.i64(count)));
  }

  @Test
  void anotherBaseOrStrideIsNoProof() {
    Lmad shifted = new Lmad(ROW.plus(Poly.ONE), List.of(new Lmad.Dim(Poly.ONE, COLUMNS)));
    assertFalse(parts.areDisjoint(row(0), shifted));
    Lmad column = new Lmad(ROW, List.of(new Lmad.Dim(Poly.of(2), COLUMNS)));
    assertFalse(parts.areDisjoint(column, row(2)));
  }

  /**
   * Tests that a region may repeat at a sum of periods: a row repeats after {@code 3*n + m}, which
   * may be the fifth row from here.
   */
  @Test
  void periodsOfSeveralTermsAreNoProof() {
    Poly period = ROW.times(3).plus(Poly.of(M));
    Lmad first = new Lmad(Poly.ZERO, dims(period, ROWS, Poly.ONE, COLUMNS));
    Lmad fifth = new Lmad(ROW.times(5), dims(period, ROWS, Poly.ONE, COLUMNS));
    assertFalse(parts.areDisjoint(first, fifth));
  }

  /**
   * Tests that a unit of unknown sign proves nothing: if {@code n} is negative, larger multiples
   * are smaller.
   */
  @Test
  void negativeUnitsAreNoProof() {
    Name size = new Name("size", 3);
    ScalarValues values = new ScalarValues();
    values.add(
        new Stm(
            List.of(new PatElem(size, Type.I64)),
            Aux.NONE,
            new BasicOp.BinOpExp(
                new BinOp(BinOp.Kind.MUL, PrimType.I64), SubExp.i64(-2), SubExp.of(N))));
    DenseParts known = new DenseParts(values);
    Lmad first = new Lmad(Poly.ZERO, List.of(new Lmad.Dim(Poly.ONE, SubExp.of(size))));
    Lmad second = new Lmad(ROW.times(-1), List.of(new Lmad.Dim(Poly.ONE, SubExp.of(size))));
    assertFalse(known.areDisjoint(first, second));
    assertFalse(known.areDisjoint(second, first));
  }

  @Test
  void hashesAreNoProof() {
    long large = 1L << 40;
    assertFalse(parts.areDisjoint(row(0), new Lmad(ROW.times(large), row(0).dims())));
    Lmad again = new Lmad(Poly.ZERO, dims(ROW.times(large), ROWS, Poly.ONE, COLUMNS));
    Lmad after = new Lmad(ROW, again.dims());
    assertFalse(parts.areDisjoint(again, after));
    Lmad many = new Lmad(Poly.ZERO, dims(ROW, SubExp.i64(large), Poly.ONE, COLUMNS));
    assertFalse(parts.areDisjoint(many, new Lmad(ROW.times(-1), row(0).dims())));
  }

  @Test
  void agreesWithEnumeration() {
    assertAgreesWithEnumeration(DensePartsTest::any);
  }

  @Test
  void agreesWithEnumerationOfColumns() {
    assertAgreesWithEnumeration(DensePartsTest::anyColumns);
  }

  /**
   * Asserts that enumeration finds no overlap of random regions that the numbers prove disjoint.
   */
  private void assertAgreesWithEnumeration(Function<Random, Lmad> any) {
    Random random = new Random(5);
    int shown = 0;
    for (int k = 0; k < 20_000; k++) {
      Lmad a = any.apply(random);
      Lmad b = any.apply(random);
      if (!parts.areDisjoint(a, b)) {
        continue;
      }
      shown++;
      for (int m = 0; m <= 3; m++) {
        for (int n = 0; n <= 3; n++) {
          Set<Long> common = elements(a, m, n);
          common.retainAll(elements(b, m, n));
          assertTrue(common.isEmpty(), a + " and " + b);
        }
      }
    }
    assertTrue(shown > 100, "shown: " + shown);
  }

  private static Lmad row(int k) {
    return rows(k, 1);
  }

  private static Lmad rows(int k, int count) {
    return new Lmad(ROW.times(k), dims(ROW, SubExp.i64(count), Poly.ONE, COLUMNS));
  }

  private static List<Lmad.Dim> dims(Poly outer, SubExp rows, Poly inner, SubExp columns) {
    return List.of(new Lmad.Dim(outer, rows), new Lmad.Dim(inner, columns));
  }

  private static Lmad any(Random random) {
    Poly offset = ROW.times(random.nextInt(4)).plus(Poly.of(random.nextInt(3)));
    if (random.nextInt(4) == 0) {
      offset = offset.plus(Poly.of(M).times(ROW));
    }
    List<Lmad.Dim> dims = new ArrayList<>();
    Poly dense = Poly.ONE;
    for (int k = random.nextInt(3); k >= 0; k--) {
      SubExp size =
          switch (random.nextInt(4)) {
            case 0 -> ROWS;
            case 1 -> SubExp.i64(random.nextInt(3));
            default -> COLUMNS;
          };
      dims.addFirst(new Lmad.Dim(random.nextInt(8) == 0 ? Poly.of(2) : dense, size));
      dense = dense.times(Poly.of(size));
    }
    return new Lmad(offset, dims);
  }

  /** Returns random elements or rows of one or several arrays, mostly four or five. */
  private static Lmad anyColumns(Random random) {
    Poly unit = random.nextBoolean() ? Poly.ONE : ROW;
    List<Lmad.Dim> dims = new ArrayList<>();
    if (unit.equals(ROW)) {
      dims.add(new Lmad.Dim(Poly.ONE, COLUMNS));
    }
    if (random.nextBoolean()) {
      dims.addFirst(new Lmad.Dim(unit, SubExp.i64(random.nextInt(1, 4))));
    }
    long period = random.nextInt(4, 6);
    dims.addFirst(new Lmad.Dim(unit.times(period), ROWS));
    if (random.nextInt(3) == 0) {
      long outer = random.nextInt(4) == 0 ? random.nextInt(-6, 7) : period * random.nextInt(-2, 4);
      dims.addFirst(new Lmad.Dim(unit.times(outer), SubExp.i64(2)));
    }
    return new Lmad(unit.times(random.nextInt(12)), dims);
  }

  private static Set<Long> elements(Lmad l, long m, long n) {
    List<Long> found = new ArrayList<>(List.of(value(l.offset(), m, n)));
    for (Lmad.Dim d : l.dims()) {
      List<Long> next = new ArrayList<>();
      for (long i = 0; i < value(Poly.of(d.size()), m, n); i++) {
        for (long at : found) {
          next.add(at + i * value(d.stride(), m, n));
        }
      }
      found = next;
    }
    return new HashSet<>(found);
  }

  private static long value(Poly p, long m, long n) {
    Poly v = p.substitute(x -> Poly.of(x.equals(M) ? m : n));
    Long c = v.constant();
    if (c == null) {
      throw new IllegalStateException(v.toString());
    }
    return c;
  }
}
