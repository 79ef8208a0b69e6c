package futharkc.core.codegen.lower.common;

import futharkc.core.ir.ArrayMem;
import futharkc.core.ir.ConvOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Lmad;
import futharkc.core.ir.Loc;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Space;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.CodeSearch;
import futharkc.core.ir.imperative.CostModel;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.memory.ScalarValues;
import futharkc.core.ir.spi.Option;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.symbolic.Bounds;
import futharkc.core.ir.symbolic.ValueRange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The symbol table of one function: types, values and memory of names, and the kernel and source
 * location of the code being lowered.
 */
public final class FunctionSymbols {
  /** The source of fresh names. */
  public final NameSource names;

  /** The cost model of the machine for which code is lowered. */
  public final CostModel costs;

  private final ToIntFunction<Option> options;

  private final String function;
  private final Map<Name, Type> types;
  private final Map<Name, Poly> indices = new HashMap<>();

  /** The value ranges of integers that are never reassigned. */
  private final Map<Name, ValueRange> ranges = new HashMap<>();

  /** The 32-bit variables from which 64-bit integers are sign-extended. */
  private final Map<Name, Expr.Var> extended = new HashMap<>();

  /** Sums, differences and products, expanded to polynomials over atomic variables. */
  private final Map<Name, Poly> sums = new HashMap<>();

  /**
   * The definitions of integers that are sums or products. Index functions may mention the integer
   * or its definition.
   */
  final ScalarValues values = new ScalarValues();

  private final Map<Name, Exp.AccInput> accumulators = new HashMap<>();
  private final Set<Name> versions = new HashSet<>();
  private final List<ImperativeProgram.Function> functions = new ArrayList<>();
  private int labels;
  private int parameters;
  private Loc loc = Loc.NONE;
  private ExecutionUnit place = ExecutionUnit.CORES;
  private @Nullable EnclosingKernel kernel;

  /**
   * Creates the symbol table of a function.
   *
   * @param types the types of known names, to which lowering adds
   */
  FunctionSymbols(String function, Map<Name, Type> types, NameSource names, PassContext context) {
    this.function = function;
    this.types = types;
    this.names = names;
    this.costs = context.costs();
    this.options = context::number;
  }

  /** Returns the value of an option of the lowering pass. */
  public int number(Option option) {
    return options.applyAsInt(option);
  }

  /** Returns a fresh label for a parallel region. */
  public String label(String kind) {
    return function + "_" + kind + "_" + labels++;
  }

  /** Returns a fresh name for a function of kernels. */
  public String operator() {
    return function + "_operator_" + functions.size();
  }

  /** Adds a function to the program. */
  public void define(ImperativeProgram.Function f) {
    functions.add(f);
  }

  /** Tests whether code contains an assertion, or calls a function that may contain one. */
  public boolean mayFail(List<Code> code) {
    return CodeSearch.anyStatement(
        code, c -> c instanceof Code.Assert || c instanceof Code.Call call && mayFail(call));
  }

  private boolean mayFail(Code.Call call) {
    for (ImperativeProgram.Function f : functions) {
      if (f.name().equals(call.function())) {
        return mayFail(f.body());
      }
    }
    return true;
  }

  /** Returns the functions that have been added. */
  List<ImperativeProgram.Function> defined() {
    return functions;
  }

  /** Returns the name of the function. */
  public String function() {
    return function;
  }

  /** Returns a fresh number for the names of tuning parameters. */
  public int parameter() {
    return parameters++;
  }

  /** Records that a condition only chooses between versions of some code. */
  public void choosesVersion(Name condition) {
    versions.add(condition);
  }

  boolean decidesOnVersion(Name condition) {
    return versions.contains(condition);
  }

  // Execution units

  /** Returns the execution unit of the code being lowered. */
  public ExecutionUnit place() {
    return place;
  }

  /** Returns the kernel of the code being lowered. */
  public EnclosingKernel kernel() {
    EnclosingKernel k = kernel;
    if (k == null) {
      throw new IllegalStateException("no kernel in " + function);
    }
    return k;
  }

  /**
   * Enters another execution unit.
   *
   * @param there the execution unit of the following code
   * @param kernel the kernel of the following code; null if the code is in no kernel
   * @return the previous execution unit, an argument of {@link #leave}
   */
  public ExecutionUnit enter(ExecutionUnit there, @Nullable EnclosingKernel kernel) {
    ExecutionUnit before = place;
    place = there;
    this.kernel = kernel;
    return before;
  }

  /** Returns to the previous execution unit. */
  public void leave(ExecutionUnit before) {
    place = before;
    if (!before.isInKernel()) {
      kernel = null;
    }
  }

  /** Returns the source location of the statement being lowered. */
  public Loc loc() {
    return loc;
  }

  /**
   * Sets the source location of the statement being lowered; an unknown location leaves the
   * enclosing one.
   */
  void at(Loc loc) {
    if (!loc.equals(Loc.NONE)) {
      this.loc = loc;
    }
  }

  // Types

  /** Records the type of a name. */
  public void add(Name n, Type t) {
    types.put(n, t);
    if (kernel != null) {
      kernel.binds(n);
    }
  }

  /** Returns the type of a name in scope. */
  public Type type(Name n) {
    Type t = types.get(n);
    if (t == null) {
      throw new IllegalStateException(n + " is not in scope");
    }
    return t;
  }

  /** Returns the type of an operand. */
  public Type type(SubExp e) {
    return switch (e) {
      case SubExp.Const c -> Type.prim(c.value().type());
      case SubExp.Var v -> type(v.name());
    };
  }

  /** Returns the type of a name; null if the name is not in scope. */
  public @Nullable Type find(Name n) {
    return types.get(n);
  }

  /** Tests whether values of a type have no representation. */
  public static boolean isUnit(Type t) {
    return t.isPrim(PrimType.UNIT);
  }

  /** Returns the element type of a block. */
  static PrimType elem(Type.Mem m) {
    return switch (m.space()) {
      case Space.Elements e -> e.elem();
      case Space.Scalar s -> s.elem();
      case Space.Device d -> PrimType.I8;
      case Space.Shared d -> PrimType.I8;
      case Space.Named d -> throw new IllegalStateException("memory of space " + d.name());
    };
  }

  /** Declares a variable for a block. */
  Code declareBlock(Name n, Type.Mem m, @Nullable Name value) {
    if (!place.isInKernel()) {
      return new Code.DeclareBlock(n, elem(m), value);
    }
    Code.Memory memory =
        switch (m.space()) {
          case Space.Device d -> Code.Memory.DEVICE;
          case Space.Shared d -> Code.Memory.SHARED;
          case Space.Scalar d -> Code.Memory.PRIVATE;
          case Space.Elements d -> throw new IllegalStateException("host memory in a kernel");
          case Space.Named d -> throw new IllegalStateException("memory of space " + d.name());
        };
    return new Code.DeclarePointer(n, memory, elem(m), value, Poly.ZERO);
  }

  // Scalars

  /** Returns a scalar operand as an expression. */
  public Expr expr(SubExp e) {
    return switch (e) {
      case SubExp.Const c -> new Expr.Const(c.value());
      case SubExp.Var v -> {
        Poly index = indices.get(v.name());
        yield index != null
            ? new Expr.Index(index)
            : new Expr.Var(v.name(), type(v.name()).elemPrim());
      }
    };
  }

  /** Returns an i64 operand as a polynomial. */
  public Poly poly(SubExp e) {
    return place(Poly.of(e));
  }

  /** Makes an i64 variable an abbreviation of a polynomial, until {@link #unbind}. */
  void bind(Name index, Poly p) {
    add(index, Type.I64);
    indices.put(index, p);
  }

  void unbind(Name index) {
    indices.remove(index);
  }

  /** Declares a scalar. */
  public void declare(Name n, Type t, Expr value, List<Code> out) {
    add(n, t);
    if (!isUnit(t)) {
      out.add(new Code.Declare(n, t.elemPrim(), value));
    }
  }

  /** Declares a scalar that is never reassigned. */
  void define(Name n, Type t, Expr value, List<Code> out) {
    if (value.type().isInt()) {
      ranges.put(n, range(value));
    }
    if (value instanceof Expr.Convert c
        && c.op().kind() == ConvOp.Kind.SEXT
        && c.op().from() == PrimType.I32
        && c.op().to() == PrimType.I64
        && c.operand() instanceof Expr.Var v
        && ranges.containsKey(v.name())) {
      extended.put(n, v);
    }
    Poly sum = sum(value);
    if (sum != null && sum.terms().size() <= Bounds.LARGEST_SUM) {
      sums.put(n, sum);
    }
    declare(n, t, value, out);
  }

  private @Nullable Poly sum(Expr value) {
    if (!(value instanceof Expr.Binary b) || b.op().type() != PrimType.I64) {
      return value.poly() == null ? null : spread(value.poly());
    }
    Poly left = b.left().poly();
    Poly right = b.right().poly();
    if (left == null || right == null) {
      return null;
    }
    return switch (b.op().kind()) {
      case ADD -> spread(left).plus(spread(right));
      case SUB -> spread(left).minus(spread(right));
      case MUL -> spread(left).times(spread(right));
      default -> null;
    };
  }

  private Poly spread(Poly p) {
    return p.substitute(n -> sums.getOrDefault(n, Poly.of(n)));
  }

  /** Tests whether two arrays are known to have the same elements at the same indices. */
  boolean areSame(ArrayMem a, ArrayMem b) {
    return a.block().equals(b.block()) && spread(a.lmad()).equals(spread(b.lmad()));
  }

  private Lmad spread(Lmad l) {
    List<Lmad.Dim> dims = new ArrayList<>();
    for (Lmad.Dim d : l.dims()) {
      dims.add(new Lmad.Dim(spread(place(d.stride())), d.size()));
    }
    return new Lmad(spread(place(l.offset())), dims);
  }

  /**
   * Returns the 32-bit variable from which a 64-bit integer is extended; null if there is none, or
   * the variable is reassigned.
   */
  Expr.@Nullable Var unextended(Expr e) {
    return e instanceof Expr.Var v ? extended.get(v.name()) : null;
  }

  /** Returns the value range of an integer, derived from the operations that compute it. */
  ValueRange range(Expr e) {
    ValueRange all = ValueRange.of(e.type());
    return switch (e) {
      case Expr.Const c -> ValueRange.of(c.value());
      case Expr.Var v -> ranges.getOrDefault(v.name(), all);
      case Expr.Binary b -> ValueRange.binary(b.op(), range(b.left()), range(b.right()));
      case Expr.Convert c when c.operand().type().isInt() ->
          ValueRange.converted(c.op(), range(c.operand()));
      case Expr.Convert _,
          Expr.Index _,
          Expr.Unary _,
          Expr.Compare _,
          Expr.Apply _,
          Expr.Load _,
          Expr.Capacity _,
          Expr.Tuning _ ->
          all;
    };
  }

  /**
   * Returns the argument that passes a value; null for a value that is not passed: an array, whose
   * block is passed, an accumulator or a unit.
   */
  Code.@Nullable Operand operand(SubExp e) {
    return switch (type(e)) {
      case Type.Prim t -> isUnit(t) ? null : new Code.Operand.Scalar(expr(e));
      case Type.Mem m -> new Code.Operand.Block(((SubExp.Var) e).name(), elem(m));
      case Type.Array t -> null;
      case Type.Acc t -> null;
    };
  }

  // Memory

  /** Returns the memory of an array: its block and LMAD. */
  public ArrayMem mem(Name array) {
    return mem(type(array));
  }

  /** Returns the memory of an array type. */
  public static ArrayMem mem(Type t) {
    if (t instanceof Type.Array a && a.mem() != null) {
      return a.mem();
    }
    throw new IllegalStateException("array without memory: " + t);
  }

  /** Returns the polynomial with abbreviations expanded. */
  public Poly place(Poly p) {
    return indices.isEmpty() ? p : p.substitute(n -> indices.getOrDefault(n, Poly.of(n)));
  }

  /** Returns the LMAD with abbreviations expanded. */
  public Lmad place(Lmad l) {
    if (indices.isEmpty()) {
      return l;
    }
    List<Lmad.Dim> dims = new ArrayList<>();
    for (Lmad.Dim d : l.dims()) {
      dims.add(new Lmad.Dim(place(d.stride()), d.size()));
    }
    return new Lmad(place(l.offset()), dims);
  }

  /** Returns a load of an element of an array in memory. */
  public Expr load(ArrayMem m, PrimType elem, List<Poly> index) {
    return new Expr.Load(m.block(), elem, place(m.lmad().index(index)));
  }

  // Accumulators

  /** Records the destinations of accumulators with a token. */
  void accumulates(Name token, Exp.AccInput input) {
    accumulators.put(token, input);
  }

  /** Returns the destinations of an accumulator; null if they are unknown. */
  public Exp.@Nullable AccInput accumulated(Type.Acc acc) {
    return accumulated(acc.token());
  }

  /** Returns the destinations of accumulators with a token; null if they are unknown. */
  public Exp.@Nullable AccInput accumulated(Name token) {
    return accumulators.get(token);
  }
}
