package futharkc.core.ir.imperative;

import java.util.ArrayList;
import java.util.List;

/**
 * A mapper that inserts statements before the mapped statement. A mapped expression may use
 * variables declared by statements added to {@link #before}.
 */
public class InsertingMapper extends CodeMapper {
  private List<Code> before = new ArrayList<>();

  /** Makes a mapper that inserts nothing; subclasses override its methods. */
  public InsertingMapper() {}

  /**
   * Returns the list of statements to insert before the mapped statement, inside the branches and
   * loops around it.
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
