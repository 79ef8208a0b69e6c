package futharkc.core.language.check;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import futharkc.core.language.Prelude;
import futharkc.core.language.typed.Name;
import org.junit.jupiter.api.Test;

final class SnapshotTest {
  private final PreludeEnvironment fresh = PreludeEnvironment.make();
  private final byte[] snapshot = SnapshotWriter.write(fresh, 7);

  private PreludeEnvironment read() {
    PreludeEnvironment read = SnapshotReader.read(snapshot, 7);
    assertNotNull(read);
    return read;
  }

  @Test
  void equalsFreshCheck() {
    PreludeEnvironment read = read();
    assertEquals(fresh.defs().names(), read.defs().names());
    for (Name n : fresh.defs().names()) {
      assertEquals(fresh.defs().get(n), read.defs().get(n));
    }
    assertEquals(fresh.cx().typeDefs, read.cx().typeDefs);
    assertEquals(fresh.cx().liftedness, read.cx().liftedness);
    assertEquals(fresh.cx().names.next(), read.cx().names.next());
    assertArrayEquals(snapshot, SnapshotWriter.write(read, 7));
  }

  @Test
  void isOfOnePrelude() {
    assertNull(SnapshotReader.read(snapshot, 8));
  }

  @Test
  void isMadeByTheBuild() {
    byte[] built = Prelude.snapshot();
    assertNotNull(built);
    assertArrayEquals(SnapshotWriter.write(fresh, Prelude.key()), built);
  }
}
