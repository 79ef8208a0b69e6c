package futharkc.core.runtime.executable;

import futharkc.core.runtime.EntryPoint;
import futharkc.core.runtime.FutharkProgram;
import futharkc.core.runtime.Value;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The devices of a server. The arguments of the last call stay on the devices for another call with
 * the same ones.
 */
final class ServedGroup implements SplitCalls {
  private final FutharkProgram program;
  private final DeviceGroup group;
  private String lastEntry = "";
  private List<Object> lastKeys = List.of();
  private DeviceGroup.@Nullable Placed last;

  ServedGroup(FutharkProgram program, DeviceGroup group) {
    this.program = program;
    this.group = group;
  }

  @Override
  public boolean runs(EntryPoint entry) {
    return SplitEntry.isDeclared(entry);
  }

  @Override
  public Value call(EntryPoint entry, Value[] arguments, List<Object> keys) {
    SplitEntry split = SplitEntry.of(program, entry);
    DeviceGroup.Placed placed = last;
    if (placed == null || !entry.name().equals(lastEntry) || !isSame(keys, lastKeys)) {
      forgetAll();
      placed = group.place(split, arguments);
      last = placed;
      lastEntry = entry.name();
      lastKeys = List.copyOf(keys);
    }
    DeviceGroup.Placed result = group.call(split, placed);
    try {
      return group.gather(result);
    } finally {
      group.drop(result);
    }
  }

  private static boolean isSame(List<Object> a, List<Object> b) {
    boolean same = a.size() == b.size();
    for (int i = 0; same && i < a.size(); i++) {
      same = a.get(i) == b.get(i);
    }
    return same;
  }

  @Override
  public void forget(Object key) {
    if (lastKeys.stream().anyMatch(k -> k == key)) {
      forgetAll();
    }
  }

  private void forgetAll() {
    if (last != null) {
      group.drop(last);
    }
    last = null;
    lastKeys = List.of();
  }
}
