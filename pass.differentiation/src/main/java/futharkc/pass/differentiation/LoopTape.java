package futharkc.pass.differentiation;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Slice;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.build.Emitter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The tape of a loop: for each saved variable, an array over the iterations.
 *
 * @param entries the loop parameters, saved at the beginning of each iteration
 * @param saved the names that iterations compute
 * @param arrays the names of the arrays after the loop, filled when the loop is emitted
 */
record LoopTape(List<Name> entries, List<Name> saved, Map<Name, Name> arrays) {
  LoopTape(List<Name> entries, List<Name> saved) {
    this(entries, saved, new HashMap<>());
  }

  List<Name> names() {
    List<Name> all = new ArrayList<>(entries);
    all.addAll(saved);
    return all;
  }

  /** Returns the slice of one iteration in an array of the tape. */
  static Slice place(SubExp iteration, Type array) {
    return Slice.fix(List.of(iteration), array.dims());
  }

  /**
   * Binds the variables to their values in an iteration.
   *
   * @param in the emitter of the bindings
   * @param iteration the index of the iteration
   * @param consumed a test for variables that later code overwrites, and which are copies therefore
   */
  void read(Emitter in, SubExp iteration, Predicate<Name> consumed) {
    for (Name n : names()) {
      Name array = arrays.get(n);
      if (array == null) {
        throw new IllegalStateException(n + " is not on the tape");
      }
      Type t = in.type(n);
      BasicOp part = new BasicOp.Index(array, place(iteration, in.type(array)));
      if (t instanceof Type.Array && consumed.test(n)) {
        SubExp view = in.let(n.base(), t, part);
        in.add(List.of(new PatElem(n, t)), new BasicOp.Replicate(List.of(), view));
      } else {
        in.add(List.of(new PatElem(n, t)), part);
      }
    }
  }
}
