package futharkc.pass.migration;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.HostOp;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Program;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.Type;
import futharkc.core.ir.analysis.Callees;
import futharkc.core.ir.analysis.DeviceMapper;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The functions that threads of the device call, and the functions that one thread could call. */
final class DeviceCode {
  private final Program program;
  private final Callees callees;
  private final Set<String> called = new HashSet<>();
  private final Map<String, Boolean> callable = new HashMap<>();

  DeviceCode(Program program) {
    this.program = program;
    this.callees = Callees.of(program);
    Set<String> direct = new HashSet<>();
    DeviceMapper calls =
        new DeviceMapper(false) {
          @Override
          public Exp exp(Exp e) {
            if (inThread() && e instanceof Exp.Apply a) {
              direct.add(a.function());
            }
            return super.exp(e);
          }
        };
    for (Stm s : program.constants()) {
      calls.stm(s);
    }
    for (FunDef f : program.functions().values()) {
      calls.body(f.body());
    }
    for (String f : direct) {
      called.add(f);
      called.addAll(callees.of(f));
    }
  }

  /** Tests whether threads of the device call a function. */
  boolean isCalledByThreads(String function) {
    return called.contains(function);
  }

  /**
   * Tests whether one thread can call a function: the function and all its callees work on scalars
   * only and print nothing.
   */
  boolean mayCall(String function) {
    Boolean known = callable.get(function);
    if (known != null) {
      return known;
    }
    boolean may = isScalar(function);
    for (String f : callees.of(function)) {
      may &= isScalar(f);
    }
    callable.put(function, may);
    return may;
  }

  private boolean isScalar(String name) {
    FunDef f = program.functions().get(name);
    if (f == null) {
      return false;
    }
    ScalarsOnly check = new ScalarsOnly();
    for (Param p : f.params()) {
      check.param(p);
    }
    for (FunDef.Result r : f.results()) {
      check.type(r.type());
    }
    check.body(f.body());
    return check.holds;
  }

  private static final class ScalarsOnly extends Mapper {
    private boolean holds = true;

    @Override
    public PatElem patElem(PatElem p) {
      type(p.type());
      return p;
    }

    @Override
    public Type type(Type t) {
      holds &= t instanceof Type.Prim;
      return t;
    }

    @Override
    public Exp exp(Exp e) {
      switch (e) {
        case BasicOp.Opaque o -> holds &= o.tag() instanceof BasicOp.Tag.Barrier;
        case BasicOp.UserParam _ -> holds = false;
        case BasicOp _, Exp.Apply _, Exp.Match _, Exp.Loop _ -> {}
        case Exp.WithAcc _, Soac _, SegExp _, HostOp _, MemOp _ -> holds = false;
      }
      return super.exp(e);
    }
  }
}
