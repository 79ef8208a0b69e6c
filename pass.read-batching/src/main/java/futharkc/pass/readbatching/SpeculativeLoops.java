package futharkc.pass.readbatching;

import futharkc.core.ir.BinOp;
import futharkc.core.ir.Loc;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.imperative.BlockAliases;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.CodeMapper;
import futharkc.core.ir.imperative.CodeSearch;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.Variables;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.Remark;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A rewriting of loops for {@link SpeculativeLaunchPass}. */
final class SpeculativeLoops extends CodeMapper {
  private final String function;
  private final BlockAliases aliases;
  private final NameSource names;
  private final int most;
  private final PassContext context;

  /**
   * A rewriting of the loops of a function.
   *
   * @param most the most kernels that an iteration launches before its condition is known
   */
  SpeculativeLoops(
      String function, BlockAliases aliases, NameSource names, int most, PassContext context) {
    this.function = function;
    this.aliases = aliases;
    this.names = names;
    this.most = most;
    this.context = context;
  }

  /**
   * A loop in the form that the pass handles.
   *
   * @param check true if the host asks in each iteration if the call is cancelled
   */
  private record Loop(Name cond, List<Code> body, boolean check) {}

  @Override
  public Code statement(Code code) {
    if (code instanceof Code.Launch) {
      return code;
    }
    if (code instanceof Code.While w) {
      Code changed = changed(loop(w));
      if (changed != null) {
        return changed;
      }
    }
    return super.statement(code);
  }

  /** Returns a loop without the strips between checks of cancellation. */
  private static Loop loop(Code.While w) {
    List<Code> b = w.body();
    if (b.size() == 4
        && b.get(0) instanceof Code.Declare done
        && b.get(1) instanceof Code.Declare more
        && b.get(2) instanceof Code.While inner
        && inner.cond().equals(more.name())
        && b.get(3) instanceof Code.If check
        && check.then().equals(List.of(new Code.CheckCancelled()))
        && check.otherwise().isEmpty()) {
      int n = inner.body().size() - 2;
      if (n > 0
          && inner.body().get(n) instanceof Code.Assign counted
          && counted.name().equals(done.name())
          && inner.body().get(n + 1) instanceof Code.Assign again
          && again.name().equals(more.name())
          && again.value() instanceof Expr.Binary and
          && and.op().kind() == BinOp.Kind.LOG_AND
          && and.left().equals(new Expr.Var(w.cond(), PrimType.BOOL))) {
        return new Loop(w.cond(), inner.body().subList(0, n), true);
      }
    }
    int last = b.size() - 1;
    if (last >= 0 && b.get(last) instanceof Code.CheckCancelled) {
      return new Loop(w.cond(), b.subList(0, last), true);
    }
    return new Loop(w.cond(), b, false);
  }

  private @Nullable Code changed(Loop loop) {
    int at = lastWait(loop.body);
    if (at < 0) {
      return null;
    }
    Iteration iteration = iteration(loop, at);
    if (iteration == null || !context.mayChange()) {
      return null;
    }
    Loop hoisted = hoisted(loop, iteration);
    if (hoisted != null) {
      Iteration further = iteration(hoisted, at + 2);
      if (further != null) {
        return rewritten(hoisted, further);
      }
    }
    return rewritten(loop, iteration);
  }

  private Code rewritten(Loop loop, Iteration iteration) {
    context.countChange();
    int kernels = iteration.part.launches();
    context.remark(
        Remark.Kind.APPLIED,
        function,
        iteration.loc,
        "the host launches "
            + kernels
            + (kernels == 1 ? " kernel" : " kernels")
            + " of the next iteration before it knows the condition of the loop");
    return new Rewriting(loop, iteration).loop();
  }

  /**
   * Returns the index of the last wait if only scalar operations and releases of blocks follow it;
   * otherwise a negative number.
   */
  private static int lastWait(List<Code> body) {
    for (int i = body.size() - 1; i >= 0; i--) {
      if (body.get(i) instanceof Code.AwaitElements) {
        return i;
      }
      if (!isScalar(body.get(i))) {
        return -1;
      }
    }
    return -1;
  }

  private static boolean isScalar(Code code) {
    return switch (code) {
      case Code.Declare _, Code.Assign _, Code.DeclareBlock _, Code.SetBlock _, Code.Free _ -> true;
      case Code.If i ->
          i.then().stream().allMatch(SpeculativeLoops::isScalar)
              && i.otherwise().stream().allMatch(SpeculativeLoops::isScalar);
      case Code.Scope s -> s.body().stream().allMatch(SpeculativeLoops::isScalar);
      default -> false;
    };
  }

  /**
   * The analysis of the iterations of a loop.
   *
   * @param reads the reads of the last wait
   * @param removed the indices of requests and of releases of their blocks
   * @param waitAt the index of the last wait
   * @param deferred the statements after the wait that need the scalars
   * @param part the statements before the wait of the condition
   * @param end the index of the first statement after this part
   * @param joined the indices of further requests, followed by that of their wait, which the host
   *     joins with the wait for the condition
   */
  private record Iteration(
      List<Code.AskElement> reads,
      Code.AwaitElements awaited,
      Set<Integer> removed,
      int waitAt,
      DeferredStatements deferred,
      SpeculativePart part,
      int end,
      List<Integer> joined,
      Loc loc) {}

  private @Nullable Iteration iteration(Loop loop, int waitAt) {
    List<Code> body = loop.body;
    Code.AwaitElements awaited = (Code.AwaitElements) body.get(waitAt);
    Map<Name, Integer> asks = new HashMap<>();
    for (int i = 0; i < waitAt; i++) {
      if (body.get(i) instanceof Code.AskElement a) {
        asks.put(a.request(), i);
      }
    }
    DeferredStatements deferred = DeferredStatements.of(body, waitAt);
    if (deferred == null || !deferred.unknown().contains(loop.cond)) {
      return null;
    }
    Set<Name> unknown = deferred.unknown();
    List<Code.AskElement> reads = new ArrayList<>();
    Set<Integer> removed = new HashSet<>();
    Loc loc = Loc.NONE;
    int lastAsk = 0;
    for (Code.AwaitedElement e : awaited.elements()) {
      int asked = Objects.requireNonNull(asks.get(e.request()));
      Code.AskElement ask = (Code.AskElement) body.get(asked);
      int freed = release(body, asked, ask);
      if (freed < 0) {
        return missed(ask, "the loop does not allocate the block of its condition");
      }
      loc = loc.equals(Loc.NONE) ? ask.loc() : loc;
      lastAsk = Math.max(lastAsk, asked);
      reads.add(ask);
      removed.add(asked);
      removed.add(freed);
    }
    if (body.subList(lastAsk, waitAt).stream().anyMatch(c -> new HostEffects(c).enqueues())) {
      return missed(reads.getFirst(), "other work is enqueued between the request and the wait");
    }
    Set<Name> carried = new HashSet<>(Variables.assignedBy(body));
    carried.removeAll(declaredIn(body));
    SpeculativePart part = new SpeculativePart(unknown, carried);
    int end = 0;
    for (; end < waitAt; end++) {
      Code c = body.get(end);
      boolean isTooLong = part.launches() + new HostEffects(c).launches() > most;
      if (!removed.contains(end) && (isTooLong || !part.add(c))) {
        break;
      }
    }
    if (part.launches() == 0) {
      return missed(
          reads.getFirst(),
          "no kernel of an iteration is launched before a statement that needs the condition");
    }
    List<Integer> joined = joined(body, end, unknown);
    return new Iteration(reads, awaited, removed, waitAt, deferred, part, end, joined, loc);
  }

  /** Returns the names that statements declare at any depth. */
  private static Set<Name> declaredIn(List<Code> code) {
    Set<Name> found = new HashSet<>();
    new CodeMapper() {
      @Override
      public Name binder(Name declared) {
        found.add(declared);
        return declared;
      }
    }.statements(code);
    return found;
  }

  /**
   * Returns the indices of requests after the speculative part, and the index of the wait for all
   * of them, if only releases of blocks are in between; otherwise nothing.
   */
  private static List<Integer> joined(List<Code> body, int end, Set<Name> unknown) {
    List<Integer> found = new ArrayList<>();
    Set<Name> requests = new HashSet<>();
    for (int i = end; i < body.size(); i++) {
      Code c = body.get(i);
      if (c instanceof Code.AskElement a
          && Variables.readBy(List.of(c)).stream().noneMatch(unknown::contains)) {
        found.add(i);
        requests.add(a.request());
      } else if (c instanceof Code.AwaitElements w) {
        found.add(i);
        boolean isForAll =
            w.elements().size() == requests.size()
                && w.elements().stream().allMatch(e -> requests.contains(e.request()));
        return isForAll ? found : List.of();
      } else if (!(c instanceof Code.Free)) {
        break;
      }
    }
    return List.of();
  }

  /**
   * Moves a read out of the branch after the speculative part, if a branch begins with this read.
   * The wait for the condition then serves the read, too.
   */
  private static @Nullable Loop hoisted(Loop loop, Iteration iteration) {
    int at = iteration.end;
    if (at >= iteration.waitAt || !(loop.body.get(at) instanceof Code.If branch)) {
      return null;
    }
    boolean isFirst = isRead(branch.then());
    List<Code> reads = isFirst ? branch.then() : branch.otherwise();
    if (!isRead(reads)
        || CodeSearch.anyStatement(List.of(branch), c -> c instanceof Code.Launch)
        || Variables.readBy(reads.subList(0, 1)).stream()
            .anyMatch(iteration.deferred.unknown()::contains)) {
      return null;
    }
    List<Code> rest = reads.subList(2, reads.size());
    List<Code> body = new ArrayList<>(loop.body.subList(0, at));
    body.addAll(reads.subList(0, 2));
    body.add(
        isFirst
            ? new Code.If(branch.cond(), rest, branch.otherwise())
            : new Code.If(branch.cond(), branch.then(), rest));
    body.addAll(loop.body.subList(at + 1, loop.body.size()));
    return new Loop(loop.cond, body, loop.check);
  }

  private static boolean isRead(List<Code> branch) {
    return branch.size() > 2
        && branch.get(0) instanceof Code.AskElement a
        && branch.get(1) instanceof Code.AwaitElements w
        && w.elements().size() == 1
        && w.elements().get(0).request().equals(a.request());
  }

  private @Nullable Iteration missed(Code.AskElement ask, String why) {
    context.remark(
        Remark.Kind.MISSED,
        function,
        ask.loc(),
        "the host waits for the condition of the loop before the next iteration: " + why);
    return null;
  }

  /**
   * Returns the index of the release of a request's block, if an iteration declares the block,
   * nothing writes it after the request, and no other variable of the block is released; otherwise
   * a negative number.
   */
  private int release(List<Code> body, int asked, Code.AskElement ask) {
    boolean isDeclared =
        Variables.declaredBy(body).stream().anyMatch(v -> v.name().equals(ask.block()));
    if (!isDeclared || ask.index().constant() == null) {
      return -1;
    }
    int freed = -1;
    for (int i = asked + 1; i < body.size(); i++) {
      Code c = body.get(i);
      if (c instanceof Code.Free f && f.block().equals(ask.block()) && f.unless().isEmpty()) {
        freed = i;
      } else if (!(c instanceof Code.AskElement || c instanceof Code.AwaitElements)
          && (!new HostEffects(c).allowsBefore(ask, aliases::mayAlias)
              || CodeSearch.anyStatement(List.of(c), s -> releases(s, ask.block())))) {
        return -1;
      }
    }
    return freed;
  }

  private boolean releases(Code c, Name block) {
    return c instanceof Code.Free f && aliases.mayAlias(f.block(), block)
        || c instanceof Code.IfUnused i && aliases.mayAlias(i.block(), block);
  }

  /** The construction of a loop. */
  private final class Rewriting {
    private final Loop loop;
    private final Iteration of;

    /** A variable that is false in the first iteration only. */
    private final Name later = names.fresh(new Name("later", 0));

    /**
     * An empty block. The requests of the first iteration are for elements outside the block, so
     * that no transfer takes place.
     */
    private final Name empty = names.fresh(new Name("empty", 0));

    /** The variables for blocks of requests, by the block of an iteration. */
    private final Map<Name, Name> last = new LinkedHashMap<>();

    private final DeferredStatements.Divided divided;

    Rewriting(Loop loop, Iteration of) {
      this.loop = loop;
      this.of = of;
      for (Code.AskElement ask : of.reads) {
        last.computeIfAbsent(ask.block(), names::fresh);
      }
      divided = of.deferred.divide(of.removed, names);
    }

    Code loop() {
      List<Code> body = new ArrayList<>();
      for (Code.AskElement a : of.reads) {
        body.add(new Code.AskElement(a.request(), last(a.block()), a.elem(), a.index(), a.loc()));
      }
      for (int i = 0; i < of.end; i++) {
        if (!of.removed.contains(i)) {
          body.add(conditional.statement(loop.body.get(i)));
        }
      }
      List<Code.AwaitedElement> elements = new ArrayList<>(of.awaited.elements());
      for (int i : of.joined) {
        if (loop.body.get(i) instanceof Code.AwaitElements w) {
          elements.addAll(w.elements());
        } else {
          body.add(loop.body.get(i));
        }
      }
      body.add(new Code.AwaitElements(elements));
      List<Code> run = new ArrayList<>();
      List<Code> stop = new ArrayList<>();
      for (int i = of.end; i < of.waitAt; i++) {
        if (!of.removed.contains(i) && !of.joined.contains(i)) {
          run.add(loop.body.get(i));
        }
      }
      run.addAll(divided.rest());
      last.forEach(
          (block, variable) -> {
            body.add(new Code.Free(variable, PrimType.I8, List.of(empty)));
            run.add(new Code.SetBlock(variable, PrimType.I8, block));
            stop.add(new Code.SetBlock(variable, PrimType.I8, empty));
          });
      if (loop.check) {
        run.add(new Code.CheckCancelled());
      }
      of.part.owned().forEach(n -> stop.add(new Code.Free(n, PrimType.I8, List.of())));
      Expr isLater = new Expr.Var(later, PrimType.BOOL);
      body.add(new Code.If(isLater, divided.deferred(), List.of()));
      body.add(new Code.Assign(later, Expr.bool(true)));
      Expr cond = new Expr.Var(loop.cond, PrimType.BOOL);
      body.add(new Code.If(cond, run, stop));
      List<Code> all = new ArrayList<>();
      all.add(new Code.Declare(later, PrimType.BOOL, Expr.bool(false)));
      for (Code.Variable v : divided.kept()) {
        all.add(new Code.Declare(v.name(), v.type(), Expr.zero(v.type())));
      }
      all.add(new Code.Alloc(empty, PrimType.I8, Expr.i64(0), of.loc));
      for (Name variable : last.values()) {
        all.add(new Code.DeclareBlock(variable, PrimType.I8, empty));
      }
      all.add(new Code.While(loop.cond, body));
      all.add(new Code.Free(empty, PrimType.I8, List.of()));
      return new Code.If(cond, all, List.of());
    }

    private Name last(Name block) {
      return Objects.requireNonNull(last.get(block), block::toString);
    }

    /** Lets kernels end at once if the loop ends. */
    private final CodeMapper conditional =
        new CodeMapper() {
          @Override
          public Code statement(Code code) {
            return code instanceof Code.Launch l ? conditional(l) : super.statement(code);
          }
        };

    private Code conditional(Code.Launch l) {
      Name runs = names.fresh(new Name("runs", 0));
      DeferredStatements.InKernel condition =
          new DeferredStatements.InKernel(divided.deferred(), names);
      for (int i = 0; i < of.reads.size(); i++) {
        Code.AskElement a = of.reads.get(i);
        condition.add(
            of.awaited.elements().get(i).target(),
            new Expr.Load(last(a.block()), a.elem(), a.index()));
      }
      Expr value = condition.compute(new Expr.Var(loop.cond, PrimType.BOOL));
      List<Code> read = new ArrayList<>(condition.statements());
      read.add(new Code.Assign(runs, value));
      List<Code> body = new ArrayList<>();
      body.add(new Code.Declare(runs, PrimType.BOOL, Expr.bool(true)));
      body.add(new Code.If(new Expr.Var(later, PrimType.BOOL), read, List.of()));
      body.add(new Code.If(new Expr.Var(runs, PrimType.BOOL), l.body(), List.of()));
      return l.withBody(body);
    }
  }
}
