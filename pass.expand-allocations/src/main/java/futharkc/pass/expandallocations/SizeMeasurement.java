package futharkc.pass.expandallocations;

import futharkc.core.ir.BinOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.BoundNames;
import futharkc.core.ir.Builder;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Renamer;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.liveness.DeadCode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Code that computes the maximal size of a memory block without allocations. It is the code up to
 * the allocation, in which branches and loops return the maximal size so far, reduced to the
 * statements that the size needs. There is no such code if a size depends on the contents of the
 * block.
 *
 * <pre>{@code
 * loop {k = 1, xs = ys} for i < n do {       loop {k = 1, most = 0} for i < n do {
 *   let k2 = mul(k, 2)                         let k2 = mul(k, 2)
 *   let b = alloc(k2)                   =>     let m = smax(most, k2)
 *   let zs @ b = ..                            in {k2, m}
 *   in {k2, zs}                              }
 * }
 * }</pre>
 */
final class SizeMeasurement {
  private final NameSource names;
  private final Name block;
  private final Map<Name, Name> copies = new HashMap<>();

  /** The allocation and the statements around it. */
  private final Set<Stm> path = Collections.newSetFromMap(new IdentityHashMap<>());

  private SizeMeasurement(NameSource names, List<Stm> stms, Name block) {
    this.names = names;
    this.block = block;
    new Mapper() {
      private final Deque<Stm> around = new ArrayDeque<>();

      @Override
      public Stm stm(Stm s) {
        around.push(s);
        if (isAllocation(s)) {
          path.addAll(around);
        }
        Stm mapped = super.stm(s);
        around.pop();
        return mapped;
      }
    }.body(new Body(stms, List.of()));
  }

  /**
   * Code whose result is the maximal size of a memory block.
   *
   * @param body the code
   * @param copies the names that the code binds for copies of statements, with the original names
   */
  record Code(Body body, Map<Name, Name> copies) {
    /** Returns the name in the original code of a name that this code binds. */
    Name original(Name bound) {
      Name name = bound;
      while (copies.containsKey(name)) {
        name = copies.get(name);
      }
      return name;
    }
  }

  /** Returns code whose result is the maximal size of a memory block; null if there is none. */
  static @Nullable Code of(NameSource names, List<Stm> stms, Name block) {
    SizeMeasurement measurement = new SizeMeasurement(names, stms, block);
    Body all = measurement.upTo(stms);
    if (all == null) {
      return null;
    }
    Code code = new Code(new DeadCode().body(all), measurement.copies);
    boolean needsBlock =
        BoundNames.of(code.body).stream().anyMatch(n -> code.original(n).equals(block));
    return needsBlock ? null : code;
  }

  /**
   * Returns the code after dead code elimination if it binds none of the given names; else null.
   */
  static @Nullable Body without(Body code, Set<Name> unwanted) {
    Body needed = new DeadCode().body(code);
    return BoundNames.of(needed).stream().anyMatch(unwanted::contains) ? null : needed;
  }

  private boolean isAllocation(Stm s) {
    return s.exp() instanceof MemOp.Alloc && s.names().contains(block);
  }

  private int position(List<Stm> stms) {
    for (int i = 0; i < stms.size(); i++) {
      if (path.contains(stms.get(i))) {
        return i;
      }
    }
    return -1;
  }

  /** Returns the statements up to the allocation, with its size as the result. */
  private @Nullable Body upTo(List<Stm> stms) {
    int at = position(stms);
    if (at < 0) {
      return null;
    }
    List<Stm> out = new ArrayList<>(stms.subList(0, at));
    Body last = last(stms.get(at));
    if (last == null) {
      return null;
    }
    out.addAll(last.stms());
    return new Body(out, last.results());
  }

  /** Returns code for the maximal size within one statement. */
  private @Nullable Body last(Stm s) {
    return switch (s.exp()) {
      case MemOp.Alloc a -> new Body(List.of(), List.of(a.size()));
      case Exp.Match m -> match(s, m);
      case Exp.Loop l -> loop(s, l);
      case Exp.WithAcc w -> upTo(w.lambda().body().stms());
      default -> null;
    };
  }

  private @Nullable Body match(Stm s, Exp.Match m) {
    List<Exp.Case> cases = new ArrayList<>();
    for (Exp.Case c : m.cases()) {
      Body b = branch(c.body());
      if (b == null) {
        return null;
      }
      cases.add(new Exp.Case(c.pattern(), b));
    }
    Body otherwise = branch(m.otherwise());
    if (otherwise == null) {
      return null;
    }
    Name most = names.fresh("most");
    Exp all = new Exp.Match(m.scrutinees(), cases, otherwise);
    PatElem result = new PatElem(most, Type.I64);
    return new Body(List.of(new Stm(List.of(result), s.aux(), all)), List.of(SubExp.of(most)));
  }

  private @Nullable Body branch(Body b) {
    return position(b.stms()) < 0 ? new Body(List.of(), List.of(SubExp.i64(0))) : upTo(b.stms());
  }

  private @Nullable Body loop(Stm s, Exp.Loop l) {
    Greatest greatest = greatest(s, l);
    return greatest == null
        ? null
        : new Body(List.of(greatest.loop), List.of(SubExp.of(greatest.result)));
  }

  /**
   * Returns the loop with the maximal size. It includes the code after the allocation, because the
   * next iteration may need that code.
   */
  private @Nullable Greatest greatest(Stm s, Exp.Loop l) {
    List<Stm> stms = l.body().stms();
    int at = position(stms);
    if (at < 0) {
      return null;
    }
    if (stms.get(at).exp() instanceof Exp.Loop nested) {
      // The inner loop returns its own results and the size: n nested loops have no copies.
      Greatest inner = greatest(stms.get(at), nested);
      if (inner == null) {
        return null;
      }
      Builder b = new Builder(names).with(s.aux());
      b.addAll(stms.subList(0, at));
      b.add(inner.loop);
      b.addAll(stms.subList(at + 1, stms.size()));
      return Greatest.carried(names, s, l, b, SubExp.of(inner.result));
    }
    Body here = last(stms.get(at));
    if (here == null) {
      return null;
    }
    // The statement repeats the computation of the size with fresh names. Without its dead code, n
    // nested loops in branches have copies of constant size.
    here = new DeadCode().body(here);
    Renamer renamer =
        new Renamer(names) {
          @Override
          public Name binder(Name bound) {
            Name copy = super.binder(bound);
            copies.put(copy, bound);
            return copy;
          }
        };
    Body again = renamer.body(here);
    Builder b = new Builder(names).with(s.aux());
    b.addAll(stms.subList(0, at));
    b.addAll(again.stms());
    b.addAll(stms.subList(at, stms.size()));
    return Greatest.carried(names, s, l, b, again.results().get(0));
  }

  /**
   * A loop with an additional result: the maximum of a value over the iterations.
   *
   * @param loop the loop
   * @param result the name of the maximum, 0 without iterations
   */
  record Greatest(Stm loop, Name result) {
    /**
     * Returns a loop with the maximum as an additional parameter.
     *
     * @param body the statements of the body, to which this method adds
     * @param value the value of an iteration
     */
    static Greatest carried(NameSource names, Stm s, Exp.Loop l, Builder body, SubExp value) {
      Param most = new Param(names.fresh("most"), Type.I64);
      Name result = names.fresh("most");
      List<Exp.LoopParam> params = new ArrayList<>(l.params());
      params.add(new Exp.LoopParam(most, SubExp.i64(0)));
      SubExp before = SubExp.of(most.name());
      List<SubExp> results = new ArrayList<>(l.body().results());
      results.add(body.binOp("most", BinOp.Kind.SMAX, PrimType.I64, before, value));
      List<PatElem> pat = new ArrayList<>(s.pat());
      pat.add(new PatElem(result, Type.I64));
      Exp loop = new Exp.Loop(params, l.form(), body.body(results));
      return new Greatest(new Stm(pat, s.aux(), loop), result);
    }
  }
}
