package futharkc.backend.interpreter;

import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The variables of a function, or of the constants, during compilation. */
final class VariableScopes {
  private final @Nullable VariableScopes constants;
  private final @Nullable CallFrame constantsFrame;
  private final DeviceState device;
  private final Map<Name, Operand> variables = new HashMap<>();
  private final Map<Name, Type> types = new HashMap<>();
  private final Map<Name, Integer> tokens = new HashMap<>();
  private int scalars;
  private int objects;
  private final boolean active;

  /**
   * Creates the scope of a function.
   *
   * @param constants the scope of the constants; null for the constants themselves
   * @param constantsFrame the frame of the constants
   * @param device the device
   * @param active true if scalars may have derivatives
   */
  VariableScopes(
      @Nullable VariableScopes constants,
      @Nullable CallFrame constantsFrame,
      DeviceState device,
      boolean active) {
    this.constants = constants;
    this.constantsFrame = constantsFrame;
    this.device = device;
    this.active = active;
  }

  /** Creates the scope of a lambda with a frame of its own, inside a function with this scope. */
  VariableScopes inner(boolean active) {
    return new VariableScopes(constants, constantsFrame, device, active);
  }

  boolean active() {
    return active;
  }

  /** Tests whether this scope, and not that of the constants, binds a name. */
  boolean binds(Name n) {
    return types.containsKey(n);
  }

  CallFrame newFrame() {
    return new CallFrame(scalars, objects, active);
  }

  Operand in(SubExp e) {
    return switch (e) {
      case SubExp.Const c -> Operand.constant(ScalarOps.bits(c.value()));
      case SubExp.Var v -> in(v.name());
    };
  }

  Operand in(Name n) {
    Operand local = variables.get(n);
    if (local != null) {
      return local;
    }
    if (constants == null || constantsFrame == null) {
      throw new Fault(n + " is not bound");
    }
    return Operand.of(constantsFrame, constants.in(n));
  }

  Operand[] ins(List<SubExp> es) {
    return es.stream().map(this::in).toArray(Operand[]::new);
  }

  Operand[] names(List<Name> ns) {
    return ns.stream().map(this::in).toArray(Operand[]::new);
  }

  /** Returns the type of an operand. */
  Type type(SubExp e) {
    if (!(e instanceof SubExp.Var v)) {
      return Type.prim(((SubExp.Const) e).value().type());
    }
    Type t = types.get(v.name());
    if (t != null) {
      return t;
    }
    if (constants == null) {
      throw new Fault(v + " is not bound");
    }
    return constants.type(e);
  }

  /** Declares a variable. The names in its type must be bound before. */
  Destination out(Name n, Type t) {
    types.put(n, t);
    return switch (t) {
      case Type.Prim p -> {
        int slot = scalars++;
        variables.put(n, Operand.scalarAt(slot));
        yield active ? new Destination.ActiveScalar(slot) : new Destination.Scalar(slot);
      }
      case Type.Mem m -> new Destination.Memory(object(n));
      case Type.Acc a ->
          new Destination.Acc(object(n), tokens.computeIfAbsent(a.token(), x -> objects++));
      case Type.Array a -> {
        Operand[] dims = ins(a.shape());
        Destination.Place place =
            a.mem() == null
                ? null
                : new Destination.Place(
                    in(a.mem().block()),
                    poly(a.mem().lmad().offset()),
                    a.mem().lmad().dims().stream()
                        .map(d -> poly(d.stride()))
                        .toArray(Instruction.Poly[]::new));
        yield new Destination.Array(n.toString(), object(n), a.elem(), dims, place, device, active);
      }
    };
  }

  private int object(Name n) {
    int slot = objects++;
    variables.put(n, Operand.objectAt(slot));
    return slot;
  }

  private Instruction.Poly poly(Poly p) {
    Long c = p.constant();
    if (c != null) {
      return f -> c;
    }
    int n = p.terms().size();
    long[] coefficients = new long[n];
    Operand[][] factors = new Operand[n][];
    int i = 0;
    for (Map.Entry<Poly.Product, Long> e : p.terms().entrySet()) {
      coefficients[i] = e.getValue();
      factors[i++] = names(e.getKey().factors());
    }
    return f -> {
      long sum = 0;
      for (int k = 0; k < n; k++) {
        long product = coefficients[k];
        for (Operand x : factors[k]) {
          product *= x.scalar(f);
        }
        sum += product;
      }
      return sum;
    };
  }
}
