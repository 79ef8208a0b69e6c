package futharkc.core.ir;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The types of the names in scope. Names of inner scopes may remain after their scope ends, since a
 * function binds no name twice.
 */
public final class Scope {
  private final Map<Name, Type> types = new HashMap<>();

  /** Makes an empty scope. */
  public Scope() {}

  /** Returns a scope of a program's constants and a function's parameters. */
  public static Scope of(Program program, FunDef f) {
    Scope s = new Scope();
    for (Stm c : program.constants()) {
      s.add(c);
    }
    s.addParams(f.params());
    return s;
  }

  /** Returns a scope of a program's constants and all names that a function binds, at any depth. */
  public static Scope ofAll(Program program, FunDef f) {
    Scope s = of(program, f);
    s.addAll(f.body());
    return s;
  }

  /** Adds all names that a body binds, at any depth. */
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
    for (PatElem p : s.pat()) {
      add(p.name(), p.type());
    }
  }

  public void addParams(List<Param> params) {
    for (Param p : params) {
      add(p.name(), p.type());
    }
  }

  public @Nullable Type lookup(Name name) {
    return types.get(name);
  }

  /** Returns the type of a name in scope. */
  public Type type(Name name) {
    Type t = types.get(name);
    if (t == null) {
      throw new IllegalStateException(name + " is not in scope");
    }
    return t;
  }

  public Type type(SubExp e) {
    return switch (e) {
      case SubExp.Const c -> Type.prim(c.value().type());
      case SubExp.Var v -> type(v.name());
    };
  }
}
