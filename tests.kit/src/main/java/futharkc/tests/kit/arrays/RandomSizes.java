package futharkc.tests.kit.arrays;

import futharkc.core.ir.BinOp;
import futharkc.core.ir.Builder;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.SubExp;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The sizes in scope in a body, with their decompositions into sums and products. */
final class RandomSizes {
  /** The two operands of a size that is a sum or a product. */
  record Two(SubExp a, SubExp b) {}

  private final List<SubExp> all;
  private final Map<Two, SubExp> sums;
  private final Map<SubExp, Two> parts;
  private final Map<Two, SubExp> products;
  private final Map<SubExp, Two> factors;
  private final Map<SubExp, SubExp> less;

  RandomSizes() {
    this.all = new ArrayList<>();
    this.sums = new HashMap<>();
    this.parts = new HashMap<>();
    this.products = new HashMap<>();
    this.factors = new HashMap<>();
    this.less = new HashMap<>();
  }

  /** Creates a copy of an outer body's sizes for an inner body. */
  RandomSizes(RandomSizes outer) {
    this.all = new ArrayList<>(outer.all);
    this.sums = new HashMap<>(outer.sums);
    this.parts = new HashMap<>(outer.parts);
    this.products = new HashMap<>(outer.products);
    this.factors = new HashMap<>(outer.factors);
    this.less = new HashMap<>(outer.less);
  }

  void add(SubExp size) {
    all.add(size);
  }

  /** Returns all sizes in scope; each is at least one if the program's size parameters are. */
  List<SubExp> all() {
    return all;
  }

  SubExp sum(SubExp a, SubExp b, Builder code) {
    return sums.computeIfAbsent(
        new Two(a, b),
        k -> {
          SubExp s = code.binOp("sum", BinOp.Kind.ADD, PrimType.I64, a, b);
          parts.put(s, k);
          all.add(s);
          return s;
        });
  }

  /** Returns the two summands of a size, or null if the size is not a sum. */
  @Nullable Two parts(SubExp size) {
    return parts.get(size);
  }

  SubExp product(SubExp a, SubExp b, Builder code) {
    return products.computeIfAbsent(
        new Two(a, b),
        k -> {
          SubExp s = code.binOp("product", BinOp.Kind.MUL, PrimType.I64, a, b);
          factors.put(s, k);
          if (all.contains(a) && all.contains(b)) {
            all.add(s);
          }
          return s;
        });
  }

  /** Returns the two factors of a size, or null if the size is not a product. */
  @Nullable Two factors(SubExp size) {
    return factors.get(size);
  }

  /** Returns the size minus one. */
  SubExp less(SubExp size, Builder code) {
    return less.computeIfAbsent(
        size, k -> code.binOp("less", BinOp.Kind.SUB, PrimType.I64, size, SubExp.i64(1)));
  }
}
