package futharkc.pass.simplify;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Name;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How often each name is mentioned. */
final class LiveUseCounts extends Mapper {
  private final Map<Name, Integer> counts = new HashMap<>();

  private final Map<Name, Integer> reads = new HashMap<>();

  private final Map<Name, Integer> copies = new HashMap<>();

  /** What loops result in and the statements after them copy. */
  private final Set<Name> copiedResults = new HashSet<>();

  /** What iterations pass on for unique parameters. */
  private final Set<Name> nextOfUnique = new HashSet<>();

  /** Other views of the same elements: parts, and with other dimensions. */
  private final Map<Name, List<Name>> views = new HashMap<>();

  private LiveUseCounts() {}

  static LiveUseCounts of(Body body) {
    LiveUseCounts u = new LiveUseCounts();
    u.body(body);
    return u;
  }

  @Override
  public Name name(Name use) {
    counts.merge(use, 1, Integer::sum);
    return use;
  }

  @Override
  public List<Stm> stms(List<Stm> stms) {
    Set<Name> results = new HashSet<>();
    for (Stm s : stms) {
      if (s.exp() instanceof Exp.Loop) results.addAll(s.names());
      if (s.exp() instanceof BasicOp.Replicate x
          && x.shape().isEmpty()
          && x.value() instanceof SubExp.Var v
          && results.contains(v.name())) {
        copiedResults.add(v.name());
      }
    }
    return super.stms(stms);
  }

  @Override
  public Stm stm(Stm s) {
    if (s.exp() instanceof Exp.Loop l) {
      for (int k = 0; k < l.params().size(); k++) {
        if (l.params().get(k).param().unique() && l.body().results().get(k) instanceof SubExp.Var v)
          nextOfUnique.add(v.name());
      }
    }
    Name of = viewed(s.exp());
    if (of != null) views.computeIfAbsent(of, n -> new ArrayList<>()).addAll(s.names());
    return super.stm(s);
  }

  private static @Nullable Name viewed(Exp e) {
    return switch (e) {
      case BasicOp.Index x when !x.slice().isElement() -> x.array();
      case BasicOp.FlatIndex x -> x.array();
      case BasicOp.Reshape x -> x.array();
      case BasicOp.Rearrange x -> x.array();
      default -> null;
    };
  }

  @Override
  public Exp exp(Exp e) {
    switch (e) {
      case Soac.Screma x -> x.inputs().forEach(this::read);
      case Soac.Hist x -> x.inputs().forEach(this::read);
      case Soac.FlatMap x -> x.inputs().forEach(this::read);
      case BasicOp.Index x when x.slice().isElement() -> read(x.array());
      case BasicOp.Replicate x when x.value() instanceof SubExp.Var v ->
          copies.merge(v.name(), 1, Integer::sum);
      default -> {}
    }
    return super.exp(e);
  }

  private void read(Name name) {
    reads.merge(name, 1, Integer::sum);
  }

  /** How often elements of an array, or its rows in turn, are read where nothing can alias it. */
  int reads(Name name) {
    return reads.getOrDefault(name, 0);
  }

  /** Whether nothing is done with an array, and views of it, but to read or copy them. */
  boolean isOnlyRead(Name array) {
    List<Name> todo = new ArrayList<>(List.of(array));
    while (!todo.isEmpty()) {
      Name n = todo.removeLast();
      List<Name> more = views.getOrDefault(n, List.of());
      if (of(n) != reads(n) + copies(n) + more.size()) return false;
      todo.addAll(more);
    }
    return true;
  }

  /** Whether a loop results in this, and nothing is done with it but to copy it after the loop. */
  boolean isCopiedResult(Name name) {
    return of(name) == 1 && copiedResults.contains(name);
  }

  /** Whether an iteration passes this on for a unique parameter. */
  boolean isNextOfUnique(Name name) {
    return nextOfUnique.contains(name);
  }

  private int copies(Name name) {
    return copies.getOrDefault(name, 0);
  }

  /** A new statement mentions names, too; what it was made from is counted until the next round. */
  void add(Stm stm) {
    stm(stm);
  }

  /** Where one name is mentioned, the other will be, too. */
  void share(Name name, Name other) {
    counts.merge(name, of(other), Integer::sum);
    reads.merge(name, reads(other), Integer::sum);
    copies.merge(name, copies(other), Integer::sum);
    List<Name> more = views.get(other);
    if (more != null) views.computeIfAbsent(name, n -> new ArrayList<>()).addAll(more);
  }

  int of(Name name) {
    return counts.getOrDefault(name, 0);
  }
}
