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

/** What is known while one function is flattened. */
final class FlatteningContext {
  final NameSource names;

  /** The types of all names, of the function as it was and as it becomes. */
  final Scope scope;

  final FunctionForms functions;
  private final String function;
  private final Map<Name, Exp> definitions = new HashMap<>();
  private final Map<Name, LiftedAccumulator> spreads = new HashMap<>();

  /** Of nests whose segments are numbered only if somebody asks: their sizes. */
  private final Map<Name, Name> unnumbered = new HashMap<>();

  private int thresholds;
  private int grids;

  FlatteningContext(NameSource names, Scope scope, FunctionForms functions, String function) {
    this.names = names;
    this.scope = scope;
    this.functions = functions;
    this.function = function;
  }

  /** A threshold of this function; they are numbered in the order in which they are made. */
  TuningParameter threshold(String what, @Nullable Long defaultValue) {
    String name = function + "." + what + "_" + thresholds++;
    return new TuningParameter(name, new SizeClass.Threshold(defaultValue, List.of()));
  }

  /** The name of a grid of this function, with which those of its sizes begin. */
  String grid(String what) {
    return function + "." + what + "_" + grids++;
  }

  /** Says what a name of the host stands for. */
  void define(Stm s) {
    scope.add(s);
    if (s.pat().size() == 1) definitions.put(s.pat().get(0).name(), s.exp());
  }

  /** What a name of the host stands for, if it is known to be the one result of an expression. */
  @Nullable Exp definition(SubExp e) {
    return e instanceof SubExp.Var v ? definitions.get(v.name()) : null;
  }

  /** How the updates of an accumulator are indexed that serves all segments of a nest. */
  @Nullable LiftedAccumulator spread(Name token) {
    return spreads.get(token);
  }

  void spread(Name token, LiftedAccumulator s) {
    spreads.put(token, s);
  }

  /** A type, where an accumulator is of one that serves all segments. */
  Type spreadType(Type t) {
    LiftedAccumulator s = t instanceof Type.Acc acc ? spreads.get(acc.token()) : null;
    return s != null && t instanceof Type.Acc acc
        ? new Type.Acc(acc.token(), s.space(), s.elems())
        : t;
  }

  /** A name for the numbers of segments of these sizes, which are computed if somebody asks. */
  Name unnumbered(Name sizes) {
    Name ids = names.fresh("ids");
    unnumbered.put(ids, sizes);
    return ids;
  }

  /** The sizes for which such a name stands; null for other names. */
  @Nullable Name sizes(Name ids) {
    return unnumbered.get(ids);
  }

  /** A copy that can stand beside the original. */
  Exp renamed(Exp e) {
    Exp copy = new Renamer(names).exp(e);
    scope.addAll(new Body(List.of(new Stm(List.of(), Aux.NONE, copy)), List.of()));
    return copy;
  }

  /** A copy that can stand beside the original. */
  Lambda renamed(Lambda l) {
    Lambda copy = new Renamer(names).lambda(l);
    learn(copy);
    return copy;
  }

  /** Notes the types of all that a lambda binds. */
  void learn(Lambda l) {
    scope.addParams(l.params());
    scope.addAll(l.body());
  }

  /** Notes the types of all that statements bind, at whatever depth. */
  List<Stm> learn(List<Stm> stms) {
    scope.addAll(new Body(stms, List.of()));
    return stms;
  }

  /** The names as operands. */
  static List<SubExp> operands(List<Name> names) {
    List<SubExp> all = new ArrayList<>();
    for (Name n : names) all.add(SubExp.of(n));
    return all;
  }
}
