package futharkc.pass.differentiation;

import futharkc.core.ir.Aux;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.Name;
import futharkc.core.ir.Slice;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Substitution;
import futharkc.core.ir.Type;
import futharkc.core.ir.analysis.Aliases;
import futharkc.core.ir.build.Arithmetic;
import futharkc.core.ir.build.Emitter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The values of arrays before they were overwritten. The return sweep of a statement may need an
 * array that a later statement has consumed. The return sweep restores the array from its current
 * value by undoing the updates, the last one first:
 *
 * <pre>
 * let b = a with [i] = v                 let o = a[i]; let b = a with [i] = v
 * ..                               =>    ..
 * (return sweep of ..)                   (return sweep of ..)
 * (return sweep before, with a)          let a' = b with [i] = o; (return sweep before, with a' for a)
 * </pre>
 *
 * <p>So the forward sweep saves the overwritten elements of an array that is updated in place,
 * instead of the whole array. The tapes of Griewank and Walther, Evaluating Derivatives, section
 * 5.1 ("return by undoing"), do the same. If the updates of a consumer cannot be undone, the
 * forward sweep copies the array before the consumer. An array without a request is not saved.
 */
final class States {
  /** The position of code after the body that consumes an array. */
  static final int AFTER = Integer.MAX_VALUE;

  /** A consumed array, and the code that restores its value. */
  private static final class Version {
    final Name name;
    final int at;
    final boolean frozen;
    private @Nullable Supplier supplier;
    private @Nullable Name state;

    /**
     * Creates a version.
     *
     * @param name the consumed array
     * @param at the position of the consuming statement, or {@link #AFTER}
     * @param frozen whether the value is that of another array throughout
     * @param supplier the code that restores the array
     */
    Version(Name name, int at, boolean frozen, Supplier supplier) {
      this.name = name;
      this.at = at;
      this.frozen = frozen;
      this.supplier = supplier;
    }

    Name state(Emitter e) {
      Name known = state;
      if (known != null) {
        return known;
      }
      Supplier s = supplier;
      if (s == null) {
        throw new IllegalStateException("state of " + name + " is defined by itself");
      }
      supplier = null;
      known = s.state(e);
      state = known;
      return known;
    }
  }

  /** Code that restores a consumed array. The caller may overwrite the result. */
  interface Supplier {
    Name state(Emitter e);
  }

  private Aliases aliases;
  private final List<Stm> stms;
  private final List<List<Stm>> forward;
  private final Map<Name, Integer> definedAt = new HashMap<>();

  /** The consumed versions of each root, the last in program order first. */
  private final Map<Name, List<Version>> stale = new HashMap<>();

  private final Map<Name, Name> saved = new HashMap<>();
  private final Set<Name> restored = new HashSet<>();

  /**
   * Creates the states of a body.
   *
   * @param aliases the aliases of the names in the body
   * @param stms the statements of the body
   * @param forward for each statement, its statements in the forward sweep, to which this class
   *     adds copies
   */
  States(Aliases aliases, List<Stm> stms, List<List<Stm>> forward) {
    this.aliases = aliases;
    this.stms = stms;
    this.forward = forward;
    for (int i = 0; i < stms.size(); i++) {
      for (Name n : stms.get(i).names()) {
        definedAt.put(n, i);
      }
    }
  }

  /** Replaces the alias information by more complete information. */
  void learn(Aliases more) {
    aliases = more;
  }

  Set<Name> roots(Name n) {
    return aliases.roots(n);
  }

  /** Tests whether an array has been consumed, at the current position of the return sweep. */
  boolean isStale(Name n) {
    return version(n) != null;
  }

  /**
   * Returns the first consumption, after its definition, of an array or an alias; null if there is
   * none.
   */
  private @Nullable Version version(Name n) {
    int made = definedAt.getOrDefault(n, -1);
    for (Name root : aliases.roots(n)) {
      for (Version v : stale.getOrDefault(root, List.of()).reversed()) {
        if (v.at > made) {
          return v;
        }
      }
    }
    return null;
  }

  /** Records that a statement consumes an array, and how to restore the array. */
  void consumed(Name n, int at, Supplier supplier) {
    set(new Version(n, at, false, supplier));
  }

  /** Records a consumed array that has been restored. */
  void known(Name n, int at, Name value) {
    set(new Version(n, at, false, e -> value));
    restored.add(n);
  }

  /** Tests whether a consumed array has been restored. */
  boolean isKnown(Name n) {
    return restored.contains(n);
  }

  /** Records a consumed array that only an earlier copy can restore. */
  void consumed(Name n, int at) {
    set(new Version(n, at, false, e -> copied(n, e)));
  }

  /**
   * Records an array that may be overwritten, while no code reads an overwritten element later.
   * Another array serves as its value throughout.
   */
  void frozen(Name n, Name value) {
    set(new Version(n, AFTER, true, e -> value));
  }

  boolean isFrozen(Name n) {
    Version v = version(n);
    return v != null && v.frozen;
  }

  private void set(Version v) {
    for (Name root : aliases.roots(v.name)) {
      stale.computeIfAbsent(root, r -> new ArrayList<>()).add(v);
    }
  }

  /**
   * Returns a supplier of the array's value at the current position of the return sweep, for
   * overwriting. An array that is not consumed is copied.
   */
  Supplier owned(Name n) {
    Version v = version(n);
    if (v == null) {
      return e ->
          Emitter.array(e.let("state", e.type(n), new BasicOp.Replicate(List.of(), SubExp.of(n))));
    }
    return e -> current(n, v, e);
  }

  /** Returns the current value of an array, for reading. */
  Name current(Name n, Emitter e) {
    Version v = version(n);
    return v == null ? n : current(n, v, e);
  }

  private Name current(Name n, Version v, Emitter e) {
    if (v.name.equals(n)) {
      return v.state(e);
    }
    Name made = fromView(n, v, e);
    if (made != null) {
      return made;
    }
    Stm def = definition(n);
    if (def != null) {
      Name viewed = viewed(def);
      if (viewed != null) {
        Name source = version(viewed) == null ? viewed : current(viewed, e);
        Name again = e.names().fresh(n);
        BasicOp op = view((BasicOp) def.exp(), source);
        e.add(
            new Stm(
                List.of(new futharkc.core.ir.PatElem(again, def.pat().get(0).type())),
                Aux.at(def.aux().loc()),
                op));
        return again;
      }
      if (v.frozen && def.exp() instanceof BasicOp.Update) {
        return v.state(e);
      }
    }
    if (v.frozen) {
      return v.state(e);
    }
    return copied(n, e);
  }

  /**
   * Returns the array as a view of a version with another shape; null if the version is no view of
   * it.
   */
  private @Nullable Name fromView(Name n, Version v, Emitter e) {
    Stm def = definition(v.name);
    if (def == null) {
      return null;
    }
    return switch (def.exp()) {
      case BasicOp.Reshape x when x.array().equals(n) -> {
        Type t = e.type(n);
        yield e.name("state", t, new BasicOp.Reshape(x.coerce(), v.state(e), t.dims()));
      }
      case BasicOp.Rearrange x when x.array().equals(n) ->
          e.name(
              "state",
              e.type(n),
              new BasicOp.Rearrange(v.state(e), ArrayAdjoint.inverse(x.perm())));
      default -> null;
    };
  }

  /** Returns a copy that the forward sweep makes directly after the definition of the array. */
  Name copied(Name n, Emitter e) {
    Name known = saved.get(n);
    if (known != null) {
      return known;
    }
    Emitter at = e.inner();
    Name copy =
        at.name(n.base() + "_saved", e.type(n), new BasicOp.Replicate(List.of(), SubExp.of(n)));
    Integer i = definedAt.get(n);
    if (i == null) {
      forward.get(0).addAll(0, at.stms());
    } else {
      forward.get(i).addAll(at.stms());
    }
    saved.put(n, copy);
    return copy;
  }

  /** Returns the statement of the body that defines a name; null if the definition is outside. */
  @Nullable Stm definition(Name n) {
    Integer i = definedAt.get(n);
    return i == null ? null : stms.get(i);
  }

  private static @Nullable Name viewed(Stm def) {
    return switch (def.exp()) {
      case BasicOp.Index x -> x.array();
      case BasicOp.FlatIndex x -> x.array();
      case BasicOp.Reshape x -> x.array();
      case BasicOp.Rearrange x -> x.array();
      case BasicOp.SubExpOp x when x.value() instanceof SubExp.Var v -> v.name();
      case BasicOp.Opaque x when x.value() instanceof SubExp.Var v -> v.name();
      default -> null;
    };
  }

  private static BasicOp view(BasicOp op, Name source) {
    return switch (op) {
      case BasicOp.Index x -> new BasicOp.Index(source, x.slice());
      case BasicOp.FlatIndex x -> new BasicOp.FlatIndex(source, x.slice());
      case BasicOp.Reshape x -> new BasicOp.Reshape(x.coerce(), source, x.shape());
      case BasicOp.Rearrange x -> new BasicOp.Rearrange(source, x.perm());
      default -> new BasicOp.SubExpOp(SubExp.of(source));
    };
  }

  /**
   * Returns statements of the return sweep with consumed arrays replaced by their restored values.
   */
  List<Stm> revived(List<Stm> added, Emitter e) {
    return revived(added, false, e);
  }

  /** Returns repeated statements with frozen arrays replaced by their final values. */
  List<Stm> frozen(List<Stm> again, Emitter e) {
    return revived(again, true, e);
  }

  private List<Stm> revived(List<Stm> added, boolean onlyFrozen, Emitter e) {
    Map<Name, SubExp> now = new HashMap<>();
    Set<Name> bound = new HashSet<>();
    for (Stm s : added) {
      for (Name n : FreeNames.of(s)) {
        if (bound.contains(n) || now.containsKey(n) || !isArray(n, e)) {
          continue;
        }
        if (onlyFrozen ? isFrozen(n) : isStale(n)) {
          now.put(n, SubExp.of(current(n, e)));
        }
      }
      bound.addAll(s.names());
    }
    return now.isEmpty() ? added : new Substitution(now).stms(added);
  }

  private static boolean isArray(Name n, Emitter e) {
    return e.scope().lookup(n) instanceof Type.Array;
  }

  // Updates

  /** Records an update, whose undo writes the overwritten elements. */
  void updated(int at, Stm s, BasicOp.Update x, Supplier after) {
    if (isFrozen(x.array())) {
      return;
    }
    consumed(
        x.array(),
        at,
        e -> {
          Name b = after.state(e);
          SubExp old = old(at, s, x, e);
          return e.name("state", e.type(b), new BasicOp.Update(x.safe(), b, x.slice(), old));
        });
  }

  private SubExp old(int at, Stm s, BasicOp.Update x, Emitter e) {
    Emitter before = e.inner().at(s.aux());
    SubExp array = SubExp.of(x.array());
    SubExp old;
    if (x.safe() && x.slice().isElement()) {
      List<SubExp> index = new ArrayList<>();
      for (Slice.Dim d : x.slice().dims()) {
        index.add(((Slice.Fix) d).index());
      }
      SubExp inside = Adjoints.isInside(before, index, e.type(array));
      Type t = Type.prim(e.type(array).elemPrim());
      old =
          before
              .conditional(
                  "old",
                  List.of(t),
                  inside,
                  in -> List.of(in.index(array, index)),
                  in -> List.of(Arithmetic.zeros(in, t)))
              .get(0);
    } else {
      old = before.copy(before.slice(array, x.slice()));
    }
    forward.get(at).addAll(0, before.stms());
    return old;
  }

  /** Records an update of a flat slice, whose undo writes the overwritten elements. */
  void updated(int at, Stm s, BasicOp.FlatUpdate x, Supplier after) {
    if (isFrozen(x.array())) {
      return;
    }
    consumed(
        x.array(),
        at,
        e -> {
          Name b = after.state(e);
          Emitter before = e.inner().at(s.aux());
          Type t = Type.array(Type.prim(e.type(b).elemPrim()), x.slice().shape());
          SubExp part = before.let("part", t, new BasicOp.FlatIndex(x.array(), x.slice()));
          SubExp old = before.copy(part);
          forward.get(at).addAll(0, before.stms());
          return e.name(
              "state", e.type(b), new BasicOp.FlatUpdate(b, x.slice(), Emitter.array(old)));
        });
  }
}
