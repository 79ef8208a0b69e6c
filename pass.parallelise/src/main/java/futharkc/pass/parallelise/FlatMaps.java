package futharkc.pass.parallelise;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Builder;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Lambda;
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
import futharkc.core.ir.soac.Scremas;
import java.util.ArrayList;
import java.util.List;

/**
 * Converts a {@code FlatMap} to a map that computes sizes, a scan that computes offsets, and a
 * scatter of the arrays.
 */
final class FlatMaps {
  private FlatMaps() {}

  static List<Stm> toScatter(Stm stm, Soac.FlatMap f, NameSource names, Scope scope) {
    Builder b = new Builder(names);
    b.with(stm.aux());
    SubExp w = f.width();
    Type sizesType = Type.array(Type.I64, w);
    PatElem total = stm.pat().get(0);
    PatElem offsets = stm.pat().get(1);

    Lambda sizeOnly = new Renamer(names).lambda(f.lambda());
    SubExp size = sizeOnly.body().results().get(0);
    Param left = new Param(names.fresh("a"), Type.I64);
    Param right = new Param(names.fresh("b"), Type.I64);
    Builder plus = new Builder(names);
    SubExp sum =
        plus.binOp(
            "sum", BinOp.Kind.ADD, PrimType.I64, SubExp.of(left.name()), SubExp.of(right.name()));
    Soac.Scan scan =
        new Soac.Scan(
            new Lambda(List.of(left, right), plus.body(List.of(sum)), List.of(Type.I64)),
            List.of(SubExp.i64(0)));
    Param upTo = new Param(names.fresh("up_to"), Type.I64);
    Param own = new Param(names.fresh("size"), Type.I64);
    Builder minus = new Builder(names);
    SubExp start =
        minus.binOp(
            "offset", BinOp.Kind.SUB, PrimType.I64, SubExp.of(upTo.name()), SubExp.of(own.name()));
    Lambda post =
        new Lambda(
            List.of(upTo, own),
            minus.body(List.of(start, SubExp.of(upTo.name()))),
            List.of(Type.I64, Type.I64));
    PatElem ends = new PatElem(names.fresh("ends"), sizesType);
    Lambda twice =
        new Lambda(
            sizeOnly.params(),
            new Body(sizeOnly.body().stms(), List.of(size, size)),
            List.of(Type.I64, Type.I64));
    b.let(
        List.of(offsets, ends),
        new Soac.Screma(w, f.inputs(), twice, List.of(scan), List.of(), post));

    SubExp some = b.cmp("some", CmpOp.Kind.SLT, PrimType.I64, SubExp.i64(0), w);
    Builder last = new Builder(names);
    SubExp end = last.binOp("last", BinOp.Kind.SUB, PrimType.I64, w, SubExp.i64(1));
    Name lastEnd =
        last.let(
            "total",
            Type.I64,
            new BasicOp.Index(ends.name(), new Slice(List.of(new Slice.Fix(end)))));
    b.let(
        List.of(total),
        Exp.Match.conditional(
            some,
            last.body(List.of(SubExp.of(lastEnd))),
            new Body(List.of(), List.of(SubExp.i64(0)))));

    SubExp n = SubExp.of(total.name());
    List<PatElem> parts = stm.pat().subList(2, stm.pat().size());
    List<Exp.AccInput> inputs = new ArrayList<>();
    List<Param> tokens = new ArrayList<>();
    List<Param> accs = new ArrayList<>();
    List<Type> accTypes = new ArrayList<>();
    for (PatElem p : parts) {
      Name blank =
          b.let("blank", p.type(), new BasicOp.Scratch(p.type().elemPrim(), p.type().dims()));
      inputs.add(new Exp.AccInput(List.of(n), List.of(blank), null));
      Param token = new Param(names.fresh("token"), Type.UNIT);
      Type acc = new Type.Acc(token.name(), List.of(n), List.of(p.type().row()));
      tokens.add(token);
      accs.add(new Param(names.fresh("acc"), acc));
      accTypes.add(acc);
    }
    List<Param> inner = new ArrayList<>();
    for (Type t : accTypes) {
      inner.add(new Param(names.fresh("acc"), t));
    }
    Param offset = new Param(names.fresh("offset"), Type.I64);
    List<Param> params = new ArrayList<>(f.lambda().params());
    params.add(offset);
    params.addAll(inner);
    Builder body = new Builder(names);
    body.addAll(f.lambda().body().stms());
    List<SubExp> results = f.lambda().body().results();
    List<Exp.LoopParam> carried = new ArrayList<>();
    for (Param p : inner) {
      carried.add(new Exp.LoopParam(new Param(names.fresh("acc"), p.type()), SubExp.of(p.name())));
    }
    Name j = names.fresh("j");
    Builder write = new Builder(names);
    SubExp at =
        write.binOp("at", BinOp.Kind.ADD, PrimType.I64, SubExp.of(offset.name()), SubExp.of(j));
    List<SubExp> written = new ArrayList<>();
    for (int k = 0; k < parts.size(); k++) {
      Name part = ((SubExp.Var) results.get(k + 1)).name();
      Type row = parts.get(k).type().row();
      List<SubExp> shape = new ArrayList<>();
      shape.add(results.get(0));
      shape.addAll(row.dims());
      Name value =
          write.let("value", row, new BasicOp.Index(part, Slice.fix(List.of(SubExp.of(j)), shape)));
      written.add(
          write.letExp(
              "acc",
              accTypes.get(k),
              new BasicOp.UpdateAcc(
                  carried.get(k).param().name(), List.of(at), List.of(SubExp.of(value)))));
    }
    List<PatElem> updated = new ArrayList<>();
    for (Type t : accTypes) {
      updated.add(new PatElem(names.fresh("acc"), t));
    }
    body.let(
        updated,
        new Exp.Loop(
            carried, new Exp.Form.For(j, PrimType.I64, results.get(0)), write.body(written)));
    List<Name> mapInputs = new ArrayList<>(f.inputs());
    mapInputs.add(offsets.name());
    for (Param a : accs) {
      mapInputs.add(a.name());
    }
    Lambda fill =
        new Lambda(
            params, body.body(updated.stream().map(p -> SubExp.of(p.name())).toList()), accTypes);
    Builder with = new Builder(names);
    List<PatElem> filled = new ArrayList<>();
    for (Type t : accTypes) {
      filled.add(new PatElem(names.fresh("acc"), t));
    }
    with.let(
        filled,
        new Soac.Screma(
            w, mapInputs, fill, List.of(), List.of(), Scremas.identity(accTypes, names)));
    List<Param> lambdaParams = new ArrayList<>(tokens);
    lambdaParams.addAll(accs);
    b.let(
        parts,
        new Exp.WithAcc(
            inputs,
            new Lambda(
                lambdaParams,
                with.body(filled.stream().map(p -> SubExp.of(p.name())).toList()),
                accTypes)));
    return b.stms();
  }
}
