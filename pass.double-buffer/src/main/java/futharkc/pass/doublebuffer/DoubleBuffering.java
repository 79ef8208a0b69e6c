package futharkc.pass.doublebuffer;

import futharkc.core.ir.Aux;
import futharkc.core.ir.Body;
import futharkc.core.ir.Builder;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Substitution;
import futharkc.core.ir.Type;
import futharkc.core.ir.memory.BlockUses;
import futharkc.core.ir.memory.LoopBlockSizes;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.Remark;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Rewrites the loops of one function, inner loops first. */
final class DoubleBuffering extends Mapper {
  private final String function;
  private final NameSource names;
  private final PassContext context;

  /** The initial memory blocks that loops may reuse. */
  private final Set<Name> own;

  DoubleBuffering(FunDef function, NameSource names, PassContext context) {
    this.function = function.name();
    this.own = FirstBlocks.of(function, context.analyses().get(function, BlockUses.ANALYSIS));
    this.names = names;
    this.context = context;
  }

  @Override
  public List<Stm> stms(List<Stm> stms) {
    List<Stm> inner = super.stms(stms);
    List<Stm> out = new ArrayList<>();
    boolean changed = false;
    for (int i = 0; i < inner.size(); i++) {
      Stm s = inner.get(i);
      for (Buffer b = buffer(s); b != null; b = buffer(s)) {
        Builder before = new Builder(names).with(s.aux().withCerts(List.of()));
        s = buffered(s, b, own.contains(b.param.name()), before);
        out.addAll(before.stms());
        changed = true;
        String what = "double buffered the memory block of " + b.param.name();
        context.remark(Remark.Kind.APPLIED, function, s.aux().loc(), what);
      }
      out.add(s);
    }
    return changed ? out : inner;
  }

  /**
   * A memory block that each iteration of a loop allocates for the next one.
   *
   * @param at the position of the loop parameter for the block
   * @param param the loop parameter for the block
   * @param alloc the statement in the body that allocates the block
   */
  private record Buffer(int at, Param param, Stm alloc) {
    SubExp size() {
      return ((MemOp.Alloc) alloc.exp()).size();
    }

    Name block() {
      return alloc.pat().get(0).name();
    }
  }

  /** Returns the first such block of a loop, or null. */
  private static @Nullable Buffer buffer(Stm s) {
    if (!(s.exp() instanceof Exp.Loop l)) {
      return null;
    }
    Set<Name> bound = new HashSet<>();
    if (l.form() instanceof Exp.Form.For f) {
      bound.add(f.index());
    }
    for (Exp.LoopParam p : l.params()) {
      bound.add(p.param().name());
    }
    for (Stm t : l.body().stms()) {
      bound.addAll(t.names());
    }
    BlockAliasing inside = null;
    for (int i = 0; i < l.params().size(); i++) {
      Param p = l.params().get(i).param();
      if (!(p.type() instanceof Type.Mem)) {
        continue;
      }
      if (inside == null) {
        inside = new BlockAliasing(l.body().stms());
      }
      Stm alloc = inside.binding(((SubExp.Var) l.body().results().get(i)).name());
      if (alloc == null || !(alloc.exp() instanceof MemOp.Alloc)) {
        continue;
      }
      Buffer b = new Buffer(i, p, alloc);
      boolean known = !(b.size() instanceof SubExp.Var size) || !bound.contains(size.name());
      if (known && !outlives(b.block(), l, inside) && !outlives(p.name(), l, inside)) {
        return b;
      }
    }
    return null;
  }

  /**
   * Tests whether the block of this or the previous iteration may stay in use: as two blocks of the
   * next iteration, as another parameter, or under another name.
   */
  static boolean outlives(Name block, Exp.Loop l, BlockAliasing inside) {
    Set<Name> inBlock = new HashSet<>(Set.of(block));
    long kept = l.body().results().stream().filter(r -> r.equals(SubExp.of(block))).count();
    boolean isParam = false;
    for (Exp.LoopParam p : l.params()) {
      isParam |= p.param().name().equals(block);
      if (isIn(p.param().type(), block)) {
        inBlock.add(p.param().name());
      }
    }
    return kept > (isParam ? 0 : 1) || inside.isPassedOn(block, inBlock);
  }

  static boolean isIn(Type type, Name block) {
    return type instanceof Type.Array a && a.mem() != null && a.mem().block().equals(block);
  }

  private Stm buffered(Stm s, Buffer b, boolean own, Builder before) {
    Exp.Loop l = (Exp.Loop) s.exp();
    MemOp.Alloc alloc = (MemOp.Alloc) b.alloc.exp();
    before.with(Aux.at(b.alloc.aux().loc()));
    Type type = b.alloc.pat().get(0).type();
    SubExp size = own ? alloc.size() : LoopBlockSizes.ifRun(l, alloc.size(), before);
    Exp one = new MemOp.Alloc(size, alloc.space());

    Param next = new Param(names.fresh("next"), type);
    List<Exp.LoopParam> params = new ArrayList<>();
    List<PatElem> pat = new ArrayList<>();
    List<SubExp> results = new ArrayList<>();
    Body body =
        new Substitution(Map.of(b.block(), SubExp.of(next.name()))).body(without(b.alloc, l));

    params.add(new Exp.LoopParam(next, before.letExp("buffer", type, one)));
    pat.add(new PatElem(names.fresh("spare"), type));
    if (own) {
      results.add(SubExp.of(b.param.name()));
    } else {
      Param other = new Param(names.fresh("other"), type);
      params.add(new Exp.LoopParam(other, before.letExp("buffer", type, one)));
      pat.add(new PatElem(names.fresh("spare"), type));
      results.add(SubExp.of(other.name()));
      results.add(SubExp.of(next.name()));
    }
    params.addAll(l.params());
    pat.addAll(s.pat());
    results.addAll(body.results());
    return new Stm(pat, s.aux(), new Exp.Loop(params, l.form(), new Body(body.stms(), results)));
  }

  private static Body without(Stm alloc, Exp.Loop l) {
    return new Body(l.body().stms().stream().filter(t -> t != alloc).toList(), l.body().results());
  }
}
