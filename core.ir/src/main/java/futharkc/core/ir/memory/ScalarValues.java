package futharkc.core.ir.memory;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.HostOp;
import futharkc.core.ir.Lmad;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The i64 variables of a function that are sums, differences and products of others. */
public final class ScalarValues {
  /** The maximum number of terms of a value. */
  private static final int LARGEST = 32;

  private final Map<Name, Poly> values = new HashMap<>();

  /** A cache of expanded variables: definitions of sizes form chains as long as programs. */
  private final Map<Name, Poly> expanded = new HashMap<>();

  /** Makes an empty table. */
  public ScalarValues() {}

  /** Records the value that a statement computes. */
  public void add(Stm s) {
    if (s.pat().size() != 1 || !s.pat().get(0).type().isPrim(PrimType.I64)) {
      return;
    }
    Name name = s.pat().get(0).name();
    expanded.clear();
    switch (s.exp()) {
      case BasicOp.SubExpOp x -> values.put(name, Poly.of(x.value()));
      case BasicOp.BinOpExp x -> {
        Poly a = Poly.of(x.left());
        Poly b = Poly.of(x.right());
        switch (x.op().kind()) {
          case ADD -> values.put(name, a.plus(b));
          case SUB -> values.put(name, a.minus(b));
          case MUL -> values.put(name, a.times(b));
          default -> {}
        }
      }
      case BasicOp _,
          Exp.Apply _,
          Exp.Match _,
          Exp.Loop _,
          Exp.WithAcc _,
          Soac _,
          SegExp _,
          HostOp _,
          MemOp _ -> {}
    }
  }

  /**
   * Returns the value of a variable in terms of the operands of its statement, or null if it has
   * another form.
   */
  public @Nullable Poly value(Name name) {
    return values.get(name);
  }

  /**
   * Replaces the given names by their values, repeatedly.
   *
   * @param gone a test for names to replace
   */
  public Poly without(Predicate<Name> gone, Poly p) {
    Poly now = p;
    while (now.terms().size() <= LARGEST) {
      boolean more = false;
      for (Name n : now.variables()) {
        more |= gone.test(n) && values.containsKey(n);
      }
      if (!more) {
        return now;
      }
      now = now.substitute(n -> gone.test(n) ? values.getOrDefault(n, Poly.of(n)) : Poly.of(n));
    }
    return p;
  }

  /**
   * Replaces the given names in offset and strides by their values, but not in sizes.
   *
   * @param gone a test for names to replace
   */
  public Lmad without(Predicate<Name> gone, Lmad l) {
    List<Lmad.Dim> dims = new ArrayList<>();
    for (Lmad.Dim d : l.dims()) {
      dims.add(new Lmad.Dim(without(gone, d.stride()), d.size()));
    }
    return new Lmad(without(gone, l.offset()), dims);
  }

  /**
   * Replaces all names by their values, repeatedly. A name stays if the result would be too large.
   */
  public Poly expand(Poly p) {
    Poly now = p.substitute(this::expanded);
    return now.terms().size() <= LARGEST ? now : p;
  }

  private Poly expanded(Name name) {
    Deque<Name> open = new ArrayDeque<>(List.of(name));
    while (!open.isEmpty()) {
      Name n = open.getFirst();
      Poly value = values.get(n);
      if (value == null || expanded.containsKey(n)) {
        expanded.putIfAbsent(n, Poly.of(n));
        open.removeFirst();
        continue;
      }
      int before = open.size();
      for (Name v : value.variables()) {
        if (!expanded.containsKey(v)) {
          open.addFirst(v);
        }
      }
      if (open.size() > before) {
        continue;
      }
      Poly all = value.substitute(v -> expanded.getOrDefault(v, Poly.of(v)));
      expanded.put(n, all.terms().size() <= LARGEST ? all : Poly.of(n));
    }
    return expanded.getOrDefault(name, Poly.of(name));
  }

  /** Replaces all names in offset and strides by their values, but not in sizes. */
  public Lmad expand(Lmad l) {
    List<Lmad.Dim> dims = new ArrayList<>();
    for (Lmad.Dim d : l.dims()) {
      dims.add(new Lmad.Dim(expand(d.stride()), d.size()));
    }
    return new Lmad(expand(l.offset()), dims);
  }
}
