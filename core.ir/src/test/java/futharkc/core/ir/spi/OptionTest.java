package futharkc.core.ir.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.ir.Machine;
import org.junit.jupiter.api.Test;

/** Tests the values and the defaults of options. */
final class OptionTest {
  private static final Machine CPU =
      new Machine(
          new Machine.Operations(1, 2, 3, 4, 5, 6, 7, 8),
          new Machine.Events(1, 2, 3, 4),
          new Machine.Bounds(1, 2, 3, 4, 5, 6, new Machine.BlockBounds(1, 2, 3)),
          new Machine.Processor(64, 128, 1000),
          new Machine.RunTime(1, 2, 3, 4),
          new Machine.Methods(1, 2, 3, 4, 5, 6, 7, 8),
          null);

  private static Machine.Device device(int shuffled) {
    return new Machine.Device(
        32,
        shuffled,
        true,
        new Machine.DeviceThreads(1024, 2048),
        new Machine.DeviceMemory(8, 16, 32, 4, 128),
        new Machine.KernelCompiler(1, 2, 3));
  }

  @Test
  void powersOfTwoMayExcludeZero() {
    Option some = Option.integer("side", 8, "the side").within(1, 64).powerOfTwo();
    assertTrue(some.takes("1") && some.takes("64"));
    assertFalse(some.takes("0") || some.takes("3") || some.takes("128"));
    assertTrue(some.within(0, 64).takes("0"));
    assertEquals("a power of two from 1 to 64", some.values());
  }

  @Test
  void integersHave31Bits() {
    Option some = Option.integer("size", 8, "the size");
    assertTrue(some.takes("0") && some.takes("2147483647"));
    assertFalse(some.takes("-1") || some.takes("2147483648"));
    assertEquals("an integer from 0 on", some.values());
  }

  @Test
  void defaultsMayDependOnTheMachine() {
    assertEquals("8", Option.integer("size", 8, "the size").defaultValue(CPU));
    Option bytes = Option.integer("bytes", m -> m.processor().firstLevel(), "the bytes");
    assertEquals("1000", bytes.defaultValue(CPU));
    Option shuffled = Option.integer("shuffled", m -> m.device().shuffled(), "the threads");
    assertEquals("16", shuffled.defaultValue(CPU.with(device(16))));
  }

  @Test
  void someMachinesHaveNoDevice() {
    assertThrows(IllegalStateException.class, CPU::device);
    assertThrows(IllegalArgumentException.class, () -> device(3));
    assertThrows(IllegalArgumentException.class, () -> device(64));
  }
}
