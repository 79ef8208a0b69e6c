package futharkc.pass.tiling;

import futharkc.core.ir.BinOp;
import futharkc.core.ir.Loc;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.SizeClass;
import futharkc.core.ir.TuningParameter;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.CodeCopies;
import futharkc.core.ir.imperative.CodeRenamer;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.Failures;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.imperative.KernelVersions;
import futharkc.core.ir.imperative.Variables;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The block tiling of one function, for {@link BlockTilingPass}. */
final class BlockTiling extends KernelVersions {
  private final String function;
  private final BlockTiles limits;
  private final BiConsumer<String, Loc> remarks;

  private BlockTiling(
      ImperativeProgram.Function function, BlockTiles limits, BiConsumer<String, Loc> remarks) {
    super(function);
    this.function = function.name();
    this.limits = limits;
    this.remarks = remarks;
  }

  /** Returns the function with tiled kernels; the same function if no kernel is tiled. */
  static ImperativeProgram.Function rewrite(
      ImperativeProgram.Function function, BlockTiles limits, BiConsumer<String, Loc> remarks) {
    return new BlockTiling(function, limits, remarks).rewritten();
  }

  /** A kernel with tiles of one size. */
  private record Version(TileSize size, Code.Launch old, Iteration iteration, TileShape shape) {}

  @Override
  protected @Nullable Code versions(Code.Launch old) {
    if (!old.shared().isEmpty() || isTaken(label(old, 0))) {
      return null;
    }
    List<Version> versions = new ArrayList<>();
    for (TileSize size : limits.sizes()) {
      Version v = ofMatrix(old, size);
      if (v == null || !mayBeEnough(v)) {
        continue;
      }
      if (versions.isEmpty() || !versions.getLast().shape.equals(v.shape)) {
        versions.add(v);
      }
    }
    if (versions.isEmpty()) {
      Version v = ofRow(old);
      if (v == null || !mayBeEnough(v)) {
        return null;
      }
      versions.add(v);
    }
    TileShape largest = versions.getFirst().shape;
    String size = largest.extent(Side.ROW) + " x " + largest.extent(Side.COLUMN);
    remarks.accept("tiles of " + size + " results per thread block", old.loc());
    return choice(old, versions);
  }

  private static String label(Code.Launch old, int version) {
    return old.label() + "_tiled" + (version == 0 ? "" : "_" + version);
  }

  private @Nullable Version ofMatrix(Code.Launch old, TileSize size) {
    Kernel k = kernel(old);
    ResultSpace space = k == null ? null : ResultSpace.of(k.launch, names);
    if (k == null || space == null) {
      return null;
    }
    Iteration i =
        new Iteration.Search(k.body, k.inside, names).of(Tiling.ofMatrices(space), p -> true);
    TileShape shape = i == null ? null : shape(i, size);
    return i == null || shape == null ? null : new Version(size, k.launch, i, shape);
  }

  private @Nullable Version ofRow(Code.Launch old) {
    Kernel k = kernel(old);
    if (k == null) {
      return null;
    }
    List<Tiling> tilings = new ArrayList<>();
    Set<Name> unknown = new HashSet<>(k.inside);
    for (ResultSpace space : ResultSpace.flatFirst(k.launch, k.loop, names)) {
      tilings.add(Tiling.ofRows(space, names));
      for (ResultSpace.Dimension d : space.dimensions()) {
        unknown.add(d.index());
      }
    }
    Iteration i =
        new Iteration.Search(k.body, k.inside, names).of(tilings, p -> isWorthIt(p, unknown));
    if (i == null) {
      return null;
    }
    TileShape shape = TileShape.ofRow(limits, statements(i));
    return new Version(limits.row().size(), k.launch, i, shape);
  }

  /**
   * Tests whether a loop is profitable in a tile of one row: it needs enough steps and few
   * statements for each element read.
   *
   * @param unknown the names whose values the host does not know
   */
  private boolean isWorthIt(Product p, Set<Name> unknown) {
    Long steps = p.steps().constant();
    int bytes = p.staged().stream().mapToInt(s -> s.type().bytes()).sum();
    return !p.steps().mentions(unknown)
        && 2 * bytes * limits.row().size().threads() <= limits.row().bytes()
        && (steps == null || steps >= limits.row().size().steps())
        && statements(p.body()) <= (long) p.staged().size() * limits.row().statements();
  }

  /**
   * A kernel that consists of a loop whose iterations its threads share.
   *
   * @param launch the kernel launch
   * @param loop the loop
   * @param body the body of the loop
   * @param inside all names that the kernel declares
   */
  private record Kernel(Code.Launch launch, Code.Strided loop, List<Code> body, Set<Name> inside) {}

  private @Nullable Kernel kernel(Code.Launch old) {
    Code.Launch l = (Code.Launch) new CodeRenamer(names).statement(old);
    Code.Strided loop = only(l.body());
    if (loop == null || !l.sharesOut(loop) || !loop.isIndependent()) {
      return null;
    }
    if (Failures.arePossible(l.body())) {
      return null;
    }
    if (!Collections.disjoint(Variables.readBy(loop.body()), l.bound())) {
      return null;
    }
    Set<Name> inside = new HashSet<>(CodeCopies.declared(l.body()));
    inside.addAll(l.bound());
    return new Kernel(l, loop, Iteration.flat(loop.body()), inside);
  }

  /** Returns the loop that is the whole kernel; null if the kernel contains other code. */
  private static Code.@Nullable Strided only(List<Code> code) {
    if (code.size() != 1) {
      return null;
    }
    return switch (code.getFirst()) {
      case Code.Strided s -> s;
      case Code.Scope s -> only(s.body());
      case Code.Simple _, Code.Compound _ -> null;
    };
  }

  private @Nullable TileShape shape(Iteration i, TileSize size) {
    return TileShape.of(
        limits,
        size,
        i.accumulated(),
        i.staged(Side.ROW),
        i.staged(Side.COLUMN),
        statements(i),
        statements(i.after()));
  }

  /** Returns the maximal statement count of a product's step. */
  private static int statements(Iteration i) {
    return i.products().stream().mapToInt(p -> statements(p.body())).max().orElse(0);
  }

  private static int statements(List<Code> code) {
    int count = 0;
    for (Code c : code) {
      count +=
          switch (c) {
            case Code.Compound x -> 1 + x.bodies().stream().mapToInt(BlockTiling::statements).sum();
            case Code.Simple _ -> 1;
          };
    }
    return count;
  }

  // Host code

  /**
   * Returns code that launches the kernel with the largest profitable tiles, else the original
   * kernel.
   */
  private Code choice(Code.Launch old, List<Version> versions) {
    List<Code> host = new ArrayList<>();
    Name wanted = names.fresh("reg_tile");
    TuningParameter parameter =
        new TuningParameter(
            function + ".reg_tile_size_" + versioned(), SizeClass.Plain.REG_TILE_SIZE);
    host.add(new Code.GetSize(wanted, parameter));
    Name threads = names.fresh("most");
    host.add(new Code.GetSizeMax(threads, SizeClass.Plain.THREAD_BLOCK_SIZE));
    Name bytes = names.fresh("most");
    host.add(new Code.GetSizeMax(bytes, SizeClass.Plain.SHARED_MEMORY));
    Code chosen = old;
    for (int i = versions.size() - 1; i >= 0; i--) {
      Version v = versions.get(i);
      Sides<Name> tiles = Sides.of(side -> names.fresh("tiles"));
      Name shared = names.fresh("tile");
      TiledKernel kernel =
          new TiledKernel(
              v.iteration, v.shape, v.old.block(), v.old.thread(), shared, tiles, names);
      List<Expr> conditions = new ArrayList<>();
      // The parameter is 1 on devices without fast shared memory.
      conditions.add(Expr.atMost(Expr.i64(2), Expr.i64(wanted)));
      conditions.add(Expr.atMost(Expr.i64(v.shape.threads()), Expr.i64(threads)));
      conditions.add(Expr.atMost(Expr.i64(kernel.sharedBytes()), Expr.i64(bytes)));
      for (LowerBound a : areEnough(v)) {
        conditions.add(a.holds());
      }
      List<Code> launch = launches(v, label(old, i), kernel, shared, tiles);
      chosen = new Code.If(Expr.all(conditions), launch, List.of(chosen));
    }
    host.add(chosen);
    return new Code.Scope(host);
  }

  /** A lower bound of a number, as a condition of profitability. */
  private record LowerBound(long least, Poly number) {
    boolean isPossible() {
      Long constant = number.constant();
      return constant == null || least <= constant;
    }

    Expr holds() {
      return Expr.atMost(Expr.i64(least), new Expr.Index(number));
    }
  }

  private static List<LowerBound> areEnough(Version v) {
    List<LowerBound> conditions = new ArrayList<>();
    Tiling tiling = v.iteration.tiling();
    ResultSpace space = tiling.space();
    // With one dimension, all tiles except the last one are full.
    for (Side side : space.dimensions().size() > 1 ? tiling.several() : List.<Side>of()) {
      conditions.add(new LowerBound(v.size.least(), tiling.sides().get(side).extent()));
    }
    conditions.add(new LowerBound(v.size.elements(), space.size()));
    Set<Name> inside = new HashSet<>(CodeCopies.declared(v.old.body()));
    for (ResultSpace.Dimension d : space.dimensions()) {
      inside.add(d.index());
    }
    for (Product p : v.iteration.products()) {
      if (v.size.steps() == 0 || p.steps().mentions(inside)) {
        continue;
      }
      conditions.add(new LowerBound(v.size.steps(), p.steps()));
    }
    return conditions;
  }

  private static boolean mayBeEnough(Version v) {
    return areEnough(v).stream().allMatch(LowerBound::isPossible);
  }

  private static List<Code> launches(
      Version v, String label, TiledKernel kernel, Name shared, Sides<Name> tiles) {
    List<Code> out = new ArrayList<>();
    Poly blocks = Poly.ONE;
    Tiling tiling = v.iteration.tiling();
    for (ResultSpace.Dimension d : tiling.around()) {
      blocks = blocks.times(d.extent());
    }
    for (Side side : tiling.several()) {
      Expr extent = new Expr.Index(tiling.sides().get(side).extent());
      Expr size = Expr.i64(v.shape.extent(side));
      Expr many = Expr.binary(BinOp.Kind.SDIV_UP, extent, size);
      out.add(new Code.Declare(tiles.get(side), PrimType.I64, many));
      blocks = blocks.times(Poly.of(tiles.get(side)));
    }
    out.add(
        new Code.Launch(
            label,
            v.old.loc(),
            v.old.block(),
            v.old.thread(),
            new Code.Grid(
                new Expr.Index(blocks), Expr.i64(v.shape.threads()), v.size.resident(), false),
            List.of(),
            List.of(new Code.Shared(shared, Expr.i64(kernel.sharedBytes()))),
            kernel.body()));
    return out;
  }
}
