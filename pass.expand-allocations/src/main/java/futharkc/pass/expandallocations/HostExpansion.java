package futharkc.pass.expandallocations;

import futharkc.core.ir.Aux;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Builder;
import futharkc.core.ir.Exp;
import futharkc.core.ir.HostOp;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Scope;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Substitution;
import futharkc.core.ir.spi.Option;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassException;
import futharkc.core.ir.spi.Remark;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Expands the kernels in the host code of a function, and drops versions with allocations that
 * cannot move.
 */
final class HostExpansion extends Mapper {
  /** The maximum bytes of private memory per thread. */
  static final Option PRIVATE_BYTES =
      Option.integer(
          "private-bytes",
          8192,
          "maximum bytes of private memory per thread; a device reserves private memory for"
              + " all threads that it can run");

  private final String function;
  private final NameSource names;
  private final Scope scope;
  private final PassContext context;
  private final Set<Name> ofArrays = new HashSet<>();
  private final Map<Name, Exp> conditions = new HashMap<>();

  /** The results of inlined versions, by the names that the dropped branches bound. */
  private final Map<Name, SubExp> replacements = new HashMap<>();

  private int kernels;

  HostExpansion(String function, NameSource names, Scope scope, PassContext context) {
    this.function = function;
    this.names = names;
    this.scope = scope;
    this.context = context;
  }

  /** Expands the kernels of a function's body. */
  Body function(Body b) {
    Body expanded = body(b);
    return replacements.isEmpty() ? expanded : new Substitution(replacements).body(expanded);
  }

  @Override
  public List<Stm> stms(List<Stm> stms) {
    List<Stm> out = new ArrayList<>();
    boolean changed = false;
    for (Stm s : stms) {
      Builder before = new Builder(names).with(Aux.at(s.aux().loc()));
      @Nullable Stm t =
          switch (s.exp()) {
            case SegExp.Seg x -> {
              var kernel = kernel(before, s);
              var op = kernel.segOp(x.op());
              yield op == x.op() ? s : s.withExp(new SegExp.Seg(op));
            }
            case HostOp.GpuBody x -> {
              var kernel = kernel(before, s);
              Body body = kernel.body(x.body());
              yield body == x.body() ? s : s.withExp(new HostOp.GpuBody(x.types(), body));
            }
            case Exp.Match m -> match(s, m, before);
            default -> stm(s);
          };
      if (t == null) {
        out.addAll(before.stms());
        changed = true;
        continue;
      }
      if (isCondition(s.exp())) {
        conditions.put(s.names().get(0), s.exp());
      }
      out.addAll(before.stms());
      out.add(t);
      changed |= t != s;
    }
    return changed ? out : stms;
  }

  private KernelExpansion kernel(Builder before, Stm s) {
    String parameter = function + ".segmap_in_turns_" + kernels++;
    return new KernelExpansion(
        names, scope, before, s.aux().loc(), parameter, ofArrays, context.number(PRIVATE_BYTES));
  }

  @Override
  public Exp exp(Exp e) {
    if (!(e instanceof Exp.WithAcc w)) {
      return super.exp(e);
    }
    ofArrays.addAll(KernelExpansion.tokensOfArrays(w));
    List<Exp.AccInput> inputs = list(w.inputs(), in -> PrivateMemory.operator(in, names));
    var lambda = lambda(w.lambda());
    return inputs == w.inputs() && lambda == w.lambda() ? w : new Exp.WithAcc(inputs, lambda);
  }

  // Versions

  private static boolean isCondition(Exp e) {
    return e instanceof HostOp.CmpSizeLe
        || e instanceof BasicOp.BinOpExp b && b.op().kind() == BinOp.Kind.LOG_AND;
  }

  /** Tests whether a condition chooses between two versions. */
  private boolean choosesVersion(SubExp e) {
    if (!(e instanceof SubExp.Var v)) {
      return false;
    }
    return switch (conditions.get(v.name())) {
      case HostOp.CmpSizeLe c -> true;
      case BasicOp.BinOpExp b -> choosesVersion(b.left()) || choosesVersion(b.right());
      case null, default -> false;
    };
  }

  /**
   * Tests whether such a condition depends on a threshold only, so that both versions are
   * permitted.
   */
  private boolean mayBeIgnored(SubExp e) {
    return e instanceof SubExp.Var v && conditions.get(v.name()) instanceof HostOp.CmpSizeLe;
  }

  /**
   * Expands the branches of a statement, or returns null after it has added the only version that
   * is possible to the statements before.
   */
  private @Nullable Stm match(Stm s, Exp.Match m, Builder before) {
    boolean versions = m.scrutinees().size() == 1 && m.cases().size() == 1;
    if (!versions || !choosesVersion(m.scrutinees().get(0))) {
      return s.withExp(super.exp(m));
    }
    SubExp condition = m.scrutinees().get(0);
    Exp.Case first = m.cases().get(0);
    Attempt then = attempt(s, first.body());
    Attempt otherwise = attempt(s, m.otherwise());
    if (then.body != null && otherwise.body != null) {
      return then.body == first.body() && otherwise.body == m.otherwise()
          ? s
          : s.withExp(
              new Exp.Match(
                  m.scrutinees(),
                  List.of(new Exp.Case(first.pattern(), then.body)),
                  otherwise.body));
    }
    Body only = otherwise.body;
    if (only == null) {
      if (then.body == null || !mayBeIgnored(condition)) {
        throw otherwise.failure();
      }
      only = then.body;
    }
    for (Stm t : only.stms()) {
      before.add(new Stm(t.pat(), t.aux().plusCerts(s.aux().certs()), t.exp()));
    }
    for (int i = 0; i < s.pat().size(); i++) {
      SubExp result = only.results().get(i);
      if (result instanceof SubExp.Var v) {
        result = replacements.getOrDefault(v.name(), result);
      }
      replacements.put(s.pat().get(i).name(), result);
    }
    return null;
  }

  /** A version after expansion, or the reason why expansion failed. */
  private record Attempt(@Nullable Body body, @Nullable PassException why) {
    PassException failure() {
      if (why == null) {
        throw new IllegalStateException("the version exists");
      }
      return why;
    }
  }

  private Attempt attempt(Stm s, Body b) {
    try {
      return new Attempt(body(b), null);
    } catch (PassException e) {
      context.remark(
          Remark.Kind.MISSED, function, s.aux().loc(), "dropped a version: " + e.getMessage());
      return new Attempt(null, e);
    }
  }
}
