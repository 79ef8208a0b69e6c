package futharkc.pass.fusion;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.Name;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.analysis.Aliases;
import futharkc.core.ir.analysis.Effects;
import futharkc.core.ir.analysis.FreeNamesOfStms;
import futharkc.core.ir.analysis.Overwrites;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Moves an operation into the only branch that uses its results. The operation can then be fused
 * with statements of the branch, and other branches do not execute it. The producers of its inputs
 * follow if they have no other uses.
 *
 * <pre>{@code
 * let ys = screma(n, [xs]) map f
 * let z  = if c then {let z = screma(n, [ys]) reduce (+) in {z}} else {0}
 *   =>  let z = if c then {let ys = screma(n, [xs]) map f; let z = ...} else {0}
 * }</pre>
 */
final class BranchSinking {
  private final FreeNamesOfStms free;
  private final Overwrites overwrites;
  private final FusionRemarks remarks;
  private final List<Stm> stms;
  private final Body body;

  /**
   * The positions of the statements that use a name. A use as a result counts as a position after
   * the last statement.
   */
  private final Map<Name, Set<Integer>> users = new HashMap<>();

  private final Map<Integer, List<Branch>> branches = new HashMap<>();
  private final Set<Name> inputs = new HashSet<>();

  /**
   * A branch.
   *
   * @param body the body
   * @param uses the names that the branch uses
   * @param moved the statements moved to the front of the branch, the last first
   */
  private record Branch(Body body, Set<Name> uses, List<Stm> moved) {
    Branch(Body body) {
      this(body, FreeNames.of(body), new ArrayList<>());
    }

    Body whole() {
      List<Stm> all = new ArrayList<>(moved.reversed());
      all.addAll(body.stms());
      return new Body(all, body.results());
    }
  }

  private BranchSinking(Body body, Aliases aliases, FreeNamesOfStms free, FusionRemarks remarks) {
    this.body = body;
    this.free = free;
    this.overwrites = new Overwrites(body.stms(), aliases);
    this.remarks = remarks;
    this.stms = new ArrayList<>(body.stms());
    for (int i = 0; i < stms.size(); i++) {
      for (Name n : free.of(stms.get(i))) {
        users(n).add(i);
      }
    }
    for (SubExp r : body.results()) {
      if (r instanceof SubExp.Var v) {
        users(v.name()).add(stms.size());
      }
    }
  }

  /** Returns the body with operations moved into branches, or the same body if none moved. */
  static Body move(Body body, Aliases aliases, FreeNamesOfStms free, FusionRemarks remarks) {
    boolean possible =
        body.stms().stream().anyMatch(s -> s.exp() instanceof Exp.Match)
            && body.stms().stream().anyMatch(s -> s.exp() instanceof Soac.Screma);
    return possible ? new BranchSinking(body, aliases, free, remarks).run() : body;
  }

  private Body run() {
    Set<Integer> gone = new HashSet<>();
    // Visit the last statement first, so that producers can follow a moved operation.
    for (int i = stms.size() - 1; i >= 0; i--) {
      if (moves(i)) {
        gone.add(i);
      }
    }
    if (gone.isEmpty()) {
      return body;
    }
    List<Stm> out = new ArrayList<>();
    for (int i = 0; i < stms.size(); i++) {
      if (gone.contains(i)) {
        continue;
      }
      List<Branch> into = branches.get(i);
      out.add(into == null ? stms.get(i) : withBranches(stms.get(i), into));
    }
    return new Body(out, body.results());
  }

  private Set<Integer> users(Name n) {
    return users.computeIfAbsent(n, k -> new HashSet<>());
  }

  private boolean moves(int at) {
    Stm s = stms.get(at);
    boolean operation = s.exp() instanceof Soac.Screma;
    if (!operation && !feeds(s)) {
      return false;
    }
    Set<Integer> using = new HashSet<>();
    for (Name n : s.names()) {
      using.addAll(users(n));
    }
    Integer user = using.size() == 1 ? using.iterator().next() : null;
    if (user == null || user == stms.size()) {
      return false;
    }
    Stm match = stms.get(user);
    if (!(match.exp() instanceof Exp.Match m)) {
      return false;
    }
    Branch branch = branch(s, user, m);
    String obstacle = branch == null ? "more than one branch uses it" : obstacle(s, at, user);
    if (branch == null || obstacle != null || !remarks.mayGoOn()) {
      if (operation && obstacle != null) {
        remarks.missed(s, match, obstacle);
      }
      return false;
    }
    if (operation) {
      remarks.fused(s, match);
    }
    if (s.exp() instanceof Soac.Screma x) {
      inputs.addAll(x.inputs());
    }
    if (s.exp() instanceof BasicOp) {
      inputs.addAll(free.of(s));
    }
    branch.moved.add(s);
    for (Name n : free.of(s)) {
      users(n).remove(at);
      users(n).add(user);
      branch.uses.add(n);
    }
    return true;
  }

  /** Tests whether the results of a statement are inputs of moved statements only. */
  private boolean feeds(Stm s) {
    if (s.names().stream().noneMatch(inputs::contains)) {
      return false;
    }
    return switch (s.exp()) {
      case BasicOp.Iota x -> true;
      case BasicOp.Replicate x -> true;
      case BasicOp.Reshape x -> true;
      case BasicOp.Rearrange x -> true;
      case BasicOp.Index x -> !x.slice().isElement();
      default -> false;
    };
  }

  /**
   * Returns the only branch that uses the results of a statement; null if several branches or a
   * scrutinee use them. Every branch uses the sizes of the match's results.
   */
  private @Nullable Branch branch(Stm s, int user, Exp.Match m) {
    Set<Name> bound = new HashSet<>(s.names());
    for (SubExp e : m.scrutinees()) {
      if (e instanceof SubExp.Var v && bound.contains(v.name())) {
        return null;
      }
    }
    Branch found = null;
    for (Branch b : branches.computeIfAbsent(user, k -> of(m))) {
      if (b.uses.stream().noneMatch(bound::contains)) {
        continue;
      }
      if (found != null) {
        return null;
      }
      found = b;
    }
    return found;
  }

  private static List<Branch> of(Exp.Match m) {
    List<Branch> all = new ArrayList<>();
    for (Exp.Case c : m.cases()) {
      all.add(new Branch(c.body()));
    }
    all.add(new Branch(m.otherwise()));
    return all;
  }

  private @Nullable String obstacle(Stm s, int at, int user) {
    Effects effects = Effects.of(s.exp());
    if (effects.fails() || effects.traces()) {
      return "its checks or traces must always be executed";
    }
    Set<Name> read = free.of(s);
    if (overwrites.any(read, at, at + 1)) {
      return "it overwrites an array that it reads";
    }
    return overwrites.any(read, at + 1, user) ? "an array that it reads is overwritten" : null;
  }

  private static Stm withBranches(Stm s, List<Branch> into) {
    Exp.Match m = (Exp.Match) s.exp();
    List<Exp.Case> cases = new ArrayList<>();
    for (int k = 0; k < m.cases().size(); k++) {
      cases.add(new Exp.Case(m.cases().get(k).pattern(), into.get(k).whole()));
    }
    return s.withExp(new Exp.Match(m.scrutinees(), cases, into.getLast().whole()));
  }
}
