package futharkc.core.language.syntax;

import futharkc.core.ir.Loc;
import java.math.BigInteger;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An expression as written. A chain of {@code let} is one node, so that traversals need not recurse
 * over it.
 */
public sealed interface Exp {
  Loc loc();

  /** An integer or character literal. Negation is a separate node. */
  record IntLit(BigInteger value, @Nullable PrimType suffix, Loc loc) implements Exp {}

  /** A decimal or hexadecimal float, as text that {@link Double#parseDouble} accepts. */
  record FloatLit(String text, @Nullable PrimType suffix, Loc loc) implements Exp {}

  /** A boolean: {@code true} or {@code false}. */
  record BoolLit(boolean value, Loc loc) implements Exp {}

  /** A string. Its value is an array of the UTF-8 bytes. */
  record StringLit(String value, Loc loc) implements Exp {}

  /** A variable. */
  record Var(QualName name, Loc loc) implements Exp {}

  /** A hole: {@code ???}. */
  record Hole(Loc loc) implements Exp {}

  /**
   * An expression in parentheses, {@code (e)}. The node is needed for source ranges and for
   * sections.
   */
  record Paren(Exp exp, Loc loc) implements Exp {}

  /** A tuple {@code (a, b)}, or the unit value {@code ()}. */
  record Tuple(List<Exp> elems, Loc loc) implements Exp {}

  /** A record: {@code {x = a, y}}. */
  record Record(List<Field> fields, Loc loc) implements Exp {}

  /** An array literal: {@code [a, b]}. */
  record ArrayLit(List<Exp> elems, Loc loc) implements Exp {}

  /** A projection: {@code e.f}, {@code e.0}. */
  record Project(Exp exp, String field, Loc loc) implements Exp {}

  /** An expression with an opened module: {@code M.(e)}. */
  record OpenIn(QualName module, Exp exp, Loc loc) implements Exp {}

  /** An application {@code f x y} to at least one argument. */
  record Apply(Exp fun, List<Exp> args, Loc loc) implements Exp {}

  /** A constructor with its arguments: {@code #c x y}. */
  record Constr(String name, List<Exp> args, Loc loc) implements Exp {}

  /** A negation: prefix {@code -}. */
  record Negate(Exp exp, Loc loc) implements Exp {}

  /** A logical or bitwise complement: prefix {@code !}. */
  record Not(Exp exp, Loc loc) implements Exp {}

  /**
   * An application of an infix operator or of a name in backticks, including {@code &&}, {@code ||}
   * and {@code |>}.
   */
  record BinOp(Exp left, QualName op, Loc opLoc, Exp right, Loc loc) implements Exp {}

  /** A type ascription: {@code e : t}. */
  record Ascript(Exp exp, TypeExp type, Loc loc) implements Exp {}

  /** A size coercion: {@code e :> t}. */
  record Coerce(Exp exp, TypeExp type, Loc loc) implements Exp {}

  /** A range: {@code a..b...c}, {@code a..<c}, {@code a..>c}. */
  record Range(Exp start, @Nullable Exp second, RangeKind kind, Exp end, Loc loc) implements Exp {}

  /** An index or slice: {@code a[i, j:k]}. */
  record Index(Exp array, List<DimIndex> dims, Loc loc) implements Exp {}

  /** An update: {@code e with [i].f = v}. */
  record With(Exp src, List<Access> path, Exp value, Loc loc) implements Exp {}

  /** A chain of bindings {@code let ... let ... in e}, in order; at least one binding. */
  record Let(List<Binding> bindings, Exp body, Loc loc) implements Exp {}

  /** A conditional: {@code if c then a else b}. */
  record If(Exp cond, Exp then, Exp otherwise, Loc loc) implements Exp {}

  /** A match: {@code match e case p -> e ...}. */
  record Match(Exp exp, List<Case> cases, Loc loc) implements Exp {}

  /**
   * A loop {@code loop [n] p = e for ... do e}. Without an initial value, the pattern read as an
   * expression is the initial value.
   */
  record Loop(List<SizeBinder> sizes, Pat pat, @Nullable Exp init, LoopForm form, Exp body, Loc loc)
      implements Exp {}

  /** A lambda: {@code \p q : t -> e}. */
  record Lambda(List<Pat> params, @Nullable TypeExp result, Exp body, Loc loc) implements Exp {}

  /** An operator as a function: {@code (+)}. */
  record OpSection(QualName op, Loc loc) implements Exp {}

  /** An operator with its left operand: {@code (x+)}. */
  record LeftSection(Exp left, QualName op, Loc opLoc, Loc loc) implements Exp {}

  /** An operator with its right operand: {@code (+x)}. */
  record RightSection(QualName op, Loc opLoc, Exp right, Loc loc) implements Exp {}

  /**
   * A path of projections and indices as a function: {@code (.f.g)}, {@code (.[i,j])}, and
   * mixtures.
   */
  record AccessSection(List<Access> path, Loc loc) implements Exp {}

  /** An assertion {@code assert c e}. The text is the source of the condition. */
  record Assert(Exp cond, String text, Exp exp, Loc loc) implements Exp {}

  /** An expression with an attribute: {@code #[a] e}. */
  record Attributed(Attr attr, Exp exp, Loc loc) implements Exp {}

  /** A field of a record. Without an expression, the value is the variable of the same name. */
  record Field(String name, @Nullable Exp exp, Loc loc) {}

  /** A case of a {@code match}. */
  record Case(Pat pat, Exp body, Loc loc) {}

  /** A size binder in {@code let [n] p = e} or {@code loop [n] ...}. */
  record SizeBinder(String name, Loc loc) {}

  /** The kinds of a range's end. */
  enum RangeKind {
    /** An inclusive end: {@code ...}. */
    INCLUSIVE,
    /** An exclusive upper end: {@code ..<}. */
    UP_TO,
    /** An exclusive lower end: {@code ..>}. */
    DOWN_TO
  }

  /** An index or slice of one dimension. */
  sealed interface DimIndex {
    /** An index: {@code i}. */
    record Fix(Exp index) implements DimIndex {}

    /** A slice {@code i:j:s}; each component is optional. */
    record Slice(@Nullable Exp start, @Nullable Exp end, @Nullable Exp stride, Loc loc)
        implements DimIndex {}
  }

  /** A step of a path into a value. */
  sealed interface Access {
    Loc loc();

    /** A field: {@code .f}. */
    record Field(String name, Loc loc) implements Access {}

    /** An element or slice: {@code [i, j]}. */
    record Elem(List<DimIndex> dims, Loc loc) implements Access {}
  }

  /** A binding of a {@code let}. */
  sealed interface Binding {
    Loc loc();

    /** A pattern binding: {@code let [n] p = e}. */
    record OfPat(List<SizeBinder> sizes, Pat pat, Exp value, Loc loc) implements Binding {}

    /** A local function: {@code let f [n] 'a x y : t = e}. */
    record OfFun(
        String name,
        List<TypeParam> typeParams,
        List<Pat> params,
        @Nullable TypeExp result,
        Exp body,
        Loc nameLoc,
        Loc loc)
        implements Binding {}

    /** An update of a variable: {@code let a[i].f = e}. */
    record OfUpdate(String name, Loc nameLoc, List<Access> path, Exp value, Loc loc)
        implements Binding {}
  }

  /** The form of a loop. */
  sealed interface LoopForm {
    /** A counting loop: {@code for i < n}. */
    record For(String index, Loc indexLoc, Exp bound) implements LoopForm {}

    /** A loop over an array: {@code for p in xs}. */
    record ForIn(Pat pat, Exp array) implements LoopForm {}

    /** A conditional loop: {@code while c}. */
    record While(Exp cond) implements LoopForm {}
  }
}
