package futharkc.pass.readbatching;

import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.imperative.BlockAliases;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.CodeSearch;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.Variables;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Moves reads that both branches of a conditional make behind the conditional, where statements
 * after the conditional can precede the wait. Each branch sets a block variable to the block that
 * contains its element. Reads leave a branch only if all reads that share their wait do.
 */
final class BranchReads {
  private final BlockAliases aliases;
  private final NameSource names;

  /** The blocks that a new block variable may refer to. */
  private final Map<Name, Set<Name>> origins = new HashMap<>();

  BranchReads(BlockAliases aliases, NameSource names) {
    this.aliases = aliases;
    this.names = names;
  }

  /** Tests whether two variables may refer to the same block. */
  boolean mayAlias(Name a, Name b) {
    for (Name x : origins.getOrDefault(a, Set.of(a))) {
      for (Name y : origins.getOrDefault(b, Set.of(b))) {
        if (aliases.mayAlias(x, y)) {
          return true;
        }
      }
    }
    return false;
  }

  private void addOrigins(Name block, Name of) {
    Set<Name> all = new HashSet<>(origins.getOrDefault(of, Set.of(of)));
    all.addAll(origins.getOrDefault(block, Set.of()));
    origins.put(block, all);
  }

  /**
   * A read whose scalar a branch only assigns to a variable. The numbers are indices of statements
   * of the branch.
   *
   * @param freed the index of the statement that releases the block; negative if there is none
   */
  private record Read(
      Code.AskElement ask,
      Code.AwaitedElement element,
      int askedAt,
      int awaitedAt,
      int assignedAt,
      int freed) {}

  /** Returns the statements with reads behind conditionals instead of in their branches. */
  List<Code> statements(List<Code> code) {
    List<Code> out = new ArrayList<>(code);
    boolean changed = false;
    for (int i = 0; i < out.size(); i++) {
      if (out.get(i) instanceof Code.If branch) {
        changed |= leave(branch, i, out);
      }
    }
    return changed ? out : code;
  }

  private boolean leave(Code.If branch, int at, List<Code> out) {
    Map<Name, Read> then = reads(branch.then());
    Map<Name, Read> otherwise = then.isEmpty() ? Map.of() : reads(branch.otherwise());
    Set<Name> common = new HashSet<>();
    for (Map.Entry<Name, Read> e : then.entrySet()) {
      Read r = otherwise.get(e.getKey());
      if (r != null && areAlike(e.getValue(), r) && declaration(e.getKey(), at, out) >= 0) {
        common.add(e.getKey());
      }
    }
    while (removePartial(common, then, branch.then())
        || removePartial(common, otherwise, branch.otherwise())) {}
    if (common.isEmpty()) {
      return false;
    }
    List<Code> before = new ArrayList<>();
    List<Code> asks = new ArrayList<>();
    List<Code> frees = new ArrayList<>();
    List<Code.AwaitedElement> elements = new ArrayList<>();
    Map<Name, Name> blocks = new LinkedHashMap<>();
    for (Name v : then.keySet()) {
      if (!common.contains(v)) {
        continue;
      }
      Read r = of(v, then);
      Name block = names.fresh(r.ask.block());
      Name request = names.fresh(r.ask.request());
      blocks.put(v, block);
      addOrigins(block, r.ask.block());
      addOrigins(block, of(v, otherwise).ask.block());
      before.add(new Code.DeclareBlock(block, PrimType.I8, null));
      asks.add(new Code.AskElement(request, block, r.ask.elem(), r.ask.index(), r.ask.loc()));
      elements.add(new Code.AwaitedElement(v, r.element.elem(), request));
      if (r.freed >= 0) {
        frees.add(new Code.Free(block, PrimType.I8, List.of()));
      }
    }
    List<Code> all = new ArrayList<>(before);
    all.add(
        new Code.If(
            branch.cond(),
            without(branch.then(), then, blocks),
            without(branch.otherwise(), otherwise, blocks)));
    all.addAll(asks);
    all.addAll(frees);
    all.add(new Code.AwaitElements(elements));
    List<Code> rest = new ArrayList<>(out.subList(at + 1, out.size()));
    List<Code> head = new ArrayList<>();
    for (Code c : out.subList(0, at)) {
      if (!(c instanceof Code.Declare d) || !common.contains(d.name())) {
        head.add(c);
      }
    }
    out.clear();
    out.addAll(head);
    out.addAll(all);
    out.addAll(rest);
    return true;
  }

  private static Read of(Name v, Map<Name, Read> reads) {
    return Objects.requireNonNull(reads.get(v), v::toString);
  }

  private static boolean areAlike(Read a, Read b) {
    return a.element.elem() == b.element.elem()
        && a.ask.index().equals(b.ask.index())
        && a.freed >= 0 == b.freed >= 0;
  }

  /** Removes variables whose wait also serves other reads; returns true if there were any. */
  private static boolean removePartial(Set<Name> common, Map<Name, Read> reads, List<Code> branch) {
    return common.removeIf(
        v -> {
          int at = of(v, reads).awaitedAt;
          long shared = common.stream().filter(other -> of(other, reads).awaitedAt == at).count();
          return shared < ((Code.AwaitElements) branch.get(at)).elements().size();
        });
  }

  /**
   * Returns the index of the declaration of a variable that only a conditional assigns; a negative
   * number if there is none in the list.
   */
  private static int declaration(Name v, int at, List<Code> code) {
    int declared = -1;
    for (int i = 0; i < code.size(); i++) {
      if (code.get(i) instanceof Code.Declare d && d.name().equals(v)) {
        declared = d.value() == null && i < at ? i : -1;
      } else if (i != at) {
        List<Code> one = List.of(code.get(i));
        if (Variables.assignedBy(one).contains(v)
            || (i < at && Variables.readBy(one).contains(v))) {
          return -1;
        }
      }
    }
    return declared;
  }

  private List<Code> without(List<Code> branch, Map<Name, Read> reads, Map<Name, Name> blocks) {
    Set<Integer> removed = new HashSet<>();
    Map<Integer, List<Code>> sets = new LinkedHashMap<>();
    for (Map.Entry<Name, Name> e : blocks.entrySet()) {
      Read r = of(e.getKey(), reads);
      removed.addAll(List.of(r.askedAt, r.awaitedAt, r.assignedAt, r.freed));
      sets.computeIfAbsent(r.askedAt, k -> new ArrayList<>())
          .add(new Code.SetBlock(e.getValue(), PrimType.I8, r.ask.block()));
    }
    List<Code> out = new ArrayList<>();
    for (int i = 0; i < branch.size(); i++) {
      out.addAll(sets.getOrDefault(i, List.of()));
      if (!removed.contains(i)) {
        out.add(branch.get(i));
      }
    }
    return out;
  }

  /** Returns the reads that can leave a branch, by the variable that gets the scalar. */
  private Map<Name, Read> reads(List<Code> branch) {
    Map<Name, Read> found = new LinkedHashMap<>();
    Map<Name, Integer> asks = new LinkedHashMap<>();
    for (int i = 0; i < branch.size(); i++) {
      if (branch.get(i) instanceof Code.AskElement a) {
        asks.put(a.request(), i);
      } else if (branch.get(i) instanceof Code.AwaitElements w) {
        for (Code.AwaitedElement e : w.elements()) {
          Integer asked = asks.get(e.request());
          Read r = asked == null ? null : read(branch, asked, i, e);
          if (r != null) {
            found.put(((Code.Assign) branch.get(r.assignedAt)).name(), r);
          }
        }
      }
    }
    return found;
  }

  private @Nullable Read read(
      List<Code> branch, int asked, int awaited, Code.AwaitedElement element) {
    Code.AskElement ask = (Code.AskElement) branch.get(asked);
    if (ask.index().constant() == null) {
      return null;
    }
    int assigned = -1;
    int freed = -1;
    for (int i = asked + 1; i < branch.size(); i++) {
      Code c = branch.get(i);
      if (c instanceof Code.Assign a
          && a.value() instanceof Expr.Var v
          && v.name().equals(element.target())
          && assigned < 0) {
        assigned = i;
        continue;
      }
      if (c instanceof Code.Free f && f.block().equals(ask.block()) && f.unless().isEmpty()) {
        freed = i;
        continue;
      }
      boolean movesPast =
          c instanceof Code.AskElement
              || c instanceof Code.AwaitElements
              || new HostEffects(c).allowsBefore(ask, this::mayAlias);
      if (!movesPast
          || Variables.readBy(List.of(c)).contains(element.target())
          || CodeSearch.anyStatement(List.of(c), s -> releases(s, ask.block()))) {
        return null;
      }
    }
    if (assigned < 0) {
      return null;
    }
    Name v = ((Code.Assign) branch.get(assigned)).name();
    for (int i = 0; i < branch.size(); i++) {
      List<Code> one = List.of(branch.get(i));
      if (i != assigned
          && (Variables.readBy(one).contains(v) || Variables.assignedBy(one).contains(v))) {
        return null;
      }
      if (branch.get(i) instanceof Code.Declare d && d.name().equals(v)) {
        return null;
      }
    }
    return new Read(ask, element, asked, awaited, assigned, freed);
  }

  private boolean releases(Code c, Name block) {
    return c instanceof Code.Free f && mayAlias(f.block(), block)
        || c instanceof Code.IfUnused i && mayAlias(i.block(), block);
  }
}
