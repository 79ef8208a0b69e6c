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
 * A checked expression. If the evaluation of a node computes sizes of its result, the node lists
 * these sizes as {@code sizes}. The node binds them; they occur in {@code type} and are in scope
 * afterwards.
 */
public sealed interface Exp {
  Loc loc();

  /** Returns the type of the value, with all unique marks false. */
  Type type();

  /**
   * A literal.
   *
   * @param bits the two's complement value of an integer, 0 or 1 for a boolean, or {@link
   *     Double#doubleToRawLongBits} of a float's value, rounded to its type
   */
  record Lit(PrimType prim, long bits, Loc loc) implements Exp {
    @Override
    public Type type() {
      return Type.prim(prim);
    }
  }

  /** A string of type {@code [n]u8} with a constant n. */
  record StringLit(byte[] bytes, Type type, Loc loc) implements Exp {}

  /**
   * A variable or intrinsic. Size arguments may be {@link Type.Size.Any}.
   *
   * @param sizeArgs the arguments for the size parameters of a polymorphic definition, in order;
   *     their number can differ from that of the parameters if an abstract type hides sizes
   * @param typeArgs the arguments for the type parameters, in order
   */
  record Var(Name name, List<Type.Size> sizeArgs, List<Type> typeArgs, Type type, Loc loc)
      implements Exp {}

  /** A hole {@code ???}, which raises a run-time error. */
  record Hole(Type type, Loc loc) implements Exp {}

  /**
   * A tuple or record.
   *
   * @param order the fields in source order, which is the order of evaluation
   */
  record Record(SortedMap<String, Exp> fields, List<String> order, Type type, Loc loc)
      implements Exp {
    public Record {
      fields = Type.sorted(fields);
      order = List.copyOf(order);
    }
  }

  /** An array literal. The type has the element type of an empty array. */
  record ArrayLit(List<Exp> elems, Type type, Loc loc) implements Exp {}

  /** A projection: {@code e.f}. */
  record Project(Exp exp, String field, Type type, Loc loc) implements Exp {}

  /** An application to one or more arguments. The arguments are evaluated before the function. */
  record Apply(Exp fun, List<Exp> args, List<Name> sizes, Type type, Loc loc) implements Exp {}

  /** A constructor with its arguments: {@code #c x y}. */
  record Constr(String name, List<Exp> args, Type type, Loc loc) implements Exp {}

  /** A built-in operator on two values of type {@code operands}. */
  record BinOp(Op op, Exp left, Exp right, Type operands, Type type, Loc loc) implements Exp {}

  /** Prefix {@code -} on numbers, or prefix {@code !} on integers and booleans. */
  record UnOp(Un op, Exp exp, Type type, Loc loc) implements Exp {}

  /** A short-circuiting {@code &&}. */
  record And(Exp left, Exp right, Loc loc) implements Exp {
    @Override
    public Type type() {
      return Type.prim(PrimType.BOOL);
    }
  }

  /** A short-circuiting {@code ||}. */
  record Or(Exp left, Exp right, Loc loc) implements Exp {
    @Override
    public Type type() {
      return Type.prim(PrimType.BOOL);
    }
  }

  /** A size coercion {@code e :> t}, checked at run time. The text is the type as written. */
  record Coerce(Exp exp, Type type, String text, Loc loc) implements Exp {}

  /** A range. The elements have one integer type. The size may be existential. */
  record Range(
      Exp start,
      @Nullable Exp second,
      RangeKind kind,
      Exp end,
      List<Name> sizes,
      Type type,
      Loc loc)
      implements Exp {}

  /** An index or slice: {@code a[...]}. */
  record Index(Exp array, List<Dim> dims, List<Name> sizes, Type type, Loc loc) implements Exp {}

  /**
   * An update {@code e with path = v}. It consumes the source if the path has an index. The order
   * of evaluation is indices, value, source.
   */
  record With(Exp src, List<Access> path, Exp value, Type type, Loc loc) implements Exp {}

  /** A chain of bindings, then the body. */
  record Let(List<Binding> bindings, Exp body, List<Name> sizes, Type type, Loc loc)
      implements Exp {}

  /** A conditional. */
  record If(Exp cond, Exp then, Exp otherwise, List<Name> sizes, Type type, Loc loc)
      implements Exp {}

  /** A match, which takes the first matching case. */
  record Match(Exp exp, List<Case> cases, List<Name> sizes, Type type, Loc loc) implements Exp {}

  /**
   * A loop.
   *
   * @param loopSizes the loop-variant sizes, bound in the pattern's type and the body
   * @param typed the names in the pattern with a written type; their unique marks are final, while
   *     the body determines the marks of other names
   * @param trueDeps the names in the pattern that have the attribute {@code #[true_dep]}
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
   * A function of one or more parameters.
   *
   * @param resultTyped whether the result type was written, so that its unique marks are final
   */
  record Lambda(
      List<Pat> params, Exp body, Type.Result result, boolean resultTyped, Type type, Loc loc)
      implements Exp {}

  /** An assertion {@code assert c e}. The text is the source of the condition. */
  record Assert(Exp cond, String text, Exp exp, Loc loc) implements Exp {
    @Override
    public Type type() {
      return exp.type();
    }
  }

  /** An expression with an attribute: {@code #[a] e}. */
  record Attributed(Attr attr, Exp exp, Loc loc) implements Exp {
    @Override
    public Type type() {
      return exp.type();
    }
  }

  /** The built-in operators, without {@code &&} and {@code ||}, which have their own nodes. */
  enum Op {
    ADD("+"),
    SUB("-"),
    MUL("*"),
    /** Division. Integer division rounds towards minus infinity. */
    DIV("/"),
    /** Modulo. On integers, the result has the sign of the divisor. */
    MOD("%"),
    /** Division that rounds towards zero. */
    QUOT("//"),
    /** Remainder. The result has the sign of the dividend. */
    REM("%%"),
    POW("**"),
    AND("&"),
    OR("|"),
    XOR("^"),
    SHL("<<"),
    /** Right shift: arithmetic on signed operands, logical on unsigned operands. */
    SHR(">>"),
    /** Equality of values of any type without functions. */
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

  /** An index or slice of one dimension. */
  sealed interface Dim {
    /** An index of any signed integer type. */
    record Fix(Exp index) implements Dim {}

    /** A slice with bounds of type i64. */
    record Slice(@Nullable Exp start, @Nullable Exp end, @Nullable Exp stride) implements Dim {}
  }

  /** A step of a path into a value. */
  sealed interface Access {
    /** A field. */
    record Field(String name) implements Access {}

    /** An element or slice. */
    record Elem(List<Dim> dims) implements Access {}
  }

  /** A binding of a {@code let}. */
  sealed interface Binding {
    /**
     * A pattern binding {@code let [n] p = e}. The match of the pattern's type with the value binds
     * the sizes.
     */
    record OfPat(List<Name> sizes, Pat pat, Exp value, Loc loc) implements Binding {}

    /** A local function, or a local value with size or type parameters. */
    record OfFun(ValDef def, Loc nameLoc) implements Binding {}
  }

  /** A case of a match. */
  record Case(Pat pat, Exp body, Loc loc) {}

  /** The form of a loop. */
  sealed interface Form {
    /** A counting loop. The index starts at 0 and has type {@code prim}. */
    record For(Name index, Loc indexLoc, PrimType prim, Exp bound) implements Form {}

    /** A loop over the rows of an array. */
    record ForIn(Pat pat, Exp array) implements Form {}

    /**
     * A conditional loop. The condition is evaluated before each iteration, with the pattern bound.
     */
    record While(Exp cond) implements Form {}
  }
}
