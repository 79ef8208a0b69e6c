package futharkc.core.language.typed;

import futharkc.core.ir.Loc;
import futharkc.core.language.syntax.Attr;
import futharkc.core.language.syntax.Exp.RangeKind;
import futharkc.core.language.syntax.PrimType;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * A checked expression. Where a node's result has sizes that are known only after it has been
 * evaluated, the node lists them as {@code sizes}: they are bound there, occur in {@code type}, and
 * are in scope from there on.
 */
public sealed interface Exp {
  Loc loc();

  /** The type of the value, with uniqueness marks false. */
  Type type();

  /**
   * A literal.
   *
   * @param bits the two's complement value of an integer, 0 or 1 for a boolean, {@link
   *     Double#doubleToRawLongBits} of a float's value (already rounded to its type)
   */
  record Lit(PrimType prim, long bits, Loc loc) implements Exp {
    @Override
    public Type type() {
      return Type.prim(prim);
    }
  }

  /** A string: a {@code [n]u8}, n a constant. */
  record StringLit(byte[] bytes, Type type, Loc loc) implements Exp {}

  /**
   * A variable or intrinsic. In the arguments, sizes may be {@link Type.Size.Any}.
   *
   * @param sizeArgs what the size parameters of a polymorphic definition are here, in its order;
   *     fewer or more where an abstract type hides sizes that the definition has parameters for
   * @param typeArgs what its type parameters are here, in its order
   */
  record Var(Name name, List<Type.Size> sizeArgs, List<Type> typeArgs, Type type, Loc loc)
      implements Exp {}

  /** {@code ???}: an error at run time. */
  record Hole(Type type, Loc loc) implements Exp {}

  /** A tuple or record; evaluated in the order of {@code order}, the fields as written. */
  record Record(SortedMap<String, Exp> fields, List<String> order, Type type, Loc loc)
      implements Exp {
    public Record {
      fields = Type.sorted(fields);
      order = List.copyOf(order);
    }
  }

  /** An array of these elements; the type tells those of an empty one. */
  record ArrayLit(List<Exp> elems, Type type, Loc loc) implements Exp {}

  /** {@code e.f}. */
  record Project(Exp exp, String field, Type type, Loc loc) implements Exp {}

  /** Application to one or more arguments, evaluated before the function. */
  record Apply(Exp fun, List<Exp> args, List<Name> sizes, Type type, Loc loc) implements Exp {}

  /** {@code #c x y}. */
  record Constr(String name, List<Exp> args, Type type, Loc loc) implements Exp {}

  /** A built-in operator on values of one type; the arguments are of type {@code operands}. */
  record BinOp(Op op, Exp left, Exp right, Type operands, Type type, Loc loc) implements Exp {}

  /** Prefix {@code -} or {@code !}, on numbers or (the latter) integers and booleans. */
  record UnOp(Un op, Exp exp, Type type, Loc loc) implements Exp {}

  /** Short-circuiting {@code &&}. */
  record And(Exp left, Exp right, Loc loc) implements Exp {
    @Override
    public Type type() {
      return Type.prim(PrimType.BOOL);
    }
  }

  /** Short-circuiting {@code ||}. */
  record Or(Exp left, Exp right, Loc loc) implements Exp {
    @Override
    public Type type() {
      return Type.prim(PrimType.BOOL);
    }
  }

  /** {@code e :> t}: checked at run time; the text is the type as written. */
  record Coerce(Exp exp, Type type, String text, Loc loc) implements Exp {}

  /** A range; the elements are of one integer type, and the size may be existential. */
  record Range(
      Exp start,
      @Nullable Exp second,
      RangeKind kind,
      Exp end,
      List<Name> sizes,
      Type type,
      Loc loc)
      implements Exp {}

  /** {@code a[...]}. */
  record Index(Exp array, List<Dim> dims, List<Name> sizes, Type type, Loc loc) implements Exp {}

  /**
   * {@code e with path = v}; consumes the source where the path has an index. Evaluated in the
   * order of indexes, value, source.
   */
  record With(Exp src, List<Access> path, Exp value, Type type, Loc loc) implements Exp {}

  /** Bindings in order, then the body. */
  record Let(List<Binding> bindings, Exp body, List<Name> sizes, Type type, Loc loc)
      implements Exp {}

  /** A conditional. */
  record If(Exp cond, Exp then, Exp otherwise, List<Name> sizes, Type type, Loc loc)
      implements Exp {}

  /** A case distinction; the first case that matches. */
  record Match(Exp exp, List<Case> cases, List<Name> sizes, Type type, Loc loc) implements Exp {}

  /**
   * A loop.
   *
   * @param loopSizes sizes that vary from one iteration to the next, bound in the pattern's type
   *     and the body
   * @param typed the names in the pattern whose type was written: their unique marks are final,
   *     while of other names the body shows whether they are consumed
   * @param trueDeps the names in the pattern that are marked {@code #[true_dep]}
   */
  record Loop(
      List<Name> loopSizes,
      Pat pat,
      Set<Name> typed,
      Set<Name> trueDeps,
      Exp init,
      Form form,
      Exp body,
      List<Name> sizes,
      Type type,
      Loc loc)
      implements Exp {}

  /**
   * A function; one or more parameters.
   *
   * @param resultTyped whether the result type was written, so that its unique marks are final
   */
  record Lambda(
      List<Pat> params, Exp body, Type.Result result, boolean resultTyped, Type type, Loc loc)
      implements Exp {}

  /** {@code assert c e}; the text is the condition's source. */
  record Assert(Exp cond, String text, Exp exp, Loc loc) implements Exp {
    @Override
    public Type type() {
      return exp.type();
    }
  }

  /** {@code #[a] e}. */
  record Attributed(Attr attr, Exp exp, Loc loc) implements Exp {
    @Override
    public Type type() {
      return exp.type();
    }
  }

  /** The built-in operators; {@code &&} and {@code ||} are nodes of their own. */
  enum Op {
    ADD("+"),
    SUB("-"),
    MUL("*"),
    /** Rounds towards minus infinity on integers. */
    DIV("/"),
    /** Takes the sign of the divisor on integers. */
    MOD("%"),
    /** Rounds towards zero. */
    QUOT("//"),
    /** Takes the sign of the dividend. */
    REM("%%"),
    POW("**"),
    AND("&"),
    OR("|"),
    XOR("^"),
    SHL("<<"),
    /** Arithmetic on signed operands, logical on unsigned. */
    SHR(">>"),
    /** On values of any type without functions. */
    EQ("=="),
    NEQ("!="),
    LT("<"),
    LE("<="),
    GT(">"),
    GE(">=");

    /** The operator as written. */
    public final String text;

    Op(String text) {
      this.text = text;
    }
  }

  /** The prefix operators. */
  enum Un {
    NEGATE,
    NOT
  }

  /** One dimension of an index. */
  sealed interface Dim {
    /** An index of any signed integer type. */
    record Fix(Exp index) implements Dim {}

    /** A slice of i64 bounds. */
    record Slice(@Nullable Exp start, @Nullable Exp end, @Nullable Exp stride) implements Dim {}
  }

  /** One step into a value. */
  sealed interface Access {
    /** A field. */
    record Field(String name) implements Access {}

    /** An element or slice. */
    record Elem(List<Dim> dims) implements Access {}
  }

  /** One {@code let}. */
  sealed interface Binding {
    /** {@code let [n] p = e}; the sizes are bound by matching the pattern's type with the value. */
    record OfPat(List<Name> sizes, Pat pat, Exp value, Loc loc) implements Binding {}

    /** A local function, or value with size or type parameters. */
    record OfFun(ValDef def) implements Binding {}
  }

  /** One branch of a match. */
  record Case(Pat pat, Exp body, Loc loc) {}

  /** What drives a loop. */
  sealed interface Form {
    /** Counts from 0; the index is of type {@code prim}. */
    record For(Name index, PrimType prim, Exp bound) implements Form {}

    /** Over the rows of an array. */
    record ForIn(Pat pat, Exp array) implements Form {}

    /** As long as the condition, evaluated before each iteration with the pattern bound, holds. */
    record While(Exp cond) implements Form {}
  }
}
