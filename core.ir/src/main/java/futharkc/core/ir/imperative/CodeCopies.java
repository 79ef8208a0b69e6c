package futharkc.core.ir.imperative;

import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Poly;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Copies of an iteration's code, each with its own index and fresh names. A copy is represented by
 * a map from names to their replacements.
 */
public final class CodeCopies {
  private CodeCopies() {}

  /** Returns all names that statements declare, at any depth. */
  public static Set<Name> declared(List<Code> code) {
    Set<Name> found = new LinkedHashSet<>();
    new CodeMapper() {
      @Override
      public Name binder(Name n) {
        found.add(n);
        return n;
      }
    }.statements(code);
    return found;
  }

  /** Returns a map from each declared name to a fresh name. */
  public static Map<Name, Poly> fresh(Set<Name> declared, NameSource names) {
    Map<Name, Poly> copy = new HashMap<>();
    for (Name n : declared) {
      copy.put(n, Poly.of(names.fresh(n)));
    }
    return copy;
  }

  /** Returns the statements with names replaced. */
  public static List<Code> of(List<Code> code, Map<Name, Poly> copy) {
    return code.stream().map(c -> one(c, copy)).toList();
  }

  /**
   * Interleaves copies: each statement appears once per copy, inside a single common loop or scope.
   * Statements common to all copies appear once. The loops in the code must have the same bounds in
   * all copies.
   */
  public static List<Code> sideBySide(List<Code> code, List<Map<Name, Poly>> copies) {
    List<Code> out = new ArrayList<>();
    for (Code c : code) {
      switch (c) {
        case Code.For f -> out.add(f.withBody(sideBySide(f.body(), copies)));
        case Code.Scope s -> out.add(new Code.Scope(sideBySide(s.body(), copies)));
        case Code.Simple _, Code.Compound _ -> {
          boolean common = copies.size() > 1 && isCommon(c, copies.get(0).keySet());
          for (Map<Name, Poly> copy : common ? copies.subList(0, 1) : copies) {
            out.add(one(c, copy));
          }
        }
      }
    }
    return out;
  }

  /**
   * Tests whether code only computes scalars that are common to all copies.
   *
   * @param own the names that each copy replaces
   */
  public static boolean isCommon(Code code, Set<Name> own) {
    return switch (code) {
      case Code.Declare d -> !own.contains(d.name());
      case Code.Assign a -> !own.contains(a.name());
      case Code.If i ->
          i.then().stream().allMatch(c -> isCommon(c, own))
              && i.otherwise().stream().allMatch(c -> isCommon(c, own));
      case Code.Simple _, Code.Compound _ -> false;
    };
  }

  /** Tests whether code only computes scalars and reads memory, without loops. */
  public static boolean isPure(List<Code> code) {
    return isPureBut(code, s -> false);
  }

  /**
   * Tests whether code only computes scalars, reads memory and performs accepted stores, without
   * loops.
   *
   * @param mayStore a test that accepts stores
   */
  public static boolean isPureBut(List<Code> code, Predicate<Code.Store> mayStore) {
    return isScalar(code, c -> c instanceof Code.Store s && mayStore.test(s));
  }

  /**
   * Tests whether code, which may have loops, only computes scalars, reads memory and, if allowed,
   * stores.
   */
  public static boolean computes(List<Code> code, boolean mayStore) {
    return isScalar(
        code,
        c ->
            c instanceof Code.For
                || c instanceof Code.While
                || mayStore && c instanceof Code.Store);
  }

  /**
   * Tests whether code consists of statements that copies support: scalars, conditionals, scopes,
   * stores and counted loops.
   */
  public static boolean canCopy(List<Code> code) {
    return isScalar(code, c -> c instanceof Code.Store || c instanceof Code.For);
  }

  /**
   * Tests whether code consists of scalar statements, conditionals, scopes and other accepted
   * statements.
   */
  private static boolean isScalar(List<Code> code, Predicate<Code> may) {
    return code.stream()
        .allMatch(
            c ->
                switch (c) {
                  case Code.Declare _, Code.Assign _ -> true;
                  case Code.Compound x ->
                      (x instanceof Code.If || x instanceof Code.Scope || may.test(x))
                          && x.bodies().stream().allMatch(b -> isScalar(b, may));
                  case Code.Simple x -> may.test(x);
                });
  }

  private static Code one(Code code, Map<Name, Poly> copy) {
    return new CodeMapper() {
      @Override
      public Name binder(Name declared) {
        return CodeCopies.name(declared, copy);
      }

      @Override
      public Name name(Name use) {
        return CodeCopies.name(use, copy);
      }

      @Override
      public Expr var(Expr.Var v) {
        Poly p = copy.get(v.name());
        if (p == null) {
          return v;
        }
        Name n = name(v.name());
        return p.equals(Poly.of(n)) ? new Expr.Var(n, v.type()) : new Expr.Index(p);
      }
    }.statement(code);
  }

  /** Returns the name of a variable in a copy. */
  public static Name name(Name n, Map<Name, Poly> copy) {
    Poly p = copy.get(n);
    if (p == null) {
      return n;
    }
    for (Poly.Product t : p.terms().keySet()) {
      if (p.terms().size() == 1 && t.factors().size() == 1) {
        return t.factors().get(0);
      }
    }
    return n;
  }
}
