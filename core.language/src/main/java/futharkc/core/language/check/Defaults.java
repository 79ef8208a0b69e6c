package futharkc.core.language.check;

import futharkc.core.language.Diagnostic;
import futharkc.core.language.syntax.PrimType;
import futharkc.core.language.syntax.TypeParam.Liftedness;
import futharkc.core.language.typed.Name;
import futharkc.core.language.typed.Type;
import java.util.ArrayList;
import java.util.List;

/** The end of the first pass over a definition: defaults for the remaining unknowns. */
final class Defaults {
  private final TermInfer infer;

  Defaults(TermInfer infer) {
    this.infer = infer;
  }

  /**
   * Resolves the remaining unknowns. Literals get their default types; unknowns in the definition's
   * type become type parameters.
   *
   * @return the new type parameters
   */
  List<TypeParamInfo> finish(Type type) {
    List<TypeVar> open = new ArrayList<>();
    if (!infer.failed()) {
      collect(type, open);
    }
    for (TypeVar v : infer.unifier.vars()) {
      if (v.solution != null) {
        continue;
      }
      if (v.prims != 0) {
        settle(v, open.contains(v));
      } else if (v.fields != null && !infer.failed()) {
        infer.error(
            Diagnostic.error(
                    "E0404",
                    v.loc,
                    "Type is ambiguous. Must be a record with fields\n  " + TypePrinter.unsized(v))
                .hint("Add a type annotation.")
                .see("ambiguous-type"));
      } else if (v.variants != null && !infer.failed()) {
        infer.error(
            Diagnostic.error(
                    "E0404",
                    v.loc,
                    "Type is ambiguous. Must be a sum type with constructors\n  "
                        + TypePrinter.unsized(v))
                .hint("Add a type annotation.")
                .see("ambiguous-type"));
      }
    }
    List<TypeParamInfo> params = new ArrayList<>();
    for (TypeVar v : open) {
      if (v.solution != null || v.fields != null || v.variants != null) {
        continue;
      }
      Name n = infer.cx.names.fresh("t" + params.size());
      infer.cx.liftedness.put(n, v.liftedness);
      params.add(new TypeParamInfo(n, v.liftedness, v.loc));
      v.solution = new Type.Named(false, n, List.of());
    }
    for (TypeVar v : infer.unifier.vars()) {
      if (v.solution == null) {
        v.solution = Type.tuple(List.of());
      }
    }
    if (!infer.failed()) {
      for (TermInfer.Instance i : infer.instances) {
        check(i);
      }
    }
    return params;
  }

  private void settle(TypeVar v, boolean visible) {
    PrimType choice;
    if (Integer.bitCount(v.prims) == 1) {
      choice = PrimType.values()[Integer.numberOfTrailingZeros(v.prims)];
    } else if ((v.prims & TypeVar.set(PrimType.I32)) != 0) {
      choice = PrimType.I32;
    } else if ((v.prims & TypeVar.set(PrimType.F64)) != 0) {
      choice = PrimType.F64;
    } else {
      infer.error(
          Diagnostic.error("E0404", v.loc, "Type is ambiguous.")
              .hint("Add a type annotation.")
              .see("ambiguous-type"));
      choice = PrimType.I32;
    }
    if (visible && Integer.bitCount(v.prims) != 1 && !infer.failed()) {
      infer.warn("W0401", v.loc, "Defaulting ambiguous type to " + choice + ".");
    }
    v.solution = Type.prim(choice);
  }

  private static void collect(Type t, List<TypeVar> into) {
    switch (TypeVar.prune(t)) {
      case Type.Prim p -> {}
      case Type.Array a -> collect(a.elem(), into);
      case Type.Record r -> r.fields().values().forEach(f -> collect(f, into));
      case Type.Sum s -> s.variants().values().forEach(ps -> ps.forEach(p -> collect(p, into)));
      case Type.Fun f -> {
        collect(f.from(), into);
        collect(f.result().type(), into);
      }
      case Type.Named n -> {
        for (Type.Arg a : n.args()) {
          if (a instanceof Type.Arg.OfType o) {
            collect(o.type(), into);
          }
        }
      }
      case futharkc.core.language.typed.MetaType m -> {
        if (m instanceof TypeVar v && !into.contains(v)) {
          into.add(v);
        }
      }
    }
  }

  private void check(TermInfer.Instance i) {
    Type t = i.type();
    if (!CheckContext.orderZero(t)) {
      infer.error(
          "E0405",
          i.loc(),
          "Type\n  "
              + TypePrinter.unsized(t)
              + "\nfound to be functional.\nWhen instantiating type parameter of \""
              + i.what()
              + "\".");
      return;
    }
    if (infer.cx.liftednessOf(t).compareTo(i.liftedness()) > 0) {
      infer.error(
          "E0405",
          i.loc(),
          "Type \""
              + TypePrinter.unsized(t)
              + (i.liftedness() == Liftedness.UNLIFTED
                  ? "\" is lifted and cannot be an array element.\n"
                  : "\" is lifted and may be a functional type.\n")
              + "When instantiating type parameter of \""
              + i.what()
              + "\".");
    }
  }
}
