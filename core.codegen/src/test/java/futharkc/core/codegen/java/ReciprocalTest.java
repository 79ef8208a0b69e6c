package futharkc.core.codegen.java;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;

final class ReciprocalTest {
  private static final long ALL = 0xffffffffL;

  @Test
  void multiplicationsDivide() {
    Random random = new Random(7);
    int found = 0;
    for (int k = 0; k < 20_000; k++) {
      long d = k < 5000 ? k + 1 : (random.nextInt() & ALL) >> random.nextInt(31);
      if (d == 0) {
        continue;
      }
      Reciprocal r = Reciprocal.of(d);
      if (r == null) {
        continue;
      }
      found++;
      long last = ALL / d;
      for (long q : new long[] {1, 2, last / 2, last - 1, last, random.nextLong(last + 1)}) {
        for (long x = q * d - 1; x <= q * d + 1; x++) {
          if (x >= 0 && x <= ALL) {
            assertEquals(x / d, x * r.factor() >>> r.shift(), x + " / " + d);
          }
        }
      }
      assertEquals(ALL / d, ALL * r.factor() >>> r.shift());
    }
    assertTrue(found > 10_000, found + " divisors");
  }

  @Test
  void someDivisorsWantALargerFactor() {
    assertNull(Reciprocal.of(7));
    assertEquals(new Reciprocal(274877907, 38), Reciprocal.of(1000));
  }
}
