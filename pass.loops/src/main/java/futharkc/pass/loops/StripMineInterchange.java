package futharkc.pass.loops;

import futharkc.core.ir.BinOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimFun;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.CodeCopies;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.Variables;
import futharkc.core.ir.spi.Option;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The rewriting of one loop for {@link StripMinePass}. */
final class StripMineInterchange {
  /**
   * The minimum trip count of a strip with functions on its elements, which must outweigh the loops
   * around the functions.
   */
  static final Option FEWEST_OF_FUNCTIONS =
      Option.integer(
          "fewest-of-functions",
          160,
          "minimum trip count of a strip with functions on its elements, which must outweigh"
              + " the loops around the functions");

  /** The maximum trip count of a strip of columns. */
  static final Option OF_COLUMNS =
      Option.integer(
              "longest-of-columns",
              4096,
              "maximum trip count of a strip of columns, which the loop reads along rows: half of"
                  + " the first-level cache")
          .within(1, 1 << 20)
          .powerOfTwo();

  /** The options of the pass. */
  static final List<Option> OPTIONS =
      List.of(
          StripOptions.LONGEST,
          OF_COLUMNS,
          StripOptions.FEWEST,
          StripOptions.BYTES,
          FEWEST_OF_FUNCTIONS);

  private final Code.For loop;
  private final LoopContext around;
  private final NameSource names;

  /** The scalars of an iteration with their types. */
  private final Map<Name, PrimType> scalars = new LinkedHashMap<>();

  /** The scalars of an iteration and those that inner loops declare. */
  private final Set<Name> declared = new HashSet<>();

  /** The scalars of inner loops that stand in blocks between functions, with their types. */
  private final Map<Name, PrimType> mapped = new LinkedHashMap<>();

  private final Map<Name, Name> expanded = new HashMap<>();

  /** True if an operation of an inner loop is much faster in vectors. */
  private boolean slow;

  /** True if an inner loop walks down columns. */
  private boolean columns;

  private StripMineInterchange(Code.For loop, LoopContext around) {
    this.loop = loop;
    this.around = around;
    this.names = around.names();
  }

  /** Returns the strip-mined loop; null if the loop does not fit. */
  static @Nullable List<Code> rewrite(Code.For loop, LoopContext around) {
    if (!(loop.order() instanceof Code.Order.Independent) || !around.isOnOneThread()) {
      return null;
    }
    StripMineInterchange s = new StripMineInterchange(loop, around);
    Poly from = loop.from().poly();
    if (from == null || !s.fits() || !s.slow && !s.columns) {
      return null;
    }
    List<Code> out = new ArrayList<>();
    s.write(from, out);
    around.remark("strip-mined the loop over " + loop.index());
    return out;
  }

  // Applicability

  private boolean fits() {
    for (Code c : loop.body()) {
      boolean ok =
          switch (c) {
            case Code.For f -> fits(f);
            case Code.Declare d -> {
              scalars.put(d.name(), d.type());
              declared.add(d.name());
              yield d.value() != null && isPlain(d.value());
            }
            case Code.Assign a -> scalars.containsKey(a.name()) && isPlain(a.value());
            case Code.Store s -> !around.isPrivate(s.block()) && isPlain(s.value());
            default -> false;
          };
      if (!ok) {
        return false;
      }
    }
    return true;
  }

  /**
   * Tests whether an inner loop has the same trip count in all iterations, and only operations with
   * a vector form.
   */
  private boolean fits(Code.For inner) {
    if (!isUniform(inner.from(), Set.of()) || !isUniform(inner.to(), Set.of())) {
      return false;
    }
    columns |= Columns.areRead(inner, List.of(loop.index()), around.machine());
    Set<Name> varying = new HashSet<>();
    PrimType type = null;
    List<Code> body = flat(inner.body());
    declared.addAll(declares(body));
    for (Code c : body) {
      switch (c) {
        case Code.Declare d when d.value() != null && isUniform(d.value(), varying) -> {
          if (!isPlain(d.value())) {
            return false;
          }
        }
        case Code.Declare d when d.value() != null -> {
          varying.add(d.name());
          if (type == null) {
            type = expandedType(d.type());
          }
          boolean isMapped =
              MappedFunctions.isMapped(d) && varying.containsAll(Variables.readBy(List.of(d)));
          slow |= isMapped;
          if (!isMapped && !isVector(d.value(), type)) {
            return false;
          }
        }
        case Code.Assign a -> {
          PrimType t = scalars.get(a.name());
          if (t == null) {
            return false;
          }
          if (type == null) {
            type = expandedType(t);
          }
          if (!isVector(a.value(), type)) {
            return false;
          }
        }
        default -> {
          return false;
        }
      }
    }
    return type == PrimType.F32 || type == PrimType.F64 || type == PrimType.I32;
  }

  /** Returns statements without nested scopes: each name is declared once. */
  private static List<Code> flat(List<Code> code) {
    List<Code> out = new ArrayList<>();
    for (Code c : code) {
      if (c instanceof Code.Scope s) {
        out.addAll(flat(s.body()));
      } else {
        out.add(c);
      }
    }
    return out;
  }

  /** Returns the element type of an expanded scalar. */
  private static PrimType expandedType(PrimType t) {
    return IntegerPromotion.isOne(t) ? PrimType.I32 : t;
  }

  /** Tests whether a value is the same in all iterations of the parallel loop. */
  private boolean isUniform(Expr e, Set<Name> varying) {
    return switch (e) {
      case Expr.Const c -> true;
      case Expr.Var v -> isUniform(v.name(), varying);
      case Expr.Index i -> isUniform(i.poly(), varying);
      case Expr.Binary b -> isUniform(b.left(), varying) && isUniform(b.right(), varying);
      case Expr.Unary u -> isUniform(u.operand(), varying);
      case Expr.Compare c -> isUniform(c.left(), varying) && isUniform(c.right(), varying);
      case Expr.Convert c -> isUniform(c.operand(), varying);
      case Expr.Apply a -> a.args().stream().allMatch(x -> isUniform(x, varying));
      case Expr.Load l -> isUniform(l.index(), varying);
      case Expr.Capacity c -> isUniform(c.block(), varying);
      case Expr.Tuning t -> true;
    };
  }

  private boolean isUniform(Poly p, Set<Name> varying) {
    return p.terms().keySet().stream()
        .allMatch(t -> t.factors().stream().allMatch(n -> isUniform(n, varying)));
  }

  private boolean isUniform(Name n, Set<Name> varying) {
    return !n.equals(loop.index()) && !scalars.containsKey(n) && !varying.contains(n);
  }

  /** Tests whether a value may be computed for several iterations in advance. */
  private boolean isPlain(Expr e) {
    return switch (e) {
      case Expr.Const c -> true;
      case Expr.Var v -> true;
      case Expr.Index i -> true;
      case Expr.Binary b -> isPlain(b.left()) && isPlain(b.right());
      case Expr.Unary u -> isPlain(u.operand());
      case Expr.Compare c -> isPlain(c.left()) && isPlain(c.right());
      case Expr.Convert c -> isPlain(c.operand());
      case Expr.Apply a -> a.args().stream().allMatch(this::isPlain);
      case Expr.Load l -> !around.isPrivate(l.block());
      case Expr.Capacity c -> !around.isPrivate(c.block());
      case Expr.Tuning t -> true;
    };
  }

  /** Tests whether the JVM has vector operations of this type for a value. */
  private boolean isVector(Expr e, PrimType type) {
    if (type == PrimType.I32) {
      slow |= hasRemainder(e);
      return IntegerPromotion.fits(e);
    }
    return switch (e) {
      case Expr.Const c -> c.type() == type;
      case Expr.Var v -> v.type() == type;
      case Expr.Binary b -> {
        slow |= b.op().kind() == BinOp.Kind.FDIV;
        yield isVector(b.op().kind()) && isVector(b.left(), type) && isVector(b.right(), type);
      }
      // The loop over the strip loads consecutive elements.
      case Expr.Load l ->
          l.type() == type
              && !around.isPrivate(l.block())
              && l.index().divide(loop.index()).quotient().equals(Poly.ONE);
      case Expr.Apply a -> {
        slow = true;
        yield a.fun().kind() == PrimFun.Kind.SQRT && isVector(a.args().get(0), type);
      }
      default -> false;
    };
  }

  private static boolean hasRemainder(Expr e) {
    return switch (e) {
      case Expr.Binary b ->
          IntegerPromotion.isFermat(b) || hasRemainder(b.left()) || hasRemainder(b.right());
      case Expr.Convert c -> hasRemainder(c.operand());
      default -> false;
    };
  }

  private static boolean isVector(BinOp.Kind kind) {
    return switch (kind) {
      case FADD, FSUB, FMUL, FDIV -> true;
      default -> false;
    };
  }

  // Generation

  private void write(Poly from, List<Code> out) {
    Name total = names.fresh("total");
    Name strip = names.fresh("strip");
    Name length = names.fresh("length");
    Set<Name> usedLater = usedLater();
    addMapped();
    scalars.putAll(mapped);
    usedLater.addAll(mapped.keySet());
    int longest =
        longest(
            usedLater.stream().map(n -> expandedType(typeOf(n))).toList(),
            columns ? OF_COLUMNS : StripOptions.LONGEST,
            around);
    Poly start = from.plus(Poly.of(strip).times(longest));
    Code.Declare room = room(names.fresh("room"), Poly.of(total), longest, around);
    List<Code> inStep = new ArrayList<>();
    inStep.add(room);
    for (Name n : usedLater) {
      expanded.put(n, around.expand(expandedType(typeOf(n)), Expr.i64(room.name()), inStep));
    }
    List<Code> body = new ArrayList<>();
    Poly rest = Poly.of(total).minus(Poly.of(strip).times(longest));
    body.add(
        new Code.Declare(
            length,
            PrimType.I64,
            Expr.binary(BinOp.Kind.SMIN, Expr.i64(longest), new Expr.Index(rest))));
    for (List<Code> part : parts()) {
      if (part.get(0) instanceof Code.For f) {
        body.add(inner(f, length, start));
      } else {
        body.add(overStrip(part, false, length, start));
      }
    }
    inStep.add(loop.within(strip, Expr.i64(0), count(Poly.of(total), longest), body));
    List<Code> oneByOne =
        List.of(
            loop.withBody(
                CodeCopies.sideBySide(loop.body(), List.of(CodeCopies.fresh(declared, names)))));
    Poly to = loop.to().poly();
    Expr all =
        to == null
            ? Expr.binary(BinOp.Kind.SUB, loop.to(), loop.from())
            : new Expr.Index(to.minus(from));
    out.add(new Code.Declare(total, PrimType.I64, all));
    int fewest = around.number(mapped.isEmpty() ? StripOptions.FEWEST : FEWEST_OF_FUNCTIONS);
    out.add(new Code.If(Expr.less(Expr.i64(total), Expr.i64(fewest)), oneByOne, inStep));
  }

  /**
   * Returns the maximum length of strips for these expanded scalars: a power of two.
   *
   * @param most the option with the maximum length for few scalars
   */
  static int longest(Collection<PrimType> expanded, Option most, LoopContext around) {
    int bytes = expanded.stream().mapToInt(PrimType::bytes).sum();
    int longest = around.number(most);
    while (longest > around.number(StripOptions.FEWEST)
        && longest * bytes > around.number(StripOptions.BYTES)) {
      longest /= 2;
    }
    return longest;
  }

  /**
   * Declares the number of elements of each expanded scalar: at most the number of iterations,
   * which may be small in a chunk. The number is rounded up, so that chunks of similar size can
   * reuse each other's blocks.
   */
  static Code.Declare room(Name name, Poly iterations, int longest, LoopContext around) {
    int step = around.number(StripOptions.FEWEST) * 4;
    Long known = iterations.constant();
    if (known != null) {
      long lanes = Math.clamp((known + step - 1) / step * step, 0, longest);
      return new Code.Declare(name, PrimType.I64, Expr.i64(lanes));
    }
    Expr steps = count(iterations, step);
    Expr shift = Expr.i64(Integer.numberOfTrailingZeros(step));
    Expr needed = Expr.binary(BinOp.Kind.SHL, steps, shift);
    Expr most = Expr.binary(BinOp.Kind.SMIN, Expr.i64(longest), needed);
    return new Code.Declare(name, PrimType.I64, Expr.binary(BinOp.Kind.SMAX, Expr.i64(0), most));
  }

  /** Returns the number of strips of a length, a power of two. */
  static Expr count(Poly iterations, int longest) {
    return Expr.binary(
        BinOp.Kind.ASHR,
        new Expr.Index(iterations.plus(Poly.of(longest - 1))),
        Expr.i64(Integer.numberOfTrailingZeros(longest)));
  }

  /** Returns the body, partitioned into inner loops and the code between them. */
  private List<List<Code>> parts() {
    List<List<Code>> parts = new ArrayList<>();
    boolean open = false;
    for (Code c : loop.body()) {
      if (c instanceof Code.For || !open) {
        parts.add(new ArrayList<>());
      }
      parts.get(parts.size() - 1).add(c);
      open = !(c instanceof Code.For);
    }
    return parts;
  }

  /** Returns the scalars that a part other than their own uses. */
  private Set<Name> usedLater() {
    Set<Name> earlier = new HashSet<>();
    Set<Name> used = new LinkedHashSet<>();
    for (List<Code> part : parts()) {
      Set<Name> here = uses(part);
      for (Name n : scalars.keySet()) {
        if (here.contains(n) && earlier.contains(n)) {
          used.add(n);
        }
      }
      earlier.addAll(declares(part));
    }
    return used;
  }

  /**
   * Returns an inner loop whose iterations compute uniform values first, and then run the rest for
   * the whole strip.
   */
  private Code inner(Code.For f, Name length, Poly start) {
    List<Code> same = new ArrayList<>();
    List<Code> different = new ArrayList<>();
    partition(f, same, different);
    MappedFunctions mapped = MappedFunctions.of(different);
    for (int g = 0; g < mapped.groups().size(); g++) {
      List<Code> group = mapped.groups().get(g);
      if (!group.isEmpty()) {
        same.add(overStrip(group, isOfInts(group), length, start));
      }
      for (Code.Declare d : mapped.functions().get(g)) {
        if (!(d.value() instanceof Expr.Apply a) || !(a.args().getFirst() instanceof Expr.Var v)) {
          throw new IllegalStateException("no function of a variable: " + d);
        }
        Name to = expanded.get(d.name());
        Name from = expanded.get(v.name());
        if (to == null || from == null) {
          throw new IllegalStateException("no blocks for " + d);
        }
        same.add(new Code.MapRun(a.fun(), to, from, Expr.i64(length)));
      }
    }
    return f.withBody(same);
  }

  /**
   * Partitions a loop's statements into those that are the same for the whole strip, and others.
   */
  private void partition(Code.For f, List<Code> same, List<Code> different) {
    Set<Name> varying = new HashSet<>();
    for (Code c : flat(f.body())) {
      if (c instanceof Code.Declare d && d.value() != null && isUniform(d.value(), varying)) {
        same.add(d);
      } else {
        if (c instanceof Code.Declare d) {
          varying.add(d.name());
        }
        different.add(c);
      }
    }
  }

  /** Adds the scalars of inner loops that stand in blocks between functions. */
  private void addMapped() {
    for (Code c : loop.body()) {
      if (c instanceof Code.For f) {
        List<Code> different = new ArrayList<>();
        partition(f, new ArrayList<>(), different);
        mapped.putAll(MappedFunctions.of(different).stored());
      }
    }
  }

  /** Tests whether the varying values of an inner loop are integers. */
  private boolean isOfInts(List<Code> varying) {
    PrimType type =
        switch (varying.get(0)) {
          case Code.Declare d -> d.type();
          case Code.Assign a -> typeOf(a.name());
          default -> throw new IllegalStateException("does not fit: " + varying.get(0));
        };
    return IntegerPromotion.isOne(type);
  }

  /**
   * Returns statements in a loop over the strip.
   *
   * @param wide true if all scalars are integers, which stay promoted in the expanded arrays
   */
  private Code overStrip(List<Code> part, boolean wide, Name length, Poly start) {
    Name k = names.fresh("k");
    Map<Name, Poly> copy = new HashMap<>();
    copy.put(loop.index(), start.plus(Poly.of(k)));
    Set<Name> used = uses(part);
    Set<Name> made = declares(part);
    List<Code> body = new ArrayList<>();
    for (Name n : scalars.keySet()) {
      Name block = expanded.get(n);
      if (!used.contains(n) || block == null) {
        continue;
      }
      Name here = names.fresh(n);
      copy.put(n, Poly.of(here));
      PrimType type = typeOf(n);
      Expr value = new Expr.Load(block, expandedType(type), Poly.of(k));
      body.add(
          wide
              ? new Code.Declare(here, PrimType.I32, value)
              : new Code.Declare(here, type, fromExpanded(value, type)));
    }
    for (Name n : made) {
      copy.put(n, Poly.of(names.fresh(n)));
    }
    List<Code> code = wide ? IntegerPromotion.widen(part, used) : part;
    body.addAll(CodeCopies.sideBySide(code, List.of(copy)));
    Set<Name> changed = new LinkedHashSet<>(made);
    changed.addAll(Variables.assignedBy(part));
    for (Name n : changed) {
      Name block = expanded.get(n);
      if (block == null) {
        continue;
      }
      Name here = CodeCopies.name(n, copy);
      PrimType type = expandedType(typeOf(n));
      Expr value = wide ? new Expr.Var(here, type) : toExpanded(new Expr.Var(here, typeOf(n)));
      body.add(new Code.Store(block, type, Poly.of(k), value));
    }
    return loop.within(k, Expr.i64(0), Expr.i64(length), body).withRange(Code.Range.NARROW);
  }

  private static Expr toExpanded(Expr e) {
    return IntegerPromotion.isOne(e.type()) ? IntegerPromotion.extend(e) : e;
  }

  private static Expr fromExpanded(Expr e, PrimType type) {
    return IntegerPromotion.isOne(type) ? IntegerPromotion.convert(e, type) : e;
  }

  private PrimType typeOf(Name scalar) {
    PrimType type = scalars.get(scalar);
    if (type == null) {
      throw new IllegalStateException("no scalar of the loop: " + scalar);
    }
    return type;
  }

  /** Returns the scalars that statements use and do not declare. */
  private Set<Name> uses(List<Code> code) {
    Set<Name> used = new HashSet<>();
    for (Code.Variable v : Variables.usedBy(code, Set.of())) {
      used.add(v.name());
    }
    used.retainAll(scalars.keySet());
    return used;
  }

  private static Set<Name> declares(List<Code> code) {
    Set<Name> names = new LinkedHashSet<>();
    for (Code.Variable v : Variables.declaredBy(code)) {
      names.add(v.name());
    }
    return names;
  }
}
