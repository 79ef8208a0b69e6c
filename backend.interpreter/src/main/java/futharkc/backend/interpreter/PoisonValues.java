package futharkc.backend.interpreter;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.Name;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Substitution;
import futharkc.core.ir.Type;
import futharkc.core.runtime.FutharkError;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A generator of arbitrary values that replace failed computations. A failed check does not end the
 * program: each statement that the check guards, or that fails itself, yields arbitrary values of
 * its types. A result that is the same for all such values does not depend on a failure.
 *
 * <p>Two failing scalar computations with the same expression and operands yield the same value,
 * since a pass may merge them.
 */
final class PoisonValues {
  private static final long MOST_STATEMENTS = 200_000_000;
  private static final long MOST_ELEMENTS = 1_000_000;
  private static final long FAILED = 1;

  private final long seed;
  private final Consumer<FutharkError> failures;
  private final Random random;
  private long statements;

  /**
   * Creates a generator.
   *
   * @param failures the consumer of the replaced failures
   */
  PoisonValues(long seed, Consumer<FutharkError> failures) {
    this.seed = seed;
    this.failures = failures;
    this.random = new Random(seed);
  }

  /** An exception that ends computations that may not terminate because of arbitrary values. */
  private static final class TooLongException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /**
   * Returns code that binds a statement's variables to arbitrary values if the statement fails.
   *
   * @param code the compiled statement
   * @param certs the checks that guard the statement
   * @param outs the variables of the pattern
   * @param s the statement
   * @param scopes the scopes of its free variables
   */
  Instruction around(
      Instruction code, Operand[] certs, Destination[] outs, Stm s, VariableScopes scopes) {
    boolean check = s.exp() instanceof BasicOp.Assert;
    boolean[] isSize = sizes(s.pat());
    boolean scalar = s.exp() instanceof BasicOp && !check && outs[0] instanceof Destination.Scalar;
    ComputationKey alike = scalar ? ComputationKey.of(s.exp(), scopes) : null;
    return f -> {
      if (++statements > MOST_STATEMENTS) {
        throw new TooLongException();
      }
      if (hold(certs, f) && succeeds(code, f)) {
        return;
      }
      Random from = alike == null ? random : new Random(seed + alike.hash(f));
      for (int k = 0; k < outs.length; k++) {
        if (check) {
          outs[k].scalar(f, FAILED);
        } else {
          standIn(outs[k], s.pat().get(k).type(), isSize[k], from, f);
        }
      }
    };
  }

  /**
   * A key that is equal for equal scalar computations.
   *
   * @param form the expression with numbered scalars
   * @param scalars the scalars of the expression
   */
  private record ComputationKey(String form, Operand[] scalars) {
    static ComputationKey of(Exp e, VariableScopes scopes) {
      Map<Name, SubExp> numbers = new LinkedHashMap<>();
      for (Name n : FreeNames.of(e)) {
        if (scopes.type(SubExp.of(n)) instanceof Type.Prim) {
          numbers.put(n, SubExp.of(new Name("scalar", numbers.size())));
        }
      }
      Operand[] scalars = scopes.names(List.copyOf(numbers.keySet()));
      return new ComputationKey(new Substitution(numbers).exp(e).toString(), scalars);
    }

    long hash(CallFrame f) {
      long h = form.hashCode();
      for (Operand x : scalars) {
        h = 31 * h + x.scalar(f);
      }
      return h;
    }
  }

  private static boolean hold(Operand[] certs, CallFrame f) {
    for (Operand c : certs) {
      if (c.scalar(f) == FAILED) {
        return false;
      }
    }
    return true;
  }

  private boolean succeeds(Instruction code, CallFrame f) {
    try {
      code.run(f);
      return true;
    } catch (FutharkError e) {
      failures.accept(e);
      return false;
    } catch (Fault
        | ArrayIndexOutOfBoundsException
        | ClassCastException
        | NullPointerException
        | ArithmeticException e) {
      return false;
    }
  }

  private static boolean[] sizes(List<PatElem> pat) {
    Set<Name> sizes = new HashSet<>();
    for (PatElem p : pat) {
      sizes.addAll(FreeNames.of(p.type()));
    }
    boolean[] is = new boolean[pat.size()];
    for (int k = 0; k < is.length; k++) {
      is[k] = sizes.contains(pat.get(k).name());
    }
    return is;
  }

  private static void standIn(
      Destination out, Type type, boolean isSize, Random random, CallFrame f) {
    switch (out) {
      case Destination.Scalar x ->
          x.scalar(f, isSize ? random.nextInt(4) : value(type.elemPrim(), random));
      case Destination.Array x -> x.only(f, array(type.elemPrim(), x.shape(f), random));
      case Destination.Acc x -> {
        x.again(f);
        for (ArrayView v : ((Accumulator) f.objects[x.slot]).arrays()) {
          v.assign(array(type.elemPrim(), v.shape(), random));
        }
      }
      case Destination.Memory x -> throw new Fault("memory blocks have no arbitrary values");
    }
  }

  /** Returns an array of arbitrary values; it is empty if a size is negative. */
  private static ArrayView array(PrimType t, long[] shape, Random random) {
    long[] least = new long[shape.length];
    long size = 1;
    for (int d = 0; d < least.length; d++) {
      least[d] = Math.max(0, shape[d]);
      if (least[d] > MOST_ELEMENTS || size > MOST_ELEMENTS) {
        throw new Fault("an arbitrary array has too many elements");
      }
      size *= least[d];
    }
    if (size > MOST_ELEMENTS) {
      throw new Fault("an arbitrary array has too many elements");
    }
    ArrayView v = ArrayView.whole(Store.scratch(t, size), least);
    for (int i = 0; i < size; i++) {
      v.set(i, value(t, random));
    }
    return v;
  }

  private static long value(PrimType t, Random random) {
    int small = random.nextInt(19) - 9;
    return switch (t) {
      case UNIT -> FAILED;
      case BOOL -> small & 1;
      case I8, I16, I32, I64 -> small;
      case F16 -> Float.floatToFloat16(small);
      case F32 -> Float.floatToRawIntBits(small);
      case F64 -> Double.doubleToRawLongBits(small);
    };
  }
}
