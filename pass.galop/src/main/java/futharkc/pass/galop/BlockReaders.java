package futharkc.pass.galop;

import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Name;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.memory.Access;
import futharkc.core.ir.memory.ElementAccess;
import futharkc.core.ir.memory.ElementAccesses;
import futharkc.core.ir.memory.FunctionMemory;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The parallel operations that read each block, for each body of the host. An operation in a loop
 * belongs to the bodies around the loop as well, so that a copy can stand before the loop; an
 * operation in a branch belongs to the branch only, so that other branches do not pay for a copy.
 */
final class BlockReaders {
  /** A decision about the operations that read a block in a body. */
  interface Choice {
    /**
     * Decides.
     *
     * @param executions the estimated number of executions of the body
     */
    void choose(Name block, Readers readers, double executions);
  }

  /** The operations that read a block, with the statement of the body that contains each. */
  final class Readers {
    private final List<Stm> operations = new ArrayList<>();
    private final Map<Stm, Stm> statements = new IdentityHashMap<>();
    private final Map<Stm, Integer> positions;
    private final List<Stm> body;
    private final Map<Name, Integer> bound;
    private final Set<Name> outside;
    private final int loops;

    private Readers(
        List<Stm> body,
        Map<Stm, Integer> positions,
        Map<Name, Integer> bound,
        Set<Name> outside,
        int loops) {
      this.body = body;
      this.positions = positions;
      this.bound = bound;
      this.outside = outside;
      this.loops = loops;
    }

    /** Returns the number of the host's loops around the body. */
    int loops() {
      return loops;
    }

    /** Returns the operations, in the order of the program. */
    List<Stm> operations() {
      return operations;
    }

    /** Returns the statement of the body that contains an operation. */
    Stm statement(Stm operation) {
      return Objects.requireNonNull(statements.get(operation));
    }

    /** Tests whether an array is bound before a statement of the body. */
    boolean isBound(Name array, Stm before) {
      Integer at = bound.get(array);
      return at == null ? outside.contains(array) : at < position(before);
    }

    /** Tests whether no statement from the first to the last user writes to a block. */
    boolean isUnchanged(Name block, List<Stm> users) {
      int from = position(statement(users.getFirst()));
      int to = position(statement(users.getLast()));
      for (Stm s : body.subList(from, to + 1)) {
        for (Access a : memory.accesses().of(s)) {
          if (a.write() && a.block().equals(block)) {
            return false;
          }
        }
      }
      return true;
    }

    private void add(Stm operation, Stm at) {
      if (statements.put(operation, at) == null) {
        operations.add(operation);
      }
    }

    private int position(Stm s) {
      return Objects.requireNonNull(positions.get(s));
    }
  }

  private final FunctionMemory memory;
  private final Traffic traffic;
  private final ElementAccesses elements;
  private final Set<Name> visible = new HashSet<>();
  private final Choice choice;
  private int loops;

  BlockReaders(AnalysedFunction f, Choice choice) {
    this.memory = f.memory();
    this.traffic = f.traffic();
    this.choice = choice;
    this.elements = f.elements();
  }

  /** Makes a choice for each block that operations read, in each body of the host. */
  void visit(FunDef f) {
    f.params().forEach(p -> visible.add(p.name()));
    body(f.body(), 1);
  }

  private void body(Body b, double executions) {
    Map<Stm, Integer> positions = new IdentityHashMap<>();
    Map<Name, Integer> bound = new LinkedHashMap<>();
    for (int k = 0; k < b.stms().size(); k++) {
      Stm s = b.stms().get(k);
      positions.put(s, k);
      for (PatElem p : s.pat()) {
        bound.put(p.name(), k);
      }
    }
    Map<Name, Readers> readers = new LinkedHashMap<>();
    for (Stm s : b.stms()) {
      collect(s, s, readers, n -> new Readers(b.stms(), positions, bound, visible, loops));
    }
    readers.forEach((block, all) -> choice.choose(block, all, executions));
    visible.addAll(bound.keySet());
    for (Stm s : b.stms()) {
      inside(s, executions);
    }
    visible.removeAll(bound.keySet());
  }

  private void inside(Stm s, double executions) {
    switch (s.exp()) {
      case Exp.Match m -> {
        double each = executions / (m.cases().size() + 1);
        m.cases().forEach(c -> body(c.body(), each));
        body(m.otherwise(), each);
      }
      case Exp.Loop l -> {
        SubExp trips = l.form() instanceof Exp.Form.For f ? f.bound() : null;
        l.params().forEach(p -> visible.add(p.param().name()));
        loops++;
        body(l.body(), executions * traffic.trips(trips));
        loops--;
      }
      case SegExp.ParOp p when p.nested() != null -> body(p.nested(), executions);
      default -> {}
    }
  }

  private interface NewReaders {
    Readers of(Name block);
  }

  private void collect(Stm at, Stm s, Map<Name, Readers> readers, NewReaders fresh) {
    switch (s.exp()) {
      case SegExp.Seg _, SegExp.ParOp _ -> {
        for (ElementAccess a : elements.of(s)) {
          if (a.kind() == ElementAccess.Kind.READ) {
            readers.computeIfAbsent(a.place().block(), fresh::of).add(s, at);
          }
        }
      }
      case Exp.Loop l -> l.body().stms().forEach(t -> collect(at, t, readers, fresh));
      case Exp.Match m when at != s -> {
        m.cases().forEach(c -> c.body().stms().forEach(t -> collect(at, t, readers, fresh)));
        m.otherwise().stms().forEach(t -> collect(at, t, readers, fresh));
      }
      default -> {}
    }
  }
}
