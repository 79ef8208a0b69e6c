package futharkc.core.ir.text;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FlatSlice;
import futharkc.core.ir.HistStrategy;
import futharkc.core.ir.HostOp;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.SegBody;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.SegLevel;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.SegResult;
import futharkc.core.ir.SegSpace;
import futharkc.core.ir.SegStrategy;
import futharkc.core.ir.SegVirt;
import futharkc.core.ir.SizeClass;
import futharkc.core.ir.Slice;
import futharkc.core.ir.Soac;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.TuningParameter;
import futharkc.core.ir.Type;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A printer of expressions. */
final class ExpPrinter {
  private final Printer p;

  ExpPrinter(Printer p) {
    this.p = p;
  }

  void exp(Exp e) {
    switch (e) {
      case BasicOp b -> p.put(basicOp(b));
      case Exp.Apply a ->
          p.put(
              "apply "
                  + Atoms.word(a.function())
                  + IntStream.range(0, a.args().size())
                      .mapToObj(i -> (a.consumed().get(i) ? "*" : "") + sub(a.args().get(i)))
                      .collect(Collectors.joining(", ", "(", ")")));
      case Exp.Match m -> match(m);
      case Exp.Loop l -> loop(l);
      case Exp.WithAcc w -> {
        p.put("with_acc");
        for (Exp.AccInput in : w.inputs()) {
          p.clause(() -> accInput(in));
        }
        p.clause(() -> p.put("do ").lambda(w.lambda()));
      }
      case Soac s -> soac(s);
      case SegExp.Seg s -> segOp(s.op());
      case SegExp.ParOp par -> {
        p.put("par ");
        segOp(par.op());
        Body nested = par.nested();
        if (nested != null) {
          p.clause(() -> p.put("nested ").body(nested));
        }
        SegExp.Choice c = par.choice();
        if (c != null) {
          p.clause(() -> p.put("choose(slack " + c.slack() + ", idle " + c.idle() + ")"));
        }
        if (par.invariant() > 0) {
          p.clause(() -> p.put("invariant " + par.invariant()));
        }
      }
      case HostOp h -> hostOp(h);
      case MemOp.Alloc a ->
          p.put("alloc(" + sub(a.size()) + ", " + TypeText.space(a.space()) + ")");
      case MemOp.EnsureDirect d -> p.put("ensure_direct(" + name(d.array()) + ")");
    }
  }

  private void match(Exp.Match m) {
    if (m.isConditional()) {
      p.put("if " + sub(m.scrutinees().get(0)) + " then ");
      p.body(m.cases().get(0).body());
      p.put(" else ");
      p.body(m.otherwise());
      return;
    }
    p.put("match ").subExps("(", m.scrutinees(), ")");
    for (Exp.Case c : m.cases()) {
      p.put(" case ");
      p.put(
          c.pattern().stream()
              .map(v -> v == null ? "_" : Atoms.value(v))
              .collect(Collectors.joining(", ", "(", ") ")));
      p.body(c.body());
    }
    p.put(" default ").body(m.otherwise());
  }

  private void loop(Exp.Loop l) {
    p.put("loop ");
    p.list(
        "{",
        l.params(),
        x -> {
          if (!x.attrs().isEmpty()) {
            p.attrs(x.attrs());
            p.put(" ");
          }
          p.param(x.param());
          p.put(" = " + sub(x.init()));
        },
        "}");
    switch (l.form()) {
      case Exp.Form.For f ->
          p.put(" for " + name(f.index()) + ": " + f.type() + " < " + sub(f.bound()));
      case Exp.Form.While w -> p.put(" while " + name(w.cond()));
    }
    p.put(" do ").body(l.body());
  }

  private void accInput(Exp.AccInput in) {
    p.put("acc(" + TypeText.shape(in.space()) + ", " + names(in.arrays()));
    if (in.op() != null) {
      p.put(", " + subs(in.op().neutral()));
    }
    p.put(")");
    if (in.op() != null) {
      p.put(" ").lambda(in.op().lambda());
    }
  }

  private void soac(Soac s) {
    switch (s) {
      case Soac.Screma x -> {
        p.put("screma(" + sub(x.width()) + ", " + names(x.inputs()) + ")");
        p.clause(() -> p.put("map ").lambda(x.map()));
        for (Soac.Scan o : x.scans()) {
          p.clause(() -> p.put("scan(" + subs(o.neutral()) + ") ").lambda(o.op()));
        }
        for (Soac.Reduce o : x.reduces()) {
          String keyword = o.commutative() ? "reduce_comm(" : "reduce(";
          p.clause(() -> p.put(keyword + subs(o.neutral()) + ") ").lambda(o.op()));
        }
        p.clause(() -> p.put("post ").lambda(x.post()));
      }
      case Soac.Hist x -> {
        p.put("hist(" + sub(x.width()) + ", " + names(x.inputs()) + ")");
        for (Soac.HistOp o : x.ops()) {
          String head = histHead(o.shape(), o.raceFactor(), o.dests(), o.neutral());
          p.clause(() -> p.put(head + ") ").lambda(o.op()));
        }
        p.clause(() -> p.put("bucket ").lambda(x.bucket()));
      }
      case Soac.Stream x -> {
        p.put("stream(" + sub(x.width()) + ", " + names(x.inputs()) + ", " + subs(x.accs()) + ")");
        p.clause(() -> p.lambda(x.lambda()));
      }
      case Soac.FlatMap x -> {
        p.put("flat_map(" + sub(x.width()) + ", " + names(x.inputs()) + ")");
        p.clause(() -> p.lambda(x.lambda()));
      }
      case Soac.Jvp x -> derivative("jvp", x.vector(), x.args(), x.tangents(), x);
      case Soac.Vjp x -> derivative("vjp", x.vector(), x.args(), x.adjoints(), x);
      case Soac.WithVjp x -> {
        p.put("with_vjp(" + subs(x.args()) + ")");
        p.clause(() -> p.put("do ").lambda(x.lambda()));
        p.clause(() -> p.put("adjoint ").lambda(x.adjoint()));
      }
    }
  }

  private void derivative(
      String keyword, List<SubExp> vector, List<SubExp> args, List<SubExp> seeds, Soac s) {
    p.put(keyword + "(" + TypeText.shape(vector) + ", " + subs(args) + ", " + subs(seeds) + ")");
    p.clause(() -> p.lambda(s instanceof Soac.Jvp j ? j.lambda() : ((Soac.Vjp) s).lambda()));
  }

  private static String histHead(
      List<SubExp> shape, SubExp race, List<Name> dests, List<SubExp> neutral) {
    return "op("
        + TypeText.shape(shape)
        + ", "
        + sub(race)
        + ", "
        + names(dests)
        + ", "
        + subs(neutral);
  }

  private void segOp(SegOp op) {
    String keyword =
        switch (op) {
          case SegOp.SegMap m -> "segmap";
          case SegOp.SegRed r -> "segred";
          case SegOp.SegScan s -> "segscan";
          case SegOp.SegHist h -> "seghist";
        };
    p.put(keyword + " " + level(op.level()) + " " + space(op.space()));
    switch (op) {
      case SegOp.SegMap m -> {}
      case SegOp.SegRed r -> {
        r.ops().forEach(o -> segBinOp("reduce", o));
        Lambda post = r.post();
        if (post != null) {
          p.clause(() -> p.put("post ").lambda(post));
        }
        division(r.strategy());
      }
      case SegOp.SegScan s -> {
        s.ops().forEach(o -> segBinOp("scan", o));
        p.clause(() -> p.put("post ").lambda(s.post()));
        division(s.strategy());
      }
      case SegOp.SegHist h -> {
        for (SegOp.SegHistOp o : h.ops()) {
          String head = histHead(o.shape(), o.raceFactor(), o.dests(), o.neutral());
          p.clause(() -> p.put(head + ", " + TypeText.shape(o.opShape()) + ") ").lambda(o.op()));
        }
        HistStrategy strategy = h.strategy();
        if (strategy != null) {
          strategy(strategy);
        }
      }
    }
    Runnable body =
        () -> {
          p.list("do {", op.types(), t -> p.put(TypeText.type(t)), "} ");
          segBody(op.body());
        };
    if (op instanceof SegOp.SegMap) {
      p.put(" ");
      body.run();
    } else {
      p.clause(body);
    }
  }

  private void division(@Nullable SegStrategy strategy) {
    if (strategy == null) {
      return;
    }
    String text =
        switch (strategy) {
          case SegStrategy.Threads _ -> "by_threads";
          case SegStrategy.Columns(int width, int elements, int bytes) ->
              "by_columns(width " + width + ", elements " + elements + ", bytes " + bytes + ")";
          case SegStrategy.Blocks b ->
              "by_blocks("
                  + (b.severalSegments() ? "several_segments, " : "")
                  + order(b.order())
                  + ", rounds "
                  + b.rounds()
                  + ", parts_of_thread "
                  + b.partsOfThread()
                  + ", resident "
                  + b.resident()
                  + ", bytes "
                  + b.bytes()
                  + ")";
          case SegStrategy.OnePass(SegStrategy.Windows windows, int resident, int bytes) ->
              "in_one_pass(" + order(windows) + ", resident " + resident + ", bytes " + bytes + ")";
          case SegStrategy.TwoPasses(SegStrategy.Windows windows, int bytes) ->
              "in_two_passes(" + order(windows) + ", bytes " + bytes + ")";
        };
    p.clause(() -> p.put(text));
  }

  private static String order(SegStrategy.Order order) {
    return switch (order) {
      case SegStrategy.AnyOrder(int piece, int part) ->
          "any_order(piece " + piece + ", part " + part + ")";
      case SegStrategy.Windows(int items, int repeated) ->
          "windows(items " + items + ", repeated " + repeated + ")";
    };
  }

  private void strategy(HistStrategy strategy) {
    switch (strategy) {
      case HistStrategy.Cores c -> {
        String order = c.inAnyOrder() ? ", in_any_order)" : ")";
        String copies = "own " + c.own() + ", apart " + c.apart();
        String costs = ", per_update " + c.perUpdate() + ", per_bin " + c.perBin();
        p.clause(() -> p.put("private(" + copies + costs + order));
      }
      case HistStrategy.Device d -> {
        HistStrategy.Shared s = d.shared();
        if (s != null) {
          String passes = "passes " + s.passes() + ", copies " + s.copies();
          String threads = ", threads " + s.threads() + ", resident " + s.resident();
          String partials = ", partials " + s.partials();
          p.clause(() -> p.put("in_shared(" + passes + threads + partials + ")"));
        }
        HistStrategy.Global g = d.global();
        String passes = ", passes " + g.passes() + ", bins " + g.bins();
        p.clause(() -> p.put("in_global(blocks " + g.blocks() + passes + ")"));
      }
    }
  }

  private void segBinOp(String keyword, SegOp.SegBinOp o) {
    String head = keyword + (o.commutative() ? "_comm(" : "(") + subs(o.neutral());
    p.clause(() -> p.put(head + ", " + TypeText.shape(o.shape()) + ") ").lambda(o.op()));
  }

  private void segBody(SegBody b) {
    p.block(b.stms(), () -> p.list("{", b.results(), r -> p.put(segResult(r)), "}"));
  }

  private static String segResult(SegResult r) {
    return switch (r) {
      case SegResult.Returns x -> sub(x.value());
      case SegResult.Checked x -> "checked " + sub(x.value());
      case SegResult.TileReturns x ->
          "tile("
              + x.dims().stream()
                  .map(d -> sub(d.size()) + "/" + sub(d.tile()))
                  .collect(Collectors.joining(", "))
              + ") "
              + sub(x.value());
      case SegResult.RegTileReturns x ->
          "reg_tile("
              + x.dims().stream()
                  .map(d -> sub(d.size()) + "/" + sub(d.block()) + "/" + sub(d.reg()))
                  .collect(Collectors.joining(", "))
              + ") "
              + sub(x.value());
    };
  }

  private static String space(SegSpace s) {
    return s.dims().stream()
        .map(d -> name(d.index()) + " < " + sub(d.size()))
        .collect(Collectors.joining(", ", "[" + name(s.flat()) + "; ", "]"));
  }

  private static String level(SegLevel l) {
    return switch (l) {
      case SegLevel.Cores c -> "cores";
      case SegLevel.Thread t -> "thread" + virt(t.virt()) + grid(t.grid());
      case SegLevel.Block b -> "block" + virt(b.virt()) + grid(b.grid());
      case SegLevel.ThreadInBlock t -> "thread_in_block" + virt(t.virt());
    };
  }

  private static String virt(SegVirt virt) {
    return switch (virt) {
      case SegVirt.Virt v -> " virt";
      case SegVirt.NoVirt v -> "";
      case SegVirt.Full f ->
          f.sequential().stream()
              .map(String::valueOf)
              .collect(Collectors.joining(", ", " full(", ")"));
    };
  }

  private static String grid(SegLevel.@Nullable Grid g) {
    return g == null ? "" : " (" + sub(g.blocks()) + ", " + sub(g.blockSize()) + ")";
  }

  private void hostOp(HostOp h) {
    switch (h) {
      case HostOp.GetSize x -> p.put("get_size(" + parameter(x.parameter()) + ")");
      case HostOp.GetSizeMax x -> p.put("get_size_max(" + sizeClass(x.sizeClass()) + ")");
      case HostOp.CmpSizeLe x ->
          p.put("cmp_size_le(" + parameter(x.parameter()) + ", " + sub(x.value()) + ")");
      case HostOp.CalcNumBlocks x ->
          p.put(
              "calc_num_blocks("
                  + sub(x.width())
                  + ", "
                  + parameter(x.maxBlocks())
                  + ", "
                  + sub(x.blockSize())
                  + ")");
      case HostOp.Read x ->
          p.put(
              x.elements().stream()
                  .map(e -> name(e.array()) + TypeText.shape(e.index()))
                  .collect(Collectors.joining(", ", "read(", ")")));
      case HostOp.GpuBody x -> {
        p.put("gpu_body ");
        p.list("{", x.types(), (Type t) -> p.put(TypeText.type(t)), "} ");
        p.body(x.body());
      }
    }
  }

  static String parameter(TuningParameter p) {
    return Atoms.string(p.name()) + ": " + sizeClass(p.sizeClass());
  }

  static String sizeClass(SizeClass c) {
    return switch (c) {
      case SizeClass.Plain x -> x.toString();
      case SizeClass.Bespoke x ->
          "bespoke(" + Atoms.string(x.name()) + ", " + x.defaultValue() + ")";
      case SizeClass.Threshold x ->
          x.path().stream()
              .map(d -> (d.reached() ? ", " : ", not ") + Atoms.string(d.parameter()))
              .collect(
                  Collectors.joining(
                      "",
                      "threshold(" + (x.defaultValue() == null ? "def" : x.defaultValue()),
                      ")"));
    };
  }

  private static String basicOp(BasicOp op) {
    return switch (op) {
      case BasicOp.SubExpOp x -> sub(x.value());
      case BasicOp.Opaque x ->
          switch (x.tag()) {
            case BasicOp.Tag.Barrier b -> "opaque(" + sub(x.value()) + ")";
            case BasicOp.Tag.Trace t ->
                "trace(" + Atoms.string(t.text()) + ", " + sub(x.value()) + ")";
            case BasicOp.Tag.Break b -> "break(" + sub(x.value()) + ")";
          };
      case BasicOp.ArrayVal x ->
          x.values().stream()
              .map(Atoms::value)
              .collect(Collectors.joining(", ", "values " + x.elem() + " [", "]"));
      case BasicOp.ArrayLit x -> TypeText.shape(x.elems()) + ": " + TypeText.type(x.row());
      case BasicOp.BinOpExp x -> x.op() + "(" + sub(x.left()) + ", " + sub(x.right()) + ")";
      case BasicOp.UnOpExp x -> x.op() + "(" + sub(x.operand()) + ")";
      case BasicOp.CmpOpExp x -> x.op() + "(" + sub(x.left()) + ", " + sub(x.right()) + ")";
      case BasicOp.ConvOpExp x -> x.op() + "(" + sub(x.operand()) + ")";
      case BasicOp.PrimFunExp x ->
          x.fun()
              + "("
              + x.args().stream().map(ExpPrinter::sub).collect(Collectors.joining(", "))
              + ")";
      case BasicOp.Assert x -> assertion(x);
      case BasicOp.Index x -> name(x.array()) + slice(x.slice());
      case BasicOp.Update x ->
          name(x.array())
              + (x.safe() ? " with safe " : " with ")
              + slice(x.slice())
              + " = "
              + sub(x.value());
      case BasicOp.FlatIndex x -> name(x.array()) + flatSlice(x.slice());
      case BasicOp.FlatUpdate x ->
          name(x.array()) + " with " + flatSlice(x.slice()) + " = " + name(x.value());
      case BasicOp.Concat x ->
          "concat(" + x.dim() + ", " + sub(x.size()) + ", " + names(x.arrays()) + ")";
      case BasicOp.Manifest x ->
          "manifest(" + Atoms.permutation(x.perm()) + ", " + name(x.array()) + ")";
      case BasicOp.Iota x ->
          "iota_"
              + x.type()
              + "("
              + sub(x.count())
              + ", "
              + sub(x.start())
              + ", "
              + sub(x.stride())
              + ")";
      case BasicOp.Replicate x ->
          "replicate(" + TypeText.shape(x.shape()) + ", " + sub(x.value()) + ")";
      case BasicOp.Scratch x -> "scratch(" + TypeText.shape(x.shape()) + " " + x.elem() + ")";
      case BasicOp.Reshape x ->
          (x.coerce() ? "coerce(" : "reshape(")
              + TypeText.shape(x.shape())
              + ", "
              + name(x.array())
              + ")";
      case BasicOp.Rearrange x ->
          "rearrange(" + Atoms.permutation(x.perm()) + ", " + name(x.array()) + ")";
      case BasicOp.UpdateAcc x ->
          (x.inRange() ? "update_acc_in_range(" : "update_acc(")
              + name(x.acc())
              + ", "
              + TypeText.shape(x.index())
              + ", "
              + subs(x.values())
              + ")";
      case BasicOp.UserParam x ->
          "user_param(" + Atoms.string(x.name()) + ", " + sub(x.defaultValue()) + ")";
    };
  }

  private static String assertion(BasicOp.Assert x) {
    StringBuilder s = new StringBuilder("assert(").append(sub(x.cond()));
    for (BasicOp.MsgPart part : x.message()) {
      s.append(", ");
      switch (part) {
        case BasicOp.MsgPart.Text t -> s.append(Atoms.string(t.text()));
        case BasicOp.MsgPart.Value v ->
            s.append(sub(v.value())).append(": ").append(Atoms.external(v.type(), v.unsigned()));
      }
    }
    x.trace().forEach(l -> s.append(", @").append(Atoms.loc(l)));
    return s.append(")").toString();
  }

  private static String slice(Slice s) {
    return s.dims().stream()
        .map(
            d ->
                switch (d) {
                  case Slice.Fix f -> sub(f.index());
                  case Slice.Range r ->
                      sub(r.start()) + " :+ " + sub(r.count()) + " * " + sub(r.stride());
                })
        .collect(Collectors.joining(", ", "[", "]"));
  }

  private static String flatSlice(FlatSlice s) {
    return s.dims().stream()
        .map(d -> sub(d.count()) + ": " + sub(d.stride()))
        .collect(Collectors.joining(", ", "[flat " + sub(s.offset()) + "; ", "]"));
  }

  private static String sub(SubExp e) {
    return TypeText.subExp(e);
  }

  private static String subs(List<SubExp> es) {
    return es.stream().map(TypeText::subExp).collect(Collectors.joining(", ", "{", "}"));
  }

  private static String name(Name n) {
    return Atoms.name(n);
  }

  private static String names(List<Name> names) {
    return names.stream().map(Atoms::name).collect(Collectors.joining(", ", "{", "}"));
  }
}
