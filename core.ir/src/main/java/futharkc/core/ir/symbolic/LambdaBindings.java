package futharkc.core.ir.symbolic;

import futharkc.core.ir.BoundNames;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.Soac;
import futharkc.core.ir.SubExp;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The names bound by an operation's lambdas, and the relation of parameters to inputs and results.
 */
final class LambdaBindings {
  /** A scanned value at the current iteration. */
  record Sum(Soac.Screma screma, int position) {}

  final Map<Name, Name> inputs = new HashMap<>();

  /** The map result that each parameter of the last lambda receives. */
  final Map<Name, SubExp> passed = new HashMap<>();

  final Map<Name, Sum> sums = new HashMap<>();

  /** All bound names, at any depth. */
  final Set<Name> bound = new HashSet<>();

  LambdaBindings(Soac.Screma x) {
    for (int i = 0; i < x.inputs().size(); i++) {
      Name p = x.map().params().get(i).name();
      bound.add(p);
      inputs.put(p, x.inputs().get(i));
    }
    bound.addAll(BoundNames.of(x.map().body()));
    int scanned = x.scanResults();
    int early = scanned + x.reduceResults();
    List<Param> post = x.post().params();
    for (int i = 0; i < post.size(); i++) {
      Name p = post.get(i).name();
      bound.add(p);
      if (i < scanned) {
        sums.put(p, new Sum(x, i));
      } else {
        passed.put(p, x.map().body().results().get(early + i - scanned));
      }
    }
    bound.addAll(BoundNames.of(x.post().body()));
  }
}
