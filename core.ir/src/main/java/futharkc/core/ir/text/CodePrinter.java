package futharkc.core.ir.text;

import futharkc.core.ir.Loc;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.ReductionOperator;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A printer of imperative statements, which {@link CodeReader} reads. */
final class CodePrinter {
  private final Printer p;
  private final Declarations scope;

  CodePrinter(Printer p, Declarations scope) {
    this.p = p;
    this.scope = scope;
  }

  /** Prints statements in braces, with a scope of their own. */
  private void block(List<Code> code, Code.Variable... declared) {
    int entered = scope.enter();
    for (Code.Variable v : declared) {
      scope.declare(v);
    }
    p.lines(code, this::statement);
    scope.leave(entered);
  }

  void statement(Code code) {
    switch (code) {
      case Code.Declare d -> {
        Expr value = d.value();
        p.put("var " + declaration(Code.Variable.scalar(d.name(), d.type())));
        if (value != null) {
          p.put(" = " + expr(value));
        }
        declare(Code.Variable.scalar(d.name(), d.type()));
      }
      case Code.Assign a -> p.put(name(a.name()) + " = " + expr(a.value()));
      case Code.DeclareBlock d -> {
        Name value = d.value();
        block(d.block(), d.elem(), value == null ? "" : " = " + name(value));
      }
      case Code.SetBlock s ->
          p.put("set " + blockUse(s.block(), s.elem()) + " = " + name(s.value()));
      case Code.Alloc a -> {
        block(a.block(), a.elem(), " = alloc(" + expr(a.size()) + ")");
        p.loc(a.loc());
      }
      case Code.DeclareScratch d -> block(d.block(), d.elem(), " = scratch");
      case Code.Reserve r -> {
        p.put("reserve(" + blockUse(r.block(), r.elem()) + ", " + expr(r.size()) + ")");
        p.loc(r.loc());
      }
      case Code.Free f -> {
        p.put("free(" + blockUse(f.block(), f.elem()) + ")");
        if (!f.unless().isEmpty()) {
          p.put(" unless ").names(f.unless());
        }
      }
      case Code.IfUnused i -> {
        p.put("if_unused(" + blockUse(i.block(), i.elem()) + ", ").names(i.inUse());
        p.put(") ");
        branches(i.then(), i.otherwise());
      }
      case Code.ConstantBlock c ->
          block(
              c.block(),
              c.elem(),
              c.values().stream().map(Atoms::value).collect(Collectors.joining(", ", " = {", "}")));
      case Code.Pin x -> p.put("pin(" + blockUse(x.block(), x.elem()) + ")");
      case Code.Store s -> p.put(element(s.block(), s.elem(), s.index()) + " = " + expr(s.value()));
      case Code.CopyRun c ->
          p.put(
              "copy("
                  + element(c.to(), c.elem(), c.toAt())
                  + ", "
                  + element(c.from(), c.elem(), c.fromAt())
                  + ", "
                  + expr(c.count())
                  + ")");
      case Code.FillRun f ->
          p.put(
              "fill("
                  + element(f.block(), f.elem(), f.at())
                  + ", "
                  + expr(f.count())
                  + ", "
                  + expr(f.value())
                  + ")");
      case Code.MapRun m -> {
        PrimType type = m.fun().type();
        String blocks = blockUse(m.to(), type) + ", " + blockUse(m.from(), type);
        p.put("map " + m.fun() + "(" + blocks + ", " + expr(m.count()) + ")");
      }
      case Code.If i -> conditional(i);
      case Code.For f -> {
        p.put("for " + declaration(Code.Variable.scalar(f.index(), f.type())));
        if (!f.from().equals(Expr.zero(f.type()))) {
          p.put(" from " + expr(f.from()));
        }
        p.put(" < " + expr(f.to()) + " ");
        if (f.range() != Code.Range.UNKNOWN) {
          p.put(f.range().name().toLowerCase(Locale.ROOT) + " ");
        }
        if (f.invariant() > 0) {
          p.put("invariant " + f.invariant() + " ");
        }
        order(f.order());
        block(f.body(), Code.Variable.scalar(f.index(), f.type()));
      }
      case Code.While w -> {
        p.put("while " + use(Code.Variable.scalar(w.cond(), PrimType.BOOL)) + " ");
        block(w.body());
      }
      case Code.Outlined o -> {
        p.put("outlined ");
        if (!o.results().isEmpty()) {
          p.put("-> ").names(o.results());
          p.put(" ");
        }
        block(o.body());
      }
      case Code.Scope s -> block(s.body());
      case Code.Assert a -> assertion(a);
      case Code.CheckCancelled c -> p.put("check_cancelled");
      case Code.Trace t ->
          p.put(
              t.message().stream()
                  .map(this::part)
                  .collect(Collectors.joining(", ", "trace(", ")")));
      case Code.Call c -> {
        p.put("call " + Atoms.word(c.function())).list("(", c.args(), this::operand, ")");
        if (!c.targets().isEmpty()) {
          variables(" -> (", c.targets(), ")");
        }
        c.targets().forEach(this::declare);
      }
      case Code.Vector v -> vector(v);
      case Code.Multicore m -> multicore(m);
      case Code.Host h -> host(h);
      case Code.Kernel k -> kernel(k);
    }
  }

  private void order(Code.Order order) {
    switch (order) {
      case Code.Order.Independent o -> p.put("independent ");
      case Code.Order.Sequential o -> {
        if (o.independent() > 0) {
          p.put("independent " + o.independent() + " ");
        }
        if (!o.operators().isEmpty()) {
          p.put("reduce ").list("[", o.operators(), this::operator, "] ");
        }
      }
    }
  }

  private void operator(ReductionOperator o) {
    if (o.commutative()) {
      p.put("commutative ");
    }
    variables("(", o.accumulators(), ")");
    p.list(" neutral (", o.neutral(), e -> p.put(expr(e)), ")");
    p.list(" \\ (", o.left(), this::putName, ")");
    p.list(" (", o.right(), this::putName, ") ");
    block(o.body(), o.operands());
    // The results are in the scope of the body, which ends here.
    p.list(" -> (", o.results(), e -> p.put(expr(e)), ")");
  }

  private void vector(Code.Vector code) {
    switch (code) {
      case Code.VectorLoop l -> {
        p.put("vector " + l.lanes() + " " + name(l.index()));
        if (!l.from().equals(Expr.zero(PrimType.I64))) {
          p.put(" from " + expr(l.from()));
        }
        p.put(" < " + expr(l.to()) + " ");
        block(l.body(), Code.Variable.scalar(l.index(), PrimType.I64));
        p.put(" rest " + name(l.done()) + " ");
        block(l.rest(), Code.Variable.scalar(l.done(), PrimType.I64));
      }
      case Code.DeclareLanes d -> {
        Expr value = d.value();
        Code.Variable v = Code.Variable.scalar(d.name(), d.type());
        p.put("lanes var " + declaration(v) + (value == null ? "" : " = " + expr(value)));
        declare(v);
      }
      case Code.AssignLanes a -> {
        p.put("lanes " + name(a.name()) + " = " + expr(a.value()));
        mask(a.mask());
      }
      case Code.StoreLanes s -> {
        p.put("lanes " + element(s.block(), s.elem(), s.index()) + " = " + expr(s.value()));
        mask(s.mask());
      }
      case Code.AnyLane a -> p.put("any " + name(a.name()) + " = " + name(a.mask()));
    }
  }

  private void mask(@Nullable Name mask) {
    if (mask != null) {
      p.put(" where " + name(mask));
    }
  }

  private void multicore(Code.Multicore code) {
    switch (code) {
      case Code.ChunkCount c -> {
        Code.Variable chunks = Code.Variable.scalar(c.chunks(), PrimType.I64);
        p.put("var " + declaration(chunks) + " = chunk_count(" + expr(c.total()));
        p.put(", cost " + TypeText.poly(c.cost()) + ", per_thread " + c.perThread() + ")");
        declare(chunks);
      }
      case Code.RegionTime r -> {
        Code.Variable time = Code.Variable.scalar(r.time(), PrimType.I64);
        p.put("var " + declaration(time) + " = region_time(" + expr(r.total()));
        p.put(", cost " + TypeText.poly(r.cost()) + (r.chained() ? ", chained)" : ")"));
        declare(time);
      }
      case Code.ThreadCount t -> {
        Code.Variable threads = Code.Variable.scalar(t.threads(), PrimType.I64);
        p.put("var " + declaration(threads) + " = thread_count");
        declare(threads);
      }
      case Code.Parallel x -> {
        region("parallel ", x.label(), x.chunk(), x.from(), x.to(), x.total(), x.chunks(), x.loc());
        p.put(" ");
        block(x.body(), indices(x.chunk(), x.from(), x.to()));
      }
      case Code.ChainedScan x -> {
        region(
            "chained_scan ",
            x.label(),
            x.chunk(),
            x.from(),
            x.to(),
            x.total(),
            x.chunks(),
            x.loc());
        Code.Variable[] indices = indices(x.chunk(), x.from(), x.to());
        p.put(" reduce ");
        block(x.reduce(), indices);
        p.put(" combine ");
        block(x.combine(), indices);
        p.put(" scan ");
        block(x.scan(), indices);
      }
      case Code.Locked l -> {
        p.put("locked(" + expr(l.key()) + ") ");
        block(l.body());
      }
    }
  }

  private void host(Code.Host code) {
    switch (code) {
      case Code.Launch l -> {
        p.put("launch " + Atoms.word(l.label()));
        p.list("(", List.of(l.block(), l.thread()), this::putName, ")");
        p.put(" in " + expr(l.blocks()) + " of " + expr(l.threads()));
        if (l.grid().resident() > 0) {
          p.put(" resident " + l.grid().resident());
        }
        if (!l.space().isEmpty()) {
          p.put(l.grid().covers() ? " covering" : " over");
          p.list(" (", l.space(), this::dimension, ")");
        }
        if (!l.shared().isEmpty()) {
          p.list(
              " shared (", l.shared(), s -> p.put(name(s.block()) + ": " + expr(s.bytes())), ")");
        }
        p.loc(l.loc());
        p.put(" ");
        List<Code.Variable> bound = new ArrayList<>();
        for (Name n : List.of(l.block(), l.thread())) {
          bound.add(Code.Variable.scalar(n, PrimType.I64));
        }
        for (Code.Shared s : l.shared()) {
          bound.add(Code.Variable.block(s.block(), PrimType.I8));
        }
        block(l.body(), bound.toArray(Code.Variable[]::new));
      }
      case Code.AskElement a -> {
        p.put("ask " + name(a.request()) + " = " + element(a.block(), a.elem(), a.index()));
        p.loc(a.loc());
        declare(a.variable());
      }
      case Code.AwaitElements r -> {
        p.list(
            "await (",
            r.elements(),
            e -> p.put(declaration(e.variable()) + " = " + name(e.request())),
            ")");
        r.elements().forEach(e -> declare(e.variable()));
      }
      case Code.WriteElement w ->
          p.put("write " + element(w.block(), w.elem(), w.index()) + " = " + expr(w.value()));
      case Code.OnCopies c -> {
        p.list(
            "on_copies (",
            c.copies(),
            h -> p.put(name(h.copy()) + (h.isChanged() ? " changes " : " of ") + name(h.block())),
            ") ");
        block(
            c.body(),
            c.copies().stream().map(Code.HostCopy::variable).toArray(Code.Variable[]::new));
      }
      case Code.GetSize g ->
          scalar(g.target(), PrimType.I64, "get_size(" + ExpPrinter.parameter(g.parameter()) + ")");
      case Code.GetSizeMax g ->
          scalar(
              g.target(),
              PrimType.I64,
              "get_size_max(" + ExpPrinter.sizeClass(g.sizeClass()) + ")");
      case Code.CompareSize c ->
          scalar(
              c.target(),
              PrimType.BOOL,
              "cmp_size_le(" + ExpPrinter.parameter(c.parameter()) + ", " + expr(c.value()) + ")");
    }
  }

  private void kernel(Code.Kernel code) {
    switch (code) {
      case Code.Private x -> block(x.block(), x.elem(), " = private(" + x.size() + ")");
      case Code.DeclarePointer d -> {
        Name value = d.value();
        String memory = " = " + d.memory().name().toLowerCase(Locale.ROOT);
        String at = d.offset().isZero() ? "" : " at " + TypeText.poly(d.offset());
        block(d.block(), d.elem(), memory + (value == null ? "" : " " + name(value)) + at);
      }
      case Code.Barrier b -> p.put("barrier");
      case Code.Fence f -> p.put(f.ofBlock() ? "fence block" : "fence");
      case Code.Shuffle s ->
          scalar(
              s.target(),
              s.elem(),
              "shuffle(" + expr(s.value()) + ", " + expr(s.distance()) + ", " + s.width() + ")");
      case Code.SineAndCosine s -> {
        String both = name(s.sine()) + ", " + name(s.cosine());
        p.put("sincos " + both + ": " + s.type() + " = " + expr(s.operand()));
        declare(Code.Variable.scalar(s.sine(), s.type()));
        declare(Code.Variable.scalar(s.cosine(), s.type()));
      }
      case Code.Atomic a ->
          scalar(
              a.old(),
              a.elem(),
              "atomic "
                  + a.op()
                  + "("
                  + element(a.block(), a.elem(), a.index())
                  + ", "
                  + expr(a.operand())
                  + ")");
      case Code.CompareAndSet c ->
          scalar(
              c.old(),
              c.elem(),
              "compare_and_set("
                  + element(c.block(), c.elem(), c.index())
                  + ", "
                  + expr(c.expected())
                  + ", "
                  + expr(c.value())
                  + ")");
      case Code.VolatileLoad l ->
          scalar(l.target(), l.elem(), "volatile " + element(l.block(), l.elem(), l.index()));
      case Code.VolatileStore s ->
          p.put("volatile " + element(s.block(), s.elem(), s.index()) + " = " + expr(s.value()));
      case Code.Strided s -> {
        Code.Variable index = Code.Variable.scalar(s.index(), PrimType.I64);
        p.put("for " + declaration(index));
        if (!s.from().equals(Expr.zero(PrimType.I64))) {
          p.put(" from " + expr(s.from()));
        }
        p.put(" < " + expr(s.to()) + " by " + expr(s.step()) + " ");
        if (s.distribution() != Code.Distribution.NONE) {
          p.put("across " + s.distribution().name().toLowerCase(Locale.ROOT) + " ");
        }
        if (s.isIndependent()) {
          p.put("independent ");
        } else if (s.independent() > 0) {
          p.put("independent " + s.independent() + " ");
        }
        block(s.body(), index);
      }
      case Code.Attempt a -> {
        p.put("attempt ");
        block(a.body());
      }
      case Code.LeaveIfFailed l -> p.put("leave_if_failed");
    }
  }

  private void dimension(Code.Dimension d) {
    p.put(name(d.index()) + " of " + name(d.flat()) + " < " + TypeText.poly(d.extent()));
  }

  /** Prints the declaration of a scalar. */
  private void scalar(Name scalar, PrimType type, String value) {
    Code.Variable v = Code.Variable.scalar(scalar, type);
    p.put("var " + declaration(v) + " = " + value);
    declare(v);
  }

  private void region(
      String keyword, String label, Name chunk, Name from, Name to, Expr total, Expr n, Loc loc) {
    p.put(keyword + Atoms.word(label)).list("(", List.of(chunk, from, to), this::putName, ")");
    p.put(" over " + expr(total) + " in " + expr(n));
    p.loc(loc);
  }

  private static Code.Variable[] indices(Name chunk, Name from, Name to) {
    return new Code.Variable[] {
      Code.Variable.scalar(chunk, PrimType.I64),
      Code.Variable.scalar(from, PrimType.I64),
      Code.Variable.scalar(to, PrimType.I64)
    };
  }

  private void conditional(Code.If i) {
    p.put("if " + expr(i.cond()) + " ");
    branches(i.then(), i.otherwise());
  }

  /** Prints the branches of a conditional. A chain of conditionals has constant indentation. */
  private void branches(List<Code> then, List<Code> otherwise) {
    block(then);
    if (otherwise.isEmpty()) {
      return;
    }
    p.put(" else ");
    if (otherwise.size() == 1 && otherwise.get(0) instanceof Code.If next) {
      conditional(next);
    } else {
      block(otherwise);
    }
  }

  private void assertion(Code.Assert a) {
    p.put("assert(" + expr(a.cond()));
    a.message().forEach(m -> p.put(", " + part(m)));
    a.trace().forEach(l -> p.put(", @" + Atoms.loc(l)));
    p.put(")");
  }

  private String part(Code.MessagePart part) {
    return switch (part) {
      case Code.MessagePart.Text t -> Atoms.string(t.text());
      case Code.MessagePart.Value v -> (v.unsigned() ? "unsigned " : "") + expr(v.value());
    };
  }

  // Variables

  /** Prints the declaration of a block variable. */
  private void block(Name block, PrimType elem, String value) {
    Code.Variable v = Code.Variable.block(block, elem);
    p.put("var " + declaration(v) + value);
    declare(v);
  }

  void declare(Code.Variable v) {
    scope.declare(v);
  }

  void variables(String open, List<Code.Variable> variables, String close) {
    p.list(open, variables, v -> p.put(declaration(v)), close);
  }

  static String declaration(Code.Variable v) {
    return Atoms.name(v.name()) + ": " + type(v);
  }

  static String type(Code.Variable v) {
    return (v.isBlock() ? "[]" : "") + v.type();
  }

  private String use(Code.Variable v) {
    return v.equals(scope.find(v.name())) ? Atoms.name(v.name()) : declaration(v);
  }

  private String blockUse(Name block, PrimType elem) {
    return use(Code.Variable.block(block, elem));
  }

  private String element(Name block, PrimType elem, Poly index) {
    return blockUse(block, elem) + "[" + TypeText.poly(index) + "]";
  }

  private void putName(Name n) {
    p.put(name(n));
  }

  private static String name(Name n) {
    return Atoms.name(n);
  }

  // Expressions

  void operand(Code.Operand o) {
    p.put(
        switch (o) {
          case Code.Operand.Scalar s -> expr(s.value());
          case Code.Operand.Block b -> blockUse(b.name(), b.elem());
        });
  }

  private String expr(Expr e) {
    return switch (e) {
      case Expr.Const c -> Atoms.value(c.value());
      case Expr.Var v -> use(Code.Variable.scalar(v.name(), v.type()));
      case Expr.Index i -> "(" + TypeText.poly(i.poly()) + ")";
      case Expr.Binary b -> b.op() + "(" + expr(b.left()) + ", " + expr(b.right()) + ")";
      case Expr.Unary u -> u.op() + "(" + expr(u.operand()) + ")";
      case Expr.Compare c -> c.op() + "(" + expr(c.left()) + ", " + expr(c.right()) + ")";
      case Expr.Convert c -> c.op() + "(" + expr(c.operand()) + ")";
      case Expr.Apply a ->
          a.fun() + a.args().stream().map(this::expr).collect(Collectors.joining(", ", "(", ")"));
      case Expr.Load l -> element(l.block(), l.type(), l.index());
      case Expr.Capacity c -> "capacity(" + blockUse(c.block(), c.elem()) + ")";
      case Expr.Tuning t ->
          "user_param(" + Atoms.string(t.name()) + ", " + expr(t.defaultValue()) + ")";
    };
  }
}
