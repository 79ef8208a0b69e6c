package futharkc.core.ir.symbolic;

import static org.junit.jupiter.api.Assertions.assertEquals;

import futharkc.core.ir.Body;
import futharkc.core.ir.Lmad;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.Type;
import futharkc.core.ir.text.Parser;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class NonOverlapTest {
  private static final Name I = new Name("i", 1);
  private static final Name N = new Name("n", 2);
  private static final Name M = new Name("m", 3);
  private static final Name B = new Name("b", 4);

  /** Known: 0 <= i < n, m and b at least 1. */
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
        // Neighbouring parts of a vector.
        "0 + {n_2: 1}; n_2 + {m_3: 1}; true",
        "0 + {n_2: 1}; -1 + n_2 + {m_3: 1}; false",
        // Backwards.
        "-1 + n_2 + {n_2: -1}; n_2 + {m_3: 1}; true",
        // Rows i and above, below.
        "m_3*i_1 + {m_3: 1}; m_3 + m_3*i_1 + {m_3: 1}; true",
        "m_3*i_1 + {m_3: 1}; m_3*i_1 + {m_3: 1}; false",
        // Even and odd places.
        "0 + {n_2: 2}; 1 + {n_2: 2}; true",
        "0 + {n_2: 2}; 2 + {n_2: 2}; false",
        // Two columns of a matrix.
        "0 + {n_2: 4}; 3 + {n_2: 4}; true",
        // An empty region has nothing in common with any.
        "0 + {0i64: 1}; 0 + {n_2: 1}; true",
      })
  void regions(String a, String b, boolean disjoint) {
    assertEquals(disjoint, prover().disjoint(lmad(a), lmad(b)));
    assertEquals(disjoint, prover().disjoint(lmad(b), lmad(a)));
  }

  private static Lmad lmad(String text) {
    String dims = text.substring(text.indexOf('{') + 1, text.indexOf(':'));
    Body body =
        Parser.parseBody("{let {x_9: [" + dims + "]i32 @ m_8 -> " + text + "} = x_7 in {}}");
    Type.Array type = (Type.Array) body.stms().get(0).pat().get(0).type();
    return Objects.requireNonNull(type.mem()).lmad();
  }
}
