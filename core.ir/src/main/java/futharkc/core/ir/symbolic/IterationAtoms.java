package futharkc.core.ir.symbolic;

import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The variables of the polynomials of {@link Iterations}: names of the program, and new names for
 * what is not a sum or product of others. Equal terms have equal names.
 */
final class IterationAtoms {
  /** What a variable is. A name of the program without one is the same at every iteration. */
  sealed interface Atom {
    /** Whether it may differ between iterations. */
    boolean varies();

    /** The number of the iteration, from 0. */
    record Iteration() implements Atom {
      @Override
      public boolean varies() {
        return true;
      }
    }

    /**
     * 0 or 1.
     *
     * @param ifTrue at least 0 where this is 1, if anything is known
     * @param ifFalse at least 0 where this is 0
     */
    record Flag(boolean varies, @Nullable Poly ifTrue, @Nullable Poly ifFalse) implements Atom {}

    /** At how many earlier iterations all of these flags were 1. */
    record Count(Poly.Product flags) implements Atom {
      @Override
      public boolean varies() {
        return true;
      }
    }

    /** At how many iterations all of these flags are 1. */
    record Total(Poly.Product flags) implements Atom {
      @Override
      public boolean varies() {
        return false;
      }
    }

    /**
     * Any other.
     *
     * @param below at least 0 and less than this, if that is known
     * @param text what it is, to say so
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
   * Without any.
   *
   * @param nextTag greater than the numbers of all names in the program
   */
  IterationAtoms(int nextTag) {
    this.nextTag = nextTag;
    iteration = fresh("iteration");
    atoms.put(iteration, new Atom.Iteration());
  }

  /** A new name, later than all others. */
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
        for (Name n : t.factors()) if (varies(n)) return true;
      }
    }
    return false;
  }

  /** Says what a name of the program is. */
  Poly program(Name n, Atom atom) {
    atoms.put(n, atom);
    return Poly.of(n);
  }

  /** A flag; the facts are those of the first time that it is asked for. */
  Poly flag(String op, List<Poly> operands, @Nullable Poly ifTrue, @Nullable Poly ifFalse) {
    return named("flag", op, operands, new Atom.Flag(vary(operands), ifTrue, ifFalse));
  }

  /** A value of a type. */
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
