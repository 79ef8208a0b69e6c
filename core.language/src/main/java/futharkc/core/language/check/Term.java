package futharkc.core.language.check;

import futharkc.core.ir.Loc;
import futharkc.core.language.syntax.Attr;
import futharkc.core.language.syntax.Exp.RangeKind;
import futharkc.core.language.syntax.PrimType;
import futharkc.core.language.typed.Exp;
import futharkc.core.language.typed.Name;
import futharkc.core.language.typed.Type;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An expression between the two passes of inference. Names are resolved, syntactic sugar is
 * expanded, and types are known. The sizes in these types have no meaning.
 */
sealed interface Term {
  Loc loc();

  Type type();

  /** An integer literal, possibly of float type. */
  record Int(BigInteger value, Type type, Loc loc) implements Term {}

  /** A float literal. */
  record Float(String text, Type type, Loc loc) implements Term {}

  record Bool(boolean value, Loc loc) implements Term {
    @Override
    public Type type() {
      return Type.prim(PrimType.BOOL);
    }
  }

  record Str(byte[] bytes, Type type, Loc loc) implements Term {}

  record Local(LocalVar var, List<Type> typeArgs, Type type, Loc loc) implements Term {}

  record Global(Entity.Value value, List<Type> typeArgs, Type type, Loc loc) implements Term {}

  record Hole(Type type, Loc loc) implements Term {}

  record Record(Map<String, Term> fields, Type type, Loc loc) implements Term {}

  record ArrayLit(List<Term> elems, Type type, Loc loc) implements Term {}

  record Project(Term exp, String field, Type type, Loc loc) implements Term {}

  /**
   * An application.
   *
   * @param name the function as written, for messages
   * @param written the arguments as written, for messages
   */
  record Apply(
      Term fun,
      List<Term> args,
      @Nullable String name,
      List<? extends futharkc.core.language.syntax.Exp> written,
      Type type,
      Loc loc)
      implements Term {}

  record Constr(String name, List<Term> args, Type type, Loc loc) implements Term {}

  record BinOp(Exp.Op op, Term left, Term right, Type type, Loc loc) implements Term {}

  record UnOp(Exp.Un op, Term exp, Type type, Loc loc) implements Term {}

  record And(Term left, Term right, Loc loc) implements Term {
    @Override
    public Type type() {
      return Type.prim(PrimType.BOOL);
    }
  }

  record Or(Term left, Term right, Loc loc) implements Term {
    @Override
    public Type type() {
      return Type.prim(PrimType.BOOL);
    }
  }

  record Ascript(Term exp, TypeTerm as, Loc loc) implements Term {
    @Override
    public Type type() {
      return exp.type();
    }
  }

  record Coerce(Term exp, TypeTerm to, String text, Loc loc) implements Term {
    @Override
    public Type type() {
      return exp.type();
    }
  }

  record Range(Term start, @Nullable Term second, RangeKind kind, Term end, Type type, Loc loc)
      implements Term {}

  record Index(Term array, List<Dim> dims, Type type, Loc loc) implements Term {}

  record With(Term src, List<Access> path, Term value, Loc loc) implements Term {
    @Override
    public Type type() {
      return src.type();
    }
  }

  record Let(List<Binding> bindings, Term body, Loc loc) implements Term {
    @Override
    public Type type() {
      return body.type();
    }
  }

  record If(Term cond, Term then, Term otherwise, Loc loc) implements Term {
    @Override
    public Type type() {
      return then.type();
    }
  }

  record Match(Term exp, List<Case> cases, Type type, Loc loc) implements Term {}

  /**
   * A loop.
   *
   * @param trueDeps the names in the pattern that have the attribute {@code #[true_dep]}
   */
  record Loop(
      List<LocalVar> sizes, TPat pat, Set<Name> trueDeps, Term init, Form form, Term body, Loc loc)
      implements Term {
    @Override
    public Type type() {
      return init.type();
    }
  }

  record Lambda(List<TPat> params, @Nullable TypeTerm result, Term body, Type type, Loc loc)
      implements Term {}

  record Assert(Term cond, String text, Term exp, Loc loc) implements Term {
    @Override
    public Type type() {
      return exp.type();
    }
  }

  record Attributed(Attr attr, Term exp, Loc loc) implements Term {
    @Override
    public Type type() {
      return exp.type();
    }
  }

  record Case(TPat pat, Term body, Loc loc) {}

  sealed interface Dim {
    record Fix(Term index) implements Dim {}

    record Slice(@Nullable Term start, @Nullable Term end, @Nullable Term stride) implements Dim {}
  }

  sealed interface Access {
    record Field(String name) implements Access {}

    record Elem(List<Dim> dims) implements Access {}
  }

  sealed interface Binding {
    Loc loc();

    record OfPat(List<LocalVar> sizes, TPat pat, Term value, Loc loc) implements Binding {}

    record OfFun(LocalVar var, FunTerm fun) implements Binding {
      @Override
      public Loc loc() {
        return fun.loc();
      }
    }
  }

  sealed interface Form {
    record For(LocalVar index, Term bound) implements Form {}

    record ForIn(TPat pat, Term array) implements Form {}

    record While(Term cond) implements Form {}
  }

  /** A definition, at top level or local. */
  record FunTerm(
      Name name,
      List<LocalVar> sizeParams,
      List<TypeParamInfo> typeParams,
      List<TPat> params,
      @Nullable TypeTerm result,
      Term body,
      @Nullable LocalVar self,
      Loc loc) {}

  /** A pattern. */
  sealed interface TPat {
    Loc loc();

    Type type();

    record Var(LocalVar var, Type type, Loc loc) implements TPat {}

    record Wildcard(Type type, Loc loc) implements TPat {}

    record Record(Map<String, TPat> fields, Type type, Loc loc) implements TPat {}

    record Literal(Term literal, Type type, Loc loc) implements TPat {}

    record Constr(String name, List<TPat> payload, Type type, Loc loc) implements TPat {}

    record Ascript(TPat pat, TypeTerm as, Loc loc) implements TPat {
      @Override
      public Type type() {
        return as.type();
      }
    }
  }

  /**
   * A type as written, with abbreviations expanded.
   *
   * @param type the type; its sizes are constants, variables in scope, or names from the next four
   *     components
   * @param anonymous the sizes that inference determines
   * @param paramAnonymous the sizes among {@code anonymous} that occur in parameter types
   * @param bound the names that the type itself binds
   * @param sizes the size expressions, keyed by the names that represent them
   */
  record TypeTerm(
      Type type,
      List<Name> anonymous,
      List<Name> paramAnonymous,
      List<LocalVar> bound,
      Map<Name, Term> sizes,
      String text,
      Loc loc) {}
}
