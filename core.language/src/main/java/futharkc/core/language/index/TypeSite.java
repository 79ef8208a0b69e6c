package futharkc.core.language.index;

import futharkc.core.ir.Loc;
import futharkc.core.language.syntax.Dec;
import futharkc.core.language.syntax.Exp;
import futharkc.core.language.syntax.ModExp;
import futharkc.core.language.syntax.Pat;
import futharkc.core.language.syntax.SourceFile;
import futharkc.core.language.syntax.TypeParam;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A place at which a program may state a type and does not.
 *
 * @param loc the range of the variable or, for results, of the last token before the type
 * @param typed the range whose type the place would state: that of the variable or the definition
 * @param kind the kind of the place
 */
public record TypeSite(Loc loc, Loc typed, Kind kind) {
  /** The kinds of places. */
  public enum Kind {
    /** The result of a function or value. */
    RESULT,
    /** A variable whose type needs no parentheses. */
    VARIABLE,
    /** A parameter, which needs parentheses with a type. */
    PARAMETER
  }

  /** Returns all places of a file, in the order of the definitions. */
  static List<TypeSite> of(SourceFile file) {
    var search = new Search();
    file.decs().forEach(search::dec);
    return search.sites;
  }

  /** A traversal of a syntax tree. */
  private static final class Search {
    final List<TypeSite> sites = new ArrayList<>();

    void dec(Dec dec) {
      switch (dec) {
        case Dec.Val v -> {
          v.params().forEach(p -> pat(p, Kind.PARAMETER));
          if (v.result() == null) {
            sites.add(
                new TypeSite(last(v.nameLoc(), v.typeParams(), v.params()), v.loc(), Kind.RESULT));
          }
          exp(v.body());
        }
        case Dec.Mod m -> mod(m.body());
        case Dec.Open o -> mod(o.mod());
        case Dec.Local l -> dec(l.dec());
        case Dec.Type _, Dec.Sig _, Dec.Import _ -> {}
      }
    }

    private static Loc last(Loc name, List<TypeParam> typeParams, List<Pat> params) {
      if (!params.isEmpty()) {
        return params.getLast().loc();
      }
      return typeParams.isEmpty() ? name : typeParams.getLast().loc();
    }

    private void mod(ModExp mod) {
      switch (mod) {
        case ModExp.Decs d -> d.decs().forEach(this::dec);
        case ModExp.Apply a -> {
          mod(a.functor());
          mod(a.arg());
        }
        case ModExp.Ascript a -> mod(a.mod());
        case ModExp.Lambda l -> mod(l.body());
        case ModExp.Var _, ModExp.Import _ -> {}
      }
    }

    private void pat(Pat pat, Kind kind) {
      switch (pat) {
        case Pat.Var v -> {
          if (Character.isLetter(v.name().charAt(0))) {
            sites.add(new TypeSite(v.loc(), v.loc(), kind));
          }
        }
        case Pat.Tuple t -> t.elems().forEach(p -> pat(p, Kind.VARIABLE));
        case Pat.Attributed a -> pat(a.pat(), kind);
        case Pat.Record _, Pat.Constr _, Pat.Ascript _, Pat.Wildcard _, Pat.Literal _ -> {}
      }
    }

    private void exps(List<Exp> exps) {
      exps.forEach(this::exp);
    }

    private void exp(@Nullable Exp exp) {
      switch (exp) {
        case null -> {}
        case Exp.IntLit _, Exp.FloatLit _, Exp.BoolLit _, Exp.StringLit _, Exp.Var _ -> {}
        case Exp.Hole _, Exp.OpSection _, Exp.AccessSection _ -> {}
        case Exp.Paren p -> exp(p.exp());
        case Exp.Tuple t -> exps(t.elems());
        case Exp.Record r -> r.fields().forEach(f -> exp(f.exp()));
        case Exp.ArrayLit a -> exps(a.elems());
        case Exp.Project p -> exp(p.exp());
        case Exp.OpenIn o -> exp(o.exp());
        case Exp.Apply a -> {
          exp(a.fun());
          exps(a.args());
        }
        case Exp.Constr c -> exps(c.args());
        case Exp.Negate n -> exp(n.exp());
        case Exp.Not n -> exp(n.exp());
        case Exp.BinOp b -> {
          exp(b.left());
          exp(b.right());
        }
        case Exp.Ascript a -> exp(a.exp());
        case Exp.Coerce c -> exp(c.exp());
        case Exp.Range r -> {
          exp(r.start());
          exp(r.second());
          exp(r.end());
        }
        case Exp.Index i -> exp(i.array());
        case Exp.With w -> {
          exp(w.src());
          exp(w.value());
        }
        case Exp.Let l -> {
          l.bindings().forEach(this::binding);
          exp(l.body());
        }
        case Exp.If i -> {
          exp(i.cond());
          exp(i.then());
          exp(i.otherwise());
        }
        case Exp.Match m -> {
          exp(m.exp());
          m.cases().forEach(c -> exp(c.body()));
        }
        case Exp.Loop l -> {
          if (l.init() != null) {
            pat(l.pat(), Kind.VARIABLE);
            exp(l.init());
          }
          switch (l.form()) {
            case Exp.LoopForm.For f -> exp(f.bound());
            case Exp.LoopForm.ForIn f -> {
              pat(f.pat(), Kind.VARIABLE);
              exp(f.array());
            }
            case Exp.LoopForm.While w -> exp(w.cond());
          }
          exp(l.body());
        }
        case Exp.Lambda l -> {
          l.params().forEach(p -> pat(p, Kind.PARAMETER));
          exp(l.body());
        }
        case Exp.LeftSection s -> exp(s.left());
        case Exp.RightSection s -> exp(s.right());
        case Exp.Assert a -> {
          exp(a.cond());
          exp(a.exp());
        }
        case Exp.Attributed a -> exp(a.exp());
      }
    }

    private void binding(Exp.Binding b) {
      switch (b) {
        case Exp.Binding.OfPat p -> {
          pat(p.pat(), Kind.VARIABLE);
          exp(p.value());
        }
        case Exp.Binding.OfFun f -> {
          f.params().forEach(p -> pat(p, Kind.PARAMETER));
          if (f.result() == null) {
            sites.add(
                new TypeSite(
                    last(f.nameLoc(), f.typeParams(), f.params()), f.nameLoc(), Kind.RESULT));
          }
          exp(f.body());
        }
        case Exp.Binding.OfUpdate u -> exp(u.value());
      }
    }
  }
}
