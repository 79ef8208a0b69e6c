package futharkc.pass.loops;

import futharkc.core.ir.Loc;
import futharkc.core.ir.Name;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.CodeMapper;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.imperative.Variables;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/** The rewriting of one function for {@link InductionVariableNarrowingPass}. */
final class InductionVariableNarrowing {
  private final Set<Code.For> proved;

  /** The loops that need no proof, because a test of their bounds precedes them. */
  private final Set<Code.For> tested = Collections.newSetFromMap(new IdentityHashMap<>());

  private final BiConsumer<String, Loc> remarks;

  /** The loops with the answers of {@link IndexDependence}. */
  private final Map<Code.For, Boolean> dependent = new IdentityHashMap<>();

  /** The source location of the region whose loops are rewritten. */
  private Loc loc = Loc.NONE;

  private boolean changed;

  private InductionVariableNarrowing(Set<Code.For> proved, BiConsumer<String, Loc> remarks) {
    this.proved = proved;
    this.remarks = remarks;
  }

  /** Returns the rewritten function; the function itself if nothing is narrowed. */
  static ImperativeProgram.Function rewrite(
      ImperativeProgram.Function function, BiConsumer<String, Loc> remarks) {
    InductionVariableNarrowing n =
        new InductionVariableNarrowing(LoopRanges.proved(function), remarks);
    List<Code> body = n.way.statements(function.body());
    return n.changed ? function.withBody(body, function.nextTag()) : function;
  }

  private final CodeMapper way =
      new CodeMapper() {
        @Override
        public Code statement(Code code) {
          Loc outside = loc;
          if (code instanceof Code.Parallel p) {
            loc = p.loc();
          }
          if (code instanceof Code.ChainedScan s) {
            loc = s.loc();
          }
          Code now = code instanceof Code.For f ? loop(f) : super.statement(code);
          loc = outside;
          return now;
        }

        private Code loop(Code.For f) {
          if (f.range() == Code.Range.WIDE || f.range() == Code.Range.NARROW) {
            return f.range() == Code.Range.WIDE ? f : super.statement(f);
          }
          List<Code.For> unproved = new ArrayList<>();
          if (!tested.contains(f)) {
            toTest(f, unproved);
          }
          return unproved.isEmpty() ? narrowed(f) : versioned(f, unproved);
        }

        /**
         * Returns the loop with a 32-bit index, if the index is known to fit and an access depends
         * on it.
         */
        private Code narrowed(Code.For f) {
          boolean fits = proved.contains(f) || tested.contains(f);
          boolean narrow = fits && dependOnIndex(f);
          changed |= narrow;
          if (narrow) {
            remarks.accept("narrowed the index " + f.index() + " to 32 bits", loc);
          }
          Code.For g = (Code.For) super.statement(f);
          return narrow ? g.withRange(Code.Range.NARROW) : g;
        }

        private Code versioned(Code.For f, List<Code.For> unproved) {
          Set<Expr> tests = new LinkedHashSet<>();
          for (Code.For g : unproved) {
            tests.add(Expr.atMost(Expr.i64(0), g.from()));
            tests.add(Expr.atMost(g.to(), Expr.i64(Integer.MAX_VALUE)));
          }
          tests.remove(Expr.atMost(Expr.i64(0), Expr.i64(0)));
          tested.addAll(unproved);
          remarks.accept(
              "added a version of the loop over " + f.index() + " for bounds above 2^31", loc);
          changed = true;
          return new Code.If(
              Expr.all(List.copyOf(tests)),
              List.of(narrowed(f)),
              List.of(f.withRange(Code.Range.WIDE)));
        }
      };

  private boolean dependOnIndex(Code.For f) {
    return dependent.computeIfAbsent(f, IndexDependence::dependOnIndex);
  }

  /**
   * Adds the loops that a test before {@code loop} would allow to narrow: the loop and inner loops
   * whose bounds are invariant in it and not proved to fit. Adds none if the loop cannot have two
   * versions.
   */
  private void toTest(Code.For loop, List<Code.For> unproved) {
    if (loop.type() != PrimType.I64) {
      return;
    }
    Set<Name> inside = new HashSet<>(Variables.assignedBy(loop.body()));
    boolean[] copied = {true};
    boolean[] nested = {false};
    List<Code.For> found = new ArrayList<>();
    new CodeMapper() {
      @Override
      public Name binder(Name declared) {
        inside.add(declared);
        return declared;
      }

      @Override
      public Code statement(Code code) {
        copied[0] &= !(code instanceof Code.Parallel) && !(code instanceof Code.ChainedScan);
        if (!(code instanceof Code.For f)) {
          return super.statement(code);
        }
        if (f.range() == Code.Range.WIDE) {
          return f;
        }
        nested[0] |= f != loop;
        boolean known = proved.contains(f) || tested.contains(f) || f.type() != PrimType.I64;
        Code.For bounds = f.withBody(List.of());
        Set<Name> read = new HashSet<>();
        for (Code.Variable v : Variables.usedBy(List.of(bounds), Set.of())) {
          if (v.isBlock()) {
            return super.statement(f);
          }
          read.add(v.name());
        }
        if (!known && Collections.disjoint(read, inside) && dependOnIndex(f)) {
          found.add(f);
        }
        inside.add(f.index());
        return super.statement(f);
      }
    }.statement(loop);
    // The index of an outer loop has little influence on speed.
    boolean needless = nested[0] && found.equals(List.of(loop));
    if (copied[0] && !needless) {
      unproved.addAll(found);
    }
  }
}
