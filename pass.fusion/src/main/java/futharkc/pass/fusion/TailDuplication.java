package futharkc.pass.fusion;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Renamer;
import futharkc.core.ir.Scope;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Substitution;
import futharkc.core.ir.Type;
import futharkc.core.ir.analysis.Aliases;
import futharkc.core.ir.analysis.DependenceGraph;
import futharkc.core.ir.analysis.DependenceGraph.Node;
import futharkc.core.ir.analysis.Effects;
import futharkc.core.ir.analysis.FreeNamesOfStms;
import futharkc.core.ir.analysis.Uses;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Moves a copy of an operation into each of the branches that return its inputs. The move requires
 * that fusion succeeds in at least one branch, so that the branch no longer returns an array.
 * Statements between the branches and the operation that depend on the branches move as well. A
 * trial decides whether fusion succeeds.
 *
 * <pre>{@code
 * let xs = if c then {let as = screma(n, [bs]) map f in {as}} else {bs}
 * let r  = screma(n, [xs]) reduce (+)
 *   =>  let r = if c then {let a = screma(n, [bs]) map f reduce (+) in {a}}
 *                    else {let b = screma(n, [bs]) reduce (+) in {b}}
 * }</pre>
 */
final class TailDuplication {
  /** The maximal number of statements, at any depth, that copies may add to a match. */
  private static final int GROWTH = 100;

  /** The maximal number of operations that are tried with one match. */
  private static final int TRIED = 8;

  /** The maximal depth of nested branches that are searched for the definition of an array. */
  private static final int NESTED = 4;

  private final Body body;
  private final FreeNamesOfStms free;
  private final Scope types;
  private final NameSource names;
  private final FusionRemarks remarks;
  private final int depth;
  private final DependenceGraph graph;
  private Aliases aliases;
  private boolean changed;

  private TailDuplication(
      Body body,
      Aliases aliases,
      FreeNamesOfStms free,
      Scope types,
      NameSource names,
      FusionRemarks remarks,
      int depth) {
    this.body = body;
    this.aliases = aliases;
    this.free = free;
    this.types = types;
    this.names = names;
    this.remarks = remarks;
    this.depth = depth;
    this.graph = new DependenceGraph(body, aliases);
  }

  /**
   * A candidate move.
   *
   * @param from the match
   * @param group the statements to move, the last of which is the operation
   * @param needed the names that the moved statements define for later statements
   * @param gone the results of the match that the move removes
   */
  private record Move(Node from, List<Node> group, Set<Name> needed, Set<Name> gone) {
    Node operation() {
      return group.getLast();
    }

    Set<Node> nodes() {
      Set<Node> all = new HashSet<>(group);
      all.add(from);
      return all;
    }

    Exp.Match match() {
      return (Exp.Match) from.stm().exp();
    }
  }

  /** Returns the body with operations moved into branches, or the same body if none moved. */
  static Body move(
      Body body,
      Aliases aliases,
      FreeNamesOfStms free,
      Scope types,
      NameSource names,
      FusionRemarks remarks) {
    return isPossible(body)
        ? new TailDuplication(body, aliases, free, types, names, remarks, 0).run(null)
        : body;
  }

  private static boolean isPossible(Body body) {
    boolean branches = false;
    for (Stm s : body.stms()) {
      if (branches && isOperation(s)) {
        return true;
      }
      branches |= isBranching(s);
    }
    return false;
  }

  private static boolean isBranching(Stm s) {
    return s.exp() instanceof Exp.Match && s.pat().stream().anyMatch(p -> p.type().rank() > 0);
  }

  private static boolean isOperation(Stm s) {
    return s.exp() instanceof Soac.Screma
        || s.exp() instanceof Soac.Hist
        || s.exp() instanceof Soac.Stream;
  }

  /**
   * Applies the moves to all matches.
   *
   * @param only the results to which the moves are restricted; null for all matches
   */
  private Body run(@Nullable Set<Name> only) {
    for (Node start : graph.nodes()) {
      if (!isBranching(start.stm())) {
        continue;
      }
      if (only != null && Collections.disjoint(only, start.stm().names())) {
        continue;
      }
      Node branching = start;
      for (int tried = 0; tried < TRIED && branching != null; tried++) {
        branching = withOneMore(branching);
      }
    }
    return changed ? graph.body() : body;
  }

  /**
   * Moves one of the operations that read a result of the match into its branches, and returns the
   * match; null if none may move.
   */
  private @Nullable Node withOneMore(Node branching) {
    for (Node operation : readers(branching)) {
      Move move = move(branching, operation);
      String obstacle = obstacle(move);
      if (obstacle == null && !remarks.mayGoOn()) {
        return null;
      }
      Stm moved = obstacle == null ? moved(move) : null;
      if (moved == null) {
        String reason =
            obstacle == null ? "no operation in the branches can be fused with it" : obstacle;
        remarks.missed(branching.stm(), operation.stm(), reason);
        continue;
      }
      remarks.moved(branching.stm(), operation.stm());
      List<Node> old = new ArrayList<>(List.of(branching));
      old.addAll(move.group);
      changed = true;
      return graph.contract(old, moved);
    }
    return null;
  }

  /** Returns the first operations with an input that is a result of the match, or a view of one. */
  private List<Node> readers(Node branching) {
    Set<Node> found = new LinkedHashSet<>();
    Set<Node> seen = new HashSet<>();
    Deque<PatElem> open = new ArrayDeque<>(branching.stm().pat());
    while (!open.isEmpty() && seen.size() < TRIED * TRIED) {
      PatElem p = open.remove();
      if (p.type().rank() == 0) {
        continue;
      }
      for (Node user : graph.users(p.name())) {
        if (isOperation(user.stm()) && user.uses().inputs().contains(p.name())) {
          found.add(user);
        }
        if (user.stm().exp() instanceof BasicOp && seen.add(user)) {
          open.addAll(user.stm().pat());
        }
      }
    }
    return found.stream().sorted(DependenceGraph.IN_ORDER).limit(TRIED).toList();
  }

  private Move move(Node branching, Node operation) {
    List<Node> group = new ArrayList<>(graph.between(branching, operation));
    group.add(operation);
    Set<Node> all = new HashSet<>(group);
    all.add(branching);
    List<PatElem> pat = new ArrayList<>(branching.stm().pat());
    for (Node n : group) {
      pat.addAll(n.stm().pat());
    }
    Set<Name> needed = new HashSet<>();
    for (PatElem p : pat.reversed()) {
      if (graph.isUsedOutside(p.name(), all)) {
        needed.add(p.name());
      }
      if (needed.contains(p.name())) {
        needed.addAll(FreeNames.of(p.type()));
      }
    }
    Set<Name> gone = new HashSet<>();
    for (PatElem p : branching.stm().pat()) {
      boolean used = !graph.users(p.name()).isEmpty();
      if (used && !needed.contains(p.name())) {
        gone.add(p.name());
      }
    }
    return new Move(branching, group, needed, gone);
  }

  private @Nullable String obstacle(Move m) {
    if (m.gone.isEmpty()) {
      return "a result of the branches has other uses";
    }
    List<String> schedule = BodyFusion.schedule(m.from);
    if (!schedule.isEmpty() && !schedule.equals(BodyFusion.schedule(m.operation()))) {
      return "their attributes differ";
    }
    for (Node n : m.group.subList(0, m.group.size() - 1)) {
      if (!follows(n, m)) {
        return "a statement between them uses the first and the second uses that statement";
      }
    }
    for (PatElem p : m.from.stm().pat()) {
      boolean check = p.type().equals(Type.UNIT);
      if (check && m.group.stream().anyMatch(n -> n.uses().others().contains(p.name()))) {
        return "a check in the branches guards it";
      }
    }
    int copied = m.group.stream().mapToInt(n -> size(n.stm())).sum();
    if (copied * m.match().cases().size() > GROWTH) {
      return "the code would grow too much";
    }
    if (isOrdered(m)) {
      return "the order of trace output would change";
    }
    return isWritten(m) ? "a write uses all of its results" : null;
  }

  /**
   * Tests whether a statement before the operation moves as well. Certificates do not leave
   * branches.
   */
  private static boolean follows(Node n, Move m) {
    boolean check = n.stm().exp() instanceof BasicOp.Assert;
    return n.stm().exp() instanceof BasicOp
        && !(check && n.stm().names().stream().anyMatch(m.needed::contains));
  }

  /**
   * Tests whether a map's results have a write as their only use. Such a map should be fused with
   * the write.
   */
  private boolean isWritten(Move m) {
    Soac.Screma s = m.operation().exp(Soac.Screma.class);
    if (s == null || !s.isMap()) {
      return false;
    }
    for (Name n : m.operation().stm().names()) {
      Set<Node> users = graph.users(n);
      boolean result = graph.isUsedOutside(n, users);
      if (result || users.stream().anyMatch(u -> !(u.stm().exp() instanceof Exp.WithAcc))) {
        return false;
      }
    }
    return true;
  }

  private static int size(Stm s) {
    int[] count = {0};
    new Mapper() {
      @Override
      public Stm stm(Stm inner) {
        count[0]++;
        return super.stm(inner);
      }
    }.stm(s);
    return count[0];
  }

  /** Tests whether the move would change the order of observable effects. */
  private boolean isOrdered(Move m) {
    Effects moving = effects(m.nodes());
    if (!moving.traces() && !moving.fails()) {
      return false;
    }
    List<Node> others = new ArrayList<>(graph.region(m.from, m.operation()));
    others.removeAll(m.group);
    Effects staying = effects(others);
    return moving.traces() && (staying.traces() || staying.fails())
        || moving.fails() && staying.traces();
  }

  private static Effects effects(Collection<Node> nodes) {
    boolean traces = false;
    boolean fails = false;
    for (Node n : nodes) {
      Effects e = Effects.of(n.stm().exp());
      traces |= e.traces();
      fails |= e.fails();
    }
    return new Effects(traces, fails);
  }

  /**
   * Returns the match with the moved statements in its branches; null if the move saves no array.
   */
  private @Nullable Stm moved(Move m) {
    List<Stm> stms = m.group.stream().map(n -> n.stm()).toList();
    List<PatElem> pat = new ArrayList<>();
    for (PatElem p : m.from.stm().pat()) {
      if (m.needed.contains(p.name())) {
        pat.add(p);
      }
    }
    List<SubExp> results = new ArrayList<>();
    for (Stm s : stms) {
      for (PatElem p : s.pat()) {
        if (!m.needed.contains(p.name())) {
          continue;
        }
        pat.add(p);
        results.add(SubExp.of(p.name()));
      }
    }
    Body group = new Body(stms, results);
    Aliases known = aliases;
    boolean saves = false;
    List<Exp.Case> cases = new ArrayList<>();
    for (Exp.Case c : m.match().cases()) {
      Body whole = withGroup(c.body(), group, m);
      cases.add(new Exp.Case(c.pattern(), whole));
      saves = saves || saves(c.body(), whole, m);
    }
    Body otherwise = withGroup(m.match().otherwise(), group, m);
    saves = saves || saves(m.match().otherwise(), otherwise, m);
    if (saves) {
      return new Stm(
          pat, m.from.stm().aux(), new Exp.Match(m.match().scrutinees(), cases, otherwise));
    }
    aliases = known;
    return null;
  }

  /** Returns a branch with a copy of the moved statements. */
  private Body withGroup(Body branch, Body group, Move m) {
    Map<Name, SubExp> given = given(branch, m);
    Body copy = new Renamer(names).body(new Substitution(given).body(group));
    types.addAll(copy);
    aliases = aliases.with(copy.stms());
    List<Stm> stms = new ArrayList<>(branch.stms());
    stms.addAll(copy.stms());
    List<SubExp> results = new ArrayList<>();
    for (PatElem p : m.from.stm().pat()) {
      SubExp r = given.get(p.name());
      if (r != null && m.needed.contains(p.name())) {
        results.add(r);
      }
    }
    results.addAll(copy.results());
    return new Body(stms, results);
  }

  private static Map<Name, SubExp> given(Body branch, Move m) {
    Map<Name, SubExp> given = new HashMap<>();
    List<Name> pat = m.from.stm().names();
    for (int k = 0; k < pat.size(); k++) {
      given.put(pat.get(k), branch.results().get(k));
    }
    return given;
  }

  /** Tests whether fusion in the branch removes an array of the branch. */
  private boolean saves(Body branch, Body whole, Move m) {
    Map<Name, Stm> made = new HashMap<>();
    for (Stm s : branch.stms()) {
      for (Name n : s.names()) {
        made.put(n, s);
      }
    }
    Set<Name> arrays = new LinkedHashSet<>();
    given(branch, m)
        .forEach(
            (name, result) -> {
              boolean here = result instanceof SubExp.Var v && made.containsKey(v.name());
              if (here && m.gone.contains(name)) {
                arrays.add(((SubExp.Var) result).name());
              }
            });
    if (arrays.isEmpty()) {
      return false;
    }
    var silent = FusionRemarks.silent();
    FusedBody level = FusedBody.withoutBranches(whole, aliases, free, types, names, silent);
    Body tried = level.body();
    if (depth < NESTED && isPossible(tried)) {
      tried =
          new TailDuplication(tried, level.aliases(), free, types, names, silent, depth + 1)
              .run(arrays);
    }
    Set<Name> used = new HashSet<>();
    Set<Name> usedAsWhole = new HashSet<>();
    for (Stm s : tried.stms()) {
      Uses uses = Uses.of(s);
      used.addAll(uses.inputs());
      usedAsWhole.addAll(uses.others());
      if (s.exp() instanceof Soac.Stream) {
        usedAsWhole.addAll(uses.inputs());
      }
    }
    for (SubExp r : tried.results()) {
      if (r instanceof SubExp.Var v) {
        usedAsWhole.add(v.name());
      }
    }
    used.addAll(usedAsWhole);
    return arrays.stream().anyMatch(a -> vanishes(a, made, used, usedAsWhole));
  }

  /**
   * Tests whether an array disappears. An iota that is only an input needs no memory: its elements
   * are the indices.
   */
  private static boolean vanishes(
      Name array, Map<Name, Stm> made, Set<Name> used, Set<Name> usedAsWhole) {
    Name a = array;
    while (true) {
      Stm maker = made.get(a);
      if (maker == null) {
        return false;
      }
      if (maker.exp() instanceof BasicOp.Iota) {
        return !usedAsWhole.contains(a);
      }
      if (used.contains(a)) {
        return false;
      }
      Name viewed = viewed(maker.exp());
      if (viewed == null) {
        return true;
      }
      a = viewed;
    }
  }

  private static @Nullable Name viewed(Exp e) {
    return switch (e) {
      case BasicOp.Reshape x -> x.array();
      case BasicOp.Rearrange x -> x.array();
      case BasicOp.Index x -> x.array();
      case BasicOp.SubExpOp x -> x.value() instanceof SubExp.Var v ? v.name() : null;
      default -> null;
    };
  }
}
