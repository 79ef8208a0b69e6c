package futharkc.core.ir.verify;

import static futharkc.core.ir.verify.Check.broken;
import static futharkc.core.ir.verify.Check.count;
import static futharkc.core.ir.verify.Check.require;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.HostOp;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.PrimValue;
import futharkc.core.ir.Rep;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Space;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Substitution;
import futharkc.core.ir.Type;
import futharkc.core.ir.verify.Check.Operand;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Verification of expressions against the patterns of their statements. Methods return the alias
 * classes of each result. A result beyond the end of the list, or with a null entry, is fresh.
 */
final class ExpCheck {
  static final List<@Nullable Set<AliasClass>> FRESH = List.of();

  private final Check check;
  private final VerifierScope env;
  private final Rep rep;
  private final BasicCheck basic;
  private final SoacCheck soacs;
  private final SegCheck segs;

  ExpCheck(Check check) {
    this.check = check;
    this.env = check.env;
    this.rep = check.rep;
    this.basic = new BasicCheck(check);
    this.soacs = new SoacCheck(check);
    this.segs = new SegCheck(check);
  }

  List<@Nullable Set<AliasClass>> exp(Stm s) {
    return switch (s.exp()) {
      case BasicOp op -> basic.op(s, op);
      case Exp.Apply a -> apply(s, a);
      case Exp.Match m -> match(s, m);
      case Exp.Loop l -> new LoopCheck(check).loop(s, l);
      case Exp.WithAcc w -> withAcc(s, w);
      case Soac op -> {
        boolean outsideThread = rep.hasDevice() && check.level() != ExecutionLevel.THREAD;
        legal(rep.allows(op), "second-order combinators are");
        require(
            !outsideThread,
            "second-order combinators are not part of representation " + rep + " outside threads");
        yield soacs.soac(s, op);
      }
      case SegExp.Seg op -> {
        legal(rep.allows(op), "bare operations over index spaces are");
        segs.segOp(s, op.op());
        yield FRESH;
      }
      case SegExp.ParOp op -> {
        legal(rep.allows(op), "parallel operations of multicore are");
        yield parOp(s, op);
      }
      case HostOp op -> {
        legal(rep.allows(op), "operations of GPU host code are");
        require(
            check.level() == ExecutionLevel.HOST,
            "an operation of host code inside " + check.level());
        yield hostOp(s, op);
      }
      case MemOp op -> {
        legal(rep.allows(op), "operations on memory are");
        yield memOp(s, op);
      }
    };
  }

  private void legal(boolean holds, String what) {
    require(holds, what + " not part of representation " + rep);
  }

  /** Checks that the statements marked as invariant do not depend on the innermost index. */
  private void invariant(SegExp.ParOp op) {
    List<Stm> stms = op.op().body().stms();
    require(
        op.invariant() >= 0 && op.invariant() <= stms.size(),
        op.invariant() + " of " + stms.size() + " statements are marked as invariant");
    if (op.invariant() > 0) {
      Name last = op.op().space().dims().getLast().index();
      Name flat = op.op().space().flat();
      for (Stm s : stms.subList(0, op.invariant())) {
        Set<Name> free = FreeNames.of(s);
        require(
            !free.contains(last) && !free.contains(flat),
            "the statement of " + s.names() + " is marked as invariant, but depends on an index");
      }
    }
  }

  private List<@Nullable Set<AliasClass>> parOp(Stm s, SegExp.ParOp op) {
    SegExp.Choice choice = op.choice();
    require(choice == null || op.hasVersions(), "a choice needs two versions");
    require(
        choice == null || choice.slack() >= 0 && choice.idle() >= 0,
        "a number of a choice is negative");
    invariant(op);
    if (op.nested() == null) {
      segs.segOp(s, op.op());
      return FRESH;
    }
    int since = env.consumption();
    segs.segOp(s, op.op());
    List<AliasClass> undone = env.undoConsumption(since);
    branch(s, op.nested());
    env.redoConsumption(undone, s.names().isEmpty() ? "this" : s.names().get(0).toString());
    return FRESH;
  }

  private List<@Nullable Set<AliasClass>> apply(Stm s, Exp.Apply a) {
    FunDef f = check.program.functions().get(a.function());
    if (f == null) {
      throw broken("there is no function " + a.function());
    }
    if (check.level() != ExecutionLevel.HOST && check.hostFunctions.contains(f.name())) {
      throw broken(f.name() + ", which uses the device, is called by " + check.level());
    }
    count(a.args().size(), f.params().size(), "arguments of " + f.name());
    count(a.consumed().size(), f.params().size(), "consumption marks");
    Map<Name, SubExp> stands = new HashMap<>();
    for (int i = 0; i < f.params().size(); i++) {
      Param p = f.params().get(i);
      stands.put(p.name(), a.args().get(i));
      require(
          a.consumed().get(i) == p.unique(),
          "argument "
              + a.args().get(i)
              + " has another consumption mark than parameter "
              + p.name());
    }
    Substitution given = new Substitution(stands);
    for (int i = 0; i < f.params().size(); i++) {
      SubExp arg = a.args().get(i);
      Type expected = Check.substitute(f.params().get(i).type(), given);
      check.sameWithMem(env.use(arg), expected, "argument " + arg);
    }
    List<Operand> operands = new ArrayList<>();
    for (int i = 0; i < a.args().size(); i++) {
      boolean consumed = a.consumed().get(i);
      operands.add(new Operand(a.args().get(i), consumed ? consumer(s) : null));
    }
    check.operands(operands, env.uses());
    check.patternCount(s, f.results().size());
    for (int i = 0; i < f.results().size(); i++) {
      stands.put(f.results().get(i).name(), SubExp.of(s.pat().get(i).name()));
    }
    Substitution returned = new Substitution(stands);
    for (int i = 0; i < f.results().size(); i++) {
      Type expected = Check.substitute(f.results().get(i).type(), returned);
      check.sameWithMem(s.pat().get(i).type(), expected, "result " + s.pat().get(i).name());
    }
    return given(s, a, f);
  }

  /**
   * Returns the alias classes of a call's results. A unique result is fresh. An accumulator aliases
   * the accumulator arguments that are not consumed. Any other array aliases the array arguments
   * that are not consumed and the other results.
   */
  private List<@Nullable Set<AliasClass>> given(Stm s, Exp.Apply a, FunDef f) {
    Set<AliasClass> arrays = new LinkedHashSet<>();
    Set<AliasClass> accs = new LinkedHashSet<>();
    for (int i = 0; i < a.args().size(); i++) {
      if (a.consumed().get(i)) {
        continue;
      }
      for (AliasClass o : env.origins(a.args().get(i))) {
        (o.accumulator ? accs : arrays).add(o);
      }
    }
    boolean first = true;
    List<@Nullable Set<AliasClass>> origins = new ArrayList<>();
    for (int i = 0; i < f.results().size(); i++) {
      PatElem p = s.pat().get(i);
      boolean unique = f.results().get(i).unique();
      if (!unique && p.type() instanceof Type.Array) {
        if (first) {
          arrays.addAll(env.fresh(p.name(), p.type(), null));
        }
        first = false;
        Set<AliasClass> shared = arrays;
        if (check.views.contains(f, i)) {
          shared = new LinkedHashSet<>(arrays);
          shared.add(NonInjectiveViews.origin(p.name(), env));
        }
        origins.add(shared);
      } else {
        origins.add(!unique && p.type() instanceof Type.Acc ? accs : null);
      }
    }
    return origins;
  }

  /** Returns the description of a consuming statement in error messages. */
  static String consumer(Stm s) {
    return s.pat().isEmpty() ? "a statement" : s.pat().get(0).name().toString();
  }

  private List<@Nullable Set<AliasClass>> match(Stm s, Exp.Match m) {
    List<PrimType> types = new ArrayList<>();
    for (SubExp e : m.scrutinees()) {
      if (!(env.use(e) instanceof Type.Prim p)) {
        throw broken("scrutinee " + e + " is not a scalar");
      }
      types.add(p.prim());
    }
    int since = env.consumption();
    List<AliasClass> consumed = new ArrayList<>();
    List<Set<AliasClass>> union = new ArrayList<>();
    List<Body> bodies = new ArrayList<>();
    for (Exp.Case c : m.cases()) {
      count(c.pattern().size(), types.size(), "values in the pattern of a case");
      for (int i = 0; i < types.size(); i++) {
        PrimValue v = c.pattern().get(i);
        if (v != null && v.type() != types.get(i)) {
          throw broken("case value " + v + " should be " + types.get(i));
        }
      }
      bodies.add(c.body());
    }
    bodies.add(m.otherwise());
    for (Body b : bodies) {
      List<Set<AliasClass>> origins = branch(s, b);
      for (int i = 0; i < origins.size(); i++) {
        if (union.size() <= i) {
          union.add(new LinkedHashSet<>());
        }
        union.get(i).addAll(origins.get(i));
      }
      consumed.addAll(env.undoConsumption(since));
    }
    env.redoConsumption(consumed, consumer(s));
    var renewal = new ResultAliases(env.region());
    List<@Nullable Set<AliasClass>> origins = new ArrayList<>();
    for (Set<AliasClass> o : union) {
      origins.add(renewal.of(o));
    }
    return origins;
  }

  /** Checks a body that returns the pattern's results, and returns their alias classes. */
  List<Set<AliasClass>> branch(Stm s, Body b) {
    int mark = env.enter();
    check.stms(b.stms());
    check.patternCount(s, b.results().size());
    Substitution stands = Check.replacements(s.names(), b.results());
    List<Set<AliasClass>> origins = new ArrayList<>();
    for (int i = 0; i < b.results().size(); i++) {
      SubExp e = b.results().get(i);
      Type expected = Check.substitute(s.pat().get(i).type(), stands);
      check.sameWithMem(env.use(e), expected, "result " + e + " of a branch");
      origins.add(env.origins(e));
    }
    env.leave(mark);
    return origins;
  }

  private List<@Nullable Set<AliasClass>> withAcc(Stm s, Exp.WithAcc w) {
    List<Type> results = new ArrayList<>();
    List<List<Type>> elems = new ArrayList<>();
    int uses = env.uses();
    List<Operand> operands = new ArrayList<>();
    for (Exp.AccInput in : w.inputs()) {
      elems.add(accInput(in, results));
      for (Name a : in.arrays()) {
        operands.add(Operand.of(a, consumer(s)));
      }
      if (in.op() != null) {
        operands.addAll(Operand.all(in.op().neutral(), null));
      }
    }
    check.operands(operands, uses);
    int n = w.inputs().size();
    int mark = env.enter();
    count(w.lambda().params().size(), 2 * n, "parameters of an accumulation");
    for (int i = 0; i < 2 * n; i++) {
      Param p = w.lambda().params().get(i);
      check.bindParam(p, null);
      Type expected =
          i < n
              ? Type.UNIT
              : new Type.Acc(
                  w.lambda().params().get(i - n).name(),
                  w.inputs().get(i - n).space(),
                  elems.get(i - n));
      check.same(p.type(), expected, "parameter " + p.name());
    }
    check.stms(w.lambda().body().stms());
    check.lambdaResults(w.lambda());
    List<SubExp> values = w.lambda().body().results();
    for (int i = 0; i < n; i++) {
      check.same(
          env.use(values.get(i)), w.lambda().params().get(n + i).type(), "result " + values.get(i));
    }
    List<@Nullable Set<AliasClass>> origins = new ArrayList<>();
    check.patternCount(s, results.size() + values.size() - n);
    for (int i = 0; i < results.size(); i++) {
      check.sameWithMem(s.pat().get(i).type(), results.get(i), "result " + s.pat().get(i).name());
      origins.add(null);
    }
    List<Name> others = s.names().subList(results.size(), s.pat().size());
    Substitution stands = Check.replacements(others, values.subList(n, values.size()));
    for (int i = 0; i < others.size(); i++) {
      Type expected = Check.substitute(s.pat().get(results.size() + i).type(), stands);
      check.sameWithMem(env.use(values.get(n + i)), expected, "result " + values.get(n + i));
      origins.add(env.origins(values.get(n + i)));
    }
    env.leave(mark);
    return origins;
  }

  /**
   * Checks an accumulator input and adds the types of its arrays to {@code arrays}. Returns the
   * types of the values written at an index.
   */
  private List<Type> accInput(Exp.AccInput in, List<Type> arrays) {
    check.sizes(in.space());
    List<Type> elems = new ArrayList<>();
    for (Name n : in.arrays()) {
      Type.Array a = check.array(n);
      require(
          a.rank() >= in.space().size()
              && a.shape().subList(0, in.space().size()).equals(in.space()),
          "array " + n + " does not have the sizes of the accumulator");
      arrays.add(a);
      elems.add(a.withoutMem().peel(in.space().size()));
    }
    if (in.op() == null) {
      return elems;
    }
    count(in.op().neutral().size(), elems.size(), "neutral elements");
    for (int i = 0; i < elems.size(); i++) {
      check.same(env.use(in.op().neutral().get(i)), elems.get(i), "neutral element");
    }
    List<Type> params = new ArrayList<>();
    for (int i = 0; i < in.space().size(); i++) {
      params.add(Type.I64);
    }
    params.addAll(elems);
    for (Type t : elems) {
      if (check.hasMemory() && t instanceof Type.Array a) {
        params.add(
            new Type.Mem(
                rep.isByteAddressed() ? new Space.Device() : new Space.Elements(a.elem())));
      }
      params.add(t);
    }
    // Threads make the updates, at whatever level the accumulation is.
    ExecutionLevel before = check.isGpu() ? check.enter(ExecutionLevel.THREAD) : check.level();
    check.operator(in.op().lambda(), params, SoacCheck.OPERAND);
    check.enter(before);
    SoacCheck.sameTypes(
        check, in.op().lambda().results(), elems, "result of an accumulator's operator");
    return elems;
  }

  private List<@Nullable Set<AliasClass>> hostOp(Stm s, HostOp op) {
    switch (op) {
      case HostOp.GetSize x -> check.pattern(s, List.of(Type.I64));
      case HostOp.GetSizeMax x -> check.pattern(s, List.of(Type.I64));
      case HostOp.CmpSizeLe x -> {
        check.operand(x.value(), PrimType.I64);
        check.pattern(s, List.of(Type.BOOL));
      }
      case HostOp.CalcNumBlocks x -> {
        check.operand(x.width(), PrimType.I64);
        check.operand(x.blockSize(), PrimType.I64);
        check.pattern(s, List.of(Type.I64));
      }
      case HostOp.Read x -> {
        List<Type> types = new ArrayList<>();
        for (HostOp.Element e : x.elements()) {
          Type.Array a = check.array(e.array());
          count(e.index().size(), a.rank(), "indices of " + e.array());
          check.sizes(e.index());
          types.add(Type.prim(a.elem()));
        }
        require(!types.isEmpty(), "the read has no elements");
        check.pattern(s, types);
      }
      case HostOp.GpuBody x -> {
        int mark = env.enter();
        for (Type t : x.types()) {
          check.type(t);
        }
        ExecutionLevel before = check.enter(ExecutionLevel.THREAD);
        check.stms(x.body().stms());
        check.enter(before);
        SoacCheck.sameTypes(check, check.results(x.body()), x.types(), "result of the body");
        List<@Nullable Set<AliasClass>> origins = new ArrayList<>();
        for (SubExp e : x.body().results()) {
          origins.add(env.origins(e));
        }
        env.leave(mark);
        List<Type> results = new ArrayList<>();
        for (Type t : x.types()) {
          boolean stored = t instanceof Type.Prim && !t.equals(Type.UNIT);
          results.add(stored ? Type.array(t, SubExp.i64(1)) : t);
        }
        check.pattern(s, results);
        return origins;
      }
    }
    return FRESH;
  }

  private List<@Nullable Set<AliasClass>> memOp(Stm s, MemOp op) {
    return switch (op) {
      case MemOp.Alloc a -> {
        check.operand(a.size(), PrimType.I64);
        check.space(a.space());
        require(
            !(a.space() instanceof Space.Shared) || check.level() == ExecutionLevel.BLOCK,
            "shared memory outside a thread block");
        check.pattern(s, List.of(new Type.Mem(a.space())));
        yield FRESH;
      }
      case MemOp.EnsureDirect d -> {
        Type.Array a = check.array(d.array());
        int last = s.pat().size() - 1;
        require(last >= 0, "the pattern is empty");
        for (int i = 0; i < last; i++) {
          require(
              s.pat().get(i).type() instanceof Type.Mem,
              "only memory blocks may precede the array");
        }
        Type t = s.pat().get(last).type();
        check.same(t, a, "result");
        require(
            t instanceof Type.Array r && r.mem() != null && r.mem().lmad().isDirect(),
            "the result is not in row-major form from offset 0");
        List<@Nullable Set<AliasClass>> origins = new ArrayList<>();
        for (int i = 0; i < last; i++) {
          origins.add(null);
        }
        origins.add(env.origins(d.array()));
        yield origins;
      }
    };
  }
}
