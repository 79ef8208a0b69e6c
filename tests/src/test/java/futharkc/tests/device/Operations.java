package futharkc.tests.device;

import futharkc.core.ir.BinOp;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.ConvOp;
import futharkc.core.ir.EntryPoint;
import futharkc.core.ir.ExtType;
import futharkc.core.ir.Loc;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimFun;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.PrimValue;
import futharkc.core.ir.Rep;
import futharkc.core.ir.UnOp;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.ImperativeProgram;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Programs that apply every operation on a type to three operands, for each index of three arrays.
 * The code runs in kernels, one thread an index, or in loops of the host.
 */
final class Operations {
  private static final PrimType[] NUMBERS = {
    PrimType.I8, PrimType.I16, PrimType.I32, PrimType.I64, PrimType.F16, PrimType.F32, PrimType.F64
  };

  private final PrimType type;
  private final Name[] names = {new Name("a", 0), new Name("b", 1), new Name("c", 2)};
  private Expr a;
  private Expr b;
  private final Expr c;

  /** The operations by result type. */
  final Map<PrimType, List<Expr>> byResult = new LinkedHashMap<>();

  private int next = 10;

  /** Makes all operations on a type, of variables. */
  Operations(PrimType type) {
    this.type = type;
    a = new Expr.Var(names[0], type);
    b = new Expr.Var(names[1], type);
    c = new Expr.Var(names[2], type);
    addAll();
    if (type == PrimType.I64) {
      Poly sum = Poly.of(names[0]).times(Poly.of(names[1]));
      add(new Expr.Index(sum.plus(Poly.of(names[2]).times(3)).plus(Poly.of(5))));
    }
  }

  /** Makes all operations on a type with a constant as the second operand, and as the first. */
  Operations(PrimType type, PrimValue constant) {
    this.type = type;
    a = new Expr.Var(names[0], type);
    b = new Expr.Const(constant);
    c = new Expr.Var(names[2], type);
    addAll();
    a = new Expr.Const(constant);
    b = new Expr.Var(names[1], type);
    addAll();
  }

  private void addAll() {
    if (type.isInt()) {
      integers();
    }
    if (type.isFloat()) {
      floats();
    }
    if (type == PrimType.BOOL) {
      booleans();
    }
    add(new Expr.Compare(new CmpOp(CmpOp.Kind.EQ, type), a, b));
  }

  private void add(Expr e) {
    byResult.computeIfAbsent(e.type(), t -> new ArrayList<>()).add(e);
  }

  private void binary(BinOp.Kind... kinds) {
    for (BinOp.Kind k : kinds) {
      add(new Expr.Binary(new BinOp(k, type), a, b));
    }
  }

  private void unary(UnOp.Kind... kinds) {
    for (UnOp.Kind k : kinds) {
      add(new Expr.Unary(new UnOp(k, type), a));
    }
  }

  private void compare(CmpOp.Kind... kinds) {
    for (CmpOp.Kind k : kinds) {
      add(new Expr.Compare(new CmpOp(k, type), a, b));
    }
  }

  private void convert(ConvOp.Kind k, PrimType to) {
    add(new Expr.Convert(new ConvOp(k, type, to), a));
  }

  private void apply(PrimFun.Kind k) {
    add(new Expr.Apply(new PrimFun(k, type), List.of(a, b, c).subList(0, k.arity)));
  }

  private void integers() {
    binary(
        BinOp.Kind.ADD,
        BinOp.Kind.SUB,
        BinOp.Kind.MUL,
        BinOp.Kind.UDIV,
        BinOp.Kind.UDIV_UP,
        BinOp.Kind.SDIV,
        BinOp.Kind.SDIV_UP,
        BinOp.Kind.UMOD,
        BinOp.Kind.SMOD,
        BinOp.Kind.SQUOT,
        BinOp.Kind.SREM,
        BinOp.Kind.SMIN,
        BinOp.Kind.UMIN,
        BinOp.Kind.SMAX,
        BinOp.Kind.UMAX,
        BinOp.Kind.SHL,
        BinOp.Kind.LSHR,
        BinOp.Kind.ASHR,
        BinOp.Kind.AND,
        BinOp.Kind.OR,
        BinOp.Kind.XOR,
        BinOp.Kind.POW);
    unary(UnOp.Kind.NEG, UnOp.Kind.NOT, UnOp.Kind.ABS, UnOp.Kind.SSIGNUM, UnOp.Kind.USIGNUM);
    compare(CmpOp.Kind.ULT, CmpOp.Kind.ULE, CmpOp.Kind.SLT, CmpOp.Kind.SLE);
    for (PrimType to : NUMBERS) {
      convert(to.isInt() ? ConvOp.Kind.ZEXT : ConvOp.Kind.UITOFP, to);
      convert(to.isInt() ? ConvOp.Kind.SEXT : ConvOp.Kind.SITOFP, to);
    }
    convert(ConvOp.Kind.ITOB, PrimType.BOOL);
    for (PrimFun.Kind k :
        List.of(
            PrimFun.Kind.POPC,
            PrimFun.Kind.CLZ,
            PrimFun.Kind.CTZ,
            PrimFun.Kind.SMUL_HI,
            PrimFun.Kind.UMUL_HI,
            PrimFun.Kind.SMAD_HI,
            PrimFun.Kind.UMAD_HI,
            PrimFun.Kind.MAD)) {
      apply(k);
    }
    for (PrimType t : List.of(PrimType.F16, PrimType.F32, PrimType.F64)) {
      if (t.bits() == type.bits()) {
        add(new Expr.Apply(new PrimFun(PrimFun.Kind.FROM_BITS, t), List.of(a)));
      }
    }
  }

  private void floats() {
    binary(
        BinOp.Kind.FADD,
        BinOp.Kind.FSUB,
        BinOp.Kind.FMUL,
        BinOp.Kind.FDIV,
        BinOp.Kind.FMOD,
        BinOp.Kind.FMIN,
        BinOp.Kind.FMAX,
        BinOp.Kind.FPOW);
    unary(UnOp.Kind.NEG, UnOp.Kind.ABS, UnOp.Kind.FSIGNUM);
    compare(CmpOp.Kind.FLT, CmpOp.Kind.FLE);
    for (PrimType to : NUMBERS) {
      if (to.isInt()) {
        convert(ConvOp.Kind.FPTOUI, to);
        convert(ConvOp.Kind.FPTOSI, to);
      } else {
        convert(ConvOp.Kind.FPCONV, to);
      }
    }
    convert(ConvOp.Kind.FTOB, PrimType.BOOL);
    for (PrimFun.Kind k : PrimFun.Kind.values()) {
      switch (k) {
        case POPC, CLZ, CTZ, SMUL_HI, UMUL_HI, SMAD_HI, UMAD_HI, FROM_BITS -> {}
        case LDEXP ->
            add(
                new Expr.Apply(
                    new PrimFun(k, type),
                    List.of(
                        a,
                        new Expr.Convert(new ConvOp(ConvOp.Kind.FPTOSI, type, PrimType.I32), b))));
        default -> apply(k);
      }
    }
  }

  private void booleans() {
    binary(BinOp.Kind.LOG_AND, BinOp.Kind.LOG_OR, BinOp.Kind.AND, BinOp.Kind.OR, BinOp.Kind.XOR);
    unary(UnOp.Kind.NOT);
    compare(CmpOp.Kind.LLT, CmpOp.Kind.LLE);
    for (PrimType to : NUMBERS) {
      convert(to.isInt() ? ConvOp.Kind.BTOI : ConvOp.Kind.BTOF, to);
    }
  }

  private Name fresh(String base) {
    return new Name(base, next++);
  }

  /**
   * Makes a program from three arrays to an array of results for each result type.
   *
   * @param n the size of the arguments
   * @param rep the representation: kernels for a GPU, else loops
   */
  ImperativeProgram program(int n, Rep rep) {
    List<Code.Variable> params = new ArrayList<>();
    List<ImperativeProgram.Input> inputs = new ArrayList<>();
    List<EntryPoint.Param> outer = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      PrimType elem = rep == Rep.GPU_IMP ? PrimType.I8 : type;
      params.add(Code.Variable.block(fresh("xs"), elem));
      inputs.add(new ImperativeProgram.Input.Block(i, type));
      outer.add(new EntryPoint.Param("x" + i, new ExtType.Transparent(type, false, 1), false));
    }
    List<Code> body = new ArrayList<>();
    List<Code.Operand> results = new ArrayList<>();
    List<Code.Variable> outputs = new ArrayList<>();
    List<ImperativeProgram.Output> flat = new ArrayList<>();
    List<ExtType.Transparent> parts = new ArrayList<>();
    byResult.forEach(
        (result, all) -> {
          Name out = fresh("out");
          long size = (long) n * all.size();
          // Memory of a device has no element type, and its size is in bytes.
          boolean ofDevice = rep == Rep.GPU_IMP;
          PrimType elem = ofDevice ? PrimType.I8 : result;
          long units = ofDevice ? size * result.bytes() : size;
          body.add(new Code.Alloc(out, elem, Expr.i64(units), Loc.NONE));
          body.add(
              rep == Rep.GPU_IMP
                  ? kernel(params, out, result, all, n)
                  : loop(params, out, result, all, n));
          flat.add(
              new ImperativeProgram.Output.Array(
                  results.size(), result, List.of(new ImperativeProgram.Dim.Constant(size))));
          results.add(new Code.Operand.Block(out, elem));
          outputs.add(Code.Variable.block(out, elem));
          parts.add(new ExtType.Transparent(result, false, 1));
        });
    var function = new ImperativeProgram.Function("f", false, params, body, results, next);
    ExtType result = new ExtType.Opaque("results");
    var def = new ExtType.Def("results", parts, new ExtType.Structure.Unknown());
    return new ImperativeProgram(
        rep,
        Map.of("results", def),
        List.of(),
        new ImperativeProgram.Function("init", false, List.of(), List.of(), List.of(), 0),
        List.of(function),
        List.of(
            new ImperativeProgram.Entry(
                new EntryPoint("main", outer, result, true, ""),
                List.of(),
                "f",
                inputs,
                List.of(),
                outputs,
                flat)));
  }

  private Code kernel(
      List<Code.Variable> in, Name out, PrimType result, List<Expr> operations, int n) {
    Name block = fresh("block");
    Name thread = fresh("thread");
    Name i = fresh("i");
    List<Code> work = loads(in, i);
    for (int j = 0; j < operations.size(); j++) {
      Poly at = Poly.of(i).plus(Poly.of((long) j * n));
      work.add(new Code.Store(out, result, at, operations.get(j)));
    }
    Poly index = Poly.of(block).times(64).plus(Poly.of(thread));
    List<Code> body =
        List.of(
            new Code.Declare(i, PrimType.I64, new Expr.Index(index)),
            new Code.If(Expr.less(Expr.i64(i), Expr.i64(n)), work, List.of()));
    return new Code.Launch(
        "ops_" + type + "_" + result,
        Loc.NONE,
        block,
        thread,
        new Code.Grid(Expr.i64((n + 63) / 64), Expr.i64(64), 0, false),
        List.of(),
        List.of(),
        body);
  }

  /** Makes a loop of the host; a result that the operation leaves open is zero. */
  private Code loop(
      List<Code.Variable> in, Name out, PrimType result, List<Expr> operations, int n) {
    Name i = fresh("i");
    List<Code> work = loads(in, i);
    for (int j = 0; j < operations.size(); j++) {
      Expr operation = operations.get(j);
      Poly at = Poly.of(i).plus(Poly.of((long) j * n));
      Code store = new Code.Store(out, result, at, operation);
      if (operation instanceof Expr.Binary o && o.op().isPartial()) {
        Expr zero = new Expr.Const(PrimValue.ofInt(type, 0));
        CmpOp less = new CmpOp(CmpOp.Kind.SLT, type);
        Expr isOpen =
            o.op().kind() == BinOp.Kind.POW
                ? new Expr.Compare(less, o.right(), zero)
                : new Expr.Compare(new CmpOp(CmpOp.Kind.EQ, type), o.right(), zero);
        store = new Code.If(isOpen, List.of(new Code.Store(out, result, at, zero)), List.of(store));
      }
      work.add(store);
    }
    return new Code.For(i, PrimType.I64, Expr.i64(0), Expr.i64(n), work);
  }

  /** Loads the operands at an index. */
  private List<Code> loads(List<Code.Variable> in, Name i) {
    List<Code> loads = new ArrayList<>();
    for (int k = 0; k < 3; k++) {
      Expr load = new Expr.Load(in.get(k).name(), type, Poly.of(i));
      loads.add(new Code.Declare(names[k], type, load));
    }
    return loads;
  }
}
