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
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An array that is copied.
 *
 * @param array which
 * @param to where to
 * @param certs what has to hold for that to be a place
 * @param updated the array that must have been made before, because a part of it is replaced
 * @param concatenated what it is concatenated with, itself included: only if none of the others has
 *     a negative size is the place inside of the destination
 * @param dim along which
 * @param name how messages call the destination
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

  /** The other arrays that it is concatenated with. */
  List<Name> beside() {
    return concatenated.stream().filter(n -> !n.equals(array)).toList();
  }

  /**
   * The copies that a statement makes; if there are several, they go to different parts of its
   * result.
   */
  static List<Copy> in(Stm s, FunctionTable table) {
    if (s.pat().size() != 1) return List.of();
    Name result = s.pat().get(0).name();
    ArrayMem to = table.place(result);
    if (to == null) return List.of();
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
        Poly at = Poly.ZERO;
        for (Name array : x.arrays()) {
          List<SubExp> shape = Objects.requireNonNull(table.type(array)).dims();
          List<Lmad.Dim> dims = new ArrayList<>(to.lmad().dims());
          Poly stride = dims.get(x.dim()).stride();
          dims.set(x.dim(), new Lmad.Dim(stride, shape.get(x.dim())));
          Lmad part = new Lmad(to.lmad().offset().plus(at.times(stride)), dims);
          ArrayMem there = new ArrayMem(to.block(), part);
          found.add(new Copy(array, there, certs, null, x.arrays(), x.dim(), result));
          at = at.plus(Poly.of(shape.get(x.dim())));
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
          found.add(new Copy(v.name(), part, certs, x.array(), x.array()));
        }
      }
      case BasicOp.FlatUpdate x -> {
        ArrayMem part = new ArrayMem(to.block(), to.lmad().flatSlice(x.slice()));
        found.add(new Copy(x.value(), part, certs, x.array(), x.array()));
      }
      default -> {}
    }
    return found;
  }
}
