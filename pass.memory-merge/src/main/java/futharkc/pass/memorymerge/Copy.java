package futharkc.pass.memorymerge;

import futharkc.core.ir.ArrayMem;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Lmad;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.Slice;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.memory.FunctionMemory;
import futharkc.core.ir.symbolic.Bounds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A copy of an array.
 *
 * @param array the copied array
 * @param to the destination
 * @param certs the certificates under which the destination is within bounds
 * @param updated the array of which a slice is replaced, and which must exist before; null for
 *     other copies
 * @param concatenated the arrays of a concatenation, including this one; the destination is within
 *     bounds only if no other array has a negative size
 * @param dim the dimension of the concatenation
 * @param name the name of the destination in messages
 */
record Copy(
    Name array,
    ArrayMem to,
    List<Name> certs,
    @Nullable Name updated,
    List<Name> concatenated,
    int dim,
    Name name) {
  Copy(Name array, ArrayMem to, List<Name> certs, @Nullable Name updated, Name name) {
    this(array, to, certs, updated, List.of(), 0, name);
  }

  /** Returns the other arrays of the concatenation. */
  Stream<Name> beside() {
    return concatenated.stream().filter(n -> !n.equals(array));
  }

  /** Returns the copies that a statement performs; several copies have disjoint destinations. */
  static List<Copy> in(Stm s, FunctionMemory table) {
    if (s.pat().size() != 1) {
      return List.of();
    }
    Name result = s.pat().get(0).name();
    ArrayMem to = table.place(result);
    if (to == null) {
      return List.of();
    }
    List<Name> certs = s.aux().certs();
    List<Copy> found = new ArrayList<>();
    switch (s.exp()) {
      case BasicOp.Manifest x -> found.add(new Copy(x.array(), to, certs, null, result));
      case BasicOp.Replicate x -> {
        if (x.shape().isEmpty() && x.value() instanceof SubExp.Var v) {
          found.add(new Copy(v.name(), to, certs, null, result));
        }
      }
      case BasicOp.Concat x -> {
        List<SubExp> sizes = x.arrays().stream().map(n -> size(n, x.dim(), table)).toList();
        List<Poly> starts = starts(x.size(), sizes, table);
        for (int k = 0; k < sizes.size(); k++) {
          List<Lmad.Dim> dims = new ArrayList<>(to.lmad().dims());
          Poly stride = dims.get(x.dim()).stride();
          dims.set(x.dim(), new Lmad.Dim(stride, sizes.get(k)));
          Lmad part = new Lmad(to.lmad().offset().plus(starts.get(k).times(stride)), dims);
          ArrayMem there = new ArrayMem(to.block(), part);
          found.add(new Copy(x.arrays().get(k), there, certs, null, x.arrays(), x.dim(), result));
        }
      }
      case BasicOp.ArrayLit x -> {
        for (int k = 0; k < x.elems().size(); k++) {
          if (!(x.elems().get(k) instanceof SubExp.Var v)
              || !(table.type(v.name()) instanceof Type.Array)) {
            continue;
          }
          Slice row = Slice.fix(List.of(SubExp.i64(k)), to.lmad().shape());
          found.add(
              new Copy(
                  v.name(), new ArrayMem(to.block(), to.lmad().slice(row)), certs, null, result));
        }
      }
      case BasicOp.Update x -> {
        if (!x.safe()
            && x.value() instanceof SubExp.Var v
            && table.type(v.name()) instanceof Type.Array) {
          ArrayMem part = new ArrayMem(to.block(), to.lmad().slice(x.slice()));
          found.add(new Copy(v.name(), part, certs(s, x.array(), table), x.array(), x.array()));
        }
      }
      case BasicOp.FlatUpdate x -> {
        ArrayMem part = new ArrayMem(to.block(), to.lmad().flatSlice(x.slice()));
        found.add(new Copy(x.value(), part, certs(s, x.array(), table), x.array(), x.array()));
      }
      default -> {}
    }
    return found;
  }

  /** Returns the certificates under which a slice of an array is within bounds. */
  private static List<Name> certs(Stm s, Name updated, FunctionMemory table) {
    Set<Name> certs = new LinkedHashSet<>(s.aux().certs());
    certs.addAll(table.shapes().of(updated).certs());
    return List.copyOf(certs);
  }

  private static SubExp size(Name array, int dim, FunctionMemory table) {
    return Objects.requireNonNull(table.type(array)).dims().get(dim);
  }

  /**
   * Returns the offsets of concatenated arrays: sums of sizes, or the variables that hold long sums
   * if the program computes them.
   */
  private static List<Poly> starts(SubExp all, List<SubExp> sizes, FunctionMemory table) {
    Map<Integer, Name> named = new HashMap<>();
    SubExp end = all;
    for (int k = sizes.size() - 1; k > 0 && end instanceof SubExp.Var v; k--) {
      Poly value = table.values().value(v.name());
      end = value == null ? null : value.minus(Poly.of(sizes.get(k))).asSubExp();
      if (end instanceof SubExp.Var start) {
        named.put(k, start.name());
      }
    }
    List<Poly> starts = new ArrayList<>();
    Poly at = Poly.ZERO;
    for (int k = 0; k < sizes.size(); k++) {
      Name name = named.get(k);
      if (name != null && at.terms().size() > Bounds.LARGEST_SUM) {
        at = Poly.of(name);
      }
      starts.add(at);
      at = at.plus(Poly.of(sizes.get(k)));
    }
    return starts;
  }
}
