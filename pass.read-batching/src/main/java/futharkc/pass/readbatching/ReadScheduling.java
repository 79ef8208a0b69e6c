package futharkc.pass.readbatching;

import futharkc.core.ir.Loc;
import futharkc.core.ir.Name;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.CodeMapper;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.Remark;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A rewriting of host code that places requests and waits of reads. In a list of statements, each
 * read has an earliest position of its request and a latest position of its wait. The wait with the
 * least latest position is placed first. It serves all reads whose requests can be before it
 * without a delay of the wait.
 */
final class ReadScheduling extends CodeMapper {
  private final String function;
  private final PassContext context;
  private final BranchReads branches;

  /** The number of loops around the current list of statements. */
  private int loops;

  ReadScheduling(String function, BranchReads branches, PassContext context) {
    this.function = function;
    this.branches = branches;
    this.context = context;
  }

  /**
   * A read in a list of statements. A position is the index of the statement before which a request
   * or wait is placed.
   */
  private static final class Read {
    final Code.AskElement ask;
    final Code.AwaitedElement awaited;
    final int askedAt;
    final int awaitedAt;
    int earliestAsk;
    int latestAwait;

    Read(Code.AskElement ask, Code.AwaitedElement awaited, int askedAt, int awaitedAt) {
      this.ask = ask;
      this.awaited = awaited;
      this.askedAt = askedAt;
      this.awaitedAt = awaitedAt;
    }
  }

  /**
   * Reads with a common wait.
   *
   * @param asks the positions of the requests
   * @param waitAt the position of the wait
   */
  private record Batch(List<Read> reads, List<Integer> asks, int waitAt) {}

  @Override
  public Code statement(Code code) {
    return switch (code) {
      case Code.Launch l -> l;
      case Code.For f -> {
        loops++;
        List<List<Code>> parts = f.parts().stream().map(this::statements).toList();
        loops--;
        yield parts.equals(f.parts()) ? f : f.withParts(parts);
      }
      case Code.While w -> {
        loops++;
        Code mapped = super.statement(w);
        loops--;
        yield mapped;
      }
      default -> super.statement(code);
    };
  }

  @Override
  public List<Code> statements(List<Code> code) {
    List<Code> inner = branches.statements(super.statements(code));
    List<Read> reads = reads(inner);
    if (reads.isEmpty()) {
      return inner;
    }
    context.checkCancelled();
    HostEffects[] effects = new HostEffects[inner.size()];
    for (int i = 0; i < effects.length; i++) {
      effects[i] = new HostEffects(inner.get(i));
    }
    reads.forEach(r -> r.earliestAsk = earliestAsk(r, effects));
    reads.forEach(r -> r.latestAwait = latestAwait(r, reads, effects));
    List<Batch> batches = batches(reads, effects);
    List<Code> placed = placed(inner, batches);
    boolean isSame = placed.equals(inner) || !context.mayChange();
    batches.forEach(b -> remark(b, effects, isSame));
    if (isSame) {
      return inner;
    }
    context.countChange();
    return placed;
  }

  private static List<Read> reads(List<Code> code) {
    Map<Name, Integer> asks = new HashMap<>();
    List<Read> reads = new ArrayList<>();
    for (int i = 0; i < code.size(); i++) {
      if (code.get(i) instanceof Code.AskElement a) {
        asks.put(a.request(), i);
      } else if (code.get(i) instanceof Code.AwaitElements w) {
        for (Code.AwaitedElement e : w.elements()) {
          Integer ask = asks.get(e.request());
          if (ask == null) {
            throw new IllegalStateException(e.request() + " is awaited, but not made in this list");
          }
          reads.add(new Read((Code.AskElement) code.get(ask), e, ask, i));
        }
      }
    }
    return reads;
  }

  private int earliestAsk(Read r, HostEffects[] effects) {
    int i = r.askedAt;
    while (i > 0 && effects[i - 1].allowsBefore(r.ask, branches::mayAlias)) {
      i--;
    }
    return i;
  }

  private static int latestAwait(Read r, List<Read> reads, HostEffects[] effects) {
    Name scalar = r.awaited.target();
    int i = r.awaitedAt + 1;
    while (i < effects.length && effects[i].allowsAfter(scalar)) {
      i++;
    }
    // Requests that use the scalar may move up to the position behind this wait.
    for (Read other : reads) {
      if (other.ask.index().names().contains(scalar)) {
        i = Math.min(i, other.earliestAsk - 1);
      }
    }
    return i;
  }

  private static List<Batch> batches(List<Read> reads, HostEffects[] effects) {
    List<Batch> batches = new ArrayList<>();
    List<Read> rest = new ArrayList<>(reads);
    while (!rest.isEmpty()) {
      int wait = rest.stream().mapToInt(r -> r.latestAwait).min().getAsInt();
      int asks =
          rest.stream()
              .filter(r -> r.latestAwait == wait)
              .mapToInt(r -> r.earliestAsk)
              .max()
              .getAsInt();
      List<Read> together = rest.stream().filter(r -> r.earliestAsk <= asks).toList();
      rest.removeAll(together);
      batches.add(batch(together, asks, wait, effects));
    }
    return batches;
  }

  /**
   * Places reads with a common wait. Requests and waits move only past statements that enqueue
   * work. Requests move also past releases of blocks, so that they share a transfer.
   *
   * @param latestAsk the latest position of requests
   * @param latestWait the latest position of the wait
   */
  private static Batch batch(
      List<Read> reads, int latestAsk, int latestWait, HostEffects[] effects) {
    int first = reads.stream().mapToInt(r -> r.awaitedAt).max().getAsInt();
    int wait = latestWait;
    while (wait > first && !effects[wait - 1].enqueues()) {
      wait--;
    }
    List<Integer> asks = new ArrayList<>();
    for (Read r : reads) {
      int ask = Math.min(latestAsk, r.askedAt);
      while (ask < Math.min(wait, r.askedAt)
          && !effects[ask].enqueues()
          && !effects[ask].releases()) {
        ask++;
      }
      asks.add(ask);
    }
    return new Batch(reads, asks, wait);
  }

  private static List<Code> placed(List<Code> code, List<Batch> batches) {
    List<List<Code>> asks = new ArrayList<>();
    List<List<Code>> waits = new ArrayList<>();
    for (int i = 0; i <= code.size(); i++) {
      asks.add(new ArrayList<>());
      waits.add(new ArrayList<>());
    }
    for (Batch b : batches) {
      for (int k = 0; k < b.reads.size(); k++) {
        asks.get(b.asks.get(k)).add(b.reads.get(k).ask);
      }
      waits
          .get(b.waitAt)
          .add(new Code.AwaitElements(b.reads.stream().map(r -> r.awaited).toList()));
    }
    List<Code> placed = new ArrayList<>(code.size());
    for (int i = 0; i <= code.size(); i++) {
      placed.addAll(asks.get(i));
      placed.addAll(waits.get(i));
      if (i < code.size()
          && !(code.get(i) instanceof Code.AskElement)
          && !(code.get(i) instanceof Code.AwaitElements)) {
        placed.add(code.get(i));
      }
    }
    return placed;
  }

  /** Reports what the reads of a wait cost. */
  private void remark(Batch b, HostEffects[] effects, boolean isSame) {
    int n = b.reads.size();
    int first = b.asks.stream().mapToInt(i -> i).min().getAsInt();
    int launches = 0;
    for (int i = first; i < b.waitAt; i++) {
      launches += effects[i].launches();
    }
    StringBuilder message = new StringBuilder("the host waits ");
    message.append(loops > 0 ? "in each iteration of a loop, " : "once, ");
    message.append(n == 1 ? "for an element" : "for " + n + " elements");
    if (!isSame && launches > 0) {
      message.append("; ").append(launches);
      message.append(launches == 1 ? " later kernel goes on" : " later kernels go on");
    }
    boolean isMoved = false;
    for (int k = 0; k < n; k++) {
      Read r = b.reads.get(k);
      isMoved |= b.asks.get(k) != r.askedAt || b.waitAt != r.awaitedAt;
    }
    Loc loc =
        b.reads.stream()
            .map(r -> r.ask.loc())
            .filter(l -> !l.equals(Loc.NONE))
            .findFirst()
            .orElse(Loc.NONE);
    Remark.Kind kind = isMoved && !isSame ? Remark.Kind.APPLIED : Remark.Kind.NOTE;
    context.remark(kind, function, loc, message.toString());
    for (Read r : b.reads) {
      Loc other = r.ask.loc();
      if (!other.equals(loc) && !other.equals(Loc.NONE)) {
        String shared =
            "the read shares the wait of the read at " + loc.line() + ":" + loc.column();
        context.remark(kind, function, other, shared);
      }
    }
  }
}
