package futharkc.core.ir.memory;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.HostOp;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The conditions under which arrays have their shapes: {@code coerced = cert{c} coerce([2, k], a)}
 * has two rows only if {@code c} holds. Before the check, its first row may be outside of the block
 * of {@code a}.
 */
public final class ShapeConditions {
  private static final Shape GIVEN = new Shape(List.of(), List.of());

  private final FunctionMemory table;
  private final Map<Name, Shape> known = new HashMap<>();

  /** Creates the conditions for the arrays of a function. */
  ShapeConditions(FunctionMemory table) {
    this.table = table;
  }

  /**
   * The condition of a shape.
   *
   * @param certs the certificates that must hold
   * @param chosen the arrays from branches that must have been computed, because branches may
   *     contain checks
   */
  public record Shape(List<Name> certs, List<Name> chosen) {
    private Shape with(List<Name> more) {
      if (certs.containsAll(more)) {
        return this;
      }
      List<Name> all = new ArrayList<>(certs);
      for (Name c : more) {
        if (!all.contains(c)) {
          all.add(c);
        }
      }
      return new Shape(List.copyOf(all), chosen);
    }
  }

  /** Returns the condition of an array's shape. */
  public Shape of(Name array) {
    Deque<Name> path = new ArrayDeque<>();
    Name at = array;
    while (at != null && !known.containsKey(at)) {
      path.push(at);
      Stm s = table.statement(at);
      at = s == null ? null : source(s, at);
    }
    Shape shape = at == null ? GIVEN : known.getOrDefault(at, GIVEN);
    for (Name n : path) {
      Stm s = table.statement(n);
      if (s != null && s.exp() instanceof Exp.Match) {
        shape = new Shape(List.of(), List.of(n));
      }
      if (s != null && isView(s)) {
        shape = shape.with(s.aux().certs());
      }
      known.put(n, shape);
    }
    return shape;
  }

  /**
   * Returns the operand from which an array takes its shape; null if the statement creates a new
   * array.
   */
  private @Nullable Name source(Stm s, Name array) {
    return switch (s.exp()) {
      case BasicOp.Update x -> x.array();
      case BasicOp.FlatUpdate x -> x.array();
      case BasicOp.Reshape x -> x.array();
      case BasicOp.Rearrange x -> x.array();
      case BasicOp.Index x -> x.array();
      case BasicOp.SubExpOp x when x.value() instanceof SubExp.Var v -> v.name();
      case BasicOp.Opaque x when x.value() instanceof SubExp.Var v -> v.name();
      case Exp.Loop l when l.params().get(table.result(s, array)).init() instanceof SubExp.Var v ->
          v.name();
      case BasicOp _,
          Exp.Apply _,
          Exp.Match _,
          Exp.Loop _,
          Exp.WithAcc _,
          Soac _,
          SegExp _,
          HostOp _,
          MemOp _ ->
          null;
    };
  }

  /**
   * Tests whether the statement's checks guarantee that the result is within the operand. (Flat
   * slices are not updated.)
   */
  private static boolean isView(Stm s) {
    return s.exp() instanceof BasicOp.Reshape || s.exp() instanceof BasicOp.Index;
  }
}
