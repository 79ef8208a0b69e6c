package futharkc.core.ir.imperative;

import java.util.ArrayList;
import java.util.List;

/**
 * Rebuilds imperative code, with further statements before those that need them: what an expression
 * becomes may use variables that are declared in {@link #before}.
 */
public class InsertingMapper extends CodeMapper {
  private List<Code> before = new ArrayList<>();

  /** Inserts nothing; subclasses do. */
  public InsertingMapper() {}

  /**
   * Where to add what goes before the statement that is being mapped: one in the innermost list,
   * that is, inside the branches and loops around.
   */
  protected final List<Code> before() {
    return before;
  }

  @Override
  public List<Code> statements(List<Code> code) {
    List<Code> outside = before;
    List<Code> out = new ArrayList<>(code.size());
    boolean same = true;
    for (Code c : code) {
      before = new ArrayList<>();
      Code mapped = statement(c);
      same &= mapped == c && before.isEmpty();
      out.addAll(before);
      out.add(mapped);
    }
    before = outside;
    return same ? code : out;
  }
}
