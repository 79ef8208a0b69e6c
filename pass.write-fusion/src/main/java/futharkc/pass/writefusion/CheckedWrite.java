package futharkc.pass.writefusion;

import futharkc.core.ir.Aux;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Builder;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Loc;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Renamer;
import futharkc.core.ir.Scope;
import futharkc.core.ir.Slice;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.analysis.Consumption;
import futharkc.core.ir.soac.Scremas;
import futharkc.core.ir.symbolic.Iterations;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A write followed by a check that every written value is in the array. */
final class CheckedWrite {
  private final Exp.WithAcc write;
  private final Soac.Screma map;
  private final NameSource names;
  private final Loc loc;

  /** The arrays after the write, for each accumulator without an operator. */
  private final Map<Name, List<Name>> written = new HashMap<>();

  /** The tokens of accumulators whose updates are proved not to conflict. */
  private final Set<Name> distinct = new HashSet<>();

  private CheckedWrite(Exp.WithAcc write, Soac.Screma map, NameSource names, Loc loc) {
    this.write = write;
    this.map = map;
    this.names = names;
    this.loc = loc;
  }

  /** Returns the statement, followed by its check if it is a write. */
  static List<Stm> of(
      Stm s, IndexProofs proofs, Scope scope, NameSource names, WriteFusionRemarks remarks) {
    if (!(s.exp() instanceof Exp.WithAcc w)) {
      return List.of(s);
    }
    if (w.inputs().stream().allMatch(in -> in.op() != null)) {
      return List.of(s);
    }
    Soac.Screma map = map(w, scope);
    if (map == null) {
      remarks.note(s, "writes not checked: no single map makes all of them");
      return List.of(s);
    }
    if (overwrites(map)) {
      remarks.note(s, "writes not checked: the map overwrites an array that it reads");
      return List.of(s);
    }
    var checked = new CheckedWrite(w, map, names, s.aux().loc());
    return checked.anyMayConflict(s, proofs, remarks) ? checked.checked(s, scope) : List.of(s);
  }

  /** Tests whether an accumulator lacks a proof that the indices of its updates are distinct. */
  private boolean anyMayConflict(Stm s, IndexProofs proofs, WriteFusionRemarks remarks) {
    Iterations iterations = proofs.iterations(map);
    boolean any = false;
    int array = 0;
    for (int i = 0; i < write.inputs().size(); i++) {
      Exp.AccInput in = write.inputs().get(i);
      Name token = write.lambda().params().get(i).name();
      String name = "[" + s.pat().get(array).name() + "]";
      array += in.arrays().size();
      if (in.op() != null) {
        continue;
      }
      List<BasicOp.UpdateAcc> updates = IndexProofs.direct(map, token);
      String why =
          updates.size() == 1 && IndexProofs.onlyDirect(map, token)
              ? proofs.repeated(updates.get(0), iterations)
              : "every iteration makes several writes";
      if (why == null) {
        distinct.add(token);
        remarks.applied(s, "writes of " + name + " not checked: their indices are distinct");
      } else {
        any = true;
        remarks.note(s, "writes of " + name + " checked: " + why);
      }
    }
    return any;
  }

  /**
   * Returns the only map with updates; null if there are others, or if the map uses values computed
   * in the accumulation.
   */
  private static Soac.@Nullable Screma map(Exp.WithAcc w, Scope scope) {
    List<Stm> stms = w.lambda().body().stms();
    Set<Name> inside = new HashSet<>();
    stms.forEach(s -> inside.addAll(s.names()));
    Soac.Screma found = null;
    for (Stm s : stms) {
      boolean updates = s.pat().stream().anyMatch(p -> p.type() instanceof Type.Acc);
      if (!updates) {
        continue;
      }
      if (found != null || !(s.exp() instanceof Soac.Screma x) || !x.isMap()) {
        return null;
      }
      found = x;
      for (Name n : FreeNames.of(x)) {
        if (inside.contains(n) && !(scope.type(n) instanceof Type.Acc)) {
          return null;
        }
      }
    }
    if (found == null || !onlyPasses(found.post())) {
      return null;
    }
    for (Stm s : found.map().body().stms()) {
      boolean updates = s.pat().stream().anyMatch(p -> p.type() instanceof Type.Acc);
      if (updates && !(s.exp() instanceof BasicOp.UpdateAcc)) {
        return null;
      }
    }
    return found;
  }

  /** Tests whether a map overwrites elements of its inputs, so that it cannot be executed again. */
  private static boolean overwrites(Soac.Screma map) {
    Set<Name> consumed = Consumption.of(map.map());
    return map.map().params().stream()
        .anyMatch(p -> !(p.type() instanceof Type.Acc) && consumed.contains(p.name()));
  }

  private static boolean onlyPasses(Lambda post) {
    return post.body().stms().isEmpty();
  }

  private List<Stm> checked(Stm s, Scope scope) {
    Builder b = new Builder(names);
    b.with(Aux.at(loc));
    List<PatElem> pat = new ArrayList<>(s.pat());
    List<PatElem> unchecked = new ArrayList<>();
    int k = 0;
    for (int i = 0; i < write.inputs().size(); i++) {
      List<Name> arrays = new ArrayList<>();
      for (int j = 0; j < write.inputs().get(i).arrays().size(); j++, k++) {
        PatElem p = pat.get(k);
        PatElem fresh = new PatElem(names.fresh(p.name()), p.type());
        scope.add(fresh.name(), fresh.type());
        pat.set(k, fresh);
        unchecked.add(p);
        arrays.add(fresh.name());
      }
      Name token = write.lambda().params().get(i).name();
      if (write.inputs().get(i).op() == null && !distinct.contains(token)) {
        written.put(write.lambda().params().get(i).name(), arrays);
      }
    }
    b.add(new Stm(pat, s.aux(), s.exp()));
    SubExp all = comparison(scope, s.aux(), b);
    SubExp cert =
        b.letExp(
            "cert",
            Type.UNIT,
            new BasicOp.Assert(
                all, List.of(new BasicOp.MsgPart.Text("Conflicting writes.")), List.of(loc)));
    Aux certified = Aux.at(loc).plusCerts(List.of(((SubExp.Var) cert).name()));
    for (int i = 0; i < unchecked.size(); i++) {
      SubExp array = SubExp.of(pat.get(i).name());
      b.add(new Stm(List.of(unchecked.get(i)), certified, new BasicOp.SubExpOp(array)));
    }
    return b.stms();
  }

  /**
   * Emits a loop that returns whether all written values are in the arrays, and stops at the first
   * that is not.
   */
  private SubExp comparison(Scope scope, Aux aux, Builder out) {
    Lambda copy = new Renamer(names).lambda(map.map());
    scope.addAll(copy.body());
    copy.params().forEach(p -> scope.add(p.name(), p.type()));
    List<Name> inputs = new ArrayList<>();
    List<Param> params = new ArrayList<>();
    for (int i = 0; i < map.inputs().size(); i++) {
      if (copy.params().get(i).type() instanceof Type.Acc) {
        continue;
      }
      inputs.add(map.inputs().get(i));
      params.add(copy.params().get(i));
    }
    Builder body = new Builder(names);
    SubExp ok = SubExp.TRUE;
    for (Stm s : copy.body().stms()) {
      if (!(s.exp() instanceof BasicOp.UpdateAcc u)) {
        body.add(s);
        continue;
      }
      body.with(Aux.at(loc).plusCerts(s.aux().certs()));
      Type.Acc acc = (Type.Acc) s.pat().get(0).type();
      List<Name> arrays = written.get(acc.token());
      if (arrays != null) {
        ok = both(ok, isThere(u, acc, arrays, scope, body), body);
      }
    }
    Lambda all = new Lambda(params, body.body(List.of(ok)), List.of(Type.BOOL));
    Name name = names.fresh("ok");
    out.add(
        new Stm(List.of(new PatElem(name, Type.BOOL)), aux, reduceAnd(map.width(), inputs, all)));
    return SubExp.of(name);
  }

  /** Returns whether the index is out of range, or the arrays contain the values at the index. */
  private SubExp isThere(
      BasicOp.UpdateAcc u, Type.Acc acc, List<Name> arrays, Scope scope, Builder out) {
    SubExp inside = SubExp.TRUE;
    for (int d = 0; d < acc.space().size(); d++) {
      SubExp i = u.index().get(d);
      SubExp low = out.cmp("inside", CmpOp.Kind.SLE, PrimType.I64, SubExp.i64(0), i);
      SubExp high = out.cmp("inside", CmpOp.Kind.SLT, PrimType.I64, i, acc.space().get(d));
      inside = both(inside, both(low, high, out), out);
    }
    Builder then = new Builder(names);
    then.with(out.aux());
    SubExp same = SubExp.TRUE;
    for (int k = 0; k < arrays.size(); k++) {
      Type elem = acc.elems().get(k);
      SubExp now =
          then.letExp(
              "now",
              elem,
              new BasicOp.Index(
                  arrays.get(k), Slice.fix(u.index(), scope.type(arrays.get(k)).dims())));
      same = both(same, equal(now, u.values().get(k), elem, then), then);
    }
    List<BasicOp.MsgPart> message = new ArrayList<>();
    message.add(new BasicOp.MsgPart.Text("Conflicting writes: different values for index ["));
    for (int d = 0; d < u.index().size(); d++) {
      if (d > 0) {
        message.add(new BasicOp.MsgPart.Text(", "));
      }
      message.add(new BasicOp.MsgPart.Value(u.index().get(d), PrimType.I64, false));
    }
    message.add(new BasicOp.MsgPart.Text("]."));
    SubExp cert = then.letExp("cert", Type.UNIT, new BasicOp.Assert(same, message, List.of(loc)));
    then.with(then.aux().plusCerts(List.of(((SubExp.Var) cert).name())));
    SubExp certified = then.letExp("same", Type.BOOL, new BasicOp.SubExpOp(same));
    Body otherwise = new Body(List.of(), List.of(SubExp.TRUE));
    return out.letExp(
        "same", Type.BOOL, Exp.Match.conditional(inside, then.body(List.of(certified)), otherwise));
  }

  private static SubExp both(SubExp a, SubExp b, Builder out) {
    return a.equals(SubExp.TRUE) ? b : out.binOp("ok", BinOp.Kind.LOG_AND, PrimType.BOOL, a, b);
  }

  /** Returns whether two values are equal, element by element. All NaNs are equal. */
  private SubExp equal(SubExp a, SubExp b, Type t, Builder out) {
    if (t instanceof Type.Prim p) {
      SubExp eq = out.cmp("equal", CmpOp.Kind.EQ, p.prim(), a, b);
      if (!p.prim().isFloat()) {
        return eq;
      }
      SubExp numberA = out.cmp("number", CmpOp.Kind.EQ, p.prim(), a, a);
      SubExp numberB = out.cmp("number", CmpOp.Kind.EQ, p.prim(), b, b);
      SubExp number = out.binOp("number", BinOp.Kind.LOG_OR, PrimType.BOOL, numberA, numberB);
      SubExp neither =
          out.letExp(
              "neither",
              Type.BOOL,
              new BasicOp.UnOpExp(
                  new futharkc.core.ir.UnOp(futharkc.core.ir.UnOp.Kind.NOT, PrimType.BOOL),
                  number));
      return out.binOp("equal", BinOp.Kind.LOG_OR, PrimType.BOOL, eq, neither);
    }
    List<Param> params = new ArrayList<>();
    params.add(new Param(names.fresh("x"), t.row()));
    params.add(new Param(names.fresh("y"), t.row()));
    Builder body = new Builder(names);
    body.with(Aux.at(loc));
    SubExp eq =
        equal(SubExp.of(params.get(0).name()), SubExp.of(params.get(1).name()), t.row(), body);
    Lambda each = new Lambda(params, body.body(List.of(eq)), List.of(Type.BOOL));
    List<Name> inputs =
        List.of(((SubExp.Var) a).name(), ((SubExp.Var) Objects.requireNonNull(b)).name());
    return out.letExp("equal", Type.BOOL, reduceAnd(t.outerSize(), inputs, each));
  }

  private Soac.Screma reduceAnd(SubExp width, List<Name> inputs, Lambda map) {
    Param a = new Param(names.fresh("a"), Type.BOOL);
    Param b = new Param(names.fresh("b"), Type.BOOL);
    Builder body = new Builder(names);
    SubExp and =
        body.binOp(
            "both", BinOp.Kind.LOG_AND, PrimType.BOOL, SubExp.of(a.name()), SubExp.of(b.name()));
    Lambda op = new Lambda(List.of(a, b), body.body(List.of(and)), List.of(Type.BOOL));
    Soac.Reduce reduce = new Soac.Reduce(true, op, List.of(SubExp.TRUE));
    return new Soac.Screma(
        width, inputs, map, List.of(), List.of(reduce), Scremas.identity(List.of(), names));
  }
}
