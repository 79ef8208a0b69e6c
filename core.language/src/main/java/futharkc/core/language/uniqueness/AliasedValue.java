package futharkc.core.language.uniqueness;

import futharkc.core.language.typed.MetaType;
import futharkc.core.language.typed.Type;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** The aliases of a value, in a tree with the shape of the value's type. */
sealed interface AliasedValue {
  /** Returns the references with which the value may share memory. */
  Set<Ref> refs();

  /** An array, or a value of unknown type. An empty set means that the value has no aliases. */
  record Leaf(Set<Ref> refs) implements AliasedValue {}

  /**
   * A function.
   *
   * @param refs the references that the function captures
   * @param type the function's type with inferred unique marks on its results
   */
  record Closure(Set<Ref> refs, Type type) implements AliasedValue {}

  /** A record by field, or a sum by constructor and position. Scalars have no components. */
  record Node(SortedMap<String, AliasedValue> parts) implements AliasedValue {
    /** A scalar. */
    static final AliasedValue SCALAR = new Node(Collections.emptySortedMap());

    @Override
    public Set<Ref> refs() {
      Set<Ref> all = newSet();
      parts.values().forEach(p -> all.addAll(p.refs()));
      return all;
    }
  }

  /** Returns a value of a type in which every array shares memory with all given references. */
  static AliasedValue of(Type t, Set<Ref> refs) {
    return build(t, refs, false);
  }

  /**
   * Returns the result of a function. Components marked unique have no aliases; all others share
   * memory with all given references.
   */
  static AliasedValue result(Type t, Set<Ref> refs) {
    return build(t, refs, true);
  }

  private static AliasedValue build(Type t, Set<Ref> refs, boolean marks) {
    return switch (t) {
      case Type.Prim _ -> Node.SCALAR;
      case Type.Array a -> new Leaf(marks && a.unique() ? Set.of() : refs);
      case Type.Named n -> new Leaf(marks && n.unique() ? Set.of() : refs);
      case Type.Fun f -> new Closure(refs, f);
      case MetaType _ -> new Leaf(refs);
      case Type.Record r -> new Node(UniqueMarks.mapped(r.fields(), f -> build(f, refs, marks)));
      case Type.Sum s -> {
        SortedMap<String, AliasedValue> parts = new TreeMap<>();
        s.variants()
            .forEach(
                (c, ts) -> {
                  for (int i = 0; i < ts.size(); i++) {
                    parts.put(payload(c, i), build(ts.get(i), refs, marks));
                  }
                });
        yield new Node(parts);
      }
    };
  }

  /** Returns the key of a constructor's payload at a position. */
  static String payload(String constructor, int position) {
    return "#" + constructor + " " + position;
  }

  /** Returns a component, or a value with the aliases of the whole if the component is unknown. */
  default AliasedValue part(String key, Type type) {
    AliasedValue part = this instanceof Node n ? n.parts.get(key) : null;
    return part != null ? part : of(type, refs());
  }

  /** Returns this value with a component replaced. */
  default AliasedValue with(String key, AliasedValue part) {
    if (!(this instanceof Node n)) {
      return new Leaf(union(refs(), part.refs()));
    }
    SortedMap<String, AliasedValue> parts = new TreeMap<>(n.parts);
    parts.put(key, part);
    return new Node(parts);
  }

  /** Returns the union of this value and another value. */
  default AliasedValue or(AliasedValue other) {
    if (this instanceof Closure c && other instanceof Closure d) {
      return new Closure(union(c.refs, d.refs), c.type);
    }
    if (this instanceof Node n
        && other instanceof Node m
        && n.parts.keySet().equals(m.parts.keySet())) {
      SortedMap<String, AliasedValue> parts = new TreeMap<>(n.parts);
      m.parts.forEach((k, v) -> parts.merge(k, v, AliasedValue::or));
      return new Node(parts);
    }
    return new Leaf(union(refs(), other.refs()));
  }

  /** Returns this value with the references of each array replaced. */
  default AliasedValue map(UnaryOperator<Set<Ref>> f) {
    return switch (this) {
      case Leaf l -> new Leaf(f.apply(l.refs));
      case Closure c -> new Closure(f.apply(c.refs), c.type);
      case Node n -> n.parts.isEmpty() ? n : new Node(UniqueMarks.mapped(n.parts, p -> p.map(f)));
    };
  }

  /** Returns the references of each array, in an order that depends only on the shape. */
  default List<Set<Ref>> leaves() {
    List<Set<Ref>> leaves = new ArrayList<>();
    map(
        refs -> {
          leaves.add(refs);
          return refs;
        });
    return leaves;
  }

  private static Set<Ref> newSet() {
    return new LinkedHashSet<>();
  }

  /** Returns the union, which the caller must not modify. */
  static Set<Ref> union(Set<Ref> a, Set<Ref> b) {
    if (a.isEmpty() || a == b) {
      return b;
    }
    if (b.isEmpty()) {
      return a;
    }
    Set<Ref> all = newSet();
    all.addAll(a);
    all.addAll(b);
    return all.size() == a.size() ? a : all;
  }

  /** Converts this value to the shape of a type. */
  default AliasedValue as(Type t) {
    return switch (t) {
      case Type.Prim _ -> Node.SCALAR;
      case Type.Array _ -> new Leaf(refs());
      case Type.Named _ -> new Leaf(refs());
      case MetaType _ -> new Leaf(refs());
      case Type.Fun f -> this instanceof Closure ? this : new Closure(refs(), f);
      case Type.Record r -> {
        SortedMap<String, AliasedValue> parts = new TreeMap<>(Type.FIELD_ORDER);
        r.fields().forEach((f, ft) -> parts.put(f, part(f, ft).as(ft)));
        yield new Node(parts);
      }
      case Type.Sum s -> {
        SortedMap<String, AliasedValue> parts = new TreeMap<>();
        s.variants()
            .forEach(
                (c, ts) -> {
                  for (int i = 0; i < ts.size(); i++) {
                    parts.put(payload(c, i), part(payload(c, i), ts.get(i)).as(ts.get(i)));
                  }
                });
        yield new Node(parts);
      }
    };
  }

  /**
   * Returns the number of simultaneously existing arrays that share memory with one of some
   * references.
   */
  default int sharing(Set<Ref> refs) {
    if (!(this instanceof Node n)) {
      return overlap(refs(), refs) ? 1 : 0;
    }
    int count = 0;
    String constructor = "";
    int payload = 0;
    for (var part : n.parts.entrySet()) {
      int sharing = part.getValue().sharing(refs);
      if (!part.getKey().startsWith("#")) {
        count += sharing;
        continue;
      }
      String c = part.getKey().substring(0, part.getKey().indexOf(' '));
      payload = c.equals(constructor) ? payload + sharing : sharing;
      constructor = c;
      count = Math.max(count, payload);
    }
    return count;
  }

  /** Tests whether two sets have a common reference. */
  static boolean overlap(Set<Ref> a, Set<Ref> b) {
    return a.size() <= b.size()
        ? a.stream().anyMatch(b::contains)
        : b.stream().anyMatch(a::contains);
  }
}
