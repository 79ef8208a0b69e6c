package futharkc.core.language.check;

import futharkc.core.ir.Loc;
import futharkc.core.language.Diagnostic;
import futharkc.core.language.DiagnosticException;
import futharkc.core.language.typed.Exp;
import futharkc.core.language.typed.Name;
import futharkc.core.language.typed.Pat;
import futharkc.core.language.typed.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The sizes of loops. A loop acts like a function that is applied to its own result. The body is
 * checked with all sizes of the loop parameter unknown, to find the loop-invariant sizes.
 */
final class LoopSizes {
  private final SizeInfer infer;
  private final SizeSolver sizes;

  LoopSizes(SizeInfer infer) {
    this.infer = infer;
    this.sizes = infer.sizes;
  }

  /**
   * A size of the loop parameter that the body returns unchanged.
   *
   * @param from the parameter size that the body copies; null: the size equals the initial one
   */
  private record Reproduced(@Nullable Name from) {}

  Exp loop(Term.Loop l) {
    Exp init = infer.exp(l.init());
    int before = infer.cx.names.fresh("loop").tag();
    Map<Name, Type.Size> initial = new LinkedHashMap<>();
    Map<Name, Integer> levels = new HashMap<>();
    Type loopType = freshType(infer.norm(init.type()), initial, levels, l.loc());

    int outer = sizes.level;
    Set<Name> names = new LinkedHashSet<>();
    Exp.Form form;
    Pat pat;
    Exp body;
    switch (l.form()) {
      case Term.Form.For f -> {
        Exp bound = infer.exp(f.bound());
        sizes.level++;
        infer.bind(f.index(), bound.type());
        pat = loopPat(l, loopType, names);
        form =
            new Exp.Form.For(
                f.index().name,
                f.index().loc,
                ((Type.Prim) TypeVar.prune(bound.type())).type(),
                bound);
      }
      case Term.Form.ForIn f -> {
        Exp array = infer.exp(f.array());
        sizes.level++;
        Type elem = ((Type.Array) infer.norm(array.type())).elem();
        Pat p = infer.pat(f.pat(), elem, Map.of(), new LinkedHashSet<>());
        pat = loopPat(l, loopType, names);
        form = new Exp.Form.ForIn(p, array);
      }
      case Term.Form.While w -> {
        sizes.level++;
        pat = loopPat(l, loopType, names);
        form = new Exp.Form.While(infer.exp(w.cond()));
      }
    }
    sizes.level++;
    body = infer.exp(l.body());

    Type bodyType = infer.norm(body.type());
    Type patType = infer.norm(pat.type());
    checkInside(patType, before, initial.keySet(), l);
    unifyBody(someFresh(patType, resolved(initial).keySet(), l.loc()), bodyType, l);
    Set<Name> variant =
        variant(infer.norm(loopType), infer.norm(body.type()), resolved(initial), before);
    for (Name n : variant) {
      SizeSolver.Info i = sizes.info(n);
      if (i != null && levels.containsKey(n) && i.level < levels.get(n)) {
        throw new DiagnosticException(
            Diagnostic.error(
                    "E0515",
                    l.loc(),
                    "Loop-variant size \""
                        + n.base()
                        + "\" has escaped into a type that occurs outside of the loop, probably"
                        + " because the loop body uses a variable whose type depends on the loop"
                        + " parameter.")
                .see("loop-variant-escape"));
      }
    }
    pat = sizes.normaliser().pat(pat);
    List<Name> loopSizes = new ArrayList<>(variant);
    for (Name n : loopSizes) {
      SizeSolver.Info i = sizes.info(n);
      if (i != null) {
        i.kind = SizeSolver.Kind.PARAM;
      }
    }
    unifyBody(freshParams(pat.type(), variant, l.loc()), infer.norm(body.type()), l);
    sizes.level = outer;
    Type initType = infer.norm(init.type());
    Type expected = freshParams(pat.type(), variant, l.loc());
    infer.unify(
        l.init().loc(),
        "matching initial loop values to pattern",
        "Initial loop values do not have expected type.",
        expected,
        initType);
    pat = sizes.normaliser().pat(pat);
    List<Name> made = new ArrayList<>();
    Subst s = new Subst(infer.cx.names);
    for (Name n : loopSizes) {
      Name u =
          sizes.unknown("loop", l.loc(), "is unknown size of value returned at " + l.loc() + ".");
      made.add(u);
      s.size(n, SizeSolver.ref(u));
    }
    Type result = SizeInfer.plain(s.type(pat.type()));
    Set<Name> free = Positions.free(result);
    made.removeIf(n -> !free.contains(n));
    Set<Name> typed = new HashSet<>();
    typedNames(l.pat(), false, typed);
    return new Exp.Loop(
        loopSizes, pat, typed, l.trueDeps(), init, form, body, made, result, l.loc());
  }

  private static void typedNames(Term.TPat p, boolean typed, Set<Name> into) {
    switch (p) {
      case Term.TPat.Var v -> {
        if (typed) {
          into.add(v.var().name);
        }
      }
      case Term.TPat.Wildcard w -> {}
      case Term.TPat.Literal l -> {}
      case Term.TPat.Record r -> r.fields().values().forEach(f -> typedNames(f, typed, into));
      case Term.TPat.Constr c -> c.payload().forEach(f -> typedNames(f, typed, into));
      case Term.TPat.Ascript a -> typedNames(a.pat(), true, into);
    }
  }

  private Pat loopPat(Term.Loop l, Type loopType, Set<Name> names) {
    Map<Name, Name> binders = infer.sizeBinders(l.sizes(), names);
    Pat p = infer.pat(l.pat(), loopType, binders, names);
    infer.checkBinders(l.sizes(), p);
    return p;
  }

  private Type freshType(Type t, Map<Name, Type.Size> initial, Map<Name, Integer> levels, Loc loc) {
    return new Mapper() {
      @Override
      Type.Size size(Type.Size s) {
        Name n = sizes.flexible("loop_d", loc, "loop parameter type inference");
        initial.put(n, s);
        levels.put(n, sizes.level);
        return SizeSolver.ref(n);
      }
    }.type(t);
  }

  /** Returns the initial sizes, keyed by the current representatives of the parameter's sizes. */
  private Map<Name, Type.Size> resolved(Map<Name, Type.Size> initial) {
    Map<Name, Type.Size> result = new LinkedHashMap<>();
    initial.forEach(
        (n, start) -> {
          if (sizes.norm(SizeSolver.ref(n)) instanceof Type.Size.Var v
              && sizes.isFlexible(v.name())) {
            result.putIfAbsent(v.name(), start);
          }
        });
    return result;
  }

  /** Replaces every occurrence of some sizes in a type by separate fresh flexible sizes. */
  private Type someFresh(Type t, Set<Name> names, Loc loc) {
    return new Mapper() {
      @Override
      Type.Size size(Type.Size s) {
        return s instanceof Type.Size.Var v && names.contains(v.name())
            ? SizeSolver.ref(sizes.flexible("loop", loc, "loop"))
            : s;
      }
    }.type(t);
  }

  /**
   * Replaces each of some sizes in a type by one fresh flexible size, as at a call of the loop body
   * as a function.
   */
  private Type freshParams(Type t, Set<Name> names, Loc loc) {
    Subst s = new Subst(infer.cx.names);
    for (Name n : names) {
      s.size(n, SizeSolver.ref(sizes.flexible("loop", loc, "matching loop values to pattern")));
    }
    return s.isEmpty() ? t : s.type(t);
  }

  private void unifyBody(Type pat, Type body, Term.Loop l) {
    infer.unify(
        l.body().loc(),
        "matching loop body to loop pattern",
        "Loop body does not have expected type.",
        pat,
        body);
  }

  private void checkInside(Type pat, int before, Set<Name> fresh, Term.Loop l) {
    for (Name n : Positions.free(pat)) {
      if (n.tag() > before && !fresh.contains(n) && sizes.isUnknown(n)) {
        SizeSolver.Info i = sizes.info(n);
        throw SizeInfer.error(
            "E0514",
            l.pat().loc(),
            "Inferred type for loop parameter is\n  "
                + TypePrinter.show(pat)
                + "\nbut \""
                + n.base()
                + "\" is an existential size created inside the loop body"
                + (i == null ? "." : " at " + i.loc + "."));
      }
    }
  }

  /** Tests whether an initial size is still unsolved and belongs to inference outside the loop. */
  private boolean isToBeFound(Type.Size start) {
    if (!(start instanceof Type.Size.Var v) || !sizes.isFlexible(v.name())) {
      return false;
    }
    SizeSolver.Info i = sizes.info(v.name());
    return i != null && i.solution == null && !i.ofParameter;
  }

  /** Solves an initial size that is still open to the constant size that the body returns. */
  private void settle(Type.Size start, Type.Size number) {
    if (start instanceof Type.Size.Var v) {
      SizeSolver.Info i = sizes.info(v.name());
      if (i != null) {
        i.solution = number;
      }
    }
  }

  /** Returns the loop-variant sizes. Solves each loop-invariant size to its initial size. */
  private Set<Name> variant(
      Type loopType, Type bodyType, Map<Name, Type.Size> initial, int before) {
    Set<Name> variant = new LinkedHashSet<>();
    Map<Name, Reproduced> reproduced = new LinkedHashMap<>();
    SizeUnifier.matchSizes(
        loopType,
        bodyType,
        (e, d) -> {
          if (SizeExps.same(e, d)) {
            return e;
          }
          Set<Name> free = new LinkedHashSet<>();
          SizeExps.names(e, free);
          for (Name n : free) {
            Type.Size start = initial.get(n);
            if (start == null) {
              continue;
            }
            start = sizes.norm(start);
            if (d instanceof Type.Size.Const && isToBeFound(start)) {
              settle(start, d);
            }
            start = sizes.norm(start);
            if (SizeExps.same(start, d)) {
              reproduced.put(n, new Reproduced(null));
            } else if (d instanceof Type.Size.Var v
                && initial.containsKey(v.name())
                && SizeExps.same(sizes.norm(initial.get(v.name())), start)) {
              reproduced.put(n, new Reproduced(v.name()));
            } else if (n.tag() > before) {
              variant.add(n);
            }
          }
          return e;
        });
    boolean changed = true;
    while (changed) {
      changed = false;
      for (Map.Entry<Name, Reproduced> r : reproduced.entrySet()) {
        if (r.getValue().from != null
            && variant.contains(r.getValue().from)
            && variant.add(r.getKey())) {
          changed = true;
        }
      }
    }
    Set<Name> invariant = new HashSet<>(reproduced.keySet());
    invariant.removeAll(variant);
    for (Name n : invariant) {
      SizeSolver.Info i = sizes.info(n);
      if (i != null && i.solution == null) {
        i.solution = initial.get(n);
      }
    }
    return variant;
  }
}
