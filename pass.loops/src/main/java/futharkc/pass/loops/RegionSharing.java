package futharkc.pass.loops;

import static java.util.Objects.requireNonNull;

import futharkc.core.ir.Name;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.CodeMapper;
import futharkc.core.ir.imperative.CodeSize;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.imperative.Variables;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.Remark;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The rewriting of a program for {@link RegionSharingPass}. */
final class RegionSharing {
  /**
   * A region's body in normal form: its variables are numbered in the order of their first
   * occurrence, after those of the region.
   *
   * @param free the variables of the function around the region
   */
  private record NormalForm(List<Code> body, List<Code.Variable> free) {}

  /**
   * A region and its normal form.
   *
   * @param originals the names of the variables in the region, by their names in the normal form
   */
  private record Candidate(Code.Parallel region, NormalForm form, Map<Name, Name> originals) {}

  private final PassContext context;

  /** The first number of names in a normal form, above those of the program's constants. */
  private final int first;

  private final Map<NormalForm, List<Candidate>> equal = new LinkedHashMap<>();
  private final Map<Code.Parallel, Code> calls = new IdentityHashMap<>();
  private final List<ImperativeProgram.Function> shared = new ArrayList<>();

  private RegionSharing(PassContext context, int first) {
    this.context = context;
    this.first = first;
  }

  /** Returns the program in which equal regions call one function. */
  static ImperativeProgram rewrite(ImperativeProgram program, PassContext context) {
    RegionSharing sharing = new RegionSharing(context, program.initialise().nextTag());
    List<ImperativeProgram.Function> all = new ArrayList<>(program.functions());
    all.add(program.initialise());
    all.forEach(f -> sharing.collect(f.body()));
    Set<String> names = new HashSet<>();
    all.forEach(f -> names.add(f.name()));
    sharing.equal.values().forEach(regions -> sharing.share(regions, names));
    if (sharing.shared.isEmpty()) {
      return program;
    }
    List<ImperativeProgram.Function> functions = new ArrayList<>();
    program.functions().forEach(f -> functions.add(sharing.function(f)));
    functions.addAll(sharing.shared);
    return program.with(sharing.function(program.initialise()), functions);
  }

  private void collect(List<Code> code) {
    for (Code c : code) {
      if (c instanceof Code.Parallel p && !hasRegions(p.body())) {
        Candidate candidate = normalForm(p);
        if (candidate != null) {
          equal.computeIfAbsent(candidate.form, _ -> new ArrayList<>()).add(candidate);
        }
      } else if (c instanceof Code.Compound x) {
        x.bodies().forEach(this::collect);
      }
    }
  }

  /** Tests whether code opens regions or depends on their number of threads. */
  private static boolean hasRegions(List<Code> code) {
    return code.stream()
        .anyMatch(
            c ->
                c instanceof Code.Multicore && !(c instanceof Code.Locked)
                    || c instanceof Code.Compound x
                        && x.bodies().stream().anyMatch(RegionSharing::hasRegions));
  }

  /** Returns the normal form of a region; null if its function could not have the parameters. */
  private @Nullable Candidate normalForm(Code.Parallel p) {
    Map<Name, Name> originals = new HashMap<>();
    Numbering numbering = new Numbering(first);
    Set<Name> own = new HashSet<>();
    for (Name n : List.of(p.chunk(), p.from(), p.to())) {
      own.add(numbering.name(n));
    }
    List<Code> body = numbering.statements(p.body());
    numbering.numbered.forEach((from, to) -> originals.put(to, from));
    List<Code.Variable> free = List.copyOf(Variables.usedBy(body, own));
    Set<Name> assigned = Variables.assignedBy(body);
    boolean isCallable =
        free.stream().noneMatch(v -> assigned.contains(v.name()))
            && 2 * (free.size() + 3) <= context.machine().methods().arguments();
    return isCallable ? new Candidate(p, new NormalForm(body, free), originals) : null;
  }

  private void share(List<Candidate> regions, Set<String> names) {
    NormalForm form = regions.getFirst().form;
    if (regions.size() < 2 || CodeSize.of(form.body) < context.number(MethodSizes.LOOP)) {
      return;
    }
    Code.Parallel region = regions.getFirst().region;
    String name = region.label() + "_body";
    while (!names.add(name)) {
      name += "_";
    }
    List<Code.Variable> inputs = new ArrayList<>(form.free);
    for (int i = 0; i < 3; i++) {
      inputs.add(Code.Variable.scalar(Numbering.name(first + i), PrimType.I64));
    }
    Words words = new Words(regions.getFirst().originals);
    List<Code.Variable> params =
        inputs.stream()
            .map(v -> new Code.Variable(words.name(v.name()), v.type(), v.isBlock()))
            .toList();
    shared.add(
        new ImperativeProgram.Function(
            name,
            true,
            params,
            words.statements(form.body),
            List.of(),
            first + regions.getFirst().originals.size()));
    for (Candidate c : regions) {
      List<Code.Operand> args = new ArrayList<>();
      for (Code.Variable v : inputs) {
        Name original = requireNonNull(c.originals.get(v.name()));
        args.add(
            v.isBlock()
                ? new Code.Operand.Block(original, v.type())
                : new Code.Operand.Scalar(new Expr.Var(original, v.type())));
      }
      calls.put(c.region, new Code.Call(List.of(), name, args));
    }
    context.remark(
        Remark.Kind.APPLIED,
        name,
        region.loc(),
        regions.size() + " parallel regions share their body");
  }

  private ImperativeProgram.Function function(ImperativeProgram.Function f) {
    List<Code> body =
        new CodeMapper() {
          @Override
          public Code statement(Code c) {
            Code call = c instanceof Code.Parallel p ? calls.get(p) : null;
            return call == null
                ? super.statement(c)
                : ((Code.Parallel) c).withBody(Collections.singletonList(call));
          }
        }.statements(f.body());
    return f.withBody(body, f.nextTag());
  }

  /** A mapper that numbers all names in the order of their first occurrence. */
  private static final class Numbering extends CodeMapper {
    private final int first;
    private final Map<Name, Name> numbered = new HashMap<>();

    Numbering(int first) {
      this.first = first;
    }

    static Name name(int number) {
      return new Name("v", number);
    }

    @Override
    public Name name(Name use) {
      return numbered.computeIfAbsent(use, _ -> name(first + numbered.size()));
    }

    @Override
    public Name binder(Name declared) {
      return name(declared);
    }
  }

  /** A mapper from the names of a normal form to numbered names with the words of a region. */
  private static final class Words extends CodeMapper {
    private final Map<Name, Name> originals;

    Words(Map<Name, Name> originals) {
      this.originals = originals;
    }

    @Override
    public Name name(Name use) {
      return new Name(requireNonNull(originals.get(use)).base(), use.tag());
    }

    @Override
    public Name binder(Name declared) {
      return name(declared);
    }
  }
}
