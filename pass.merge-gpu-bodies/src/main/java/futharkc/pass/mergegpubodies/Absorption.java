package futharkc.pass.mergegpubodies;

import futharkc.core.ir.Body;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.HostOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.analysis.Aliases;
import futharkc.core.ir.analysis.Consumption;
import futharkc.core.ir.analysis.LastingArrays;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Makes kernels of one thread parts of other kernels, so that they need no launch. Each thread of
 * the kernels that use the scalars computes them itself, if they take a few operations; else the
 * reduction that produced the operands computes the scalars at its end.
 */
final class Absorption extends HostMapper {
  private final Aliases aliases;
  private final Limits limits;
  private final Prologue prologue;
  private final Epilogue epilogue;
  private final Report report;

  /** The names that statements use. */
  private final Map<Stm, Set<Name>> free = new IdentityHashMap<>();

  Absorption(
      Aliases aliases, LastingArrays lasting, Limits limits, NameSource names, Report report) {
    this.limits = limits;
    this.aliases = aliases;
    this.prologue = new Prologue(lasting, limits, names);
    this.epilogue = new Epilogue(limits, names);
    this.report = report;
  }

  @Override
  public Body body(Body b) {
    Body inner = super.body(b);
    List<Stm> stms = new ArrayList<>(inner.stms());
    boolean changed = false;
    // The last kernel goes first, since its operands may be results of kernels before.
    for (int i = stms.size() - 1; i >= 0; i--) {
      ScalarKernel kernel = ScalarKernel.of(stms.get(i));
      if (kernel != null && absorb(kernel, i, stms, inner.results())) {
        changed = true;
      } else if (stms.get(i).exp() instanceof HostOp.GpuBody) {
        report.alone(stms.get(i));
      }
    }
    return changed ? new Body(stms, inner.results()) : inner;
  }

  private boolean absorb(ScalarKernel kernel, int at, List<Stm> stms, List<SubExp> results) {
    List<Integer> users = users(kernel, at, stms, results);
    if (!users.isEmpty()
        && users.size() <= limits.kernels()
        && !consumes(stms.subList(at + 1, users.getLast() + 1), kernel)) {
      List<Stm> with = new ArrayList<>();
      for (int user : users) {
        Stm added = prologue.add(kernel, stms.get(user));
        if (added == null) {
          break;
        }
        with.add(added);
      }
      if (with.size() == users.size()) {
        for (int k = 0; k < users.size(); k++) {
          stms.set(users.get(k), with.get(k));
        }
        stms.remove(at);
        report.byThreads(kernel.stm());
        return true;
      }
    }
    int producer = producer(kernel, at, stms);
    if (producer < 0) {
      return false;
    }
    Set<Name> needed = new HashSet<>();
    results.forEach(r -> note(r, needed));
    for (int i = producer + 1; i < stms.size(); i++) {
      if (i != at) {
        needed.addAll(free(stms.get(i)));
      }
    }
    Stm with = epilogue.add(kernel, stms.get(producer), needed);
    if (with == null) {
      return false;
    }
    stms.set(producer, with);
    stms.remove(at);
    report.byReduction(kernel.stm());
    return true;
  }

  private Set<Name> free(Stm s) {
    return free.computeIfAbsent(s, FreeNames::of);
  }

  private boolean usesResult(Stm s, ScalarKernel kernel) {
    Set<Name> used = free(s);
    return kernel.stm().names().stream().anyMatch(used::contains);
  }

  private static void note(SubExp e, Set<Name> all) {
    if (e instanceof SubExp.Var v) {
      all.add(v.name());
    }
  }

  /**
   * Returns the indices of the statements that use a kernel's results; none if these are results of
   * the body.
   */
  private List<Integer> users(ScalarKernel kernel, int at, List<Stm> stms, List<SubExp> results) {
    for (SubExp r : results) {
      if (r instanceof SubExp.Var v && kernel.binds(v.name())) {
        return List.of();
      }
    }
    List<Integer> users = new ArrayList<>();
    for (int i = at + 1; i < stms.size(); i++) {
      if (usesResult(stms.get(i), kernel)) {
        users.add(i);
      }
    }
    return users;
  }

  /** Tests whether statements consume an array that a kernel reads. */
  private boolean consumes(List<Stm> stms, ScalarKernel kernel) {
    for (Stm s : stms) {
      var consumed = Consumption.of(s, aliases);
      for (Name n : kernel.free()) {
        if (aliases.roots(n).meets(consumed)) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * Returns the index of the last statement before a kernel that binds an operand of the kernel, or
   * a negative number.
   */
  private static int producer(ScalarKernel kernel, int at, List<Stm> stms) {
    Set<Name> operands = kernel.free();
    for (int i = at - 1; i >= 0; i--) {
      if (stms.get(i).names().stream().anyMatch(operands::contains)) {
        return i;
      }
    }
    return -1;
  }
}
