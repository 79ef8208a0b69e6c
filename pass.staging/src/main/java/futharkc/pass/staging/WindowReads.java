package futharkc.pass.staging;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.SegSpace;
import futharkc.core.ir.Slice;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.symbolic.Bounds;
import futharkc.core.ir.symbolic.Facts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A search for the reads of windows by the threads of a thread block in one of its loops. */
final class WindowReads {
  /** The maximum number of operations through which an index is followed. */
  private static final int DEPTH = 16;

  /** Tests whether a name is an array from outside of the thread block. */
  private final Predicate<Name> isOutside;

  /** The maximum bytes of shared memory of a window. */
  private final long mostBytes;

  private final Map<Stm, Read> found = new IdentityHashMap<>();

  /** The windows whose elements are each read about once or more. */
  private final Set<Window> worthwhile = new HashSet<>();

  private final Set<Window> windows = new LinkedHashSet<>();
  private final Map<Name, Exp> definitions = new HashMap<>();
  private final Set<Name> inLoop = new HashSet<>();

  /**
   * The trip counts of the enclosing loops, and the number of threads of the enclosing operation.
   */
  private final List<SubExp> extents = new ArrayList<>();

  WindowReads(Predicate<Name> isOutside, long mostBytes) {
    this.isOutside = isOutside;
    this.mostBytes = mostBytes;
  }

  /**
   * Examines a loop.
   *
   * @param facts the facts before the loop
   * @return the windows that are read in it
   */
  Set<Window> loop(Exp.Loop l, Facts facts) {
    windows.clear();
    loop(l, facts, false);
    return new LinkedHashSet<>(windows);
  }

  private void loop(Exp.Loop l, Facts facts, boolean ofThread) {
    l.params().forEach(p -> inLoop.add(p.param().name()));
    boolean counted = l.form() instanceof Exp.Form.For f && f.type() == PrimType.I64;
    if (l.form() instanceof Exp.Form.For f) {
      inLoop.add(f.index());
    }
    if (counted) {
      extents.add(((Exp.Form.For) l.form()).bound());
    }
    stms(l.body().stms(), facts.inLoop(l), ofThread);
    if (counted) {
      extents.removeLast();
    }
  }

  /** Returns the reads of profitable windows by statement. */
  Map<Stm, Read> found() {
    Map<Stm, Read> all = new IdentityHashMap<>();
    found.forEach(
        (s, r) -> {
          if (worthwhile.contains(r.window())) {
            all.put(s, r);
          }
        });
    return all;
  }

  private void stms(List<Stm> stms, Facts known, boolean ofThread) {
    for (Stm s : stms) {
      inLoop.addAll(s.names());
      if (s.pat().size() == 1) {
        definitions.put(s.pat().get(0).name(), s.exp());
      }
      switch (s.exp()) {
        case BasicOp.Index x when ofThread -> read(s, x, known);
        case Exp.Match m -> {
          for (int k = 0; k < m.cases().size(); k++) {
            stms(m.cases().get(k).body().stms(), known.inBranch(m, k), ofThread);
          }
          stms(m.otherwise().stms(), known.inBranch(m, m.cases().size()), ofThread);
        }
        case Exp.Loop l -> loop(l, known, ofThread);
        case Exp.WithAcc w -> stms(w.lambda().body().stms(), known.inside(), ofThread);
        case SegExp.Seg g -> threads(g.op(), known);
        default -> {}
      }
      known.passed(s);
    }
  }

  private void threads(SegOp op, Facts known) {
    for (SegSpace.Dim d : op.space().dims()) {
      inLoop.add(d.index());
      extents.add(d.size());
    }
    stms(op.body().stms(), known.at(op.space()), true);
    op.space().dims().forEach(d -> extents.removeLast());
  }

  private void read(Stm s, BasicOp.Index x, Facts known) {
    if (!(s.pat().get(0).type() instanceof Type.Prim p)
        || !x.slice().isElement()
        || !isOutside.test(x.array())) {
      return;
    }
    List<SubExp> bases = new ArrayList<>();
    List<SubExp> offsets = new ArrayList<>();
    List<SubExp> widths = new ArrayList<>();
    Poly elements = Poly.ONE;
    long most = Math.max(1, p.elemPrim().bits() / 8);
    for (Slice.Dim d : x.slice().dims()) {
      SubExp index = ((Slice.Fix) d).index();
      SubExp base = base(index);
      SubExp offset = offset(index, base);
      SubExp width = isFixed(offset) ? SubExp.i64(1) : width(value(offset, DEPTH), known.bounds());
      if (width == null) {
        return;
      }
      long limit = limit(width, known);
      if (limit == 0) {
        return;
      }
      bases.add(base);
      offsets.add(offset);
      widths.add(width);
      elements = elements.times(known.poly(width));
      most *= limit;
    }
    if (most > mostBytes) {
      return;
    }
    Window w = new Window(x.array(), bases, widths);
    found.put(s, new Read(w, offsets, offsets.stream().allMatch(o -> isExact(o, DEPTH))));
    windows.add(w);
    Poly times = Poly.ONE;
    for (SubExp e : extents) {
      if (isFixed(e)) {
        times = times.times(known.poly(e));
      }
    }
    boolean varies = widths.stream().anyMatch(e -> !e.isInt(1));
    if (varies && known.bounds().provesAtMost(elements, times)) {
      worthwhile.add(w);
    }
  }

  // Indices

  /** Tests whether an operand is equal in all steps and for all threads. */
  private boolean isFixed(SubExp e) {
    return !(e instanceof SubExp.Var v) || !inLoop.contains(v.name());
  }

  /** Returns the invariant part of an index. */
  private SubExp base(SubExp index) {
    if (isFixed(index)) {
      return index;
    }
    BasicOp.BinOpExp sum = sum(index);
    if (sum == null) {
      return SubExp.i64(0);
    }
    return isFixed(sum.left()) ? sum.left() : isFixed(sum.right()) ? sum.right() : SubExp.i64(0);
  }

  /** Returns the part of an index that remains after its base. */
  private SubExp offset(SubExp index, SubExp base) {
    if (isFixed(index)) {
      return SubExp.i64(0);
    }
    BasicOp.BinOpExp sum = sum(index);
    if (sum == null) {
      return index;
    }
    return sum.left().equals(base) ? sum.right() : sum.right().equals(base) ? sum.left() : index;
  }

  private BasicOp.@Nullable BinOpExp sum(SubExp e) {
    return e instanceof SubExp.Var v
            && definitions.get(v.name()) instanceof BasicOp.BinOpExp x
            && x.op().kind() == BinOp.Kind.ADD
        ? x
        : null;
  }

  /** Returns an integer as a polynomial, ignoring overflow of conversions. */
  private Poly value(SubExp e, int depth) {
    if (!(e instanceof SubExp.Var v) || depth == 0) {
      return Poly.of(e);
    }
    return switch (definitions.get(v.name())) {
      case BasicOp.ConvOpExp x when x.op().from().isInt() && x.op().to().isInt() ->
          value(x.operand(), depth - 1);
      case BasicOp.SubExpOp x -> value(x.value(), depth - 1);
      case BasicOp.BinOpExp x when x.op().kind() == BinOp.Kind.ADD ->
          value(x.left(), depth - 1).plus(value(x.right(), depth - 1));
      case BasicOp.BinOpExp x when x.op().kind() == BinOp.Kind.SUB ->
          value(x.left(), depth - 1).minus(value(x.right(), depth - 1));
      case null, default -> Poly.of(e);
    };
  }

  /** Tests whether no operation that {@link #value} follows can overflow. */
  private boolean isExact(SubExp e, int depth) {
    if (!(e instanceof SubExp.Var v) || depth == 0) {
      return true;
    }
    return switch (definitions.get(v.name())) {
      case BasicOp.ConvOpExp x -> !x.op().from().isInt() || !x.op().to().isInt();
      case BasicOp.SubExpOp x -> isExact(x.value(), depth - 1);
      case BasicOp.BinOpExp x
          when x.op().kind() == BinOp.Kind.ADD || x.op().kind() == BinOp.Kind.SUB ->
          x.op().type() == PrimType.I64
              && isExact(x.left(), depth - 1)
              && isExact(x.right(), depth - 1);
      case null, default -> true;
    };
  }

  /** Returns an invariant size that is proved to exceed an offset; null if there is none. */
  private @Nullable SubExp width(Poly offset, Bounds bounds) {
    if (!bounds.provesNonNegative(bounds.normal(offset))) {
      return null;
    }
    for (SubExp e : extents.reversed()) {
      if (isFixed(e) && bounds.provesLess(bounds.normal(offset), bounds.normal(Poly.of(e)))) {
        return e;
      }
    }
    return null;
  }

  /**
   * Returns a power of two that a size is proved not to exceed; 0 if there is none that is small
   * enough.
   */
  private long limit(SubExp size, Facts known) {
    for (long most = 1; most <= mostBytes; most *= 2) {
      if (known.bounds().provesAtMost(known.poly(size), Poly.of(most))) {
        return most;
      }
    }
    return 0;
  }
}
