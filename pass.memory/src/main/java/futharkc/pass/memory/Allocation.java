package futharkc.pass.memory;

import futharkc.core.ir.ArrayMem;
import futharkc.core.ir.Aux;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Builder;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.HostOp;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Lmad;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Poly;
import futharkc.core.ir.Program;
import futharkc.core.ir.Rep;
import futharkc.core.ir.SegBody;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.SegResult;
import futharkc.core.ir.Slice;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Space;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.analysis.Aliases;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Says where arrays are. An operation that makes a new array gets a block of its own, allocated
 * just before; one that only looks at an array in another way (slices, permutes, reshapes, updates
 * in place) gets the same block and another index function. Arrays that a branch or loop chooses
 * come with their block, as a result before them.
 *
 * <p>Before: {@code let ys: [n]i32 = ... let zs: [m]i32 = ys[o : m]}. After:
 *
 * <pre>
 * let mem: mem i32 = alloc(n)
 * let ys: [n]i32 @ mem -> {n: 1} = ...
 * let zs: [m]i32 @ mem -> o + {m: 1} = ys[o : m]
 * </pre>
 *
 * <p>A new array that is copied into another a moment later is made there right away, where that is
 * plainly possible: see {@link Destinations}. The update then copies an array onto itself, which
 * costs nothing.
 *
 * <p>Function parameters and results, loop parameters that are not just updated in place, and
 * arrays whose reshaping no single index function can say are row-major from offset 0 of their
 * block: a copy makes them so where they are not. The types listed as results of lambdas and
 * segmented operations stay without memory, since the pattern says where results are.
 *
 * <p>Known gap: results of branches and loops that are not row-major are copied.
 */
final class Allocation {
  private final NameSource names;
  private final Map<Name, Type> types = new HashMap<>();
  private final Map<Name, ArrayMem> wanted = new HashMap<>();
  private final Map<Name, Stm> wantedByUpdate = new HashMap<>();

  /** The tokens of accumulators that have an operator. */
  private final Set<Name> withOperator = new HashSet<>();

  private final Roots roots;
  private final Destinations destinations;

  private Allocation(NameSource names, List<Stm> stms, Aliases aliases) {
    this.names = names;
    this.roots = new Roots(stms);
    this.destinations = new Destinations(roots, aliases);
  }

  static Program run(Program program, Rep rep, PassContext context) {
    NameSource constantNames = program.namesForConstants();
    Allocation constants =
        new Allocation(constantNames, program.constants(), Aliases.of(program.constants()));
    List<Stm> stms = constants.stms(program.constants(), List.of());
    Program p = program.withConstants(stms, constantNames.next());
    Map<String, FunDef> functions = new LinkedHashMap<>();
    for (FunDef f : p.functions().values()) {
      context.checkCancelled();
      NameSource names = new NameSource(f.nextTag());
      Aliases aliases = context.analyses().get(f, Aliases.ANALYSIS);
      Allocation a = new Allocation(names, f.body().stms(), aliases);
      a.types.putAll(constants.types);
      functions.put(f.name(), a.function(f));
    }
    return p.withFunctions(functions).withRep(rep);
  }

  private FunDef function(FunDef f) {
    List<Param> params = new ArrayList<>();
    for (Param p : f.params()) {
      if (p.type() instanceof Type.Array a) {
        Param mem = new Param(names.fresh(p.name().base() + "_mem"), blockType(a));
        params.add(mem);
        types.put(mem.name(), mem.type());
        Param q = new Param(p.name(), direct(a, mem.name()), p.unique());
        params.add(q);
        types.put(q.name(), q.type());
      } else {
        params.add(p);
        types.put(p.name(), p.type());
      }
    }
    Builder b = new Builder(names);
    b.addAll(stms(f.body().stms(), f.body().results()));
    List<FunDef.Result> results = new ArrayList<>();
    List<SubExp> values = new ArrayList<>();
    for (int k = 0; k < f.results().size(); k++) {
      FunDef.Result r = f.results().get(k);
      SubExp v = f.body().results().get(k);
      if (r.type() instanceof Type.Array a) {
        Name array = ensureDirect(b, ((SubExp.Var) v).name());
        Name mem = names.fresh("result_mem");
        results.add(new FunDef.Result(mem, blockType(a), false));
        results.add(new FunDef.Result(r.name(), direct(a, mem), r.unique()));
        values.add(SubExp.of(place(array).block()));
        values.add(SubExp.of(array));
      } else {
        results.add(r);
        values.add(v);
      }
    }
    return new FunDef(
        f.name(), f.attrs(), params, results, b.body(values), f.entry(), names.next(), f.loc());
  }

  // Places

  private ArrayMem place(Name array) {
    if (types.get(array) instanceof Type.Array a && a.mem() != null) return a.mem();
    throw new IllegalStateException("no memory is known for " + array);
  }

  private static Type blockType(Type.Array a) {
    return new Type.Mem(new Space.Elements(a.elem()));
  }

  /** The type of an array that is row-major from offset 0 of a block. */
  private static Type direct(Type.Array a, Name block) {
    return a.withMem(new ArrayMem(block, Lmad.rowMajor(a.shape())));
  }

  private static Poly elements(List<SubExp> shape) {
    Poly n = Poly.ONE;
    for (SubExp d : shape) n = n.times(Poly.of(d));
    return n;
  }

  private Name alloc(Builder b, Type.Array a) {
    SubExp size = b.poly("size", elements(a.shape()));
    Type t = blockType(a);
    Name mem = names.fresh("mem");
    b.add(Stm.of(mem, t, new MemOp.Alloc(size, new Space.Elements(a.elem()))));
    types.put(mem, t);
    return mem;
  }

  /** The array, or a copy, row-major from offset 0. */
  private Name ensureDirect(Builder b, Name array) {
    return place(array).lmad().isDirect() ? array : copy(b, array);
  }

  private Name copy(Builder b, Name array) {
    Type.Array a = (Type.Array) Objects.requireNonNull(types.get(array));
    Name mem = alloc(b, a);
    Name copy = names.fresh(array);
    Type t = direct(a, mem);
    List<Integer> perm = new ArrayList<>();
    for (int i = 0; i < a.shape().size(); i++) perm.add(i);
    b.add(Stm.of(copy, t, new BasicOp.Manifest(array, perm)));
    types.put(copy, t);
    return copy;
  }

  // Statements

  private List<Stm> stms(List<Stm> stms, List<SubExp> results) {
    wantedByUpdate.putAll(destinations.updates(stms, results));
    Builder b = new Builder(names);
    for (Stm s : stms) stm(b, checked(s));
    return b.stms();
  }

  /** What is made in the place of an update needs what the update does. */
  private Stm checked(Stm s) {
    Aux aux = s.aux();
    for (Name n : s.names()) {
      Stm update = wantedByUpdate.get(n);
      if (update != null) aux = aux.plusCerts(update.aux().certs());
    }
    return aux == s.aux() ? s : new Stm(s.pat(), aux, s.exp());
  }

  private void stm(Builder b, Stm s) {
    switch (s.exp()) {
      case BasicOp op -> basicOp(b, s, op);
      case Exp.Apply a -> apply(b, s, a);
      case Exp.Match m -> match(b, s, m);
      case Exp.Loop l -> loop(b, s, l);
      case Exp.WithAcc w -> withAcc(b, s, w);
      case SegExp.ParOp p -> parOp(b, s, p);
      case SegExp.Seg p -> throw illegal(s);
      case Soac soac -> throw illegal(s);
      case HostOp op -> throw illegal(s);
      case MemOp op -> throw illegal(s);
    }
  }

  private static IllegalStateException illegal(Stm s) {
    return new IllegalStateException(
        s.exp().getClass().getSimpleName() + " is not of a representation that gets memory here");
  }

  /** Adds a statement; the pattern's types are final. */
  private void add(Builder b, List<PatElem> pat, Aux aux, Exp e) {
    for (PatElem p : pat) types.put(p.name(), p.type());
    b.add(new Stm(pat, aux, e));
  }

  private void addAt(Builder b, Stm s, Exp e, ArrayMem mem) {
    PatElem p = s.pat().get(0);
    add(b, List.of(new PatElem(p.name(), p.type().withMem(mem))), s.aux(), e);
  }

  /** A new array: in the block that somebody wants it in, else in one of its own. */
  private void addFresh(Builder b, Stm s, Exp e, @Nullable List<Integer> perm) {
    PatElem p = s.pat().get(0);
    Type.Array a = (Type.Array) p.type();
    ArrayMem there = wantedPlace(p.name());
    if (there != null) {
      addAt(b, s, e, there);
      return;
    }
    Name block = alloc(b, a);
    Lmad lmad = Lmad.rowMajor(a.shape());
    if (perm != null) {
      List<SubExp> shape = perm.stream().map(a.shape()::get).toList();
      List<Integer> inverse = new ArrayList<>(perm);
      for (int i = 0; i < perm.size(); i++) inverse.set(perm.get(i), i);
      lmad = Lmad.rowMajor(shape).permute(inverse);
    }
    addAt(b, s, e, new ArrayMem(block, lmad));
  }

  /** Where a new array should be made, because it is going to be copied there; null if anywhere. */
  private @Nullable ArrayMem wantedPlace(Name array) {
    ArrayMem there = wanted.get(array);
    if (there != null) return there;
    Stm s = wantedByUpdate.get(array);
    if (s == null || !(s.exp() instanceof BasicOp.Update u)) return null;
    ArrayMem target = place(u.array());
    return new ArrayMem(target.block(), target.lmad().slice(u.slice()));
  }

  private void basicOp(Builder b, Stm s, BasicOp op) {
    if (op instanceof BasicOp.UpdateAcc x) {
      updateAcc(b, s, x);
      return;
    }
    if (!(s.pat().get(0).type() instanceof Type.Array a)) {
      add(b, s.pat(), s.aux(), op);
      return;
    }
    switch (op) {
      case BasicOp.SubExpOp x -> addAt(b, s, op, place(((SubExp.Var) x.value()).name()));
      case BasicOp.Opaque x -> addAt(b, s, op, place(((SubExp.Var) x.value()).name()));
      case BasicOp.Index x ->
          addAt(b, s, op, at(x.array(), place(x.array()).lmad().slice(x.slice())));
      case BasicOp.FlatIndex x ->
          addAt(b, s, op, at(x.array(), place(x.array()).lmad().flatSlice(x.slice())));
      case BasicOp.Update x -> addAt(b, s, op, place(x.array()));
      case BasicOp.FlatUpdate x -> addAt(b, s, op, place(x.array()));
      case BasicOp.Rearrange x ->
          addAt(b, s, op, at(x.array(), place(x.array()).lmad().permute(x.perm())));
      case BasicOp.Reshape x -> {
        Lmad l = Reshaping.reshape(place(x.array()).lmad(), x);
        if (l != null) {
          addAt(b, s, op, at(x.array(), l));
        } else {
          Name copy = copy(b, x.array());
          addAt(
              b,
              s,
              new BasicOp.Reshape(x.coerce(), copy, x.shape()),
              at(copy, Lmad.rowMajor(a.shape())));
        }
      }
      case BasicOp.Manifest x -> addFresh(b, s, op, x.perm());
      case BasicOp.ArrayVal x -> addFresh(b, s, op, null);
      case BasicOp.ArrayLit x -> addFresh(b, s, op, null);
      case BasicOp.Concat x -> addFresh(b, s, op, null);
      case BasicOp.Iota x -> addFresh(b, s, op, null);
      case BasicOp.Replicate x -> addFresh(b, s, op, null);
      case BasicOp.Scratch x -> addFresh(b, s, op, null);
      case BasicOp.BinOpExp x -> throw illegal(s);
      case BasicOp.UnOpExp x -> throw illegal(s);
      case BasicOp.CmpOpExp x -> throw illegal(s);
      case BasicOp.ConvOpExp x -> throw illegal(s);
      case BasicOp.PrimFunExp x -> throw illegal(s);
      case BasicOp.Assert x -> throw illegal(s);
      case BasicOp.UpdateAcc x -> throw illegal(s);
      case BasicOp.UserParam x -> throw illegal(s);
    }
  }

  private ArrayMem at(Name array, Lmad lmad) {
    return new ArrayMem(place(array).block(), lmad);
  }

  private void apply(Builder b, Stm s, Exp.Apply a) {
    List<SubExp> args = new ArrayList<>();
    List<Boolean> consumed = new ArrayList<>();
    for (int k = 0; k < a.args().size(); k++) {
      SubExp arg = a.args().get(k);
      if (arg instanceof SubExp.Var v && types.get(v.name()) instanceof Type.Array) {
        Name array = ensureDirect(b, v.name());
        args.add(SubExp.of(place(array).block()));
        consumed.add(false);
        args.add(SubExp.of(array));
      } else {
        args.add(arg);
      }
      consumed.add(a.consumed().get(k));
    }
    List<PatElem> pat = new ArrayList<>();
    for (PatElem p : s.pat()) {
      if (p.type() instanceof Type.Array t) {
        PatElem mem = new PatElem(names.fresh("mem"), blockType(t));
        pat.add(mem);
        pat.add(new PatElem(p.name(), direct(t, mem.name())));
      } else {
        pat.add(p);
      }
    }
    add(b, pat, s.aux(), new Exp.Apply(a.function(), args, consumed));
  }

  // Branches

  private void match(Builder b, Stm s, Exp.Match m) {
    List<Builder> branches = new ArrayList<>();
    List<List<SubExp>> results = new ArrayList<>();
    for (int k = 0; k < s.pat().size(); k++) {
      ArrayMem there = wantedPlace(s.pat().get(k).name());
      if (there == null) continue;
      for (Exp.Case c : m.cases()) want(c.body().stms(), c.body().results().get(k), there);
      want(m.otherwise().stms(), m.otherwise().results().get(k), there);
    }
    for (Exp.Case c : m.cases()) {
      Builder branch = new Builder(names);
      branch.addAll(stms(c.body().stms(), c.body().results()));
      branches.add(branch);
      results.add(c.body().results());
    }
    Builder otherwise = new Builder(names);
    otherwise.addAll(stms(m.otherwise().stms(), m.otherwise().results()));
    branches.add(otherwise);
    results.add(m.otherwise().results());
    List<Set<Name>> bound = new ArrayList<>();
    for (Builder br : branches) {
      Set<Name> names = new HashSet<>();
      for (Stm st : br.stms()) names.addAll(st.names());
      bound.add(names);
    }

    List<PatElem> pat = new ArrayList<>();
    List<List<SubExp>> values = new ArrayList<>();
    for (int i = 0; i < branches.size(); i++) values.add(new ArrayList<>());
    for (int k = 0; k < s.pat().size(); k++) {
      PatElem p = s.pat().get(k);
      if (!(p.type() instanceof Type.Array t)) {
        pat.add(p);
        for (int i = 0; i < branches.size(); i++) values.get(i).add(results.get(i).get(k));
        continue;
      }
      ArrayMem common = commonPlace(results, bound, k);
      if (common != null) {
        pat.add(new PatElem(p.name(), t.withMem(common)));
        for (int i = 0; i < branches.size(); i++) values.get(i).add(results.get(i).get(k));
        continue;
      }
      boolean offsets = false;
      for (List<SubExp> r : results) {
        Lmad l = place(((SubExp.Var) r.get(k)).name()).lmad();
        offsets |= l.isContiguous() && !l.offset().isZero();
      }
      PatElem mem = new PatElem(names.fresh("mem"), blockType(t));
      pat.add(mem);
      Poly offset = Poly.ZERO;
      if (offsets) {
        PatElem o = new PatElem(names.fresh("offset"), Type.I64);
        pat.add(o);
        offset = Poly.of(o.name());
      }
      pat.add(
          new PatElem(
              p.name(), t.withMem(new ArrayMem(mem.name(), Lmad.rowMajor(offset, t.shape())))));
      for (int i = 0; i < branches.size(); i++) {
        Builder branch = branches.get(i);
        Name array = ((SubExp.Var) results.get(i).get(k)).name();
        Lmad l = place(array).lmad();
        if (!(offsets ? l.isContiguous() : l.isDirect())) array = copy(branch, array);
        values.get(i).add(SubExp.of(place(array).block()));
        if (offsets) values.get(i).add(branch.poly("offset", place(array).lmad().offset()));
        values.get(i).add(SubExp.of(array));
      }
    }
    List<Exp.Case> cases = new ArrayList<>();
    for (int i = 0; i < m.cases().size(); i++) {
      cases.add(new Exp.Case(m.cases().get(i).pattern(), branches.get(i).body(values.get(i))));
    }
    add(
        b,
        pat,
        s.aux(),
        new Exp.Match(m.scrutinees(), cases, otherwise.body(values.get(values.size() - 1))));
  }

  /**
   * The place of a result that all branches agree on and that is known outside; sizes are named as
   * in the pattern.
   */
  private @Nullable ArrayMem commonPlace(List<List<SubExp>> results, List<Set<Name>> bound, int k) {
    ArrayMem common = null;
    for (int i = 0; i < results.size(); i++) {
      ArrayMem m = place(((SubExp.Var) results.get(i).get(k)).name());
      if (common == null) common = m;
      else if (!common.equals(m)) return null;
      for (Name n : Places.namesIn(m)) if (bound.get(i).contains(n)) return null;
    }
    return common;
  }

  // Loops

  private void loop(Builder b, Stm s, Exp.Loop l) {
    List<Exp.LoopParam> params = new ArrayList<>();
    List<PatElem> pat = new ArrayList<>();
    List<Boolean> moves = new ArrayList<>();
    for (int k = 0; k < l.params().size(); k++) {
      Exp.LoopParam lp = l.params().get(k);
      Param p = lp.param();
      PatElem result = s.pat().get(k);
      if (!(p.type() instanceof Type.Array t)) {
        params.add(lp);
        pat.add(result);
        moves.add(false);
        types.put(p.name(), p.type());
        continue;
      }
      Name init = ((SubExp.Var) lp.init()).name();
      if (roots.inPlace(l, k)) {
        ArrayMem mem = place(init);
        params.add(new Exp.LoopParam(new Param(p.name(), t.withMem(mem), p.unique()), lp.init()));
        pat.add(new PatElem(result.name(), result.type().withMem(mem)));
        moves.add(false);
        types.put(p.name(), t.withMem(mem));
        continue;
      }
      Name array = ensureDirect(b, init);
      Param mem = new Param(names.fresh("mem_param"), blockType(t));
      params.add(new Exp.LoopParam(mem, SubExp.of(place(array).block())));
      params.add(
          new Exp.LoopParam(
              new Param(p.name(), direct(t, mem.name()), p.unique()), SubExp.of(array)));
      types.put(mem.name(), mem.type());
      types.put(p.name(), direct(t, mem.name()));
      PatElem memResult = new PatElem(names.fresh("mem"), blockType(t));
      pat.add(memResult);
      pat.add(new PatElem(result.name(), direct((Type.Array) result.type(), memResult.name())));
      moves.add(true);
    }
    if (l.form() instanceof Exp.Form.For f) types.put(f.index(), Type.prim(f.type()));
    Builder body = new Builder(names);
    body.addAll(stms(l.body().stms(), l.body().results()));
    List<SubExp> results = new ArrayList<>();
    for (int k = 0; k < l.params().size(); k++) {
      SubExp r = l.body().results().get(k);
      if (moves.get(k)) {
        Name array = ensureDirect(body, ((SubExp.Var) r).name());
        results.add(SubExp.of(place(array).block()));
        results.add(SubExp.of(array));
      } else {
        results.add(r);
      }
    }
    add(b, pat, s.aux(), new Exp.Loop(params, l.form(), body.body(results)));
  }

  // Accumulators

  private void withAcc(Builder b, Stm s, Exp.WithAcc w) {
    List<Exp.AccInput> inputs = new ArrayList<>();
    List<PatElem> pat = new ArrayList<>();
    for (Exp.AccInput in : w.inputs()) {
      Exp.AccOp op = in.op();
      if (op != null) {
        withOperator.add(w.lambda().params().get(inputs.size()).name());
        op = new Exp.AccOp(operator(op.lambda(), in), op.neutral());
      }
      inputs.add(new Exp.AccInput(in.space(), in.arrays(), op));
      for (Name a : in.arrays()) {
        PatElem p = s.pat().get(pat.size());
        pat.add(new PatElem(p.name(), p.type().withMem(place(a))));
      }
    }
    int arrays = pat.size();
    int accs = w.inputs().size();
    for (Param p : w.lambda().params()) types.put(p.name(), p.type());
    Builder body = new Builder(names);
    body.addAll(stms(w.lambda().body().stms(), w.lambda().body().results()));
    List<SubExp> results = new ArrayList<>(w.lambda().body().results().subList(0, accs));
    List<Type> resultTypes = new ArrayList<>(w.lambda().results().subList(0, accs));
    for (int k = accs; k < w.lambda().results().size(); k++) {
      SubExp r = w.lambda().body().results().get(k);
      PatElem p = s.pat().get(arrays + k - accs);
      if (p.type() instanceof Type.Array t) {
        Name array = ensureDirect(body, ((SubExp.Var) r).name());
        PatElem mem = new PatElem(names.fresh("mem"), blockType(t));
        pat.add(mem);
        pat.add(new PatElem(p.name(), direct(t, mem.name())));
        results.add(SubExp.of(place(array).block()));
        results.add(SubExp.of(array));
        resultTypes.add(blockType(t));
      } else {
        pat.add(p);
        results.add(r);
      }
      resultTypes.add(w.lambda().results().get(k));
    }
    Lambda lambda = new Lambda(w.lambda().params(), body.body(results), resultTypes);
    add(b, pat, s.aux(), new Exp.WithAcc(inputs, lambda));
  }

  /** The operator of an accumulator: old values are in its arrays, new ones in any block. */
  private Lambda operator(Lambda l, Exp.AccInput in) {
    int rank = in.space().size();
    int n = in.arrays().size();
    List<SubExp> index = new ArrayList<>();
    List<Param> params = new ArrayList<>();
    for (int i = 0; i < l.params().size(); i++) {
      Param p = l.params().get(i);
      if (i < rank) index.add(SubExp.of(p.name()));
      if (!(p.type() instanceof Type.Array t)) {
        params.add(p);
      } else if (i < rank + n) {
        Name array = in.arrays().get(i - rank);
        Slice row = Slice.fix(index, Objects.requireNonNull(types.get(array)).dims());
        ArrayMem there = at(array, place(array).lmad().slice(row));
        params.add(new Param(p.name(), t.withMem(there), p.unique()));
      } else {
        Param mem = new Param(names.fresh(p.name().base() + "_mem"), blockType(t));
        params.add(mem);
        params.add(new Param(p.name(), direct(t, mem.name()), p.unique()));
      }
    }
    for (Param p : params) types.put(p.name(), p.type());
    Body body = new Body(stms(l.body().stms(), l.body().results()), l.body().results());
    return new Lambda(params, body, l.results());
  }

  /** An update; arrays that an operator works on are row-major from the start of their block. */
  private void updateAcc(Builder b, Stm s, BasicOp.UpdateAcc x) {
    Type.Acc acc = (Type.Acc) s.pat().get(0).type();
    List<SubExp> values = new ArrayList<>();
    for (SubExp v : x.values()) {
      boolean array = v instanceof SubExp.Var n && types.get(n.name()) instanceof Type.Array;
      values.add(
          array && withOperator.contains(acc.token())
              ? SubExp.of(ensureDirect(b, ((SubExp.Var) v).name()))
              : v);
    }
    add(b, s.pat(), s.aux(), new BasicOp.UpdateAcc(x.acc(), x.index(), values));
  }

  /** An operator on scalars; arrays that it makes inside get memory there. */
  private Lambda scalarLambda(Lambda l, Stm s) {
    for (Param p : l.params()) {
      if (p.type() instanceof Type.Array) {
        throw new PassException(
            s.aux().loc(),
            "the operator of a parallel operation works on arrays, which is not possible here");
      }
      types.put(p.name(), p.type());
    }
    return new Lambda(
        l.params(),
        new Body(stms(l.body().stms(), l.body().results()), l.body().results()),
        l.results());
  }

  // Parallel operations

  private void parOp(Builder b, Stm s, SegExp.ParOp par) {
    List<PatElem> pat = new ArrayList<>();
    if (par.op() instanceof SegOp.SegHist h) {
      for (SegOp.SegHistOp o : h.ops()) {
        for (Name d : o.dests()) {
          PatElem p = s.pat().get(pat.size());
          pat.add(new PatElem(p.name(), p.type().withMem(place(d))));
        }
      }
    } else {
      for (PatElem p : s.pat()) {
        if (p.type() instanceof Type.Array a) {
          ArrayMem there = wantedPlace(p.name());
          pat.add(new PatElem(p.name(), there != null ? a.withMem(there) : direct(a, alloc(b, a))));
        } else {
          pat.add(p);
        }
      }
    }
    SegOp op = segOp(s, par.op(), pat);
    Body nested = par.nested() == null ? null : nested(par.nested(), pat);
    add(b, pat, s.aux(), new SegExp.ParOp(op, nested));
  }

  /**
   * The nested version makes its results where the pattern says if it can, else they are copied
   * there.
   */
  private Body nested(Body nested, List<PatElem> pat) {
    for (int k = 0; k < pat.size(); k++) {
      if (pat.get(k).type() instanceof Type.Array a && a.mem() != null) {
        want(nested.stms(), nested.results().get(k), a.mem());
      }
    }
    return new Body(stms(nested.stms(), nested.results()), nested.results());
  }

  /** Says where a result of a statement list should be made, if it is new there. */
  private void want(List<Stm> stms, SubExp result, ArrayMem there) {
    Name fresh = destinations.freshResult(stms, result);
    if (fresh != null) wanted.put(fresh, there);
  }

  private SegOp segOp(Stm s, SegOp op, List<PatElem> pat) {
    for (var d : op.space().dims()) types.put(d.index(), Type.I64);
    types.put(op.space().flat(), Type.I64);
    List<SubExp> results = op.body().results().stream().map(SegResult::value).toList();
    if (op instanceof SegOp.SegMap) wantRows(op, results, pat);
    SegBody body = new SegBody(stms(op.body().stms(), results), op.body().results());
    return switch (op) {
      case SegOp.SegMap m -> new SegOp.SegMap(m.level(), m.space(), m.types(), body);
      case SegOp.SegRed r ->
          new SegOp.SegRed(r.level(), r.space(), segBinOps(r.ops(), s), r.types(), body);
      case SegOp.SegScan r ->
          new SegOp.SegScan(
              r.level(),
              r.space(),
              segBinOps(r.ops(), s),
              r.types(),
              body,
              scalarLambda(r.post(), s));
      case SegOp.SegHist h -> {
        List<SegOp.SegHistOp> ops = new ArrayList<>();
        for (SegOp.SegHistOp o : h.ops()) {
          ops.add(
              new SegOp.SegHistOp(
                  o.shape(),
                  o.raceFactor(),
                  o.dests(),
                  o.neutral(),
                  o.opShape(),
                  scalarLambda(o.op(), s)));
        }
        yield new SegOp.SegHist(h.level(), h.space(), ops, h.types(), body);
      }
    };
  }

  /** Arrays that a map makes at each index are made in their part of the result. */
  private void wantRows(SegOp op, List<SubExp> results, List<PatElem> pat) {
    List<SubExp> index = op.space().dims().stream().map(d -> SubExp.of(d.index())).toList();
    Set<Name> seen = new HashSet<>();
    for (int k = 0; k < results.size(); k++) {
      if (op.types().get(k).rank() == 0 || !(results.get(k) instanceof SubExp.Var v)) continue;
      if (!(op.body().results().get(k) instanceof SegResult.Returns)
          || !seen.add(roots.of(v.name()))) continue;
      Type.Array whole = (Type.Array) pat.get(k).type();
      ArrayMem mem = place(whole);
      want(
          op.body().stms(),
          results.get(k),
          new ArrayMem(mem.block(), mem.lmad().slice(Slice.fix(index, whole.shape()))));
    }
  }

  private static ArrayMem place(Type.Array a) {
    if (a.mem() == null) throw new IllegalStateException("an array type without memory");
    return a.mem();
  }

  private List<SegOp.SegBinOp> segBinOps(List<SegOp.SegBinOp> ops, Stm s) {
    List<SegOp.SegBinOp> out = new ArrayList<>();
    for (SegOp.SegBinOp o : ops) {
      out.add(new SegOp.SegBinOp(o.commutative(), scalarLambda(o.op(), s), o.neutral(), o.shape()));
    }
    return out;
  }
}
