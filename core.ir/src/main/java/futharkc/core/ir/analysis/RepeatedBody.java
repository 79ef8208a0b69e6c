package futharkc.core.ir.analysis;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.HostOp;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.SegBody;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.SegSpace;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A body that an expression evaluates repeatedly: that of a loop, or of a lambda over the elements
 * of arrays. It provides the facts for loop-invariant code motion: the trip count and the variance
 * of statements. Passes decide which invariant statements to move.
 *
 * <pre>{@code
 * RepeatedBody.map(exp, free, body -> {
 *   List<Stm> rest = new ArrayList<>();
 *   for (Stm s : body.stms()) {
 *     if (body.isInvariant(s) && ..) {
 *       before.add(s);
 *     } else {
 *       rest.add(s);
 *       body.stays(s);
 *     }
 *   }
 *   return rest;
 * })
 * }</pre>
 */
public final class RepeatedBody {
  private final List<Stm> stms;
  private final List<SubExp> results;
  private final @Nullable TripCount tripCount;
  private final Set<Name> varying;
  private final FreeNamesOfStms free;

  private RepeatedBody(
      List<Stm> stms,
      List<SubExp> results,
      @Nullable TripCount tripCount,
      Set<Name> varying,
      FreeNamesOfStms free) {
    this.stms = stms;
    this.results = results;
    this.tripCount = tripCount;
    this.varying = varying;
    this.free = free;
  }

  /** Returns the statements of the body. */
  public List<Stm> stms() {
    return stms;
  }

  /** Returns the operands of the results. */
  public List<SubExp> results() {
    return results;
  }

  /**
   * Returns the number of evaluations, or null if it is unknown, for example in {@code while} loops
   * and for operators of scans and reductions.
   */
  public @Nullable TripCount tripCount() {
    return tripCount;
  }

  /**
   * Tests whether a statement is loop-invariant: all operands, certificates, sizes and names used
   * by nested statements are defined before the first evaluation. Callers query the statements in
   * order and report those that remain in the body with {@link #stays}.
   */
  public boolean isInvariant(Stm s) {
    for (Name n : free.of(s)) {
      if (varying.contains(n)) {
        return false;
      }
    }
    return true;
  }

  /** Records that a statement remains in the body, so that its names are not defined before. */
  public void stays(Stm s) {
    varying.addAll(s.names());
  }

  /**
   * Replaces the statements of the bodies that an expression repeats: bodies of loops, of lambdas
   * of a combinator (including operators of scans and reductions, but not of histograms), of
   * lambdas with accumulators (evaluated once), and of operations over a space. Returns the
   * expression itself if all lists remain the same.
   *
   * @param remaining a function that returns the remaining statements of a body
   */
  public static Exp map(
      Exp exp, FreeNamesOfStms free, Function<RepeatedBody, List<Stm>> remaining) {
    Bodies bodies = new Bodies(free, remaining);
    return switch (exp) {
      case Exp.Loop l -> bodies.loop(l);
      case Exp.WithAcc w -> bodies.withAcc(w);
      case Soac.Screma x -> bodies.screma(x);
      case Soac.Hist x -> bodies.hist(x);
      case Soac.Stream x -> bodies.stream(x);
      case SegExp.ParOp p -> {
        SegOp op = bodies.segOp(p.op());
        yield op == p.op() ? p : p.with(op, p.nested());
      }
      case SegExp.Seg p -> {
        SegOp op = bodies.segOp(p.op());
        yield op == p.op() ? p : new SegExp.Seg(op);
      }
      case BasicOp _,
          Exp.Apply _,
          Exp.Match _,
          Soac.FlatMap _,
          Soac.Jvp _,
          Soac.Vjp _,
          Soac.WithVjp _,
          HostOp _,
          MemOp _ ->
          exp;
    };
  }

  private record Bodies(FreeNamesOfStms free, Function<RepeatedBody, List<Stm>> remaining) {
    Exp.Loop loop(Exp.Loop l) {
      Set<Name> varying = new HashSet<>();
      for (Exp.LoopParam p : l.params()) {
        varying.add(p.param().name());
      }
      TripCount tripCount =
          switch (l.form()) {
            case Exp.Form.For f -> {
              varying.add(f.index());
              yield new TripCount(f.bound(), f.type());
            }
            case Exp.Form.While _ -> null;
          };
      Body body = body(l.body(), tripCount, varying);
      return body == l.body() ? l : new Exp.Loop(l.params(), l.form(), body);
    }

    Exp.WithAcc withAcc(Exp.WithAcc w) {
      Lambda lambda = lambda(w.lambda(), TripCount.ONE);
      return lambda == w.lambda() ? w : new Exp.WithAcc(w.inputs(), lambda);
    }

    Soac.Screma screma(Soac.Screma x) {
      TripCount width = new TripCount(x.width(), PrimType.I64);
      Lambda map = lambda(x.map(), width);
      Lambda post = lambda(x.post(), width);
      boolean same = map == x.map() && post == x.post();
      List<Soac.Scan> scans = new ArrayList<>(x.scans().size());
      for (Soac.Scan o : x.scans()) {
        Lambda op = lambda(o.op(), null);
        scans.add(new Soac.Scan(op, o.neutral()));
        same &= op == o.op();
      }
      List<Soac.Reduce> reduces = new ArrayList<>(x.reduces().size());
      for (Soac.Reduce o : x.reduces()) {
        Lambda op = lambda(o.op(), null);
        reduces.add(new Soac.Reduce(o.commutative(), op, o.neutral()));
        same &= op == o.op();
      }
      return same ? x : new Soac.Screma(x.width(), x.inputs(), map, scans, reduces, post);
    }

    Soac.Hist hist(Soac.Hist x) {
      Lambda bucket = lambda(x.bucket(), new TripCount(x.width(), PrimType.I64));
      return bucket == x.bucket() ? x : new Soac.Hist(x.width(), x.inputs(), x.ops(), bucket);
    }

    Soac.Stream stream(Soac.Stream x) {
      Lambda lambda = lambda(x.lambda(), null);
      return lambda == x.lambda() ? x : new Soac.Stream(x.width(), x.inputs(), x.accs(), lambda);
    }

    SegOp segOp(SegOp op) {
      Set<Name> varying = new HashSet<>();
      varying.add(op.space().flat());
      for (SegSpace.Dim d : op.space().dims()) {
        varying.add(d.index());
      }
      SegBody before = op.body();
      List<Stm> stms = remaining(before.stms(), before.values(), null, varying);
      if (stms == before.stms()) {
        return op;
      }
      return op.withBody(new SegBody(stms, before.results()));
    }

    private Lambda lambda(Lambda l, @Nullable TripCount tripCount) {
      Set<Name> varying = new HashSet<>();
      l.params().forEach(p -> varying.add(p.name()));
      Body body = body(l.body(), tripCount, varying);
      return body == l.body() ? l : new Lambda(l.params(), body, l.results());
    }

    private Body body(Body b, @Nullable TripCount tripCount, Set<Name> varying) {
      List<Stm> stms = remaining(b.stms(), b.results(), tripCount, varying);
      return stms == b.stms() ? b : new Body(stms, b.results());
    }

    private List<Stm> remaining(
        List<Stm> stms, List<SubExp> results, @Nullable TripCount tripCount, Set<Name> varying) {
      return remaining.apply(new RepeatedBody(stms, results, tripCount, varying, free));
    }
  }
}
