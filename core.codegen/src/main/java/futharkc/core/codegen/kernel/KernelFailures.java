package futharkc.core.codegen.kernel;

import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.ImperativeProgram;
import java.util.List;

/** An analysis of whether the kernels of a program can fail. */
final class KernelFailures {
  private KernelFailures() {}

  /** Tests whether a kernel of the program contains an attempt. */
  static boolean in(ImperativeProgram program) {
    return in(program.initialise().body())
        || program.functions().stream().anyMatch(f -> in(f.body()));
  }

  private static boolean in(List<Code> code) {
    return code.stream().anyMatch(KernelFailures::in);
  }

  private static boolean in(Code code) {
    return switch (code) {
      case Code.Attempt a -> true;
      case Code.Launch l -> in(l.body());
      case Code.If i -> in(i.then()) || in(i.otherwise());
      case Code.IfUnused i -> in(i.then()) || in(i.otherwise());
      case Code.For f -> in(f.body());
      case Code.While w -> in(w.body());
      case Code.Strided s -> in(s.body());
      case Code.Scope s -> in(s.body());
      case Code.Outlined o -> in(o.body());
      case Code.Declare _,
          Code.Assign _,
          Code.DeclareBlock _,
          Code.SetBlock _,
          Code.Alloc _,
          Code.DeclareScratch _,
          Code.Reserve _,
          Code.Free _,
          Code.ConstantBlock _,
          Code.Pin _,
          Code.Store _,
          Code.CopyRun _,
          Code.FillRun _,
          Code.MapRun _,
          Code.Assert _,
          Code.CheckCancelled _,
          Code.Trace _,
          Code.Call _,
          Code.Vector _,
          Code.Multicore _,
          Code.AskElement _,
          Code.AwaitElements _,
          Code.WriteElement _,
          Code.OnCopies _,
          Code.GetSize _,
          Code.GetSizeMax _,
          Code.CompareSize _,
          Code.Private _,
          Code.DeclarePointer _,
          Code.Barrier _,
          Code.Fence _,
          Code.Shuffle _,
          Code.SineAndCosine _,
          Code.Atomic _,
          Code.CompareAndSet _,
          Code.VolatileLoad _,
          Code.VolatileStore _,
          Code.LeaveIfFailed _ ->
          false;
    };
  }
}
