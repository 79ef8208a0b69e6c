package futharkc.core.ir.imperative;

import futharkc.core.ir.NameSource;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Gives kernels of a function other versions beside them, between which the host chooses. */
public abstract class KernelVersions {
  /** For what is new. */
  protected final NameSource names;

  private final ImperativeProgram.Function function;
  private final Set<String> labels = new HashSet<>();
  private int versioned;

  /** For a function. */
  protected KernelVersions(ImperativeProgram.Function function) {
    this.function = function;
    this.names = new NameSource(function.nextTag());
    new CodeMapper() {
      @Override
      public Code statement(Code c) {
        if (c instanceof Code.Launch l) labels.add(l.label());
        return super.statement(c);
      }
    }.statements(function.body());
  }

  /** What the host does in the place of a launch; null if it stays. */
  protected abstract @Nullable Code versions(Code.Launch launch);

  /** Whether the function has a kernel with a label. */
  protected final boolean isTaken(String label) {
    return labels.contains(label);
  }

  /** How many kernels have got versions so far. */
  protected final int versioned() {
    return versioned;
  }

  /** What becomes of the function: itself, if nothing is changed. */
  protected final ImperativeProgram.Function rewritten() {
    List<Code> body =
        new CodeMapper() {
          @Override
          public Code statement(Code c) {
            if (!(c instanceof Code.Launch l)) return super.statement(c);
            Code now = versions(l);
            if (now == null) return l;
            versioned++;
            return now;
          }
        }.statements(function.body());
    return versioned > 0 ? function.withBody(body, names.next()) : function;
  }
}
