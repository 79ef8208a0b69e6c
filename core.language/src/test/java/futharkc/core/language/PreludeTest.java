package futharkc.core.language;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class PreludeTest {
  private static final Pattern USE = Pattern.compile("intrinsics\\.(\\w+)");

  @Test
  void usesOnlyIntrinsicsThatExist() {
    List<String> unknown = new ArrayList<>();
    for (String name : used()) {
      if (Intrinsics.named(name) == null) {
        unknown.add(name);
      }
    }
    assertEquals(List.of(), unknown);
  }

  /**
   * Checks that the prelude names all scalar operations except a few, so that programs can reach
   * them.
   */
  @Test
  void reachesTheScalarIntrinsics() {
    Set<String> unused = new TreeSet<>();
    for (var i : Intrinsics.all()) {
      if (!(i instanceof Intrinsics.Structured)) {
        unused.add(i.name());
      }
    }
    unused.removeAll(used());
    assertEquals(Set.of("eq_bool", "neq_bool", "lt_bool", "le_bool", "gt_bool", "ge_bool"), unused);
  }

  private static Set<String> used() {
    Set<String> names = new TreeSet<>();
    for (String file : Prelude.FILES) {
      var m = USE.matcher(Prelude.source(file).orElseThrow());
      while (m.find()) {
        names.add(m.group(1));
      }
    }
    return names;
  }
}
