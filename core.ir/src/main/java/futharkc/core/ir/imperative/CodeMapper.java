package futharkc.core.ir.imperative;

import static futharkc.core.ir.Mapper.list;

import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A traversal that rebuilds imperative code from mapped children, in order of execution. Subclasses
 * override the methods for names ({@link #name}, {@link #binder}, {@link #var}, {@link #polyVar}),
 * or {@link #expr}, {@link #statement} and {@link #statements} to rewrite whole nodes. {@link
 * #statements} may also replace one statement by several. Each method returns its argument itself
 * if nothing in it changed.
 */
public class CodeMapper {
  /** Makes an identity mapping. */
  public CodeMapper() {}

  /**
   * Maps a use of a variable in a position that allows no expression: a block, the target of an
   * assignment, the condition of a loop.
   */
  public Name name(Name use) {
    return use;
  }

  /** Maps the declaration of a variable. */
  public Name binder(Name declared) {
    return declared;
  }

  /** Maps a scalar variable in an expression. */
  public Expr var(Expr.Var v) {
    Name n = name(v.name());
    return n == v.name() ? v : new Expr.Var(n, v.type());
  }

  /** Maps a variable in a polynomial. */
  public Poly polyVar(Name use) {
    Expr e = var(new Expr.Var(use, PrimType.I64));
    Poly p = e.poly();
    if (p == null) {
      throw new IllegalArgumentException(
          use + " is used in an index, where only a polynomial is legal, not " + e);
    }
    return p;
  }

  public final List<Name> names(List<Name> names) {
    return list(names, this::name);
  }

  public Poly poly(Poly p) {
    if (p.constant() != null) {
      return p;
    }
    Poly q = p.substitute(this::polyVar);
    return q.equals(p) ? p : q;
  }

  /** Maps an expression by mapping its children. */
  public Expr expr(Expr e) {
    return switch (e) {
      case Expr.Const c -> c;
      case Expr.Var v -> var(v);
      case Expr.Index i -> {
        Poly p = poly(i.poly());
        yield p == i.poly() ? i : new Expr.Index(p);
      }
      case Expr.Binary b -> {
        Expr left = expr(b.left());
        Expr right = expr(b.right());
        yield left == b.left() && right == b.right() ? b : new Expr.Binary(b.op(), left, right);
      }
      case Expr.Unary u -> {
        Expr x = expr(u.operand());
        yield x == u.operand() ? u : new Expr.Unary(u.op(), x);
      }
      case Expr.Compare c -> {
        Expr left = expr(c.left());
        Expr right = expr(c.right());
        yield left == c.left() && right == c.right() ? c : new Expr.Compare(c.op(), left, right);
      }
      case Expr.Convert c -> {
        Expr x = expr(c.operand());
        yield x == c.operand() ? c : new Expr.Convert(c.op(), x);
      }
      case Expr.Apply a -> {
        List<Expr> args = list(a.args(), this::expr);
        yield args == a.args() ? a : new Expr.Apply(a.fun(), args);
      }
      case Expr.Load l -> {
        Name block = name(l.block());
        Poly index = poly(l.index());
        yield block == l.block() && index == l.index() ? l : new Expr.Load(block, l.type(), index);
      }
      case Expr.Capacity c -> {
        Name block = name(c.block());
        yield block == c.block() ? c : new Expr.Capacity(block, c.elem());
      }
      case Expr.Tuning t -> {
        Expr value = expr(t.defaultValue());
        yield value == t.defaultValue() ? t : new Expr.Tuning(t.name(), value);
      }
    };
  }

  private @Nullable Expr optional(@Nullable Expr e) {
    return e == null ? null : expr(e);
  }

  public Code.Operand operand(Code.Operand o) {
    return switch (o) {
      case Code.Operand.Scalar s -> {
        Expr e = expr(s.value());
        yield e == s.value() ? s : new Code.Operand.Scalar(e);
      }
      case Code.Operand.Block b -> {
        Name n = name(b.name());
        yield n == b.name() ? b : new Code.Operand.Block(n, b.elem());
      }
    };
  }

  private Code.Variable declared(Code.Variable v) {
    Name n = binder(v.name());
    return n == v.name() ? v : new Code.Variable(n, v.type(), v.isBlock());
  }

  /** Maps a list of statements, which is the scope of its declarations. */
  public List<Code> statements(List<Code> code) {
    return list(code, this::statement);
  }

  /** Maps a loop's body part by part, which preserves the properties of the parts. */
  private Code.For parts(Code.For f) {
    List<List<Code>> old = f.parts();
    List<List<Code>> parts = list(old, this::statements);
    return parts == old ? f : f.withParts(parts);
  }

  private Code.Order order(Code.Order order) {
    return switch (order) {
      case Code.Order.Independent o -> o;
      case Code.Order.Sequential o -> {
        List<ReductionOperator> operators = list(o.operators(), this::operator);
        yield operators == o.operators()
            ? o
            : new Code.Order.Sequential(o.independent(), operators);
      }
    };
  }

  private ReductionOperator operator(ReductionOperator o) {
    List<Code.Variable> accumulators =
        list(
            o.accumulators(),
            v -> {
              Name n = name(v.name());
              return n == v.name() ? v : Code.Variable.scalar(n, v.type());
            });
    List<Expr> neutral = list(o.neutral(), this::expr);
    List<Name> left = list(o.left(), this::binder);
    List<Name> right = list(o.right(), this::binder);
    List<Code> body = statements(o.body());
    List<Expr> results = list(o.results(), this::expr);
    boolean same =
        accumulators == o.accumulators()
            && neutral == o.neutral()
            && left == o.left()
            && right == o.right()
            && body == o.body()
            && results == o.results();
    return same
        ? o
        : new ReductionOperator(accumulators, neutral, left, right, body, results, o.commutative());
  }

  /** Maps a statement by mapping its children. */
  public Code statement(Code code) {
    return switch (code) {
      case Code.Declare d -> {
        Expr value = optional(d.value());
        Name n = binder(d.name());
        yield value == d.value() && n == d.name() ? d : new Code.Declare(n, d.type(), value);
      }
      case Code.Assign a -> {
        Expr value = expr(a.value());
        Name n = name(a.name());
        yield value == a.value() && n == a.name() ? a : new Code.Assign(n, value);
      }
      case Code.DeclareBlock d -> {
        Name value = d.value() == null ? null : name(d.value());
        Name b = binder(d.block());
        yield value == d.value() && b == d.block() ? d : new Code.DeclareBlock(b, d.elem(), value);
      }
      case Code.SetBlock s -> {
        Name value = name(s.value());
        Name b = name(s.block());
        yield value == s.value() && b == s.block() ? s : new Code.SetBlock(b, s.elem(), value);
      }
      case Code.Alloc a -> {
        Expr size = expr(a.size());
        Name b = binder(a.block());
        yield size == a.size() && b == a.block() ? a : new Code.Alloc(b, a.elem(), size, a.loc());
      }
      case Code.DeclareScratch d -> {
        Name b = binder(d.block());
        yield b == d.block() ? d : new Code.DeclareScratch(b, d.elem());
      }
      case Code.Reserve r -> {
        Expr size = expr(r.size());
        Name b = name(r.block());
        yield size == r.size() && b == r.block() ? r : new Code.Reserve(b, r.elem(), size, r.loc());
      }
      case Code.Free f -> {
        Name b = name(f.block());
        List<Name> unless = names(f.unless());
        yield b == f.block() && unless == f.unless() ? f : new Code.Free(b, f.elem(), unless);
      }
      case Code.IfUnused i -> {
        Name b = name(i.block());
        List<Name> inUse = names(i.inUse());
        List<Code> then = statements(i.then());
        List<Code> otherwise = statements(i.otherwise());
        yield b == i.block() && inUse == i.inUse() && then == i.then() && otherwise == i.otherwise()
            ? i
            : new Code.IfUnused(b, i.elem(), inUse, then, otherwise);
      }
      case Code.ConstantBlock c -> {
        Name b = binder(c.block());
        yield b == c.block() ? c : new Code.ConstantBlock(b, c.elem(), c.values());
      }
      case Code.Pin p -> {
        Name b = name(p.block());
        yield b == p.block() ? p : new Code.Pin(b, p.elem());
      }
      case Code.Store s -> {
        Name b = name(s.block());
        Poly index = poly(s.index());
        Expr value = expr(s.value());
        yield b == s.block() && index == s.index() && value == s.value()
            ? s
            : new Code.Store(b, s.elem(), index, value);
      }
      case Code.CopyRun c -> {
        Name to = name(c.to());
        Poly toAt = poly(c.toAt());
        Name from = name(c.from());
        Poly fromAt = poly(c.fromAt());
        Expr count = expr(c.count());
        yield to == c.to()
                && toAt == c.toAt()
                && from == c.from()
                && fromAt == c.fromAt()
                && count == c.count()
            ? c
            : new Code.CopyRun(to, toAt, from, fromAt, c.elem(), count);
      }
      case Code.FillRun f -> {
        Name b = name(f.block());
        Poly at = poly(f.at());
        Expr count = expr(f.count());
        Expr value = expr(f.value());
        yield b == f.block() && at == f.at() && count == f.count() && value == f.value()
            ? f
            : new Code.FillRun(b, f.elem(), at, count, value);
      }
      case Code.MapRun m -> {
        Name to = name(m.to());
        Name from = name(m.from());
        Expr count = expr(m.count());
        yield to == m.to() && from == m.from() && count == m.count()
            ? m
            : new Code.MapRun(m.fun(), to, from, count);
      }
      case Code.If i -> {
        Expr cond = expr(i.cond());
        List<Code> then = statements(i.then());
        List<Code> otherwise = statements(i.otherwise());
        yield cond == i.cond() && then == i.then() && otherwise == i.otherwise()
            ? i
            : new Code.If(cond, then, otherwise);
      }
      case Code.For f -> {
        Expr from = expr(f.from());
        Expr to = expr(f.to());
        Name index = binder(f.index());
        Code.For g = parts(f);
        Code.Order order = order(g.order());
        yield from == f.from() && to == f.to() && index == f.index() && g == f && order == f.order()
            ? f
            : new Code.For(index, f.type(), from, to, f.range(), g.invariant(), order, g.body());
      }
      case Code.While w -> {
        Name cond = name(w.cond());
        List<Code> body = statements(w.body());
        yield cond == w.cond() && body == w.body() ? w : new Code.While(cond, body);
      }
      case Code.Outlined o -> {
        List<Name> results = list(o.results(), this::name);
        List<Code> body = statements(o.body());
        yield results == o.results() && body == o.body()
            ? o
            : new Code.Outlined(results, o.body()).withBody(body);
      }
      case Code.Scope s -> {
        List<Code> body = statements(s.body());
        yield body == s.body() ? s : new Code.Scope(body);
      }
      case Code.Assert a -> {
        Expr cond = expr(a.cond());
        List<Code.MessagePart> message = list(a.message(), this::messagePart);
        yield cond == a.cond() && message == a.message()
            ? a
            : new Code.Assert(cond, message, a.trace());
      }
      case Code.CheckCancelled c -> c;
      case Code.Trace t -> {
        List<Code.MessagePart> message = list(t.message(), this::messagePart);
        yield message == t.message() ? t : new Code.Trace(message);
      }
      case Code.Call c -> {
        List<Code.Operand> args = list(c.args(), this::operand);
        List<Code.Variable> targets = list(c.targets(), this::declared);
        yield args == c.args() && targets == c.targets()
            ? c
            : new Code.Call(targets, c.function(), args);
      }
      case Code.Vector v -> vector(v);
      case Code.Multicore m -> multicore(m);
      case Code.Host h -> host(h);
      case Code.Kernel k -> kernel(k);
    };
  }

  private Code.MessagePart messagePart(Code.MessagePart part) {
    if (!(part instanceof Code.MessagePart.Value v)) {
      return part;
    }
    Expr e = expr(v.value());
    return e == v.value() ? v : new Code.MessagePart.Value(e, v.unsigned());
  }

  private @Nullable Name optional(@Nullable Name n) {
    return n == null ? null : name(n);
  }

  private Code vector(Code.Vector code) {
    return switch (code) {
      case Code.VectorLoop l -> {
        Expr from = expr(l.from());
        Expr to = expr(l.to());
        Name done = binder(l.done());
        Name index = binder(l.index());
        List<Code> body = statements(l.body());
        List<Code> rest = statements(l.rest());
        yield from == l.from()
                && to == l.to()
                && done == l.done()
                && index == l.index()
                && body == l.body()
                && rest == l.rest()
            ? l
            : new Code.VectorLoop(done, index, from, to, l.lanes(), body, rest);
      }
      case Code.DeclareLanes d -> {
        Expr value = optional(d.value());
        Name n = binder(d.name());
        yield value == d.value() && n == d.name() ? d : new Code.DeclareLanes(n, d.type(), value);
      }
      case Code.AssignLanes a -> {
        Expr value = expr(a.value());
        Name n = name(a.name());
        Name mask = optional(a.mask());
        yield value == a.value() && n == a.name() && mask == a.mask()
            ? a
            : new Code.AssignLanes(n, value, mask);
      }
      case Code.StoreLanes s -> {
        Name b = name(s.block());
        Poly index = poly(s.index());
        Expr value = expr(s.value());
        Name mask = optional(s.mask());
        yield b == s.block() && index == s.index() && value == s.value() && mask == s.mask()
            ? s
            : new Code.StoreLanes(b, s.elem(), index, value, mask);
      }
      case Code.AnyLane a -> {
        Name n = name(a.name());
        Name mask = name(a.mask());
        yield n == a.name() && mask == a.mask() ? a : new Code.AnyLane(n, mask);
      }
    };
  }

  private Code multicore(Code.Multicore code) {
    return switch (code) {
      case Code.ChunkCount c -> {
        Expr total = expr(c.total());
        Poly cost = poly(c.cost());
        Name chunks = binder(c.chunks());
        yield total == c.total() && cost == c.cost() && chunks == c.chunks()
            ? c
            : new Code.ChunkCount(chunks, total, cost, c.perThread());
      }
      case Code.RegionTime r -> {
        Expr total = expr(r.total());
        Poly cost = poly(r.cost());
        Name time = binder(r.time());
        yield total == r.total() && cost == r.cost() && time == r.time()
            ? r
            : new Code.RegionTime(time, total, cost, r.chained());
      }
      case Code.ThreadCount t -> {
        Name n = binder(t.threads());
        yield n == t.threads() ? t : new Code.ThreadCount(n);
      }
      case Code.Parallel p -> {
        Expr total = expr(p.total());
        Expr chunks = expr(p.chunks());
        Name chunk = binder(p.chunk());
        Name from = binder(p.from());
        Name to = binder(p.to());
        List<Code> body = statements(p.body());
        yield total == p.total()
                && chunks == p.chunks()
                && chunk == p.chunk()
                && from == p.from()
                && to == p.to()
                && body == p.body()
            ? p
            : new Code.Parallel(p.label(), p.loc(), total, chunks, chunk, from, to, body);
      }
      case Code.ChainedScan s -> {
        Expr total = expr(s.total());
        Expr chunks = expr(s.chunks());
        Name chunk = binder(s.chunk());
        Name from = binder(s.from());
        Name to = binder(s.to());
        List<Code> reduce = statements(s.reduce());
        List<Code> combine = statements(s.combine());
        List<Code> scan = statements(s.scan());
        yield total == s.total()
                && chunks == s.chunks()
                && chunk == s.chunk()
                && from == s.from()
                && to == s.to()
                && reduce == s.reduce()
                && combine == s.combine()
                && scan == s.scan()
            ? s
            : new Code.ChainedScan(
                s.label(), s.loc(), total, chunks, chunk, from, to, reduce, combine, scan);
      }
      case Code.Locked l -> {
        Expr key = expr(l.key());
        List<Code> body = statements(l.body());
        yield key == l.key() && body == l.body() ? l : new Code.Locked(key, body);
      }
    };
  }

  private Code host(Code.Host code) {
    return switch (code) {
      case Code.Launch l -> {
        Code.Grid grid = grid(l.grid());
        Name block = binder(l.block());
        Name thread = binder(l.thread());
        List<Code.Shared> shared = list(l.shared(), this::shared);
        List<Code> body = statements(l.body());
        // After the body, which declares the variables of the dimensions.
        List<Code.Dimension> space = list(l.space(), this::dimension);
        yield grid == l.grid()
                && block == l.block()
                && thread == l.thread()
                && shared == l.shared()
                && body == l.body()
                && space == l.space()
            ? l
            : new Code.Launch(l.label(), l.loc(), block, thread, grid, space, shared, body);
      }
      case Code.AskElement a -> {
        Name b = name(a.block());
        Poly index = poly(a.index());
        Name n = binder(a.request());
        yield b == a.block() && index == a.index() && n == a.request()
            ? a
            : new Code.AskElement(n, b, a.elem(), index, a.loc());
      }
      case Code.AwaitElements r -> {
        List<Code.AwaitedElement> elements = list(r.elements(), this::awaited);
        yield elements == r.elements() ? r : new Code.AwaitElements(elements);
      }
      case Code.WriteElement w -> {
        Name b = name(w.block());
        Poly index = poly(w.index());
        Expr value = expr(w.value());
        yield b == w.block() && index == w.index() && value == w.value()
            ? w
            : new Code.WriteElement(b, w.elem(), index, value);
      }
      case Code.OnCopies c -> {
        List<Code.HostCopy> copies = list(c.copies(), this::hostCopy);
        List<Code> body = statements(c.body());
        yield copies == c.copies() && body == c.body() ? c : new Code.OnCopies(copies, body);
      }
      case Code.GetSize g -> {
        Name n = binder(g.target());
        yield n == g.target() ? g : new Code.GetSize(n, g.parameter());
      }
      case Code.GetSizeMax g -> {
        Name n = binder(g.target());
        yield n == g.target() ? g : new Code.GetSizeMax(n, g.sizeClass());
      }
      case Code.CompareSize c -> {
        Expr value = expr(c.value());
        Name n = binder(c.target());
        yield value == c.value() && n == c.target()
            ? c
            : new Code.CompareSize(n, c.parameter(), value);
      }
    };
  }

  private Code.Grid grid(Code.Grid g) {
    Expr blocks = expr(g.blocks());
    Expr threads = expr(g.threads());
    return blocks == g.blocks() && threads == g.threads()
        ? g
        : new Code.Grid(blocks, threads, g.resident(), g.covers());
  }

  private Code.Dimension dimension(Code.Dimension d) {
    Name index = name(d.index());
    Name flat = name(d.flat());
    Poly extent = poly(d.extent());
    return index == d.index() && flat == d.flat() && extent == d.extent()
        ? d
        : new Code.Dimension(index, flat, extent);
  }

  private Code.Shared shared(Code.Shared s) {
    Expr bytes = expr(s.bytes());
    Name b = binder(s.block());
    return bytes == s.bytes() && b == s.block() ? s : new Code.Shared(b, bytes);
  }

  private Code.HostCopy hostCopy(Code.HostCopy c) {
    Name block = name(c.block());
    Name copy = binder(c.copy());
    return block == c.block() && copy == c.copy()
        ? c
        : new Code.HostCopy(copy, block, c.isChanged());
  }

  private Code.AwaitedElement awaited(Code.AwaitedElement e) {
    Name request = name(e.request());
    Name n = binder(e.target());
    return request == e.request() && n == e.target()
        ? e
        : new Code.AwaitedElement(n, e.elem(), request);
  }

  private Code kernel(Code.Kernel code) {
    return switch (code) {
      case Code.Private p -> {
        Name b = binder(p.block());
        yield b == p.block() ? p : new Code.Private(b, p.elem(), p.size());
      }
      case Code.DeclarePointer d -> {
        Name value = d.value() == null ? null : name(d.value());
        Poly offset = poly(d.offset());
        Name b = binder(d.block());
        yield value == d.value() && offset == d.offset() && b == d.block()
            ? d
            : new Code.DeclarePointer(b, d.memory(), d.elem(), value, offset);
      }
      case Code.Barrier b -> b;
      case Code.Fence f -> f;
      case Code.Shuffle s -> {
        Expr value = expr(s.value());
        Expr distance = expr(s.distance());
        Name n = binder(s.target());
        yield value == s.value() && distance == s.distance() && n == s.target()
            ? s
            : new Code.Shuffle(n, s.elem(), value, distance, s.width());
      }
      case Code.SineAndCosine s -> {
        Expr operand = expr(s.operand());
        Name sine = binder(s.sine());
        Name cosine = binder(s.cosine());
        yield operand == s.operand() && sine == s.sine() && cosine == s.cosine()
            ? s
            : new Code.SineAndCosine(sine, cosine, s.type(), operand);
      }
      case Code.Atomic a -> {
        Name b = name(a.block());
        Poly index = poly(a.index());
        Expr operand = expr(a.operand());
        Name old = binder(a.old());
        yield b == a.block() && index == a.index() && operand == a.operand() && old == a.old()
            ? a
            : new Code.Atomic(old, a.op(), b, a.elem(), index, operand);
      }
      case Code.CompareAndSet c -> {
        Name b = name(c.block());
        Poly index = poly(c.index());
        Expr expected = expr(c.expected());
        Expr value = expr(c.value());
        Name old = binder(c.old());
        yield b == c.block()
                && index == c.index()
                && expected == c.expected()
                && value == c.value()
                && old == c.old()
            ? c
            : new Code.CompareAndSet(old, b, c.elem(), index, expected, value);
      }
      case Code.VolatileLoad l -> {
        Name b = name(l.block());
        Poly index = poly(l.index());
        Name n = binder(l.target());
        yield b == l.block() && index == l.index() && n == l.target()
            ? l
            : new Code.VolatileLoad(n, b, l.elem(), index);
      }
      case Code.VolatileStore s -> {
        Name b = name(s.block());
        Poly index = poly(s.index());
        Expr value = expr(s.value());
        yield b == s.block() && index == s.index() && value == s.value()
            ? s
            : new Code.VolatileStore(b, s.elem(), index, value);
      }
      case Code.Strided s -> {
        Expr from = expr(s.from());
        Expr to = expr(s.to());
        Expr step = expr(s.step());
        Name index = binder(s.index());
        List<List<Code>> old = s.parts();
        List<List<Code>> parts = list(old, this::statements);
        if (from == s.from()
            && to == s.to()
            && step == s.step()
            && index == s.index()
            && parts == old) {
          yield s;
        }
        Code.Strided t = s.withParts(parts);
        yield new Code.Strided(index, from, to, step, s.distribution(), t.independent(), t.body());
      }
      case Code.Attempt a -> {
        List<Code> body = statements(a.body());
        yield body == a.body() ? a : new Code.Attempt(body);
      }
      case Code.LeaveIfFailed l -> l;
    };
  }

  /** Maps a function: parameters, body, results. */
  public ImperativeProgram.Function function(ImperativeProgram.Function f) {
    List<Code.Variable> params = list(f.params(), this::declared);
    List<Code> body = statements(f.body());
    List<Code.Operand> results = list(f.results(), this::operand);
    return params == f.params() && body == f.body() && results == f.results()
        ? f
        : new ImperativeProgram.Function(
            f.name(), f.onOneThread(), params, body, results, f.nextTag());
  }
}
