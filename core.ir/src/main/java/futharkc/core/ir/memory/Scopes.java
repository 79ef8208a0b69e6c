package futharkc.core.ir.memory;

import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Name;
import futharkc.core.ir.SegBody;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.Stm;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * The names bound inside the bodies, lambdas and expressions of a statement. One traversal numbers
 * all names; the names bound inside a node have consecutive numbers.
 */
public final class Scopes {
  private final Map<Name, Integer> numbers = new HashMap<>();
  private final Map<Object, Range> ranges = new IdentityHashMap<>();

  /** A range of numbers, exclusive of {@code end}. */
  private record Range(int first, int end) {}

  private Scopes() {}

  /** Returns the scopes inside a statement. */
  public static Scopes of(Stm s) {
    Scopes scopes = new Scopes();
    scopes.new Walk().stm(s);
    return scopes;
  }

  /**
   * Returns a test for names bound inside a body, without the parameters and indices of the body.
   */
  public Predicate<Name> in(Body b) {
    return inside(b);
  }

  /** Returns a test for names bound inside a body, without the indices of the space. */
  public Predicate<Name> in(SegBody b) {
    return inside(b);
  }

  /** Returns a test for names bound inside a lambda, including its parameters. */
  public Predicate<Name> in(Lambda l) {
    return inside(l);
  }

  /** Returns a test for names bound inside a loop, including its parameters and index. */
  public Predicate<Name> in(Exp.Loop l) {
    return inside(l);
  }

  /** Returns a test for names bound inside an operation, including its indices. */
  public Predicate<Name> in(SegOp op) {
    return inside(op);
  }

  private Predicate<Name> inside(Object node) {
    Range r = ranges.get(node);
    if (r == null) {
      throw new IllegalArgumentException("the node is not part of the statement");
    }
    return n -> {
      Integer number = numbers.get(n);
      return number != null && r.first <= number && number < r.end;
    };
  }

  private final class Walk extends Mapper {
    @Override
    public Name binder(Name n) {
      numbers.putIfAbsent(n, numbers.size());
      return n;
    }

    private <T> T numbered(T node, UnaryOperator<T> visit) {
      int first = numbers.size();
      var unused = visit.apply(node);
      ranges.put(node, new Range(first, numbers.size()));
      return node;
    }

    @Override
    public Body body(Body b) {
      return numbered(b, super::body);
    }

    @Override
    public SegBody segBody(SegBody b) {
      return numbered(b, super::segBody);
    }

    @Override
    public Lambda lambda(Lambda l) {
      return numbered(l, super::lambda);
    }

    @Override
    public SegOp segOp(SegOp op) {
      return numbered(op, super::segOp);
    }

    @Override
    public Exp exp(Exp e) {
      return e instanceof Exp.Loop ? numbered(e, super::exp) : super.exp(e);
    }
  }
}
