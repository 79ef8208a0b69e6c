package futharkc.pass.migration;

import futharkc.core.ir.Body;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Name;
import futharkc.core.ir.SegBody;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Substitution;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The reads of stored scalars by kernels. */
final class KernelReads {
  private final StoredScalars scalars;

  KernelReads(StoredScalars scalars) {
    this.scalars = scalars;
  }

  /** Lets a kernel read the scalars that it uses and that only the device has. */
  void kernel(Stm s, SegExp.Seg x, List<Stm> out) {
    Map<Name, SubExp> known = new LinkedHashMap<>();
    for (Name n : Sizes.of(x)) {
      if (scalars.isOnlyStored(n)) {
        known.put(n, scalars.onHost(SubExp.of(n), s.aux(), out));
      }
    }
    Stm sized = known.isEmpty() ? s : new Substitution(known).stm(s);
    SegOp op = ((SegExp.Seg) sized.exp()).op();
    out.add(sized.withExp(new SegExp.Seg(new Readers().kernel(op))));
  }

  /** Lets a parallel operation read the scalars that it uses and that only the device has. */
  SegOp reading(SegOp op) {
    return new Readers().kernel(op);
  }

  /** Puts reads in front of the code of threads. */
  private final class Readers extends Mapper {
    SegOp kernel(SegOp op) {
      SegBody body = op.body();
      List<Stm> stms = new ArrayList<>();
      Map<Name, SubExp> replaced = scalars.reads(freeOf(body), stms);
      SegOp with = op;
      if (!replaced.isEmpty()) {
        SegBody renamed = new Substitution(replaced).segBody(body);
        stms.addAll(renamed.stms());
        with = op.withBody(new SegBody(stms, renamed.results()));
      }
      return switch (with) {
        case SegOp.SegMap m -> m;
        case SegOp.SegRed r ->
            new SegOp.SegRed(
                r.level(),
                r.space(),
                operators(r.ops()),
                r.types(),
                r.body(),
                r.post() == null ? null : reading(r.post()));
        case SegOp.SegScan c ->
            new SegOp.SegScan(
                c.level(), c.space(), operators(c.ops()), c.types(), c.body(), reading(c.post()));
        case SegOp.SegHist h ->
            new SegOp.SegHist(
                h.level(),
                h.space(),
                list(
                    h.ops(),
                    o ->
                        new SegOp.SegHistOp(
                            o.shape(),
                            o.raceFactor(),
                            o.dests(),
                            o.neutral(),
                            o.opShape(),
                            reading(o.op()))),
                h.types(),
                h.body());
      };
    }

    private List<SegOp.SegBinOp> operators(List<SegOp.SegBinOp> ops) {
      return list(
          ops, o -> new SegOp.SegBinOp(o.commutative(), reading(o.op()), o.neutral(), o.shape()));
    }

    private Set<Name> freeOf(SegBody body) {
      return FreeNames.of(new Lambda(List.of(), new Body(body.stms(), body.values()), List.of()));
    }

    Lambda reading(Lambda l) {
      List<Stm> stms = new ArrayList<>();
      Map<Name, SubExp> replaced = scalars.reads(FreeNames.of(l), stms);
      if (replaced.isEmpty()) {
        return l;
      }
      Body body = new Substitution(replaced).body(l.body());
      stms.addAll(body.stms());
      return new Lambda(l.params(), new Body(stms, body.results()), l.results());
    }
  }

  /** Lets an operator read the scalars that it uses and that only the device has. */
  Lambda reading(Lambda operator) {
    return new Readers().reading(operator);
  }
}
