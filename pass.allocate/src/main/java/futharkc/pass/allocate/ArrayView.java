package futharkc.pass.allocate;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Lmad;
import futharkc.core.ir.Name;
import futharkc.core.ir.SubExp;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A view of an array in the same memory block.
 *
 * @param array the array
 * @param lmad the index function of the view; null if no LMAD expresses it
 */
record ArrayView(Name array, @Nullable Lmad lmad) {
  /** Returns the view that an operation returns; null if the operation constructs a new array. */
  static @Nullable ArrayView of(BasicOp op, Function<Name, Lmad> places) {
    return switch (op) {
      case BasicOp.SubExpOp x -> same(x.value(), places);
      case BasicOp.Opaque x -> same(x.value(), places);
      case BasicOp.Index x -> new ArrayView(x.array(), places.apply(x.array()).slice(x.slice()));
      case BasicOp.FlatIndex x ->
          new ArrayView(x.array(), places.apply(x.array()).flatSlice(x.slice()));
      case BasicOp.Update x -> new ArrayView(x.array(), places.apply(x.array()));
      case BasicOp.FlatUpdate x -> new ArrayView(x.array(), places.apply(x.array()));
      case BasicOp.Rearrange x ->
          new ArrayView(x.array(), places.apply(x.array()).permute(x.perm()));
      case BasicOp.Reshape x -> {
        Lmad from = places.apply(x.array());
        yield new ArrayView(
            x.array(), x.coerce() ? from.coerce(x.shape()) : from.reshape(x.shape()));
      }
      case BasicOp.Manifest x -> null;
      case BasicOp.ArrayVal x -> null;
      case BasicOp.ArrayLit x -> null;
      case BasicOp.Concat x -> null;
      case BasicOp.Iota x -> null;
      case BasicOp.Replicate x -> null;
      case BasicOp.Scratch x -> null;
      case BasicOp.BinOpExp x -> throw noArray(x);
      case BasicOp.UnOpExp x -> throw noArray(x);
      case BasicOp.CmpOpExp x -> throw noArray(x);
      case BasicOp.ConvOpExp x -> throw noArray(x);
      case BasicOp.PrimFunExp x -> throw noArray(x);
      case BasicOp.Assert x -> throw noArray(x);
      case BasicOp.UpdateAcc x -> throw noArray(x);
      case BasicOp.UserParam x -> throw noArray(x);
    };
  }

  private static ArrayView same(SubExp array, Function<Name, Lmad> places) {
    Name n = ((SubExp.Var) array).name();
    return new ArrayView(n, places.apply(n));
  }

  private static IllegalStateException noArray(BasicOp op) {
    return new IllegalStateException(op.getClass().getSimpleName() + " has no array result");
  }
}
