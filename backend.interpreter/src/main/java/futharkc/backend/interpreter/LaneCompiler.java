package futharkc.backend.interpreter;

import futharkc.core.ir.Name;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import org.jspecify.annotations.Nullable;

/**
 * A compiler of vector loops. A lane variable has a slot for each lane, and a statement runs for
 * one lane after the other. Half of the groups of a loop run in lanes if iterations run backwards,
 * otherwise all.
 */
final class LaneCompiler {
  private final Options options;
  private final VariableSlots variables;
  private final ExprCompiler terms;
  private final StepCompiler steps;

  /** The number of lanes of the current loop. */
  private int lanes;

  LaneCompiler(Options options, VariableSlots variables, ExprCompiler terms, StepCompiler steps) {
    this.options = options;
    this.variables = variables;
    this.terms = terms;
    this.steps = steps;
  }

  Step step(Code.Vector code) {
    return switch (code) {
      case Code.VectorLoop l -> loop(l);
      case Code.DeclareLanes d -> {
        Expr value = d.value();
        CompiledExpr[] values = value == null ? null : lanes(value);
        int[] slots = variables.declareLanes(d.name(), lanes);
        yield a -> {
          for (int k = 0; k < slots.length; k++) {
            if (values == null) {
              a.undefined[slots[k]] = Undefined.UNASSIGNED;
            } else {
              a.set(slots[k], values[k]);
            }
          }
        };
      }
      case Code.AssignLanes s -> {
        CompiledExpr[] values = lanes(s.value());
        CompiledExpr @Nullable [] mask = mask(s.mask());
        int[] slots = slots(s.name());
        yield a -> {
          for (int k = 0; k < slots.length; k++) {
            if (isActive(mask, k, a)) {
              a.set(slots[k], values[k]);
            }
          }
        };
      }
      case Code.StoreLanes s -> {
        ExprCompiler.Block block = terms.block(s.block());
        CompiledExpr[] values = lanes(s.value());
        CompiledExpr @Nullable [] mask = mask(s.mask());
        CompiledExpr[] index = new CompiledExpr[lanes];
        for (int k = 0; k < lanes; k++) {
          index[k] = terms.poly(s.index(), k);
        }
        yield a -> {
          Execution x = a.execution;
          for (int k = 0; k < values.length; k++) {
            if (isActive(mask, k, a)) {
              long i = a.defined(index[k], "an index");
              x.undefined = null;
              long bits = values[k].value(a);
              block.of(a).write(s.elem(), i, bits, x.undefined, x);
            }
          }
        };
      }
      case Code.AnyLane s -> {
        CompiledExpr[] mask = lanes(new Expr.Var(s.mask(), PrimType.BOOL));
        int slot = variables.ownScalar(s.name());
        yield a -> {
          long any = 0;
          for (int k = 0; k < mask.length; k++) {
            any |= isActive(mask, k, a) ? 1 : 0;
          }
          a.set(slot, any);
        };
      }
    };
  }

  private Step loop(Code.VectorLoop l) {
    CompiledExpr from = terms.expr(l.from());
    CompiledExpr to = terms.expr(l.to());
    int outside = lanes;
    lanes = l.lanes();
    int[] index = variables.declareLanes(l.index(), lanes);
    Step body = steps.all(l.body());
    lanes = outside;
    int done = variables.declareScalar(l.done());
    Step rest = steps.all(l.rest());
    return a -> {
      long start = a.defined(from, "the bound of a loop");
      long end = a.defined(to, "the bound of a loop");
      long groups = start < end ? (end - start) / l.lanes() : 0;
      long run = options.backwards() ? groups / 2 : groups;
      long i = start;
      for (long g = 0; g < run; g++) {
        for (int slot : index) {
          a.set(slot, i++);
        }
        body.run(a);
      }
      a.set(done, i);
      rest.run(a);
    };
  }

  private CompiledExpr[] lanes(Expr e) {
    CompiledExpr[] values = new CompiledExpr[lanes];
    for (int k = 0; k < lanes; k++) {
      values[k] = terms.expr(e, k);
    }
    return values;
  }

  private CompiledExpr @Nullable [] mask(@Nullable Name mask) {
    return mask == null ? null : lanes(new Expr.Var(mask, PrimType.BOOL));
  }

  private static boolean isActive(CompiledExpr @Nullable [] mask, int lane, Activation a) {
    return mask == null || a.defined(mask[lane], "a mask") != 0;
  }

  private int[] slots(Name n) {
    int[] slots = variables.lanes(n);
    if (slots == null) {
      throw new Fault(n + " is not a lane variable");
    }
    return slots;
  }
}
