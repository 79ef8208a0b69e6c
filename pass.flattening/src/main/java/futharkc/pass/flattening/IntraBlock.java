package futharkc.pass.flattening;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.BoundNames;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.HostOp;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Name;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.SegBody;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.SegLevel;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.SegSpace;
import futharkc.core.ir.SegVirt;
import futharkc.core.ir.SizeClass;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Generates the version of code in which each segment gets a thread block, whose threads share the
 * inner parallelism. Loops and branches stay sequential in the thread block, and arrays are in
 * shared memory. There is no such version if the sizes of the inner operations are unknown outside.
 */
final class IntraBlock {
  private final Flattener in;

  IntraBlock(Flattener in) {
    this.in = in;
  }

  /**
   * A version with a thread block per segment.
   *
   * @param prelude the statements that compute the size of the thread blocks
   * @param blockSize the number of threads per thread block: enough for the largest inner operation
   * @param available the number of threads for which the smallest inner operation has work
   * @param body the body that launches the operation
   * @param certain whether all arrays of the thread block and its threads have sizes that memory
   *     allocation allows; if false, a later pass may drop this version
   */
  record Version(
      List<Stm> prelude, SubExp blockSize, SubExp available, Body body, boolean certain) {}

  /** Returns the version, or null if there is none. */
  @Nullable Version of(HostBuilder h, Versions.Task t) {
    HostBuilder kernelHost = h.inner();
    SegBodyBuilder k = kernelHost.kernel(t.nest(), t.env());
    List<Stm> copies = in.cx.learn(k.copied(t.stms()));
    HostBuilder block = h.block();
    in.with(Distribution.Mode.SEQUENTIALISE_ARRAYS).top(block, copies);
    List<SubExp> results = k.results(t.results());
    List<Stm> body = new ArrayList<>(k.stms());
    body.addAll(block.stms());
    Set<List<SubExp>> spaces = spaces(block.stms());
    if (!areKnownOutside(spaces, k.space(), body)) {
      return null;
    }
    HostBuilder prelude = h.inner();
    List<SubExp> widths = new ArrayList<>();
    for (List<SubExp> dims : spaces) {
      widths.add(prelude.product("one_intra_par", dims));
    }
    SubExp available = combined(prelude, BinOp.Kind.SMIN, widths);
    SubExp size =
        widths.isEmpty() ? least(prelude, available) : combined(prelude, BinOp.Kind.SMAX, widths);
    SubExp count = prelude.product("intra_num_tblocks", t.nest().dims());
    SegLevel level = new SegLevel.Block(SegVirt.NO_VIRT, new SegLevel.Grid(count, size));
    List<Type> types = results.stream().map(h::type).toList();
    List<PatElem> pat = new ArrayList<>();
    for (Type r : types) {
      pat.add(new PatElem(in.cx.names.fresh("intra"), Type.array(r, t.nest().dims())));
    }
    SegBody segBody = new SegBody(body, HostBuilder.returned(results));
    kernelHost.add(
        new Stm(
            pat,
            kernelHost.aux().plusCerts(k.checks()),
            new SegExp.Seg(new SegOp.SegMap(level, k.space(), types, segBody))));
    List<SubExp> all = pat.stream().map(p -> SubExp.of(p.name())).toList();
    boolean certain = !makesVarying(k.space(), body);
    return new Version(prelude.stms(), size, available, kernelHost.body(all), certain);
  }

  private static SubExp combined(HostBuilder h, BinOp.Kind kind, List<SubExp> all) {
    if (all.isEmpty()) {
      return SubExp.i64(1);
    }
    SubExp r = all.get(0);
    for (SubExp w : all.subList(1, all.size())) {
      r = h.binOp("intra_par", kind, r, w);
    }
    return r;
  }

  private static SubExp least(HostBuilder h, SubExp available) {
    HostOp max = new HostOp.GetSizeMax(SizeClass.Plain.THREAD_BLOCK_SIZE);
    SubExp most = h.letExp("max_tblock_size", Type.I64, max);
    return h.binOp("computed_tblock_size", BinOp.Kind.SMIN, most, available);
  }

  /** Returns the shapes of all operations' spaces, at any depth. */
  private static Set<List<SubExp>> spaces(List<Stm> stms) {
    Set<List<SubExp>> all = new LinkedHashSet<>();
    new Mapper() {
      @Override
      public SegOp segOp(SegOp op) {
        all.add(op.space().shape());
        return super.segOp(op);
      }
    }.stms(stms);
    return all;
  }

  /**
   * Tests whether the thread block, or a thread of it, allocates an array of a size that is not
   * allowed there.
   */
  private static boolean makesVarying(SegSpace space, List<Stm> body) {
    Sizes sizes = new Sizes(space);
    sizes.stms(body);
    return sizes.found;
  }

  /**
   * A search for arrays of unsuitable sizes. An array of the thread block must have the same size
   * in all thread blocks, since shared memory is divided before the launch. The size of a thread's
   * array must not depend on results that the threads compute together, nor differ among threads.
   */
  private static final class Sizes extends Mapper {
    /** The names whose values differ among thread blocks or among iterations. */
    private final Set<Name> varying = new HashSet<>();

    /** The names whose values depend on results of the thread block's threads. */
    private final Set<Name> computed = new HashSet<>();

    private boolean inThread;
    private boolean found;

    Sizes(SegSpace space) {
      varying.addAll(indices(space));
    }

    private static List<Name> indices(SegSpace space) {
      List<Name> all = new ArrayList<>(List.of(space.flat()));
      space.dims().forEach(d -> all.add(d.index()));
      return all;
    }

    @Override
    public Stm stm(Stm s) {
      Set<Name> free = FreeNames.of(s.exp());
      boolean together = s.exp() instanceof SegExp || free.stream().anyMatch(computed::contains);
      boolean varies =
          together
              || !inThread && s.exp() instanceof Exp.Loop
              || free.stream().anyMatch(varying::contains);
      Set<Name> unsuitable = inThread ? computed : varying;
      for (PatElem p : s.pat()) {
        found |=
            !isPart(s.exp())
                && p.type().dims().stream()
                    .anyMatch(d -> d instanceof SubExp.Var v && unsuitable.contains(v.name()));
        if (together) {
          computed.add(p.name());
        }
        if (varies) {
          varying.add(p.name());
        }
      }
      if (!inThread && s.exp() instanceof Exp.Loop l) {
        if (l.form() instanceof Exp.Form.For f) {
          varying.add(f.index());
        }
        for (Exp.LoopParam p : l.params()) {
          varying.add(p.param().name());
          if (together) {
            computed.add(p.param().name());
          }
        }
      }
      if (!(s.exp() instanceof SegExp.Seg x)) {
        return super.stm(s);
      }
      varying.addAll(indices(x.op().space()));
      computed.addAll(indices(x.op().space()));
      boolean outside = !inThread;
      inThread = true;
      Stm t = super.stm(s);
      if (outside) {
        inThread = false;
      }
      return t;
    }
  }

  /** Tests whether an expression's array is a view of another array, without memory of its own. */
  private static boolean isPart(Exp e) {
    return switch (e) {
      case BasicOp.Index _, BasicOp.FlatIndex _, BasicOp.Rearrange _ -> true;
      case BasicOp.SubExpOp _, BasicOp.Reshape _ -> true;
      default -> false;
    };
  }

  private static boolean areKnownOutside(Set<List<SubExp>> spaces, SegSpace space, List<Stm> body) {
    Set<Name> inside = new HashSet<>();
    inside.add(space.flat());
    space.dims().forEach(d -> inside.add(d.index()));
    for (Stm s : body) {
      inside.addAll(BoundNames.of(s));
    }
    return spaces.stream()
        .flatMap(List::stream)
        .noneMatch(d -> d instanceof SubExp.Var v && inside.contains(v.name()));
  }
}
