package futharkc.core.language.check;

import futharkc.core.ir.Loc;
import futharkc.core.language.syntax.Exp;
import futharkc.core.language.syntax.PrimType;
import futharkc.core.language.syntax.TypeParam.Liftedness;
import futharkc.core.language.typed.Type;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The types of array literals, ranges, slices and updates, without sizes. */
final class ArrayTerms {
  private final TermInfer infer;

  ArrayTerms(TermInfer infer) {
    this.infer = infer;
  }

  Term arrayLit(Exp.ArrayLit a) {
    List<Term> elems = new ArrayList<>(a.elems().size());
    Type elem = null;
    for (Exp x : a.elems()) {
      Term t = infer.exp(x);
      elems.add(t);
      if (elem == null) {
        elem = infer.elem(a.loc());
        infer.expect(x.loc(), elem, t.type(), "Invalid array element.");
      } else {
        infer.expect(
            x.loc(), elem, t.type(), "Array element differs in type from the ones before it.");
      }
    }
    if (elem == null) {
      elem = infer.elem(a.loc());
    }
    return new Term.ArrayLit(elems, TermInfer.array(1, elem), a.loc());
  }

  Term range(Exp.Range r) {
    Term start = infer.exp(r.start());
    infer.require(TypeVar.INTEGERS, start, "start of range");
    Term second = r.second() == null ? null : infer.exp(r.second());
    if (second != null) {
      infer.expect(
          second.loc(), start.type(), second.type(), "Type mismatch in second element of range.");
    }
    Term end = infer.exp(r.end());
    infer.expect(end.loc(), start.type(), end.type(), "Type mismatch in end of range.");
    return new Term.Range(start, second, r.kind(), end, TermInfer.array(1, start.type()), r.loc());
  }

  static int slices(List<Term.Dim> dims) {
    int n = 0;
    for (Term.Dim d : dims) {
      if (d instanceof Term.Dim.Slice) {
        n++;
      }
    }
    return n;
  }

  private @Nullable Term bound(@Nullable Exp e) {
    if (e == null) {
      return null;
    }
    Term t = infer.exp(e);
    infer.requirePrim(PrimType.I64, t, "slice");
    return t;
  }

  List<Term.Dim> dims(List<Exp.DimIndex> dims) {
    List<Term.Dim> result = new ArrayList<>(dims.size());
    for (Exp.DimIndex d : dims) {
      switch (d) {
        case Exp.DimIndex.Fix f -> {
          Term t = infer.exp(f.index());
          infer.require(TypeVar.SIGNED, t, "index");
          result.add(new Term.Dim.Fix(t));
        }
        case Exp.DimIndex.Slice s ->
            result.add(new Term.Dim.Slice(bound(s.start()), bound(s.end()), bound(s.stride())));
      }
    }
    return result;
  }

  Term with(Term src, List<Exp.Access> path, Term value, Loc loc) {
    List<Term.Access> accesses = new ArrayList<>();
    Type t = src.type();
    for (Exp.Access a : path) {
      Type whole = t;
      switch (a) {
        case Exp.Access.Field f -> {
          accesses.add(new Term.Access.Field(f.name()));
          if (TypeVar.prune(t) instanceof Type.Record r && r.fields().containsKey(f.name())) {
            t = r.fields().get(f.name());
          } else {
            TypeVar field = infer.fresh(Liftedness.LIFTED, loc);
            TypeVar v = infer.fresh(Liftedness.LIFTED, loc);
            v.field(f.name(), field);
            infer.expect(
                a.loc(),
                v,
                t,
                () ->
                    "Cannot update field \""
                        + f.name()
                        + "\" of value of type\n  "
                        + TypePrinter.unsized(whole));
            t = field;
          }
        }
        case Exp.Access.Elem e -> {
          List<Term.Dim> dims = dims(e.dims());
          TypeVar elem = infer.elem(a.loc());
          infer.expect(
              a.loc(),
              TermInfer.array(dims.size(), elem),
              t,
              () ->
                  "Cannot index with "
                      + dims.size()
                      + " indices into value of type\n  "
                      + TypePrinter.unsized(whole));
          accesses.add(new Term.Access.Elem(dims));
          t = TermInfer.array(slices(dims), elem);
        }
      }
    }
    Type target = t;
    infer.expect(
        value.loc(),
        target,
        value.type(),
        "Type mismatch when updating"
            + (path.get(path.size() - 1) instanceof Exp.Access.Field f
                ? " record field \"" + f.name() + "\"."
                : " array."));
    return new Term.With(src, accesses, value, loc);
  }
}
