package futharkc.core.language.lower;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * The plain values that a value consists of when it is seen from outside: its leaves, and for an
 * array whose elements have none, booleans in an array of its shape, since nothing else would tell
 * its size.
 */
final class EntryParts {
  private EntryParts() {}

  /**
   * One of the plain values.
   *
   * @param leaf whether it is a leaf; false if it only has a shape
   */
  record Part(Type type, boolean unsigned, boolean leaf) {}

  /** The parts of a type; those of a sum beyond its leaves come last, variant by variant. */
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
        if (out.size() == before) out.add(new Part(Type.array(Type.BOOL, inner), false, false));
      }
      case Ty.Record r -> r.fields().values().forEach(x -> add(x, shape, out));
      case Ty.Sum s -> {
        for (Type leaf : s.leaves()) out.add(new Part(Type.array(leaf, shape), false, true));
        List<Part> payload = new ArrayList<>();
        s.variants().values().forEach(ts -> ts.forEach(x -> add(x, shape, payload)));
        payload.stream().filter(p -> !p.leaf()).forEach(out::add);
      }
      case Ty.Acc a -> throw new IllegalStateException("accumulator at an entry point");
      case Ty.Fun f -> {}
    }
  }

  /** The value of a type with these parts. */
  static LoweredValue value(Ty t, List<SubExp> operands) {
    List<SubExp> leaves = new ArrayList<>();
    List<Part> parts = of(t);
    for (int i = 0; i < parts.size(); i++) {
      if (parts.get(i).leaf()) leaves.add(operands.get(i));
    }
    return LoweredValue.of(t, leaves);
  }

  /** The operands of parts: these leaves, and arrays made for those that only have a shape. */
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
   * For each payload of a variant, which parts of the sum hold its parts.
   *
   * @param s a sum, the tag of which is part 0
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
        for (Part p : of(v.getValue().get(i))) own.add(p.leaf() ? 1 + places.next() : shapes++);
        if (wanted) out.add(own);
      }
    }
    return out;
  }
}
