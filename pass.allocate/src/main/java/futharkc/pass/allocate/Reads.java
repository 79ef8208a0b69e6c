package futharkc.pass.allocate;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Name;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.Slice;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An analysis of the dimensions along which inner loops read arrays, whose elements should be
 * adjacent. An inner loop is the innermost loop around a read. On a device, it is the innermost
 * dimension of the kernel, because the threads read at the same time.
 */
final class Reads extends Mapper {
  private final List<Stm> stms;
  private final boolean device;
  private boolean done;

  /** The number of reads along each dimension, keyed by array. */
  private final Map<Name, Map<Integer, Integer>> along = new HashMap<>();

  /**
   * A view of an array.
   *
   * @param whole the array
   * @param dims for each dimension of the view, the dimension of the array; -1 if there is none
   */
  private record Part(Name whole, List<Integer> dims) {}

  private final Map<Name, Part> parts = new HashMap<>();
  private @Nullable Name inner;

  /**
   * Creates the analysis of a function.
   *
   * @param stms the statements of the function
   * @param device whether the arrays are in device memory
   */
  Reads(List<Stm> stms, boolean device) {
    this.stms = stms;
    this.device = device;
  }

  /**
   * Returns the number of reads in inner loops along other dimensions than the last one of an
   * order.
   *
   * @param array a parameter of a loop, or the result of a branch
   */
  int unfavourable(Name array, List<Integer> order) {
    if (!done) {
      stms(stms);
    }
    done = true;
    Map<Integer, Integer> counts = along.getOrDefault(array, Map.of());
    int last = order.get(order.size() - 1);
    return counts.entrySet().stream()
        .filter(e -> e.getKey() != last)
        .mapToInt(Map.Entry::getValue)
        .sum();
  }

  @Override
  public Stm stm(Stm s) {
    Part part = part(s.exp());
    if (part != null) {
      parts.put(s.pat().get(0).name(), part);
    }
    if (s.exp() instanceof BasicOp.Index x && x.slice().isElement()) {
      read(x);
    }
    return super.stm(s);
  }

  private @Nullable Part part(Exp e) {
    return switch (e) {
      case BasicOp.Index x when !x.slice().isElement() -> {
        Part whole = whole(x.array(), x.slice().dims().size());
        List<Integer> dims = new ArrayList<>();
        for (int i = 0; i < x.slice().dims().size(); i++) {
          if (x.slice().dims().get(i) instanceof Slice.Range) {
            dims.add(whole.dims.get(i));
          }
        }
        yield new Part(whole.whole, dims);
      }
      case BasicOp.Rearrange x -> {
        Part whole = whole(x.array(), x.perm().size());
        yield new Part(whole.whole, x.perm().stream().map(whole.dims::get).toList());
      }
      case BasicOp.Reshape x when x.coerce() -> whole(x.array(), x.shape().size());
      default -> null;
    };
  }

  private Part whole(Name array, int rank) {
    Part p = parts.get(array);
    return p != null ? p : new Part(array, Layouts.rowMajor(rank));
  }

  private void read(BasicOp.Index x) {
    Name at = inner;
    if (at == null) {
      return;
    }
    Part whole = whole(x.array(), x.slice().dims().size());
    for (int i = 0; i < x.slice().dims().size(); i++) {
      if (x.slice().dims().get(i) instanceof Slice.Fix f && f.index().equals(SubExp.of(at))) {
        along
            .computeIfAbsent(whole.whole, n -> new HashMap<>())
            .merge(whole.dims.get(i), 1, Integer::sum);
      }
    }
  }

  @Override
  public Exp exp(Exp e) {
    if (!(e instanceof Exp.Loop l) || !(l.form() instanceof Exp.Form.For f) || device) {
      return super.exp(e);
    }
    Name outer = inner;
    inner = f.index();
    Exp same = super.exp(e);
    inner = outer;
    return same;
  }

  @Override
  public SegOp segOp(SegOp op) {
    Name outer = inner;
    int last = op.space().dims().size() - 1;
    if (last >= 0) {
      inner = op.space().dims().get(last).index();
    }
    SegOp same = super.segOp(op);
    inner = outer;
    return same;
  }
}
