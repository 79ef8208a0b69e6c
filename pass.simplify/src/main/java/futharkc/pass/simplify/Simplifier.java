package futharkc.pass.simplify;

import futharkc.core.ir.Aux;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Builder;
import futharkc.core.ir.ConvOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.PrimValue;
import futharkc.core.ir.Program;
import futharkc.core.ir.Renamer;
import futharkc.core.ir.SegSpace;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.analysis.FreeNamesOfStms;
import futharkc.core.ir.spi.Option;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.symbolic.Bounds;
import futharkc.core.ir.symbolic.Conditions;
import futharkc.core.ir.symbolic.ValueRange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One round of simplification from top to bottom. As a {@link Mapper}, it replaces operands at each
 * visit, and applies rules to statement lists.
 */
final class Simplifier extends Mapper {
  private final Program program;
  private final NameSource names;
  private final LiveUseCounts uses;
  private final Consumed consumed;
  private final Derivatives derivatives;
  private final FreeNamesOfStms freeNames;

  /** The positions of invariant parameters of loops, for {@link Invariants}. */
  private final Map<Exp.Loop, Set<Integer>> invariantParams = new IdentityHashMap<>();

  private final PassContext context;

  private final FunDef function;
  private final Map<Name, Stm> definitions = new HashMap<>();
  private final Map<Name, Integer> depths = new HashMap<>();
  private final Map<Name, Type> types = new HashMap<>();
  private final Map<Name, SubExp> replaced = new HashMap<>();
  private final Map<Name, Exp.AccInput> accumulated = new HashMap<>();

  /** The certificates of each check that holds, keyed by the name of the check. */
  private final Map<Name, List<Name>> trueCerts = new HashMap<>();

  /** The names that replaced their copies, and that therefore may have other uses. */
  private final Set<Name> shared = new HashSet<>();

  private final Map<Name, ValueRange> ranges = new HashMap<>();

  private final Conditions conditions = new Conditions(this::expOf, this::poly);
  private final Mapper replacing = new Replacing();
  private Bounds bounds = new Bounds(null);

  /** The upper bounds of loop indices. */
  private final Map<Name, SubExp> indexes = new HashMap<>();

  private CommonSubexpressions common = new CommonSubexpressions(null, this);

  /** The number of the first statement list. */
  private static final int OUTERMOST = 1;

  /** The last statement of the current body so far that may consume an array. */
  private @Nullable Stm latest;

  private int bodyId;
  private int bodies;
  private boolean changed;

  Simplifier(
      Program program,
      FunDef f,
      NameSource names,
      LiveUseCounts uses,
      Consumed consumed,
      Derivatives derivatives,
      FreeNamesOfStms freeNames,
      PassContext context) {
    this.program = program;
    this.names = names;
    this.uses = uses;
    this.consumed = consumed;
    this.derivatives = derivatives;
    this.freeNames = freeNames;
    this.context = context;
    this.function = f;
    for (Stm c : program.constants()) {
      for (PatElem p : c.pat()) {
        types.put(p.name(), p.type());
      }
    }
    for (Param p : f.params()) {
      types.put(p.name(), p.type());
      noteSizes(p.type());
      if (p.unique()) {
        depths.put(p.name(), OUTERMOST);
      }
    }
  }

  /** Tests whether the round changed the function. */
  boolean changed() {
    return changed;
  }

  // Queries for rules

  /** Tests whether rules may change derivatives, because no derivative operator follows. */
  boolean mayChangeDerivatives() {
    return !derivatives.areTaken();
  }

  NameSource names() {
    return names;
  }

  /** Returns the free names of statements, cached across rounds. */
  FreeNamesOfStms freeNames() {
    return freeNames;
  }

  /** Returns the invariant parameters of loops that {@link Invariants} has found. */
  Map<Exp.Loop, Set<Integer>> invariantParams() {
    return invariantParams;
  }

  int number(Option option) {
    return context.number(option);
  }

  /** Returns a copy with fresh names. */
  Exp renamed(Exp e) {
    return new Renamer(names).exp(e);
  }

  /** Returns the common subexpressions at the current statement. */
  CommonSubexpressions common() {
    return common;
  }

  Builder builder(Aux aux) {
    return new Builder(names).with(aux);
  }

  /**
   * Returns the statement that binds a name, if it is a visited one of this function; else null.
   */
  @Nullable Stm definition(Name name) {
    return definitions.get(name);
  }

  /** Returns the expression of an operand, if it has no certificates; else null. */
  @Nullable Exp expOf(SubExp e) {
    return e instanceof SubExp.Var v ? expOf(v.name()) : null;
  }

  /** Returns the expression of a name, if it has no certificates; else null. */
  @Nullable Exp expOf(Name name) {
    Stm s = definitions.get(name);
    return s != null && s.pat().size() == 1 && s.aux().certs().isEmpty() ? s.exp() : null;
  }

  Type type(SubExp e) {
    return switch (e) {
      case SubExp.Const c -> Type.prim(c.value().type());
      case SubExp.Var v -> type(v.name());
    };
  }

  Type type(Name name) {
    Type t = types.get(name);
    if (t == null) {
      throw new IllegalStateException(name + " is not in scope");
    }
    return t;
  }

  /**
   * Tests whether a name has one use in the function, and its definition is in the current
   * statement list.
   */
  boolean isUsedOnceHere(Name name) {
    return uses.of(name) == 1 && depths.getOrDefault(name, -1) == bodyId;
  }

  /** Tests whether a name is a loop result whose only uses are copies after the loop. */
  boolean isCopiedResult(Name name) {
    return uses.isCopiedResult(name);
  }

  /** Tests whether a name is the next value of a unique parameter, which must have no alias. */
  boolean isNextOfUnique(Name name) {
    return uses.isNextOfUnique(name);
  }

  /** Tests whether a name has one use in the function. */
  boolean isUsedOnce(Name name) {
    return uses.of(name) == 1;
  }

  /**
   * Tests whether a name is the only reference to its array, has one use, and is defined in the
   * current statement list. Its use may then overwrite the array.
   */
  boolean isOnlyUseOfOwned(Name name) {
    if (!isUsedOnceHere(name) || shared.contains(name)) {
      return false;
    }
    Stm def = definitions.get(name);
    if (def == null) {
      return true;
    }
    int position = def.names().indexOf(name);
    return switch (def.exp()) {
      case BasicOp.Update x -> true;
      case BasicOp.FlatUpdate x -> true;
      case BasicOp.Iota x -> true;
      case BasicOp.Replicate x -> true;
      case BasicOp.Concat x -> true;
      case BasicOp.Manifest x -> true;
      case Soac.Screma x -> position >= x.reduceResults();
      case Soac.Hist x -> true;
      case Exp.WithAcc w -> position < w.inputs().stream().mapToInt(i -> i.arrays().size()).sum();
      case Exp.Loop l -> l.params().get(position).param().unique();
      default -> false;
    };
  }

  /**
   * Returns the input of an accumulator's token while its {@code WithAcc} is being visited; else
   * null.
   */
  Exp.@Nullable AccInput accumulated(Name token) {
    return accumulated.get(token);
  }

  /**
   * Tests whether the source may replace a copy of an array: both are only read, element by element
   * or row by row.
   */
  boolean areOnlyRead(Name copy, Name source) {
    return uses.isOnlyRead(copy)
        && uses.isOnlyRead(source)
        && canBeReadLater(copy)
        && canBeReadLater(source);
  }

  /** Tests whether an array and its views are only read or copied. */
  boolean isOnlyReadOrCopied(Name array) {
    return uses.isOnlyRead(array);
  }

  /**
   * Tests whether a copy is only a non-unique result of the function, and its source is a parameter
   * that the result may alias.
   */
  boolean isOnlySharedResult(Name copy, Name source) {
    int k = function.body().results().indexOf(SubExp.of(copy));
    return k >= 0
        && !function.results().get(k).unique()
        && uses.of(copy) == 1
        && stay(List.of(copy, source))
        && isOfParameter(source);
  }

  private boolean isOfParameter(Name n) {
    for (Param p : function.params()) {
      if (p.name().equals(n)) {
        return !p.unique();
      }
    }
    return expOfDefinition(n) instanceof BasicOp.Reshape r && isOfParameter(r.array());
  }

  private @Nullable Exp expOfDefinition(Name n) {
    Stm s = definitions.get(n);
    return s == null ? null : s.exp();
  }

  /** Tests whether an array is only read, element by element. */
  boolean isOnlyRead(Name array) {
    return uses.of(array) == uses.reads(array);
  }

  /** Lets a name replace its copy, until the next count of uses. */
  void share(Name source, Name copy) {
    uses.share(source, copy);
    shared.add(copy);
  }

  /**
   * Tests whether an operand may have later uses: it is a scalar, or an array that no code
   * consumes.
   */
  boolean stays(SubExp e) {
    return !(e instanceof SubExp.Var v)
        || type(v.name()).rank() == 0
        || !consumed.anywhere(v.name());
  }

  /** Tests whether several arrays may have later uses. */
  boolean stay(List<Name> arrays) {
    return arrays.stream().noneMatch(consumed::anywhere);
  }

  /**
   * Tests whether the definition of an array may move to the current statement: only scalar
   * operations, which consume nothing, are in between.
   */
  boolean isMadeLast(Name array) {
    return latest != null && latest.names().contains(array);
  }

  /** Tests whether an array's elements may be read later in the iteration. */
  boolean canBeReadLater(Name array) {
    return !consumed.meanwhile(array);
  }

  /** Tests whether a name is bound outside the current statement. */
  boolean knows(Name name) {
    return types.containsKey(name);
  }

  /**
   * Returns an earlier statement that evaluates an expression, regardless of certificates; null if
   * there is none.
   */
  @Nullable Stm earlier(BasicOp op, Type type) {
    return common.earlier(op, type);
  }

  /** Returns the bounds of integers at the current statement. */
  Bounds bounds() {
    return bounds;
  }

  /** Returns the bounds that conditions imply. */
  Conditions conditions() {
    return conditions;
  }

  /** Returns an i64 as a polynomial over variables that are neither sums nor products. */
  Poly poly(SubExp e) {
    return poly(e, 6);
  }

  private Poly poly(SubExp e, int depth) {
    if (depth > 0 && expOf(e) instanceof BasicOp.BinOpExp b && b.op().type() == PrimType.I64) {
      return switch (b.op().kind()) {
        case ADD -> poly(b.left(), depth - 1).plus(poly(b.right(), depth - 1));
        case SUB -> poly(b.left(), depth - 1).minus(poly(b.right(), depth - 1));
        case MUL -> poly(b.left(), depth - 1).times(poly(b.right(), depth - 1));
        default -> Poly.of(e);
      };
    }
    return Poly.of(e);
  }

  boolean hasMemory() {
    return program.rep().hasMemory();
  }

  // Operands

  @Override
  public SubExp subExp(SubExp e) {
    if (!(e instanceof SubExp.Var v)) {
      return e;
    }
    SubExp r = replaced.get(v.name());
    return r == null ? e : r;
  }

  @Override
  public Name name(Name use) {
    return replaced.get(use) instanceof SubExp.Var v ? v.name() : use;
  }

  @Override
  public Aux aux(Aux aux) {
    if (aux.certs().isEmpty()) {
      return aux;
    }
    LinkedHashSet<Name> certs = new LinkedHashSet<>();
    for (Name c : aux.certs()) {
      Name n = name(c);
      List<Name> instead = trueCerts.get(n);
      if (instead == null) {
        certs.add(n);
      } else {
        certs.addAll(instead);
      }
    }
    List<Name> list = new ArrayList<>(certs);
    return list.equals(aux.certs()) ? aux : aux.withCerts(list);
  }

  @Override
  public Param param(Param p) {
    Param q = super.param(p);
    types.put(q.name(), q.type());
    noteSizes(q.type());
    return q;
  }

  @Override
  public SegSpace segSpace(SegSpace s) {
    SegSpace t = super.segSpace(s);
    types.put(t.flat(), Type.I64);
    for (SegSpace.Dim d : t.dims()) {
      types.put(d.index(), Type.I64);
      bounds.addIndex(d.index(), Poly.of(d.size()));
      noteIndex(d.index(), d.size(), PrimType.I64);
    }
    return t;
  }

  // Statements

  @Override
  public List<Stm> stms(List<Stm> stms) {
    int outerBody = bodyId;
    bodyId = ++bodies;
    CommonSubexpressions outer = common;
    common = new CommonSubexpressions(outer, this);
    Bounds outerBounds = bounds;
    bounds = new Bounds(outerBounds);
    Stm outerLatest = latest;
    latest = null;
    List<Stm> out = new ArrayList<>(stms.size());
    for (Stm s : stms) {
      statement(s, out);
    }
    latest = outerLatest;
    common = outer;
    bounds = outerBounds;
    bodyId = outerBody;
    return out;
  }

  private void statement(Stm s, List<Stm> out) {
    Stm t = stm(s);
    Hoisting.Result hoisted = Hoisting.outOf(t, this);
    for (Stm h : hoisted.before()) {
      changed = true;
      out.add(h);
      define(h);
    }
    t = hoisted.stm();
    List<Stm> simpler = Rules.apply(t, this);
    if (simpler == null) {
      keep(t, out);
      return;
    }
    changed = true;
    // The next round simplifies the result of a rule; only copies are propagated in this round.
    for (Stm r : simpler) {
      Stm now = replacing.stm(r);
      uses.add(now);
      keep(now, out);
    }
  }

  private void keep(Stm s, List<Stm> out) {
    if (propagate(s)) {
      return;
    }
    Stm same = common.find(s);
    if (same != null) {
      changed = true;
      for (int k = 0; k < s.pat().size(); k++) {
        replaced.put(s.pat().get(k).name(), SubExp.of(same.pat().get(k).name()));
      }
      return;
    }
    out.add(s);
    define(s);
    boolean isScalar = s.pat().stream().allMatch(p -> p.type() instanceof Type.Prim);
    if (!(s.exp() instanceof BasicOp && isScalar)) {
      latest = s;
    }
  }

  private void noteSizes(Type t) {
    for (SubExp d : t.dims()) {
      if (!(d instanceof SubExp.Var v)) {
        continue;
      }
      bounds.addNonNegative(v.name());
      ValueRange now = range(d, PrimType.I64);
      if (!now.isNonNegative() && now.high() >= 0) {
        ranges.put(v.name(), new ValueRange(0, now.high()));
      }
    }
  }

  private void define(Stm s) {
    for (PatElem p : s.pat()) {
      definitions.put(p.name(), s);
      types.put(p.name(), p.type());
      depths.put(p.name(), bodyId);
      noteSizes(p.type());
    }
    if (s.exp() instanceof BasicOp.BinOpExp x && isCount(x)) {
      bounds.addNonNegative(s.pat().get(0).name());
    }
    if (s.exp() instanceof BasicOp.ConvOpExp x) {
      noteWidened(s.pat().get(0).name(), x);
    }
    if (s.pat().size() == 1 && s.pat().get(0).type() instanceof Type.Prim t && t.prim().isInt()) {
      noteRange(s.pat().get(0).name(), t.prim(), s.exp());
    }
  }

  /**
   * Records that an index below a narrowed size is below the size. For a non-negative number, the
   * narrowed value is at most the number.
   */
  private void noteWidened(Name wide, BasicOp.ConvOpExp x) {
    ConvOp op = x.op();
    if (op.kind() != ConvOp.Kind.SEXT || op.to() != PrimType.I64) {
      return;
    }
    SubExp bound = x.operand() instanceof SubExp.Var v ? indexes.get(v.name()) : null;
    if (bound == null) {
      return;
    }
    if (!(expOf(bound) instanceof BasicOp.ConvOpExp y)) {
      return;
    }
    if (y.op().kind() != ConvOp.Kind.SEXT || y.op().from() != PrimType.I64) {
      return;
    }
    Poly size = poly(y.operand());
    if (bounds.provesNonNegative(size)) {
      bounds.addIndex(wide, size);
    }
  }

  /** Records the range of an integer from the operation that computes it. */
  private void noteRange(Name x, PrimType type, Exp e) {
    ValueRange i =
        switch (e) {
          case BasicOp.BinOpExp b ->
              ValueRange.binary(
                  b.op(), range(b.left(), b.op().type()), range(b.right(), b.op().type()));
          case BasicOp.ConvOpExp c when c.op().from().isInt() ->
              ValueRange.converted(c.op(), range(c.operand(), c.op().from()));
          case BasicOp.ConvOpExp c when c.op().kind() == ConvOp.Kind.BTOI -> new ValueRange(0, 1);
          default -> null;
        };
    if (i == null) {
      return;
    }
    ranges.put(x, i);
    boolean isIndex = i.isNonNegative() && i.high() < ValueRange.of(PrimType.I32).high();
    if (isIndex && type == PrimType.I64) {
      bounds.addIndex(x, Poly.of(i.high() + 1));
    }
  }

  /** Records that an index is below a bound. */
  private void noteIndex(Name x, SubExp bound, PrimType type) {
    long most = range(bound, type).high();
    if (most > 0) {
      ranges.put(x, new ValueRange(0, most - 1));
    }
  }

  /** Returns the range of an integer of the given type. */
  ValueRange range(SubExp e, PrimType type) {
    return switch (e) {
      case SubExp.Var v -> ranges.getOrDefault(v.name(), ValueRange.of(type));
      case SubExp.Const c -> ValueRange.of(c.value());
    };
  }

  /** Tests whether an operation divides a size by a positive constant. */
  private boolean isCount(BasicOp.BinOpExp x) {
    BinOp.Kind kind = x.op().kind();
    return (kind == BinOp.Kind.SDIV || kind == BinOp.Kind.SDIV_UP)
        && x.op().type() == PrimType.I64
        && x.right() instanceof SubExp.Const c
        && c.value().asLong() > 0
        && bounds.provesNonNegative(poly(x.left()));
  }

  /** Propagates a copy or a check that holds, and returns whether the statement can be removed. */
  private boolean propagate(Stm s) {
    if (s.exp() instanceof BasicOp.Assert a && a.cond().equals(SubExp.TRUE)) {
      changed = true;
      trueCerts.put(s.pat().get(0).name(), s.aux().certs());
      replaced.put(s.pat().get(0).name(), SubExp.of(PrimValue.UNIT));
      return true;
    }
    if (!(s.exp() instanceof BasicOp.SubExpOp copy)) {
      return false;
    }
    PatElem p = s.pat().get(0);
    // Certificates apply to the arrays in a memory block, not to the block.
    if (!s.aux().certs().isEmpty() && !(p.type() instanceof Type.Mem)) {
      return false;
    }
    if (p.type().rank() > 0 && !p.type().equals(type(copy.value()))) {
      return false;
    }
    changed = true;
    replaced.put(p.name(), copy.value());
    if (copy.value() instanceof SubExp.Var v) {
      uses.share(v.name(), p.name());
    }
    return true;
  }

  // Binders of nested constructs, for their types

  @Override
  public Exp exp(Exp e) {
    return switch (e) {
      case Exp.Loop l -> {
        if (l.form() instanceof Exp.Form.For f) {
          types.put(f.index(), Type.prim(f.type()));
          if (f.type() == PrimType.I64) {
            bounds.addIndex(f.index(), Poly.of(subExp(f.bound())));
          }
          noteIndex(f.index(), subExp(f.bound()), f.type());
          indexes.put(f.index(), subExp(f.bound()));
        }
        yield super.exp(l);
      }
      case Exp.Match m when m.isConditional() -> conditional(m);
      case Exp.WithAcc w -> {
        for (int k = 0; k < w.inputs().size(); k++) {
          accumulated.put(w.lambda().params().get(k).name(), w.inputs().get(k));
        }
        yield super.exp(w);
      }
      case Soac.Screma x -> {
        for (int k = 0; k < x.inputs().size(); k++) {
          Stm input = definition(name(x.inputs().get(k)));
          if (input != null
              && input.exp() instanceof BasicOp.Iota i
              && i.type() == PrimType.I64
              && i.start().isInt(0)
              && i.stride().isInt(1)) {
            bounds.addIndex(x.map().params().get(k).name(), Poly.of(i.count()));
          }
        }
        yield super.exp(x);
      }
      default -> super.exp(e);
    };
  }

  /** Visits the branches with the bounds that the condition implies. */
  private Exp conditional(Exp.Match m) {
    SubExp cond = subExp(m.scrutinees().get(0));
    Body then = branch(m.cases().get(0).body(), cond, true);
    Body otherwise = branch(m.otherwise(), cond, false);
    return cond == m.scrutinees().get(0)
            && then == m.cases().get(0).body()
            && otherwise == m.otherwise()
        ? m
        : Exp.Match.conditional(cond, then, otherwise);
  }

  private Body branch(Body b, SubExp cond, boolean holds) {
    Bounds outer = bounds;
    bounds = new Bounds(outer);
    conditions.add(cond, holds, bounds);
    Body simpler = body(b);
    bounds = outer;
    return simpler;
  }

  /** A traversal that replaces operands only. */
  private final class Replacing extends Mapper {
    @Override
    public SubExp subExp(SubExp e) {
      return Simplifier.this.subExp(e);
    }

    @Override
    public Name name(Name use) {
      return Simplifier.this.name(use);
    }

    @Override
    public Aux aux(Aux aux) {
      return Simplifier.this.aux(aux);
    }
  }
}
