package futharkc.core.ir.text;

import futharkc.core.ir.Loc;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimFun;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.PrimValue;
import futharkc.core.ir.SizeClass;
import futharkc.core.ir.TuningParameter;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.ReductionOperator;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A parser of imperative statements and expressions.
 *
 * <p>A use of a variable has the type of its declaration in scope, unless it states a type itself:
 * {@code x_1: f32} or, for a block, {@code xs_2: []f32}. In a scalar context, a polynomial is in
 * parentheses.
 */
class CodeReader extends ExternalReader {
  private final Declarations scope = new Declarations();

  CodeReader(String source, String text, int from) {
    super(source, text, from);
  }

  /** Reads statements up to the end of the text. */
  final List<Code> all() {
    List<Code> code = new ArrayList<>();
    while (peek().kind() != Token.Kind.END) {
      code.add(statement());
    }
    return code;
  }

  /** Reads statements in braces, with a scope of their own. */
  private List<Code> block(Code.Variable... declared) {
    int entered = enter();
    for (Code.Variable v : declared) {
      declare(v);
    }
    expect("{");
    List<Code> code = new ArrayList<>();
    while (!skip("}")) {
      code.add(statement());
    }
    leave(entered);
    return code;
  }

  final Code statement() {
    Token t = peek();
    if (t.kind() == Token.Kind.NAME) {
      return assignment();
    }
    if (sees("{")) {
      return new Code.Scope(block());
    }
    if (t.kind() != Token.Kind.IDENT) {
      throw expected("a statement");
    }
    next();
    return switch (t.text()) {
      case "var" -> declaration();
      case "set" -> {
        Code.Variable b = blockUse();
        expect("=");
        yield new Code.SetBlock(b.name(), b.type(), name());
      }
      case "reserve" -> {
        expect("(");
        Code.Variable b = blockUse();
        expect(",");
        Expr size = expr();
        expect(")");
        yield new Code.Reserve(b.name(), b.type(), size, optionalLoc());
      }
      case "free" -> {
        Code.Variable b = inParentheses();
        yield new Code.Free(b.name(), b.type(), skip("unless") ? names() : List.of());
      }
      case "pin" -> {
        Code.Variable b = inParentheses();
        yield new Code.Pin(b.name(), b.type());
      }
      case "if_unused" -> {
        expect("(");
        Code.Variable b = blockUse();
        expect(",");
        List<Name> inUse = names();
        expect(")");
        List<Code> then = block();
        yield new Code.IfUnused(b.name(), b.type(), inUse, then, otherwise());
      }
      case "copy" -> {
        expect("(");
        Element to = element();
        expect(",");
        Element from = element();
        expect(",");
        Expr count = expr();
        expect(")");
        yield new Code.CopyRun(
            to.block.name(), to.index, from.block.name(), from.index, to.block.type(), count);
      }
      case "fill" -> {
        expect("(");
        Element to = element();
        expect(",");
        Expr count = expr();
        expect(",");
        Expr value = expr();
        expect(")");
        yield new Code.FillRun(to.block.name(), to.block.type(), to.index, count, value);
      }
      case "map" -> {
        PrimFun fun = function();
        expect("(");
        Name to = blockUse().name();
        expect(",");
        Name from = blockUse().name();
        expect(",");
        Expr count = expr();
        expect(")");
        yield new Code.MapRun(fun, to, from, count);
      }
      case "if" -> conditional();
      case "for" -> loop();
      case "vector" -> vectorLoop();
      case "lanes" -> lanes();
      case "any" -> {
        Name n = name();
        expect("=");
        yield new Code.AnyLane(n, name());
      }
      case "outlined" -> {
        List<Name> results = skip("->") ? names() : List.of();
        yield new Code.Outlined(results, block());
      }
      case "while" -> {
        Name cond = use(false).name();
        yield new Code.While(cond, block());
      }
      case "assert" -> assertion();
      case "check_cancelled" -> new Code.CheckCancelled();
      case "trace" -> trace();
      case "call" -> call();
      case "parallel" -> parallel();
      case "chained_scan" -> chainedScan();
      case "locked" -> {
        Expr key = exprInParentheses();
        yield new Code.Locked(key, block());
      }
      case "launch" -> launch();
      case "ask" -> {
        Name request = name();
        expect("=");
        Element e = element();
        Code.AskElement ask =
            new Code.AskElement(request, e.block.name(), e.block.type(), e.index, optionalLoc());
        declare(ask.variable());
        yield ask;
      }
      case "await" -> {
        List<Code.AwaitedElement> elements = list("(", this::awaited, ")");
        elements.forEach(e -> declare(e.variable()));
        yield new Code.AwaitElements(elements);
      }
      case "write" -> {
        Element e = element();
        expect("=");
        yield new Code.WriteElement(e.block.name(), e.block.type(), e.index, expr());
      }
      case "on_copies" -> {
        List<Code.HostCopy> copies = list("(", this::hostCopy, ")");
        yield new Code.OnCopies(
            copies,
            block(copies.stream().map(Code.HostCopy::variable).toArray(Code.Variable[]::new)));
      }
      case "barrier" -> new Code.Barrier();
      case "fence" -> new Code.Fence(skip("block"));
      case "volatile" -> {
        Element e = element();
        expect("=");
        yield new Code.VolatileStore(e.block.name(), e.block.type(), e.index, expr());
      }
      case "sincos" -> sineAndCosine();
      case "attempt" -> new Code.Attempt(block());
      case "leave_if_failed" -> new Code.LeaveIfFailed();
      default -> throw error(t, "unknown statement " + t.text());
    };
  }

  private Code sineAndCosine() {
    Name sine = name();
    expect(",");
    Name cosine = name();
    expect(":");
    PrimType type = primType();
    expect("=");
    Expr operand = expr();
    declare(Code.Variable.scalar(sine, type));
    declare(Code.Variable.scalar(cosine, type));
    return new Code.SineAndCosine(sine, cosine, type, operand);
  }

  /** Reads a statement that begins with a variable: an assignment or a store. */
  private Code assignment() {
    Code.Variable v = peek(1).is("[") || peek(1).is(":") ? use(true) : null;
    if (v == null) {
      Name n = name();
      expect("=");
      return new Code.Assign(n, expr());
    }
    Poly index = index();
    expect("=");
    return new Code.Store(v.name(), v.type(), index, expr());
  }

  private Code vectorLoop() {
    int lanes = Math.toIntExact(number());
    Name index = name();
    Expr from = skip("from") ? expr() : Expr.zero(PrimType.I64);
    expect("<");
    Expr to = expr();
    List<Code> body = block(Code.Variable.scalar(index, PrimType.I64));
    expect("rest");
    Name done = name();
    List<Code> rest = block(Code.Variable.scalar(done, PrimType.I64));
    return new Code.VectorLoop(done, index, from, to, lanes, body, rest);
  }

  private Code lanes() {
    if (skip("var")) {
      Code.Variable v = variable();
      Code c = new Code.DeclareLanes(v.name(), v.type(), skip("=") ? expr() : null);
      declare(v);
      return c;
    }
    return switch (assignment()) {
      case Code.Assign a -> new Code.AssignLanes(a.name(), a.value(), mask());
      case Code.Store s -> new Code.StoreLanes(s.block(), s.elem(), s.index(), s.value(), mask());
      case Code c -> throw new IllegalStateException("an assignment as " + c);
    };
  }

  private @Nullable Name mask() {
    return skip("where") ? name() : null;
  }

  private Code declaration() {
    Code.Variable v = variable();
    Code c = skip("=") ? initialised(v) : uninitialised(v);
    declare(v);
    return c;
  }

  private static Code uninitialised(Code.Variable v) {
    return v.isBlock()
        ? new Code.DeclareBlock(v.name(), v.type(), null)
        : new Code.Declare(v.name(), v.type(), null);
  }

  private Code initialised(Code.Variable v) {
    if (!v.isBlock()) {
      if (skip("thread_count")) {
        return new Code.ThreadCount(v.name());
      }
      if (skip("chunk_count")) {
        return chunkCount(v.name());
      }
      if (skip("region_time")) {
        return regionTime(v.name());
      }
      Code special = gpuScalar(v);
      if (special != null) {
        return special;
      }
      return new Code.Declare(v.name(), v.type(), expr());
    }
    if (skip("alloc")) {
      Expr size = exprInParentheses();
      return new Code.Alloc(v.name(), v.type(), size, optionalLoc());
    }
    if (skip("scratch")) {
      return new Code.DeclareScratch(v.name(), v.type());
    }
    if (skip("private")) {
      if (!sees("(")) {
        return pointer(v, Code.Memory.PRIVATE);
      }
      expect("(");
      long size = number();
      expect(")");
      return new Code.Private(v.name(), v.type(), size);
    }
    if (skip("shared")) {
      return pointer(v, Code.Memory.SHARED);
    }
    if (skip("device")) {
      return pointer(v, Code.Memory.DEVICE);
    }
    if (sees("{")) {
      List<PrimValue> values = list("{", this::primValue, "}");
      return new Code.ConstantBlock(v.name(), v.type(), values);
    }
    return new Code.DeclareBlock(v.name(), v.type(), name());
  }

  /**
   * Reads the remainder of a scalar declaration with a GPU operation, or returns null if the next
   * token does not begin one.
   */
  private @Nullable Code gpuScalar(Code.Variable v) {
    if (skip("get_size")) {
      expect("(");
      TuningParameter parameter = TuningReader.parameter(this);
      expect(")");
      return new Code.GetSize(v.name(), parameter);
    }
    if (skip("get_size_max")) {
      expect("(");
      SizeClass sizeClass = TuningReader.sizeClass(this);
      expect(")");
      return new Code.GetSizeMax(v.name(), sizeClass);
    }
    if (skip("cmp_size_le")) {
      expect("(");
      TuningParameter parameter = TuningReader.parameter(this);
      expect(",");
      Expr value = expr();
      expect(")");
      return new Code.CompareSize(v.name(), parameter, value);
    }
    if (skip("volatile")) {
      Element e = element();
      return new Code.VolatileLoad(v.name(), e.block.name(), e.block.type(), e.index);
    }
    if (skip("shuffle")) {
      expect("(");
      Expr value = expr();
      expect(",");
      Expr distance = expr();
      expect(",");
      int width = Math.toIntExact(number());
      expect(")");
      return new Code.Shuffle(v.name(), v.type(), value, distance, width);
    }
    if (skip("atomic")) {
      Code.AtomicOp op = atomicOp();
      expect("(");
      Element e = element();
      expect(",");
      Expr operand = expr();
      expect(")");
      return new Code.Atomic(v.name(), op, e.block.name(), e.block.type(), e.index, operand);
    }
    if (skip("compare_and_set")) {
      expect("(");
      Element e = element();
      expect(",");
      Expr expected = expr();
      expect(",");
      Expr value = expr();
      expect(")");
      return new Code.CompareAndSet(
          v.name(), e.block.name(), e.block.type(), e.index, expected, value);
    }
    return null;
  }

  private Code.AtomicOp atomicOp() {
    Token t = next();
    for (Code.AtomicOp op : Code.AtomicOp.values()) {
      if (t.is(op.toString())) {
        return op;
      }
    }
    throw error(t, "unknown atomic operation " + t.text());
  }

  private Code pointer(Code.Variable v, Code.Memory memory) {
    Token after = peek(1);
    boolean statement = after.is("=") || after.is("[") || after.is(":");
    Name value = peek().kind() == Token.Kind.NAME && !statement ? name() : null;
    Poly offset = skip("at") ? poly() : Poly.ZERO;
    return new Code.DeclarePointer(v.name(), memory, v.type(), value, offset);
  }

  private Code.AwaitedElement awaited() {
    Code.Variable target = variable();
    expect("=");
    return new Code.AwaitedElement(target.name(), target.type(), name());
  }

  private Code launch() {
    String label = word();
    expect("(");
    Name block = name();
    expect(",");
    Name thread = name();
    expect(")");
    expect("in");
    Expr blocks = expr();
    expect("of");
    Expr threads = expr();
    int resident = skip("resident") ? Math.toIntExact(number()) : 0;
    boolean covers = skip("covering");
    List<Code.Dimension> space =
        covers || skip("over") ? list("(", this::dimension, ")") : List.of();
    List<Code.Shared> shared = skip("shared") ? list("(", this::shared, ")") : List.of();
    Loc loc = optionalLoc();
    List<Code.Variable> bound = new ArrayList<>();
    for (Name n : List.of(block, thread)) {
      bound.add(Code.Variable.scalar(n, PrimType.I64));
    }
    for (Code.Shared s : shared) {
      bound.add(Code.Variable.block(s.block(), PrimType.I8));
    }
    List<Code> body = block(bound.toArray(Code.Variable[]::new));
    Code.Grid grid = new Code.Grid(blocks, threads, resident, covers);
    return new Code.Launch(label, loc, block, thread, grid, space, shared, body);
  }

  private Code.Dimension dimension() {
    Name index = name();
    expect("of");
    Name flat = name();
    expect("<");
    return new Code.Dimension(index, flat, poly());
  }

  private Code.HostCopy hostCopy() {
    Name copy = name();
    boolean isChanged = skip("changes");
    if (!isChanged) {
      expect("of");
    }
    return new Code.HostCopy(copy, name(), isChanged);
  }

  private Code.Shared shared() {
    Name block = name();
    expect(":");
    return new Code.Shared(block, expr());
  }

  private Code chunkCount(Name chunks) {
    expect("(");
    Expr total = expr();
    expect(",");
    expect("cost");
    Poly cost = poly();
    expect(",");
    expect("per_thread");
    int perThread = smallNumber();
    expect(")");
    return new Code.ChunkCount(chunks, total, cost, perThread);
  }

  private Code regionTime(Name time) {
    expect("(");
    Expr total = expr();
    expect(",");
    expect("cost");
    Poly cost = poly();
    boolean chained = skip(",");
    if (chained) {
      expect("chained");
    }
    expect(")");
    return new Code.RegionTime(time, total, cost, chained);
  }

  private Code conditional() {
    Expr cond = expr();
    List<Code> then = block();
    return new Code.If(cond, then, otherwise());
  }

  private List<Code> otherwise() {
    if (!skip("else")) {
      return List.of();
    }
    return skip("if") ? List.of(conditional()) : block();
  }

  private Code loop() {
    Token at = peek();
    Code.Variable index = variable();
    if (index.isBlock()) {
      throw error(at, "the index of a loop is an integer");
    }
    Expr from = skip("from") ? expr() : Expr.zero(index.type());
    expect("<");
    Expr to = expr();
    if (skip("by")) {
      return strided(index, from, to);
    }
    Code.Range range = range();
    int invariant = skip("invariant") ? smallNumber() : 0;
    Code.Order order = order();
    return new Code.For(
        index.name(), index.type(), from, to, range, invariant, order, block(index));
  }

  private Code strided(Code.Variable index, Expr from, Expr to) {
    Expr step = expr();
    Code.Distribution distribution = distribution();
    boolean some = skip("independent");
    boolean all = some && sees("{");
    int independent = some && !all ? smallNumber() : 0;
    List<Code> body = block(index);
    int count = all ? body.size() : independent;
    return new Code.Strided(index.name(), from, to, step, distribution, count, body);
  }

  private Code.Distribution distribution() {
    if (!skip("across")) {
      return Code.Distribution.NONE;
    }
    if (skip("block")) {
      return Code.Distribution.BLOCK;
    }
    expect("grid");
    return Code.Distribution.GRID;
  }

  private Code.Range range() {
    for (Code.Range r : Code.Range.values()) {
      if (r != Code.Range.UNKNOWN && skip(r.name().toLowerCase(Locale.ROOT))) {
        return r;
      }
    }
    return Code.Range.UNKNOWN;
  }

  private Code.Order order() {
    int independent = 0;
    if (skip("independent")) {
      if (sees("{")) {
        return new Code.Order.Independent();
      }
      independent = smallNumber();
    }
    List<ReductionOperator> operators = skip("reduce") ? list("[", this::operator, "]") : List.of();
    return new Code.Order.Sequential(independent, operators);
  }

  private ReductionOperator operator() {
    boolean commutative = skip("commutative");
    List<Code.Variable> accumulators = list("(", this::variable, ")");
    expect("neutral");
    List<Expr> neutral = list("(", this::expr, ")");
    expect("\\");
    Token at = peek();
    List<Name> left = list("(", this::name, ")");
    List<Name> right = list("(", this::name, ")");
    int n = accumulators.size();
    if (neutral.size() != n || left.size() != n || right.size() != n) {
      throw error(at, "an operator has a neutral element and two operands for each accumulator");
    }
    ReductionOperator operands =
        new ReductionOperator(
            accumulators, neutral, left, right, List.of(), List.of(), commutative);
    List<Code> body = block(operands.operands());
    expect("->");
    return operands.withBody(body, list("(", this::expr, ")"));
  }

  private Code assertion() {
    expect("(");
    Expr cond = expr();
    List<Code.MessagePart> message = new ArrayList<>();
    List<Loc> trace = new ArrayList<>();
    while (skip(",")) {
      if (sees("@")) {
        trace.add(loc());
      } else {
        message.add(messagePart());
      }
    }
    expect(")");
    return new Code.Assert(cond, message, trace);
  }

  private Code.MessagePart messagePart() {
    if (peek().kind() == Token.Kind.STRING) {
      return new Code.MessagePart.Text(string());
    }
    boolean unsigned = skip("unsigned");
    return new Code.MessagePart.Value(expr(), unsigned);
  }

  private Code trace() {
    List<Code.MessagePart> message = new ArrayList<>();
    expect("(");
    while (!skip(")")) {
      if (!message.isEmpty()) {
        expect(",");
      }
      message.add(messagePart());
    }
    return new Code.Trace(message);
  }

  private Code call() {
    String function = word();
    List<Code.Operand> args = list("(", this::operand, ")");
    List<Code.Variable> targets = skip("->") ? list("(", this::variable, ")") : List.of();
    targets.forEach(this::declare);
    return new Code.Call(targets, function, args);
  }

  // Regions

  /** The header of a parallel region. */
  private record Region(String label, List<Name> indices, Expr total, Expr chunks, Loc loc) {
    Code.Variable[] variables() {
      return indices.stream()
          .map(n -> Code.Variable.scalar(n, PrimType.I64))
          .toArray(Code.Variable[]::new);
    }
  }

  private Region region() {
    String label = word();
    Token at = peek();
    List<Name> indices = list("(", this::name, ")");
    if (indices.size() != 3) {
      throw error(at, "a region has three names: chunk, first index, and index after the last");
    }
    expect("over");
    Expr total = expr();
    expect("in");
    Expr chunks = expr();
    return new Region(label, indices, total, chunks, optionalLoc());
  }

  private Code parallel() {
    Region r = region();
    List<Name> n = r.indices;
    return new Code.Parallel(
        r.label, r.loc, r.total, r.chunks, n.get(0), n.get(1), n.get(2), block(r.variables()));
  }

  private Code chainedScan() {
    Region r = region();
    List<Name> n = r.indices;
    expect("reduce");
    List<Code> reduce = block(r.variables());
    expect("combine");
    List<Code> combine = block(r.variables());
    expect("scan");
    List<Code> scan = block(r.variables());
    return new Code.ChainedScan(
        r.label, r.loc, r.total, r.chunks, n.get(0), n.get(1), n.get(2), reduce, combine, scan);
  }

  // Variables

  final int enter() {
    return scope.enter();
  }

  final void leave(int entered) {
    scope.leave(entered);
  }

  final void declare(Code.Variable v) {
    scope.declare(v);
  }

  /** Reads a declaration: {@code x_1: f32} or {@code xs_2: []f32}. */
  final Code.Variable variable() {
    Name n = name();
    expect(":");
    return variable(n);
  }

  private Code.Variable variable(Name n) {
    boolean block = skip("[");
    if (block) {
      expect("]");
    }
    return new Code.Variable(n, primType(), block);
  }

  /** Reads a use of a variable of any type. */
  private Code.Variable use() {
    Token t = peek();
    Name n = name();
    if (skip(":")) {
      return variable(n);
    }
    Code.@Nullable Variable v = scope.find(n);
    if (v != null) {
      return v;
    }
    throw error(t, n + " is not declared; state its type, as in " + n + ": i64");
  }

  private Code.Variable use(boolean block) {
    Token t = peek();
    Code.Variable v = use();
    if (v.isBlock() == block) {
      return v;
    }
    throw error(t, v.name() + (block ? " is a scalar, not a block" : " is a block, not a scalar"));
  }

  private Code.Variable blockUse() {
    return use(true);
  }

  private PrimFun function() {
    OperatorWords.Operator op = OperatorWords.find(word());
    if (op != null
        && op.expr().apply(Collections.nCopies(op.arity(), Expr.zero(PrimType.BOOL)))
            instanceof Expr.Apply a) {
      return a.fun();
    }
    throw expected("a function");
  }

  private Code.Variable inParentheses() {
    expect("(");
    Code.Variable b = blockUse();
    expect(")");
    return b;
  }

  private Poly index() {
    expect("[");
    Poly p = poly();
    expect("]");
    return p;
  }

  /** A block and an element offset in it. */
  private record Element(Code.Variable block, Poly index) {}

  private Element element() {
    Code.Variable block = blockUse();
    return new Element(block, index());
  }

  // Expressions

  /** Reads a scalar or a block. */
  final Code.Operand operand() {
    if (peek().kind() != Token.Kind.NAME) {
      return new Code.Operand.Scalar(expr());
    }
    Token t = peek();
    Code.Variable v = use();
    return v.isBlock() && !sees("[")
        ? new Code.Operand.Block(v.name(), v.type())
        : new Code.Operand.Scalar(ofVariable(t, v));
  }

  private Expr ofVariable(Token t, Code.Variable v) {
    if (v.isBlock()) {
      return new Expr.Load(v.name(), v.type(), index());
    }
    if (sees("[")) {
      throw error(t, v.name() + " is a scalar, not a block");
    }
    return new Expr.Var(v.name(), v.type());
  }

  private Expr exprInParentheses() {
    expect("(");
    Expr e = expr();
    expect(")");
    return e;
  }

  private Expr expr() {
    Token t = peek();
    if (t.kind() == Token.Kind.NAME) {
      return ofVariable(t, use());
    }
    if (sees("(") && !peek(1).is(")")) {
      expect("(");
      Poly p = poly();
      expect(")");
      return new Expr.Index(p);
    }
    if (seesPrimValue()) {
      return new Expr.Const(primValue());
    }
    if (skip("user_param")) {
      expect("(");
      String name = string();
      expect(",");
      Expr value = expr();
      expect(")");
      return new Expr.Tuning(name, value);
    }
    if (skip("capacity")) {
      Code.Variable b = inParentheses();
      return new Expr.Capacity(b.name(), b.type());
    }
    if (t.kind() != Token.Kind.IDENT) {
      throw expected("an expression");
    }
    OperatorWords.Operator op = OperatorWords.find(t.text());
    if (op == null) {
      throw error(t, "unknown operation " + t.text());
    }
    return op.expr().apply(operands(op, this::expr));
  }
}
