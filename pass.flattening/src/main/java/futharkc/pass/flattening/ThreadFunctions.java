package futharkc.pass.flattening;

import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Program;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Substitution;
import futharkc.core.ir.Type;
import futharkc.core.ir.analysis.Callees;
import futharkc.core.ir.analysis.Callers;
import futharkc.core.ir.analysis.DeviceMapper;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Copies functions for calls by threads. A thread needs a copy of a function that the host calls as
 * well. A thread also needs a copy of a function that uses program constants: these are values of
 * the host and become arguments.
 *
 * <pre>{@code
 * const c                                    const c
 * segmap .. do {.. apply f(x)}        =>     segmap .. do {.. apply f_in_threads(x, c)}
 * fun f(x) = {add(x, c)}                     fun f_in_threads(x, c') = {add(x, c')}
 * }</pre>
 */
final class ThreadFunctions {
  private final Program program;

  /** The program constants, in an order in which the sizes in a type precede it. */
  private final Map<Name, Type> constants = new LinkedHashMap<>();

  /** The constants that each function, or a function it calls, uses. */
  private final Map<String, Set<Name>> used = new LinkedHashMap<>();

  private final Set<String> onHost;
  private final Map<String, FunDef> copies = new LinkedHashMap<>();
  private final ArrayDeque<String> wanted = new ArrayDeque<>();

  private ThreadFunctions(Program program) {
    this.program = program;
    for (Stm s : program.constants()) {
      for (PatElem p : s.pat()) {
        constants.put(p.name(), p.type());
      }
    }
    Callees callees = Callees.of(program);
    for (FunDef f : program.functions().values()) {
      Set<Name> mine = known(FreeNames.of(f));
      for (String callee : callees.of(f.name())) {
        mine.addAll(known(FreeNames.of(Objects.requireNonNull(program.functions().get(callee)))));
      }
      used.put(f.name(), mine);
    }
    onHost = Callers.of(program).host();
  }

  /** Returns the program with separate functions for threads. Functions without calls remain. */
  static Program apart(Program p) {
    return new ThreadFunctions(p).converted();
  }

  private Program converted() {
    Map<String, FunDef> functions = new LinkedHashMap<>();
    List<Stm> stms = new Calls(false).stms(program.constants());
    program
        .functions()
        .forEach(
            (name, f) ->
                functions.put(name, f.withBody(new Calls(false).body(f.body()), f.nextTag())));
    while (!wanted.isEmpty()) {
      String name = wanted.remove();
      copies.put(nameOfCopy(name), copy(Objects.requireNonNull(program.functions().get(name))));
    }
    functions.putAll(copies);
    return copies.isEmpty()
        ? program
        : program.withConstants(stms, program.namesForConstants().next()).withFunctions(functions);
  }

  private static String nameOfCopy(String function) {
    return function + "_in_threads";
  }

  private FunDef copy(FunDef f) {
    NameSource names = new NameSource(f.nextTag());
    Map<Name, SubExp> here = new LinkedHashMap<>();
    List<Param> params = new ArrayList<>(f.params());
    for (Name c : ordered(f.name())) {
      Type type = Objects.requireNonNull(constants.get(c));
      Name own = names.fresh(c.base());
      params.add(new Param(own, new Substitution(here).type(type)));
      here.put(c, SubExp.of(own));
    }
    Body body = new Substitution(here).body(new Calls(true).body(f.body()));
    return new FunDef(
        nameOfCopy(f.name()), f.attrs(), params, f.results(), body, null, names.next(), f.loc());
  }

  /** Returns the constants among the names, and the constants in the types of these. */
  private Set<Name> known(Set<Name> names) {
    Set<Name> found = new LinkedHashSet<>();
    ArrayDeque<Name> work = new ArrayDeque<>(names);
    while (!work.isEmpty()) {
      Name n = work.remove();
      Type t = constants.get(n);
      if (t != null && found.add(n)) {
        work.addAll(FreeNames.of(t));
      }
    }
    return found;
  }

  private Set<Name> usedBy(String function) {
    return Objects.requireNonNull(used.get(function));
  }

  private List<Name> ordered(String function) {
    return constants.keySet().stream().filter(usedBy(function)::contains).toList();
  }

  /** A traversal that redirects the calls by threads. */
  private final class Calls extends DeviceMapper {
    Calls(boolean inThread) {
      super(inThread);
    }

    @Override
    public Exp exp(Exp e) {
      return e instanceof Exp.Apply a && inThread() && isForThreads(a.function())
          ? given(a)
          : super.exp(e);
    }
  }

  private boolean isForThreads(String function) {
    return onHost.contains(function) || !usedBy(function).isEmpty();
  }

  private Exp given(Exp.Apply a) {
    String name = nameOfCopy(a.function());
    if (!copies.containsKey(name) && !wanted.contains(a.function())) {
      wanted.add(a.function());
    }
    List<SubExp> args = new ArrayList<>(a.args());
    List<Boolean> consumed = new ArrayList<>(a.consumed());
    for (Name c : ordered(a.function())) {
      args.add(SubExp.of(c));
      consumed.add(false);
    }
    return new Exp.Apply(name, args, consumed);
  }
}
