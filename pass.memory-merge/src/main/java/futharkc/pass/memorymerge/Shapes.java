package futharkc.pass.memorymerge;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Name;
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
 * Why arrays have their shapes: {@code coerced = cert{c} coerce([2, k], a)} has two rows only if
 * {@code c} holds. Before that, its first row may be outside of the block of {@code a}.
 */
final class Shapes {
  private static final Shape GIVEN = new Shape(List.of(), List.of());

  private final FunctionTable table;
  private final Map<Name, Shape> known = new HashMap<>();

  /** Of the arrays of a function. */
  Shapes(FunctionTable table) {
    this.table = table;
  }

  /**
   * A reason.
   *
   * @param certs what has to hold
   * @param chosen arrays from branches, which have to be made: there may be checks inside
   */
  record Shape(List<Name> certs, List<Name> chosen) {
    private Shape with(List<Name> more) {
      if (certs.containsAll(more)) return this;
      List<Name> all = new ArrayList<>(certs);
      for (Name c : more) if (!all.contains(c)) all.add(c);
      return new Shape(List.copyOf(all), chosen);
    }
  }

  /** The reason for the shape of an array. */
  Shape of(Name array) {
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
      if (s != null && s.exp() instanceof Exp.Match) shape = new Shape(List.of(), List.of(n));
      if (s != null && isView(s)) shape = shape.with(s.aux().certs());
      known.put(n, shape);
    }
    return shape;
  }

  /** The array that has the shape before; null if the statement makes one anew. */
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
      default -> null;
    };
  }

  /** Whether there is a part only if checks hold. (Flat slices are not updated.) */
  private static boolean isView(Stm s) {
    return s.exp() instanceof BasicOp.Reshape || s.exp() instanceof BasicOp.Index;
  }
}
