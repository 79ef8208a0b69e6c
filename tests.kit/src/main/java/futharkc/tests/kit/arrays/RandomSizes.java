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

/** The sizes in scope in a body, and how they are made of others. */
final class RandomSizes {
  /** Two sizes that another one is the sum or the product of. */
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

  /** Those in scope in a body inside. */
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

  /** Those that are at least one, if the program is given such. */
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

  /** What a size is the sum of; null if it is none. */
  @Nullable Two parts(SubExp size) {
    return parts.get(size);
  }

  SubExp product(SubExp a, SubExp b, Builder code) {
    return products.computeIfAbsent(
        new Two(a, b),
        k -> {
          SubExp s = code.binOp("product", BinOp.Kind.MUL, PrimType.I64, a, b);
          factors.put(s, k);
          if (all.contains(a) && all.contains(b)) all.add(s);
          return s;
        });
  }

  /** What a size is the product of; null if it is none. */
  @Nullable Two factors(SubExp size) {
    return factors.get(size);
  }

  /** One less. */
  SubExp less(SubExp size, Builder code) {
    return less.computeIfAbsent(
        size, k -> code.binOp("less", BinOp.Kind.SUB, PrimType.I64, size, SubExp.i64(1)));
  }
}
