package futharkc.pass.loops;

import futharkc.core.ir.Name;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.CodeCopies;
import futharkc.core.ir.imperative.ImperativeProgram;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** A rewriter of loops in the threads of kernels. */
abstract class ThreadLoopRewriter extends CountingRewriter {
  /** The variables that the kernel declares. */
  private Set<Name> own = Set.of();

  private boolean inKernel;

  ThreadLoopRewriter(ImperativeProgram.Function function) {
    super(function);
  }

  /** Returns the replacement of a loop; the loop itself if it stays. */
  abstract List<Code> rewrite(Code.For loop);

  /** Tests whether a kernel may have loops to rewrite, and records facts about the kernel. */
  boolean enter(Code.Launch launch) {
    return true;
  }

  /**
   * Returns the variables that the kernel declares. Other variables are equal for all its threads,
   * and other blocks are in device memory.
   */
  final Set<Name> own() {
    return own;
  }

  @Override
  public final Code statement(Code code) {
    if (!(code instanceof Code.Launch l)) {
      return super.statement(code);
    }
    if (!enter(l)) {
      return l;
    }
    own = CodeCopies.declared(l.body());
    own.addAll(l.bound());
    inKernel = true;
    Code now = l.withBody(statements(l.body()));
    inKernel = false;
    return now;
  }

  @Override
  public final List<Code> statements(List<Code> code) {
    if (!inKernel) {
      return super.statements(code);
    }
    List<Code> out = new ArrayList<>(code.size());
    boolean same = true;
    for (Code c : code) {
      List<Code> now = c instanceof Code.For f ? rewrite(f) : List.of(c);
      if (now.size() == 1 && now.get(0) == c) {
        now = List.of(statement(c));
      } else {
        count();
      }
      same &= now.size() == 1 && now.get(0) == c;
      out.addAll(now);
    }
    return same ? code : out;
  }
}
