package futharkc.core.ir.verify;

import static futharkc.core.ir.verify.Check.require;

import futharkc.core.ir.Name;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.imperative.Code;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Verification of requests for elements of device memory: the list of statements that makes a
 * request awaits it exactly once. Each control-flow path then awaits each request once.
 */
final class Requests {
  private Requests() {}

  /** Checks the requests of one list of statements, without nested statements. */
  static void check(List<Code> code) {
    Map<Name, PrimType> open = new HashMap<>();
    for (Code c : code) {
      if (c instanceof Code.AskElement a) {
        open.put(a.request(), a.elem());
      } else if (c instanceof Code.AwaitElements w) {
        for (Code.AwaitedElement e : w.elements()) {
          PrimType elem = open.remove(e.request());
          require(
              elem != null,
              e.request() + " is awaited again, or not in the list of statements that asks");
          require(
              elem == e.elem(),
              e.request() + " is a request for " + elem + ", awaited as " + e.elem());
        }
      }
    }
    require(open.isEmpty(), "requests are not awaited: " + open.keySet());
  }
}
