package futharkc.core.ir;

import java.util.ArrayList;
import java.util.List;

/** A builder that collects statements in order and gives their results fresh names. */
public final class Builder {
  private final NameSource names;
  private final List<Stm> stms = new ArrayList<>();
  private Aux aux = Aux.NONE;

  public Builder(NameSource names) {
    this.names = names;
  }

  /** Returns the source of fresh names. */
  public NameSource names() {
    return names;
  }

  /** Sets the metadata of the following statements. */
  public Builder with(Aux aux) {
    this.aux = aux;
    return this;
  }

  /** Returns the metadata of the next statement. */
  public Aux aux() {
    return aux;
  }

  public void add(Stm s) {
    stms.add(s);
  }

  public void addAll(List<Stm> more) {
    stms.addAll(more);
  }

  /** Binds the single result of an expression to a fresh name and returns the name. */
  public Name let(String base, Type type, Exp e) {
    Name n = names.fresh(base);
    stms.add(new Stm(List.of(new PatElem(n, type)), aux, e));
    return n;
  }

  /** Binds the results of an expression to the names of a pattern. */
  public void let(List<PatElem> pat, Exp e) {
    stms.add(new Stm(pat, aux, e));
  }

  /**
   * Binds the single result of an expression to a fresh name and returns the name as an operand.
   */
  public SubExp letExp(String base, Type type, Exp e) {
    return SubExp.of(let(base, type, e));
  }

  public SubExp binOp(String base, BinOp.Kind kind, PrimType type, SubExp a, SubExp b) {
    return letExp(base, Type.prim(type), new BasicOp.BinOpExp(new BinOp(kind, type), a, b));
  }

  public SubExp cmp(String base, CmpOp.Kind kind, PrimType type, SubExp a, SubExp b) {
    return letExp(base, Type.BOOL, new BasicOp.CmpOpExp(new CmpOp(kind, type), a, b));
  }

  public SubExp conv(String base, ConvOp.Kind kind, PrimType from, PrimType to, SubExp a) {
    return from == to
        ? a
        : letExp(base, Type.prim(to), new BasicOp.ConvOpExp(new ConvOp(kind, from, to), a));
  }

  /**
   * Adds statements that compute an i64 polynomial and returns its value, with few statements per
   * term.
   */
  public SubExp poly(String base, Poly p) {
    SubExp simple = p.asSubExp();
    if (simple != null) {
      return simple;
    }
    SubExp sum = null;
    for (var term : p.terms().entrySet()) {
      SubExp product = null;
      for (Name factor : term.getKey().factors()) {
        product =
            product == null
                ? SubExp.of(factor)
                : binOp(base, BinOp.Kind.MUL, PrimType.I64, product, SubExp.of(factor));
      }
      SubExp coefficient = SubExp.i64(term.getValue());
      if (product == null) {
        product = coefficient;
      } else if (term.getValue() != 1) {
        product = binOp(base, BinOp.Kind.MUL, PrimType.I64, coefficient, product);
      }
      sum = sum == null ? product : binOp(base, BinOp.Kind.ADD, PrimType.I64, sum, product);
    }
    return sum == null ? SubExp.i64(0) : sum;
  }

  /** Returns the statements collected so far. */
  public List<Stm> stms() {
    return List.copyOf(stms);
  }

  /** Returns a body of the collected statements and the given results. */
  public Body body(List<SubExp> results) {
    return new Body(stms, results);
  }
}
