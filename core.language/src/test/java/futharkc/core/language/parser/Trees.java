package futharkc.core.language.parser;

import futharkc.core.ir.Loc;
import futharkc.core.language.syntax.Exp;
import java.lang.reflect.RecordComponent;
import java.util.List;

/** Text forms of syntax trees that ignore parentheses and layout. */
public final class Trees {
  private Trees() {}

  /** Returns the text form of a node, a list or a component of a node. */
  public static String show(Object node) {
    return switch (node) {
      case null -> "null";
      case Exp.Paren p -> show(p.exp());
      case Exp.Assert a -> "Assert(" + show(a.cond()) + " " + show(a.exp()) + ")";
      case List<?> l -> l.stream().map(Trees::show).toList().toString();
      case Record r -> r.getClass().getSimpleName() + components(r);
      default -> node.toString();
    };
  }

  private static String components(Record r) {
    var out = new StringBuilder("(");
    for (RecordComponent c : r.getClass().getRecordComponents()) {
      if (c.getType() == Loc.class) {
        continue;
      }
      try {
        out.append(show(c.getAccessor().invoke(r))).append(' ');
      } catch (ReflectiveOperationException e) {
        throw new LinkageError(String.valueOf(e.getMessage()), e);
      }
    }
    return out.append(')').toString();
  }
}
