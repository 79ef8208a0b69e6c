package futharkc.core.ir;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The types of the names in scope. Since a function binds no name twice, names of inner scopes may
 * stay when these are left.
 */
public final class Scope {
  private final Map<Name, Type> types = new HashMap<>();

  /** An empty one. */
  public Scope() {}

  /** The constants of a program and the parameters of a function. */
  public static Scope of(Program program, FunDef f) {
    Scope s = new Scope();
    for (Stm c : program.constants()) s.add(c);
    s.addParams(f.params());
    return s;
  }

  /** The constants of a program, and all that a function binds, at whatever depth. */
  public static Scope ofAll(Program program, FunDef f) {
    Scope s = of(program, f);
    s.addAll(f.body());
    return s;
  }

  /** All that a body binds, at whatever depth. */
  public void addAll(Body b) {
    new Mapper() {
      @Override
      public PatElem patElem(PatElem p) {
        add(p.name(), p.type());
        return p;
      }

      @Override
      public Param param(Param p) {
        add(p.name(), p.type());
        return p;
      }
    }.body(b);
  }

  public void add(Name name, Type type) {
    types.put(name, type);
  }

  public void add(Stm s) {
    for (PatElem p : s.pat()) add(p.name(), p.type());
  }

  public void addParams(List<Param> params) {
    for (Param p : params) add(p.name(), p.type());
  }

  public @Nullable Type lookup(Name name) {
    return types.get(name);
  }

  /** The type of a name in scope. */
  public Type type(Name name) {
    Type t = types.get(name);
    if (t == null) throw new IllegalStateException(name + " is not in scope");
    return t;
  }

  public Type type(SubExp e) {
    return switch (e) {
      case SubExp.Const c -> Type.prim(c.value().type());
      case SubExp.Var v -> type(v.name());
    };
  }
}
