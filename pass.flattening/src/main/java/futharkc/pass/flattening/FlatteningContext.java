package futharkc.pass.flattening;

import futharkc.core.ir.Aux;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Renamer;
import futharkc.core.ir.Scope;
import futharkc.core.ir.SizeClass;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.TuningParameter;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The state of flattening one function. */
final class FlatteningContext {
  final NameSource names;

  /** The types of all names in the original function and in the flattened function. */
  final Scope scope;

  final FunctionForms functions;
  private final String function;
  private final Map<Name, Exp> definitions = new HashMap<>();
  private final Map<Name, LiftedAccumulator> spreads = new HashMap<>();

  /**
   * The sizes of nests whose segments are numbered on demand, keyed by the name of the segment
   * numbers.
   */
  private final Map<Name, Name> unnumbered = new HashMap<>();

  private int thresholds;
  private int grids;

  FlatteningContext(NameSource names, Scope scope, FunctionForms functions, String function) {
    this.names = names;
    this.scope = scope;
    this.functions = functions;
    this.function = function;
  }

  /** Returns a new threshold of this function, with a number in order of creation. */
  TuningParameter threshold(String what, @Nullable Long defaultValue) {
    String name = function + "." + what + "_" + thresholds++;
    return new TuningParameter(name, new SizeClass.Threshold(defaultValue, List.of()));
  }

  /**
   * Returns a fresh grid name of this function, which is the prefix of the names of the grid's
   * sizes.
   */
  String grid(String what) {
    return function + "." + what + "_" + grids++;
  }

  /** Records the expression that a host name is bound to. */
  void define(Stm s) {
    scope.add(s);
    if (s.pat().size() == 1) {
      definitions.put(s.pat().get(0).name(), s.exp());
    }
  }

  /**
   * Returns the expression that a host name is bound to, or null if the name is not its only
   * result.
   */
  @Nullable Exp definition(SubExp e) {
    return e instanceof SubExp.Var v ? definitions.get(v.name()) : null;
  }

  /** Returns the lifted form of an accumulator that all segments share, or null. */
  @Nullable LiftedAccumulator spread(Name token) {
    return spreads.get(token);
  }

  void spread(Name token, LiftedAccumulator s) {
    spreads.put(token, s);
  }

  /** Returns the type, with an accumulator replaced by its lifted form if it has one. */
  Type spreadType(Type t) {
    LiftedAccumulator s = t instanceof Type.Acc acc ? spreads.get(acc.token()) : null;
    return s != null && t instanceof Type.Acc acc
        ? new Type.Acc(acc.token(), s.space(), s.elems())
        : t;
  }

  /**
   * Returns a name for the segment numbers of segments of the given sizes. The numbers are computed
   * on demand.
   */
  Name unnumbered(Name sizes) {
    Name ids = names.fresh("ids");
    unnumbered.put(ids, sizes);
    return ids;
  }

  /** Returns the sizes for a name of {@link #unnumbered}; null for other names. */
  @Nullable Name sizes(Name ids) {
    return unnumbered.get(ids);
  }

  /** Returns a copy of an expression with fresh names. */
  Exp renamed(Exp e) {
    Exp copy = new Renamer(names).exp(e);
    scope.addAll(new Body(List.of(new Stm(List.of(), Aux.NONE, copy)), List.of()));
    return copy;
  }

  /** Returns a copy of a lambda with fresh names. */
  Lambda renamed(Lambda l) {
    Lambda copy = new Renamer(names).lambda(l);
    learn(copy);
    return copy;
  }

  /** Records the types of all names that a lambda binds. */
  void learn(Lambda l) {
    scope.addParams(l.params());
    scope.addAll(l.body());
  }

  /** Records the types of all names that statements bind, at any depth. */
  List<Stm> learn(List<Stm> stms) {
    scope.addAll(new Body(stms, List.of()));
    return stms;
  }

  /** Returns the names as operands. */
  static List<SubExp> operands(List<Name> names) {
    List<SubExp> all = new ArrayList<>();
    for (Name n : names) {
      all.add(SubExp.of(n));
    }
    return all;
  }
}
