package futharkc.pass.flattening;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Name;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToIntFunction;

/** Measures the parallelism of statements and its profitability. */
final class Parallelism {
  private final FunctionForms functions;

  Parallelism(FunctionForms functions) {
    this.functions = functions;
  }

  static boolean isSequential(Stm s) {
    return s.aux().hasAttr("sequential");
  }

  /**
   * Tests whether a statement has profitable parallelism: a second-order operation, or a call of a
   * parallel function, at any depth of loops and branches.
   */
  boolean isMeaningful(Stm s) {
    if (isSequential(s)) {
      return false;
    }
    return switch (s.exp()) {
      case Exp.Apply a -> functions.isParallel(a.function());
      case Exp.Match m ->
          anyMeaningful(m.otherwise()) || m.cases().stream().anyMatch(c -> anyMeaningful(c.body()));
      case Exp.Loop l -> anyMeaningful(l.body());
      case Exp.WithAcc w -> anyMeaningful(w.lambda().body());
      case Soac x -> true;
      default -> false;
    };
  }

  private boolean anyMeaningful(Body b) {
    return b.stms().stream().anyMatch(this::isMeaningful);
  }

  /** Tests whether a statement has any parallelism, including operations on whole arrays. */
  boolean isParallel(Stm s) {
    return !isSequential(s)
        && (s.exp() instanceof BasicOp op && isArraySized(op) || isMeaningful(s));
  }

  private static boolean isArraySized(BasicOp op) {
    return switch (op) {
      case BasicOp.Update x -> !x.slice().isElement();
      case BasicOp.Index x -> !x.slice().isElement();
      case BasicOp.Concat x -> true;
      case BasicOp.Iota x -> true;
      case BasicOp.Replicate x -> true;
      case BasicOp.FlatUpdate x -> true;
      case BasicOp.FlatIndex x -> true;
      case BasicOp.Manifest x -> true;
      case BasicOp.Rearrange x -> true;
      case BasicOp.Reshape x -> true;
      default -> false;
    };
  }

  /**
   * Tests whether a lambda has profitable parallelism, or allocates an array whose size is unknown
   * outside the lambda.
   */
  boolean isMeaningful(Lambda l) {
    return l.body().stms().stream().anyMatch(this::isMeaningful) || makesUnforeseen(l);
  }

  /**
   * Tests whether a lambda allocates, at any depth, an array whose size is unknown outside the
   * lambda.
   */
  static boolean makesUnforeseen(Lambda l) {
    Set<Name> free = FreeNames.of(l);
    return l.body().stms().stream()
        .anyMatch(s -> makesUnforeseen(s) || !s.pat().stream().allMatch(p -> isSizedBy(p, free)));
  }

  private static boolean isSizedBy(PatElem p, Set<Name> names) {
    return p.type().dims().stream()
        .allMatch(d -> !(d instanceof SubExp.Var v) || names.contains(v.name()));
  }

  /** Tests whether a body calls a parallel function, at any depth. */
  boolean callsParallel(Body b) {
    boolean[] found = {false};
    new Mapper() {
      @Override
      public Exp exp(Exp e) {
        if (e instanceof Exp.Apply a && functions.isParallel(a.function())) {
          found[0] = true;
        }
        return found[0] ? e : super.exp(e);
      }
    }.body(b);
    return found[0];
  }

  /**
   * Tests whether a loop or branch of the statement allocates an array whose size is bound within.
   * The memory that a thread needs for such an array is unknown before the launch.
   */
  static boolean makesUnforeseen(Stm s) {
    return unforeseen(s.exp(), new HashSet<>());
  }

  private static boolean unforeseen(Exp e, Set<Name> bound) {
    return switch (e) {
      case Exp.Loop l -> {
        Set<Name> inside = new HashSet<>(bound);
        l.params().forEach(p -> inside.add(p.param().name()));
        if (l.form() instanceof Exp.Form.For f) {
          inside.add(f.index());
        }
        yield unforeseen(l.body(), inside);
      }
      case Exp.Match m ->
          unforeseen(m.otherwise(), bound)
              || m.cases().stream().anyMatch(c -> unforeseen(c.body(), bound));
      case Exp.WithAcc w -> unforeseen(w.lambda().body(), bound);
      default -> false;
    };
  }

  private static boolean unforeseen(Body b, Set<Name> bound) {
    Set<Name> inside = new HashSet<>(bound);
    for (Stm s : b.stms()) {
      inside.addAll(s.names());
    }
    for (Stm s : b.stms()) {
      for (PatElem p : s.pat()) {
        if (isPartOfAnother(s.exp())) {
          break;
        }
        for (SubExp d : p.type().dims()) {
          if (d instanceof SubExp.Var v && inside.contains(v.name())) {
            return true;
          }
        }
      }
      if (unforeseen(s.exp(), inside)) {
        return true;
      }
    }
    return false;
  }

  /** Tests whether an expression's array is a view of another array, without memory of its own. */
  private static boolean isPartOfAnother(Exp e) {
    return e instanceof BasicOp.Index
        || e instanceof BasicOp.FlatIndex
        || e instanceof BasicOp.Rearrange;
  }

  // Profitability of versions

  /**
   * Tests whether a map is worth a version in which the map alone is parallel. The map must contain
   * enough parallelism that this version makes sequential.
   */
  static boolean isWorthSequentialising(Body b) {
    return outerInterest(b, 0) > 1;
  }

  private static int outerInterest(Body b, int depth) {
    int sum = 0;
    for (Stm s : b.stms()) {
      sum += outerInterest(s, depth);
    }
    return sum;
  }

  private static int outerInterest(Stm s, int depth) {
    if (isSequential(s)) {
      return 0;
    }
    return switch (s.exp()) {
      case Soac.Screma x when x.isMap() ->
          s.aux().hasAttr("sequential_inner") ? 0 : outerInterest(mapped(x), depth + 1);
      case Soac.Screma x -> {
        // A reduction directly inside the map can often be tiled.
        int tileable = x.scans().isEmpty() && depth == 0 ? 1 : 0;
        yield 1 + outerInterest(x.map().body(), depth + 1) + tileable;
      }
      case Soac.Stream x -> outerInterest(x.lambda().body(), depth + 1);
      case Exp.Loop x -> 10 * outerInterest(x.body(), depth + 1);
      case Exp.Match x -> 2 * greatest(x, b -> outerInterest(b, depth + 1));
      case Exp.WithAcc x -> outerInterest(x.lambda().body(), depth + 1);
      default -> 0;
    };
  }

  /** Tests whether a map is worth a version with a thread block for each element. */
  boolean isWorthBlock(Body b) {
    return innerInterest(b) > 1;
  }

  private int innerInterest(Body b) {
    int sum = 0;
    for (Stm s : b.stms()) {
      sum += innerInterest(s);
    }
    return sum;
  }

  private int innerInterest(Stm s) {
    if (isSequential(s)) {
      return 0;
    }
    return switch (s.exp()) {
      case Soac.Screma x when x.isMap() ->
          s.aux().hasAttr("sequential_inner")
              ? 0
              : Math.max(unlessFew(x), innerInterest(mapped(x)));
      case Soac.Screma x -> unlessFew(x) + innerInterest(x.map().body());
      case Soac.Stream x -> innerInterest(x.lambda().body());
      case Exp.Loop x -> 10 * innerInterest(x.body());
      case Exp.Match x -> greatest(x, this::innerInterest);
      case Exp.WithAcc x -> innerInterest(x.lambda().body());
      default -> 0;
    };
  }

  private static Body mapped(Soac.Screma x) {
    List<Stm> both = new ArrayList<>(x.map().body().stms());
    both.addAll(x.post().body().stms());
    return new Body(both, List.of());
  }

  private int unlessFew(Soac.Screma x) {
    return x.width() instanceof SubExp.Const c && c.value().asLong() < functions.leastInBlock()
        ? 0
        : 1;
  }

  private static int greatest(Exp.Match m, ToIntFunction<Body> interest) {
    int most = interest.applyAsInt(m.otherwise());
    for (Exp.Case c : m.cases()) {
      most = Math.max(most, interest.applyAsInt(c.body()));
    }
    return most;
  }
}
