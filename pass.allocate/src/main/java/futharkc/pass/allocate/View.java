package futharkc.pass.allocate;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Lmad;
import futharkc.core.ir.Name;
import futharkc.core.ir.SubExp;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Another way to look at an array, its block being the same.
 *
 * @param array the array that is looked at
 * @param lmad where the elements are in its block; null if no LMAD says so
 */
record View(Name array, @Nullable Lmad lmad) {
  /** What an operation looks at; null if it makes a new array. */
  static @Nullable View of(BasicOp op, Function<Name, Lmad> places) {
    return switch (op) {
      case BasicOp.SubExpOp x -> same(x.value(), places);
      case BasicOp.Opaque x -> same(x.value(), places);
      case BasicOp.Index x -> new View(x.array(), places.apply(x.array()).slice(x.slice()));
      case BasicOp.FlatIndex x -> new View(x.array(), places.apply(x.array()).flatSlice(x.slice()));
      case BasicOp.Update x -> new View(x.array(), places.apply(x.array()));
      case BasicOp.FlatUpdate x -> new View(x.array(), places.apply(x.array()));
      case BasicOp.Rearrange x -> new View(x.array(), places.apply(x.array()).permute(x.perm()));
      case BasicOp.Reshape x -> {
        Lmad from = places.apply(x.array());
        yield new View(x.array(), x.coerce() ? from.coerce(x.shape()) : from.reshape(x.shape()));
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

  private static View same(SubExp array, Function<Name, Lmad> places) {
    Name n = ((SubExp.Var) array).name();
    return new View(n, places.apply(n));
  }

  private static IllegalStateException noArray(BasicOp op) {
    return new IllegalStateException(op.getClass().getSimpleName() + " has no array for a result");
  }
}
