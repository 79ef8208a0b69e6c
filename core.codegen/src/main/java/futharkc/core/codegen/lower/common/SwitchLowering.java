package futharkc.core.codegen.lower.common;

import futharkc.core.ir.CmpOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.PrimValue;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A lowering of multi-way branches. Few cases are nested conditionals. For many cases, code first
 * computes the number of the matching case and then finds it by binary search, so that nesting
 * stays shallow.
 */
final class SwitchLowering {
  /**
   * A case of a multi-way branch.
   *
   * @param value the value of the only scrutinee; null unless the case tests just one integer
   * @param cond the condition; null if it always holds
   * @param code the code of the case
   */
  record Arm(@Nullable PrimValue value, @Nullable Expr cond, List<Code> code) {}

  private SwitchLowering() {}

  /**
   * Returns code that runs the first matching case.
   *
   * @param scrutinee the expression that all cases compare with their values; null if there is none
   * @param number a fresh name
   * @param scope the symbol table, with the options of the pass
   */
  static List<Code> of(
      List<Arm> arms,
      List<Code> otherwise,
      @Nullable Expr scrutinee,
      Name number,
      FunctionSymbols scope) {
    int few = scope.number(CommonOptions.SWITCH_CASES);
    if (arms.size() <= few) {
      List<Code> rest = otherwise;
      for (int i = arms.size() - 1; i >= 0; i--) {
        Arm a = arms.get(i);
        rest = a.cond == null ? a.code : List.of(new Code.If(a.cond, a.code, rest));
      }
      return rest.size() == 1 && rest.get(0) instanceof Code.If
          ? rest
          : List.of(new Code.Scope(rest));
    }
    List<Code> out = new ArrayList<>();
    int none = arms.size();
    out.add(new Code.Declare(number, PrimType.I32, number(none)));
    if (scrutinee != null && arms.stream().allMatch(a -> a.value != null)) {
      TreeMap<Long, Integer> numbers = new TreeMap<>();
      for (int i = 0; i < none; i++) {
        numbers.putIfAbsent(value(arms.get(i)).asLong(), i);
      }
      out.addAll(
          bySize(
              scrutinee,
              number,
              new ArrayList<>(numbers.entrySet()),
              arms,
              scope.number(CommonOptions.SWITCH_LEAF)));
    } else {
      for (int from = 0; from < none; from += few) {
        List<Code> group = List.of();
        for (int i = Math.min(none, from + few) - 1; i >= from; i--) {
          Code found = new Code.Assign(number, number(i));
          Expr cond = arms.get(i).cond;
          group = List.of(cond == null ? found : new Code.If(cond, List.of(found), group));
        }
        Expr open =
            new Expr.Compare(new CmpOp(CmpOp.Kind.EQ, PrimType.I32), var(number), number(none));
        if (from == 0) {
          out.addAll(group);
        } else {
          out.add(new Code.If(open, group, List.of()));
        }
      }
    }
    List<List<Code>> bodies = new ArrayList<>();
    for (Arm a : arms) {
      bodies.add(a.code);
    }
    bodies.add(otherwise);
    out.addAll(numbered(number, bodies, 0, bodies.size()));
    return List.of(new Code.Scope(out));
  }

  /**
   * Returns code that finds the case of a value by binary search.
   *
   * @param cases the values of the cases in ascending order, with their numbers
   */
  private static List<Code> bySize(
      Expr scrutinee, Name number, List<Map.Entry<Long, Integer>> cases, List<Arm> arms, int leaf) {
    if (cases.size() <= leaf) {
      List<Code> rest = List.of();
      for (var c : cases) {
        Expr same = arms.get(c.getValue()).cond;
        Code found = new Code.Assign(number, number(c.getValue()));
        rest = List.of(same == null ? found : new Code.If(same, List.of(found), rest));
      }
      return rest;
    }
    int middle = cases.size() / 2;
    PrimValue pivot = value(arms.get(cases.get(middle).getValue()));
    return List.of(
        new Code.If(
            new Expr.Compare(
                new CmpOp(CmpOp.Kind.SLT, pivot.type()), scrutinee, new Expr.Const(pivot)),
            bySize(scrutinee, number, cases.subList(0, middle), arms, leaf),
            bySize(scrutinee, number, cases.subList(middle, cases.size()), arms, leaf)));
  }

  private static List<Code> numbered(Name number, List<List<Code>> bodies, int from, int to) {
    if (to - from == 1) {
      return bodies.get(from);
    }
    int middle = (from + to) >>> 1;
    return List.of(
        new Code.If(
            new Expr.Compare(new CmpOp(CmpOp.Kind.SLT, PrimType.I32), var(number), number(middle)),
            numbered(number, bodies, from, middle),
            numbered(number, bodies, middle, to)));
  }

  private static PrimValue value(Arm a) {
    if (a.value == null) {
      throw new IllegalStateException("a case without a value");
    }
    return a.value;
  }

  private static Expr var(Name number) {
    return new Expr.Var(number, PrimType.I32);
  }

  private static Expr number(int i) {
    return new Expr.Const(PrimValue.ofInt(PrimType.I32, i));
  }
}
