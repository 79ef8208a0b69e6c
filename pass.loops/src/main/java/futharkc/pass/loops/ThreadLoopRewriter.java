package futharkc.pass.loops;

import futharkc.core.ir.Name;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.CodeCopies;
import futharkc.core.ir.imperative.ImperativeProgram;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Rewrites loops in the threads of kernels. */
abstract class ThreadLoopRewriter extends CountedRewriting {
  /** What the kernel declares. */
  private Set<Name> own = Set.of();

  private boolean inKernel;

  ThreadLoopRewriter(ImperativeProgram.Function function) {
    super(function);
  }

  /** What to put in the place of a loop; the loop itself if it stays. */
  abstract List<Code> rewrite(Code.For loop);

  /** Whether a kernel may have loops to rewrite; what has to be known of it is learnt here. */
  boolean enter(Code.Launch launch) {
    return true;
  }

  /**
   * What the kernel declares: all else is the same for its threads, and blocks are the device's.
   */
  final Set<Name> own() {
    return own;
  }

  @Override
  public final Code statement(Code code) {
    if (!(code instanceof Code.Launch l)) return super.statement(code);
    if (!enter(l)) return l;
    own = CodeCopies.declared(l.body());
    own.addAll(l.bound());
    inKernel = true;
    Code now = l.withBody(statements(l.body()));
    inKernel = false;
    return now;
  }

  @Override
  public final List<Code> statements(List<Code> code) {
    if (!inKernel) return super.statements(code);
    List<Code> out = new ArrayList<>(code.size());
    boolean same = true;
    for (Code c : code) {
      List<Code> now = c instanceof Code.For f ? rewrite(f) : List.of(c);
      if (now.size() == 1 && now.get(0) == c) now = List.of(statement(c));
      else count();
      same &= now.size() == 1 && now.get(0) == c;
      out.addAll(now);
    }
    return same ? code : out;
  }
}
