package futharkc.pass.differentiation;

import static futharkc.core.ir.build.Arithmetic.call;
import static futharkc.core.ir.build.Arithmetic.compare;
import static futharkc.core.ir.build.Arithmetic.minus;
import static futharkc.core.ir.build.Arithmetic.number;
import static futharkc.core.ir.build.Arithmetic.one;
import static futharkc.core.ir.build.Arithmetic.over;
import static futharkc.core.ir.build.Arithmetic.plus;
import static futharkc.core.ir.build.Arithmetic.times;
import static futharkc.core.ir.build.Arithmetic.zero;

import futharkc.core.ir.CmpOp;
import futharkc.core.ir.PrimFun;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.build.Emitter;
import java.util.List;

/**
 * The digamma function, the derivative of the logarithm of the gamma function, in scalar code:
 *
 * <pre>
 * psi(x) = psi(1 - x) - pi / tan(pi x)                               for x below 1/2
 * psi(z) = psi(z + 8) - sum over k below 8 of 1 / (z + k)
 * psi(w) ~ log w - 1/2w - sum over k of B(2k) / (2k w^2k)            for w of 8 and more
 * </pre>
 *
 * <p>Abramowitz and Stegun, Handbook of Mathematical Functions, 6.3.6, 6.3.7 and 6.3.18.
 */
final class Digamma {
  private static final int SHIFT = 8;

  /** The coefficients B(2k) / 2k, with the Bernoulli numbers from B(2). */
  private static final List<Double> SERIES =
      List.of(1.0 / 12, -1.0 / 120, 1.0 / 252, -1.0 / 240, 1.0 / 132, -691.0 / 32760, 1.0 / 12);

  private Digamma() {}

  static SubExp of(Emitter e, PrimType t, SubExp x) {
    SubExp low = compare(e, CmpOp.Kind.FLT, t, x, number(t, 0.5));
    SubExp z = e.select(low, minus(e, t, one(t), x), x);
    SubExp shifted = zero(t);
    for (int k = 0; k < SHIFT; k++) {
      shifted = plus(e, t, shifted, over(e, t, one(t), plus(e, t, z, number(t, k))));
    }
    SubExp w = plus(e, t, z, number(t, SHIFT));
    SubExp inverse = over(e, t, one(t), w);
    SubExp square = times(e, t, inverse, inverse);
    SubExp series = zero(t);
    for (int k = SERIES.size() - 1; k >= 0; k--) {
      series = times(e, t, square, plus(e, t, number(t, SERIES.get(k)), series));
    }
    SubExp psi = minus(e, t, call(e, PrimFun.Kind.LOG, t, w), times(e, t, number(t, 0.5), inverse));
    psi = minus(e, t, minus(e, t, psi, series), shifted);
    SubExp tangent = call(e, PrimFun.Kind.TANPI, t, x);
    SubExp reflected = minus(e, t, psi, over(e, t, number(t, Math.PI), tangent));
    return e.select(low, reflected, psi);
  }
}
