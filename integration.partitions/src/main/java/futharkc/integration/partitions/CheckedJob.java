package futharkc.integration.partitions;

import futharkc.core.runtime.EntryPoint;
import futharkc.core.runtime.Opaques;
import futharkc.core.runtime.Value;
import futharkc.core.runtime.ValueType;
import java.util.Arrays;
import java.util.List;

/** A job whose entry points exist and have the types that the operation needs. */
public final class CheckedJob {
  private final Job job;
  private final String name;
  private final EntryPoint entry;

  /**
   * Checks a job.
   *
   * @throws IllegalArgumentException if an entry point is missing or has another type; the message
   *     names the program, the entry point and both types
   */
  public CheckedJob(Job job) {
    this.job = job;
    ProgramHandle program = job.program();
    name = program.instance().name();
    entry =
        switch (job.operation()) {
          case Operation.Map m -> checkRows(program, m.entry());
          case Operation.FlatMap m -> checkRows(program, m.entry());
          case Operation.Fold f -> checkFold(program, f);
        };
  }

  private EntryPoint checkRows(ProgramHandle program, String entryName) {
    EntryPoint found = checkColumns(program, entryName);
    ValueType result = found.result();
    ValueType.Field[] fields = Opaques.fields(result);
    boolean good =
        result instanceof ValueType.Array
            || fields != null
                && fields.length > 0
                && Arrays.stream(fields).allMatch(f -> f.type() instanceof ValueType.Array);
    if (!good) {
      throw wrong(
          entryName,
          "has the result type " + result.name() + ", not arrays with one element a row");
    }
    return found;
  }

  private EntryPoint checkFold(ProgramHandle program, Operation.Fold fold) {
    EntryPoint part = checkColumns(program, fold.part());
    EntryPoint join = program.entry(fold.join());
    ValueType s = part.result();
    if (join.parameters().length != 2
        || !Opaques.sameType(join.parameters()[0].type(), s)
        || !Opaques.sameType(join.parameters()[1].type(), s)
        || !Opaques.sameType(join.result(), s)) {
      throw wrong(
          fold.join(),
          "has the type " + signature(join) + ", but joins values of type " + s.name());
    }
    String neutral = fold.neutral();
    if (neutral != null) {
      EntryPoint found = program.entry(neutral);
      if (found.parameters().length != 0 || !Opaques.sameType(found.result(), s)) {
        throw wrong(neutral, "has the type " + signature(found) + ", not the type " + s.name());
      }
    }
    return part;
  }

  private EntryPoint checkColumns(ProgramHandle program, String entryName) {
    EntryPoint found = program.entry(entryName);
    EntryPoint.Parameter[] parameters = found.parameters();
    List<Value> shared = job.shared();
    List<String> columns = job.columns();
    if (parameters.length != shared.size() + columns.size()) {
      throw wrong(
          entryName,
          "takes "
              + found.argumentCount()
              + ", but the job has "
              + shared.size()
              + " shared arguments and "
              + columns.size()
              + " columns");
    }
    for (int i = 0; i < parameters.length; i++) {
      ValueType type = parameters[i].type();
      boolean good =
          i < shared.size()
              ? type.has(shared.get(i))
              : type instanceof ValueType.Array
                  && type.name().equals(columns.get(i - shared.size()));
      if (!good) {
        String given =
            i < shared.size()
                ? "shared argument " + i + " has type " + Opaques.typeName(shared.get(i))
                : "column " + (i - shared.size()) + " has type " + columns.get(i - shared.size());
        throw wrong(entryName, "takes a " + type.name() + ", but " + given);
      }
    }
    return found;
  }

  private static String signature(EntryPoint e) {
    StringBuilder text = new StringBuilder();
    for (EntryPoint.Parameter p : e.parameters()) {
      text.append(p.type().name()).append(" -> ");
    }
    return text.append(e.result().name()).toString();
  }

  private IllegalArgumentException wrong(String entryName, String what) {
    return new IllegalArgumentException(
        "Entry point " + entryName + " of program " + name + " " + what + ".");
  }

  /** Returns the job. */
  public Job job() {
    return job;
  }

  /** Returns the name of the program. */
  public String programName() {
    return name;
  }

  /** Returns the entry point that takes columns. */
  public EntryPoint entry() {
    return entry;
  }
}
