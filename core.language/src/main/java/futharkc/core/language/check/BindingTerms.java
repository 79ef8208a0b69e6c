package futharkc.core.language.check;

import futharkc.core.ir.Loc;
import futharkc.core.language.syntax.Exp;
import futharkc.core.language.syntax.Pat;
import futharkc.core.language.syntax.PrimType;
import futharkc.core.language.syntax.QualName;
import futharkc.core.language.typed.Name;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The types of let-bindings and loops, without sizes. */
final class BindingTerms {
  private final TermInfer infer;

  BindingTerms(TermInfer infer) {
    this.infer = infer;
  }

  private List<LocalVar> sizeBinders(List<Exp.SizeBinder> binders, Map<String, Loc> seen) {
    List<LocalVar> sizes = new ArrayList<>();
    for (Exp.SizeBinder b : binders) {
      infer.patterns.bind(b.name(), b.loc(), seen);
      LocalVar v = infer.local(b.name(), SizeExps.I64, b.loc());
      infer.names.bind(b.name(), v);
      sizes.add(v);
    }
    return sizes;
  }

  Term let(Exp.Let l) {
    int mark = infer.names.mark();
    List<Term.Binding> bindings = new ArrayList<>(l.bindings().size());
    for (Exp.Binding b : l.bindings()) {
      switch (b) {
        case Exp.Binding.OfPat p -> {
          Term value = infer.exp(p.value());
          Map<String, Loc> seen = new HashMap<>();
          List<LocalVar> sizes = sizeBinders(p.sizes(), seen);
          infer.patterns.checkDuplicates(List.of(p.pat()), seen);
          Term.TPat pat = infer.patterns.pat(p.pat(), value.type());
          bindings.add(new Term.Binding.OfPat(sizes, pat, value, p.loc()));
        }
        case Exp.Binding.OfFun f -> {
          TermInfer.FunResult r =
              infer.function(
                  f.name(), f.typeParams(), f.params(), f.result(), f.body(), false, f.loc());
          LocalVar v =
              new LocalVar(r.fun().name(), f.nameLoc(), r.type(), r.fun().typeParams(), false);
          infer.names.bind(f.name(), v);
          bindings.add(new Term.Binding.OfFun(v, r.fun()));
        }
        case Exp.Binding.OfUpdate u -> {
          Term src = infer.references.variable(QualName.of(u.name()), u.nameLoc());
          Term value = infer.exp(u.value());
          Term updated = infer.arrays.with(src, u.path(), value, u.loc());
          LocalVar v = infer.local(u.name(), updated.type(), u.nameLoc());
          infer.names.bind(u.name(), v);
          bindings.add(
              new Term.Binding.OfPat(
                  List.of(), new Term.TPat.Var(v, v.type, u.nameLoc()), updated, u.loc()));
        }
      }
    }
    Term body = infer.exp(l.body());
    infer.names.reset(mark);
    return new Term.Let(bindings, body, l.loc());
  }

  private static Exp asExp(Pat p) {
    return switch (p) {
      case Pat.Var v -> new Exp.Var(QualName.of(v.name()), v.loc());
      case Pat.Wildcard w -> new Exp.Hole(w.loc());
      case Pat.Tuple t ->
          new Exp.Tuple(t.elems().stream().map(BindingTerms::asExp).toList(), t.loc());
      case Pat.Record r ->
          new Exp.Record(
              r.fields().stream()
                  .map(
                      f ->
                          new Exp.Field(f.name(), f.pat() == null ? null : asExp(f.pat()), f.loc()))
                  .toList(),
              r.loc());
      case Pat.Literal l -> l.literal();
      case Pat.Constr c ->
          new Exp.Constr(c.name(), c.payload().stream().map(BindingTerms::asExp).toList(), c.loc());
      case Pat.Ascript a -> asExp(a.pat());
      case Pat.Attributed a -> asExp(a.pat());
    };
  }

  /** Returns the names in a loop's pattern that have the attribute {@code #[true_dep]}. */
  private static Set<Name> trueDeps(Pat source, Term.TPat pat) {
    Set<String> marked = new HashSet<>();
    marked(source, false, marked);
    Set<Name> names = new LinkedHashSet<>();
    if (!marked.isEmpty()) {
      bound(pat, names);
    }
    names.removeIf(n -> !marked.contains(n.base()));
    return names;
  }

  private static void marked(Pat p, boolean inside, Set<String> into) {
    switch (p) {
      case Pat.Var v -> {
        if (inside) {
          into.add(v.name());
        }
      }
      case Pat.Wildcard w -> {}
      case Pat.Tuple t -> t.elems().forEach(q -> marked(q, inside, into));
      case Pat.Record r -> {
        for (Pat.Field f : r.fields()) {
          if (f.pat() != null) {
            marked(f.pat(), inside, into);
          } else if (inside) {
            into.add(f.name());
          }
        }
      }
      case Pat.Literal l -> {}
      case Pat.Constr c -> c.payload().forEach(q -> marked(q, inside, into));
      case Pat.Ascript a -> marked(a.pat(), inside, into);
      case Pat.Attributed a -> marked(a.pat(), inside || a.attr().is("true_dep"), into);
    }
  }

  private static void bound(Term.TPat p, Set<Name> into) {
    switch (p) {
      case Term.TPat.Var v -> into.add(v.var().name);
      case Term.TPat.Wildcard w -> {}
      case Term.TPat.Literal l -> {}
      case Term.TPat.Record r -> r.fields().values().forEach(f -> bound(f, into));
      case Term.TPat.Constr c -> c.payload().forEach(f -> bound(f, into));
      case Term.TPat.Ascript a -> bound(a.pat(), into);
    }
  }

  Term loop(Exp.Loop l) {
    Term init = infer.exp(l.init() != null ? l.init() : asExp(l.pat()));
    int mark = infer.names.mark();
    infer.patterns.checkDuplicates(List.of(l.pat()));
    Term.Form form;
    List<LocalVar> sizes;
    Term.TPat pat;
    switch (l.form()) {
      case Exp.LoopForm.For f -> {
        Term bound = infer.exp(f.bound());
        infer.require(TypeVar.INTEGERS, bound, "loop bound");
        sizes = sizeBinders(l.sizes(), new HashMap<>());
        pat = infer.patterns.pat(l.pat(), init.type());
        LocalVar i = infer.local(f.index(), bound.type(), f.indexLoc());
        infer.names.bind(f.index(), i);
        form = new Term.Form.For(i, bound);
      }
      case Exp.LoopForm.ForIn f -> {
        Term array = infer.exp(f.array());
        TypeVar elem = infer.elem(f.array().loc());
        infer.expect(
            f.array().loc(),
            TermInfer.array(1, elem),
            array.type(),
            "Iteratee of a for-in loop must be an array.");
        sizes = sizeBinders(l.sizes(), new HashMap<>());
        pat = infer.patterns.pat(l.pat(), init.type());
        infer.patterns.checkDuplicates(List.of(f.pat()));
        form = new Term.Form.ForIn(infer.patterns.pat(f.pat(), elem), array);
      }
      case Exp.LoopForm.While w -> {
        sizes = sizeBinders(l.sizes(), new HashMap<>());
        pat = infer.patterns.pat(l.pat(), init.type());
        Term cond = infer.exp(w.cond());
        infer.requirePrim(PrimType.BOOL, cond, "condition of a while loop");
        form = new Term.Form.While(cond);
      }
    }
    Term body = infer.exp(l.body());
    infer.expect(
        l.body().loc(), init.type(), body.type(), "Loop body does not have expected type.");
    TermInfer.notFunctional(init.type());
    infer.names.reset(mark);
    return new Term.Loop(sizes, pat, trueDeps(l.pat(), pat), init, form, body, l.loc());
  }
}
