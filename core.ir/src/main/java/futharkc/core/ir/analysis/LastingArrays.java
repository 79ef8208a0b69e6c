package futharkc.core.ir.analysis;

import futharkc.core.ir.FunDef;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSet;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The arrays of a function whose elements can be read later than they are read: nothing consumes
 * them, and it costs little memory to keep them.
 */
public final class LastingArrays {
  /** The number of elements of an array that costs little. */
  private static final long FEW = 64;

  private final boolean any;
  private final Aliases aliases;
  private final NameSet consumed;
  private final Map<Name, Type> types = new HashMap<>();
  private final Set<Name> params = new HashSet<>();

  /**
   * The lasting arrays of a function.
   *
   * @param any false if no array counts as one
   */
  public LastingArrays(FunDef f, Aliases aliases, boolean any) {
    this.any = any;
    this.aliases = aliases;
    this.consumed = Consumption.of(f.body(), aliases);
    for (Param p : f.params()) {
      types.put(p.name(), p.type());
      params.add(p.name());
    }
    new Mapper() {
      @Override
      public PatElem patElem(PatElem p) {
        types.put(p.name(), p.type());
        return p;
      }

      @Override
      public Param param(Param p) {
        types.put(p.name(), p.type());
        return p;
      }
    }.body(f.body());
  }

  /** Tests whether elements of an array can be read at any later time. */
  public boolean lasts(Name array) {
    Type t = types.get(array);
    if (!any || t == null) {
      return false;
    }
    NameSet roots = aliases.roots(array);
    if (roots.meets(consumed)) {
      return false;
    }
    long elements = 1;
    for (SubExp d : t.dims()) {
      long size = d instanceof SubExp.Const c ? c.value().asLong() : FEW + 1;
      elements = size > FEW ? FEW + 1 : Math.min(FEW + 1, elements * size);
    }
    if (elements <= FEW) {
      return true;
    }
    for (Name root : roots) {
      if (!params.contains(root)) {
        return false;
      }
    }
    return true;
  }

  /** Tests whether an array has one dimension and one element; and so do unknown arrays. */
  public boolean isSingle(Name array) {
    Type t = types.get(array);
    return t == null || t.rank() == 1 && t.outerSize().isInt(1);
  }
}
