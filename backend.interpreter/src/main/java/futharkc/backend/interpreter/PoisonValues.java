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

/**
 * Arbitrary values that stand in for what a program fails to compute. A check that does not hold
 * ends nothing; each statement that it guards, or that fails by itself, gives arbitrary values of
 * its types. A result that is the same whatever these are needs nothing that fails. Scalars that
 * are computed alike of equal scalars, and all fail, have one value: a program may compute them
 * once.
 */
final class PoisonValues {
  private static final long MOST_STATEMENTS = 200_000_000;
  private static final long MOST_ELEMENTS = 1_000_000;
  private static final long FAILED = 1;

  private final long seed;
  private final Random random;
  private long statements;

  PoisonValues(long seed) {
    this.seed = seed;
    this.random = new Random(seed);
  }

  /** Arbitrary values have led to a computation that may never end. */
  private static final class TooLongException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /**
   * A statement's code with what stands in if that fails.
   *
   * @param certs the checks that guard it
   * @param outs the variables of its pattern
   * @param scopes where its free variables are bound
   */
  Instruction around(Instruction code, In[] certs, Out[] outs, Stm s, VariableScopes scopes) {
    boolean check = s.exp() instanceof BasicOp.Assert;
    boolean[] isSize = sizes(s.pat());
    boolean scalar = s.exp() instanceof BasicOp && !check && outs[0] instanceof Out.Scalar;
    Alike alike = scalar ? Alike.of(s.exp(), scopes) : null;
    return f -> {
      if (++statements > MOST_STATEMENTS) throw new TooLongException();
      if (hold(certs, f) && succeeds(code, f)) return;
      Random from = alike == null ? random : new Random(seed + alike.hash(f));
      for (int k = 0; k < outs.length; k++) {
        if (check) outs[k].scalar(f, FAILED);
        else standIn(outs[k], s.pat().get(k).type(), isSize[k], from, f);
      }
    };
  }

  /**
   * What makes two computations of a scalar the same.
   *
   * @param form the expression, its scalars numbered
   */
  private record Alike(String form, In[] scalars) {
    static Alike of(Exp e, VariableScopes scopes) {
      Map<Name, SubExp> numbers = new LinkedHashMap<>();
      for (Name n : FreeNames.of(e)) {
        if (scopes.type(SubExp.of(n)) instanceof Type.Prim) {
          numbers.put(n, SubExp.of(new Name("scalar", numbers.size())));
        }
      }
      In[] scalars = scopes.names(List.copyOf(numbers.keySet()));
      return new Alike(new Substitution(numbers).exp(e).toString(), scalars);
    }

    long hash(Frame f) {
      long h = form.hashCode();
      for (In x : scalars) h = 31 * h + x.scalar(f);
      return h;
    }
  }

  private static boolean hold(In[] certs, Frame f) {
    for (In c : certs) if (c.scalar(f) == FAILED) return false;
    return true;
  }

  private static boolean succeeds(Instruction code, Frame f) {
    try {
      code.run(f);
      return true;
    } catch (FutharkError
        | Fault
        | ArrayIndexOutOfBoundsException
        | ClassCastException
        | NullPointerException
        | ArithmeticException e) {
      return false;
    }
  }

  private static boolean[] sizes(List<PatElem> pat) {
    Set<Name> sizes = new HashSet<>();
    for (PatElem p : pat) sizes.addAll(FreeNames.of(p.type()));
    boolean[] is = new boolean[pat.size()];
    for (int k = 0; k < is.length; k++) is[k] = sizes.contains(pat.get(k).name());
    return is;
  }

  private static void standIn(Out out, Type type, boolean isSize, Random random, Frame f) {
    switch (out) {
      case Out.Scalar x -> x.scalar(f, isSize ? random.nextInt(4) : value(type.elemPrim(), random));
      case Out.Array x -> x.only(f, array(type.elemPrim(), x.shape(f), random));
      case Out.Acc x -> {
        x.again(f);
        for (View v : ((Accumulator) f.objects[x.slot]).arrays()) {
          v.assign(array(type.elemPrim(), v.shape(), random));
        }
      }
      case Out.Memory x -> throw new Fault("nothing stands in for memory");
    }
  }

  /** An array; where a size is negative, it is empty. */
  private static View array(PrimType t, long[] shape, Random random) {
    long[] least = new long[shape.length];
    long size = 1;
    for (int d = 0; d < least.length; d++) {
      least[d] = Math.max(0, shape[d]);
      if (least[d] > MOST_ELEMENTS || size > MOST_ELEMENTS) throw new Fault("too large");
      size *= least[d];
    }
    if (size > MOST_ELEMENTS) throw new Fault("too large");
    View v = View.whole(Store.scratch(t, size), least);
    for (int i = 0; i < size; i++) v.set(i, value(t, random));
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
