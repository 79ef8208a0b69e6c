package futharkc.core.language.lower;

import futharkc.core.ir.Aux;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BasicOp.MsgPart;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.ConvOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Loc;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.PrimFun;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.PrimValue;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.UnOp;
import futharkc.core.language.Diagnostic;
import futharkc.core.language.Diagnostics;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An emitter of statements in nested blocks. It attaches the current location, attributes,
 * certificates and call chain to each statement. It folds simple scalar operations and emits equal
 * scalar operations once per scope, so that equal sizes have equal names.
 */
final class Emit {
  private static final String PRELUDE = "/prelude/";

  /**
   * The source of names. Names are unique in the whole program, and their tags increase with time.
   */
  final NameSource names = new NameSource(0);

  private Block block = new Block(null, 0);
  private Loc loc = Loc.NONE;
  private boolean safe = true;
  private boolean warnOfChecks;
  private final Diagnostics diagnostics;
  private List<String> attrs = List.of();
  private List<Name> certs = List.of();
  private @Nullable Calls calls;
  private final Map<Name, BasicOp.BinOpExp> sums = new HashMap<>();

  /**
   * Creates an emitter.
   *
   * @param diagnostics the collector of warnings about the program
   */
  Emit(Diagnostics diagnostics) {
    this.diagnostics = diagnostics;
  }

  /** A list of statements under construction. */
  static final class Block {
    private final @Nullable Block parent;
    private final List<Stm> stms = new ArrayList<>();
    private final Map<BasicOp, SubExp> known = new HashMap<>();
    private final Set<Name> nonNegative = new HashSet<>();
    private final int begin;

    private Block(@Nullable Block parent, int begin) {
      this.parent = parent;
      this.begin = begin;
    }

    List<Stm> stms() {
      return stms;
    }
  }

  /** The call site of inlined code, the frame of the caller, and the outer call sites. */
  record Calls(Loc loc, Frame frame, @Nullable Calls outer) {}

  /** The current block and the attachments of new statements. */
  record State(
      Block block,
      Loc loc,
      boolean safe,
      boolean warnOfChecks,
      List<String> attrs,
      List<Name> certs,
      @Nullable Calls calls) {}

  State state() {
    return new State(block, loc, safe, warnOfChecks, attrs, certs, calls);
  }

  void restore(State s) {
    block = s.block;
    loc = s.loc;
    safe = s.safe;
    warnOfChecks = s.warnOfChecks;
    attrs = s.attrs;
    certs = s.certs;
    calls = s.calls;
  }

  /** Returns a state with a new top-level block and without attributes, certificates and calls. */
  State outermost(Loc loc) {
    return new State(new Block(null, 0), loc, true, false, List.of(), List.of(), null);
  }

  Loc loc() {
    return loc;
  }

  void at(Loc loc) {
    this.loc = loc;
  }

  boolean safe() {
    return safe;
  }

  void setSafe(boolean safe) {
    this.safe = safe;
  }

  /** Enables a warning for every check emitted from now on. */
  void warnOfChecks() {
    warnOfChecks = true;
  }

  void warn(String code, String message) {
    diagnostics.report(Diagnostic.warning(code, userLoc(), message));
  }

  List<String> attrs() {
    return attrs;
  }

  void addAttr(String attr) {
    List<String> more = new ArrayList<>(attrs);
    more.add(attr);
    attrs = List.copyOf(more);
  }

  void clearAttrs() {
    attrs = List.of();
  }

  void addCerts(List<Name> more) {
    if (more.isEmpty()) {
      return;
    }
    List<Name> all = new ArrayList<>(certs);
    all.addAll(more);
    certs = List.copyOf(all);
  }

  /** Enters code inlined from a call in a frame. */
  void enterCall(Loc call, Frame caller) {
    calls = new Calls(call, caller, calls);
  }

  /** Returns the statements emitted into the current block and the blocks around it, in order. */
  List<Stm> enclosing() {
    List<List<Stm>> blocks = new ArrayList<>();
    for (Block b = block; b != null; b = b.parent) {
      blocks.add(b.stms);
    }
    return blocks.reversed().stream().flatMap(List::stream).toList();
  }

  /** Returns a new block inside the current block, to be filled by {@link #in}. */
  Block nested() {
    return new Block(block, mark());
  }

  /** Runs an action that emits statements into a block. */
  <T> T in(Block inner, Supplier<T> action) {
    State outer = state();
    block = inner;
    certs = List.of();
    try {
      return action.get();
    } finally {
      restore(outer);
    }
  }

  /** Appends the statements of a block to the current block. */
  void splice(Block inner) {
    block.stms.addAll(inner.stms);
  }

  /** Returns a body with the statements that an action emits and the action's results. */
  Body body(Supplier<List<SubExp>> action) {
    Block inner = nested();
    List<SubExp> results = in(inner, action);
    return new Body(inner.stms, results);
  }

  /**
   * Returns a body for a lambda or loop, as {@link #body} does. The attributes of the enclosing
   * operation do not apply inside the body.
   */
  Body lambdaBody(Supplier<List<SubExp>> action) {
    return body(
        () -> {
          clearAttrs();
          return action.get();
        });
  }

  /** Returns a mark. All names created from now on have a tag of at least the mark. */
  int mark() {
    return names.next();
  }

  /** Tests whether an operand in the current scope was made outside the current block. */
  boolean isOutside(SubExp e) {
    return block.begin > 0 && isOlder(e, block.begin);
  }

  /** Tests whether an operand in the current scope was already in scope at a mark. */
  static boolean isOlder(SubExp e, int mark) {
    return !(e instanceof SubExp.Var v) || v.name().tag() < mark && v.name().tag() >= 0;
  }

  Name fresh(String base) {
    return names.fresh(base);
  }

  // --- Statements ---

  void add(List<PatElem> pat, Exp e, List<Name> moreCerts) {
    boolean compound = !(e instanceof BasicOp);
    block.stms.add(
        new Stm(
            pat, new Aux(certs, compound ? attrs : List.of(), userLoc()).plusCerts(moreCerts), e));
  }

  /**
   * Returns the location in the user's program. For code in the prelude, this is the innermost call
   * site outside the prelude.
   */
  Loc userLoc() {
    if (!inPrelude(loc)) {
      return loc;
    }
    for (Calls c = calls; c != null; c = c.outer) {
      if (!inPrelude(c.loc)) {
        return c.loc;
      }
    }
    return loc;
  }

  /** Tests whether a location is in the prelude. */
  static boolean inPrelude(Loc loc) {
    return loc.file().startsWith(PRELUDE);
  }

  Name let(String base, Type type, Exp e, List<Name> moreCerts) {
    Name n = names.fresh(base);
    add(List.of(new PatElem(n, type)), e, moreCerts);
    return n;
  }

  SubExp let(String base, Type type, Exp e) {
    return SubExp.of(let(base, type, e, List.of()));
  }

  /** Emits an expression that binds one fresh name for each type. */
  List<SubExp> letAll(String base, List<Type> types, Exp e, List<Name> moreCerts) {
    List<PatElem> pat = new ArrayList<>();
    List<SubExp> out = new ArrayList<>();
    for (Type t : types) {
      Name n = names.fresh(base);
      pat.add(new PatElem(n, t));
      out.add(SubExp.of(n));
    }
    add(pat, e, moreCerts);
    return out;
  }

  /** Emits a scalar operation that cannot fail, once per scope. */
  private SubExp pure(String base, PrimType type, BasicOp e) {
    for (Block b = block; b != null; b = b.parent) {
      SubExp known = b.known.get(e);
      if (known != null) {
        return known;
      }
    }
    Name n = let(base, Type.prim(type), e, List.of());
    SubExp result = SubExp.of(n);
    block.known.put(e, result);
    if (e instanceof BasicOp.BinOpExp b
        && type == PrimType.I64
        && (b.op().kind() == BinOp.Kind.ADD || b.op().kind() == BinOp.Kind.SUB)) {
      sums.put(n, b);
    }
    return result;
  }

  // --- Sizes ---

  /** Records that an operand is not negative, in the current block and its nested blocks. */
  void assumeNonNegative(SubExp e) {
    if (e instanceof SubExp.Var v && !isNonNegative(e)) {
      block.nonNegative.add(v.name());
    }
  }

  /** Records that two sizes are equal, in the current block and its nested blocks. */
  void assumeEqual(SubExp a, SubExp b) {
    CmpOp op = new CmpOp(CmpOp.Kind.EQ, PrimType.I64);
    block.known.put(new BasicOp.CmpOpExp(op, a, b), SubExp.TRUE);
  }

  boolean isNonNegative(SubExp e) {
    return switch (e) {
      case SubExp.Const c -> c.value().type().isInt() && c.value().bits() >= 0;
      case SubExp.Var v -> {
        for (Block b = block; b != null; b = b.parent) {
          if (b.nonNegative.contains(v.name())) {
            yield true;
          }
        }
        yield false;
      }
    };
  }

  // --- Scalars ---

  SubExp add(SubExp a, SubExp b) {
    return binOp("x", BinOp.Kind.ADD, PrimType.I64, a, b);
  }

  SubExp sub(SubExp a, SubExp b) {
    return binOp("x", BinOp.Kind.SUB, PrimType.I64, a, b);
  }

  SubExp mul(SubExp a, SubExp b) {
    return binOp("x", BinOp.Kind.MUL, PrimType.I64, a, b);
  }

  SubExp binOp(String base, BinOp.Kind kind, PrimType type, SubExp a, SubExp b) {
    return binOp(base, kind, type, a, b, List.of());
  }

  /**
   * Emits a binary operation.
   *
   * @param moreCerts the certificates that the operation is defined, for an operation that can fail
   */
  SubExp binOp(
      String base, BinOp.Kind kind, PrimType type, SubExp a, SubExp b, List<Name> moreCerts) {
    BinOp op = new BinOp(kind, type);
    SubExp folded = Fold.binOp(op, a, b);
    if (folded != null) {
      return folded;
    }
    boolean sum = kind == BinOp.Kind.ADD || kind == BinOp.Kind.SUB;
    if (type == PrimType.I64 && sum) {
      SubExp known = cancel(kind, a, b);
      if (known != null) {
        return known;
      }
    }
    BasicOp.BinOpExp e = new BasicOp.BinOpExp(op, a, b);
    if (!op.isPartial() || moreCerts.isEmpty() && Fold.isNonZero(b)) {
      SubExp result = pure(base, type, e);
      boolean growing = kind == BinOp.Kind.ADD || kind == BinOp.Kind.MUL;
      if (type == PrimType.I64 && growing && isNonNegative(a) && isNonNegative(b)) {
        assumeNonNegative(result);
      }
      return result;
    }
    return SubExp.of(let(base, Type.prim(type), e, moreCerts));
  }

  /** Returns the quotient rounded up. The divisor must not be zero. */
  SubExp quotientUp(SubExp a, SubExp b) {
    BinOp op = new BinOp(BinOp.Kind.SDIV_UP, PrimType.I64);
    SubExp folded = Fold.binOp(op, a, b);
    if (folded != null) {
      return folded;
    }
    return pure("count", PrimType.I64, new BasicOp.BinOpExp(op, a, b));
  }

  /**
   * Simplifies a sum or difference of i64 values to an existing name, or to a constant plus an
   * existing name. Returns null if neither applies.
   */
  private @Nullable SubExp cancel(BinOp.Kind kind, SubExp a, SubExp b) {
    BasicOp.BinOpExp left = sumOf(a);
    if (b instanceof SubExp.Const c && left != null && left.right() instanceof SubExp.Const d) {
      long first = left.op().kind() == BinOp.Kind.ADD ? d.value().bits() : -d.value().bits();
      long second = kind == BinOp.Kind.ADD ? c.value().bits() : -c.value().bits();
      long sum = first + second;
      return sum >= 0
          ? binOp("x", BinOp.Kind.ADD, PrimType.I64, left.left(), SubExp.i64(sum))
          : binOp("x", BinOp.Kind.SUB, PrimType.I64, left.left(), SubExp.i64(-sum));
    }
    BasicOp.BinOpExp right = sumOf(b);
    if (kind == BinOp.Kind.SUB) {
      if (left != null && left.op().kind() == BinOp.Kind.ADD) {
        if (left.right().equals(b)) {
          return left.left();
        }
        if (left.left().equals(b)) {
          return left.right();
        }
      }
      return right != null && right.op().kind() == BinOp.Kind.SUB && right.left().equals(a)
          ? right.right()
          : null;
    }
    if (left != null && left.op().kind() == BinOp.Kind.SUB && left.right().equals(b)) {
      return left.left();
    }
    return right != null && right.op().kind() == BinOp.Kind.SUB && right.right().equals(a)
        ? right.left()
        : null;
  }

  private BasicOp.@Nullable BinOpExp sumOf(SubExp e) {
    return e instanceof SubExp.Var v ? sums.get(v.name()) : null;
  }

  SubExp cmp(CmpOp.Kind kind, PrimType type, SubExp a, SubExp b) {
    CmpOp op = new CmpOp(kind, type);
    SubExp folded = Fold.cmp(op, a, b);
    if (folded != null) {
      return folded;
    }
    return pure("cond", PrimType.BOOL, new BasicOp.CmpOpExp(op, a, b));
  }

  SubExp eq(SubExp a, SubExp b) {
    return cmp(CmpOp.Kind.EQ, PrimType.I64, a, b);
  }

  /** Returns {@code a <= b}, on i64. */
  SubExp le(SubExp a, SubExp b) {
    if (a.isInt(0) && isNonNegative(b)) {
      return SubExp.TRUE;
    }
    return cmp(CmpOp.Kind.SLE, PrimType.I64, a, b);
  }

  /** Returns {@code a < b}, on i64. */
  SubExp lt(SubExp a, SubExp b) {
    return cmp(CmpOp.Kind.SLT, PrimType.I64, a, b);
  }

  SubExp and(SubExp a, SubExp b) {
    return binOp("cond", BinOp.Kind.LOG_AND, PrimType.BOOL, a, b);
  }

  SubExp or(SubExp a, SubExp b) {
    return binOp("cond", BinOp.Kind.LOG_OR, PrimType.BOOL, a, b);
  }

  SubExp not(SubExp a) {
    return unOp(UnOp.Kind.NOT, PrimType.BOOL, a);
  }

  SubExp unOp(UnOp.Kind kind, PrimType type, SubExp a) {
    UnOp op = new UnOp(kind, type);
    SubExp folded = Fold.unOp(op, a);
    if (folded != null) {
      return folded;
    }
    return pure(kind.toString(), type, new BasicOp.UnOpExp(op, a));
  }

  SubExp conv(ConvOp.Kind kind, PrimType from, PrimType to, SubExp a) {
    ConvOp op = new ConvOp(kind, from, to);
    SubExp folded = Fold.conv(op, a);
    if (folded != null) {
      return folded;
    }
    SubExp result = pure("conv", to, new BasicOp.ConvOpExp(op, a));
    if (kind == ConvOp.Kind.BTOI) {
      assumeNonNegative(result);
    }
    return result;
  }

  SubExp primFun(PrimFun.Kind kind, PrimType type, List<SubExp> args) {
    PrimFun f = new PrimFun(kind, type);
    return pure(kind.toString(), f.result(), new BasicOp.PrimFunExp(f, args));
  }

  SubExp prim(PrimType type, long bits) {
    return SubExp.of(new PrimValue(type, bits));
  }

  // --- Checks ---

  /**
   * Emits a check and returns its certificates. The list is empty if the condition is known to hold
   * or checks are switched off.
   */
  List<Name> check(SubExp cond, Supplier<List<MsgPart>> message) {
    if (!safe) {
      return List.of();
    }
    return checkAlways(cond, message);
  }

  /**
   * Emits a check as {@link #check} does, even if checks are switched off, because the program's
   * semantics requires it.
   */
  List<Name> checkAlways(SubExp cond, Supplier<List<MsgPart>> message) {
    if (cond.equals(SubExp.TRUE)) {
      return List.of();
    }
    if (warnOfChecks) {
      warn("W0901", "Safety check required at run time.");
    }
    BasicOp key = new BasicOp.Assert(cond, List.of(), List.of());
    for (Block b = block; b != null; b = b.parent) {
      if (b.known.get(key) instanceof SubExp.Var v) {
        return List.of(v.name());
      }
    }
    Name cert =
        let("cert", Type.UNIT, new BasicOp.Assert(cond, message.get(), backtrace()), List.of());
    block.known.put(key, SubExp.of(cert));
    return List.of(cert);
  }

  /**
   * Returns the current location and the locations of the calls that lead to it, without the
   * innermost locations in the prelude. If all locations are in the prelude, none is dropped.
   */
  private List<Loc> backtrace() {
    List<Loc> trace = new ArrayList<>();
    trace.add(loc);
    for (Calls c = calls; c != null; c = c.outer) {
      trace.add(c.loc);
    }
    int first = 0;
    while (first < trace.size() && inPrelude(trace.get(first))) {
      first++;
    }
    return first == trace.size() ? trace : trace.subList(first, trace.size());
  }

  static MsgPart text(String s) {
    return new MsgPart.Text(s);
  }

  static MsgPart value(SubExp i64) {
    return new MsgPart.Value(i64, PrimType.I64, false);
  }
}
