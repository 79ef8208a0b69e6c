package futharkc.pass.hostcopies;

import futharkc.core.ir.BinOp;
import futharkc.core.ir.Loc;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.CodeMapper;
import futharkc.core.ir.imperative.CodeSearch;
import futharkc.core.ir.imperative.CodeSize;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.imperative.Variables;
import futharkc.core.ir.spi.Option;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.Remark;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A rewriting of a function of the host for {@link HostCopiesPass}. */
final class HostVersions extends CodeMapper {
  static final Option BYTES =
      Option.integer(
          "bytes",
          4000,
          "maximum bytes of bytecode of the host's version, which is one Java method");

  private final String function;
  private final NameSource names;
  private final Times times;
  private final PassContext context;

  /** The blocks of constants. */
  private final Set<Name> constants = new HashSet<>();

  /** The scalars with constant values. */
  private final Map<Name, Poly> known = new HashMap<>();

  private final Set<Name> assigned;

  /** The scalars that may have no value before a version of the host assigns them. */
  private final Set<Name> unassigned = new HashSet<>();

  HostVersions(ImperativeProgram.Function function, Times times, PassContext context) {
    this.function = function.name();
    this.assigned = Variables.assignedBy(function.body());
    this.names = new NameSource(function.nextTag());
    this.times = times;
    this.context = context;
  }

  int nextTag() {
    return names.next();
  }

  @Override
  public Code statement(Code code) {
    Code version =
        switch (code) {
          case Code.Launch l when isOfOneThread(l) -> ofKernel(l);
          case Code.For f -> ofLoop(f);
          case Code.While w -> ofLoop(w);
          case Code.ConstantBlock c -> {
            constants.add(c.block());
            yield null;
          }
          case Code.Declare d -> {
            declared(d);
            yield null;
          }
          case Code.Simple _, Code.Compound _ -> null;
        };
    if (version != null) {
      return version;
    }
    return code instanceof Code.Launch ? code : super.statement(code);
  }

  private void declared(Code.Declare d) {
    if (d.value() == null) {
      unassigned.add(d.name());
    } else if (d.value().poly() instanceof Poly p
        && p.constant() != null
        && !assigned.contains(d.name())) {
      known.put(d.name(), p);
    }
  }

  private boolean isOfOneThread(Code.Launch l) {
    return isOne(l.blocks()) && isOne(l.threads()) && l.shared().isEmpty();
  }

  private boolean isOne(Expr e) {
    Poly p = e.poly();
    return p != null && p.substitute(n -> known.getOrDefault(n, Poly.of(n))).equals(Poly.ONE);
  }

  private @Nullable Code ofKernel(Code.Launch l) {
    List<Code> body = new ArrayList<>();
    body.add(new Code.Declare(l.block(), PrimType.I64, Expr.i64(0)));
    body.add(new Code.Declare(l.thread(), PrimType.I64, Expr.i64(0)));
    body.addAll(l.body());
    return either(l, body, times.savedOfKernel(l), l.loc());
  }

  private @Nullable Code ofLoop(Code loop) {
    boolean hasTransfers =
        CodeSearch.anyStatement(
            List.of(loop), c -> c instanceof Code.AwaitElements || c instanceof Code.WriteElement);
    boolean launches = CodeSearch.anyStatement(List.of(loop), c -> c instanceof Code.Launch);
    if (!hasTransfers || launches) {
      return null;
    }
    return either(loop, List.of(loop), times.savedOfLoop(loop), loc(List.of(loop)));
  }

  /** Returns the location of the first read by the host in some statements, if there is any. */
  private static Loc loc(List<Code> code) {
    for (Code c : code) {
      if (c instanceof Code.AskElement a) {
        return a.loc();
      }
      if (c instanceof Code.Compound x) {
        for (List<Code> body : x.bodies()) {
          Loc inside = loc(body);
          if (!inside.equals(Loc.NONE)) {
            return inside;
          }
        }
      }
    }
    return Loc.NONE;
  }

  /**
   * Returns code that runs a statement on copies if that is faster, otherwise as it is; null if the
   * statement never runs on copies.
   *
   * @param code what runs on copies
   * @param saved the nanoseconds that the statement takes longer than code on copies, without
   *     transfers
   */
  private @Nullable Code either(Code statement, List<Code> code, Poly saved, Loc loc) {
    if (Variables.assignedBy(code).stream().anyMatch(unassigned::contains)) {
      return null;
    }
    Code.OnCopies host = CodeOnCopies.of(code, names, constants);
    if (host == null || CodeSize.of(host.body()) > context.number(BYTES)) {
      return null;
    }
    Poly gain = saved.minus(times.copies(host.copies().size()));
    Long constant = gain.constant();
    if (constant != null && constant <= 0 || !context.mayChange()) {
      return null;
    }
    context.countChange();
    int n = host.copies().size();
    context.remark(
        Remark.Kind.APPLIED,
        function,
        loc,
        "the host runs this on "
            + (n == 1 ? "a copy of an array" : "copies of " + n + " arrays")
            + " if that is faster");
    Expr isFaster = Expr.less(bytes(host), new Expr.Index(gain.times(times.bytes())));
    return new Code.If(isFaster, List.of(host), List.of(statement));
  }

  /** Returns the number of bytes that the transfers move. */
  private static Expr bytes(Code.OnCopies host) {
    Expr sum = null;
    for (Code.HostCopy c : host.copies()) {
      Expr bytes = new Expr.Capacity(c.block(), PrimType.I8);
      for (int i = c.isChanged() ? 2 : 1; i > 0; i--) {
        sum = sum == null ? bytes : Expr.binary(BinOp.Kind.ADD, sum, bytes);
      }
    }
    return Objects.requireNonNull(sum);
  }
}
