package futharkc.pass.galop;

import futharkc.core.ir.ArrayMem;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Lmad;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.Stm;
import futharkc.core.ir.memory.ElementAccess;
import futharkc.core.ir.memory.ElementAccess.Iteration;
import futharkc.core.ir.memory.ElementAccess.Level;
import futharkc.core.ir.memory.ElementAccesses;
import futharkc.core.ir.memory.FunctionMemory;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.Remark;
import futharkc.pass.galop.BlockReaders.Readers;
import futharkc.pass.galop.ThesisRules.Variation;
import futharkc.pass.galop.ThesisRules.Varies;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The choice of layouts by the rules of the thesis, for comparison: each read of a row-major array
 * decides alone, and the array is copied in the order that the rule says. Reads of one array in one
 * order share a copy.
 *
 * <p>Deviations: clamps and conversions of an index count as the index, as in all of this pass; an
 * operation whose reads of one array want different orders uses the first one.
 */
final class ThesisCopies {
  private final FunDef function;
  private final boolean device;
  private final FunctionMemory memory;
  private final ElementAccesses elements;
  private final PassContext context;
  private final CopyInsertion insertion;
  private final BlockReaders readers;

  ThesisCopies(AnalysedFunction f) {
    this.function = f.function();
    this.device = f.program().rep().hasDevice();
    this.memory = f.memory();
    this.elements = f.elements();
    this.context = f.context();
    this.insertion = new CopyInsertion(f.function(), f.memory(), f.bounds());
    this.readers = new BlockReaders(f, this::choose);
  }

  FunDef run() {
    readers.visit(function);
    return insertion.apply();
  }

  private void choose(Name block, Readers all, double executions) {
    context.checkCancelled();
    Name array = memory.leading(block);
    ArrayMem from = array == null ? null : memory.place(array);
    if (array == null
        || from == null
        || all.loops() > 0
        || !Permutations.identity(from.lmad().dims().size()).equals(from.lmad().order())) {
      return;
    }
    Map<List<Integer>, List<Stm>> users = new LinkedHashMap<>();
    for (Stm s : all.operations()) {
      List<Integer> order = insertion.isReplaced(s, block) ? null : order(s, block, from.lmad());
      if (order != null && all.isBound(array, all.statement(s))) {
        users.computeIfAbsent(order, k -> new ArrayList<>()).add(s);
      }
    }
    users.forEach(
        (order, some) -> {
          Lmad to = Lmad.ordered(Poly.ZERO, from.lmad().shape(), order);
          if (!all.isUnchanged(block, some)
              || !insertion.isPossible(some, from, to)
              || !context.mayChange()) {
            return;
          }
          context.countChange();
          Stm at = all.statement(some.getFirst());
          insertion.add(array, to, some, at);
          String what = array + " is copied in the order " + order + " of its dimensions";
          context.remark(Remark.Kind.APPLIED, function.name(), at.aux().loc(), what);
        });
  }

  private @Nullable List<Integer> order(Stm operation, Name block, Lmad from) {
    for (ElementAccess a : elements.of(operation)) {
      if (a.kind() == ElementAccess.Kind.READ
          && a.place().block().equals(block)
          && a.irregular().isEmpty()) {
        List<Variation> dims = variations(a, from);
        List<Integer> order = dims == null ? null : ThesisRules.order(dims, device);
        if (order != null) {
          return order;
        }
      }
    }
    return null;
  }

  /**
   * Returns the variations of the indices by which a read accesses the whole array, possibly
   * through a view; null if an index has a long stride.
   */
  private @Nullable List<Variation> variations(ElementAccess a, Lmad whole) {
    Comparator<Variation> importance = ThesisRules.importance(device);
    List<Variation> dims = new ArrayList<>();
    Poly rest = elements.offset(a, a.place().lmad());
    for (Lmad.Dim d : whole.dims()) {
      Poly.Division division = rest.divide(d.stride());
      rest = division.remainder();
      Variation most = Variation.NONE;
      for (int k = 0; k < a.nest().size(); k++) {
        Iteration i = a.nest().get(k);
        if (!division.quotient().variables().contains(i.index())) {
          continue;
        }
        Long stride = division.quotient().divide(i.index()).quotient().constant();
        if (stride != null && Math.abs(stride) > ThesisRules.LARGEST_STRIDE) {
          return null;
        }
        boolean isLoop = i.level() == Level.LOOP || i.level() == Level.HOST;
        Variation v = new Variation(isLoop ? Varies.IN_LOOP : Varies.IN_KERNEL, k);
        most = importance.compare(v, most) > 0 ? v : most;
      }
      dims.add(most);
    }
    return dims;
  }
}
