package futharkc.backend.interpreter;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.HostOp;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Rep;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** A compiler of the statements, bodies and lambdas of one function to {@link Instruction}s. */
final class FunctionCompiler {
  final Machine machine;
  final VariableScopes scopes;
  private final BasicCode basic;
  private final ControlCode control;
  private final SoacCode soacs;
  private final SegCode segs;
  private final MemoryCode memory;
  private final Map<Stm, Destination[]> patterns = new IdentityHashMap<>();

  FunctionCompiler(Machine machine, VariableScopes scopes) {
    this.machine = machine;
    this.scopes = scopes;
    this.basic = new BasicCode(machine, scopes);
    this.control = new ControlCode(this);
    this.soacs = new SoacCode(this);
    this.segs = new SegCode(this);
    this.memory = new MemoryCode(this);
  }

  /** Compiles a list of statements. */
  Sequence stms(List<Stm> stms) {
    Instruction[] codes = new Instruction[stms.size()];
    for (int i = 0; i < codes.length; i++) {
      try {
        codes[i] = orStandIn(stm(stms.get(i)), stms.get(i));
      } catch (Fault e) {
        throw e.in(stms.get(i));
      }
    }
    return new Sequence(codes, stms);
  }

  private Instruction orStandIn(Instruction code, Stm s) {
    PoisonValues standIns = machine.standIns();
    Destination[] outs = patterns.remove(s);
    if (standIns == null || outs == null) {
      return code;
    }
    return standIns.around(code, scopes.names(s.aux().certs()), outs, s, scopes);
  }

  private Instruction stm(Stm s) {
    if (scopes.active()
        && (s.exp() instanceof SegExp || s.exp() instanceof HostOp || s.exp() instanceof MemOp)) {
      throw new Fault("derivatives are taken before parallel operations and memory are explicit");
    }
    return switch (s.exp()) {
      case BasicOp op -> {
        Destination[] outs = outs(s);
        Instruction code = basic.op(op, outs);
        yield isGpu() ? machine.device().counting(op, s.pat().get(0).type(), code) : code;
      }
      case Exp.Apply a -> control.apply(a, s);
      case Exp.Match m -> control.match(m, s);
      case Exp.Loop l -> control.loop(l, s);
      case Exp.WithAcc w -> control.withAcc(w, s);
      case Soac op -> soacs.soac(op, s);
      case SegExp.Seg op -> segs.segOp(op.op(), s);
      case SegExp.ParOp op -> parOp(op, s);
      case HostOp op -> memory.hostOp(op, s);
      case MemOp op -> memory.memOp(op, s);
    };
  }

  private boolean isGpu() {
    Rep rep = machine.program().rep();
    return rep.hasDevice();
  }

  private Instruction parOp(SegExp.ParOp op, Stm s) {
    return op.nested() != null && machine.options().nested()
        ? control.body(op.nested(), () -> outs(s))
        : segs.segOp(op.op(), s);
  }

  /**
   * Returns the variables of a statement's pattern. The caller must have compiled the statement's
   * expression before.
   */
  Destination[] outs(Stm s) {
    Destination[] outs = new Destination[s.pat().size()];
    for (int i = 0; i < outs.length; i++) {
      PatElem p = s.pat().get(i);
      outs[i] = scopes.out(p.name(), p.type());
    }
    patterns.put(s, outs);
    return outs;
  }

  Destination[] params(List<Param> params) {
    Destination[] outs = new Destination[params.size()];
    for (int i = 0; i < outs.length; i++) {
      outs[i] = scopes.out(params.get(i).name(), params.get(i).type());
    }
    return outs;
  }

  CompiledLambda lambda(futharkc.core.ir.Lambda l) {
    Destination[] params = params(l.params());
    Sequence body = stms(l.body().stms());
    return new CompiledLambda(params, body, scopes.ins(l.body().results()));
  }

  /** Compiles the statements and results of a body. */
  CompiledLambda body(Body b) {
    Sequence stms = stms(b.stms());
    return new CompiledLambda(new Destination[0], stms, scopes.ins(b.results()));
  }
}
