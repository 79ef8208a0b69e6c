package futharkc.core.codegen.lower.common;

import futharkc.core.ir.ArrayMem;
import futharkc.core.ir.Body;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Lmad;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.Slice;
import futharkc.core.ir.Space;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.ReductionOperator;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/** The accumulators of reductions and scans, and loops that accumulate over ranges. */
public final class Operators {
  private final FunctionSymbols scope;
  private final BlockLifetimes blocks;
  private final Copies copies;
  private final Statements statements;
  private final OperatorCalls functions;

  /** Creates the lowering of the operators of a function. */
  public Operators(
      FunctionSymbols scope, BlockLifetimes blocks, Copies copies, Statements statements) {
    this.scope = scope;
    this.blocks = blocks;
    this.copies = copies;
    this.statements = statements;
    this.functions = statements.target().operatorCalls(scope, blocks, statements);
  }

  /** Declares accumulators in a kernel, initialised with the neutral elements. */
  public List<Acc> start(List<SegOp.SegBinOp> ops, List<Code> out) {
    return start(ops, true, out);
  }

  /**
   * Declares accumulators anywhere, initialised with the neutral elements; the caller frees them.
   */
  public List<Acc> startAnywhere(List<SegOp.SegBinOp> ops, List<Code> out) {
    return start(ops, blocks.isSequential(), out);
  }

  private List<Acc> start(List<SegOp.SegBinOp> ops, boolean inKernel, List<Code> out) {
    List<Acc> accs = new ArrayList<>();
    for (SegOp.SegBinOp op : ops) {
      accs.add(new Acc(op, inKernel, out));
    }
    return accs;
  }

  /** Applies a lambda on scalars; kernels call a function for a large lambda. */
  public void apply(
      Lambda op,
      List<Expr> left,
      List<Expr> right,
      Consumer<List<SubExp>> results,
      List<Code> out) {
    List<Expr> operands = new ArrayList<>(left);
    operands.addAll(right);
    List<SubExp> called = functions.call(op, operands, out);
    if (called != null) {
      results.accept(called);
      return;
    }
    int n = left.size();
    for (int j = 0; j < n; j++) {
      Param l = op.params().get(j);
      Param r = op.params().get(n + j);
      scope.declare(l.name(), l.type(), left.get(j), out);
      scope.declare(r.name(), r.type(), right.get(j), out);
    }
    statements.lower(op.body().stms(), op.body().results(), List.of(), out);
    results.accept(op.body().results());
  }

  /**
   * The accumulator of one operator: scalars, or blocks of scalars if the operator is lifted to
   * arrays.
   */
  public final class Acc {
    private final SegOp.SegBinOp op;
    private final List<Name> names = new ArrayList<>();
    private final boolean inKernel;

    private Acc(SegOp.SegBinOp op, boolean inKernel, List<Code> out) {
      this.op = op;
      this.inKernel = inKernel;
      for (SubExp neutral : op.neutral()) {
        PrimType elem = scope.type(neutral).elemPrim();
        if (op.shape().isEmpty()) {
          Name n = scope.names.fresh("acc");
          scope.add(n, Type.prim(elem));
          out.add(new Code.Declare(n, elem, scope.expr(neutral)));
          names.add(n);
        } else {
          Expr size = new Expr.Index(size());
          Name block;
          if (inKernel) {
            block = blocks.scratch("acc", elem, size, out);
          } else {
            block = scope.names.fresh("acc");
            scope.add(block, new Type.Mem(new Space.Elements(elem)));
            out.add(new Code.Alloc(block, elem, size, scope.loc()));
          }
          names.add(block);
          out.add(new Code.FillRun(block, elem, Poly.ZERO, size, scope.expr(neutral)));
        }
      }
    }

    /** Returns the number of accumulated values. */
    public int count() {
      return names.size();
    }

    SegOp.SegBinOp op() {
      return op;
    }

    private PrimType elem(int j) {
      return scope.type(op.neutral().get(j)).elemPrim();
    }

    private Poly size() {
      return Operators.this.size(op.shape());
    }

    private boolean isScalar() {
      return op.shape().isEmpty();
    }

    /** Combines each element with the operand that {@code right} returns for its index. */
    void combine(Function<List<Poly>, List<Expr>> right, List<Code> out) {
      List<Code> body = new ArrayList<>();
      elementwise(
          op.shape(),
          index -> {
            Poly at = flat(op.shape(), index);
            List<Expr> left = new ArrayList<>();
            for (int j = 0; j < count(); j++) {
              left.add(
                  isScalar()
                      ? new Expr.Var(names.get(j), elem(j))
                      : new Expr.Load(names.get(j), elem(j), at));
            }
            List<Code> step = new ArrayList<>();
            apply(
                op.op(),
                left,
                right.apply(index),
                results -> {
                  for (int j = 0; j < count(); j++) {
                    Expr r = scope.expr(results.get(j));
                    step.add(
                        isScalar()
                            ? new Code.Assign(names.get(j), r)
                            : new Code.Store(names.get(j), elem(j), at, r));
                  }
                },
                step);
            return step;
          },
          body);
      out.add(new Code.Scope(body));
    }

    /** Combines the accumulator with the results of a body. */
    void combineValues(List<SubExp> values, List<Code> out) {
      combine(index -> values.stream().map(v -> value(v, index)).toList(), out);
    }

    /**
     * Stores the accumulated value of operand {@code j} as a result: at an index if the result is
     * an array.
     */
    public void storeTo(int j, PatElem to, List<SubExp> index, List<Code> out) {
      if (isScalar()) {
        Expr value = new Expr.Var(names.get(j), elem(j));
        if (to.type() instanceof Type.Prim) {
          out.add(new Code.Assign(to.name(), value));
        } else {
          ArrayMem m = FunctionSymbols.mem(to.type());
          List<Poly> at = index.stream().map(Poly::of).toList();
          out.add(new Code.Store(m.block(), elem(j), scope.place(m.lmad().index(at)), value));
        }
        return;
      }
      ArrayMem m = FunctionSymbols.mem(to.type());
      Lmad lmad = index.isEmpty() ? m.lmad() : m.lmad().slice(Slice.fix(index, to.type().dims()));
      ArrayMem own = new ArrayMem(names.get(j), Lmad.rowMajor(op.shape()));
      copies.copy(elem(j), new ArrayMem(m.block(), lmad), own, op.shape(), out);
    }

    /** Binds a parameter of code to the accumulated value of operand {@code j}. */
    public void bindTo(int j, Param p, Body body, List<Code> out) {
      if (isScalar()) {
        scope.declare(p.name(), p.type(), new Expr.Var(names.get(j), elem(j)), out);
      } else {
        copies.bind(p, new ArrayMem(names.get(j), Lmad.rowMajor(op.shape())), body, out);
      }
    }

    /** Frees the accumulators of {@link #startAnywhere}. */
    public void free(List<Code> out) {
      if (isScalar() || inKernel) {
        return;
      }
      for (int j = 0; j < count(); j++) {
        out.add(new Code.Free(names.get(j), elem(j), List.of()));
      }
    }
  }

  /** Returns a value, or its element at an index if it is an array. */
  public Expr value(SubExp v, List<Poly> index) {
    if (index.isEmpty()) {
      return scope.expr(v);
    }
    Name array = ((SubExp.Var) v).name();
    return scope.load(scope.mem(array), scope.type(array).elemPrim(), index);
  }

  /** Returns the number of elements of a shape. */
  public Poly size(List<SubExp> shape) {
    Poly n = Poly.ONE;
    for (SubExp d : shape) {
      n = n.times(scope.poly(d));
    }
    return n;
  }

  private Poly flat(List<SubExp> shape, List<Poly> index) {
    Poly at = Poly.ZERO;
    for (int i = 0; i < shape.size(); i++) {
      at = at.times(scope.poly(shape.get(i))).plus(index.get(i));
    }
    return at;
  }

  /** Loops over a shape, which may have no dimensions. */
  public void elementwise(
      List<SubExp> shape, Function<List<Poly>, List<Code>> body, List<Code> out) {
    List<Name> index = new ArrayList<>();
    for (SubExp _ : shape) {
      Name v = scope.names.fresh("v");
      scope.add(v, Type.I64);
      index.add(v);
    }
    List<Code> code = body.apply(index.stream().map(Poly::of).toList());
    for (int d = shape.size() - 1; d >= 0; d--) {
      code =
          List.of(
              new Code.For(
                  index.get(d),
                  PrimType.I64,
                  Expr.i64(0),
                  new Expr.Index(scope.poly(shape.get(d))),
                  code));
    }
    out.addAll(code);
  }

  /** Blocks with one accumulator per chunk. */
  public final class Partials {
    private final SegOp.SegBinOp op;
    private final List<Name> blocks = new ArrayList<>();

    /** Creates the names of the blocks for partial results of an operator. */
    public Partials(SegOp.SegBinOp op) {
      this.op = op;
      for (SubExp neutral : op.neutral()) {
        Name block = scope.names.fresh("partial");
        scope.add(block, new Type.Mem(new Space.Elements(elem(neutral))));
        blocks.add(block);
      }
    }

    private PrimType elem(SubExp neutral) {
      return scope.type(neutral).elemPrim();
    }

    /** Allocates blocks with one partial result for each chunk. */
    public void alloc(Poly chunks, List<Code> out) {
      for (int j = 0; j < blocks.size(); j++) {
        out.add(
            new Code.Alloc(
                blocks.get(j),
                elem(op.neutral().get(j)),
                new Expr.Index(chunks.times(size(op.shape()))),
                scope.loc()));
      }
    }

    /** Releases the blocks. */
    public void free(List<Code> out) {
      for (int j = 0; j < blocks.size(); j++) {
        out.add(new Code.Free(blocks.get(j), elem(op.neutral().get(j)), List.of()));
      }
    }

    private Expr load(int j, Poly chunk, List<Poly> index) {
      Poly at = chunk.times(size(op.shape())).plus(flat(op.shape(), index));
      return new Expr.Load(blocks.get(j), elem(op.neutral().get(j)), at);
    }

    /** Stores the neutral elements as the partial result of a chunk. */
    public void neutralAt(Poly chunk, List<Code> out) {
      for (int j = 0; j < blocks.size(); j++) {
        Poly n = size(op.shape());
        SubExp neutral = op.neutral().get(j);
        out.add(
            new Code.FillRun(
                blocks.get(j),
                elem(neutral),
                chunk.times(n),
                new Expr.Index(n),
                scope.expr(neutral)));
      }
    }

    /** Stores an accumulator as that of a chunk. */
    public void save(Acc acc, Poly chunk, List<Code> out) {
      move(acc, chunk, true, out);
    }

    /** Replaces an accumulator by that of a chunk. */
    public void loadInto(Acc acc, Poly chunk, List<Code> out) {
      move(acc, chunk, false, out);
    }

    private void move(Acc acc, Poly chunk, boolean save, List<Code> out) {
      Poly n = size(op.shape());
      for (int j = 0; j < blocks.size(); j++) {
        Name block = blocks.get(j);
        Name own = acc.names.get(j);
        PrimType elem = acc.elem(j);
        if (acc.isScalar()) {
          out.add(
              save
                  ? new Code.Store(block, elem, chunk, new Expr.Var(own, elem))
                  : new Code.Assign(own, new Expr.Load(block, elem, chunk)));
        } else {
          Poly at = chunk.times(n);
          out.add(
              save
                  ? new Code.CopyRun(block, at, own, Poly.ZERO, elem, new Expr.Index(n))
                  : new Code.CopyRun(own, Poly.ZERO, block, at, elem, new Expr.Index(n)));
        }
      }
    }

    /** Combines an accumulator with that of a chunk. */
    public void combineInto(Acc acc, Poly chunk, List<Code> out) {
      acc.combine(
          index -> {
            List<Expr> right = new ArrayList<>();
            for (int j = 0; j < blocks.size(); j++) {
              right.add(load(j, chunk, index));
            }
            return right;
          },
          out);
    }
  }

  /**
   * Accumulates over a range of one index.
   *
   * @param body the statements; invariant ones are only separate if the range is known not to be
   *     empty
   * @param results the results of the body, those of the accumulators first
   * @param onlyReduces true if {@code finish}, which adds the rest of the body, adds nothing
   * @return the cost of one element
   */
  public Poly range(
      Name index,
      Expr from,
      Expr to,
      LoopNest.Split body,
      List<SubExp> results,
      List<Acc> accs,
      boolean onlyReduces,
      Consumer<List<Code>> finish,
      List<Code> out) {
    List<Code> code = new ArrayList<>();
    statements.lower(body.invariant(), List.of(), List.of(), code);
    int invariant = code.size();
    List<Code> variant = new ArrayList<>();
    statements.lower(body.variant(), results, List.of(), variant);
    int independent = invariant + variant.size();
    combine(results, accs, variant);
    finish.accept(variant);
    code.addAll(variant);
    List<ReductionOperator> operators = onlyReduces ? facts(accs) : List.of();
    Code.Order order = new Code.Order.Sequential(independent, operators);
    out.add(new Code.For(index, PrimType.I64, from, to, invariant, order, code));
    return scope.costs.cost(variant, Set.of(index)).plus(Poly.ONE);
  }

  private void combine(List<SubExp> results, List<Acc> accs, List<Code> out) {
    int k = 0;
    for (Acc a : accs) {
      a.combineValues(results.subList(k, k + a.count()), out);
      k += a.count();
    }
  }

  /** Returns the operators of a reduction; an empty list if an accumulator is an array. */
  private List<ReductionOperator> facts(List<Acc> accs) {
    if (!accs.stream().allMatch(Acc::isScalar)) {
      return List.of();
    }
    return accs.stream().map(this::fact).toList();
  }

  private ReductionOperator fact(Acc acc) {
    int n = acc.count();
    List<Code.Variable> accumulators = new ArrayList<>();
    List<Expr> neutral = new ArrayList<>();
    for (int j = 0; j < n; j++) {
      accumulators.add(new Code.Variable(acc.names.get(j), acc.elem(j), false));
      neutral.add(scope.expr(acc.op.neutral().get(j)));
    }
    Lambda op = acc.op.op();
    List<Name> params = op.params().stream().map(Param::name).toList();
    op.params().forEach(p -> scope.add(p.name(), p.type()));
    List<Code> body = new ArrayList<>();
    statements.lower(op.body().stms(), op.body().results(), List.of(), body);
    return new ReductionOperator(
        accumulators,
        neutral,
        params.subList(0, n),
        params.subList(n, 2 * n),
        body,
        op.body().results().stream().map(scope::expr).toList(),
        acc.op.commutative());
  }
}
