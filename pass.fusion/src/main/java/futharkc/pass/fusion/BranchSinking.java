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
 * Moves an operation into the one branch that needs its results: it is fused with what it finds
 * there, and not done where another branch is taken. What only made its inputs follows it.
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
  private final Remarks remarks;
  private final List<Stm> stms;
  private final Body body;

  /** The places of the statements that use a name; beyond the last if it is a result. */
  private final Map<Name, Set<Integer>> users = new HashMap<>();

  private final Map<Integer, List<Branch>> branches = new HashMap<>();
  private final Set<Name> inputs = new HashSet<>();

  /** A branch: what it uses, and what has been moved to its front, the last first. */
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

  private BranchSinking(Body body, Aliases aliases, FreeNamesOfStms free, Remarks remarks) {
    this.body = body;
    this.free = free;
    this.overwrites = new Overwrites(body.stms(), aliases);
    this.remarks = remarks;
    this.stms = new ArrayList<>(body.stms());
    for (int i = 0; i < stms.size(); i++) {
      for (Name n : free.of(stms.get(i))) users(n).add(i);
    }
    for (SubExp r : body.results()) if (r instanceof SubExp.Var v) users(v.name()).add(stms.size());
  }

  /** The body with operations moved into branches, or the very body. */
  static Body move(Body body, Aliases aliases, FreeNamesOfStms free, Remarks remarks) {
    boolean possible =
        body.stms().stream().anyMatch(s -> s.exp() instanceof Exp.Match)
            && body.stms().stream().anyMatch(s -> s.exp() instanceof Soac.Screma);
    return possible ? new BranchSinking(body, aliases, free, remarks).run() : body;
  }

  private Body run() {
    Set<Integer> gone = new HashSet<>();
    // From the last to the first, so that what feeds a moved operation may follow it.
    for (int i = stms.size() - 1; i >= 0; i--) if (moves(i)) gone.add(i);
    if (gone.isEmpty()) return body;
    List<Stm> out = new ArrayList<>();
    for (int i = 0; i < stms.size(); i++) {
      if (gone.contains(i)) continue;
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
    if (!operation && !feeds(s)) return false;
    Set<Integer> using = new HashSet<>();
    for (Name n : s.names()) using.addAll(users(n));
    Integer user = using.size() == 1 ? using.iterator().next() : null;
    if (user == null || user == stms.size()) return false;
    Stm match = stms.get(user);
    if (!(match.exp() instanceof Exp.Match m)) return false;
    Branch branch = branch(s, user, m);
    String obstacle = branch == null ? "more than one branch needs it" : obstacle(s, at, user);
    if (branch == null || obstacle != null || !remarks.mayGoOn()) {
      if (operation && obstacle != null) remarks.missed(s, match, obstacle);
      return false;
    }
    if (operation) remarks.fused(s, match);
    if (s.exp() instanceof Soac.Screma x) inputs.addAll(x.inputs());
    if (s.exp() instanceof BasicOp) inputs.addAll(free.of(s));
    branch.moved.add(s);
    for (Name n : free.of(s)) {
      users(n).remove(at);
      users(n).add(user);
      branch.uses.add(n);
    }
    return true;
  }

  /** Whether a statement only makes an input of what has been moved. */
  private boolean feeds(Stm s) {
    if (s.names().stream().noneMatch(inputs::contains)) return false;
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
   * The only branch that uses what a statement binds, unless that is a scrutinee. A size of the
   * match's results is used by every branch.
   */
  private @Nullable Branch branch(Stm s, int user, Exp.Match m) {
    Set<Name> bound = new HashSet<>(s.names());
    for (SubExp e : m.scrutinees()) {
      if (e instanceof SubExp.Var v && bound.contains(v.name())) return null;
    }
    Branch found = null;
    for (Branch b : branches.computeIfAbsent(user, k -> of(m))) {
      if (b.uses.stream().noneMatch(bound::contains)) continue;
      if (found != null) return null;
      found = b;
    }
    return found;
  }

  private static List<Branch> of(Exp.Match m) {
    List<Branch> all = new ArrayList<>();
    for (Exp.Case c : m.cases()) all.add(new Branch(c.body()));
    all.add(new Branch(m.otherwise()));
    return all;
  }

  private @Nullable String obstacle(Stm s, int at, int user) {
    Effects effects = Effects.of(s.exp());
    if (effects.fails() || effects.traces()) return "its checks or traces would not be done always";
    Set<Name> read = free.of(s);
    if (overwrites.any(read, at, at + 1)) return "it overwrites what it reads";
    return overwrites.any(read, at + 1, user) ? "what it reads is overwritten" : null;
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
