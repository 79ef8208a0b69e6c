package futharkc.core.ir.symbolic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.ir.Body;
import futharkc.core.ir.Lmad;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.Type;
import futharkc.core.ir.text.Parser;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

final class NonOverlapTest {
  private static final Name I = new Name("i", 1);
  private static final Name N = new Name("n", 2);
  private static final Name M = new Name("m", 3);
  private static final Name B = new Name("b", 4);

  /** Returns a prover that knows {@code 0 <= i < n}, {@code m >= 1} and {@code b >= 1}. */
  private static NonOverlap prover() {
    Bounds bounds = new Bounds(null);
    bounds.addIndex(I, Poly.of(N));
    bounds.addNonNegative(N);
    bounds.addNonNegative(M);
    bounds.addFact(Poly.of(M).minus(Poly.ONE));
    bounds.addNonNegative(B);
    bounds.addFact(Poly.of(B).minus(Poly.ONE));
    return new NonOverlap(bounds);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        // Adjacent slices of a vector.
        "0 + {n_2: 1}; n_2 + {m_3: 1}; true",
        "0 + {n_2: 1}; -1 + n_2 + {m_3: 1}; false",
        // A reversed vector.
        "-1 + n_2 + {n_2: -1}; n_2 + {m_3: 1}; true",
        // Row i and the rows above and below it.
        "m_3*i_1 + {m_3: 1}; m_3 + m_3*i_1 + {m_3: 1}; true",
        "m_3*i_1 + {m_3: 1}; m_3*i_1 + {m_3: 1}; false",
        // Even and odd offsets.
        "0 + {n_2: 2}; 1 + {n_2: 2}; true",
        "0 + {n_2: 2}; 2 + {n_2: 2}; false",
        // Two columns of a matrix.
        "0 + {n_2: 4}; 3 + {n_2: 4}; true",
        // An empty region, which is disjoint from every region.
        "0 + {0i64: 1}; 0 + {n_2: 1}; true",
      })
  void regions(String a, String b, boolean disjoint) {
    assertEquals(disjoint, prover().disjoint(lmad(a), lmad(b)));
    assertEquals(disjoint, prover().disjoint(lmad(b), lmad(a)));
  }

  // Programs from the literature

  private static final String NW = "1<=q, 1<=b, n=qb+1, ";
  private static final String FIRST = NW + "0<=i<q, o=ib, k=i+1";
  private static final String SECOND = NW + "1<=i<q, o=(in+q-1)b, k=q-i";
  private static final String SMALL = "1<=q, 1<=b, 0<=i<q, k=i+1";
  private static final String LUD = "1<=b, 0<=s<m, n=mb, r=m-s-1";
  private static final String HOT = "2<=n, 2<=m";

  private static Stream<Arguments> pairs() {
    List<Arguments> pairs = new ArrayList<>();
    String written = "o+n+1+{k : nb-b, b : n, b : 1}";
    String left = "o+{k : nb-b, b+1 : n}";
    String above = "o+1+{k : nb-b, b : 1}";
    for (String half : List.of(FIRST, SECOND)) {
      pairs.add(Arguments.of(half, written, left));
      pairs.add(Arguments.of(half, written, above));
    }
    pairs.add(
        Arguments.of(SMALL, "ib+qb+2+{k : qbb, b : qb+1, b : 1}", "ib+{k : qbb, b+1 : qb+1}"));
    pairs.add(Arguments.of(SMALL, "ib+qb+2+{k : qbb, b : qb+1, b : 1}", "ib+1+{k : qbb, b : 1}"));
    String late = "1<=q, 1<=b, 1<=i<q, k=q-i, o=(i(qb+1)+q-1)b";
    pairs.add(Arguments.of(late, "o+qb+2+{k : qbb, b : qb+1, b : 1}", "o+{k : qbb, b+1 : qb+1}"));
    pairs.add(Arguments.of(late, "o+qb+2+{k : qbb, b : qb+1, b : 1}", "o+1+{k : qbb, b : 1}"));
    List<String> lud =
        List.of(
            "sb(n+1)+{b : n, b : 1}",
            "sbn+(s+1)b+{r : b, b : n, b : 1}",
            "(s+1)bn+sb+{r : bn, b : n, b : 1}",
            "(s+1)b(n+1)+{r : bn, r : b, b : n, b : 1}");
    all(LUD, lud, pairs);
    List<String> hotspot =
        List.of(
            "0",
            "m-1",
            "(n-1)m",
            "nm-1",
            "1+{m-2 : 1}",
            "(n-1)m+1+{m-2 : 1}",
            "m+{n-2 : m}",
            "2m-1+{n-2 : m}",
            "m+1+{n-2 : m, m-2 : 1}");
    all(HOT, hotspot, pairs);
    return pairs.stream();
  }

  private static void all(String known, List<String> regions, List<Arguments> pairs) {
    for (int i = 0; i < regions.size(); i++) {
      for (int k = i + 1; k < regions.size(); k++) {
        pairs.add(Arguments.of(known, regions.get(i), regions.get(k)));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void programs(String known, String a, String b) {
    Regions r = new Regions(known);
    Lmad x = r.lmad(a);
    Lmad y = r.lmad(b);
    assertFalse(r.overlap(x, y, 4));
    assertTrue(r.provesDisjoint(x, y));
    assertTrue(r.provesDisjoint(y, x));
  }

  /**
   * Checks that the prover finds no proof for pairs that overlap after a change by one, or by more
   * until enumeration finds an overlap.
   */
  @ParameterizedTest
  @MethodSource("pairs")
  void noFalseProofAfterSmallChange(String known, String a, String b) {
    Regions r = new Regions(known);
    Lmad x = r.lmad(a);
    Lmad y = r.lmad(b);
    int refused = 0;
    for (int by = 1; by <= 8 && (by <= 2 || refused == 0); by++) {
      refused += refused(changed(x, by, r), y, r) + refused(changed(y, by, r), x, r);
    }
    assertTrue(refused > 0);
  }

  /**
   * Returns the number of LMADs that overlap another one, and checks that none is proved disjoint.
   */
  private static int refused(List<Lmad> changed, Lmad y, Regions r) {
    int overlapping = 0;
    for (Lmad l : changed) {
      if (!r.overlap(l, y, 3)) {
        continue;
      }
      overlapping++;
      assertFalse(r.provesDisjoint(l, y), () -> l + " and " + y);
    }
    return overlapping;
  }

  private static List<Lmad> changed(Lmad l, int change, Regions r) {
    List<Lmad> out = new ArrayList<>();
    for (int by : new int[] {change, -change}) {
      Poly one = Poly.of(by);
      out.add(new Lmad(l.offset().plus(one), l.dims()));
      for (int d = 0; d < l.dims().size(); d++) {
        Lmad.Dim dim = l.dims().get(d);
        List<Lmad.Dim> dims = new ArrayList<>(l.dims());
        dims.set(d, new Lmad.Dim(dim.stride().plus(one), dim.size()));
        out.add(new Lmad(l.offset(), dims));
        dims.set(d, new Lmad.Dim(dim.stride(), r.size(Poly.of(dim.size()).plus(one))));
        out.add(new Lmad(l.offset(), dims));
        for (Name n : r.names()) {
          dims.set(d, new Lmad.Dim(dim.stride().plus(Poly.of(n).times(by)), dim.size()));
          out.add(new Lmad(l.offset(), dims));
        }
      }
      for (Name n : r.names()) {
        out.add(new Lmad(l.offset().plus(Poly.of(n).times(by)), l.dims()));
      }
    }
    return out;
  }

  private static Lmad lmad(String text) {
    String dims = text.substring(text.indexOf('{') + 1, text.indexOf(':'));
    Body body =
        Parser.parseBody("{let {x_9: [" + dims + "]i32 @ m_8 -> " + text + "} = x_7 in {}}");
    Type.Array type = (Type.Array) body.stms().get(0).pat().get(0).type();
    return Objects.requireNonNull(type.mem()).lmad();
  }

  /**
   * Checks that slices of one array, one of which ends before the other, are proved disjoint
   * without a search.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "0 + {8i64: 1}; 8 + {8i64: 1}; true",
        "80 + {8i64: 1}; 8 + {8i64: 1}; true",
        "8 + {8i64: 1}; 15 + {8i64: 1}; false",
        "0 + {n_2: 1}; n_2 + m_3 + {m_3: 1}; true",
        "0 + {n_2: 1}; n_2 + -1*m_3 + {m_3: 1}; false",
        "m_3 + {m_3: -1}; 1 + m_3 + {m_3: 1}; false",
      })
  void consecutiveSlicesNeedNoSearch(String a, String b, boolean disjoint) {
    Bounds bounds = new Bounds(null);
    bounds.addNonNegative(N);
    bounds.addNonNegative(M);
    NonOverlap once = new NonOverlap(bounds, 0, new Bounds.Effort(0, 0, 0, 0));
    assertEquals(disjoint, once.disjoint(lmad(a), lmad(b)));
  }
}
