package futharkc.core.ir.imperative;

import futharkc.core.ir.Name;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.analysis.Analysis;
import futharkc.core.ir.analysis.AnalysisCache;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * An alias analysis of the block variables of a function. Aliases are an equivalence relation over
 * assignments and calls, so the result is an over-approximation: variables of different classes
 * never refer to the same block. The analysis assumes that parameters refer to different blocks or
 * are never written.
 */
public final class BlockAliases {
  /** The analysis of a function. */
  public static final Analysis<ImperativeProgram.Function, BlockAliases> ANALYSIS =
      new OfFunction();

  private final Map<Name, Name> parent = new HashMap<>();

  private BlockAliases() {}

  private record OfFunction() implements Analysis<ImperativeProgram.Function, BlockAliases> {
    @Override
    public String name() {
      return "block aliases of imperative code";
    }

    @Override
    public BlockAliases compute(ImperativeProgram.Function f, AnalysisCache cache) {
      BlockAliases aliases = new BlockAliases();
      aliases.all(f.body());
      return aliases;
    }
  }

  /** Tests whether two variables may refer to the same block. */
  public boolean mayAlias(Name a, Name b) {
    return find(a).equals(find(b));
  }

  private Name find(Name n) {
    Name root = n;
    for (Name up = parent.get(root); up != null; up = parent.get(root)) {
      root = up;
    }
    return root;
  }

  private void join(Name a, Name b) {
    Name x = find(a);
    Name y = find(b);
    if (!x.equals(y)) {
      parent.put(x, y);
    }
  }

  private void all(List<Code> code) {
    for (Code c : code) {
      one(c);
    }
  }

  private void one(Code code) {
    switch (code) {
      case Code.DeclareBlock d -> {
        if (d.value() != null) {
          join(d.block(), d.value());
        }
      }
      case Code.SetBlock s -> join(s.block(), s.value());
      case Code.DeclarePointer d -> {
        if (d.value() != null) {
          join(d.block(), d.value());
        }
      }
      case Code.Call c -> call(c);
      case Code.Compound c -> c.bodies().forEach(this::all);
      case Code.Simple _ -> {}
    }
  }

  /**
   * Adds the aliases of a call: each result may alias any other result or argument of its element
   * type.
   */
  private void call(Code.Call c) {
    Map<PrimType, Name> first = new EnumMap<>(PrimType.class);
    for (Code.Variable v : c.targets()) {
      if (v.isBlock()) {
        join(v.name(), first.computeIfAbsent(v.type(), t -> v.name()));
      }
    }
    for (Code.Operand o : c.args()) {
      if (!(o instanceof Code.Operand.Block b)) {
        continue;
      }
      Name result = first.get(b.elem());
      if (result != null) {
        join(result, b.name());
      }
    }
  }
}
