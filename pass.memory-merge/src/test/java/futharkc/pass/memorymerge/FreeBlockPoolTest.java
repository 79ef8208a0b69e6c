package futharkc.pass.memorymerge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.Space;
import futharkc.pass.memorymerge.FreeBlockPool.FreeBlock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests of the pool against a list that is searched from its end. */
final class FreeBlockPoolTest {
  private static final int SIZES = 4;

  private final Random random = new Random(11);
  private final Map<Name, Integer> last = new HashMap<>();

  /** The sizes that are known to equal another one. */
  private final List<Name> known = new ArrayList<>();

  private final List<FreeBlock> plain = new ArrayList<>();
  private int next;

  @Test
  void theLatestIsTheOneFoundByGoingThroughAll() {
    int found = 0;
    for (int round = 0; round < 300; round++) {
      last.clear();
      known.clear();
      plain.clear();
      FreeBlockPool pool = new FreeBlockPool(last::get, this::value, known);
      for (int position = 0; position < 40; position++) {
        found += step(pool, position);
      }
    }
    assertTrue(found > 1000, found + " found");
  }

  private int step(FreeBlockPool pool, int position) {
    for (int k = random.nextInt(3); k > 0; k--) {
      FreeBlock r = candidate(position);
      pool.add(r);
      plain.add(r);
    }
    if (random.nextInt(8) == 0) {
      known.add(size(random.nextInt(SIZES - 1)));
    }
    if (random.nextInt(4) == 0 && !plain.isEmpty()) {
      last.merge(any().block(), position + random.nextInt(6), Math::max);
    }
    if (random.nextInt(6) == 0 && !plain.isEmpty()) {
      // The block may have been replaced by another one already.
      Name block = new Name("b", any().block().tag() - random.nextInt(4));
      FreeBlock other = candidate(position);
      Predicate<FreeBlock> which = r -> !r.size().equals(other.size());
      pool.replace(block, which, r -> new FreeBlock(other.block(), r.space(), r.size(), r.from()));
      plain.replaceAll(
          r ->
              r.block().equals(block) && which.test(r)
                  ? new FreeBlock(other.block(), r.space(), r.size(), r.from())
                  : r);
    }
    Poly size = value(Poly.of(size(random.nextInt(SIZES))));
    // Entries that are not considered are never removed.
    Predicate<FreeBlock> considered = Predicate.not(some()::contains);
    Predicate<FreeBlock> gone = some()::contains;
    Predicate<FreeBlock> fits = Predicate.not(some()::contains);
    FreeBlock found = pool.latest(size, position, considered, gone, fits);
    assertEquals(latest(size, position, considered, gone, fits), found);
    assertEquals(plain, List.copyOf(pool.all()));
    return found == null ? 0 : 1;
  }

  private @Nullable FreeBlock latest(
      Poly size,
      int position,
      Predicate<FreeBlock> considered,
      Predicate<FreeBlock> gone,
      Predicate<FreeBlock> fits) {
    for (FreeBlock r : List.copyOf(plain).reversed()) {
      if (!value(r.size()).equals(size) || last.get(r.block()) > position) {
        continue;
      }
      if (!considered.test(r)) {
        continue;
      }
      if (gone.test(r)) {
        plain.remove(r);
      } else if (fits.test(r)) {
        return r;
      }
    }
    return null;
  }

  private FreeBlock candidate(int position) {
    Name block = new Name("b", next++);
    last.put(block, position + random.nextInt(6) - 2);
    return new FreeBlock(
        block, new Space.Device(), Poly.of(size(random.nextInt(SIZES))), random.nextInt(9));
  }

  private FreeBlock any() {
    return plain.get(random.nextInt(plain.size()));
  }

  /** Returns about a third of all entries. */
  private Set<FreeBlock> some() {
    Set<FreeBlock> some = new HashSet<>(plain);
    some.removeIf(r -> random.nextInt(3) > 0);
    return some;
  }

  private static Name size(int k) {
    return new Name("n", 1000 + k);
  }

  private Poly value(Poly size) {
    return size.substitute(n -> Poly.of(known.contains(n) ? size(SIZES - 1) : n));
  }
}
