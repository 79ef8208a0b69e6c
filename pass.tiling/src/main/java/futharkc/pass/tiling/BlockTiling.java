package futharkc.pass.tiling;

import futharkc.core.ir.BinOp;
import futharkc.core.ir.Loc;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.SizeClass;
import futharkc.core.ir.Target;
import futharkc.core.ir.TuningParameter;
import futharkc.core.ir.imperative.BlockAliases;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.CodeCopies;
import futharkc.core.ir.imperative.CodeMapper;
import futharkc.core.ir.imperative.CodeRenamer;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.Failures;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.imperative.KernelVersions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** One function for {@link BlockTilingPass}. */
final class BlockTiling extends KernelVersions {
  private final String function;
  private final BlockAliases aliases;
  private final Target.BlockTiles limits;
  private final BiConsumer<String, Loc> remarks;

  private BlockTiling(
      ImperativeProgram.Function function,
      BlockAliases aliases,
      Target.BlockTiles limits,
      BiConsumer<String, Loc> remarks) {
    super(function);
    this.function = function.name();
    this.aliases = aliases;
    this.limits = limits;
    this.remarks = remarks;
  }

  /** What becomes of a function: itself, if nothing is changed. */
  static ImperativeProgram.Function rewrite(
      ImperativeProgram.Function function,
      BlockAliases aliases,
      Target.BlockTiles limits,
      BiConsumer<String, Loc> remarks) {
    return new BlockTiling(function, aliases, limits, remarks).rewritten();
  }

  /** A kernel of tiles of one size. */
  private record Version(
      Target.TileSize size, Code.Launch old, Iteration iteration, TileShape shape) {}

  @Override
  protected @Nullable Code versions(Code.Launch old) {
    if (!old.shared().isEmpty() || isTaken(label(old, 0))) return null;
    List<Version> versions = new ArrayList<>();
    for (Target.TileSize size : limits.sizes()) {
      Version v = version(old, size);
      if (v == null) continue;
      if (versions.isEmpty() || !versions.getLast().shape.equals(v.shape)) versions.add(v);
    }
    if (versions.isEmpty()) return null;
    TileShape largest = versions.getFirst().shape;
    String size = largest.extent(Side.ROW) + " x " + largest.extent(Side.COLUMN);
    remarks.accept("computes tiles of " + size + " results in blocks", old.loc());
    return choice(old, versions);
  }

  private static String label(Code.Launch old, int version) {
    return old.label() + "_tiled" + (version == 0 ? "" : "_" + version);
  }

  private @Nullable Version version(Code.Launch old, Target.TileSize size) {
    Code.Launch l = (Code.Launch) new CodeRenamer(names).statement(old);
    Code.Strided loop = only(l.body());
    if (loop == null || !l.isGridStride(loop) || !loop.isIndependent()) return null;
    if (Failures.arePossible(l.body())) return null;
    Iteration i = iteration(l, loop);
    TileShape shape = i == null ? null : shape(i, size);
    return i == null || shape == null ? null : new Version(size, l, i, shape);
  }

  /** The loop that a kernel consists of; null if it is more. */
  private static Code.@Nullable Strided only(List<Code> code) {
    if (code.size() != 1) return null;
    return switch (code.getFirst()) {
      case Code.Strided s -> s;
      case Code.Scope s -> only(s.body());
      case Code.Simple _, Code.Compound _ -> null;
    };
  }

  private @Nullable Iteration iteration(Code.Launch l, Code.Strided loop) {
    Set<Name> inside = new HashSet<>(CodeCopies.declared(l.body()));
    inside.addAll(l.bound());
    List<Code> body = Iteration.flat(loop.body());
    IndexSpace space = IndexSpace.of(loop, body, inside, names);
    return space == null
        ? null
        : Iteration.of(space, body, inside, written(l.body()), aliases, names);
  }

  private static Set<Name> written(List<Code> code) {
    Set<Name> written = new HashSet<>();
    new CodeMapper() {
      @Override
      public Code statement(Code c) {
        if (c instanceof Code.Store s) written.add(s.block());
        return super.statement(c);
      }
    }.statements(code);
    return written;
  }

  private @Nullable TileShape shape(Iteration i, Target.TileSize size) {
    int step = 0;
    for (Product p : i.products()) step = Math.max(step, statements(p.body()));
    return TileShape.of(
        limits,
        size,
        i.accumulated(),
        i.staged(Side.ROW),
        i.staged(Side.COLUMN),
        step,
        statements(i.after()));
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

  // The host

  /** Launches the kernel with the largest tiles that pay, else the one that there was. */
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
      // Devices without fast shared memory have 1.
      conditions.add(Expr.atMost(Expr.i64(2), Expr.i64(wanted)));
      conditions.add(Expr.atMost(Expr.i64(v.shape.threads()), Expr.i64(threads)));
      conditions.add(Expr.atMost(Expr.i64(kernel.sharedBytes()), Expr.i64(bytes)));
      conditions.addAll(areEnough(v));
      List<Code> launch = launches(v, label(old, i), kernel, shared, tiles);
      chosen = new Code.If(Expr.all(conditions), launch, List.of(chosen));
    }
    host.add(chosen);
    return new Code.Scope(host);
  }

  private static List<Expr> areEnough(Version v) {
    List<Expr> conditions = new ArrayList<>();
    for (Side side : Side.values()) {
      Expr extent = new Expr.Index(v.iteration.sides().get(side).extent());
      conditions.add(Expr.atMost(Expr.i64(v.size.least()), extent));
    }
    Expr elements = new Expr.Index(v.iteration.space().size());
    conditions.add(Expr.atMost(Expr.i64(v.size.elements()), elements));
    Set<Name> inside = new HashSet<>(CodeCopies.declared(v.old.body()));
    for (IndexSpace.Dimension d : v.iteration.space().dimensions()) inside.add(d.index());
    for (Product p : v.iteration.products()) {
      if (v.size.steps() == 0 || p.steps().mentions(inside)) continue;
      conditions.add(Expr.atMost(Expr.i64(v.size.steps()), new Expr.Index(p.steps())));
    }
    return conditions;
  }

  private static List<Code> launches(
      Version v, String label, TiledKernel kernel, Name shared, Sides<Name> tiles) {
    List<Code> out = new ArrayList<>();
    Poly blocks = Poly.ONE;
    for (IndexSpace.Dimension d : v.iteration.around()) blocks = blocks.times(d.extent());
    for (Side side : Side.values()) {
      Expr extent = new Expr.Index(v.iteration.sides().get(side).extent());
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
            new Expr.Index(blocks),
            Expr.i64(v.shape.threads()),
            v.size.resident(),
            List.of(new Code.Shared(shared, Expr.i64(kernel.sharedBytes()))),
            kernel.body()));
    return out;
  }
}
