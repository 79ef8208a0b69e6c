package futharkc.core.language.check;

import futharkc.core.ir.Loc;
import futharkc.core.language.syntax.Exp;
import futharkc.core.language.syntax.Pat;
import futharkc.core.language.syntax.TypeParam.Liftedness;
import futharkc.core.language.typed.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The types of patterns in the first pass. */
final class Patterns {
  private final TermInfer infer;
  private final TypeExps types;

  Patterns(TermInfer infer, TypeExps types) {
    this.infer = infer;
    this.types = types;
  }

  /** Checks that several patterns of one binding bind no name twice. */
  void checkDuplicates(List<Pat> pats) {
    checkDuplicates(pats, new HashMap<>());
  }

  /**
   * Checks that several patterns bind no name twice, and none of the names bound together with
   * them.
   */
  void checkDuplicates(List<Pat> pats, Map<String, Loc> seen) {
    for (Pat p : pats) {
      checkDuplicates(p, seen);
    }
  }

  private void checkDuplicates(Pat p, Map<String, Loc> seen) {
    switch (p) {
      case Pat.Var v -> bind(v.name(), v.loc(), seen);
      case Pat.Wildcard w -> {}
      case Pat.Literal l -> {}
      case Pat.Tuple t -> t.elems().forEach(e -> checkDuplicates(e, seen));
      case Pat.Record r -> {
        for (Pat.Field f : r.fields()) {
          if (f.pat() == null) {
            bind(f.name(), f.loc(), seen);
          } else {
            checkDuplicates(f.pat(), seen);
          }
        }
      }
      case Pat.Constr c -> c.payload().forEach(e -> checkDuplicates(e, seen));
      case Pat.Ascript a -> checkDuplicates(a.pat(), seen);
      case Pat.Attributed a -> checkDuplicates(a.pat(), seen);
    }
  }

  void bind(String name, Loc loc, Map<String, Loc> seen) {
    Loc old = seen.putIfAbsent(name, loc);
    if (old != null) {
      infer.error("E0303", loc, "Name \"" + name + "\" is also bound at " + old + ".");
    }
  }

  /** Checks a pattern against a type and binds its names. */
  Term.TPat pat(Pat p, Type expected) {
    Term.TPat result = infer(p);
    if (!(p instanceof Pat.Var) || result.type() != expected) {
      infer.expect(
          p.loc(),
          expected,
          result.type(),
          () ->
              "Pattern\n  "
                  + SyntaxText.pat(p)
                  + "\ncannot match value of type\n  "
                  + TypePrinter.unsized(expected));
    }
    return result;
  }

  /** Infers a pattern's type and binds its names. */
  Term.TPat infer(Pat p) {
    return switch (p) {
      case Pat.Var v -> var(v.name(), v.loc());
      case Pat.Wildcard w ->
          new Term.TPat.Wildcard(infer.fresh(Liftedness.LIFTED, w.loc()), w.loc());
      case Pat.Tuple t -> {
        if (t.elems().size() == 1) {
          yield infer(t.elems().get(0));
        }
        Map<String, Term.TPat> fields = new LinkedHashMap<>();
        List<Type> elems = new ArrayList<>();
        for (Pat e : t.elems()) {
          Term.TPat f = infer(e);
          fields.put(Integer.toString(elems.size()), f);
          elems.add(f.type());
        }
        yield new Term.TPat.Record(fields, Type.tuple(elems), t.loc());
      }
      case Pat.Record r -> {
        Map<String, Term.TPat> fields = new LinkedHashMap<>();
        Map<String, Type> fieldTypes = new HashMap<>();
        for (Pat.Field f : r.fields()) {
          if (f.name().startsWith("_")) {
            infer.error(
                "E0304",
                f.loc(),
                "Underscore-prefixed fields are not allowed. Did you mean \""
                    + f.name().substring(1)
                    + "=_\"?");
          }
          Term.TPat q = f.pat() == null ? var(f.name(), f.loc()) : infer(f.pat());
          if (fields.put(f.name(), q) != null) {
            infer.error(
                "E0303", r.loc(), "Duplicate fields in record pattern " + SyntaxText.pat(r) + ".");
          }
          fieldTypes.put(f.name(), q.type());
        }
        yield new Term.TPat.Record(fields, new Type.Record(Type.sorted(fieldTypes)), r.loc());
      }
      case Pat.Literal l -> {
        Exp e = l.negated() ? new Exp.Negate(l.literal(), l.loc()) : l.literal();
        Term t = infer.exp(e);
        yield new Term.TPat.Literal(t, t.type(), l.loc());
      }
      case Pat.Constr c -> {
        List<Term.TPat> payload = new ArrayList<>();
        List<Type> payloadTypes = new ArrayList<>();
        for (Pat q : c.payload()) {
          Term.TPat r = infer(q);
          payload.add(r);
          payloadTypes.add(r.type());
        }
        TypeVar v = infer.fresh(Liftedness.LIFTED, c.loc());
        v.variant(c.name(), payloadTypes);
        yield new Term.TPat.Constr(c.name(), payload, v, c.loc());
      }
      case Pat.Ascript a -> {
        Term.TypeTerm t = types.typeTerm(a.type());
        Term.TPat q = pat(a.pat(), t.type());
        yield new Term.TPat.Ascript(q, t, a.loc());
      }
      case Pat.Attributed a -> infer(a.pat());
    };
  }

  private Term.TPat.Var var(String name, Loc loc) {
    LocalVar v = infer.local(name, infer.fresh(Liftedness.LIFTED, loc), loc);
    infer.names.bind(name, v);
    return new Term.TPat.Var(v, v.type, loc);
  }
}
