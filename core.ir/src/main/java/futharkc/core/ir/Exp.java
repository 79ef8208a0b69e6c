package futharkc.core.ir;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The expression that a statement evaluates. The statement's pattern gives the result types. If a
 * value's size (or, in memory representations, its block, offset or stride) is only known after
 * evaluation, the expression returns it too, before the value. Types in the pattern then mention
 * the name bound to it.
 */
public sealed interface Exp
    permits BasicOp, Exp.Apply, Exp.Match, Exp.Loop, Exp.WithAcc, Soac, SegExp, HostOp, MemOp {
  /**
   * A call of a function.
   *
   * @param consumed for each argument, true if the callee's parameter consumes it
   */
  record Apply(String function, List<SubExp> args, List<Boolean> consumed) implements Exp {
    public Apply {
      args = List.copyOf(args);
      consumed = List.copyOf(consumed);
    }
  }

  /**
   * A choice among bodies: the first case whose patterns all equal the scrutinees, otherwise the
   * default. A conditional has one boolean scrutinee and one case, {@code true}. The results of
   * each branch have the types of the statement's pattern, with the pattern's names replaced by the
   * branch's results.
   */
  record Match(List<SubExp> scrutinees, List<Case> cases, Body otherwise) implements Exp {
    public Match {
      scrutinees = List.copyOf(scrutinees);
      cases = List.copyOf(cases);
    }

    /** Makes {@code if cond then ... else ...}. */
    public static Match conditional(SubExp cond, Body then, Body otherwise) {
      List<@Nullable PrimValue> pattern = new ArrayList<>();
      pattern.add(PrimValue.TRUE);
      return new Match(List.of(cond), List.of(new Case(pattern, then)), otherwise);
    }

    /** Tests whether this match is a conditional. */
    public boolean isConditional() {
      return cases.size() == 1
          && cases.get(0).pattern().size() == 1
          && PrimValue.TRUE.equals(cases.get(0).pattern().get(0));
    }
  }

  /**
   * One case of a {@link Match}.
   *
   * @param pattern for each scrutinee, the required value, or null for any value
   */
  record Case(List<@Nullable PrimValue> pattern, Body body) {}

  /**
   * A loop. The body's results are the parameters' next values. The results of the loop are the
   * parameters' final values; these are the initial values if the trip count is zero.
   */
  record Loop(List<LoopParam> params, Form form, Body body) implements Exp {
    public Loop {
      params = List.copyOf(params);
    }
  }

  /**
   * A loop parameter and its initial value.
   *
   * @param attrs attributes as written in the source: {@code true_dep}
   */
  record LoopParam(Param param, SubExp init, List<String> attrs) {
    public LoopParam {
      attrs = List.copyOf(attrs);
    }

    /** Makes a loop parameter without attributes. */
    public LoopParam(Param param, SubExp init) {
      this(param, init, List.of());
    }
  }

  /** The condition of a loop's iteration. */
  sealed interface Form {
    /** A counted loop. The index runs from 0 to {@code bound - 1}; both have the integer type. */
    record For(Name index, PrimType type, SubExp bound) implements Form {}

    /** A loop that iterates while the condition, a loop parameter, is true. */
    record While(Name cond) implements Form {}
  }

  /**
   * Array updates in unspecified order. The lambda's parameters are one token (of unit type) per
   * input, then one accumulator per input. Its results are the accumulators, then other values. The
   * expression returns the updated arrays of all inputs, then the other values. It consumes the
   * arrays.
   */
  record WithAcc(List<AccInput> inputs, Lambda lambda) implements Exp {
    public WithAcc {
      inputs = List.copyOf(inputs);
    }
  }

  /**
   * Arrays that together form one accumulator.
   *
   * @param space the sizes of the outer dimensions, which an update's index addresses
   * @param op combines an old value with a new one; null if the new value replaces the old
   */
  record AccInput(List<SubExp> space, List<Name> arrays, @Nullable AccOp op) {
    public AccInput {
      space = List.copyOf(space);
      arrays = List.copyOf(arrays);
    }
  }

  /**
   * An associative and commutative operator with its neutral element. The lambda's parameters are
   * the index (one i64 per dimension of the space), the old values, then the new values. In a
   * memory representation, the location of an old value that is an array is inside the
   * accumulator's arrays. A new value that is an array is preceded by its block and is row-major
   * from offset 0.
   */
  record AccOp(Lambda lambda, List<SubExp> neutral) {
    public AccOp {
      neutral = List.copyOf(neutral);
    }
  }
}
