package futharkc.core.ir.text;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.ConvOp;
import futharkc.core.ir.PrimFun;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.UnOp;
import futharkc.core.ir.imperative.Expr;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The scalar operators, by the words of the text form. */
final class OperatorWords {
  /** An operator: its arity, and the constructors of its expressions in both languages. */
  record Operator(
      int arity, Function<List<SubExp>, BasicOp> basicOp, Function<List<Expr>, Expr> expr) {}

  private static final Map<String, Operator> ALL = all();

  private OperatorWords() {}

  static @Nullable Operator find(String word) {
    return ALL.get(word);
  }

  private static Map<String, Operator> all() {
    Map<String, Operator> m = new HashMap<>();
    for (PrimType t : PrimType.values()) {
      for (BinOp.Kind k : BinOp.Kind.values()) {
        BinOp op = new BinOp(k, t);
        put(
            m,
            op,
            new Operator(
                2,
                es -> new BasicOp.BinOpExp(op, es.get(0), es.get(1)),
                es -> new Expr.Binary(op, es.get(0), es.get(1))));
      }
      for (CmpOp.Kind k : CmpOp.Kind.values()) {
        CmpOp op = new CmpOp(k, t);
        put(
            m,
            op,
            new Operator(
                2,
                es -> new BasicOp.CmpOpExp(op, es.get(0), es.get(1)),
                es -> new Expr.Compare(op, es.get(0), es.get(1))));
      }
      for (UnOp.Kind k : UnOp.Kind.values()) {
        UnOp op = new UnOp(k, t);
        put(
            m,
            op,
            new Operator(
                1, es -> new BasicOp.UnOpExp(op, es.get(0)), es -> new Expr.Unary(op, es.get(0))));
      }
      for (PrimFun.Kind k : PrimFun.Kind.values()) {
        PrimFun f = new PrimFun(k, t);
        put(
            m,
            f,
            new Operator(
                k.arity, es -> new BasicOp.PrimFunExp(f, es), es -> new Expr.Apply(f, es)));
      }
      for (ConvOp.Kind k : ConvOp.Kind.values()) {
        for (PrimType to : PrimType.values()) {
          ConvOp op = new ConvOp(k, t, to);
          put(
              m,
              op,
              new Operator(
                  1,
                  es -> new BasicOp.ConvOpExp(op, es.get(0)),
                  es -> new Expr.Convert(op, es.get(0))));
        }
      }
    }
    return Map.copyOf(m);
  }

  private static void put(Map<String, Operator> m, Object key, Operator op) {
    if (m.put(key.toString(), op) != null) {
      throw new IllegalStateException("two operators " + key);
    }
  }
}
