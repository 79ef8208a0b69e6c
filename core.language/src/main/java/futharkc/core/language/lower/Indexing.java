package futharkc.core.language.lower;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BasicOp.MsgPart;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp.Match;
import futharkc.core.ir.Slice;
import futharkc.core.ir.SubExp;
import futharkc.core.language.typed.Exp;
import futharkc.core.language.typed.Type;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The lowering of indexing, slicing and updates. */
final class Indexing {
  private static final SubExp ZERO = SubExp.i64(0);
  private static final SubExp ONE = SubExp.i64(1);
  private static final SubExp MINUS_ONE = SubExp.i64(-1);

  private final Elaborator el;
  private final Emit emit;

  Indexing(Elaborator el) {
    this.el = el;
    this.emit = el.emit;
  }

  /**
   * A checked selection of the outer dimensions of an array.
   *
   * @param elem the element type of the selection, or its type if no dimensions remain
   */
  private record Selection(List<Slice.Dim> dims, Ty elem, List<futharkc.core.ir.Name> certs) {
    /** Returns the type of the selection. */
    Ty type() {
      return Ty.array(new Slice(dims).shape(), elem);
    }
  }

  LoweredValue index(Exp.Index i, Frame f) {
    LoweredValue.Data array = (LoweredValue.Data) el.eval(i.array(), f);
    Selection s = selection(evaluated(i.dims(), f), array.type(), i);
    LoweredValue v = select(array, s.dims, s.type(), s.certs);
    el.bindResult(i.type(), i.sizes(), v, f);
    return v;
  }

  /**
   * Selects from an array at indices that are in bounds.
   *
   * @param result the type of the selection
   */
  LoweredValue select(
      LoweredValue.Data array, List<Slice.Dim> dims, Ty result, List<futharkc.core.ir.Name> certs) {
    List<futharkc.core.ir.Type> from = array.type().leaves();
    List<futharkc.core.ir.Type> to = result.leaves();
    List<SubExp> leaves = new ArrayList<>();
    for (int i = 0; i < from.size(); i++) {
      leaves.add(
          SubExp.of(
              emit.let(
                  "elem",
                  to.get(i),
                  new BasicOp.Index(
                      Types.name(array.leaves().get(i)), full(dims, from.get(i).dims())),
                  certs)));
    }
    return LoweredValue.of(result, leaves);
  }

  private static Slice full(List<Slice.Dim> dims, List<SubExp> shape) {
    List<Slice.Dim> all = new ArrayList<>(dims);
    for (SubExp n : shape.subList(dims.size(), shape.size())) {
      all.add(new Slice.Range(ZERO, n, ONE));
    }
    return new Slice(all);
  }

  // --- Bounds ---

  /** A dimension of a selection with evaluated bounds. */
  private sealed interface Dim {
    record Fix(SubExp index) implements Dim {}

    record Slice(@Nullable SubExp start, @Nullable SubExp end, @Nullable SubExp stride)
        implements Dim {}
  }

  private List<Dim> evaluated(List<Exp.Dim> dims, Frame f) {
    List<Dim> result = new ArrayList<>();
    for (Exp.Dim d : dims) {
      result.add(
          switch (d) {
            case Exp.Dim.Fix x -> new Dim.Fix(bound(x.index(), f));
            case Exp.Dim.Slice s ->
                new Dim.Slice(
                    s.start() == null ? null : bound(s.start(), f),
                    s.end() == null ? null : bound(s.end(), f),
                    s.stride() == null ? null : bound(s.stride(), f));
          });
    }
    return result;
  }

  private SubExp bound(Exp e, Frame f) {
    LoweredValue v = el.eval(e, f);
    return el.scalars.toI64(((Ty.Prim) ((LoweredValue.Data) v).type()).type(), v.scalar());
  }

  private Selection selection(List<Dim> dims, Ty type, Exp at) {
    emit.at(at.loc());
    List<Slice.Dim> out = new ArrayList<>();
    List<MsgPart> message = new ArrayList<>();
    List<SubExp> shape = new ArrayList<>();
    SubExp ok = SubExp.TRUE;
    message.add(Emit.text("Index ["));
    Ty rest = type;
    for (int k = 0; k < dims.size(); k++) {
      Ty.Array a = (Ty.Array) rest;
      rest = a.elem();
      shape.add(a.size());
      if (k > 0) {
        message.add(Emit.text(", "));
      }
      switch (dims.get(k)) {
        case Dim.Fix x -> {
          SubExp i = x.index();
          out.add(new Slice.Fix(i));
          message.add(Emit.value(i));
          if (emit.safe()) {
            ok = emit.and(ok, emit.and(emit.le(ZERO, i), emit.lt(i, a.size())));
          }
        }
        case Dim.Slice s -> {
          Range r = slice(s, a.size());
          out.add(new Slice.Range(r.start, r.count, r.stride));
          if (s.start() != null) {
            message.add(Emit.value(r.start));
          }
          message.add(Emit.text(":"));
          if (s.end() != null) {
            message.add(Emit.value(r.end));
          }
          if (s.stride() != null) {
            message.add(Emit.text(":"));
            message.add(Emit.value(r.stride));
          }
          ok = emit.and(ok, r.ok);
        }
      }
    }
    var certs =
        emit.check(
            ok,
            () -> {
              message.add(Emit.text("] out of bounds for array of shape "));
              for (SubExp n : shape) {
                message.add(Emit.text("["));
                message.add(Emit.value(n));
                message.add(Emit.text("]"));
              }
              message.add(Emit.text("."));
              return message;
            });
    for (SubExp n : new Slice(out).shape()) {
      emit.assumeNonNegative(n);
    }
    return new Selection(out, rest, certs);
  }

  private record Range(SubExp start, SubExp end, SubExp stride, SubExp count, SubExp ok) {}

  private Range slice(Dim.Slice s, SubExp n) {
    SubExp start = s.start();
    SubExp end = s.end();
    SubExp stride = s.stride() == null ? ONE : s.stride();
    SubExp forwards = emit.lt(ZERO, stride);
    SubExp from = start != null ? start : choose(forwards, ZERO, emit.sub(n, ONE));
    SubExp to = end != null ? end : choose(forwards, n, MINUS_ONE);
    SubExp count = count(from, to, stride);
    SubExp ok = SubExp.TRUE;
    boolean whole = start == null && end == null && Fold.isNonZero(stride);
    if (emit.safe() && !whole) {
      boolean unit = stride.isInt(1) || stride.isInt(-1);
      SubExp last = unit ? from : emit.add(from, emit.mul(emit.sub(count, ONE), stride));
      ok =
          emit.or(
              forwards.equals(SubExp.FALSE)
                  ? forwards
                  : emit.and(forwards, inside(from, to, stride, last, n)),
              forwards.equals(SubExp.TRUE)
                  ? SubExp.FALSE
                  : emit.and(emit.lt(stride, ZERO), insideBackwards(from, to, stride, last, n)));
      // An empty slice is valid with any bounds. A slice with a default bound and unit stride is
      // always inside if empty.
      if (!unit || start != null && end != null) {
        SubExp nothing = emit.eq(count, ZERO);
        boolean steps = Fold.isNonZero(stride);
        ok = emit.or(steps ? nothing : emit.and(nothing, emit.not(emit.eq(stride, ZERO))), ok);
      }
    }
    if (whole) {
      emit.assumeNonNegative(count);
    }
    return new Range(from, to, stride, count, ok);
  }

  private SubExp count(SubExp from, SubExp to, SubExp stride) {
    if (stride.isInt(1)) {
      return emit.sub(to, from);
    }
    if (stride.isInt(-1)) {
      return to.isInt(-1) ? emit.add(from, ONE) : emit.sub(from, to);
    }
    SubExp divisor = emit.safe() ? choose(emit.eq(stride, ZERO), ONE, stride) : stride;
    return emit.quotientUp(emit.sub(to, from), divisor);
  }

  /** Tests a forward slice: it lies between 0 and the exclusive end n. */
  private SubExp inside(SubExp from, SubExp to, SubExp stride, SubExp last, SubExp n) {
    SubExp ends =
        stride.isInt(1)
            ? to.equals(n) ? SubExp.TRUE : emit.le(to, n)
            : emit.and(emit.le(from, n), emit.lt(last, n));
    return emit.and(emit.le(ZERO, from), emit.and(emit.le(from, to), ends));
  }

  /** Tests a backward slice: it lies between n - 1 and the exclusive end -1. */
  private SubExp insideBackwards(SubExp from, SubExp to, SubExp stride, SubExp last, SubExp n) {
    SubExp ends =
        stride.isInt(-1)
            ? emit.le(MINUS_ONE, to)
            : emit.and(emit.le(MINUS_ONE, from), emit.le(ZERO, last));
    return emit.and(emit.and(emit.le(to, from), ends), emit.lt(from, n));
  }

  private SubExp choose(SubExp cond, SubExp a, SubExp b) {
    if (cond instanceof SubExp.Const c) {
      return c.value().asBoolean() ? a : b;
    }
    return emit.let(
        "bound",
        futharkc.core.ir.Type.I64,
        Match.conditional(cond, new Body(List.of(), List.of(a)), new Body(List.of(), List.of(b))));
  }

  // --- Updates ---

  LoweredValue with(Exp.With w, Frame f) {
    // The value and the indices may use the array that the update consumes, so they are evaluated
    // first.
    Deque<List<Dim>> indexes = new ArrayDeque<>();
    for (Exp.Access a : w.path()) {
      if (a instanceof Exp.Access.Elem e) {
        indexes.add(evaluated(e.dims(), f));
      }
    }
    if (w.src() instanceof Exp.Var) {
      // If the checks come before the value, a later pass can compute the value directly in the
      // updated memory.
      LoweredValue src = el.eval(w.src(), f);
      Deque<Selection> parts = selections(src, w.path(), indexes, w);
      LoweredValue v = el.eval(w.value(), f);
      emit.at(w.loc());
      return update(src, w.path(), parts, v);
    }
    LoweredValue v = el.eval(w.value(), f);
    LoweredValue src = el.eval(w.src(), f);
    return update(src, w.path(), selections(src, w.path(), indexes, w), v);
  }

  /** Returns the selections of the indices in a path, from the outermost array inwards. */
  private Deque<Selection> selections(
      LoweredValue src, List<Exp.Access> path, Deque<List<Dim>> indexes, Exp at) {
    Deque<Selection> found = new ArrayDeque<>();
    LoweredValue v = src;
    Ty type = null;
    emit.at(at.loc());
    for (Exp.Access a : path) {
      switch (a) {
        case Exp.Access.Elem _ -> {
          Selection s =
              selection(indexes.remove(), type == null ? ((LoweredValue.Data) v).type() : type, at);
          found.add(s);
          type = s.type();
        }
        case Exp.Access.Field x -> {
          if (type == null) {
            v = v.field(x.name());
          } else {
            type = fieldType((Ty.Record) type, x.name());
          }
        }
      }
    }
    return found;
  }

  private static Ty fieldType(Ty.Record record, String name) {
    for (var field : record.fields().entrySet()) {
      if (field.getKey().equals(name)) {
        return field.getValue();
      }
    }
    throw new IllegalArgumentException("no field " + name);
  }

  private LoweredValue update(
      LoweredValue src, List<Exp.Access> path, Deque<Selection> parts, LoweredValue v) {
    if (path.isEmpty()) {
      return v;
    }
    List<Exp.Access> rest = path.subList(1, path.size());
    return switch (path.get(0)) {
      case Exp.Access.Field x -> {
        TreeMap<String, LoweredValue> fields = new TreeMap<String, LoweredValue>(Type.FIELD_ORDER);
        fields.putAll(((LoweredValue.Rec) src).fields());
        fields.put(x.name(), update(src.field(x.name()), rest, parts, v));
        yield new LoweredValue.Rec(fields);
      }
      case Exp.Access.Elem _ -> updateArray((LoweredValue.Data) src, path, parts, v);
    };
  }

  /**
   * Updates some leaves of an array at a slice. The path of indices and fields determines the
   * leaves and the slice.
   */
  private LoweredValue updateArray(
      LoweredValue.Data array, List<Exp.Access> path, Deque<Selection> parts, LoweredValue v) {
    Ty type = array.type();
    int first = 0;
    List<Slice.Dim> dims = new ArrayList<>();
    List<futharkc.core.ir.Name> certs = new ArrayList<>();
    for (Exp.Access a : path) {
      switch (a) {
        case Exp.Access.Elem _ -> {
          Selection s = parts.remove();
          dims.addAll(s.dims);
          certs.addAll(s.certs);
          type = s.type();
        }
        case Exp.Access.Field x -> {
          for (var field : ((Ty.Record) type).fields().entrySet()) {
            if (field.getKey().equals(x.name())) {
              type = field.getValue();
              break;
            }
            first += field.getValue().leafCount();
          }
        }
      }
    }
    Types.Sized sized = shapeCheck(type, v);
    certs.addAll(sized.certs());
    List<SubExp> values = el.types.coerce(v, sized).leaves();
    List<futharkc.core.ir.Type> leafTypes = array.type().leaves();
    List<SubExp> leaves = new ArrayList<>(array.leaves());
    for (int i = 0; i < values.size(); i++) {
      int leaf = first + i;
      futharkc.core.ir.Type t = leafTypes.get(leaf);
      leaves.set(
          leaf,
          SubExp.of(
              emit.let(
                  "updated",
                  t,
                  new BasicOp.Update(
                      false, Types.name(leaves.get(leaf)), full(dims, t.dims()), values.get(i)),
                  certs)));
    }
    return new LoweredValue.Data(array.type(), leaves);
  }

  /** Checks that a value has the sizes of the slice that it replaces. */
  private Types.Sized shapeCheck(Ty wanted, LoweredValue v) {
    return el.types.claimed(
        v,
        wanted,
        () -> {
          Ty actual = v.type();
          List<MsgPart> parts = new ArrayList<>();
          parts.add(Emit.text("Shape "));
          actual.zipSizes(actual, (a, b) -> bracket(parts, a));
          parts.add(Emit.text(" of value does not match shape "));
          wanted.zipSizes(wanted, (a, b) -> bracket(parts, a));
          parts.add(Emit.text(" of the updated slice."));
          return parts;
        });
  }

  static void bracket(List<MsgPart> parts, SubExp size) {
    parts.add(Emit.text("["));
    parts.add(Emit.value(size));
    parts.add(Emit.text("]"));
  }
}
