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

/** Counts the uses of each name. */
final class LiveUseCounts extends Mapper {
  private final Map<Name, Integer> counts = new HashMap<>();

  private final Map<Name, Integer> reads = new HashMap<>();

  private final Map<Name, Integer> copies = new HashMap<>();

  /** The loop results whose only uses are copies after the loop. */
  private final Set<Name> copiedResults = new HashSet<>();

  /** The next values of unique loop parameters. */
  private final Set<Name> nextOfUnique = new HashSet<>();

  /** The views of each array: slices and arrays with other dimensions. */
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
      if (s.exp() instanceof Exp.Loop) {
        results.addAll(s.names());
      }
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
        if (l.params().get(k).param().unique()
            && l.body().results().get(k) instanceof SubExp.Var v) {
          nextOfUnique.add(v.name());
        }
      }
    }
    Name of = viewed(s.exp());
    if (of != null) {
      views.computeIfAbsent(of, n -> new ArrayList<>()).addAll(s.names());
    }
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

  /**
   * Returns the number of reads of an array's elements, or of its rows in turn, that create no
   * alias.
   */
  int reads(Name name) {
    return reads.getOrDefault(name, 0);
  }

  /** Tests whether an array and its views are only read or copied. */
  boolean isOnlyRead(Name array) {
    List<Name> todo = new ArrayList<>(List.of(array));
    while (!todo.isEmpty()) {
      Name n = todo.removeLast();
      List<Name> more = views.getOrDefault(n, List.of());
      if (of(n) != reads(n) + copies(n) + more.size()) {
        return false;
      }
      todo.addAll(more);
    }
    return true;
  }

  /** Tests whether a name is a loop result whose only uses are copies after the loop. */
  boolean isCopiedResult(Name name) {
    return of(name) == 1 && copiedResults.contains(name);
  }

  /** Tests whether a name is the next value of a unique loop parameter. */
  boolean isNextOfUnique(Name name) {
    return nextOfUnique.contains(name);
  }

  private int copies(Name name) {
    return copies.getOrDefault(name, 0);
  }

  /**
   * Adds the uses of a new statement. The uses of the replaced statement remain until the next
   * round.
   */
  void add(Stm stm) {
    stm(stm);
  }

  /** Adds the uses of a name to another name that replaces it. */
  void share(Name name, Name other) {
    counts.merge(name, of(other), Integer::sum);
    reads.merge(name, reads(other), Integer::sum);
    copies.merge(name, copies(other), Integer::sum);
    List<Name> more = views.get(other);
    if (more != null) {
      views.computeIfAbsent(name, n -> new ArrayList<>()).addAll(more);
    }
  }

  int of(Name name) {
    return counts.getOrDefault(name, 0);
  }
}
