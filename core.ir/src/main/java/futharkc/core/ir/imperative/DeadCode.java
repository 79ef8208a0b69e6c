package futharkc.core.ir.imperative;

import futharkc.core.ir.Name;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Elimination of dead scalar computations, which lowering leaves behind for operations with unused
 * results.
 */
public final class DeadCode {
  /** The variables read after the current position of the backward traversal. */
  private final Set<Name> read;

  private DeadCode(Collection<Name> read) {
    this.read = new HashSet<>(read);
  }

  /** Returns the program without dead code. */
  public static ImperativeProgram without(ImperativeProgram p) {
    return p.with(without(p.initialise()), p.functions().stream().map(DeadCode::without).toList());
  }

  /** Returns the function without dead code. */
  public static ImperativeProgram.Function without(ImperativeProgram.Function f) {
    return f.withBody(without(f.body(), Variables.in(f.results())), f.nextTag());
  }

  /**
   * Returns the statements without dead code.
   *
   * @param wanted the variables that are read after the statements
   */
  public static List<Code> without(List<Code> code, Collection<Name> wanted) {
    return new DeadCode(wanted).all(code);
  }

  private List<Code> all(List<Code> code) {
    List<Code> kept = new ArrayList<>(code.size());
    for (Code c : code.reversed()) {
      Code rest = one(c);
      if (rest != null) {
        kept.add(rest);
      }
    }
    return kept.reversed();
  }

  /** Returns a statement without dead code, or null if the whole statement is dead. */
  private @Nullable Code one(Code code) {
    return switch (code) {
      case Code.Declare d -> read.contains(d.name()) ? reading(d) : null;
      case Code.Assign a -> read.contains(a.name()) ? reading(a) : null;
      case Code.GetSize g -> read.contains(g.target()) ? g : null;
      case Code.GetSizeMax g -> read.contains(g.target()) ? g : null;
      case Code.Simple c -> reading(c);
      case Code.If i -> {
        List<Code> otherwise = all(i.otherwise());
        List<Code> then = all(i.then());
        if (then.isEmpty() && otherwise.isEmpty()) {
          yield null;
        }
        yield reading(new Code.If(i.cond(), then, otherwise));
      }
      case Code.IfUnused i -> {
        List<Code> otherwise = all(i.otherwise());
        List<Code> then = all(i.then());
        yield new Code.IfUnused(i.block(), i.elem(), i.inUse(), then, otherwise);
      }
      // A variable read anywhere in a loop is live throughout its body.
      case Code.For f -> {
        reading(f);
        yield fewer(f);
      }
      case Code.While w -> {
        reading(w);
        yield new Code.While(w.cond(), all(w.body()));
      }
      case Code.Scope s -> new Code.Scope(all(s.body()));
      case Code.Outlined o -> {
        List<Name> results = o.results().stream().filter(read::contains).toList();
        yield new Code.Outlined(results, all(o.body()));
      }
      // Lane statements have no dead code.
      case Code.VectorLoop l -> reading(l.withRest(all(l.rest())));
      case Code.Locked l -> reading(new Code.Locked(l.key(), all(l.body())));
      case Code.Parallel p ->
          reading(
              new Code.Parallel(
                  p.label(),
                  p.loc(),
                  p.total(),
                  p.chunks(),
                  p.chunk(),
                  p.from(),
                  p.to(),
                  all(p.body())));
      case Code.ChainedScan s ->
          reading(
              new Code.ChainedScan(
                  s.label(),
                  s.loc(),
                  s.total(),
                  s.chunks(),
                  s.chunk(),
                  s.from(),
                  s.to(),
                  all(s.reduce()),
                  all(s.combine()),
                  all(s.scan())));
      case Code.Launch l -> reading(l.withBody(all(l.body())));
      case Code.OnCopies c -> reading(new Code.OnCopies(c.copies(), all(c.body())));
      case Code.Strided s -> {
        reading(s);
        List<Code> second = all(s.parts().get(1));
        yield s.withParts(List.of(all(s.parts().get(0)), second));
      }
      case Code.Attempt a -> new Code.Attempt(all(a.body()));
    };
  }

  private Code fewer(Code.For f) {
    List<List<Code>> parts = new ArrayList<>();
    for (List<Code> part : f.parts().reversed()) {
      parts.add(all(part));
    }
    return f.withParts(parts.reversed());
  }

  private Code reading(Code c) {
    read.addAll(Variables.readBy(List.of(c)));
    return c;
  }
}
