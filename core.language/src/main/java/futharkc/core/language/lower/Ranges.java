package futharkc.core.language.lower;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BasicOp.MsgPart;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.language.syntax.Exp.RangeKind;
import futharkc.core.language.typed.Exp;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The lowering of ranges: the number of elements and the check of the bounds. */
final class Ranges {
  private static final SubExp ZERO = SubExp.i64(0);
  private static final SubExp ONE = SubExp.i64(1);

  private final Elaborator el;
  private final Emit emit;

  Ranges(Elaborator el) {
    this.el = el;
    this.emit = el.emit;
  }

  LoweredValue range(Exp.Range r, Frame f) {
    LoweredValue first = el.eval(r.start(), f);
    LoweredValue second = r.second() == null ? null : el.eval(r.second(), f);
    LoweredValue last = el.eval(r.end(), f);
    emit.at(r.loc());
    Ty.Prim prim = (Ty.Prim) ((LoweredValue.Data) first).type();
    PrimType type = Ty.ir(prim.type());
    SubExp start = first.scalar();
    SubExp from = el.scalars.toI64(prim.type(), start);
    SubExp to = el.scalars.toI64(prim.type(), last.scalar());

    SubExp step =
        second != null
            ? emit.binOp("step", BinOp.Kind.SUB, type, second.scalar(), start)
            : emit.prim(type, r.kind() == RangeKind.DOWN_TO ? -1 : 1);
    SubExp wideStep =
        second != null
            ? emit.sub(el.scalars.toI64(prim.type(), second.scalar()), from)
            : SubExp.i64(r.kind() == RangeKind.DOWN_TO ? -1 : 1);
    SubExp ok = emit.safe() ? valid(r.kind(), from, to, wideStep) : SubExp.TRUE;
    var certs =
        emit.check(
            ok,
            () ->
                message(
                    r.kind(), prim, start, second == null ? null : second.scalar(), last.scalar()));
    SubExp count = count(r.kind(), from, to, wideStep, certs);
    emit.assumeNonNegative(count);
    SubExp array =
        SubExp.of(
            emit.let(
                "range",
                Type.array(Type.prim(type), count),
                new BasicOp.Iota(count, start, step, type),
                certs));
    LoweredValue v = LoweredValue.array(count, prim, List.of(array));
    el.bindResult(r.type(), r.sizes(), v, f);
    return v;
  }

  private SubExp valid(RangeKind kind, SubExp from, SubExp to, SubExp step) {
    SubExp up = emit.lt(ZERO, step);
    SubExp down = emit.lt(step, ZERO);
    return switch (kind) {
      case UP_TO -> emit.and(up, emit.le(from, to));
      case DOWN_TO -> emit.and(down, emit.le(to, from));
      case INCLUSIVE -> emit.or(emit.and(up, emit.le(from, to)), emit.and(down, emit.le(to, from)));
    };
  }

  private SubExp count(
      RangeKind kind, SubExp from, SubExp to, SubExp step, List<futharkc.core.ir.Name> certs) {
    SubExp distance = emit.sub(to, from);
    if (kind == RangeKind.INCLUSIVE) {
      if (step.isInt(1)) {
        return emit.add(distance, ONE);
      }
      return emit.add(
          emit.binOp("count", BinOp.Kind.SDIV, PrimType.I64, distance, step, certs), ONE);
    }
    if (step.isInt(1)) {
      return distance;
    }
    if (step.isInt(-1)) {
      return emit.sub(from, to);
    }
    return emit.binOp("count", BinOp.Kind.SDIV_UP, PrimType.I64, distance, step, certs);
  }

  private static List<MsgPart> message(
      RangeKind kind, Ty.Prim prim, SubExp start, @Nullable SubExp second, SubExp end) {
    List<MsgPart> parts = new ArrayList<>();
    parts.add(Emit.text("Range "));
    parts.add(value(prim, start));
    if (second != null) {
      parts.add(Emit.text(".."));
      parts.add(value(prim, second));
    }
    parts.add(
        Emit.text(
            switch (kind) {
              case INCLUSIVE -> "...";
              case UP_TO -> "..<";
              case DOWN_TO -> "..>";
            }));
    parts.add(value(prim, end));
    parts.add(Emit.text(" is invalid."));
    return parts;
  }

  private static MsgPart value(Ty.Prim prim, SubExp e) {
    return new MsgPart.Value(e, Ty.ir(prim.type()), prim.type().isUnsigned());
  }
}
