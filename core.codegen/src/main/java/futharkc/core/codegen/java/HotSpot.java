package futharkc.core.codegen.java;

import futharkc.core.ir.Machine;

/** The machine of programs in Java: a 64-bit processor with vector instructions, under HotSpot. */
public final class HotSpot {
  private HotSpot() {}

  /** Returns the machine without a device. */
  public static Machine machine() {
    return new Machine(operations(), events(), bounds(), processor(), runTime(), methods(), null);
  }

  private static Machine.Operations operations() {
    int power = 40;
    int division = 15;
    int floatDivision = 6;
    int function = 40;
    int shortFunction = 6;
    int load = 2;
    int branch = 8;
    int loop = 10;
    return new Machine.Operations(
        power, division, floatDivision, function, shortFunction, load, branch, loop);
  }

  private static Machine.Events events() {
    int call = 200;
    int block = 100;
    int run = 8;
    int lock = 20;
    return new Machine.Events(call, block, run, lock);
  }

  private static Machine.Bounds bounds() {
    int function = 20;
    int lock = 50;
    int trace = 10_000;
    int count = 20;
    int launch = 1000;
    int command = 100;
    int alloc = 500;
    int free = 200;
    int pin = 100;
    return new Machine.Bounds(
        function, lock, trace, count, launch, command, new Machine.BlockBounds(alloc, free, pin));
  }

  private static Machine.Processor processor() {
    int line = 64;
    int fetched = 2 * line;
    int firstLevel = 32 << 10;
    return new Machine.Processor(line, fetched, firstLevel);
  }

  private static Machine.RunTime runTime() {
    long chunkOperations = 30_000;
    long cachedElements = 32_768;
    long sharingOperations = 3_000;
    int smallestKept = 4096;
    return new Machine.RunTime(chunkOperations, cachedElements, sharingOperations, smallestKept);
  }

  private static Machine.Methods methods() {
    int limit = 50_000;
    int part = 20_000;
    int partsPerClass = 20;
    int classSize = 200_000;
    int arguments = 120;
    int smallArray = 64;
    int literal = 20_000;
    int value = 400;
    return new Machine.Methods(
        limit, part, partsPerClass, classSize, arguments, smallArray, literal, value);
  }
}
