package futharkc.core.language.lower;

import futharkc.core.ir.BinOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.Exp.Case;
import futharkc.core.ir.Exp.Match;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Param;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.PrimValue;
import futharkc.core.ir.Soac;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.List;

/** The lowering of equality on values of any type. */
final class Equality {
  private final Elaborator el;
  private final Emit emit;

  Equality(Elaborator el) {
    this.el = el;
    this.emit = el.emit;
  }

  SubExp equal(LoweredValue a, LoweredValue b) {
    if (a instanceof LoweredValue.Rec r) {
      SubExp all = SubExp.TRUE;
      for (var e : r.fields().entrySet()) {
        all = emit.and(all, equal(e.getValue(), b.field(e.getKey())));
      }
      return all;
    }
    LoweredValue.Data x = (LoweredValue.Data) a;
    LoweredValue.Data y = (LoweredValue.Data) b;
    return switch (x.type()) {
      case Ty.Prim p -> emit.cmp(CmpOp.Kind.EQ, Ty.ir(p.type()), x.scalar(), y.scalar());
      case Ty.Array t -> arrays(x, t, y, (Ty.Array) y.type());
      case Ty.Sum s -> sums(x, s, y);
      case Ty.Record r -> throw new IllegalStateException("record as plain data");
      case Ty.Acc t -> throw new IllegalStateException("equality of accumulators");
      case Ty.Fun t -> throw new IllegalStateException("equality of functions");
    };
  }

  /** Compares two arrays: their shapes, then their elements. */
  private SubExp arrays(LoweredValue.Data x, Ty.Array xt, LoweredValue.Data y, Ty.Array yt) {
    SubExp[] sameShape = {SubExp.TRUE};
    xt.zipSizes(yt, (m, n) -> sameShape[0] = emit.and(sameShape[0], emit.eq(m, n)));
    if (sameShape[0].equals(SubExp.TRUE)) {
      return elements(x, y, xt);
    }
    Body then =
        emit.body(
            () -> {
              xt.zipSizes(yt, emit::assumeEqual);
              return List.of(elements(x, (LoweredValue.Data) el.types.coerce(y, xt), xt));
            });
    return emit.let(
        "equal",
        Type.BOOL,
        Match.conditional(sameShape[0], then, new Body(List.of(), List.of(SubExp.FALSE))));
  }

  private SubExp elements(LoweredValue.Data x, LoweredValue.Data y, Ty.Array t) {
    List<Param> params = new ArrayList<>();
    List<SubExp> left = params(t.elem(), params);
    List<SubExp> right = params(t.elem(), params);
    Body body =
        emit.lambdaBody(
            () ->
                List.of(equal(LoweredValue.of(t.elem(), left), LoweredValue.of(t.elem(), right))));
    List<futharkc.core.ir.Name> inputs = new ArrayList<>();
    for (SubExp e : x.leaves()) {
      inputs.add(Types.name(e));
    }
    for (SubExp e : y.leaves()) {
      inputs.add(Types.name(e));
    }
    var p = emit.fresh("x");
    var q = emit.fresh("y");
    Lambda and =
        new Lambda(
            List.of(new Param(p, Type.BOOL), new Param(q, Type.BOOL)),
            emit.lambdaBody(
                () ->
                    List.of(
                        emit.binOp(
                            "and", BinOp.Kind.LOG_AND, PrimType.BOOL, SubExp.of(p), SubExp.of(q)))),
            List.of(Type.BOOL));
    return emit.let(
        "equal",
        Type.BOOL,
        new Soac.Screma(
            t.size(),
            inputs,
            new Lambda(params, body, List.of(Type.BOOL)),
            List.of(),
            List.of(new Soac.Reduce(true, and, List.of(SubExp.TRUE))),
            Soacs.noPost()));
  }

  private List<SubExp> params(Ty elem, List<Param> out) {
    List<SubExp> leaves = new ArrayList<>();
    for (Type t : elem.leaves()) {
      var n = emit.fresh("elem");
      out.add(new Param(n, t));
      leaves.add(SubExp.of(n));
    }
    return leaves;
  }

  /** Compares two sums: their tags, then the payloads of that variant. */
  private SubExp sums(LoweredValue.Data x, Ty.Sum t, LoweredValue.Data y) {
    SubExp tag = x.leaves().get(0);
    SubExp sameTag = emit.cmp(CmpOp.Kind.EQ, PrimType.I8, tag, y.leaves().get(0));
    if (t.layout().slots().isEmpty() || sameTag.equals(SubExp.FALSE)) {
      return sameTag;
    }
    List<Case> cases = new ArrayList<>();
    for (var e : t.variants().entrySet()) {
      if (e.getValue().isEmpty()) {
        continue;
      }
      Body body =
          emit.body(
              () -> {
                List<LoweredValue> xs = PatternLowering.payload(x, e.getKey());
                List<LoweredValue> ys = PatternLowering.payload(y, e.getKey());
                SubExp all = SubExp.TRUE;
                for (int i = 0; i < xs.size(); i++) {
                  all = emit.and(all, equal(xs.get(i), ys.get(i)));
                }
                return List.of(all);
              });
      cases.add(new Case(List.of(PrimValue.ofInt(PrimType.I8, t.tag(e.getKey()))), body));
    }
    Body same =
        emit.body(
            () ->
                List.of(
                    emit.let(
                        "equal",
                        Type.BOOL,
                        new Match(
                            List.of(tag), cases, new Body(List.of(), List.of(SubExp.TRUE))))));
    return emit.let(
        "equal",
        Type.BOOL,
        Match.conditional(sameTag, same, new Body(List.of(), List.of(SubExp.FALSE))));
  }
}
