package futharkc.tests.kit;

import futharkc.core.ir.Machine;

/** Machines for tests of single passes. */
public final class TestMachine {
  /** A processor under HotSpot. */
  public static final Machine CPU =
      new Machine(
          new Machine.Operations(40, 15, 6, 40, 6, 2, 8, 10),
          new Machine.Events(200, 100, 8, 20),
          new Machine.Bounds(20, 50, 10_000, 20, 1000, 100, new Machine.BlockBounds(500, 200, 100)),
          new Machine.Processor(64, 128, 32 << 10),
          new Machine.RunTime(30_000, 32_768, 3_000, 4096),
          new Machine.Methods(50_000, 20_000, 20, 200_000, 120, 64, 20_000, 400),
          null);

  /** The same processor with a device, whose threads do not shuffle values. */
  public static final Machine WITH_DEVICE =
      CPU.with(
          new Machine.Device(
              32,
              1,
              false,
              new Machine.DeviceThreads(1024, 2048),
              new Machine.DeviceMemory(8, 16, 32, 4, 128),
              new Machine.KernelCompiler(32, 20_000, 2000)));

  private TestMachine() {}
}
