package futharkc.pass.migration;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.HostOp;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.analysis.LastingArrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The flow of scalars through the host code of one function: which scalars the device produces,
 * which scalars the host must know, and which scalars are computed from which.
 *
 * <p>Source: P. J. Børgesen, Reducing Synchronous GPU Memory Transfers, 2022, section 4.5.
 */
final class DataFlow {
  /** The number of operations that a call of a scalar function is taken for. */
  private static final long CALL = 16;

  private final ScalarGraph scalars;
  private final HostBodies bodies;
  private final LiteralArrays literals = new LiteralArrays();
  private final DeviceCode device;
  private final Operations operations;
  private final Branches branches;
  private final Loops loops;

  private DataFlow(Set<Name> used, DeviceCode device, LastingArrays lasting, Settings settings) {
    this.scalars = new ScalarGraph(settings.costs());
    this.bodies = new HostBodies(scalars);
    this.device = device;
    this.operations = new Operations(scalars, bodies, literals, lasting, settings);
    this.branches = new Branches(scalars, bodies, literals, settings, this::stms);
    this.loops = new Loops(scalars, bodies, settings, used, this::stms);
  }

  /** Returns the placement of all scalars of a function. */
  static Placements of(FunDef f, DeviceCode device, LastingArrays lasting, Settings settings) {
    Set<Name> used = used(f);
    DataFlow flow = new DataFlow(used, device, lasting, settings);
    HostBody body = flow.function(f);
    Placements placements = new Choice(flow.scalars, flow.literals.moving(), used).of(body);
    if (settings.arrays()) {
      placements.moveLoops(ArrayLoops.of(body, placements, settings.costs(), used));
    }
    return placements;
  }

  private static final Lambda NOTHING =
      new Lambda(List.of(), new Body(List.of(), List.of()), List.of());

  private static Set<Name> used(FunDef f) {
    Set<Name> used = new HashSet<>();
    new Mapper() {
      @Override
      public Name name(Name use) {
        used.add(use);
        return use;
      }
    }.body(f.body());
    return used;
  }

  private HostBody function(FunDef f) {
    HostBody body = bodies.enter(1);
    stms(f.body().stms());
    for (int k = 0; k < f.results().size(); k++) {
      FunDef.Result r = f.results().get(k);
      SubExp value = f.body().results().get(k);
      if (r.type() instanceof Type.Prim && value instanceof SubExp.Var n) {
        Integer v = scalars.vertex(n.name());
        if (v != null) {
          scalars.sink(v, "is a result of the function");
        }
      }
    }
    bodies.leave();
    return body;
  }

  private void stms(List<Stm> stms) {
    for (Stm s : stms) {
      stm(s);
    }
  }

  private void stm(Stm s) {
    bodies.bind(s);
    bodies.sizes(Sizes.ofPattern(s));
    switch (s.exp()) {
      case BasicOp op -> {
        operations.graph(s, op);
        if (scalars.vertex(s.pat().get(0).name()) == null) {
          bodies.current().addOperations(1);
        }
      }
      case Exp.Apply a -> {
        if (device.mayCall(a.function())) {
          Set<Integer> operands = scalars.operands(a.args());
          operands.addAll(scalars.certificates(s));
          scalars.simple(s, operands, CALL * scalars.costs().operation());
        } else {
          scalars.sink(a.args(), "is an argument of " + a.function());
          scalars.sinkCertificates(s, "is checked before the host calls " + a.function());
          bodies.hostOnly("the host calls " + a.function());
        }
      }
      case Exp.Match m -> branches.graph(s, m);
      case Exp.Loop l -> loops.graph(s, l);
      case Exp.WithAcc w -> withAcc(s, w);
      case SegExp.Seg x -> {
        for (Name n : Sizes.of(x)) {
          scalars.sink(n, "is a size or a neutral element of a kernel");
        }
        bodies.hostOnly("it launches a kernel");
      }
      case HostOp h -> {
        for (Name n : FreeNames.of(h)) {
          scalars.sink(n, "is used by an operation of the host");
        }
        bodies.hostOnly("it has an operation of the host");
      }
      case SegExp.ParOp _, Soac _, MemOp _ -> {
        for (Name n : FreeNames.of(s)) {
          scalars.sink(n, "is used by an operation of the host");
        }
        bodies.hostOnly("it has an operation of the host");
      }
    }
  }

  private void withAcc(Stm s, Exp.WithAcc w) {
    for (Name n : Sizes.of(new Exp.WithAcc(w.inputs(), NOTHING))) {
      scalars.sink(n, "is a size or a neutral element of an accumulator");
    }
    scalars.sinkCertificates(s, "is checked before arrays are accumulated");
    bodies.hostOnly("it accumulates into arrays");
    HostBody body = bodies.enter(1);
    stms(w.lambda().body().stms());
    bodies.leave();
    bodies.current().controls().add(new HostBody.Control.Accumulation(s, body));
    int arrays = 0;
    for (Exp.AccInput in : w.inputs()) {
      arrays += in.arrays().size();
    }
    for (int k = arrays; k < s.pat().size(); k++) {
      PatElem p = s.pat().get(k);
      SubExp r = w.lambda().body().results().get(k - arrays + w.inputs().size());
      if (!(p.type() instanceof Type.Prim)) {
        continue;
      }
      scalars.result(p, List.of(r), Set.of());
    }
  }
}
