package futharkc.core.language.lower;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Loc;
import futharkc.core.ir.PrimValue;
import futharkc.core.ir.SubExp;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An event at which a debugged program passes values to the debugger. The program passes the
 * operands in order, each as the operand of a {@link BasicOp.Tag.Break} with the event's number.
 *
 * @param trace the beginning of the line to print for a trace; empty for a breakpoint
 * @param nan the test for a new NaN, without which the event does not happen; null for other events
 * @param operands the number of operands, at least 1
 * @param stack the activations of functions, innermost first; a trace has one activation with the
 *     traced value as its only variable
 */
public record DebugEvent(String trace, @Nullable NewNan nan, int operands, List<Activation> stack) {
  public DebugEvent {
    stack = List.copyOf(stack);
  }

  /** Tests whether the event prints a value. */
  public boolean isTrace() {
    return !trace.isEmpty();
  }

  /** A test for a NaN that an operator makes of operands without NaN. */
  public static final class NewNan {
    private final SubExp result;
    private final List<SubExp> inputs;
    private final Map<SubExp, Integer> operands;

    NewNan(SubExp result, List<SubExp> inputs, Map<SubExp, Integer> operands) {
      this.result = result;
      this.inputs = inputs;
      this.operands = operands;
    }

    /** Tests whether the result is a NaN and no input is one. */
    public boolean test(List<Operand> values) {
      return isNan(result, values) && inputs.stream().noneMatch(e -> isNan(e, values));
    }

    private boolean isNan(SubExp e, List<Operand> values) {
      PrimValue v =
          switch (e) {
            case SubExp.Const c -> c.value();
            case SubExp.Var _ -> values.get(Objects.requireNonNull(operands.get(e))).element(0);
          };
      return Double.isNaN(v.asDouble());
    }
  }

  /**
   * An activation of a function.
   *
   * @param loc the position of the breakpoint or call
   * @param variables the variables in scope, except functions
   */
  public record Activation(Loc loc, List<Variable> variables) {
    public Activation {
      variables = List.copyOf(variables);
    }
  }

  /** The value of an operand: a scalar or an array of scalars. */
  public interface Operand {
    /** Returns an element; a scalar is its own element 0. */
    PrimValue element(long index);
  }

  /** A text of a scalar of a source type. */
  @FunctionalInterface
  public interface ScalarText {
    String of(futharkc.core.language.syntax.PrimType type, PrimValue value);
  }

  /** A variable in scope. */
  public static final class Variable {
    private final String name;
    private final LoweredValue value;
    private final Map<SubExp, Integer> operands;
    private final Map<SubExp, String> sizeNames;

    /**
     * Creates a variable.
     *
     * @param operands the numbers of the operands
     * @param sizeNames the names of the variables that are sizes
     */
    Variable(
        String name,
        LoweredValue value,
        Map<SubExp, Integer> operands,
        Map<SubExp, String> sizeNames) {
      this.name = name;
      this.value = value;
      this.operands = operands;
      this.sizeNames = sizeNames;
    }

    /** Returns the name of the variable. */
    public String name() {
      return name;
    }

    /** Tests whether the variable may be a size of other variables. */
    public boolean isSize() {
      return value.type().equals(Ty.Prim.I64);
    }

    /** Returns a definition of the variable as a constant. */
    public String definition(List<Operand> values, ScalarText scalars) {
      ValueText text = new ValueText(values, scalars, true);
      text.value(value.type(), value.leaves(), 0, false);
      String constant = text.type(value.type(), false);
      String named = text.type(value.type(), true);
      return named.equals(constant)
          ? "def " + name + " : " + constant + " = " + text.out
          : "def " + name + " = (" + text.out + " : " + constant + ") :> " + named;
    }

    /**
     * Returns a text and after it the value, as the interactive session shows it. The rows of an
     * array are below each other.
     */
    public String display(String before, List<Operand> values, ScalarText scalars) {
      ValueText text = new ValueText(values, scalars, false);
      text.out.append(before);
      text.value(value.type(), value.leaves(), 0, false);
      return text.out.toString();
    }

    /** A writer of values with all their leaves. */
    private final class ValueText {
      private final List<Operand> values;
      private final ScalarText scalars;
      private final boolean oneLine;
      private final StringBuilder out = new StringBuilder();

      ValueText(List<Operand> values, ScalarText scalars, boolean oneLine) {
        this.values = values;
        this.scalars = scalars;
        this.oneLine = oneLine;
      }

      private PrimValue element(SubExp leaf, long index) {
        return switch (leaf) {
          case SubExp.Const c -> c.value();
          case SubExp.Var _ ->
              values.get(Objects.requireNonNull(operands.get(leaf))).element(index);
        };
      }

      /**
       * Writes a value.
       *
       * @param index the index of the value in its leaves, which are arrays of such values
       * @param isArgument true in the place of an argument
       */
      void value(Ty type, List<SubExp> leaves, long index, boolean isArgument) {
        switch (type) {
          case Ty.Prim p -> {
            String text = scalars.of(p.type(), element(leaves.getFirst(), index));
            boolean parens = isArgument && text.startsWith("-");
            out.append(parens ? "(" + text + ")" : text);
          }
          case Ty.Array a -> array(a, leaves, index);
          case Ty.Record r -> record(r, leaves, index);
          case Ty.Sum s -> sum(s, leaves, index, isArgument);
          case Ty.Acc _, Ty.Fun _ -> out.append("<function>");
        }
      }

      private void array(Ty.Array a, List<SubExp> leaves, long index) {
        out.append('[');
        int column = out.length() - out.lastIndexOf("\n") - 1;
        long n = element(a.size(), 0).asLong();
        boolean rows = !oneLine && a.elem() instanceof Ty.Array;
        for (long i = 0; i < n; i++) {
          if (i > 0) {
            out.append(rows ? ",\n" + " ".repeat(column) : ", ");
          }
          value(a.elem(), leaves, index * n + i, false);
        }
        out.append(']');
      }

      private void record(Ty.Record r, List<SubExp> leaves, long index) {
        boolean tuple = SourceTypeText.isTuple(r);
        out.append(tuple ? '(' : '{');
        int at = 0;
        for (var field : r.fields().entrySet()) {
          out.append(at == 0 ? "" : ", ").append(tuple ? "" : field.getKey() + " = ");
          int n = field.getValue().leafCount();
          value(field.getValue(), leaves.subList(at, at + n), index, false);
          at += n;
        }
        out.append(tuple ? ')' : '}');
      }

      private void sum(Ty.Sum s, List<SubExp> leaves, long index, boolean isArgument) {
        int tag = (int) element(leaves.getFirst(), index).asLong();
        String constructor = List.copyOf(s.variants().keySet()).get(tag);
        List<Ty> payload = s.payload(constructor);
        boolean parens = isArgument && !payload.isEmpty();
        out.append(parens ? "(#" : "#").append(constructor);
        for (int i = 0; i < payload.size(); i++) {
          List<SubExp> parts = new ArrayList<>();
          s.layout().of(constructor).get(i).forEach(slot -> parts.add(leaves.get(1 + slot)));
          out.append(' ');
          value(payload.get(i), parts, index, true);
        }
        out.append(parens ? ")" : "");
      }

      /** Returns the text of a type, whose sizes are names of variables if possible and wanted. */
      String type(Ty type, boolean withNames) {
        return SourceTypeText.of(
            type,
            size -> {
              String known = withNames ? sizeNames.get(size) : null;
              return known != null && !known.equals(name)
                  ? known
                  : Long.toString(element(size, 0).asLong());
            });
      }
    }
  }
}
