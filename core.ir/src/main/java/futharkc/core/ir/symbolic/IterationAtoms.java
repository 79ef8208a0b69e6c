package futharkc.core.ir.symbolic;

import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The variables of the polynomials of {@link Iterations}: names of the program, and fresh names for
 * uninterpreted terms. Equal terms have equal names.
 */
final class IterationAtoms {
  /**
   * The meaning of a variable. A name of the program without an atom is invariant across
   * iterations.
   */
  sealed interface Atom {
    /** Tests whether the value may differ between iterations. */
    boolean varies();

    /** The number of the iteration, from 0. */
    record Iteration() implements Atom {
      @Override
      public boolean varies() {
        return true;
      }
    }

    /**
     * A value that is 0 or 1.
     *
     * @param ifTrue a polynomial that is at least 0 if the flag is 1, or null
     * @param ifFalse a polynomial that is at least 0 if the flag is 0, or null
     */
    record Flag(boolean varies, @Nullable Poly ifTrue, @Nullable Poly ifFalse) implements Atom {}

    /** The number of earlier iterations at which all of the flags are 1. */
    record Count(Poly.Product flags) implements Atom {
      @Override
      public boolean varies() {
        return true;
      }
    }

    /** The number of iterations at which all of the flags are 1. */
    record Total(Poly.Product flags) implements Atom {
      @Override
      public boolean varies() {
        return false;
      }
    }

    /**
     * An uninterpreted value.
     *
     * @param below an upper bound (exclusive) of a non-negative value, or null if unknown
     * @param text a description for messages
     */
    record Other(boolean varies, @Nullable Poly below, PrimType type, String text)
        implements Atom {}
  }

  private record Term(String op, List<Poly> operands) {}

  private final Map<Name, Atom> atoms = new HashMap<>();
  private final Map<Term, Name> interned = new HashMap<>();
  private int nextTag;
  final Name iteration;

  /**
   * Makes an empty table.
   *
   * @param nextTag a number greater than that of every name in the program
   */
  IterationAtoms(int nextTag) {
    this.nextTag = nextTag;
    iteration = fresh("iteration");
    atoms.put(iteration, new Atom.Iteration());
  }

  /** Returns a fresh name that is ordered after all others. */
  Name fresh(String base) {
    return new Name(base, nextTag++);
  }

  @Nullable Atom of(Name n) {
    return atoms.get(n);
  }

  boolean varies(Name n) {
    Atom a = atoms.get(n);
    return a != null && a.varies();
  }

  boolean isFlag(Name n) {
    return atoms.get(n) instanceof Atom.Flag;
  }

  boolean vary(List<Poly> all) {
    for (Poly p : all) {
      for (Poly.Product t : p.terms().keySet()) {
        for (Name n : t.factors()) {
          if (varies(n)) {
            return true;
          }
        }
      }
    }
    return false;
  }

  /** Records the meaning of a name of the program. */
  Poly program(Name n, Atom atom) {
    atoms.put(n, atom);
    return Poly.of(n);
  }

  /** Returns the flag of a term. The facts of the first request are kept. */
  Poly flag(String op, List<Poly> operands, @Nullable Poly ifTrue, @Nullable Poly ifFalse) {
    return named("flag", op, operands, new Atom.Flag(vary(operands), ifTrue, ifFalse));
  }

  /** Returns an uninterpreted value of a type. */
  Poly other(PrimType type, String op, List<Poly> operands, @Nullable Poly below, String text) {
    Atom atom =
        type == PrimType.BOOL
            ? new Atom.Flag(vary(operands), null, null)
            : new Atom.Other(vary(operands), below, type, text);
    return named("some", op, operands, atom);
  }

  Poly count(Poly.Product flags) {
    return named("count", "count", List.of(product(flags)), new Atom.Count(flags));
  }

  Poly total(Poly.Product flags) {
    return named("total", "total", List.of(product(flags)), new Atom.Total(flags));
  }

  static Poly product(Poly.Product factors) {
    return Poly.of(factors, 1);
  }

  private Poly named(String base, String op, List<Poly> operands, Atom atom) {
    Name n =
        interned.computeIfAbsent(
            new Term(op, operands),
            t -> {
              Name f = fresh(base);
              atoms.put(f, atom);
              return f;
            });
    return Poly.of(n);
  }
}
