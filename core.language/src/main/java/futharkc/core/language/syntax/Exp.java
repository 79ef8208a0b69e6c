package futharkc.core.language.syntax;

import futharkc.core.ir.Loc;
import java.math.BigInteger;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An expression as written. Chains of {@code let} are one node, so that walkers need not recurse
 * over them.
 */
public sealed interface Exp {
  Loc loc();

  /** An integer, also one in a character literal; negation is a node of its own. */
  record IntLit(BigInteger value, @Nullable PrimType suffix, Loc loc) implements Exp {}

  /** A decimal or hexadecimal float, as text that {@link Double#parseDouble} accepts. */
  record FloatLit(String text, @Nullable PrimType suffix, Loc loc) implements Exp {}

  /** {@code true} or {@code false}. */
  record BoolLit(boolean value, Loc loc) implements Exp {}

  /** A string; its value is an array of the UTF-8 bytes. */
  record StringLit(String value, Loc loc) implements Exp {}

  /** A variable. */
  record Var(QualName name, Loc loc) implements Exp {}

  /** {@code ???}. */
  record Hole(Loc loc) implements Exp {}

  /** {@code (e)}: kept for ranges in messages and for sections. */
  record Paren(Exp exp, Loc loc) implements Exp {}

  /** {@code (a, b)}; {@code ()} when empty. */
  record Tuple(List<Exp> elems, Loc loc) implements Exp {}

  /** {@code {x = a, y}}. */
  record Record(List<Field> fields, Loc loc) implements Exp {}

  /** {@code [a, b]}. */
  record ArrayLit(List<Exp> elems, Loc loc) implements Exp {}

  /** {@code e.f}, {@code e.0}. */
  record Project(Exp exp, String field, Loc loc) implements Exp {}

  /** {@code M.(e)}. */
  record OpenIn(QualName module, Exp exp, Loc loc) implements Exp {}

  /** {@code f x y}; at least one argument. */
  record Apply(Exp fun, List<Exp> args, Loc loc) implements Exp {}

  /** {@code #c x y}. */
  record Constr(String name, List<Exp> args, Loc loc) implements Exp {}

  /** Prefix {@code -}. */
  record Negate(Exp exp, Loc loc) implements Exp {}

  /** Prefix {@code !}. */
  record Not(Exp exp, Loc loc) implements Exp {}

  /** An infix operator, a name in backticks included; also {@code &&}, {@code ||}, {@code |>}. */
  record BinOp(Exp left, QualName op, Loc opLoc, Exp right, Loc loc) implements Exp {}

  /** {@code e : t}. */
  record Ascript(Exp exp, TypeExp type, Loc loc) implements Exp {}

  /** {@code e :> t}. */
  record Coerce(Exp exp, TypeExp type, Loc loc) implements Exp {}

  /** {@code a..b...c}, {@code a..<c}, {@code a..>c}. */
  record Range(Exp start, @Nullable Exp second, RangeKind kind, Exp end, Loc loc) implements Exp {}

  /** {@code a[i, j:k]}. */
  record Index(Exp array, List<DimIndex> dims, Loc loc) implements Exp {}

  /** {@code e with [i].f = v}. */
  record With(Exp src, List<Access> path, Exp value, Loc loc) implements Exp {}

  /** {@code let ... let ... in e}, in order; at least one binding. */
  record Let(List<Binding> bindings, Exp body, Loc loc) implements Exp {}

  /** {@code if c then a else b}. */
  record If(Exp cond, Exp then, Exp otherwise, Loc loc) implements Exp {}

  /** {@code match e case p -> e ...}. */
  record Match(Exp exp, List<Case> cases, Loc loc) implements Exp {}

  /**
   * {@code loop [n] p = e for ... do e}; without an initial value, the pattern read as an
   * expression.
   */
  record Loop(List<SizeBinder> sizes, Pat pat, @Nullable Exp init, LoopForm form, Exp body, Loc loc)
      implements Exp {}

  /** {@code \p q : t -> e}. */
  record Lambda(List<Pat> params, @Nullable TypeExp result, Exp body, Loc loc) implements Exp {}

  /** {@code (+)}. */
  record OpSection(QualName op, Loc loc) implements Exp {}

  /** {@code (x+)}. */
  record LeftSection(Exp left, QualName op, Loc opLoc, Loc loc) implements Exp {}

  /** {@code (+x)}. */
  record RightSection(QualName op, Loc opLoc, Exp right, Loc loc) implements Exp {}

  /** {@code (.f.g)}, {@code (.[i,j])}, and mixtures. */
  record AccessSection(List<Access> path, Loc loc) implements Exp {}

  /** {@code assert c e}; the text is the condition's source. */
  record Assert(Exp cond, String text, Exp exp, Loc loc) implements Exp {}

  /** {@code #[a] e}. */
  record Attributed(Attr attr, Exp exp, Loc loc) implements Exp {}

  /** A field of a record; without an expression, the variable of its name. */
  record Field(String name, @Nullable Exp exp, Loc loc) {}

  /** One branch of a {@code match}. */
  record Case(Pat pat, Exp body, Loc loc) {}

  /** A size named in {@code let [n] p = e} or {@code loop [n] ...}. */
  record SizeBinder(String name, Loc loc) {}

  /** The three ways a range ends. */
  enum RangeKind {
    /** {@code ...}. */
    INCLUSIVE,
    /** {@code ..<}. */
    UP_TO,
    /** {@code ..>}. */
    DOWN_TO
  }

  /** One dimension of an index. */
  sealed interface DimIndex {
    /** {@code i}. */
    record Fix(Exp index) implements DimIndex {}

    /** {@code i:j:s}, each part optional. */
    record Slice(@Nullable Exp start, @Nullable Exp end, @Nullable Exp stride, Loc loc)
        implements DimIndex {}
  }

  /** One step into a value. */
  sealed interface Access {
    Loc loc();

    /** {@code .f}. */
    record Field(String name, Loc loc) implements Access {}

    /** {@code [i, j]}. */
    record Elem(List<DimIndex> dims, Loc loc) implements Access {}
  }

  /** One {@code let}. */
  sealed interface Binding {
    Loc loc();

    /** {@code let [n] p = e}. */
    record OfPat(List<SizeBinder> sizes, Pat pat, Exp value, Loc loc) implements Binding {}

    /** {@code let f [n] 'a x y : t = e}. */
    record OfFun(
        String name,
        List<TypeParam> typeParams,
        List<Pat> params,
        @Nullable TypeExp result,
        Exp body,
        Loc nameLoc,
        Loc loc)
        implements Binding {}

    /** {@code let a[i].f = e}. */
    record OfUpdate(String name, Loc nameLoc, List<Access> path, Exp value, Loc loc)
        implements Binding {}
  }

  /** What drives a loop. */
  sealed interface LoopForm {
    /** {@code for i < n}. */
    record For(String index, Loc indexLoc, Exp bound) implements LoopForm {}

    /** {@code for p in xs}. */
    record ForIn(Pat pat, Exp array) implements LoopForm {}

    /** {@code while c}. */
    record While(Exp cond) implements LoopForm {}
  }
}
