package futharkc.pass.simplify;

import futharkc.core.ir.Aux;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.HostOp;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Name;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The expressions evaluated so far in a statement list and in the enclosing lists. They include
 * scalars, checks, views of the same array, and arrays that kernels write. Other arrays are
 * excluded: a newly allocated array may be consumed, so two equal ones must stay distinct. Branches
 * on scalars are equal up to the names that they bind.
 */
final class CommonSubexpressions {
  private final @Nullable CommonSubexpressions outer;

  /** The maximal depth of the search through conjunctions and disjunctions. */
  private static final int DEPTH = 6;

  private final Simplifier in;
  private final Map<Object, Stm> seen = new HashMap<>();

  /** The kernel results so far, keyed by the computation of an element. */
  private final Map<Object, Stm> made = new HashMap<>();

  /** The checks so far, keyed by the conditions that they prove. */
  private final Map<SubExp, Stm> checked = new HashMap<>();

  CommonSubexpressions(@Nullable CommonSubexpressions outer, Simplifier in) {
    this.outer = outer;
    this.in = in;
  }

  /**
   * Returns an earlier statement with the same value and a superset of the certificates. If there
   * is none, this method records the statement and returns null.
   */
  @Nullable Stm find(Stm s) {
    if (s.exp() instanceof BasicOp.Assert a) {
      return check(s, a);
    }
    Object key = key(s);
    if (key == null) {
      return null;
    }
    for (CommonSubexpressions c = this; c != null; c = c.outer) {
      Stm earlier = c.seen.get(key);
      if (earlier != null
          && earlier.aux().certs().containsAll(s.aux().certs())
          && types(earlier).equals(types(s))) {
        return earlier;
      }
    }
    seen.put(key, s);
    return null;
  }

  /** Returns the earlier kernel with a result of this value, or null. */
  @Nullable Stm maker(KernelValue value) {
    for (CommonSubexpressions c = this; c != null; c = c.outer) {
      Stm earlier = c.made.get(value);
      if (earlier != null) {
        return earlier;
      }
    }
    return null;
  }

  /** Records the kernel with a result of this value. */
  void makes(KernelValue value, Stm s) {
    made.put(value, s);
  }

  /**
   * Returns an earlier check that implies this one. If there is none, this method records the
   * condition and returns null.
   */
  private @Nullable Stm check(Stm s, BasicOp.Assert a) {
    Stm earlier = implying(a.cond(), DEPTH);
    if (earlier != null && earlier.aux().certs().containsAll(s.aux().certs())) {
      return earlier;
    }
    holds(a.cond(), s, DEPTH);
    return null;
  }

  private void holds(SubExp cond, Stm check, int depth) {
    checked.putIfAbsent(cond, check);
    if (depth > 0 && logical(cond, BinOp.Kind.LOG_AND) instanceof BasicOp.BinOpExp both) {
      holds(both.left(), check, depth - 1);
      holds(both.right(), check, depth - 1);
    }
  }

  private @Nullable Stm implying(SubExp cond, int depth) {
    for (CommonSubexpressions c = this; c != null; c = c.outer) {
      Stm check = c.checked.get(cond);
      if (check != null) {
        return check;
      }
    }
    if (depth == 0 || !(logical(cond, BinOp.Kind.LOG_OR) instanceof BasicOp.BinOpExp either)) {
      return null;
    }
    Stm left = implying(either.left(), depth - 1);
    return left != null ? left : implying(either.right(), depth - 1);
  }

  private BasicOp.@Nullable BinOpExp logical(SubExp cond, BinOp.Kind kind) {
    return in.expOf(cond) instanceof BasicOp.BinOpExp x && x.op().kind() == kind ? x : null;
  }

  /**
   * A scalar operation on two operands. This class has a hash of its own: with the hash of a list
   * or record, sequences such as {@code x_1 * 9}, {@code x_2 * 8} have equal hashes.
   */
  record Operation(Object op, SubExp left, SubExp right) {
    /** Returns the operation, with the operands of a commutative operator in a canonical order. */
    static Operation inOrder(BinOp op, SubExp a, SubExp b) {
      return a.toString().compareTo(b.toString()) <= 0
          ? new Operation(op, a, b)
          : new Operation(op, b, a);
    }

    @Override
    public int hashCode() {
      return (op.hashCode() * 31 + left.hashCode()) * 0x9E3779B1 + right.hashCode();
    }
  }

  /**
   * Returns an earlier evaluation of an expression, regardless of certificates; null if there is
   * none.
   */
  @Nullable Stm earlier(BasicOp op, Type type) {
    Object key = key(op, type instanceof Type.Prim);
    if (key == null) {
      return null;
    }
    for (CommonSubexpressions c = this; c != null; c = c.outer) {
      Stm s = c.seen.get(key);
      if (s != null && s.pat().get(0).type().equals(type)) {
        return s;
      }
    }
    return null;
  }

  private static List<Type> types(Stm s) {
    return s.pat().stream().map(PatElem::type).toList();
  }

  private @Nullable Object key(Stm s) {
    if (s.exp() instanceof Exp.Match m && areScalars(s)) {
      return numbered(m);
    }
    if (s.pat().size() != 1 || s.pat().get(0).type() instanceof Type.Acc) {
      return null;
    }
    // An array of one scalar that nobody updates is as good as another one.
    if (s.exp() instanceof HostOp.GpuBody g && g.body().stms().isEmpty() && !in.hasMemory()) {
      return in.stay(s.names()) ? g : null;
    }
    return s.exp() instanceof BasicOp op
        ? key(op, s.pat().get(0).type() instanceof Type.Prim)
        : null;
  }

  /** Tests whether a statement, including its branches, only computes scalars. */
  private static boolean areScalars(Stm s) {
    return s.pat().stream().allMatch(p -> p.type() instanceof Type.Prim)
        && switch (s.exp()) {
          case BasicOp.Assert _, BasicOp.Opaque _ -> false;
          case BasicOp _ -> true;
          case Exp.Match m ->
              m.cases().stream().allMatch(c -> areScalars(c.body())) && areScalars(m.otherwise());
          default -> false;
        };
  }

  private static boolean areScalars(Body b) {
    return b.stms().stream().allMatch(CommonSubexpressions::areScalars);
  }

  /** Returns the branches with their bound names numbered in order, for comparison. */
  private static Exp numbered(Exp.Match m) {
    return new Mapper() {
      private final Map<Name, Name> numbers = new HashMap<>();

      @Override
      public Name name(Name use) {
        return numbers.getOrDefault(use, use);
      }

      @Override
      public Name binder(Name bound) {
        Name number = new Name("", -numbers.size() - 1);
        numbers.put(bound, number);
        return number;
      }

      @Override
      public Aux aux(Aux aux) {
        return Aux.NONE.withCerts(super.aux(aux).certs());
      }
    }.exp(m);
  }

  private @Nullable Object key(BasicOp exp, boolean scalar) {
    return switch (exp) {
      case BasicOp.Assert a -> null;
      case BasicOp.Index x -> x;
      case BasicOp.FlatIndex x -> x;
      case BasicOp.Reshape x -> x;
      case BasicOp.Rearrange x -> x;
      case BasicOp.Opaque x -> null;
      case BasicOp.BinOpExp x ->
          ScalarRules.mayBeSwapped(x.op(), in)
              ? Operation.inOrder(x.op(), x.left(), x.right())
              : new Operation(x.op(), x.left(), x.right());
      case BasicOp.CmpOpExp x -> new Operation(x.op(), x.left(), x.right());
      default -> scalar ? exp : null;
    };
  }
}
