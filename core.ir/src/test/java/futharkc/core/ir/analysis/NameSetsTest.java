package futharkc.core.ir.analysis;

import static org.junit.jupiter.api.Assertions.assertEquals;

import futharkc.core.ir.Name;
import futharkc.core.ir.NameSet;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class NameSetsTest {
  private static NameSet names(Random random) {
    NameSet names = NameSet.of();
    for (int k = random.nextInt(4); k > 0; k--) {
      names = names.with(new Name("x", random.nextInt(300)));
    }
    return names;
  }

  @Test
  void rangeMeetsIfOneSetMeets() {
    for (int size = 0; size < 70; size++) {
      Random random = new Random(size);
      NameSets sets = new NameSets(random.nextInt(size + 1));
      NameSet[] model = new NameSet[size];
      for (int i = 0; i < size; i++) {
        model[i] = names(random);
        sets.add(i, model[i]);
      }
      for (int t = 0; t < 200; t++) {
        NameSet asked = names(random);
        int from = random.nextInt(size + 2);
        int to = random.nextInt(5) == 0 ? Integer.MAX_VALUE : random.nextInt(size + 2);
        boolean any = false;
        for (int i = from; i < Math.min(size, to); i++) {
          any |= model[i].meets(asked);
        }
        assertEquals(any, sets.meet(asked, from, to));
        int first = from;
        while (first < size && !model[first].meets(asked)) {
          first++;
        }
        assertEquals(first < size ? first : -1, sets.first(asked, from));
      }
    }
  }
}
