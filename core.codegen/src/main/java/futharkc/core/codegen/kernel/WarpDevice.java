package futharkc.core.codegen.kernel;

import futharkc.core.ir.Machine;

/**
 * The device of common GPUs, whose threads run in warps of 32, for backends that compile for it.
 */
public final class WarpDevice {
  private WarpDevice() {}

  /**
   * Returns the device.
   *
   * @param hasShuffles true if the threads of a warp exchange values by shuffles
   * @param progress true if thread blocks that run make progress while others wait for them
   */
  public static Machine.Device of(boolean hasShuffles, boolean progress) {
    int warp = 32;
    int shuffled = hasShuffles ? warp : 1;
    int threadsPerBlock = 1024;
    int residentThreads = 2048;
    int access = 8;
    int vector = 16;
    int sector = 32;
    int bank = 4;
    int banks = 128;
    int unrolled = 32;
    int moduleText = 20_000;
    int functionText = 2000;
    return new Machine.Device(
        warp,
        shuffled,
        progress,
        new Machine.DeviceThreads(threadsPerBlock, residentThreads),
        new Machine.DeviceMemory(access, vector, sector, bank, banks),
        new Machine.KernelCompiler(unrolled, moduleText, functionText));
  }
}
