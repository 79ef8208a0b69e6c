package futharkc.tests.kit.source;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A piece of a program: text with pieces inside. What has a type can stand where any other piece of
 * that type does, as far as names and uniqueness go; the type checker has the last word on that.
 *
 * @param type the expression's type; null for what is no expression
 * @param parts strings and trees
 */
public record Tree(@Nullable Ty type, List<Object> parts) {
  /** Makes an unmodifiable copy. */
  public Tree {
    parts = List.copyOf(parts);
  }

  /** An expression that is an atom. */
  static Tree atom(Ty type, String text) {
    return new Tree(type, List.of(text));
  }

  /** An expression in parentheses. */
  static Tree of(Ty type, Object... parts) {
    List<Object> all = new ArrayList<>();
    all.add("(");
    all.addAll(List.of(parts));
    all.add(")");
    return new Tree(type, all);
  }

  /** What is no expression. */
  static Tree piece(Object... parts) {
    return new Tree(null, List.of(parts));
  }

  /** A {@code let}. */
  static Tree let(String pattern, Tree value, Tree body) {
    if (body.type == null) {
      throw new IllegalArgumentException("the body of a let is an expression");
    }
    return of(body.type, "let " + pattern + " = ", value, "\n  in ", body);
  }

  /** How many trees there are in it, itself among them. */
  public int size() {
    int size = 1;
    for (Object part : parts) {
      if (part instanceof Tree t) {
        size += t.size();
      }
    }
    return size;
  }

  /** The text of the program. */
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

  /** The same with one tree replaced, counted from 0 for this one, in the order of the text. */
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

  /** The tree of an index, as {@link #with} counts. */
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

  /** The expressions inside it that have its type, outer ones first. */
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
