package futharkc.core.ir;

import java.util.List;

/** A list of statements in order of evaluation, followed by results. */
public record Body(List<Stm> stms, List<SubExp> results) {
  public Body {
    stms = List.copyOf(stms);
    results = List.copyOf(results);
  }
}
