package futharkc.backend.interpreter;

import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The variables of a function, or of the constants, while it is compiled. */
final class VariableScopes {
  private final @Nullable VariableScopes constants;
  private final @Nullable Frame constantsFrame;
  private final Device device;
  private final Map<Name, In> variables = new HashMap<>();
  private final Map<Name, Type> types = new HashMap<>();
  private final Map<Name, Integer> tokens = new HashMap<>();
  private int scalars;
  private int objects;
  private final boolean active;

  /**
   * Of a function that sees the constants; null for these themselves.
   *
   * @param active whether scalars may have derivatives
   */
  VariableScopes(
      @Nullable VariableScopes constants,
      @Nullable Frame constantsFrame,
      Device device,
      boolean active) {
    this.constants = constants;
    this.constantsFrame = constantsFrame;
    this.device = device;
    this.active = active;
  }

  /** Of a lambda with a frame of its own, in a function that has these. */
  VariableScopes inner(boolean active) {
    return new VariableScopes(constants, constantsFrame, device, active);
  }

  boolean active() {
    return active;
  }

  /** Whether a name is bound here, and not among the constants. */
  boolean binds(Name n) {
    return types.containsKey(n);
  }

  Frame newFrame() {
    return new Frame(scalars, objects, active);
  }

  In in(SubExp e) {
    return switch (e) {
      case SubExp.Const c -> In.constant(ScalarOps.bits(c.value()));
      case SubExp.Var v -> in(v.name());
    };
  }

  In in(Name n) {
    In local = variables.get(n);
    if (local != null) return local;
    if (constants == null || constantsFrame == null) throw new Fault(n + " is not bound");
    return In.of(constantsFrame, constants.in(n));
  }

  In[] ins(List<SubExp> es) {
    return es.stream().map(this::in).toArray(In[]::new);
  }

  In[] names(List<Name> ns) {
    return ns.stream().map(this::in).toArray(In[]::new);
  }

  /** The type of an operand. */
  Type type(SubExp e) {
    if (!(e instanceof SubExp.Var v)) return Type.prim(((SubExp.Const) e).value().type());
    Type t = types.get(v.name());
    if (t != null) return t;
    if (constants == null) throw new Fault(v + " is not bound");
    return constants.type(e);
  }

  /** A new variable. What its type mentions must be bound already. */
  Out out(Name n, Type t) {
    types.put(n, t);
    return switch (t) {
      case Type.Prim p -> {
        int slot = scalars++;
        variables.put(n, In.scalarAt(slot));
        yield active ? new Out.ActiveScalar(slot) : new Out.Scalar(slot);
      }
      case Type.Mem m -> new Out.Memory(object(n));
      case Type.Acc a -> new Out.Acc(object(n), tokens.computeIfAbsent(a.token(), x -> objects++));
      case Type.Array a -> {
        In[] dims = ins(a.shape());
        Out.Place place =
            a.mem() == null
                ? null
                : new Out.Place(
                    in(a.mem().block()),
                    poly(a.mem().lmad().offset()),
                    a.mem().lmad().dims().stream()
                        .map(d -> poly(d.stride()))
                        .toArray(Instruction.Poly[]::new));
        yield new Out.Array(n.toString(), object(n), a.elem(), dims, place, device, active);
      }
    };
  }

  private int object(Name n) {
    int slot = objects++;
    variables.put(n, In.objectAt(slot));
    return slot;
  }

  private Instruction.Poly poly(Poly p) {
    Long c = p.constant();
    if (c != null) return f -> c;
    int n = p.terms().size();
    long[] coefficients = new long[n];
    In[][] factors = new In[n][];
    int i = 0;
    for (Map.Entry<Poly.Product, Long> e : p.terms().entrySet()) {
      coefficients[i] = e.getValue();
      factors[i++] = names(e.getKey().factors());
    }
    return f -> {
      long sum = 0;
      for (int k = 0; k < n; k++) {
        long product = coefficients[k];
        for (In x : factors[k]) product *= x.scalar(f);
        sum += product;
      }
      return sum;
    };
  }
}
