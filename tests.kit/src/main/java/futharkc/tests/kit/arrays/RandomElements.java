package futharkc.tests.kit.arrays;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.ConvOp;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.PrimValue;
import futharkc.core.ir.Slice;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** A generator of random indices, slices and scalars. */
final class RandomElements {
  private final Random random;

  /** True if the program's size parameters are at least one. */
  private final boolean positive;

  RandomElements(Random random, boolean positive) {
    this.random = random;
    this.positive = positive;
  }

  private boolean oneIn(int n) {
    return random.nextInt(n) == 0;
  }

  <T> T pick(List<T> from) {
    int last = Math.min(from.size(), oneIn(2) ? 3 : from.size());
    return from.get(from.size() - 1 - random.nextInt(last));
  }

  private static long constant(SubExp size) {
    return size instanceof SubExp.Const c ? c.value().bits() : -1;
  }

  /** Returns an index into a dimension, or null if the scope has no index into it. */
  @Nullable SubExp index(ArrayScope s, SubExp size) {
    SubExp i = forwards(s, size);
    if (i == null || !oneIn(4)) {
      return i;
    }
    SubExp last = s.sizes.less(size, s.code);
    return s.code.binOp("back", BinOp.Kind.SUB, PrimType.I64, last, i);
  }

  private @Nullable SubExp forwards(ArrayScope s, SubExp size) {
    List<SubExp> known = new ArrayList<>();
    for (ArrayScope.Index i : s.indices) {
      if (i.size().equals(size)) {
        known.add(i.value());
      }
    }
    if (!known.isEmpty() && !oneIn(6)) {
      return pick(known);
    }
    if (constant(size) > 0) {
      return SubExp.i64(random.nextLong(constant(size)));
    }
    RandomSizes.Two parts = s.sizes.parts(size);
    if (parts != null) {
      SubExp a = forwards(s, parts.a());
      if (a != null && oneIn(2)) {
        return a;
      }
      SubExp b = forwards(s, parts.b());
      if (b != null) {
        return s.code.binOp("i", BinOp.Kind.ADD, PrimType.I64, parts.a(), b);
      }
      if (a != null) {
        return a;
      }
    }
    RandomSizes.Two factors = s.sizes.factors(size);
    if (factors != null) {
      SubExp a = forwards(s, factors.a());
      SubExp b = a == null ? null : forwards(s, factors.b());
      if (a != null && b != null) {
        SubExp row = s.code.binOp("row", BinOp.Kind.MUL, PrimType.I64, a, factors.b());
        return s.code.binOp("i", BinOp.Kind.ADD, PrimType.I64, row, b);
      }
    }
    return known.isEmpty() ? null : pick(known);
  }

  /** Returns the indices of an element, or null if a dimension has no known index. */
  @Nullable Slice element(ArrayScope s, List<SubExp> dims) {
    List<SubExp> indices = new ArrayList<>();
    for (SubExp d : dims) {
      SubExp i = index(s, d);
      if (i == null) {
        return null;
      }
      indices.add(i);
    }
    return Slice.fix(indices, dims);
  }

  /** Returns a slice of an array of this shape. */
  Slice slice(ArrayScope s, List<SubExp> dims) {
    List<Slice.Dim> parts = new ArrayList<>();
    for (SubExp d : dims) {
      SubExp i = dims.size() > 1 && oneIn(3) ? index(s, d) : null;
      parts.add(i != null ? new Slice.Fix(i) : range(s, d));
    }
    return new Slice(parts);
  }

  private Slice.Dim range(ArrayScope s, SubExp size) {
    SubExp zero = SubExp.i64(0);
    SubExp one = SubExp.i64(1);
    RandomSizes.Two parts = s.sizes.parts(size);
    if (parts != null && !oneIn(4)) {
      SubExp two = SubExp.i64(2);
      boolean strided = parts.a().equals(parts.b()) && oneIn(2);
      if (strided) {
        return new Slice.Range(oneIn(2) ? zero : one, parts.a(), two);
      }
      return oneIn(2)
          ? new Slice.Range(zero, parts.a(), one)
          : new Slice.Range(parts.a(), parts.b(), one);
    }
    if (oneIn(4)) {
      return new Slice.Range(s.sizes.less(size, s.code), size, SubExp.i64(-1));
    }
    if (constant(size) > 1 && oneIn(2)) {
      return new Slice.Range(SubExp.i64(random.nextInt(2)), SubExp.i64(constant(size) - 1), one);
    }
    if (positive && s.sizes.all().contains(size) && constant(size) < 0 && oneIn(3)) {
      return new Slice.Range(oneIn(2) ? zero : one, s.sizes.less(size, s.code), one);
    }
    return new Slice.Range(zero, size, one);
  }

  // Scalars

  /** Returns a scalar of a type, in most cases computed from elements of arrays. */
  SubExp scalar(ArrayScope s, PrimType type) {
    SubExp value = operand(s, type);
    for (int k = random.nextInt(3); k > 0; k--) {
      BinOp.Kind op = oneIn(3) ? BinOp.Kind.MUL : oneIn(2) ? BinOp.Kind.SUB : BinOp.Kind.ADD;
      value = s.code.binOp("x", op, type, value, operand(s, type));
    }
    return value;
  }

  private SubExp operand(ArrayScope s, PrimType type) {
    List<ArrayVariable> from = s.live().stream().filter(a -> a.type().elem() == type).toList();
    for (int tries = 0; tries < 3 && !from.isEmpty() && !oneIn(5); tries++) {
      ArrayVariable a = pick(from);
      Slice at = element(s, a.type().shape());
      if (at == null) {
        continue;
      }
      return s.code.letExp("elem", Type.prim(type), new BasicOp.Index(a.name(), at));
    }
    List<SubExp> known = new ArrayList<>();
    for (ArrayScope.Scalar x : s.scalars) {
      if (x.type() == type) {
        known.add(x.value());
      }
    }
    if (!known.isEmpty() && oneIn(2)) {
      return pick(known);
    }
    if (!s.indices.isEmpty() && oneIn(2)) {
      SubExp i = pick(s.indices).value();
      ConvOp.Kind kind = ConvOp.Kind.SEXT;
      return type == PrimType.I64 ? i : s.code.conv("conv", kind, PrimType.I64, type, i);
    }
    return SubExp.of(PrimValue.ofInt(type, random.nextInt(-3, 10)));
  }

  /** Returns a random condition. */
  SubExp condition(ArrayScope s, PrimType type) {
    CmpOp.Kind kind = oneIn(2) ? CmpOp.Kind.SLT : CmpOp.Kind.EQ;
    if (!s.indices.isEmpty() && oneIn(2)) {
      SubExp i = pick(s.indices).value();
      return s.code.cmp("cond", kind, PrimType.I64, i, SubExp.i64(random.nextInt(3)));
    }
    return s.code.cmp("cond", CmpOp.Kind.SLT, type, operand(s, type), operand(s, type));
  }
}
