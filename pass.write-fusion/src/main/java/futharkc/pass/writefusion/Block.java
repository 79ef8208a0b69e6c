package futharkc.pass.writefusion;

import futharkc.core.ir.Body;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.Name;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.analysis.Aliases;
import futharkc.core.ir.analysis.Consumption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The statements of a body in an order that may change. A statement depends on those that bind what
 * it uses, and on those that read what it consumes.
 */
final class Block {
  private final Aliases aliases;
  private final List<SubExp> results;
  private final List<Line> lines = new ArrayList<>();
  private final Map<Name, Line> definers = new HashMap<>();
  private final Map<Name, Set<Line>> users = new HashMap<>();
  private final Set<Name> returned = new HashSet<>();

  /** A statement and where it is. */
  static final class Line {
    final Stm stm;
    final Set<Name> uses;

    /** The roots of what is consumed. */
    final Set<Name> consumes;

    private int position;

    private Line(Stm stm, Aliases aliases) {
      this.stm = stm;
      this.uses = FreeNames.of(stm);
      this.consumes = Consumption.of(stm, aliases);
    }
  }

  Block(Body body, Aliases aliases) {
    this.aliases = aliases;
    this.results = body.results();
    for (Stm s : body.stms()) {
      Line line = new Line(s, aliases);
      line.position = lines.size();
      lines.add(line);
      learn(line);
    }
    for (SubExp r : results) if (r instanceof SubExp.Var v) returned.add(v.name());
  }

  private void learn(Line line) {
    for (Name n : line.stm.names()) definers.put(n, line);
    for (Name n : line.uses) users.computeIfAbsent(n, k -> new LinkedHashSet<>()).add(line);
  }

  private void forget(Line line) {
    for (Name n : line.stm.names()) definers.remove(n, line);
    for (Name n : line.uses) {
      Set<Line> set = users.get(n);
      if (set != null) set.remove(line);
    }
  }

  /** In their current order. */
  List<Line> lines() {
    return List.copyOf(lines);
  }

  /** Whether no other line has taken this one's place. */
  boolean has(Line line) {
    return line.position < lines.size() && lines.get(line.position) == line;
  }

  Body body() {
    return new Body(lines.stream().map(l -> l.stm).toList(), results);
  }

  @Nullable Line definer(Name name) {
    return definers.get(name);
  }

  boolean isBefore(Line first, Line second) {
    return first.position < second.position;
  }

  /** Whether another line uses a name, or it is a result of the body. */
  boolean isUsedBesides(Name name, Line line) {
    return returned.contains(name)
        || users.getOrDefault(name, Set.of()).stream().anyMatch(u -> u != line);
  }

  /** Something that the first uses and the second, or what shares with it, writes or consumes. */
  @Nullable Name overwritten(Line first, Line second) {
    if (second.consumes.isEmpty()) return null;
    for (Name n : first.uses) {
      for (Name root : aliases.roots(n)) if (second.consumes.contains(root)) return n;
    }
    return null;
  }

  /**
   * What depends on a line, of those between it and a later one, and whether that does on these.
   */
  private final class Between {
    final Set<Line> reached = new HashSet<>();
    private final Set<Name> names = new HashSet<>();
    private final Set<Name> reads = new HashSet<>();
    final @Nullable Line needed;

    Between(Line first, Line second, Set<Line> ignored) {
      Set<Name> bound = new HashSet<>(first.stm.names());
      Set<Name> read = roots(first);
      for (Line line : lines.subList(first.position + 1, second.position)) {
        boolean depends =
            line.uses.stream().anyMatch(bound::contains)
                || line.consumes.stream().anyMatch(read::contains);
        if (!depends || ignored.contains(line)) continue;
        reached.add(line);
        names.addAll(line.stm.names());
        reads.addAll(roots(line));
        bound.addAll(line.stm.names());
        read.addAll(roots(line));
      }
      needed = reached.isEmpty() ? null : needed(second);
    }

    private @Nullable Line needed(Line second) {
      boolean depends =
          second.uses.stream().anyMatch(names::contains)
              || second.consumes.stream().anyMatch(reads::contains);
      if (!depends) return null;
      return lines.subList(0, second.position).reversed().stream()
          .filter(reached::contains)
          .findFirst()
          .orElse(null);
    }

    private Set<Name> roots(Line line) {
      Set<Name> roots = new HashSet<>();
      for (Name n : line.uses) roots.addAll(aliases.roots(n));
      return roots;
    }
  }

  /** A line between two others that needs the first and that the second needs. */
  @Nullable Line between(Line first, Line second) {
    return between(first, second, Set.of());
  }

  /** Likewise, without lines that are going to go. */
  @Nullable Line between(Line first, Line second, Set<Line> ignored) {
    return new Between(first, second, ignored).needed;
  }

  /** Puts statements in the place of one; the last takes its place. */
  Line replace(Line old, List<Stm> stms) {
    forget(old);
    List<Line> added = stms.stream().map(s -> new Line(s, aliases)).toList();
    int at = old.position;
    lines.remove(at);
    lines.addAll(at, added);
    old.position = Integer.MAX_VALUE;
    number(at);
    added.forEach(this::learn);
    return added.getLast();
  }

  /** Takes away lines whose results nothing uses. */
  void remove(Set<Line> gone) {
    for (Line l : gone) forget(l);
    lines.removeAll(gone);
    for (Line l : gone) l.position = Integer.MAX_VALUE;
    number(0);
  }

  private void number(int from) {
    for (int i = from; i < lines.size(); i++) lines.get(i).position = i;
  }

  /**
   * Puts one statement in the place of two, between which nothing is: after what the second waits
   * for, before what waits for the first.
   */
  Line replace(Line first, Line second, Stm stm) {
    Set<Line> later = new Between(first, second, Set.of()).reached;
    Line fused = new Line(stm, aliases);
    int from = first.position;
    List<Line> region = new ArrayList<>(lines.subList(from + 1, second.position));
    List<Line> sorted = new ArrayList<>();
    for (Line l : region) if (!later.contains(l)) sorted.add(l);
    sorted.add(fused);
    for (Line l : region) if (later.contains(l)) sorted.add(l);
    lines.subList(from, second.position + 1).clear();
    lines.addAll(from, sorted);
    number(from);
    first.position = Integer.MAX_VALUE;
    second.position = Integer.MAX_VALUE;
    forget(first);
    forget(second);
    learn(fused);
    return fused;
  }
}
