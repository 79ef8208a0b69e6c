package futharkc.core.language.check;

import static java.util.Objects.requireNonNull;

import futharkc.core.ir.Loc;
import futharkc.core.language.Diagnostic;
import futharkc.core.language.syntax.PrimType;
import futharkc.core.language.typed.Exp;
import futharkc.core.language.typed.Name;
import futharkc.core.language.typed.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The sizes of arrays: literals, ranges, slices, updates, coercions. */
final class ArraySizes {
  private final SizeInfer infer;
  private final SizeSolver sizes;

  ArraySizes(SizeInfer infer) {
    this.infer = infer;
    this.sizes = infer.sizes;
  }

  Exp arrayLit(Term.ArrayLit a) {
    if (a.elems().isEmpty()) {
      Type elem = infer.fresh(((Type.Array) SizeInfer.pruned(a.type())).elem(), a.loc());
      return new Exp.ArrayLit(
          List.of(), new Type.Array(false, new Type.Size.Const(0), elem), a.loc());
    }
    List<Exp> elems = new ArrayList<>(a.elems().size());
    Type elem = null;
    for (Term x : a.elems()) {
      Exp e = infer.exp(x);
      if (elem == null) {
        elem = e.type();
      } else if (!(elem instanceof Type.Prim)) {
        Type assumed = assumed(infer.norm(elem), infer.norm(e.type()), false);
        infer.unify(
            e.loc(),
            "type of first array element",
            "Array element differs in type from the first one.",
            elem,
            assumed);
        if (!assumed.equals(infer.norm(e.type()))) {
          Type target = SizeInfer.plain(infer.norm(elem));
          e = new Exp.Coerce(e, target, TypePrinter.show(target), e.loc());
        }
      }
      elems.add(e);
    }
    return new Exp.ArrayLit(
        elems,
        new Type.Array(false, new Type.Size.Const(elems.size()), requireNonNull(elem)),
        a.loc());
  }

  /**
   * Replaces unknown sizes in the arguments of an abstract type by the sizes of another type. Code
   * outside the module cannot prove these sizes equal, so the program compares them at run time.
   *
   * @param argument whether the type is inside an argument of an abstract type
   */
  private Type assumed(Type expected, Type actual, boolean argument) {
    return switch (actual) {
      case Type.Array a when expected instanceof Type.Array b -> {
        boolean unknown =
            argument
                && a.size() instanceof Type.Size.Var v
                && (sizes.isUnknown(v.name()) || sizes.isPending(v.name()));
        Type elem = assumed(b.elem(), a.elem(), argument);
        yield unknown || elem != a.elem()
            ? new Type.Array(a.unique(), unknown ? b.size() : a.size(), elem)
            : a;
      }
      case Type.Named n when expected instanceof Type.Named m && n.name().equals(m.name()) -> {
        List<Type.Arg> args = new ArrayList<>();
        for (int i = 0; i < n.args().size(); i++) {
          args.add(
              n.args().get(i) instanceof Type.Arg.OfType x
                      && m.args().get(i) instanceof Type.Arg.OfType y
                  ? new Type.Arg.OfType(assumed(y.type(), x.type(), true))
                  : n.args().get(i));
        }
        yield args.equals(n.args()) ? n : new Type.Named(n.unique(), n.name(), args);
      }
      default -> actual;
    };
  }

  private @Nullable Exp opt(@Nullable Term t) {
    return t == null ? null : infer.exp(t);
  }

  List<Exp.Dim> dims(List<Term.Dim> dims) {
    List<Exp.Dim> result = new ArrayList<>(dims.size());
    for (Term.Dim d : dims) {
      result.add(
          switch (d) {
            case Term.Dim.Fix f -> new Exp.Dim.Fix(infer.exp(f.index()));
            case Term.Dim.Slice s ->
                new Exp.Dim.Slice(opt(s.start()), opt(s.end()), opt(s.stride()));
          });
    }
    return result;
  }

  private static boolean is(@Nullable Exp e, long value) {
    return e == null || SizeExps.size(e) instanceof Type.Size.Const c && c.value() == value;
  }

  /**
   * Returns the type of a slice of an array.
   *
   * @param t the type of the array
   * @param exact whether sizes are computed from the bounds; false: sizes are inferred
   * @param made the list to which the unknown sizes are added
   */
  Type slice(Type t, List<Exp.Dim> dims, Loc loc, boolean exact, List<Name> made) {
    return slice(t, dims, 0, loc, exact, made);
  }

  private Type slice(Type t, List<Exp.Dim> dims, int i, Loc loc, boolean exact, List<Name> made) {
    if (i == dims.size()) {
      return t;
    }
    Type.Array a = (Type.Array) t;
    return switch (dims.get(i)) {
      case Exp.Dim.Fix f -> slice(a.elem(), dims, i + 1, loc, exact, made);
      case Exp.Dim.Slice s -> {
        Type.Size size = sliceSize(a.size(), s, loc, exact, made);
        yield new Type.Array(false, size, slice(a.elem(), dims, i + 1, loc, exact, made));
      }
    };
  }

  private Type.Size sliceSize(
      Type.Size whole, Exp.Dim.Slice s, Loc loc, boolean exact, List<Name> made) {
    if (!exact) {
      return SizeSolver.ref(sizes.flexible("slice", loc, "size of slice"));
    }
    Exp start = s.start();
    Exp end = s.end();
    boolean up = is(s.stride(), 1);
    boolean down = s.stride() != null && is(s.stride(), -1);
    if (up && is(start, 0)) {
      return sized(end == null ? whole : SizeExps.size(end), s, loc, made);
    }
    if (up && start != null) {
      Type.Size to = end == null ? whole : SizeExps.size(end);
      return sized(SizeExps.minus(to, SizeExps.size(start), loc), s, loc, made);
    }
    if (down && start == null && end == null) {
      return whole;
    }
    if (down && start != null && end != null) {
      return sized(SizeExps.minus(SizeExps.size(start), SizeExps.size(end), loc), s, loc, made);
    }
    Name n = sizes.unknown("n", loc, "is size produced by slice at " + loc + ".");
    made.add(n);
    return SizeSolver.ref(n);
  }

  private Type.Size sized(Type.Size size, Exp.Dim.Slice s, Loc loc, List<Name> made) {
    if (s.start() != null && SizeExps.hasBinding(s.start())
        || s.end() != null && SizeExps.hasBinding(s.end())) {
      warnBinding(loc);
      Name n = sizes.unknown("n", loc, "is size produced by slice at " + loc + ".");
      made.add(n);
      return SizeSolver.ref(n);
    }
    return size;
  }

  void warnBinding(Loc loc) {
    infer.cx.report(
        Diagnostic.warning(
                "W0501", loc, "Size expression with binding is replaced by unknown size.")
            .see("size-expression-bind"));
  }

  Exp range(Term.Range r) {
    Exp start = infer.exp(r.start());
    Exp second = opt(r.second());
    Exp end = infer.exp(r.end());
    if (second != null && SizeExps.same(SizeExps.size(start), SizeExps.size(second))) {
      infer.warn(
          "W0402",
          r.loc(),
          "First and second element of range are identical, this will produce an empty array.");
    }
    List<Name> made = new ArrayList<>();
    Type.Size size = null;
    boolean bindings = SizeExps.hasBinding(start) || SizeExps.hasBinding(end);
    if (SizeInfer.prim(r.start().type()) == PrimType.I64) {
      Type.Size a = SizeExps.size(start);
      Type.Size b = SizeExps.size(end);
      boolean fromZero = a instanceof Type.Size.Const c && c.value() == 0;
      boolean fromOne = a instanceof Type.Size.Const c && c.value() == 1;
      switch (r.kind()) {
        case UP_TO -> {
          if (second == null) {
            size = fromZero ? b : SizeExps.minus(b, a, r.loc());
          } else if (fromZero && is(second, 1)) {
            size = b;
          }
        }
        case INCLUSIVE -> {
          if (second == null) {
            size = SizeExps.plus(SizeExps.minus(b, a, r.loc()), new Type.Size.Const(1), r.loc());
          } else if (fromOne && is(second, 2)) {
            size = b;
          }
        }
        case DOWN_TO -> {}
      }
    }
    if (size != null && bindings) {
      warnBinding(r.loc());
    }
    if (size == null || bindings) {
      Name n = sizes.unknown("range", r.loc(), "is unknown length of range at " + r.loc() + ".");
      made.add(n);
      size = SizeSolver.ref(n);
    }
    return new Exp.Range(
        start, second, r.kind(), end, made, new Type.Array(false, size, start.type()), r.loc());
  }

  Exp with(Term.With w) {
    Exp src = infer.exp(w.src());
    Exp value = infer.exp(w.value());
    Type whole = infer.norm(src.type());
    List<Exp.Access> path = new ArrayList<>();
    boolean fieldsOnly = true;
    for (Term.Access a : w.path()) {
      switch (a) {
        case Term.Access.Field f -> path.add(new Exp.Access.Field(f.name()));
        case Term.Access.Elem e -> {
          fieldsOnly = false;
          path.add(new Exp.Access.Elem(dims(e.dims())));
        }
      }
    }
    if (fieldsOnly) {
      return new Exp.With(
          src, path, value, updateField(whole, path, 0, value.type(), w.value().loc()), w.loc());
    }
    Type target = whole;
    for (Exp.Access a : path) {
      target =
          switch (a) {
            case Exp.Access.Field f ->
                requireNonNull(((Type.Record) infer.norm(target)).fields().get(f.name()));
            case Exp.Access.Elem e ->
                slice(infer.norm(target), e.dims(), w.loc(), false, new ArrayList<>());
          };
    }
    infer.unify(
        w.value().loc(),
        "type of update target",
        "Type mismatch when updating array.",
        target,
        value.type());
    return new Exp.With(src, path, value, whole, w.loc());
  }

  private Type updateField(Type t, List<Exp.Access> path, int i, Type value, Loc loc) {
    if (i == path.size()) {
      infer.unify(
          loc,
          "record update",
          "Type mismatch when updating record field.",
          sizes.freshSizes(t, () -> sizes.flexible("any", loc, "record update"), loc),
          value);
      return value;
    }
    Type.Record r = (Type.Record) infer.norm(t);
    String name = ((Exp.Access.Field) path.get(i)).name();
    Map<String, Type> fields = new HashMap<>(r.fields());
    fields.put(name, updateField(requireNonNull(r.fields().get(name)), path, i + 1, value, loc));
    return new Type.Record(Type.sorted(fields));
  }

  Exp coerce(Term.Coerce c) {
    Type to = infer.typeTerm(c.to());
    Exp e = infer.exp(c.exp());
    Set<Name> anonymous = new HashSet<>(c.to().anonymous());
    Type from =
        new Mapper() {
          @Override
          Type.Size size(Type.Size s) {
            return s instanceof Type.Size.Var v && anonymous.contains(v.name())
                ? s
                : SizeSolver.ref(
                    sizes.flexible(
                        "coerce",
                        c.loc(),
                        "a size coercion where the underlying expression size cannot be"
                            + " determined"));
          }
        }.type(to);
    infer.unify(
        c.exp().loc(),
        "size coercion",
        "Expression does not have expected type from size coercion.",
        infer.norm(e.type()),
        from);
    return new Exp.Coerce(e, SizeInfer.plain(infer.norm(to)), c.text(), c.loc());
  }
}
