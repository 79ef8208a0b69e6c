package futharkc.pass.galop;

import futharkc.core.ir.ArrayMem;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Lmad;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.Space;
import futharkc.core.ir.Stm;
import futharkc.core.ir.memory.ElementAccess;
import futharkc.core.ir.memory.FunctionMemory;
import futharkc.core.ir.memory.PlacementRewriter;
import futharkc.core.ir.memory.Web;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.Remark;
import futharkc.core.ir.symbolic.Bounds;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The choice of the order of dimensions in memory, for arrays that the function makes. All arrays
 * of a web change together: the operations that make them write them in the new order.
 */
final class WebLayouts {
  private final FunDef function;
  private final FunctionMemory memory;
  private final Bounds bounds;
  private final Traffic traffic;
  private final PassContext context;
  private final Map<Name, List<ElementAccess>> accesses = new LinkedHashMap<>();

  WebLayouts(AnalysedFunction f) {
    this.function = f.function();
    this.memory = f.memory();
    this.bounds = f.bounds();
    this.traffic = f.traffic();
    this.context = f.context();
    for (ElementAccess a : f.accesses()) {
      if (a.operation() != null) {
        accesses.computeIfAbsent(a.place().block(), b -> new ArrayList<>()).add(a);
      }
    }
  }

  FunDef run() {
    Set<Name> inside = blocksOfThreads();
    Set<Name> done = new HashSet<>();
    boolean changed = false;
    for (Name block : accesses.keySet()) {
      context.checkCancelled();
      Name root = inside.contains(block) || done.contains(block) ? null : root(block);
      if (root != null) {
        changed |= choose(root, done);
      }
    }
    return changed
        ? function.withBody(
            new PlacementRewriter(memory, Set.of(), Set.of()).body(function.body()),
            function.nextTag())
        : function;
  }

  /** Returns the blocks that threads of a device allocate. */
  private Set<Name> blocksOfThreads() {
    Set<Name> blocks = new HashSet<>();
    for (List<ElementAccess> some : accesses.values()) {
      for (ElementAccess a : some) {
        Stm operation = a.operation();
        Name block = a.place().block();
        if (operation != null
            && memory.space(block) instanceof Space.Device
            && memory.bound(operation).contains(block)) {
          blocks.add(block);
        }
        if (!(memory.space(block) instanceof Space.Device
            || memory.space(block) instanceof Space.Elements)) {
          blocks.add(block);
        }
      }
    }
    return blocks;
  }

  /** Returns the array that may cover a new block; null if there is none. */
  private @Nullable Name root(Name block) {
    Stm s = memory.statement(block);
    return s != null && s.exp() instanceof MemOp.Alloc ? memory.leading(block) : null;
  }

  private boolean choose(Name root, Set<Name> done) {
    ArrayMem place = memory.place(root);
    List<Integer> order = place == null ? null : place.lmad().order();
    if (place == null || order == null) {
      return false;
    }
    Map<Name, ArrayMem> best = null;
    Web chosen = null;
    double now = 0;
    double least = 0;
    for (int last : order.subList(0, order.size() - 1)) {
      List<Integer> other = Permutations.withLast(order, last);
      Lmad to = Lmad.ordered(Poly.ZERO, place.lmad().shape(), other);
      Web web = Web.of(root, new ArrayMem(place.block(), to), memory, bounds);
      Map<Name, ArrayMem> places = web.refusal() == null ? web.inPlace() : null;
      if (places == null) {
        done.add(place.block());
        return false;
      }
      done.addAll(web.blocks());
      double before = sum(web.blocks(), Map.of());
      double after = sum(web.blocks(), places);
      if (traffic.isGain(before, after) && (best == null || after < least)) {
        best = places;
        chosen = web;
        now = before;
        least = after;
      }
    }
    if (best == null || chosen == null || !context.mayChange()) {
      return false;
    }
    context.countChange();
    ArrayMem there = best.get(root);
    String what =
        root
            + " is stored in the order "
            + (there == null ? "" : there.lmad().order())
            + " of its dimensions: "
            + Percent.of(least, now)
            + " of the memory traffic";
    Stm at = memory.statement(root);
    context.remark(
        Remark.Kind.APPLIED, function.name(), at == null ? function.loc() : at.aux().loc(), what);
    memory.place(best);
    return true;
  }

  /** Returns the traffic of blocks if some arrays have other index functions. */
  private double sum(Set<Name> blocks, Map<Name, ArrayMem> places) {
    List<Traffic.Placed> placed = new ArrayList<>();
    for (Name b : blocks) {
      for (ElementAccess a : accesses.getOrDefault(b, List.of())) {
        placed.add(new Traffic.Placed(a, places.getOrDefault(a.array(), a.place()).lmad()));
      }
    }
    return traffic.of(placed, false);
  }
}
