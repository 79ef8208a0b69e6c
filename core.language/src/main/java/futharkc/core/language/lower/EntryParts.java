package futharkc.core.language.lower;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * The external form of a value: scalars and arrays of scalars. The parts of a value are its leaves.
 * An array whose elements have no leaves is represented by an array of booleans of its shape,
 * because no leaf has its size.
 */
final class EntryParts {
  private EntryParts() {}

  /**
   * A scalar or array of scalars in the external form.
   *
   * @param leaf whether the part is a leaf; false if it only carries a shape
   */
  record Part(Type type, boolean unsigned, boolean leaf) {}

  /**
   * Returns the parts of a type. Parts of a sum that are not leaves come last, variant by variant.
   */
  static List<Part> of(Ty t) {
    List<Part> out = new ArrayList<>();
    add(t, List.of(), out);
    return out;
  }

  private static void add(Ty t, List<SubExp> shape, List<Part> out) {
    switch (t) {
      case Ty.Prim p ->
          out.add(
              new Part(Type.array(Type.prim(Ty.ir(p.type())), shape), p.type().isUnsigned(), true));
      case Ty.Array a -> {
        List<SubExp> inner = new ArrayList<>(shape);
        inner.add(a.size());
        int before = out.size();
        add(a.elem(), inner, out);
        if (out.size() == before) {
          out.add(new Part(Type.array(Type.BOOL, inner), false, false));
        }
      }
      case Ty.Record r -> r.fields().values().forEach(x -> add(x, shape, out));
      case Ty.Sum s -> {
        for (Type leaf : s.leaves()) {
          out.add(new Part(Type.array(leaf, shape), false, true));
        }
        List<Part> payload = new ArrayList<>();
        s.variants().values().forEach(ts -> ts.forEach(x -> add(x, shape, payload)));
        payload.stream().filter(p -> !p.leaf()).forEach(out::add);
      }
      case Ty.Acc a -> throw new IllegalStateException("accumulator at an entry point");
      case Ty.Fun f -> {}
    }
  }

  /** Returns the value of a type that has the given parts. */
  static LoweredValue value(Ty t, List<SubExp> operands) {
    List<SubExp> leaves = new ArrayList<>();
    List<Part> parts = of(t);
    for (int i = 0; i < parts.size(); i++) {
      if (parts.get(i).leaf()) {
        leaves.add(operands.get(i));
      }
    }
    return LoweredValue.of(t, leaves);
  }

  /**
   * Returns the operands of the parts: the given leaves, and new arrays for parts that only carry a
   * shape.
   */
  static List<SubExp> operands(List<Part> parts, List<SubExp> leaves, Emit emit) {
    Iterator<SubExp> next = leaves.iterator();
    List<SubExp> out = new ArrayList<>();
    for (Part p : parts) {
      out.add(
          p.leaf()
              ? next.next()
              : emit.let("shape", p.type(), new BasicOp.Replicate(p.type().dims(), SubExp.FALSE)));
    }
    return out;
  }

  /**
   * Returns, for each payload of a variant, the indices of the sum's parts that hold the payload's
   * parts.
   *
   * @param s a sum; its tag is part 0
   */
  static List<List<Integer>> slots(Ty.Sum s, String constructor) {
    SumLayout layout = s.layout();
    int shapes = 1 + layout.slots().size();
    List<List<Integer>> out = new ArrayList<>();
    for (var v : s.variants().entrySet()) {
      boolean wanted = v.getKey().equals(constructor);
      for (int i = 0; i < v.getValue().size(); i++) {
        Iterator<Integer> places = layout.of(v.getKey()).get(i).iterator();
        List<Integer> own = new ArrayList<>();
        for (Part p : of(v.getValue().get(i))) {
          own.add(p.leaf() ? 1 + places.next() : shapes++);
        }
        if (wanted) {
          out.add(own);
        }
      }
    }
    return out;
  }
}
