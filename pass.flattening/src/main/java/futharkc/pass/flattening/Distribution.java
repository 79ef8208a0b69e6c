package futharkc.pass.flattening;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.Name;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.analysis.FreeNamesOfStms;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A partition of a body's statements into parallel statements and sequential statements. A parallel
 * statement becomes an operation of its own over all segments. One thread per segment executes a
 * run of sequential statements.
 *
 * <p>If no statement has profitable parallelism, all statements are sequential. Otherwise,
 * statements with parallelism or with results of varying sizes are parallel. Statements that exceed
 * a thread's abilities are parallel in any case: a thread cannot return an array of a varying size.
 */
final class Distribution {
  /** The statements that may produce arrays of varying sizes within a thread. */
  enum Mode {
    /** No statement. */
    FLATTEN,
    /** Operations on whole arrays, if the same thread alone uses the result. */
    SEQUENTIALISE_ARRAYS,
    /** All statements, if the same thread alone uses the result. */
    SEQUENTIALISE_ALL
  }

  /** A run of sequential statements, or a single parallel statement. */
  record Part(List<Stm> stms, boolean isParallel) {}

  private final Parallelism parallelism;
  private final Mode mode;
  private final LiftedEnv env;
  private final List<Stm> stms;
  private final Set<Name> results = new HashSet<>();
  private final Map<Name, PatElem> bound = new HashMap<>();
  private final FreeNamesOfStms free = new FreeNamesOfStms();

  private Distribution(
      Parallelism parallelism, Mode mode, LiftedEnv env, List<Stm> stms, List<SubExp> results) {
    this.parallelism = parallelism;
    this.mode = mode;
    this.env = env;
    this.stms = stms;
    for (SubExp r : results) {
      if (r instanceof SubExp.Var v) {
        this.results.add(v.name());
      }
    }
    for (Stm s : stms) {
      for (PatElem p : s.pat()) {
        bound.put(p.name(), p);
      }
    }
  }

  /** Returns the groups of a body's statements, in order. */
  static List<Part> of(
      Parallelism parallelism, Mode mode, LiftedEnv env, List<Stm> stms, List<SubExp> results) {
    return new Distribution(parallelism, mode, env, stms, results).parts();
  }

  private List<Part> parts() {
    Set<Stm> parallel = java.util.Collections.newSetFromMap(new java.util.IdentityHashMap<>());
    if (stms.stream().anyMatch(this::isMeaningful)) {
      for (Stm s : stms) {
        boolean has = parallelism.isParallel(s) || hasIrregularResult(s);
        if (has && !(isSequentialisable(s) && involvesIrregular(s))) {
          parallel.add(s);
        }
      }
    }
    addForced(parallel);
    List<Part> parts = new ArrayList<>();
    List<Stm> run = new ArrayList<>();
    for (Stm s : stms) {
      if (!parallel.contains(s)) {
        run.add(s);
        continue;
      }
      if (!run.isEmpty()) {
        parts.add(new Part(List.copyOf(run), false));
      }
      run.clear();
      parts.add(new Part(List.of(s), true));
    }
    if (!run.isEmpty()) {
      parts.add(new Part(List.copyOf(run), false));
    }
    return parts;
  }

  /**
   * Tests whether a statement justifies parallel statements in the body. A basic operation whose
   * result the body returns does, because its result is written to memory in any case.
   */
  private boolean isMeaningful(Stm s) {
    boolean makesResult =
        s.exp() instanceof BasicOp && s.names().stream().anyMatch(results::contains);
    return makesResult || parallelism.isMeaningful(s);
  }

  private boolean isSequentialisable(Stm s) {
    return switch (mode) {
      case FLATTEN -> false;
      case SEQUENTIALISE_ARRAYS -> s.exp() instanceof BasicOp;
      case SEQUENTIALISE_ALL -> true;
    };
  }

  private boolean isIrregular(PatElem p) {
    for (SubExp d : p.type().dims()) {
      if (d instanceof SubExp.Var v && (bound.containsKey(v.name()) || env.varies(v.name()))) {
        return true;
      }
    }
    return false;
  }

  private boolean hasIrregularResult(Stm s) {
    return s.pat().stream().anyMatch(this::isIrregular);
  }

  /**
   * Tests whether the statement produces an array of a varying size, or uses one that this body
   * produces.
   */
  private boolean involvesIrregular(Stm s) {
    if (hasIrregularResult(s)) {
      return true;
    }
    for (Name n : free.of(s)) {
      PatElem made = bound.get(n);
      if (made != null && isIrregular(made)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Adds statements that threads cannot execute, and repeats this until no statement is left that a
   * parallel statement needs in memory.
   */
  private void addForced(Set<Stm> parallel) {
    Set<Name> needed = new HashSet<>(results);
    for (Stm s : parallel) {
      needed.addAll(inputs(s));
    }
    boolean more = true;
    while (more) {
      more = false;
      for (Stm s : stms) {
        if (parallel.contains(s) || !isForced(s, needed)) {
          continue;
        }
        parallel.add(s);
        needed.addAll(inputs(s));
        more = true;
      }
    }
  }

  private boolean isForced(Stm s, Set<Name> needed) {
    boolean compound = mode != Mode.SEQUENTIALISE_ALL && !(s.exp() instanceof BasicOp);
    if (compound && hasIrregularResult(s)) {
      return true;
    }
    if (Parallelism.makesUnforeseen(s)) {
      return true;
    }
    return s.pat().stream().anyMatch(p -> isIrregular(p) && needed.contains(p.name()));
  }

  /** Returns the free names of a statement, and the sizes in their types. */
  private Set<Name> inputs(Stm s) {
    Set<Name> used = new HashSet<>(free.of(s));
    for (Name n : free.of(s)) {
      PatElem made = bound.get(n);
      if (made != null) {
        used.addAll(FreeNames.of(made.type()));
      }
    }
    return used;
  }
}
