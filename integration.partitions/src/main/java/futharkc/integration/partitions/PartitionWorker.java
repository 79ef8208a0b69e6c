package futharkc.integration.partitions;

import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.Context;
import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.OpaqueValue;
import futharkc.core.runtime.Opaques;
import futharkc.core.runtime.Value;
import futharkc.core.runtime.device.DeviceOptions;
import futharkc.core.runtime.embed.LoadedProgram;
import futharkc.core.runtime.embed.ProgramSettings;
import java.util.ArrayList;
import java.util.List;

/**
 * A program that is loaded on one device, or on some threads. One thread at a time uses a worker;
 * any number of jobs may follow each other.
 */
public final class PartitionWorker implements AutoCloseable {
  private final LoadedProgram program;

  /**
   * Loads the program.
   *
   * @param device the selection of the device; no effect for programs on CPUs
   * @param threads the number of threads of a program on CPUs
   * @throws FutharkError if the device cannot be opened
   */
  public PartitionWorker(ProgramHandle handle, DeviceOptions device, int threads) {
    program =
        handle
            .library()
            .load(
                ProgramSettings.DEFAULT
                    .withTarget(handle.target())
                    .withDevice(device)
                    .withContext((Context.Builder context) -> context.threads(threads)));
  }

  /** Returns the arguments in the memory of the program, for many calls. */
  List<Value> adopt(List<Value> values) {
    List<Value> adopted = new ArrayList<>();
    for (Value value : values) {
      Value[] parts = Opaques.parts(value).clone();
      for (int i = 0; i < parts.length; i++) {
        if (parts[i] instanceof ArrayValue a) {
          parts[i] = program.adopt(a);
        }
      }
      adopted.add(Opaques.withParts(value, parts));
    }
    return adopted;
  }

  /** Releases adopted arguments. */
  void release(List<Value> values) {
    values.forEach(program::release);
  }

  /** Calls an entry point and returns its result on the host. */
  Value call(String entry, Value... arguments) {
    Value result = program.callWith(entry, arguments);
    Value[] parts = Opaques.parts(result).clone();
    for (int i = 0; i < parts.length; i++) {
      if (parts[i] instanceof ArrayValue a) {
        parts[i] = a.onHost();
      }
    }
    Value copy = Opaques.withParts(result, parts);
    program.release(result);
    return copy;
  }

  /**
   * Returns the arrays of a result of an operation on rows: the array itself, or the fields of a
   * record of arrays.
   */
  static List<ArrayValue> arrays(Value result) {
    List<ArrayValue> arrays = new ArrayList<>();
    Value[] all = result instanceof OpaqueValue o ? Opaques.unpack(o) : new Value[] {result};
    for (Value v : all) {
      arrays.add((ArrayValue) v);
    }
    return arrays;
  }

  /** Ends the running call and closes the program and its device. */
  @Override
  public void close() {
    program.close();
  }
}
