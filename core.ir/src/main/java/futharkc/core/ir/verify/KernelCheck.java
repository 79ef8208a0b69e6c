package futharkc.core.ir.verify;

import static futharkc.core.ir.verify.Check.broken;
import static futharkc.core.ir.verify.Check.require;

import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.CodeMapper;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.imperative.Variables;
import futharkc.core.ir.verify.CodeScope.Kind;
import futharkc.core.ir.verify.CodeScope.Lack;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Verification of the rules of GPU programs: the separation of host and kernel statements, the
 * memory of blocks, and uniform execution of barriers.
 */
final class KernelCheck {
  /** The context of a statement. */
  private enum CodeContext {
    /** Code of a program without a GPU. */
    ANYWHERE,
    HOST,
    /** Code of the host inside a {@link Code.OnCopies}. */
    COPIES,
    /** Code of a thread that may execute barriers. */
    KERNEL,
    /** Code of a thread inside an {@link Code.Attempt} or a function. */
    ATTEMPT
  }

  private final CodeCheck check;
  private final CodeScope scope;
  private final ExprCheck exprs;
  private final Map<Name, Code.Memory> memory = new HashMap<>();

  /** The polynomials that declare variables of the host. */
  private final Map<Name, Poly> sizes = new HashMap<>();

  private CodeContext context;

  KernelCheck(
      CodeCheck check, CodeScope scope, ExprCheck exprs, boolean isGpu, boolean onOneThread) {
    this.check = check;
    this.scope = scope;
    this.exprs = exprs;
    enter(!isGpu ? CodeContext.ANYWHERE : onOneThread ? CodeContext.ATTEMPT : CodeContext.HOST);
  }

  private void enter(CodeContext next) {
    context = next;
    exprs.allowCapacities(next == CodeContext.ANYWHERE || next == CodeContext.HOST);
  }

  /** Checks that a statement is legal in the current context. */
  void isAllowed(Code code) {
    if (context == CodeContext.ANYWHERE) {
      return;
    }
    if (context == CodeContext.COPIES) {
      isAllowedOnCopies(code);
      return;
    }
    boolean host = context == CodeContext.HOST;
    switch (code) {
      case Code.Declare d -> {
        elements(d);
        if (host && d.value() != null && d.value().poly() instanceof Poly p) {
          sizes.put(d.name(), p);
        }
      }
      case Code.Assign a -> {
        elements(a);
        sizes.remove(a.name());
      }
      case Code.If i -> {
        if (host) {
          elements(new Code.If(i.cond(), List.of(), List.of()));
        }
      }
      case Code.For f -> {
        if (host) {
          elements(f.withBody(List.of()));
        }
      }
      case Code.Assert a -> {
        elements(a);
        require(context != CodeContext.KERNEL, "an assertion of a kernel outside any attempt");
      }
      case Code.Call c -> elements(c);
      case Code.CheckCancelled c -> onHost(host, "cancellation is checked");
      case Code.Trace t -> {
        elements(t);
        require(host, "a kernel prints a trace");
      }
      case Code.While w -> {}
      case Code.Scope s -> {}
      case Code.ConstantBlock c -> {}
      case Code.SetBlock s -> {}
      case Code.DeclareBlock d -> onHost(host, "a block variable is declared without a memory");
      case Code.Alloc a -> {
        onHost(host, "a block is allocated");
        require(
            a.elem() == PrimType.I8,
            "device memory is allocated with element type " + a.elem() + ", not i8");
        elements(a);
      }
      case Code.Free f -> onHost(host, "a block is released");
      case Code.IfUnused i -> {}
      case Code.Pin p -> onHost(host, "a block is pinned");
      case Code.CopyRun c -> {
        onHost(host, "consecutive elements are copied");
        elements(c);
      }
      case Code.Store s -> require(!host, "the host stores an element directly");
      // Illegal in GPU programs, which {@link Legality} reports.
      case Code.FillRun _,
          Code.MapRun _,
          Code.Outlined _,
          Code.DeclareScratch _,
          Code.Reserve _,
          Code.Vector _,
          Code.Multicore _ -> {}
      case Code.Host h -> {
        onHost(host, "a host statement is executed");
        if (!(h instanceof Code.Compound)) {
          elements(h);
        }
      }
      case Code.Kernel k -> require(!host, "the host executes a kernel statement");
    }
  }

  private void isAllowedOnCopies(Code code) {
    boolean isAllowed =
        switch (code) {
          case Code.Declare _,
              Code.Assign _,
              Code.Store _,
              Code.CopyRun _,
              Code.If _,
              Code.For _,
              Code.While _,
              Code.Scope _,
              Code.Assert _,
              Code.CheckCancelled _,
              Code.Trace _ ->
              true;
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
              Code.Gpu _ ->
              false;
        };
    require(isAllowed, "a statement on copies of blocks neither computes nor accesses elements");
  }

  private static void onHost(boolean host, String what) {
    require(host, what + " in a kernel");
  }

  /** Checks that host expressions do not load elements of blocks. */
  private void elements(Code code) {
    if (context != CodeContext.HOST) {
      return;
    }
    new CodeMapper() {
      @Override
      public Expr expr(Expr e) {
        if (e instanceof Expr.Load l) {
          throw broken("the host uses an element of " + l.block() + " directly");
        }
        return super.expr(e);
      }
    }.statement(code);
  }

  void call(Code.Call c, ImperativeProgram.Function f) {
    switch (context) {
      case ANYWHERE -> {}
      case HOST ->
          require(!f.onOneThread(), "the host calls " + f.name() + ", a kernel's function");
      case COPIES -> throw broken("a function is called in a statement on copies");
      case KERNEL -> throw broken("a function is called outside any attempt");
      case ATTEMPT -> {
        require(f.onOneThread(), "a kernel calls " + f.name() + ", a function of the host");
        for (Code.Operand o : c.args()) {
          if (o instanceof Code.Operand.Block b) {
            require(of(b.name()) == Code.Memory.DEVICE, b.name() + " is not in device memory");
          }
        }
      }
    }
  }

  // Host statements

  void host(Code.Host code) {
    switch (code) {
      case Code.Launch l -> launch(l);
      case Code.AskElement a -> {
        element(a.block(), a.elem(), a.index());
        scope.declare(a.variable(), Kind.REQUEST);
        scope.lack(a.request(), Lack.REQUESTED);
      }
      case Code.AwaitElements r -> {
        for (Code.AwaitedElement e : r.elements()) {
          require(
              scope.find(e.request()).kind() == Kind.REQUEST, e.request() + " is not a request");
          scope.declare(e.variable(), Kind.SCALAR);
        }
      }
      case Code.WriteElement w -> {
        check.written(w.block(), w.elem());
        exprs.index(w.index());
        exprs.expr(w.value(), w.elem(), "the value stored in " + w.block());
      }
      case Code.OnCopies c -> onCopies(c);
      case Code.GetSize g -> scalar(g.target(), PrimType.I64);
      case Code.GetSizeMax g -> scalar(g.target(), PrimType.I64);
      case Code.CompareSize c -> {
        exprs.expr(c.value(), PrimType.I64, "the value compared with a threshold");
        scalar(c.target(), PrimType.BOOL);
      }
    }
  }

  private void onCopies(Code.OnCopies code) {
    require(context == CodeContext.HOST, "blocks are copied inside a statement on copies");
    enter(CodeContext.COPIES);
    int entered = scope.enter();
    Set<Name> changed = new HashSet<>();
    for (Code.HostCopy c : code.copies()) {
      exprs.block(c.block(), PrimType.I8);
      scope.declare(c.variable(), Kind.PARAMETER);
      if (c.isChanged()) {
        changed.add(c.copy());
      }
    }
    check.block(code.body());
    scope.leave(entered);
    enter(CodeContext.HOST);
    Set<Name> copies = new HashSet<>();
    code.copies().forEach(c -> copies.add(c.copy()));
    new CodeMapper() {
      @Override
      public Code statement(Code c) {
        switch (c) {
          case Code.Store s -> written(s.block());
          case Code.CopyRun r -> {
            written(r.to());
            read(r.from());
          }
          default -> {}
        }
        return super.statement(c);
      }

      @Override
      public Expr expr(Expr e) {
        if (e instanceof Expr.Load l) {
          read(l.block());
        }
        return super.expr(e);
      }

      private void written(Name block) {
        require(changed.contains(block), block + " is changed, but is not a copy to be changed");
      }

      private void read(Name block) {
        require(copies.contains(block), "the host uses an element of " + block + ", no copy");
      }
    }.statements(code.body());
  }

  private void launch(Code.Launch l) {
    exprs.expr(l.blocks(), PrimType.I64, "the number of blocks");
    exprs.expr(l.threads(), PrimType.I64, "the number of threads");
    for (Code.Shared s : l.shared()) {
      exprs.expr(s.bytes(), PrimType.I64, "the size of shared memory");
    }
    for (Code.Dimension d : l.space()) {
      exprs.expr(new Expr.Index(d.extent()), PrimType.I64, "the extent of a dimension");
    }
    CodeContext before = context;
    enter(CodeContext.KERNEL);
    scope.enterRegion();
    int entered = scope.enter();
    for (Code.Shared s : l.shared()) {
      scope.declare(Code.Variable.block(s.block(), PrimType.I8), Kind.PARAMETER);
      memory.put(s.block(), Code.Memory.SHARED);
    }
    check.block(l.body(), l.block(), l.thread());
    scope.leave(entered);
    scope.leaveRegion();
    enter(before);
    new LaunchFacts(l, sizes).check();
    Uniformity.check(l);
  }

  // Kernel statements

  void kernel(Code.Kernel code) {
    switch (code) {
      case Code.Private p -> {
        require(p.size() >= 0, "an array of " + p.size() + " elements");
        scope.declare(Code.Variable.block(p.block(), p.elem()), Kind.PARAMETER);
        memory.put(p.block(), Code.Memory.PRIVATE);
      }
      case Code.DeclarePointer d -> {
        require(
            d.elem() == PrimType.I8 || d.memory() == Code.Memory.PRIVATE,
            "a block of device or shared memory has element type " + d.elem() + ", not i8");
        memory.put(d.block(), d.memory());
        Name value = d.value();
        if (value != null) {
          exprs.block(value, d.elem());
          sameMemory(d.block(), value);
        }
        exprs.index(d.offset());
        require(
            value != null || d.offset().isZero(), "a block variable has an offset, but no value");
        scope.declare(Code.Variable.block(d.block(), d.elem()), Kind.BLOCK);
        if (value == null) {
          scope.lack(d.block(), Lack.UNASSIGNED);
        }
      }
      case Code.Barrier b -> barrier();
      case Code.Fence f -> {}
      case Code.Shuffle s -> {
        barrier();
        exprs.expr(s.value(), s.elem(), "the operand of a shuffle");
        exprs.expr(s.distance(), PrimType.I64, "the distance of threads");
        scalar(s.target(), s.elem());
      }
      case Code.SineAndCosine s -> {
        require(
            s.type() == PrimType.F32 || s.type() == PrimType.F64,
            "there is no sine of " + s.type());
        exprs.expr(s.operand(), s.type(), "the operand of sine and cosine");
        scalar(s.sine(), s.type());
        scalar(s.cosine(), s.type());
      }
      case Code.Atomic a -> {
        shared(a.block(), a.elem(), a.index());
        require(a.op().fits(a.elem()), "there is no atomic " + a.op() + " of " + a.elem());
        exprs.expr(a.operand(), a.elem(), "the operand of an atomic operation");
        scalar(a.old(), a.elem());
      }
      case Code.CompareAndSet c -> {
        shared(c.block(), c.elem(), c.index());
        require(
            c.elem() == PrimType.I32 || c.elem() == PrimType.I64,
            "there is no atomic comparison of " + c.elem());
        exprs.expr(c.expected(), c.elem(), "the expected value");
        exprs.expr(c.value(), c.elem(), "the new value");
        scalar(c.old(), c.elem());
      }
      case Code.VolatileLoad l -> {
        shared(l.block(), l.elem(), l.index());
        scalar(l.target(), l.elem());
      }
      case Code.VolatileStore s -> {
        shared(s.block(), s.elem(), s.index());
        exprs.expr(s.value(), s.elem(), "the value stored in " + s.block());
      }
      case Code.Attempt a -> {
        require(context == CodeContext.KERNEL, "an attempt inside another, or in a function");
        enter(CodeContext.ATTEMPT);
        int fork = scope.fork();
        check.block(a.body());
        scope.meet(fork);
        enter(CodeContext.KERNEL);
      }
      case Code.LeaveIfFailed l -> barrier();
      case Code.Strided s -> {
        for (Expr e : List.of(s.from(), s.to(), s.step())) {
          exprs.expr(e, PrimType.I64, "a bound or step of a loop");
        }
        check.repeated(s.body(), s.index());
        Set<Name> later = new HashSet<>(Variables.assignedBy(s.parts().get(1)));
        later.retainAll(Variables.readBy(s.parts().get(0)));
        require(
            later.isEmpty(),
            "statements marked as independent of other iterations depend on " + later);
      }
    }
  }

  private void barrier() {
    require(context == CodeContext.KERNEL, "a barrier in an attempt, or in a function");
  }

  private void element(Name block, PrimType elem, Poly index) {
    CodeScope.Declared d = exprs.block(block, elem);
    require(d.kind() != Kind.VALUES, block + " is a block of constants, not of device memory");
    exprs.index(index);
  }

  /** Checks an element that other threads may change concurrently. */
  private void shared(Name block, PrimType elem, Poly index) {
    element(block, elem, index);
    require(of(block) != Code.Memory.PRIVATE, block + " is in private memory");
  }

  private void scalar(Name n, PrimType type) {
    scope.declare(Code.Variable.scalar(n, type), Kind.SCALAR);
  }

  private Code.Memory of(Name block) {
    if (scope.find(block).kind() == Kind.VALUES) {
      return Code.Memory.PRIVATE;
    }
    return memory.getOrDefault(block, Code.Memory.DEVICE);
  }

  /** Checks that a block variable is set to a block of the same memory. */
  void sameMemory(Name block, Name value) {
    if (context == CodeContext.ANYWHERE || context == CodeContext.HOST) {
      return;
    }
    Code.Memory expected = memory.getOrDefault(block, Code.Memory.DEVICE);
    require(
        of(value) == expected,
        block + " is a block of " + expected + " memory, set to one of " + of(value) + " memory");
  }
}
