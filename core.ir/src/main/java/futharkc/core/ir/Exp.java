package futharkc.core.ir;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a statement evaluates. Results are typed by the statement's pattern: where an expression
 * returns a value whose size (or, in memory representations, whose block, offset or stride) is only
 * known once it is evaluated, it returns that too, before, and the pattern's types mention the name
 * it is bound to.
 */
public sealed interface Exp
    permits BasicOp, Exp.Apply, Exp.Match, Exp.Loop, Exp.WithAcc, Soac, SegExp, HostOp, MemOp {
  /**
   * A call.
   *
   * @param consumed for each argument, whether it is consumed (as the callee's parameter says)
   */
  record Apply(String function, List<SubExp> args, List<Boolean> consumed) implements Exp {
    public Apply {
      args = List.copyOf(args);
      consumed = List.copyOf(consumed);
    }
  }

  /**
   * The first case whose patterns all equal the scrutinees, else the default. A conditional has one
   * scrutinee, a boolean, and one case, {@code true}. The results of each branch have the types of
   * the statement's pattern, with the pattern's names replaced by the branch's results.
   */
  record Match(List<SubExp> scrutinees, List<Case> cases, Body otherwise) implements Exp {
    public Match {
      scrutinees = List.copyOf(scrutinees);
      cases = List.copyOf(cases);
    }

    /** {@code if cond then ... else ...}. */
    public static Match conditional(SubExp cond, Body then, Body otherwise) {
      List<@Nullable PrimValue> pattern = new ArrayList<>();
      pattern.add(PrimValue.TRUE);
      return new Match(List.of(cond), List.of(new Case(pattern, then)), otherwise);
    }

    /** Whether this is a conditional. */
    public boolean isConditional() {
      return cases.size() == 1
          && cases.get(0).pattern().size() == 1
          && PrimValue.TRUE.equals(cases.get(0).pattern().get(0));
    }
  }

  /**
   * One case of a {@link Match}.
   *
   * @param pattern for each scrutinee, the value it must have, or null for any
   */
  record Case(List<@Nullable PrimValue> pattern, Body body) {}

  /**
   * A loop. The body's results are the parameters' next values; the results of the loop are the
   * parameters' last values, also when there are no iterations.
   */
  record Loop(List<LoopParam> params, Form form, Body body) implements Exp {
    public Loop {
      params = List.copyOf(params);
    }
  }

  /**
   * A loop parameter and its first value.
   *
   * @param attrs attributes from the source, as written: {@code true_dep}
   */
  record LoopParam(Param param, SubExp init, List<String> attrs) {
    public LoopParam {
      attrs = List.copyOf(attrs);
    }

    /** Without attributes. */
    public LoopParam(Param param, SubExp init) {
      this(param, init, List.of());
    }
  }

  /** What drives a loop. */
  sealed interface Form {
    /** The index counts from 0 to below the bound, both of the integer type. */
    record For(Name index, PrimType type, SubExp bound) implements Form {}

    /** As long as the condition, a parameter of the loop, is true. */
    record While(Name cond) implements Form {}
  }

  /**
   * Updates of arrays in any order. The lambda's parameters are a token (of unit type) for each
   * input, then an accumulator for each; its results are the accumulators, then other values. The
   * results of the whole are the arrays of all inputs, updated, then the other values. The arrays
   * are consumed.
   */
  record WithAcc(List<AccInput> inputs, Lambda lambda) implements Exp {
    public WithAcc {
      inputs = List.copyOf(inputs);
    }
  }

  /**
   * Arrays that become one accumulator.
   *
   * @param space the sizes of their outer dimensions, over which updates are indexed
   * @param op combines an old value with a new one; absent: the new value replaces the old
   */
  record AccInput(List<SubExp> space, List<Name> arrays, @Nullable AccOp op) {
    public AccInput {
      space = List.copyOf(space);
      arrays = List.copyOf(arrays);
    }
  }

  /**
   * An associative and commutative operator with its neutral element. The lambda's parameters are
   * the index (one i64 per dimension of the space), then the old values, then the new values. In a
   * memory representation an old value that is an array is where it is in the arrays of the
   * accumulator, and each new value that is one comes after its block, row-major from its start.
   */
  record AccOp(Lambda lambda, List<SubExp> neutral) {
    public AccOp {
      neutral = List.copyOf(neutral);
    }
  }
}
