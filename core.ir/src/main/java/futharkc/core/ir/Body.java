package futharkc.core.ir;

import java.util.List;

/** Statements in order of evaluation, then the results. */
public record Body(List<Stm> stms, List<SubExp> results) {
  public Body {
    stms = List.copyOf(stms);
    results = List.copyOf(results);
  }
}
