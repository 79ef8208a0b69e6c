package futharkc.core.ir.verify;

import static futharkc.core.ir.verify.Check.broken;
import static futharkc.core.ir.verify.Check.count;
import static futharkc.core.ir.verify.Check.require;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.FlatSlice;
import futharkc.core.ir.Lmad;
import futharkc.core.ir.Name;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.PrimValue;
import futharkc.core.ir.Slice;
import futharkc.core.ir.Space;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.verify.Check.Operand;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Verification of expressions without bodies. */
final class BasicCheck {
  private final Check check;
  private final VerifierScope env;

  BasicCheck(Check check) {
    this.check = check;
    this.env = check.env;
  }

  List<@Nullable Set<AliasClass>> op(Stm s, BasicOp op) {
    return switch (op) {
      case BasicOp.SubExpOp x -> copy(s, x.value());
      case BasicOp.Opaque x -> copy(s, x.value());
      case BasicOp.Index x -> {
        Type.Array a = check.array(x.array());
        slice(a, x.slice());
        Type t = Type.array(Type.prim(a.elem()), x.slice().shape());
        if (t instanceof Type.Prim) {
          require(
              check.level() != ExecutionLevel.HOST || !isOnDevice(a),
              "host code uses an element of " + x.array() + " on the device; use a read operation");
          yield fresh(s, t);
        }
        var shared =
            alias(s, x.array(), t, a.mem() == null ? null : a.mem().lmad().slice(x.slice()));
        yield repeats(x.slice()) ? repeated(s, x.array()) : shared;
      }
      case BasicOp.FlatIndex x -> {
        Type.Array a = check.array(x.array());
        flatSlice(a, x.slice());
        Type t = Type.array(Type.prim(a.elem()), x.slice().shape());
        alias(s, x.array(), t, a.mem() == null ? null : a.mem().lmad().flatSlice(x.slice()));
        yield repeated(s, x.array());
      }
      case BasicOp.Rearrange x -> {
        Type.Array a = check.array(x.array());
        permutation(a, x.perm());
        Type t = a.withShape(x.perm().stream().map(a.shape()::get).toList());
        yield alias(s, x.array(), t, a.mem() == null ? null : a.mem().lmad().permute(x.perm()));
      }
      case BasicOp.Reshape x -> reshape(s, x);
      case BasicOp.Update x -> {
        Type.Array a = check.array(x.array());
        slice(a, x.slice());
        Type t = Type.array(Type.prim(a.elem()), x.slice().shape());
        check.same(env.use(x.value()), t, "value " + x.value());
        yield update(s, x.array(), a, x.value());
      }
      case BasicOp.FlatUpdate x -> {
        Type.Array a = check.array(x.array());
        flatSlice(a, x.slice());
        Type t = Type.array(Type.prim(a.elem()), x.slice().shape());
        check.same(env.use(x.value()), t, "value " + x.value());
        yield update(s, x.array(), a, SubExp.of(x.value()));
      }
      case BasicOp.UpdateAcc x -> updateAcc(s, x);
      case BasicOp.ArrayVal x -> {
        for (PrimValue v : x.values()) {
          require(v.type() == x.elem(), "element " + v + " is not of type " + x.elem());
        }
        yield fresh(s, Type.array(Type.prim(x.elem()), SubExp.i64(x.values().size())));
      }
      case BasicOp.ArrayLit x -> {
        check.type(x.row());
        for (SubExp e : x.elems()) {
          check.same(env.use(e), x.row(), "element " + e);
        }
        yield fresh(s, Type.array(x.row().withoutMem(), SubExp.i64(x.elems().size())));
      }
      case BasicOp.Concat x -> fresh(s, concat(x));
      case BasicOp.Manifest x -> {
        Type.Array a = check.array(x.array());
        permutation(a, x.perm());
        yield fresh(s, a);
      }
      case BasicOp.Iota x -> {
        require(
            x.type().isInt(), "the element type of iota is " + x.type() + ", not an integer type");
        check.operand(x.count(), PrimType.I64);
        check.operand(x.start(), x.type());
        check.operand(x.stride(), x.type());
        yield fresh(s, Type.array(Type.prim(x.type()), x.count()));
      }
      case BasicOp.Replicate x -> {
        check.sizes(x.shape());
        Type t = env.use(x.value()).withoutMem();
        require(
            t instanceof Type.Array || t instanceof Type.Prim && !x.shape().isEmpty(),
            "the operand of replicate is not an array, or a scalar with a non-empty shape");
        yield fresh(s, Type.array(t, x.shape()));
      }
      case BasicOp.Scratch x -> {
        check.sizes(x.shape());
        require(!x.shape().isEmpty(), "the shape of scratch is empty");
        yield fresh(s, Type.array(Type.prim(x.elem()), x.shape()));
      }
      case BasicOp.Assert x -> {
        check.operand(x.cond(), PrimType.BOOL);
        for (BasicOp.MsgPart part : x.message()) {
          if (part instanceof BasicOp.MsgPart.Value v) {
            check.operand(v.value(), v.type());
          }
        }
        yield fresh(s, Type.UNIT);
      }
      case BasicOp.UserParam x -> {
        check.operand(x.defaultValue(), PrimType.I64);
        yield fresh(s, Type.I64);
      }
      case BasicOp.BinOpExp x -> {
        check.operand(x.left(), x.op().type());
        check.operand(x.right(), x.op().type());
        require(ScalarTypes.fits(x.op()), "there is no operator " + x.op());
        yield fresh(s, Type.prim(x.op().type()));
      }
      case BasicOp.CmpOpExp x -> {
        check.operand(x.left(), x.op().type());
        check.operand(x.right(), x.op().type());
        require(ScalarTypes.fits(x.op()), "there is no comparison " + x.op());
        yield fresh(s, Type.BOOL);
      }
      case BasicOp.UnOpExp x -> {
        check.operand(x.operand(), x.op().type());
        require(ScalarTypes.fits(x.op()), "there is no operator " + x.op());
        yield fresh(s, Type.prim(x.op().type()));
      }
      case BasicOp.ConvOpExp x -> {
        check.operand(x.operand(), x.op().from());
        require(ScalarTypes.fits(x.op()), "there is no conversion " + x.op());
        yield fresh(s, Type.prim(x.op().to()));
      }
      case BasicOp.PrimFunExp x -> {
        require(ScalarTypes.fits(x.fun()), "there is no function " + x.fun());
        count(x.args().size(), x.fun().kind().arity, "operands of " + x.fun());
        for (int i = 0; i < x.args().size(); i++) {
          check.operand(x.args().get(i), x.fun().operand(i));
        }
        yield fresh(s, Type.prim(x.fun().result()));
      }
    };
  }

  private List<@Nullable Set<AliasClass>> fresh(Stm s, Type t) {
    check.pattern(s, List.of(t));
    return ExpCheck.FRESH;
  }

  private boolean isOnDevice(Type.Array a) {
    return a.mem() != null
        && env.type(a.mem().block()) instanceof Type.Mem m
        && m.space() instanceof Space.Device;
  }

  private List<@Nullable Set<AliasClass>> copy(Stm s, SubExp value) {
    Type t = env.use(value);
    check.patternCount(s, 1);
    Type result = s.pat().get(0).type();
    check.sameWithMem(result, t, "result " + s.pat().get(0).name());
    return List.of(env.origins(value));
  }

  /**
   * Checks a result that aliases an array. In memory representations, the result must be in the
   * array's block with the given index function.
   */
  private List<@Nullable Set<AliasClass>> alias(Stm s, Name array, Type t, @Nullable Lmad lmad) {
    check.pattern(s, List.of(t));
    inPlace(s, array, lmad);
    return List.of(env.origins(array));
  }

  /**
   * Returns the aliases of a view that may contain an element several times. Such a view must not
   * be updated.
   */
  private List<@Nullable Set<AliasClass>> repeated(Stm s, Name array) {
    Set<AliasClass> shared = new LinkedHashSet<>(env.origins(array));
    shared.add(NonInjectiveViews.origin(s.pat().get(0).name(), env));
    return List.of(shared);
  }

  private static boolean repeats(Slice slice) {
    return slice.dims().stream().anyMatch(d -> d instanceof Slice.Range r && r.stride().isInt(0));
  }

  private void inPlace(Stm s, Name array, @Nullable Lmad lmad) {
    if (lmad == null) {
      return;
    }
    if (!(s.pat().get(0).type() instanceof Type.Array r && r.mem() != null)) {
      return;
    }
    Type.Array a = check.array(array);
    if (a.mem() == null) {
      return;
    }
    require(
        r.mem().block().equals(a.mem().block()), "the result is in another block than " + array);
    require(
        check.sameLmad(r.mem().lmad(), lmad),
        "the result's index function does not follow from that of " + array);
  }

  private List<@Nullable Set<AliasClass>> reshape(Stm s, BasicOp.Reshape x) {
    Type.Array a = check.array(x.array());
    check.sizes(x.shape());
    require(!x.shape().isEmpty(), "the shape of reshape is empty");
    require(
        !x.coerce() || x.shape().size() == a.rank(),
        "the coercion changes the number of dimensions");
    check.pattern(s, List.of(a.withShape(x.shape())));
    if (a.mem() != null
        && s.pat().get(0).type() instanceof Type.Array r
        && r.mem() != null
        && r.mem().block().equals(a.mem().block())) {
      Lmad l = a.mem().lmad();
      // Row-major strides are products of sizes, which may be expressed by the new sizes.
      if (l.isContiguous() && r.mem().lmad().isContiguous()) {
        require(
            check.samePoly(r.mem().lmad().offset(), l.offset()),
            "the result is at another offset than " + x.array());
      } else if (x.coerce() && check.sameLmad(r.mem().lmad(), l.coerce(x.shape()))) {
        return List.of(env.origins(x.array()));
      } else if (x.coerce()) {
        List<Lmad.Dim> dims = new ArrayList<>();
        for (int i = 0; i < x.shape().size(); i++) {
          dims.add(new Lmad.Dim(l.dims().get(i).stride(), x.shape().get(i)));
        }
        inPlace(s, x.array(), new Lmad(l.offset(), dims));
      } else if (l.isContiguous()) {
        inPlace(s, x.array(), Lmad.rowMajor(l.offset(), x.shape()));
      }
    }
    return List.of(env.origins(x.array()));
  }

  private List<@Nullable Set<AliasClass>> update(Stm s, Name array, Type.Array a, SubExp value) {
    check.patternCount(s, 1);
    check.sameWithMem(s.pat().get(0).type(), a, "result " + s.pat().get(0).name());
    check.operands(
        List.of(Operand.of(array, ExpCheck.consumer(s)), new Operand(value, null)), env.uses());
    return ExpCheck.FRESH;
  }

  private List<@Nullable Set<AliasClass>> updateAcc(Stm s, BasicOp.UpdateAcc x) {
    if (!(env.use(x.acc()) instanceof Type.Acc acc)) {
      throw broken(x.acc() + " is not an accumulator");
    }
    count(x.index().size(), acc.space().size(), "indices");
    check.sizes(x.index());
    count(x.values().size(), acc.elems().size(), "values");
    for (int i = 0; i < x.values().size(); i++) {
      check.same(env.use(x.values().get(i)), acc.elems().get(i), "value " + x.values().get(i));
    }
    env.consume(x.acc(), ExpCheck.consumer(s));
    check.pattern(s, List.of(acc));
    return ExpCheck.FRESH;
  }

  private void slice(Type.Array a, Slice slice) {
    count(slice.dims().size(), a.rank(), "dimensions in a slice");
    for (Slice.Dim d : slice.dims()) {
      switch (d) {
        case Slice.Fix f -> check.operand(f.index(), PrimType.I64);
        case Slice.Range r -> check.sizes(List.of(r.start(), r.count(), r.stride()));
      }
    }
  }

  private void flatSlice(Type.Array a, FlatSlice slice) {
    count(a.rank(), 1, "dimensions of an array with a flat slice");
    check.operand(slice.offset(), PrimType.I64);
    require(!slice.dims().isEmpty(), "flat slice without dimensions");
    for (FlatSlice.Dim d : slice.dims()) {
      check.sizes(List.of(d.count(), d.stride()));
    }
  }

  private static void permutation(Type.Array a, List<Integer> perm) {
    count(perm.size(), a.rank(), "dimensions in a permutation");
    if (new HashSet<>(perm).size() != perm.size()
        || Collections.min(perm) != 0
        || Collections.max(perm) != perm.size() - 1) {
      throw broken(perm + " is not a permutation");
    }
  }

  private Type concat(BasicOp.Concat x) {
    require(!x.arrays().isEmpty(), "the concatenation has no operands");
    check.operand(x.size(), PrimType.I64);
    Type.Array first = check.array(x.arrays().get(0));
    require(x.dim() >= 0 && x.dim() < first.rank(), "there is no dimension " + x.dim());
    Type expected = resized(first, x);
    for (Name n : x.arrays()) {
      Type.Array a = check.array(n);
      count(a.rank(), first.rank(), "dimensions of " + n);
      check.same(resized(a, x), expected, n + ", resized to the length of the result,");
    }
    return expected;
  }

  private static Type resized(Type.Array a, BasicOp.Concat x) {
    List<SubExp> shape = new ArrayList<>(a.shape());
    shape.set(x.dim(), x.size());
    return a.withShape(shape);
  }
}
