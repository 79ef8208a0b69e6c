package futharkc.pass.migration;

import futharkc.core.ir.Aux;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.HostOp;
import futharkc.core.ir.Loc;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Slice;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Substitution;
import futharkc.core.ir.Type;
import futharkc.core.ir.analysis.LastingArrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The scalars of a function that the device has computed, and the arrays that hold them. */
final class StoredScalars {
  private static final Slice.Dim FIRST = new Slice.Fix(SubExp.i64(0));
  private static final SubExp ONE = SubExp.i64(1);

  private final LastingArrays lasting;
  private final NameSource names;
  private final Map<Name, Stored> stored = new HashMap<>();

  StoredScalars(LastingArrays lasting, NameSource names) {
    this.lasting = lasting;
    this.names = names;
  }

  /**
   * A scalar that is an element of an array of the device, and whether the host knows it, too.
   *
   * @param element the element; that of an array of one element, unless the scalar is a read that
   *     stays where it is
   * @param certs the checks of the index
   */
  record Stored(BasicOp.Index element, List<Name> certs, PrimType type, boolean onHost) {
    /** Returns the only element of an array that the pass makes. */
    static Stored in(Name array, PrimType type, boolean onHost) {
      return new Stored(first(array), List.of(), type, onHost);
    }

    private static BasicOp.Index first(Name array) {
      return new BasicOp.Index(array, new Slice(List.of(FIRST)));
    }

    /** Tests whether the element is the first of an array of one dimension. */
    boolean isFirst() {
      return certs.isEmpty() && element.slice().dims().equals(List.of(FIRST));
    }

    Stm read(Name n, Loc loc) {
      Aux aux = Aux.at(loc).withCerts(certs);
      return new Stm(List.of(new PatElem(n, Type.prim(type))), aux, element);
    }
  }

  /** Adds a scalar. */
  void put(Name scalar, Stored where) {
    stored.put(scalar, where);
  }

  boolean isStored(SubExp e) {
    return e instanceof SubExp.Var v && stored.containsKey(v.name());
  }

  boolean isOnlyStored(SubExp e) {
    return e instanceof SubExp.Var v && isOnlyStored(v.name());
  }

  boolean isOnlyStored(Name n) {
    Stored s = stored.get(n);
    return s != null && !s.onHost;
  }

  static Exp element(Name array) {
    return Stored.first(array);
  }

  static Type arrayOf(PrimType t) {
    return Type.array(Type.prim(t), ONE);
  }

  Stored get(Name scalar) {
    return Objects.requireNonNull(stored.get(scalar), scalar::toString);
  }

  /** Returns an operand for the host, which reads a scalar that only the device has. */
  SubExp onHost(SubExp e, Aux at, List<Stm> out) {
    if (!(e instanceof SubExp.Var v) || !isOnlyStored(v.name())) {
      return e;
    }
    Name read = names.fresh(v.name());
    out.add(get(v.name()).read(read, at.loc()));
    return SubExp.of(read);
  }

  /** Returns a statement of the host, after reads of operands that only the device has. */
  Stm hosted(Stm s, List<Stm> out) {
    Map<Name, SubExp> read = new LinkedHashMap<>();
    for (Name n : FreeNames.of(s)) {
      if (isOnlyStored(n)) {
        read.put(n, onHost(SubExp.of(n), s.aux(), out));
      }
    }
    return read.isEmpty() ? s : new Substitution(read).stm(s);
  }

  /**
   * Returns an array of one element that holds an operand, and makes the array unless it exists.
   */
  Name store(SubExp e, PrimType type, Aux at, List<Stm> out) {
    if (e instanceof SubExp.Var v && stored.containsKey(v.name())) {
      return array(stored.get(v.name()), v.name(), at, out);
    }
    String base = e instanceof SubExp.Var v ? v.name().base() : "constant";
    Name array = names.fresh(base);
    Exp make =
        e instanceof SubExp.Const c
            ? new BasicOp.ArrayVal(List.of(c.value()), type)
            : new HostOp.GpuBody(List.of(Type.prim(type)), new Body(List.of(), List.of(e)));
    out.add(new Stm(List.of(new PatElem(array, arrayOf(type))), Aux.at(at.loc()), make));
    return array;
  }

  /**
   * Returns the array of one element that holds a stored scalar, and makes the array unless it
   * exists.
   */
  Name array(Stored s, Name scalar, Aux at, List<Stm> out) {
    Name holder = s.element.array();
    if (s.isFirst() && lasting.isSingle(holder)) {
      return holder;
    }
    Name array = names.fresh(scalar);
    Name read = names.fresh(scalar);
    Body body = new Body(List.of(s.read(read, at.loc())), List.of(SubExp.of(read)));
    out.add(
        new Stm(
            List.of(new PatElem(array, arrayOf(s.type))),
            Aux.at(at.loc()),
            new HostOp.GpuBody(List.of(Type.prim(s.type)), body)));
    return array;
  }

  /** Reads of the scalars among some names that only the device knows, and what replaces these. */
  Map<Name, SubExp> reads(Iterable<Name> free, List<Stm> out) {
    Map<Name, SubExp> replaced = new LinkedHashMap<>();
    for (Name n : free) {
      if (!isOnlyStored(n)) {
        continue;
      }
      Name read = names.fresh(n);
      out.add(get(n).read(read, Loc.NONE));
      replaced.put(n, SubExp.of(read));
    }
    return replaced;
  }
}
