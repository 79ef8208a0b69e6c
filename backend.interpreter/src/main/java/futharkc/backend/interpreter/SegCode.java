package futharkc.backend.interpreter;

import futharkc.core.ir.PrimType;
import futharkc.core.ir.SegLevel;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.SegResult;
import futharkc.core.ir.SegSpace;
import futharkc.core.ir.SegVirt;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A compiler of segmented operations at every level of parallelism. */
final class SegCode {
  private final FunctionCompiler compiler;
  private final VariableScopes scopes;

  SegCode(FunctionCompiler compiler) {
    this.compiler = compiler;
    this.scopes = compiler.scopes;
  }

  /** The compiled index space and body of a segmented operation. */
  private record Kernel(
      SegLevel level,
      DeviceState device,
      Operand[] sizes,
      Destination flat,
      Destination[] indices,
      Instruction body,
      Operand[] results,
      Operand[] grid) {
    long[] shape(CallFrame f) {
      long[] shape = new long[sizes.length];
      for (int d = 0; d < shape.length; d++) {
        shape[d] = sizes[d].scalar(f);
      }
      return shape;
    }

    /** Runs the body at an index. */
    void run(long[] shape, long[] at, CallFrame f) {
      long flatIndex = 0;
      for (int d = 0; d < at.length; d++) {
        flatIndex = flatIndex * shape[d] + at[d];
        indices[d].scalar(f, at[d]);
      }
      flat.scalar(f, flatIndex);
      if (grid.length == 0) {
        device.next(level);
      } else {
        device.next(flatIndex % (grid[0].scalar(f) * grid[1].scalar(f)));
      }
      body.run(f);
    }
  }

  /** Returns the grid sizes of a level whose threads handle several indices in a known order. */
  private static List<SubExp> turns(SegLevel level) {
    return level instanceof SegLevel.Thread t
            && t.virt() instanceof SegVirt.Virt
            && t.grid() instanceof SegLevel.Grid g
        ? List.of(g.blocks(), g.blockSize())
        : List.of();
  }

  private Kernel kernel(SegOp op) {
    Operand[] sizes = scopes.ins(op.space().shape());
    Destination flat = scopes.out(op.space().flat(), Type.I64);
    Destination[] indices = new Destination[sizes.length];
    for (int d = 0; d < indices.length; d++) {
      SegSpace.Dim dim = op.space().dims().get(d);
      indices[d] = scopes.out(dim.index(), Type.I64);
    }
    Instruction body = compiler.stms(op.body().stms());
    Operand[] results = scopes.ins(op.body().results().stream().map(SegResult::value).toList());
    Operand[] grid = scopes.ins(turns(op.level()));
    return new Kernel(
        op.level(), compiler.machine.device(), sizes, flat, indices, body, results, grid);
  }

  Instruction segOp(SegOp op, Stm s) {
    Instruction code =
        switch (op) {
          case SegOp.SegMap m -> segMap(m, s);
          case SegOp.SegRed r -> segRed(r, s);
          case SegOp.SegScan c -> segScan(c, s);
          case SegOp.SegHist h -> segHist(h, s);
        };
    if (op.level() instanceof SegLevel.Cores) {
      return code;
    }
    DeviceState device = compiler.machine.device();
    return f -> device.launch(op.level(), () -> code.run(f));
  }

  private Instruction segMap(SegOp.SegMap m, Stm s) {
    Kernel kernel = kernel(m);
    Operand[][] tiles = tiles(m);
    Destination[] outs = compiler.outs(s);
    boolean[] arrays = arrays(m);
    boolean backwards = compiler.machine.options().backwards();
    return f -> {
      long[] shape = kernel.shape(f);
      ArrayView[] results = fresh(outs, 0, arrays, f);
      for (long[] at : Indices.of(shape, backwards)) {
        kernel.run(shape, at, f);
        for (int k = 0; k < results.length; k++) {
          if (results[k] != null) {
            write(results[k], at, kernel.results()[k], tiles[k], f);
          }
        }
      }
      SoacCode.accumulators(outs, 0, f);
    };
  }

  /**
   * Returns, for each result of the body, whether it becomes an array; accumulators and
   * certificates do not.
   */
  private static boolean[] arrays(SegOp op) {
    boolean[] arrays = new boolean[op.types().size()];
    for (int k = 0; k < arrays.length; k++) {
      arrays[k] =
          !(op.types().get(k) instanceof Type.Acc)
              && !(op.body().results().get(k) instanceof SegResult.Checked);
    }
    return arrays;
  }

  private static ArrayView[] fresh(Destination[] outs, int from, boolean[] arrays, CallFrame f) {
    ArrayView[] views = new ArrayView[outs.length - from];
    int first = arrays.length - views.length;
    for (int k = 0; k < views.length; k++) {
      if (arrays[first + k]) {
        views[k] = outs[from + k].fresh(f);
      }
    }
    return views;
  }

  /** Returns the tile sizes of each result; a result that is a single element has none. */
  private Operand[][] tiles(SegOp op) {
    List<Operand[]> tiles = new ArrayList<>();
    for (SegResult r : op.body().results()) {
      tiles.add(
          switch (r) {
            case SegResult.Returns x -> new Operand[0];
            case SegResult.Checked x -> new Operand[0];
            case SegResult.TileReturns x ->
                scopes.ins(x.dims().stream().map(SegResult.TileDim::tile).toList());
            case SegResult.RegTileReturns x ->
                scopes.ins(x.dims().stream().map(SegResult.RegTileDim::reg).toList());
          });
    }
    return tiles.toArray(Operand[][]::new);
  }

  /** Writes an element, or the part of a tile that is inside the result. */
  private static void write(
      ArrayView result, long[] at, Operand value, Operand[] tile, CallFrame f) {
    if (tile.length == 0) {
      Elements.write(result.at(at), value, f);
      return;
    }
    ArrayView from = value.view(f);
    long[] start = new long[tile.length];
    long[] count = new long[tile.length];
    for (int d = 0; d < tile.length; d++) {
      long t = tile[d].scalar(f);
      start[d] = at[at.length - tile.length + d] * t;
      count[d] = Math.max(0, Math.min(t, result.shape()[d] - start[d]));
    }
    for (long[] i : Indices.of(count)) {
      long[] to = new long[tile.length];
      for (int d = 0; d < to.length; d++) {
        to[d] = start[d] + i[d];
      }
      ArrayView place = result.at(to);
      ArrayView element = from.at(i);
      if (place.rank() == 0) {
        place.set(place.offset(), element.get(element.offset()));
      } else {
        place.assign(element);
      }
    }
  }

  private List<Operator> operators(List<SegOp.SegBinOp> ops) {
    List<Operator> all = new ArrayList<>();
    for (SegOp.SegBinOp o : ops) {
      all.add(
          new Operator(
              compiler.lambda(o.op()), scopes.ins(o.neutral()), scopes.ins(o.shape()), false));
    }
    return all;
  }

  private static List<PrimType[]> elems(List<SegOp.SegBinOp> ops) {
    return ops.stream()
        .map(o -> o.op().results().stream().map(Type::elemPrim).toArray(PrimType[]::new))
        .toList();
  }

  private static Operator.State[] start(List<Operator> ops, List<PrimType[]> elems, CallFrame f) {
    Operator.State[] states = new Operator.State[ops.size()];
    for (int o = 0; o < states.length; o++) {
      states[o] = ops.get(o).start(f, elems.get(o));
    }
    return states;
  }

  private Instruction segRed(SegOp.SegRed r, Stm s) {
    List<Operator> ops = operators(r.ops());
    List<PrimType[]> elems = elems(r.ops());
    int nred = ops.stream().mapToInt(Operator::count).sum();
    Kernel kernel = kernel(r);
    CompiledLambda post = r.post() == null ? null : compiler.lambda(r.post());
    Operand[][] tiles = tiles(r);
    Destination[] outs = compiler.outs(s);
    boolean[] arrays = arrays(r);
    int nout = r.post() == null ? nred : r.post().results().size();
    return f -> {
      long[] shape = kernel.shape(f);
      long[] segments = Arrays.copyOf(shape, shape.length - 1);
      ArrayView[] reds = new ArrayView[nout];
      for (int k = 0; k < nout && segments.length > 0; k++) {
        reds[k] = outs[k].fresh(f);
      }
      ArrayView[] results = fresh(outs, nout, arrays, f);
      long[] at = new long[shape.length];
      for (long[] segment : Indices.of(segments)) {
        System.arraycopy(segment, 0, at, 0, segment.length);
        Operator.State[] states = start(ops, elems, f);
        for (long i = 0; i < shape[shape.length - 1]; i++) {
          at[shape.length - 1] = i;
          kernel.run(shape, at, f);
          int from = 0;
          for (int o = 0; o < states.length; o++) {
            ops.get(o).combine(states[o], kernel.results(), from, f);
            from += ops.get(o).count();
          }
          for (int k = 0; k < results.length; k++) {
            if (results[k] != null) {
              write(results[k], at, kernel.results()[nred + k], tiles[nred + k], f);
            }
          }
        }
        kernel.device().next(kernel.level());
        int k = 0;
        for (Operator.State state : states) {
          for (ArrayView v : state.values) {
            if (post != null) {
              Elements.pass(v, post.params()[k++], f, true);
            } else {
              finish(v, reds[k], segment, outs[k++], f);
            }
          }
        }
        if (post != null) {
          after(post, reds, segment, outs, f);
        }
      }
      SoacCode.accumulators(outs, nout, f);
    };
  }

  /** Runs the code after the reductions of a segment. */
  private static void after(
      CompiledLambda post, ArrayView[] reds, long[] segment, Destination[] outs, CallFrame f) {
    post.run(f);
    for (int k = 0; k < reds.length; k++) {
      if (segment.length == 0) {
        Elements.forward(post.results()[k], outs[k], f);
      } else {
        Elements.write(reds[k].at(segment), post.results()[k], f);
      }
    }
  }

  /** Stores the value of a segment, or binds it if the operation has no segments. */
  private static void finish(
      ArrayView v, ArrayView segments, long[] segment, Destination out, CallFrame f) {
    if (segment.length == 0) {
      if (v.rank() == 0) {
        out.scalar(f, v.get(v.offset()));
      } else {
        out.operand(f, v);
      }
      return;
    }
    ArrayView place = segments.at(segment);
    if (v.rank() == 0) {
      place.set(place.offset(), v.get(v.offset()));
    } else {
      place.assign(v);
    }
  }

  private Instruction segScan(SegOp.SegScan c, Stm s) {
    List<Operator> ops = operators(c.ops());
    List<PrimType[]> elems = elems(c.ops());
    int nscan = ops.stream().mapToInt(Operator::count).sum();
    Kernel kernel = kernel(c);
    CompiledLambda post = compiler.lambda(c.post());
    Destination[] outs = compiler.outs(s);
    boolean[] arrays = new boolean[outs.length];
    for (int k = 0; k < outs.length; k++) {
      arrays[k] = !(outs[k] instanceof Destination.Acc);
    }
    return f -> {
      long[] shape = kernel.shape(f);
      long[] segments = Arrays.copyOf(shape, shape.length - 1);
      ArrayView[] results = fresh(outs, 0, arrays, f);
      long[] at = new long[shape.length];
      for (long[] segment : Indices.of(segments)) {
        System.arraycopy(segment, 0, at, 0, segment.length);
        Operator.State[] states = start(ops, elems, f);
        for (long i = 0; i < shape[shape.length - 1]; i++) {
          at[shape.length - 1] = i;
          kernel.run(shape, at, f);
          int from = 0;
          int param = 0;
          for (int o = 0; o < states.length; o++) {
            ops.get(o).combine(states[o], kernel.results(), from, f);
            from += ops.get(o).count();
            for (ArrayView v : states[o].values) {
              Elements.pass(v, post.params()[param++], f, true);
            }
          }
          for (int k = nscan; k < kernel.results().length; k++) {
            Elements.forward(kernel.results()[k], post.params()[param++], f);
          }
          post.run(f);
          for (int k = 0; k < results.length; k++) {
            if (results[k] != null) {
              Elements.write(results[k].at(at), post.results()[k], f);
            }
          }
        }
      }
      SoacCode.accumulators(outs, 0, f);
    };
  }

  private Instruction segHist(SegOp.SegHist h, Stm s) {
    HistCode[] ops = new HistCode[h.ops().size()];
    int value = h.ops().stream().mapToInt(o -> o.shape().size()).sum();
    int index = 0;
    for (int o = 0; o < ops.length; o++) {
      SegOp.SegHistOp x = h.ops().get(o);
      Operator op =
          new Operator(
              compiler.lambda(x.op()), scopes.ins(x.neutral()), scopes.ins(x.opShape()), false);
      ops[o] = new HistCode(op, scopes.ins(x.shape()), scopes.names(x.dests()), index, value);
      index += x.shape().size();
      value += x.dests().size();
    }
    Kernel kernel = kernel(h);
    Destination[] outs = compiler.outs(s);
    boolean backwards = compiler.machine.options().backwards();
    return f -> {
      long[] shape = kernel.shape(f);
      for (long[] at : Indices.of(shape, backwards)) {
        kernel.run(shape, at, f);
        long[] segment = Arrays.copyOf(at, at.length - 1);
        kernel
            .device()
            .atomically(
                () -> {
                  for (HistCode op : ops) {
                    op.update(segment, kernel.results(), f);
                  }
                });
      }
      int out = 0;
      for (HistCode op : ops) {
        for (Operand dest : op.dests()) {
          outs[out++].object(f, dest.object(f));
        }
      }
    };
  }
}
