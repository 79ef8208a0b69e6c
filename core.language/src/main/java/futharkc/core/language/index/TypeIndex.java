package futharkc.core.language.index;

import futharkc.core.ir.Loc;
import futharkc.core.language.rules.ExpressionTraversal;
import futharkc.core.language.typed.Exp;
import futharkc.core.language.typed.Pat;
import futharkc.core.language.typed.Type;
import futharkc.core.language.typed.ValDef;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The types of the expressions and patterns in the checked definitions of a file. */
final class TypeIndex {
  private final Map<Loc, Type> types = new HashMap<>();
  private final Map<Loc, ValDef> definitions = new HashMap<>();
  private final List<Loc> expressions = new ArrayList<>();

  /** Creates an index of definitions and of all expressions in them. */
  TypeIndex(List<ValDef> definitions) {
    definitions.forEach(this::definition);
  }

  private TypeIndex() {}

  /** Returns an index of definitions without the expressions in them. */
  static TypeIndex ofHeads(List<ValDef> definitions) {
    var index = new TypeIndex();
    definitions.forEach(d -> index.definitions.put(d.loc(), d));
    return index;
  }

  private void definition(ValDef def) {
    definitions.put(def.loc(), def);
    def.params().forEach(this::pattern);
    ExpressionTraversal.each(def.body(), this::expression);
  }

  private void expression(Exp e) {
    if (types.putIfAbsent(e.loc(), e.type()) == null) {
      expressions.add(e.loc());
    }
    ExpressionTraversal.patterns(e).forEach(this::pattern);
    if (e instanceof Exp.Let l) {
      for (Exp.Binding b : l.bindings()) {
        if (b instanceof Exp.Binding.OfFun f) {
          definitions.put(f.nameLoc(), f.def());
        }
      }
    } else if (e instanceof Exp.Loop l && l.form() instanceof Exp.Form.For f) {
      types.put(f.indexLoc(), Type.prim(f.prim()));
    }
  }

  private void pattern(Pat pat) {
    ExpressionTraversal.each(pat, p -> types.put(p.loc(), p.type()));
  }

  /** Returns the type of the expression or pattern with exactly this range, or null. */
  @Nullable Type at(Loc loc) {
    return types.get(loc);
  }

  /** Returns the definition whose range, or whose name's range for local functions, is this. */
  @Nullable ValDef definition(Loc loc) {
    return definitions.get(loc);
  }

  /** Returns the smallest expression that covers a position, or null. */
  @Nullable Loc around(int line, int column) {
    Loc best = null;
    for (Loc loc : expressions) {
      if (SourceRanges.covers(loc, line, column)
          && (best == null || SourceRanges.isWithin(loc, best))) {
        best = loc;
      }
    }
    return best;
  }

  /** Returns the largest expression that ends at a position, or null. */
  @Nullable Loc endingAt(int line, int column) {
    Loc best = null;
    for (Loc loc : expressions) {
      boolean ends = loc.endLine() == line && loc.endColumn() == column;
      if (ends && (best == null || SourceRanges.isWithin(best, loc))) {
        best = loc;
      }
    }
    return best;
  }
}
