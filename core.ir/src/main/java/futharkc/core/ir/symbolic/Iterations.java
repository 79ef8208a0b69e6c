package futharkc.core.ir.symbolic;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.HostOp;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Scope;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.Slice;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.symbolic.IterationAtoms.Atom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The values of scalars at each evaluation ("iteration") of a parallel operation, as polynomials.
 * The variables are the iteration number, invariants, flags (0 or 1), and the number of earlier
 * iterations at which flags are 1. Inputs are traced to their producers: iotas, replicates, maps,
 * scans and slices of these.
 *
 * <pre>{@code
 * rs = scan (+) (map i64.bool flags)        r = count(flag) + flag
 * is = map2 (\f r -> if f then r-1 else -1) i = flag * (r - 1 + 1) - 1
 * }</pre>
 *
 * <p>A polynomial equals the value modulo two to the power of its type's width; sums, products and
 * differences preserve this relation. If {@link IterationProofs} shows that the polynomial lies in
 * the range of the type, it is the exact value. A boolean is 0 or 1. A branch is {@code c * (x - y)
 * + y}. The sum of a flag over earlier iterations is a count, which never overflows, since it is at
 * most the number of iterations.
 *
 * <p>Known gaps are arrays of several dimensions; sums of values other than constants, invariants
 * and flags; results of loops and calls; and elements read at another iteration, except the last
 * element of a sum. Such values become variables without known bounds.
 */
public final class Iterations {
  /** The maximum depth to which definitions are followed. */
  private static final int DEEP = 150;

  /** The maximum number of terms of a polynomial. */
  private static final int LARGE = 24;

  private final Definitions definitions;
  private final Scope scope;
  private final IterationArithmetic arithmetic;
  final IterationAtoms atoms;
  private Poly width;

  /** The integers known to be sizes of arrays. */
  final Set<Name> sizes = new HashSet<>();

  private final Map<Name, Poly> values = new HashMap<>();

  /**
   * The operations that share the iterations. If two operations bind a name, the later one takes
   * precedence.
   */
  private final SequencedSet<LambdaBindings> entered = new LinkedHashSet<>();

  private int depth;

  /**
   * Makes the iterations of an operation.
   *
   * @param sizes integers known to be sizes of arrays
   * @param nextTag a number greater than that of every name in the function
   */
  public Iterations(
      Soac.Screma operation,
      List<SubExp> sizes,
      Definitions definitions,
      Scope scope,
      int nextTag) {
    this.definitions = definitions;
    this.scope = scope;
    this.atoms = new IterationAtoms(nextTag);
    this.arithmetic = new IterationArithmetic(this);
    for (SubExp size : sizes) {
      if (size instanceof SubExp.Var v) {
        this.sizes.add(v.name());
      }
    }
    if (operation.width() instanceof SubExp.Var v) {
      this.sizes.add(v.name());
    }
    this.width = Poly.of(operation.width());
    this.width = size(operation.width());
    for (var t : width.terms().keySet()) {
      this.sizes.addAll(t.factors());
    }
    enter(operation);
  }

  /**
   * Adds an operation to those that share the iterations. Returns false, without effect, unless it
   * has the same number of iterations.
   */
  public boolean join(Soac.Screma operation) {
    if (!isWidth(operation.width())) {
      return false;
    }
    enter(operation);
    return true;
  }

  /**
   * Tests whether an operation with the given width has the same number of iterations, including
   * the case of none.
   */
  private boolean isWidth(SubExp other) {
    return size(other).equals(width) && !mentionsEmpty(of(other));
  }

  /** Tests whether the polynomial has another value if there are no iterations. */
  boolean mentionsEmpty(Poly p) {
    Name none = empty().terms().firstKey().factors().get(0);
    return p.terms().keySet().stream().anyMatch(t -> t.factors().contains(none));
  }

  /** Returns the number of iterations. */
  Poly width() {
    return width;
  }

  Poly iteration() {
    return Poly.of(atoms.iteration);
  }

  /**
   * Returns an invariant size. The result is a polynomial in other variables only if it equals the
   * size exactly: a variable, a constant or a small sum of sizes. Otherwise the result is the
   * operand itself.
   */
  Poly size(SubExp e) {
    Name none = empty().terms().firstKey().factors().get(0);
    Poly p = of(e).substitute(n -> n.equals(none) ? Poly.ZERO : Poly.of(n));
    return isVariable(p) || p.constant() != null || isSumOfSizes(p) ? p : Poly.of(e);
  }

  /**
   * Tests whether the polynomial is a sum of at most two sizes and a constant at most 1. Such a sum
   * is less than 2^64, so that it is negative if it overflows.
   */
  private boolean isSumOfSizes(Poly p) {
    long variables = 0;
    for (var t : p.terms().entrySet()) {
      List<Name> factors = t.getKey().factors();
      if (factors.isEmpty()) {
        continue;
      }
      if (factors.size() > 1 || t.getValue() < 0 || !sizes.contains(factors.get(0))) {
        return false;
      }
      variables += t.getValue();
    }
    return variables <= 2 && IterationArithmetic.constantTerm(p) <= 1;
  }

  /** Returns a size, including the case of no iterations, in which {@link #empty} is 1. */
  Poly sizeAlsoIfEmpty(SubExp e) {
    return of(e);
  }

  /** Returns a flag that is 1 if there are no iterations. */
  Poly empty() {
    return atoms.flag("empty", List.of(), null, null);
  }

  /** Tests whether the polynomial is a single variable with coefficient 1. */
  static boolean isVariable(Poly p) {
    return p.terms().size() == 1
        && p.terms().firstEntry().getValue() == 1
        && p.terms().firstKey().factors().size() == 1;
  }

  /** Adds an operation whose lambdas bind names of the current iteration. */
  private void enter(Soac.Screma x) {
    entered.add(definitions.lambdaBindings(x));
  }

  private boolean isInside(Name n) {
    for (LambdaBindings x : entered) {
      if (x.bound.contains(n)) {
        return true;
      }
    }
    return false;
  }

  private <V> @Nullable V inside(Function<LambdaBindings, Map<Name, V>> part, Name n) {
    for (LambdaBindings x : entered.reversed()) {
      V found = part.apply(x).get(n);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  /** Returns the value of an operand. */
  public Poly of(SubExp e) {
    return switch (e) {
      case SubExp.Var v -> of(v.name());
      case SubExp.Const c -> {
        PrimType t = c.value().type();
        if (t.isInt()) {
          yield Poly.of(c.value().asLong());
        }
        if (t == PrimType.BOOL) {
          yield Poly.of(c.value().asBoolean() ? 1 : 0);
        }
        yield atoms.other(t, c.value().toString(), List.of(), null, c.value().toString());
      }
    };
  }

  private Poly of(Name n) {
    Poly known = values.get(n);
    if (known != null) {
      return known;
    }
    if (depth >= DEEP || !(scope.lookup(n) instanceof Type.Prim t)) {
      return unknown(n);
    }
    depth++;
    Poly p = compute(n, t.prim());
    depth--;
    if (p == null) {
      p = unknown(n);
    }
    p = withFlagsOnce(p);
    if (p.terms().size() > LARGE) {
      p = unknown(n);
    }
    values.put(n, p);
    return p;
  }

  /** Returns the name itself as an uninterpreted variable. */
  private Poly unknown(Name n) {
    boolean varies = isInside(n);
    PrimType t = scope.lookup(n) instanceof Type.Prim p ? p.prim() : PrimType.UNIT;
    if (t == PrimType.BOOL) {
      return atoms.program(n, new Atom.Flag(varies, null, null));
    }
    if (varies || t != PrimType.I64) {
      return atoms.program(n, new Atom.Other(varies, null, t, n.toString()));
    }
    return Poly.of(n);
  }

  /** Reduces powers of flags, whose squares equal themselves. */
  private Poly withFlagsOnce(Poly p) {
    Poly sum = Poly.ZERO;
    boolean changed = false;
    for (var t : p.terms().entrySet()) {
      List<Name> factors = new ArrayList<>();
      for (Name f : t.getKey().factors()) {
        if (atoms.isFlag(f) && factors.contains(f)) {
          changed = true;
        } else {
          factors.add(f);
        }
      }
      sum = sum.plus(Poly.of(new Poly.Product(factors), t.getValue()));
    }
    return changed ? sum : p;
  }

  private @Nullable Poly compute(Name n, PrimType type) {
    SubExp same = inside(x -> x.passed, n);
    if (same != null) {
      return of(same);
    }
    Name array = inside(x -> x.inputs, n);
    if (array != null) {
      return element(array, iteration(), type);
    }
    LambdaBindings.Sum sum = inside(x -> x.sums, n);
    if (sum != null) {
      return upToHere(sum);
    }
    Stm s = definitions.of(n);
    if (s == null) {
      return null;
    }
    int at = definitions.position(n);
    return switch (s.exp()) {
      case BasicOp op -> basic(op, type);
      case Exp.Match m when m.isConditional() -> branch(m, at, type);
      case Soac.Screma x when at < x.reduceResults() && !isInside(n) -> total(x, at);
      case Exp.WithAcc w -> {
        SubExp further = further(w, at);
        yield further == null ? null : of(further);
      }
      case Exp.Apply _, Exp.Match _, Exp.Loop _, Soac _, SegExp _, HostOp _, MemOp _ -> null;
    };
  }

  private @Nullable Poly basic(BasicOp op, PrimType type) {
    return switch (op) {
      case BasicOp.SubExpOp x -> of(x.value());
      case BasicOp.BinOpExp x -> arithmetic.binary(x.op(), of(x.left()), of(x.right()));
      case BasicOp.UnOpExp x -> arithmetic.unary(x.op(), of(x.operand()));
      case BasicOp.CmpOpExp x -> arithmetic.comparison(x.op(), of(x.left()), of(x.right()));
      case BasicOp.ConvOpExp x -> arithmetic.converted(x.op(), of(x.operand()));
      case BasicOp.PrimFunExp x ->
          arithmetic.term(type, x.fun().toString(), x.args().stream().map(this::of).toList());
      case BasicOp.Index x ->
          x.slice().dims().size() == 1 && x.slice().dims().get(0) instanceof Slice.Fix f
              ? element(x.array(), of(f.index()), type)
              : null;
      case BasicOp.Opaque _,
          BasicOp.ArrayVal _,
          BasicOp.ArrayLit _,
          BasicOp.Assert _,
          BasicOp.Update _,
          BasicOp.FlatIndex _,
          BasicOp.FlatUpdate _,
          BasicOp.Concat _,
          BasicOp.Manifest _,
          BasicOp.Iota _,
          BasicOp.Replicate _,
          BasicOp.Scratch _,
          BasicOp.Reshape _,
          BasicOp.Rearrange _,
          BasicOp.UpdateAcc _,
          BasicOp.UserParam _ ->
          null;
    };
  }

  private @Nullable Poly branch(Exp.Match m, int at, PrimType type) {
    Poly cond = of(m.scrutinees().get(0));
    Poly then = of(m.cases().get(0).body().results().get(at));
    Poly otherwise = of(m.otherwise().results().get(at));
    if (type.isInt() || type == PrimType.BOOL) {
      return cond.times(then.minus(otherwise)).plus(otherwise);
    }
    return arithmetic.term(type, "if " + type, List.of(cond, then, otherwise));
  }

  // Arrays

  private Poly element(Name array, Poly at, PrimType type) {
    Poly made =
        scope.lookup(array) instanceof Type.Array a && a.rank() == 1 ? made(array, at) : null;
    return made != null
        ? made
        : atoms.other(
            type,
            type + "[]",
            List.of(isInside(array) ? unknown(array) : Poly.of(array), at),
            null,
            "an element of " + array);
  }

  /**
   * Returns an element of an array, derived from the array's producer, or null if it is unknown.
   */
  private @Nullable Poly made(Name array, Poly at) {
    Stm s = definitions.of(array);
    if (s == null || depth >= DEEP) {
      return null;
    }
    depth++;
    Poly p =
        switch (s.exp()) {
          case BasicOp.Iota x -> of(x.start()).plus(of(x.stride()).times(at));
          case BasicOp.Replicate x ->
              x.shape().isEmpty() ? same(((SubExp.Var) x.value()).name(), at) : of(x.value());
          case BasicOp.SubExpOp x -> same(((SubExp.Var) x.value()).name(), at);
          case BasicOp.Reshape x -> same(x.array(), at);
          case BasicOp.Manifest x -> same(x.array(), at);
          case BasicOp.Index x ->
              x.slice().dims().size() == 1 && x.slice().dims().get(0) instanceof Slice.Range r
                  ? same(x.array(), of(r.start()).plus(of(r.stride()).times(at)))
                  : null;
          case Soac.Screma x when !isInside(array) ->
              result(x, definitions.position(array) - x.reduceResults(), at);
          case Exp.WithAcc w ->
              further(w, definitions.position(array)) instanceof SubExp.Var v
                  ? same(v.name(), at)
                  : null;
          case BasicOp.Opaque _,
              BasicOp.ArrayVal _,
              BasicOp.ArrayLit _,
              BasicOp.BinOpExp _,
              BasicOp.UnOpExp _,
              BasicOp.CmpOpExp _,
              BasicOp.ConvOpExp _,
              BasicOp.PrimFunExp _,
              BasicOp.Assert _,
              BasicOp.Update _,
              BasicOp.FlatIndex _,
              BasicOp.FlatUpdate _,
              BasicOp.Concat _,
              BasicOp.Scratch _,
              BasicOp.Rearrange _,
              BasicOp.UpdateAcc _,
              BasicOp.UserParam _,
              Exp.Apply _,
              Exp.Match _,
              Exp.Loop _,
              Soac _,
              SegExp _,
              HostOp _,
              MemOp _ ->
              null;
        };
    depth--;
    return p;
  }

  /** Returns a result of an accumulation other than its accumulators, or null. */
  private static @Nullable SubExp further(Exp.WithAcc w, int at) {
    int arrays = w.inputs().stream().mapToInt(in -> in.arrays().size()).sum();
    return at < arrays ? null : w.lambda().body().results().get(w.inputs().size() + at - arrays);
  }

  private @Nullable Poly same(Name array, Poly at) {
    return scope.lookup(array) instanceof Type.Array a && a.rank() == 1
        ? element(array, at, a.elem())
        : null;
  }

  /**
   * Returns an element of a result at the current or the last iteration, or null if it is unknown.
   */
  private @Nullable Poly result(Soac.Screma x, int k, Poly at) {
    if (k < 0) {
      return null;
    }
    SubExp result = x.post().body().results().get(k);
    if (at.equals(iteration())) {
      enter(x);
      return of(result);
    }
    if (!at.equals(width.minus(Poly.ONE))) {
      return null;
    }
    for (int i = 0; i < x.scanResults(); i++) {
      if (!result.equals(SubExp.of(x.post().params().get(i).name()))) {
        continue;
      }
      enter(x);
      SubExp summand = summand(new LambdaBindings.Sum(x, i));
      return summand == null ? null : total(of(summand));
    }
    return null;
  }

  // Sums

  /** Returns the summand of a scan, or null if the scan is not a sum. */
  private @Nullable SubExp summand(LambdaBindings.Sum sum) {
    int at = sum.position();
    for (Soac.Scan s : sum.screma().scans()) {
      if (at < s.neutral().size()) {
        return isSum(s.op(), s.neutral(), at)
            ? sum.screma().map().body().results().get(sum.position())
            : null;
      }
      at -= s.neutral().size();
    }
    return null;
  }

  private boolean isSum(Lambda op, List<SubExp> neutral, int k) {
    if (!neutral.get(k).isInt(0) || !(op.body().results().get(k) instanceof SubExp.Var r)) {
      return false;
    }
    SubExp a = SubExp.of(op.params().get(k).name());
    SubExp b = SubExp.of(op.params().get(neutral.size() + k).name());
    for (Stm s : op.body().stms()) {
      if (!s.names().contains(r.name())) {
        continue;
      }
      return s.exp() instanceof BasicOp.BinOpExp x
          && x.op().kind() == BinOp.Kind.ADD
          && (x.left().equals(a) && x.right().equals(b)
              || x.left().equals(b) && x.right().equals(a));
    }
    return false;
  }

  private @Nullable Poly upToHere(LambdaBindings.Sum sum) {
    SubExp summand = summand(sum);
    if (summand == null) {
      return null;
    }
    Poly result = Poly.ZERO;
    for (var t : of(summand).terms().entrySet()) {
      List<Name> flags = new ArrayList<>();
      Poly factor = factor(t, flags);
      if (factor == null) {
        return null;
      }
      Poly.Product product = new Poly.Product(flags);
      Poly counted =
          flags.isEmpty()
              ? iteration().plus(Poly.ONE)
              : atoms.count(product).plus(IterationAtoms.product(product));
      result = result.plus(factor.times(counted));
    }
    return result;
  }

  private @Nullable Poly total(Soac.Screma x, int k) {
    if (!isWidth(x.width())) {
      return null;
    }
    int at = k;
    for (Soac.Reduce r : x.reduces()) {
      if (at >= r.neutral().size()) {
        at -= r.neutral().size();
        continue;
      }
      if (!isSum(r.op(), r.neutral(), at)) {
        return null;
      }
      enter(x);
      return total(of(x.map().body().results().get(x.scanResults() + k)));
    }
    return null;
  }

  /** Returns the sum over all iterations, or null if it is unknown. */
  @Nullable Poly total(Poly summand) {
    Poly result = Poly.ZERO;
    for (var t : summand.terms().entrySet()) {
      List<Name> flags = new ArrayList<>();
      Poly factor = factor(t, flags);
      if (factor == null) {
        return null;
      }
      Poly counted = flags.isEmpty() ? width : atoms.total(new Poly.Product(flags));
      result = result.plus(factor.times(counted));
    }
    return result;
  }

  /**
   * Splits a term into an invariant factor, which is returned, and flags, which are added to the
   * list. Returns null if the term has other variable factors.
   */
  private @Nullable Poly factor(Map.Entry<Poly.Product, Long> term, List<Name> flags) {
    Poly factor = Poly.of(term.getValue());
    for (Name n : term.getKey().factors()) {
      if (!atoms.varies(n)) {
        factor = factor.times(Poly.of(n));
      } else if (atoms.isFlag(n)) {
        flags.add(n);
      } else {
        return null;
      }
    }
    return factor;
  }
}
