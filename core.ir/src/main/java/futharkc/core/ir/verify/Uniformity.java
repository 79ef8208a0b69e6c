package futharkc.core.ir.verify;

import static futharkc.core.ir.verify.Check.require;

import futharkc.core.ir.Name;
import futharkc.core.ir.imperative.Barriers;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.Variables;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Verification that all threads of a thread block execute the same barriers: no branch or loop
 * around a barrier depends on a scalar that varies between threads. Varying scalars are the thread
 * number, values computed from it, variables assigned under a varying condition, and elements of
 * private memory or at varying offsets. Elements of other memory are assumed to be equal for all
 * threads that read them.
 */
final class Uniformity {
  private final Set<Name> variant = new HashSet<>();
  private final Barriers barriers = new Barriers();
  private boolean changed;

  private Uniformity() {}

  static void check(Code.Launch l) {
    Uniformity u = new Uniformity();
    if (!u.barriers.areIn(l)) {
      return;
    }
    u.variant.add(l.thread());
    do {
      u.changed = false;
      u.all(l.body(), false);
    } while (u.changed);
    u.barriers(l.body());
  }

  private void add(Name n, boolean isVariant) {
    if (isVariant && variant.add(n)) {
      changed = true;
    }
  }

  private boolean isVariant(Expr e) {
    return Variables.readBy(List.of(new Code.Declare(new Name("e", 0), e.type(), e))).stream()
        .anyMatch(variant::contains);
  }

  private void all(List<Code> code, boolean divergent) {
    for (Code c : code) {
      one(c, divergent);
    }
  }

  /**
   * Marks the variables that may vary between threads.
   *
   * @param divergent true inside a branch with a varying condition
   */
  private void one(Code code, boolean divergent) {
    switch (code) {
      case Code.Declare d -> add(d.name(), d.value() != null && isVariant(d.value()));
      case Code.Assign a -> add(a.name(), divergent || isVariant(a.value()));
      case Code.SetBlock s -> add(s.block(), divergent || variant.contains(s.value()));
      case Code.DeclarePointer d -> pointer(d);
      case Code.Private p -> add(p.block(), true);
      case Code.Atomic a -> add(a.old(), true);
      case Code.CompareAndSet c -> add(c.old(), true);
      case Code.VolatileLoad l -> add(l.target(), true);
      case Code.Shuffle s -> add(s.target(), true);
      case Code.SineAndCosine s -> {
        boolean varies = isVariant(s.operand());
        add(s.sine(), varies);
        add(s.cosine(), varies);
      }
      case Code.Call c -> c.targets().forEach(t -> add(t.name(), true));
      case Code.If i -> {
        boolean apart = divergent || isVariant(i.cond());
        all(i.then(), apart);
        all(i.otherwise(), apart);
      }
      case Code.For f -> {
        boolean apart = divergent || isVariant(f.from()) || isVariant(f.to());
        add(f.index(), apart);
        all(f.body(), apart);
      }
      case Code.Strided s -> {
        boolean apart =
            divergent || isVariant(s.from()) || isVariant(s.to()) || isVariant(s.step());
        add(s.index(), apart);
        all(s.body(), apart);
      }
      case Code.While w -> all(w.body(), divergent || variant.contains(w.cond()));
      case Code.Scope s -> all(s.body(), divergent);
      case Code.Outlined o -> all(o.body(), divergent);
      case Code.Attempt a -> all(a.body(), divergent);
      case Code.DeclareBlock c -> {}
      case Code.Alloc c -> {}
      case Code.DeclareScratch c -> {}
      case Code.Reserve c -> {}
      case Code.Free c -> {}
      case Code.IfUnused i -> {
        boolean apart =
            divergent
                || variant.contains(i.block())
                || i.inUse().stream().anyMatch(variant::contains);
        all(i.then(), apart);
        all(i.otherwise(), apart);
      }
      case Code.ConstantBlock c -> {}
      case Code.Pin c -> {}
      case Code.Store c -> {}
      case Code.CopyRun c -> {}
      case Code.FillRun c -> {}
      case Code.MapRun c -> {}
      case Code.Assert c -> {}
      case Code.CheckCancelled c -> {}
      case Code.Trace c -> {}
      case Code.Barrier c -> {}
      case Code.Fence c -> {}
      case Code.VolatileStore c -> {}
      case Code.LeaveIfFailed c -> {}
      case Code.Vector c -> {}
      case Code.Multicore c -> {}
      case Code.Host c -> {}
    }
  }

  private void pointer(Code.DeclarePointer d) {
    Name value = d.value();
    add(d.block(), value != null && variant.contains(value));
    add(d.block(), d.offset().names().stream().anyMatch(variant::contains));
  }

  private void barriers(List<Code> code) {
    for (Code c : code) {
      switch (c) {
        case Code.If i -> {
          uniform(isVariant(i.cond()), "a branch", i.then(), i.otherwise());
          barriers(i.then());
          barriers(i.otherwise());
        }
        case Code.For f -> {
          uniform(isVariant(f.from()) || isVariant(f.to()), "a loop", f.body(), List.of());
          barriers(f.body());
        }
        case Code.Strided s -> {
          boolean apart = isVariant(s.from()) || isVariant(s.to()) || isVariant(s.step());
          uniform(apart, "a loop", s.body(), List.of());
          barriers(s.body());
        }
        case Code.While w -> {
          uniform(variant.contains(w.cond()), "a loop", w.body(), List.of());
          barriers(w.body());
        }
        case Code.Scope s -> barriers(s.body());
        case Code.IfUnused i -> uniform(true, "a branch", i.then(), i.otherwise());
        case Code.Declare _,
            Code.Assign _,
            Code.DeclareBlock _,
            Code.SetBlock _,
            Code.Alloc _,
            Code.DeclareScratch _,
            Code.Reserve _,
            Code.Free _,
            Code.ConstantBlock _,
            Code.Pin _,
            Code.Store _,
            Code.CopyRun _,
            Code.FillRun _,
            Code.MapRun _,
            Code.Outlined _,
            Code.Assert _,
            Code.CheckCancelled _,
            Code.Trace _,
            Code.Call _,
            Code.Vector _,
            Code.Multicore _,
            Code.Host _,
            Code.Private _,
            Code.DeclarePointer _,
            Code.Barrier _,
            Code.Fence _,
            Code.Shuffle _,
            Code.SineAndCosine _,
            Code.Atomic _,
            Code.CompareAndSet _,
            Code.VolatileLoad _,
            Code.VolatileStore _,
            Code.Attempt _,
            Code.LeaveIfFailed _ -> {}
      }
    }
  }

  private void uniform(boolean isVariant, String what, List<Code> a, List<Code> b) {
    require(
        !isVariant || !(barriers.areIn(a) || barriers.areIn(b)),
        "a barrier in " + what + " that may differ between threads of a block");
  }
}
