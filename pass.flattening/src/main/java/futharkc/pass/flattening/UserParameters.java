package futharkc.pass.flattening;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Builder;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Program;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Moves look-ups of user parameters from second-order operations to host code, since threads cannot
 * look up parameters. A look-up returns its default if the parameter is not set. So a parameter is
 * not set if two look-ups with different defaults return different values:
 *
 * <pre>{@code
 * let k = user_param("foo", x)    =>    let k = if set then {value} else {x}
 * }</pre>
 *
 * where {@code value = user_param("foo", 0)} and {@code set = value == user_param("foo", 1)} are at
 * the beginning of the function.
 */
final class UserParameters extends Mapper {
  /** The host's values for a parameter: whether it is set, and its value. */
  private record Known(SubExp isSet, SubExp value) {}

  private final Map<String, Known> known = new LinkedHashMap<>();
  private final Builder before;
  private boolean inside;

  private UserParameters(NameSource names) {
    this.before = new Builder(names);
  }

  /** Returns the program with these look-ups in host code. */
  static Program onHost(Program p) {
    Map<String, FunDef> functions = new LinkedHashMap<>();
    p.functions().forEach((name, f) -> functions.put(name, onHost(f)));
    return p.withFunctions(functions);
  }

  private static FunDef onHost(FunDef f) {
    NameSource names = new NameSource(f.nextTag());
    UserParameters mapper = new UserParameters(names);
    List<Stm> rest = mapper.stms(f.body().stms());
    if (mapper.known.isEmpty()) {
      return f;
    }
    List<Stm> stms = new ArrayList<>(mapper.before.stms());
    stms.addAll(rest);
    return f.withBody(new Body(stms, f.body().results()), names.next());
  }

  @Override
  public Exp exp(Exp e) {
    boolean outside = !inside;
    inside |= e instanceof Soac;
    Exp mapped = super.exp(e);
    if (outside) {
      inside = false;
    }
    if (!inside || !(mapped instanceof BasicOp.UserParam p)) {
      return mapped;
    }
    Known k = known.computeIfAbsent(p.name(), this::lookUp);
    return Exp.Match.conditional(
        k.isSet(),
        new Body(List.of(), List.of(k.value())),
        new Body(List.of(), List.of(p.defaultValue())));
  }

  private Known lookUp(String parameter) {
    SubExp value =
        before.letExp("param", Type.I64, new BasicOp.UserParam(parameter, SubExp.i64(0)));
    SubExp other =
        before.letExp("param", Type.I64, new BasicOp.UserParam(parameter, SubExp.i64(1)));
    return new Known(before.cmp("set", CmpOp.Kind.EQ, PrimType.I64, value, other), value);
  }
}
