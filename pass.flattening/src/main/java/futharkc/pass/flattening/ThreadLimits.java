package futharkc.pass.flattening;

import futharkc.core.ir.Aux;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Name;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Program;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.analysis.Callees;
import futharkc.core.ir.liveness.DeadCode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The limits of a thread that hold even for sequential code. A thread cannot call a recursive
 * function: OpenCL C has no recursion, and the stack of a CUDA thread is small. A thread cannot
 * carry arrays through a loop if their sizes depend on values in those arrays: the memory they need
 * is unknown in advance. The pass removes an attribute that requests such code.
 */
final class ThreadLimits {
  /** The attributes that leave a statement's body to a thread. */
  private static final Set<String> TO_THREADS =
      Set.of("sequential", "sequential_inner", "flattening(sequentialise_nonuniform)");

  /** The functions that exceed the limits, directly or in functions they call. */
  private final Set<String> beyond = new HashSet<>();

  ThreadLimits(Program program) {
    Callees callees = Callees.of(program);
    for (FunDef f : program.functions().values()) {
      if (callees.isRecursive(f.name()) || !allow(f.body())) {
        beyond.add(f.name());
      }
    }
    boolean more = true;
    while (more) {
      more = false;
      for (FunDef f : program.functions().values()) {
        if (!beyond.contains(f.name()) && !allow(f.body())) {
          more |= beyond.add(f.name());
        }
      }
    }
  }

  boolean allow(Lambda l) {
    return allow(l.body());
  }

  boolean allow(Body b) {
    boolean[] found = {false};
    new Mapper() {
      @Override
      public Stm stm(Stm s) {
        found[0] |=
            switch (s.exp()) {
              case Exp.Apply a -> beyond.contains(a.function());
              case Exp.Loop _ -> dependsOnItself(s);
              default -> false;
            };
        return found[0] ? s : super.stm(s);
      }
    }.body(b);
    return !found[0];
  }

  /** Tests whether a loop carries arrays whose sizes depend on values in such arrays. */
  private static boolean dependsOnItself(Stm s) {
    Set<Name> sizes = new HashSet<>();
    for (PatElem p : s.pat()) {
      for (Name n : FreeNames.of(p.type())) {
        if (s.names().contains(n)) {
          sizes.add(n);
        }
      }
    }
    if (sizes.isEmpty()) {
      return false;
    }
    Body all = new Body(List.of(s), FlatteningContext.operands(new ArrayList<>(sizes)));
    for (Stm t : new DeadCode().body(all).stms()) {
      if (!(t.exp() instanceof Exp.Loop needed)) {
        continue;
      }
      Set<Name> inside = new HashSet<>();
      needed.params().forEach(p -> inside.add(p.param().name()));
      for (Exp.LoopParam p : needed.params()) {
        if (p.param().type() instanceof Type.Array a
            && a.dims().stream()
                .anyMatch(d -> d instanceof SubExp.Var v && inside.contains(v.name()))) {
          return true;
        }
      }
    }
    return false;
  }

  /** Returns the program without attributes that request code beyond these limits. */
  Program respected(Program p) {
    Map<String, FunDef> functions = new LinkedHashMap<>();
    for (FunDef f : p.functions().values()) {
      Body body = new Respected().body(f.body());
      functions.put(f.name(), body == f.body() ? f : f.withBody(body, f.nextTag()));
    }
    return p.withFunctions(functions);
  }

  private final class Respected extends Mapper {
    private boolean inMap;

    @Override
    public Stm stm(Stm s) {
      boolean outside = !inMap;
      boolean asked = s.aux().attrs().stream().anyMatch(TO_THREADS::contains);
      boolean isMap = s.exp() instanceof Soac;
      // A loop of the host may call all functions.
      boolean possible =
          !asked
              || outside && !isMap
              || outside && s.aux().hasAttr("sequential")
              || allow(new Body(List.of(s), List.of()));
      inMap |= isMap;
      Stm t = super.stm(s);
      if (outside) {
        inMap = false;
      }
      return possible ? t : new Stm(t.pat(), without(t.aux()), t.exp());
    }

    private Aux without(Aux aux) {
      List<String> others = aux.attrs().stream().filter(a -> !TO_THREADS.contains(a)).toList();
      return new Aux(aux.certs(), others, aux.loc());
    }
  }
}
