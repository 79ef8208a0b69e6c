package futharkc.pass.simplify;

import static org.junit.jupiter.api.Assertions.assertEquals;

import futharkc.core.ir.BinOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.PrimValue;
import futharkc.core.ir.SubExp;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class CommonSubexpressionsTest {
  /**
   * Tests the hashes of generated programs and of inlined chains, in which one number increases
   * while another decreases.
   */
  @Test
  void namesAndNumbersThatCountTogetherHashApart() {
    BinOp times = new BinOp(BinOp.Kind.MUL, PrimType.I64);
    Set<Integer> hashes = new HashSet<>();
    for (int i = 0; i < 1000; i++) {
      SubExp x = SubExp.of(new Name("x", i));
      SubExp down = SubExp.of(PrimValue.i64(2000 - i));
      hashes.add(new CommonSubexpressions.Operation(times, x, down).hashCode());
      hashes.add(new CommonSubexpressions.Operation(times, down, x).hashCode());
    }
    assertEquals(2000, hashes.size());
  }
}
