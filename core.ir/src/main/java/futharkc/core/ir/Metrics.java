package futharkc.core.ir;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Counts of a program's nodes, by node name and enclosing nodes. A node {@code C} inside {@code
 * A/B} at the top of a function counts as {@code C}, {@code B/C}, {@code A/B/C} and {@code /A/B/C}.
 * The names are those of structure tests in public Futhark programs. Bodies of {@linkplain
 * FunDef#isBuiltin built-in} functions do not count; calls of them count under distinct names.
 * {@code HostRead} is a name of this project: an element that code outside of kernels reads.
 */
public final class Metrics {
  private final Map<String, Integer> counts = new TreeMap<>();
  private final Deque<String> around = new ArrayDeque<>();

  private final Set<String> builtins = new HashSet<>();
  private final boolean withPaths;

  /** The program is for a host with a device. */
  private boolean onHost;

  /** The number of kernels around. */
  private int threads;

  private Metrics(boolean withPaths) {
    this.withPaths = withPaths;
  }

  /** Returns the counts over all functions and constants, by name. */
  public static Map<String, Integer> of(Program p) {
    return new Metrics(true).program(p);
  }

  /**
   * Returns the names of all nodes without enclosing nodes, since nesting may reach a thousand
   * levels.
   */
  public static Set<String> names(Program p) {
    return new Metrics(false).program(p).keySet();
  }

  private Map<String, Integer> program(Program p) {
    onHost = p.rep().hasDevice();
    for (FunDef f : p.functions().values()) {
      if (f.isBuiltin()) {
        builtins.add(f.name());
      }
    }
    stms(p.constants());
    for (FunDef f : p.functions().values()) {
      if (!f.isBuiltin()) {
        body(f.body());
      }
    }
    return counts;
  }

  private void seen(String node) {
    String path = node;
    count(path);
    if (!withPaths) {
      return;
    }
    for (String outer : around) {
      path = outer + "/" + path;
      count(path);
    }
    count("/" + path);
  }

  private void count(String path) {
    counts.merge(path, 1, Integer::sum);
  }

  private void inside(String node, Runnable content) {
    seen(node);
    around.push(node);
    content.run();
    around.pop();
  }

  private void stms(List<Stm> stms) {
    for (Stm s : stms) {
      exp(s.exp());
    }
  }

  private void body(Body b) {
    stms(b.stms());
  }

  private void lambda(Lambda l) {
    body(l.body());
  }

  private void exp(Exp e) {
    switch (e) {
      case BasicOp.PrimFunExp x -> seen("Apply");
      case BasicOp b -> {
        seen("BasicOp");
        seen(name(b));
        if (onHost && threads == 0 && b instanceof BasicOp.Index x && x.slice().isElement()) {
          seen("HostRead");
        }
      }
      case Exp.Apply a when builtins.contains(a.function()) ->
          inside("Apply", () -> seen(a.function()));
      case Exp.Apply a -> seen("Apply");
      case Exp.Match m when m.isConditional() ->
          inside(
              "If",
              () -> {
                inside("True", () -> body(m.cases().get(0).body()));
                inside("False", () -> body(m.otherwise()));
              });
      case Exp.Match m ->
          inside(
              "Match",
              () -> {
                for (int i = 0; i < m.cases().size(); i++) {
                  Body b = m.cases().get(i).body();
                  inside(String.valueOf(i), () -> body(b));
                }
                inside("default", () -> body(m.otherwise()));
              });
      case Exp.Loop l ->
          inside(
              "Loop",
              () -> {
                seen(l.form() instanceof Exp.Form.For ? "ForLoop" : "WhileLoop");
                body(l.body());
              });
      case Exp.WithAcc w -> inside("WithAcc", () -> lambda(w.lambda()));
      case Soac s -> soac(s);
      case SegExp.Seg s -> segOp(s.op());
      case SegExp.ParOp p -> {
        if (p.nested() != null) {
          body(p.nested());
        }
        segOp(p.op());
      }
      case HostOp.GetSize x -> seen("GetSize");
      case HostOp.GetSizeMax x -> seen("GetSizeMax");
      case HostOp.CmpSizeLe x -> seen("CmpSizeLe");
      case HostOp.CalcNumBlocks x -> seen("CalcNumBlocks");
      case HostOp.Read x -> {
        for (int i = 0; i < x.elements().size(); i++) {
          seen("BasicOp");
          seen("Index");
          seen("HostRead");
        }
      }
      case HostOp.GpuBody x -> {
        threads++;
        inside("GPUBody", () -> body(x.body()));
        threads--;
      }
      case MemOp.Alloc a -> seen("Alloc");
      case MemOp.EnsureDirect d -> seen("EnsureDirect");
    }
  }

  private void soac(Soac s) {
    switch (s) {
      case Soac.Screma x ->
          inside(
              "Screma",
              () -> {
                lambda(x.map());
                x.scans().forEach(o -> lambda(o.op()));
                x.reduces().forEach(o -> lambda(o.op()));
                lambda(x.post());
              });
      case Soac.Hist x ->
          inside(
              "Hist",
              () -> {
                x.ops().forEach(o -> lambda(o.op()));
                lambda(x.bucket());
              });
      case Soac.Stream x -> inside("Stream", () -> lambda(x.lambda()));
      case Soac.FlatMap x -> inside("FlatMap", () -> lambda(x.lambda()));
      case Soac.Jvp x -> inside("JVP", () -> lambda(x.lambda()));
      case Soac.Vjp x -> inside("VJP", () -> lambda(x.lambda()));
      case Soac.WithVjp x ->
          inside(
              "WithVJP",
              () -> {
                lambda(x.lambda());
                lambda(x.adjoint());
              });
    }
  }

  private void segOp(SegOp op) {
    threads++;
    segOpInThreads(op);
    threads--;
  }

  private void segOpInThreads(SegOp op) {
    switch (op) {
      case SegOp.SegMap m -> inside("SegMap", () -> stms(m.body().stms()));
      case SegOp.SegRed r ->
          inside(
              "SegRed",
              () -> {
                r.ops().forEach(o -> inside("SegBinOp", () -> lambda(o.op())));
                stms(r.body().stms());
                if (r.post() != null) {
                  lambda(r.post());
                }
              });
      case SegOp.SegScan s ->
          inside(
              "SegScan",
              () -> {
                s.ops().forEach(o -> inside("SegBinOp", () -> lambda(o.op())));
                stms(s.body().stms());
                lambda(s.post());
              });
      case SegOp.SegHist h ->
          inside(
              "SegHist",
              () -> {
                h.ops().forEach(o -> lambda(o.op()));
                stms(h.body().stms());
              });
    }
  }

  private static String name(BasicOp op) {
    return switch (op) {
      case BasicOp.SubExpOp x -> "SubExp";
      case BasicOp.Opaque x -> "Opaque";
      case BasicOp.ArrayVal x -> "ArrayVal";
      case BasicOp.ArrayLit x -> "ArrayLit";
      case BasicOp.BinOpExp x -> "BinOp";
      case BasicOp.UnOpExp x -> "UnOp";
      case BasicOp.CmpOpExp x -> "CmpOp";
      case BasicOp.ConvOpExp x -> "ConvOp";
      case BasicOp.PrimFunExp x -> "Apply";
      case BasicOp.Assert x -> "Assert";
      case BasicOp.Index x -> "Index";
      case BasicOp.Update x -> "Update";
      case BasicOp.FlatIndex x -> "FlatIndex";
      case BasicOp.FlatUpdate x -> "FlatUpdate";
      case BasicOp.Concat x -> "Concat";
      case BasicOp.Manifest x -> "Manifest";
      case BasicOp.Iota x -> "Iota";
      case BasicOp.Replicate x -> "Replicate";
      case BasicOp.Scratch x -> "Scratch";
      case BasicOp.Reshape x -> "Reshape";
      case BasicOp.Rearrange x -> "Rearrange";
      case BasicOp.UpdateAcc x -> "UpdateAcc";
      case BasicOp.UserParam x -> "UserParam";
    };
  }
}
