package futharkc.core.language.lower;

import futharkc.core.ir.CmpOp;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.PrimValue;
import futharkc.core.ir.SubExp;
import futharkc.core.language.typed.Exp;
import futharkc.core.language.typed.Pat;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The lowering of patterns: bindings and matching conditions. */
final class PatternLowering {
  private final Elaborator el;

  PatternLowering(Elaborator el) {
    this.el = el;
  }

  /** A condition of a match: the operand equals the value. */
  record Condition(SubExp operand, PrimValue value) {}

  /** Binds the names of a matching pattern, and the unbound sizes in its types. */
  void bind(Pat p, LoweredValue v, Frame f) {
    switch (p) {
      case Pat.Var x -> {
        el.types.bindUnbound(x.type(), f, v.type());
        f.put(x.name(), v);
      }
      case Pat.Wildcard w -> el.types.bindUnbound(w.type(), f, v.type());
      case Pat.Record r -> r.fields().forEach((k, q) -> bind(q, v.field(k), f));
      case Pat.Literal l -> {}
      case Pat.Constr c -> {
        List<LoweredValue> payload = payload(v, c.name());
        for (int i = 0; i < c.payload().size(); i++) {
          bind(c.payload().get(i), payload.get(i), f);
        }
      }
    }
  }

  /**
   * Returns the conditions under which a pattern matches. The list is empty for a pattern that
   * always matches, and null for a pattern that never matches.
   */
  @Nullable List<Condition> conditions(Pat p, LoweredValue v) {
    List<Condition> out = new ArrayList<>();
    return collect(p, v, out) ? out : null;
  }

  private boolean collect(Pat p, LoweredValue v, List<Condition> out) {
    return switch (p) {
      case Pat.Var x -> true;
      case Pat.Wildcard w -> true;
      case Pat.Record r -> {
        for (var e : r.fields().entrySet()) {
          if (!collect(e.getValue(), v.field(e.getKey()), out)) {
            yield false;
          }
        }
        yield true;
      }
      case Pat.Literal l -> {
        PrimValue value = literal(l.literal());
        SubExp operand = v.scalar();
        if (value.type().isFloat()) {
          operand = el.emit.cmp(CmpOp.Kind.EQ, value.type(), operand, SubExp.of(value));
          value = PrimValue.TRUE;
        }
        yield require(operand, value, out);
      }
      case Pat.Constr c -> {
        if (v instanceof LoweredValue.Variant x) {
          if (!x.constructor().equals(c.name())) {
            yield false;
          }
        } else {
          PrimValue tag = PrimValue.ofInt(PrimType.I8, ((Ty.Sum) v.type()).tag(c.name()));
          if (!require(v.leaves().get(0), tag, out)) {
            yield false;
          }
        }
        List<LoweredValue> payload = payload(v, c.name());
        for (int i = 0; i < c.payload().size(); i++) {
          if (!collect(c.payload().get(i), payload.get(i), out)) {
            yield false;
          }
        }
        yield true;
      }
    };
  }

  private static boolean require(SubExp operand, PrimValue value, List<Condition> out) {
    if (operand instanceof SubExp.Const c) {
      return c.value().equals(value);
    }
    out.add(new Condition(operand, value));
    return true;
  }

  /** Returns the payload of a sum with a known constructor. */
  static List<LoweredValue> payload(LoweredValue sum, String constructor) {
    if (sum instanceof LoweredValue.Variant x) {
      return x.payload();
    }
    Ty.Sum type = (Ty.Sum) sum.type();
    List<Ty> types = type.payload(constructor);
    List<List<Integer>> places = type.layout().of(constructor);
    List<SubExp> all = sum.leaves();
    List<LoweredValue> payload = new ArrayList<>();
    for (int i = 0; i < types.size(); i++) {
      List<SubExp> leaves = places.get(i).stream().map(s -> all.get(1 + s)).toList();
      payload.add(LoweredValue.of(types.get(i), leaves));
    }
    return payload;
  }

  static PrimValue literal(Exp.Lit l) {
    return new PrimValue(Ty.ir(l.prim()), l.bits());
  }
}
