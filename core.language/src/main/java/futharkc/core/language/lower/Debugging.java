package futharkc.core.language.lower;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Loc;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.language.typed.ValDef;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** An emitter of the operands of a debugger's events. */
final class Debugging {
  private final Elaborator el;
  private final LexicalScopes scopes;
  private final boolean nans;
  private final List<DebugEvent> events = new ArrayList<>();

  /**
   * Creates an emitter.
   *
   * @param nans true for an event at each operator on floats
   */
  Debugging(Elaborator el, Collection<ValDef> defs, boolean nans) {
    this.el = el;
    this.nans = nans;
    this.scopes = new LexicalScopes(defs);
  }

  List<DebugEvent> events() {
    return events;
  }

  /** Tests whether a definition is inlined, so that events know its callers. */
  boolean inlines(ValDef def) {
    return scopes.hasBreakpoint(def.name()) || nans && !Emit.inPrelude(def.loc());
  }

  /** Emits a breakpoint at a position. */
  void breakpoint(Loc loc, Frame f) {
    Operands operands = new Operands();
    emit("", null, operands, stack(loc, f, operands));
  }

  /** Emits an event for an operator if its result may be a NaN although no operand is one. */
  void newNan(Loc loc, Frame f, LoweredValue result, List<LoweredValue> inputs) {
    if (!nans || Emit.inPrelude(loc) || !isFloat(result)) {
      return;
    }
    Operands operands = new Operands();
    operands.add(result);
    inputs.forEach(operands::add);
    DebugEvent.NewNan test =
        new DebugEvent.NewNan(
            result.scalar(),
            inputs.stream().filter(Debugging::isFloat).map(LoweredValue::scalar).toList(),
            operands.numbers);
    emit("", test, operands, stack(loc, f, operands));
  }

  private static boolean isFloat(LoweredValue v) {
    return v.type() instanceof Ty.Prim p && Ty.ir(p.type()).isFloat();
  }

  private List<DebugEvent.Activation> stack(Loc loc, Frame f, Operands operands) {
    Predicate<SubExp> consumed =
        Aliasing.consumed(el.emit.enclosing(), el.functions::uniqueResults);
    List<DebugEvent.Activation> stack = new ArrayList<>();
    stack.add(activation(loc, f, consumed, operands));
    for (Emit.Calls c = el.emit.state().calls(); c != null; c = c.outer()) {
      if (!Emit.inPrelude(c.loc())) {
        stack.add(activation(c.loc(), c.frame(), consumed, operands));
      }
    }
    return stack;
  }

  /** Emits a trace of a value that is not one scalar or array of scalars. */
  void trace(String text, LoweredValue v) {
    Operands operands = new Operands();
    operands.add(v);
    var traced = new DebugEvent.Variable("", v, operands.numbers, Map.of());
    emit(text, null, operands, List.of(new DebugEvent.Activation(el.emit.loc(), List.of(traced))));
  }

  private void emit(
      String trace,
      DebugEvent.@Nullable NewNan nan,
      Operands operands,
      List<DebugEvent.Activation> stack) {
    int number = events.size();
    if (operands.types.isEmpty()) {
      operands.types.put(SubExp.TRUE, Type.prim(futharkc.core.ir.PrimType.BOOL));
    }
    events.add(new DebugEvent(trace, nan, operands.types.size(), stack));
    BasicOp.Tag tag = new BasicOp.Tag.Break(number);
    operands.types.forEach((e, t) -> el.emit.let("debug", t, new BasicOp.Opaque(tag, e)));
  }

  /** The operands of an event, and their numbers. */
  private static final class Operands {
    private final Map<SubExp, Integer> numbers = new HashMap<>();
    private final Map<SubExp, Type> types = new LinkedHashMap<>();

    void add(LoweredValue v) {
      Ty type = v.type();
      type.zipSizes(type, (size, same) -> add(size, Type.I64));
      List<Type> leafTypes = type.leaves();
      for (int i = 0; i < leafTypes.size(); i++) {
        add(v.leaves().get(i), leafTypes.get(i));
      }
    }

    private void add(SubExp e, Type t) {
      if (e instanceof SubExp.Var && numbers.putIfAbsent(e, numbers.size()) == null) {
        types.put(e, t);
      }
    }
  }

  private DebugEvent.Activation activation(
      Loc loc, Frame f, Predicate<SubExp> consumed, Operands operands) {
    Map<SubExp, String> sizeNames = new HashMap<>();
    Map<String, LoweredValue> values = new LinkedHashMap<>();
    scopes
        .at(loc)
        .forEach(
            (text, name) -> {
              LoweredValue v = f.get(name);
              if (v != null && isShown(text, v) && v.leaves().stream().noneMatch(consumed)) {
                values.put(text, v);
                if (v.type().equals(Ty.Prim.I64)) {
                  sizeNames.putIfAbsent(v.scalar(), text);
                }
              }
            });
    List<DebugEvent.Variable> variables = new ArrayList<>();
    values.forEach(
        (name, v) -> {
          operands.add(v);
          variables.add(new DebugEvent.Variable(name, v, operands.numbers, sizeNames));
        });
    return new DebugEvent.Activation(loc, variables);
  }

  private static boolean isShown(String name, LoweredValue v) {
    if (!name.matches("[a-zA-Z]['\\w]*|_\\w['\\w]*") || v.hasFunctions()) {
      return false;
    }
    Ty type = v.type();
    Set<SubExp> sizes = new HashSet<>();
    type.zipSizes(type, (size, same) -> sizes.add(size));
    return !sizes.contains(Ty.UNKNOWN)
        && type.leaves().stream().noneMatch(t -> t instanceof Type.Acc);
  }
}
