package futharkc.pass.simplify;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.Builder;
import futharkc.core.ir.Name;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.PrimValue;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rules on array literals and concatenations. */
final class LiteralRules {
  private LiteralRules() {}

  // Literals

  static @Nullable List<Stm> literal(Stm s, BasicOp.ArrayLit x, Simplifier in) {
    int n = x.elems().size();
    if (in.hasMemory() || n == 0) {
      return null;
    }
    if (n > 1 && new HashSet<>(x.elems()).size() == 1) {
      return List.of(s.withExp(new BasicOp.Replicate(List.of(SubExp.i64(n)), x.elems().get(0))));
    }
    return x.row() instanceof Type.Array ? flat(s, x, in) : null;
  }

  /** Replaces a literal of literals by a reshaped literal. */
  private static @Nullable List<Stm> flat(Stm s, BasicOp.ArrayLit x, Simplifier in) {
    List<SubExp> elems = new ArrayList<>();
    Stm t = s;
    for (SubExp e : x.elems()) {
      Name row = ((SubExp.Var) e).name();
      Stm def = in.definition(row);
      if (def != null && def.exp() instanceof BasicOp.Reshape r && in.isUsedOnceHere(row)) {
        t = Rules.under(def, t);
        row = r.array();
        def = in.definition(row);
      }
      if (def == null || !in.isUsedOnceHere(row)) {
        return null;
      }
      List<SubExp> inner = scalars(def);
      if (inner == null) {
        return null;
      }
      t = Rules.under(def, t);
      elems.addAll(inner);
    }
    Builder b = in.builder(t.aux());
    Type flat = Type.array(Type.prim(x.row().elemPrim()), SubExp.i64(elems.size()));
    Name all = b.let("array", flat, literal(elems, x.row().elemPrim()));
    b.add(t.withExp(new BasicOp.Reshape(false, all, s.pat().get(0).type().dims())));
    return b.stms();
  }

  /** Returns the elements of a literal of scalars, or null. */
  private static @Nullable List<SubExp> scalars(Stm def) {
    return switch (def.exp()) {
      case BasicOp.ArrayLit l when l.row() instanceof Type.Prim -> l.elems();
      case BasicOp.ArrayVal l -> l.values().stream().map(SubExp::of).toList();
      case BasicOp.Replicate r
          when r.shape().size() == 1
              && r.shape().get(0).isInt(1)
              && def.pat().get(0).type().rank() == 1 ->
          List.of(r.value());
      default -> null;
    };
  }

  private static BasicOp literal(List<SubExp> elems, PrimType type) {
    List<PrimValue> constants = new ArrayList<>();
    for (SubExp e : elems) {
      if (e instanceof SubExp.Const c) {
        constants.add(c.value());
      }
    }
    return constants.size() == elems.size()
        ? new BasicOp.ArrayVal(constants, type)
        : new BasicOp.ArrayLit(elems, Type.prim(type));
  }

  // Concatenations

  static @Nullable List<Stm> concat(Stm s, BasicOp.Concat x, Simplifier in) {
    if (in.hasMemory()) {
      return null;
    }
    List<Name> parts = new ArrayList<>();
    boolean changed = false;
    for (Name a : x.arrays()) {
      if (in.type(a).dims().get(x.dim()).isInt(0)) {
        changed = true;
      } else if (in.expOf(a) instanceof BasicOp.Concat c
          && c.dim() == x.dim()
          && in.stay(c.arrays())
          && in.isUsedOnceHere(a)) {
        parts.addAll(c.arrays());
        changed = true;
      } else {
        parts.add(a);
      }
    }
    if (parts.size() == 1 && in.type(parts.get(0)).equals(s.pat().get(0).type())) {
      return List.of(s.withExp(new BasicOp.Replicate(List.of(), SubExp.of(parts.get(0)))));
    }
    if (parts.size() < 2) {
      return null;
    }
    if (changed) {
      return List.of(s.withExp(new BasicOp.Concat(x.dim(), parts, x.size())));
    }
    return x.dim() == 0 ? joined(s, x, in) : null;
  }

  /** Combines neighbouring operands that are literals, or that replicate the same value. */
  private static @Nullable List<Stm> joined(Stm s, BasicOp.Concat x, Simplifier in) {
    List<Part> parts = new ArrayList<>();
    boolean changed = false;
    for (Name a : x.arrays()) {
      Part part = part(a, in);
      Part both = parts.isEmpty() ? null : join(parts.getLast(), part);
      if (both == null) {
        parts.add(part);
      } else {
        parts.set(parts.size() - 1, both);
        changed = true;
      }
    }
    if (!changed) {
      return null;
    }
    Builder b = in.builder(s.aux());
    List<Name> names = new ArrayList<>();
    for (Part part : parts) {
      if (part.arrays().size() == 1) {
        names.add(part.arrays().get(0));
        continue;
      }
      Stm whole = whole(s, part, parts.size() == 1, x.size(), b, in);
      b.add(whole);
      names.add(whole.names().get(0));
    }
    if (parts.size() > 1) {
      b.add(s.withExp(new BasicOp.Concat(0, names, x.size())));
    }
    return b.stms();
  }

  /**
   * Neighbouring operands of a concatenation.
   *
   * @param arrays the operands
   * @param literal whether all operands are literals
   * @param replicated the value that all operands replicate, or null
   */
  private record Part(List<Name> arrays, boolean literal, @Nullable SubExp replicated) {}

  private static Part part(Name array, Simplifier in) {
    Stm def = in.isUsedOnceHere(array) ? in.definition(array) : null;
    if (def == null) {
      return new Part(List.of(array), false, null);
    }
    SubExp value =
        def.exp() instanceof BasicOp.Replicate r && r.shape().size() == 1 && in.stays(r.value())
            ? r.value()
            : null;
    return new Part(List.of(array), scalars(def) != null, value);
  }

  private static @Nullable Part join(Part a, Part b) {
    boolean literal = a.literal() && b.literal();
    SubExp value = a.replicated();
    if (value != null && !value.equals(b.replicated())) {
      value = null;
    }
    if (!literal && value == null) {
      return null;
    }
    List<Name> arrays = new ArrayList<>(a.arrays());
    arrays.addAll(b.arrays());
    return new Part(arrays, literal, value);
  }

  /**
   * Returns a statement for the operands as one array. If these are all operands, the statement
   * replaces the concatenation.
   */
  private static Stm whole(
      Stm s, Part part, boolean isAll, SubExp total, Builder b, Simplifier in) {
    Stm t = s;
    List<SubExp> elems = new ArrayList<>();
    SubExp size = SubExp.i64(0);
    for (Name a : part.arrays()) {
      Stm def = in.definition(a);
      if (def == null) {
        throw new IllegalStateException(a + " has no definition");
      }
      t = Rules.under(def, t);
      List<SubExp> here = scalars(def);
      if (here != null) {
        elems.addAll(here);
      }
      SubExp more = in.type(a).outerSize();
      if (!isAll) {
        size = size.isInt(0) ? more : b.binOp("size", BinOp.Kind.ADD, PrimType.I64, size, more);
      }
    }
    Type whole = s.pat().get(0).type();
    SubExp count = isAll ? total : part.literal() ? SubExp.i64(elems.size()) : size;
    BasicOp op =
        part.replicated() == null
            ? literal(elems, whole.elemPrim())
            : new BasicOp.Replicate(List.of(count), part.replicated());
    if (isAll) {
      return t.withExp(op);
    }
    Name name = in.names().fresh("part");
    return new Stm(List.of(new PatElem(name, Type.array(whole.row(), count))), t.aux(), op);
  }
}
