package futharkc.core.codegen.lower;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which block variables of a function may stand for the same block: those that branches, loops and
 * calls pass on to one another. An equivalence, so an approximation: variables of different classes
 * never stand for the same block.
 */
final class Aliases extends Mapper {
  private final Map<Name, Name> parent = new HashMap<>();
  private final Map<Name, Type> types;
  private @Nullable Map<Name, List<Name>> classes;

  /**
   * Of these statements.
   *
   * @param types the types of the names in scope outside
   */
  Aliases(List<Stm> stms, Map<Name, Type> types) {
    this.types = types;
    for (Stm s : stms) stm(s);
  }

  /** The variables that may stand for the same block as this one, without itself. */
  List<Name> of(Name block) {
    if (classes == null) {
      classes = new LinkedHashMap<>();
      for (Name n : parent.keySet())
        classes.computeIfAbsent(find(n), k -> new ArrayList<>()).add(n);
      classes.values().forEach(c -> c.sort(null));
    }
    List<Name> all = classes.getOrDefault(find(block), List.of());
    return all.stream().filter(n -> !n.equals(block)).toList();
  }

  /** Says that two variables may stand for the same block. */
  void join(Name a, Name b) {
    union(a, b);
    classes = null;
  }

  private Name find(Name n) {
    Name root = n;
    while (true) {
      Name up = parent.getOrDefault(root, root);
      if (up.equals(root)) break;
      root = up;
    }
    if (!root.equals(n)) parent.put(n, root);
    return root;
  }

  private void union(Name a, SubExp b) {
    if (b instanceof SubExp.Var v) union(a, v.name());
  }

  private void union(Name a, Name b) {
    parent.putIfAbsent(a, a);
    parent.putIfAbsent(b, b);
    parent.put(find(a), find(b));
  }

  @Override
  public Stm stm(Stm s) {
    List<PatElem> pat = s.pat();
    for (PatElem p : pat) types.put(p.name(), p.type());
    switch (s.exp()) {
      case BasicOp.SubExpOp op -> {
        if (isBlock(pat.get(0))) union(pat.get(0).name(), op.value());
      }
      case Exp.Match m -> {
        m.cases().forEach(c -> results(pat, c.body()));
        results(pat, m.otherwise());
      }
      case SegExp.ParOp p -> {
        if (p.nested() != null) results(pat, p.nested());
      }
      case Exp.Loop l -> {
        for (int i = 0; i < l.params().size(); i++) {
          Name param = l.params().get(i).param().name();
          types.put(param, l.params().get(i).param().type());
          if (!(l.params().get(i).param().type() instanceof Type.Mem)) continue;
          union(param, l.params().get(i).init());
          union(param, l.body().results().get(i));
          union(param, pat.get(i).name());
        }
      }
      case Exp.Apply a -> {
        Map<Type, Name> first = new HashMap<>();
        for (PatElem p : pat) {
          if (isBlock(p)) union(first.computeIfAbsent(p.type(), t -> p.name()), p.name());
        }
        for (SubExp arg : a.args()) {
          if (!(arg instanceof SubExp.Var v)) continue;
          Name result = first.get(types.get(v.name()));
          if (result != null) union(result, v.name());
        }
      }
      case MemOp.EnsureDirect e -> {
        if (isBlock(pat.get(0))
            && types.get(e.array()) instanceof Type.Array a
            && a.mem() != null) {
          union(pat.get(0).name(), a.mem().block());
        }
      }
      case Exp.WithAcc w -> {
        int accs = w.inputs().size();
        List<SubExp> results = w.lambda().body().results();
        int others = results.size() - accs;
        results(
            pat.subList(pat.size() - others, pat.size()),
            new Body(List.of(), results.subList(accs, results.size())));
      }
      default -> {}
    }
    return super.stm(s);
  }

  private void results(List<PatElem> pat, Body b) {
    for (int i = 0; i < pat.size() && i < b.results().size(); i++) {
      if (isBlock(pat.get(i))) union(pat.get(i).name(), b.results().get(i));
    }
  }

  private static boolean isBlock(PatElem p) {
    return p.type() instanceof Type.Mem;
  }
}
