package futharkc.pass.loops;

import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.CodeMapper;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.ImperativeProgram;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Upper bounds of the trip counts of a function's loops, where constants bound them: {@code for j <
 * 32 { for k < j { .. } }} or {@code for i from 64*t < min(n, 64*t + 64)}. Bounds are intervals of
 * real numbers; the analysis assumes that index arithmetic does not overflow.
 */
final class TripBounds {
  /** An interval from a least to a greatest value. */
  private record Range(double least, double most) {
    static final Range ALL = new Range(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);

    static Range of(double value) {
      return new Range(value, value);
    }

    Range plus(Range other) {
      return new Range(least + other.least, most + other.most);
    }

    Range times(Range other) {
      double[] ends = {
        least * other.least, least * other.most, most * other.least, most * other.most
      };
      Range r = of(ends[0]);
      for (double end : ends) {
        if (Double.isNaN(end)) {
          return ALL; // The product of zero and infinity is not a number.
        }
        r = new Range(Math.min(r.least, end), Math.max(r.most, end));
      }
      return r;
    }
  }

  private final Set<Name> assigned = new HashSet<>();

  /** Ranges of loop counters and of variables that are never reassigned. */
  private final Map<Name, Range> ranges = new HashMap<>();

  private TripBounds() {}

  static TripBounds of(ImperativeProgram.Function function) {
    TripBounds bounds = new TripBounds();
    new CodeMapper() {
      @Override
      public Code statement(Code c) {
        if (c instanceof Code.Assign a) {
          bounds.assigned.add(a.name());
        }
        return super.statement(c);
      }
    }.statements(function.body());
    new CodeMapper() {
      @Override
      public Code statement(Code c) {
        bounds.add(c);
        return super.statement(c);
      }
    }.statements(function.body());
    return bounds;
  }

  private void add(Code code) {
    if (code instanceof Code.Declare d && d.value() != null && !assigned.contains(d.name())) {
      ranges.put(d.name(), range(d.value()));
    }
    if (code instanceof Code.For f) {
      double least = range(f.from()).least;
      ranges.put(
          f.index(),
          new Range(f.range().fits() ? Math.max(0, least) : least, range(f.to()).most - 1));
    }
  }

  /** Returns an upper bound of a loop's trip count, or -1 if none is known. */
  long trips(Code.For loop) {
    double most = difference(loop.to(), loop.from());
    return most <= Integer.MAX_VALUE ? (long) Math.max(0, most) : -1;
  }

  /** Returns an upper bound of a difference. */
  private double difference(Expr to, Expr from) {
    if (to instanceof Expr.Binary b) {
      switch (b.op().kind()) {
        case SMIN -> {
          return Math.min(difference(b.left(), from), difference(b.right(), from));
        }
        case SMAX -> {
          return Math.max(difference(b.left(), from), difference(b.right(), from));
        }
        default -> {}
      }
    }
    Poly end = to.poly();
    Poly start = from.poly();
    return end != null && start != null
        ? range(end.minus(start)).most
        : range(to).most - range(from).least;
  }

  private Range range(Expr e) {
    Poly poly = e.poly();
    if (poly != null) {
      return range(poly);
    }
    return switch (e) {
      case Expr.Const c when c.type().isInt() -> Range.of((double) c.value().asLong());
      case Expr.Var v -> ranges.getOrDefault(v.name(), Range.ALL);
      case Expr.Binary b -> {
        Range left = range(b.left());
        Range right = range(b.right());
        yield switch (b.op().kind()) {
          case SMIN ->
              new Range(Math.min(left.least, right.least), Math.min(left.most, right.most));
          case SMAX ->
              new Range(Math.max(left.least, right.least), Math.max(left.most, right.most));
          default -> Range.ALL;
        };
      }
      default -> Range.ALL;
    };
  }

  private Range range(Poly poly) {
    Range sum = Range.of(0);
    for (Map.Entry<Poly.Product, Long> term : poly.terms().entrySet()) {
      Range product = Range.of((double) term.getValue());
      for (Name n : term.getKey().factors()) {
        product = product.times(ranges.getOrDefault(n, Range.ALL));
      }
      sum = sum.plus(product);
    }
    return sum;
  }
}
