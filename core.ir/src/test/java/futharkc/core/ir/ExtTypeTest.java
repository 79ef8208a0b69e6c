package futharkc.core.ir;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class ExtTypeTest {
  private static final List<ExtType.Field> FIELDS =
      List.of(
          new ExtType.Field("0", new ExtType.Transparent(PrimType.I32, true, 0)),
          new ExtType.Field("1", new ExtType.Transparent(PrimType.F32, false, 1)));

  private static String elementName(String name, ExtType.Structure structure) {
    return new ExtType.Def(name, List.of(), structure).elementName();
  }

  @Test
  void elementsOfArraysHaveNames() {
    assertEquals(
        "(u32, []f32)",
        elementName("[][](u32, []f32)", new ExtType.Structure.RecordArray(2, FIELDS)));
    assertEquals(
        "(u32, []f32)", elementName("pairs", new ExtType.Structure.RecordArray(1, FIELDS)));
    assertEquals(
        "[]t", elementName("many", new ExtType.Structure.Array(1, new ExtType.Opaque("[]t"))));
  }
}
