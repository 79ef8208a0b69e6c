package futharkc.core.ir.imperative;

import futharkc.core.ir.NameSource;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A transformation that adds versions of a function's kernels, among which the host chooses at run
 * time.
 */
public abstract class KernelVersions {
  /** The source of fresh names. */
  protected final NameSource names;

  private final ImperativeProgram.Function function;
  private final Set<String> labels = new HashSet<>();
  private int versioned;

  /** Makes a transformation of a function. */
  protected KernelVersions(ImperativeProgram.Function function) {
    this.function = function;
    this.names = new NameSource(function.nextTag());
    new CodeMapper() {
      @Override
      public Code statement(Code c) {
        if (c instanceof Code.Launch l) {
          labels.add(l.label());
        }
        return super.statement(c);
      }
    }.statements(function.body());
  }

  /** Returns the statement that replaces a launch, or null to keep the launch. */
  protected abstract @Nullable Code versions(Code.Launch launch);

  /** Tests whether a kernel of the function has the label. */
  protected final boolean isTaken(String label) {
    return labels.contains(label);
  }

  /** Returns the number of kernels with added versions. */
  protected final int versioned() {
    return versioned;
  }

  /** Returns the transformed function, or the function itself if nothing changed. */
  protected final ImperativeProgram.Function rewritten() {
    List<Code> body =
        new CodeMapper() {
          @Override
          public Code statement(Code c) {
            if (!(c instanceof Code.Launch l)) {
              return super.statement(c);
            }
            Code now = versions(l);
            if (now == null) {
              return l;
            }
            versioned++;
            return now;
          }
        }.statements(function.body());
    return versioned > 0 ? function.withBody(body, names.next()) : function;
  }
}
