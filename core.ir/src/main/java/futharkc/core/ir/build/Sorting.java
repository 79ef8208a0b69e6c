package futharkc.core.ir.build;

import static futharkc.core.ir.build.Arithmetic.compare;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.ConvOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.PrimFun;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Soac;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.List;

/**
 * Parallel stable sorting of indices by small keys: radix sort by single bits, lowest first
 * (Blelloch, Prefix Sums and Their Applications, 1990, section 1.3). The work for n keys below k is
 * O(n log k).
 */
public final class Sorting {
  private Sorting() {}

  /**
   * Returns the sorted keys and their original indices.
   *
   * @param keys the keys, at least 0 and at most {@code limit}
   */
  public static List<SubExp> byKey(Emitter e, SubExp n, SubExp keys, SubExp limit) {
    SubExp zeros = Arithmetic.call(e, PrimFun.Kind.CLZ, PrimType.I64, limit);
    ConvOp widen = new ConvOp(ConvOp.Kind.SEXT, PrimType.I32, PrimType.I64);
    SubExp bits = Arithmetic.sub(e, SubExp.i64(64), Arithmetic.convert(e, widen, zeros));
    Type t = Type.array(Type.I64, n);
    Param ks = e.param("keys", t);
    Param is = e.param("is", t);
    Name bit = e.names().fresh("bit");
    e.scope().add(bit, Type.I64);
    Emitter in = e.inner();
    List<SubExp> sorted = byBit(in, n, SubExp.of(ks.name()), SubExp.of(is.name()), SubExp.of(bit));
    Exp.Loop loop =
        new Exp.Loop(
            List.of(new Exp.LoopParam(ks, keys), new Exp.LoopParam(is, e.iota(n))),
            new Exp.Form.For(bit, PrimType.I64, bits),
            in.body(sorted));
    return e.letAll("sorted", List.of(t, t), loop);
  }

  private static List<SubExp> byBit(Emitter e, SubExp n, SubExp ks, SubExp is, SubExp bit) {
    SubExp clear =
        e.map(
                "clear",
                n,
                List.of(ks),
                (in, k) -> {
                  SubExp low = Arithmetic.binary(in, BinOp.Kind.LSHR, PrimType.I64, k.get(0), bit);
                  SubExp set =
                      Arithmetic.binary(in, BinOp.Kind.AND, PrimType.I64, low, SubExp.i64(1));
                  return List.of(Arithmetic.sub(in, SubExp.i64(1), set));
                })
            .get(0);
    Counts counts = count(e, n, clear);
    SubExp to =
        e.map(
                "to",
                n,
                List.of(clear, counts.upTo, e.iota(n)),
                (in, v) -> {
                  SubExp isClear =
                      compare(in, CmpOp.Kind.EQ, PrimType.I64, v.get(0), SubExp.i64(1));
                  SubExp low = Arithmetic.sub(in, v.get(1), SubExp.i64(1));
                  SubExp rest = Arithmetic.sub(in, v.get(2), v.get(1));
                  return List.of(in.select(isClear, low, Arithmetic.add(in, counts.total, rest)));
                })
            .get(0);
    return scatter(e, n, List.of(ks, is), to, n);
  }

  /**
   * The counts of set flags.
   *
   * @param upTo an array: for each index, the number of set flags up to and including it
   * @param total the number of all set flags
   */
  public record Counts(SubExp upTo, SubExp total) {}

  /** Counts flags with values 0 and 1. */
  public static Counts count(Emitter e, SubExp n, SubExp flags) {
    Soac.Reduce sum = Arithmetic.summing(e, Type.I64);
    List<Name> one = List.of(Emitter.array(flags));
    SubExp upTo = e.scan("upto", n, one, new Soac.Scan(sum.op(), sum.neutral())).get(0);
    SubExp total = e.reduce("total", n, one, List.of(Arithmetic.summing(e, Type.I64))).get(0);
    return new Counts(upTo, total);
  }

  /** Permutes arrays: each element moves to the given index. The indices are a permutation. */
  public static List<SubExp> scatter(
      Emitter e, SubExp size, List<SubExp> values, SubExp to, SubExp n) {
    List<SubExp> dests = new ArrayList<>();
    for (SubExp v : values) {
      Type t = Type.array(e.type(v).row(), size);
      dests.add(e.let("dest", t, new BasicOp.Scratch(t.elemPrim(), t.dims())));
    }
    return scatter(e, dests, values, to, n);
  }

  /**
   * Writes elements to the given distinct indices. Indices out of range have no effect.
   *
   * @param dests the destination arrays, which are consumed
   */
  public static List<SubExp> scatter(
      Emitter e, List<SubExp> dests, List<SubExp> values, SubExp to, SubExp n) {
    List<Exp.AccInput> inputs = new ArrayList<>();
    List<Param> tokens = new ArrayList<>();
    List<Param> accs = new ArrayList<>();
    List<Type> types = new ArrayList<>();
    for (SubExp dest : dests) {
      Type t = e.type(dest);
      Type row = t.row();
      SubExp size = t.outerSize();
      inputs.add(new Exp.AccInput(List.of(size), List.of(Emitter.array(dest)), null));
      Param token = e.param("token", Type.UNIT);
      tokens.add(token);
      accs.add(e.param("acc", new Type.Acc(token.name(), List.of(size), List.of(row))));
      types.add(t);
    }
    List<Param> params = new ArrayList<>(tokens);
    params.addAll(accs);
    Lambda body =
        e.lambda(
            params,
            in -> {
              List<Param> inner = new ArrayList<>();
              List<Name> args = new ArrayList<>();
              for (Param a : accs) {
                inner.add(in.param("acc", a.type()));
                args.add(a.name());
              }
              Param index = in.param("to", Type.I64);
              inner.add(index);
              args.add(Emitter.array(to));
              List<Param> elements = new ArrayList<>();
              for (SubExp v : values) {
                Param p = in.param("v", in.type(v).row());
                elements.add(p);
                inner.add(p);
                args.add(Emitter.array(v));
              }
              Lambda f =
                  in.lambda(
                      inner,
                      each -> {
                        List<SubExp> out = new ArrayList<>();
                        for (int k = 0; k < accs.size(); k++) {
                          out.add(
                              each.let(
                                  "acc",
                                  accs.get(k).type(),
                                  new BasicOp.UpdateAcc(
                                      inner.get(k).name(),
                                      List.of(SubExp.of(index.name())),
                                      List.of(SubExp.of(elements.get(k).name())))));
                        }
                        return out;
                      });
              List<PatElem> pat = new ArrayList<>();
              for (Param a : accs) {
                pat.add(new PatElem(in.names().fresh("acc"), a.type()));
              }
              in.add(pat, in.mapping(n, args, f));
              return pat.stream().map(p -> SubExp.of(p.name())).toList();
            });
    return e.letAll("scattered", types, new Exp.WithAcc(inputs, body));
  }
}
