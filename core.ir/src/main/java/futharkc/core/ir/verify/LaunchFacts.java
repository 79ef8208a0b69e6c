package futharkc.core.ir.verify;

import static futharkc.core.ir.verify.Check.require;

import futharkc.core.ir.BinOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.Variables;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Verification of the facts that a kernel launch carries: the threads that share out a loop, and
 * the variables that hold the indices of its index space.
 */
final class LaunchFacts {
  private final Code.Launch launch;
  private final Map<Name, Poly> sizes;
  private final Map<Name, Code.Declare> declared = new HashMap<>();
  private final Map<Name, Code.Strided> loops = new HashMap<>();

  /**
   * Prepares the verification of a launch.
   *
   * @param sizes the polynomials that declare variables of the host
   */
  LaunchFacts(Code.Launch launch, Map<Name, Poly> sizes) {
    this.launch = launch;
    this.sizes = sizes;
  }

  void check() {
    collect(launch.body());
    space();
  }

  private void collect(List<Code> code) {
    for (Code c : code) {
      switch (c) {
        case Code.Declare d -> declared.put(d.name(), d);
        case Code.Strided s -> {
          distribution(s);
          loops.put(s.index(), s);
          collect(s.body());
        }
        case Code.Compound x -> x.bodies().forEach(this::collect);
        case Code.Simple _ -> {}
      }
    }
  }

  private void distribution(Code.Strided s) {
    Poly thread = Poly.of(launch.thread());
    Poly size = resolved(launch.threads());
    Poly from = resolved(s.from());
    Poly step = resolved(s.step());
    boolean ok =
        switch (s.distribution()) {
          case NONE -> true;
          case BLOCK -> thread.equals(from) && size != null && size.equals(step);
          case GRID -> {
            Poly blocks = resolved(launch.blocks());
            yield size != null
                && blocks != null
                && size.times(Poly.of(launch.block())).plus(thread).equals(from)
                && size.times(blocks).equals(step);
          }
        };
    require(ok, "the threads of the " + s.distribution() + " do not share out loop " + s.index());
  }

  private void space() {
    List<Code.Dimension> space = launch.space();
    if (space.isEmpty()) {
      return;
    }
    Set<Name> assigned = Variables.assignedBy(launch.body());
    Name outer = null;
    for (Code.Dimension d : space) {
      require(
          !assigned.contains(d.index()) && !assigned.contains(d.flat()),
          "the kernel assigns an index of its dimension " + d.index());
      Poly flat = Poly.of(d.flat());
      Poly index = outer == null ? flat : flat.minus(d.extent().times(Poly.of(outer)));
      Expr value = value(d.index());
      require(
          value == null || d.index().equals(d.flat()) || index.equals(value.sum()),
          d.index() + " is not the index of its dimension");
      Expr quotient = outer == null ? null : value(outer);
      require(
          quotient == null || isQuotient(quotient, flat, d.extent()),
          outer + " is not the index of the outer dimensions");
      outer = d.flat();
    }
    Code.Strided all = loops.get(outer);
    require(
        all == null || launch.sharesOut(all) && launch.size().equals(all.to().poly()),
        "the loop over " + outer + " does not run through the kernel's index space");
  }

  private @Nullable Expr value(Name variable) {
    Code.Declare d = declared.get(variable);
    return d == null ? null : d.value();
  }

  private static boolean isQuotient(Expr e, Poly dividend, Poly divisor) {
    return e instanceof Expr.Binary b
        && b.op().kind() == BinOp.Kind.SQUOT
        && dividend.equals(b.left().poly())
        && divisor.equals(b.right().poly());
  }

  /** Returns an expression as a polynomial over variables that no other variables define. */
  private @Nullable Poly resolved(Expr e) {
    Poly p = e.poly();
    while (p != null) {
      Poly now = p.substitute(n -> sizes.getOrDefault(n, Poly.of(n)));
      if (now.equals(p)) {
        return p;
      }
      p = now;
    }
    return null;
  }
}
