package futharkc.tests.kit.source;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A syntax tree as text with subtrees. An expression may replace any other expression of the same
 * type if names and uniqueness permit; only the type checker decides.
 *
 * @param type the expression's type; null for a tree that is not an expression
 * @param parts strings and subtrees
 */
public record Tree(@Nullable SourceType type, List<Object> parts) {
  /** Creates a tree with an unmodifiable copy of the parts. */
  public Tree {
    parts = List.copyOf(parts);
  }

  /** Returns an atomic expression. */
  static Tree atom(SourceType type, String text) {
    return new Tree(type, List.of(text));
  }

  /** Returns an expression in parentheses. */
  static Tree of(SourceType type, Object... parts) {
    List<Object> all = new ArrayList<>();
    all.add("(");
    all.addAll(List.of(parts));
    all.add(")");
    return new Tree(type, all);
  }

  /** Returns a tree that is not an expression. */
  static Tree piece(Object... parts) {
    return new Tree(null, List.of(parts));
  }

  /** Returns a {@code let} expression. */
  static Tree let(String pattern, Tree value, Tree body) {
    if (body.type == null) {
      throw new IllegalArgumentException("the body of a let is an expression");
    }
    return of(body.type, "let " + pattern + " = ", value, "\n  in ", body);
  }

  /** Returns the number of trees in this tree, including itself. */
  public int size() {
    int size = 1;
    for (Object part : parts) {
      if (part instanceof Tree t) {
        size += t.size();
      }
    }
    return size;
  }

  /** Returns the text of this tree. */
  public String text() {
    StringBuilder out = new StringBuilder();
    print(out);
    return out.toString();
  }

  private void print(StringBuilder out) {
    for (Object part : parts) {
      if (part instanceof Tree t) {
        t.print(out);
      } else {
        out.append(part);
      }
    }
  }

  /**
   * Returns a copy of this tree with one tree replaced. Trees are numbered in the order of the
   * text; this tree is number 0.
   */
  Tree with(int index, Tree replacement) {
    if (index == 0) {
      return replacement;
    }
    List<Object> changed = new ArrayList<>(parts);
    int at = 1;
    for (int i = 0; i < changed.size(); i++) {
      if (changed.get(i) instanceof Tree t) {
        int size = t.size();
        if (index < at + size) {
          changed.set(i, t.with(index - at, replacement));
          return new Tree(type, changed);
        }
        at += size;
      }
    }
    throw new IndexOutOfBoundsException(index);
  }

  /** Returns the tree with a number, as counted by {@link #with}. */
  Tree get(int index) {
    Tree here = this;
    int left = index;
    while (left > 0) {
      left--;
      Tree next = null;
      for (Object part : here.parts) {
        if (part instanceof Tree t) {
          int size = t.size();
          if (left < size) {
            next = t;
            break;
          }
          left -= size;
        }
      }
      if (next == null) {
        throw new IndexOutOfBoundsException(index);
      }
      here = next;
    }
    return here;
  }

  /** Returns the subexpressions that have this tree's type, outer ones first. */
  List<Tree> ofSameType() {
    List<Tree> found = new ArrayList<>();
    collect(this, found);
    return found;
  }

  private void collect(Tree outer, List<Tree> found) {
    for (Object part : parts) {
      if (part instanceof Tree t) {
        if (t.type != null && t.type.equals(outer.type)) {
          found.add(t);
        }
        t.collect(outer, found);
      }
    }
  }
}
