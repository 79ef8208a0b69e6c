package futharkc.core.language.check;

import futharkc.core.language.typed.Exp;
import futharkc.core.language.typed.MetaType;
import futharkc.core.language.typed.Name;
import futharkc.core.language.typed.Type;
import futharkc.core.language.typed.ValDef;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The final substitution of solved sizes and types into the tree of a definition. */
final class SolutionSubstitution extends Mapper {
  private final SizeInfer infer;
  private final SizeSolver sizes;
  private final ValDef def;
  private boolean recursive;

  private SolutionSubstitution(SizeInfer infer, ValDef def) {
    this.infer = infer;
    this.sizes = infer.sizes;
    this.def = def;
  }

  static ValDef apply(SizeInfer infer, ValDef def) {
    SolutionSubstitution z = new SolutionSubstitution(infer, def);
    ValDef d = z.def(def);
    return new ValDef(
        d.name(),
        d.sizeParams(),
        d.typeParams(),
        d.params(),
        d.result(),
        d.resultTyped(),
        d.type(),
        d.body(),
        z.recursive,
        d.attrs(),
        d.doc(),
        d.loc());
  }

  @Override
  Type.Size sizeVar(Type.Size.Var v) {
    return sizes.norm(v);
  }

  @Override
  Type meta(MetaType m) {
    return type(TypeVar.prune(m));
  }

  @Override
  Type annotation(Type t) {
    Type u = type(t);
    if (u instanceof Type.Prim) {
      return u;
    }
    Unscope.Result bound = infer.bindPending(u, futharkc.core.ir.Loc.NONE);
    return bound.type();
  }

  @Override
  Exp exp(Exp e) {
    if (!(e instanceof Exp.Var v)) {
      return super.exp(e);
    }
    Type.Size s = sizes.norm((Type.Size) new Type.Size.Var(v.name()));
    if (!(s instanceof Type.Size.Var w && w.name().equals(v.name()))) {
      return SizeExps.exp(size(s), v.loc());
    }
    List<Type.Size> sizeArgs = new ArrayList<>(v.sizeArgs().size());
    for (Type.Size a : v.sizeArgs()) {
      sizeArgs.add(open(size(a)));
    }
    List<Type> typeArgs = new ArrayList<>(v.typeArgs().size());
    for (Type a : v.typeArgs()) {
      typeArgs.add(open.type(type(a)));
    }
    Type t = existentials(type(v.type()), v.loc());
    if (v.name().equals(def.name())) {
      recursive = true;
      sizeArgs = selfArgs(t);
      typeArgs = new ArrayList<>();
      for (Name n : def.typeParams()) {
        typeArgs.add(new Type.Named(false, n, List.of()));
      }
    }
    return new Exp.Var(v.name(), sizeArgs, typeArgs, t, v.loc());
  }

  /**
   * Binds the existential sizes of a type. A computed existential size without a binding result
   * becomes unknown.
   */
  private Type existentials(Type t, futharkc.core.ir.Loc loc) {
    return infer.bindPending(t, loc).type();
  }

  /** Returns the size arguments of a recursive use of the definition at a type. */
  private List<Type.Size> selfArgs(Type at) {
    Map<Name, Type.Size> found = new HashMap<>();
    Set<Name> params = new HashSet<>(def.sizeParams());
    SizeUnifier.matchSizes(
        type(def.type()),
        at,
        (p, s) -> {
          if (p instanceof Type.Size.Var v && params.contains(v.name())) {
            found.putIfAbsent(v.name(), s);
          }
          return p;
        });
    List<Type.Size> args = new ArrayList<>();
    for (Name n : def.sizeParams()) {
      args.add(found.getOrDefault(n, new Type.Size.Var(n)));
    }
    return args;
  }

  private Type.Size open(Type.Size s) {
    return s instanceof Type.Size.Var v && sizes.isPending(v.name()) ? new Type.Size.Any() : s;
  }

  private final Mapper open =
      new Mapper() {
        @Override
        Type.Size sizeVar(Type.Size.Var v) {
          return open(v);
        }
      };
}
