package futharkc.backend.interpreter;

import futharkc.core.ir.EntryPoint;
import futharkc.core.ir.ExtType;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Program;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.Opaques;
import futharkc.core.runtime.Scalar;
import futharkc.core.runtime.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The conversion between run-time values and the arguments and results of a function. */
final class Signature {
  private final FunDef function;
  private final List<ExtType.Transparent> params;
  private final List<ExtType.Transparent> results;

  private Signature(
      FunDef function, List<ExtType.Transparent> params, List<ExtType.Transparent> results) {
    this.function = function;
    this.params = params;
    this.results = results;
  }

  /**
   * Returns the signature of an entry point, or of a function of that name if there is no such
   * entry point.
   */
  static Signature of(Program p, String name) {
    for (FunDef f : p.functions().values()) {
      EntryPoint e = f.entry();
      if (e == null || !e.name().equals(name)) {
        continue;
      }
      List<ExtType.Transparent> params = new ArrayList<>();
      for (EntryPoint.Param x : e.params()) {
        params.addAll(x.type().parts(p.opaques()));
      }
      return new Signature(f, params, e.result().parts(p.opaques()));
    }
    FunDef f = p.functions().get(name);
    if (f == null) {
      throw new IllegalArgumentException("there is no entry point " + name);
    }
    return new Signature(
        f,
        transparent(f.params().stream().map(Param::type).toList(), paramSizes(f)),
        transparent(f.results().stream().map(FunDef.Result::type).toList(), 0));
  }

  /**
   * Returns the number of leading parameters that are sizes of arrays, for a function that is not
   * an entry point.
   */
  private static int paramSizes(FunDef f) {
    List<Name> sizes = new ArrayList<>();
    for (Param p : f.params()) {
      for (SubExp d : p.type().dims()) {
        if (d instanceof SubExp.Var v) {
          sizes.add(v.name());
        }
      }
    }
    int n = 0;
    for (Param p : f.params()) {
      if (p.type() instanceof Type.Mem) {
        continue;
      }
      if (!sizes.contains(p.name())) {
        break;
      }
      n++;
    }
    return n;
  }

  private static List<ExtType.Transparent> transparent(List<Type> types, int sizes) {
    List<ExtType.Transparent> all = new ArrayList<>();
    for (Type t : types) {
      if (!(t instanceof Type.Mem)) {
        all.add(new ExtType.Transparent(t.elemPrim(), false, t.rank()));
      }
    }
    return all.subList(sizes, all.size());
  }

  static ElemType elemType(PrimType t, boolean unsigned) {
    return switch (t) {
      case I8 -> unsigned ? ElemType.U8 : ElemType.I8;
      case I16 -> unsigned ? ElemType.U16 : ElemType.I16;
      case I32 -> unsigned ? ElemType.U32 : ElemType.I32;
      case I64 -> unsigned ? ElemType.U64 : ElemType.I64;
      case F16 -> ElemType.F16;
      case F32 -> ElemType.F32;
      case F64 -> ElemType.F64;
      case BOOL -> ElemType.BOOL;
      case UNIT -> ElemType.UNIT;
    };
  }

  List<Value> call(Machine machine, List<Value> args) {
    Function f = machine.function(function.name(), false);
    CallFrame frame = f.scopes().newFrame();
    bind(f, frame, flat(args, params));
    f.code().run(frame);
    return results(f, frame);
  }

  /** Returns the scalars and arrays that represent arguments of the given types. */
  static List<Value> flat(List<Value> args, List<ExtType.Transparent> params) {
    List<Value> flat = new ArrayList<>();
    for (Value v : args) {
      flat.addAll(List.of(Opaques.parts(v)));
    }
    if (flat.size() != params.size()) {
      throw new IllegalArgumentException(
          "entry point takes " + params.size() + " values, not " + flat.size());
    }
    for (int i = 0; i < flat.size(); i++) {
      ExtType.Transparent t = params.get(i);
      ElemType elem = elemType(t.prim(), t.unsigned());
      boolean fits =
          switch (flat.get(i)) {
            case Scalar s ->
                t.rank() == 0
                    && s.type().bytes() == elem.bytes()
                    && s.type().isFloat() == elem.isFloat();
            case ArrayValue a ->
                t.rank() == a.rank()
                    && a.elemType().bytes() == elem.bytes()
                    && a.elemType().isFloat() == elem.isFloat();
            default -> false;
          };
      if (!fits) {
        throw new IllegalArgumentException(
            "argument "
                + (i + 1)
                + " is "
                + Opaques.typeName(flat.get(i))
                + ", not "
                + "[]".repeat(t.rank())
                + elem);
      }
    }
    return flat;
  }

  /** Binds the sizes of the arrays, blocks with copies of the arrays, and the arguments. */
  private void bind(Function f, CallFrame frame, List<Value> args) {
    List<Param> all = function.params();
    List<Integer> plain = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      if (!(all.get(i).type() instanceof Type.Mem)) {
        plain.add(i);
      }
    }
    int sizes = plain.size() - args.size();
    if (sizes < 0) {
      throw new Fault("the entry point does not fit its function");
    }
    Map<Name, Long> known = new HashMap<>();
    Map<Integer, Value> values = new HashMap<>();
    for (int i = 0; i < args.size(); i++) {
      int param = plain.get(sizes + i);
      values.put(param, args.get(i));
      if (args.get(i) instanceof Scalar s && all.get(param).type().equals(Type.I64)) {
        known.put(all.get(param).name(), s.bits());
      }
    }
    for (int i = 0; i < args.size(); i++) {
      if (args.get(i) instanceof ArrayValue a) {
        learnSizes(all.get(plain.get(sizes + i)), a, known);
      }
    }
    Map<Name, ArrayView> inBlocks = new HashMap<>();
    for (Map.Entry<Integer, Value> e : values.entrySet()) {
      if (e.getValue() instanceof ArrayValue a
          && all.get(e.getKey()).type() instanceof Type.Array t
          && t.mem() != null) {
        inBlocks.put(t.mem().block(), view(t.elem(), a));
      }
    }
    for (int i = 0; i < all.size(); i++) {
      Param p = all.get(i);
      Destination out = f.code().params()[i];
      switch (p.type()) {
        case Type.Mem m -> {
          ArrayView v = inBlocks.get(p.name());
          out.object(
              frame,
              v == null
                  ? Block.allocate(m.space(), 0)
                  : Block.of(m.space(), elemIn(p.name()), v.store()));
        }
        case Type.Array t -> {
          ArrayValue a = (ArrayValue) values.get(i);
          if (a == null) {
            throw new Fault("no argument for parameter " + p.name());
          }
          ArrayView v = view(t.elem(), a);
          if (t.mem() == null) {
            out.object(frame, v);
          } else {
            given(out.fresh(frame));
          }
        }
        case Type.Prim prim -> {
          Value v = values.get(i);
          if (v instanceof Scalar s) {
            out.scalar(frame, s.bits());
          } else {
            out.scalar(frame, known.getOrDefault(p.name(), 0L));
          }
        }
        case Type.Acc acc -> throw new Fault("an entry point takes an accumulator");
      }
    }
  }

  private static void given(ArrayView v) {
    if (v.store() instanceof TaggedStore t) {
      t.adopt(v.offset(), v.shape(), v.strides());
    }
  }

  private PrimType elemIn(Name block) {
    for (Param p : function.params()) {
      if (p.type() instanceof Type.Array t && t.mem() != null && t.mem().block().equals(block)) {
        return t.elem();
      }
    }
    return PrimType.I8;
  }

  private static ArrayView view(PrimType t, ArrayValue a) {
    Store given = Store.of(t, a.data());
    ArrayView shared = ArrayView.whole(given, a.shape());
    return shared.copy();
  }

  private static void learnSizes(Param p, ArrayValue a, Map<Name, Long> known) {
    for (int d = 0; d < a.rank(); d++) {
      long actual = a.shape()[d];
      SubExp size = p.type().dims().get(d);
      Long expected =
          switch (size) {
            case SubExp.Const c -> c.value().asLong();
            case SubExp.Var v -> known.putIfAbsent(v.name(), actual);
          };
      if (expected != null && expected != actual) {
        throw new FutharkError(
            "Argument "
                + p.name().base()
                + " has invalid size: dimension "
                + d
                + " is "
                + actual
                + " where "
                + expected
                + " is expected.");
      }
    }
  }

  private List<Value> results(Function f, CallFrame frame) {
    Operand[] all = f.code().results();
    List<Value> values = new ArrayList<>();
    List<Integer> plain = new ArrayList<>();
    for (int i = 0; i < all.length; i++) {
      if (!(function.results().get(i).type() instanceof Type.Mem)) {
        plain.add(i);
      }
    }
    int first = plain.size() - results.size();
    if (first < 0) {
      throw new Fault("the entry point does not fit its function");
    }
    for (int i = 0; i < results.size(); i++) {
      ExtType.Transparent t = results.get(i);
      Operand in = all[plain.get(first + i)];
      ElemType elem = elemType(t.prim(), t.unsigned());
      if (in.isScalar()) {
        values.add(new Scalar(elem, in.scalar(frame)));
      } else {
        ArrayView v = in.view(frame);
        Object data = elem.newArray(Math.toIntExact(v.size()));
        ArrayView.whole(Store.of(t.prim(), data), v.shape()).assign(v);
        values.add(new ArrayValue(elem, v.shape(), data));
      }
    }
    return values;
  }
}
