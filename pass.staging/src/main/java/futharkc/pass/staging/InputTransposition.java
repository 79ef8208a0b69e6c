package futharkc.pass.staging;

import futharkc.core.ir.Aux;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Program;
import futharkc.core.ir.Scope;
import futharkc.core.ir.SegLevel;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.SegSpace;
import futharkc.core.ir.Slice;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.Remark;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * A search for matrices that kernels in a function's loops read by rows, and the insertion of their
 * copies.
 */
final class InputTransposition {
  private final FunDef function;
  private final PassContext context;
  private final Scope scope;
  private final NameSource names;

  InputTransposition(FunDef function, Program program, PassContext context) {
    this.function = function;
    this.context = context;
    this.scope = Scope.ofAll(program, function);
    this.names = new NameSource(function.nextTag());
  }

  FunDef run() {
    Body b = new Host().body(function.body());
    return b == function.body() ? function : function.withBody(b, names.next());
  }

  /** A traversal of the host's loops, the outermost first. */
  private final class Host extends Mapper {
    @Override
    public List<Stm> stms(List<Stm> stms) {
      List<Stm> out = new ArrayList<>();
      boolean same = true;
      for (Stm s : stms) {
        Stm now = stm(s.exp() instanceof Exp.Loop l ? loop(s, l, out) : s);
        same &= now == s;
        out.add(now);
      }
      return same ? stms : out;
    }

    @Override
    public SegOp segOp(SegOp op) {
      return op;
    }
  }

  private Stm loop(Stm s, Exp.Loop l, List<Stm> before) {
    Set<Name> inside = new HashSet<>();
    new Mapper() {
      @Override
      public Name binder(Name b) {
        inside.add(b);
        return b;
      }
    }.exp(l);
    Map<Name, Name> columns = new LinkedHashMap<>();
    return new Mapper() {
      @Override
      public SegOp segOp(SegOp op) {
        if (!(op.level() instanceof SegLevel.Thread)) {
          return op;
        }
        Map<Name, Name> replaced = new HashMap<>();
        for (Name a : new Rows(op).repeated()) {
          if (inside.contains(a)) {
            continue;
          }
          replaced.put(a, columns.computeIfAbsent(a, k -> copy(a, s.aux(), before)));
        }
        return replaced.isEmpty() ? op : renamed(op, replaced);
      }
    }.stm(s);
  }

  private Name copy(Name matrix, Aux aux, List<Stm> before) {
    Name columns = names.fresh("columns");
    before.add(
        new Stm(
            List.of(new PatElem(columns, scope.type(matrix))),
            Aux.at(aux.loc()),
            new BasicOp.Manifest(matrix, List.of(1, 0))));
    String what = matrix + " is copied to column-major order for the threads that read its rows";
    context.remark(Remark.Kind.APPLIED, function.name(), aux.loc(), what);
    return columns;
  }

  private static SegOp renamed(SegOp op, Map<Name, Name> replaced) {
    return new Mapper() {
      @Override
      public Name name(Name use) {
        return replaced.getOrDefault(use, use);
      }
    }.segOp(op);
  }

  /** The matrices of which each thread of an operation reads a row. */
  private final class Rows extends Mapper {
    private final Name thread;
    private final Map<Name, Integer> uses = new HashMap<>();
    private final Map<Name, Integer> reads = new HashMap<>();
    private final Set<Name> repeated = new LinkedHashSet<>();
    private final List<Name> loops = new ArrayList<>();

    Rows(SegOp op) {
      List<SegSpace.Dim> dims = op.space().dims();
      thread = dims.getLast().index();
      segOp(op);
    }

    /**
     * Returns the matrices that are only read by rows, and of which a thread reads its row several
     * times.
     */
    List<Name> repeated() {
      return repeated.stream().filter(a -> Objects.equals(uses.get(a), reads.get(a))).toList();
    }

    @Override
    public Exp exp(Exp e) {
      if (e instanceof Exp.Loop l && l.form() instanceof Exp.Form.For f) {
        loops.add(f.index());
        Exp same = super.exp(e);
        loops.removeLast();
        return same;
      }
      return super.exp(e);
    }

    @Override
    public Stm stm(Stm s) {
      if (s.exp() instanceof BasicOp.Index x && isOfRow(x)) {
        reads.merge(x.array(), 1, Integer::sum);
        if (loops.size() >= 2) {
          repeated.add(x.array());
        }
      }
      return super.stm(s);
    }

    private boolean isOfRow(BasicOp.Index x) {
      List<Slice.Dim> dims = x.slice().dims();
      return dims.size() == 2
          && x.slice().isElement()
          && !loops.isEmpty()
          && scope.lookup(x.array()) instanceof Type.Array t
          && isLong(t)
          && ((Slice.Fix) dims.get(0)).index().equals(SubExp.of(thread))
          && ((Slice.Fix) dims.get(1)).index().equals(SubExp.of(loops.getLast()));
    }

    private boolean isLong(Type.Array t) {
      return !(t.shape().get(1) instanceof SubExp.Const c)
          || c.value().asLong() * t.elem().bytes() > context.target().kernels().memory().sector();
    }

    @Override
    public Name name(Name use) {
      uses.merge(use, 1, Integer::sum);
      return use;
    }
  }
}
