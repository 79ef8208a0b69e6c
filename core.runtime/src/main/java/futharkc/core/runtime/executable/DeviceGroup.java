package futharkc.core.runtime.executable;

import futharkc.core.runtime.Accelerator;
import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.Context;
import futharkc.core.runtime.EntryPoint;
import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.FutharkProgram;
import futharkc.core.runtime.Opaques;
import futharkc.core.runtime.Ownership;
import futharkc.core.runtime.Value;
import futharkc.core.runtime.device.Device;
import futharkc.core.runtime.device.DeviceOptions;
import futharkc.core.runtime.device.DeviceProgram;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Several devices of one host that run parts of a call. Each device has an instance of the program
 * and a thread. One call runs at a time.
 */
final class DeviceGroup implements AutoCloseable {
  private final List<Member> members;

  private DeviceGroup(List<Member> members) {
    this.members = members;
  }

  /** A device with its instance of the program. */
  private static final class Member {
    final String name;
    final FutharkProgram program;
    final EntryPoint[] entries;
    final Context context;
    final Ownership owner;
    final ExecutorService thread;

    Member(String name, FutharkProgram program, Context context) {
      this.name = name;
      this.program = program;
      this.context = context;
      entries = program.entryPoints();
      owner = new Ownership(context.values());
      thread =
          Executors.newSingleThreadExecutor(
              work -> Thread.ofPlatform().name("device " + name).daemon().unstarted(work));
    }

    Value[] onHost(Value value) {
      Value[] parts = Opaques.parts(value).clone();
      for (int i = 0; i < parts.length; i++) {
        if (parts[i] instanceof ArrayValue array) {
          parts[i] = array.onHost();
        }
      }
      return parts;
    }
  }

  /** The settings of contexts. */
  interface Contexts {
    /** Returns a builder of the context of an instance. */
    Context.Builder of(FutharkProgram instance) throws RunOptions.BadOption;
  }

  /** Work on a device. */
  private interface Work<R> {
    @Nullable R run(Member member, int part);
  }

  /**
   * Values on the devices, one part for each.
   *
   * @param parts the values of each device; null for a device without a part
   */
  record Placed(List<Value @Nullable []> parts) {}

  /**
   * Opens devices.
   *
   * @param program the program, of whose class each device gets an instance
   * @param names the devices, such as {@code #0}; empty for all
   * @param options the options for all devices
   * @param contexts returns a builder of a context for an instance
   * @throws FutharkError if a device cannot be opened
   */
  static DeviceGroup open(
      DeviceProgram program,
      List<String> names,
      Function<String, DeviceOptions> options,
      Contexts contexts)
      throws RunOptions.BadOption {
    List<String> wanted = new ArrayList<>(names);
    if (wanted.isEmpty()) {
      int count = Math.max(1, program.api().devices().size());
      for (int i = 0; i < count; i++) {
        wanted.add("#" + i);
      }
    }
    List<Member> members = new ArrayList<>();
    DeviceGroup group = new DeviceGroup(members);
    try {
      for (String name : wanted) {
        DeviceProgram instance = instance(program);
        Context.Builder builder = contexts.of(instance);
        DeviceOptions device = options.apply(name);
        builder.accelerator(() -> (Accelerator) Device.open(instance.api(), device));
        members.add(new Member(name, instance, builder.build()));
      }
    } catch (RunOptions.BadOption | RuntimeException | Error e) {
      group.close();
      throw e;
    }
    return group;
  }

  private static DeviceProgram instance(DeviceProgram program) {
    try {
      return program.getClass().getDeclaredConstructor().newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("the program cannot be instantiated again: " + e, e);
    }
  }

  /** Returns the instance of the program on the first device. */
  FutharkProgram firstProgram() {
    return members.getFirst().program;
  }

  /** Returns the contexts of all devices. */
  List<Context> contexts() {
    return members.stream().map(m -> m.context).toList();
  }

  /** Returns the name of each device. */
  List<String> names() {
    return members.stream().map(m -> m.name).toList();
  }

  /**
   * Copies arguments to the devices: of split arguments each device gets contiguous rows, of others
   * a copy. Devices without rows get nothing, unless there are no rows at all.
   *
   * @throws IllegalArgumentException if split arguments have different numbers of rows
   */
  Placed place(SplitEntry split, Value[] arguments) {
    long rows = split.rows(arguments);
    int n = members.size();
    return new Placed(
        onAll(
            null,
            (member, i) -> {
              long from = rows * i / n;
              long to = rows * (i + 1) / n;
              if (from == to && (rows > 0 || i > 0)) {
                return null;
              }
              member.context.initialise();
              Value[] mine = new Value[arguments.length];
              for (int p = 0; p < mine.length; p++) {
                Value here =
                    split.isSplit(p)
                        ? SplitEntry.slice(arguments[p], from, to)
                        : copyOnHost(member, arguments[p]);
                mine[p] = member.owner.adopt(here);
              }
              member.context.settle();
              return mine;
            }));
  }

  private static Value copyOnHost(Member member, Value value) {
    return Opaques.withParts(value, member.onHost(value));
  }

  /**
   * Runs an entry point on all devices.
   *
   * @return the results of all parts; a single one, on the first device, if the entry point
   *     combines them
   * @throws FutharkError if a part fails; the message names the device and the part
   */
  Placed call(SplitEntry split, Placed arguments) {
    List<Value @Nullable []> results =
        onAll(
            arguments,
            (member, i) -> {
              Value[] actual = arguments.parts().get(i);
              return actual == null ? null : new Value[] {run(member, split.position(), actual)};
            });
    if (split.join() < 0) {
      return new Placed(results);
    }
    Member first = members.getFirst();
    List<Value> partials = new ArrayList<>();
    for (int i = 0; i < results.size(); i++) {
      Value[] part = results.get(i);
      if (part != null) {
        partials.add(move(members.get(i), first, part[0]));
      }
    }
    Value whole =
        joined(
            partials,
            (left, right) -> {
              Value joined = run(first, split.join(), left, right);
              first.owner.drop(left);
              first.owner.drop(right);
              return joined;
            });
    return new Placed(List.of(new Value[][] {{whole}}));
  }

  /** Runs an entry point on copies of the arguments that it consumes, and holds the result. */
  private static Value run(Member member, int entry, Value... arguments) {
    EntryPoint called = member.entries[entry];
    Value[] actual = arguments.clone();
    for (int i = 0; i < actual.length; i++) {
      if (called.parameters()[i].unique()) {
        actual[i] = member.owner.copy(actual[i]);
      }
    }
    Value result = member.context.run(called, actual);
    member.owner.hold(result);
    for (int i = 0; i < actual.length; i++) {
      if (called.parameters()[i].unique()) {
        member.owner.drop(actual[i]);
      }
    }
    return result;
  }

  private static Value move(Member from, Member to, Value value) {
    if (from == to) {
      return value;
    }
    Value there = to.owner.adopt(copyOnHost(from, value));
    from.owner.drop(value);
    return there;
  }

  /** Joins neighbours until one value is left. */
  private static Value joined(List<Value> values, BinaryOperator<Value> join) {
    List<Value> level = values;
    while (level.size() > 1) {
      List<Value> next = new ArrayList<>();
      for (int i = 0; i < level.size(); i += 2) {
        next.add(i + 1 < level.size() ? join.apply(level.get(i), level.get(i + 1)) : level.get(i));
      }
      level = next;
    }
    return level.getFirst();
  }

  /** Returns a result on the host. */
  Value gather(Placed result) {
    List<Value> values = new ArrayList<>();
    for (Value[] part : result.parts()) {
      if (part != null) {
        values.add(part[0]);
      }
    }
    return values.size() == 1
        ? copyOnHost(members.getFirst(), values.getFirst())
        : SplitEntry.concatenate(values);
  }

  /** Releases values. */
  void drop(Placed values) {
    for (int i = 0; i < values.parts().size(); i++) {
      Value[] part = values.parts().get(i);
      if (part != null) {
        for (Value value : part) {
          members.get(i).owner.drop(value);
        }
      }
    }
  }

  /**
   * Runs work on all devices at the same time, and waits for all of it.
   *
   * @param arguments the parts of a call, for messages; null for other work
   */
  private <R> List<@Nullable R> onAll(@Nullable Placed arguments, Work<R> work) {
    List<Future<R>> running = new ArrayList<>();
    for (int i = 0; i < members.size(); i++) {
      Member member = members.get(i);
      int part = i;
      running.add(member.thread.submit(() -> work.run(member, part)));
    }
    List<@Nullable R> results = new ArrayList<>();
    RuntimeException failure = null;
    for (int i = 0; i < running.size(); i++) {
      try {
        results.add(running.get(i).get());
      } catch (InterruptedException e) {
        members.forEach(m -> m.context.cancel());
        Thread.currentThread().interrupt();
        throw new CancellationException("the call was interrupted");
      } catch (ExecutionException e) {
        RuntimeException here = failure(e.getCause(), i, arguments != null);
        failure = failure == null ? here : failure;
        results.add(null);
      }
    }
    if (failure != null) {
      throw failure;
    }
    return results;
  }

  private RuntimeException failure(@Nullable Throwable cause, int i, boolean isCall) {
    FutharkError error;
    if (cause instanceof FutharkError e) {
      error = e;
    } else if (cause instanceof OutOfMemoryError e) {
      error = FutharkError.of(e);
    } else {
      return cause instanceof RuntimeException e ? e : new IllegalStateException(cause);
    }
    String where =
        "Device "
            + members.get(i).name
            + (isCall ? ", part " + (i + 1) + " of " + members.size() : "")
            + ": ";
    FutharkError named =
        new FutharkError(where + error.getMessage(), error.backtrace(), error.kind());
    named.addSuppressed(error);
    return named;
  }

  /** Closes all devices. */
  @Override
  public void close() {
    for (Member member : members) {
      member.thread.shutdown();
      member.context.close();
    }
  }
}
