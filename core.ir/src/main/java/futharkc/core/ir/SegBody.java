package futharkc.core.ir;

import java.util.List;

/** The code that a {@link SegOp} evaluates at each index. */
public record SegBody(List<Stm> stms, List<SegResult> results) {
  public SegBody {
    stms = List.copyOf(stms);
    results = List.copyOf(results);
  }

  /** Returns the operands of the results. */
  public List<SubExp> values() {
    return results.stream().map(SegResult::value).toList();
  }
}
