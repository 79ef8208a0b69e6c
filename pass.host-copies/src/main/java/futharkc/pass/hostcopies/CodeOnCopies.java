package futharkc.pass.hostcopies;

import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimFun;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.CodeCopies;
import futharkc.core.ir.imperative.CodeMapper;
import futharkc.core.ir.imperative.Expr;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Sequential code of the host or of one thread of a kernel, as code on copies of the blocks that it
 * accesses.
 */
final class CodeOnCopies extends CodeMapper {
  /** An exception that says that a statement cannot run on copies. */
  private static final class NotOnCopies extends RuntimeException {
    NotOnCopies() {
      super(null, null, false, false);
    }
  }

  private final NameSource names;
  private final Set<Name> constants;
  private final Map<Name, Name> copies = new LinkedHashMap<>();
  private final Set<Name> changed = new HashSet<>();

  private CodeOnCopies(NameSource names, Set<Name> constants) {
    this.names = names;
    this.constants = constants;
  }

  /**
   * Returns the statement on copies that has the effects of the code, with fresh names for all
   * variables that the code declares.
   *
   * @param constants the blocks of constants, which have no copies
   * @return null if the code does anything but compute scalars and access elements
   */
  static Code.@Nullable OnCopies of(List<Code> code, NameSource names, Set<Name> constants) {
    CodeOnCopies conversion = new CodeOnCopies(names, constants);
    List<Code> body;
    try {
      body = conversion.statements(code);
    } catch (NotOnCopies e) {
      return null;
    }
    if (conversion.copies.isEmpty()) {
      return null;
    }
    List<Code.HostCopy> copies = new ArrayList<>();
    conversion.copies.forEach(
        (block, copy) ->
            copies.add(new Code.HostCopy(copy, block, conversion.changed.contains(copy))));
    Map<Name, Poly> fresh = CodeCopies.fresh(CodeCopies.declared(body), names);
    return new Code.OnCopies(copies, CodeCopies.of(body, fresh));
  }

  private Name copy(Name block) {
    if (constants.contains(block)) {
      throw new NotOnCopies();
    }
    return copies.computeIfAbsent(block, names::fresh);
  }

  private Name changedCopy(Name block) {
    Name copy = copy(block);
    changed.add(copy);
    return copy;
  }

  @Override
  public Expr expr(Expr e) {
    return switch (e) {
      case Expr.Load l -> new Expr.Load(copy(l.block()), l.type(), l.index());
      case Expr.Capacity _, Expr.Tuning _ -> throw new NotOnCopies();
      case Expr.Const _,
          Expr.Var _,
          Expr.Index _,
          Expr.Binary _,
          Expr.Unary _,
          Expr.Compare _,
          Expr.Convert _,
          Expr.Apply _ ->
          super.expr(e);
    };
  }

  @Override
  public List<Code> statements(List<Code> code) {
    List<Code> out = new ArrayList<>();
    Map<Name, Code.AskElement> asked = new HashMap<>();
    for (Code c : code) {
      switch (c) {
        case Code.AskElement a -> asked.put(a.request(), a);
        case Code.AwaitElements w -> {
          for (Code.AwaitedElement e : w.elements()) {
            Code.AskElement a = asked.remove(e.request());
            Expr element = new Expr.Load(a.block(), a.elem(), a.index());
            out.add(new Code.Declare(e.target(), e.elem(), expr(element)));
          }
        }
        case Code.SineAndCosine s -> {
          Expr operand = expr(s.operand());
          out.add(function(s.sine(), PrimFun.Kind.SIN, s.type(), operand));
          out.add(function(s.cosine(), PrimFun.Kind.COS, s.type(), operand));
        }
        case Code.Simple _, Code.Compound _ -> {
          // A request that is not awaited at once reads an element that may change meanwhile.
          if (!asked.isEmpty()) {
            throw new NotOnCopies();
          }
          out.add(statement(c));
        }
      }
    }
    return out;
  }

  private static Code function(Name target, PrimFun.Kind kind, PrimType type, Expr operand) {
    return new Code.Declare(
        target, type, new Expr.Apply(new PrimFun(kind, type), List.of(operand)));
  }

  @Override
  public Code statement(Code code) {
    return switch (code) {
      case Code.Store s ->
          new Code.Store(changedCopy(s.block()), s.elem(), s.index(), expr(s.value()));
      case Code.WriteElement w ->
          new Code.Store(changedCopy(w.block()), w.elem(), w.index(), expr(w.value()));
      case Code.CopyRun c ->
          new Code.CopyRun(
              changedCopy(c.to()), c.toAt(), copy(c.from()), c.fromAt(), c.elem(), expr(c.count()));
      case Code.Attempt a -> new Code.Scope(statements(a.body()));
      case Code.Declare _,
          Code.Assign _,
          Code.If _,
          Code.For _,
          Code.While _,
          Code.Scope _,
          Code.Assert _,
          Code.CheckCancelled _,
          Code.Trace _ ->
          super.statement(code);
      case Code.DeclareBlock _,
          Code.SetBlock _,
          Code.Alloc _,
          Code.DeclareScratch _,
          Code.Reserve _,
          Code.Free _,
          Code.IfUnused _,
          Code.ConstantBlock _,
          Code.Pin _,
          Code.FillRun _,
          Code.MapRun _,
          Code.Outlined _,
          Code.Call _,
          Code.Vector _,
          Code.Multicore _,
          Code.Host _,
          Code.Kernel _ ->
          throw new NotOnCopies();
    };
  }
}
